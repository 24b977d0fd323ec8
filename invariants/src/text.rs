//! Reading text: every byte belongs to a token, and every complaint has a place in the text.

use std::sync::Arc;

use groma_syntax::{
    Body, BodyItem, Diagnostic, FileId, Parse, Source, Span, TokenKind, parse_expression,
    parse_file, parse_json, parse_template, parse_traversal,
};
use groma_value::json;

use crate::utf8;

/// Checks the messages, places and notes of diagnostics about a text.
pub(crate) fn complaints(text: &str, found: &[Diagnostic]) {
    let source = Source::new("input", text);
    for one in found {
        assert!(!one.detail.is_empty() && !one.detail.ends_with(".."), "{:?}", one.detail);
        if let Some(place) = one.place {
            let (start, end) = (place.span.start as usize, place.span.end as usize);
            assert!(start <= end && text.is_char_boundary(start) && text.is_char_boundary(end));
            source.position(place.span.end);
        }
    }
}

/// Checks that the tokens of a parsed text are in order, with nothing but blanks between them.
fn complete(text: &str, parse: &Parse) {
    let mut at = 0;
    for token in parse.tree.tokens().iter() {
        let span = token.span();
        assert!(span.start >= at, "tokens overlap at {at}");
        let gap = Span::new(at, span.start).of(text);
        assert!(
            gap.trim_start_matches('\u{feff}').bytes().all(|b| b == b' ' || b == b'\t'),
            "{gap:?} is lost"
        );
        at = span.end;
    }
    assert_eq!(at as usize, text.len(), "the end is lost");
    complaints(text, &parse.diagnostics.to_vec());
}

/// Checks that lexing preserves every byte of any text.
pub(crate) fn lex(bytes: &[u8]) {
    let Some(text) = utf8(bytes) else { return };
    let text: Arc<str> = text.into();
    for read in [parse_file, parse_expression, parse_template, parse_traversal] {
        let parse = read(&text, FileId(0));
        complete(&text, &parse);
        let kinds = |parse: &Parse| {
            parse.tree.tokens().iter().map(|token| token.kind()).collect::<Vec<TokenKind>>()
        };
        assert_eq!(kinds(&parse), kinds(&read(&text, FileId(0))));
    }
}

/// Checks that the nodes of a file are nested properly.
pub(crate) fn parse(bytes: &[u8]) {
    let Some(text) = utf8(bytes) else { return };
    let text: Arc<str> = text.into();
    let parse = parse_file(&text, FileId(0));
    complete(&text, &parse);
    let mut open = Body::of(&parse).items();
    while let Some(item) = open.pop() {
        match item {
            BodyItem::Argument(argument) => {
                let (inner, outer) = (argument.expr.span(), argument.span);
                assert!(inner.start >= outer.start && inner.end <= outer.end);
            }
            BodyItem::Block(block) => open.extend(block.body.items()),
        }
    }
}

/// Checks that the two JSON readers survive any text, and that a decoded value survives encoding.
pub(crate) fn json(bytes: &[u8]) {
    let Some(text) = utf8(bytes) else { return };
    let parse = parse_json(&text.into(), FileId(0));
    complaints(text, &parse.diagnostics.to_vec());
    let Ok(value) = json::decode(text) else { return };
    for written in [Ok(json::plain(&value)), json::encode(&value)].into_iter().flatten() {
        let again = json::decode(&written).expect("what is written can be read");
        assert_eq!(json::plain(&again), json::plain(&value));
    }
}
