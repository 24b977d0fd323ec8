//! Splats. The elements of a list, set or tuple are visited; any other value counts as a tuple of one element, and null as an
//! empty one. For a value that may be null the result is unknown.

use groma_syntax::Span;
use groma_value::{Causes, ElementOrder, Refinement, Type, Value, ValueMeasure, print};

use super::machine::{CodeMachine, causes_of, unknown_dynamic};
use super::traverse::element_type;
use crate::code::OpId;
use crate::codes;

impl CodeMachine<'_, '_> {
    /// Evaluates a splat: the operation `each` for every element of `source`; `each` reads the element from `slot`.
    #[inline(never)]
    pub(super) fn splat(&mut self, source: Value, each: OpId, slot: u32, span: Span) -> Value {
        let (bare, marks) = source.unmark();
        let ty = match &bare {
            Value::List(_) | Value::Set(_) | Value::Tuple(_) => None,
            other => Some(other.ty()),
        };
        let sequence = ty
            .as_ref()
            .is_none_or(|ty| matches!(ty, Type::List(_) | Type::Set(_) | Type::Tuple(_)));
        let result = self.with_marks(&marks, |machine| {
            machine.splat_bare(&source, &bare, (each, slot), span, sequence)
        });
        result.marked(&marks)
    }

    /// Evaluates a splat at `span` over `bare`, which is `source` without its marks, by its body `each` with the item in
    /// `slot`; `sequence` is true if `bare` is of a list, set or tuple type.
    fn splat_bare(
        &mut self,
        source: &Value,
        bare: &Value,
        (each, slot): (OpId, u32),
        span: Span,
        sequence: bool,
    ) -> Value {
        match bare {
            Value::Null(_) if sequence => {
                let detail = "This list, set or tuple is null, so it has no elements. Use an empty \
                              one where there may be none.";
                self.fail(&codes::SPLAT_OF_NULL, span, detail);
                unknown_dynamic()
            }
            Value::Null(_) => Value::tuple(Vec::new()),
            Value::List(list) => self.each_of(list.items(), true, list.element(), each, slot),
            Value::Set(set) => self.each_of(set.items(), true, set.element(), each, slot),
            Value::Tuple(tuple) => self.each_of(tuple.items(), false, &Type::Dynamic, each, slot),
            Value::Unknown(unknown) if unknown.ty == Type::Dynamic && !unknown.is_object() => {
                match bare.open_items() {
                    Some(items) => self.each_open(items, &unknown.causes, each, slot),
                    // The result is not the value itself, so it gets only the value's causes.
                    None => Value::unknown_because(Type::Dynamic, unknown.causes.clone()),
                }
            }
            Value::Unknown(unknown) if sequence => {
                let causes = unknown.causes.clone();
                self.each_unknown(&unknown.ty, &unknown.refinement, causes, each, slot)
            }
            Value::Unknown(unknown) => {
                let may_be_null = !unknown.refinement.not_null;
                let causes = unknown.causes.clone();
                let one =
                    self.each_of(std::slice::from_ref(source), false, &Type::Dynamic, each, slot);
                match may_be_null {
                    true => Value::unknown_because(Type::Dynamic, causes),
                    false => one,
                }
            }
            _ => {
                let one = std::slice::from_ref(source);
                self.each_of(one, false, &Type::Dynamic, each, slot)
            }
        }
    }

    /// Evaluates the body of a splat, the operation `each`, for one element, held in `slot`.
    fn item(&mut self, item: Value, each: OpId, slot: u32) -> Value {
        self.bind(slot, item);
        self.eval(each)
    }

    /// Evaluates the body of a splat, the operation `each`, with each of `items` in `slot`; returns the results as a tuple, or
    /// if `list` is set as a list; `element` is the type of the items, which decides the type of an empty list.
    fn each_of(
        &mut self,
        items: &[Value],
        list: bool,
        element: &Type,
        each: OpId,
        slot: u32,
    ) -> Value {
        let errors = self.errors();
        if list && items.is_empty() {
            let one = self.item(Value::unknown(element.clone()), each, slot);
            return Value::list(one.ty(), Vec::new());
        }
        let mut values = Vec::with_capacity(items.len());
        let mut whole = ValueMeasure::PARENT;
        for item in items {
            if !self.advance(each) {
                break;
            }
            let value = self.item(item.clone(), each, slot);
            if !self.take_in(&mut whole, &value, each) {
                break;
            }
            values.push(value);
        }
        if self.errors() > errors {
            // The failed result keeps its type, by which the rest of the expression is checked.
            let ty = match list {
                true => Type::list(element_type(&values)),
                false => Type::tuple(values.iter().map(Value::ty)),
            };
            return Value::unknown(ty);
        }
        if !list {
            return Value::tuple(values);
        }
        list_of(values).unwrap_or_else(|detail| {
            self.fail(&codes::SPLAT_OF_UNLIKE, self.code.span_of(each), detail);
            unknown_dynamic()
        })
    }

    /// Evaluates the body of a splat, the operation `each`, with each of `items`, the known elements of a collection of unknown
    /// kind, in `slot`; returns a collection of unknown kind of the results, unknown for these causes.
    fn each_open(&mut self, items: &[Value], causes: &Causes, each: OpId, slot: u32) -> Value {
        match self.each_of(items, false, &Type::Dynamic, each, slot) {
            Value::Tuple(tuple) => {
                Value::open_elements(tuple.items().to_vec(), ElementOrder::Unknown, causes.clone())
            }
            failed => failed,
        }
    }

    /// Evaluates the body of a splat, the operation `each`, once with an unknown item in `slot`, for an unknown list, set or
    /// tuple of type `ty`; returns an unknown of the type of the results, with these causes and with the length in
    /// `refinement`, that of the collection.
    fn each_unknown(
        &mut self,
        ty: &Type,
        refinement: &Refinement,
        causes: Causes,
        each: OpId,
        slot: u32,
    ) -> Value {
        let one_of = |machine: &mut Self, ty: &Type| {
            machine.item(Value::unknown_because(ty.clone(), causes.clone()), each, slot).ty()
        };
        match ty {
            Type::List(element) | Type::Set(element) => {
                let element = one_of(self, element);
                let known = Refinement {
                    not_null: true,
                    length: refinement.length,
                    ..Refinement::default()
                };
                Value::refined(Type::list(element), known, causes)
            }
            Type::Tuple(tuple) => {
                let types: Vec<Type> =
                    tuple.elements().iter().map(|element| one_of(self, element)).collect();
                Value::refined(Type::tuple(types), Refinement::not_null(), causes)
            }
            _ => unknown_dynamic(),
        }
    }
}

/// Returns the results of a splat over a list as a list, or an error message if their types differ. Results of unknown type take
/// the type of the others.
fn list_of(values: Vec<Value>) -> Result<Value, String> {
    let first = element_type(&values);
    let mut settled = true;
    for value in &values {
        let ty = value.ty();
        if ty == first {
            continue;
        }
        if ty != Type::Dynamic {
            let (one, other) = (print::with_article(&first), print::with_article(&ty));
            let types = match one == other {
                true => format!("does not give {one} of one type for every element"),
                false => format!("gives {one} for one element and {other} for another"),
            };
            return Err(format!(
                "This {types}, but the elements of a list have one type. Write a `for` expression, which yields a \
                 tuple and can also leave out null values."
            ));
        }
        settled = false;
    }
    if settled {
        return Ok(Value::list(first, values));
    }
    let typed = values.into_iter().map(|value| match value.bare() {
        Value::Unknown(unknown) if unknown.ty == Type::Dynamic => {
            Value::unknown_because(first.clone(), causes_of(&value)).mark(&value.marks())
        }
        Value::Null(ty) if ty.is_bare() => Value::null(first.clone()).mark(&value.marks()),
        _ => value,
    });
    let items = typed.collect();
    Ok(Value::list(first, items))
}
