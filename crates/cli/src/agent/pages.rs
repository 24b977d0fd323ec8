//! The manual as pages for agents: those of functions and blocks, by name.

use groma::manual::{BLOCK_PAGES, PAGES, TEMPLATE_PAGES, block_page, function_page, template_page};

/// The address of the list of all pages.
pub(crate) const MANUAL: &str = "groma://manual";

/// Every page: its address, its name and its first sentence.
pub(crate) fn pages() -> impl Iterator<Item = (String, &'static str, &'static str)> {
    let of = |kind: &'static str, all: &'static [(&'static str, &'static str)]| {
        all.iter().map(move |(name, text)| {
            (format!("{MANUAL}/{kind}/{name}"), *name, groma::manual::lead(text))
        })
    };
    of("functions", PAGES).chain(of("blocks", BLOCK_PAGES)).chain(of("packer", TEMPLATE_PAGES))
}

/// The page at an address, or about a function or a block of this name.
pub(crate) fn page(subject: &str) -> Option<&'static str> {
    let path = subject.strip_prefix(MANUAL).unwrap_or(subject).trim_matches('/');
    match path.split_once('/') {
        Some(("functions", name)) => function_page(name),
        Some(("blocks", name)) => block_page(name),
        Some(("packer", name)) => template_page(name),
        _ => function_page(path).or_else(|| block_page(path)).or_else(|| template_page(path)),
    }
}
