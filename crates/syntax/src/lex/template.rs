//! Lexing of template text: quoted strings, heredocs and template files. A quoted string that is unclosed at the end of its line
//! ends there, so that the next line is code again.

use super::{LexMode, Lexer, escape, identifier, scan};
use crate::codes;
use crate::diagnostic::Diagnostic;
use crate::kind::TokenKind;
use crate::lex::DIAGNOSTIC_LIMIT;
use crate::span::{Place, Span};

/// Maximum number of unclosed heredocs in one text for which the lexer guesses an end; each guess reads the rest of the
/// text.
const GUESSES: u32 = 4;

impl Lexer<'_> {
    /// Lexes a quote in code: a whole string without template sequences, or the opening quote of another.
    pub(super) fn quote(&mut self) {
        let start = self.at;
        // Most strings contain no byte that has to be examined.
        let mut end = scan::quoted(self.bytes, start + 1);
        if self.byte(end) != b'"' {
            end = self.quoted_end(start + 1);
        }
        if self.byte(end) == b'"' {
            return self.push(TokenKind::String, start, end + 1);
        }
        self.push(TokenKind::QuoteOpen, start, start + 1);
        if end > start + 1 {
            self.push(TokenKind::Literal, start + 1, end);
        }
        self.modes.push(LexMode::Quoted { start: start as u32 });
        if end == self.bytes.len() {
            self.at = end;
        }
    }

    /// Returns the end of the literal text of a quoted string from offset `start` on: at a quote, a `${` or `%{`, a line end or
    /// the end of the text. Reports invalid escapes in it.
    fn quoted_end(&mut self, start: usize) -> usize {
        let mut at = start;
        let mut escapes = false;
        let end = loop {
            at = scan::quoted(self.bytes, at);
            match self.byte(at) {
                b'"' => break at,
                b'\\' => {
                    escapes = true;
                    at += 1;
                    if !matches!(self.byte(at), b'\n' | b'\r') && at < self.bytes.len() {
                        at += 1;
                    }
                }
                sign @ (b'$' | b'%') => match self.signs(at, sign) {
                    Some(after) => at = after,
                    None => break at,
                },
                b'\n' | b'\r' => break at,
                0 if at >= self.bytes.len() => break self.bytes.len(),
                _ => at += 1,
            }
        };
        if escapes {
            self.check_escapes(start, end);
        }
        end
    }

    /// Returns the offset after a run of `sign` (`$` or `%`), and after the `{` that it escapes; `None` if a `${` or `%{`
    /// sequence starts at `at`.
    fn signs(&self, at: usize, sign: u8) -> Option<usize> {
        let run = self.bytes[at..].iter().take_while(|byte| **byte == sign).count();
        match (self.byte(at + run) == b'{', run) {
            (true, 1) => None,
            (true, _) => Some(at + run + 1),
            (false, _) => Some(at + run),
        }
    }

    /// Reports the invalid escapes in the literal text of a quoted string between two offsets.
    fn check_escapes(&mut self, start: usize, end: usize) {
        let text = self.text.get(start..end).unwrap_or("");
        for span in escape::wrong(text, start as u32) {
            let escape = span.of(self.text);
            let detail = match escape.as_bytes().get(1) {
                None => "A backslash at the end of a line does not continue the text. Close the string, or use a \
                         heredoc for several lines."
                    .to_owned(),
                Some(b'u') => format!(
                    "`{escape}` is not a character: `\\u` takes four hexadecimal digits, which must name a character."
                ),
                Some(b'U') => format!(
                    "`{escape}` is not a character: `\\U` takes eight hexadecimal digits, which must name a character."
                ),
                Some(b'$' | b'%') => format!(
                    "There is no escape `{escape}`. To write a literal `${{` double the sign, as in `$${{`."
                ),
                Some(b'\'') => "A single quote needs no backslash.".to_owned(),
                _ => format!(
                    "There is no escape `{escape}`. For a backslash itself write `\\\\`; there are \\n, \\r, \\t, \\\", \
                     \\\\, \\uNNNN and \\UNNNNNNNN."
                ),
            };
            if self.diagnostics.len() < DIAGNOSTIC_LIMIT {
                let place = Place::new(self.file, span);
                self.diagnostics.push(Diagnostic::error(&codes::INVALID_ESCAPE, detail).at(place));
            }
        }
    }

    /// Lexes the next token inside a quoted string: literal text, the start of a sequence, or the closing quote.
    pub(super) fn quoted(&mut self) {
        let at = self.at;
        match self.byte(at) {
            b'"' => {
                self.modes.pop();
                self.push(TokenKind::QuoteClose, at, at + 1);
            }
            b'\n' | b'\r' => self.give_up(),
            sign @ (b'$' | b'%') if self.signs(at, sign).is_none() => self.open_sequence(sign),
            _ => {
                let end = self.quoted_end(at);
                self.push(TokenKind::Literal, at, end);
            }
        }
    }

    /// Lexes `${` or `%{`, by its first byte `sign`, with an optional `~`, after which code follows.
    fn open_sequence(&mut self, sign: u8) {
        let at = self.at;
        let end = if self.byte(at + 2) == b'~' { at + 3 } else { at + 2 };
        let kind = match sign {
            b'$' => TokenKind::InterpolationOpen,
            _ => TokenKind::DirectiveOpen,
        };
        self.push(kind, at, end);
        self.modes.push(LexMode::Sequence { outer: self.braces, start: at as u32 });
        self.braces = 0;
    }

    /// Ends an unclosed quoted string at a line end, with all sequences and strings around it that began on that line.
    fn give_up(&mut self) {
        let at = self.at;
        let line = self.bytes[..at].iter().rposition(|byte| matches!(byte, b'\n' | b'\r'));
        let line = line.map_or(0, |end| end + 1) as u32;
        self.modes.pop();
        while let Some(LexMode::Sequence { outer, start }) = self.modes.last().copied()
            && start >= line
        {
            self.modes.pop();
            self.braces = outer;
            self.push(TokenKind::Cut, at, at);
            match self.modes.last() {
                Some(LexMode::Quoted { start }) if *start >= line => self.modes.pop(),
                _ => break,
            };
        }
        if self.byte(at) == b'\r' && self.byte(at + 1) != b'\n' && self.reads_code() {
            // The report of the unclosed string covers it.
            self.push(TokenKind::Invalid, at, at + 1);
        }
    }

    /// Returns true if the lexer is in code, not in template text.
    fn reads_code(&self) -> bool {
        matches!(self.modes.last(), None | Some(LexMode::Sequence { .. }))
    }

    /// Lexes the next token of a template file: literal text, or the start of a sequence. After a carriage return without a line
    /// feed there are no sequences.
    pub(super) fn bare(&mut self) {
        let start = self.at;
        let mut at = scan::template(self.bytes, start);
        while at < self.bytes.len() {
            match self.bytes[at] {
                b'\r' if self.byte(at + 1) != b'\n' => return self.plain(start, at),
                sign @ (b'$' | b'%') => match self.signs(at, sign) {
                    Some(after) => at = after,
                    None if at == start => return self.open_sequence(sign),
                    None => break,
                },
                _ => at += 1,
            }
            at = scan::template(self.bytes, at);
        }
        self.push(TokenKind::Literal, start, at);
    }

    /// Lexes the rest of a template file from `start` on as literal text, without `${…}` and `%{…}`, because of the carriage
    /// return without a line feed at `lone`.
    fn plain(&mut self, start: usize, lone: usize) {
        let mut from = start;
        let mut at = lone;
        let mut lost = false;
        while at < self.bytes.len() {
            at = scan::template(self.bytes, at);
            let sign = self.byte(at);
            if !matches!(sign, b'$' | b'%') {
                at += 1;
                continue;
            }
            let run = self.bytes[at..].iter().take_while(|byte| **byte == sign).count();
            at += run;
            if self.byte(at) != b'{' || run % 2 == 0 {
                continue;
            }
            lost = true;
            // Signs are read in pairs here, and a remaining one does not escape a brace.
            if run > 1 {
                self.push(TokenKind::Literal, from, at - 1);
                from = at - 1;
            }
        }
        self.push(TokenKind::Literal, from, self.bytes.len());
        if lost && self.diagnostics.len() < DIAGNOSTIC_LIMIT {
            let detail = "After a carriage return without a line feed nothing in this template is interpolated: what \
                          follows in `${…}` and `%{…}` stays as it is written. Save the template with usual line ends.";
            let place = Place::new(self.file, Span::new(lone as u32, lone as u32 + 1));
            self.diagnostics.push(Diagnostic::warning(&codes::CARRIAGE_RETURN, detail).at(place));
        }
    }

    /// Lexes the content of a heredoc up to a sequence or its closing marker.
    pub(super) fn heredoc(&mut self) {
        let Some(LexMode::Heredoc { marker, mut line_start, open }) = self.modes.last().copied()
        else {
            return;
        };
        let start = self.at;
        let mut at = start;
        while at < self.bytes.len() {
            if line_start {
                line_start = false;
                if let Some((from, to)) = self.closing_marker(at, marker) {
                    if at > start {
                        self.push(TokenKind::Literal, start, at);
                    }
                    self.modes.pop();
                    return self.push(TokenKind::HeredocClose, from, to);
                }
            }
            at = scan::template(self.bytes, at);
            match self.byte(at) {
                b'\n' => {
                    at += 1;
                    line_start = true;
                }
                b'\r' if self.byte(at + 1) != b'\n' => {
                    let detail = "A carriage return without a line feed may not stand in a heredoc. Save the file with \
                                  usual line ends.";
                    self.report(&codes::CARRIAGE_RETURN, at, at + 1, detail);
                    at += 1;
                }
                sign @ (b'$' | b'%') => match self.signs(at, sign) {
                    Some(after) => at = after,
                    None => {
                        self.set_line_start(false);
                        if at > start {
                            self.push(TokenKind::Literal, start, at);
                        }
                        return self.open_sequence(sign);
                    }
                },
                _ if at < self.bytes.len() => at += 1,
                _ => {}
            }
        }
        self.unclosed_heredoc(start, marker, open);
    }

    /// Records for the innermost heredoc that the next character starts a line if `value`, and otherwise that it does not.
    fn set_line_start(&mut self, value: bool) {
        if let Some(LexMode::Heredoc { line_start, .. }) = self.modes.last_mut() {
            *line_start = value;
        }
    }

    /// Returns the range of the line at offset `at` if it closes a heredoc: holds only blanks and the heredoc's word, which is
    /// written at `marker`; `None` for other lines.
    fn closing_marker(&self, at: usize, marker: Span) -> Option<(usize, usize)> {
        // Most lines begin with another character, which decides without reading the rest of them.
        let (_, first) = scan::blanks(self.bytes, at);
        let begins = first == self.byte(marker.start as usize);
        if !begins && first.is_ascii() && !first.is_ascii_whitespace() && !first.is_ascii_control()
        {
            return None;
        }
        let end = self.line_end(at);
        let closed = end < self.bytes.len();
        let line = self.text.get(at..end)?;
        (closed && line.trim() == marker.of(self.text)).then_some((at, end))
    }

    /// Finds the first line from `start` on that starts with `name`, the marker of an unclosed heredoc: returns the starts of the
    /// line and of the marker, the marker's end, and true if nothing follows it; `None` if there is no such line.
    fn meant_close(&self, start: usize, name: &str) -> Option<(usize, usize, usize, bool)> {
        let mut at = start;
        for line in self.text[start..].split_inclusive('\n') {
            let trimmed = line.trim_start();
            let from = at + line.len() - trimmed.len();
            if let Some(rest) = trimmed.strip_prefix(name)
                && !rest.starts_with(identifier::is_continue)
            {
                return Some((at, from, from + name.len(), rest.trim().is_empty()));
            }
            at += line.len();
        }
        None
    }

    /// Returns the span of the first word from `start` on that is alone on its line and similar to `name`, the marker of an
    /// unclosed heredoc; `None` if there is none. Similar means equal but for case, or of about the same length, in capitals and
    /// with the same first letter.
    fn near_close(&self, start: usize, name: &str) -> Option<Span> {
        if self.guesses > GUESSES {
            return None;
        }
        let is_capital = |word: &str| word.bytes().all(|byte| byte.is_ascii_uppercase());
        let resembles = |word: &str| {
            word.eq_ignore_ascii_case(name)
                || is_capital(word)
                    && is_capital(name)
                    && word.as_bytes().first() == name.as_bytes().first()
                    && word.len().abs_diff(name.len()) <= 1
        };
        let mut at = start;
        for line in self.text[start..].split_inclusive('\n') {
            let word = line.trim().trim_end_matches([';', ',']);
            if !word.is_empty() && resembles(word) {
                let from = at + line.len() - line.trim_start().len();
                return Some(Span::new(from as u32, (from + word.len()) as u32));
            }
            at += line.len();
        }
        None
    }

    /// Reports a heredoc without a closing marker and ends it: at a line from `start` on that was probably meant as its end, else
    /// at the end of the text; `open` is its first line's `<<` with the word, and `marker` the word.
    fn unclosed_heredoc(&mut self, start: usize, marker: Span, open: Span) {
        let name = marker.of(self.text);
        let end = self.bytes.len();
        let opened = Place::new(self.file, open);
        let meant = if self.guesses < GUESSES { self.meant_close(start, name) } else { None };
        self.guesses += 1;
        self.modes.pop();
        let near = if meant.is_none() { self.near_close(start, name) } else { None };
        let (detail, place) = match meant {
            Some((_, _, _, true)) => (
                format!(
                    "The closing marker `{name}` must end with a line end. Add one at the end of the text."
                ),
                Span::at(end as u32),
            ),
            Some((_, from, to, false)) => (
                format!(
                    "The closing marker `{name}` must stand alone on its line. Put what follows it on the next line."
                ),
                Span::new(from as u32, to as u32),
            ),
            None => {
                let detail = match near {
                    Some(near) => format!(
                        "The heredoc is never closed: `{}` is not `{name}`, which opens it. Close it with a line that holds only `{name}`.",
                        near.of(self.text)
                    ),
                    None => format!(
                        "The heredoc is never closed. Close it with a line that holds only `{name}`."
                    ),
                };
                (detail, Span::at(end as u32))
            }
        };
        if self.diagnostics.len() < DIAGNOSTIC_LIMIT {
            let place = Place::new(self.file, place);
            let mut diagnostic = Diagnostic::error(&codes::UNCLOSED_HEREDOC, detail).at(place);
            if let Some(near) = near {
                let near = Place::new(self.file, near);
                diagnostic =
                    diagnostic.displayed_at(near, "The text ends here, inside the heredoc.");
            }
            self.diagnostics.push(diagnostic.note_at("The heredoc starts here.", opened));
        }
        match meant {
            Some((line, _, to, _)) => {
                if line > start {
                    self.push(TokenKind::Literal, start, line);
                }
                self.push(TokenKind::HeredocClose, line, to);
            }
            None if start < end => self.push(TokenKind::Literal, start, end),
            None => {}
        }
    }

    /// Finishes lexing at the end of the text: reports a heredoc that was opened on its last line.
    pub(super) fn finish(&mut self) {
        if let Some(LexMode::Heredoc { marker, open, .. }) = self.modes.last().copied() {
            self.unclosed_heredoc(self.bytes.len(), marker, open);
        }
    }
}
