//! The provenance tree as JSON: nested objects. Hidden values are null; the list of marked paths says which.

use groma_eval::codes::LIMIT_OUTPUT;
use groma_protocol::{ReportedCauses, ResultContext};
use groma_value::codec::{PathListing, listing};
use groma_value::json::{JsonObject, JsonText, array, texts, write_plain};
use groma_value::{Type, Value, json_type};

use crate::node::{MAX_DEPTH, WhyTree};
use crate::remedy::remedies;

/// Writes a provenance tree as a JSON object, with the source texts and the table of causes in `around` to which it refers.
pub fn write_json(tree: &WhyTree, around: &ResultContext<'_>, out: &mut JsonText<'_>) {
    let (seen, room) = (vec![false; tree.nodes.len()], ValueRoom::default());
    let mut writer = WhyJsonWriter { tree, around, seen, room };
    writer.node(0, 0, out);
}

/// Writer of one provenance tree as JSON, with the nodes written so far and the space that remains for values.
struct WhyJsonWriter<'t> {
    tree: &'t WhyTree,
    around: &'t ResultContext<'t>,
    seen: Vec<bool>,
    room: ValueRoom,
}

/// Maximum size of one value in a JSON document, in units of `Value::measure`; larger values are left out.
const MAX_VALUE_SIZE: u64 = 256 << 10;
/// Maximum total size of all values in a JSON document, in units of `Value::measure`; values share parts, so a few of them
/// can be arbitrarily long.
const MAX_TOTAL_SIZE: u64 = 16 << 20;

/// The space that remains for values in one JSON document, in units of `Value::measure`.
#[derive(Debug)]
pub struct ValueRoom {
    left: u64,
}

impl Default for ValueRoom {
    fn default() -> ValueRoom {
        ValueRoom { left: MAX_TOTAL_SIZE }
    }
}

impl ValueRoom {
    /// Reserves space for a value in the document; returns false if too little is left or the value alone is too large.
    fn take(&mut self, value: &Value) -> bool {
        let weight = value.measure().weight;
        let left = self.left.checked_sub(weight).filter(|_| weight <= MAX_VALUE_SIZE);
        self.left = left.unwrap_or(self.left);
        left.is_some()
    }
}

impl WhyJsonWriter<'_> {
    /// Writes the node `number`, which is at the given depth in the tree, and its dependencies as JSON, down to the maximum depth
    /// of a printed tree.
    fn node(&mut self, number: usize, depth: usize, out: &mut JsonText<'_>) {
        let node = &self.tree.nodes[number];
        let mut object = JsonObject::open(out);
        object.text("kind", node.kind.word());
        if let Some(address) = &node.address {
            object.text("address", address);
        }
        if let Some(place) = node.shown_place(self.around.sources) {
            object.text("place", &place);
        }
        if let Some(text) = &node.text {
            object.text("text", text);
        }
        if let Some(value) = &node.value {
            self.value(value, &mut object);
        }
        if std::mem::replace(&mut self.seen[number], true) {
            object.flag("see", true);
        } else if depth >= MAX_DEPTH && !node.from.is_empty() {
            // The node may be expanded at a place where it is less deep.
            self.seen[number] = false;
            object.flag("more", true);
        } else {
            let from = &self.tree.nodes[number].from;
            array(from, object.key("from"), |below, out| self.node(*below, depth + 1, out));
            if node.is_cut {
                object.flag("more", true);
            }
        }
        if depth == 0
            && let Some(value) = &node.value
        {
            let all = remedies(value, self.around.causes);
            if !all.is_empty() {
                array(&all, object.key("settle"), |remedy, out| {
                    let mut one = JsonObject::open(out);
                    one.text("address", &remedy.address);
                    one.text("how", &remedy.how);
                    one.close();
                });
            }
        }
        object.close();
    }

    /// Writes the properties of a node's value, and the causes of its unknown parts.
    fn value(&mut self, value: &Value, object: &mut JsonObject<'_, '_>) {
        let Some(parts) = write_value_properties(value, &mut self.room, object) else { return };
        let reasons = parts.reasons();
        if !reasons.is_empty() {
            let mut because = object.object("because");
            for (path, causes) in &reasons {
                ReportedCauses::of(causes, self.around).write(because.key(path));
            }
            because.close();
        }
    }
}

/// Writes the properties of a value: its type, its content, and the paths that are unknown or marked, which are also returned;
/// `None` where space is exhausted, and the property `ended` names the limit. Hidden parts are null.
pub fn write_value_properties(
    value: &Value,
    room: &mut ValueRoom,
    object: &mut JsonObject<'_, '_>,
) -> Option<PathListing> {
    if !room.take(value) {
        object.text("ended", LIMIT_OUTPUT.slug);
        return None;
    }
    let value = &veil(value);
    json_type::write_into(&shown_type(value), object.key("type"));
    write_plain(value, object.key("value"));
    let parts = listing(value);
    let unknown: Vec<&str> = parts.unknown.iter().map(|(path, _)| path.as_str()).collect();
    for (name, paths) in [
        ("unknown", unknown),
        ("sensitive", parts.sensitive.iter().map(String::as_str).collect()),
        ("ephemeral", parts.ephemeral.iter().map(String::as_str).collect()),
    ] {
        if !paths.is_empty() {
            texts(&paths, object.key(name));
        }
    }
    Some(parts)
}

/// Returns the value without its sensitive and ephemeral parts, whose attribute names are removed as well.
pub fn veil(value: &Value) -> Value {
    if !value.has_marks() || !value.deep_marks().hide() {
        return value.clone();
    }
    value.transform(&mut |part| {
        if !part.marks().hide() {
            return part.clone();
        }
        let ty = match part.ty() {
            ty if ty.is_primitive() => ty,
            _ => Type::Dynamic,
        };
        let bare = match part.is_wholly_known() {
            true => Value::null(ty),
            false => Value::unknown_because(ty, part.deep_causes()),
        };
        bare.mark(&part.deep_marks())
    })
}

/// Returns the type of a value as a JSON document shows it: dynamic if the value is sensitive or ephemeral and its type
/// contains attribute names.
fn shown_type(value: &Value) -> Type {
    let ty = value.ty();
    let is_hidden = value.has_marks() && value.deep_marks().hide();
    match is_hidden && names_in_collections(&ty) {
        true => Type::Dynamic,
        false => ty,
    }
}

/// Returns true if the type contains a collection whose element type has attribute names.
fn names_in_collections(ty: &Type) -> bool {
    // Types are no deeper than what an evaluation allows.
    match ty {
        Type::List(inner) | Type::Set(inner) | Type::Map(inner) => has_names(inner),
        Type::Object(object) => object.attributes().iter().any(|one| names_in_collections(&one.ty)),
        Type::Tuple(tuple) => tuple.elements().iter().any(names_in_collections),
        _ => false,
    }
}

/// Returns true if a type is, or contains, an object type, which has attribute names.
fn has_names(ty: &Type) -> bool {
    match ty {
        Type::Object(_) => true,
        Type::List(inner) | Type::Set(inner) | Type::Map(inner) => has_names(inner),
        Type::Tuple(tuple) => tuple.elements().iter().any(has_names),
        _ => false,
    }
}
