//! The declared variables that receive values. Modules and Packer templates implement the trait over theirs.

use groma_eval::Context;
use groma_functions::FunctionLibrary;
use groma_syntax::{Diagnostics, Expr};
use groma_value::{Str, Value};

use crate::conventions::InputConventions;
use crate::given::GivenInput;

/// The declared variables of a root, and the functions to convert and check their values.
pub trait DeclaredInputs {
    /// The declaration of an input variable, of a module or a Packer template.
    type Variable;

    /// Returns the rules by which values of the variables are read.
    fn conventions(&self) -> &'static InputConventions;

    /// Iterates over all declared variables, in the order in which environment variables are read.
    fn variables(&self) -> impl Iterator<Item = &Self::Variable> + Clone;

    /// Returns the declared variable with a name; `None` if there is none.
    fn variable(&self, name: &str) -> Option<&Self::Variable>;

    /// Returns the name of a declared variable.
    fn name(variable: &Self::Variable) -> &Str;

    /// Returns true if values of the variable must not be shown.
    fn is_secret(variable: &Self::Variable) -> bool;

    /// Returns true if text from the environment or a flag is the value, false if it is an expression.
    fn takes_text(variable: &Self::Variable) -> bool;

    /// Returns the placeholder for a value that could not be read: an unknown of the variable's type.
    fn unread(variable: &Self::Variable) -> Value;

    /// Returns a given value as it is stored: for modules converted to the variable's type if it fits, for Packer templates
    /// unchanged.
    fn take(variable: &Self::Variable, value: Value) -> Value;

    /// Returns the function library and the evaluation context for constants in variable files.
    fn constants(&self) -> (&FunctionLibrary, &Context);

    /// Evaluates an expression without names and functions; `None` after an error, which is reported, that about a name or
    /// function in a message that begins with `whose`.
    fn constant(&self, expr: &Expr, whose: &str, out: &mut Diagnostics) -> Option<Value>;

    /// Returns a value as it is after a check when it is read: for Packer templates converted to the variable's type, a misfit
    /// reported and replaced by an unknown; for modules unchanged.
    fn check_value(
        &self,
        variable: &Self::Variable,
        given: GivenInput,
        out: &mut Diagnostics,
    ) -> GivenInput;
}
