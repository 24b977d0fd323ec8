//! Descriptions of function rows: signatures with types, the editions that have a function, and its limits. The list of
//! functions, their pages and the reference use the same texts.

use std::fmt;

use groma_runtime::{Dialect, Edition, Semantics, Version};
use groma_value::{Type, Value, print};

use crate::{
    CallArgs, CallContext, Function, FunctionReads, NameReach, ParameterRow, ReturnType, RowType,
};

impl fmt::Display for RowType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, element) = match self {
            RowType::Any => return f.write_str("any"),
            RowType::Bool => return f.write_str("bool"),
            RowType::Number => return f.write_str("number"),
            RowType::String => return f.write_str("string"),
            RowType::List(element) => ("list", element),
            RowType::Set(element) => ("set", element),
            RowType::Map(element) => ("map", element),
        };
        write!(f, "{name}({element})")
    }
}

impl Function {
    /// Returns the signature with types for display: `split(separator: string, string: string) → list(string)`.
    pub fn typed_signature(&self) -> String {
        let typed =
            |param: &ParameterRow, dots: &str| format!("{}{dots}: {}", param.name, param.shape);
        let fixed = self.params.iter().map(|param| typed(param, ""));
        let rest = self.rest.iter().map(|param| typed(param, "..."));
        let result = match self.result_type() {
            // The attributes or elements are described on the function's page.
            Type::Object(_) => "object".to_owned(),
            Type::Tuple(_) => "tuple".to_owned(),
            ty => print::type_constraint(&ty),
        };
        format!("{}({}) → {result}", self.name, fixed.chain(rest).collect::<Vec<_>>().join(", "))
    }

    /// Returns the result type as far as it does not depend on the arguments; otherwise `Dynamic`.
    pub fn result_type(&self) -> Type {
        let decide = match self.returns {
            ReturnType::Shape(shape) => return shape.to_type(),
            ReturnType::By(decide) => decide,
        };
        let unknown = |param: &ParameterRow| Value::unknown(param.shape.to_type());
        let values: Vec<Value> = self.params.iter().chain(&self.rest).map(unknown).collect();
        let semantics = Semantics::of(Edition::DEFAULT);
        let context = CallContext::bare(&semantics);
        let args = CallArgs { function: self, values: &values, given: &values, context: &context };
        decide(&args).unwrap_or(Type::Dynamic)
    }

    /// Returns the programs that have the function, each with the first version unless all have it: `OpenTofu 1.7, Terraform
    /// 1.9`.
    pub fn editions_text(&self) -> String {
        let homes = Dialect::ALL.into_iter().filter_map(|dialect| {
            Some(match self.dialects.since(dialect)? {
                Version { major: 0, .. } => dialect.to_string(),
                Version { major, minor, .. } => format!("{dialect} {major}.{minor}"),
            })
        });
        homes.collect::<Vec<_>>().join(", ")
    }

    /// Returns a sentence on where the function may be called or which external input it reads; `None` if neither applies.
    pub fn terms(&self) -> Option<&'static str> {
        match self.reach {
            NameReach::Everywhere => {}
            NameReach::Console => return Some("Only at the console."),
            NameReach::Given => return Some("Only in the givens of pages and batches."),
            NameReach::VariableDefault => return Some("Only in the default of an input variable."),
        }
        match self.reads {
            FunctionReads::Nothing => None,
            FunctionReads::Files => Some("Reads files, below the root directory only."),
            FunctionReads::Clock => Some(
                "Reads the clock when the configuration is applied: unknown unless --now pins it.",
            ),
            FunctionReads::PlanClock => {
                Some("Reads the clock when the plan is made: unknown unless --now pins it.")
            }
            FunctionReads::Random => {
                Some("Random, so the result is unknown unless --seed pins it.")
            }
            FunctionReads::Environment => Some("Reads the environment."),
            FunctionReads::Network => {
                Some("Calls a service over the network, which Groma never does: unknown.")
            }
        }
    }
}
