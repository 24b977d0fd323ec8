//! Linked editing ranges: ranges with the same text that must change together, such as the two markers of a heredoc.

use groma_syntax::{Span, Token, TokenKind};

use crate::request::Request;

/// Returns the ranges to edit together at an offset: those of a heredoc's markers, or none.
pub fn linked_ranges(request: &Request<'_>, file: &str, at: u32) -> Vec<Span> {
    let Some(document) = request.document(file) else { return Vec::new() };
    let Some(tree) = document.tree() else { return Vec::new() };
    let text = document.text();
    let mut open: Vec<Span> = Vec::new();
    for token in tree.tokens().iter() {
        match token.kind() {
            TokenKind::HeredocOpen => open.push(word(token, text)),
            TokenKind::HeredocClose => {
                let Some(first) = open.pop() else { continue };
                let pair = [first, word(token, text)];
                let is_pair = pair[0].of(text) == pair[1].of(text) && !pair[0].is_empty();
                if is_pair && pair.iter().any(|span| span.touches(at)) {
                    return pair.to_vec();
                }
            }
            _ => {}
        }
    }
    Vec::new()
}

/// Returns the span of the delimiter word, such as `EOT`, in the opening or closing token of a heredoc.
fn word(token: Token, text: &str) -> Span {
    let span = token.span();
    let whole = span.of(text);
    let inner = whole.trim_start_matches(['<', '-', ' ', '\t']);
    let start = span.start + (whole.len() - inner.len()) as u32;
    Span::new(start, start + inner.trim_end().len() as u32)
}
