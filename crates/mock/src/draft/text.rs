//! The text of a drafted mock file. The caller formats it, so layout is irrelevant here.

use std::fmt::Write as _;

use groma_value::{Value, quoted_template};

use super::{DraftPart, DraftedBlock, MockDraft};

/// Maximum number of source places listed in the comment of a block.
const PLACES: usize = 3;

/// Returns a known value as an expression of the language.
pub(super) fn literal(value: &Value) -> String {
    let mut out = String::new();
    write(value, &mut out);
    out
}

/// Appends a known value as an expression of the language to `out`.
fn write(value: &Value, out: &mut String) {
    match value.bare() {
        Value::String(text) => out.push_str(&quoted_template(text)),
        known if let Some(number) = known.as_number() => out.push_str(&number.to_text()),
        Value::Bool(true) => out.push_str("true"),
        Value::Bool(false) => out.push_str("false"),
        Value::Tuple(all) => items(all.items(), out),
        Value::List(all) => items(all.items(), out),
        Value::Set(all) => items(all.items(), out),
        Value::Map(map) => fields(map.entries().iter().map(|(key, value)| (&**key, value)), out),
        Value::Object(object) => fields(object.iter().map(|(name, v)| (&**name, v)), out),
        _ => out.push_str("null"),
    }
}

/// Appends the elements of a list as an expression to `out`.
fn items(all: &[Value], out: &mut String) {
    out.push('[');
    for (at, item) in all.iter().enumerate() {
        out.push_str(if at > 0 { ", " } else { "" });
        write(item, out);
    }
    out.push(']');
}

/// Appends the entries of an object as an expression to `out`, each on a line.
fn fields<'v>(all: impl ExactSizeIterator<Item = (&'v str, &'v Value)>, out: &mut String) {
    if all.len() == 0 {
        return out.push_str("{}");
    }
    out.push_str("{\n");
    for (name, value) in all {
        key(name, out);
        out.push_str(" = ");
        write(value, out);
        out.push('\n');
    }
    out.push('}');
}

/// Appends the key of an object entry to `out`, quoted if it is not an identifier.
fn key(name: &str, out: &mut String) {
    let mut chars = name.chars();
    let starts = chars.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_');
    match starts && chars.all(|c| c.is_ascii_alphanumeric() || "_-".contains(c)) {
        true => out.push_str(name),
        false => out.push_str(&quoted_template(name)),
    }
}

/// Returns the first [`PLACES`] source places, separated by commas, for a comment, and the number of the others.
fn places(all: &[String]) -> String {
    let more = all.len().saturating_sub(PLACES);
    let told = all[..all.len() - more].join(", ");
    if more > 0 { format!("{told}, {more} more") } else { told }
}

impl MockDraft {
    /// Returns the whole draft as the text of a mock file.
    pub fn text(&self) -> String {
        let mut out = String::new();
        if self.blocks.is_empty() {
            out.push_str("# No result depends on a value that a mock could give.\n");
        } else {
            out.push_str(
                "# The values that the outputs, resources and counts of this root depend on, the most used first. \
                 Values marked\n# TODO are placeholders: replace them with the real values. Values that are filled in \
                 are not listed again.\n",
            );
        }
        for block in &self.blocks {
            out.push('\n');
            block.text(&mut out);
        }
        for (address, count) in &self.others {
            let _ =
                write!(out, "\n# {} on {address}, which no mock can give.\n", dependents(*count));
        }
        out
    }
}

/// Returns the phrase for `count` dependent unknowns in a comment, such as `2 unknowns depend`.
fn dependents(count: usize) -> String {
    match count {
        1 => "1 unknown depends".to_owned(),
        count => format!("{count} unknowns depend"),
    }
}

impl DraftedBlock {
    /// Appends the mock block as text to `out`, with a comment about its uses.
    fn text(&self, out: &mut String) {
        let asked = match self.places.is_empty() {
            true => String::new(),
            false => format!(": {}", places(&self.places)),
        };
        let _ = writeln!(out, "# {} on it{asked}", dependents(self.count));
        out.push_str(self.kind);
        if let Some(label) = &self.label {
            out.push(' ');
            out.push_str(&quoted_template(label));
        }
        out.push_str(" {\n");
        if let Some(target) = &self.target {
            let _ = writeln!(out, "target = {target}");
        }
        match self.kind {
            "mock_function" => {
                for part in &self.parts {
                    part.text(out);
                }
            }
            kind => {
                let name = if kind == "override_module" { "outputs" } else { "values" };
                let _ = writeln!(out, "{name} = {{");
                for part in &self.parts {
                    part.text(out);
                }
                out.push_str("}\n");
            }
        }
        out.push_str("}\n");
    }
}

impl DraftPart {
    /// Appends the line of a mock block as text to `out`, with `TODO` comments at placeholders.
    fn text(&self, out: &mut String) {
        match self {
            DraftPart::Given(name, value) => {
                key(name, out);
                let _ = writeln!(out, " = {value}");
            }
            DraftPart::Placeholder(name, text, ty) => {
                // The comment precedes a multi-line value.
                let is_long = text.contains('\n');
                let about = ty.as_ref().map_or(String::new(), |ty| format!(" {ty}"));
                if is_long {
                    let _ = writeln!(out, "# TODO{about}");
                }
                key(name, out);
                let _ = write!(out, " = {text}");
                if !is_long {
                    let _ = write!(out, " # TODO{about}");
                }
                out.push('\n');
            }
            DraftPart::Hidden(name) => {
                let _ = writeln!(out, "# {name} is sensitive, so it is not copied here.");
            }
            DraftPart::Whole => out.push_str("# TODO: it is used as a whole.\n"),
        }
    }
}
