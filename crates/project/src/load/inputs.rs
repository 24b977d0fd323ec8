//! The inputs of the root module as a load collects them, and what a plan misses among them.

use groma_inputs::{InputCollector, Values, is_of_a_file, is_unreadable};
use groma_module::declare::Module;
use groma_syntax::{Diagnostic, Diagnostics};

use super::module_inputs::ModuleInputs;
use super::phases::{ProjectLoad, reader};
use crate::codes;
use crate::options::RootInputs;

/// The given inputs of the root module.
pub(super) struct CollectedInputs {
    pub(super) values: Values,
    /// True if declarations of the root are faulty.
    pub(super) is_declared_badly: bool,
    /// True if declarations and value files can be read.
    pub(super) is_readable: bool,
    /// The number of errors reported so far.
    pub(super) errors: usize,
}

impl ProjectLoad<'_> {
    /// Collects the values of the root's variables.
    pub(super) fn collect_inputs(
        &mut self,
        root: &Module,
        out: &mut Diagnostics,
    ) -> CollectedInputs {
        let (options, conventions) = (self.options, self.conventions);
        let (is_declared_badly, declared) = (out.has_errors(), out.len());
        let reader = reader(options, conventions, self.evidence.edition, &self.constants);
        let names = self.names.as_deref().unwrap_or_default();
        let inputs = ModuleInputs::new(&reader, root);
        let collector = InputCollector::new(&*self.host, &mut self.sources, &inputs);
        let collect = |out: &mut Diagnostics| {
            collector.collect(&self.dir, names, &options.load.assignments, out)
        };
        let values = match options.load.inputs {
            RootInputs::Given => collect(out),
            RootInputs::Unknown if !conventions.check_reads_values => Values::default(),
            RootInputs::Unknown if conventions.early_sources => collect(out),
            RootInputs::Unknown => {
                // Missing values of variables are reported elsewhere.
                let mut found = Diagnostics::new();
                let values = collect(&mut found);
                out.extend(found.into_iter().filter(|d| is_unreadable(d, &self.sources)));
                values
            }
        };
        let is_unread = |found: &Diagnostic| {
            is_unreadable(found, &self.sources)
                || conventions.early_sources && is_of_a_file(found, &self.sources)
        };
        // Faulty declarations are reported before missing modules.
        let is_readable = !is_declared_badly && !out.iter().skip(declared).any(is_unread);
        CollectedInputs { values, is_declared_badly, is_readable, errors: out.error_count() }
    }
}

/// Reports inputs that a plan requires and that are missing.
pub(super) fn demand(
    root: &Module,
    values: &Values,
    dir: &str,
    may_be_bare: bool,
    out: &mut Diagnostics,
) {
    if root.files.is_empty() && !may_be_bare && !out.has_errors() {
        let detail = format!("The directory {dir} contains no files with declarations.");
        out.push(Diagnostic::error(&codes::NO_FILES, detail));
    }
    for variable in &root.variables {
        let given = values.get(&variable.name);
        if variable.default.is_none() && given.is_none_or(|given| given.is_unread) {
            let detail = format!(
                "The variable \"{0}\" has neither a default nor a value. Give it one with -var '{0}=…' or in a file of values.",
                &*variable.name
            );
            out.push(Diagnostic::error(&codes::VARIABLE_WITHOUT_VALUE, detail).at(variable.place));
        }
    }
}
