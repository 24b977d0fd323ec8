//! Spacing: one blank or none between two pieces of a line. The rules are read from top to bottom, and the first that fits
//! decides: a comma takes precedence over the bracket after it, a template's text over all code.

use groma_syntax::TokenKind::{self, *};

use crate::piece::{PieceList, TokenPiece, opens};

/// Returns true if a blank separates two neighbouring pieces, `left` and `right`; `before` is the kind of the token before
/// `left` in its part of the line.
pub(crate) fn apart(
    pieces: &PieceList<'_>,
    before: Option<TokenKind>,
    left: &TokenPiece,
    right: &TokenPiece,
) -> bool {
    match (left.ends_as(), right.begins_as()) {
        (_, Newline) => false,
        (Identifier, OpenParen | DoubleColon) | (DoubleColon, Identifier) => false,
        (Dot, _) | (_, Dot | Comma | Ellipsis) => false,
        (Comma, _) => true,
        (Literal | QuoteOpen | HeredocOpen, _) | (_, Literal | QuoteClose | HeredocClose) => false,
        // `for x in [a]`: `in` is a keyword here, and the bracket is not an index.
        (Identifier, _) if before == Some(Identifier) && pieces.text(left) == "in" => true,
        (Identifier | Number, OpenBracket) => false,
        (end, OpenBracket) if opens(end) < 0 => false,
        (Bang, _) => false,
        (Minus, _) => before.is_some_and(|before| !awaits_operand(before)),
        (OpenBrace, CloseBrace) => false,
        (OpenBrace, _) | (_, CloseBrace) => true,
        // `${ { a = 1 } }`: the braces of an object are not those of the sequence.
        (InterpolationOpen | DirectiveOpen, OpenBrace) | (CloseBrace, SequenceClose) => true,
        (SequenceClose, InterpolationOpen | DirectiveOpen) => false,
        (end, start) => opens(end) <= 0 && opens(start) >= 0,
    }
}

/// Returns true if a minus after this kind of token is a sign, not a subtraction. Not included are the arrow of a `for` and the
/// start of a template sequence: `=> - 1` and `${- a}` keep the blank.
fn awaits_operand(before: TokenKind) -> bool {
    matches!(
        before,
        OpenParen
            | OpenBrace
            | OpenBracket
            | Equal
            | Colon
            | Comma
            | Question
            | Plus
            | Star
            | Slash
            | Percent
            | Minus
            | EqualEqual
            | NotEqual
            | Greater
            | GreaterEqual
            | Less
            | LessEqual
            | And
            | Or
            | Bang
    )
}
