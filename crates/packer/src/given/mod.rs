//! Values given to variables: by environment, value files and command line. The last source wins as a whole, and a value that
//! does not fit is an error even if another one wins.

mod file;

use std::collections::BTreeMap;
use std::sync::Arc;

use groma_config::{FileKind, InputAssignment, SecretNames, did_you_mean, scrub};
use groma_eval::{Context, EvaluationBasis, LocatedCode, evaluate};
use groma_functions::FunctionLibrary;
use groma_runtime::{Budget, Edition, Host};
use groma_syntax::{Diagnostic, Diagnostics, Expr, Place, Source, Sources, parse_expression};
use groma_value::{Str, Type, Value};
use rustc_hash::FxHashMap;

use crate::codes;
use crate::declare::{EmptyScope, Variable};

/// A given value, converted to its variable's type.
#[derive(Clone, Debug)]
pub(crate) struct GivenValue {
    pub(crate) value: Value,
    /// The source range, if it is written in a file.
    pub(crate) place: Option<Place>,
    pub(crate) origin: GivenOrigin,
}

/// The origin of a given value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GivenOrigin {
    /// The environment.
    Environment,
    /// A file of values.
    File,
    /// The command line, or the embedding program.
    Flag,
}

impl GivenOrigin {
    /// Returns the name of the origin of a text.
    fn word(self) -> &'static str {
        match self {
            GivenOrigin::Environment => "env",
            GivenOrigin::File => "file",
            GivenOrigin::Flag => "arguments",
        }
    }
}

/// The given values by variable name.
pub(crate) type Values = FxHashMap<Str, GivenValue>;

/// A collector of the values of a template's variables.
pub(crate) struct TemplateInputs<'a> {
    host: &'a dyn Host,
    sources: &'a mut Sources,
    variables: &'a [Variable],
    library: FunctionLibrary,
    context: Context,
    values: Values,
    secrets: SecretNames,
    /// Names in files without a variable, with their source ranges.
    strangers: Vec<(String, Place)>,
}

impl<'a> TemplateInputs<'a> {
    /// Returns a collector without values.
    pub(crate) fn new(
        host: &'a dyn Host,
        sources: &'a mut Sources,
        variables: &'a [Variable],
        edition: Edition,
        budget: Budget,
    ) -> TemplateInputs<'a> {
        let scope = Arc::new(EmptyScope(
            "A value from outside the code",
            "If a string is meant, put it in quotes.",
        ));
        TemplateInputs {
            host,
            sources,
            variables,
            library: FunctionLibrary::of(edition).closed(),
            context: EvaluationBasis { budget, ..EvaluationBasis::bare(edition) }.with_scope(scope),
            values: Values::default(),
            secrets: SecretNames::of(variables.iter().map(|one| (&one.name, one.sensitive))),
            strangers: Vec::new(),
        }
    }

    /// Reads every source in order of precedence. `names` are the files of `folder`.
    pub(crate) fn collect(
        mut self,
        folder: &str,
        names: &[String],
        assignments: &[InputAssignment],
        out: &mut Diagnostics,
    ) -> Values {
        for variable in self.variables {
            let name = format!("PKR_VAR_{}", &*variable.name);
            if let Some(text) = self.host.env(&name) {
                self.assign(
                    variable,
                    &text,
                    GivenOrigin::Environment,
                    &format!("the environment variable {name}"),
                    out,
                );
            }
        }
        // Those in native syntax come first.
        for is_json in [false, true] {
            let counts = |name: &&String| {
                let kind = FileKind::of(name).filter(|_| FileKind::is_automatic(name));
                kind.is_some_and(|kind| kind.owner.is_some() && kind.is_json() == is_json)
            };
            for name in names.iter().filter(counts) {
                self.file(&groma_runtime::file_path::join(folder, name), out);
            }
        }
        // Paths given by the user are relative to the working directory. Single values come after all files, and only the last
        // one for a name counts.
        for assignment in assignments {
            if let InputAssignment::File(path) = assignment {
                self.file(path, out);
            }
        }
        let single = |assignment: &'_ InputAssignment| match assignment {
            InputAssignment::Variable { name, text } => Some((name.clone(), text.clone())),
            InputAssignment::File(_) | InputAssignment::Value { .. } => None,
        };
        let flags: BTreeMap<String, String> = assignments.iter().filter_map(single).collect();
        for (name, text) in &flags {
            self.flag(name, text, out);
        }
        for assignment in assignments {
            if let InputAssignment::Value { name, value } = assignment {
                self.given(name, value, out);
            }
        }
        self.report_strangers(out);
        self.values
    }

    /// Returns a variable by name.
    fn variable(&self, name: &str) -> Option<&'a Variable> {
        let at = self.variables.binary_search_by(|variable| (*variable.name).cmp(name)).ok()?;
        self.variables.get(at)
    }

    /// Sets a variable to a value of the embedding program.
    fn given(&mut self, name: &str, value: &Value, out: &mut Diagnostics) {
        let Some(variable) = self.variable(name) else {
            let hint = did_you_mean(name, self.variables.iter().map(|variable| &*variable.name));
            let detail = format!(
                "A value is given for \"{name}\", but the template declares no such variable.{hint}"
            );
            out.push(Diagnostic::error(&codes::UNDECLARED_VARIABLE, detail));
            return;
        };
        let whence = (GivenOrigin::Flag, None);
        self.set(
            variable,
            Some(value.clone()),
            whence,
            &format!("the value given for {name}"),
            out,
        );
    }

    /// Sets a variable from the command line.
    fn flag(&mut self, name: &str, text: &str, out: &mut Diagnostics) {
        let Some(variable) = self.variable(name) else {
            let hint = did_you_mean(name, self.variables.iter().map(|variable| &*variable.name));
            let detail =
                format!("-var sets \"{name}\", but the template declares no such variable.{hint}");
            out.push(Diagnostic::error(&codes::UNDECLARED_VARIABLE, detail));
            return;
        };
        self.assign(variable, text, GivenOrigin::Flag, &format!("-var {name}=…"), out);
    }

    /// Sets a variable from plain text: taken literally for strings, numbers and dynamic types, otherwise parsed as an
    /// expression.
    fn assign(
        &mut self,
        variable: &Variable,
        text: &str,
        whence: GivenOrigin,
        origin: &str,
        out: &mut Diagnostics,
    ) {
        let value = match variable.ty {
            Type::String | Type::Number | Type::Dynamic => Some(Value::text(text)),
            _ => self.expression(variable, text, whence.word(), out),
        };
        self.set(variable, value, (whence, None), origin, out);
    }

    /// Parses and evaluates the text of a value.
    fn expression(
        &mut self,
        variable: &Variable,
        text: &str,
        whence: &str,
        out: &mut Diagnostics,
    ) -> Option<Value> {
        let name = format!("<value for var.{} from {whence}>", &*variable.name);
        let file = self.sources.add(Source::new(name, text));
        let text = self.sources.get(file).text().clone();
        self.secrets.text(&variable.name, file, self.sources);
        let from = out.len();
        let parse = parse_expression(&text, file);
        let broken = !parse.diagnostics.is_empty();
        out.extend(parse.diagnostics.iter().cloned());
        let value = if broken { None } else { self.value(&Expr::of(&parse), out) };
        scrub(from, self.sources, out);
        value
    }

    /// Evaluates an expression without names and functions.
    fn value(&self, expr: &Expr, out: &mut Diagnostics) -> Option<Value> {
        let before = out.error_count();
        let value = evaluate(&LocatedCode::of(expr, &self.library), &self.context, out);
        (out.error_count() == before).then_some(value)
    }

    /// Converts and sets a value; a failed one becomes unknown.
    fn set(
        &mut self,
        variable: &Variable,
        value: Option<Value>,
        (whence, place): (GivenOrigin, Option<Place>),
        origin: &str,
        out: &mut Diagnostics,
    ) {
        let unknown = || Value::unknown(variable.ty.without_optional());
        let value = match value.map(|value| variable.convert(&value)) {
            Some(Ok(value)) => value,
            Some(Err(why)) => {
                let detail = format!(
                    "The value of the variable \"{}\", given by {origin}, does not fit its type: {}.",
                    &*variable.name,
                    variable.misfit(&why)
                );
                let found = Diagnostic::error(&codes::VARIABLE_TYPE, detail);
                out.push(match place {
                    Some(place) => {
                        found.at(place).note_at("The variable is declared here.", variable.place)
                    }
                    None => found.at(variable.place),
                });
                unknown()
            }
            None => unknown(),
        };
        self.values.insert(variable.name.clone(), GivenValue { value, place, origin: whence });
    }

    /// Reports names without a variable.
    fn report_strangers(&mut self, out: &mut Diagnostics) {
        const SHOWN: usize = 10;
        for (name, place) in self.strangers.iter().take(SHOWN) {
            let hint = did_you_mean(name, self.variables.iter().map(|variable| &*variable.name));
            let detail = format!(
                "This file sets \"{name}\", but the template declares no such variable, so the value is not used.{hint}"
            );
            out.push(Diagnostic::warning(&codes::UNDECLARED_VARIABLE, detail).at(*place));
        }
        let more = self.strangers.len().saturating_sub(SHOWN);
        if let Some((_, place)) = self.strangers.get(SHOWN) {
            let detail = format!("The value files set {more} more names that are not declared.");
            out.push(Diagnostic::warning(&codes::UNDECLARED_VARIABLE, detail).at(*place));
        }
    }
}
