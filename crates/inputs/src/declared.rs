//! The declarations that values from outside are given to. Modules and templates implement it over their own variables.

use groma_eval::Context;
use groma_functions::FunctionLibrary;
use groma_syntax::{Diagnostics, Expr};
use groma_value::{Str, Value};

use crate::conventions::InputConventions;
use crate::given::GivenInput;

/// The variables of a root, and what it makes of values that are given to them.
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

    /// Returns the value in place of one that could not be read: unknown, of the variable's type.
    fn unread(variable: &Self::Variable) -> Value;

    /// Returns a value in the form in which it is kept until it is converted; it need not fit.
    fn take(variable: &Self::Variable, value: Value) -> Value;

    /// Returns the functions and the context with which plain literals in value files are read.
    fn constants(&self) -> (&FunctionLibrary, &Context);

    /// Returns the value of an expression that may use neither names nor functions; `whose` begins the sentence about one that
    /// does.
    fn constant(&self, expr: &Expr, whose: &str, out: &mut Diagnostics) -> Option<Value>;

    /// Converts a value as it is read, if each is judged; a misfit is reported and unknown.
    fn judge(
        &self,
        variable: &Self::Variable,
        given: GivenInput,
        out: &mut Diagnostics,
    ) -> GivenInput;
}
