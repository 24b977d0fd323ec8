//! JSON text to values: objects become objects, arrays become tuples, numbers keep 512 bits. The grammar is strict, and nesting
//! is bounded, so that a text cannot exhaust the stack.

use std::borrow::Cow;

use super::JsonError;
use crate::{Number, ShapeCache, Str, Value};

/// Maximum nesting depth of arrays and objects in a JSON text to be read.
const NESTING: usize = 350;

/// Returns the value of a JSON text: objects become objects, arrays tuples. As in the reference programs, a bracket that closes
/// nothing ends the text, and anything after it is ignored.
pub fn decode(text: &str) -> Result<Value, JsonError> {
    JsonReader::new(text).document()
}

/// Returns the value of a JSON text like [`decode`], but of repeated names in an object the last wins even if the types of their
/// values differ.
pub fn decode_loose(text: &str) -> Result<Value, JsonError> {
    JsonReader::loose(text).document()
}

/// Returns the number of leading bytes before the first quote, backslash or control character; compares eight bytes at a time.
fn plain_length(bytes: &[u8]) -> usize {
    /// A word whose eight bytes are all 1, for comparing eight bytes at once.
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    /// A word with only the top bit of each of its eight bytes set, for comparing eight bytes at once.
    const TOPS: u64 = u64::from_le_bytes([0x80; 8]);
    // Sets the top bit of each zero byte; bits above the lowest one set may be false positives.
    let nothing = |word: u64| word.wrapping_sub(ONES) & !word & TOPS;
    let (chunks, rest) = bytes.as_chunks::<8>();
    for (at, chunk) in chunks.iter().enumerate() {
        let word = u64::from_le_bytes(*chunk);
        let controls = word.wrapping_sub(ONES * 0x20) & !word & TOPS;
        let quotes = nothing(word ^ (ONES * u64::from(b'"')));
        let slashes = nothing(word ^ (ONES * u64::from(b'\\')));
        let stops = controls | quotes | slashes;
        if stops != 0 {
            return at * 8 + stops.trailing_zeros() as usize / 8;
        }
    }
    let is_plain = |byte: &&u8| !matches!(byte, b'"' | b'\\' | 0..0x20);
    chunks.len() * 8 + rest.iter().take_while(is_plain).count()
}

/// Returns the number of leading whitespace bytes, which are mostly indentation.
fn blank_length(bytes: &[u8]) -> usize {
    if !matches!(bytes.first(), Some(b' ' | b'\t' | b'\r' | b'\n')) {
        return 0;
    }
    let mut length = 1;
    while bytes.get(length..length + 8) == Some(&[b' '; 8]) {
        length += 8;
    }
    let is_blank = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
    length + bytes[length..].iter().take_while(is_blank).count()
}

/// A parser of one JSON text: the text and the offset of the next byte.
pub(crate) struct JsonReader<'t> {
    text: &'t str,
    at: usize,
    /// True if the values of repeated names may have different types.
    loose: bool,
    shapes: ShapeCache,
}

impl<'t> JsonReader<'t> {
    /// Creates a reader of `text` in which a name that an object repeats must not have values of different types.
    pub(crate) fn new(text: &'t str) -> JsonReader<'t> {
        JsonReader { text, at: 0, loose: false, shapes: ShapeCache::default() }
    }

    /// Creates a reader of `text` in which a name that an object repeats may have values of different types.
    pub(super) fn loose(text: &'t str) -> JsonReader<'t> {
        JsonReader { loose: true, ..JsonReader::new(text) }
    }

    /// Returns the byte offset of the next unread character.
    pub(crate) fn offset(&self) -> usize {
        self.at
    }

    /// Returns the part of the JSON text between the offset `start` and the current one.
    pub(crate) fn since(&self, start: usize) -> &'t str {
        self.text.get(start..self.at).unwrap_or_default()
    }

    /// Returns the unread bytes of the JSON text.
    pub(crate) fn rest(&self) -> &'t [u8] {
        &self.text.as_bytes()[self.at..]
    }

    /// Consumes `text` if the unread text starts with it; returns true if so.
    pub(crate) fn eat(&mut self, text: &str) -> bool {
        let found = self.rest().starts_with(text.as_bytes());
        if found {
            self.at += text.len();
        }
        found
    }

    /// Skips whitespace and consumes `word` if it is next; returns true if so.
    pub(super) fn word(&mut self, word: &str) -> bool {
        self.peek();
        self.eat(word)
    }

    /// Reads the next JSON value, of any type.
    pub(super) fn any(&mut self) -> Result<Value, JsonError> {
        self.value(0)
    }

    /// Skips the next value and validates it as JSON without building it; `depth` is its nesting depth.
    pub(super) fn check(&mut self, depth: usize) -> Result<(), JsonError> {
        if depth > NESTING {
            return self.fail(format!("the JSON nests deeper than {NESTING} levels"));
        }
        let (close, has_names) = match self.peek() {
            Some(b'{') => (b'}', true),
            Some(b'[') => (b']', false),
            Some(b'"') => return self.check_string(),
            Some(b'-' | b'0'..=b'9') => {
                let number = self.number_literal()?;
                return match number.contains(['e', 'E']) {
                    // An exponent may be too large, so the number is computed.
                    true => self.number_of(number).map(drop),
                    false => Ok(()),
                };
            }
            _ => return self.value(depth).map(drop),
        };
        self.at += 1;
        if self.take(close) {
            return Ok(());
        }
        loop {
            if has_names {
                if self.peek() != Some(b'"') {
                    return self
                        .fail(format!("a property name is required here, not {}", self.shown()));
                }
                self.check_string()?;
                if !self.take(b':') {
                    return self.fail(format!("a colon is required here, not {}", self.shown()));
                }
            }
            self.check(depth + 1)?;
            if self.take(close) {
                return Ok(());
            }
            if !self.take(b',') {
                let close = char::from(close);
                return self
                    .fail(format!("a comma or {close} is required here, not {}", self.shown()));
            }
        }
    }

    /// Skips and validates a JSON string; only one with escapes or control characters is decoded.
    fn check_string(&mut self) -> Result<(), JsonError> {
        let inner = self.rest().get(1..).unwrap_or_default();
        let plain = plain_length(inner);
        if inner.get(plain) == Some(&b'"') {
            self.at += plain + 2;
            return Ok(());
        }
        self.string().map(drop)
    }

    /// Returns an error with `message` at the current offset.
    pub(crate) fn fail<T>(&self, message: impl Into<String>) -> Result<T, JsonError> {
        Err(JsonError { offset: self.at, message: message.into() })
    }

    /// Returns an error with `message` at the byte offset `offset`.
    fn fail_at<T>(&self, offset: usize, message: impl Into<String>) -> Result<T, JsonError> {
        Err(JsonError { offset, message: message.into() })
    }

    /// Skips whitespace and returns the next byte without consuming it; `None` at the end.
    pub(crate) fn peek(&mut self) -> Option<u8> {
        let rest = self.rest();
        let blanks = blank_length(rest);
        self.at += blanks;
        rest.get(blanks).copied()
    }

    /// Skips whitespace and consumes `byte` if it is next; returns true if so.
    pub(crate) fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        if found {
            self.at += 1;
        }
        found
    }

    /// Skips the next value without validating its content, and returns its byte range.
    pub(crate) fn skip(&mut self) -> Result<std::ops::Range<usize>, JsonError> {
        self.peek();
        let start = self.at;
        let bytes = self.text.as_bytes();
        let mut depth = 0usize;
        while let Some(byte) = bytes.get(self.at) {
            match byte {
                b'"' => self.skip_string()?,
                b'{' | b'[' => {
                    depth += 1;
                    self.at += 1;
                    continue;
                }
                b'}' | b']' | b',' if depth == 0 => break,
                b'}' | b']' => {
                    depth -= 1;
                    self.at += 1;
                }
                b' ' | b'\n' if depth > 0 => {
                    self.at += blank_length(&bytes[self.at..]);
                    continue;
                }
                _ => {
                    self.at += 1;
                    if depth > 0 || bytes.get(self.at).is_some_and(|next| !b",]}".contains(next)) {
                        continue;
                    }
                }
            }
            if depth == 0 {
                return Ok(start..self.at);
            }
        }
        self.fail_at(start, "this JSON value has no end")
    }

    /// Skips the next value and returns its unparsed JSON text.
    pub(crate) fn raw(&mut self) -> Result<&'t str, JsonError> {
        let range = self.skip()?;
        Ok(self.text[range].trim_end())
    }

    /// Skips the string at the current offset without decoding it.
    fn skip_string(&mut self) -> Result<(), JsonError> {
        let open = self.at;
        let bytes = self.text.as_bytes();
        self.at += 1;
        while let Some(rest) = bytes.get(self.at..) {
            let plain = plain_length(rest);
            self.at += plain;
            self.at += match rest.get(plain) {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(());
                }
                Some(b'\\') => 2,
                Some(_) => 1,
                None => break,
            };
        }
        self.fail_at(open, "this string has no closing quote")
    }

    /// Reads the whole text as one JSON value; a superfluous closing bracket ends it, as in the reference programs.
    fn document(mut self) -> Result<Value, JsonError> {
        let value = self.value(0)?;
        if !matches!(self.peek(), Some(b']' | b'}')) {
            self.end()?;
        }
        Ok(value)
    }

    /// Fails unless only whitespace follows in the text.
    pub(crate) fn end(&mut self) -> Result<(), JsonError> {
        match self.peek() {
            None => Ok(()),
            Some(_) => self.fail(format!("{} follows the end of the JSON value", self.shown())),
        }
    }

    /// Returns the next character in quotes, or a phrase for the end of the text, for messages.
    fn shown(&self) -> String {
        match self.text[self.at..].chars().next() {
            Some(c) => crate::print::quoted(c.encode_utf8(&mut [0; 4])),
            None => "the end of the text".to_owned(),
        }
    }

    /// Reads the JSON value at the current offset; `depth` is its nesting depth.
    fn value(&mut self, depth: usize) -> Result<Value, JsonError> {
        if depth > NESTING {
            return self.fail(format!("the JSON nests deeper than {NESTING} levels"));
        }
        match self.peek() {
            None => self.fail("the JSON ends where a value should stand"),
            Some(b'{') => self.object(depth),
            Some(b'[') => self.array(depth),
            Some(b'"') => Ok(Value::text(&*self.text()?)),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(_) => {
                for (word, value) in
                    [("true", Value::TRUE), ("false", Value::FALSE), ("null", Value::NULL)]
                {
                    if self.rest().starts_with(word.as_bytes()) {
                        self.at += word.len();
                        return Ok(value);
                    }
                }
                self.fail(format!("{} cannot begin a JSON value", self.shown()))
            }
        }
    }

    /// Reads a JSON array as a tuple; `depth` is its nesting depth.
    fn array(&mut self, depth: usize) -> Result<Value, JsonError> {
        self.at += 1;
        let mut items = Vec::new();
        if self.take(b']') {
            return Ok(Value::tuple(items));
        }
        loop {
            items.push(self.value(depth + 1)?);
            if self.take(b']') {
                // In many small arrays, unused capacity would take most of the memory.
                items.shrink_to_fit();
                return Ok(Value::tuple(items));
            }
            if !self.take(b',') {
                return self.fail(format!("a comma or ] is required here, not {}", self.shown()));
            }
        }
    }

    /// Reads a JSON object; the last of repeated names wins; `depth` is its nesting depth.
    fn object(&mut self, depth: usize) -> Result<Value, JsonError> {
        self.at += 1;
        let mut entries: Vec<(Str, usize, Value)> = Vec::new();
        if !self.take(b'}') {
            loop {
                if self.peek() != Some(b'"') {
                    return self
                        .fail(format!("a property name is required here, not {}", self.shown()));
                }
                let start = self.at;
                let raw = self.text()?;
                let name = Str::from(&*raw);
                // Normalising the name would silently change it.
                if *name != *raw {
                    return self.fail_at(
                        start,
                        format!(
                            "the property name {} is not in composed form (Unicode NFC)",
                            crate::print::quoted(&raw)
                        ),
                    );
                }
                if !self.take(b':') {
                    return self.fail(format!("a colon is required here, not {}", self.shown()));
                }
                let value = self.value(depth + 1)?;
                entries.push((name, start, value));
                if self.take(b'}') {
                    break;
                }
                if !self.take(b',') {
                    return self
                        .fail(format!("a comma or }} is required here, not {}", self.shown()));
                }
            }
        }
        self.check_repeated_names(&mut entries)?;
        let entries = entries.into_iter().map(|(name, _, value)| (name, value)).collect();
        Ok(self.shapes.object(depth, entries))
    }

    /// Checks that all values of a repeated name in an object have one type, or for a loose reader only convert to that of the
    /// last one; an entry is a name, the byte offset of its value and the value. Sorts the entries by name if necessary.
    fn check_repeated_names(&self, entries: &mut [(Str, usize, Value)]) -> Result<(), JsonError> {
        if entries.windows(2).all(|pair| pair[0].0 < pair[1].0) {
            return Ok(());
        }
        entries.sort_by(|a, b| a.0.cmp(&b.0));
        let mut last = None;
        for at in (1..entries.len()).rev() {
            let [(name, _, first), (again, offset, second)] = &entries[at - 1..=at] else {
                continue;
            };
            if name != again {
                last = None;
                continue;
            }
            let fits = match self.loose {
                true => readable_as(first, last.get_or_insert(second)),
                false => crate::ops::same_type(first, second),
            };
            if !fits {
                return self.fail_at(
                    *offset,
                    format!(
                        "the property {} stands here again with a value of another type",
                        crate::print::quoted(name)
                    ),
                );
            }
        }
        Ok(())
    }

    /// Reads the JSON number at the current offset.
    fn number(&mut self) -> Result<Value, JsonError> {
        let text = self.number_literal()?;
        self.number_of(text)
    }

    /// Returns the value of the number literal `text`, which was just consumed; fails if its exponent is too large.
    fn number_of(&self, text: &str) -> Result<Value, JsonError> {
        match Number::parse_literal(text) {
            Some(number) => Ok(number.into()),
            None => self.fail_at(self.at - text.len(), "the exponent of this number is too large"),
        }
    }

    /// Consumes a number literal by the JSON grammar and returns its text.
    fn number_literal(&mut self) -> Result<&'t str, JsonError> {
        let start = self.at;
        let rest = self.rest();
        let digits = |from: usize| rest[from..].iter().take_while(|b| b.is_ascii_digit()).count();
        let mut end = usize::from(rest.first() == Some(&b'-'));
        let whole = digits(end);
        if whole == 0 {
            return self.fail_at(start + end, "a digit is required after the minus sign");
        }
        if whole > 1 && rest[end] == b'0' {
            return self.fail("a number in JSON has no leading zeros");
        }
        end += whole;
        if rest.get(end) == Some(&b'.') {
            let places = digits(end + 1);
            if places == 0 {
                return self.fail_at(start + end + 1, "a digit is required after the point");
            }
            end += 1 + places;
        }
        if matches!(rest.get(end), Some(b'e' | b'E')) {
            end += 1 + usize::from(matches!(rest.get(end + 1), Some(b'+' | b'-')));
            let power = digits(end);
            if power == 0 {
                return self.fail_at(start + end, "a digit is required in the exponent");
            }
            end += power;
        }
        self.at += end;
        Ok(&self.text[start..self.at])
    }

    /// Reads a JSON string whose opening quote comes next, without Unicode normalisation; borrowed if it has no escapes.
    pub(crate) fn text(&mut self) -> Result<Cow<'t, str>, JsonError> {
        let start = self.at + 1;
        let inner = self.rest().get(1..).unwrap_or_default();
        let plain = plain_length(inner);
        if inner.get(plain) == Some(&b'"') {
            self.at += plain + 2;
            return Ok(Cow::Borrowed(&self.text[start..start + plain]));
        }
        self.string().map(Cow::Owned)
    }

    /// Reads a JSON string into an owned text, without Unicode normalisation.
    pub(crate) fn string(&mut self) -> Result<String, JsonError> {
        let open = self.at;
        self.at += 1;
        let mut out = String::new();
        loop {
            let rest = &self.text[self.at..];
            let Some(stop) = rest.find(['"', '\\']).or_else(|| rest.find(|c| c < ' ')) else {
                return self.fail_at(open, "this string has no closing quote");
            };
            let plain = &rest[..stop];
            if let Some(control) = plain.find(|c| c < ' ') {
                self.at += control;
                return self.fail(format!("{} must be escaped inside a string", self.shown()));
            }
            out.push_str(plain);
            self.at += stop;
            match self.rest().first() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(out);
                }
                Some(b'\\') => out.push(self.escape()?),
                _ => {
                    return self.fail(format!("{} must be escaped inside a string", self.shown()));
                }
            }
        }
    }

    /// Decodes the escape sequence at the current offset to its character.
    fn escape(&mut self) -> Result<char, JsonError> {
        let start = self.at;
        let kind = self.rest().get(1).copied();
        self.at += 2;
        Ok(match kind {
            Some(c @ (b'"' | b'\\' | b'/')) => char::from(c),
            Some(b'b') => '\x08',
            Some(b'f') => '\x0c',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                let unit = self.hex(start)?;
                if !(0xd800..0xdc00).contains(&unit) {
                    return Ok(char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER));
                }
                // The first half of a surrogate pair, valid only if the second half follows.
                let before = self.at;
                if self.rest().starts_with(b"\\u") {
                    self.at += 2;
                    let low = self.hex(before)?;
                    if (0xdc00..0xe000).contains(&low) {
                        let code = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
                        return Ok(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
                    }
                    self.at = before;
                }
                char::REPLACEMENT_CHARACTER
            }
            _ => {
                return self.fail_at(start, "there is no such escape in JSON");
            }
        })
    }

    /// Reads the four hexadecimal digits of a `\u` escape that began at `start`.
    fn hex(&mut self, start: usize) -> Result<u32, JsonError> {
        let digits = self.rest().get(..4).and_then(|four| std::str::from_utf8(four).ok());
        let unit = digits
            .filter(|four| four.bytes().all(|b| b.is_ascii_hexdigit()))
            .and_then(|four| u32::from_str_radix(four, 16).ok());
        match unit {
            Some(unit) => {
                self.at += 4;
                Ok(unit)
            }
            None => self.fail_at(start, "\\u needs four hexadecimal digits"),
        }
    }
}

/// Returns true if JSON decoded as `value` could also be decoded with the type of `model`: strings may spell numbers and bools,
/// objects may lack attributes but have no others.
fn readable_as(value: &Value, model: &Value) -> bool {
    match (value, model) {
        (Value::Null(_), _) => true,
        (_, Value::Null(_)) => false,
        (Value::Object(object), Value::Object(model)) => object
            .iter()
            .all(|(name, value)| model.get(name).is_some_and(|model| readable_as(value, model))),
        (Value::Tuple(tuple), Value::Tuple(model)) => {
            let (items, models) = (tuple.items(), model.items());
            items.len() == models.len()
                && items.iter().zip(models).all(|(item, model)| readable_as(item, model))
        }
        (Value::Object(_) | Value::Tuple(_), _) | (_, Value::Object(_) | Value::Tuple(_)) => false,
        (Value::Decimal(_) | Value::Real(_), Value::Bool(_))
        | (Value::Bool(_), Value::Decimal(_) | Value::Real(_)) => false,
        _ => crate::convert(value, &model.ty()).is_ok(),
    }
}
