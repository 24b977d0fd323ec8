//! Value files: names and constants, in native syntax or JSON. In JSON a text is only text: a
//! template sequence in it stands for itself.

use groma_syntax::{Body, Code, Diagnostic, Diagnostics, FileId, Item, Place, Span, parse_file};
use groma_value::{Value, json};

use super::{Collector, Given, constant, unread};
use crate::load::read_text;

static BLOCK: Code = Code { slug: "block-in-values", summary: "Block in a value file" };
static BAD_JSON: Code = Code { slug: "values-json", summary: "Value file is not valid JSON" };

impl Collector<'_> {
    /// Takes in the values of a file.
    pub(super) fn file(&mut self, path: &str, out: &mut Diagnostics) {
        let Some((file, text)) = read_text(self.host, self.sources, path, out) else { return };
        match path.ends_with(".json") {
            true => self.json(path, file, &text, out),
            false => self.native(path, file, &text, out),
        }
    }

    fn native(
        &mut self,
        path: &str,
        file: FileId,
        text: &std::sync::Arc<str>,
        out: &mut Diagnostics,
    ) {
        let parse = parse_file(text, file);
        out.extend(parse.diagnostics.iter().cloned());
        let mut seen: Vec<groma_syntax::Text> = Vec::new();
        for item in Body::of(&parse).items() {
            match item {
                Item::Block(block) => {
                    let kind = block.kind.text.as_str();
                    let detail = format!(
                        "A value file only sets values, as in name = value. Move the {kind} block to a file of the module."
                    );
                    let place = Place::new(file, block.kind.span);
                    out.push(Diagnostic::error(&BLOCK, detail).at(place));
                }
                Item::Argument(argument) => {
                    if seen.contains(&argument.name.text) {
                        continue;
                    }
                    seen.push(argument.name.text.clone());
                    let place = Place::new(file, argument.name.span);
                    let at = argument.expr.place();
                    let before = out.len();
                    let value = constant(&argument.expr, self.gatherer, out);
                    let failed = out.len() > before;
                    self.set(path, argument.name.text.as_str(), value, place, at, failed);
                }
            }
        }
    }

    fn json(&mut self, path: &str, file: FileId, text: &str, out: &mut Diagnostics) {
        let whole = Place::new(file, Span::new(0, text.len() as u32));
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let value = match json::decode(text) {
            Ok(value) => value,
            Err(why) => {
                let at = Span::at(why.offset.min(text.len()) as u32);
                let detail = format!("\"{path}\" cannot be read as JSON: {}.", why.message);
                out.push(Diagnostic::error(&BAD_JSON, detail).at(Place::new(file, at)));
                return;
            }
        };
        let Value::Object(object) = value else {
            let detail = "A JSON value file holds one object: names and their values.";
            out.push(Diagnostic::error(&BAD_JSON, detail).at(whole));
            return;
        };
        for (name, value) in object.iter().filter(|(name, _)| &***name != "//") {
            let place = property(text, name).map_or(whole, |span| Place::new(file, span));
            self.set(path, name, Some(value.clone()), place, place, false);
        }
    }

    fn set(
        &mut self,
        path: &str,
        name: &str,
        value: Option<Value>,
        name_place: Place,
        place: Place,
        failed: bool,
    ) {
        let Some(variable) = self.variable(name) else {
            // What is wrong with the value is said already.
            if !failed {
                self.strangers.push((name.to_owned(), name_place));
            }
            return;
        };
        let given = Given {
            value: value.unwrap_or_else(|| unread(variable)),
            place: Some(place),
            origin: format!("\"{path}\""),
            is_text: false,
        };
        self.values.insert(variable.name.clone(), given);
    }
}

/// Where the property `name` stands in a JSON object: its first mention as a quoted text.
fn property(text: &str, name: &str) -> Option<Span> {
    let quoted = format!("\"{name}\"");
    let start = text.find(&quoted)? as u32;
    Some(Span::new(start, start + quoted.len() as u32))
}
