//! Detection of a JSON document's layout, so that new code is laid out alike.

use groma_syntax::json::{JsonCase, JsonView};

use super::code::{NewJson, quoted};
use crate::text::ParsedText;

/// The layout of a JSON document: its indentation, separators, and which values are on one line.
#[derive(Debug)]
pub(crate) struct DocumentStyle {
    /// The indentation of one level.
    pub(super) unit: String,
    /// The separator of two items on one line.
    pub(super) comma: &'static str,
    /// The separator of a name and its value.
    colon: &'static str,
    /// True if everything is on one line.
    is_flat: bool,
    /// True if a list of plain values is on one line.
    pub(super) keeps_lists_flat: bool,
}

impl DocumentStyle {
    /// Detects the layout of a JSON document.
    pub(crate) fn of(text: &ParsedText) -> DocumentStyle {
        let code = text.text.trim();
        let is_flat = !code.contains('\n') && code != "{}";
        let unit = code.lines().skip(1).find(|line| !line.trim().is_empty()).map_or("  ", |line| {
            let blanks = &line[..line.len() - line.trim_start().len()];
            if blanks.is_empty() { "  " } else { blanks }
        });
        let is_tight = is_flat && !code.contains("\": ") && code.contains("\":");
        let mut lists = (0, 0);
        if let Some(json) = &text.json {
            count(json.document.root(), &mut lists);
        }
        DocumentStyle {
            unit: unit.to_owned(),
            comma: if is_tight { "," } else { ", " },
            colon: if is_tight { ":" } else { ": " },
            is_flat,
            keeps_lists_flat: is_flat || lists.0 >= lists.1,
        }
    }

    /// Returns the JSON text of a value in this layout; `indent` is the indentation of its first line, `text` the document
    /// whose line ending is used.
    pub(super) fn write(&self, code: &NewJson, indent: &str, text: &ParsedText) -> String {
        let inner = format!("{indent}{}", self.unit);
        let (open, parts, close) = match code {
            NewJson::Raw(raw) => {
                return raw
                    .replace("\r\n", "\n")
                    .replace('\n', &format!("{}{indent}", text.line_end()));
            }
            NewJson::Array(items) => {
                let is_flat = self.is_flat || self.keeps_lists_flat && code.is_plain();
                let inner = if is_flat { indent } else { &inner };
                let parts: Vec<String> =
                    items.iter().map(|item| self.write(item, inner, text)).collect();
                if is_flat {
                    return format!("[{}]", parts.join(self.comma));
                }
                ('[', parts, ']')
            }
            NewJson::Object(items) => {
                let parts =
                    items.iter().map(|(name, code)| self.property(name, code, &inner, text));
                ('{', parts.collect(), '}')
            }
        };
        if parts.is_empty() {
            return format!("{open}{close}");
        }
        if self.is_flat {
            return format!("{open}{}{close}", parts.join(self.comma));
        }
        let end = text.line_end();
        let apart = format!(",{end}{inner}");
        format!("{open}{end}{inner}{}{end}{indent}{close}", parts.join(&apart))
    }

    /// Returns the JSON text of a property in this layout; `indent` is its indentation, `text` the document whose line
    /// ending is used.
    pub(super) fn property(
        &self,
        name: &str,
        code: &NewJson,
        indent: &str,
        text: &ParsedText,
    ) -> String {
        format!("{}{}{}", quoted(name), self.colon, self.write(code, indent, text))
    }

    /// Returns the text between brackets that were empty and now contain `part`, one property or element; `indent` is the
    /// indentation of the line with the brackets, `text` the document whose line ending is used.
    pub(super) fn opened(&self, part: &str, indent: &str, text: &ParsedText) -> String {
        match self.is_flat {
            true => part.to_owned(),
            false => {
                let end = text.line_end();
                format!("{end}{indent}{}{part}{end}{indent}", self.unit)
            }
        }
    }
}

/// Counts the lists of scalars in a JSON value: in `lists.0` those on one line, in `lists.1` those on several lines.
fn count(value: JsonView<'_>, lists: &mut (usize, usize)) {
    match value.case() {
        JsonCase::Array(items) => {
            let is_plain = items
                .iter()
                .all(|item| !matches!(item.case(), JsonCase::Array(_) | JsonCase::Object(_)));
            if is_plain && !items.is_empty() {
                match value.text().contains('\n') {
                    true => lists.1 += 1,
                    false => lists.0 += 1,
                }
            }
            items.into_iter().for_each(|item| count(item, lists));
        }
        JsonCase::Object(properties) => {
            properties.into_iter().for_each(|one| count(one.value, lists));
        }
        _ => {}
    }
}
