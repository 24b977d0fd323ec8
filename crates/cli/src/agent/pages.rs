//! The manual as resources for agents: the pages of functions, blocks and Packer components, found by name.

use groma::manual::{BLOCK_PAGES, PAGES, TEMPLATE_PAGES, block_page, function_page, template_page};

/// The URI of the list of all manual pages.
pub(crate) const MANUAL: &str = "groma://manual";

/// Yields every manual page: its URI, its name and its first sentence.
pub(crate) fn pages() -> impl Iterator<Item = (String, &'static str, &'static str)> {
    let of = |kind: &'static str, all: &'static [(&'static str, &'static str)]| {
        all.iter().map(move |(name, text)| {
            (format!("{MANUAL}/{kind}/{name}"), *name, groma::manual::lead(text))
        })
    };
    of("functions", PAGES).chain(of("blocks", BLOCK_PAGES)).chain(of("packer", TEMPLATE_PAGES))
}

/// Returns the text of the page at a `groma://manual` URI, or about a function, block or component of that name;
/// `None` if there is no such page.
pub(crate) fn page(subject: &str) -> Option<&'static str> {
    let path = subject.strip_prefix(MANUAL).unwrap_or(subject).trim_matches('/');
    match path.split_once('/') {
        Some(("functions", name)) => function_page(name),
        Some(("blocks", name)) => block_page(name),
        Some(("packer", name)) => template_page(name),
        _ => function_page(path).or_else(|| block_page(path)).or_else(|| template_page(path)),
    }
}
