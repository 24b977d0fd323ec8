//! Older forms made new: `"${a}"` as a whole value is `a`, and the types of variables that stood in quotes or without
//! what they hold are written out. The meaning stays; what would change it, or would no longer be read, stays as it is.

use groma_syntax::TokenKind;

use crate::piece::Piece;

/// The value that the pieces from `start` on are; `ends_line` says whether nothing but comments follows on its line.
pub(crate) fn value(pieces: &mut Vec<Piece<'_>>, start: usize, ends_line: bool) {
    let mut inner = start..pieces.len();
    // One may stand in another, as in `"${"${a}"}"`.
    while let Some(within) = only_interpolation(&pieces[inner.clone()]) {
        inner = inner.start + within.start..inner.start + within.end;
    }
    if inner.start == start {
        return;
    }
    let value = &pieces[inner.clone()];
    let in_parens = goes_on(value, ends_line) && !is_parenthesised(value);
    if in_parens {
        pieces[inner.start - 1] = Piece::new(TokenKind::OpenParen, "(");
        pieces[inner.end] = Piece::new(TokenKind::CloseParen, ")");
        inner = inner.start - 1..inner.end + 1;
    }
    pieces.truncate(inner.end);
    pieces.drain(start..inner.start);
}

/// What stands between `"${` and `}"`, without line ends around it, where there is nothing but that.
fn only_interpolation(pieces: &[Piece<'_>]) -> Option<std::ops::Range<usize>> {
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
            // Another sequence beside the first, or one in a heredoc: that is left alone.
            InterpolationOpen | SequenceClose if quotes == 0 => return None,
            _ => {}
        }
    }
    let is_code = |piece: &Piece<'_>| piece.kind != TokenKind::Newline;
    let first = inner.iter().position(is_code)?;
    let last = inner.iter().rposition(is_code)?;
    Some(first + 2..last + 3)
}

/// Whether a value would end too early without parentheses around it.
fn goes_on(pieces: &[Piece<'_>], ends_line: bool) -> bool {
    let is_code = |piece: &Piece<'_>| piece.kind != TokenKind::Comment;
    // What follows the value may as well follow its last comments, if they are on lines of their own.
    let code = pieces.iter().rposition(is_code).map_or(0, |last| last + 1);
    let counting = if ends_line { &pieces[..code] } else { pieces };
    counting.iter().any(Piece::ends_line)
}

/// Whether the first and the last piece are one pair of parentheses.
fn is_parenthesised(pieces: &[Piece<'_>]) -> bool {
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

/// The type of a variable that the pieces from `start` on are.
pub(crate) fn declared_type(pieces: &mut Vec<Piece<'_>>, start: usize) {
    let [only] = &pieces[start..] else { return };
    let (outer, inner) = match (only.kind, &*only.text) {
        (TokenKind::Identifier, "list") => ("list", "any"),
        (TokenKind::Identifier, "map") => ("map", "any"),
        (TokenKind::Identifier, "set") => ("set", "any"),
        (TokenKind::String, "\"string\"") => ("string", ""),
        (TokenKind::String, "\"list\"") => ("list", "string"),
        (TokenKind::String, "\"map\"") => ("map", "string"),
        _ => return,
    };
    pieces.truncate(start);
    pieces.push(Piece::new(TokenKind::Identifier, outer));
    if !inner.is_empty() {
        pieces.push(Piece::new(TokenKind::OpenParen, "("));
        pieces.push(Piece::new(TokenKind::Identifier, inner));
        pieces.push(Piece::new(TokenKind::CloseParen, ")"));
    }
}
