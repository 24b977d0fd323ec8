//! Tables of pages: `cargo xtask docs` writes the file beside this one.
mod page;

pub(crate) use page::{BLOCK_PAGES, PAGES, TEMPLATE_PAGES};
