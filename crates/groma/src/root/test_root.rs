//! The snapshot of a test file as a root.

use std::sync::Arc;

use groma_config::ReferenceGraph;
use groma_eval::CauseTable;
use groma_lint::RuleSwitches;
use groma_project::{LoadPurpose, OutputValue, RequestToken};
use groma_protocol::BatchOptions;
use groma_runtime::{Edition, file_path};
use groma_syntax::{Diagnostic, Diagnostics, FileId, Sources};
use groma_value::{Type, Value, print};
use groma_why::{AddressError, WhyTree};

use super::module::{BUILTIN_NAMES, values_in_module};
use super::{
    FileSpan, NoAnswer, Root, RootDeclaration, RootInput, RootKind, RootList, RootScope,
    TestSnapshot,
};
use crate::json::JsonText;
use crate::place::{BlockStep, BodyLanguage, DeclarationValues, ExpectedBody, FileSyntax};
use crate::{ExpressionAnswer, RootFindings, Snapshot, TemplateSnapshot};

/// Creates the error that a test file cannot answer a query; `reason` completes a sentence that begins with `A test file`.
fn no_answer(reason: &'static str) -> NoAnswer {
    NoAnswer::of(RootKind::Test, reason)
}

impl TestSnapshot {
    /// Returns true if `path` is the path of this test file.
    fn is_own_path(&self, path: &str) -> bool {
        file_path::clean(path) == *self.name
    }

    /// Returns true if loading the module has read this test file, so that the module's diagnostics include those of the file.
    fn is_of_load(&self) -> bool {
        self.module.purpose() == LoadPurpose::Check && self.module.file(&self.name).is_some()
    }

    /// Returns those of the module's diagnostics `all` whose place is in this test file.
    fn in_file(&self, all: &Diagnostics) -> Diagnostics {
        let sources = self.module.project().sources();
        let is_there = |one: &&Diagnostic| {
            one.place.is_some_and(|place| sources.resolve(place).file == self.text.file)
        };
        all.iter().filter(is_there).cloned().collect()
    }
}

impl Root for TestSnapshot {
    fn kind(&self) -> RootKind {
        RootKind::Test
    }

    fn dir(&self) -> &str {
        &self.name
    }

    fn edition(&self) -> Edition {
        self.module.edition()
    }

    fn end(&self) -> Option<Diagnostic> {
        self.module.evaluation().end()
    }

    fn module(&self) -> Result<&Snapshot, NoAnswer> {
        Ok(&self.module)
    }

    fn template(&self) -> Result<&TemplateSnapshot, NoAnswer> {
        Err(no_answer("is not a Packer template"))
    }

    fn test(&self) -> Result<&TestSnapshot, NoAnswer> {
        Ok(self)
    }

    fn root_of(&self, path: &str) -> Option<Arc<dyn Root>> {
        match self.is_own_path(path) {
            true => Some(Arc::new(self.clone())),
            false => self.module.root_of(path),
        }
    }

    fn is_same(&self, other: &dyn Root) -> bool {
        other.test().is_ok_and(|other| {
            other.name == self.name && Snapshot::is_same(&self.module, &other.module)
        })
    }

    fn file_names(&self) -> Vec<String> {
        vec![self.name.to_string()]
    }

    fn file_id(&self, path: &str) -> Option<FileId> {
        self.is_own_path(path).then_some(self.text.file)
    }

    fn syntax(&self, path: &str) -> Option<Arc<FileSyntax>> {
        self.is_own_path(path).then(|| self.text.syntax.clone())
    }

    fn sources(&self) -> Sources {
        self.text.sources.clone()
    }

    fn found(&self) -> Diagnostics {
        match self.is_of_load() {
            true => self.in_file(Snapshot::found(&self.module)),
            false => self.text.found.clone(),
        }
    }

    fn findings(&self) -> Diagnostics {
        match self.is_of_load() {
            true => self.in_file(Snapshot::findings(&self.module)),
            false => self.text.found.clone(),
        }
    }

    fn checked(&self, _rules: Option<&RuleSwitches>) -> RootFindings {
        let files = [self.name.clone()].into();
        let evidence = Some(self.module.project().evidence().clone());
        let findings = Root::findings(self);
        RootFindings {
            evidence,
            files,
            ..RootFindings::new(&self.name, findings, self.text.sources.clone())
        }
    }

    fn findings_in(&self, path: &str) -> Vec<Diagnostic> {
        match self.is_own_path(path) {
            true => Root::findings(self).into_vec(),
            false => Vec::new(),
        }
    }

    fn declarations(&self) -> Vec<RootDeclaration> {
        self.own_declarations()
    }

    fn names_at(&self, path: &str, at: u32) -> Vec<RootDeclaration> {
        if self.is_own_path(path) { self.visible_at(at) } else { Vec::new() }
    }

    fn builtin_names(&self) -> &'static [&'static str] {
        BUILTIN_NAMES
    }

    fn definition_at(&self, path: &str, at: u32) -> Option<RootDeclaration> {
        self.is_own_path(path).then(|| self.subject_at(at))?
    }

    fn references_at(&self, path: &str, at: u32) -> Vec<FileSpan> {
        let Some(subject) = self.definition_at(path, at) else { return Vec::new() };
        match subject.in_module() {
            Some((snapshot, id)) if Snapshot::is_same(snapshot, &self.module) => {
                self.module.all_places_of(id)
            }
            known => {
                let of_module = known.map(|(snapshot, id)| snapshot.places_of(id));
                let mut found = of_module.unwrap_or_default();
                found.extend(self.places_of(&subject));
                found.sort_unstable();
                found.dedup();
                found
            }
        }
    }

    fn type_at(&self, path: &str, at: u32, request: &RequestToken) -> Option<Type> {
        let subject = self.definition_at(path, at)?;
        let (snapshot, id) = subject.in_module()?;
        let of_value = || {
            let known = values_in_module(&subject, 1, request);
            known.values.first().map(|one| one.value.ty())
        };
        snapshot.type_of(id).or_else(of_value)
    }

    fn expected_in(&self, path: &str, blocks: &[BlockStep]) -> Option<ExpectedBody> {
        let run = blocks.first().filter(|step| step.kind == "run");
        let run = run.and_then(|step| step.labels.first()).map(String::as_str);
        let module = self.module_by_name(run);
        let module = module.as_ref().unwrap_or(&self.module);
        let mut body = module.expected_body(path, BodyLanguage::Test, blocks)?;
        if !Snapshot::is_same(module, &self.module) {
            // The numbers of another module's declarations mean others here.
            body.arguments.iter_mut().for_each(|one| one.variable = None);
        }
        Some(body)
    }

    fn values_at(
        &self,
        path: &str,
        at: u32,
        limit: usize,
        request: &RequestToken,
    ) -> Result<DeclarationValues, NoAnswer> {
        match self.definition_at(path, at) {
            Some(subject) => self.values_of(&subject, limit, request),
            None => Ok(DeclarationValues::default()),
        }
    }

    fn values_of(
        &self,
        declaration: &RootDeclaration,
        limit: usize,
        request: &RequestToken,
    ) -> Result<DeclarationValues, NoAnswer> {
        match declaration.in_module() {
            Some(_) if !declaration.address.starts_with("run.") => {
                Ok(values_in_module(declaration, limit, request))
            }
            _ => Err(no_answer(NOT_RUN)),
        }
    }

    fn evaluate(
        &self,
        _text: &str,
        _at: Option<&str>,
        _request: &RequestToken,
    ) -> Result<ExpressionAnswer<Option<Value>>, NoAnswer> {
        Err(no_answer(NOT_RUN))
    }

    fn scope_at(
        &self,
        _address: Option<&str>,
        _out: &mut Diagnostics,
    ) -> Result<Option<RootScope>, NoAnswer> {
        Err(no_answer(NOT_RUN))
    }

    fn evaluate_text(
        &self,
        _scope: &RootScope,
        _text: &str,
        _name: &str,
        _out: &mut Diagnostics,
    ) -> Result<Value, NoAnswer> {
        Err(no_answer(NOT_RUN))
    }

    fn completions(&self, _scope: &RootScope) -> Vec<String> {
        Vec::new()
    }

    fn set_batch_scope(&self, _scope: &RootScope, _options: &mut BatchOptions) {}

    fn why(
        &self,
        _address: &str,
        _request: &RequestToken,
    ) -> Result<ExpressionAnswer<Result<WhyTree, AddressError>>, NoAnswer> {
        Err(no_answer(NOT_RUN))
    }

    fn causes(&self) -> &Arc<CauseTable> {
        self.module.evaluation().causes()
    }

    fn console_text(&self, value: &Value) -> String {
        print::console(value)
    }

    fn write_plan(&self, _out: &mut JsonText<'_>) -> Result<Diagnostics, NoAnswer> {
        Err(no_answer("is not planned: each of its runs plans a module"))
    }

    fn list(&self) -> ExpressionAnswer<RootList> {
        ExpressionAnswer::of(|_| RootList::Runs(self.runs()))
    }

    fn graph(&self) -> Result<ReferenceGraph, NoAnswer> {
        Err(no_answer("has no graph: its runs are made one after the other"))
    }

    fn inputs(&self) -> Vec<RootInput> {
        Root::inputs(&self.module)
    }

    fn outputs(&self) -> Result<ExpressionAnswer<Vec<OutputValue>>, NoAnswer> {
        Err(no_answer("has no outputs: those of its runs are known when they are made"))
    }
}

/// The reason, as the rest of a sentence, why a test file has no values.
const NOT_RUN: &str = "has no values before its runs are made";
