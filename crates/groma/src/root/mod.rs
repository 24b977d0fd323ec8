//! Roots of every kind behind one trait: a module with the modules that it calls, a Packer template, and a test file. All roots
//! have the same queries; a kind that cannot answer one returns the reason.
//!
//! ```
//! use groma::root::{Root, RootId, RootKind};
//! use groma::{LoadOptions, MemoryHost, RequestToken, RunOptions, Workspace};
//!
//! let workspace = Workspace::new(MemoryHost::new());
//! workspace.set("app/main.tf", "variable \"n\" {\n  default = 2\n}\noutput \"twice\" {\n  value = var.n * 2\n}\n");
//! let test = "run \"small\" {\n  variables {\n    n = 1\n  }\n  assert {\n    condition     = output.twice == 2\n\
//!     \x20   error_message = \"No.\"\n  }\n}\n";
//! workspace.set("app/main.tftest.hcl", test);
//! workspace.set("box/box.pkr.hcl", "locals {\n  size = 40\n}\n");
//!
//! let open = |dir: &str, kind| {
//!     let id = RootId { dir: dir.to_owned(), kind };
//!     workspace.open(&id, &LoadOptions::default(), &RunOptions::default, None)
//! };
//! let module = open("app", RootKind::Module);
//! let template = open("box", RootKind::Template);
//! let waiting = RequestToken::new();
//! for (root, text) in [(&module, "var.n + 38"), (&template, "local.size")] {
//!     let answer = root.evaluate(text, None, &waiting).expect("both have values");
//!     assert_eq!(root.console_text(&answer.value.expect("nothing is missing")), "40");
//! }
//!
//! let tests = module.root_of("app/main.tftest.hcl").expect("it is a test file of the module");
//! let at = test.find("twice").expect("it is there") as u32;
//! let found = tests.definition_at("app/main.tftest.hcl", at).expect("it names an output");
//! assert_eq!((&*found.address, &*found.site().expect("it is declared").place.file), ("output.twice", "app/main.tf"));
//! let why = tests.evaluate("1 + 1", None, &waiting).expect_err("a test file has no values of its own");
//! assert_eq!(why.to_string(), "A test file has no values before its runs are made.");
//! ```

mod declaration;
mod list;
mod module;
mod opening;
mod scope;
mod site;
mod template;
mod template_names;
mod test;
mod test_lookup;
mod test_names;
mod test_root;
mod test_run;
mod test_texts;

use std::sync::Arc;

use groma_config::ReferenceGraph;
use groma_eval::CauseTable;
use groma_lint::RuleSwitches;
use groma_project::{OutputValue, RequestToken};
use groma_protocol::BatchOptions;
use groma_runtime::Edition;
use groma_syntax::{Diagnostic, Diagnostics, FileId, Sources};
use groma_value::{Str, Type, Value};
use groma_why::{AddressError, WhyTree};

use crate::json::{self, JsonLayout, JsonText, ResultContext};
use crate::place::{BlockStep, DeclarationValues, ExpectedBody, FileSyntax};
use crate::{ExpressionAnswer, RootFindings, Snapshot, TemplateSnapshot};

pub use declaration::RootDeclaration;
pub use list::RootList;
pub use opening::RootId;
pub use scope::RootScope;
pub use site::{FileSpan, RootSite};
pub(crate) use template_names::TemplateNames;
pub use test::TestSnapshot;
pub use test_run::{TestOverride, TestRun, TestVariable};
pub(crate) use test_texts::TestTexts;

/// The kind of code that is opened as a root: a Terraform or OpenTofu module, a Packer template, or a test file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum RootKind {
    /// A module with the modules that it calls.
    #[default]
    Module,
    /// A Packer template.
    Template,
    /// A test file of a module.
    Test,
}

impl RootKind {
    /// All kinds of roots: module, template and test file.
    pub const ALL: [RootKind; 3] = [RootKind::Module, RootKind::Template, RootKind::Test];

    /// Returns the phrase for this kind at the beginning of a sentence, such as `A module`.
    pub fn phrase(self) -> &'static str {
        match self {
            RootKind::Module => "A module",
            RootKind::Template => "A Packer template",
            RootKind::Test => "A test file",
        }
    }
}

/// The error that a kind of root cannot answer a query, with the reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoAnswer {
    /// The kind of the root.
    pub kind: RootKind,
    /// The reason as the rest of a sentence about the kind, such as `has no outputs`.
    pub reason: &'static str,
}

impl NoAnswer {
    /// Creates the error for a kind of root; `reason` completes the sentence that begins with the kind.
    pub(crate) fn of(kind: RootKind, reason: &'static str) -> NoAnswer {
        NoAnswer { kind, reason }
    }

    /// Returns the error as a sentence without its full stop, such as `A Packer template has no outputs`.
    pub fn clause(&self) -> String {
        format!("{} {}", self.kind.phrase(), self.reason)
    }
}

impl std::fmt::Display for NoAnswer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.", self.clause())
    }
}

impl std::error::Error for NoAnswer {}

/// A variable of a root whose value can be given from outside, with its type and description.
#[derive(Clone, Debug)]
pub struct RootInput {
    /// The name of the variable.
    pub name: Str,
    /// The type that values are converted to.
    pub ty: Type,
    /// The description, if there is one.
    pub description: Option<Str>,
    /// True if its value must not be shown.
    pub is_sensitive: bool,
}

/// The queries that every kind of root answers: a module, a Packer template or a test file, at one moment. Files are given by
/// name and positions in them as byte offsets; a span in an answer has a file name.
pub trait Root: Send + Sync {
    /// Returns the kind of the root: module, template or test file.
    fn kind(&self) -> RootKind;

    /// Returns the path of the root as it was opened: a folder, or the file of a template or a test.
    fn dir(&self) -> &str;

    /// Returns the edition with which the code is read.
    fn edition(&self) -> Edition;

    /// Returns a diagnostic with the reason why evaluation ended early, such as an exhausted budget; `None` if it did not.
    fn end(&self) -> Option<Diagnostic>;

    /// Returns the snapshot of a module: this root if it is one, or the module that this test file tests.
    ///
    /// # Errors
    /// If the root has none.
    fn module(&self) -> Result<&Snapshot, NoAnswer>;

    /// Returns this root as the snapshot of a Packer template.
    ///
    /// # Errors
    /// If the root is something else.
    fn template(&self) -> Result<&TemplateSnapshot, NoAnswer>;

    /// Returns this root as the snapshot of a test file.
    ///
    /// # Errors
    /// If the root is something else.
    fn test(&self) -> Result<&TestSnapshot, NoAnswer>;

    /// Returns the root that answers queries about a file: this one for its own files, and a test file's own root for a test of
    /// a module; `None` for a file that does not belong to it.
    fn root_of(&self, path: &str) -> Option<Arc<dyn Root>>;

    /// Returns true if this root and another share one evaluation, and so give the same answers.
    fn is_same(&self, other: &dyn Root) -> bool;

    /// Returns the names of the files that were read for the root, sorted.
    fn file_names(&self) -> Vec<String>;

    /// Returns the file number of a file in [`sources`](Root::sources); `None` if it was not read.
    fn file_id(&self, path: &str) -> Option<FileId>;

    /// Returns the syntax of a file, with or without errors; `None` if it was not read.
    fn syntax(&self, path: &str) -> Option<Arc<FileSyntax>>;

    /// Returns the source texts to which the root's diagnostics refer.
    fn sources(&self) -> Sources;

    /// Returns the diagnostics of loading, which answers to queries do not repeat; for a template, which is evaluated when it is
    /// loaded, those of its values, too.
    fn found(&self) -> Diagnostics;

    /// Returns the diagnostics of loading and of evaluation, sorted by place, without those of a template's builds, which
    /// [`checked`](Root::checked) adds.
    fn findings(&self) -> Diagnostics;

    /// Returns the diagnostics of the root as `groma check` reports them; for a module also those of the lint rules if `rules`
    /// are given.
    fn checked(&self, rules: Option<&RuleSwitches>) -> RootFindings;

    /// Returns the diagnostics of loading and of evaluation whose place is in a file, sorted by place.
    fn findings_in(&self, path: &str) -> Vec<Diagnostic>;

    /// Returns the declarations of the root itself: those of a module grouped by kind, those of a template or a test file by
    /// position.
    fn declarations(&self) -> Vec<RootDeclaration>;

    /// Returns the declarations that an expression at an offset can name, each with the address that names it there.
    fn names_at(&self, path: &str, at: u32) -> Vec<RootDeclaration>;

    /// Returns the root names that expressions can use without a declaration, such as `path`.
    fn builtin_names(&self) -> &'static [&'static str];

    /// Returns the declaration that an offset refers to: the one that is declared there, the target of a reference, or the
    /// variable that an argument sets; `None` if it refers to none.
    fn definition_at(&self, path: &str, at: u32) -> Option<RootDeclaration>;

    /// Returns the references to the declaration that an offset refers to, sorted, without the place of the declaration.
    fn references_at(&self, path: &str, at: u32) -> Vec<FileSpan>;

    /// Returns the type of the expression or name at an offset; `None` if there is none or its type is unknown.
    fn type_at(&self, path: &str, at: u32, request: &RequestToken) -> Option<Type>;

    /// Returns the expected contents of a body of a file in the nested `blocks`; `None` if one of them is unknown.
    fn expected_in(&self, path: &str, blocks: &[BlockStep]) -> Option<ExpectedBody>;

    /// Returns the values of the expression or name at an offset, at most `limit`; empty if nothing there has a value.
    ///
    /// # Errors
    /// If the declaration there is one of a test file itself, which has no values before its runs are made.
    fn values_at(
        &self,
        path: &str,
        at: u32,
        limit: usize,
        request: &RequestToken,
    ) -> Result<DeclarationValues, NoAnswer>;

    /// Returns the values of a declaration, at most `limit`. Those of the module of a test file are as the module was loaded,
    /// not as a run sets them.
    ///
    /// # Errors
    /// If the declaration is one of a test file itself, which has no values before its runs are made.
    fn values_of(
        &self,
        declaration: &RootDeclaration,
        limit: usize,
        request: &RequestToken,
    ) -> Result<DeclarationValues, NoAnswer>;

    /// Returns the scope of the instance at an address, or that of the root without an address; `None` if there is no such
    /// instance, which is reported in `out`.
    ///
    /// # Errors
    /// If the root has no instances.
    fn scope_at(
        &self,
        address: Option<&str>,
        out: &mut Diagnostics,
    ) -> Result<Option<RootScope>, NoAnswer>;

    /// Parses and evaluates an expression in a scope of this root; `name` is its file name in diagnostics.
    ///
    /// # Errors
    /// If the root has no values.
    fn evaluate_text(
        &self,
        scope: &RootScope,
        text: &str,
        name: &str,
        out: &mut Diagnostics,
    ) -> Result<Value, NoAnswer>;

    /// Returns the dotted names, such as `var.region`, that a console offers as completions in a scope of this root.
    fn completions(&self, scope: &RootScope) -> Vec<String>;

    /// Sets the options of a batch of expressions so that they are evaluated in a scope of this root; does nothing for a root
    /// without values.
    fn set_batch_scope(&self, scope: &RootScope, options: &mut BatchOptions);

    /// Evaluates an expression in the root, or in the instance of a module or resource with the address `at`; the value is
    /// `None` if there is no such instance.
    ///
    /// # Errors
    /// If the root has no values or no instances.
    fn evaluate(
        &self,
        text: &str,
        at: Option<&str>,
        request: &RequestToken,
    ) -> Result<ExpressionAnswer<Option<Value>>, NoAnswer>;

    /// Returns the provenance of the value at an address, or the reason why there is no such value.
    ///
    /// # Errors
    /// If the root has no values.
    fn why(
        &self,
        address: &str,
        request: &RequestToken,
    ) -> Result<ExpressionAnswer<Result<WhyTree, AddressError>>, NoAnswer>;

    /// Returns the table of the causes of unknown values, by their ids.
    fn causes(&self) -> &Arc<CauseTable>;

    /// Returns the text of a value as the console of the root's program prints it.
    fn console_text(&self, value: &Value) -> String;

    /// Writes the plan of a module or the builds of a template, as `groma plan -json` prints them, and returns the diagnostics.
    ///
    /// # Errors
    /// If the root is not planned.
    fn write_plan(&self, out: &mut JsonText<'_>) -> Result<Diagnostics, NoAnswer>;

    /// Returns the instances, builds or runs that the root consists of, with the diagnostics of their evaluation.
    fn list(&self) -> ExpressionAnswer<RootList>;

    /// Returns the graph of the references between declarations.
    ///
    /// # Errors
    /// If the root has no graph.
    fn graph(&self) -> Result<ReferenceGraph, NoAnswer>;

    /// Returns the variables whose values can be given to the root, in the order of their declarations.
    fn inputs(&self) -> Vec<RootInput>;

    /// Returns the values of all outputs, sorted by name.
    ///
    /// # Errors
    /// If the root has no outputs.
    fn outputs(&self) -> Result<ExpressionAnswer<Vec<OutputValue>>, NoAnswer>;
}

impl dyn Root + '_ {
    /// Writes a provenance tree as JSON, in the form of `groma why --json`.
    pub fn write_why(&self, tree: &WhyTree, out: &mut JsonText<'_>) {
        let sources = self.sources();
        let around = ResultContext { sources: &sources, causes: self.causes() };
        groma_why::write_json(tree, &around, out);
    }

    /// Returns a provenance tree as JSON, in the form of `groma why --json`.
    pub fn why_json(&self, tree: &WhyTree) -> String {
        let mut out = JsonText::new(JsonLayout::Compact);
        self.write_why(tree, &mut out);
        out.into_string()
    }

    /// Returns a value and diagnostics as JSON, with type, unknown parts and marks, in the form of `groma eval --full`.
    pub fn full_json(&self, value: &Value, findings: &Diagnostics) -> String {
        let sources = self.sources();
        json::full(value, findings, &ResultContext { sources: &sources, causes: self.causes() })
    }
}
