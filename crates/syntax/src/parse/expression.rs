//! Parsing of operators, operands and the steps after them. Operators are parsed with a stack of six entries, one for each
//! precedence, so that only brackets cause recursion.

use crate::ast::BinaryOp;
use crate::codes;
use crate::kind::{NodeKind, TokenKind};
use crate::parse::Parser;
use crate::span::Span;
use crate::tree::build::NodeMark;

impl Parser<'_> {
    /// Parses an expression to exactly one node with its children.
    pub(super) fn expression(&mut self) {
        if !self.short() {
            self.long();
        }
    }

    /// Parses an expression that the fast path, [`Parser::short`], does not cover.
    #[inline(never)]
    fn long(&mut self) {
        if !self.enter() {
            return self.too_deep();
        }
        let mark = self.builder.mark();
        let first = self.start();
        let after = self.operand(mark, first);
        if !after.ends_expression() && after != TokenKind::Newline {
            self.operation(mark, first, after);
            if self.peek() == TokenKind::Question {
                self.conditional(mark, first);
            }
        }
        self.leave();
    }

    /// Parses an expression that is only a literal or a traversal of names, the most common cases; returns false for all
    /// others, without consuming a token.
    #[inline]
    fn short(&mut self) -> bool {
        let kind = self.peek();
        let first = self.pos;
        let mut end = first + 1;
        let node = match kind {
            TokenKind::String => NodeKind::String,
            TokenKind::Number => NodeKind::Number,
            // After a line end it may be the next item.
            TokenKind::Identifier if self.newlines || first == self.last_end => {
                while self.kind_at(end) == TokenKind::DotName {
                    end += 1;
                }
                NodeKind::Traversal
            }
            _ => return false,
        };
        let after = self.kind_at(end);
        let ends = after.ends_expression() || self.newlines && after == TokenKind::Newline;
        if !ends || self.depth >= self.deepest {
            return false;
        }
        (self.pos, self.last_end) = (end, end);
        self.builder.leaf(node, first, end);
        true
    }

    /// Skips an expression that exceeds the maximum nesting depth, and adds an error node for it.
    fn too_deep(&mut self) {
        let first = self.start();
        let newlines = self.newlines;
        self.skip_until(|kind| kind == TokenKind::Comma || newlines && kind == TokenKind::Newline);
        self.builder.leaf(NodeKind::Error, first, self.last_end.max(first));
    }

    /// Parses the rest of a conditional, `? a : b`, to a node over the condition too, which starts at `mark` with the token
    /// `first`.
    fn conditional(&mut self, mark: NodeMark, first: u32) {
        let question = self.span_at(self.pos);
        self.bump();
        self.expression();
        if self.eat(TokenKind::Colon) {
            self.expression();
        } else {
            let found = self.describe_next();
            let detail = format!(
                "A conditional is written `condition ? a : b`. Its `:` and second result are missing before {found}."
            );
            if self.fresh() {
                let here = self.here();
                let note = self.place(question);
                let diagnostic = crate::Diagnostic::error(&codes::INCOMPLETE_CONDITIONAL, detail)
                    .at(self.place(here));
                self.report(diagnostic.note_at("The conditional's `?` is here.", note));
            }
            self.missing();
        }
        self.builder.finish(NodeKind::Conditional, mark, first, self.last_end);
    }

    /// Returns a description of the next token for messages, such as `the end of the line`.
    pub(super) fn describe_next(&mut self) -> String {
        self.peek();
        self.describe(self.pos)
    }

    /// Adds an empty error node in place of a missing expression.
    pub(super) fn missing(&mut self) {
        self.builder.leaf(NodeKind::Error, self.last_end, self.last_end);
    }

    /// Parses the binary operators after an operand, which starts at `mark` with the token `first`, with their right operands;
    /// `after` is the kind of the next token.
    fn operation(&mut self, mut mark: NodeMark, mut first: u32, mut after: TokenKind) {
        let mut pending = [(0u8, mark, 0u32); 6];
        let mut open = 0;
        loop {
            let strength = BinaryOp::of(after).map_or(0, BinaryOp::strength);
            while open > 0 && pending[open - 1].0 >= strength {
                open -= 1;
                (_, mark, first) = pending[open];
                self.builder.finish(NodeKind::Binary, mark, first, self.last_end);
            }
            if strength == 0 {
                return;
            }
            self.step();
            pending[open] = (strength, mark, first);
            open += 1;
            (mark, first) = (self.builder.mark(), self.start());
            after = self.operand(mark, first);
        }
    }

    /// Parses an operand with its prefix operators and steps to a node that begins at `mark`, from the token `first` on; returns
    /// the kind of the token after it.
    fn operand(&mut self, mark: NodeMark, first: u32) -> TokenKind {
        match self.kind_at(first) {
            TokenKind::Minus | TokenKind::Bang => self.signed(mark, first),
            kind => self.unsigned(kind, mark, first),
        }
    }

    /// Parses an operand that begins with a prefix operator, `-` or `!`, the token `outermost`, to a node that begins at `mark`;
    /// returns the kind of the token after it.
    fn signed(&mut self, mark: NodeMark, outermost: u32) -> TokenKind {
        let mut signs = 0;
        while matches!(self.peek(), TokenKind::Minus | TokenKind::Bang) {
            if !self.enter() {
                self.too_deep();
                break;
            }
            self.bump();
            signs += 1;
        }
        if self.builder.mark() == mark {
            let kind = self.peek();
            self.unsigned(kind, mark, self.pos);
        }
        let mut at = self.last_sign(outermost, signs);
        for _ in 0..signs {
            self.leave();
            self.builder.finish(NodeKind::Unary, mark, at, self.last_end);
            while at > outermost {
                at -= 1;
                if !self.kind_at(at).is_trivia() {
                    break;
                }
            }
        }
        self.peek()
    }

    /// Parses an operand without prefix operators, from the token `first` of kind `kind` on, and the steps after it, to a node
    /// that begins at `mark`; returns the kind of the token after both.
    #[inline]
    fn unsigned(&mut self, kind: TokenKind, mark: NodeMark, first: u32) -> TokenKind {
        self.primary(kind, first);
        match self.peek() {
            TokenKind::DotName | TokenKind::Dot | TokenKind::OpenBracket => {
                self.steps(mark, first);
                self.peek()
            }
            after => after,
        }
    }

    /// Returns the token number of the last of several prefix operators: `signs` is their number, `first` the first one.
    fn last_sign(&self, first: u32, signs: u32) -> u32 {
        let mut at = first;
        for _ in 1..signs {
            at += 1;
            while self.kind_at(at).is_trivia() {
                at += 1;
            }
        }
        at
    }

    /// Parses a literal, a name, a call, or an expression in brackets or quotes; it begins with the token `first`, which is of
    /// kind `kind`.
    #[inline]
    fn primary(&mut self, kind: TokenKind, first: u32) {
        match kind {
            TokenKind::Identifier
                if !self.newlines && first > self.last_end && self.at_next_item() =>
            {
                self.no_expression();
                self.missing();
            }
            TokenKind::Identifier => self.name(first),
            TokenKind::String => self.single(NodeKind::String),
            TokenKind::Number => self.single(NodeKind::Number),
            TokenKind::QuoteOpen => self.quoted(),
            TokenKind::HeredocOpen => self.heredoc(),
            TokenKind::OpenParen => self.parenthesised(),
            TokenKind::OpenBracket => self.tuple(),
            TokenKind::OpenBrace => self.object(),
            TokenKind::WrongQuotes => self.single(NodeKind::Error),
            _ => {
                self.no_expression();
                self.missing();
            }
        }
    }

    /// Consumes the next token and adds a node of kind `kind` for it.
    fn single(&mut self, kind: NodeKind) {
        self.step();
        self.builder.leaf(kind, self.last_end - 1, self.last_end);
    }

    /// Reports that an expression is missing before the next token.
    fn no_expression(&mut self) {
        let found = self.describe_next();
        let heredoc = self.kind_at(self.pos) == TokenKind::Less
            && (self.kind_at(self.pos + 1) == TokenKind::Less
                || self.pos > 0 && self.kind_at(self.pos - 1) == TokenKind::Less);
        let detail = match self.kind_at(self.pos) {
            _ if heredoc => "A heredoc starts with `<<NAME` or `<<-NAME`, without blanks, and the line ends there."
                .to_owned(),
            TokenKind::Plus => "There is no sign `+`. Write the number without it.".to_owned(),
            TokenKind::Identifier => {
                "The line ends where an expression is expected, and what follows begins something else.".to_owned()
            }
            TokenKind::Newline => "The value must begin on this line. To break the line, put the expression in \
                                   parentheses."
                .to_owned(),
            TokenKind::Equal => {
                "A value was expected before this `=`. To compare two values write `==`.".to_owned()
            }
            TokenKind::Percent if self.kind_at(self.pos + 1) == TokenKind::OpenBrace => {
                "`%{` starts a directive only inside quotes.".to_owned()
            }
            TokenKind::Ellipsis => "Before `...` an expression is expected.".to_owned(),
            TokenKind::End => "The text ends where an expression is expected.".to_owned(),
            _ => format!("An expression is expected before {found}."),
        };
        self.complain(&codes::MISSING_EXPRESSION, detail);
    }

    /// Parses the root of a traversal with the names after it, or a call; the first name is the token `first`.
    fn name(&mut self, first: u32) {
        self.step();
        match self.peek() {
            TokenKind::OpenParen => return self.call(first),
            TokenKind::DoubleColon => return self.namespaced(first),
            _ => {}
        }
        // Names that follow without anything between are part of this node.
        self.pos = self.last_end;
        while self.kind_at(self.pos) == TokenKind::DotName {
            self.pos += 1;
        }
        self.last_end = self.pos;
        self.builder.leaf(NodeKind::Traversal, first, self.pos);
    }

    /// Parses an expression in parentheses, from the opening one on.
    fn parenthesised(&mut self) {
        let mark = self.builder.mark();
        let first = self.pos;
        self.bump();
        let newlines = std::mem::replace(&mut self.newlines, false);
        self.expression();
        if !self.eat(TokenKind::CloseParen) {
            let open = self.span_at(first);
            let found = self.describe_next();
            let word = self.token_text(first + 1);
            let detail = if word == "for" && self.kind_at(first + 1) == TokenKind::Identifier {
                "A `for` expression stands in `[ ]` or `{ }`, not in parentheses.".to_owned()
            } else {
                format!(
                    "The parenthesis is not closed before {found}. Write `)`, or an operator if the expression goes on."
                )
            };
            if self.fresh() {
                let here = self.here();
                let diagnostic = crate::Diagnostic::error(&codes::UNCLOSED_PARENTHESIS, detail)
                    .at(self.place(here));
                let opened = self.place(open);
                self.report(diagnostic.note_at("The parenthesis opens here.", opened));
            }
            self.close_after_error(TokenKind::CloseParen);
        }
        self.newlines = newlines;
        self.builder.finish(NodeKind::Parenthesised, mark, first, self.last_end);
    }

    /// Parses the steps after an operand, which starts with the token `first` and whose node begins at `mark`: `.name`, `.0`,
    /// `[key]`, splats.
    fn steps(&mut self, mark: NodeMark, first: u32) {
        loop {
            match self.peek() {
                TokenKind::DotName => {
                    self.bump();
                    self.builder.finish(NodeKind::Attribute, mark, first, self.last_end);
                }
                TokenKind::Dot => {
                    self.bump();
                    match self.peek() {
                        TokenKind::Identifier => {
                            self.bump();
                            self.builder.finish(NodeKind::Attribute, mark, first, self.last_end);
                        }
                        TokenKind::Number => self.legacy_index(mark, first),
                        TokenKind::Star => self.splat_attribute(mark, first),
                        _ => return self.no_step(mark, first),
                    }
                }
                TokenKind::OpenBracket => self.bracket(mark, first),
                _ => return,
            }
        }
    }

    /// Reports a dot that is not followed by a valid step, and makes the operand before it, which starts at `mark` with the token
    /// `first`, an error node.
    fn no_step(&mut self, mark: NodeMark, first: u32) {
        let found = self.describe_next();
        let detail = match self.kind_at(self.pos) {
            TokenKind::OpenBracket => "An index follows directly, without a dot. Remove the dot.".to_owned(),
            TokenKind::String | TokenKind::QuoteOpen => {
                "An attribute with a name in quotes is taken with brackets: write `[\"name\"]` instead of `.\"name\"`."
                    .to_owned()
            }
            TokenKind::OpenParen => {
                "An attribute whose name is computed is taken with brackets: write `[name]` instead of `.(name)`."
                    .to_owned()
            }
            TokenKind::Dot | TokenKind::DotName => "There is one dot too many.".to_owned(),
            _ => format!("After the dot the name of an attribute is expected, not {found}."),
        };
        self.complain(&codes::INVALID_STEP, detail);
        self.builder.finish(NodeKind::Error, mark, first, self.last_end);
    }

    /// Parses the number of a legacy index, `.0`, after the dot, to a node over the operand too, which starts at `mark` with the
    /// token `first`; reports a number with a fraction, as in `.0.1`.
    fn legacy_index(&mut self, mark: NodeMark, first: u32) {
        let text = self.token_text(self.pos);
        if text.contains('.') {
            let steps: String = text.split('.').map(|part| format!("[{part}]")).collect();
            let detail = format!(
                "`{text}` reads as a fraction here. Write the indexes in brackets: `{steps}`."
            );
            let span = self.span_at(self.pos);
            self.complain_at(&codes::INVALID_STEP, span, detail);
            self.bump();
            return self.builder.finish(NodeKind::Error, mark, first, self.last_end);
        }
        self.bump();
        self.builder.finish(NodeKind::LegacyIndex, mark, first, self.last_end);
    }

    /// Parses an index, `[key]`, or a splat with brackets, `[*]`, from the bracket on, to a node over the operand too, which
    /// starts at `mark` with the token `first`.
    fn bracket(&mut self, mark: NodeMark, first: u32) {
        let open = self.pos;
        self.bump();
        // The star of a splat keeps to the line rules around the brackets; a key does not.
        if self.peek() == TokenKind::Star {
            self.bump();
            if !self.eat(TokenKind::CloseBracket) {
                let newlines = std::mem::replace(&mut self.newlines, false);
                self.unclosed_index(open);
                self.newlines = newlines;
            }
            return self.splat_full(mark, first);
        }
        let newlines = std::mem::replace(&mut self.newlines, false);
        self.expression();
        if !self.eat(TokenKind::CloseBracket) {
            self.unclosed_index(open);
        }
        self.newlines = newlines;
        self.builder.finish(NodeKind::Index, mark, first, self.last_end);
    }

    /// Reports an index that does not end after one expression and skips to its closing bracket if there is one; `open` is its
    /// opening bracket.
    fn unclosed_index(&mut self, open: u32) {
        let fresh = self.fresh();
        let here = self.here();
        let found = self.describe_next();
        let is_slice = self.kind_at(self.pos) == TokenKind::Colon;
        let closed = self.close_after_error(TokenKind::CloseBracket);
        if fresh {
            let span = if closed { self.span_at(self.last_end - 1) } else { here };
            let detail = match (is_slice, closed) {
                (true, _) => {
                    "An index is one expression; there are no slices `[a:b]`. Call `slice` instead."
                        .to_owned()
                }
                (_, true) => format!(
                    "An index is one expression, and `]` follows it. Here {found} stands between the two."
                ),
                (_, false) => format!("The index is not closed: `]` is missing before {found}."),
            };
            let opened = self.place(self.span_at(open));
            let diagnostic =
                crate::Diagnostic::error(&codes::UNCLOSED_INDEX, detail).at(self.place(span));
            self.report(diagnostic.note_at("The bracket opens here.", opened));
        }
        self.reported = self.pos;
    }

    /// Parses the steps after a splat `[*]`, all of which apply to each element, to a node over the operand too, which starts at
    /// `mark` with the token `first`.
    fn splat_full(&mut self, mark: NodeMark, first: u32) {
        let item = self.builder.mark();
        let after = self.last_end;
        self.builder.leaf(NodeKind::SplatItem, after, after);
        if self.enter() {
            self.steps(item, after);
            self.leave();
        } else {
            let newlines = self.newlines;
            self.skip_until(|kind| {
                kind == TokenKind::Comma || newlines && kind == TokenKind::Newline
            });
        }
        self.builder.finish(NodeKind::SplatFull, mark, first, self.last_end);
    }

    /// Parses a splat `.*` from the `*` on, with the steps that apply to each element, only `.name` and `.0`, to a node over the
    /// operand too, which starts at `mark` with the token `first`.
    fn splat_attribute(&mut self, mark: NodeMark, first: u32) {
        let star = self.span_at(self.pos);
        self.bump();
        let item = self.builder.mark();
        let after = self.last_end;
        self.builder.leaf(NodeKind::SplatItem, after, after);
        loop {
            match self.peek() {
                TokenKind::DotName => {
                    self.bump();
                    self.builder.finish(NodeKind::Attribute, item, after, self.last_end);
                }
                TokenKind::Dot => {
                    self.bump();
                    match self.peek() {
                        TokenKind::Identifier => {
                            self.bump();
                            self.builder.finish(NodeKind::Attribute, item, after, self.last_end);
                        }
                        TokenKind::Number if !self.token_text(self.pos).contains('.') => {
                            self.bump();
                            self.builder.finish(NodeKind::LegacyIndex, item, after, self.last_end);
                        }
                        _ => {
                            self.no_splat_step(star);
                            self.builder.finish(NodeKind::Error, item, after, self.last_end);
                            break;
                        }
                    }
                }
                _ => break,
            }
        }
        self.builder.finish(NodeKind::SplatAttribute, mark, first, self.last_end);
    }

    /// Reports a step that is not allowed after a splat `.*`, whose `*` has the span `star`.
    fn no_splat_step(&mut self, star: Span) {
        let found = self.describe_next();
        let (span, detail) = match self.kind_at(self.pos) {
            TokenKind::Star => {
                let span = self.span_at(self.pos);
                (span, "`.*` cannot follow `.*`. Write `[*]` for both.".to_owned())
            }
            TokenKind::Number => {
                let text = self.token_text(self.pos);
                let detail = format!(
                    "After `.*` the number `{text}` reads as a fraction. Write `[*]`, and the indexes in brackets."
                );
                (star, detail)
            }
            _ => (
                star,
                format!("After `.*` and a dot the name of an attribute is expected, not {found}."),
            ),
        };
        self.complain_at(&codes::INVALID_SPLAT, span, detail);
        if matches!(self.kind_at(self.pos), TokenKind::Star | TokenKind::Number) {
            self.bump();
        }
    }
}
