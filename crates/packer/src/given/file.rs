//! Value files: names and constants, in native syntax or JSON. In JSON a text is only text: a template sequence in
//! it stands for itself.

use std::sync::Arc;

use groma_module::folder::read_text;
use groma_syntax::json::Case;
use groma_syntax::{
    Body, Code, Diagnostic, Diagnostics, FileId, Item, Place, parse_file, parse_json,
};
use groma_value::json;
use rustc_hash::FxHashSet;

use super::Collector;

static BLOCK: Code = Code { slug: "block-in-values", summary: "Block in a value file" };
static BAD_JSON: Code = Code { slug: "values-json", summary: "Value file is not valid JSON" };
static ENDING: Code = Code { slug: "values-name", summary: "Name of a value file" };

impl Collector<'_> {
    /// Takes in the values of a file.
    pub(super) fn file(&mut self, path: &str, out: &mut Diagnostics) {
        if !path.ends_with(".hcl") && !path.ends_with(".json") {
            let detail = format!(
                "Only its name says how a value file is written, and \"{path}\" ends neither in .hcl nor in .json. Rename it to end in .pkrvars.hcl or .pkrvars.json."
            );
            out.push(Diagnostic::error(&ENDING, detail));
            return;
        }
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
                    let detail = format!(
                        "A value file only sets values, as in name = value. Move the {} block to a *.pkr.hcl file.",
                        block.kind.text.as_str()
                    );
                    let place = Place::new(file, block.kind.span);
                    out.push(Diagnostic::error(&BLOCK, detail).at(place));
                }
                Item::Argument(argument) => {
                    // Of equal names the first counts; the parser has reported the second.
                    if !seen.insert(argument.name.text.clone()) {
                        continue;
                    }
                    let name = argument.name.text.as_str();
                    let value = self.value(&argument.expr, out);
                    let place = argument.expr.place();
                    match self.variable(name) {
                        Some(variable) => {
                            let origin = format!("\"{path}\"");
                            self.set(variable, value, Some(place), &origin, out);
                        }
                        None => {
                            let place = Place::new(file, argument.name.span);
                            self.strangers.push((name.to_owned(), place));
                        }
                    }
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
        let mut seen: FxHashSet<String> = FxHashSet::default();
        for property in properties.iter().filter(|property| property.name != "//") {
            let name_place = Place::new(file, property.name_span);
            if !seen.insert(property.name.to_string()) {
                let detail = format!("\"{}\" is set twice in this file.", property.name);
                out.push(Diagnostic::error(&BAD_JSON, detail).at(name_place));
                continue;
            }
            let Some(variable) = self.variable(&property.name) else {
                self.strangers.push((property.name.to_string(), name_place));
                continue;
            };
            let place = Place::new(file, property.value.span());
            let value = match json::decode(property.value.text()) {
                Ok(value) => Some(value),
                Err(why) => {
                    if parse.diagnostics.is_empty() {
                        let detail = format!("This value cannot be read: {}.", why.message);
                        out.push(Diagnostic::error(&BAD_JSON, detail).at(place));
                    }
                    None
                }
            };
            self.set(variable, value, Some(place), &format!("\"{path}\""), out);
        }
    }
}
