//! `templatefile` and `templatestring`: a template is lowered to code of its own and evaluated with the attributes of an object
//! as its names. All its names are checked before it is rendered, even those inside of `try`.

use std::sync::Arc;

use groma_functions::{Failure, Function, NoCauses, SpecialForm, read_file};
use groma_runtime::{Availability, Semantics};
use groma_syntax::ast::ExprCase;
use groma_syntax::{
    Diagnostic, Expr, FileId, Place, Severity, Source, SourceExcerpt, parse_inner_template,
};
use groma_value::{Marks, Str, Type, Value, convert, print};

use super::machine::{CodeMachine, causes_of, sentence, unknown_dynamic, unknown_of};
use crate::code::Code;
use crate::{
    Context, LookupResult, NamedValues, ProvidedSignature, ProviderName, Reference, Scope,
};

/// A parsed and lowered template, with its source text, its syntax errors and its warnings.
pub(crate) struct PreparedTemplate {
    code: Arc<Code>,
    source: Source,
    /// The errors that make rendering impossible, if any.
    broken: Option<Vec<Diagnostic>>,
    /// The warnings of the template.
    warned: Vec<Diagnostic>,
}

impl CodeMachine<'_, '_> {
    /// Returns the unknown result of a call of the template function `form` if one of its arguments `values`, the text or path
    /// and the variables, is unknown; `None` if both are known.
    #[inline(never)]
    pub(super) fn awaited(
        &self,
        function: &Function,
        form: SpecialForm,
        values: &[Value],
    ) -> Result<Option<Value>, Failure> {
        let [template, vars] = values else { return Ok(Some(unknown_dynamic())) };
        let name = if form == SpecialForm::TemplateFile { "path" } else { "template" };
        let text =
            convert(template, &Type::String).map_err(|why| Failure::mismatch(0, name, why))?;
        for (index, name, value) in [(0, name, &text), (1, "vars", vars)] {
            if value.is_null() {
                let message = format!("The argument for \"{name}\" is null; give a value.");
                return Err(Failure::argument(index, message));
            }
        }
        if text.is_known() && vars.is_known() {
            return Ok(None);
        }
        let (names, _) = self.split_whole_marks(form, vars);
        let causes = causes_of(template).union(&causes_of(vars));
        let untyped = matches!(&names, Value::Unknown(unknown) if unknown.ty == Type::Dynamic);
        let is_text = form == SpecialForm::TemplateString
            && self.context.semantics.templatestring_hides_whole
            && !untyped;
        let result = match is_text {
            true => unknown_of(Type::String, causes),
            false => Value::unknown_because(Type::Dynamic, causes),
        };
        let edition = self.context.semantics.edition();
        let mut marks = Marks::NONE;
        for (index, value) in [text, vars.clone()].iter().enumerate() {
            let is_lost = index == 1
                && untyped
                && form == SpecialForm::TemplateFile
                && MARK_LOSING_EDITIONS.includes(edition);
            let is_kept = !is_lost
                && function
                    .param(index)
                    .is_some_and(|one| !one.drops_pending_marks.includes(edition));
            if is_kept {
                marks = marks.union(&value.deep_marks());
            }
        }
        Ok(Some(result.mark(&marks)))
    }

    /// Returns the variables of a template of this form without the marks that by the edition's rules for the form pass to the
    /// whole rendered text, and these marks.
    fn split_whole_marks(&self, form: SpecialForm, vars: &Value) -> (Value, Marks) {
        let semantics = &self.context.semantics;
        let whole = match form {
            SpecialForm::TemplateFile => semantics.templatefile_hides_whole,
            _ => semantics.templatestring_hides_whole,
        };
        if whole { vars.unmark_deep() } else { vars.unmark() }
    }

    /// Renders the template for a call at `head` of a template function, whose arguments `values` are known: the text or path,
    /// and the variables.
    #[inline(never)]
    pub(super) fn rendered(
        &mut self,
        form: SpecialForm,
        values: &[Value],
        head: Place,
    ) -> Result<Value, Failure> {
        let [template, vars] = values else { return Ok(unknown_dynamic()) };
        let Ok((Value::String(text), marks)) =
            convert(template, &Type::String).map(|text| text.unmark())
        else {
            return Ok(unknown_dynamic());
        };
        let (names, hidden) = self.split_whole_marks(form, vars);
        if form == SpecialForm::TemplateString {
            let prepared = self.prepare("<template>", &text);
            self.warn(&prepared, head, marks.hide());
            return Ok(self.render(&prepared, &names, &hidden, head)?.mark(&marks));
        }
        let prepared = match self.run.templates.as_ref().and_then(|all| all.get(&*text)) {
            Some(prepared) => prepared.clone(),
            None => {
                let hidden = marks.hide();
                let read = self.read_text(&text, hidden)?;
                let name = if hidden { "(sensitive)" } else { &text };
                let prepared = Arc::new(self.prepare(name, &read));
                self.warn(&prepared, head, hidden);
                let all = self.run.templates.get_or_insert_default();
                all.insert(text.to_string(), prepared.clone());
                prepared
            }
        };
        let value = self.render(&prepared, &names, &hidden, head)?;
        if value.is_null() {
            self.context.semantics.note(Semantics::NULL_TEMPLATEFILE);
        }
        if value.is_null() && !self.context.semantics.null_templatefile {
            let edition = self.context.semantics.edition();
            let message =
                format!("The template \"{text}\" yields null, which {edition} does not allow.");
            return Err(Failure::whole(message));
        }
        Ok(value.mark(&marks))
    }

    /// Reads the text of a template file; a failure does not show the path if `hidden` is set.
    pub(super) fn read_text(&self, path: &str, hidden: bool) -> Result<String, Failure> {
        let shown = if hidden { "(sensitive)".to_owned() } else { format!("\"{path}\"") };
        let bytes = read_file(&self.call_context(&NoCauses), path).map_err(|why| {
            let message = match hidden {
                true => "The file with this (sensitive) name cannot be read.".to_owned(),
                false => why,
            };
            Failure::argument(0, message)
        })?;
        String::from_utf8(bytes)
            .map_err(|_| Failure::whole(format!("The file {shown} is not UTF-8 text.")))
    }

    /// Parses and lowers the text of a template; `name` is its name in diagnostics.
    fn prepare(&self, name: &str, text: &str) -> PreparedTemplate {
        let source = Source::new(name, text);
        let parse = parse_inner_template(source.text(), FileId(u32::MAX));
        let is_warning = |one: &&Diagnostic| one.severity == Severity::Warning;
        let warned = parse.diagnostics.iter().filter(is_warning).cloned().collect();
        let broken = has_error(&parse.diagnostics).then(|| parse.diagnostics.clone());
        let expr = Expr::of(&parse);
        let mut library = self.code.library;
        library.console = false;
        library.variable_default = false;
        let alone = !self.context.semantics.nested_templatefile;
        let code = match &expr {
            Expr::Native(native) => match native.view().case() {
                ExprCase::Template(template) => {
                    crate::lower::lower_nested(template, &library, alone)
                }
                _ => crate::lower(&expr, &library),
            },
            Expr::Json(_) => crate::lower(&expr, &library),
        };
        PreparedTemplate { code, source, broken, warned }
    }

    /// Reports the warnings of a template at `head`, the call that renders it, each with its place in the template unless
    /// `hidden` is set.
    fn warn(&mut self, prepared: &PreparedTemplate, head: Place, hidden: bool) {
        if prepared.broken.is_some() {
            return;
        }
        for one in &prepared.warned {
            let found = Diagnostic::warning(one.code, one.detail.clone()).at(head);
            self.push(match one.place.filter(|_| !hidden && !self.hidden) {
                Some(place) => found.note_in(
                    "This is the place in the template.",
                    SourceExcerpt::of(&prepared.source, place.span),
                ),
                None => found,
            });
        }
    }

    /// Evaluates a prepared template with the attributes of `vars` as its names, each also marked with `marks`; `head` is the
    /// place of the call.
    fn render(
        &mut self,
        prepared: &PreparedTemplate,
        vars: &Value,
        marks: &Marks,
        head: Place,
    ) -> Result<Value, Failure> {
        let names = match vars {
            Value::Object(object) => names_of(object.iter(), marks)?,
            Value::Map(map) => {
                names_of(map.entries().iter().map(|(key, value)| (key, value)), marks)?
            }
            other => return Err(not_names(&other.ty())),
        };
        if let Some(broken) = &prepared.broken {
            return Err(Failure::whole(self.errors_message(broken, &prepared.source)));
        }
        for reference in prepared.code.references() {
            if names.get(&reference.root).is_none() {
                let root = &reference.root;
                let place = place_in(&prepared.source, reference.span.start);
                self.run.quoted = vec![SourceExcerpt::of(&prepared.source, reference.span)];
                return Err(Failure::argument(
                    1,
                    format!(
                        "The template uses `{root}` ({place}), which is not one of its variables."
                    ),
                ));
            }
        }
        let with_providers = self.context.semantics.template_provider_functions;
        let outer = with_providers.then(|| self.context.scope.clone());
        let scope = Arc::new(TemplateScope { names, outer });
        let context = Context { scope, tracer: None, ..self.context.clone() };
        let start = self.run.out.len();
        let (depth, hidden) = (self.depth, self.hidden);
        let value = {
            let code = &*prepared.code;
            let mut machine = CodeMachine::new(code, FileId(u32::MAX), 0, &context, self.run);
            machine.depth = depth;
            machine.rendered_at = Some(head);
            machine.hidden = hidden;
            machine.eval(code.root)
        };
        let found = self.run.out.split_off(start);
        if has_error(&found) {
            return Err(Failure::whole(self.errors_message(&found, &prepared.source)));
        }
        Ok(value.mark(marks))
    }

    /// Returns the errors of a template as one message with their places, and queues the affected lines for
    /// [`quote`](Self::quote).
    fn errors_message(&mut self, found: &[Diagnostic], source: &Source) -> String {
        let mut told = format!("The template {} cannot be rendered.", source.name());
        let mut quoted = Vec::new();
        let errors = found.iter().filter(|one| one.severity == Severity::Error);
        for one in errors.take(LISTED_ERRORS) {
            let inner = one.place.filter(|place| place.file == FileId(u32::MAX));
            let place = inner.map(|place| format!(" ({})", place_in(source, place.span.start)));
            told = format!("{told} {}{}", sentence(&one.detail), place.unwrap_or_default());
            quoted.extend(inner.map(|place| SourceExcerpt::of(source, place.span)));
            // A template that it renders in its turn.
            quoted.extend(one.notes.iter().filter_map(|note| note.excerpt.as_deref().cloned()));
        }
        quoted.truncate(LISTED_ERRORS);
        self.run.quoted = quoted;
        told
    }

    /// Adds the template lines that were queued with the errors of a rendered template as notes to the diagnostics from the index
    /// `before` on; drops the lines if values are hidden.
    pub(super) fn quote(&mut self, before: usize, hidden: bool) {
        let mut quoted = std::mem::take(&mut self.run.quoted);
        if hidden {
            // Lines that contain hidden values must not be quoted.
            quoted.clear();
        }
        for mut found in self.run.out.split_off(before) {
            for excerpt in &quoted {
                found = found.note_in("This is the place in the template.", excerpt.clone());
            }
            self.run.out.push(found);
        }
    }
}

/// The scope of a template: its variables, and the scope of the caller if provider functions may be called.
struct TemplateScope {
    names: NamedValues,
    outer: Option<Arc<dyn Scope>>,
}

impl Scope for TemplateScope {
    fn borrowed(&self, reference: &Reference) -> Option<(&Value, usize)> {
        self.names.borrowed(reference)
    }

    fn lookup(&self, reference: &Reference) -> LookupResult {
        self.names.lookup(reference)
    }

    fn provider(&self, name: &str) -> ProviderName {
        match &self.outer {
            Some(outer) => outer.provider(name),
            None => {
                let detail = "A template cannot call a provider function. Call it outside, and pass the result to the template as a variable.";
                ProviderName::Undeclared(Some(detail.to_owned()))
            }
        }
    }

    fn described(&self, provider: &str, function: &str) -> ProvidedSignature {
        match &self.outer {
            Some(outer) => outer.described(provider, function),
            None => ProvidedSignature::Unknown,
        }
    }

    fn root_names(&self) -> Vec<Arc<str>> {
        self.names.root_names()
    }
}

/// The editions in which variables of a template file lose their marks if not even their type is known.
const MARK_LOSING_EDITIONS: Availability = Availability::TERRAFORM;

/// Maximum number of errors in a template that its message lists.
const LISTED_ERRORS: usize = 3;

/// Returns the failure for template variables that are not an object.
fn not_names(ty: &Type) -> Failure {
    let ty = print::with_article(ty);
    let message = format!("The variables of a template are the attributes of an object, not {ty}.");
    Failure::argument(1, message)
}

/// Returns the scope of a template's variables, each with `marks`; fails if a name is not an identifier.
fn names_of<'v>(
    attributes: impl Iterator<Item = (&'v Str, &'v Value)>,
    marks: &Marks,
) -> Result<NamedValues, Failure> {
    let mut names = NamedValues::new();
    for (name, value) in attributes {
        if !is_identifier(name) {
            if marks.hide() {
                let message = "A variable of the template, whose name is sensitive, does not have a valid name.";
                return Err(Failure::argument(1, message));
            }
            let message = format!(
                "\"{}\" is not a valid name of a variable in a template.",
                name.escape_debug()
            );
            return Err(Failure::argument(1, message));
        }
        // Each variable gets the marks, so that messages of the template hide it.
        names.insert(&**name, value.mark(marks));
    }
    Ok(names)
}

/// Returns true if a text is a single valid identifier.
fn is_identifier(name: &str) -> bool {
    let text: Arc<str> = name.into();
    let parse = groma_syntax::parse_traversal(&text, FileId(u32::MAX));
    if !parse.diagnostics.is_empty() {
        return false;
    }
    match Expr::of(&parse) {
        Expr::Native(native) => {
            matches!(native.view().case(), ExprCase::Root(root) if root == name)
        }
        Expr::Json(_) => false,
    }
}

/// Returns true if any of the diagnostics is an error.
fn has_error(found: &[Diagnostic]) -> bool {
    found.iter().any(|one| one.severity == Severity::Error)
}

/// Returns an offset in a text as `FILE line L, column C`.
fn place_in(source: &Source, offset: u32) -> String {
    let position = source.position(offset);
    format!("{} line {}, column {}", source.name(), position.line, position.column)
}
