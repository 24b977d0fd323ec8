//! Values for names without declarations, with which a template is rendered: from flags and variable files. A flag's value is
//! literal text, unless it begins like a list, an object or a quoted string.

use std::sync::Arc;

use groma_eval::{Context, EvaluationBasis, LocatedCode, NamedValues};
use groma_functions::FunctionLibrary;
use groma_runtime::{Budget, Edition, Host};
use groma_syntax::{Diagnostics, Expr, Place, Source, Sources, Span};
use groma_value::{Type, Value};

use crate::assignment::InputAssignment;
use crate::conventions::InputConventions;
use crate::value_entries::{EnteredValue, parsed};
use crate::value_file::file_entries;

/// Returns the names and values with which a template is rendered, as the caller's assignments give them; the last value of a
/// name wins.
pub fn given_names(
    assignments: &[InputAssignment],
    edition: Edition,
    host: &dyn Host,
    budget: &Budget,
    sources: &mut Sources,
    out: &mut Diagnostics,
) -> NamedValues {
    let basis = EvaluationBasis { budget: budget.clone(), ..EvaluationBasis::bare(edition) };
    let context = basis.with_scope(Arc::new(NamedValues::new()));
    let constants = FreeConstants { library: FunctionLibrary::of(edition).closed(), context };
    let mut names = NamedValues::new();
    for assignment in assignments {
        match assignment {
            InputAssignment::Variable { name, text } => {
                let value = match text.trim_start().starts_with(['[', '{', '"']) {
                    true => constants.text(name, text, sources, out),
                    false => Value::text(text.as_str()),
                };
                names.insert(name.as_str(), value);
            }
            InputAssignment::Value { name, value } => names.insert(name.as_str(), value.clone()),
            InputAssignment::File(path) => {
                let home = InputConventions::MODULE.block_home;
                let shared = (&constants.library, &constants.context);
                let read = file_entries(host, sources, path, home, shared, out);
                for entry in read.map(|(_, entries)| entries).unwrap_or_default() {
                    let value = match &entry.value {
                        EnteredValue::Expression(expr) => constants.value(expr, out),
                        EnteredValue::Value(value) => value.clone(),
                        EnteredValue::Nothing => Value::unknown(Type::Dynamic),
                    };
                    names.insert(entry.name.as_str(), value);
                }
            }
        }
    }
    names
}

/// An evaluator of constants without declarations: its library allows no function calls, and its context has no names.
struct FreeConstants {
    library: FunctionLibrary,
    context: Context,
}

impl FreeConstants {
    /// Parses and evaluates the text of a flag that sets `name`; returns a dynamic unknown after an error, which is reported.
    fn text(&self, name: &str, text: &str, sources: &mut Sources, out: &mut Diagnostics) -> Value {
        let file = sources.add(Source::new(format!("<value for {name}>"), text));
        // An argument may be a secret, so its text is withheld.
        sources.withhold(Place::new(file, Span::new(0, text.len() as u32)));
        match parsed(sources, file, out) {
            Some(expr) => self.value(&expr, out),
            None => Value::unknown(Type::Dynamic),
        }
    }

    /// Evaluates a constant expression; returns a dynamic unknown after an error, which is reported.
    fn value(&self, expr: &Expr, out: &mut Diagnostics) -> Value {
        groma_eval::evaluate(&LocatedCode::of(expr, &self.library), &self.context, out)
    }
}
