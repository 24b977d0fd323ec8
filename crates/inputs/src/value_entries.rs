//! Entries of variable files: names and constants, in native syntax or JSON. A JSON string is literal text: a template sequence
//! in it is not evaluated.

use std::sync::Arc;

use groma_config::MemoryCharge;
use groma_eval::{Context, LiteralSetting};
use groma_functions::FunctionLibrary;
use groma_syntax::json::{JsonCase, JsonProperty};
use groma_syntax::{
    Body, BodyItem, Diagnostic, Diagnostics, Expr, FileId, Place, Sources, Span, parse_expression,
    parse_file, parse_json,
};
use groma_value::{Value, json};
use rustc_hash::FxHashSet;

use crate::codes;

/// An entry of a variable file: a name and its value.
pub struct ValueEntry {
    /// The name.
    pub name: String,
    /// The place of the name.
    pub name_place: Place,
    /// The place of the value.
    pub place: Place,
    /// The value.
    pub value: EnteredValue,
}

/// The value of an entry of a variable file: an expression, an evaluated value, or nothing after an error.
pub enum EnteredValue {
    /// An expression that is still to be evaluated.
    Expression(Expr),
    /// A value that needs no evaluation.
    Value(Value),
    /// An error, already reported.
    Nothing,
}

/// Reads the entries of a variable file in source order, in JSON if `is_json` is set; `constants` are for evaluating it, and
/// `home` says in messages to which files blocks belong; `None`, after a report, if the budget of `room` does not allow its
/// size. Of equal names in native syntax only the first is returned, because the parser reports the second; in JSON all are.
/// Native syntax without errors and references is evaluated at once, with the functions and the context of `constants`.
pub fn entries(
    (file, text): (FileId, &Arc<str>),
    is_json: bool,
    home: &str,
    room: MemoryCharge<'_>,
    constants: (&FunctionLibrary, &Context),
    out: &mut Diagnostics,
) -> Option<Vec<ValueEntry>> {
    if !room.for_values(text, out) {
        return None;
    }
    match is_json {
        true => Some(of_json(file, text, out)),
        false => of_native((file, text), home, room, constants, out),
    }
}

/// Parses a text that consists of one expression; `None` after a syntax error, which is reported.
pub(crate) fn parsed(sources: &Sources, file: FileId, out: &mut Diagnostics) -> Option<Expr> {
    let parse = parse_expression(sources.get(file).text(), file);
    out.extend(parse.diagnostics.iter().cloned());
    parse.diagnostics.is_empty().then(|| Expr::of(&parse))
}

/// Reads the entries of a variable file in native syntax, with `library` and `context` for evaluating it; `None` if the budget of
/// `room` does not allow its size; `home` says in messages to which files blocks belong.
fn of_native(
    (file, text): (FileId, &Arc<str>),
    home: &str,
    room: MemoryCharge<'_>,
    (library, context): (&FunctionLibrary, &Context),
    out: &mut Diagnostics,
) -> Option<Vec<ValueEntry>> {
    if let Some(settings) = groma_eval::settings(text, library, context) {
        let place = |span| Place::new(file, span);
        let entry = |set: LiteralSetting| ValueEntry {
            name: set.name,
            name_place: place(set.name_span),
            place: place(set.span),
            value: EnteredValue::Value(set.value),
        };
        return Some(settings.into_iter().map(entry).collect());
    }
    if !room.for_tree_of_values(text, out) {
        return None;
    }
    let parse = parse_file(text, file);
    out.extend(parse.diagnostics.iter().cloned());
    let mut seen: FxHashSet<groma_syntax::SharedText> = FxHashSet::default();
    let mut found = Vec::new();
    for item in Body::of(&parse).items() {
        match item {
            BodyItem::Block(block) => {
                let kind = block.kind.text.as_str();
                let detail = format!(
                    "A file of values contains only name = value. Move the {kind} block to {home}."
                );
                let place = Place::new(file, block.kind.span);
                out.push(Diagnostic::error(&codes::BLOCK_IN_VALUES, detail).at(place));
            }
            BodyItem::Argument(argument) => {
                if seen.insert(argument.name.text.clone()) {
                    found.push(ValueEntry {
                        name: argument.name.text.as_str().to_owned(),
                        name_place: Place::new(file, argument.name.span),
                        place: argument.expr.place(),
                        value: EnteredValue::Expression(argument.expr),
                    });
                }
            }
        }
    }
    Some(found)
}

/// Reads the entries of a variable file in JSON.
fn of_json(file: FileId, text: &Arc<str>, out: &mut Diagnostics) -> Vec<ValueEntry> {
    let parse = parse_json(text, file);
    out.extend(parse.diagnostics.iter().cloned());
    let is_broken = !parse.diagnostics.is_empty();
    let root = parse.document.root();
    let JsonCase::Object(properties) = root.case() else {
        if !is_broken {
            let detail = "A JSON file of values contains one object: names and their values.";
            let place = Place::new(file, root.span());
            out.push(Diagnostic::error(&codes::VALUES_JSON, detail).at(place));
        }
        return Vec::new();
    };
    let properties = properties.iter().filter(|property| property.name != "//");
    let named = |property: &JsonProperty<'_>| {
        (property.name.to_string(), property.name_span, property.value.span())
    };
    let found: Vec<(String, Span, Span)> = properties.map(named).collect();
    // The document is large compared to the text; values are decoded from the text itself.
    drop(parse.document);
    let entry = |(name, name_span, span): (String, Span, Span)| {
        let place = Place::new(file, span);
        let value = match json::decode(span.of(text)) {
            Ok(value) => EnteredValue::Value(value),
            Err(why) => {
                if !is_broken {
                    let detail = format!("This value cannot be read: {}.", why.message);
                    out.push(Diagnostic::error(&codes::VALUES_JSON, detail).at(place));
                }
                EnteredValue::Nothing
            }
        };
        ValueEntry { name, name_place: Place::new(file, name_span), place, value }
    };
    found.into_iter().map(entry).collect()
}
