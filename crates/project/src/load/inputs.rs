//! The inputs of the root module as they are collected, and what a plan misses among them.

use groma_inputs::{InputAssignment, InputCollector, Values, is_of_a_file, is_unreadable};
use groma_module::declare::{DeclarationReader, Module};
use groma_runtime::Host;
use groma_syntax::{Diagnostic, Diagnostics, Sources};

use super::module_inputs::ModuleInputs;
use super::phases::ProjectLoad;
use crate::codes;
use crate::options::RootInputs;

/// The values given to the root module's variables, with the texts they are read from and the diagnostics of reading them.
pub(super) struct CollectedInputs {
    pub(super) values: Values,
    /// The texts of value files and of values, which have reserved numbers.
    pub(super) texts: Sources,
    pub(super) found: Diagnostics,
    /// True if value files cannot be read.
    pub(super) is_unread: bool,
}

/// A reader of the values given to the root module's variables: by options, files and the environment.
pub(super) struct InputReader<'a> {
    pub(super) host: &'a dyn Host,
    pub(super) dir: &'a str,
    /// The names of the files in the directory.
    pub(super) names: &'a [String],
    pub(super) reader: DeclarationReader<'a>,
    pub(super) inputs: RootInputs,
    /// The texts of the code.
    pub(super) sources: &'a Sources,
}

impl InputReader<'_> {
    /// Reads the values given to the variables of the root module `root`: by `assignments`, value files and environment
    /// variables. Reads nothing where the code is checked for any inputs, unless the edition needs them.
    pub(super) fn collect(
        &self,
        root: &Module,
        assignments: &[InputAssignment],
    ) -> CollectedInputs {
        let conventions = &self.reader.conventions;
        let (mut texts, mut found) = (self.sources.reserved(), Diagnostics::new());
        let mut values = Values::default();
        if self.inputs == RootInputs::Given || conventions.check_reads_values {
            let inputs = ModuleInputs::new(&self.reader, root);
            let collector = InputCollector::new(self.host, &mut texts, &inputs);
            values = collector.collect(self.dir, self.names, assignments, &mut found);
        }
        if self.inputs == RootInputs::Unknown && !conventions.early_sources {
            // Missing values of variables are reported elsewhere.
            found = found.into_iter().filter(|one| is_unreadable(one, &texts)).collect();
        }
        let is_unread = found.iter().any(|one| {
            is_unreadable(one, &texts) || conventions.early_sources && is_of_a_file(one, &texts)
        });
        CollectedInputs { values, texts, found, is_unread }
    }
}

impl ProjectLoad<'_> {
    /// Reads the values given to the root module's variables by the options of this load, value files and environment variables.
    pub(super) fn collect_inputs(&self, root: &Module) -> CollectedInputs {
        let reader = InputReader {
            host: &*self.host,
            dir: &self.dir,
            names: self.names.as_deref().unwrap_or_default(),
            reader: self.reader(),
            inputs: self.options.load.inputs,
            sources: &self.sources,
        };
        reader.collect(root, &self.options.run.assignments)
    }
}

/// Reports what a plan of the root module requires and does not have: files with declarations, unless `may_be_bare`, and values
/// of variables.
pub(super) fn check_required(
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
