//! The command line of Groma: tables of commands and flags, and the output forms of their results. [`run`] is a whole run of the
//! program; it never touches the process itself, so tests call it with their own streams and machine.
#![forbid(unsafe_code)]

#[cfg(feature = "mcp")]
mod agent;
mod apply_fixes;
mod bare;
mod check_many;
pub mod codes;
mod command;
mod console;
mod drawing;
#[cfg(feature = "lsp")]
mod editor_host;
mod file_kind;
mod files;
mod flag;
#[cfg(feature = "git")]
mod fleet;
mod given;
mod host;
mod input;
mod limit;
mod line;
mod offer;
mod parallel;
mod process;
mod progress;
mod project;
mod recorded;
#[cfg(feature = "git")]
mod revisions;
mod root_args;
mod rules;
mod run;
#[cfg(feature = "lsp")]
mod run_clock;
mod screen;
mod session;
mod settings;
mod template;
mod unified_diff;
mod view;
mod watch;
mod watch_loop;

pub use host::MachineContext;
pub use process::{ProcessEnd, run_here};
pub use progress::{ClearedStream, ProgressLine};
pub use run::run;
pub use session::{ColourChoice, EarlyStop, ExitStatus, RunSession, TerminalStreams};
pub use watch::{RunWatch, WatchVerdict};
