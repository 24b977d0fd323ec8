//! Parsing of files and blocks: arguments and blocks, each on lines of its own.

use crate::codes;
use crate::diagnostic::Diagnostic;
use crate::kind::{NodeKind, TokenKind};
use crate::lex::scan;
use crate::parse::Parser;

/// Maximum number of arguments of a body among which repeated names are found by comparing all pairs; of more, the hashes are
/// sorted.
const FEW: usize = 12;

impl Parser<'_> {
    /// Parses a whole file, arguments and blocks, to a body node.
    pub(super) fn file(&mut self) {
        self.newlines = true;
        let mark = self.builder.mark();
        self.items(None);
        self.builder.finish(NodeKind::Body, mark, 0, self.tokens.len() as u32);
    }

    /// Parses the arguments and blocks of a body up to the closing brace of its block, or to the end of the text; `column`
    /// is that of the block's first word, `None` for the body of a file.
    fn items(&mut self, column: Option<u32>) {
        let names = self.names.len();
        loop {
            let kind = self.peek();
            // Most are, and a comparison is predicted better than a match with many arms.
            if kind == TokenKind::Identifier && !self.by_indentation {
                self.item();
                continue;
            }
            match kind {
                TokenKind::Newline => self.step(),
                TokenKind::End => break,
                TokenKind::CloseBrace if column.is_some() => break,
                TokenKind::CloseBrace => {
                    self.complain(
                        &codes::STRAY_BRACE,
                        "This `}` closes no block. Remove it, or add the line that opens one.",
                    );
                    self.bump();
                }
                TokenKind::Cut => self.bump(),
                TokenKind::Identifier => {
                    if column.is_some_and(|column| self.column(self.pos) <= column) {
                        break;
                    }
                    self.item();
                }
                TokenKind::String | TokenKind::WrongQuotes => self.quoted_item(),
                _ => self.no_item(),
            }
        }
        self.repeated(names);
    }

    /// Returns the column of the token number `at`: the bytes from the start of its line.
    pub(super) fn column(&self, at: u32) -> u32 {
        let start = self.span_at(at).start;
        let before = self.text.get(..start as usize).unwrap_or("");
        start - before.rfind('\n').map_or(0, |end| end as u32 + 1)
    }

    /// Reports the next token because neither an argument nor a block can start with it, and skips its line.
    fn no_item(&mut self) {
        let found = self.describe_next();
        let detail = match self.kind_at(self.pos) {
            TokenKind::Equal => "Before `=` the name of an argument is missing.".to_owned(),
            TokenKind::OpenBrace => "Before `{` the kind of a block is missing.".to_owned(),
            _ => format!(
                "Here an argument (`name = value`) or a block (`kind {{ … }}`) is expected, not {found}."
            ),
        };
        self.complain(&codes::ARGUMENT_OR_BLOCK, detail);
        self.skip_line();
    }

    /// Parses a line of a body that starts with a quoted string, which is an error; with `=` or `:` after it, it is read as an
    /// argument.
    fn quoted_item(&mut self) {
        let first = self.pos;
        let next = self.kind_at(first + 1);
        if next != TokenKind::Equal && next != TokenKind::Colon {
            return self.no_item();
        }
        let span = self.span_at(first);
        let detail = "Names of arguments stand without quotes. Remove the quotes.";
        self.complain_at(&codes::ARGUMENT_OR_BLOCK, span, detail);
        let mark = self.builder.mark();
        self.bump();
        self.bump();
        self.expression();
        let kind = match self.kind_at(first) {
            TokenKind::String => NodeKind::Argument,
            _ => NodeKind::Error,
        };
        self.builder.finish(kind, mark, first, self.last_end);
        self.end_item("argument");
    }

    /// Parses an argument or a block of a body, from its first word on.
    fn item(&mut self) {
        let mark = self.builder.mark();
        let first = self.pos;
        self.step();
        match self.peek() {
            TokenKind::Equal => {
                self.names
                    .push((first, scan::name_hash(self.text.as_bytes(), self.span_at(first))));
                self.step();
                self.expression();
                self.builder.finish(NodeKind::Argument, mark, first, self.last_end);
                self.end_item("argument");
            }
            TokenKind::OpenBrace
            | TokenKind::String
            | TokenKind::Identifier
            | TokenKind::QuoteOpen => {
                self.block(first);
            }
            TokenKind::Newline if self.brace_follows() => self.block(first),
            _ => self.neither(first),
        }
    }

    /// Reports a word in a body, the token `first`, that starts neither an argument nor a block; `name: value` is read as an
    /// argument, else the line is skipped.
    fn neither(&mut self, first: u32) {
        let found = self.describe_next();
        let name = self.token_text(first);
        let detail = match self.kind_at(self.pos) {
            TokenKind::Colon => {
                format!("Between an argument's name and value stands `=`: write `{name} = …`.")
            }
            TokenKind::DotName | TokenKind::Dot | TokenKind::OpenBracket => format!(
                "The name of an argument is one word; a part of `{name}` cannot be set by itself."
            ),
            TokenKind::EqualEqual => format!("To set `{name}` write `=`; `==` compares."),
            _ => format!(
                "After `{name}` comes `=` and a value, or the body of a block in `{{ }}`; here is {found}."
            ),
        };
        let span = self.span_at(first);
        self.complain_at(&codes::ARGUMENT_OR_BLOCK, span, detail);
        if self.kind_at(self.pos) == TokenKind::Colon {
            let mark = self.builder.mark();
            self.bump();
            self.expression();
            self.builder.finish(NodeKind::Argument, mark, first, self.last_end);
            return self.end_item("argument");
        }
        self.skip_line();
    }

    /// Consumes the line end after an argument or block, or reports that it is missing; `what` names the item in messages.
    #[inline]
    fn end_item(&mut self, what: &str) {
        match self.peek() {
            TokenKind::Newline => self.step(),
            _ => self.end_item_elsewhere(what),
        }
    }

    /// Reports that no line end follows an argument or block, called `what` in the message, unless the text or its block ends
    /// there, and skips the rest of the line.
    #[inline(never)]
    fn end_item_elsewhere(&mut self, what: &str) {
        match self.peek() {
            TokenKind::End => {}
            TokenKind::CloseBrace if self.crowded => {}
            TokenKind::Cut => {
                self.bump();
                self.end_item(what);
            }
            _ => {
                let found = self.describe_next();
                let detail = match self.kind_at(self.pos) {
                    TokenKind::Comma => {
                        format!("An {what} ends with its line, not with a comma. Remove the comma.")
                    }
                    TokenKind::CloseBrace => {
                        "In a block of several lines the closing brace stands on a line of its own."
                            .to_owned()
                    }
                    TokenKind::Identifier if matches!(self.token_text(self.pos), "and" | "or") => {
                        self.word_operator()
                    }
                    _ => format!(
                        "The {what} ends before {found}. Start a new line, or write an operator."
                    ),
                };
                self.complain(&codes::MISSING_LINE_END, detail);
                self.skip_line();
            }
        }
    }

    /// Skips the rest of the line, or up to the end of brackets that are open on it.
    fn skip_line(&mut self) {
        let before = self.pos;
        self.skip_until(|kind| kind == TokenKind::Newline);
        if self.pos == before
            && !matches!(self.kind_at(self.pos), TokenKind::Newline | TokenKind::CloseBrace)
        {
            self.bump();
        }
    }

    /// Parses the labels and the body of a block, `kind "label" { … }`, whose kind is the token `first`.
    fn block(&mut self, first: u32) {
        let mark = self.builder.mark();
        loop {
            match self.peek() {
                TokenKind::String | TokenKind::Identifier => self.step(),
                TokenKind::OpenBrace => break,
                TokenKind::QuoteOpen => {
                    let span = self.span_at(self.pos);
                    let detail = "A label is plain text: it cannot hold `${ }` or `%{ }`.";
                    let closed = self.label_template();
                    if closed {
                        self.report(
                            Diagnostic::error(&codes::INVALID_BLOCK, detail).at(self.place(span)),
                        );
                    }
                    self.builder.rewind(mark);
                }
                TokenKind::Cut => self.bump(),
                TokenKind::Newline if self.brace_follows() => {
                    self.brace_on_next_line();
                    break;
                }
                _ => return self.no_brace(first),
            }
        }
        let open = self.pos;
        let column = if self.by_indentation { self.column(first) } else { 0 };
        self.step();
        let inner = self.builder.mark();
        let crowded = std::mem::take(&mut self.crowded);
        if self.enter() {
            if !matches!(self.peek(), TokenKind::Newline | TokenKind::CloseBrace | TokenKind::End) {
                self.one_line(open);
            }
            self.items(Some(column));
            self.leave();
        } else {
            self.skip_until(|kind| kind == TokenKind::CloseBrace);
        }
        self.crowded = crowded;
        self.peek();
        self.builder.finish(NodeKind::Body, inner, open + 1, self.pos.max(open + 1));
        if !self.is_outdented(column) && self.eat(TokenKind::CloseBrace) {
            self.builder.finish(NodeKind::Block, mark, first, self.last_end);
            return self.end_item("block");
        }
        self.unclosed_block(first, open);
        self.builder.finish(NodeKind::Block, mark, first, self.last_end);
    }

    /// Returns true if the next line begins with the opening brace of a block.
    fn brace_follows(&self) -> bool {
        let mut at = self.pos;
        while self.kind_at(at).is_trivia() {
            at += 1;
        }
        self.kind_at(at) == TokenKind::OpenBrace
    }

    /// Reports a block's opening brace on the line after its labels, and skips the line ends before it.
    fn brace_on_next_line(&mut self) {
        let detail =
            "The opening brace of a block stands on the line of its kind and labels. Move it up.";
        self.complain(&codes::INVALID_BLOCK, detail);
        while self.peek() == TokenKind::Newline {
            self.bump();
        }
    }

    /// Returns true if indentation decides where blocks end, and the next token begins a line further left than `column`.
    #[inline]
    pub(super) fn is_outdented(&mut self, column: u32) -> bool {
        self.by_indentation && self.begins_before(column)
    }

    /// Returns true if the next token begins a line further left than `column`.
    #[inline(never)]
    fn begins_before(&mut self, column: u32) -> bool {
        self.peek();
        self.pos > 0
            && self.kind_at(self.pos - 1) == TokenKind::Newline
            && self.column(self.pos) < column
    }

    /// Returns the indentation, in bytes, of the line that contains a token.
    pub(super) fn indentation(&self, at: u32) -> u32 {
        let column = self.column(at);
        let start = self.span_at(at).start - column;
        let line = self.text.get(start as usize..).unwrap_or("");
        line.bytes().take_while(|byte| matches!(byte, b' ' | b'\t')).count() as u32
    }

    /// Parses a label that contains `${…}` or `%{…}`, which is an error; returns true if it has a closing quote.
    fn label_template(&mut self) -> bool {
        self.quoted();
        self.kind_at(self.last_end - 1) == TokenKind::QuoteClose
    }

    /// Reports a block, whose kind is the token `first`, without an opening brace after its labels, and skips the line.
    fn no_brace(&mut self, first: u32) {
        let found = self.describe_next();
        let kind = self.token_text(first);
        let second = self.kind_at(first + 1);
        let detail = match self.kind_at(self.pos) {
            TokenKind::Equal if second == TokenKind::Identifier => {
                "The name of an argument is one word; two stand before this `=`.".to_owned()
            }
            TokenKind::Newline if second == TokenKind::String && self.pos == first + 2 => format!(
                "To set `{kind}` write `=` before the value; a block goes on with `{{` on the same line."
            ),
            _ => format!("After the labels of a block `{{` is expected, not {found}."),
        };
        self.complain(&codes::INVALID_BLOCK, detail);
        self.skip_line();
    }

    /// Parses the content on the line of a block's opening brace, the token `open`: one argument, which the closing brace must
    /// follow.
    fn one_line(&mut self, open: u32) {
        if self.peek() != TokenKind::Identifier {
            return;
        }
        let mark = self.builder.mark();
        let first = self.pos;
        self.bump();
        if self.peek() != TokenKind::Equal {
            let detail = "A block on one line holds at most one argument. Put what stands in it on lines of its own.";
            self.complain(&codes::INVALID_BLOCK, detail);
            self.pos = first;
            self.last_end = first;
            self.crowded = true;
            return;
        }
        self.bump();
        self.expression();
        self.builder.finish(NodeKind::Argument, mark, first, self.last_end);
        if self.peek() == TokenKind::CloseBrace {
            return;
        }
        let found = self.describe_next();
        let detail = match self.kind_at(self.pos) {
            TokenKind::Comma => "A block on one line holds at most one argument. Put each on a line of its own.".to_owned(),
            TokenKind::Newline => {
                "A block whose first argument stands beside its opening brace must be closed on that line.".to_owned()
            }
            _ => format!("After the argument of a block on one line `}}` is expected, not {found}."),
        };
        if self.fresh() {
            let here = self.here();
            let opened = self.place(self.span_at(open));
            let diagnostic = Diagnostic::error(&codes::INVALID_BLOCK, detail).at(self.place(here));
            self.report(diagnostic.note_at("The block opens here.", opened));
        }
        self.skip_line();
    }

    /// Reports a block without a closing brace; `first` is the token of its kind, `open` that of its opening brace.
    fn unclosed_block(&mut self, first: u32, open: u32) {
        let is_end = self.kind_at(self.pos) == TokenKind::End;
        self.unclosed_block |= is_end;
        if is_end && self.swallowed {
            return;
        }
        if self.fresh() {
            let header = self.span_at(first).join(self.span_at(open));
            let detail = if is_end {
                "The block that opens here is never closed. Write `}` after its last line."
            } else {
                "The block that opens here is not closed before the next one at its level. Write `}` after its last line."
            };
            self.report(Diagnostic::error(&codes::UNCLOSED_BLOCK, detail).at(self.place(header)));
        }
    }

    /// Reports each argument name that a body repeats, and cuts `self.names` back to the length `from`, which it had before the
    /// body. Hashes are compared first.
    fn repeated(&mut self, from: usize) {
        let names = self.names.get(from..).unwrap_or(&[]);
        let suspicious = match names.len() {
            0..=FEW => names
                .iter()
                .enumerate()
                .any(|(index, (_, hash))| names[..index].iter().any(|(_, other)| other == hash)),
            _ => {
                let mut hashes: Vec<u64> = names.iter().map(|(_, hash)| *hash).collect();
                hashes.sort_unstable();
                hashes.windows(2).any(|pair| pair[0] == pair[1])
            }
        };
        if suspicious {
            self.report_repeated(from);
        }
        self.names.truncate(from);
    }

    /// Reports the repeated names among the arguments of a body, those in `names` from the index `from` on, by comparing the
    /// names themselves.
    #[cold]
    fn report_repeated(&mut self, from: usize) {
        let mut names: Vec<u32> = self.names[from..].iter().map(|(at, _)| *at).collect();
        let name = |at: u32| self.token_text(at);
        names.sort_by_key(|at| name(*at));
        let mut found = Vec::new();
        let mut first = 0;
        for index in 1..names.len() {
            if name(names[first]) == name(names[index]) {
                found.push((names[first], names[index]));
            } else {
                first = index;
            }
        }
        found.sort_unstable_by_key(|(_, again)| *again);
        for (first, again) in found {
            let (first, again) = (self.span_at(first), self.span_at(again));
            let detail = format!(
                "`{}` is set already. An argument has one value; remove one of the two.",
                again.of(self.text)
            );
            let first = self.place(first);
            let diagnostic =
                Diagnostic::error(&codes::DUPLICATE_ARGUMENT, detail).at(self.place(again));
            self.report(diagnostic.note_at("It is first set here.", first));
        }
    }
}
