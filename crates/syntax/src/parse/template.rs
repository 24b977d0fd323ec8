//! Parsing of quoted strings, heredocs and template files: text, interpolations and directives. Directives are not nested in the
//! tree: the parser checks that they match, and views nest them.

use crate::codes;
use crate::diagnostic::Diagnostic;
use crate::kind::{NodeKind, TokenKind};
use crate::parse::Parser;
use crate::span::Span;

/// An `if` or `for` directive whose end has not been parsed yet: its kind, its span, and true if an `else` was parsed.
struct OpenDirective {
    kind: NodeKind,
    has_else: bool,
    span: Span,
}

impl Parser<'_> {
    /// Parses a quoted string that contains `${…}` or `%{…}`, or has no closing quote, from its opening quote on.
    pub(super) fn quoted(&mut self) {
        let mark = self.builder.mark();
        let first = self.pos;
        self.bump();
        let newlines = std::mem::replace(&mut self.newlines, true);
        self.template_parts(TokenKind::QuoteClose);
        if self.kind_at(self.pos) == TokenKind::QuoteClose {
            self.bump();
        } else if self.kind_at(self.last_end - 1) != TokenKind::Cut {
            self.unclosed_string(first);
        }
        self.newlines = newlines;
        self.builder.finish(NodeKind::Quoted, mark, first, self.last_end);
    }

    /// Reports a quoted string without a closing quote; `first` is its opening quote.
    fn unclosed_string(&mut self, first: u32) {
        let at = self.pos;
        if self.kind_at(at) != TokenKind::Cut && self.reported == at {
            return;
        }
        self.reported = at;
        let span = match self.kind_at(at) {
            TokenKind::Newline => self.here(),
            _ => self.span_at(at),
        };
        let span = match self.kind_at(at) {
            // The line end follows the cuts.
            TokenKind::Cut => Span::new(span.start, (span.start + 1).min(self.text.len() as u32)),
            _ => span,
        };
        let detail = match self.kind_at(at) {
            TokenKind::End => "The text in quotes is never closed. Close it with `\"`.",
            _ => {
                "Text in quotes must end on the line where it begins. Close it with `\"`; for several lines use a \
                 heredoc or `\\n`."
            }
        };
        let opened = self.place(self.span_at(first));
        let diagnostic = Diagnostic::error(&codes::UNCLOSED_STRING, detail).at(self.place(span));
        self.report(diagnostic.note_at("It opens here.", opened));
    }

    /// Parses a heredoc, `<<NAME …`, to a node.
    pub(super) fn heredoc(&mut self) {
        let mark = self.builder.mark();
        let first = self.pos;
        self.bump();
        let newlines = std::mem::replace(&mut self.newlines, true);
        self.template_parts(TokenKind::HeredocClose);
        if self.kind_at(self.pos) == TokenKind::HeredocClose {
            self.bump();
        }
        self.newlines = newlines;
        self.builder.finish(NodeKind::Heredoc, mark, first, self.last_end);
    }

    /// Parses the text of a template file to a node.
    pub(super) fn bare(&mut self) {
        let mark = self.builder.mark();
        self.newlines = true;
        self.template_parts(TokenKind::End);
        self.builder.finish(NodeKind::Bare, mark, 0, self.tokens.len() as u32);
        self.unclosed_block = false;
    }

    /// Parses the text, interpolations and directives of a template, up to a token of kind `close`.
    fn template_parts(&mut self, close: TokenKind) {
        let mut open: Vec<OpenDirective> = Vec::new();
        loop {
            match self.kind_at(self.pos) {
                TokenKind::Literal => self.bump(),
                TokenKind::InterpolationOpen => self.interpolation(),
                TokenKind::DirectiveOpen => self.directive(&mut open),
                kind if kind == close
                    || kind == TokenKind::End
                    || close == TokenKind::QuoteClose =>
                {
                    break;
                }
                TokenKind::HeredocClose => break,
                // Tokens left over from a sequence with an error.
                _ => self.bump(),
            }
        }
        if let Some(top) = open.last() {
            self.never_ended(top);
        }
    }

    /// Reports an `if` or `for` directive without its end. A separate function because templates nest deeply, and each level
    /// would otherwise reserve stack for the report.
    #[cold]
    #[inline(never)]
    fn never_ended(&mut self, top: &OpenDirective) {
        if top.kind == NodeKind::DirectiveError || !self.fresh() {
            return;
        }
        let (word, end) = match top.kind {
            NodeKind::DirectiveIf => ("if", "endif"),
            _ => ("for", "endfor"),
        };
        let opened = self.place(top.span);
        let here = self.here();
        let detail = format!(
            "The `%{{ {word} }}` is never ended. Write `%{{ {end} }}` before the template ends."
        );
        let diagnostic =
            Diagnostic::error(&codes::UNBALANCED_DIRECTIVE, detail).at(self.place(here));
        self.report(diagnostic.note_at("It begins here.", opened));
    }

    /// Parses an interpolation, `${ … }`, to a node.
    fn interpolation(&mut self) {
        let mark = self.builder.mark();
        let first = self.pos;
        self.bump();
        let newlines = std::mem::replace(&mut self.newlines, false);
        self.expression();
        self.end_sequence(first, "interpolation");
        self.newlines = newlines;
        self.builder.finish(NodeKind::Interpolation, mark, first, self.last_end);
    }

    /// Consumes the `}` that ends a `${` or `%{` sequence, or reports that it is missing; `first` is the sequence's first token,
    /// and `what` names it in messages.
    fn end_sequence(&mut self, first: u32, what: &str) {
        match self.peek() {
            TokenKind::SequenceClose | TokenKind::Cut => self.bump(),
            _ => self.miss_end(first, what),
        }
    }

    /// Reports a `${` or `%{` sequence, with the first token `first` and called `what` in messages, that is not ended after its
    /// expression, and skips to its end.
    #[cold]
    #[inline(never)]
    fn miss_end(&mut self, first: u32, what: &str) {
        match self.peek() {
            TokenKind::End | TokenKind::QuoteClose if what == "directive" => {
                if self.fresh() {
                    let (opened, here) = (self.place(self.span_at(first)), self.here());
                    let detail = "The directive is never closed. Close it with `}` here.";
                    let diagnostic = Diagnostic::error(&codes::UNCLOSED_SEQUENCE, detail);
                    let diagnostic = diagnostic.at(self.place(here));
                    self.report(diagnostic.note_at("It starts here.", opened));
                }
            }
            TokenKind::End
            | TokenKind::QuoteOpen
            | TokenKind::QuoteClose
            | TokenKind::HeredocClose => {
                let opening = self.span_at(first);
                let detail = format!(
                    "The {what} that starts here is never closed. Close it with `}}` before the text goes on."
                );
                self.complain_at(&codes::UNCLOSED_SEQUENCE, opening, detail);
            }
            TokenKind::Colon => {
                let detail = format!(
                    "The {what} ends before this `:`. To write a literal `${{`, for another program to read, double the \
                     sign: `$${{`."
                );
                self.complain(&codes::UNCLOSED_SEQUENCE, detail);
            }
            _ => {
                let found = self.describe_next();
                let detail = format!(
                    "The {what} ends before {found}. Close it with `}}`, or write an operator."
                );
                self.complain(&codes::UNCLOSED_SEQUENCE, detail);
            }
        }
        self.skip_until(|kind| matches!(kind, TokenKind::SequenceClose | TokenKind::Cut));
        if matches!(self.kind_at(self.pos), TokenKind::SequenceClose | TokenKind::Cut) {
            self.bump();
        }
    }

    /// Parses a directive, `%{ … }`, to a node, and matches it to those in `open`, which still lack their `endif` or `endfor`.
    #[inline(never)]
    fn directive(&mut self, open: &mut Vec<OpenDirective>) {
        let mark = self.builder.mark();
        let first = self.pos;
        self.bump();
        let newlines = std::mem::replace(&mut self.newlines, false);
        let word =
            if self.peek() == TokenKind::Identifier { self.token_text(self.pos) } else { "" };
        let mut kind = match word {
            "if" => NodeKind::DirectiveIf,
            "else" => NodeKind::DirectiveElse,
            "endif" => NodeKind::DirectiveEndIf,
            "for" => NodeKind::DirectiveFor,
            "endfor" => NodeKind::DirectiveEndFor,
            _ => NodeKind::DirectiveError,
        };
        match kind {
            NodeKind::DirectiveError => self.unknown_directive(word),
            NodeKind::DirectiveFor => {
                if self.for_names(&codes::INVALID_DIRECTIVE) {
                    self.expression();
                } else {
                    kind = NodeKind::DirectiveError;
                }
            }
            NodeKind::DirectiveIf => {
                self.bump();
                self.expression();
            }
            _ => {
                self.bump();
                if !matches!(
                    self.peek(),
                    TokenKind::SequenceClose | TokenKind::Cut | TokenKind::End
                ) {
                    let detail = match word {
                        "else" if self.is_word("if") => {
                            "There is no `else if`. Nest an `%{ if … }` in the `%{ else }`, and end both.".to_owned()
                        }
                        _ => format!("Nothing may follow `{word}`."),
                    };
                    self.complain(&codes::INVALID_DIRECTIVE, detail);
                }
            }
        }
        self.end_sequence(first, "directive");
        self.newlines = newlines;
        self.builder.finish(kind, mark, first, self.last_end);
        let span = self.span_at(first).join(self.span_at(self.last_end - 1));
        self.match_directive(kind, word, span, open);
    }

    /// Reports a directive whose keyword, `word`, is unknown or missing.
    fn unknown_directive(&mut self, word: &str) {
        let found = self.describe_next();
        let detail = match word {
            "elseif" | "elsif" | "elif" => {
                "There is no `elseif`. Nest an `%{ if … }` in the `%{ else }`, and end both."
                    .to_owned()
            }
            _ => format!(
                "A directive is one of `if`, `else`, `endif`, `for` and `endfor`, not {found}."
            ),
        };
        self.complain(&codes::INVALID_DIRECTIVE, detail);
    }

    /// Adds a directive, with the keyword `word` and at `span`, to `open` if it is an `if` or `for`; checks that an `else`,
    /// `endif` or `endfor` matches the innermost of these, and removes one that has ended.
    fn match_directive(
        &mut self,
        kind: NodeKind,
        word: &str,
        span: Span,
        open: &mut Vec<OpenDirective>,
    ) {
        match kind {
            NodeKind::DirectiveIf | NodeKind::DirectiveFor => {
                if open.len() as u32 + self.depth >= self.deepest {
                    self.enter_too_deep(span);
                }
                open.push(OpenDirective { kind, has_else: false, span });
                return;
            }
            NodeKind::DirectiveError => {
                // The directive that was meant may have an end.
                if !matches!(word, "elseif" | "elsif" | "elif") {
                    open.push(OpenDirective { kind, has_else: true, span });
                }
                return;
            }
            _ => {}
        }
        let wanted = match kind {
            NodeKind::DirectiveEndFor => NodeKind::DirectiveFor,
            _ => NodeKind::DirectiveIf,
        };
        while open.last().is_some_and(|top| {
            top.kind == NodeKind::DirectiveError && open.iter().any(|open| open.kind == wanted)
        }) && kind == NodeKind::DirectiveElse
        {
            open.pop();
        }
        let Some(top) = open.last_mut() else {
            let detail = format!("`%{{ {word} }}` ends nothing here: no directive is open.");
            return self.report(
                Diagnostic::error(&codes::UNBALANCED_DIRECTIVE, detail).at(self.place(span)),
            );
        };
        if top.kind == NodeKind::DirectiveError {
            open.pop();
            return;
        }
        let opened = top.span;
        let detail = match (kind, top.kind == wanted) {
            (NodeKind::DirectiveElse, true) if top.has_else => {
                "This `%{ if }` has an `%{ else }` already.".to_owned()
            }
            (NodeKind::DirectiveElse, true) => {
                top.has_else = true;
                return;
            }
            (_, true) => {
                open.pop();
                return;
            }
            (_, false) => {
                let waits = if wanted == NodeKind::DirectiveIf { "for" } else { "if" };
                format!(
                    "The directive that is open here is `{waits}`: it must be ended before `{word}`."
                )
            }
        };
        if kind != NodeKind::DirectiveElse && open.iter().any(|open| open.kind == wanted) {
            while open.pop().is_some_and(|top| top.kind != wanted) {}
        } else if kind != NodeKind::DirectiveElse {
            open.pop();
        }
        let opened = self.place(opened);
        let diagnostic =
            Diagnostic::error(&codes::UNBALANCED_DIRECTIVE, detail).at(self.place(span));
        self.report(diagnostic.note_at("It begins here.", opened));
    }

    /// Reports that directives exceed the maximum nesting depth.
    fn enter_too_deep(&mut self, span: Span) {
        let detail = format!("Nesting deeper than {} levels is not read.", self.deepest);
        self.report(Diagnostic::error(&codes::NESTING_TOO_DEEP, detail).at(self.place(span)));
    }
}
