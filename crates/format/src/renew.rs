//! Rewriting of older notations: `"${a}"` as a whole value becomes `a`, and types of variables lose their quotes and get the
//! element type that they lack. A rewrite that would change the meaning or cause a syntax error is not made.

use groma_syntax::TokenKind;

use crate::piece::{PieceList, TokenPiece};

/// Rewrites a value, the pieces from `start` on, that is only an interpolation, `"${a}"`, to `a`; `ends_line` is true if only
/// comments follow on its line.
pub(crate) fn value(pieces: &mut PieceList<'_>, start: usize, ends_line: bool) {
    let list = &pieces.list;
    let mut inner = start..list.len();
    // Interpolations may be nested, as in `"${"${a}"}"`.
    while let Some(within) = only_interpolation(&list[inner.clone()]) {
        inner = inner.start + within.start..inner.start + within.end;
    }
    if inner.start == start {
        return;
    }
    let value = &list[inner.clone()];
    if spans_lines(value, ends_line) && !is_parenthesised(value) {
        inner = inner.start - 1..inner.end + 1;
        pieces.list[inner.start] = pieces.make(TokenKind::OpenParen, "(");
        pieces.list[inner.end - 1] = pieces.make(TokenKind::CloseParen, ")");
    }
    pieces.list.truncate(inner.end);
    pieces.list.drain(start..inner.start);
}

/// Returns the indexes of the pieces between `"${` and `}"`, without line ends around them; `None` if the value is anything
/// else than one interpolation.
fn only_interpolation(pieces: &[TokenPiece]) -> Option<std::ops::Range<usize>> {
    use TokenKind::{InterpolationOpen, QuoteClose, QuoteOpen, SequenceClose};
    let [open, sequence, inner @ .., end, close] = pieces else { return None };
    let kinds = [open.kind, sequence.kind, end.kind, close.kind];
    if kinds != [QuoteOpen, InterpolationOpen, SequenceClose, QuoteClose] {
        return None;
    }
    let mut quotes = 0;
    for piece in inner {
        match piece.kind {
            QuoteOpen => quotes += 1,
            QuoteClose => quotes -= 1,
            // Another sequence after the first, or one in a heredoc: not rewritten.
            InterpolationOpen | SequenceClose if quotes == 0 => return None,
            _ => {}
        }
    }
    let is_code = |piece: &TokenPiece| piece.kind != TokenKind::Newline;
    let first = inner.iter().position(is_code)?;
    let last = inner.iter().rposition(is_code)?;
    Some(first + 2..last + 3)
}

/// Returns true if a value contains line ends, so that it needs parentheses outside of an interpolation; with `ends_line`, as
/// nothing but comments follows on its last line, line ends among its last comments do not count.
fn spans_lines(pieces: &[TokenPiece], ends_line: bool) -> bool {
    let is_code = |piece: &TokenPiece| piece.kind != TokenKind::Comment;
    // What follows the value may as well follow its last comments, if they are on lines of their own.
    let code = pieces.iter().rposition(is_code).map_or(0, |last| last + 1);
    let counting = if ends_line { &pieces[..code] } else { pieces };
    counting.iter().any(|piece| piece.ends_line)
}

/// Returns true if one pair of parentheses encloses all of these pieces.
fn is_parenthesised(pieces: &[TokenPiece]) -> bool {
    if pieces.first().is_none_or(|first| first.kind != TokenKind::OpenParen) {
        return false;
    }
    let mut depth = 0;
    let closes = pieces.iter().position(|piece| {
        depth += piece.opens();
        depth == 0
    });
    closes == Some(pieces.len() - 1)
}

/// Rewrites an older type of a variable, the pieces from `start` on: `"list"` to `list(string)`, `list` to `list(any)`.
pub(crate) fn declared_type(pieces: &mut PieceList<'_>, start: usize) {
    let [only] = &pieces.list[start..] else { return };
    let (outer, inner) = match (only.kind, pieces.text(only)) {
        (TokenKind::Identifier, "list") => ("list", "any"),
        (TokenKind::Identifier, "map") => ("map", "any"),
        (TokenKind::Identifier, "set") => ("set", "any"),
        (TokenKind::String, "\"string\"") => ("string", ""),
        (TokenKind::String, "\"list\"") => ("list", "string"),
        (TokenKind::String, "\"map\"") => ("map", "string"),
        _ => return,
    };
    pieces.list.truncate(start);
    let mut add = |kind, text: &'static str| {
        let piece = pieces.make(kind, text);
        pieces.list.push(piece);
    };
    add(TokenKind::Identifier, outer);
    if !inner.is_empty() {
        add(TokenKind::OpenParen, "(");
        add(TokenKind::Identifier, inner);
        add(TokenKind::CloseParen, ")");
    }
}
