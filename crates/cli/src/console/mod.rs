//! The console: reads inputs and prints results. Typed and piped input behave alike; only the source of lines differs.

pub(crate) mod complete;
mod doc;
mod line;
mod prompt;
mod session;

pub(crate) use prompt::run_prompt;
pub(crate) use session::{ConsoleSession, pipe};
