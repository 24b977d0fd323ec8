//! Collection of the values of input variables from every source in order of precedence. The last source of a variable wins as a
//! whole; nothing is merged.

use std::collections::BTreeMap;

use groma_config::did_you_mean;
use groma_runtime::{Host, file_path};
use groma_syntax::{Diagnostic, Diagnostics, Expr, FileId, Phase, Place, Source, Sources, Span};
use groma_value::{Str, Value};

use crate::assignment::InputAssignment;
use crate::codes;
use crate::conventions::{AssignmentOrder, CheckedInputs, InputConventions};
use crate::declared::DeclaredInputs;
use crate::given::{GivenInput, InputSource, Values};
use crate::secret::{SecretNames, scrub};
use crate::value_entries::parsed;

/// The value of a variable before its evaluation: a text or an expression.
pub(crate) enum PendingInput {
    /// Text from the command line or the environment, with its source.
    Text(String, InputSource),
    /// An expression in a variable file.
    Expression(Expr),
}

/// A collector of the values of a root's input variables from the environment, variable files and the caller's assignments.
pub struct InputCollector<'a, D: DeclaredInputs> {
    pub(crate) host: &'a dyn Host,
    pub(crate) sources: &'a mut Sources,
    pub(crate) declared: &'a D,
    pub(crate) conventions: &'static InputConventions,
    pub(crate) secrets: SecretNames,
    /// The names in variable files that no variable has, with their places.
    pub(crate) undeclared: Vec<(String, Place)>,
    values: Values,
    /// The values that are not evaluated yet, by variable name: only those of the winning source.
    pending: BTreeMap<Str, PendingInput>,
}

impl<'a, D: DeclaredInputs> InputCollector<'a, D> {
    /// Creates a collector without values for the variables of `declared`.
    pub fn new(host: &'a dyn Host, sources: &'a mut Sources, declared: &'a D) -> Self {
        let variables = declared.variables().map(|one| (D::name(one), D::is_secret(one)));
        InputCollector {
            host,
            sources,
            declared,
            conventions: declared.conventions(),
            secrets: SecretNames::of(variables),
            undeclared: Vec::new(),
            values: Values::default(),
            pending: BTreeMap::new(),
        }
    }

    /// Reads the values of all variables of the root in the folder `dir`, whose files are `names` (sorted), each from the source
    /// of highest precedence, and returns them.
    pub fn collect(
        mut self,
        dir: &str,
        names: &[String],
        assignments: &[InputAssignment],
        out: &mut Diagnostics,
    ) -> Values {
        let from = out.len();
        for variable in self.declared.variables() {
            let name = format!("{}{}", self.conventions.environment_prefix, &**D::name(variable));
            if let Some(text) = self.host.env(&name) {
                let origin = format!("the environment variable {name}");
                self.text(variable, &text, origin, InputSource::Environment, out);
            }
        }
        for file in self.conventions.automatic(names) {
            self.file(&file_path::join(dir, file), out);
        }
        match self.conventions.order {
            AssignmentOrder::AsGiven => {
                assignments.iter().for_each(|one| self.assignment(one, out));
            }
            AssignmentOrder::FilesFirst => self.files_first(assignments, out),
        }
        self.settle(out);
        out.mark_phase(from, Phase::Enter);
        self.report_undeclared(out);
        self.values
    }

    /// Applies the caller's assignments in this order: the variable files, then for each variable the last expression text, then
    /// the finished values.
    fn files_first(&mut self, assignments: &[InputAssignment], out: &mut Diagnostics) {
        let is_file = |one: &&InputAssignment| matches!(one, InputAssignment::File(_));
        let is_value = |one: &&InputAssignment| matches!(one, InputAssignment::Value { .. });
        let text = |one: &'_ InputAssignment| match one {
            InputAssignment::Variable { name, text } => Some((name.clone(), text.clone())),
            InputAssignment::File(_) | InputAssignment::Value { .. } => None,
        };
        assignments.iter().filter(is_file).for_each(|one| self.assignment(one, out));
        let texts: BTreeMap<String, String> = assignments.iter().filter_map(text).collect();
        for (name, text) in &texts {
            self.flag(name, text, out);
        }
        assignments.iter().filter(is_value).for_each(|one| self.assignment(one, out));
    }

    /// Applies an assignment of the caller: sets a variable, or reads a variable file.
    fn assignment(&mut self, assignment: &InputAssignment, out: &mut Diagnostics) {
        match assignment {
            // Paths given by the user are relative to the working directory.
            InputAssignment::File(path) => self.file(path, out),
            InputAssignment::Variable { name, text } => self.flag(name, text, out),
            InputAssignment::Value { name, value } => self.value(name, value, out),
        }
    }

    /// Sets a variable to a value that the embedding program passes; reports a name that is not declared.
    fn value(&mut self, name: &str, value: &Value, out: &mut Diagnostics) {
        let Some(variable) = self.declared.variable(name) else {
            return self.refuse(&format!("A value is given for \"{name}\""), name, out);
        };
        let given = GivenInput {
            value: D::take(variable, value.clone()),
            place: None,
            origin: format!("the value given for {name}"),
            by: InputSource::Embedder,
            is_text: false,
            is_unread: false,
        };
        self.set(variable, given, None, out);
    }

    /// Sets a variable to the text of a `-var` flag; reports a name that is not declared.
    fn flag(&mut self, name: &str, text: &str, out: &mut Diagnostics) {
        if self.conventions.refuses_blank_names && name.trim() != name {
            let trimmed = name.trim();
            let detail = format!(
                "-var sets \"{name}\", but a name cannot begin or end with a space. Write {trimmed}=… without spaces."
            );
            out.push(Diagnostic::error(&codes::VARIABLE_NAME_BLANK, detail));
            return;
        }
        let Some(variable) = self.declared.variable(name) else {
            return self.refuse(&format!("-var sets \"{name}\""), name, out);
        };
        self.text(variable, text, format!("-var {name}=…"), InputSource::Flag, out);
    }

    /// Reports that the caller sets the variable `name`, which is not declared; `what` begins the message.
    fn refuse(&self, what: &str, name: &str, out: &mut Diagnostics) {
        let (root, hint) = (self.conventions.root, did_you_mean(name, self.names()));
        let detail = format!("{what}, but {root} declares no such variable.{hint}");
        out.push(Diagnostic::error(&codes::UNDECLARED_VARIABLE, detail).in_phase(Phase::Value));
    }

    /// Sets a variable from the text of a flag or environment variable, which messages call `origin`: as literal text or as an
    /// expression, by the variable's type.
    fn text(
        &mut self,
        variable: &D::Variable,
        text: &str,
        origin: String,
        by: InputSource,
        out: &mut Diagnostics,
    ) {
        let (value, pending) = match D::takes_text(variable) {
            true => (Value::text(text), None),
            false => (D::unread(variable), Some(PendingInput::Text(text.to_owned(), by))),
        };
        let given = GivenInput { value, place: None, origin, by, is_text: true, is_unread: false };
        self.set(variable, given, pending, out);
    }

    /// Sets the value of a variable and replaces any earlier one; `pending` is its text or expression if it is still to be
    /// evaluated.
    pub(crate) fn set(
        &mut self,
        variable: &D::Variable,
        mut given: GivenInput,
        pending: Option<PendingInput>,
        out: &mut Diagnostics,
    ) {
        let name = D::name(variable);
        match (self.conventions.checked, pending) {
            (CheckedInputs::Winner, Some(pending)) => {
                self.pending.insert(name.clone(), pending);
            }
            (CheckedInputs::Winner, None) => {
                self.pending.remove(name);
            }
            (CheckedInputs::Each, pending) => {
                if let Some(pending) = pending {
                    let evaluated = self.evaluate(name, pending, out);
                    fill::<D>(variable, &mut given, evaluated);
                }
                given = self.declared.check_value(variable, given, out);
            }
        }
        self.values.insert(name.clone(), given);
    }

    /// Evaluates the texts and expressions of those values that are not evaluated yet, after every source has been read.
    fn settle(&mut self, out: &mut Diagnostics) {
        for (name, pending) in std::mem::take(&mut self.pending) {
            let Some(variable) = self.declared.variable(&name) else { continue };
            let evaluated = self.evaluate(&name, pending, out);
            if let Some(given) = self.values.get_mut(&name) {
                fill::<D>(variable, given, evaluated);
            }
        }
    }

    /// Evaluates the text or expression of the value of the variable `name`; returns the value, `None` after an error, and the
    /// place of a text, which becomes a source text of its own. Diagnostics about secret values are redacted.
    pub(crate) fn evaluate(
        &mut self,
        name: &str,
        pending: PendingInput,
        out: &mut Diagnostics,
    ) -> (Option<Value>, Option<Place>) {
        let from = out.len();
        let evaluated = match pending {
            PendingInput::Text(text, by) => {
                let named = match self.conventions.checked {
                    CheckedInputs::Winner => format!("<value for var.{name}>"),
                    // A variable may have several texts.
                    CheckedInputs::Each => format!("<value for var.{name} from {}>", by.word()),
                };
                let file = self.sources.add(Source::new(named, text.as_str()));
                self.secrets.text(name, file, self.sources);
                let place = Place::new(file, Span::new(0, text.len() as u32));
                (self.expression(file, out), Some(place))
            }
            PendingInput::Expression(expr) => {
                (self.declared.constant(&expr, "A value in a value file", out), None)
            }
        };
        scrub(from, self.sources, out);
        evaluated
    }

    /// Parses and evaluates an expression that is the whole text of `file`; `None` after an error, which is reported.
    fn expression(&self, file: FileId, out: &mut Diagnostics) -> Option<Value> {
        let expr = parsed(self.sources, file, out)?;
        self.declared.constant(&expr, "A value from outside the code", out)
    }

    /// Returns the names of all declared variables.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'a str> {
        self.declared.variables().map(|variable| &**D::name(variable))
    }
}

/// Sets the value and the place of a given input after its evaluation; without a value it is marked as unread.
fn fill<D: DeclaredInputs>(
    variable: &D::Variable,
    given: &mut GivenInput,
    (value, place): (Option<Value>, Option<Place>),
) {
    given.place = place.or(given.place);
    given.is_unread = value.is_none();
    given.value = value.map_or_else(|| D::unread(variable), |value| D::take(variable, value));
}
