//! What a command works with: its streams, the terminal it may be talking to, and the machine. Commands take nothing
//! from the process itself, so a test runs them with streams and folders of its own.

#[cfg(feature = "mcp")]
use std::ffi::OsString;
use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::host::MachineContext;
use crate::view::wrap::WIDTH;
use crate::watch::RunWatch;

/// The exit code of the process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExitStatus(pub u8);

impl ExitStatus {
    /// All is well.
    pub const WELL: ExitStatus = ExitStatus(0);
    /// The code has errors.
    pub const ERRORS: ExitStatus = ExitStatus(1);
    /// Wrong use of the command line.
    pub const MISUSE: ExitStatus = ExitStatus(2);
    /// Wrong use where 2 says that something would change.
    pub const DETAILED_MISUSE: ExitStatus = ExitStatus(3);
    /// Something would change, and the exit code was to say so.
    pub const CHANGES: ExitStatus = ExitStatus(2);
    /// A file is not the language, or cannot be read or written.
    pub const REFUSED: ExitStatus = ExitStatus(2);
    /// A file has another layout than it should have, and the exit code was to say so.
    pub const DIFFERS: ExitStatus = ExitStatus(3);
    /// A known answer was asked for, and it is unknown.
    pub const UNKNOWN: ExitStatus = ExitStatus(3);
}

/// The reason why a command stops early.
#[derive(Debug)]
pub enum EarlyStop {
    /// A stream failed; a broken pipe is no error.
    Stream(io::Error),
    /// The command line makes no sense, for this reason.
    Misuse(String),
    /// The same in the words of the parser of command lines, which are told as they are.
    Refused(String),
    /// The request is not one that Groma serves, for this reason. Callers read 2 as changes, so it is an error of its
    /// own.
    Absent(String),
    /// The error is printed already.
    Told(ExitStatus),
}

impl From<io::Error> for EarlyStop {
    fn from(error: io::Error) -> EarlyStop {
        EarlyStop::Stream(error)
    }
}

/// The streams that are a terminal.
#[derive(Clone, Copy, Default, Debug)]
pub struct TerminalStreams {
    /// Standard input.
    pub input: bool,
    /// Standard output.
    pub output: bool,
    /// Standard error.
    pub errors: bool,
    /// The number of columns of the terminal, where that is known.
    pub width: Option<usize>,
    /// The number of columns asked for, whatever a stream is.
    pub columns: Option<usize>,
}

impl TerminalStreams {
    /// Returns how wide lines of the answer may be, where that is known.
    pub(crate) fn answer_width(self) -> Option<usize> {
        self.columns.or(self.width.filter(|_| self.output))
    }

    /// Returns how wide lines of the answer are made.
    pub(crate) fn text_width(self) -> usize {
        self.answer_width().unwrap_or(WIDTH)
    }

    /// The same of lines on standard error.
    pub(crate) fn remark_width(self) -> Option<usize> {
        self.columns.or(self.width.filter(|_| self.errors))
    }
}

/// The choice of colours for standard output, which then pass the edge of a terminal: the caller that sets it has made
/// all else harmless.
#[derive(Clone, Default, Debug)]
pub struct ColourChoice(Arc<AtomicBool>);

impl ColourChoice {
    /// That colours pass from the beginning.
    pub(crate) fn always() -> ColourChoice {
        ColourChoice(Arc::new(AtomicBool::new(true)))
    }

    /// Lets colours pass from now on.
    pub(crate) fn begin(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Returns true if colours pass.
    pub(crate) fn is_begun(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// A whole run of the program: what a command calls that starts others.
#[cfg(feature = "mcp")]
pub(crate) type CommandRunner = fn(Vec<OsString>, RunSession<'_>) -> ExitStatus;

/// The surroundings of one run.
pub struct RunSession<'a> {
    /// Standard input.
    pub input: &'a mut dyn BufRead,
    /// Standard output: results.
    pub out: &'a mut (dyn Write + Send),
    /// Standard error: diagnostics and remarks.
    pub err: &'a mut (dyn Write + Send),
    /// The streams that are a terminal.
    pub terminal: TerminalStreams,
    /// The colour choice for standard output.
    pub painted: ColourChoice,
    /// Files and environment.
    pub machine: MachineContext,
    /// The watch over the clock and the memory meanwhile.
    pub watch: RunWatch,
}

impl RunSession<'_> {
    /// Returns true if diagnostics are coloured: on a terminal, unless `NO_COLOR` or a dumb terminal says otherwise.
    pub(crate) fn colour(&self, wanted: bool) -> bool {
        self.terminal.errors && self.likes_colours(wanted)
    }

    /// Lets an answer be in colours, and says whether it is: on a terminal, unless something says otherwise.
    pub(crate) fn paints(&self, wanted: bool) -> bool {
        let paints = self.terminal.output && self.likes_colours(wanted);
        if paints {
            self.painted.begin();
        }
        paints
    }

    fn likes_colours(&self, wanted: bool) -> bool {
        wanted
            && self.machine.env("NO_COLOR").is_none_or(|value| value.is_empty())
            && self.machine.env("TERM").is_none_or(|term| term != "dumb")
    }
}
