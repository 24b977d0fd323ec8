//! The declarations that receive values from outside. Modules and templates implement the trait over their variables.

use groma_eval::Context;
use groma_functions::FunctionLibrary;
use groma_syntax::{Diagnostics, Expr};
use groma_value::{Str, Value};

use crate::conventions::InputConventions;
use crate::given::GivenInput;

/// The variables of a root, and the handling of values for them.
pub trait DeclaredInputs {
    /// A declared variable.
    type Variable;

    /// Returns the conventions by which values are read.
    fn conventions(&self) -> &'static InputConventions;

    /// Returns every variable, in the order in which the environment is asked for them.
    fn variables(&self) -> impl Iterator<Item = &Self::Variable> + Clone;

    /// Returns a variable by name.
    fn variable(&self, name: &str) -> Option<&Self::Variable>;

    /// Returns the name of a variable.
    fn name(variable: &Self::Variable) -> &Str;

    /// Returns true if no value of a variable may be shown.
    fn is_secret(variable: &Self::Variable) -> bool;

    /// Returns true if text from the environment or a flag is the value, false if it is an expression.
    fn takes_text(variable: &Self::Variable) -> bool;

    /// Returns the placeholder for a value that could not be read: an unknown of the variable's type.
    fn unread(variable: &Self::Variable) -> Value;

    /// Returns a value in the form in which it is stored until it is converted; it need not fit.
    fn take(variable: &Self::Variable, value: Value) -> Value;

    /// Returns the functions and the context for evaluating constants in variable files.
    fn constants(&self) -> (&FunctionLibrary, &Context);

    /// Returns the value of an expression that may use neither names nor functions; `whose` begins the sentence about one that
    /// does.
    fn constant(&self, expr: &Expr, whose: &str, out: &mut Diagnostics) -> Option<Value>;

    /// Converts a value when it is read, if each is checked; a misfit is reported and becomes unknown.
    fn judge(
        &self,
        variable: &Self::Variable,
        given: GivenInput,
        out: &mut Diagnostics,
    ) -> GivenInput;
}
