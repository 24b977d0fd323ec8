//! Expansion of `count`, `for_each` and `enabled` into instances with keys. They are evaluated once, not once for each instance.

use std::sync::Arc;

use groma_config::{DeclarationName, sentence};
use groma_eval::news;
use groma_module::declare::{Expression, Repetition};
use groma_module::dialect::Conventions;
use groma_syntax::{Diagnostic, DiagnosticCode, Diagnostics, Place};
use groma_value::sentence::HIDDEN;
use groma_value::{Causes, Mark, Marks, Str, Type, Value};

use crate::codes;
use crate::evaluate::instance::{Expansion, InstanceNode, RepeatKey};
use crate::evaluate::world::EvaluationState;
use groma_decode::deprecation;

/// Maximum number of instances of one block; more are an error, so that a mistyped `count` does not exhaust memory.
const INSTANCE_LIMIT: usize = 100_000;

impl EvaluationState {
    /// Evaluates a repetition and returns the instances that it yields; if they are unknown, a note about the declaration `name`
    /// is reported. One placeholder then represents all of them.
    pub(super) fn expand(
        self: &Arc<Self>,
        instance: &Arc<InstanceNode>,
        name: &dyn Fn() -> String,
        repetition: &Repetition,
        out: &mut Diagnostics,
    ) -> Expansion {
        let Some(expression) = repetition.expression() else { return Expansion::One };
        let scope = match expression.deferred {
            true => self.unchecked_scope(instance, RepeatKey::None, None),
            false => self.scope(instance, RepeatKey::None),
        };
        let before = out.error_count();
        let value = self.evaluate(expression, &scope, out);
        let value = deprecation::report(value, expression, &self.project.conventions, out);
        if out.error_count() > before {
            return Expansion::Unknown(Causes::NONE);
        }
        let is_pending = |causes: &Causes| self.is_pending_only(causes);
        expand_value(repetition, expression, &value, &self.project.conventions, &is_pending)
            .map(|expansion| expansion.with_mock_marks(&value.marks()))
            .unwrap_or_else(|problem| {
                let causes = value.deep_causes();
                match problem {
                    Some(found) => out.push(*found),
                    // Without a cause it is the consequence of a reported error.
                    None if causes.is_empty() => {}
                    None => {
                        out.push(self.undecided(
                            &instance.address_of(&name()),
                            expression,
                            &causes,
                        ));
                    }
                }
                Expansion::Unknown(causes)
            })
    }

    /// Returns an expansion of unknown instances, for the declaration `name` in the module instance, because of the keyword of a
    /// newer edition at `place`.
    pub(super) fn unknown_instances(
        &self,
        instance: &InstanceNode,
        name: DeclarationName,
        place: Place,
    ) -> Expansion {
        let address = self.node(instance.node).declared(name).into();
        Expansion::Unknown(news::because(self.causes(), address, Some(place)))
    }

    /// Returns the note that the number of instances of a declaration is unknown, with the causes.
    fn undecided(&self, address: &str, expression: &Expression, causes: &Causes) -> Diagnostic {
        let detail = format!(
            "The number of instances of {address} cannot be determined here: {address}[*] stands for all of them, \
             and its values are unknown."
        );
        let found = Diagnostic::remark(&codes::UNDECIDED_INSTANCES, detail).at(expression.place());
        let missing = causes.ids().iter().filter_map(|id| self.causes().get(*id));
        missing.fold(found, |found, cause| {
            let text = format!("It depends on {} ({}).", cause.address, cause.class.slug());
            match cause.place {
                Some(place) => found.note_at(text, place),
                None => found.note(text),
            }
        })
    }
}

/// Returns the instances that `value`, that of a `count`, `for_each` or `enabled`, yields; `is_pending` returns true if the
/// causes of an unknown value make it an error.
pub(crate) fn expand_value(
    repetition: &Repetition,
    expression: &Expression,
    value: &Value,
    conventions: &Conventions,
    is_pending: &dyn Fn(&Causes) -> bool,
) -> Result<Expansion, Problem> {
    let expander = InstanceExpander { is_pending, expression, value, conventions };
    match repetition {
        Repetition::Single => Ok(Expansion::One),
        Repetition::Count(_) => expander.count(),
        Repetition::Each(_) => expander.each(),
        Repetition::Enabled(_) => expander.enabled(),
    }
}

/// Returns true if the value of a `count` is a whole number above the maximum number of instances.
pub(crate) fn is_count_too_large(value: &Value) -> bool {
    let number = groma_value::convert(value, &Type::Number);
    let count = number.ok().and_then(|value| value.bare().as_number()?.to_exact_usize());
    count.is_some_and(|count| count > INSTANCE_LIMIT)
}

/// The conversion of one value of `count`, `for_each` or `enabled` to instances.
struct InstanceExpander<'a> {
    is_pending: &'a dyn Fn(&Causes) -> bool,
    expression: &'a Expression,
    value: &'a Value,
    conventions: &'a Conventions,
}

/// The error of a repetition whose instances cannot be listed; `None` if its value is only unknown.
type Problem = Option<Box<Diagnostic>>;

impl InstanceExpander<'_> {
    /// Returns the failure of the expansion with an error about its `count`, `for_each` or `enabled`, as `Err`.
    fn fail<T>(&self, code: &'static DiagnosticCode, detail: String) -> Result<T, Problem> {
        Err(Some(Box::new(Diagnostic::error(code, detail).at(self.place()))))
    }

    /// Returns the source range of the `count`, `for_each` or `enabled` expression.
    fn place(&self) -> Place {
        self.expression.place()
    }

    /// Returns the failure, as `Err`, for a `count`, `for_each` or `enabled` whose value is unknown: an error if a plan of the
    /// reference programs does not know it either.
    fn unknown_value<T>(&self, code: &'static DiagnosticCode, name: &str) -> Result<T, Problem> {
        if !(self.is_pending)(&self.value.deep_causes()) {
            return Err(None);
        }
        self.fail(
            code,
            format!(
                "{name} depends on values that are known only after an apply, so the number of instances cannot be determined before. Make it depend on values from the code."
            ),
        )
    }

    /// Converts the value of a `count`, called `name` in messages, to a number, which may be unknown or null; an ephemeral value
    /// is an error.
    fn number(&self, name: &str) -> Result<Value, Problem> {
        if self.value.marks().contains(&Mark::Ephemeral) {
            return self.fail(
                &codes::INVALID_COUNT,
                format!(
                    "{name} is an ephemeral value, but the number of instances has to be stored."
                ),
            );
        }
        // Converted with its marks, so that a message shows nothing sensitive.
        match groma_value::convert(self.value, &Type::Number) {
            Ok(value) => Ok(value.bare().clone()),
            Err(why) => self.fail(
                &codes::INVALID_COUNT,
                format!("{name} has to be a whole number: {}.", sentence(&why)),
            ),
        }
    }

    /// Returns the instances of a `count`: as many as its value, with numbers as keys.
    fn count(&self) -> Result<Expansion, Problem> {
        let value = self.number("count")?;
        let number = match &value {
            known if let Some(number) = known.as_number() => number,
            Value::Null(_) => {
                return self.fail(
                    &codes::INVALID_COUNT,
                    "count is null. Give a whole number, 0 for no instances.".to_owned(),
                );
            }
            _ => return self.unknown_value(&codes::INVALID_COUNT, "count"),
        };
        let shown = match self.value.marks().hide() {
            true => HIDDEN.to_owned(),
            false => number.to_text(),
        };
        match number.to_exact_usize() {
            Some(count) if count <= INSTANCE_LIMIT => Ok(Expansion::Numbered(count, Marks::NONE)),
            Some(_) => self.fail(
                &codes::INVALID_COUNT,
                format!(
                    "count is {shown}, but a block may have at most {INSTANCE_LIMIT} instances."
                ),
            ),
            None if number.is_negative() => self.fail(
                &codes::INVALID_COUNT,
                format!("count is {shown}, but it cannot be negative."),
            ),
            None => self.fail(
                &codes::INVALID_COUNT,
                format!("count has to be a whole number, not {shown}."),
            ),
        }
    }

    /// Returns the instances of an `enabled`: one or none, without a key.
    fn enabled(&self) -> Result<Expansion, Problem> {
        let (bare, marks) = self.value.unmark();
        if marks.contains(&Mark::Ephemeral) || marks.contains(&Mark::Sensitive) {
            return self.fail(&codes::INVALID_ENABLED, "enabled cannot be a sensitive or ephemeral value: whether something exists cannot be hidden.".to_owned());
        }
        match groma_value::convert(&bare, &Type::Bool) {
            Ok(Value::Bool(true)) => Ok(Expansion::One),
            Ok(Value::Bool(false)) => Ok(Expansion::Never),
            Ok(Value::Null(_)) => self
                .fail(&codes::INVALID_ENABLED, "enabled is null. Give true or false.".to_owned()),
            Ok(_) => self.unknown_value(&codes::INVALID_ENABLED, "enabled"),
            Err(why) => self.fail(
                &codes::INVALID_ENABLED,
                format!("enabled has to be true or false: {}.", sentence(&why)),
            ),
        }
    }

    /// Returns the instances of a `for_each`: one for each element, with its key.
    fn each(&self) -> Result<Expansion, Problem> {
        let (bare, marks) = self.value.unmark();
        if marks.contains(&Mark::Sensitive) {
            return self.fail(&codes::INVALID_FOR_EACH, "for_each is a sensitive value, but its keys would be shown in every address. Remove the mark of the keys with nonsensitive(…).".to_owned());
        }
        if marks.contains(&Mark::Ephemeral) {
            return self.fail(
                &codes::INVALID_FOR_EACH,
                "for_each is an ephemeral value, but the keys of instances have to be stored."
                    .to_owned(),
            );
        }
        let entries: Vec<(Str, Value)> = match &bare {
            Value::Null(_) => {
                return self.fail(
                    &codes::INVALID_FOR_EACH,
                    "for_each is null. Give a map or a set of strings, an empty one for no instances."
                        .to_owned(),
                );
            }
            Value::Map(map) => map.entries().to_vec(),
            Value::Object(object) => {
                object.iter().map(|(name, value)| (name.clone(), value.clone())).collect()
            }
            Value::Set(set) => self.elements(set.items(), set.element())?,
            Value::Unknown(unknown) => match &unknown.ty {
                Type::Dynamic | Type::Map(_) | Type::Object(_) | Type::Set(_) => {
                    return self.unknown_value(&codes::INVALID_FOR_EACH, "for_each");
                }
                other => return self.wrong_kind(other),
            },
            other => return self.wrong_kind(&other.ty()),
        };
        if entries.len() > INSTANCE_LIMIT {
            return self.fail(
                &codes::INVALID_FOR_EACH,
                format!("for_each has {} keys, but a block may have at most {INSTANCE_LIMIT} instances.", entries.len()),
            );
        }
        Ok(Expansion::Keyed(entries, Marks::NONE))
    }

    /// Returns the elements of a set of strings, each as a key and its value.
    fn elements(&self, items: &[Value], element: &Type) -> Result<Vec<(Str, Value)>, Problem> {
        let is_nothing = items.is_empty() && self.conventions.any_empty_set_repeats;
        if !matches!(element, Type::String | Type::Dynamic) && !is_nothing {
            return self.fail(
                &codes::INVALID_FOR_EACH,
                format!(
                    "for_each takes a set of strings, but this is a set of {}. Convert the elements, or use a map.",
                    groma_value::print::type_name(element)
                ),
            );
        }
        let mut entries = Vec::with_capacity(items.len());
        for item in items {
            match item.bare() {
                Value::String(key) => entries.push((key.clone(), item.clone())),
                Value::Null(_) => {
                    return self.fail(
                        &codes::INVALID_FOR_EACH,
                        "The set for for_each contains null, which cannot be a key.".to_owned(),
                    );
                }
                _ => return self.unknown_value(&codes::INVALID_FOR_EACH, "for_each"),
            }
        }
        entries.sort_by(|a, b| a.0.cmp(&b.0));
        Ok(entries)
    }

    /// Returns the error for a `for_each` of a type that cannot be iterated over.
    fn wrong_kind<T>(&self, ty: &Type) -> Result<T, Problem> {
        let hint = match ty {
            Type::List(_) | Type::Tuple(_) => {
                " A list has no keys: use toset(…) if its elements are distinct strings."
            }
            _ => "",
        };
        self.fail(
            &codes::INVALID_FOR_EACH,
            format!(
                "for_each takes a map or a set of strings, but this is {}.{hint}",
                groma_value::print::with_article(ty)
            ),
        )
    }
}
