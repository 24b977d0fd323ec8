//! The snapshot of a module as a root.

use std::sync::Arc;

use groma_config::{FileKind, FilePurpose, ReferenceGraph};
use groma_eval::CauseTable;
use groma_lint::RuleSwitches;
use groma_module::visit::Declaration;
use groma_plan::PlanOptions;
use groma_project::{OutputValue, RequestToken};
use groma_protocol::BatchOptions;
use groma_runtime::Edition;
use groma_syntax::{Diagnostic, Diagnostics, FileId, Place, Sources, Span};
use groma_value::{Type, Value, print};
use groma_why::{AddressError, WhyTree};

use super::{
    FileSpan, NoAnswer, Root, RootDeclaration, RootInput, RootKind, RootList, RootScope,
    TestSnapshot,
};
use crate::batch::batch_in_module;
use crate::json::JsonText;
use crate::place::{
    BlockStep, BodyLanguage, DeclarationId, DeclarationValues, ExpectedBody, FileSyntax,
    PlaceTarget,
};
use crate::{ExpressionAnswer, RootFindings, Snapshot, TemplateSnapshot};

/// The root names that a module's expressions can use without a declaration.
pub(super) const BUILTIN_NAMES: &[&str] = &["path", "terraform"];

impl Snapshot {
    /// Returns the empty place at a byte offset of a file, rounded down to the end or a character boundary; `None` if the file
    /// was not read.
    pub(super) fn place_at(&self, path: &str, at: u32) -> Option<Place> {
        let file = self.file(path)?;
        let text = self.project().sources().get(file).text();
        Some(Place::new(file, Span::at(floor(text, at))))
    }

    /// Returns the declaration that an offset of a file refers to, in its own header, in a reference or as the input that an
    /// argument sets; `None` if there is none.
    fn subject_at(&self, path: &str, at: u32) -> Option<DeclarationId> {
        match self.target_at(self.place_at(path, at)?)? {
            PlaceTarget::Reference { declaration, .. } | PlaceTarget::Declaration(declaration) => {
                Some(declaration)
            }
            PlaceTarget::Argument { name, declaration: Some(call), .. } => {
                self.input_of(call, &name)
            }
            _ => None,
        }
    }

    /// Returns the declaration with an id, in the form that all kinds of roots share, with its address within its module;
    /// `None` for an unknown id.
    pub(super) fn named(&self, id: DeclarationId) -> Option<RootDeclaration> {
        let address = self.declaration(id)?.address;
        Some(RootDeclaration::in_snapshot(address, self, id))
    }

    /// Returns the places that refer to a declaration, in the code of the module and of those that it calls: references, and
    /// arguments that set a variable.
    pub(super) fn places_of(&self, id: DeclarationId) -> Vec<FileSpan> {
        let sources = self.project().sources();
        let callers = self.callers_of(id);
        let named = self.references(id).iter().map(|one| one.place);
        let given = callers.iter().filter_map(|one| one.argument);
        named.chain(given).map(|place| FileSpan::of(place, sources)).collect()
    }

    /// Returns the places that refer to a declaration, in the code of the module and in its test files, sorted.
    pub(super) fn all_places_of(&self, id: DeclarationId) -> Vec<FileSpan> {
        let mut found = self.places_of(id);
        if let Some(subject) = self.named(id) {
            for test in self.test_files() {
                found.extend(test.places_of(&subject));
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// Returns the last character boundary of a text at or before the byte offset `at`.
pub(super) fn floor(text: &str, at: u32) -> u32 {
    let mut at = (at as usize).min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at as u32
}

/// Returns true if expressions can refer to a declaration, false for an output, check, provider configuration or import.
fn is_nameable(id: DeclarationId) -> bool {
    match id.declaration {
        Declaration::Variable(_)
        | Declaration::Local(_)
        | Declaration::Call(_)
        | Declaration::Resource(_) => true,
        Declaration::Output(_)
        | Declaration::Check(_)
        | Declaration::Provider(_)
        | Declaration::Import(_) => false,
    }
}

/// Returns the kind of a file by its name, for the expected contents of its blocks; `None` for a file whose contents no rows
/// describe, such as a variable file.
fn language(path: &str) -> Option<BodyLanguage> {
    let kind = FileKind::of(path)?;
    Some(match kind.purpose {
        FilePurpose::Code => BodyLanguage::Module,
        FilePurpose::Test => BodyLanguage::Test,
        FilePurpose::Mock => BodyLanguage::Mock,
        FilePurpose::Query => BodyLanguage::Query,
        FilePurpose::Values | FilePurpose::Stack => return None,
    })
}

impl Root for Snapshot {
    fn kind(&self) -> RootKind {
        RootKind::Module
    }

    fn dir(&self) -> &str {
        Snapshot::dir(self)
    }

    fn edition(&self) -> Edition {
        Snapshot::edition(self)
    }

    fn end(&self) -> Option<Diagnostic> {
        self.evaluation().end()
    }

    fn module(&self) -> Result<&Snapshot, NoAnswer> {
        Ok(self)
    }

    fn template(&self) -> Result<&TemplateSnapshot, NoAnswer> {
        Err(NoAnswer::of(RootKind::Module, "is not a Packer template"))
    }

    fn test(&self) -> Result<&TestSnapshot, NoAnswer> {
        Err(NoAnswer::of(RootKind::Module, "is not a test file"))
    }

    fn root_of(&self, path: &str) -> Option<Arc<dyn Root>> {
        if FileKind::has_purpose(path, FilePurpose::Test) {
            return Some(Arc::new(self.test_file(path)));
        }
        let is_beside =
            || language(path).is_some() || FileKind::has_purpose(path, FilePurpose::Values);
        (self.file(path).is_some() || is_beside()).then(|| Arc::new(self.clone()) as Arc<dyn Root>)
    }

    fn is_same(&self, other: &dyn Root) -> bool {
        other.kind() == RootKind::Module
            && other.module().is_ok_and(|other| Snapshot::is_same(self, other))
    }

    fn file_names(&self) -> Vec<String> {
        Snapshot::file_names(self).map(str::to_owned).collect()
    }

    fn file_id(&self, path: &str) -> Option<FileId> {
        self.file(path)
    }

    fn syntax(&self, path: &str) -> Option<Arc<FileSyntax>> {
        Snapshot::syntax(self, path)
    }

    fn sources(&self) -> Sources {
        Snapshot::sources(self)
    }

    fn found(&self) -> Diagnostics {
        Snapshot::found(self).clone()
    }

    fn findings(&self) -> Diagnostics {
        Snapshot::findings(self).clone()
    }

    fn checked(&self, rules: Option<&RuleSwitches>) -> RootFindings {
        let mut found = Snapshot::checked(self);
        if let Some(rules) = rules {
            found.add_lint(self.lint(rules));
        }
        found
    }

    fn findings_in(&self, path: &str) -> Vec<Diagnostic> {
        Snapshot::findings_in(self, path).into_iter().cloned().collect()
    }

    fn declarations(&self) -> Vec<RootDeclaration> {
        let all = self.declarations_of(0).into_iter();
        all.map(|(id, address)| RootDeclaration::in_snapshot(address, self, id)).collect()
    }

    fn names_at(&self, path: &str, _at: u32) -> Vec<RootDeclaration> {
        let all = self.declarations_of(self.module_of_file(path)).into_iter();
        let named = all.filter(|(id, _)| is_nameable(*id));
        named.map(|(id, address)| RootDeclaration::in_snapshot(address, self, id)).collect()
    }

    fn builtin_names(&self) -> &'static [&'static str] {
        BUILTIN_NAMES
    }

    fn definition_at(&self, path: &str, at: u32) -> Option<RootDeclaration> {
        self.named(self.subject_at(path, at)?)
    }

    fn references_at(&self, path: &str, at: u32) -> Vec<FileSpan> {
        self.subject_at(path, at).map(|id| self.all_places_of(id)).unwrap_or_default()
    }

    fn type_at(&self, path: &str, at: u32, request: &RequestToken) -> Option<Type> {
        Snapshot::type_at(self, self.place_at(path, at)?, request)
    }

    fn expected_in(&self, path: &str, blocks: &[BlockStep]) -> Option<ExpectedBody> {
        match language(path) {
            Some(language) => self.expected_body(path, language, blocks),
            None if FileKind::has_purpose(path, FilePurpose::Values) && blocks.is_empty() => {
                let arguments = Snapshot::inputs(self, 0);
                Some(ExpectedBody { arguments, ..ExpectedBody::default() })
            }
            None => None,
        }
    }

    fn values_at(
        &self,
        path: &str,
        at: u32,
        limit: usize,
        request: &RequestToken,
    ) -> Result<DeclarationValues, NoAnswer> {
        let place = self.place_at(path, at);
        let known = place.and_then(|place| Snapshot::values_at(self, place, limit, request));
        Ok(known.map_or_else(DeclarationValues::default, |known| DeclarationValues {
            values: known.values,
            has_more: known.has_more,
            is_pending: known.is_pending,
        }))
    }

    fn values_of(
        &self,
        declaration: &RootDeclaration,
        limit: usize,
        request: &RequestToken,
    ) -> Result<DeclarationValues, NoAnswer> {
        Ok(values_in_module(declaration, limit, request))
    }

    fn evaluate(
        &self,
        text: &str,
        at: Option<&str>,
        request: &RequestToken,
    ) -> Result<ExpressionAnswer<Option<Value>>, NoAnswer> {
        Ok(self.evaluation().within(request, || match at {
            None => {
                let ExpressionAnswer { value, findings } = Snapshot::evaluate(self, text);
                ExpressionAnswer { value: Some(value), findings }
            }
            Some(at) => self.evaluate_at(at, text),
        }))
    }

    fn scope_at(
        &self,
        address: Option<&str>,
        out: &mut Diagnostics,
    ) -> Result<Option<RootScope>, NoAnswer> {
        Ok(match address {
            Some(address) => self.evaluation().at(address, out).map(RootScope::from),
            None => Some(RootScope::default()),
        })
    }

    fn evaluate_text(
        &self,
        scope: &RootScope,
        text: &str,
        name: &str,
        out: &mut Diagnostics,
    ) -> Result<Value, NoAnswer> {
        let evaluation = self.evaluation();
        Ok(evaluation.evaluate_text_at(&scope.in_module(evaluation), text, name, out))
    }

    fn completions(&self, scope: &RootScope) -> Vec<String> {
        let evaluation = self.evaluation();
        evaluation.completions_at(&scope.in_module(evaluation))
    }

    fn set_batch_scope(&self, scope: &RootScope, options: &mut BatchOptions) {
        let evaluation = self.evaluation();
        batch_in_module(evaluation, &scope.in_module(evaluation), options);
    }

    fn why(
        &self,
        address: &str,
        request: &RequestToken,
    ) -> Result<ExpressionAnswer<Result<WhyTree, AddressError>>, NoAnswer> {
        Ok(self.evaluation().within(request, || Snapshot::why(self, address)))
    }

    fn causes(&self) -> &Arc<CauseTable> {
        self.evaluation().causes()
    }

    fn console_text(&self, value: &Value) -> String {
        print::console(value)
    }

    fn write_plan(&self, out: &mut JsonText<'_>) -> Result<Diagnostics, NoAnswer> {
        let plan = self.plan(PlanOptions::default());
        plan.write_json(out);
        Ok(plan.diagnostics().clone())
    }

    fn list(&self) -> ExpressionAnswer<RootList> {
        ExpressionAnswer::of(|out| RootList::Instances(self.evaluation().instances(out)))
    }

    fn graph(&self) -> Result<ReferenceGraph, NoAnswer> {
        Ok(self.project().references())
    }

    fn inputs(&self) -> Vec<RootInput> {
        let variables = self.project().root().variables.iter();
        let input = |one: &Arc<groma_module::declare::Variable>| RootInput {
            name: one.name.clone(),
            ty: one.ty.clone(),
            description: one.description.clone(),
            is_sensitive: one.sensitive,
        };
        variables.map(input).collect()
    }

    fn outputs(&self) -> Result<ExpressionAnswer<Vec<OutputValue>>, NoAnswer> {
        Ok(Snapshot::outputs(self))
    }
}

/// Returns the values of a declaration of a module, at most `limit`; none for a declaration of a template or a test file.
pub(super) fn values_in_module(
    declaration: &RootDeclaration,
    limit: usize,
    request: &RequestToken,
) -> DeclarationValues {
    let known = declaration.in_module();
    known.map(|(snapshot, id)| snapshot.values_of(id, limit, request)).unwrap_or_default()
}
