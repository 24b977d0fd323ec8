//! Declared types of expressions, valid for any inputs: those of variables and their parts. Nothing else is used; a local value
//! may come from a file that changes.

use std::borrow::Cow;

use groma_module::declare::Repetition;
use groma_module::visit::{Declaration, ExpressionRole};
use groma_syntax::ast::{ExprCase, ExprView};
use groma_value::Type;

use crate::inner::{InnerExpression, bare, plain};
use crate::subject::LintedModule;

/// Maximum nesting of an expression for which a type is determined; it exceeds the nesting of types in practice.
const DEPTH: usize = 24;

/// Returns the type of an expression if the declared types of variables determine it; `None` otherwise.
pub(crate) fn type_of<'s>(
    view: ExprView<'_>,
    node: &InnerExpression<'_>,
    subject: &'s LintedModule<'_>,
) -> Option<Cow<'s, Type>> {
    type_within_depth(view, node, subject, DEPTH)
}

/// Returns the type of an expression if the declared types of variables determine it; `None` also below `depth` levels of
/// recursion.
fn type_within_depth<'s>(
    view: ExprView<'_>,
    node: &InnerExpression<'_>,
    subject: &'s LintedModule<'_>,
    depth: usize,
) -> Option<Cow<'s, Type>> {
    let depth = depth.checked_sub(1)?;
    let view = bare(view);
    match view.case() {
        ExprCase::Root(_) => {
            let collection = node.element_of(view)?;
            element(&*type_within_depth(collection, node, subject, depth)?)
        }
        ExprCase::Attribute { object, name, .. } => match bare(object).case() {
            ExprCase::Root("var") if !node.binds(bare(object)) => {
                let variable = subject.variable(name).filter(|one| one.has_type)?;
                Some(Cow::Borrowed(&variable.ty))
            }
            ExprCase::Root("each") if name == "value" && !node.binds(bare(object)) => {
                element(&*repeated(node, subject, depth)?)
            }
            _ => member(&*type_within_depth(object, node, subject, depth)?, name),
        },
        ExprCase::Index { object, key, .. } => {
            let object = type_within_depth(object, node, subject, depth)?;
            match (&*object, plain(key)) {
                (Type::Object(_), Some(name)) => member(&object, &name),
                (Type::List(_) | Type::Map(_), _) => element(&object),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Returns the type of the `for_each` collection of the resource or module call that contains `node`, if its expression is
/// `var.NAME`; `None` for any other, for a `node` in the repetition itself, and below `depth` levels of recursion.
fn repeated<'s>(
    node: &InnerExpression<'_>,
    subject: &'s LintedModule<'_>,
    depth: usize,
) -> Option<Cow<'s, Type>> {
    let of_instances = !matches!(
        node.seen.role,
        ExpressionRole::Count | ExpressionRole::ForEach | ExpressionRole::Enabled
    );
    let module = subject.module;
    let repetition = match node.declaration {
        Declaration::Resource(at) => &module.resources.get(at as usize)?.repetition,
        Declaration::Call(at) => &module.calls.get(at as usize)?.repetition,
        _ => return None,
    };
    let Repetition::Each(expression) = repetition else { return None };
    let groma_syntax::Expr::Native(native) = &expression.expr else { return None };
    // Names bound around the inspected expression are not visible there, and it binds none itself.
    let view = bare(native.view());
    let is_plain = matches!(view.case(), ExprCase::Attribute { object, .. } if matches!(object.case(), ExprCase::Root("var")));
    if !of_instances || !is_plain { None } else { type_within_depth(view, node, subject, depth) }
}

/// Returns the type of the attribute `name` of an object type, or of the elements of a map type; `None` if there is none.
pub(crate) fn member(ty: &Type, name: &str) -> Option<Cow<'static, Type>> {
    match ty {
        Type::Object(object) => Some(Cow::Owned(object.get(name)?.ty.clone())),
        Type::Map(element) => Some(Cow::Owned((**element).clone())),
        _ => None,
    }
}

/// Returns the element type of a list, set or map type; `None` for any other type.
fn element(ty: &Type) -> Option<Cow<'static, Type>> {
    match ty {
        Type::List(element) | Type::Set(element) | Type::Map(element) => {
            Some(Cow::Owned((**element).clone()))
        }
        _ => None,
    }
}
