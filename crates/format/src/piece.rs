//! The smallest things that are moved: tokens, but that a line end is one each and belongs to the comment before it. The
//! blanks before a piece are a number, so a tab is worth one blank.

use std::borrow::Cow;

use groma_syntax::TokenKind;
use groma_unicode::grapheme::{self, Unicode};

/// A token's text and the blanks before it.
#[derive(Clone, Debug)]
pub(crate) struct Piece<'t> {
    pub(crate) kind: TokenKind,
    /// How many blanks stand before it.
    pub(crate) gap: u32,
    pub(crate) text: Cow<'t, str>,
}

impl<'t> Piece<'t> {
    pub(crate) fn new(kind: TokenKind, text: impl Into<Cow<'t, str>>) -> Self {
        Self { kind, gap: 0, text: text.into() }
    }

    /// What stands at its left end: some tokens are several to a reader.
    pub(crate) fn begins_as(&self) -> TokenKind {
        match self.kind {
            TokenKind::String => TokenKind::QuoteOpen,
            TokenKind::DotName => TokenKind::Dot,
            other => other,
        }
    }

    /// What stands at its right end.
    pub(crate) fn ends_as(&self) -> TokenKind {
        match self.kind {
            TokenKind::String => TokenKind::QuoteClose,
            TokenKind::DotName => TokenKind::Identifier,
            other => other,
        }
    }

    /// How many more brackets are open after it than before it.
    pub(crate) fn opens(&self) -> i64 {
        opens(self.kind)
    }

    /// Whether the line ends with it.
    pub(crate) fn ends_line(&self) -> bool {
        match self.kind {
            TokenKind::Newline => true,
            TokenKind::Comment => self.text.ends_with('\n'),
            _ => false,
        }
    }

    /// How many columns it takes, a line end in the midst of it included.
    pub(crate) fn columns(&self) -> u64 {
        let count = |text: &str| grapheme::count(text, Unicode::V15) as u64;
        match self.kind {
            // Only what may hold a line end can be shorter than its bytes.
            TokenKind::String | TokenKind::DotName | TokenKind::Identifier
                if self.text.is_ascii() =>
            {
                self.text.len() as u64
            }
            // A mark that joins what is before it does not reach over the quote or the dot.
            TokenKind::String => {
                count(self.text.get(1..self.text.len() - 1).unwrap_or_default()) + 2
            }
            TokenKind::DotName => count(self.text.get(1..).unwrap_or_default()) + 1,
            _ => count(&self.text),
        }
    }
}

/// How many more brackets are open after a token of that kind.
pub(crate) fn opens(kind: TokenKind) -> i64 {
    match kind {
        TokenKind::OpenBrace
        | TokenKind::OpenBracket
        | TokenKind::OpenParen
        | TokenKind::InterpolationOpen
        | TokenKind::DirectiveOpen => 1,
        TokenKind::CloseBrace
        | TokenKind::CloseBracket
        | TokenKind::CloseParen
        | TokenKind::SequenceClose => -1,
        _ => 0,
    }
}
