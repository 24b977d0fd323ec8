//! The values of a text that sets nothing but literal ones, read off its tokens as they come: no tree is built. It knows
//! only what is surely right and plainly written. What is not, such as a template, it tells where it stands, for the
//! parser to read that alone. Where even that is not sure it stops ([`Unsure`]), and whoever asked has the parser read
//! the whole text: that one has the say, and the diagnostics.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::kind::TokenKind;
use crate::lex::{Lexer, Start, escape};
use crate::span::{FileId, Span};
use crate::tree::{TEXT_LIMIT, Token};

/// Collections that nest deeper are left to the parser.
const NESTING: usize = 64;

/// The tokens of about so many bytes are kept at once.
const AT_ONCE: usize = 4 << 10;

/// About so many bytes of elements are told at once.
const ELEMENTS: u32 = 16 << 10;

/// What the text says next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Literal<'t> {
    /// `name =`, with its place; the value follows.
    Name(&'t str, Span),
    /// A number.
    Number {
        /// Whether a minus sign stands before it.
        negative: bool,
        /// The digits.
        text: &'t str,
    },
    /// A quoted text with its escapes read.
    Text(Cow<'t, str>),
    /// `true` or `false`
    Bool(bool),
    /// `null`
    Null,
    /// `[`
    Tuple,
    /// `{`
    Object,
    /// The name of an attribute; its value follows.
    Attribute(Cow<'t, str>),
    /// `]` or `}`
    Close,
    /// A whole value that is no plain literal: which bytes it covers, perhaps with the line end behind it.
    Expression(Span),
    /// Elements of a tuple with commas between and perhaps behind them, of which one at least is no plain literal: which
    /// bytes they cover.
    Elements(Span),
    /// The value of the name is complete: which bytes it covers.
    End(Span),
}

/// Something in the text is not plainly a literal value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unsure;

/// The literal values of a text, piece by piece.
pub struct Literals<'t> {
    text: &'t str,
    lexer: Lexer<'t>,
    /// The first of the lexer's tokens that is not taken yet.
    at: usize,
    /// What is open, the innermost last.
    open: Vec<Open>,
    names: HashSet<&'t str>,
    phase: Phase,
    /// Where the value of the present name starts, and where the token taken last ends.
    value: Span,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    Tuple,
    Object,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// A name may come, or the end.
    Body,
    /// A value must come.
    Value,
    /// In a collection: an item may come, or what closes it.
    Item,
    /// A value was read.
    After,
}

impl<'t> Literals<'t> {
    /// The values that a text sets.
    pub fn of(text: &'t str) -> Literals<'t> {
        Literals {
            text,
            lexer: Lexer::new(text, FileId(0), Start::Code),
            at: 0,
            open: Vec::new(),
            names: HashSet::new(),
            phase: Phase::Body,
            value: Span::at(0),
        }
    }

    /// The next piece; nothing at the end of the text.
    ///
    /// # Errors
    /// When something else than a literal value comes, or the text is not well formed.
    pub fn piece(&mut self) -> Result<Option<Literal<'t>>, Unsure> {
        loop {
            match (self.phase, self.open.last().copied()) {
                (Phase::Body, _) => return self.name(),
                (Phase::Value, _) => return self.start().map(Some),
                (Phase::Item, Some(open)) => {
                    let close = match open {
                        Open::Tuple => TokenKind::CloseBracket,
                        Open::Object => TokenKind::CloseBrace,
                    };
                    if self.peek(true)?.kind() == close {
                        self.take();
                        self.open.pop();
                        self.phase = Phase::After;
                        return Ok(Some(Literal::Close));
                    }
                    self.phase = Phase::Value;
                    if open == Open::Object {
                        return self.attribute().map(Some);
                    }
                }
                (Phase::Item, None) => return Err(Unsure),
                (Phase::After, None) => {
                    self.phase = Phase::Body;
                    return match self.peek(false)?.kind() {
                        TokenKind::Newline | TokenKind::End => Ok(Some(Literal::End(self.value))),
                        _ => Err(Unsure),
                    };
                }
                (Phase::After, Some(open)) => {
                    self.phase = Phase::Item;
                    match (self.peek(open == Open::Tuple)?.kind(), open) {
                        (TokenKind::Comma, _) => self.take(),
                        (TokenKind::CloseBracket, Open::Tuple)
                        | (TokenKind::Newline | TokenKind::CloseBrace, Open::Object) => {}
                        _ => return Err(Unsure),
                    }
                }
            }
        }
    }

    /// Where the piece ends that was read last.
    pub fn end(&self) -> u32 {
        self.value.end
    }

    fn name(&mut self) -> Result<Option<Literal<'t>>, Unsure> {
        let token = self.peek(true)?;
        match token.kind() {
            TokenKind::End => return Ok(None),
            TokenKind::Identifier => self.take(),
            _ => return Err(Unsure),
        }
        let name = token.span().of(self.text);
        // The parser has something to say about names that repeat.
        if !self.names.insert(name) || self.peek(false)?.kind() != TokenKind::Equal {
            return Err(Unsure);
        }
        self.take();
        self.phase = Phase::Value;
        self.value = self.peek(false)?.span();
        Ok(Some(Literal::Name(name, token.span())))
    }

    fn attribute(&mut self) -> Result<Literal<'t>, Unsure> {
        let token = self.peek(true)?;
        let text = token.span().of(self.text);
        let name = match token.kind() {
            TokenKind::Identifier if !matches!(text, "for" | "true" | "false" | "null") => {
                Cow::Borrowed(text)
            }
            TokenKind::String => quoted(text),
            _ => return Err(Unsure),
        };
        self.take();
        match self.peek(false)?.kind() {
            TokenKind::Equal | TokenKind::Colon => self.take(),
            _ => return Err(Unsure),
        }
        Ok(Literal::Attribute(name))
    }

    /// What a value starts with; a primitive is whole with that.
    fn start(&mut self) -> Result<Literal<'t>, Unsure> {
        let token = self.peek(self.open.last() == Some(&Open::Tuple))?;
        let (from, text) = (token.span().start, token.span().of(self.text));
        self.phase = Phase::After;
        let literal = match token.kind() {
            TokenKind::Number => Literal::Number { negative: false, text },
            TokenKind::Minus => {
                self.take();
                let number = self.peek(false)?;
                if number.kind() != TokenKind::Number {
                    return self.expression(from, 0);
                }
                Literal::Number { negative: true, text: number.span().of(self.text) }
            }
            TokenKind::String => Literal::Text(quoted(text)),
            TokenKind::Identifier if text == "true" => Literal::Bool(true),
            TokenKind::Identifier if text == "false" => Literal::Bool(false),
            TokenKind::Identifier if text == "null" => Literal::Null,
            TokenKind::OpenBracket => return self.enter(from, Open::Tuple, Literal::Tuple),
            TokenKind::OpenBrace => return self.enter(from, Open::Object, Literal::Object),
            _ => return self.expression(from, 0),
        };
        self.take();
        if self.is_over(0)?.is_some() { Ok(literal) } else { self.expression(from, 0) }
    }

    /// The token that comes, if a value is over there, as it stands so deep within brackets of its own.
    fn is_over(&mut self, depth: usize) -> Result<Option<Token>, Unsure> {
        let open = self.open.last().copied();
        let token = self.peek(depth > 0 || open == Some(Open::Tuple))?;
        let is_over = match (token.kind(), open) {
            _ if depth > 0 => false,
            (TokenKind::Comma, Some(_))
            | (TokenKind::CloseBracket, Some(Open::Tuple))
            | (TokenKind::CloseBrace | TokenKind::Newline, Some(Open::Object))
            | (TokenKind::Newline | TokenKind::End, None) => true,
            _ => false,
        };
        Ok(is_over.then_some(token))
    }

    /// Passes over a value that began at `from` and has brackets open, and in a tuple over those that follow.
    fn expression(&mut self, from: u32, mut depth: usize) -> Result<Literal<'t>, Unsure> {
        let is_element = self.open.last() == Some(&Open::Tuple);
        let mut before = TokenKind::Invalid;
        loop {
            if let Some(over) = self.is_over(depth)? {
                let (kind, span) = (over.kind(), over.span());
                let is_enough = kind != TokenKind::Comma || span.start - from >= ELEMENTS;
                if !is_element {
                    // The marker that closes a heredoc has its line for itself.
                    let is_line = kind == TokenKind::Newline;
                    let end = if is_line { span.end } else { span.start };
                    return Ok(Literal::Expression(Span::new(from, end)));
                }
                if is_enough {
                    return Ok(Literal::Elements(Span::new(from, span.start)));
                }
            }
            let kind = self.peek(is_element || depth > 0)?.kind();
            match kind {
                TokenKind::OpenParen if before == TokenKind::Identifier => return Err(Unsure),
                TokenKind::OpenParen
                | TokenKind::OpenBracket
                | TokenKind::OpenBrace
                | TokenKind::QuoteOpen
                | TokenKind::HeredocOpen
                | TokenKind::InterpolationOpen
                | TokenKind::DirectiveOpen => depth += 1,
                TokenKind::CloseParen
                | TokenKind::CloseBracket
                | TokenKind::CloseBrace
                | TokenKind::QuoteClose
                | TokenKind::HeredocClose
                | TokenKind::SequenceClose => depth = depth.checked_sub(1).ok_or(Unsure)?,
                TokenKind::End => return Err(Unsure),
                _ => {}
            }
            before = kind;
            self.take();
        }
    }

    fn enter(&mut self, from: u32, open: Open, piece: Literal<'t>) -> Result<Literal<'t>, Unsure> {
        self.take();
        let next = self.peek(true)?;
        if next.kind() == TokenKind::Identifier && next.span().of(self.text) == "for" {
            return self.expression(from, 1);
        }
        self.phase = Phase::Item;
        self.open.push(open);
        if self.open.len() > NESTING { Err(Unsure) } else { Ok(piece) }
    }

    /// The next token that is no comment, nor a line end where those are passed over.
    fn peek(&mut self, past_lines: bool) -> Result<Token, Unsure> {
        loop {
            let Some(token) = self.lexer.tokens.get(self.at) else {
                if self.text.len() > TEXT_LIMIT {
                    return Err(Unsure);
                }
                self.lexer.tokens.clear();
                self.at = 0;
                self.lexer.go_on(AT_ONCE);
                // What the lexer complains about, the parser will report.
                if !self.lexer.diagnostics.is_empty() {
                    return Err(Unsure);
                }
                if self.lexer.tokens.len() == 0 {
                    let end = self.text.len() as u32;
                    return Ok(Token::new(TokenKind::End, end, end));
                }
                continue;
            };
            match token.kind() {
                TokenKind::Comment => self.at += 1,
                TokenKind::Newline if past_lines => self.at += 1,
                _ => return Ok(token),
            }
        }
    }

    /// Takes the token that was looked at last.
    fn take(&mut self) {
        if let Some(token) = self.lexer.tokens.get(self.at) {
            self.value.end = token.span().end;
            self.at += 1;
        }
    }
}

fn quoted(token: &str) -> Cow<'_, str> {
    escape::quoted(token.get(1..token.len().saturating_sub(1)).unwrap_or(""))
}
