//! A loaded module or template that answers the questions of commands and of the console: values, outputs, instances, names.

use std::io;
use std::sync::{Arc, OnceLock};

use groma::json::ResultContext;
use groma::root::{NoAnswer, Root, RootScope};
use groma::{
    Edition, ExpressionAnswer, OutputValue, Type, Value, batches::BatchOptions, causes::CauseTable,
    packer::TemplateEvaluation, projects::Evaluation, projects::ScopeRef,
};
use groma_syntax::{Diagnostics, Sources};

use crate::flag::CommandArgs;
use crate::session::{EarlyStop, RunSession};
use crate::view::cause::CauseReasons;
use crate::view::diagnostic;
use crate::{bare, limit};

/// A loaded module or template, ready to answer; its diagnostics are printed already.
pub(crate) struct OpenedRoot {
    pub(super) root: Arc<dyn Root>,
    /// The instance in whose scope expressions are evaluated.
    pub(super) scope: RootScope,
    /// The names that completion offers, computed on first use.
    pub(super) names: OnceLock<Vec<String>>,
    /// True if loading found errors.
    pub failed: bool,
    /// Notes about the state, printed only if an answer is incomplete.
    pub state_notes: Diagnostics,
}

impl OpenedRoot {
    /// Creates a loaded root with a selected instance, `scope`; `failed` is true if loading found errors, and `state_notes` are
    /// the diagnostics of reading its state.
    pub(super) fn new(
        root: Arc<dyn Root>,
        scope: RootScope,
        failed: bool,
        state_notes: Diagnostics,
    ) -> OpenedRoot {
        OpenedRoot { root, scope, names: OnceLock::new(), failed, state_notes }
    }

    /// Returns the root, through the interface that modules and templates share.
    pub(crate) fn root(&self) -> &dyn Root {
        &*self.root
    }

    /// Prints a note if the root, which messages call `dir`, declares nothing.
    pub(crate) fn note_if_empty(
        &self,
        dir: Option<&str>,
        session: &mut RunSession<'_>,
    ) -> io::Result<()> {
        match self.module() {
            Some(evaluation) => bare::note_if_empty(evaluation.project(), dir, session),
            None => Ok(()),
        }
    }

    /// Evaluates an expression in the scope of the selected instance; adds its diagnostics to `out`, with `name` as file name.
    pub(crate) fn evaluate(&self, text: &str, name: &str, out: &mut Diagnostics) -> Value {
        // An argument or a console line lacks the final newline that a heredoc needs.
        if text.contains("<<") && !text.ends_with('\n') {
            let text = format!("{text}\n");
            return self.value(&text, name, out);
        }
        self.value(text, name, out)
    }

    /// Evaluates an expression in the scope of the selected instance, exactly as written, without the final newline that a
    /// heredoc needs; diagnostics use `name` as its file name. Returns an unknown if the root has no values.
    fn value(&self, text: &str, name: &str, out: &mut Diagnostics) -> Value {
        // Every root that a command opens has values.
        let value = self.root.evaluate_text(&self.scope, text, name, out);
        value.unwrap_or_else(|_| Value::unknown(Type::Dynamic))
    }

    /// Returns the module's evaluation; `None` for a template.
    pub(crate) fn module(&self) -> Option<&Evaluation> {
        self.root.module().ok().map(|module| module.evaluation())
    }

    /// Returns the module's evaluation and the selected instance; `None` for a template.
    pub(crate) fn selected(&self) -> Option<(&Evaluation, ScopeRef)> {
        self.module().map(|module| (module, self.scope.in_module(module)))
    }

    /// Returns a value in the console output format of the root's program.
    pub(crate) fn text(&self, value: &Value) -> String {
        self.root.console_text(value)
    }

    /// Returns the template's evaluation; `None` for a module.
    pub(crate) fn template(&self) -> Option<&TemplateEvaluation> {
        self.root.template().ok().map(|template| template.evaluation())
    }

    /// Returns every output, by name; the diagnostics go to `out`.
    pub(crate) fn outputs(&self, out: &mut Diagnostics) -> Vec<OutputValue> {
        let Ok(ExpressionAnswer { value, findings }) = self.root.outputs() else {
            return Vec::new();
        };
        out.extend(findings);
        value
    }

    /// Returns the output of this name, and adds the diagnostics of its evaluation to `out`; `None` if it is not declared or if
    /// the root is a template.
    pub(crate) fn output(&self, name: &str, out: &mut Diagnostics) -> Option<OutputValue> {
        self.module()?.output(name, out)
    }

    /// Returns the names of all outputs; none for a template.
    pub(crate) fn output_names(&self) -> Vec<String> {
        let root = self.module().map(|module| module.project().root());
        root.into_iter().flat_map(|root| root.output_names()).map(String::from).collect()
    }

    /// Prints the notes about the state if an answer is not wholly known (`is_open`), since a missing state may be the cause.
    pub(crate) fn print_state_notes(
        &self,
        is_open: bool,
        colour: bool,
        err: &mut dyn io::Write,
    ) -> io::Result<()> {
        match is_open {
            true => diagnostic::print(&self.state_notes, &self.sources(), colour, err),
            false => Ok(()),
        }
    }

    /// Stops the command with a report if the run's budget is used up; this root or the diagnostics `found` tell at which place.
    pub(crate) fn stop_if_ended(
        &self,
        args: &CommandArgs,
        found: &Diagnostics,
        session: &mut RunSession<'_>,
    ) -> Result<(), EarlyStop> {
        limit::stop_if_ended(args, self.root.end(), found, &self.sources(), session)
    }

    /// Returns the texts that places refer to, those of evaluated expressions included.
    pub(crate) fn sources(&self) -> Sources {
        self.root.sources()
    }

    /// Returns the table of the causes of unknown values.
    pub(crate) fn causes(&self) -> &Arc<CauseTable> {
        self.root.causes()
    }

    /// Returns the same root with another instance selected; `None` if there is none at the address, which `out` explains.
    pub(crate) fn with_instance(
        &self,
        address: Option<&str>,
        out: &mut Diagnostics,
    ) -> Result<Option<OpenedRoot>, NoAnswer> {
        let scope = self.root.scope_at(address, out)?;
        Ok(scope.map(|scope| {
            OpenedRoot::new(self.root.clone(), scope, self.failed, self.state_notes.clone())
        }))
    }

    /// Returns the names of the root's input variables, to which flags, variable files or the environment can give values.
    pub(crate) fn variables(&self) -> Vec<String> {
        self.root.inputs().iter().map(|one| one.name.to_string()).collect()
    }

    /// Returns the edition in which the code is read.
    pub(crate) fn edition(&self) -> Edition {
        self.root.edition()
    }

    /// Returns the explainer of unknown values, which quotes places from `sources`.
    pub(crate) fn reasons<'o>(&'o self, sources: &'o Sources) -> CauseReasons<'o> {
        CauseReasons(ResultContext { sources, causes: self.causes() })
    }

    /// Returns a value as JSON with its type, unknown parts, marks and diagnostics, for `groma eval --full`.
    pub(crate) fn full(&self, value: &Value, found: &Diagnostics) -> String {
        self.root.full_json(value, found)
    }

    /// Sets the scope of a batch of expressions to the selected instance or the template.
    pub(crate) fn set_scope(&self, options: &mut BatchOptions) {
        self.root.set_batch_scope(&self.scope, options);
    }
}
