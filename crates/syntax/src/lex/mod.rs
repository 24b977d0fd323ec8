//! Lexer: splits a text into tokens, with a stack of modes: code, quoted text, heredocs, template files, and code inside those.
//! Line ends are always tokens here; the parser decides if they are significant.

pub(crate) mod escape;
pub(crate) mod identifier;
pub(crate) mod number;
pub(crate) mod scan;
mod template;

use crate::codes;
use crate::diagnostic::{Diagnostic, DiagnosticCode};
use crate::kind::TokenKind;
use crate::span::{FileId, Place, Span};
use crate::tree::TokenList;

/// Maximum number of diagnostics of one text; further ones are dropped, since they would only bury the first.
pub(crate) const DIAGNOSTIC_LIMIT: usize = 200;

/// The tokens of a text, and the diagnostics that the lexer reported.
pub(crate) struct LexedText {
    pub(crate) tokens: TokenList,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// The initial mode of the lexer: code or template text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LexStart {
    /// Code: arguments, blocks or an expression.
    Code,
    /// The text of a template file.
    Template,
}

/// A mode on the lexer's stack: inside a `${…}` or `%{…}` sequence, a quoted string, a heredoc or a template file.
#[derive(Clone, Copy, Debug)]
enum LexMode {
    /// Code between `${` or `%{` and `}`; `outer` is the number of open braces in the code around the template.
    Sequence { outer: u32, start: u32 },
    /// Between quotes.
    Quoted { start: u32 },
    /// Between markers.
    Heredoc { marker: Span, line_start: bool, open: Span },
    /// The text of a template file.
    Bare,
}

/// The kind of token that begins with each byte in code; [`TokenKind::End`] for bytes for which further bytes decide.
const BEGINS: [TokenKind; 256] = {
    let mut begins = [TokenKind::End; 256];
    let mut byte = 0;
    while byte < 0x80 {
        begins[byte] = match byte as u8 {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => TokenKind::Identifier,
            b'\n' => TokenKind::Newline,
            b'{' => TokenKind::OpenBrace,
            b'[' => TokenKind::OpenBracket,
            b']' => TokenKind::CloseBracket,
            b'(' => TokenKind::OpenParen,
            b')' => TokenKind::CloseParen,
            b',' => TokenKind::Comma,
            b'?' => TokenKind::Question,
            b'*' => TokenKind::Star,
            b'+' => TokenKind::Plus,
            b'-' => TokenKind::Minus,
            b'%' => TokenKind::Percent,
            _ => TokenKind::End,
        };
        byte += 1;
    }
    begins
};

/// The state of a lexer over one text: its offset, its mode stack, the tokens and the diagnostics so far.
pub(crate) struct Lexer<'s> {
    text: &'s str,
    bytes: &'s [u8],
    /// The bytes up to which the lexer runs before it pauses; a token that begins in them is read to its end.
    ahead: &'s [u8],
    file: FileId,
    at: usize,
    pub(crate) tokens: TokenList,
    modes: Vec<LexMode>,
    braces: u32,
    /// The number of unclosed heredocs whose end was guessed; each guess reads the rest of the text once.
    guesses: u32,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Splits a text into tokens, the last of which is [`TokenKind::End`].
pub(crate) fn lex(text: &str, file: FileId, start: LexStart) -> LexedText {
    let mut lexer = Lexer::new(text, file, start);
    lexer.tokens.reserve(text.len() / 5 + 8);
    lexer.lex_bytes(text.len());
    lexer.finish();
    lexer.push(TokenKind::End, text.len(), text.len());
    LexedText { tokens: lexer.tokens, diagnostics: lexer.diagnostics }
}

impl<'s> Lexer<'s> {
    /// Creates a lexer at the start of a text, in code or in template text.
    pub(crate) fn new(text: &'s str, file: FileId, start: LexStart) -> Lexer<'s> {
        let modes = match start {
            LexStart::Code => Vec::new(),
            LexStart::Template => vec![LexMode::Bare],
        };
        Lexer {
            text,
            bytes: text.as_bytes(),
            ahead: &[],
            file,
            at: if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 },
            tokens: TokenList::default(),
            modes,
            braces: 0,
            guesses: 0,
            diagnostics: Vec::new(),
        }
    }

    /// Lexes the next `bytes` bytes of the text or a little more, to the end of a token.
    pub(crate) fn lex_bytes(&mut self, bytes: usize) {
        let rest = self.at.saturating_add(bytes).min(self.bytes.len());
        self.ahead = &self.bytes[..rest];
        while self.at < rest {
            match self.modes.last() {
                None | Some(LexMode::Sequence { .. }) => {
                    let depth = self.modes.len();
                    self.code(depth);
                }
                Some(LexMode::Quoted { .. }) => self.quoted(),
                Some(LexMode::Heredoc { .. }) => self.heredoc(),
                Some(LexMode::Bare) => self.bare(),
            }
        }
    }

    /// Adds a token from `start` to `end` and continues at `end`.
    fn push(&mut self, kind: TokenKind, start: usize, end: usize) {
        self.tokens.push(kind, start as u32, end as u32);
        self.at = end;
    }

    /// Returns the byte of the text at offset `at`; 0 past the end.
    #[inline(always)]
    fn byte(&self, at: usize) -> u8 {
        scan::byte(self.bytes, at)
    }

    /// Reports an error between two byte offsets, unless the maximum number of diagnostics is reached.
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

    /// Returns the offset after an optional space at `at`, and the byte there: 0 at the end of the bytes that the current call of
    /// `lex_bytes` covers. Several spaces are rare except after a line end.
    #[inline(always)]
    fn past_blank(&self, at: usize) -> (usize, u8) {
        let first = scan::byte(self.ahead, at);
        if first == b' ' { (at + 1, scan::byte(self.ahead, at + 1)) } else { (at, first) }
    }

    /// Lexes code until a template begins or the enclosing `${…}` or `%{…}` ends: until the depth of the mode stack is
    /// no longer `depth`.
    fn code(&mut self, depth: usize) {
        let mut at = self.at;
        let mut first = scan::byte(self.ahead, at);
        loop {
            match BEGINS[usize::from(first)] {
                TokenKind::Identifier => (at, first) = self.path(at),
                TokenKind::Newline => {
                    let (after, next) = scan::blanks(self.bytes, at + 1);
                    if matches!(next, b'\n' | b'\r') {
                        self.at = at;
                        self.newline();
                        (at, first) = (self.at, self.byte(self.at));
                    } else {
                        self.tokens.push(TokenKind::Newline, at as u32, at as u32 + 1);
                        (at, first) = (after, next);
                    }
                }
                TokenKind::End if first == b' ' || first == b'\t' => {
                    (at, first) = scan::blanks(self.ahead, at);
                }
                TokenKind::End => {
                    self.at = at;
                    if first == 0 && at >= self.ahead.len() {
                        return;
                    }
                    self.sign(first);
                    if self.modes.len() != depth {
                        return;
                    }
                    (at, first) = self.past_blank(self.at);
                }
                kind => {
                    self.braces += u32::from(kind == TokenKind::OpenBrace);
                    self.tokens.push(kind, at as u32, at as u32 + 1);
                    (at, first) = self.past_blank(at + 1);
                }
            }
        }
    }

    /// Lexes the identifier at `start` and what commonly follows it, traversal steps or `=`; returns the offset and the first
    /// byte of the next token.
    #[inline(always)]
    fn path(&mut self, start: usize) -> (usize, u8) {
        let (mut end, mut next) = identifier::end(self.text, start + 1);
        self.tokens.push(TokenKind::Identifier, start as u32, end as u32);
        while next == b'.' && self.byte(end + 1).is_ascii_alphabetic() {
            let dot = end;
            (end, next) = identifier::end(self.text, dot + 2);
            self.tokens.push_after(0, TokenKind::DotName, dot as u32, end as u32);
        }
        if next != b' ' {
            return (end, next);
        }
        let (mut at, mut first) = (end + 1, self.byte(end + 1));
        if first == b' ' {
            (at, first) = scan::blanks(self.bytes, at + 1);
        }
        if first == b'=' && self.byte(at + 1) == b' ' {
            self.tokens.push(TokenKind::Equal, at as u32, at as u32 + 1);
            return self.past_blank(at + 1);
        }
        (at, first)
    }

    /// Lexes the token that begins with the byte `first` if its kind depends on further bytes, such as `=` and `==`.
    #[inline(never)]
    fn sign(&mut self, first: u8) {
        let at = self.at;
        let next = self.byte(at + 1);
        match first {
            b'"' => self.quote(),
            b'}' if self.braces > 0 => {
                self.braces -= 1;
                self.push(TokenKind::CloseBrace, at, at + 1);
            }
            b'0'..=b'9' => self.number(),
            b'\r' if next == b'\n' => self.newline(),
            b'#' => self.comment(),
            b'/' if next == b'/' => self.comment(),
            b'/' if next == b'*' => self.block_comment(),
            b'}' => self.close_brace(at + 1),
            b'~' if next == b'}' => self.close_brace(at + 2),
            b'.' => self.dot(),
            b'=' if next == b'=' => self.push(TokenKind::EqualEqual, at, at + 2),
            b'=' if next == b'>' => self.push(TokenKind::Arrow, at, at + 2),
            b'=' => self.push(TokenKind::Equal, at, at + 1),
            b':' if next == b':' => self.push(TokenKind::DoubleColon, at, at + 2),
            b':' => self.push(TokenKind::Colon, at, at + 1),
            b'/' => self.push(TokenKind::Slash, at, at + 1),
            b'!' if next == b'=' => self.push(TokenKind::NotEqual, at, at + 2),
            b'!' => self.push(TokenKind::Bang, at, at + 1),
            b'<' if next == b'=' => self.push(TokenKind::LessEqual, at, at + 2),
            b'<' => self.less(next),
            b'>' if next == b'=' => self.push(TokenKind::GreaterEqual, at, at + 2),
            b'>' => self.push(TokenKind::Greater, at, at + 1),
            b'&' if next == b'&' => self.push(TokenKind::And, at, at + 2),
            b'|' if next == b'|' => self.push(TokenKind::Or, at, at + 2),
            _ => self.other(),
        }
    }

    /// Lexes a number literal and reports a malformed one.
    fn number(&mut self) {
        let at = self.at;
        let end = at + number::length(&self.text[at..]);
        if let Err(fault) = number::check(&self.text[at..end]) {
            let text = &self.text[at..end];
            let detail = match fault {
                number::NumberFault::Shape if text.contains(['e', 'E']) => format!(
                    "`{text}` is not a number: it may have one decimal point, and after it one exponent."
                ),
                number::NumberFault::Shape => format!(
                    "`{text}` is not a number: it has more than one decimal point. To take an element of an \
                     element, write the indexes in brackets, as in `list[0][1]`."
                ),
                number::NumberFault::Exponent => {
                    format!("The exponent of `{text}` is too large: no number has room for it.")
                }
            };
            self.report(&codes::INVALID_NUMBER, at, end, detail);
        }
        self.push(TokenKind::Number, at, end);
    }

    /// Lexes a line end and the blank lines after it as one token.
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
            (at, _) = scan::blanks(self.bytes, end);
        }
        self.push(TokenKind::Newline, start, end);
        self.at = at;
    }

    /// Returns the end of the line that contains offset `at`: the offset of its line end, or the end of the text.
    fn line_end(&self, at: usize) -> usize {
        let rest = &self.bytes[at..];
        let end = memchr::memchr(b'\n', rest).map_or(self.bytes.len(), |length| at + length);
        if end > at && end < self.bytes.len() && self.bytes[end - 1] == b'\r' {
            end - 1
        } else {
            end
        }
    }

    /// Lexes a comment up to the end of the line.
    fn comment(&mut self) {
        let end = self.line_end(self.at);
        self.push(TokenKind::Comment, self.at, end);
    }

    /// Lexes a `/* … */` comment and reports an unclosed one.
    fn block_comment(&mut self) {
        let start = self.at;
        let mut slashes = memchr::memchr_iter(b'/', &self.bytes[start..]);
        let end = match slashes.find(|at| *at > 2 && self.bytes[start + at - 1] == b'*') {
            Some(length) => start + length + 1,
            None => {
                let detail = "The comment that starts here is never closed. Close it with `*/`.";
                self.report(&codes::UNCLOSED_COMMENT, start, start + 2, detail);
                self.bytes.len()
            }
        };
        self.push(TokenKind::Comment, start, end);
    }

    /// Lexes `}` or `~}`, up to the offset `end`; it ends a `${…}` or `%{…}` if no brace is open inside that.
    fn close_brace(&mut self, end: usize) {
        let start = self.at;
        if self.braces == 0
            && let Some(LexMode::Sequence { outer, .. }) = self.modes.last().copied()
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

    /// Lexes `.`, `...`, or `.name` as one token.
    fn dot(&mut self) {
        let at = self.at;
        if self.bytes[at..].starts_with(b"...") {
            return self.push(TokenKind::Ellipsis, at, at + 3);
        }
        let next = self.byte(at + 1);
        if next.is_ascii_alphabetic() || next == b'_' {
            let (end, _) = identifier::end(self.text, at + 2);
            return self.push(TokenKind::DotName, at, end);
        }
        match identifier::length(&self.text[at + 1..]) {
            0 => self.push(TokenKind::Dot, at, at + 1),
            length => self.push(TokenKind::DotName, at, at + 1 + length),
        }
    }

    /// Lexes `<`, or the start of a heredoc if `next`, the byte after it, is `<`, too.
    fn less(&mut self, next: u8) {
        if next != b'<' || !self.open_heredoc() {
            self.push(TokenKind::Less, self.at, self.at + 1);
        }
    }

    /// Lexes `<<NAME` or `<<-NAME` at the end of a line; returns false if no heredoc begins here.
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
        self.modes.push(LexMode::Heredoc {
            marker: Span::new(name as u32, end as u32),
            line_start: true,
            open: Span::new(start as u32, end as u32),
        });
        true
    }

    /// Lexes a non-ASCII identifier, or reports a character with which no token can begin.
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

    /// Lexes and reports text in single or typographic quotes as one token, up to the closing quote on the same line; `open` is
    /// the opening quote, which ends at the offset `end`.
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
