//! Writing JSON documents around values that are JSON text already. Numbers of the language are never parsed here, so
//! they keep every digit.

use std::fmt::{self, Write as _};
use std::io;

use groma_syntax::{Place, Sources};

/// A JSON string.
pub(crate) fn string(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() || c == '\u{2028}' || c == '\u{2029}' => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// A place as a JSON string: file and line.
pub(crate) fn place(place: Place, sources: &Sources) -> String {
    let (source, place) = sources.at(place);
    string(&format!("{}:{}", source.name(), source.position(place.span.start).line))
}

/// A JSON array of texts that are JSON.
pub(crate) fn array(items: impl IntoIterator<Item = String>) -> String {
    let items: Vec<String> = items.into_iter().collect();
    format!("[{}]", items.join(","))
}

/// A JSON object, its properties in the order they are added.
#[derive(Default, Debug)]
pub(crate) struct Object {
    text: String,
}

impl Object {
    /// Adds a property whose value is JSON text.
    pub(crate) fn with(mut self, name: &str, value: &str) -> Object {
        self.text.push(if self.text.is_empty() { '{' } else { ',' });
        self.text.push_str(&string(name));
        self.text.push(':');
        self.text.push_str(value);
        self
    }

    /// The object's text.
    pub(crate) fn finish(mut self) -> String {
        if self.text.is_empty() {
            self.text.push('{');
        }
        self.text.push('}');
        self.text
    }
}

/// Writes the document that `write` gives in pieces, on one line or over several.
pub(crate) fn write(
    is_pretty: bool,
    out: &mut dyn io::Write,
    write: impl FnOnce(&mut dyn fmt::Write) -> fmt::Result,
) -> io::Result<()> {
    if is_pretty {
        return Pretty::write(out, write);
    }
    let mut line = Line { out, outcome: Ok(()) };
    let written = write(&mut line);
    line.outcome?;
    written.map_err(io::Error::other)?;
    line.out.write_all(b"\n")
}

/// A document on its way as it is.
struct Line<'o> {
    out: &'o mut dyn io::Write,
    outcome: io::Result<()>,
}

impl fmt::Write for Line<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if self.outcome.is_ok() {
            self.outcome = self.out.write_all(text.as_bytes());
        }
        self.outcome.as_ref().map_err(|_| fmt::Error).copied()
    }
}

/// The same document over several lines, two blanks a level; every token stays as it is.
pub(crate) fn pretty(compact: &str) -> String {
    let mut nowhere = io::sink();
    let mut pretty = Pretty::to(&mut nowhere);
    pretty.take(compact.as_bytes());
    String::from_utf8(pretty.waiting).unwrap_or_default()
}

/// A document on its way over several lines, as [`pretty`] has it; it comes in pieces.
pub(crate) struct Pretty<'o> {
    out: &'o mut dyn io::Write,
    waiting: Vec<u8>,
    depth: usize,
    in_string: bool,
    is_escaped: bool,
    has_opened: bool,
    outcome: io::Result<()>,
}

impl<'o> Pretty<'o> {
    fn to(out: &'o mut dyn io::Write) -> Pretty<'o> {
        Pretty {
            out,
            waiting: Vec::new(),
            depth: 0,
            in_string: false,
            is_escaped: false,
            has_opened: false,
            outcome: Ok(()),
        }
    }

    /// Writes what `write` gives, and the end of the line.
    fn write(
        out: &'o mut dyn io::Write,
        write: impl FnOnce(&mut dyn fmt::Write) -> fmt::Result,
    ) -> io::Result<()> {
        let mut pretty = Pretty::to(out);
        let written = write(&mut pretty);
        pretty.outcome?;
        written.map_err(io::Error::other)?;
        pretty.waiting.push(b'\n');
        pretty.out.write_all(&pretty.waiting)
    }

    fn new_line(&mut self) {
        self.waiting.push(b'\n');
        self.waiting.resize(self.waiting.len() + self.depth * 2, b' ');
    }

    /// Takes a piece. All signs of the form are ASCII, so bytes tell as much as characters.
    fn take(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        while !rest.is_empty() {
            if self.in_string {
                rest = self.inside(rest);
                continue;
            }
            let plain = |byte: &u8| {
                !matches!(byte, b'"' | b'{' | b'}' | b'[' | b']' | b',' | b':' | b' ' | b'\n')
            };
            let end = rest.iter().position(|byte| !plain(byte)).unwrap_or(rest.len());
            if end > 0 {
                if std::mem::take(&mut self.has_opened) {
                    self.new_line();
                }
                self.waiting.extend_from_slice(&rest[..end]);
                rest = &rest[end..];
                continue;
            }
            let sign = rest[0];
            rest = &rest[1..];
            if matches!(sign, b' ' | b'\n') {
                continue;
            }
            let closes = matches!(sign, b'}' | b']');
            if closes {
                self.depth = self.depth.saturating_sub(1);
            }
            if std::mem::take(&mut self.has_opened) != closes {
                self.new_line();
            }
            self.waiting.push(sign);
            match sign {
                b'"' => self.in_string = true,
                b'{' | b'[' => {
                    self.depth += 1;
                    self.has_opened = true;
                }
                b',' => self.new_line(),
                b':' => self.waiting.push(b' '),
                _ => {}
            }
        }
    }

    /// Takes what belongs to a string, and gives what comes after it.
    fn inside<'b>(&mut self, bytes: &'b [u8]) -> &'b [u8] {
        let mut end = bytes.len();
        for (at, byte) in bytes.iter().enumerate() {
            if std::mem::take(&mut self.is_escaped) {
                continue;
            }
            match byte {
                b'\\' => self.is_escaped = true,
                b'"' => {
                    self.in_string = false;
                    end = at + 1;
                    break;
                }
                _ => {}
            }
        }
        self.waiting.extend_from_slice(&bytes[..end]);
        &bytes[end..]
    }
}

impl fmt::Write for Pretty<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if self.outcome.is_ok() {
            self.take(text.as_bytes());
            self.outcome = self.out.write_all(&self.waiting);
            self.waiting.clear();
        }
        self.outcome.as_ref().map_err(|_| fmt::Error).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::{Object, pretty, string};

    #[test]
    fn pretty_keeps_tokens() {
        let compact = r#"{"a":[1.10,-0,"x\"{,"],"b":{},"c":[],"d":[[]],"e":[{"f":null}]}"#;
        let want = "{\n  \"a\": [\n    1.10,\n    -0,\n    \"x\\\"{,\"\n  ],\n  \"b\": {},\n  \"c\": [],\n  \"d\": [\n    []\n  ],\n  \"e\": [\n    {\n      \"f\": null\n    }\n  ]\n}";
        assert_eq!(pretty(compact), want);
        assert_eq!(pretty("1"), "1");
    }

    #[test]
    fn objects_and_strings() {
        assert_eq!(Object::default().finish(), "{}");
        assert_eq!(
            Object::default().with("a\n", "1").with("b", "[]").finish(),
            "{\"a\\n\":1,\"b\":[]}"
        );
        assert_eq!(string("\u{1}\u{7f}\\"), "\"\\u0001\\u007f\\\\\"");
    }
}
