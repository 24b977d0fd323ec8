//! The variables of a template as inputs to which values from outside are assigned. A value that does not fit is an error even if
//! another value takes precedence.

use std::sync::Arc;

use groma_eval::{Context, EvaluationBasis, LocatedCode, evaluate};
use groma_functions::FunctionLibrary;
use groma_inputs::{DeclaredInputs, GivenInput, InputConventions};
use groma_runtime::{Budget, Edition};
use groma_syntax::{Diagnostic, Diagnostics, Expr};
use groma_value::{Str, Type, Value};

use crate::codes;
use crate::declare::{EmptyScope, Variable};

/// The variables of a Packer template as inputs to which values from outside are assigned, sorted by name.
pub(crate) struct TemplateInputs<'a> {
    variables: &'a [Variable],
    library: FunctionLibrary,
    context: Context,
}

impl<'a> TemplateInputs<'a> {
    /// Creates the inputs from a template's variables; `edition` is that of the template.
    pub(crate) fn new(variables: &'a [Variable], edition: Edition, budget: Budget) -> Self {
        let scope = Arc::new(EmptyScope(
            "A value from outside the code",
            "If a string is meant, put it in quotes.",
        ));
        TemplateInputs {
            variables,
            library: FunctionLibrary::of(edition).closed(),
            context: EvaluationBasis { budget, ..EvaluationBasis::bare(edition) }.with_scope(scope),
        }
    }
}

impl DeclaredInputs for TemplateInputs<'_> {
    type Variable = Variable;

    fn conventions(&self) -> &'static InputConventions {
        &InputConventions::TEMPLATE
    }

    fn variables(&self) -> impl Iterator<Item = &Variable> + Clone {
        self.variables.iter()
    }

    fn variable(&self, name: &str) -> Option<&Variable> {
        let at = self.variables.binary_search_by(|variable| (*variable.name).cmp(name)).ok()?;
        self.variables.get(at)
    }

    fn name(variable: &Variable) -> &Str {
        &variable.name
    }

    fn is_secret(variable: &Variable) -> bool {
        variable.sensitive
    }

    fn takes_text(variable: &Variable) -> bool {
        matches!(variable.ty, Type::String | Type::Number | Type::Dynamic)
    }

    fn unread(variable: &Variable) -> Value {
        Value::unknown(variable.ty.without_optional())
    }

    fn take(_: &Variable, value: Value) -> Value {
        value
    }

    fn constants(&self) -> (&FunctionLibrary, &Context) {
        (&self.library, &self.context)
    }

    fn constant(&self, expr: &Expr, _: &str, out: &mut Diagnostics) -> Option<Value> {
        let before = out.error_count();
        let value = evaluate(&LocatedCode::of(expr, &self.library), &self.context, out);
        (out.error_count() == before).then_some(value)
    }

    fn check_value(
        &self,
        variable: &Variable,
        mut given: GivenInput,
        out: &mut Diagnostics,
    ) -> GivenInput {
        if given.is_text {
            // What a flag or the environment gives is reported at the declaration.
            given.place = None;
        }
        if given.is_unread {
            return given;
        }
        given.value = variable.convert(&given.value).unwrap_or_else(|why| {
            let detail = format!(
                "The value of the variable \"{}\", given by {}, does not fit its type: {}.",
                &*variable.name,
                given.origin,
                variable.misfit(&why)
            );
            let found = Diagnostic::error(&codes::VARIABLE_TYPE, detail);
            out.push(match given.place {
                Some(place) => {
                    found.at(place).note_at("The variable is declared here.", variable.place)
                }
                None => found.at(variable.place),
            });
            Self::unread(variable)
        });
        given
    }
}
