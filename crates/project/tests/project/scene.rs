//! A project in memory, told file by file, and short ways to ask about it. Diagnostics are shown
//! as `severity slug file:line:column`, so that tests say where and what, never in which words.

use std::sync::Arc;

use groma_inputs::InputAssignment;
use groma_project::{Evaluation, Facts, Project, ProjectOptions};
use groma_runtime::{Edition, MemoryHost};
use groma_syntax::{Diagnostic, Diagnostics, Severity, Sources};
use groma_value::{Value, print};

/// A project that is not loaded yet: host, options and directory.
pub(crate) struct Scene {
    pub(crate) host: MemoryHost,
    pub(crate) options: ProjectOptions,
    pub(crate) dir: String,
}

/// A loaded project, an evaluation of it, and the diagnostics of loading.
pub(crate) struct Loaded {
    pub(crate) project: Arc<Project>,
    pub(crate) evaluation: Evaluation,
    pub(crate) found: Diagnostics,
}

/// Returns a project of one file with this text.
pub(crate) fn main(text: &str) -> Scene {
    Scene::new().file("main.tf", text)
}

impl Scene {
    /// Returns a project without files.
    pub(crate) fn new() -> Scene {
        Scene { host: MemoryHost::new(), options: ProjectOptions::default(), dir: ".".to_owned() }
    }

    /// Returns the project with one more file.
    pub(crate) fn file(mut self, path: &str, bytes: impl Into<Vec<u8>>) -> Scene {
        self.host = self.host.with_file(path, bytes);
        self
    }

    /// Returns the project with one more environment variable.
    pub(crate) fn env(mut self, name: &str, value: &str) -> Scene {
        self.host = self.host.with_env(name, value);
        self
    }

    /// Returns the project with a text assigned to a variable.
    pub(crate) fn var(mut self, name: &str, text: &str) -> Scene {
        let assignment = InputAssignment::Variable { name: name.to_owned(), text: text.to_owned() };
        self.options.run.assignments.push(assignment);
        self
    }

    /// Returns the project with one more variable file.
    pub(crate) fn var_file(mut self, path: &str) -> Scene {
        self.options.run.assignments.push(InputAssignment::File(path.to_owned()));
        self
    }

    /// Returns the project with a fixed edition, such as `opentofu@1.12`.
    pub(crate) fn edition(mut self, edition: &str) -> Scene {
        self.options.load.edition = Edition::parse(edition);
        self
    }

    /// Loads the project.
    pub(crate) fn load(self) -> Loaded {
        let mut found = Diagnostics::new();
        let project = Project::load(&self.dir, &self.options, Arc::new(self.host), &mut found);
        let evaluation = Evaluation::new(project.clone(), Facts::default(), self.options.run);
        Loaded { project, evaluation, found }
    }
}

/// Returns a diagnostic on one line, with its severity and place.
fn shown(diagnostic: &Diagnostic, sources: &Sources) -> String {
    let severity = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    };
    let place = diagnostic.place.map_or_else(String::new, |place| {
        let source = sources.get(place.file);
        let at = source.position(place.span.start);
        format!(" {}:{}:{}", source.name(), at.line, at.column)
    });
    format!("{severity} {}{place}", diagnostic.code.slug)
}

impl Loaded {
    /// Returns the value of an expression as the console prints it, or the diagnostics if there are errors.
    pub(crate) fn ask(&self, text: &str) -> String {
        let mut out = Diagnostics::new();
        let value = self.evaluation.evaluate_text(text, "<question>", &mut out);
        if out.has_errors() { self.list(&out).join("\n") } else { print::console(&value) }
    }

    /// Returns the value of the text of an expression in the root module.
    pub(crate) fn value(&self, text: &str) -> Value {
        self.evaluation.evaluate_text(text, "<question>", &mut Diagnostics::new())
    }

    /// Returns diagnostics as lines of text.
    pub(crate) fn list(&self, diagnostics: &Diagnostics) -> Vec<String> {
        let sources = self.evaluation.sources();
        diagnostics.iter().map(|diagnostic| shown(diagnostic, &sources)).collect()
    }

    /// Returns the diagnostics of loading as lines of text.
    pub(crate) fn found(&self) -> Vec<String> {
        self.list(&self.found)
    }

    /// Returns the diagnostics of loading and of evaluating everything as lines of text.
    pub(crate) fn all(&self) -> Vec<String> {
        let mut out = self.found.clone();
        self.evaluation.evaluate_all(&mut out);
        out.sort_by_place();
        self.list(&out)
    }

    /// Returns only the messages of all diagnostics, one on each line.
    pub(crate) fn details(&self) -> String {
        let mut out = self.found.clone();
        self.evaluation.evaluate_all(&mut out);
        out.iter().map(|d| d.detail.clone()).collect::<Vec<_>>().join("\n")
    }
}
