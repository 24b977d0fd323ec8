//! Conversion of a tree's tokens to pieces, with older notations rewritten on request: values as a whole, types of variables
//! and labels. Nothing changes inside of expressions.

use groma_syntax::{Body, BodyItem, Parse, Span, Token, TokenKind, Tree};

use crate::OlderForms;
use crate::label;
use crate::piece::PieceList;
use crate::renew;

/// Converts the tokens of a parsed text to pieces for layout, with older notations rewritten if `forms` says so; the last piece
/// is the end of the text, with the blanks before it.
pub(crate) fn pieces(parse: &Parse, forms: OlderForms) -> PieceList<'_> {
    let tree = &*parse.tree;
    let pieces = PieceList::of(tree.text(), tree.tokens().len());
    let mut gather = PieceGatherer { tree, at: 0, pieces };
    if forms == OlderForms::New {
        gather.items(&Body::of(parse), BodyOf::File);
    }
    gather.up_to(u32::MAX);
    let mut backwards = tree.tokens().iter().rev();
    let gap = match (backwards.next(), backwards.next()) {
        (Some(end), Some(before)) => end.span().start - before.span().end,
        _ => tree.text().len() as u32,
    };
    gather.pieces.end(gap);
    gather.pieces
}

/// A pass over the tokens of a parsed text that converts them to pieces for layout.
struct PieceGatherer<'t> {
    tree: &'t Tree,
    /// The index of the next token.
    at: usize,
    pieces: PieceList<'t>,
}

impl<'t> PieceGatherer<'t> {
    /// Returns the source text of a span.
    fn text(&self, span: Span) -> &'t str {
        span.of(self.tree.text())
    }

    /// Appends the tokens that begin before `offset` to the pieces.
    fn up_to(&mut self, offset: u32) {
        let tokens = self.tree.tokens();
        while let Some(token) = tokens.get(self.at)
            && token.span().start < offset
        {
            match token.kind() {
                TokenKind::End => break,
                TokenKind::Comment => self.comment(token),
                TokenKind::Newline => self.line_ends(token.span()),
                kind => self.pieces.keep(kind, token.span()),
            }
            self.at += 1;
        }
    }

    /// Appends a comment to the pieces; a line comment includes the line end after it.
    fn comment(&mut self, token: Token) {
        let span = token.span();
        let next = self.tree.tokens().get(self.at + 1);
        let next = next.filter(|next| next.kind() == TokenKind::Newline);
        let (Some(next), false) = (next, self.text(span).starts_with("/*")) else {
            return self.pieces.keep(TokenKind::Comment, span);
        };
        let ends = next.span();
        let first = self.text(ends).find('\n').map_or(ends.end, |at| ends.start + at as u32 + 1);
        self.pieces.keep_line(Span::new(span.start, first));
        self.line_ends(Span::new(first, ends.end));
        self.at += 1;
    }

    /// Appends each line end of a newline token as a piece of its own, without the blanks of empty lines.
    fn line_ends(&mut self, span: Span) {
        if span.len() == 1 {
            return self.pieces.keep(TokenKind::Newline, span);
        }
        let mut start = span.start;
        for (at, byte) in (span.start..).zip(self.text(span).bytes()) {
            match byte {
                b' ' | b'\t' => start = at + 1,
                b'\n' => {
                    self.pieces.keep(TokenKind::Newline, Span::new(start, at + 1));
                    start = at + 1;
                }
                _ => {}
            }
        }
    }

    /// Returns true if only comments follow on the line of the next token, or nothing.
    fn line_ends_here(&self) -> bool {
        let mut rest = self.tree.tokens().from(self.at).iter();
        let next = rest.find(|token| token.kind() != TokenKind::Comment);
        next.is_none_or(|token| matches!(token.kind(), TokenKind::Newline | TokenKind::End))
    }

    /// Appends the tokens of the arguments and blocks of a body to the pieces, with older notations rewritten; `place` says what
    /// the body belongs to.
    fn items(&mut self, body: &Body, place: BodyOf) {
        for item in body.items() {
            match item {
                BodyItem::Argument(argument) => {
                    let span = argument.expr.span();
                    self.up_to(span.start);
                    let start = self.pieces.list.len();
                    self.up_to(span.end);
                    match place == BodyOf::Variable && argument.name.text == "type" {
                        true => renew::declared_type(&mut self.pieces, start),
                        false => {
                            let ends_line = self.line_ends_here();
                            renew::value(&mut self.pieces, start, ends_line);
                        }
                    }
                }
                BodyItem::Block(block) => {
                    for given in &block.labels {
                        self.up_to(given.span.start);
                        let written = self.text(given.span);
                        if given.quoted && label::is_plain(written) {
                            self.pieces.keep(TokenKind::String, given.span);
                        } else {
                            let text = label::quoted(&given.text);
                            let label = self.pieces.make(TokenKind::String, text);
                            self.pieces.list.push(label);
                        }
                        self.at += 1;
                    }
                    let inner = match place {
                        BodyOf::File if block.kind.text == "variable" => BodyOf::Variable,
                        _ => BodyOf::Elsewhere,
                    };
                    self.items(&block.body, inner);
                }
            }
        }
    }
}

/// The code that a body belongs to: a file, a variable block, whose `type` is rewritten as a type, or another block.
#[derive(Clone, Copy, PartialEq)]
enum BodyOf {
    File,
    /// The declaration of a variable.
    Variable,
    Elsewhere,
}
