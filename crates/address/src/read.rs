//! Reading of addresses from expressions without evaluating them. Forms that the grammar does not allow yield an error sentence.

use groma_syntax::ast::{ExprCase, ExprView};
use groma_syntax::{Expr, json};
use groma_value::Str;

use crate::grammar::{AddressGrammar, KeyForms};
use crate::instance::ResourceTarget;
use crate::key::InstanceKey;
use crate::mode::ResourceMode;
use crate::pattern::AddressPattern;

/// A step of an address: a name, a literal key or a computed key.
enum AddressStep {
    /// A word between dots.
    Name(String),
    /// A literal key.
    Key(InstanceKey),
    /// A key that is not a literal.
    Computed,
}

impl AddressPattern {
    /// Reads an address pattern from an expression without evaluating it; a quoted string is accepted only in JSON.
    ///
    /// # Errors
    /// The error is a sentence that says what is wrong with the expression.
    pub fn read(expr: &Expr, grammar: AddressGrammar) -> Result<AddressPattern, String> {
        read(expr, grammar)
    }
}

/// Reads an address pattern from an expression by a grammar; the error is a sentence about the expression.
fn read(expr: &Expr, words: AddressGrammar) -> Result<AddressPattern, String> {
    /// The error message for an expression that is not an address.
    const NOT_ONE: &str = "An address is a literal, such as aws_instance.web[0] or module.net, without quotes and with literal keys; it cannot contain expressions.";
    let keys = words.keys;
    let steps = match expr {
        Expr::Native(native) => steps(native.view(), keys),
        Expr::Json(document) => match document.view().case() {
            json::JsonCase::String(text) => {
                let parse = groma_syntax::parse_expression(&(*text).into(), expr.file());
                match (Expr::of(&parse), parse.diagnostics.is_empty()) {
                    (Expr::Native(native), true) => steps(native.view(), keys),
                    _ => None,
                }
            }
            _ => None,
        },
    };
    let Some(steps) = steps else { return Err(NOT_ONE.to_owned()) };
    let is_computed = steps.iter().any(|step| matches!(step, AddressStep::Computed));
    if keys != KeyForms::Computed && is_computed {
        return Err(NOT_ONE.to_owned());
    }
    target(&steps, words)
}

/// Returns the steps of an address in order, with `[*]` only if `keys` allows it; `None` if the expression is no such traversal.
fn steps(view: ExprView<'_>, keys: KeyForms) -> Option<Vec<AddressStep>> {
    let mut found = Vec::new();
    // The sources of the enclosing splats, innermost last.
    let mut sources = Vec::new();
    let mut at = view;
    loop {
        at = match at.case() {
            ExprCase::Root(word) => {
                found.push(AddressStep::Name(word.to_owned()));
                break;
            }
            ExprCase::Attribute { object, name, .. } => {
                found.push(AddressStep::Name(name.to_owned()));
                object
            }
            ExprCase::Index { object, key, .. } => {
                found.push(key_of(key));
                object
            }
            ExprCase::Splat { source, full: true, each, .. } if keys == KeyForms::Wildcard => {
                sources.push(source);
                each
            }
            ExprCase::SplatItem => sources.pop()?,
            _ => return None,
        };
    }
    found.reverse();
    Some(found)
}

/// Returns the address step for the expression between brackets: a literal key, or a computed one.
fn key_of(key: ExprView<'_>) -> AddressStep {
    match key.case() {
        ExprCase::Number(_) => key
            .text()
            .parse()
            .map_or(AddressStep::Computed, |n| AddressStep::Key(InstanceKey::Number(n))),
        ExprCase::Template(template) => match template.plain() {
            Some(text) => AddressStep::Key(InstanceKey::Text(Str::from(text.into_owned()))),
            None => AddressStep::Computed,
        },
        _ => AddressStep::Computed,
    }
}

/// Returns the pattern that the steps of an address denote by the grammar `words`; the error is a sentence that says what is
/// wrong.
fn target(steps: &[AddressStep], words: AddressGrammar) -> Result<AddressPattern, String> {
    let mut modules = Vec::new();
    let mut rest = steps;
    while let [AddressStep::Name(word), after @ ..] = rest
        && word == "module"
    {
        let [AddressStep::Name(name), after @ ..] = after else {
            return Err("\"module\" is followed by the name of a call, as in module.net.".into());
        };
        let (key, after) = take_key(after);
        modules.push((Str::from(name.as_str()), key));
        rest = after;
    }
    if rest.is_empty() && !modules.is_empty() {
        return Ok(AddressPattern { modules: modules.into(), resource: None });
    }
    let mode = match rest {
        [AddressStep::Name(word), ..] if word == "data" => {
            rest = &rest[1..];
            ResourceMode::Data
        }
        [AddressStep::Name(word), ..] if word == "resource" && words.takes_resource => {
            rest = &rest[1..];
            ResourceMode::Managed
        }
        [AddressStep::Name(word), ..] if word == "ephemeral" && words.takes_ephemeral => {
            rest = &rest[1..];
            ResourceMode::Ephemeral
        }
        [AddressStep::Name(word), ..] if word == "action" && words.needs_action => {
            rest = &rest[1..];
            ResourceMode::Action
        }
        _ if words.needs_action => {
            return Err("An action is named as in action.type.name, or with the module that it is in before that.".into());
        }
        [AddressStep::Name(word), ..] if words.reserved.contains(&word.as_str()) => {
            return Err(format!(
                "\"{word}\" does not start the address of a resource or a module. If a resource type has this name, write resource.{word} in front."
            ));
        }
        _ => ResourceMode::Managed,
    };
    let [AddressStep::Name(kind), AddressStep::Name(name), after @ ..] = rest else {
        return Err(
            "The address of a resource is its type and its name, as in aws_instance.web.".into()
        );
    };
    let (key, after) = take_key(after);
    if !after.is_empty() {
        return Err(format!(
            "After {kind}.{name} only a key in square brackets can follow: resources are addressed as a whole."
        ));
    }
    let (kind, name) = (Str::from(kind.as_str()), Str::from(name.as_str()));
    Ok(AddressPattern {
        modules: modules.into(),
        resource: Some(ResourceTarget { mode, kind, name, key }),
    })
}

/// Returns the key at the start of the steps, [`InstanceKey::None`] if it is missing or computed, and the steps after the
/// key.
fn take_key(steps: &[AddressStep]) -> (InstanceKey, &[AddressStep]) {
    match steps {
        [AddressStep::Key(key), rest @ ..] => (key.clone(), rest),
        [AddressStep::Computed, rest @ ..] => (InstanceKey::None, rest),
        _ => (InstanceKey::None, steps),
    }
}
