//! Value files: names and constants, in native syntax or JSON. In JSON a text is only text: a
//! template sequence in it stands for itself.

use std::sync::Arc;

use groma_syntax::json::Case;
use groma_syntax::{
    Body, Code, Diagnostic, Diagnostics, FileId, Item, Place, parse_file, parse_json,
};
use groma_value::{Value, json};
use rustc_hash::FxHashSet;

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

    fn native(&mut self, path: &str, file: FileId, text: &Arc<str>, out: &mut Diagnostics) {
        let parse = parse_file(text, file);
        out.extend(parse.diagnostics.iter().cloned());
        let mut seen: FxHashSet<groma_syntax::Text> = FxHashSet::default();
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
                    // Of equal names the first counts; the parser has reported the second.
                    if !seen.insert(argument.name.text.clone()) {
                        continue;
                    }
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

    fn json(&mut self, path: &str, file: FileId, text: &Arc<str>, out: &mut Diagnostics) {
        let parse = parse_json(text, file);
        out.extend(parse.diagnostics.iter().cloned());
        let Case::Object(properties) = parse.document.root().case() else {
            if parse.diagnostics.is_empty() {
                let detail = "A JSON value file holds one object: names and their values.";
                let place = Place::new(file, parse.document.root().span());
                out.push(Diagnostic::error(&BAD_JSON, detail).at(place));
            }
            return;
        };
        for property in properties.iter().filter(|property| property.name != "//") {
            let place = Place::new(file, property.name_span);
            let at = Place::new(file, property.value.span());
            let value = match json::decode(property.value.text()) {
                Ok(value) => Some(value),
                Err(why) => {
                    if parse.diagnostics.is_empty() {
                        let detail = format!("This value cannot be read: {}.", why.message);
                        out.push(Diagnostic::error(&BAD_JSON, detail).at(at));
                    }
                    None
                }
            };
            let failed = value.is_none();
            self.set(path, &property.name, value, place, at, failed);
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
