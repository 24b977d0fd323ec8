//! Parts that are compared by their code, whatever their values: conditions (validations, preconditions, postconditions and
//! assertions) and lists of references.

use groma_eval::Step;
use groma_module::declare::{Condition, Expression};
use groma_syntax::Place;
use groma_value::{Value, print};

use super::body::{ArgumentPart, ComparedBody};
use super::change::OutsideKind;
use super::entry::{ChangeTarget, DeclaredEntry};
use super::expression::{SideModule, text_of};

/// Adds conditions to a body as blocks of the type `kind`.
pub(super) fn push_conditions(
    here: &SideModule<'_>,
    kind: &str,
    all: &[Condition],
    body: &mut ComparedBody,
) {
    for condition in all {
        let mut block = ComparedBody::empty(condition.condition.place());
        block.set("condition", here.coded(&condition.condition));
        block.set("error_message", here.coded(&condition.message));
        body.push(kind, block);
    }
}

/// Returns the `depends_on` of a declaration as an entry, which is compared if both revisions have the declaration.
pub(super) fn dependency(
    address: String,
    target: ChangeTarget,
    place: Place,
    depends_on: &[Expression],
) -> DeclaredEntry {
    let mut body = ComparedBody::empty(place);
    set_references("depends_on", depends_on, &mut body);
    DeclaredEntry::new(OutsideKind::Dependency, address, target, body).of_both()
}

/// Adds an argument that is a list of references, in normal form: sorted, with one spelling.
pub(super) fn set_references(name: &str, all: &[Expression], body: &mut ComparedBody) {
    let mut found: Vec<String> = Vec::new();
    for expression in all {
        for reference in expression.located.code.references() {
            found.push(format!("{}{}", &*reference.root, path_text(&reference.steps)));
        }
        // A computed key is compared by its text.
        let is_plain = |step: &Step| matches!(step, Step::Attribute(_) | Step::Index(_));
        let references = expression.located.code.references();
        if references.iter().any(|one| !one.steps.iter().all(is_plain)) {
            found.push(text_of(&expression.expr).to_string());
        }
    }
    found.sort();
    found.dedup();
    let Some(place) = all.first().map(Expression::place) else { return };
    if !found.is_empty() {
        body.set(name, ArgumentPart::code(place, format!("[{}]", found.join(", "))));
    }
}

/// Returns the text of the steps of a reference, as in `.name["key"]`.
pub(super) fn path_text(steps: &[Step]) -> String {
    let text = |step: &Step| match step {
        Step::Attribute(name) => format!(".{}", &**name),
        Step::Index(Value::String(key)) => format!("[{}]", print::quoted(key)),
        Step::Index(key) => format!("[{}]", print::console(key)),
        Step::Splat => "[*]".to_owned(),
        Step::Unknown => "[…]".to_owned(),
    };
    steps.iter().map(text).collect()
}
