//! Pieces, the units of layout: tokens, except that each line end is a piece of its own or part of the comment before it. The
//! blanks before a piece are a number, so a tab counts as one blank.

use std::borrow::Cow;

use groma_syntax::{Span, TokenKind};
use groma_unicode::grapheme::{self, UnicodeVersion};

/// The unit of layout: a token to be written, with the number of blanks before it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TokenPiece {
    pub(crate) kind: TokenKind,
    /// True if the line ends with this piece.
    pub(crate) ends_line: bool,
    /// The number of blanks before the piece.
    pub(crate) gap: u32,
    wording: PieceText,
}

/// The text of a piece: part of the source text, or new.
#[derive(Clone, Copy, Debug)]
enum PieceText {
    /// A span of the source text.
    Kept(Span),
    /// An index into the list of new texts.
    New(u32),
}

impl TokenPiece {
    /// Returns the kind of the piece's first token, which decides the spacing before it: an opening quote for a string.
    pub(crate) fn begins_as(&self) -> TokenKind {
        match self.kind {
            TokenKind::String => TokenKind::QuoteOpen,
            TokenKind::DotName => TokenKind::Dot,
            other => other,
        }
    }

    /// Returns the kind of the piece's last token, which decides the spacing after it: a closing quote for a string.
    pub(crate) fn ends_as(&self) -> TokenKind {
        match self.kind {
            TokenKind::String => TokenKind::QuoteClose,
            TokenKind::DotName => TokenKind::Identifier,
            other => other,
        }
    }

    /// Returns 1 if the piece opens a bracket or a template sequence, -1 if it closes one, 0 otherwise.
    pub(crate) fn opens(&self) -> i64 {
        opens(self.kind)
    }
}

/// Returns 1 if a token of this kind opens a bracket or a template sequence, -1 if it closes one, 0 otherwise.
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

/// The pieces of a text in order, with the texts they refer to; the last piece is the end of the text.
pub(crate) struct PieceList<'t> {
    pub(crate) list: Vec<TokenPiece>,
    source: &'t str,
    /// The texts of rewritten pieces, which are not in the source.
    new: Vec<Cow<'static, str>>,
}

impl<'t> PieceList<'t> {
    /// Returns an empty list for the text `source`, with room for about `tokens` tokens.
    pub(crate) fn of(source: &'t str, tokens: usize) -> Self {
        Self { list: Vec::with_capacity(tokens + tokens / 4), source, new: Vec::new() }
    }

    /// Appends a token whose text is a span of the source.
    pub(crate) fn keep(&mut self, kind: TokenKind, span: Span) {
        let ends_line = kind == TokenKind::Newline;
        self.list.push(TokenPiece { kind, ends_line, gap: 0, wording: PieceText::Kept(span) });
    }

    /// Appends a comment whose span in the source includes the line end after it.
    pub(crate) fn keep_line(&mut self, span: Span) {
        let wording = PieceText::Kept(span);
        self.list.push(TokenPiece { kind: TokenKind::Comment, ends_line: true, gap: 0, wording });
    }

    /// Appends the piece for the end of the text, with the number of blanks before it.
    pub(crate) fn end(&mut self, gap: u32) {
        let wording = PieceText::Kept(Span::at(self.source.len() as u32));
        self.list.push(TokenPiece { kind: TokenKind::End, ends_line: false, gap, wording });
    }

    /// Returns a piece whose text is not in the source. The text is stored here, but the piece is not appended.
    pub(crate) fn make(
        &mut self,
        kind: TokenKind,
        text: impl Into<Cow<'static, str>>,
    ) -> TokenPiece {
        let wording = PieceText::New(self.new.len() as u32);
        self.new.push(text.into());
        TokenPiece { kind, ends_line: false, gap: 0, wording }
    }

    /// Returns the text of a piece.
    pub(crate) fn text(&self, piece: &TokenPiece) -> &str {
        match piece.wording {
            PieceText::Kept(span) => span.of(self.source),
            PieceText::New(at) => self.new.get(at as usize).map_or("", |text| text),
        }
    }

    /// Returns the length of a piece in bytes, without the blanks before it.
    pub(crate) fn length(&self, piece: &TokenPiece) -> u64 {
        match piece.wording {
            PieceText::Kept(span) => u64::from(span.len()),
            PieceText::New(_) => self.text(piece).len() as u64,
        }
    }

    /// Returns the width of a piece for alignment: the number of its grapheme clusters, counting line ends inside it.
    pub(crate) fn columns(&self, piece: &TokenPiece) -> u64 {
        let text = self.text(piece);
        let count = |text: &str| grapheme::count(text, UnicodeVersion::V15) as u64;
        match piece.kind {
            // In ASCII, only pieces with line ends may have fewer clusters than bytes.
            TokenKind::String | TokenKind::DotName | TokenKind::Identifier if text.is_ascii() => {
                text.len() as u64
            }
            // A combining mark after the quote or the dot is a cluster of its own.
            TokenKind::String => count(text.get(1..text.len() - 1).unwrap_or_default()) + 2,
            TokenKind::DotName => count(text.get(1..).unwrap_or_default()) + 1,
            _ => count(text),
        }
    }

    /// Returns true if the pieces with their blanks would be written exactly as the source text.
    pub(crate) fn is_source(&self) -> bool {
        let bytes = self.source.as_bytes();
        let mut at = 0;
        let all = self.list.iter().all(|piece| {
            let start = at + piece.gap as usize;
            let text = match piece.wording {
                PieceText::Kept(span) if span.start as usize == start => span.len() as usize,
                _ => {
                    let text = self.text(piece).as_bytes();
                    if bytes.get(start..).is_none_or(|rest| !rest.starts_with(text)) {
                        return false;
                    }
                    text.len()
                }
            };
            let blanks = bytes.get(at..start);
            at = start + text;
            blanks.is_some_and(|blanks| blanks.iter().all(|byte| *byte == b' '))
        });
        all && at == bytes.len()
    }

    /// Writes all pieces with their blanks as one text; `length` is its length in bytes.
    pub(crate) fn write(&self, length: usize) -> String {
        /// A run of spaces, from which the blanks before a piece are copied.
        const BLANKS: &str = "                                                                ";
        let mut out = String::with_capacity(length);
        for piece in &self.list {
            let mut gap = piece.gap as usize;
            while let Some(rest) = gap.checked_sub(BLANKS.len()) {
                out.push_str(BLANKS);
                gap = rest;
            }
            out.push_str(&BLANKS[..gap]);
            out.push_str(self.text(piece));
        }
        out
    }
}
