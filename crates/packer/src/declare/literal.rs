//! Values that have to be known while a template is read: no names, and no function but those that a place allows.

use std::sync::Arc;

use groma_eval::{Context, Located, Lookup, ProviderName, Reference, Scope, Undefined, evaluate};
use groma_functions::{Edition, Host, Library};
use groma_module::declared::Raw;
use groma_syntax::{Code, Diagnostic, Diagnostics, Expr};
use groma_value::{Str, Type, Value, convert};

static NOT_PLAIN: Code = Code { slug: "setting-type", summary: "Setting has the wrong type" };

/// Reads literal values.
pub(crate) struct Literals {
    context: Context,
    library: Library,
}

impl Literals {
    pub(crate) fn new(edition: Edition) -> Literals {
        let scope = Arc::new(Nothing("A value that is read with the template"));
        Literals {
            context: Context::bare(edition).with_scope(scope),
            library: Library::of(edition).closed(),
        }
    }

    /// The same for defaults of variables, which may look at the environment.
    pub(crate) fn of_defaults(edition: Edition, host: Arc<dyn Host>) -> Literals {
        let scope = Arc::new(Nothing("The default of a variable"));
        let context = Context { scope, host, ..Context::bare(edition) };
        Literals { context, library: Library::of(edition).closed().with_variable_default() }
    }

    /// The edition that is read.
    pub(crate) fn edition(&self) -> Edition {
        self.library.edition
    }

    /// The value of an expression; nothing if it has none, which is reported.
    pub(crate) fn value(&self, expr: &Expr, out: &mut Diagnostics) -> Option<Value> {
        let before = out.error_count();
        let value = evaluate(&Located::of(expr, &self.library), &self.context, out);
        (out.error_count() == before).then_some(value)
    }

    /// A setting that is true or false.
    pub(crate) fn flag(&self, raw: &Raw, name: &str, out: &mut Diagnostics) -> Option<bool> {
        match self.setting(raw, name, &Type::Bool, "true or false", out)? {
            Value::Bool(flag) => Some(flag),
            _ => None,
        }
    }

    /// A setting that is text.
    pub(crate) fn text(&self, raw: &Raw, name: &str, out: &mut Diagnostics) -> Option<Str> {
        match self.setting(raw, name, &Type::String, "a plain text", out)? {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    fn setting(
        &self,
        raw: &Raw,
        name: &str,
        ty: &Type,
        wanted: &str,
        out: &mut Diagnostics,
    ) -> Option<Value> {
        let argument = raw.argument(name)?;
        let value = self.value(&argument.expr, out)?;
        match convert(&value, ty) {
            Ok(value) if value.is_known() && !value.is_null() => Some(value.bare().clone()),
            _ => {
                let detail = format!("The setting \"{name}\" has to be {wanted}.");
                out.push(Diagnostic::error(&NOT_PLAIN, detail).at(argument.expr.place()));
                None
            }
        }
    }
}

/// A scope in which there is nothing; the words say what stands there.
pub(crate) struct Nothing(pub(crate) &'static str);

impl Scope for Nothing {
    fn lookup(&self, reference: &Reference) -> Lookup {
        let detail = format!(
            "{} cannot refer to \"{}\": nothing is evaluated yet when it is read. Compute it in a local value instead.",
            self.0, &*reference.root
        );
        Lookup::Undefined(Undefined { detail: Some(detail), steps: 0, reported: false })
    }

    fn root_names(&self) -> Vec<Arc<str>> {
        Vec::new()
    }

    fn provider(&self, _: &str) -> ProviderName {
        ProviderName::Undeclared(None)
    }
}
