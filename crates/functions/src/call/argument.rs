//! Arguments as a function's body sees them: counted, converted, and without nulls, unknowns and marks unless their parameter
//! rows pass those on. The getter of a type may be used where the parameter has that type.

use groma_value::sentence::{HIDDEN, brief};
use groma_value::{Causes, Number, Refinement, Sentence, Str, Type, Value};

use crate::{CallContext, Failure, Function};

/// The arguments of one call as its function's body sees them, and the context of the call.
pub struct CallArgs<'a> {
    /// The row of the called function.
    pub(crate) function: &'a Function,
    /// The arguments as its parameter rows pass them on.
    pub(crate) values: &'a [Value],
    /// The converted arguments, with all their marks.
    pub(crate) given: &'a [Value],
    /// The host, limits and other inputs of the call.
    pub context: &'a CallContext<'a>,
}

impl<'a> CallArgs<'a> {
    /// Returns the number of arguments given in the call.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Returns true if the call has no arguments.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Returns all arguments in order.
    pub fn all(&self) -> &'a [Value] {
        self.values
    }

    /// Returns the argument at `index`; null if the call has fewer arguments.
    pub fn value(&self, index: usize) -> &'a Value {
        /// The null returned for a missing argument.
        static NULL: Value = Value::NULL;
        self.values.get(index).unwrap_or(&NULL)
    }

    /// Returns the arguments from `index` on; empty if there are none.
    pub fn from(&self, index: usize) -> &'a [Value] {
        self.values.get(index..).unwrap_or(&[])
    }

    /// Returns the argument at `index` as a string, ignoring its marks; empty if it is not a string.
    pub fn text(&self, index: usize) -> &'a Str {
        /// The empty text returned for an argument that is not a string.
        static EMPTY: std::sync::LazyLock<Str> = std::sync::LazyLock::new(Str::default);
        match self.value(index).bare() {
            Value::String(text) => text,
            _ => &EMPTY,
        }
    }

    /// Returns the argument at `index` as a number, ignoring its marks; 0 if it is not a number.
    pub fn number(&self, index: usize) -> Number {
        self.value(index).bare().as_number().unwrap_or_default()
    }

    /// Returns the argument at `index` as a bool, ignoring its marks; false if it is not a bool.
    pub fn boolean(&self, index: usize) -> bool {
        matches!(self.value(index).bare(), Value::Bool(true))
    }

    /// Returns the elements of the list, set or tuple at `index`, ignoring its marks; empty for other values.
    pub fn items(&self, index: usize) -> &'a [Value] {
        items(self.value(index)).unwrap_or(&[])
    }

    /// Returns an unknown of type `ty` whose causes are those of all arguments.
    pub fn unknown(&self, ty: Type) -> Value {
        Value::unknown_because(ty, self.causes())
    }

    /// Returns an unknown of type `ty` with a refinement, whose causes are those of all arguments.
    pub fn refined(&self, ty: Type, refinement: Refinement) -> Value {
        Value::refined(ty, refinement, self.causes())
    }

    /// Returns the causes of all unknowns in the arguments, at any depth.
    pub fn causes(&self) -> Causes {
        causes(self.values)
    }

    /// Returns true if a mark in the argument at `index`, at any depth, or the context of the call forbids showing it.
    pub fn is_hidden(&self, index: usize) -> bool {
        self.context.hidden || self.given.get(index).is_some_and(hides)
    }

    /// Returns a short description of the argument at `index` for messages, or a placeholder if it must not be shown.
    pub fn show(&self, index: usize) -> String {
        if self.is_hidden(index) {
            return HIDDEN.to_owned();
        }
        brief(self.value(index))
    }

    /// Returns a short description of a part of the argument at `index` for messages, or a placeholder if it must not be shown.
    pub fn show_part(&self, index: usize, part: &Value) -> String {
        if self.is_hidden(index) || hides(part) {
            return HIDDEN.to_owned();
        }
        brief(part)
    }

    /// Creates a failure that is reported at the argument at `index`.
    pub fn fail(&self, index: usize, message: impl Into<Sentence>) -> Failure {
        Failure::argument(index, message)
    }

    /// Charges steps for work that the call is about to do: about one for each element or each 64 bytes visited, and for sorting
    /// one for each comparison.
    ///
    /// # Errors
    /// If the steps of the evaluation or the run are used up. This failure cannot be caught, so return it unchanged.
    pub fn charge_steps(&self, count: usize) -> Result<(), Failure> {
        let CallContext { meter, budget, .. } = self.context;
        meter.charge_steps(count as u64, budget).map_err(Failure::limit)
    }

    /// Charges bytes that the call is about to allocate, temporarily or for its result. Those that the result does not need are
    /// released when the call ends.
    ///
    /// # Errors
    /// If the run's bytes are used up. This failure cannot be caught, so return it unchanged.
    pub fn charge_bytes(&self, bytes: usize) -> Result<(), Failure> {
        let CallContext { meter, budget, .. } = self.context;
        meter.charge_bytes(bytes as u64, budget).map_err(Failure::limit)
    }

    /// Fails if a string result of `bytes` bytes would exceed the maximum size of a value.
    pub(crate) fn check_bytes(&self, bytes: usize) -> Result<(), Failure> {
        let most = self.context.limits.value_bytes;
        if bytes <= most {
            return Ok(());
        }
        let message = format!("The result would have {bytes} bytes; at most {most} are made.");
        Err(Failure::whole(Sentence::trusted(message)))
    }

    /// Fails if a value, written out as text, would exceed the maximum size of a value, however little memory its shared parts
    /// take.
    pub(crate) fn check_weight(&self, value: &Value) -> Result<(), Failure> {
        let most = self.context.limits.value_bytes;
        let weight = value.measure().weight;
        if weight <= most as u64 {
            return Ok(());
        }
        let message = format!(
            "The value takes {weight} bytes when it is written out; at most {most} are worked on."
        );
        Err(Failure::whole(Sentence::trusted(message)))
    }

    /// Fails if a result with `count` elements would exceed the maximum number of elements.
    pub(crate) fn check_elements(&self, count: usize) -> Result<(), Failure> {
        let most = self.context.limits.elements;
        if count <= most {
            return Ok(());
        }
        let message = format!("The result would have {count} elements; at most {most} are made.");
        Err(Failure::whole(Sentence::trusted(message)))
    }

    /// Returns the name of the function's parameter for the argument at `index`.
    pub(crate) fn param_name(&self, index: usize) -> &'static str {
        self.function.param(index).map_or("argument", |p| p.name)
    }
}

/// Returns true if a mark at any depth forbids showing the value.
pub(crate) fn hides(value: &Value) -> bool {
    value.has_marks() && value.deep_marks().hide()
}

/// Returns the elements of a list, set or tuple, ignoring its marks; `None` for other values.
pub(crate) fn items(value: &Value) -> Option<&[Value]> {
    match value.bare() {
        Value::List(list) => Some(list.items()),
        Value::Set(set) => Some(set.items()),
        Value::Tuple(tuple) => Some(tuple.items()),
        _ => None,
    }
}

/// Returns the causes of all unknowns in the values, at any depth.
pub(crate) fn causes(values: &[Value]) -> Causes {
    let unknown = values.iter().filter(|value| !value.is_wholly_known());
    unknown.fold(Causes::NONE, |all, value| all.union(&value.deep_causes()))
}
