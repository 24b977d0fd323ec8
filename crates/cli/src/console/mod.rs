//! The console: inputs in, results out. What an input does is the same whether it was typed or piped; only where lines
//! come from differs.

pub(crate) mod complete;
mod doc;
mod line;
mod prompt;
mod session;

pub(crate) use prompt::talk;
pub(crate) use session::{ConsoleSession, pipe};
