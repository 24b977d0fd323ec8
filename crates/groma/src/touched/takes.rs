//! What an expression takes of what it refers to, as far as that shows whatever the values are: which attributes a `for`
//! takes of each element, and whether all instances of a resource do the same with it.

use groma_eval::{Code, Reference, Step};
use groma_module::declare::{Expression, InnerBlock};
use groma_syntax::Expr;
use groma_syntax::ast::{Case, ExprView, For, TemplatePart, TemplateView};
use groma_value::Str;

/// The attributes that an expression takes of the elements of what a reference leads to, where that is what a `for` walks
/// and nothing else is taken of them.
pub(super) fn of_elements(expression: &Expression, reference: &Reference) -> Option<Vec<Str>> {
    let Expr::Native(native) = &expression.expr else { return None };
    let wanted = reference.span.shift(expression.located.base);
    let mut rest = vec![native.view()];
    while let Some(view) = rest.pop() {
        let case = view.case();
        match &case {
            Case::For(each) if each.collection.span() == wanted => return of_each(each),
            _ => case.inner(|one| rest.push(one)),
        }
    }
    None
}

/// The attributes that a loop takes of its element; nothing where it takes more than attributes.
fn of_each(each: &For<'_>) -> Option<Vec<Str>> {
    let name = each.value_name.0;
    let mut found: Vec<Str> = Vec::new();
    let mut rest: Vec<ExprView<'_>> = vec![each.value];
    rest.extend(each.key);
    rest.extend(each.condition);
    let is_element = |view: ExprView<'_>| matches!(view.case(), Case::Root(root) if root == name);
    while let Some(view) = rest.pop() {
        match view.case() {
            Case::Attribute { object, name, .. } if is_element(object) => found.push(name.into()),
            Case::Root(root) if root == name => return None,
            Case::Object(items) => {
                for item in items {
                    // A bare name stands for itself there.
                    if !matches!(item.key.case(), Case::Root(_)) {
                        rest.push(item.key);
                    }
                    rest.push(item.value);
                }
            }
            case => case.inner(|one| rest.push(one)),
        }
    }
    Some(found)
}

/// Whether a reference leads to `each.key` or `count.index`: these are the same wherever the address is.
fn is_key(reference: &Reference) -> bool {
    let first = match reference.steps.first() {
        Some(Step::Attribute(name)) => &**name,
        _ => return false,
    };
    matches!((&*reference.root, first), ("each", "key") | ("count", "index"))
}

/// Whether a reference leads to something that each instance has of its own.
fn is_own(reference: &Reference) -> bool {
    matches!(&*reference.root, "each" | "count" | "self")
}

/// What `each` gives beside keys: only these are the same where what repeats an instance is touched.
pub(super) fn elements(code: &Code) -> impl Iterator<Item = &Reference> {
    code.references().iter().filter(|one| &*one.root == "each" && !is_key(one))
}

/// Whether an argument of two revisions differs in all instances or in none.
pub(super) fn is_uniform(argument: &Expression) -> bool {
    let mut own = argument.located.code.references().iter().filter(|one| is_own(one)).peekable();
    own.peek().is_none() || own.all(is_key) && is_straight(&argument.expr, false)
}

/// The same of a block.
pub(super) fn is_uniform_block(block: &InnerBlock) -> bool {
    !any_in(block, &|one| one.located.code.references().iter().any(is_own))
}

/// Whether a part of an expression may be wrong without the whole being so.
pub(super) fn may_fail(expr: &Expr) -> bool {
    let Expr::Native(native) = expr else { return true };
    let mut rest = vec![native.view()];
    while let Some(view) = rest.pop() {
        let case = view.case();
        if let Case::Call(call) = &case
            && matches!(call.name.trim_start_matches("core::"), "try" | "can")
        {
            return true;
        }
        case.inner(|one| rest.push(one));
    }
    false
}

/// Whether an expression takes the same parts of what it names, whatever these are worth: nothing in it chooses. With
/// `by_own_key`, what the instance's own key chooses is no choice.
pub(super) fn is_straight(expr: &Expr, by_own_key: bool) -> bool {
    let Expr::Native(native) = expr else { return false };
    let mut rest = vec![native.view()];
    while let Some(view) = rest.pop() {
        let case = view.case();
        match &case {
            Case::Template(template) if !is_filled(*template) => return false,
            Case::Index { object, key, .. } if by_own_key && chooses_nothing(*key) => {
                rest.push(*object);
                continue;
            }
            Case::Number(_)
            | Case::Root(_)
            | Case::Template(_)
            | Case::Parenthesised(_)
            | Case::Unary { .. }
            | Case::Tuple(_)
            | Case::Attribute { .. }
            | Case::LegacyIndex { .. } => {}
            _ => return false,
        }
        case.inner(|one| rest.push(one));
    }
    true
}

/// Whether a key is written out, or the instance's own.
fn chooses_nothing(key: ExprView<'_>) -> bool {
    match key.case() {
        Case::Number(_) => true,
        Case::Template(template) => template.plain().is_some(),
        Case::Attribute { object, name, .. } => {
            let is_root = |wanted| matches!(object.case(), Case::Root(root) if root == wanted);
            name == "key" && is_root("each") || name == "index" && is_root("count")
        }
        _ => false,
    }
}

/// Whether a template is text with values in it and without directives.
fn is_filled(template: TemplateView<'_>) -> bool {
    let parts = template.parts();
    parts.iter().all(|part| {
        matches!(part, TemplatePart::Literal { .. } | TemplatePart::Interpolation { .. })
    })
}

/// Whether something holds of any expression in a block.
pub(super) fn any_in(block: &InnerBlock, holds: &dyn Fn(&Expression) -> bool) -> bool {
    let content = &block.content;
    let dynamic = block.dynamic.iter();
    let mut repeats = dynamic.flat_map(|one| one.for_each.iter().chain(&one.labels));
    repeats.any(holds)
        || content.arguments.iter().any(|one| holds(&one.value))
        || content.blocks.iter().any(|inner| any_in(inner, holds))
}
