//! Parser of regular expressions. Text that looks like a repeat but is not one (`{,2}`, `x{2`) is literal; a repeat of a repeat
//! without a group between them is an error.

use groma_value::UnicodeVersion;
use regex_syntax::hir::{
    Capture, Class, ClassUnicode, ClassUnicodeRange, Dot, Hir, Look, Repetition,
};

use super::class::{self, ClassRules};

/// Maximum repeat count in a regular expression, also of nested repeats multiplied.
const REPEAT_LIMIT: u32 = 1000;
/// Maximum nesting depth of groups in a regular expression.
const DEPTH_LIMIT: usize = 1000;

/// A syntax error in a regular expression, with its position.
#[derive(Debug)]
pub(crate) struct PatternError {
    /// The byte offset in the pattern.
    pub(super) at: usize,
    /// The message, in lower case, without the pattern.
    pub(super) message: String,
}

/// A parsed regular expression: its syntax tree and the names of its groups.
pub(super) struct ParsedPattern {
    pub(super) hir: Hir,
    pub(super) groups: Vec<Option<String>>,
}

/// A parsed part of a regular expression: its tree and the largest product of nested repeat counts in it.
struct PatternPiece {
    /// The tree of the part.
    hir: Hir,
    /// The largest product of nested repeat counts.
    weight: u32,
}

/// The flags in effect at a position in a regular expression: case folding, multi-line, dot-all and swapped greediness.
#[derive(Clone, Copy, Default)]
struct PatternFlags {
    fold: bool,
    multi_line: bool,
    dot_all: bool,
    swap_greed: bool,
}

/// A recursive-descent parser of one regular expression, with its position, flags and groups so far.
struct PatternParser<'p> {
    text: &'p str,
    at: usize,
    flags: PatternFlags,
    depth: usize,
    groups: Vec<Option<String>>,
    classes: ClassRules,
}

/// The result of parsing a part of a regular expression, or a syntax error.
type Parse<T> = Result<T, PatternError>;

/// Parses a regular expression to its syntax tree and group names.
pub(super) fn parse(text: &str, classes: ClassRules) -> Parse<ParsedPattern> {
    let mut parser = PatternParser {
        text,
        at: 0,
        flags: PatternFlags::default(),
        depth: 0,
        groups: Vec::new(),
        classes,
    };
    let piece = parser.alternation()?;
    if parser.at < text.len() {
        return Err(parser.wrong(parser.at, "a `)` closes no group; write `\\)` for the character"));
    }
    Ok(ParsedPattern { hir: piece.hir, groups: parser.groups })
}

impl PatternParser<'_> {
    /// Creates a syntax error at a byte offset, with its message.
    fn wrong(&self, at: usize, message: impl Into<String>) -> PatternError {
        PatternError { at, message: message.into() }
    }

    /// Returns the part of the pattern that is not parsed yet.
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    /// Returns the next character of the pattern without consuming it; `None` at the end.
    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Consumes and returns the next character of the pattern; `None` at the end.
    fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    /// Consumes `text` if it comes next in the pattern; returns true if so.
    fn eat(&mut self, text: &str) -> bool {
        let found = self.rest().starts_with(text);
        if found {
            self.at += text.len();
        }
        found
    }

    /// Parses alternatives separated by `|` up to the end of the group.
    fn alternation(&mut self) -> Parse<PatternPiece> {
        let mut arms = vec![];
        let mut weight = 1;
        loop {
            let arm = self.sequence()?;
            weight = weight.max(arm.weight);
            arms.push(arm.hir);
            if !self.eat("|") {
                break;
            }
        }
        let hir = if arms.len() == 1 { arms.remove(0) } else { Hir::alternation(arms) };
        Ok(PatternPiece { hir, weight })
    }

    /// Parses a sequence of atoms, each with its repeats, up to `|` or the end of the group.
    fn sequence(&mut self) -> Parse<PatternPiece> {
        let mut pieces: Vec<Hir> = Vec::new();
        let mut weight = 1;
        // The last atom, to which a repeat may still apply.
        let mut last: Option<PatternPiece> = None;
        let mut repeated = false;
        while let Some(c) = self.peek() {
            if c == '|' || c == ')' {
                break;
            }
            let start = self.at;
            if let Some((min, max)) = self.repeat_count()? {
                let Some(piece) = last.take() else {
                    return Err(
                        self.wrong(start, format!("there is nothing before `{c}` to repeat"))
                    );
                };
                if repeated {
                    return Err(self.wrong(
                        start,
                        "a repeat cannot follow a repeat; put the first in `(?:…)`",
                    ));
                }
                let lazy = self.eat("?");
                last = Some(self.repeat(piece, min, max, lazy, start)?);
                repeated = true;
                continue;
            }
            repeated = false;
            let next = if self.eat(r"\Q") {
                let mut quoted = Vec::new();
                let end = self.quoted(&mut quoted);
                pieces.extend(last.take().map(|done| done.hir));
                pieces.append(&mut quoted);
                end
            } else {
                self.atom()?
            };
            // A group that only sets flags is not an atom: a repeat after it applies to the atom before it.
            if let Some(next) = next
                && let Some(done) = last.replace(next)
            {
                weight = weight.max(done.weight);
                pieces.push(done.hir);
            }
        }
        if let Some(done) = last {
            weight = weight.max(done.weight);
            pieces.push(done.hir);
        }
        Ok(PatternPiece { hir: Hir::concat(pieces), weight })
    }

    /// Parses the text of `\Q…\E`: appends all characters but the last to `pieces`, and returns the last, to which a repeat may
    /// apply; `None` for an empty text.
    fn quoted(&mut self, pieces: &mut Vec<Hir>) -> Option<PatternPiece> {
        let rest = self.rest();
        let end = rest.find(r"\E").unwrap_or(rest.len());
        let literal: Vec<char> = rest[..end].chars().collect();
        self.at += end;
        self.eat(r"\E");
        let (last, before) = literal.split_last()?;
        pieces.extend(before.iter().map(|&c| self.literal(c).hir));
        Some(self.literal(*last))
    }

    /// Returns a part repeated from `min` to `max` times, as few as possible if `lazy`; fails at `start`, where the repeat
    /// begins, if nested repeats multiply to too large a count.
    fn repeat(
        &self,
        piece: PatternPiece,
        min: u32,
        max: Option<u32>,
        lazy: bool,
        start: usize,
    ) -> Parse<PatternPiece> {
        let times = max.unwrap_or(min).max(1);
        let weight = piece.weight.saturating_mul(times);
        if (min >= 2 || max.is_some_and(|m| m >= 2)) && weight > REPEAT_LIMIT {
            let message = format!(
                "nested repeats come to {weight} times; at most {REPEAT_LIMIT} are allowed"
            );
            return Err(self.wrong(start, message));
        }
        let greedy = lazy == self.flags.swap_greed;
        let hir = Hir::repetition(Repetition { min, max, greedy, sub: Box::new(piece.hir) });
        Ok(PatternPiece { hir, weight })
    }

    /// Parses a repeat, `*`, `+`, `?` or a well-formed `{…}`, into its least and greatest count, the latter `None` if
    /// unbounded; `None` for anything else.
    fn repeat_count(&mut self) -> Parse<Option<(u32, Option<u32>)>> {
        let start = self.at;
        let plain = match self.peek() {
            Some('*') => (0, None),
            Some('+') => (1, None),
            Some('?') => (0, Some(1)),
            Some('{') => {
                let Some((count, length)) = braces(self.rest()) else { return Ok(None) };
                self.at += length;
                let (min, max) = count;
                if min > REPEAT_LIMIT || max.is_some_and(|m| m > REPEAT_LIMIT) {
                    return Err(
                        self.wrong(start, format!("a repeat count is above {REPEAT_LIMIT}"))
                    );
                }
                if max.is_some_and(|m| m < min) {
                    return Err(
                        self.wrong(start, "the repeat's upper count is below its lower one")
                    );
                }
                return Ok(Some(count));
            }
            _ => return Ok(None),
        };
        self.at += 1;
        Ok(Some(plain))
    }

    /// Returns the tree that matches a literal character, by the flags in effect.
    fn literal(&self, c: char) -> PatternPiece {
        let hir = if self.flags.fold {
            Hir::class(Class::Unicode(class::single(c, self.fold())))
        } else {
            Hir::literal(c.encode_utf8(&mut [0; 4]).as_bytes())
        };
        PatternPiece { hir, weight: 1 }
    }

    /// Returns the tree that matches a code point; for a surrogate, one that never matches.
    fn code_point(&self, code: u32) -> PatternPiece {
        match char::from_u32(code) {
            Some(c) => self.literal(c),
            None => PatternPiece { hir: Hir::fail(), weight: 1 },
        }
    }

    /// Parses an atom: a character, class, group or assertion; `None` for a group that only sets flags, such as `(?i)`.
    fn atom(&mut self) -> Parse<Option<PatternPiece>> {
        let start = self.at;
        let Some(c) = self.next() else { return Ok(None) };
        let hir = match c {
            '(' => return self.group(start),
            '[' => Hir::class(Class::Unicode(self.class(start)?)),
            '.' if self.flags.dot_all => Hir::dot(Dot::AnyChar),
            '.' => Hir::dot(Dot::AnyCharExceptLF),
            '^' if self.flags.multi_line => Hir::look(Look::StartLF),
            '^' => Hir::look(Look::Start),
            '$' if self.flags.multi_line => Hir::look(Look::EndLF),
            '$' => Hir::look(Look::End),
            '\\' => match self.peek() {
                Some('A') => self.assertion(Look::Start),
                Some('z') => self.assertion(Look::End),
                Some('b') => self.assertion(Look::WordAscii),
                Some('B') => self.assertion(Look::WordAsciiNegate),
                _ => match self.escaped_class()? {
                    Some(class) => Hir::class(Class::Unicode(class)),
                    None => {
                        let code = self.escape(start)?;
                        return Ok(Some(self.code_point(code)));
                    }
                },
            },
            c => return Ok(Some(self.literal(c))),
        };
        Ok(Some(PatternPiece { hir, weight: 1 }))
    }

    /// Consumes one character and returns the tree of an assertion, such as `^` or `\b`.
    fn assertion(&mut self, look: Look) -> Hir {
        self.at += 1;
        Hir::look(look)
    }

    /// Parses a group whose opening parenthesis is at `start`; `None` for one that only sets flags.
    fn group(&mut self, start: usize) -> Parse<Option<PatternPiece>> {
        let outer = self.flags;
        let mut capture = None;
        if self.eat("?P<") || self.eat("?<") {
            let rest = self.rest();
            let end = rest.find('>').unwrap_or(0);
            let name = &rest[..end];
            if name.is_empty() || !name.chars().all(|c| c == '_' || c.is_ascii_alphanumeric()) {
                return Err(
                    self.wrong(start, "a group's name is letters, digits and `_`, closed by `>`")
                );
            }
            capture = Some(Some(name.to_string()));
            self.at += end + 1;
        } else if self.eat("?") {
            if self.set_flags(start)? {
                return Ok(None);
            }
        } else {
            capture = Some(None);
        }
        let index = capture.map(|name| {
            self.groups.push(name);
            self.groups.len() as u32
        });
        self.depth += 1;
        if self.depth > DEPTH_LIMIT {
            return Err(self.wrong(start, format!("groups nest deeper than {DEPTH_LIMIT}")));
        }
        let inner = self.alternation()?;
        self.depth -= 1;
        if !self.eat(")") {
            return Err(self.wrong(
                start,
                "a group is opened and not closed; add `)`, or write `\\(` for the character",
            ));
        }
        self.flags = outer;
        let hir = match index {
            Some(index) => Hir::capture(Capture { index, name: None, sub: Box::new(inner.hir) }),
            None => inner.hir,
        };
        Ok(Some(PatternPiece { hir, weight: inner.weight }))
    }

    /// Parses the flags after the `(?` at `start` and sets them; returns true if the group ends after them (`(?i)`), false if its
    /// content follows (`:`).
    fn set_flags(&mut self, start: usize) -> Parse<bool> {
        let mut flags = self.flags;
        let mut on = true;
        let mut seen = false;
        loop {
            let c = self.next();
            match c {
                Some('i') => flags.fold = on,
                Some('m') => flags.multi_line = on,
                Some('s') => flags.dot_all = on,
                Some('U') => flags.swap_greed = on,
                Some('-') if on => {
                    on = false;
                    seen = false;
                    continue;
                }
                Some(end @ (':' | ')')) if on || seen => {
                    self.flags = flags;
                    return Ok(end == ')');
                }
                _ => {
                    let message = "`(?` must be followed by a group name `P<name>`, by flags among `imsU`, or by `:`";
                    return Err(self.wrong(start, message));
                }
            }
            seen = true;
        }
    }

    /// Returns the Unicode version by which case is folded; `None` if case matters.
    fn fold(&self) -> Option<UnicodeVersion> {
        self.flags.fold.then_some(self.classes.unicode)
    }

    /// Parses a class after a backslash, a letter or a Unicode class; `None`, with nothing consumed, for other escapes.
    fn escaped_class(&mut self) -> Parse<Option<ClassUnicode>> {
        let start = self.at;
        let Some(letter) = self.peek() else { return Ok(None) };
        if let Some(class) = class::perl(letter, self.fold()) {
            self.at += 1;
            return Ok(Some(class));
        }
        if letter != 'p' && letter != 'P' {
            return Ok(None);
        }
        self.at += 1;
        let rest = self.rest();
        let (name, length) = match rest.strip_prefix('{') {
            Some(inner) => match inner.find('}') {
                Some(end) => (&inner[..end], end + 2),
                None => return Err(self.wrong(start, "`\\p{` is not closed; add `}`")),
            },
            None => {
                let length = rest.chars().next().map_or(0, char::len_utf8);
                (&rest[..length], length)
            }
        };
        let (name, negated) = match name.strip_prefix('^') {
            Some(name) => (name, letter == 'p'),
            None => (name, letter == 'P'),
        };
        let Some(class) = class::unicode(name, self.fold(), negated, self.classes) else {
            return Err(
                self.wrong(start, format!("there is no Unicode category or script named {name:?}"))
            );
        };
        self.at += length;
        Ok(Some(class))
    }

    /// Parses the escape of a character after the backslash at `start` and returns its code point.
    fn escape(&mut self, start: usize) -> Parse<u32> {
        let octal = |c: Option<char>| c.and_then(|c| c.to_digit(8));
        match self.next() {
            None => {
                Err(self.wrong(start, "it ends in a backslash; write `\\\\` for the character"))
            }
            Some('a') => Ok(0x7),
            Some('f') => Ok(0xc),
            Some('n') => Ok(u32::from('\n')),
            Some('r') => Ok(u32::from('\r')),
            Some('t') => Ok(u32::from('\t')),
            Some('v') => Ok(0xb),
            Some('x') => self.hexadecimal(start),
            Some(c @ '0'..='7') if c == '0' || octal(self.peek()).is_some() => {
                let mut code = octal(Some(c)).unwrap_or(0);
                for _ in 0..2 {
                    let Some(digit) = octal(self.peek()) else { break };
                    code = code * 8 + digit;
                    self.at += 1;
                }
                Ok(code)
            }
            Some(c) if c.is_ascii() && !c.is_ascii_alphanumeric() => Ok(u32::from(c)),
            Some(c @ '1'..='9') => {
                let message =
                    format!("`\\{c}` would refer back to a group, which these patterns cannot do");
                Err(self.wrong(start, message))
            }
            Some(c) => {
                Err(self
                    .wrong(start, format!("`\\{c}` has no meaning; write `{c}` for the character")))
            }
        }
    }

    /// Parses the digits of the hexadecimal escape that begins at `start` and returns its code point.
    fn hexadecimal(&mut self, start: usize) -> Parse<u32> {
        let rest = self.rest();
        let (digits, length) = match rest.strip_prefix('{') {
            Some(inner) => match inner.find('}') {
                Some(end) => (&inner[..end], end + 2),
                None => ("", 0),
            },
            None => (rest.get(..2).unwrap_or(""), 2),
        };
        let hex = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_hexdigit());
        let code = if hex { u32::from_str_radix(digits, 16).ok() } else { None };
        match code.filter(|&code| code <= u32::from(char::MAX)) {
            Some(code) => {
                self.at += length;
                Ok(code)
            }
            None => {
                Err(self
                    .wrong(start, "`\\x` needs two hexadecimal digits, or a code point in braces"))
            }
        }
    }

    /// Parses a class `[…]` whose opening bracket is at `start`.
    fn class(&mut self, start: usize) -> Parse<ClassUnicode> {
        let fold = self.fold();
        let negated = self.eat("^");
        let mut all = ClassUnicode::empty();
        let mut first = true;
        loop {
            let here = self.at;
            if !first && self.eat("]") {
                break;
            }
            first = false;
            if self.rest().starts_with("[:")
                && let Some(end) = self.rest()[2..].find(":]")
            {
                let name = &self.rest()[2..2 + end];
                let Some(class) = class::posix(name, fold) else {
                    return Err(self.wrong(here, format!("there is no character class [:{name}:]")));
                };
                all.union(&class);
                self.at += end + 4;
                continue;
            }
            if self.rest().starts_with('\\') {
                self.at += 1;
                if let Some(class) = self.escaped_class()? {
                    all.union(&class);
                    continue;
                }
                self.at = here;
            }
            let low = self.class_character(start)?;
            let mut high = low;
            // A `-` right before the closing bracket is a character, not a range.
            if self.rest().starts_with('-')
                && !self.rest().starts_with("-]")
                && self.rest().len() > 1
            {
                self.at += 1;
                high = self.class_character(start)?;
                if high < low {
                    let range = &self.text[here..self.at];
                    return Err(self.wrong(here, format!("the range {range} runs backwards")));
                }
            }
            let range = ClassUnicode::new(characters(low, high));
            all.union(&class::finish(range, fold, false));
        }
        Ok(class::finish(all, None, negated))
    }

    /// Parses one character or escape inside of the class whose opening bracket is at `start` and returns its code point.
    fn class_character(&mut self, start: usize) -> Parse<u32> {
        let here = self.at;
        match self.next() {
            None => {
                Err(self
                    .wrong(start, "a `[` is not closed; add `]`, or write `\\[` for the character"))
            }
            Some('\\') => self.escape(here),
            Some(c) => Ok(u32::from(c)),
        }
    }
}

/// Returns the range of characters between two code points, with surrogates at the ends removed; `None` if none remain.
fn characters(low: u32, high: u32) -> Option<ClassUnicodeRange> {
    let low = char::from_u32(low).unwrap_or('\u{e000}');
    let high = char::from_u32(high).unwrap_or('\u{d7ff}');
    (low <= high).then(|| ClassUnicodeRange::new(low, high))
}

/// Parses `{n}`, `{n,}` or `{n,m}` at the start of `text`, returning the least and the greatest count and the length in bytes;
/// `None` for other texts.
fn braces(text: &str) -> Option<((u32, Option<u32>), usize)> {
    let end = text.find('}')?;
    let inner = &text[1..end];
    let number = |digits: &str| {
        let well_formed = !digits.is_empty()
            && digits.bytes().all(|b| b.is_ascii_digit())
            && (digits.len() == 1 || !digits.starts_with('0'));
        well_formed.then(|| digits.parse::<u32>().unwrap_or(u32::MAX))
    };
    let counts = match inner.split_once(',') {
        None => {
            let n = number(inner)?;
            (n, Some(n))
        }
        Some((low, "")) => (number(low)?, None),
        Some((low, high)) => (number(low)?, Some(number(high)?)),
    };
    Some((counts, end + 1))
}
