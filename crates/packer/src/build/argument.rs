//! Evaluation of a component's arguments. Those of built-in components are converted to their types and validated; those of
//! plugins are left as they are.

use std::collections::BTreeMap;

use groma_config::{ArgumentType, did_you_mean, sentence};
use groma_syntax::{Diagnostic, Diagnostics, Place};
use groma_value::sentence::brief;
use groma_value::{Mark, Str, Type, Value, convert};

use super::expand::{self, BodyContext, ExpandedBlock};
use crate::codes;
use crate::component::{self, Component, ComponentConfig};
use crate::content::{BlockContent, LoweredArgument};

/// Evaluates and validates the arguments that `bodies` give a built-in component, without its meta-arguments `own`; `header` is
/// the place of its block. Bodies after the first may add arguments but not repeat any.
pub(crate) fn evaluate_checked(
    row: &Component,
    context: &BodyContext<'_>,
    bodies: &[&BlockContent],
    own: &[&str],
    header: Place,
    out: &mut Diagnostics,
) -> ComponentConfig {
    let mut config = ComponentConfig::default();
    let before = out.error_count();
    for argument in arguments(bodies, own, out) {
        let name = &argument.name;
        let Some(known) = row.argument(name) else {
            let hint = did_you_mean(name, row.arguments().map(|row| row.name));
            let detail = format!(
                "The {} \"{}\" has no argument \"{}\".{hint}",
                row.kind.word(),
                row.name,
                &**name
            );
            out.push(
                Diagnostic::error(&codes::UNSUPPORTED_ARGUMENT, detail).at(argument.name_place),
            );
            continue;
        };
        let value = context.value(argument, out);
        match convert(&value, &known.takes.ty()) {
            Ok(value) => {
                if known.takes == ArgumentType::Duration
                    && let Value::String(text) = value.bare()
                    && !text.contains("{{")
                    && !text.is_empty()
                    && !component::is_duration(text)
                {
                    let shown = brief(&value);
                    let detail = format!(
                        "A duration is a number with a unit, as in \"90s\" or \"1h30m\", not {shown}."
                    );
                    out.push(mismatch(detail, argument, header));
                }
                keep(&mut config, context, name, value);
            }
            Err(why) => {
                let why = match value.deep_marks().contains(&Mark::Sensitive) {
                    true => "the value is sensitive and not shown".to_owned(),
                    false => sentence(&why),
                };
                let detail = format!(
                    "The argument \"{}\" of the {} \"{}\" cannot have this value: {}.",
                    &**name,
                    row.kind.word(),
                    row.name,
                    why
                );
                out.push(mismatch(detail, argument, header));
            }
        }
    }
    report_blocks(row, bodies, out);
    if out.error_count() == before {
        let host = &*context.world.template.host;
        for problem in component::check(row.rules, &config, host) {
            let is_warning = problem.is_of_machine && !context.world.options.judging;
            let found = match is_warning {
                true => Diagnostic::warning(&codes::COMPONENT_ARGUMENTS, problem.detail),
                false => Diagnostic::error(&codes::COMPONENT_ARGUMENTS, problem.detail),
            };
            out.push(found.at(header));
        }
    }
    config
}

/// Reports every block in the bodies of a built-in component, because such components take only arguments.
fn report_blocks(row: &Component, bodies: &[&BlockContent], out: &mut Diagnostics) {
    for block in bodies.iter().flat_map(|body| &body.blocks) {
        let detail = match row.argument(&block.kind) {
            Some(_) => {
                format!("\"{0}\" is an argument here, not a block: write {0} = ….", &*block.kind)
            }
            None => format!(
                "The {} \"{}\" takes no blocks, but this is one of type \"{}\".",
                row.kind.word(),
                row.name,
                &*block.kind
            ),
        };
        out.push(Diagnostic::error(&codes::UNSUPPORTED_ARGUMENT, detail).at(block.header));
    }
}

/// Evaluates the arguments and blocks that `bodies`, such as those of a source and of its use in a build, give a plugin's
/// component, without validating them; the meta-arguments `own` are skipped.
pub(crate) fn evaluate_unchecked(
    context: &BodyContext<'_>,
    bodies: &[&BlockContent],
    own: &[&str],
    out: &mut Diagnostics,
) -> ComponentConfig {
    let mut config = ComponentConfig::default();
    for argument in arguments(bodies, own, out) {
        let value = context.value(argument, out);
        keep(&mut config, context, &argument.name, value);
    }
    let mut blocks: BTreeMap<Str, Vec<Value>> = BTreeMap::new();
    for body in bodies {
        for made in expand::expand(context, body, &|_| None, out) {
            let value = of_block(context, &made, out);
            blocks.entry(made.kind.clone()).or_default().push(value);
        }
    }
    for (kind, values) in blocks {
        config.insert(kind, Value::tuple(values));
    }
    config
}

/// Adds an argument to a component's configuration unless it is null. One that Packer sees as empty, because data is not read, is
/// marked as such.
fn keep(config: &mut ComponentConfig, context: &BodyContext<'_>, name: &Str, value: Value) {
    if value.is_null() {
        return;
    }
    if let Value::Unknown(unknown) = value.bare()
        && !context.world.options.evaluates_data
        && !matches!(unknown.ty, Type::String)
        && context.world.is_because_of(&unknown.causes, "data")
    {
        return config.insert_empty(name, value);
    }
    config.insert(name.clone(), value);
}

/// Creates the diagnostic for an argument of the wrong type; `header` is the place of its block.
fn mismatch(detail: String, argument: &LoweredArgument, header: Place) -> Diagnostic {
    let found = Diagnostic::error(&codes::ARGUMENT_TYPE, detail).at(header);
    found.note_at("The argument is here.", argument.value.place())
}

/// Evaluates a nested block to an object, in which inner blocks are lists of such objects.
fn of_block(context: &BodyContext<'_>, made: &ExpandedBlock<'_>, out: &mut Diagnostics) -> Value {
    let inner = made.body_context(context);
    let config = evaluate_unchecked(&inner, &[made.content], &[], out);
    let labels: Vec<Value> = made.labels.iter().map(|label| Value::text(&*label.text)).collect();
    let object = Value::object(config.into_values());
    match labels.is_empty() {
        true => object,
        false => {
            // A labelled block is nested in objects, one per label.
            labels.into_iter().rev().fold(object, |inner, label| match label {
                Value::String(name) => Value::object([(name, inner)]),
                _ => inner,
            })
        }
    }
}

/// Returns the arguments in all bodies of a component except its meta-arguments `own`; reports one that a later body repeats.
fn arguments<'c>(
    bodies: &[&'c BlockContent],
    own: &[&str],
    out: &mut Diagnostics,
) -> Vec<&'c LoweredArgument> {
    let mut found: Vec<&LoweredArgument> = Vec::new();
    for (at, body) in bodies.iter().enumerate() {
        let before = found.len();
        for argument in &body.arguments {
            if at > 0 && own.contains(&&*argument.name) {
                continue;
            }
            let first = found[..before].iter().find(|known| known.name == argument.name);
            match first {
                None => found.push(argument),
                Some(first) => {
                    let detail = format!(
                        "The source already sets \"{}\". A source block inside a build can add arguments, but not change them.",
                        &*argument.name
                    );
                    let diagnostic =
                        Diagnostic::error(&codes::ARGUMENT_TWICE, detail).at(argument.name_place);
                    out.push(diagnostic.note_at("The source sets it here.", first.name_place));
                }
            }
        }
    }
    found
}
