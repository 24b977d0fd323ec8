//! Arguments of calls. With `...` the last one is evaluated first: while it is unknown, the number of
//! arguments is unknown, and the others are not evaluated.

use groma_syntax::Span;
use groma_value::{Type, Value, ValueMeasure, print};

use super::machine::{CodeMachine, causes_of, sentence, unknown_dynamic};
use crate::code::CallNode;
use crate::codes;

/// The evaluated arguments of a call, or the result of the whole call if that is already certain.
pub(super) enum CallArguments {
    /// The values of all arguments.
    Args {
        values: Vec<Value>,
        /// The number of arguments that are not expanded by `...`; the other values come from the expanded one.
        written: usize,
    },
    /// The result of the whole call.
    Result(Value),
}

impl CodeMachine<'_, '_> {
    /// Evaluates the arguments of a call, including one that is expanded by `...`; if one has errors or the expanded one is
    /// unknown, returns the result of the call instead.
    pub(super) fn evaluate_arguments(&mut self, call: &CallNode) -> CallArguments {
        let errors = self.errors();
        let mut expanded = Vec::new();
        let mut written = call.args.len();
        if call.expand
            && let Some(last) = call.args.last()
        {
            written -= 1;
            let value = self.eval(last.node);
            if self.errors() > errors {
                return CallArguments::Result(unknown_dynamic());
            }
            match self.expand(&value, self.code.span_of(last.node)) {
                Some(Ok(items)) => expanded = items,
                Some(Err(unknown)) => return CallArguments::Result(unknown),
                None => return CallArguments::Result(unknown_dynamic()),
            }
        }
        // A nested call finds no spare memory and allocates its own.
        let mut values = std::mem::take(&mut self.spare);
        values.reserve(written + expanded.len());
        let mut whole = ValueMeasure::PARENT;
        for arg in &call.args[..written] {
            let value = self.eval(arg.node);
            if !self.take_in(&mut whole, &value, arg.node) {
                return CallArguments::Result(unknown_dynamic());
            }
            values.push(value);
        }
        if self.errors() > errors {
            self.give_back(values);
            return CallArguments::Result(unknown_dynamic());
        }
        values.extend(expanded);
        CallArguments::Args { values, written }
    }

    /// Empties an argument list and keeps its memory for the next call.
    pub(super) fn give_back(&mut self, mut values: Vec<Value>) {
        values.clear();
        self.spare = values;
    }

    /// Returns the elements of an argument expanded by `...`; the error is the result of the whole call for an unknown
    /// argument, and `None` means that the argument was reported as not expandable. Each element has the marks of the whole.
    pub(super) fn expand(
        &mut self,
        value: &Value,
        span: Span,
    ) -> Option<Result<Vec<Value>, Value>> {
        // The marks of the collection are those of each element: none is left when it is empty.
        let each = |items: &[Value]| match value.marks() {
            marks if marks.is_empty() => items.to_vec(),
            marks => items.iter().map(|item| item.mark(&marks)).collect(),
        };
        let detail = match value.bare() {
            Value::List(list) => return Some(Ok(each(list.items()))),
            Value::Set(set) => return Some(Ok(each(set.items()))),
            Value::Tuple(tuple) => return Some(Ok(each(tuple.items()))),
            Value::Unknown(unknown)
                if matches!(
                    unknown.ty,
                    Type::Dynamic | Type::List(_) | Type::Set(_) | Type::Tuple(_)
                ) =>
            {
                return Some(Err(Value::unknown_because(Type::Dynamic, causes_of(value))));
            }
            Value::Null(_) => "This is null, so it cannot be expanded into arguments.".to_owned(),
            other => sentence(&format!(
                "{} cannot be expanded into arguments; a list, set or tuple can",
                print::with_article(&other.ty())
            )),
        };
        self.fail(&codes::EXPANSION, span, detail);
        None
    }
}
