//! The variables of a root module, as receivers of values from outside. A value is checked only later, by `accept`: a default may
//! take its place, and a value that another one overrides is not checked.

use groma_eval::Context;
use groma_functions::FunctionLibrary;
use groma_inputs::{DeclaredInputs, GivenInput, InputConventions};
use groma_module::declare::{DeclarationReader, Module, Variable};
use groma_syntax::{Diagnostics, Expr};
use groma_value::{Str, Value};

/// The variables of a root module as the reader of input values needs them: to be found by name, and to convert values.
pub(super) struct ModuleInputs<'a> {
    reader: &'a DeclarationReader<'a>,
    module: &'a Module,
    /// The library without its functions, because value files cannot call any.
    library: FunctionLibrary,
}

impl<'a> ModuleInputs<'a> {
    /// Returns the adapter for the variables of `module`; `reader` evaluates constants.
    pub(super) fn new(reader: &'a DeclarationReader<'a>, module: &'a Module) -> ModuleInputs<'a> {
        ModuleInputs { reader, module, library: reader.library.closed() }
    }
}

impl DeclaredInputs for ModuleInputs<'_> {
    type Variable = Variable;

    fn conventions(&self) -> &'static InputConventions {
        &InputConventions::MODULE
    }

    fn variables(&self) -> impl Iterator<Item = &Variable> + Clone {
        self.module.variables.iter().map(|variable| &**variable)
    }

    fn variable(&self, name: &str) -> Option<&Variable> {
        let at = self.module.names.variable(name)?;
        self.module.variables.get(at as usize).map(|variable| &**variable)
    }

    fn name(variable: &Variable) -> &Str {
        &variable.name
    }

    fn is_secret(variable: &Variable) -> bool {
        variable.is_hidden()
    }

    fn takes_text(variable: &Variable) -> bool {
        !variable.has_type || variable.ty.is_primitive()
    }

    fn unread(variable: &Variable) -> Value {
        Value::unknown(variable.value_type().clone())
    }

    fn take(variable: &Variable, value: Value) -> Value {
        variable.convert_owned(value)
    }

    fn constants(&self) -> (&FunctionLibrary, &Context) {
        (&self.library, self.reader.constants)
    }

    fn constant(&self, expr: &Expr, whose: &str, out: &mut Diagnostics) -> Option<Value> {
        self.reader.constant(expr, whose, out)
    }

    fn check_value(&self, _: &Variable, given: GivenInput, _: &mut Diagnostics) -> GivenInput {
        given
    }
}
