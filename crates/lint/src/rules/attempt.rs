//! `try` and `can` with an argument that cannot fail, or must fail. Null is a value and not a failure, which is the usual
//! misunderstanding.

use groma_syntax::Diagnostic;
use groma_syntax::ast::{ExprCase, ExprView};
use groma_value::Type;

use crate::codes;
use crate::found::RuleFindings;
use crate::inner::{InnerExpression, bare};
use crate::known::type_of;
use crate::subject::LintedModule;

/// Finds calls of `try` and `can` around an expression that always has a value.
pub(super) fn look(
    node: &InnerExpression<'_>,
    subject: &LintedModule<'_>,
    found: &mut RuleFindings,
) {
    let ExprCase::Call(call) = node.case else { return };
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
        "{} always has a value, {what}. To catch null, compare with null.",
        tried.text().trim()
    );
    found.push(Diagnostic::warning(&codes::ATTEMPT_IN_VAIN, detail).at(node.place(*tried)));
}

/// Finds calls of `try` and `can` around an attribute that the declared type of its object does not have.
pub(super) fn look_for_hopeless(
    node: &InnerExpression<'_>,
    subject: &LintedModule<'_>,
    found: &mut RuleFindings,
) {
    let ExprCase::Call(call) = node.case else { return };
    if call.expand || !matches!(&*call.name, "try" | "can") {
        return;
    }
    for tried in &call.args {
        let Some((part, name, place)) = absent(*tried, node, subject) else { continue };
        let what = match &*call.name {
            "can" => "so this is always false",
            _ => "so this is never the result",
        };
        let detail = format!(
            "The declared type of {} has no attribute \"{name}\", {what}. Declare the attribute, perhaps as optional, or remove this.",
            part.text().trim()
        );
        found.push(Diagnostic::warning(&codes::HOPELESS_ATTEMPT, detail).at(place));
    }
}

/// Returns the object in a traversal that by its declared type lacks the selected attribute, with the name and place of that
/// attribute; `None` if there is none.
fn absent<'t>(
    mut view: ExprView<'t>,
    node: &InnerExpression<'_>,
    subject: &LintedModule<'_>,
) -> Option<(ExprView<'t>, &'t str, groma_syntax::Place)> {
    loop {
        let (object, asked) = match bare(view).case() {
            ExprCase::Attribute { object, name, name_span, .. } => {
                (object, Some((name, name_span)))
            }
            ExprCase::Index { object, .. } | ExprCase::LegacyIndex { object, .. } => (object, None),
            _ => return None,
        };
        if let (Some((name, span)), Some(ty)) = (asked, type_of(object, node, subject)) {
            let is_absent = match &*ty {
                Type::Object(object) => object.get(name).is_none(),
                Type::Bool | Type::Number | Type::String => true,
                _ => false,
            };
            if is_absent {
                let place = groma_syntax::Place::new(node.place(view).file, span);
                return Some((object, name, place));
            }
        }
        view = object;
    }
}

/// Returns true if an expression has a value for any inputs, so that it cannot fail.
fn is_certain(view: ExprView<'_>, node: &InnerExpression<'_>, subject: &LintedModule<'_>) -> bool {
    match bare(view).case() {
        ExprCase::Attribute { object, name, .. } => match object.case() {
            ExprCase::Root("var") => !node.binds(object) && subject.variable(name).is_some(),
            ExprCase::Root("path") => {
                !node.binds(object) && ["module", "root", "cwd"].contains(&name)
            }
            ExprCase::Root("terraform") => !node.binds(object) && name == "workspace",
            // An attribute of a declared type exists, unless the whole is null.
            ExprCase::Attribute { object, name: variable, .. } => {
                let ExprCase::Root("var") = object.case() else { return false };
                let variable = subject.variable(variable).filter(|_| !node.binds(object));
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
