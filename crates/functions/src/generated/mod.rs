//! Tables that are made, not written.

pub(crate) mod code_page;
