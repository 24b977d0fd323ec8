//! Functions that all generators share. The text of a page starts after its front matter, which only tests use.

/// A generated file: its path in the workspace, and its text.
pub(super) type Made = (&'static str, String);

/// Returns the text of a page without its front matter.
pub(super) fn bare(text: &str) -> &str {
    let Some(rest) = text.strip_prefix("---\n") else { return text };
    rest.split_once("\n---\n").map_or(text, |(_, page)| page.trim_start())
}

/// Returns the first sentence of a page below its title.
pub(super) fn first_sentence(text: &str) -> String {
    let below = text.lines().skip(1).skip_while(|line| line.is_empty());
    let paragraph: Vec<&str> = below.take_while(|line| !line.is_empty()).collect();
    let paragraph = paragraph.join(" ");
    match paragraph.split_once(". ") {
        Some((first, _)) => format!("{first}."),
        None => paragraph,
    }
}

/// Returns a text with links replaced by their texts, for places where relative links would be wrong.
pub(super) fn unlinked(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("](") {
        let (before, link) = rest.split_at(at);
        let Some(((open, words), end)) = before.rsplit_once('[').zip(link.find(')')) else { break };
        out.push_str(open);
        out.push_str(words);
        rest = &link[end + 1..];
    }
    out.push_str(rest);
    out
}
