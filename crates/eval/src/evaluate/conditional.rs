//! Conditionals. Both arms are always evaluated, since the type of the result depends on both. Of the arm not taken only its
//! type and its own marks reach the result, never its errors, and a mark for a mock only if the result has its type.

use groma_syntax::Diagnostic;
use groma_value::codec::path_text;
use groma_value::{
    Causes, Length, NumberBound, Refinement, Type, Value, convert, mismatch, print, unify,
};

use super::machine::{CodeMachine, causes_of, is_type_text, marks_of, sentence, to_primitive};
use super::plain::are_alike;
use crate::code::OpId;
use crate::codes;

/// An evaluated arm of a conditional: its value and its diagnostics.
struct ConditionalArm {
    value: Value,
    found: Vec<Diagnostic>,
}

impl ConditionalArm {
    /// Returns true if both arms of a conditional have the same primitive type and no diagnostics, so that no conversion is
    /// needed.
    fn needs_no_conversion(&self, other: &ConditionalArm) -> bool {
        are_alike(&self.value, &other.value) && self.found.is_empty() && other.found.is_empty()
    }
}

impl CodeMachine<'_, '_> {
    /// Evaluates an arm of a conditional; its diagnostics are kept in the result, not reported yet.
    fn arm(&mut self, id: OpId) -> ConditionalArm {
        let start = self.run.out.len();
        let value = self.eval(id);
        ConditionalArm { value, found: self.run.out.split_off(start) }
    }

    /// Evaluates `condition ? then : otherwise`: both arms, for the type of the result, and then the condition.
    #[inline(never)]
    pub(super) fn conditional(&mut self, condition: OpId, then: OpId, otherwise: OpId) -> Value {
        if let Some(plain) = self.plain()
            && let Some(value) = plain.choice(condition, then, otherwise)
        {
            return value;
        }
        let yes = self.arm(then);
        let no = self.arm(otherwise);
        let plain = yes.needs_no_conversion(&no);
        let ty = match plain {
            true => Some(yes.value.ty()),
            false => common_type(&yes.value, &no.value),
        };
        let Some(ty) = ty else {
            let span = self.code.span_of(then).join(self.code.span_of(otherwise));
            let detail = type_difference(&yes.value, &no.value);
            // The way to the difference names attributes, and those may be sensitive too.
            let marks = yes.value.deep_marks().union(&no.value.deep_marks());
            self.with_marks(&marks, |machine| {
                machine.fail(&codes::CONDITIONAL_TYPES, span, detail)
            });
            return Value::unknown(Type::Dynamic);
        };
        let errors = self.errors();
        let decided = self.eval(condition);
        if self.errors() > errors {
            return Value::unknown(ty);
        }
        if let Value::Bool(flag) = decided
            && plain
        {
            return if flag { yes.value } else { no.value };
        }
        let span = self.code.span_of(condition);
        if decided.is_null() {
            let detail = "The condition is null; a condition must be true or false.";
            self.fail(&codes::CONDITION, span, detail);
            return Value::unknown(ty);
        }
        let marks = marks_of([&decided, &yes.value, &no.value]);
        if !decided.is_known() {
            let causes = causes_of(&decided);
            return undecided(yes.value.bare(), no.value.bare(), ty, causes).mark(&marks);
        }
        let decided = match to_primitive(decided, &Type::Bool) {
            Ok(decided) => decided,
            Err(why) => {
                self.fail(&codes::CONDITION, span, sentence(&why.message));
                return Value::unknown(ty);
            }
        };
        let (taken, left, place) = match decided.bare() {
            Value::Bool(true) => (yes, no, then),
            _ => (no, yes, otherwise),
        };
        let is_of_type = taken.value.ty() == ty;
        let marks = match is_of_type && left.value.marks().is_mocked() {
            true => marks_of([&decided, &taken.value]).union(&left.value.marks().without_mocks()),
            false => marks,
        };
        self.run.out.extend(taken.found);
        if is_type_text(&taken.value) {
            return taken.value;
        }
        match convert(&taken.value, &ty) {
            Ok(value) => value.mark(&marks),
            Err(why) => {
                let span = self.code.span_of(place);
                let detail = format!(
                    "Both results must be of one type, {}: {}.",
                    print::with_article(&ty),
                    why.message
                );
                self.fail(&codes::CONDITIONAL_TYPES, span, detail);
                Value::unknown(ty)
            }
        }
    }
}

/// Returns the type to which both arms of a conditional convert; `None` if there is none. An unmarked null without a type takes
/// the type of the other arm, and an arm of unknown type makes the result's type unknown.
fn common_type(yes: &Value, no: &Value) -> Option<Type> {
    let bare_null = |value: &Value| matches!(value, Value::Null(ty) if ty.is_bare());
    if bare_null(yes) {
        return Some(no.ty());
    }
    let first = yes.ty();
    if bare_null(no) {
        return Some(first);
    }
    let second = no.ty();
    if first == Type::Dynamic || second == Type::Dynamic {
        return Some(Type::Dynamic);
    }
    if first == second {
        return Some(first);
    }
    unify(&[&first, &second])
}

/// Returns the error message for the arms of a conditional without a common type.
fn type_difference(yes: &Value, no: &Value) -> String {
    let (first, second) = (yes.ty(), no.ty());
    let (yes, no) = (print::with_article(&first), print::with_article(&second));
    let rule = "Both results must have one type, or convert to one";
    if yes != no {
        return format!("{rule}: the first is {yes}, the second {no}.");
    }
    let why = mismatch(&second, &first);
    match path_text(&why.path).as_str() {
        "" => format!("{rule}: each is {yes}, but their contents differ in type."),
        path => format!("{rule}: each is {yes}, but they differ at `{path}` ({}).", why.message),
    }
}

/// Returns the result of a conditional with an unknown condition: an unknown of type `ty` with the refinements that hold for both
/// arms, and with the causes of all three.
fn undecided(yes: &Value, no: &Value, ty: Type, condition: Causes) -> Value {
    if yes.is_null() && no.is_null() {
        return Value::null(ty);
    }
    let causes = condition.union(&causes_of(yes)).union(&causes_of(no));
    let (first, second) = (certain(yes), certain(no));
    let not_null = first.not_null && second.not_null;
    let mut refinement = Refinement { not_null, ..Refinement::default() };
    let (first_type, second_type) = (yes.ty(), no.ty());
    if first_type == Type::Number && second_type == Type::Number {
        refinement.low = outer_bound(first.low, second.low, true);
        refinement.high = outer_bound(first.high, second.high, false);
        // Bounds say that it is not null, so they do not hold for what may be.
        if !not_null {
            refinement.low = None;
            refinement.high = None;
        }
    } else if first_type.is_collection() && first_type == second_type && not_null {
        refinement.length = match (first.length, second.length) {
            (Some(a), Some(b)) => Some(Length {
                low: a.low.min(b.low),
                high: a.high.zip(b.high).map(|(a, b)| a.max(b)),
            }),
            _ => None,
        };
    }
    Value::refined(ty, refinement, causes)
}

/// Returns the wider of two bounds of numbers: the smaller if `lower`; `None` if either is missing.
fn outer_bound(a: Option<NumberBound>, b: Option<NumberBound>, lower: bool) -> Option<NumberBound> {
    let (a, b) = (a?, b?);
    let order = a.number.compare(&b.number);
    if order.is_eq() {
        let inclusive = a.inclusive || b.inclusive;
        return Some(NumberBound { inclusive, ..a });
    }
    Some(if order.is_lt() == lower { a } else { b })
}

/// Returns what is known of a value as a refinement: that of an unknown, or the exact number or length of a known value.
fn certain(value: &Value) -> Refinement {
    let exactly = |count: usize| Some(Length { low: count, high: Some(count) });
    let length = match value {
        Value::Unknown(unknown) => return unknown.refinement.clone(),
        Value::Null(_) => return Refinement::default(),
        known if let Some(number) = known.as_number() => {
            let bound = NumberBound { number, inclusive: true };
            let (low, high) = (Some(bound.clone()), Some(bound));
            return Refinement { not_null: true, low, high, ..Refinement::default() };
        }
        Value::List(list) => exactly(list.items().len()),
        Value::Map(map) => exactly(map.entries().len()),
        Value::Set(set) if value.is_wholly_known() => exactly(set.items().len()),
        Value::Set(set) => {
            Some(Length { low: set.items().len().min(1), high: Some(set.items().len()) })
        }
        _ => None,
    };
    Refinement { not_null: true, length, ..Refinement::default() }
}
