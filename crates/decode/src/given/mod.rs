//! Values given to the root module's variables: by environment, value files and command line. The last source wins as a whole;
//! nothing is merged.

mod accept;
mod file;
mod message;

use std::collections::BTreeMap;

use crate::codes;
use groma_config::{FileKind, InputAssignment, SecretNames, did_you_mean, scrub};
use groma_module::declare::{DeclarationReader, Module, Variable};
use groma_runtime::Host;
use groma_syntax::{
    Diagnostic, Diagnostics, Expr, FileId, Phase, Place, Severity, Source, Sources, Span,
    parse_expression,
};
use groma_value::{Str, Value};
use rustc_hash::FxHashMap;

pub use accept::InputSource;
pub use accept::{GivenInput, accept, broken, handed_over};
pub use message::{UNREADABLE, read_message, read_text, rule_message};

/// Returns true if a diagnostic says that given values cannot be read at all, whatever they are used for.
pub fn is_unreadable(found: &Diagnostic, sources: &Sources) -> bool {
    is_of_a_file(found, sources) && found.phase < Phase::Value
}

/// Returns true if a diagnostic is an error in a file, not in a value from the command line or environment.
pub fn is_of_a_file(found: &Diagnostic, sources: &Sources) -> bool {
    let is_file = found.place.is_none_or(|at| !sources.get(at.file).name().starts_with('<'));
    found.severity == Severity::Error && is_file
}

/// A value that is not parsed or evaluated yet.
enum PendingInput {
    /// Text from the command line or the environment.
    Text(String),
    /// An expression in a value file.
    Expression(Expr),
}

/// The given values by variable name.
pub type Values = FxHashMap<Str, GivenInput>;

/// A collector of the values of a root module's variables.
pub struct InputCollector<'a> {
    pub(crate) host: &'a dyn Host,
    pub(crate) sources: &'a mut Sources,
    pub(crate) gatherer: &'a DeclarationReader<'a>,
    pub(crate) module: &'a Module,
    values: Values,
    secrets: SecretNames,
    /// The values that are not evaluated yet, by name: only those of the winning source.
    pending: BTreeMap<Str, PendingInput>,
    /// Names in files without a variable, with their source ranges.
    strangers: Vec<(String, Place)>,
}

impl<'a> InputCollector<'a> {
    /// Returns a collector without values.
    pub fn new(
        host: &'a dyn Host,
        sources: &'a mut Sources,
        gatherer: &'a DeclarationReader<'a>,
        module: &'a Module,
    ) -> InputCollector<'a> {
        let variables = module.variables.iter().map(|one| (&one.name, one.is_hidden()));
        InputCollector {
            host,
            sources,
            gatherer,
            module,
            values: Values::default(),
            secrets: SecretNames::of(variables),
            pending: BTreeMap::new(),
            strangers: Vec::new(),
        }
    }

    /// Reads every source in order of precedence. `names` are the files of `dir`.
    pub fn collect(
        mut self,
        dir: &str,
        names: &[String],
        assignments: &[InputAssignment],
        out: &mut Diagnostics,
    ) -> Values {
        let from = out.len();
        for variable in &self.module.variables {
            let name = format!("TF_VAR_{}", &*variable.name);
            if let Some(text) = self.host.env(&name) {
                let origin = format!("the environment variable {name}");
                self.assign(variable, &text, &origin, InputSource::Environment);
            }
        }
        for file in automatic(names) {
            self.file(&groma_config::path::join(dir, file), out);
        }
        for assignment in assignments {
            match assignment {
                // Paths given by the user are relative to the working directory.
                InputAssignment::File(path) => self.file(path, out),
                InputAssignment::Variable { name, text } => self.flag(name, text, out),
                InputAssignment::Value { name, value } => self.given(name, value, out),
            }
        }
        self.settle(out);
        out.mark_phase(from, Phase::Enter);
        self.report_strangers(out);
        self.values
    }

    /// Evaluates the values of the winning sources.
    fn settle(&mut self, out: &mut Diagnostics) {
        for (name, pending) in std::mem::take(&mut self.pending) {
            let (Some(variable), Some(at)) = (self.variable(&name), self.values.get(&name)) else {
                continue;
            };
            let mut place = at.place;
            let from = out.len();
            let value = match pending {
                PendingInput::Text(text) => {
                    let file = format!("<value for var.{}>", &*name);
                    let file = self.sources.add(Source::new(file, text.as_str()));
                    self.secrets.text(&name, file, self.sources);
                    place = Some(Place::new(file, Span::new(0, text.len() as u32)));
                    self.expression(file, out)
                }
                PendingInput::Expression(expr) => constant(&expr, self.gatherer, out),
            };
            scrub(from, self.sources, out);
            if let Some(given) = self.values.get_mut(&name) {
                given.place = place;
                given.is_unread = value.is_none();
                given.value = value.map_or_else(|| unread(variable), |value| variable.take(value));
            }
        }
    }

    /// Returns a variable of the root module by name.
    fn variable(&self, name: &str) -> Option<&'a Variable> {
        let at = self.module.names.variable(name)?;
        self.module.variables.get(at as usize).map(|variable| &**variable)
    }

    /// Sets a variable to a value of the embedding program.
    fn given(&mut self, name: &str, value: &Value, out: &mut Diagnostics) {
        let Some(variable) = self.variable(name) else {
            let hint = did_you_mean(name, self.module.variable_names());
            let detail = format!(
                "A value is given for \"{name}\", but the root module declares no such variable.{hint}"
            );
            out.push(Diagnostic::error(&codes::UNDECLARED_VARIABLE, detail).in_phase(Phase::Value));
            return;
        };
        let given = GivenInput {
            value: variable.take(value.clone()),
            place: None,
            origin: format!("the value given for {name}"),
            by: InputSource::Embedder,
            is_text: false,
            is_unread: false,
        };
        self.set(variable, given, None);
    }

    /// Sets a variable from the command line.
    fn flag(&mut self, name: &str, text: &str, out: &mut Diagnostics) {
        if name.trim() != name {
            let trimmed = name.trim();
            let detail = format!(
                "-var sets \"{name}\", but a name cannot begin or end with a space. Write {trimmed}=… without spaces."
            );
            out.push(Diagnostic::error(&codes::VARIABLE_NAME_BLANK, detail));
            return;
        }
        let Some(variable) = self.variable(name) else {
            let hint = did_you_mean(name, self.module.variable_names());
            let detail = format!(
                "-var sets \"{name}\", but the root module declares no such variable.{hint}"
            );
            out.push(Diagnostic::error(&codes::UNDECLARED_VARIABLE, detail).in_phase(Phase::Value));
            return;
        };
        self.assign(variable, text, &format!("-var {name}=…"), InputSource::Flag);
    }

    /// Sets a variable from plain text: taken literally for a string-like type, otherwise parsed as an expression.
    fn assign(&mut self, variable: &Variable, text: &str, origin: &str, by: InputSource) {
        let as_text = !variable.has_type || variable.ty.is_primitive();
        let (value, pending) = match as_text {
            true => (Value::text(text), None),
            false => (unread(variable), Some(PendingInput::Text(text.to_owned()))),
        };
        let given = GivenInput {
            value,
            place: None,
            origin: origin.to_owned(),
            by,
            is_text: true,
            is_unread: false,
        };
        self.set(variable, given, pending);
    }

    /// Sets a variable and replaces any earlier value.
    fn set(&mut self, variable: &Variable, given: GivenInput, pending: Option<PendingInput>) {
        match pending {
            Some(pending) => self.pending.insert(variable.name.clone(), pending),
            None => self.pending.remove(&variable.name),
        };
        self.values.insert(variable.name.clone(), given);
    }

    /// Parses and evaluates the text of a value.
    fn expression(&mut self, file: FileId, out: &mut Diagnostics) -> Option<Value> {
        let text = self.sources.get(file).text().clone();
        let parse = parse_expression(&text, file);
        let broken = !parse.diagnostics.is_empty();
        out.extend(parse.diagnostics.iter().cloned());
        if broken {
            return None;
        }
        self.gatherer.constant(&Expr::of(&parse), "A value from outside the code", out)
    }

    /// Reports names without a variable.
    fn report_strangers(&mut self, out: &mut Diagnostics) {
        /// Maximum number of names that are listed.
        const SHOWN: usize = 2;
        for (name, place) in self.strangers.iter().take(SHOWN) {
            let hint = did_you_mean(name, self.module.variable_names());
            let detail = format!(
                "This file sets \"{name}\", but the root module declares no such variable, so the value is not used.{hint}"
            );
            out.push(Diagnostic::warning(&codes::UNDECLARED_VARIABLE, detail).at(*place));
        }
        if let Some(more) = self.strangers.len().checked_sub(SHOWN).filter(|more| *more > 0) {
            let rest: Vec<&str> =
                self.strangers.iter().skip(SHOWN).take(10).map(|(name, _)| name.as_str()).collect();
            let detail = format!(
                "The value files set {more} more names that the root module does not declare: {}{}.",
                rest.join(", "),
                if more > rest.len() { " …" } else { "" }
            );
            let place = self.strangers.get(SHOWN).map(|(_, place)| *place);
            let mut diagnostic = Diagnostic::warning(&codes::UNDECLARED_VARIABLE, detail);
            diagnostic.place = place;
            out.push(diagnostic);
        }
    }
}

/// Returns the value files that are loaded automatically, in order of precedence.
fn automatic(names: &[String]) -> Vec<&str> {
    let mut found: Vec<&str> = ["terraform.tfvars", "terraform.tfvars.json"]
        .into_iter()
        .filter(|wanted| names.iter().any(|name| name == wanted))
        .collect();
    let is_auto = |name: &&str| {
        FileKind::is_automatic(name)
            && FileKind::of(name).is_some_and(|kind| kind.owner.is_none())
            && !found.contains(name)
    };
    let mut auto: Vec<&str> = names.iter().map(String::as_str).filter(is_auto).collect();
    auto.sort_unstable();
    found.extend(auto);
    found
}

/// Evaluates a constant expression of a value file.
fn constant(expr: &Expr, gatherer: &DeclarationReader<'_>, out: &mut Diagnostics) -> Option<Value> {
    gatherer.constant(expr, "A value in a value file", out)
}

/// Returns the value of an input that could not be read: unknown, of the variable's type.
fn unread(variable: &Variable) -> Value {
    let ty = variable.value_type().clone();
    Value::unknown(ty)
}
