//! A project in memory, told file by file, and short ways to ask about it. Diagnostics are shown
//! as `severity slug file:line:column`, so that tests say where and what, never in which words.

use std::sync::Arc;

use groma_inputs::InputAssignment;
use groma_project::{Evaluation, Facts, Project, ProjectOptions};
use groma_runtime::{Edition, MemoryHost};
use groma_syntax::{Diagnostic, Diagnostics, Severity, Sources};
use groma_value::{Value, print};

/// A project that is not loaded yet.
pub(crate) struct Scene {
    pub(crate) host: MemoryHost,
    pub(crate) options: ProjectOptions,
    pub(crate) dir: String,
}

/// A loaded project and what was found while loading.
pub(crate) struct Loaded {
    pub(crate) project: Arc<Project>,
    pub(crate) evaluation: Evaluation,
    pub(crate) found: Diagnostics,
}

/// A project of one file.
pub(crate) fn main(text: &str) -> Scene {
    Scene::new().file("main.tf", text)
}

impl Scene {
    pub(crate) fn new() -> Scene {
        Scene { host: MemoryHost::new(), options: ProjectOptions::default(), dir: ".".to_owned() }
    }

    pub(crate) fn file(mut self, path: &str, bytes: impl Into<Vec<u8>>) -> Scene {
        self.host = self.host.with_file(path, bytes);
        self
    }

    pub(crate) fn env(mut self, name: &str, value: &str) -> Scene {
        self.host = self.host.with_env(name, value);
        self
    }

    pub(crate) fn var(mut self, name: &str, text: &str) -> Scene {
        let assignment = InputAssignment::Variable { name: name.to_owned(), text: text.to_owned() };
        self.options.run.assignments.push(assignment);
        self
    }

    pub(crate) fn var_file(mut self, path: &str) -> Scene {
        self.options.run.assignments.push(InputAssignment::File(path.to_owned()));
        self
    }

    pub(crate) fn edition(mut self, edition: &str) -> Scene {
        self.options.load.edition = Edition::parse(edition);
        self
    }

    pub(crate) fn load(self) -> Loaded {
        let mut found = Diagnostics::new();
        let project = Project::load(&self.dir, &self.options, Arc::new(self.host), &mut found);
        let evaluation = Evaluation::new(project.clone(), Facts::default(), self.options.run);
        Loaded { project, evaluation, found }
    }
}

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
    /// What the console prints for an expression; diagnostics stand instead, if there are errors.
    pub(crate) fn ask(&self, text: &str) -> String {
        let mut out = Diagnostics::new();
        let value = self.evaluation.evaluate_text(text, "<question>", &mut out);
        if out.has_errors() { self.list(&out).join("\n") } else { print::console(&value) }
    }

    pub(crate) fn value(&self, text: &str) -> Value {
        self.evaluation.evaluate_text(text, "<question>", &mut Diagnostics::new())
    }

    pub(crate) fn list(&self, diagnostics: &Diagnostics) -> Vec<String> {
        let sources = self.evaluation.sources();
        diagnostics.iter().map(|diagnostic| shown(diagnostic, &sources)).collect()
    }

    /// What loading found.
    pub(crate) fn found(&self) -> Vec<String> {
        self.list(&self.found)
    }

    /// Everything that loading and evaluating everything finds.
    pub(crate) fn all(&self) -> Vec<String> {
        let mut out = self.found.clone();
        self.evaluation.evaluate_all(&mut out);
        out.sort_by_place();
        self.list(&out)
    }

    /// The details of everything that is found.
    pub(crate) fn details(&self) -> String {
        let mut out = self.found.clone();
        self.evaluation.evaluate_all(&mut out);
        out.iter().map(|d| d.detail.clone()).collect::<Vec<_>>().join("\n")
    }
}
