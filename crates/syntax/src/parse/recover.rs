//! Recovery after syntax errors. A line that looks like the start of an argument or block ends all brackets that were left open.

use crate::kind::TokenKind;
use crate::parse::Parser;

impl Parser<'_> {
    /// Skips to the bracket of kind `close` that ends the current construct and consumes it; returns false if it is missing.
    pub(super) fn close_after_error(&mut self, close: TokenKind) -> bool {
        self.skip_until(|kind| kind == close);
        if self.kind_at(self.pos) == close {
            self.bump();
            return true;
        }
        self.pos = self.pos.max(self.last_end);
        false
    }

    /// Skips tokens up to one that satisfies `stop`, not looking inside of brackets that open on the way. It stops earlier at a
    /// closing bracket of an enclosing construct, the start of the next item, or the end of the text.
    pub(super) fn skip_until(&mut self, stop: impl Fn(TokenKind) -> bool) {
        let mut open: Vec<TokenKind> = Vec::new();
        let mut braces = 0usize;
        // Comments and line ends before the next item belong to that item.
        let mut at = self.last_end.max(self.pos);
        while at > self.last_end && self.kind_at(at - 1).is_trivia() {
            at -= 1;
        }
        loop {
            let kind = self.kind_at(at);
            if open.is_empty() && stop(kind) {
                break;
            }
            match kind {
                TokenKind::End => break,
                TokenKind::Newline => {
                    if open.last() == Some(&TokenKind::QuoteOpen) {
                        open.pop();
                    }
                    if braces == 0 && self.starts_item(at + 1) {
                        break;
                    }
                }
                TokenKind::Cut => {
                    let Some(sequence) = open.iter().rposition(|kind| is_sequence(*kind)) else {
                        break;
                    };
                    open.truncate(sequence);
                }
                TokenKind::OpenBrace
                | TokenKind::OpenBracket
                | TokenKind::OpenParen
                | TokenKind::QuoteOpen
                | TokenKind::HeredocOpen
                | TokenKind::InterpolationOpen
                | TokenKind::DirectiveOpen => {
                    braces += usize::from(kind == TokenKind::OpenBrace);
                    open.push(kind);
                }
                TokenKind::CloseBrace
                | TokenKind::CloseBracket
                | TokenKind::CloseParen
                | TokenKind::QuoteClose
                | TokenKind::HeredocClose
                | TokenKind::SequenceClose => {
                    let Some(opener) = open.iter().rposition(|open| closes(*open, kind)) else {
                        break;
                    };
                    let closed = open.drain(opener..);
                    braces -= closed.filter(|kind| *kind == TokenKind::OpenBrace).count();
                }
                _ => {}
            }
            at += 1;
        }
        if at > self.last_end {
            self.last_end = at;
        }
        self.pos = at;
    }

    /// Returns true if the tokens from number `at` on look like an argument or a block at the start of a line.
    pub(super) fn starts_item(&self, mut at: u32) -> bool {
        while self.kind_at(at).is_trivia() {
            at += 1;
        }
        if self.kind_at(at) != TokenKind::Identifier {
            return false;
        }
        at += 1;
        if self.kind_at(at) == TokenKind::Equal {
            return true;
        }
        while matches!(self.kind_at(at), TokenKind::Identifier | TokenKind::String) {
            at += 1;
        }
        self.kind_at(at) == TokenKind::OpenBrace
    }

    /// Returns true if the next significant token begins a line and looks like the start of an argument or block.
    pub(super) fn at_next_item(&mut self) -> bool {
        self.peek();
        let line = (self.last_end..self.pos).any(|at| self.kind_at(at) == TokenKind::Newline);
        line && self.starts_item(self.pos)
    }
}

/// Returns true for the kinds of the tokens `${` and `%{`.
fn is_sequence(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::InterpolationOpen | TokenKind::DirectiveOpen)
}

/// Returns true if a token of kind `close` ends the construct that a token of kind `open` begins.
fn closes(open: TokenKind, close: TokenKind) -> bool {
    match close {
        TokenKind::CloseBrace => open == TokenKind::OpenBrace,
        TokenKind::CloseBracket => open == TokenKind::OpenBracket,
        TokenKind::CloseParen => open == TokenKind::OpenParen,
        TokenKind::QuoteClose => open == TokenKind::QuoteOpen,
        TokenKind::HeredocClose => open == TokenKind::HeredocOpen,
        TokenKind::SequenceClose => is_sequence(open),
        _ => false,
    }
}
