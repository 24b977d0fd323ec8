//! Calls of other modules: which module, how often, with which inputs.

use groma_config::{RawBlock, VersionConstraints};
use groma_syntax::{Diagnostic, Diagnostics, Expr, Place};
use groma_value::{Str, Type, Value, convert};

use crate::codes;
use crate::declare::configuration_name::{PassedProvider, passed};
use crate::declare::{DeclarationReader, Expression, InputArgument, Repetition};

/// One `module` block.
#[derive(Clone, Debug)]
pub struct ModuleCall {
    /// Its name.
    pub name: Str,
    /// The place where its header stands.
    pub place: Place,
    /// The place where the module is; absent only where the argument is missing, which is reported.
    pub source: Option<Expression>,
    /// The version constraint.
    pub version: Option<Expression>,
    /// The repetition.
    pub repetition: Repetition,
    /// Sorted by name.
    pub inputs: Vec<InputArgument>,
    /// The declarations that it depends on.
    pub depends_on: Vec<Expression>,
    /// The provider configurations that it hands over.
    pub providers: Vec<PassedProvider>,
    /// True if an override file changes it. Then inputs that the child does not have are not looked for.
    pub is_overridden: bool,
    /// The place where something stands in its block that may have a meaning in an edition which is newer than what is
    /// known.
    pub news: Option<Place>,
}

/// The arguments of a `module` block that are no inputs.
const OWN: [&str; 6] = ["count", "depends_on", "for_each", "providers", "source", "version"];

impl ModuleCall {
    /// The caller's name and alias of the configuration that is handed over under these.
    pub fn handed_provider(&self, name: &str, alias: Option<&str>) -> Option<&(Str, Option<Str>)> {
        let is_it = |inner: &(Str, Option<Str>)| *inner.0 == *name && inner.1.as_deref() == alias;
        self.providers.iter().rev().find(|one| is_it(&one.inner)).map(|one| &one.outer)
    }

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

    /// The input of that name.
    pub fn input(&self, name: &str) -> Option<&InputArgument> {
        let at = self.inputs.binary_search_by(|input| (*input.name).cmp(name)).ok()?;
        self.inputs.get(at)
    }

    /// The input for the variable at a position. Both are sorted, and mostly the same.
    pub fn input_at(&self, variable: usize, name: &str) -> Option<&InputArgument> {
        let near = self.inputs.get(variable).filter(|input| *input.name == *name);
        near.or_else(|| self.input(name))
    }
}

/// Returns what is wrong with a text that says which versions of a module will do.
pub fn problem_of_version(text: &str, place: Place) -> Option<Diagnostic> {
    let part = VersionConstraints::parse(text).err()?;
    let detail = format!(
        "\"{part}\" is not a version constraint. Write an operator and a version, such as \"~> 1.5\"."
    );
    Some(Diagnostic::error(&codes::VERSION_CONSTRAINT, detail).at(place))
}

/// Returns what is said of versions that are no text, or not known in time.
pub fn unreadable_version(why: &str, place: Place) -> Diagnostic {
    let detail = format!("The version constraint of the module cannot be read: {why}.");
    Diagnostic::error(&codes::VERSION_CONSTRAINT, detail).at(place)
}

/// Checks that the versions of a module are a constraint. OpenTofu may work them out later.
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
