//! What a command works with: its streams, the terminal it may be talking to, and the machine. Commands take nothing
//! from the process itself, so a test runs them with streams and folders of its own.

use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::host::Machine;
use crate::view::wrap::WIDTH;
use crate::watch::Watch;

/// What ends up as the process' exit code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Exit(pub u8);

impl Exit {
    /// All is well.
    pub const WELL: Exit = Exit(0);
    /// The code has errors.
    pub const ERRORS: Exit = Exit(1);
    /// Wrong use of the command line.
    pub const MISUSE: Exit = Exit(2);
    /// Wrong use where 2 says that something would change.
    pub const DETAILED_MISUSE: Exit = Exit(3);
    /// Something would change, and the exit code was to say so.
    pub const CHANGES: Exit = Exit(2);
    /// A file is not the language, or cannot be read or written.
    pub const REFUSED: Exit = Exit(2);
    /// A file has another layout than it should have, and the exit code was to say so.
    pub const DIFFERS: Exit = Exit(3);
    /// A known answer was asked for, and it is unknown.
    pub const UNKNOWN: Exit = Exit(3);
}

/// Why a command stops early.
#[derive(Debug)]
pub enum Stop {
    /// A stream failed; a broken pipe is no error.
    Stream(io::Error),
    /// The command line makes no sense, for this reason.
    Misuse(String),
    /// The same in the words of the parser of command lines, which are told as they are.
    Refused(String),
    /// What is asked for is none of what Groma does, for this reason. Callers read 2 as changes, so it is an error of its own.
    Absent(String),
    /// What is wrong is printed already.
    Told(Exit),
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Stop {
        Stop::Stream(error)
    }
}

/// Which streams are a terminal.
#[derive(Clone, Copy, Default, Debug)]
pub struct Terminal {
    /// Standard input.
    pub input: bool,
    /// Standard output.
    pub output: bool,
    /// Standard error.
    pub errors: bool,
    /// How many columns it has, where that is known.
    pub width: Option<usize>,
    /// How many columns are wanted, whatever a stream is.
    pub columns: Option<usize>,
}

impl Terminal {
    /// How wide lines of the answer may be, where that is known.
    pub(crate) fn answer_width(self) -> Option<usize> {
        self.columns.or(self.width.filter(|_| self.output))
    }

    /// How wide lines of the answer are made.
    pub(crate) fn text_width(self) -> usize {
        self.answer_width().unwrap_or(WIDTH)
    }

    /// The same of lines on standard error.
    pub(crate) fn remark_width(self) -> Option<usize> {
        self.columns.or(self.width.filter(|_| self.errors))
    }
}

/// Whether what goes to standard output is in colours, which then pass the edge of a terminal: whoever says so has made
/// all else harmless.
#[derive(Clone, Default, Debug)]
pub struct Painted(Arc<AtomicBool>);

impl Painted {
    /// That colours pass from the beginning.
    pub(crate) fn always() -> Painted {
        Painted(Arc::new(AtomicBool::new(true)))
    }

    /// Lets colours pass from now on.
    pub(crate) fn begin(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether colours pass.
    pub(crate) fn is_begun(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The surroundings of one run.
pub struct Session<'a> {
    /// Standard input.
    pub input: &'a mut dyn BufRead,
    /// Standard output: results.
    pub out: &'a mut dyn Write,
    /// Standard error: diagnostics and remarks.
    pub err: &'a mut dyn Write,
    /// Which of them are a terminal.
    pub terminal: Terminal,
    /// Whether standard output is in colours.
    pub painted: Painted,
    /// Files and environment.
    pub machine: Machine,
    /// Who looks at the clock and the memory meanwhile.
    pub watch: Watch,
}

impl Session<'_> {
    /// Whether diagnostics are coloured: on a terminal, unless `NO_COLOR` or a dumb terminal says otherwise.
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
