//! Evaluation of a loop over an unknown collection for one sample element, of which only the type is known: an error of the
//! sample is an error of every element. The reference programs do not look into such loops, so this is done only if the context
//! asks for it. The result of the loop is a list or a map of the sample's result type, where the programs make a tuple or an
//! object: a call that could notice the difference reports no failure.

use groma_functions::{Failure, FailureKind, Function, RowType, SpecialForm};
use groma_syntax::Span;
use groma_value::{Causes, Refinement, Str, Type, Value, print};

use super::machine::{CodeMachine, sentence, unknown_dynamic};
use crate::code::{CallNode, ForNode, OpId, OpKind};
use crate::codes;

/// An element that stands for the elements of an unknown collection: its key and its value, unknown but of known types.
struct SampleElement {
    key: Value,
    value: Value,
}

/// Returns elements of which only the type is known, unknown for these causes, for a collection type: one that stands for every
/// element, with true, or each of a tuple or object, with false; none for other types.
fn samples(ty: &Type, causes: &Causes) -> (Vec<SampleElement>, bool) {
    let some = |ty: &Type| Value::unknown_because(ty.clone(), causes.clone());
    let certain = |ty: Type| Value::refined(ty, Refinement::not_null(), causes.clone());
    let one = |key, value| (vec![SampleElement { key, value }], true);
    match ty {
        Type::List(element) => one(certain(Type::Number), some(element)),
        Type::Set(element) => one(some(element), some(element)),
        Type::Map(element) => one(certain(Type::String), some(element)),
        Type::Tuple(tuple) => {
            let all = tuple.elements().iter().enumerate();
            let all =
                all.map(|(at, ty)| SampleElement { key: Value::position(at), value: some(ty) });
            (all.collect(), false)
        }
        Type::Object(object) => {
            let all = object.attributes().iter().map(|attribute| SampleElement {
                key: Value::String(Str::from(&*attribute.name)),
                value: some(&attribute.ty),
            });
            (all.collect(), false)
        }
        _ => (Vec::new(), false),
    }
}

impl CodeMachine<'_, '_> {
    /// Evaluates a `for` over an unknown collection of type `ty` for elements of which only the type is known, and returns an
    /// unknown of the resulting type, with these causes.
    pub(super) fn sampled(&mut self, each: &ForNode, ty: &Type, causes: &Causes) -> Value {
        let (samples, is_any) = samples(ty, causes);
        let mut made: Vec<Option<Type>> = Vec::with_capacity(samples.len());
        for sample in samples {
            if !self.advance(each.value) {
                return unknown_dynamic();
            }
            made.push(self.sample(each, sample, is_any));
        }
        self.bind(each.value_slot, Value::NULL);
        let mut types = made.into_iter();
        let Some(Some(first)) = types.next() else { return unknown_dynamic() };
        if first == Type::Dynamic || !types.all(|ty| ty.as_ref() == Some(&first)) {
            return unknown_dynamic();
        }
        let whole = match (each.key, each.group) {
            (None, _) => Type::list(first),
            (Some(_), false) => Type::map(first),
            (Some(_), true) => Type::map(Type::list(first)),
        };
        Value::refined(whole, Refinement::not_null(), causes.clone())
    }

    /// Evaluates a `for` for one element of which only the type is known, and which stands for every element if `is_any`; returns
    /// the type of its result, `None` if the condition may exclude the element or has errors.
    fn sample(&mut self, each: &ForNode, sample: SampleElement, is_any: bool) -> Option<Type> {
        if let Some(slot) = each.key_slot {
            self.bind(slot, sample.key);
        }
        self.bind(each.value_slot, sample.value);
        if let Some(condition) = each.condition {
            let errors = self.errors();
            let flag = self.eval(condition);
            if self.errors() > errors {
                return None;
            }
            let flag = self.flag(flag, condition, true)?;
            match flag.bare() {
                Value::Bool(true) => {}
                // Elements of different types may be told apart by it.
                Value::Unknown(_) if is_any && !self.attempts_in(condition) => {}
                _ => return None,
            }
        }
        if let Some(key) = each.key {
            let errors = self.errors();
            let name = self.eval(key);
            if self.errors() == errors && is_never_text(&name) {
                let detail =
                    format!("{} is not a string, but a key has to be.", capitalized_type(&name));
                let span = self.code.span_of(key);
                self.fail(&codes::OBJECT_KEY, span, sentence(&detail));
            }
        }
        Some(self.eval(each.value).ty())
    }

    /// Evaluates a `%{ for }` directive over an unknown collection of type `ty`, for elements of which only the type is known and
    /// which are unknown for these causes, to find errors.
    pub(super) fn sampled_text(&mut self, each: &ForNode, ty: &Type, causes: &Causes) {
        for sample in samples(ty, causes).0 {
            if !self.advance(each.value) {
                return;
            }
            if let Some(slot) = each.key_slot {
                self.bind(slot, sample.key);
            }
            self.bind(each.value_slot, sample.value);
            self.eval(each.value);
        }
    }

    /// Returns true if a template part is unknown and of a type that never converts to a string, in a context that evaluates
    /// loops over unknown collections for sample elements.
    pub(super) fn is_sampled_wrong(&self, value: &Value) -> bool {
        self.context.samples && is_never_text(value)
    }

    /// Returns true if the only reason for a failure of a call may be the type that was assumed for the elements of an unknown
    /// collection.
    pub(super) fn is_of_samples(&self, call: &CallNode, failure: &Failure) -> bool {
        self.context.samples
            && match (failure.kind, failure.argument) {
                (FailureKind::Argument, Some(at)) => {
                    call.function.param(at).is_none_or(|one| is_open(one.shape))
                }
                _ => false,
            }
    }

    /// Returns true if an operation contains a call of `try` or `can`.
    fn attempts_in(&self, id: OpId) -> bool {
        let Span { start, end } = self.code.span_of(id);
        let operations = self.code.operations.iter();
        let is_inside = |span: Span| start <= span.start && span.end <= end;
        operations
            .take(id.0 as usize + 1)
            .rev()
            .take_while(|one| is_inside(one.span))
            .any(|one| matches!(one.node, OpKind::Form(SpecialForm::Try | SpecialForm::Can, _)))
    }
}

/// Returns the result of a function; an unknown one with a more exact type, if the types of the arguments determine it.
pub(super) fn settled(function: &Function, args: &[Value], result: Value) -> Value {
    let Value::Unknown(unknown) = result.bare() else { return result };
    if !unknown.ty.has_dynamic() {
        return result;
    }
    let types: Vec<Type> = args.iter().map(Value::ty).collect();
    match (function.settles)(&types) {
        Some(ty) => {
            let value = Value::refined(ty, Refinement::not_null(), unknown.causes.clone());
            value.mark(&result.marks())
        }
        None => result,
    }
}

/// Returns true if a value is unknown and of a type that never converts to a string.
fn is_never_text(value: &Value) -> bool {
    match value.bare() {
        Value::Unknown(unknown) => unknown.ty != Type::Dynamic && !unknown.ty.is_primitive(),
        _ => false,
    }
}

/// Returns true if a parameter accepts values of more than one type.
fn is_open(shape: RowType) -> bool {
    match shape {
        RowType::Any => true,
        RowType::Bool | RowType::Number | RowType::String => false,
        RowType::List(inner) | RowType::Set(inner) | RowType::Map(inner) => is_open(*inner),
    }
}

/// Returns the type of a value with its article, capitalised: `A list of string`.
fn capitalized_type(value: &Value) -> String {
    let text = print::with_article(&value.ty());
    let mut signs = text.chars();
    signs.next().map(|first| first.to_uppercase().chain(signs).collect()).unwrap_or_default()
}
