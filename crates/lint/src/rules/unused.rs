//! Unused declarations: no text of their module mentions them. A data source may exist for the effect of reading it, or for its
//! conditions; those are not reported.

use groma_config::ResourceMode;
use groma_module::declare::{Local, Module};
use groma_module::visit::Declaration;
use groma_runtime::file_path;
use groma_syntax::{Diagnostic, Place, Span};
use rustc_hash::FxHashSet;

use crate::codes;
use crate::found::RuleFindings;
use crate::subject::LintedModule;

/// Words in the types of data sources that have an effect when they are read, so that an unused one is not a mistake.
const ACTIVE: [&str; 8] =
    ["external", "http", "archive", "command", "service_account", "check", "assert", "validat"];

/// Words in the names of local values that exist only to fail if something is wrong.
const ASSERTION_WORDS: [&str; 6] = ["valid", "check", "assert", "ensure", "verify", "require"];

/// Function calls with which code fails on purpose if a value is wrong.
const FAILING_CALLS: [&str; 4] = ["regex(", "tobool(", "tonumber(", "file("];

/// Finds variables to which nothing refers.
pub(super) fn variables(subject: &LintedModule<'_>, found: &mut RuleFindings) {
    let module = subject.module;
    let is_empty = is_part(module) && module.resources.is_empty() && module.locals.is_empty();
    for (at, variable) in (0..).zip(&module.variables).filter(|_| !is_empty) {
        if !subject.uses(Declaration::Variable(at)) {
            let address = format!("var.{}", &*variable.name);
            let detail = format!("Nothing in this module refers to {address}.");
            report(
                Diagnostic::warning(&codes::UNUSED_VARIABLE, detail),
                variable.place,
                subject,
                found,
            );
        }
    }
}

/// Finds local values to which nothing refers.
pub(super) fn locals(subject: &LintedModule<'_>, found: &mut RuleFindings) {
    if is_part(subject.module) || is_template(subject) {
        return;
    }
    for (at, local) in (0..).zip(&subject.module.locals) {
        if !subject.uses(Declaration::Local(at)) && !may_be_assertion(local, subject) {
            let address = format!("local.{}", &*local.name);
            let detail = format!("Nothing in this module refers to {address}.");
            let place = name_of(local, subject);
            report(Diagnostic::warning(&codes::UNUSED_LOCAL, detail), place, subject, found);
        }
    }
}

/// Returns true if a module has no resources, calls, outputs or checks, so that its files are meant to be copied or linked
/// elsewhere.
fn is_part(module: &Module) -> bool {
    let makes = module.resources.iter().any(|one| one.mode != ResourceMode::Data);
    !makes && module.calls.is_empty() && module.outputs.is_empty() && module.checks.is_empty()
}

/// Returns true if the module is in a folder for templates: copies of it may use more of its declarations.
fn is_template(subject: &LintedModule<'_>) -> bool {
    let file = subject.module.files.first().map(|file| subject.sources.get(*file).name());
    let host = subject.node.project().host();
    let path = file.and_then(|file| host.canonical(file).ok()).unwrap_or_default();
    path.split('/').any(|folder| matches!(folder, "template" | "templates" | "skeleton"))
}

/// Returns the source range of a local value's name, without the value.
pub(super) fn name_of(local: &Local, subject: &LintedModule<'_>) -> Place {
    let (source, place) = subject.sources.at(local.place);
    let quotes = if place.span.of(source.text()).starts_with('"') { 2 } else { 0 };
    let (Place { file, span }, length) = (local.place, local.name.len() as u32 + quotes);
    let end = (span.start + length).min(span.end);
    Place::new(file, Span::new(span.start, end))
}

/// Reports a finding at a place, unless the file is a link into another folder: modules that share a file may each use a part of
/// it.
fn report(one: Diagnostic, place: Place, subject: &LintedModule<'_>, found: &mut RuleFindings) {
    let host = subject.node.project().host();
    let name = subject.sources.at(place).0.name();
    let folder = file_path::parent(name);
    let is_shared = match (host.canonical(name), host.canonical(&folder)) {
        (Ok(file), Ok(folder)) => file_path::parent(&file) != folder,
        _ => false,
    };
    if !is_shared {
        found.push(one.at(place));
    }
}

/// Returns true if a local value may be an assertion, which only fails if something is wrong: such a value needs no reference,
/// because local values are always evaluated.
fn may_be_assertion(local: &Local, subject: &LintedModule<'_>) -> bool {
    let (source, place) = subject.sources.at(local.place);
    let text = place.span.of(source.text());
    ASSERTION_WORDS.iter().any(|word| local.name.contains(word))
        || FAILING_CALLS.iter().any(|call| text.contains(call))
}

/// Finds aliased provider configurations without references.
pub(super) fn aliases(subject: &LintedModule<'_>, found: &mut RuleFindings) {
    let module = subject.module;
    let asked: FxHashSet<(&str, Option<&str>)> = module
        .resources
        .iter()
        .filter_map(|one| one.provider())
        .chain(module.calls.iter().flat_map(|call| call.providers.iter().map(|one| &one.outer)))
        .map(|(name, alias)| (&**name, alias.as_deref()))
        .collect();
    for provider in &module.providers {
        let (name, Some(alias)) = (&*provider.name, provider.alias.as_deref()) else { continue };
        if asked.contains(&(name, Some(alias))) || subject.mentions_provider(name, alias) {
            continue;
        }
        let detail = format!("Nothing in this module uses the configuration {name}.{alias}.");
        let one = Diagnostic::warning(&codes::UNUSED_PROVIDER_ALIAS, detail);
        report(one, provider.place, subject, found);
    }
}

/// Finds data sources to which nothing refers.
pub(super) fn data(subject: &LintedModule<'_>, found: &mut RuleFindings) {
    if is_part(subject.module) || is_template(subject) {
        return;
    }
    for (at, data) in (0..).zip(&subject.module.resources) {
        if data.mode != ResourceMode::Data || subject.uses(Declaration::Resource(at)) {
            continue;
        }
        let is_judged = data.check.is_some()
            || !data.lifecycle().preconditions.is_empty()
            || !data.lifecycle().postconditions.is_empty();
        let is_active = ACTIVE.iter().any(|word| data.kind.contains(word));
        if !is_judged && !is_active {
            let address = data.address();
            let detail = format!("Nothing in this module refers to {address}.");
            report(Diagnostic::warning(&codes::UNUSED_DATA, detail), data.place, subject, found);
        }
    }
}
