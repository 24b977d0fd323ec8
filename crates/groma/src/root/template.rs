//! The snapshot of a Packer template as a root.

use std::sync::Arc;

use groma_config::{FileKind, FilePurpose, ReferenceGraph};
use groma_eval::CauseTable;
use groma_lint::RuleSwitches;
use groma_packer::BuildPlan;
use groma_project::{OutputValue, RequestToken};
use groma_protocol::BatchOptions;
use groma_runtime::{Edition, file_path};
use groma_syntax::{Diagnostic, Diagnostics, FileId, Sources};
use groma_value::{Type, Value, print};
use groma_why::{AddressError, WhyTree};

use super::{
    FileSpan, NoAnswer, Root, RootDeclaration, RootInput, RootKind, RootList, RootScope,
    TestSnapshot,
};
use crate::batch::batch_in_template;
use crate::json::JsonText;
use crate::place::{
    BlockStep, BodyLanguage, DeclarationValues, ExpectedBody, FileSyntax, InstanceValue,
    expected_by_rows,
};
use crate::template_why::why_at_address;
use crate::{ExpressionAnswer, RootFindings, Snapshot, TemplateSnapshot};

/// The root names that a template's expressions can use without a declaration.
const BUILTIN_NAMES: &[&str] = &["build", "packer", "path"];

/// Creates the error that a Packer template cannot answer a query; `reason` completes a sentence that begins with
/// `A Packer template`.
fn no_answer(reason: &'static str) -> NoAnswer {
    NoAnswer::of(RootKind::Template, reason)
}

impl Root for TemplateSnapshot {
    fn kind(&self) -> RootKind {
        RootKind::Template
    }

    fn dir(&self) -> &str {
        self.path()
    }

    fn edition(&self) -> Edition {
        self.evaluation().template().edition()
    }

    fn end(&self) -> Option<Diagnostic> {
        self.evaluation().end()
    }

    fn module(&self) -> Result<&Snapshot, NoAnswer> {
        Err(no_answer("has no modules"))
    }

    fn template(&self) -> Result<&TemplateSnapshot, NoAnswer> {
        Ok(self)
    }

    fn test(&self) -> Result<&TestSnapshot, NoAnswer> {
        Err(no_answer("is not a test file"))
    }

    fn root_of(&self, path: &str) -> Option<Arc<dyn Root>> {
        let is_own = self.names().files().any(|(name, _)| name == file_path::clean(path));
        is_own.then(|| Arc::new(self.clone()) as Arc<dyn Root>)
    }

    fn is_same(&self, other: &dyn Root) -> bool {
        other.template().is_ok_and(|other| self.is_same_evaluation(other))
    }

    fn file_names(&self) -> Vec<String> {
        self.names().files().map(|(name, _)| name.to_owned()).collect()
    }

    fn file_id(&self, path: &str) -> Option<FileId> {
        let name = file_path::clean(path);
        self.names().files().find(|(own, _)| *own == name).map(|(_, file)| file)
    }

    fn syntax(&self, path: &str) -> Option<Arc<FileSyntax>> {
        self.names().syntax(&file_path::clean(path)).cloned()
    }

    fn sources(&self) -> Sources {
        TemplateSnapshot::sources(self)
    }

    fn found(&self) -> Diagnostics {
        // A template's values are evaluated when it is loaded.
        TemplateSnapshot::findings(self)
    }

    fn findings(&self) -> Diagnostics {
        TemplateSnapshot::findings(self)
    }

    fn checked(&self, _rules: Option<&RuleSwitches>) -> RootFindings {
        let found = TemplateSnapshot::checked(self);
        let evidence = Some(self.evidence());
        RootFindings {
            evidence,
            ..RootFindings::new(self.path(), found, TemplateSnapshot::sources(self))
        }
    }

    fn findings_in(&self, path: &str) -> Vec<Diagnostic> {
        let (sources, name) = (TemplateSnapshot::sources(self), file_path::clean(path));
        let is_there = |one: &Diagnostic| {
            one.place.is_some_and(|place| file_path::clean(sources.at(place).0.name()) == name)
        };
        TemplateSnapshot::findings(self).into_vec().into_iter().filter(is_there).collect()
    }

    fn declarations(&self) -> Vec<RootDeclaration> {
        self.names().declarations().to_vec()
    }

    fn names_at(&self, _path: &str, _at: u32) -> Vec<RootDeclaration> {
        self.names().declarations().to_vec()
    }

    fn builtin_names(&self) -> &'static [&'static str] {
        BUILTIN_NAMES
    }

    fn definition_at(&self, path: &str, at: u32) -> Option<RootDeclaration> {
        self.names().at(&file_path::clean(path), at).cloned()
    }

    fn references_at(&self, path: &str, at: u32) -> Vec<FileSpan> {
        let Some(subject) = self.definition_at(path, at) else { return Vec::new() };
        self.names().references(&subject.address)
    }

    fn type_at(&self, path: &str, at: u32, _request: &RequestToken) -> Option<Type> {
        let subject = self.definition_at(path, at)?;
        self.value_of(&subject.address).map(|value| value.ty())
    }

    fn expected_in(&self, path: &str, blocks: &[BlockStep]) -> Option<ExpectedBody> {
        let is_code = FileKind::has_purpose(path, FilePurpose::Code);
        is_code.then(|| expected_by_rows(BodyLanguage::Packer, Root::edition(self), blocks))?
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
        _request: &RequestToken,
    ) -> Result<DeclarationValues, NoAnswer> {
        let value = self.value_of(&declaration.address);
        let known = value.map(|value| InstanceValue { instance: String::new(), value });
        let values: Vec<InstanceValue> = known.into_iter().take(limit).collect();
        Ok(DeclarationValues { values, ..DeclarationValues::default() })
    }

    fn evaluate(
        &self,
        text: &str,
        at: Option<&str>,
        _request: &RequestToken,
    ) -> Result<ExpressionAnswer<Option<Value>>, NoAnswer> {
        if at.is_some() {
            return Err(no_answer("has no instances"));
        }
        let ExpressionAnswer { value, findings } = TemplateSnapshot::evaluate(self, text);
        Ok(ExpressionAnswer { value: Some(value), findings })
    }

    fn scope_at(
        &self,
        address: Option<&str>,
        _out: &mut Diagnostics,
    ) -> Result<Option<RootScope>, NoAnswer> {
        match address {
            Some(_) => Err(no_answer("has no instances")),
            None => Ok(Some(RootScope::default())),
        }
    }

    fn evaluate_text(
        &self,
        _scope: &RootScope,
        text: &str,
        name: &str,
        out: &mut Diagnostics,
    ) -> Result<Value, NoAnswer> {
        Ok(self.evaluation().evaluate_text(text, name, out))
    }

    fn completions(&self, _scope: &RootScope) -> Vec<String> {
        self.evaluation().completions()
    }

    fn set_batch_scope(&self, _scope: &RootScope, options: &mut BatchOptions) {
        batch_in_template(self.evaluation(), options);
    }

    fn why(
        &self,
        address: &str,
        _request: &RequestToken,
    ) -> Result<ExpressionAnswer<Result<WhyTree, AddressError>>, NoAnswer> {
        Ok(ExpressionAnswer::of(|_| why_at_address(address, self.evaluation())))
    }

    fn causes(&self) -> &Arc<CauseTable> {
        self.evaluation().causes()
    }

    fn console_text(&self, value: &Value) -> String {
        print::plain(value)
    }

    fn write_plan(&self, out: &mut JsonText<'_>) -> Result<Diagnostics, NoAnswer> {
        Ok(TemplateSnapshot::write_plan(self, out))
    }

    fn list(&self) -> ExpressionAnswer<RootList> {
        ExpressionAnswer::of(|out| {
            let BuildPlan { builds, found, .. } = self.plan();
            out.extend(found);
            RootList::Builds(builds)
        })
    }

    fn graph(&self) -> Result<ReferenceGraph, NoAnswer> {
        Ok(self.evaluation().references())
    }

    fn inputs(&self) -> Vec<RootInput> {
        let variables = self.evaluation().variables().into_iter();
        variables
            .map(|one| RootInput {
                name: one.name,
                ty: one.ty,
                description: one.description,
                is_sensitive: one.sensitive,
            })
            .collect()
    }

    fn outputs(&self) -> Result<ExpressionAnswer<Vec<OutputValue>>, NoAnswer> {
        Err(no_answer("has no outputs"))
    }
}

impl TemplateSnapshot {
    /// Returns the value of the variable or local value at an address; `None` for any other address.
    fn value_of(&self, address: &str) -> Option<Value> {
        let has_value = address.starts_with("var.") || address.starts_with("local.");
        has_value.then(|| TemplateSnapshot::evaluate(self, address).value)
    }
}
