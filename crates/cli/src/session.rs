//! The session of a command: its streams, terminal and machine. Commands use nothing else of the process, so tests run them with
//! their own streams and folders.

#[cfg(feature = "mcp")]
use std::ffi::OsString;
use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::host::MachineContext;
use crate::view::wrap::WIDTH;
use crate::watch::RunWatch;

/// The exit code of the process, by the outcome of the command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExitStatus(pub u8);

impl ExitStatus {
    /// Exit code 0: success.
    pub const SUCCESS: ExitStatus = ExitStatus(0);
    /// Exit code 1: the code has errors.
    pub const ERRORS: ExitStatus = ExitStatus(1);
    /// Exit code 2: wrong use of the command line.
    pub const MISUSE: ExitStatus = ExitStatus(2);
    /// Exit code 3: wrong use, where 2 means that something would change.
    pub const DETAILED_MISUSE: ExitStatus = ExitStatus(3);
    /// Exit code 2 of `-detailed-exitcode`: something would change.
    pub const CHANGES: ExitStatus = ExitStatus(2);
    /// Exit code 2 of `fmt`: a file cannot be parsed, read or written.
    pub const REFUSED: ExitStatus = ExitStatus(2);
    /// Exit code 3 of `fmt -check`: a file is not formatted.
    pub const DIFFERS: ExitStatus = ExitStatus(3);
    /// Exit code 3: the requested value is unknown.
    pub const UNKNOWN: ExitStatus = ExitStatus(3);
}

/// The reason why a command stops early: a failed stream, a command line that is not valid, or a reported error.
#[derive(Debug)]
pub enum EarlyStop {
    /// A stream failed; a broken pipe is not an error.
    Stream(io::Error),
    /// The command line is not valid, for this reason.
    Misuse(String),
    /// The command line is not valid, with the parser's own message.
    Refused(String),
    /// The request is one that Groma does not serve, for this reason. It exits with 1, since callers read 2 as changes.
    Absent(String),
    /// The error is printed already.
    Reported(ExitStatus),
}

impl From<io::Error> for EarlyStop {
    fn from(error: io::Error) -> EarlyStop {
        EarlyStop::Stream(error)
    }
}

/// The standard streams that are terminals, and the width of the terminal.
#[derive(Clone, Copy, Default, Debug)]
pub struct TerminalStreams {
    /// Standard input.
    pub input: bool,
    /// Standard output.
    pub output: bool,
    /// Standard error.
    pub errors: bool,
    /// The width of the terminal in columns, if known.
    pub width: Option<usize>,
    /// The width in columns that `COLUMNS` requests, whatever the streams are.
    pub columns: Option<usize>,
}

impl TerminalStreams {
    /// Returns the maximum width in columns of lines on standard output; `None` if it is not limited.
    pub(crate) fn answer_width(self) -> Option<usize> {
        self.columns.or(self.width.filter(|_| self.output))
    }

    /// Returns the width in columns to which text on standard output is wrapped; [`WIDTH`] if the terminal sets none.
    pub(crate) fn text_width(self) -> usize {
        self.answer_width().unwrap_or(WIDTH)
    }

    /// Returns the maximum width in columns of lines on standard error; `None` if it is not limited.
    pub(crate) fn remark_width(self) -> Option<usize> {
        self.columns.or(self.width.filter(|_| self.errors))
    }
}

/// The switch for colours on standard output, shared by its clones. The caller that enables it has escaped all other
/// control sequences.
#[derive(Clone, Default, Debug)]
pub struct ColourChoice(Arc<AtomicBool>);

impl ColourChoice {
    /// Creates a choice with colours enabled from the start.
    pub(crate) fn always() -> ColourChoice {
        ColourChoice(Arc::new(AtomicBool::new(true)))
    }

    /// Enables colours: their control sequences are written unchanged from now on.
    pub(crate) fn begin(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Returns true if colours are enabled.
    pub(crate) fn is_begun(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The function that runs the program, for a command that starts further runs.
#[cfg(feature = "mcp")]
pub(crate) type CommandRunner = fn(Vec<OsString>, RunSession<'_>) -> ExitStatus;

/// The environment of one run of the program: its standard streams, its terminal, the disk and variables of the machine, and the
/// supervisor of its limits.
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
    /// The files, environment and clock.
    pub machine: MachineContext,
    /// The watch that enforces time and memory limits.
    pub watch: RunWatch,
}

impl RunSession<'_> {
    /// Returns true if diagnostics are coloured: if the flags permit it (`wanted`), on a terminal, unless `NO_COLOR` or
    /// `TERM=dumb` is set.
    pub(crate) fn colour(&self, wanted: bool) -> bool {
        self.terminal.errors && self.wants_colours(wanted)
    }

    /// Enables colours for standard output if the flags permit them (`wanted`), it is a terminal and the environment does not
    /// forbid them; returns true if so.
    pub(crate) fn begin_colours(&self, wanted: bool) -> bool {
        let paints = self.terminal.output && self.wants_colours(wanted);
        if paints {
            self.painted.begin();
        }
        paints
    }

    /// Returns true if colours are wanted and the environment does not forbid them.
    fn wants_colours(&self, wanted: bool) -> bool {
        wanted
            && self.machine.env("NO_COLOR").is_none_or(|value| value.is_empty())
            && self.machine.env("TERM").is_none_or(|term| term != "dumb")
    }
}
