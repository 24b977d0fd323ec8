//! A tree's tokens as pieces, in order, with older forms made new where that is wanted. What is made new is what a value
//! as a whole, a type or a label is; inside of expressions nothing changes.

use std::borrow::Cow;

use groma_syntax::{Body, Item, Parse, Span, Token, TokenKind, Tree};

use crate::Forms;
use crate::label;
use crate::piece::Piece;
use crate::renew;

/// All pieces; the last is the end, whose blanks are those at the end of the text.
pub(crate) fn pieces(parse: &Parse, forms: Forms) -> Vec<Piece<'_>> {
    let tree = &*parse.tree;
    let mut gather =
        Gather { tree, at: 0, pieces: Vec::with_capacity(tree.tokens().len() * 5 / 4) };
    if forms == Forms::New {
        gather.items(&Body::of(parse), Place::File);
    }
    gather.up_to(u32::MAX);
    if let [.., before, end] = tree.tokens() {
        gather.end(end.span().start - before.span().end);
    } else {
        gather.end(tree.text().len() as u32);
    }
    gather.pieces
}

struct Gather<'t> {
    tree: &'t Tree,
    /// The next token.
    at: usize,
    pieces: Vec<Piece<'t>>,
}

impl<'t> Gather<'t> {
    fn text(&self, span: Span) -> &'t str {
        span.of(self.tree.text())
    }

    fn push(&mut self, kind: TokenKind, text: impl Into<Cow<'t, str>>) {
        self.pieces.push(Piece::new(kind, text));
    }

    fn end(&mut self, gap: u32) {
        self.pieces.push(Piece { gap, ..Piece::new(TokenKind::End, "") });
    }

    /// Takes in the tokens that begin before `offset`.
    fn up_to(&mut self, offset: u32) {
        while let Some(token) = self.tree.tokens().get(self.at)
            && token.span().start < offset
        {
            match token.kind() {
                TokenKind::End => break,
                TokenKind::Comment => self.comment(*token),
                TokenKind::Newline => self.line_ends(token.span()),
                kind => self.push(kind, self.text(token.span())),
            }
            self.at += 1;
        }
    }

    /// A comment, with its line end where it reaches to that.
    fn comment(&mut self, token: Token) {
        let text = self.text(token.span());
        let next = self.tree.tokens().get(self.at + 1);
        let next = next.filter(|next| next.kind() == TokenKind::Newline);
        let (Some(next), false) = (next, text.starts_with("/*")) else {
            return self.push(TokenKind::Comment, text);
        };
        let ends = next.span();
        let first = self.text(ends).find('\n').map_or(ends.end, |at| ends.start + at as u32 + 1);
        self.push(TokenKind::Comment, self.text(Span::new(token.span().start, first)));
        self.line_ends(Span::new(first, ends.end));
        self.at += 1;
    }

    /// Each line end for itself; blanks on empty lines are no part of any.
    fn line_ends(&mut self, span: Span) {
        for line in self.text(span).split_inclusive('\n') {
            let end = line.trim_start_matches([' ', '\t']);
            if !end.is_empty() {
                self.push(TokenKind::Newline, end);
            }
        }
    }

    /// Whether nothing but comments follows on this line.
    fn line_ends_here(&self) -> bool {
        let mut rest = self.tree.tokens()[self.at..].iter();
        let next = rest.find(|token| token.kind() != TokenKind::Comment);
        next.is_none_or(|token| matches!(token.kind(), TokenKind::Newline | TokenKind::End))
    }

    /// The arguments and blocks of a body.
    fn items(&mut self, body: &Body, place: Place) {
        for item in body.items() {
            match item {
                Item::Argument(argument) => {
                    let span = argument.expr.span();
                    self.up_to(span.start);
                    let start = self.pieces.len();
                    self.up_to(span.end);
                    match place == Place::Variable && argument.name.text == "type" {
                        true => renew::declared_type(&mut self.pieces, start),
                        false => {
                            let ends_line = self.line_ends_here();
                            renew::value(&mut self.pieces, start, ends_line);
                        }
                    }
                }
                Item::Block(block) => {
                    for given in &block.labels {
                        self.up_to(given.span.start);
                        let written = self.text(given.span);
                        match given.quoted && label::is_plain(written) {
                            true => self.push(TokenKind::String, written),
                            false => self.push(TokenKind::String, label::quoted(&given.text)),
                        }
                        self.at += 1;
                    }
                    let inner = match place {
                        Place::File if block.kind.text == "variable" => Place::Variable,
                        _ => Place::Elsewhere,
                    };
                    self.items(&block.body, inner);
                }
            }
        }
    }
}

/// What a body is the body of.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    File,
    /// The declaration of a variable.
    Variable,
    Elsewhere,
}
