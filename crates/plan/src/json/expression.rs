//! JSON of the expressions in a configuration: the value if constant, else the references, each in full and shortened step by
//! step to the declaration.

use groma_eval::{Reference, Step};
use groma_module::declare::{Expression, SchemaBody};
use groma_value::json::{JsonObject, JsonText, array, texts};
use groma_value::{Value, json};

use super::value;

/// Writes an expression of the configuration as its constant value or its references; returns false and writes nothing if it has
/// neither.
pub(super) fn write(expression: &Expression, out: &mut JsonText<'_>) -> bool {
    if let Some(constant) = expression.constant().filter(Value::is_wholly_known) {
        let mut one = JsonObject::open(out);
        value::known(&constant, one.key("constant_value"));
        one.close();
        return true;
    }
    let references = references([expression]);
    if references.is_empty() {
        return false;
    }
    let mut one = JsonObject::open(out);
    texts(&references, one.key("references"));
    one.close();
    true
}

/// Writes an expression of the configuration as [`write()`] does, as an empty object if there is nothing to write.
pub(super) fn write_any(expression: &Expression, out: &mut JsonText<'_>) {
    if !write(expression, out) {
        out.push_str("{}");
    }
}

/// Writes the content of a body without the arguments and blocks named in `skip`: arguments as expressions, blocks as lists
/// of bodies.
pub(super) fn body(content: &SchemaBody, skip: &[&str], out: &mut JsonText<'_>) {
    let mut arguments: Vec<_> =
        content.arguments.iter().filter(|a| !skip.contains(&&*a.name)).collect();
    arguments.sort_by(|a, b| a.name.cmp(&b.name));
    let mut one = JsonObject::open(out);
    for argument in &arguments {
        write_any(&argument.value, one.key(&argument.name));
    }
    // If a block has the name of an argument, which is an error, the name is written once.
    let is_argument = |kind: &str| arguments.binary_search_by(|a| (*a.name).cmp(kind)).is_ok();
    let kinds = content.blocks.iter().map(|block| &*block.kind);
    let mut kinds: Vec<&str> = kinds.filter(|kind| !is_argument(kind)).collect();
    kinds.sort_unstable();
    kinds.dedup();
    for kind in kinds {
        let blocks = content.blocks.iter().filter(|block| &*block.kind == kind);
        array(blocks, one.key(kind), |block, out| body(&block.content, &[], out));
    }
    one.close();
}

/// Returns the text of all references in expressions, in source order, each followed by its shorter forms: `local.a.b`, then
/// `local.a`.
pub(super) fn references<'e>(expressions: impl IntoIterator<Item = &'e Expression>) -> Vec<String> {
    let mut found = Vec::new();
    for expression in expressions {
        for reference in expression.located.code.references() {
            expand(reference, &mut found);
        }
    }
    found
}

/// Returns the text of all references in expressions, without shortened forms, as in `depends_on`.
pub(super) fn subjects<'e>(expressions: impl IntoIterator<Item = &'e Expression>) -> Vec<String> {
    let mut found = Vec::new();
    for expression in expressions {
        for reference in expression.located.code.references() {
            let steps = literal(reference);
            let mut text = reference.root.to_string();
            steps.iter().for_each(|step| push(step, &mut text));
            found.push(text);
        }
    }
    found
}

/// Returns the steps of a reference up to the first one that is not a name or a constant key.
fn literal(reference: &Reference) -> &[Step] {
    let computed = |step: &Step| !matches!(step, Step::Attribute(_) | Step::Index(_));
    let end = reference.steps.iter().position(computed).unwrap_or(reference.steps.len());
    &reference.steps[..end]
}

/// Returns the minimum number of steps after a root name that still name a declaration, such as two for `data`.
fn least(root: &str, steps: &[Step]) -> usize {
    let key = |at: usize| usize::from(matches!(steps.get(at), Some(Step::Index(_))));
    let least = match root {
        "self" => 0,
        "data" | "ephemeral" | "resource" => 2,
        // A module call is named with its key.
        "module" => 1 + key(1),
        _ => 1,
    };
    least.min(steps.len())
}

/// Appends the text of a reference in full, then without its last step, and so on down to the name of the declaration.
fn expand(reference: &Reference, found: &mut Vec<String>) {
    let steps = literal(reference);
    let least = least(&reference.root, steps);
    // `each.value` and the like are not separated from the step that follows.
    for length in (least..=steps.len()).rev() {
        let mut text = reference.root.to_string();
        steps[..length].iter().for_each(|step| push(step, &mut text));
        found.push(text);
    }
}

/// Appends one step, such as `.name` or `["key"]`, to the text of a reference.
fn push(step: &Step, text: &mut String) {
    match step {
        Step::Attribute(name) => {
            text.push('.');
            text.push_str(name);
        }
        Step::Index(key) => {
            text.push('[');
            match key.bare() {
                Value::String(key) => text.push_str(&json::string(key)),
                key => text.push_str(&json::plain(key)),
            }
            text.push(']');
        }
        _ => {}
    }
}
