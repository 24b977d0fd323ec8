//! Provider configurations used only by recorded objects. Faults inside them show once a state is read, because refreshing and
//! destroying the objects needs them.

use groma_config::{InstanceKey, ModuleAddress};
use groma_module::schema::LocalProviders;
use groma_project::Project;
use groma_syntax::{Diagnostic, Diagnostics};
use groma_value::Str;
use rustc_hash::FxHashSet;

use crate::apply_moves;
use crate::facts::PlanFacts;
use crate::state::StateProvider;
use crate::targets::is_out_of_scope;

/// Reports the errors in the provider configurations that recorded objects use, unless `known` already contains them.
pub(crate) fn check(
    project: &Project,
    facts: &PlanFacts,
    known: &Diagnostics,
    out: &mut Diagnostics,
) {
    let identity = |one: &Diagnostic| (one.place, one.code.slug);
    let mut told: FxHashSet<_> = known.iter().map(identity).collect();
    let mut seen: FxHashSet<(&[Str], &str, Option<&str>)> = FxHashSet::default();
    let prior = facts.prior();
    for past in prior.instances() {
        if is_out_of_scope(facts.scope.get(), &past.address) {
            continue;
        }
        for object in past.objects().filter_map(|at| prior.object(at)) {
            let StateProvider { modules, source, alias } = &object.entry.provider;
            if !seen.insert((modules, source, alias.as_deref())) {
                continue;
            }
            let modules: ModuleAddress =
                modules.iter().map(|name| (name.clone(), InstanceKey::None)).collect();
            let Some(node) = apply_moves::node(project.tree(), &modules) else { continue };
            let module = node.module();
            let sources = LocalProviders::of(&module.settings.providers);
            for provider in &module.providers {
                let is_of =
                    provider.alias == *alias && denotes(&sources.source(&provider.name), source);
                for found in provider.problems.iter().filter(|_| is_of) {
                    if told.insert(identity(found)) {
                        out.push(found.clone());
                    }
                }
            }
        }
    }
}

/// Returns true if a provider source, which may omit the registry host, denotes a full provider address.
fn denotes(source: &str, address: &str) -> bool {
    let (source, address) = (source.to_lowercase(), address.to_lowercase());
    address == source || address.ends_with(&format!("/{source}"))
}
