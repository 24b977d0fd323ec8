//! Missing requirements of a module: program versions, and for each used provider a source and versions. The built-in provider
//! needs neither.

use std::collections::BTreeMap;

use groma_module::declare::{Module, RequiredProvider};
use groma_project::ModuleNode;
use groma_syntax::{Diagnostic, Place, Span};

use crate::codes;
use crate::found::RuleFindings;
use crate::subject::LintedModule;

/// The name of the built-in provider, which needs no requirement.
const BUILT_IN: &str = "terraform";

/// Finds modules without `required_version`.
pub(super) fn program(subject: &LintedModule<'_>, found: &mut RuleFindings) {
    let module = subject.module;
    let blocks = &module.settings.blocks;
    let says = |name: &str| blocks.iter().any(|block| block.argument(name).is_some());
    let is_compatible =
        blocks.iter().any(|block| block.blocks_of("compatible_with").next().is_some());
    if says("required_version") || is_compatible {
        return;
    }
    let main = module.files.iter().find(|file| subject.file_name(**file).starts_with("main."));
    let first = main.or(module.files.first()).map(|file| Place::new(*file, Span::at(0)));
    let block = blocks.iter().find(|block| &*block.kind == "terraform");
    let Some(place) = block.map(|block| block.header).or(first) else { return };
    let detail = "The module does not state which versions can read it. Write `required_version` in a `terraform` block, such as \">= 1.5\".";
    found.push(Diagnostic::warning(&codes::MISSING_REQUIRED_VERSION, detail).at(place));
}

/// Finds providers whose entry in `required_providers` is missing or lacks a source or version.
pub(super) fn providers(subject: &LintedModule<'_>, found: &mut RuleFindings) {
    let (module, options) = (subject.module, subject.options());
    for (name, place) in used(module) {
        if name == BUILT_IN {
            continue;
        }
        let Some(entry) = module.required_provider(name) else {
            let detail = format!(
                "The module uses the provider \"{name}\" and does not require it. State its source and versions in `required_providers`."
            );
            let one = Diagnostic::warning(&codes::PROVIDER_WITHOUT_REQUIREMENT, detail);
            found.push(one.at(place));
            continue;
        };
        let Some(lacks) = lacks(entry, options.wants_source, options.wants_version) else {
            continue;
        };
        let detail = format!("The entry \"{name}\" does not state {lacks}.");
        let one = Diagnostic::warning(&codes::PROVIDER_WITHOUT_REQUIREMENT, detail);
        found.push(one.at(entry.name_place));
    }
}

/// Returns a phrase for the missing parts of an entry of `required_providers`, which has to have a source if `wants_source` is
/// true and a version if `wants_version` is; `None` if it is complete.
fn lacks(
    entry: &RequiredProvider,
    wants_source: bool,
    wants_version: bool,
) -> Option<&'static str> {
    // An entry that is not an object is reported elsewhere, unless it has the old form.
    let is_old = entry.parts.is_none();
    if is_old && entry.version().is_none() {
        return None;
    }
    let source = entry.source();
    if source.as_deref().is_some_and(|source| source.starts_with("terraform.io/builtin/")) {
        return None;
    }
    let lacks_source = is_old || (wants_source && entry.part("source").is_none());
    let lacks_version = wants_version && !is_old && entry.part("version").is_none();
    match (lacks_source, lacks_version) {
        (true, true) => {
            Some("the source and the versions of the provider: write `source` and `version`")
        }
        (true, false) => Some("the source of the provider: write `source` beside `version`"),
        (false, true) => Some("the versions of the provider: write `version` beside `source`"),
        (false, false) => None,
    }
}

/// Returns the local names of the providers that a module uses, each with the place of its first use.
fn used(module: &Module) -> BTreeMap<&str, Place> {
    let mut used: BTreeMap<&str, Place> = BTreeMap::new();
    let resources = module.resources.iter().map(|one| (one.provider_name(), one.place));
    let configured = module.providers.iter().map(|one| (&*one.name, one.place));
    for (name, place) in resources.chain(configured) {
        let known = used.entry(name).or_insert(place);
        if place.file == known.file && place.span.start < known.span.start {
            *known = place;
        }
    }
    used
}

/// Finds entries of `required_providers` that the module does not use.
pub(super) fn unused(subject: &LintedModule<'_>, found: &mut RuleFindings) {
    let module = subject.module;
    let direct = used(module);
    let handed: Vec<&str> = module
        .calls
        .iter()
        .flat_map(|call| call.providers.iter().map(|passed| &*passed.outer.0))
        .collect();
    for entry in &module.settings.providers {
        let name = &*entry.name;
        let is_used =
            direct.contains_key(name) || handed.contains(&name) || calls_function(subject, name);
        if is_used || may_be_used_below(subject.node, name, entry.source().as_deref()) {
            continue;
        }
        let detail = format!(
            "Nothing in this module or below it uses the provider \"{name}\", and every `init` installs it. Remove the entry."
        );
        found.push(Diagnostic::warning(&codes::UNUSED_REQUIREMENT, detail).at(entry.name_place));
    }
}

/// Returns true if a source text of the module calls a function of the provider.
fn calls_function(subject: &LintedModule<'_>, provider: &str) -> bool {
    let prefix = format!("provider::{provider}::");
    subject.module.files.iter().any(|file| subject.sources.get(*file).text().contains(&prefix))
}

/// Returns true if a module called below `node` uses the provider with the local name `name` or, under any local name, the one
/// with the source `source`, or if such a module could not be read.
fn may_be_used_below(node: ModuleNode<'_>, name: &str, source: Option<&str>) -> bool {
    let mut waiting = vec![node];
    while let Some(node) = waiting.pop() {
        for at in 0..node.module().calls.len() {
            let Some(child) = node.child(at) else { return true };
            let module = child.module();
            let is_same = |own: &str| match module.required_provider(own) {
                Some(entry) => own == name || entry.source().as_deref() == source,
                None => own == name,
            };
            let required = module.settings.providers.iter().map(|entry| &*entry.name);
            if used(module).keys().copied().chain(required).any(is_same) {
                return true;
            }
            waiting.push(child);
        }
    }
    false
}
