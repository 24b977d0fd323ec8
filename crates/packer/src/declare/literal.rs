//! Constants evaluated while a template is read: they cannot use names, and only functions allowed in their place.

use std::sync::Arc;

use groma_config::ReadSetting;
use groma_eval::{
    Context, EvaluationBasis, LocatedCode, LookupResult, ProviderName, Reference, Scope,
    UndefinedName, evaluate,
};
use groma_functions::FunctionLibrary;
use groma_runtime::{DirEntry, Edition, EntryKind, Host, HostError};
use groma_syntax::{Diagnostics, Expr};
use groma_value::{Value, json};

/// Evaluator of the constant expressions in declarations, which are evaluated while a Packer template is read.
pub(crate) struct DeclaredLiterals {
    context: Context,
    library: FunctionLibrary,
}

impl DeclaredLiterals {
    /// Creates an evaluator of constants that may not call functions.
    pub(crate) fn new(edition: Edition) -> DeclaredLiterals {
        let scope = Arc::new(EmptyScope(
            "A value that is read with the template",
            "Write a literal value.",
        ));
        DeclaredLiterals {
            context: Context::bare(edition).with_scope(scope),
            library: FunctionLibrary::of(edition).closed(),
        }
    }

    /// Creates an evaluator for the defaults of variables, which may read the environment.
    pub(crate) fn of_defaults(edition: Edition, host: Arc<dyn Host>) -> DeclaredLiterals {
        let scope = Arc::new(EmptyScope(
            "The default of a variable",
            "Leave the default out, or compute a local value from the variable.",
        ));
        let context = EvaluationBasis { host, ..EvaluationBasis::bare(edition) }.with_scope(scope);
        DeclaredLiterals {
            context,
            library: FunctionLibrary::of(edition).closed().with_variable_default(),
        }
    }

    /// Returns the edition of Packer with which the template is read.
    pub(crate) fn edition(&self) -> Edition {
        self.library.edition
    }

    /// Returns true if the value of an expression is open, that is, it depends on environment variables that are not set.
    pub(crate) fn is_open(&self, expr: &Expr) -> bool {
        let value = |host: Arc<dyn Host>| {
            let context = EvaluationBasis { host, ..EvaluationBasis::clone(&self.context) }
                .with_scope(self.context.scope.clone());
            evaluate(&LocatedCode::of(expr, &self.library), &context, &mut Diagnostics::new())
        };
        let filled = Arc::new(FilledHost(self.context.host.clone()));
        json::plain(&value(self.context.host.clone())) != json::plain(&value(filled))
    }

    /// Evaluates a constant expression; `None` if that fails, which is reported.
    pub(crate) fn value(&self, expr: &Expr, out: &mut Diagnostics) -> Option<Value> {
        let before = out.error_count();
        let value = evaluate(&LocatedCode::of(expr, &self.library), &self.context, out);
        (out.error_count() == before).then_some(value)
    }
}

impl ReadSetting for DeclaredLiterals {
    fn constant_value(&self, expr: &Expr, _: &str, out: &mut Diagnostics) -> Option<Value> {
        self.value(expr, out)
    }
}

/// A scope without names, with two texts for error messages: what contains the expression, and what to do instead.
pub(crate) struct EmptyScope(pub(crate) &'static str, pub(crate) &'static str);

impl Scope for EmptyScope {
    fn lookup(&self, reference: &Reference) -> LookupResult {
        let detail = format!(
            "{} cannot refer to \"{}\", because nothing is evaluated yet when it is read. {}",
            self.0, &*reference.root, self.1
        );
        LookupResult::Undefined(UndefinedName { detail: Some(detail), steps: 0, reported: false })
    }

    fn root_names(&self) -> Vec<Arc<str>> {
        Vec::new()
    }

    fn provider(&self, _: &str) -> ProviderName {
        ProviderName::Undeclared(None)
    }
}

/// A host in whose environment every variable is set, for finding out if a value depends on unset ones.
struct FilledHost(Arc<dyn Host>);

impl Host for FilledHost {
    fn read(&self, path: &str) -> Result<Vec<u8>, HostError> {
        self.0.read(path)
    }

    fn length(&self, path: &str) -> Result<u64, HostError> {
        self.0.length(path)
    }
    fn list(&self, dir: &str) -> Result<Vec<DirEntry>, HostError> {
        self.0.list(dir)
    }

    fn canonical(&self, path: &str) -> Result<String, HostError> {
        self.0.canonical(path)
    }

    fn kind(&self, path: &str) -> Result<EntryKind, HostError> {
        self.0.kind(path)
    }

    fn check_code_access(&self, path: &str) -> Result<(), HostError> {
        self.0.check_code_access(path)
    }

    fn hides_environment(&self) -> bool {
        self.0.hides_environment()
    }

    fn env(&self, name: &str) -> Option<String> {
        Some(self.0.env(name).unwrap_or_else(|| format!("value of {name}")))
    }

    fn env_names(&self) -> Vec<String> {
        self.0.env_names()
    }

    fn current_dir(&self) -> String {
        self.0.current_dir()
    }

    fn home(&self) -> Option<String> {
        self.0.home()
    }
}
