//! Writing JSON documents around values that are JSON text already. Numbers of the language are never parsed here, so
//! they keep every digit.

use std::fmt::Write as _;

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
    let source = sources.get(place.file);
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

/// The same document over several lines, two blanks a level; every token stays as it is.
pub(crate) fn pretty(compact: &str) -> String {
    let mut out = String::with_capacity(compact.len() * 2);
    let mut depth = 0usize;
    let mut in_string = false;
    let mut escaped = false;
    let mut opened = false;
    for c in compact.chars() {
        if in_string {
            out.push(c);
            in_string = escaped || c != '"';
            escaped = c == '\\' && !escaped;
            continue;
        }
        let closes = matches!(c, '}' | ']');
        if closes {
            depth = depth.saturating_sub(1);
        }
        if opened != closes && (opened || closes) {
            new_line(&mut out, depth);
        }
        opened = false;
        match c {
            '"' => {
                in_string = true;
                out.push(c);
            }
            '{' | '[' => {
                out.push(c);
                depth += 1;
                opened = true;
            }
            ',' => {
                out.push(c);
                new_line(&mut out, depth);
            }
            ':' => out.push_str(": "),
            ' ' | '\n' => {}
            c => out.push(c),
        }
    }
    out
}

fn new_line(out: &mut String, depth: usize) {
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", depth));
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
