//! What all the indexes are made with. A page begins after its front matter, which is for the tests alone.

/// A file that is made: its path in the workspace, and its text.
pub(super) type Made = (&'static str, String);

/// A page without its front matter.
pub(super) fn bare(text: &str) -> &str {
    let Some(rest) = text.strip_prefix("---\n") else { return text };
    rest.split_once("\n---\n").map_or(text, |(_, page)| page.trim_start())
}
