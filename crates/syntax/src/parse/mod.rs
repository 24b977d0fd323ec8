//! Parser: builds a tree from tokens. It never fails: text that cannot be read becomes an error node and a diagnostic. Line ends
//! are significant in bodies and objects, and skipped inside `( )`, `[ ]`, sequences and whole expressions.

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

/// Maximum nesting depth of expressions, templates and blocks; deeper code is reported and skipped.
pub(crate) const NESTING: u32 = 350;

/// Maximum nesting depth inside of a template that is parsed on its own but is part of another expression.
const INNER_NESTING: u32 = 64;

/// The result of parsing a text: its syntax tree and its diagnostics.
#[derive(Clone, Debug)]
pub struct Parse {
    /// The tree.
    pub tree: Arc<Tree>,
    /// The diagnostics, ordered by place.
    pub diagnostics: Vec<Diagnostic>,
    /// The file that the places refer to.
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

/// Parses a template that is embedded in another text, such as a JSON string, or rendered by a function. Its maximum nesting
/// depth is lower, because the enclosing expression may be deep already.
pub fn parse_inner_template(text: &Arc<str>, file: FileId) -> Parse {
    parse(text, file, LexStart::Template, |parser| {
        parser.deepest = INNER_NESTING;
        parser.bare();
    })
}

/// Parses a text that consists of a traversal with literal keys, such as `a.b[0].c`; reports any other expression.
pub fn parse_traversal(text: &Arc<str>, file: FileId) -> Parse {
    let mut parse = parse_expression(text, file);
    if parse.diagnostics.is_empty() {
        parse.diagnostics.extend(traversal::check(&parse.tree, file));
    }
    parse
}

/// Lexes a text and parses it with the method `entry` of the parser; refuses a text above the maximum length.
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

/// The state of a parser over the tokens of one text: its position, the nodes finished so far, and the diagnostics.
pub(crate) struct Parser<'s> {
    text: &'s str,
    tokens: TokenList,
    file: FileId,
    /// The number of the next token; comments and insignificant line ends before it may not be skipped yet.
    pos: u32,
    /// The number after that of the last consumed token.
    last_end: u32,
    /// True if line ends are significant.
    newlines: bool,
    depth: u32,
    /// The maximum of `depth`.
    deepest: u32,
    /// The token at which an error was last reported: there is only one report for each.
    reported: u32,
    builder: TreeBuilder,
    diagnostics: Vec<Diagnostic>,
    /// True if a block was still open at the end of the text.
    unclosed_block: bool,
    /// True if an unclosed heredoc contains the rest of the text, closing braces included.
    swallowed: bool,
    /// True if indentation decides where a block without a closing brace ends.
    by_indentation: bool,
    /// True if content on the line of a block's opening brace was reported already.
    crowded: bool,
    /// The names of the arguments in the bodies that are being parsed, as token numbers, each with its hash.
    names: Vec<(u32, u64)>,
}

impl<'s> Parser<'s> {
    /// Creates a parser at the first token; `by_indentation` is true if indentation decides where a block without a closing
    /// brace ends.
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

    /// Parses the whole text as one expression, and reports tokens after it.
    fn whole(&mut self) {
        let mark = self.builder.mark();
        self.expression();
        if self.peek() != TokenKind::End {
            self.extra();
            self.pos = self.tokens.len() as u32 - 1;
            self.last_end = self.pos;
        }
        self.builder.finish(NodeKind::Whole, mark, 0, self.tokens.len() as u32);
        // Indentation is taken into account in files only.
        self.unclosed_block = false;
    }

    /// Reports tokens after the end of a whole expression.
    fn extra(&mut self) {
        let found = self.token_text(self.pos);
        let before_newline = self.pos > self.last_end
            && (self.last_end..self.pos).any(|at| self.kind_at(at) == TokenKind::Newline);
        // Text after an unclosed string was meant to be inside it.
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

    /// Returns the message that the next token, `and` or `or`, is not an operator.
    fn word_operator(&self) -> String {
        let word = self.token_text(self.pos);
        let sign = if word == "and" { "&&" } else { "||" };
        format!("There is no operator `{word}`. Write `{sign}`.")
    }

    /// Returns the kind of the token number `at`; `End` beyond the last.
    #[inline]
    fn kind_at(&self, at: u32) -> TokenKind {
        self.tokens.kind(at as usize).unwrap_or(TokenKind::End)
    }

    /// Returns the span of the token number `at`; the end of the text beyond the last.
    fn span_at(&self, at: u32) -> Span {
        match self.tokens.span(at as usize, at as usize) {
            Some(span) => span,
            None => Span::at(self.text.len() as u32),
        }
    }

    /// Returns the text of the token number `at`.
    fn token_text(&self, at: u32) -> &'s str {
        self.span_at(at).of(self.text)
    }

    /// Returns the kind of the next significant token, without consuming it.
    #[inline]
    fn peek(&mut self) -> TokenKind {
        let kind = self.kind_at(self.pos);
        if !kind.is_trivia() || kind == TokenKind::Newline && self.newlines {
            return kind;
        }
        self.peek_further()
    }

    /// Skips comments and insignificant line ends, and returns the kind of the token after them.
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

    /// Skips comments and insignificant line ends, and returns the number of the token after them.
    fn start(&mut self) -> u32 {
        self.peek();
        self.pos
    }

    /// Consumes the token that `peek` returned last, which is not the end of the text.
    #[inline]
    fn step(&mut self) {
        self.pos += 1;
        self.last_end = self.pos;
    }

    /// Consumes the next significant token, unless it is the end of the text.
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

    /// Returns true if the next significant token is the identifier `word`.
    fn is_word(&mut self, word: &str) -> bool {
        self.peek() == TokenKind::Identifier && {
            let Span { start, end } = self.span_at(self.pos);
            self.text.as_bytes().get(start as usize..end as usize) == Some(word.as_bytes())
        }
    }

    /// Enters one level of nesting; returns `false`, after a report, if the maximum depth is reached.
    #[inline]
    fn enter(&mut self) -> bool {
        if self.depth < self.deepest {
            self.depth += 1;
            return true;
        }
        self.refuse_depth()
    }

    /// Reports that the maximum nesting depth is exceeded; always returns false.
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

    /// Leaves a level of nesting that `enter` has entered.
    fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Returns the span that a diagnostic about the next token marks: the token; only the dot of `.name` or the opening quote
    /// of a string; the line end before the token if that begins another item.
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

    /// Returns the span of the first line end in the token number `at`, which may contain several.
    fn line_end_at(&self, at: u32) -> Span {
        let span = self.span_at(at);
        let length = if span.of(self.text).starts_with('\r') { 2 } else { 1 };
        Span::new(span.start, span.start + length)
    }

    /// Reports an error at the next token, unless one was reported at this token already.
    fn complain(&mut self, code: &'static DiagnosticCode, detail: impl Into<String>) {
        let span = self.here();
        self.complain_at(code, span, detail);
    }

    /// Reports an error at `span`, unless one was reported at the next token already.
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

    /// Returns true if no error was reported at the next token yet, and records that one is reported now.
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

    /// Adds a diagnostic, unless the maximum number is reached.
    fn report(&mut self, diagnostic: Diagnostic) {
        if self.diagnostics.len() < DIAGNOSTIC_LIMIT {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Returns the place of a span in the parsed file.
    fn place(&self, span: Span) -> Place {
        Place::new(self.file, span)
    }

    /// Returns a description of the token number `at` for messages, such as `this heredoc`.
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
