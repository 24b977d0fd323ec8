//! Removal of code with its surroundings: its lines with a trailing comment, the comma that separates it, and one of two
//! adjacent empty lines. Comments above it are kept.

use groma_syntax::{Span, TokenKind};

use crate::find_path::{CollectionPart, FoundPath, attributes, elements};
use crate::text::{ParsedText, Splice};

/// Returns the replacements in a text that remove the code of `target`.
pub(crate) fn splices(text: &ParsedText, target: &FoundPath) -> Vec<Splice> {
    match target {
        FoundPath::Argument(_) | FoundPath::Block(_) => vec![item(text, target.whole())],
        FoundPath::Attribute(CollectionPart { of, at, .. }) => {
            let spans = attributes(of).into_iter().map(|one| one.key.span().join(one.value.span()));
            part(text, &spans.collect::<Vec<_>>(), *at)
        }
        FoundPath::Json(spot) => crate::json::remove(spot),
        FoundPath::Element(CollectionPart { of, at, .. }) => {
            let spans = elements(of).into_iter().map(|one| one.span());
            part(text, &spans.collect::<Vec<_>>(), *at)
        }
    }
}

/// Returns the replacement that removes a range of bytes.
fn removal(from: usize, to: usize) -> Splice {
    Splice { range: from..to, text: String::new() }
}

/// Returns the replacement that removes an argument or block with its lines; `span` is its span.
fn item(text: &ParsedText, span: Span) -> Splice {
    let (start, end) = (span.start as usize, span.end as usize);
    if !text.begins_line(start) || !text.ends_line(end) {
        let blanks = |side: &str| side.len() - side.trim_start_matches([' ', '\t']).len();
        let before = text.text[..start].trim_end_matches([' ', '\t']).len();
        let after = end + blanks(&text.text[end..]);
        let is_alone = text.text[..before].ends_with('{') && text.text[after..].starts_with('}');
        return if is_alone { removal(before, after) } else { removal(start, end) };
    }
    let (mut from, mut to) = (text.line_start(start), text.next_line(end));
    if to == text.text.len() && !text.text.ends_with('\n') && from > 0 {
        from = text.before_line_end(from);
        let above = text.line_start(from);
        if above > 0 && text.text[above..from].trim().is_empty() {
            from = text.before_line_end(above);
        }
        return removal(from, to);
    }
    let above = text.line_start(from.saturating_sub(1));
    let is_empty_above = from > 0 && text.is_empty_line(above);
    let is_empty_below = text.is_empty_line(to);
    let is_last = to == text.text.len() || text.text[to..].trim_start().starts_with('}');
    let tokens = text.parse.tree.tokens().before(text.token_from(start)).iter();
    let before = tokens.rev().find(|token| token.kind() != TokenKind::Newline);
    let is_first = before.is_none_or(|token| token.kind() == TokenKind::OpenBrace);
    if is_empty_above && (is_empty_below || is_last) {
        from = above;
    } else if is_first && is_empty_below {
        to = text.line_below(to);
    }
    removal(from, to)
}

/// Returns the replacements that remove the item at the index `at` from an object or a list; `all` are the spans of its items.
fn part(text: &ParsedText, all: &[Span], at: usize) -> Vec<Splice> {
    let Some(own) = all.get(at) else { return Vec::new() };
    let (start, end) = (own.start as usize, own.end as usize);
    let comma = text.comma_after(end);
    let after = comma.map_or(end, |comma| comma + 1);
    let is_last = at + 1 == all.len();
    // The comma before a removed last element separates nothing any more.
    let lone = (is_last && comma.is_none() && at > 0)
        .then(|| text.comma_after(all[at - 1].end as usize))
        .flatten();
    if text.begins_line(start) && text.ends_line(after) {
        let mut gone_too: Vec<Splice> =
            lone.into_iter().map(|comma| removal(comma, comma + 1)).collect();
        gone_too.push(removal(text.line_start(start), text.next_line(after)));
        return gone_too;
    }
    let plain = |from: usize, to: usize| {
        !text.text[from..to].contains(['#', '\n']) && !text.text[from..to].contains("/*")
    };
    if let Some(next) = all.get(at + 1)
        && plain(after, next.start as usize)
    {
        return vec![removal(start, next.start as usize)];
    }
    if at > 0 && is_last && plain(all[at - 1].end as usize, start) {
        return vec![removal(all[at - 1].end as usize, end)];
    }
    if all.len() == 1 {
        let before = text.text[..start].trim_end_matches([' ', '\t']).len();
        let rest = &text.text[after..];
        let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        if text.text[..before].ends_with(['{', '[']) && rest[blanks..].starts_with(['}', ']']) {
            return vec![removal(before, after + blanks)];
        }
    }
    let mut gone_too: Vec<Splice> =
        lone.into_iter().map(|comma| removal(comma, comma + 1)).collect();
    gone_too.push(removal(start, after));
    gone_too
}
