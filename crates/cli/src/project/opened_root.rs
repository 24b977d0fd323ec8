//! A loaded module or template that answers the questions of commands and of the console: values, outputs, instances, names.

use std::io;
use std::sync::{Arc, OnceLock};

use groma::json::{ResultContext, full};
use groma::{
    Edition, ListedObject, OutputValue, Value,
    batches::{BatchOptions, batch_in_module, batch_in_template},
    causes::CauseTable,
    projects::{Evaluation, ScopeRef},
};
use groma_syntax::{Diagnostics, Sources};

use crate::flag::CommandArgs;
use crate::session::{EarlyStop, RunSession};
use crate::view::cause::CauseReasons;
use crate::view::{diagnostic, value};
use crate::{bare, limit};

/// A loaded module or template, ready to answer; its diagnostics are printed already.
pub(crate) struct OpenedRoot {
    pub(super) subject: OpenedSubject,
    /// The names that completion offers, computed on first use.
    pub(super) names: OnceLock<Vec<String>>,
    /// True if loading found errors.
    pub failed: bool,
    /// Notes about the state, printed only if an answer is incomplete.
    pub state_notes: Diagnostics,
}

/// The module or template that answers.
pub(super) enum OpenedSubject {
    /// A module, with the instance in whose scope expressions are evaluated.
    Module(Evaluation, ScopeRef),
    /// A Packer template.
    Template(groma::packer::TemplateEvaluation),
}

impl OpenedRoot {
    /// Returns a loaded module with the selected instance. `failed` is true if loading found errors.
    pub(super) fn of_module(
        evaluation: Evaluation,
        at: ScopeRef,
        failed: bool,
        state_notes: Diagnostics,
    ) -> OpenedRoot {
        let subject = OpenedSubject::Module(evaluation, at);
        OpenedRoot { subject, names: OnceLock::new(), failed, state_notes }
    }

    /// Returns a loaded Packer template. `failed` is true if loading found errors.
    pub(super) fn of_template(
        evaluation: groma::packer::TemplateEvaluation,
        failed: bool,
    ) -> OpenedRoot {
        let subject = OpenedSubject::Template(evaluation);
        OpenedRoot { subject, names: OnceLock::new(), failed, state_notes: Diagnostics::new() }
    }

    /// Prints a note if the root declares nothing.
    pub(crate) fn note_if_empty(
        &self,
        dir: Option<&str>,
        session: &mut RunSession<'_>,
    ) -> io::Result<()> {
        match &self.subject {
            OpenedSubject::Module(evaluation, _) => {
                bare::note_if_empty(evaluation.project(), dir, session)
            }
            OpenedSubject::Template(_) => Ok(()),
        }
    }

    /// Evaluates an expression in the scope of the selected instance; `name` stands for its file in diagnostics.
    pub(crate) fn evaluate(&self, text: &str, name: &str, out: &mut Diagnostics) -> Value {
        // An argument or a console line lacks the final newline that a heredoc needs.
        if text.contains("<<") && !text.ends_with('\n') {
            let text = format!("{text}\n");
            return self.value(&text, name, out);
        }
        self.value(text, name, out)
    }

    /// Evaluates a complete text in the scope of the selected instance.
    fn value(&self, text: &str, name: &str, out: &mut Diagnostics) -> Value {
        match &self.subject {
            OpenedSubject::Module(module, at) => module.evaluate_text_at(at, text, name, out),
            OpenedSubject::Template(template) => template.evaluate_text(text, name, out),
        }
    }

    /// Returns the module's evaluation; `None` for a template.
    pub(crate) fn module(&self) -> Option<&Evaluation> {
        match &self.subject {
            OpenedSubject::Module(module, _) => Some(module),
            OpenedSubject::Template(_) => None,
        }
    }

    /// Returns the module's evaluation and the selected instance; `None` for a template.
    pub(crate) fn selected(&self) -> Option<(&Evaluation, &ScopeRef)> {
        match &self.subject {
            OpenedSubject::Module(module, at) => Some((module, at)),
            OpenedSubject::Template(_) => None,
        }
    }

    /// Returns a value as the console of its program prints it.
    pub(crate) fn text(&self, value: &Value) -> String {
        match &self.subject {
            OpenedSubject::Module(..) => value::text(value),
            OpenedSubject::Template(_) => value::plain_text(value),
        }
    }

    /// Returns the template's evaluation; `None` for a module.
    pub(crate) fn template(&self) -> Option<&groma::packer::TemplateEvaluation> {
        match &self.subject {
            OpenedSubject::Module(..) => None,
            OpenedSubject::Template(template) => Some(template),
        }
    }

    /// Returns every output, by name.
    pub(crate) fn outputs(&self, out: &mut Diagnostics) -> Vec<OutputValue> {
        self.module().map(|module| module.outputs(out)).unwrap_or_default()
    }

    /// Returns the output of this name, if declared.
    pub(crate) fn output(&self, name: &str, out: &mut Diagnostics) -> Option<OutputValue> {
        self.module()?.output(name, out)
    }

    /// Returns the names of all outputs.
    pub(crate) fn output_names(&self) -> Vec<String> {
        let root = self.module().map(|module| module.project().root());
        root.into_iter().flat_map(|root| root.output_names()).map(String::from).collect()
    }

    /// Returns every instance of resources and modules, sorted by address.
    pub(crate) fn instances(&self, out: &mut Diagnostics) -> Vec<ListedObject> {
        self.module().map(|module| module.instances(out)).unwrap_or_default()
    }

    /// Prints the notes about the state if an answer is incomplete, since a missing state may be the cause.
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

    /// Stops the command if the run's budget is used up.
    pub(crate) fn stop_if_ended(
        &self,
        args: &CommandArgs,
        found: &Diagnostics,
        session: &mut RunSession<'_>,
    ) -> Result<(), EarlyStop> {
        let end = match &self.subject {
            OpenedSubject::Module(module, _) => module.end(),
            OpenedSubject::Template(template) => template.end(),
        };
        limit::stop_if_ended(args, end, found, &self.sources(), session)
    }

    /// Returns the texts that places refer to, those of evaluated expressions included.
    pub(crate) fn sources(&self) -> Sources {
        match &self.subject {
            OpenedSubject::Module(module, _) => module.sources(),
            OpenedSubject::Template(template) => template.sources(),
        }
    }

    /// Returns the table of the causes of unknown values.
    pub(crate) fn causes(&self) -> &Arc<CauseTable> {
        match &self.subject {
            OpenedSubject::Module(module, _) => module.causes(),
            OpenedSubject::Template(template) => template.causes(),
        }
    }

    /// Returns the same root with another instance selected; `None` if there is none at the address, which `out` explains.
    pub(crate) fn moved_to(
        &self,
        address: Option<&str>,
        out: &mut Diagnostics,
    ) -> Result<Option<OpenedRoot>, &'static str> {
        let OpenedSubject::Module(module, _) = &self.subject else {
            return Err("a Packer template has no instances");
        };
        let at = match address {
            Some(address) => module.at(address, out),
            None => Some(module.at_root()),
        };
        Ok(at.map(|at| OpenedRoot {
            subject: OpenedSubject::Module(module.clone(), at),
            names: OnceLock::new(),
            failed: self.failed,
            state_notes: self.state_notes.clone(),
        }))
    }

    /// Returns the names of the variables that can be set from outside.
    pub(crate) fn variables(&self) -> Vec<String> {
        match &self.subject {
            OpenedSubject::Module(module, _) => {
                let all = &module.project().root().variables;
                all.iter().map(|one| one.name.to_string()).collect()
            }
            OpenedSubject::Template(_) => self.steps("var."),
        }
    }

    /// Returns the edition in which the code is read.
    pub(crate) fn edition(&self) -> Edition {
        match &self.subject {
            OpenedSubject::Module(module, _) => module.project().edition(),
            OpenedSubject::Template(template) => template.template().edition(),
        }
    }

    /// Returns the explainer of unknown values.
    pub(crate) fn reasons<'o>(&'o self, sources: &'o Sources) -> CauseReasons<'o> {
        CauseReasons(ResultContext { sources, causes: self.causes() })
    }

    /// Returns a value with all that is known about it, as JSON.
    pub(crate) fn full(&self, value: &Value, found: &Diagnostics) -> String {
        let sources = self.sources();
        let around = ResultContext { sources: &sources, causes: self.causes() };
        full(value, found, &around)
    }

    /// Gives a batch the scope of the module or template.
    pub(crate) fn set_scope(&self, options: &mut BatchOptions) {
        match &self.subject {
            OpenedSubject::Module(module, at) => batch_in_module(module, at, options),
            OpenedSubject::Template(template) => batch_in_template(template, options),
        }
    }
}
