//! Writing of YAML in the style of the reference programs: strings are always quoted, or blocks if they have several lines; a
//! list under a key begins in the column of the key.

use groma_value::{Mismatch, Value};

/// The column after which a quoted string is wrapped at its next space.
const WIDTH: usize = 80;
/// Maximum length in bytes of a mapping key before a colon; a longer one is written after `? `.
const KEY_LIMIT: usize = 128;

/// Returns the YAML text of a value without unknowns and marks; never fails, since every such value has a YAML form.
pub(super) fn write(value: &Value) -> Result<String, Mismatch> {
    let mut writer = YamlWriter { out: String::new() };
    writer.node(value, 0);
    if !writer.out.ends_with('\n') {
        writer.out.push('\n');
    }
    if matches!(value, Value::Null(_) | Value::Bool(_) | Value::Decimal(_) | Value::Real(_)) {
        // A plain scalar could continue on a further line, so the end of the document is marked.
        writer.out.push_str("...\n");
    }
    Ok(writer.out)
}

/// A writer of YAML with the text written so far.
struct YamlWriter {
    out: String,
}

/// A part of a YAML collection: an item of a sequence or an entry of a mapping.
enum YamlPart<'v> {
    /// An item of a sequence.
    Item(&'v Value),
    /// An entry of a mapping: its key and its value.
    Entry(&'v str, &'v Value),
}

/// Returns these values as the items of a YAML sequence.
fn items(items: &[Value]) -> Vec<YamlPart<'_>> {
    items.iter().map(YamlPart::Item).collect()
}

/// Returns the items or entries of a collection as parts of YAML; `None` for a scalar.
fn parts(value: &Value) -> Option<Vec<YamlPart<'_>>> {
    Some(match value {
        Value::List(list) => items(list.items()),
        Value::Set(set) => items(set.items()),
        Value::Tuple(tuple) => items(tuple.items()),
        Value::Map(map) => {
            map.entries().iter().map(|(key, value)| YamlPart::Entry(key, value)).collect()
        }
        Value::Object(object) => {
            object.iter().map(|(key, value)| YamlPart::Entry(key, value)).collect()
        }
        _ => return None,
    })
}

/// Returns true if a value is written as a YAML mapping.
fn is_mapping(value: &Value) -> bool {
    matches!(value, Value::Map(_) | Value::Object(_))
}

impl YamlWriter {
    /// Begins a new line, unless the text is at the start of one, and indents it by `indent` spaces.
    fn line(&mut self, indent: usize) {
        if !self.out.is_empty() && !self.out.ends_with('\n') {
            self.out.push('\n');
        }
        self.out.extend(std::iter::repeat_n(' ', indent));
    }

    /// Writes a value from the current position on; its further lines begin in column `indent`.
    fn node(&mut self, value: &Value, indent: usize) {
        let Some(parts) = parts(value) else { return self.scalar(value, indent, true) };
        if parts.is_empty() {
            self.out.push_str(if is_mapping(value) { "{}" } else { "[]" });
            return;
        }
        for (number, part) in parts.iter().enumerate() {
            if number > 0 {
                self.line(indent);
            }
            match part {
                YamlPart::Item(item) => {
                    self.out.push_str("- ");
                    self.inner(item, indent);
                }
                YamlPart::Entry(key, value) => self.entry(key, value, indent),
            }
        }
    }

    /// Writes a value on the line of the `- `, `? ` or `: ` before it; further lines of a collection are indented by two more
    /// spaces.
    fn inner(&mut self, value: &Value, indent: usize) {
        match parts(value) {
            Some(_) => self.node(value, indent + 2),
            None => self.scalar(value, indent, true),
        }
    }

    /// Writes an entry of a mapping, with its key after `? ` if that is long.
    fn entry(&mut self, key: &str, value: &Value, indent: usize) {
        if key.len() > KEY_LIMIT || key.contains('\n') {
            self.out.push_str("? ");
            self.scalar(&Value::from(key), indent, true);
            self.line(indent);
            self.out.push_str(": ");
            return self.inner(value, indent);
        }
        self.quoted(key, indent, false);
        self.out.push(':');
        match parts(value) {
            Some(parts) if !parts.is_empty() => {
                let inside = if is_mapping(value) { indent + 2 } else { indent };
                self.line(inside);
                self.node(value, inside);
            }
            _ => {
                self.out.push(' ');
                self.inner(value, indent);
            }
        }
    }

    /// Writes a bool, number, null or string; `fold` allows a long string to be wrapped.
    fn scalar(&mut self, value: &Value, indent: usize, fold: bool) {
        match value {
            Value::String(text) if text.contains('\n') && block_fits(text) => {
                self.block(text, indent + 2)
            }
            Value::String(text) => self.quoted(text, indent + 2, fold),
            Value::Bool(value) => self.out.push_str(if *value { "true" } else { "false" }),
            Value::Decimal(decimal) => self.out.push_str(&decimal.number().to_text()),
            Value::Real(real) => self.out.push_str(&real.number().to_text()),
            _ => self.out.push_str("null"),
        }
    }

    /// Writes a string of several lines as a literal block (`|`).
    fn block(&mut self, text: &str, indent: usize) {
        self.out.push('|');
        if text.starts_with([' ', '\n']) {
            self.out.push('2');
        }
        let body = text.trim_end_matches('\n');
        match text.len() - body.len() {
            0 => self.out.push('-'),
            1 if !body.is_empty() => {}
            _ => self.out.push('+'),
        }
        self.out.push('\n');
        for line in text.strip_suffix('\n').unwrap_or(text).split('\n') {
            if !line.is_empty() {
                self.out.extend(std::iter::repeat_n(' ', indent));
                self.out.push_str(line);
            }
            self.out.push('\n');
        }
    }

    /// Writes a string in double quotes; `fold` allows it to be wrapped at spaces.
    fn quoted(&mut self, text: &str, indent: usize, fold: bool) {
        // A text that begins with a byte order mark is escaped entirely.
        let all = text.starts_with('\u{feff}');
        self.out.push('"');
        let start = self.out.rfind('\n').map_or(0, |at| at + 1);
        let mut column = self.out[start..].chars().count();
        let mut spaces = false;
        let mut rest = text.chars().peekable();
        let mut first = true;
        while let Some(c) = rest.next() {
            if c == ' ' && !all {
                if fold && !spaces && column > WIDTH && !first && rest.peek().is_some() {
                    self.out.push('\n');
                    self.out.extend(std::iter::repeat_n(' ', indent));
                    column = indent;
                    if rest.peek() == Some(&' ') {
                        self.out.push('\\');
                        column += 1;
                    }
                } else {
                    self.out.push(' ');
                    column += 1;
                }
                spaces = true;
            } else {
                let before = self.out.len();
                escape(c, all, &mut self.out);
                column += self.out[before..].chars().count();
                spaces = false;
            }
            first = false;
        }
        self.out.push('"');
    }
}

/// Returns true if a character needs no escape in YAML.
fn is_printable(c: char) -> bool {
    matches!(c, ' '..='~' | '\u{a0}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}')
        && !matches!(c, '\u{feff}' | '\u{2028}' | '\u{2029}')
}

/// Writes a character, escaped if it is not printable or with `always`.
fn escape(c: char, always: bool, out: &mut String) {
    let short = match c {
        '"' => "\\\"",
        '\\' => "\\\\",
        '\0' => "\\0",
        '\u{7}' => "\\a",
        '\u{8}' => "\\b",
        '\t' => "\\t",
        '\n' => "\\n",
        '\u{b}' => "\\v",
        '\u{c}' => "\\f",
        '\r' => "\\r",
        '\u{1b}' => "\\e",
        '\u{85}' => "\\N",
        '\u{2028}' => "\\L",
        '\u{2029}' => "\\P",
        _ => "",
    };
    match u32::from(c) {
        _ if !short.is_empty() => out.push_str(short),
        _ if is_printable(c) && !always => out.push(c),
        code @ 0..=0xff => out.push_str(&format!("\\x{code:02X}")),
        code @ 0x100..=0xffff => out.push_str(&format!("\\u{code:04X}")),
        code => out.push_str(&format!("\\U{code:08X}")),
    }
}

/// Returns true if a text of several lines can be written as a literal block: all characters are printable, and no line ends in a
/// space.
fn block_fits(text: &str) -> bool {
    text.chars().all(|c| c == '\n' || is_printable(c))
        && !text.contains(" \n")
        && !text.ends_with(' ')
}
