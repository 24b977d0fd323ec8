//! The arguments as a body sees them: counted, converted, and without nulls, unknowns and marks
//! unless their parameter lets those through. The getters of a type may be used where the
//! parameter has that type.

use groma_value::sentence::{HIDDEN, brief};
use groma_value::{Causes, Number, Refinement, Sentence, Str, Type, Value};

use crate::{CallContext, Failure, Function};

/// The arguments of one call.
pub struct CallArgs<'a> {
    pub(crate) function: &'a Function,
    pub(crate) values: &'a [Value],
    pub(crate) given: &'a [Value],
    /// The context of the call.
    pub context: &'a CallContext<'a>,
}

impl<'a> CallArgs<'a> {
    /// Returns how many there are.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Returns true if there are none.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// All of them.
    pub fn all(&self) -> &'a [Value] {
        self.values
    }

    /// The argument at `index`; null if there is none.
    pub fn value(&self, index: usize) -> &'a Value {
        static NULL: Value = Value::NULL;
        self.values.get(index).unwrap_or(&NULL)
    }

    /// Those from `index` on.
    pub fn from(&self, index: usize) -> &'a [Value] {
        self.values.get(index..).unwrap_or(&[])
    }

    /// A text (below marks).
    pub fn text(&self, index: usize) -> &'a Str {
        static EMPTY: std::sync::LazyLock<Str> = std::sync::LazyLock::new(Str::default);
        match self.value(index).bare() {
            Value::String(text) => text,
            _ => &EMPTY,
        }
    }

    /// A number (below marks).
    pub fn number(&self, index: usize) -> Number {
        self.value(index).bare().as_number().unwrap_or_default()
    }

    /// A bool (below marks).
    pub fn boolean(&self, index: usize) -> bool {
        matches!(self.value(index).bare(), Value::Bool(true))
    }

    /// The elements of a list, set or tuple (below marks).
    pub fn items(&self, index: usize) -> &'a [Value] {
        items(self.value(index)).unwrap_or(&[])
    }

    /// An unknown of type `ty`, for the causes of all arguments.
    pub fn unknown(&self, ty: Type) -> Value {
        Value::unknown_because(ty, self.causes())
    }

    /// An unknown of type `ty` of which `refinement` is certain, for the causes of all arguments.
    pub fn refined(&self, ty: Type, refinement: Refinement) -> Value {
        Value::refined(ty, refinement, self.causes())
    }

    /// Returns why the arguments are unknown, as far as they are.
    pub fn causes(&self) -> Causes {
        causes(self.values)
    }

    /// Returns true if anything in what was given for `index` is not to be shown.
    pub fn is_marked(&self, index: usize) -> bool {
        self.context.hidden || self.given.get(index).is_some_and(hides)
    }

    /// The argument as it may stand in a message: short, and hidden if it is marked.
    pub fn show(&self, index: usize) -> String {
        if self.is_marked(index) {
            return HIDDEN.to_owned();
        }
        brief(self.value(index))
    }

    /// A part of the argument at `index` as it may stand in a message.
    pub fn show_part(&self, index: usize, part: &Value) -> String {
        if self.is_marked(index) || hides(part) {
            return HIDDEN.to_owned();
        }
        brief(part)
    }

    /// The argument at `index` does not do.
    pub fn fail(&self, index: usize, message: impl Into<Sentence>) -> Failure {
        Failure::argument(index, message)
    }

    /// Counts work that the call is about to do: about one step for each element or each 64 bytes that it walks, and
    /// for sorting as many as there are comparisons.
    ///
    /// # Errors
    /// When the evaluation or the run may take no more. Nothing catches this failure, so give it back as it is.
    pub fn charge_steps(&self, count: usize) -> Result<(), Failure> {
        let CallContext { meter, budget, .. } = self.context;
        meter.charge_steps(count as u64, budget).map_err(Failure::limit)
    }

    /// Counts bytes that the call is about to hold, for itself or in its result. What is only for itself is given back
    /// when the call is over, and so is what the result turns out not to need.
    ///
    /// # Errors
    /// When the run may hold no more. Nothing catches this failure, so give it back as it is.
    pub fn charge_bytes(&self, bytes: usize) -> Result<(), Failure> {
        let CallContext { meter, budget, .. } = self.context;
        meter.charge_bytes(bytes as u64, budget).map_err(Failure::limit)
    }

    /// Fails when a text of so many bytes would pass the bound.
    pub(crate) fn check_bytes(&self, bytes: usize) -> Result<(), Failure> {
        let most = self.context.limits.value_bytes;
        if bytes <= most {
            return Ok(());
        }
        let message = format!("The result would have {bytes} bytes; at most {most} are made.");
        Err(Failure::whole(Sentence::vouched(message)))
    }

    /// Fails when a value would pass the bound if it were written out: its parts may be shared.
    pub(crate) fn check_weight(&self, value: &Value) -> Result<(), Failure> {
        let most = self.context.limits.value_bytes;
        let weight = value.measure().weight;
        if weight <= most as u64 {
            return Ok(());
        }
        let message = format!(
            "The value takes {weight} bytes when it is written out; at most {most} are worked on."
        );
        Err(Failure::whole(Sentence::vouched(message)))
    }

    /// Fails when a collection of so many elements would pass the bound.
    pub(crate) fn check_elements(&self, count: usize) -> Result<(), Failure> {
        let most = self.context.limits.elements;
        if count <= most {
            return Ok(());
        }
        let message = format!("The result would have {count} elements; at most {most} are made.");
        Err(Failure::whole(Sentence::vouched(message)))
    }

    /// The name of the parameter of `index`.
    pub(crate) fn param_name(&self, index: usize) -> &'static str {
        self.function.param(index).map_or("argument", |p| p.name)
    }
}

pub(crate) fn hides(value: &Value) -> bool {
    value.has_marks() && value.deep_marks().hide()
}

/// The elements of a list, set or tuple, below its marks.
pub(crate) fn items(value: &Value) -> Option<&[Value]> {
    match value.bare() {
        Value::List(list) => Some(list.items()),
        Value::Set(set) => Some(set.items()),
        Value::Tuple(tuple) => Some(tuple.items()),
        _ => None,
    }
}

/// Returns why values are unknown, at any depth.
pub(crate) fn causes(values: &[Value]) -> Causes {
    let unknown = values.iter().filter(|value| !value.is_wholly_known());
    unknown.fold(Causes::NONE, |all, value| all.union(&value.deep_causes()))
}
