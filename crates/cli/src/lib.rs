//! The command line of groma: rows of commands and flags, and the views of what they answer. [`run`] is a whole run of
//! the program; it touches the process nowhere, so tests call it with streams and a machine of their own.
#![forbid(unsafe_code)]

mod bare;
pub mod codes;
mod command;
mod console;
mod difference;
mod drawing;
mod ending;
mod files;
mod flag;
mod generated;
mod given;
mod host;
mod input;
mod limit;
mod line;
mod mend;
mod offer;
mod parallel;
mod progress;
mod project;
mod quantity;
mod recorded;
mod revisions;
mod rounds;
mod rules;
mod run;
mod screen;
mod seen;
mod session;
mod settings;
mod survey;
mod template;
mod view;
mod watch;

pub use host::{Machine, OsHost};
pub use progress::{Cleared, Progress};
pub use run::run;
pub use session::{Exit, Painted, Session, Stop, Terminal};
pub use watch::{Look, Watch};
