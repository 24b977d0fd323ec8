//! Text to tokens, with a stack of modes: code, quoted text, heredocs, template files, and code inside those.
//! Line ends are always tokens here; whether they count is the parser's affair.

pub(crate) mod escape;
pub(crate) mod identifier;
pub(crate) mod number;
mod scan;
mod template;

use crate::codes;
use crate::diagnostic::{Diagnostic, DiagnosticCode};
use crate::kind::TokenKind;
use crate::span::{FileId, Place, Span};
use crate::tree::Token;

/// How many diagnostics one text gets at most; more would only bury the first ones.
pub(crate) const DIAGNOSTIC_LIMIT: usize = 200;

/// The tokens of a text and what is wrong with its characters.
pub(crate) struct Lexed {
    pub(crate) tokens: Vec<Token>,
    /// The kind of each token once more, by itself: the parser looks at little else.
    pub(crate) kinds: Vec<TokenKind>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// What a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Start {
    /// Arguments, blocks or an expression.
    Code,
    /// A template.
    Template,
}

#[derive(Clone, Copy, Debug)]
enum Mode {
    /// Code between `${` or `%{` and `}`; `outer` is the count of open braces around the template.
    Sequence { outer: u32, start: u32 },
    /// Between quotes.
    Quoted { start: u32 },
    /// Between markers.
    Heredoc { marker: Span, line_start: bool, open: Span },
    /// The text of a template file.
    Bare,
}

pub(crate) struct Lexer<'s> {
    text: &'s str,
    bytes: &'s [u8],
    file: FileId,
    at: usize,
    pub(crate) tokens: Vec<Token>,
    /// With so many tokens the lexer rests until it is told to go on.
    rest: usize,
    modes: Vec<Mode>,
    braces: u32,
    /// How many heredocs were closed by a guess; each guess reads the rest of the text once.
    guesses: u32,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Splits a text into tokens. The last is [`TokenKind::End`].
pub(crate) fn lex(text: &str, file: FileId, start: Start) -> Lexed {
    let mut lexer = Lexer::new(text, file, start, usize::MAX);
    lexer.tokens.reserve(text.len() / 5 + 8);
    lexer.run();
    let end = text.len() as u32;
    lexer.tokens.push(Token::new(TokenKind::End, end, end));
    let kinds = lexer.tokens.iter().map(|token| token.kind()).collect();
    Lexed { tokens: lexer.tokens, kinds, diagnostics: lexer.diagnostics }
}

impl<'s> Lexer<'s> {
    /// A lexer that rests whenever it has `rest` tokens.
    pub(crate) fn new(text: &'s str, file: FileId, start: Start, rest: usize) -> Lexer<'s> {
        let modes = match start {
            Start::Code => Vec::new(),
            Start::Template => vec![Mode::Bare],
        };
        Lexer {
            text,
            bytes: text.as_bytes(),
            file,
            at: if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 },
            tokens: Vec::new(),
            rest,
            modes,
            braces: 0,
            guesses: 0,
            diagnostics: Vec::new(),
        }
    }

    fn run(&mut self) {
        self.go_on();
        self.finish();
    }

    /// Reads on, until there are enough tokens or the text ends.
    pub(crate) fn go_on(&mut self) {
        while self.at < self.bytes.len() && self.tokens.len() < self.rest {
            match self.modes.last() {
                None | Some(Mode::Sequence { .. }) => {
                    let depth = self.modes.len();
                    self.code(depth);
                }
                Some(Mode::Quoted { .. }) => self.quoted(),
                Some(Mode::Heredoc { .. }) => self.heredoc(),
                Some(Mode::Bare) => self.bare(),
            }
        }
    }

    fn push(&mut self, kind: TokenKind, start: usize, end: usize) {
        self.tokens.push(Token::new(kind, start as u32, end as u32));
        self.at = end;
    }

    #[inline(always)]
    fn byte(&self, at: usize) -> u8 {
        self.bytes.get(at).copied().unwrap_or(0)
    }

    fn report(
        &mut self,
        code: &'static DiagnosticCode,
        start: usize,
        end: usize,
        detail: impl Into<String>,
    ) {
        if self.diagnostics.len() < DIAGNOSTIC_LIMIT {
            let place = Place::new(self.file, Span::new(start as u32, end as u32));
            self.diagnostics.push(Diagnostic::error(code, detail).at(place));
        }
    }

    /// Past the blanks from `at` on, of which there is mostly one or none, and the byte there.
    #[inline(always)]
    fn past_blanks(&self, mut at: usize) -> (usize, u8) {
        let mut first = self.byte(at);
        if first == b' ' {
            at += 1;
            first = self.byte(at);
        }
        if first <= b' ' && (first == b' ' || first == b'\t') {
            at = scan::blanks(self.bytes, at);
            first = self.byte(at);
        }
        (at, first)
    }

    /// Reads code until a template begins or the sequence ends, which changes how many modes there are.
    fn code(&mut self, depth: usize) {
        while self.tokens.len() < self.rest {
            let (at, first) = self.past_blanks(self.at);
            self.at = at;
            if first.is_ascii_alphabetic() || first == b'_' {
                let mut end = identifier::end(self.text, at + 1);
                self.push(TokenKind::Identifier, at, end);
                // What mostly follows a name: a step, or the sign that sets it.
                while self.byte(end) == b'.' && self.byte(end + 1).is_ascii_alphabetic() {
                    let start = end;
                    end = identifier::end(self.text, start + 2);
                    self.push(TokenKind::DotName, start, end);
                }
                if let Some(b" = ") = self.bytes.get(end..end + 3) {
                    self.push(TokenKind::Equal, end + 1, end + 2);
                }
                continue;
            }
            let next = self.byte(at + 1);
            match first {
                b'0'..=b'9' => self.number(),
                b'\n' => {
                    let (after, next) = self.past_blanks(at + 1);
                    if matches!(next, b'\n' | b'\r') {
                        self.newline();
                    } else {
                        self.push(TokenKind::Newline, at, at + 1);
                        self.at = after;
                    }
                }
                b'\r' if next == b'\n' => self.newline(),
                b'"' => {
                    self.quote();
                    if self.modes.len() != depth {
                        return;
                    }
                }
                b'#' => self.comment(),
                b'/' if next == b'/' => self.comment(),
                b'/' if next == b'*' => self.block_comment(),
                b'{' => {
                    self.braces += 1;
                    self.push(TokenKind::OpenBrace, at, at + 1);
                }
                b'}' | b'~' if first == b'}' || next == b'}' => {
                    self.close_brace(if first == b'}' { at + 1 } else { at + 2 });
                    if self.modes.len() != depth {
                        return;
                    }
                }
                b'[' => self.push(TokenKind::OpenBracket, at, at + 1),
                b']' => self.push(TokenKind::CloseBracket, at, at + 1),
                b'(' => self.push(TokenKind::OpenParen, at, at + 1),
                b')' => self.push(TokenKind::CloseParen, at, at + 1),
                b',' => self.push(TokenKind::Comma, at, at + 1),
                b'.' => self.dot(),
                b'=' if next == b'=' => self.push(TokenKind::EqualEqual, at, at + 2),
                b'=' if next == b'>' => self.push(TokenKind::Arrow, at, at + 2),
                b'=' => self.push(TokenKind::Equal, at, at + 1),
                b':' if next == b':' => self.push(TokenKind::DoubleColon, at, at + 2),
                b':' => self.push(TokenKind::Colon, at, at + 1),
                b'?' => self.push(TokenKind::Question, at, at + 1),
                b'*' => self.push(TokenKind::Star, at, at + 1),
                b'+' => self.push(TokenKind::Plus, at, at + 1),
                b'-' => self.push(TokenKind::Minus, at, at + 1),
                b'/' => self.push(TokenKind::Slash, at, at + 1),
                b'%' => self.push(TokenKind::Percent, at, at + 1),
                b'!' if next == b'=' => self.push(TokenKind::NotEqual, at, at + 2),
                b'!' => self.push(TokenKind::Bang, at, at + 1),
                b'<' if next == b'=' => self.push(TokenKind::LessEqual, at, at + 2),
                b'<' => {
                    self.less(next);
                    if self.modes.len() != depth {
                        return;
                    }
                }
                b'>' if next == b'=' => self.push(TokenKind::GreaterEqual, at, at + 2),
                b'>' => self.push(TokenKind::Greater, at, at + 1),
                b'&' if next == b'&' => self.push(TokenKind::And, at, at + 2),
                b'|' if next == b'|' => self.push(TokenKind::Or, at, at + 2),
                0 if at >= self.bytes.len() => return,
                _ => self.other(),
            }
        }
    }

    fn number(&mut self) {
        let at = self.at;
        let end = at + number::length(&self.text[at..]);
        if let Err(fault) = number::check(&self.text[at..end]) {
            let text = &self.text[at..end];
            let detail = match fault {
                number::Fault::Shape if text.contains(['e', 'E']) => format!(
                    "`{text}` is not a number: it may have one decimal point, and after it one exponent."
                ),
                number::Fault::Shape => format!(
                    "`{text}` is not a number: it has more than one decimal point. To take an element of an \
                     element, write the indexes in brackets, as in `list[0][1]`."
                ),
                number::Fault::Exponent => {
                    format!("The exponent of `{text}` is too large: no number has room for it.")
                }
            };
            self.report(&codes::INVALID_NUMBER, at, end, detail);
        }
        self.push(TokenKind::Number, at, end);
    }

    /// A line end and the blank lines after it.
    fn newline(&mut self) {
        let start = self.at;
        let mut end = start;
        let mut at = start;
        loop {
            match self.byte(at) {
                b'\n' => end = at + 1,
                b'\r' if self.byte(at + 1) == b'\n' => end = at + 2,
                _ => break,
            }
            (at, _) = self.past_blanks(end);
        }
        self.push(TokenKind::Newline, start, end);
        self.at = at;
    }

    /// The end of the line that `at` is on: the offset of its line end or the end of the text.
    fn line_end(&self, at: usize) -> usize {
        let rest = &self.bytes[at..];
        let end = memchr::memchr(b'\n', rest).map_or(self.bytes.len(), |length| at + length);
        if end > at && end < self.bytes.len() && self.bytes[end - 1] == b'\r' {
            end - 1
        } else {
            end
        }
    }

    fn comment(&mut self) {
        let end = self.line_end(self.at);
        self.push(TokenKind::Comment, self.at, end);
    }

    fn block_comment(&mut self) {
        let start = self.at;
        let end = match self.text[start + 2..].find("*/") {
            Some(length) => start + 2 + length + 2,
            None => {
                let detail = "The comment that starts here is never closed. Close it with `*/`.";
                self.report(&codes::UNCLOSED_COMMENT, start, start + 2, detail);
                self.bytes.len()
            }
        };
        self.push(TokenKind::Comment, start, end);
    }

    fn close_brace(&mut self, end: usize) {
        let start = self.at;
        if self.braces == 0
            && let Some(Mode::Sequence { outer, .. }) = self.modes.last().copied()
        {
            self.braces = outer;
            self.modes.pop();
            self.push(TokenKind::SequenceClose, start, end);
        } else {
            self.braces = self.braces.saturating_sub(1);
            // `~}` that closes no sequence is left to the parser to refuse.
            let kind =
                if end - start == 2 { TokenKind::SequenceClose } else { TokenKind::CloseBrace };
            self.push(kind, start, end);
        }
    }

    fn dot(&mut self) {
        let at = self.at;
        if self.bytes[at..].starts_with(b"...") {
            return self.push(TokenKind::Ellipsis, at, at + 3);
        }
        let next = self.byte(at + 1);
        if next.is_ascii_alphabetic() || next == b'_' {
            let end = identifier::end(self.text, at + 2);
            return self.push(TokenKind::DotName, at, end);
        }
        match identifier::length(&self.text[at + 1..]) {
            0 => self.push(TokenKind::Dot, at, at + 1),
            length => self.push(TokenKind::DotName, at, at + 1 + length),
        }
    }

    fn less(&mut self, next: u8) {
        if next != b'<' || !self.open_heredoc() {
            self.push(TokenKind::Less, self.at, self.at + 1);
        }
    }

    /// `<<NAME` or `<<-NAME` right before a line end. Says whether there was one.
    fn open_heredoc(&mut self) -> bool {
        let start = self.at;
        let name = if self.byte(start + 2) == b'-' { start + 3 } else { start + 2 };
        let end = name + identifier::length(self.text.get(name..).unwrap_or(""));
        if end == name {
            return false;
        }
        let close = match (self.byte(end), self.byte(end + 1)) {
            (b'\n', _) => end + 1,
            (b'\r', b'\n') => end + 2,
            _ => return false,
        };
        self.push(TokenKind::HeredocOpen, start, close);
        self.modes.push(Mode::Heredoc {
            marker: Span::new(name as u32, end as u32),
            line_start: true,
            open: Span::new(start as u32, end as u32),
        });
        true
    }

    /// Names in other scripts, and whatever means nothing.
    fn other(&mut self) {
        let at = self.at;
        let length = identifier::length(&self.text[at..]);
        if length > 0 {
            return self.push(TokenKind::Identifier, at, at + length);
        }
        let Some(c) = self.text[at..].chars().next() else { return };
        let end = at + c.len_utf8();
        match c {
            '\'' | '`' | '“' | '”' | '„' | '‘' | '’' | '«' | '»' => {
                self.wrong_quotes(c, end)
            }
            '&' | '|' => {
                let detail = format!("There is no operator `{c}`. For logic write `{c}{c}`.");
                self.report(&codes::UNSUPPORTED_OPERATOR, at, end, detail);
                self.push(TokenKind::Invalid, at, end);
            }
            '^' | '~' => {
                let detail = format!(
                    "There is no operator `{c}`.{}",
                    if c == '^' { " For a power call `pow`." } else { " To negate write `!`." }
                );
                self.report(&codes::UNSUPPORTED_OPERATOR, at, end, detail);
                self.push(TokenKind::Invalid, at, end);
            }
            _ => {
                let detail = match c {
                    ';' => "Semicolons mean nothing here. Start a new line instead.".to_owned(),
                    '$' if self.byte(end) == b'{' => {
                        "`${` starts an interpolation only inside quotes. In code write the expression itself."
                            .to_owned()
                    }
                    '\r' => {
                        "A carriage return without a line feed does not end a line. Save the file with \
                         usual line ends."
                            .to_owned()
                    }
                    '\u{feff}' => {
                        "A byte order mark may stand only at the very start of a file. Remove this one."
                            .to_owned()
                    }
                    '\0' => "The text holds a NUL byte: this is perhaps not a text file.".to_owned(),
                    c if c.is_whitespace() => format!(
                        "This looks like a blank but is the character U+{:04X}. Replace it by a space.",
                        c as u32
                    ),
                    c if c.is_control() => {
                        format!("The control character U+{:04X} means nothing here.", c as u32)
                    }
                    c => format!("The character `{c}` means nothing outside of quotes."),
                };
                self.report(&codes::INVALID_CHARACTER, at, end, detail);
                self.push(TokenKind::Invalid, at, end);
            }
        }
    }

    /// Text in quotes that are none: one token up to the quote that closes it on this line.
    fn wrong_quotes(&mut self, open: char, end: usize) {
        let at = self.at;
        let closes = |c: char| match open {
            '\'' | '`' => c == open,
            _ => matches!(c, '“' | '”' | '‘' | '’' | '«' | '»'),
        };
        let detail = format!("Text stands in double quotes: write `\"` instead of `{open}`.");
        self.report(&codes::WRONG_QUOTES, at, end, detail);
        let mut rest =
            self.text[end..].char_indices().take_while(|(_, c)| !matches!(c, '\n' | '\r'));
        match rest.find(|(_, c)| closes(*c)) {
            Some((length, close)) => {
                self.push(TokenKind::WrongQuotes, at, end + length + close.len_utf8());
            }
            None => self.push(TokenKind::Invalid, at, end),
        }
    }
}
