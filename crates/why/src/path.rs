//! Paths into values. A step is a name or a number; only the value determines whether a name is that of an attribute or of a
//! map's element, so a path is formatted together with its value.

use groma_eval::Step;
use groma_syntax::is_identifier;
use groma_value::{PathStep, Str, Value, json, ops};

/// One step of a path into a value: a name or an index.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum WhyStep {
    /// An attribute of an object, or an element of a map.
    Name(Str),
    /// An element of a list or a tuple.
    At(usize),
}

impl WhyStep {
    /// Returns the path step for the key of an element; `None` if the key is unknown or hidden by a mark such as sensitive.
    pub(crate) fn of(key: &Value) -> Option<WhyStep> {
        if key.has_marks() && key.deep_marks().hide() {
            return None;
        }
        match key.bare() {
            Value::String(name) => Some(WhyStep::Name(name.clone())),
            key => {
                let text = key.as_number()?.to_text();
                Some(text.parse().map_or_else(|_| WhyStep::Name(text.into()), WhyStep::At))
            }
        }
    }

    /// Returns the path step for a step of a reference, if that is a name or a key.
    pub(crate) fn read(step: &Step) -> Option<WhyStep> {
        match step {
            Step::Attribute(name) => Some(WhyStep::Name(name.clone())),
            Step::Index(key) => WhyStep::of(key),
            _ => None,
        }
    }

    /// Returns the path step as a step of a reference: an attribute for a name that is an identifier, else a key in brackets.
    pub(crate) fn written(&self) -> Step {
        match self {
            WhyStep::Name(name) if is_identifier(name) => Step::Attribute(name.clone()),
            WhyStep::Name(name) => Step::Index(Value::String(name.clone())),
            WhyStep::At(at) => Step::Index(Value::position(*at)),
        }
    }

    /// Returns the index that the step selects, also if it is written as a name of digits; `None` for any other name.
    pub(crate) fn number(&self) -> Option<usize> {
        match self {
            WhyStep::At(at) => Some(*at),
            WhyStep::Name(name) => name.parse().ok(),
        }
    }

    /// Returns the name of the path step, or its number as digits.
    pub(crate) fn name(&self) -> Str {
        match self {
            WhyStep::Name(name) => name.clone(),
            WhyStep::At(at) => Str::from(at.to_string().as_str()),
        }
    }

    /// Converts the step to a plain path step of the value library.
    fn plain(&self) -> PathStep {
        match self {
            WhyStep::Name(name) => PathStep::Attribute(name.clone()),
            WhyStep::At(at) => PathStep::Index(Value::position(*at)),
        }
    }

    /// Returns the step as the key of an element: a string value for a name, a number value for an index.
    fn key(&self) -> Value {
        match self {
            WhyStep::Name(name) => Value::String(name.clone()),
            WhyStep::At(at) => Value::position(*at),
        }
    }
}

/// Returns the attribute or element of a value at one path step, if any.
pub(crate) fn part(value: &Value, step: &WhyStep) -> Option<Value> {
    ops::at_step(value, &ops::step_by(value, &step.key())?)
}

/// Returns the part of a value at a path, if any.
pub(crate) fn at(value: &Value, path: &[WhyStep]) -> Option<Value> {
    path.iter().try_fold(value.clone(), |value, step| part(&value, step))
}

/// Returns the path as it is written after the value: `.name` for attributes, `["key"]` for elements of maps and names that are
/// not identifiers, `[0]` for numbers. After a step that the value does not have, the form follows from the step alone.
pub(crate) fn text(value: Option<&Value>, path: &[WhyStep]) -> String {
    let mut value = value.cloned();
    let mut out = String::new();
    for step in path {
        // Of an unknown the kind may change yet.
        let known = value.as_ref().filter(|value| value.is_known());
        let inner = known.and_then(|value| ops::step_by(value, &step.key()));
        match inner.unwrap_or_else(|| step.plain()) {
            PathStep::Attribute(name) if is_identifier(&name) => {
                out.push('.');
                out.push_str(&name);
            }
            PathStep::Attribute(name) | PathStep::Index(Value::String(name)) => {
                out.push('[');
                out.push_str(&json::string(&name));
                out.push(']');
            }
            PathStep::Index(_) => out.push_str(&format!("[{}]", step.name())),
        }
        value = value.and_then(|value| part(&value, step));
    }
    out
}
