//! Parsing of calls, tuples, objects and both forms of `for`. Directly inside the braces of an object line ends separate items,
//! even if brackets are open around it.

use crate::codes;
use crate::diagnostic::{Diagnostic, DiagnosticCode};
use crate::kind::{NodeKind, TokenKind};
use crate::parse::Parser;
use crate::tree::build::NodeMark;

impl Parser<'_> {
    /// Parses the rest of a call with a namespaced name, `a::b::c(…)`, whose first part is the token `first`.
    pub(super) fn namespaced(&mut self, first: u32) {
        let mark = self.builder.mark();
        while self.eat(TokenKind::DoubleColon) {
            if !self.eat(TokenKind::Identifier) {
                let found = self.describe_next();
                let detail = format!("After `::` the name of a function is expected, not {found}.");
                self.complain(&codes::INVALID_CALL, detail);
                return self.builder.finish(NodeKind::Error, mark, first, self.last_end);
            }
        }
        if self.peek() != TokenKind::OpenParen {
            let name = self.span_at(first).join(self.span_at(self.last_end - 1)).of(self.text);
            let detail =
                format!("`{name}` is the name of a function and must be called: `{name}(…)`.");
            self.complain(&codes::INVALID_CALL, detail);
            return self.builder.finish(NodeKind::Error, mark, first, self.last_end);
        }
        self.call(first);
    }

    /// Parses the arguments of a call, `name(…)`, from the parenthesis on; `first` is the first token of its name.
    pub(super) fn call(&mut self, first: u32) {
        let mark = self.builder.mark();
        let open = self.pos;
        self.step();
        let newlines = std::mem::replace(&mut self.newlines, false);
        while self.peek() != TokenKind::CloseParen {
            self.expression();
            match self.peek() {
                TokenKind::Comma => self.step(),
                TokenKind::CloseParen => break,
                TokenKind::Ellipsis => {
                    let dots = self.span_at(self.pos);
                    self.bump();
                    if self.peek() != TokenKind::CloseParen {
                        let detail = "`...` expands the last argument only: `)` must follow it.";
                        self.complain_at(&codes::INVALID_CALL, dots, detail);
                        self.close_after_error(TokenKind::CloseParen);
                        return self.end_call(mark, first, newlines);
                    }
                }
                _ => {
                    if !self.missing_comma("argument", TokenKind::CloseParen, (first, open)) {
                        return self.end_call(mark, first, newlines);
                    }
                }
            }
        }
        self.step();
        self.end_call(mark, first, newlines);
    }

    /// Finishes the node of a call, which starts at `mark` with the token `first`, and restores `newlines`, the significance of
    /// line ends before it.
    fn end_call(&mut self, mark: NodeMark, first: u32, newlines: bool) {
        self.newlines = newlines;
        self.builder.finish(NodeKind::Call, mark, first, self.last_end);
    }

    /// Reports that neither a comma nor the bracket `close` follows an argument or element (`what`) of the construct with the
    /// first token and opening bracket `from`; returns true if the next token may be another item, else skips past the bracket.
    fn missing_comma(&mut self, what: &str, close: TokenKind, from: (u32, u32)) -> bool {
        let kind = self.peek();
        let boundary = self.at_next_item();
        let goes_on = !boundary
            && matches!(
                kind,
                TokenKind::Identifier
                    | TokenKind::Number
                    | TokenKind::String
                    | TokenKind::QuoteOpen
                    | TokenKind::HeredocOpen
                    | TokenKind::OpenBrace
                    | TokenKind::Bang
            );
        let is_call = close == TokenKind::CloseParen;
        let (code, sign) =
            if is_call { (&codes::UNCLOSED_CALL, ')') } else { (&codes::UNCLOSED_LIST, ']') };
        let opening = self.span_at(from.0).join(self.span_at(from.1));
        if self.fresh() {
            let here = self.here();
            let found = self.describe(self.pos);
            let diagnostic = if goes_on {
                let detail =
                    format!("Between two {what}s stands a comma. Write `,` before {found}.");
                Diagnostic::error(&codes::MISSING_COMMA, detail).at(self.place(here))
            } else if kind == TokenKind::End || boundary {
                let detail = format!(
                    "The bracket that opens here is never closed. Write `{sign}` after the last {what}."
                );
                Diagnostic::error(code, detail).at(self.place(opening))
            } else {
                let detail = match kind {
                    TokenKind::Equal if is_call => {
                        "Arguments of a function have no names: write the values only, in order.".to_owned()
                    }
                    TokenKind::Equal => {
                        "A list holds values without names. For names and values write an object in `{ }`.".to_owned()
                    }
                    TokenKind::Ellipsis => {
                        "`...` expands arguments of a call only. To join lists call `concat`.".to_owned()
                    }
                    _ => format!("After this {what} a comma or `{sign}` is expected, not {found}."),
                };
                let opened = self.place(self.span_at(from.1));
                Diagnostic::error(code, detail)
                    .at(self.place(here))
                    .note_at("The bracket opens here.", opened)
            };
            self.report(diagnostic);
        }
        if !goes_on {
            self.close_after_error(close);
        }
        goes_on
    }

    /// Parses a tuple or `[for …]`, from its opening bracket on.
    pub(super) fn tuple(&mut self) {
        let mark = self.builder.mark();
        let first = self.pos;
        self.step();
        let newlines = std::mem::replace(&mut self.newlines, false);
        if self.is_word("for") {
            self.comprehension(mark, first, false);
            self.newlines = newlines;
            return;
        }
        loop {
            if self.eat(TokenKind::CloseBracket) {
                break;
            }
            self.expression();
            match self.peek() {
                TokenKind::Comma => self.step(),
                TokenKind::CloseBracket => {}
                _ => {
                    if !self.missing_comma("element", TokenKind::CloseBracket, (first, first)) {
                        break;
                    }
                }
            }
        }
        self.newlines = newlines;
        self.builder.finish(NodeKind::Tuple, mark, first, self.last_end);
    }

    /// Parses an object or `{for …}`, from its opening brace on.
    pub(super) fn object(&mut self) {
        let mark = self.builder.mark();
        let first = self.pos;
        self.step();
        let newlines = std::mem::replace(&mut self.newlines, false);
        if self.is_word("for") {
            self.comprehension(mark, first, true);
            self.newlines = newlines;
            return;
        }
        self.pos = self.last_end;
        self.newlines = true;
        let column = if self.by_indentation { self.indentation(first) } else { 0 };
        loop {
            let mut kind = self.peek();
            while kind == TokenKind::Newline {
                self.step();
                kind = self.peek();
            }
            let least = if kind == TokenKind::CloseBrace { column } else { column + 1 };
            if self.is_outdented(least) && kind != TokenKind::End {
                self.outdented_object(first);
                break;
            }
            if kind == TokenKind::CloseBrace {
                self.step();
                break;
            }
            if kind == TokenKind::End || !self.object_item() {
                self.unclosed_object(first);
                break;
            }
        }
        self.newlines = newlines;
        self.builder.finish(NodeKind::Object, mark, first, self.last_end);
    }

    /// Reports and ends an unclosed object before a line that is indented less than the line of its opening brace, the token
    /// `first`.
    fn outdented_object(&mut self, first: u32) {
        let detail = "The object that opens here is not closed before what follows it. Write `}` after its last attribute.";
        let opened = self.span_at(first);
        self.complain_at(&codes::UNCLOSED_OBJECT, opened, detail);
        // The line end before it belongs to what comes next.
        self.pos -= 1;
        self.last_end = self.pos;
        self.reported = u32::MAX;
    }

    /// Reports an object without a closing brace and skips to one if possible; `first` is its opening brace.
    fn unclosed_object(&mut self, first: u32) {
        let opened = self.span_at(first);
        let in_item = self.peek() == TokenKind::End
            && self.kind_at(self.last_end.saturating_sub(1)) != TokenKind::Newline;
        if self.fresh() {
            let detail =
                "The object that opens here is never closed. Write `}` after the last attribute.";
            let diagnostic = if in_item {
                Diagnostic::error(&codes::UNCLOSED_OBJECT, detail).at(self.place(opened))
            } else {
                let here = self.here();
                let found = self.describe(self.pos);
                let detail = format!(
                    "The object is not closed before {found}. Write `}}` after its last attribute."
                );
                let opened = self.place(opened);
                Diagnostic::error(&codes::UNCLOSED_OBJECT, detail)
                    .at(self.place(here))
                    .note_at("The object opens here.", opened)
            };
            self.report(diagnostic);
        }
        self.unclosed_block |= self.kind_at(self.pos) == TokenKind::End;
        self.close_after_error(TokenKind::CloseBrace);
    }

    /// Parses an object item, `key = value`, and the separator after it; returns `false` if no further item can follow.
    fn object_item(&mut self) -> bool {
        let before = self.pos;
        self.expression();
        if matches!(self.peek(), TokenKind::Equal | TokenKind::Colon) {
            self.step();
            self.expression();
        } else {
            let found = self.describe_next();
            let detail = match self.kind_at(self.pos) {
                TokenKind::Arrow => {
                    "Between name and value of an attribute stands `=`; `=>` belongs to `for` expressions.".to_owned()
                }
                TokenKind::OpenBrace => {
                    "An object holds attributes only: write `=` between the name and this brace.".to_owned()
                }
                _ => format!("After the name of an attribute `=` and its value are expected, not {found}."),
            };
            self.complain(&codes::INVALID_OBJECT_ITEM, detail);
            self.missing();
            self.skip_until(|kind| matches!(kind, TokenKind::Newline | TokenKind::Comma));
        }
        match self.peek() {
            TokenKind::Comma => self.step(),
            TokenKind::Newline | TokenKind::CloseBrace => {}
            TokenKind::Identifier
            | TokenKind::String
            | TokenKind::OpenParen
            | TokenKind::QuoteOpen
                if self.pos > before =>
            {
                let found = self.describe_next();
                let detail = format!(
                    "Attributes of an object are separated by commas or line ends. Write `,` before {found}, or start a \
                     new line."
                );
                self.complain(&codes::INVALID_OBJECT_ITEM, detail);
            }
            TokenKind::End
            | TokenKind::SequenceClose
            | TokenKind::CloseBracket
            | TokenKind::CloseParen => {
                return false;
            }
            _ => {
                let found = self.describe_next();
                let detail = format!(
                    "After the value a comma, a line end or `}}` is expected, not {found}."
                );
                self.complain(&codes::INVALID_OBJECT_ITEM, detail);
                self.skip_until(|kind| matches!(kind, TokenKind::Newline | TokenKind::Comma));
                if self.pos == before {
                    return false;
                }
                self.eat(TokenKind::Comma);
            }
        }
        true
    }

    /// Parses the names of a `for` with the word `in`, as in `for a, b in`; returns false after an error, which is reported with
    /// `code`.
    pub(super) fn for_names(&mut self, code: &'static DiagnosticCode) -> bool {
        self.bump();
        if !self.eat(TokenKind::Identifier) {
            let found = self.describe_next();
            let detail = format!(
                "After `for` a name is expected, not {found}: `for value in …` or `for key, value in …`."
            );
            self.complain(code, detail);
            return false;
        }
        if self.eat(TokenKind::Comma) && !self.eat(TokenKind::Identifier) {
            let found = self.describe_next();
            let detail = format!(
                "After the comma a second name is expected, not {found}: `for key, value in …`."
            );
            self.complain(code, detail);
            return false;
        }
        if !self.is_word("in") {
            let found = self.describe_next();
            let detail = match self.kind_at(self.pos) {
                TokenKind::Comma => {
                    "A `for` has at most two names: `for key, value in …`.".to_owned()
                }
                _ => format!("After the names of a `for` the word `in` is expected, not {found}."),
            };
            self.complain(code, detail);
            return false;
        }
        self.bump();
        true
    }

    /// Parses a `for` expression, in braces if `is_object`, from the word `for` on, to a node that starts at `mark` with the
    /// token `first`, the opening bracket.
    fn comprehension(&mut self, mark: NodeMark, first: u32, is_object: bool) {
        let (kind, close, sign) = if is_object {
            (NodeKind::ForObject, TokenKind::CloseBrace, '}')
        } else {
            (NodeKind::ForTuple, TokenKind::CloseBracket, ']')
        };
        if !self.for_names(&codes::INVALID_FOR) {
            self.close_after_error(close);
            self.builder.rewind(mark);
            return self.builder.finish(NodeKind::Error, mark, first, self.last_end);
        }
        self.expression();
        if !self.eat(TokenKind::Colon) {
            let found = self.describe_next();
            let detail =
                format!("Before the result of a `for` stands a colon. Write `:` before {found}.");
            self.complain(&codes::INVALID_FOR, detail);
            self.close_after_error(close);
            self.builder.rewind(mark);
            return self.builder.finish(NodeKind::Error, mark, first, self.last_end);
        }
        self.for_result(is_object);
        if self.is_word("if") {
            self.bump();
            self.expression();
        }
        if !self.eat(close) {
            let found = self.describe_next();
            let detail = match self.kind_at(self.pos) {
                TokenKind::Arrow => "There is one `=>` too many.".to_owned(),
                _ => format!(
                    "The `for` expression is not closed: `{sign}` is expected, not {found}."
                ),
            };
            if self.fresh() {
                let here = self.here();
                let opened = self.place(self.span_at(first));
                let diagnostic =
                    Diagnostic::error(&codes::INVALID_FOR, detail).at(self.place(here));
                self.report(diagnostic.note_at("It opens here.", opened));
            }
            self.close_after_error(close);
        }
        self.builder.finish(kind, mark, first, self.last_end);
    }

    /// Parses the result of a `for` expression: `value` to one node, or `key => value...` to two if `is_object`.
    fn for_result(&mut self, is_object: bool) {
        let result = self.builder.mark();
        let first = self.start();
        self.expression();
        let span = self.span_at(first).join(self.span_at(self.last_end.max(first + 1) - 1));
        if self.peek() == TokenKind::Ellipsis {
            let dots = self.span_at(self.pos);
            self.bump();
            let detail = if is_object {
                "`...` groups the values of an object: it stands after `key => value`."
            } else {
                "`...` groups the values of equal keys, so it needs the form `{for … : key => value...}`."
            };
            if self.peek() == TokenKind::Arrow {
                self.complain(&codes::INVALID_FOR, detail);
            } else {
                self.complain_at(&codes::INVALID_FOR, dots, detail);
            }
        }
        if self.peek() == TokenKind::Arrow {
            if !is_object {
                let detail =
                    "In `[for …]` there are no keys. For an object write `{for … : key => value}`.";
                self.complain_at(&codes::INVALID_FOR, span, detail);
                self.builder.rewind(result);
            }
            self.bump();
            self.expression();
            if self.peek() == TokenKind::Ellipsis {
                self.bump();
            }
        } else if is_object {
            let found = self.describe_next();
            if self.kind_at(self.pos) == TokenKind::CloseBrace {
                let detail = "In `{for …}` the result has a key and a value: write `key => value`. For a list write \
                              `[for …]`.";
                self.complain_at(&codes::INVALID_FOR, span, detail);
            } else {
                let detail = format!("After the key `=>` and the value are expected, not {found}.");
                self.complain(&codes::INVALID_FOR, detail);
            }
            self.missing();
        }
    }
}
