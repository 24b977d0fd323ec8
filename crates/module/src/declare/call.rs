//! Module calls: source, repetition and inputs.

use groma_config::{DeclarationName, RawBlock, VersionConstraints};
use groma_syntax::{Diagnostic, Diagnostics, Expr, Place};
use groma_value::{Str, Type, Value, convert};

use crate::codes;
use crate::declare::configuration_name::{PassedProvider, passed};
use crate::declare::{DeclarationReader, Expression, InputArgument, Repetition};

/// The declaration of a `module` block: source, repetition, inputs and providers.
#[derive(Clone, Debug)]
pub struct ModuleCall {
    /// Its name.
    pub name: Str,
    /// The source range of its header.
    pub place: Place,
    /// The module source; `None` only if the argument is missing, which is reported.
    pub source: Option<Expression>,
    /// The version constraint.
    pub version: Option<Expression>,
    /// The repetition.
    pub repetition: Repetition,
    /// The inputs, sorted by name.
    pub inputs: Vec<InputArgument>,
    /// The declarations that it depends on.
    pub depends_on: Vec<Expression>,
    /// The provider configurations that it passes.
    pub providers: Vec<PassedProvider>,
    /// True if an override file changes it. Then unknown inputs are not reported.
    pub is_overridden: bool,
    /// The source range of something that a newer edition than the known ones may support.
    pub news: Option<Place>,
}

/// Arguments of a `module` block that are not inputs.
const OWN: [&str; 6] = ["count", "depends_on", "for_each", "providers", "source", "version"];

impl ModuleCall {
    /// Returns the call's address within its module, such as `module.net`.
    pub fn address(&self) -> String {
        DeclarationName::Call(self.name.clone()).to_string()
    }

    /// Returns the caller's provider configuration (local name and alias) that the called module knows under this local name
    /// and alias; `None` if the call does not pass one under it.
    pub fn passed_provider(&self, name: &str, alias: Option<&str>) -> Option<&(Str, Option<Str>)> {
        let is_it = |inner: &(Str, Option<Str>)| *inner.0 == *name && inner.1.as_deref() == alias;
        self.providers.iter().rev().find(|one| is_it(&one.inner)).map(|one| &one.outer)
    }

    /// Reads a module call from a `module` block; reports what is invalid in it.
    pub(crate) fn read(
        raw: &RawBlock,
        gatherer: &DeclarationReader<'_>,
        out: &mut Diagnostics,
    ) -> ModuleCall {
        let library = &gatherer.library;
        if let Some(argument) =
            raw.argument("version").filter(|_| !gatherer.conventions.early_sources)
        {
            check_version(&argument.expr, gatherer, out);
        }
        let plain = raw.arguments.iter().filter(|argument| !OWN.contains(&&*argument.name));
        let escaped = raw.blocks_of("_").flat_map(|block| &block.arguments);
        let mut inputs: Vec<InputArgument> = plain
            .chain(escaped)
            .map(|argument| InputArgument {
                name: argument.name.clone(),
                name_place: argument.name_place,
                value: Expression::new(&argument.expr, library),
            })
            .collect();
        inputs.sort_by(|a, b| a.name.cmp(&b.name));
        ModuleCall {
            name: Str::from(raw.label(0)),
            place: raw.header,
            source: raw.argument("source").map(|a| Expression::new(&a.expr, library)),
            version: raw.argument("version").map(|a| Expression::new(&a.expr, library)),
            repetition: Repetition::read(raw, gatherer, out),
            inputs,
            depends_on: gatherer.depends_on(raw, out),
            providers: raw
                .argument("providers")
                .map_or_else(Vec::new, |argument| passed(&argument.expr, out)),
            is_overridden: raw.overridden.is_some(),
            news: raw.news,
        }
    }

    /// Returns the input with this name; `None` if the call does not set it.
    pub fn input(&self, name: &str) -> Option<&InputArgument> {
        let at = self.inputs.binary_search_by(|input| (*input.name).cmp(name)).ok()?;
        self.inputs.get(at)
    }

    /// Returns the input with this name, as [`ModuleCall::input`] does, but tries the index `variable` first: that of the
    /// variable in the called module, whose sorted list mostly has the same names as the inputs.
    pub fn input_at(&self, variable: usize, name: &str) -> Option<&InputArgument> {
        let near = self.inputs.get(variable).filter(|input| *input.name == *name);
        near.or_else(|| self.input(name))
    }
}

/// Returns the diagnostic for a text that is not a valid version constraint; `None` if it is valid.
pub fn problem_of_version(text: &str, place: Place) -> Option<Diagnostic> {
    let part = VersionConstraints::parse(text).err()?;
    let detail = format!(
        "\"{part}\" is not a version constraint. Write an operator and a version, such as \"~> 1.5\"."
    );
    Some(Diagnostic::error(&codes::VERSION_CONSTRAINT, detail).at(place))
}

/// Returns the diagnostic for a version constraint that cannot be read; `why` says in it that this is not a string, or not
/// known during loading.
pub fn unreadable_version(why: &str, place: Place) -> Diagnostic {
    let detail = format!("The version constraint of the module cannot be read: {why}.");
    Diagnostic::error(&codes::VERSION_CONSTRAINT, detail).at(place)
}

/// Reports a module version that is not a valid constraint, or not constant in editions that read it before the evaluation.
fn check_version(expr: &Expr, gatherer: &DeclarationReader<'_>, out: &mut Diagnostics) {
    let value = Expression::new(expr, &gatherer.library).constant();
    let text = value.as_ref().map(|value| convert(value.bare(), &Type::String));
    let detail = match text {
        Some(Ok(Value::Null(_))) => return,
        Some(Ok(Value::String(text))) => {
            out.extend(problem_of_version(&text, expr.place()));
            return;
        }
        None if gatherer.conventions.computed_sources => return,
        _ => "The version of a module has to be a literal string, such as \"~> 1.5\": it is read before anything is evaluated.".to_owned(),
    };
    out.push(Diagnostic::error(&codes::VERSION_CONSTRAINT, detail).at(expr.place()));
}
