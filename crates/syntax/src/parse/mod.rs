//! Tokens to a tree. Nothing fails: what cannot be read becomes an error node and a diagnostic.
//! Line ends count in bodies and objects and are skipped inside `( )`, `[ ]`, sequences and whole expressions.

mod body;
mod collection;
mod expression;
mod recover;
mod template;
mod traversal;

use std::sync::Arc;

use crate::codes;
use crate::diagnostic::{Diagnostic, DiagnosticCode};
use crate::kind::{NodeKind, TokenKind};
use crate::lex::{DIAGNOSTIC_LIMIT, LexStart, LexedText, lex};
use crate::span::{FileId, Place, Span};
use crate::tree::build::TreeBuilder;
use crate::tree::{NodeList, TEXT_LIMIT, TokenList, Tree};

/// Maximum nesting of expressions, templates and blocks.
pub(crate) const NESTING: u32 = 350;

/// Maximum nesting of a template inside of another expression.
const INNER_NESTING: u32 = 64;

/// A syntax tree and the diagnostics of its text.
#[derive(Clone, Debug)]
pub struct Parse {
    /// The tree.
    pub tree: Arc<Tree>,
    /// The diagnostics, ordered by place.
    pub diagnostics: Vec<Diagnostic>,
    /// The file that the places name.
    pub file: FileId,
}

/// Parses a file: arguments and blocks.
pub fn parse_file(text: &Arc<str>, file: FileId) -> Parse {
    parse(text, file, LexStart::Code, |parser| parser.file())
}

/// Parses a text that consists of one expression.
pub fn parse_expression(text: &Arc<str>, file: FileId) -> Parse {
    parse(text, file, LexStart::Code, |parser| parser.whole())
}

/// Parses the text of a template file.
pub fn parse_template(text: &Arc<str>, file: FileId) -> Parse {
    parse(text, file, LexStart::Template, |parser| parser.bare())
}

/// Parses a template embedded in something else: a rendered template file, a string in a JSON file. Its maximum nesting depth
/// is lower, because the enclosing expression may be deep already.
pub fn parse_inner_template(text: &Arc<str>, file: FileId) -> Parse {
    parse(text, file, LexStart::Template, |parser| {
        parser.deepest = INNER_NESTING;
        parser.bare();
    })
}

/// Parses a text that consists of a traversal with literal keys only.
pub fn parse_traversal(text: &Arc<str>, file: FileId) -> Parse {
    let mut parse = parse_expression(text, file);
    if parse.diagnostics.is_empty() {
        parse.diagnostics.extend(traversal::check(&parse.tree, file));
    }
    parse
}

/// Lexes a text and parses it with the entry function; refuses texts above the maximum length.
fn parse(
    text: &Arc<str>,
    file: FileId,
    start: LexStart,
    entry: for<'p, 's> fn(&'p mut Parser<'s>),
) -> Parse {
    if text.len() > TEXT_LIMIT {
        let detail = format!(
            "The text has {} bytes; at most {TEXT_LIMIT} are read. Split it into several files.",
            text.len()
        );
        let place = Place::new(file, Span::at(0));
        let diagnostics = vec![Diagnostic::error(&codes::TEXT_TOO_LONG, detail).at(place)];
        let tree = Arc::new(Tree::new(Arc::clone(text), TokenList::default(), NodeList::default()));
        return Parse { tree, diagnostics, file };
    }
    let LexedText { tokens, mut diagnostics } = lex(text, file, start);
    let swallowed = diagnostics.iter().any(|found| found.code == &codes::UNCLOSED_HEREDOC);
    let mut parser = Parser { swallowed, ..Parser::new(text, tokens, file, false) };
    entry(&mut parser);
    if parser.unclosed_block {
        parser = Parser { swallowed, ..Parser::new(text, parser.tokens, file, true) };
        entry(&mut parser);
    }
    let Parser { tokens, builder, diagnostics: found, .. } = parser;
    diagnostics.extend(found);
    diagnostics.sort_by_key(|diagnostic| diagnostic.place);
    diagnostics.truncate(DIAGNOSTIC_LIMIT);
    let tree = Arc::new(Tree::new(Arc::clone(text), tokens, builder.into_nodes()));
    Parse { tree, diagnostics, file }
}

/// The state of a parse over the tokens of one text.
pub(crate) struct Parser<'s> {
    text: &'s str,
    tokens: TokenList,
    file: FileId,
    /// The next token; trivia before it may not be skipped yet.
    pos: u32,
    /// One past the token read last.
    last_end: u32,
    /// True if line ends count.
    newlines: bool,
    depth: u32,
    /// The deepest that `depth` may be.
    deepest: u32,
    /// The token that the last complaint was about: one is enough.
    reported: u32,
    builder: TreeBuilder,
    diagnostics: Vec<Diagnostic>,
    /// True if a block was still open at the end of the text.
    unclosed_block: bool,
    /// True if an unclosed heredoc contains the rest of the text, closing braces included.
    swallowed: bool,
    /// True if indentation decides where a block without a closing brace ends.
    by_indentation: bool,
    /// True if the content on the line of a block's brace was reported already.
    crowded: bool,
    /// The names of the arguments of the bodies that are being read, as tokens, and a number made of each.
    names: Vec<(u32, u64)>,
}

impl<'s> Parser<'s> {
    /// Returns a parser at the first token.
    fn new(text: &'s str, tokens: TokenList, file: FileId, by_indentation: bool) -> Self {
        Self {
            text,
            file,
            pos: 0,
            last_end: 0,
            newlines: false,
            depth: 0,
            deepest: NESTING,
            reported: u32::MAX,
            builder: TreeBuilder::with_capacity(tokens.len() / 2 + 4),
            tokens,
            diagnostics: Vec::new(),
            unclosed_block: false,
            swallowed: false,
            by_indentation,
            crowded: false,
            names: Vec::new(),
        }
    }

    /// Parses a whole text as one expression.
    fn whole(&mut self) {
        let mark = self.builder.mark();
        self.expression();
        if self.peek() != TokenKind::End {
            self.extra();
            self.pos = self.tokens.len() as u32 - 1;
            self.last_end = self.pos;
        }
        self.builder.finish(NodeKind::Whole, mark, 0, self.tokens.len() as u32);
        // Indentation says something in files only.
        self.unclosed_block = false;
    }

    /// Reports tokens after the end of the expression.
    fn extra(&mut self) {
        let found = self.token_text(self.pos);
        let before_newline = self.pos > self.last_end
            && (self.last_end..self.pos).any(|at| self.kind_at(at) == TokenKind::Newline);
        // What follows a text that is never closed was meant to be in it.
        let is_open = |one: &Diagnostic| one.code == &codes::UNCLOSED_STRING;
        if before_newline && self.diagnostics.iter().any(is_open) {
            return;
        }
        let detail = match self.peek() {
            TokenKind::CloseParen | TokenKind::CloseBracket | TokenKind::CloseBrace => {
                format!("This `{found}` closes nothing. Remove it.")
            }
            TokenKind::SequenceClose => {
                format!("`{found}` closes a template sequence, but none is open here.")
            }
            TokenKind::Equal => {
                "The expression ends before this `=`. To compare two values write `==`.".to_owned()
            }
            TokenKind::Colon => {
                "The expression ends before this `:`. A conditional is written `condition ? a : b`."
                    .to_owned()
            }
            TokenKind::Identifier if found == "and" || found == "or" => self.word_operator(),
            _ if before_newline => {
                "A second expression begins here, but only one is expected.".to_owned()
            }
            _ => format!(
                "The expression ends before {}. An operator is missing, or this is too much.",
                self.describe(self.pos)
            ),
        };
        self.complain(&codes::EXTRA_TEXT, detail);
    }

    /// Returns the message for `and` or `or` in the position of an operator.
    fn word_operator(&self) -> String {
        let word = self.token_text(self.pos);
        let sign = if word == "and" { "&&" } else { "||" };
        format!("There is no operator `{word}`. Write `{sign}`.")
    }

    /// Returns the kind of a token, or `End` beyond the last.
    #[inline]
    fn kind_at(&self, at: u32) -> TokenKind {
        self.tokens.kind(at as usize).unwrap_or(TokenKind::End)
    }

    /// Returns the span of a token, or the end of the text beyond the last.
    fn span_at(&self, at: u32) -> Span {
        match self.tokens.span(at as usize, at as usize) {
            Some(span) => span,
            None => Span::at(self.text.len() as u32),
        }
    }

    /// Returns the text of a token.
    fn token_text(&self, at: u32) -> &'s str {
        self.span_at(at).of(self.text)
    }

    /// Returns the kind of the next significant token.
    #[inline]
    fn peek(&mut self) -> TokenKind {
        let kind = self.kind_at(self.pos);
        if !kind.is_trivia() || kind == TokenKind::Newline && self.newlines {
            return kind;
        }
        self.peek_further()
    }

    /// Skips comments and insignificant line ends; returns the kind of the next token.
    #[inline(never)]
    fn peek_further(&mut self) -> TokenKind {
        loop {
            let kind = self.kind_at(self.pos);
            match kind {
                TokenKind::Comment => self.pos += 1,
                TokenKind::Newline if !self.newlines => self.pos += 1,
                _ => return kind,
            }
        }
    }

    /// Skips comments and insignificant line ends; returns the number of the next token.
    fn start(&mut self) -> u32 {
        self.peek();
        self.pos
    }

    /// Consumes the token last peeked at, which is not the end.
    #[inline]
    fn step(&mut self) {
        self.pos += 1;
        self.last_end = self.pos;
    }

    /// Consumes the next significant token.
    #[inline]
    fn bump(&mut self) {
        if self.peek() != TokenKind::End {
            self.pos += 1;
        }
        self.last_end = self.pos;
    }

    /// Consumes the next token if it is of kind `kind`; returns true if so.
    fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.peek() == kind;
        if found && kind != TokenKind::End {
            self.step();
        }
        found
    }

    /// Returns true if the next token is the identifier `word`.
    fn is_word(&mut self, word: &str) -> bool {
        self.peek() == TokenKind::Identifier && {
            let Span { start, end } = self.span_at(self.pos);
            self.text.as_bytes().get(start as usize..end as usize) == Some(word.as_bytes())
        }
    }

    /// Enters one nesting level; returns `false`, after reporting, at the maximum depth.
    #[inline]
    fn enter(&mut self) -> bool {
        if self.depth < self.deepest {
            self.depth += 1;
            return true;
        }
        self.refuse_depth()
    }

    /// Reports that the maximum nesting depth is exceeded.
    #[cold]
    fn refuse_depth(&mut self) -> bool {
        self.peek();
        let detail = format!(
            "Nesting deeper than {} levels is not read. Use locals for the inner parts.",
            self.deepest
        );
        self.complain(&codes::NESTING_TOO_DEEP, detail);
        false
    }

    /// Leaves a nesting level.
    fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Returns the span for a diagnostic about the next token: the end of the current line if the token begins another item, a
    /// line end, or the first byte of `.name`.
    fn here(&mut self) -> Span {
        let kind = self.peek();
        let span = self.span_at(self.pos);
        match kind {
            TokenKind::Newline => self.line_end_at(self.pos),
            TokenKind::Identifier if self.at_next_item() => {
                let mut lines = self.last_end..self.pos;
                let line = lines.find(|at| self.kind_at(*at) == TokenKind::Newline);
                self.line_end_at(line.unwrap_or(self.pos))
            }
            TokenKind::DotName => Span::new(span.start, span.start + 1),
            TokenKind::QuoteOpen | TokenKind::String => Span::new(span.start, span.start + 1),
            _ => span,
        }
    }

    /// Returns the span of the first line end in a token of line ends.
    fn line_end_at(&self, at: u32) -> Span {
        let span = self.span_at(at);
        let length = if span.of(self.text).starts_with('\r') { 2 } else { 1 };
        Span::new(span.start, span.start + length)
    }

    /// Reports an error at the next token, unless an error was already reported there.
    fn complain(&mut self, code: &'static DiagnosticCode, detail: impl Into<String>) {
        let span = self.here();
        self.complain_at(code, span, detail);
    }

    /// Reports an error about `span`, unless one was already reported at the next token.
    fn complain_at(
        &mut self,
        code: &'static DiagnosticCode,
        span: Span,
        detail: impl Into<String>,
    ) {
        if self.fresh() {
            let detail = detail.into();
            self.report(Diagnostic::error(code, detail).at(self.place(span)));
        }
    }

    /// Returns true if no error was reported at the next token yet, and records that one is now.
    fn fresh(&mut self) -> bool {
        let kind = self.peek();
        let known = matches!(kind, TokenKind::Invalid | TokenKind::WrongQuotes | TokenKind::Cut)
            || self.reported == self.pos
            // Only a guess closes a heredoc without a line end after it; the lexer has reported that.
            || self.pos > 0
                && self.kind_at(self.pos - 1) == TokenKind::HeredocClose
                && !matches!(kind, TokenKind::Newline | TokenKind::End);
        self.reported = self.pos;
        !known
    }

    /// Adds a diagnostic, up to the maximum number.
    fn report(&mut self, diagnostic: Diagnostic) {
        if self.diagnostics.len() < DIAGNOSTIC_LIMIT {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Returns the place of a span in this file.
    fn place(&self, span: Span) -> Place {
        Place::new(self.file, span)
    }

    /// Returns a description of a token in words, for messages.
    fn describe(&self, at: u32) -> String {
        let text = self.token_text(at);
        match self.kind_at(at) {
            TokenKind::End => "the end of the text".to_owned(),
            TokenKind::Newline => "the end of the line".to_owned(),
            TokenKind::String | TokenKind::QuoteOpen => "this text in quotes".to_owned(),
            TokenKind::HeredocOpen => "this heredoc".to_owned(),
            TokenKind::Literal => "this text".to_owned(),
            _ => {
                let short: String = text.chars().take(40).collect();
                if short.len() < text.len() {
                    format!("`{short}…`")
                } else {
                    format!("`{short}`")
                }
            }
        }
    }
}
