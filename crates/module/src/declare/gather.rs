//! From blocks to a module: every block is read, doubles are reported at both places, and every
//! reference is resolved.

use groma_eval::{Context, Step};
use groma_functions::{Library, Semantics};
use groma_syntax::{Code, Diagnostic, Diagnostics, Expr, FileId, Place};
use groma_value::{Str, Value, json};
use rustc_hash::FxHashMap;

use super::plain::ReadSetting;
use super::provision::provisions;
use super::raw::Raw;
use super::requirement::Requirements;
use super::resolve::{Names, Surroundings, Target, Use};
use super::{
    Call, Check, Content, Expression, Import, Local, Module, Output, Provider, Repetition,
    Resource, Variable,
};
use crate::dialect::Rules;
use crate::schema::{Providers, Schemas};

static DUPLICATE: Code = Code { slug: "duplicate-declaration", summary: "Declared twice" };
static BAD_NAME: Code = Code { slug: "invalid-name", summary: "Invalid name" };
static DEPRECATED: Code = Code { slug: "deprecated-attribute", summary: "Attribute is deprecated" };
static NO_ADVICE: Code =
    Code { slug: "deprecated-without-advice", summary: "Deprecation says nothing" };
static DESTROYED: Code =
    Code { slug: "destroy-reference", summary: "Reference cannot be used while destroying" };

/// What reading declarations needs to know.
pub(crate) struct Gatherer<'a> {
    pub(crate) library: Library,
    pub(crate) rules: Rules,
    /// Evaluates constants: no names, no files.
    pub(crate) constants: &'a Context,
    /// What is known of providers' types.
    pub(crate) schemas: &'a Schemas,
}

/// Reads the blocks of a module. What is wrong with the declarations goes to `out`; what is found only once they are
/// looked at together, and matters only where nothing else is wrong, goes to `late`.
pub(crate) fn gather(
    files: Vec<FileId>,
    blocks: Vec<Raw>,
    gatherer: &Gatherer<'_>,
    late: &mut Diagnostics,
    out: &mut Diagnostics,
) -> Module {
    crate::rules::apply(&blocks, gatherer, out);
    let settings = blocks.iter().filter(|raw| matches!(&*raw.kind, "terraform" | "language"));
    let providers = Providers::of(settings);
    let mut module = Module { files, ..Module::default() };
    let mut seen: FxHashMap<(Str, Str, Str), Place> = FxHashMap::default();
    for raw in blocks {
        match &*raw.kind {
            "terraform" | "language" => {
                module.settings.read(raw, gatherer, out);
                continue;
            }
            "locals" => {
                gather_locals(&mut module, &raw, gatherer, &mut seen, out);
                continue;
            }
            _ => {}
        }
        let named = raw.labels.iter().all(|label| check_name(&label.text, label.place, out));
        if has_identity(&raw) {
            let key = (raw.kind.clone(), Str::from(raw.label(0)), Str::from(raw.label(1)));
            if let Some(first) = seen.get(&key) {
                out.push(duplicate(&spoken(&raw), raw.header, *first));
                continue;
            }
            seen.insert(key, raw.header);
        }
        if !named {
            continue;
        }
        match &*raw.kind {
            "variable" => module.variables.push(Variable::read(&raw, gatherer, out)),
            "output" => module.outputs.push(Output::read(&raw, gatherer, out)),
            "module" => module.calls.push(Call::read(&raw, gatherer, out)),
            "resource" | "data" | "ephemeral" | "action" | "list" => {
                module.resources.push(Resource::read(&raw, gatherer, &providers, late, out));
            }
            "provider" => module.providers.push(Provider::read(&raw, gatherer, &providers, out)),
            "check" => {
                if let Some(data) = Check::data(&raw, out) {
                    let key =
                        (data.kind.clone(), Str::from(data.label(0)), Str::from(data.label(1)));
                    match seen.get(&key) {
                        Some(first) => out.push(duplicate(&spoken(data), data.header, *first)),
                        None => {
                            seen.insert(key, data.header);
                            let mut resource =
                                Resource::read(data, gatherer, &providers, late, out);
                            resource.check = Some(Str::from(raw.label(0)));
                            module.resources.push(resource);
                        }
                    }
                }
                module.checks.push(Check::read(&raw, gatherer, out));
            }
            kind => {
                if kind == "removed" {
                    let run_roots = gatherer.rules.run_roots;
                    for provision in provisions(&raw, false, &gatherer.library, late, out) {
                        provision
                            .content
                            .expressions(&mut |one| report_destroyed(one, run_roots, out));
                    }
                }
                if kind == "import" {
                    let import = Import::read(&raw, gatherer, &module.imports, out);
                    module.imports.extend(import);
                }
                module.others.push(raw);
            }
        }
    }
    module.variables.sort_by(|a, b| a.name.cmp(&b.name));
    module.locals.sort_by(|a, b| a.name.cmp(&b.name));
    module.outputs.sort_by(|a, b| a.name.cmp(&b.name));
    module.calls.sort_by(|a, b| a.name.cmp(&b.name));
    module.resources.sort_by(|a, b| (a.mode, &a.kind, &a.name).cmp(&(b.mode, &b.kind, &b.name)));
    module.checks.sort_by(|a, b| a.name.cmp(&b.name));
    let checked = Semantics::of(gatherer.library.edition).providers_checked;
    module.names = Names::of(
        &module,
        Requirements::of(&module.settings, gatherer.schemas, checked),
        &gatherer.rules,
    );
    resolve(&mut module, gatherer, late, out);
    module
}

fn has_identity(raw: &Raw) -> bool {
    matches!(
        &*raw.kind,
        "variable"
            | "output"
            | "module"
            | "resource"
            | "data"
            | "ephemeral"
            | "action"
            | "list"
            | "check"
    )
}

/// How a block is spoken of: `variable "x"`.
fn spoken(raw: &Raw) -> String {
    let labels: String = raw.labels.iter().map(|label| format!(" \"{}\"", &*label.text)).collect();
    format!("{}{labels}", &*raw.kind)
}

fn duplicate(what: &str, place: Place, first: Place) -> Diagnostic {
    let detail = format!("{what} is declared a second time here. Rename or remove one of the two.");
    Diagnostic::error(&DUPLICATE, detail).at(place).note_at("It is first declared here.", first)
}

fn gather_locals(
    module: &mut Module,
    raw: &Raw,
    gatherer: &Gatherer<'_>,
    seen: &mut FxHashMap<(Str, Str, Str), Place>,
    out: &mut Diagnostics,
) {
    for argument in &raw.arguments {
        if !check_name(&argument.name, argument.name_place, out) {
            continue;
        }
        let key = (raw.kind.clone(), argument.name.clone(), Str::default());
        if let Some(first) = seen.get(&key) {
            let what = format!("The local value \"{}\"", &*argument.name);
            out.push(duplicate(&what, argument.place, *first));
            continue;
        }
        seen.insert(key, argument.place);
        module.locals.push(Local {
            name: argument.name.clone(),
            place: argument.place,
            value: Expression::new(&argument.expr, &gatherer.library),
        });
    }
}

fn check_name(name: &str, place: Place, out: &mut Diagnostics) -> bool {
    if groma_syntax::is_identifier(name) {
        return true;
    }
    let detail = match name.is_empty() {
        true => "A name cannot be empty.".to_owned(),
        false => format!(
            "\"{name}\" cannot be a name: a name starts with a letter or an underscore and goes on with letters, digits, underscores and dashes."
        ),
    };
    out.push(Diagnostic::error(&BAD_NAME, detail).at(place));
    false
}

impl Gatherer<'_> {
    /// What `deprecated` says to do instead; what says nothing is reported at `place`.
    pub(crate) fn advice(&self, raw: &Raw, place: Place, out: &mut Diagnostics) -> Option<Str> {
        let advice = self.text(raw, "deprecated", out)?;
        if self.rules.deprecations_advise && advice.trim().is_empty() {
            let detail = "\"deprecated\" is empty. Say what to use instead, or remove it.";
            out.push(Diagnostic::error(&NO_ADVICE, detail).at(place));
            return None;
        }
        Some(advice)
    }

    /// The value of an expression that may use neither names nor functions.
    pub(crate) fn constant(
        &self,
        expr: &Expr,
        whose: &str,
        out: &mut Diagnostics,
    ) -> Option<Value> {
        // Where nothing can be evaluated, the texts of JSON are what they say and no templates.
        if let Expr::Json(document) = expr
            && let Ok(value) = json::decode(document.view().text())
        {
            return Some(value);
        }
        let expression = Expression::new(expr, &self.library);
        if let Some(value) = expression.located.code.constant() {
            return Some(value.clone());
        }
        if !super::expression::check_constant(&expression, whose, out) {
            return None;
        }
        let before = out.error_count();
        let value = groma_eval::evaluate(&expression.located, self.constants, out);
        (out.error_count() == before).then_some(value)
    }
}

impl ReadSetting for Gatherer<'_> {
    fn plain(&self, expr: &Expr, whose: &str, out: &mut Diagnostics) -> Option<Value> {
        self.constant(expr, whose, out)
    }
}

/// Resolves every reference of the module.
fn resolve(
    module: &mut Module,
    gatherer: &Gatherer<'_>,
    late: &mut Diagnostics,
    out: &mut Diagnostics,
) {
    let names = std::mem::take(&mut module.names);
    let plain = Surroundings::default();
    let mut at = Resolver { names: &names, out: late, deferred: false };
    for variable in &mut module.variables {
        for expression in
            variable.validations.iter_mut().flat_map(super::Condition::expressions_mut)
        {
            at.expression(expression, &plain);
        }
    }
    for local in &mut module.locals {
        at.expression(&mut local.value, &plain);
    }
    for output in &mut module.outputs {
        for expression in &mut output.depends_on {
            at.whole(expression, &plain);
        }
        for expression in output.expressions_mut() {
            at.expression(expression, &plain);
        }
    }
    for call in &mut module.calls {
        if let Some(source) = &mut call.source {
            at.expression(source, &plain);
        }
        if let Some(version) = &mut call.version {
            at.expression(version, &plain);
        }
        at.repetition(&mut call.repetition, &plain);
        let around = within(&call.repetition);
        for input in &mut call.inputs {
            at.expression(&mut input.value, &around);
        }
        for expression in &mut call.depends_on {
            at.whole(expression, &plain);
        }
    }
    for (position, resource) in module.resources.iter_mut().enumerate() {
        let own = Some(position as u32);
        let plain = Surroundings { check: resource.check.clone(), ..Surroundings::default() };
        let counting = match gatherer.rules.count_sees_itself_empty {
            true => plain.clone(),
            false => Surroundings { resource: own, ..plain.clone() },
        };
        at.repetition(&mut resource.repetition, &counting);
        let mut around = Surroundings {
            resource: own,
            check: resource.check.clone(),
            ..within(&resource.repetition)
        };
        if let Some(expression) = &mut resource.provider_key {
            at.expression(expression, &around);
        }
        at.content(&mut resource.content, &mut around);
        // A body is compared with its schema once all that it refers to is there.
        if !resource.is_broken() {
            resource.fit(at.out);
        }
        let before = Surroundings { judging: true, ..around.clone() };
        for expression in
            resource.preconditions.iter_mut().flat_map(super::Condition::expressions_mut)
        {
            at.expression(expression, &before);
        }
        if let Some(expression) = &mut resource.prevent_destroy {
            at.later(expression, &Surroundings::default());
        }
        for expression in &resource.triggers {
            at.trigger(expression, &around, gatherer.rules);
        }
        for action in resource.action_triggers.iter().flat_map(|trigger| &trigger.actions) {
            if names.action(&action.kind, &action.name).is_none() {
                at.out.push(names.no_action(&action.kind, &action.name).at(action.place));
            }
        }
        for expression in &mut resource.depends_on {
            at.whole(expression, &plain);
        }
        for provision in &mut resource.provisions {
            let mut running = Surroundings { own, resource: None, ..around.clone() };
            at.content(&mut provision.content, &mut running);
            if provision.on_destroy {
                let run_roots = names.run_roots;
                provision.content.expressions(&mut |one| report_destroyed(one, run_roots, out));
            }
        }
        let after = Surroundings { own, judging: true, ..around };
        for expression in
            resource.postconditions.iter_mut().flat_map(super::Condition::expressions_mut)
        {
            at.expression(expression, &after);
        }
    }
    for provider in &mut module.providers {
        if let Some(expression) = &mut provider.for_each {
            at.expression(expression, &plain);
        }
        // A provider may be made once for each key.
        let mut around = Surroundings { each: true, ..Surroundings::default() };
        at.content(&mut provider.content, &mut around);
    }
    for import in &mut module.imports {
        let each = import.for_each.is_some();
        let around = Surroundings { each, ..Surroundings::default() };
        import.expressions_mut().for_each(|expression| at.expression(expression, &around));
        import.keys.iter_mut().for_each(|key| at.later(&mut key.value, &around));
    }
    for check in &mut module.checks {
        let around = Surroundings { check: Some(check.name.clone()), ..Surroundings::default() };
        for expression in check.assertions.iter_mut().flat_map(super::Condition::expressions_mut) {
            at.expression(expression, &around);
        }
    }
    module.names = names;
}

fn within(repetition: &Repetition) -> Surroundings {
    Surroundings {
        count: matches!(repetition, Repetition::Count(_)),
        each: matches!(repetition, Repetition::Each(_)),
        ..Surroundings::default()
    }
}

/// Reports what a provisioner cannot refer to when its resource is being destroyed.
fn report_destroyed(expression: &Expression, run_roots: &[&str], out: &mut Diagnostics) {
    let located = &expression.located;
    for reference in located.code.references() {
        let is_kept = match &*reference.root {
            "self" | "path" => true,
            // The value is one of the configuration, and that may have gone.
            "each" => {
                matches!(reference.steps.first(), Some(Step::Attribute(name)) if &**name == "key")
            }
            "count" => true,
            root => run_roots.contains(&root),
        };
        if !is_kept {
            let detail = "When a resource is destroyed, what it referred to may be gone: such a provisioner can use only self, count.index and each.key.";
            // The programs blame the whole text, where it may begin lines before.
            out.push(Diagnostic::error(&DESTROYED, detail).at(expression.place()));
        }
    }
}

struct Resolver<'a> {
    names: &'a Names,
    out: &'a mut Diagnostics,
    /// Whether problems wait until the expression is evaluated.
    deferred: bool,
}

impl Resolver<'_> {
    fn expression(&mut self, expression: &mut Expression, around: &Surroundings) {
        expression.uses = uses_of(expression, self.names, around, self.out);
        expression.deferred = self.deferred;
    }

    /// The same where problems wait until the expression is evaluated.
    fn later(&mut self, expression: &mut Expression, around: &Surroundings) {
        let mut unsaid = Diagnostics::new();
        let mut later = Resolver { names: self.names, out: &mut unsaid, deferred: true };
        later.expression(expression, around);
    }

    fn repetition(&mut self, repetition: &mut Repetition, around: &Surroundings) {
        match repetition {
            // Whether something exists is looked at only when it is to be planned.
            Repetition::Enabled(expression) => self.later(expression, around),
            Repetition::Count(expression) | Repetition::Each(expression) => {
                self.expression(expression, around);
            }
            Repetition::Single => {}
        }
    }

    /// What is to trigger a replacement has to exist, and matters to nothing else.
    fn trigger(&mut self, expression: &Expression, around: &Surroundings, rules: Rules) {
        let located = &expression.located;
        for reference in located.code.references() {
            let Err(problem) = self.names.resolve(reference, around) else { continue };
            let is_known_early = rules.checks_triggers_early;
            let key = reference.steps.get(1);
            if is_known_early
                && problem.is_about_itself()
                && matches!(key, Some(Step::Index(_) | Step::Unknown))
            {
                continue;
            }
            let problem = match problem.is_about_itself() || problem.is_about_key() {
                false if is_known_early => problem,
                _ if problem.is_about_attribute() => continue,
                _ => problem.of_trigger(),
            };
            self.out.push(problem.at(located.place(reference.span)));
        }
    }

    /// A list of references to whole objects.
    fn whole(&mut self, expression: &mut Expression, around: &Surroundings) {
        self.expression(expression, around);
        super::depends::whole(expression, self.out);
    }

    fn content(&mut self, content: &mut Content, around: &mut Surroundings) {
        for argument in &mut content.arguments {
            self.expression(&mut argument.value, around);
        }
        for nested in &mut content.blocks {
            let Some(dynamic) = &mut nested.dynamic else {
                self.content(&mut nested.content, around);
                continue;
            };
            if let Some(expression) = &mut dynamic.for_each {
                self.expression(expression, around);
            }
            // What a block would hold matters only if there is one.
            let mut unsaid = Diagnostics::new();
            let mut inner = Resolver { names: self.names, out: &mut unsaid, deferred: true };
            around.iterators.push(dynamic.iterator.clone());
            if let Some(expression) = &mut dynamic.labels {
                inner.expression(expression, around);
            }
            inner.content(&mut nested.content, around);
            around.iterators.pop();
        }
    }
}

/// What is wrong with the references of an expression.
pub(crate) fn problems(
    expression: &Expression,
    names: &Names,
    around: &Surroundings,
) -> Vec<Diagnostic> {
    let mut out = Diagnostics::new();
    uses_of(expression, names, around, &mut out);
    out.into_vec()
}

/// What an expression refers to; what it cannot refer to is reported.
pub(crate) fn uses_of(
    expression: &Expression,
    names: &Names,
    around: &Surroundings,
    out: &mut Diagnostics,
) -> Box<[Use]> {
    let located = &expression.located;
    names.requirements.check(located, out);
    let references = located.code.references();
    let resolved = references.iter().enumerate().map(|(at, reference)| {
        let target = names.resolve(reference, around).unwrap_or_else(|problem| {
            out.push(problem.at(located.place(reference.span)));
            Target::Broken
        });
        if let Some(name) = names.deprecated(&target, reference) {
            let detail = format!("The provider says that \"{name}\" should no longer be used.");
            let place = located.place(reference.span);
            out.push(Diagnostic::warning(&DEPRECATED, detail).at(place));
        }
        Use { target, reference: at as u32 }
    });
    resolved.collect()
}
