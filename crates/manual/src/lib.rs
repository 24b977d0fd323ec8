//! The manual pages about functions and blocks, as Markdown: the same texts whose examples the tests run. A page does not
//! contain what the function's or block's row says; callers combine both.
//!
//! ```
//! let page = groma_manual::function_page("upper").expect("every function has a page");
//! assert!(page.starts_with("# upper\n"));
//! assert_eq!(groma_manual::lead(page), "Turns small letters into capitals.");
//! ```
#![forbid(unsafe_code)]

mod generated;

pub use generated::{BLOCK_PAGES, PAGES, TEMPLATE_PAGES};

/// Returns the manual page of a function by its full name, without front matter; `None` if there is none.
pub fn function_page(name: &str) -> Option<&'static str> {
    find(PAGES, name)
}

/// Returns the manual page of a block type of a module, without front matter; `None` if there is none.
pub fn block_page(kind: &str) -> Option<&'static str> {
    find(BLOCK_PAGES, kind)
}

/// Returns the manual page of a block type of a Packer template, without front matter; `None` if there is none.
pub fn template_page(kind: &str) -> Option<&'static str> {
    find(TEMPLATE_PAGES, kind)
}

/// Returns the page of a name among pairs of names and texts, without its front matter; `None` if there is none.
fn find(pages: &[(&str, &'static str)], name: &str) -> Option<&'static str> {
    pages.iter().find(|(own, _)| *own == name).map(|(_, text)| bare(text))
}

/// Returns the text of a page without its front matter.
pub fn bare(text: &str) -> &str {
    let behind = text.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n"));
    behind.map_or(text, |(_, page)| page.trim_start())
}

/// Returns the introduction of a page: the text between its title and its first section.
pub fn lead(page: &str) -> &str {
    let below = page.split_once('\n').map_or("", |(_, below)| below);
    let end = below.find("\n## ").unwrap_or(below.len());
    below[..end].trim()
}
