//! JSON with numbers kept as they are written: `1.50` and `1.5` are two numbers here, as they are in a recorded fact.
//!
//! Objects are sorted and compare without regard to order; of a repeated key the last counts.

use std::collections::BTreeMap;
use std::fmt;

/// A JSON value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Json {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number, as its text.
    Number(String),
    /// A string.
    Text(String),
    /// An array.
    List(Vec<Json>),
    /// An object.
    Object(BTreeMap<String, Json>),
}

/// Deeper than any recorded value, and shallow enough for a test thread's stack.
const DEPTH: usize = 512;

impl Json {
    /// Reads one document.
    ///
    /// # Errors
    /// Says what is wrong and at which byte.
    pub fn read(text: &str) -> Result<Json, String> {
        let mut reader = Reader { text, at: 0 };
        let value = reader.value(0)?;
        reader.space();
        if reader.at < text.len() {
            Err(reader.wrong("the end of the document"))
        } else {
            Ok(value)
        }
    }

    /// The value of a key, where this is an object that has it.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Json> {
        match self {
            Json::Object(entries) => entries.get(key),
            _ => None,
        }
    }

    /// The string, where this is one.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match self {
            Json::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The elements, where this is an array.
    #[must_use]
    pub fn list(&self) -> Option<&[Json]> {
        match self {
            Json::List(items) => Some(items),
            _ => None,
        }
    }

    /// The whole number, where this is one that fits.
    #[must_use]
    pub fn integer(&self) -> Option<i64> {
        match self {
            Json::Number(text) => text.parse().ok(),
            _ => None,
        }
    }
}

impl fmt::Display for Json {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Json::Null => out.write_str("null"),
            Json::Bool(true) => out.write_str("true"),
            Json::Bool(false) => out.write_str("false"),
            Json::Number(text) => out.write_str(text),
            Json::Text(text) => quote(text, out),
            Json::List(items) => {
                out.write_str("[")?;
                for (index, item) in items.iter().enumerate() {
                    out.write_str(if index == 0 { "" } else { "," })?;
                    item.fmt(out)?;
                }
                out.write_str("]")
            }
            Json::Object(entries) => {
                out.write_str("{")?;
                for (index, (key, value)) in entries.iter().enumerate() {
                    out.write_str(if index == 0 { "" } else { "," })?;
                    quote(key, out)?;
                    out.write_str(":")?;
                    value.fmt(out)?;
                }
                out.write_str("}")
            }
        }
    }
}

fn quote(text: &str, out: &mut fmt::Formatter<'_>) -> fmt::Result {
    out.write_str("\"")?;
    for c in text.chars() {
        match c {
            '"' => out.write_str("\\\"")?,
            '\\' => out.write_str("\\\\")?,
            '\n' => out.write_str("\\n")?,
            '\r' => out.write_str("\\r")?,
            '\t' => out.write_str("\\t")?,
            c if c < ' ' => write!(out, "\\u{:04x}", u32::from(c))?,
            c => write!(out, "{c}")?,
        }
    }
    out.write_str("\"")
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn wrong(&self, wanted: &str) -> String {
        format!("byte {}: expected {wanted}", self.at)
    }

    fn take(&mut self, word: &str) -> bool {
        let found = self.text[self.at..].starts_with(word);
        if found {
            self.at += word.len();
        }
        found
    }

    fn value(&mut self, depth: usize) -> Result<Json, String> {
        if depth > DEPTH {
            return Err(self.wrong("less nesting"));
        }
        self.space();
        match self.peek() {
            Some(b'"') => self.string().map(Json::Text),
            Some(b'[') => self.array(depth),
            Some(b'{') => self.object(depth),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ if self.take("null") => Ok(Json::Null),
            _ if self.take("true") => Ok(Json::Bool(true)),
            _ if self.take("false") => Ok(Json::Bool(false)),
            _ => Err(self.wrong("a value")),
        }
    }

    fn array(&mut self, depth: usize) -> Result<Json, String> {
        let mut items = Vec::new();
        self.at += 1;
        self.space();
        if self.take("]") {
            return Ok(Json::List(items));
        }
        loop {
            items.push(self.value(depth + 1)?);
            self.space();
            if self.take("]") {
                return Ok(Json::List(items));
            }
            if !self.take(",") {
                return Err(self.wrong("`,` or `]`"));
            }
        }
    }

    fn object(&mut self, depth: usize) -> Result<Json, String> {
        let mut entries = BTreeMap::new();
        self.at += 1;
        self.space();
        if self.take("}") {
            return Ok(Json::Object(entries));
        }
        loop {
            self.space();
            let key = self.string()?;
            self.space();
            if !self.take(":") {
                return Err(self.wrong("`:`"));
            }
            entries.insert(key, self.value(depth + 1)?);
            self.space();
            if self.take("}") {
                return Ok(Json::Object(entries));
            }
            if !self.take(",") {
                return Err(self.wrong("`,` or `}`"));
            }
        }
    }

    fn digits(&mut self) -> Result<(), String> {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        if self.at == start { Err(self.wrong("a digit")) } else { Ok(()) }
    }

    fn number(&mut self) -> Result<Json, String> {
        let start = self.at;
        self.take("-");
        let leading_zero = self.peek() == Some(b'0');
        let first = self.at;
        self.digits()?;
        if leading_zero && self.at > first + 1 {
            return Err(self.wrong("a number without leading zeros"));
        }
        if self.take(".") {
            self.digits()?;
        }
        if self.take("e") || self.take("E") {
            let _signed = self.take("+") || self.take("-");
            self.digits()?;
        }
        Ok(Json::Number(self.text[start..self.at].to_string()))
    }

    fn string(&mut self) -> Result<String, String> {
        if !self.take("\"") {
            return Err(self.wrong("a string"));
        }
        let mut out = String::new();
        loop {
            let Some(c) = self.text[self.at..].chars().next() else {
                return Err(self.wrong("`\"`"));
            };
            match c {
                '"' => {
                    self.at += 1;
                    return Ok(out);
                }
                '\\' => {
                    self.at += 1;
                    out.push(self.escape()?);
                }
                c if c < ' ' => return Err(self.wrong("an escaped control character")),
                c => {
                    self.at += c.len_utf8();
                    out.push(c);
                }
            }
        }
    }

    fn escape(&mut self) -> Result<char, String> {
        let letter = self.peek();
        self.at += usize::from(letter.is_some_and(|l| l.is_ascii()));
        Ok(match letter {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                let high = self.hex()?;
                if (0xD800..0xDC00).contains(&high) && self.take("\\u") {
                    let low = self.hex()?;
                    let joined =
                        0x10000 + ((high - 0xD800) << 10) + (low.wrapping_sub(0xDC00) & 0x3FF);
                    char::from_u32(joined).unwrap_or(char::REPLACEMENT_CHARACTER)
                } else {
                    char::from_u32(high).unwrap_or(char::REPLACEMENT_CHARACTER)
                }
            }
            _ => return Err(self.wrong("an escape")),
        })
    }

    fn hex(&mut self) -> Result<u32, String> {
        let digits = self
            .text
            .get(self.at..self.at + 4)
            .filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()));
        let code = digits
            .and_then(|d| u32::from_str_radix(d, 16).ok())
            .ok_or_else(|| self.wrong("four hex digits"))?;
        self.at += 4;
        Ok(code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_texts() {
        let read = |text| Json::read(text).unwrap();
        assert_ne!(read("1.0"), read("1.00"));
        assert_eq!(read("[-0, 1e5]").to_string(), "[-0,1e5]");
    }

    #[test]
    fn order_of_keys_does_not_count() {
        assert_eq!(Json::read(r#"{"b":1,"a":[]}"#), Json::read(r#" { "a" : [ ] , "b" : 1 } "#));
    }

    #[test]
    fn strings_come_back() {
        let text = "\"q\\\"\\\\\\n\\u0007é😀\"";
        assert_eq!(Json::read(text).unwrap().to_string(), text);
        assert_eq!(Json::read("\"\\ud83d\\ude00\""), Ok(Json::Text("😀".into())));
    }

    #[test]
    fn what_is_no_json_is_refused() {
        for text in
            ["", "01", "1.", "[1,]", "{\"a\"}", "\"\t\"", "nul", "1 2", "\"\\é\"", "{\"a\":1,}"]
        {
            assert!(Json::read(text).is_err(), "{text}");
        }
        assert!(Json::read(&"[".repeat(100_000)).is_err());
    }
}
