//! Stream of a text's literal values, read from its tokens without a tree. Only plain literals are decoded. Of other values,
//! such as a template, the stream returns the span, so that the parser reads only that. If the text may have an error the stream
//! ends with [`NotLiteral`], and the caller parses the whole text, which gives the diagnostics.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::kind::TokenKind;
use crate::lex::{LexStart, Lexer, escape};
use crate::span::{FileId, Span};
use crate::tree::{TEXT_LIMIT, Token};

/// Maximum nesting of literal collections; a text with deeper ones is left to the parser.
const NESTING: usize = 64;

/// The approximate number of bytes that the lexer of a [`LiteralStream`] reads at once.
const AT_ONCE: usize = 4 << 10;

/// The approximate number of bytes of a tuple's elements that are reported together, as one event, if not all are literals.
const ELEMENTS: u32 = 16 << 10;

/// An event of a [`LiteralStream`]: a name, a literal value, the start or end of a collection, or the span of another value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LiteralEvent<'t> {
    /// `name =`, with its place; the value follows.
    Name(&'t str, Span),
    /// A number.
    Number {
        /// True if a minus sign precedes it.
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
    /// The span of a value that is not a plain literal, perhaps with the line end behind it.
    Expression(Span),
    /// The span of elements of a tuple, at least one of which is not a plain literal; with commas between and perhaps behind
    /// them.
    Elements(Span),
    /// The end of the value of an argument, with the span of the whole value.
    End(Span),
}

/// The error that a text cannot be read as a stream of literal values and has to be parsed instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotLiteral;

/// A pull parser for texts of arguments with mostly literal values: it returns one event at a time.
pub struct LiteralStream<'t> {
    text: &'t str,
    lexer: Lexer<'t>,
    /// The index of the lexer's next token.
    at: usize,
    /// The open collections, the innermost last.
    open: Vec<OpenCollection>,
    names: HashSet<&'t str>,
    phase: LiteralPhase,
    /// The span from the start of the current argument's value to the end of the last token that was consumed.
    value: Span,
}

/// The kind of a collection, tuple or object, whose end a [`LiteralStream`] has not reached.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OpenCollection {
    Tuple,
    Object,
}

/// The state of a [`LiteralStream`]: the kind of event that it expects next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LiteralPhase {
    /// A name may come, or the end.
    Body,
    /// A value must come.
    Value,
    /// In a collection: an item may come, or its closing bracket.
    Item,
    /// A value was read.
    After,
}

impl<'t> LiteralStream<'t> {
    /// Creates a stream at the start of a text of arguments.
    pub fn of(text: &'t str) -> LiteralStream<'t> {
        LiteralStream {
            text,
            lexer: Lexer::new(text, FileId(0), LexStart::Code),
            at: 0,
            open: Vec::new(),
            names: HashSet::new(),
            phase: LiteralPhase::Body,
            value: Span::at(0),
        }
    }

    /// Returns the next event of the text, such as a name, a literal value or the end of a collection; `None` at the text's end.
    ///
    /// # Errors
    /// If the text may have an error, repeats a name, calls a function, or nests collections too deeply.
    pub fn next_event(&mut self) -> Result<Option<LiteralEvent<'t>>, NotLiteral> {
        loop {
            match (self.phase, self.open.last().copied()) {
                (LiteralPhase::Body, _) => return self.name(),
                (LiteralPhase::Value, _) => return self.start().map(Some),
                (LiteralPhase::Item, Some(open)) => {
                    let close = match open {
                        OpenCollection::Tuple => TokenKind::CloseBracket,
                        OpenCollection::Object => TokenKind::CloseBrace,
                    };
                    if self.peek(true)?.kind() == close {
                        self.take();
                        self.open.pop();
                        self.phase = LiteralPhase::After;
                        return Ok(Some(LiteralEvent::Close));
                    }
                    self.phase = LiteralPhase::Value;
                    if open == OpenCollection::Object {
                        return self.attribute().map(Some);
                    }
                }
                (LiteralPhase::Item, None) => return Err(NotLiteral),
                (LiteralPhase::After, None) => {
                    self.phase = LiteralPhase::Body;
                    return match self.peek(false)?.kind() {
                        TokenKind::Newline | TokenKind::End => {
                            Ok(Some(LiteralEvent::End(self.value)))
                        }
                        _ => Err(NotLiteral),
                    };
                }
                (LiteralPhase::After, Some(open)) => {
                    self.phase = LiteralPhase::Item;
                    match (self.peek(open == OpenCollection::Tuple)?.kind(), open) {
                        (TokenKind::Comma, _) => self.take(),
                        (TokenKind::CloseBracket, OpenCollection::Tuple)
                        | (TokenKind::Newline | TokenKind::CloseBrace, OpenCollection::Object) => {}
                        _ => return Err(NotLiteral),
                    }
                }
            }
        }
    }

    /// Returns the byte offset at which the last consumed token ends.
    pub fn end(&self) -> u32 {
        self.value.end
    }

    /// Reads the name of an argument and its `=`; `None` at the end of the text.
    fn name(&mut self) -> Result<Option<LiteralEvent<'t>>, NotLiteral> {
        let token = self.peek(true)?;
        match token.kind() {
            TokenKind::End => return Ok(None),
            TokenKind::Identifier => self.take(),
            _ => return Err(NotLiteral),
        }
        let name = token.span().of(self.text);
        // Repeated names are an error, which the parser reports.
        if !self.names.insert(name) || self.peek(false)?.kind() != TokenKind::Equal {
            return Err(NotLiteral);
        }
        self.take();
        self.phase = LiteralPhase::Value;
        self.value = self.peek(false)?.span();
        Ok(Some(LiteralEvent::Name(name, token.span())))
    }

    /// Reads the name of an object attribute and its `=` or `:`.
    fn attribute(&mut self) -> Result<LiteralEvent<'t>, NotLiteral> {
        let token = self.peek(true)?;
        let text = token.span().of(self.text);
        let name = match token.kind() {
            TokenKind::Identifier if !matches!(text, "for" | "true" | "false" | "null") => {
                Cow::Borrowed(text)
            }
            TokenKind::String => quoted(text),
            _ => return Err(NotLiteral),
        };
        self.take();
        match self.peek(false)?.kind() {
            TokenKind::Equal | TokenKind::Colon => self.take(),
            _ => return Err(NotLiteral),
        }
        Ok(LiteralEvent::Attribute(name))
    }

    /// Reads the start of a value: the bracket of a collection, or the whole of any other value.
    fn start(&mut self) -> Result<LiteralEvent<'t>, NotLiteral> {
        let token = self.peek(self.open.last() == Some(&OpenCollection::Tuple))?;
        let (from, text) = (token.span().start, token.span().of(self.text));
        self.phase = LiteralPhase::After;
        let literal = match token.kind() {
            TokenKind::Number => LiteralEvent::Number { negative: false, text },
            TokenKind::Minus => {
                self.take();
                let number = self.peek(false)?;
                if number.kind() != TokenKind::Number {
                    return self.expression(from, 0);
                }
                LiteralEvent::Number { negative: true, text: number.span().of(self.text) }
            }
            TokenKind::String => LiteralEvent::Text(quoted(text)),
            TokenKind::Identifier if text == "true" => LiteralEvent::Bool(true),
            TokenKind::Identifier if text == "false" => LiteralEvent::Bool(false),
            TokenKind::Identifier if text == "null" => LiteralEvent::Null,
            TokenKind::OpenBracket => {
                return self.enter(from, OpenCollection::Tuple, LiteralEvent::Tuple);
            }
            TokenKind::OpenBrace => {
                return self.enter(from, OpenCollection::Object, LiteralEvent::Object);
            }
            _ => return self.expression(from, 0),
        };
        self.take();
        if self.value_end(0)?.is_some() { Ok(literal) } else { self.expression(from, 0) }
    }

    /// Returns the next token if it ends a value; `None` if it does not, or if `depth`, the number of open brackets inside the
    /// value, is not 0.
    fn value_end(&mut self, depth: usize) -> Result<Option<Token>, NotLiteral> {
        let open = self.open.last().copied();
        let token = self.peek(depth > 0 || open == Some(OpenCollection::Tuple))?;
        let is_over = match (token.kind(), open) {
            _ if depth > 0 => false,
            (TokenKind::Comma, Some(_))
            | (TokenKind::CloseBracket, Some(OpenCollection::Tuple))
            | (TokenKind::CloseBrace | TokenKind::Newline, Some(OpenCollection::Object))
            | (TokenKind::Newline | TokenKind::End, None) => true,
            _ => false,
        };
        Ok(is_over.then_some(token))
    }

    /// Skips a value that begins at offset `from`, has `depth` open brackets so far and is not a literal, in a tuple also
    /// elements after it, and returns an event with the span of what was skipped.
    fn expression(&mut self, from: u32, mut depth: usize) -> Result<LiteralEvent<'t>, NotLiteral> {
        let is_element = self.open.last() == Some(&OpenCollection::Tuple);
        let mut before = TokenKind::Invalid;
        loop {
            if let Some(over) = self.value_end(depth)? {
                let (kind, span) = (over.kind(), over.span());
                let is_enough = kind != TokenKind::Comma || span.start - from >= ELEMENTS;
                if !is_element {
                    // The closing marker of a heredoc needs its line end.
                    let is_line = kind == TokenKind::Newline;
                    let end = if is_line { span.end } else { span.start };
                    return Ok(LiteralEvent::Expression(Span::new(from, end)));
                }
                if is_enough {
                    return Ok(LiteralEvent::Elements(Span::new(from, span.start)));
                }
            }
            let kind = self.peek(is_element || depth > 0)?.kind();
            match kind {
                TokenKind::OpenParen if before == TokenKind::Identifier => return Err(NotLiteral),
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
                | TokenKind::SequenceClose => depth = depth.checked_sub(1).ok_or(NotLiteral)?,
                TokenKind::End => return Err(NotLiteral),
                _ => {}
            }
            before = kind;
            self.take();
        }
    }

    /// Reads the opening bracket at `from` of a tuple or an object, pushes `open` on the stack and returns `event`; skips a
    /// `for` expression as a whole instead and returns an event with its span.
    fn enter(
        &mut self,
        from: u32,
        open: OpenCollection,
        event: LiteralEvent<'t>,
    ) -> Result<LiteralEvent<'t>, NotLiteral> {
        self.take();
        let next = self.peek(true)?;
        if next.kind() == TokenKind::Identifier && next.span().of(self.text) == "for" {
            return self.expression(from, 1);
        }
        self.phase = LiteralPhase::Item;
        self.open.push(open);
        if self.open.len() > NESTING { Err(NotLiteral) } else { Ok(event) }
    }

    /// Returns the next token without consuming it, skipping comments and, if `past_lines`, line ends.
    fn peek(&mut self, past_lines: bool) -> Result<Token, NotLiteral> {
        loop {
            let Some(token) = self.lexer.tokens.get(self.at) else {
                if self.text.len() > TEXT_LIMIT {
                    return Err(NotLiteral);
                }
                self.lexer.tokens.clear();
                self.at = 0;
                self.lexer.lex_bytes(AT_ONCE);
                // Errors of the lexer are reported by the parser.
                if !self.lexer.diagnostics.is_empty() {
                    return Err(NotLiteral);
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

    /// Consumes the token that [`peek`](Self::peek) returned last.
    fn take(&mut self) {
        if let Some(token) = self.lexer.tokens.get(self.at) {
            self.value.end = token.span().end;
            self.at += 1;
        }
    }
}

/// Returns the content of a quoted string, given with its quotes, unescaped.
fn quoted(token: &str) -> Cow<'_, str> {
    escape::quoted(token.get(1..token.len().saturating_sub(1)).unwrap_or(""))
}
