//! `try` and `can` around what cannot fail. Null is a value and no failure: that is what their writers mostly had in mind.

use groma_syntax::Diagnostic;
use groma_syntax::ast::{Case, ExprView};
use groma_value::Type;

use crate::codes;
use crate::found::Found;
use crate::node::{Node, bare};
use crate::subject::Subject;

pub(super) fn look(node: &Node<'_>, subject: &Subject<'_>, found: &mut Found<'_>) {
    let Case::Call(call) = node.case else { return };
    if call.expand {
        return;
    }
    let (tried, what) = match (&*call.name, &call.args[..]) {
        ("can", [one]) => (one, "so this is always true"),
        ("try", [tried @ .., _]) => {
            let certain = tried.iter().find(|one| is_certain(**one, node, subject));
            let Some(one) = certain else { return };
            (one, "so what follows is never used")
        }
        _ => return,
    };
    if !is_certain(*tried, node, subject) {
        return;
    }
    let detail = format!(
        "{} always has a value, {what}. To catch null, compare with it.",
        tried.text().trim()
    );
    found.push(Diagnostic::warning(&codes::ATTEMPT_IN_VAIN, detail).at(node.place(*tried)));
}

/// Whether an expression has a value whatever the inputs are.
fn is_certain(view: ExprView<'_>, node: &Node<'_>, subject: &Subject<'_>) -> bool {
    match bare(view).case() {
        Case::Attribute { object, name, .. } => match object.case() {
            Case::Root("var") => !node.binds("var") && subject.variable(name).is_some(),
            Case::Root("path") => !node.binds("path") && ["module", "root", "cwd"].contains(&name),
            Case::Root("terraform") => !node.binds("terraform") && name == "workspace",
            // An attribute that a type names is there, unless the whole is null.
            Case::Attribute { object, name: variable, .. } => {
                let Case::Root("var") = object.case() else { return false };
                let variable = subject.variable(variable).filter(|_| !node.binds("var"));
                variable.is_some_and(|one| match &one.ty {
                    Type::Object(ty) => !one.nullable && ty.get(name).is_some(),
                    _ => false,
                })
            }
            _ => false,
        },
        _ => false,
    }
}
