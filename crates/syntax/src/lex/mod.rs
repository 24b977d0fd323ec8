//! Text to tokens.

pub(crate) mod escape;
