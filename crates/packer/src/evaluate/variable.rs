//! Evaluation of variables: the given value or default, and validation rules. Without either the value is unknown, and an error
//! in strict mode.

use std::sync::Arc;

use groma_config::{DeclarationAddress, DeclarationName, ModulePath};
use groma_eval::{CauseClass, LookupResult, ProviderName, Reference, Scope};
use groma_syntax::{Diagnostic, Diagnostics};
use groma_value::{Str, Type, Value, convert};

use super::{TemplateState, hidden};
use crate::codes;
use crate::declare::Variable;

impl TemplateState {
    /// Evaluates the variable at an index, checks its validation rules and stores its value.
    pub(super) fn settle_variable(self: &Arc<Self>, at: usize, out: &mut Diagnostics) {
        let variable = &self.template.variables[at];
        let given = self.template.values.get(&variable.name);
        let place = given.map_or(variable.default_place, |given| given.place);
        let is_open = self.options.open_environment && variable.is_open;
        let default = || variable.default.clone().filter(|_| !is_open);
        let value = given.map(|given| given.value.clone()).or_else(default);
        let value = value.unwrap_or_else(|| {
            if self.options.strict {
                let detail = format!(
                    "The variable \"{0}\" has neither a default nor a value. Give it one with -var '{0}=…' or in a file of values.",
                    &*variable.name
                );
                out.push(Diagnostic::error(&codes::VARIABLE_WITHOUT_VALUE, detail).at(variable.place));
            }
            let name = DeclarationName::Variable(variable.name.clone());
            let address = DeclarationAddress::new(ModulePath::ROOT, name);
            let causes = self.cause(CauseClass::Offline, "variable", address, Some(variable.place));
            Value::unknown_because(variable.ty.without_optional(), causes)
        });
        let value = hidden(&value, variable.sensitive);
        for validation in &variable.validations {
            let found = out.error_count();
            let scope: Arc<dyn Scope> =
                Arc::new(OwnValue { name: variable.name.clone(), value: value.clone() });
            let result = self.evaluate(&validation.condition, &scope, out);
            if out.error_count() > found {
                continue;
            }
            match convert(&result, &Type::Bool).as_ref().map(Value::bare) {
                Ok(Value::Bool(true)) => {}
                Ok(Value::Bool(false)) => {
                    out.push(broken(
                        variable,
                        &validation.message,
                        place,
                        validation.condition.place(),
                    ));
                }
                Ok(Value::Unknown(_)) => {}
                _ => {
                    let detail = format!(
                        "A condition has to be true or false, not {}.",
                        groma_value::print::with_article(&result.ty())
                    );
                    let detail = match result.is_null() {
                        true => "A condition has to be true or false, not null.".to_owned(),
                        false => detail,
                    };
                    out.push(
                        Diagnostic::error(&codes::CONDITION_RESULT, detail)
                            .at(validation.condition.place()),
                    );
                }
            }
        }
        let _ = self.variables[at].set(value);
    }
}

/// Creates the diagnostic for a variable's value that violates a validation rule; `place` is the place of the value, `None` for
/// that of the variable, and `rule` the place of the rule.
fn broken(
    variable: &Variable,
    message: &Str,
    place: Option<groma_syntax::Place>,
    rule: groma_syntax::Place,
) -> Diagnostic {
    let detail = format!(
        "The value of the variable \"{}\" is not accepted: {}",
        &*variable.name, &**message
    );
    let found =
        Diagnostic::error(&codes::VALIDATION_FAILED, detail).at(place.unwrap_or(variable.place));
    found.note_at("This is the rule.", rule)
}

/// The scope of a validation rule, in which only the variable that it checks is visible.
struct OwnValue {
    name: Str,
    value: Value,
}

impl Scope for OwnValue {
    fn lookup(&self, reference: &Reference) -> LookupResult {
        match &*reference.root {
            "var" => LookupResult::root(Value::object([(self.name.clone(), self.value.clone())])),
            _ => LookupResult::Undefined(groma_eval::UndefinedName::default()),
        }
    }

    fn root_names(&self) -> Vec<Arc<str>> {
        vec!["var".into()]
    }

    fn provider(&self, _: &str) -> ProviderName {
        ProviderName::Undeclared(None)
    }
}
