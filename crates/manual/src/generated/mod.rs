//! Tables of pages: `cargo xtask docs` writes the file beside this one.
mod page;

pub use page::{BLOCK_PAGES, PAGES, TEMPLATE_PAGES};
