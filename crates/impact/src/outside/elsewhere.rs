//! The objects that a change outside of resource bodies affects, and whether they would be created in another location.

use groma_address::text;
use groma_config::{
    ConfigAddress, DeclarationAddress, DeclarationName, InstanceAddress, ModulePath, ResourceMode,
};
use groma_module::declare::Resource;
use groma_plan::Plan;
use groma_project::ModuleNode;
use rustc_hash::{FxHashMap, FxHashSet};

use super::body::BodyDifference;
use super::change::AffectedObjects;
use super::change::OutsideKind;
use super::entry::ChangeTarget;
use super::pairing::{ModulePair, MovedDeclarations};
use super::shown::OutsideValue;

/// The names of provider arguments that determine the location of objects, such as the region, by the last part of the
/// provider's source; the last row applies to all other providers.
const LOCATION_ARGUMENTS: &[(&str, &[&str])] = &[
    (
        "aws",
        &[
            "region",
            "profile",
            "assume_role",
            "assume_role_with_web_identity",
            "allowed_account_ids",
            "forbidden_account_ids",
            "endpoints",
        ],
    ),
    ("azuread", &["tenant_id", "environment"]),
    ("azurerm", &["subscription_id", "tenant_id", "environment", "metadata_host"]),
    ("google", &["project", "region", "zone", "universe_domain", "impersonate_service_account"]),
    (
        "google-beta",
        &["project", "region", "zone", "universe_domain", "impersonate_service_account"],
    ),
    (
        "kubernetes",
        &["host", "config_path", "config_paths", "config_context", "config_context_cluster"],
    ),
    ("helm", &["kubernetes"]),
    ("vault", &["address", "namespace"]),
    ("github", &["owner", "organization", "base_url"]),
    ("gitlab", &["base_url"]),
    ("cloudflare", &["account_id"]),
    ("vsphere", &["vsphere_server"]),
    (
        "",
        &[
            "region",
            "account_id",
            "project",
            "project_id",
            "subscription_id",
            "tenant_id",
            "profile",
            "host",
            "endpoint",
            "organization",
        ],
    ),
];

/// Returns true if an argument of a provider determines the location of objects.
fn determines_location(source: &str, argument: &str) -> bool {
    let provider = source.rsplit('/').next().unwrap_or(source);
    let own = LOCATION_ARGUMENTS.iter().find(|(name, _)| *name == provider);
    let rows = own.or(LOCATION_ARGUMENTS.last());
    rows.is_some_and(|(_, arguments)| arguments.contains(&argument))
}

/// A search for the objects that changes outside of resource bodies affect.
pub(super) struct AffectedSearch<'p> {
    base: &'p Plan,
    head: &'p Plan,
    moves: &'p MovedDeclarations,
    /// The instances of each declaration on either side, by address; filled on first use.
    instances: Option<FxHashMap<ConfigAddress, Vec<InstanceAddress>>>,
}

impl<'p> AffectedSearch<'p> {
    /// Returns a search for affected objects in two plans; `moves` has the addresses of moved declarations.
    pub(super) fn of(
        base: &'p Plan,
        head: &'p Plan,
        moves: &'p MovedDeclarations,
    ) -> AffectedSearch<'p> {
        AffectedSearch { base, head, moves, instances: None }
    }

    /// Returns the objects that the difference `found` in a pair of modules affects, given the target of its declaration.
    pub(super) fn reach(
        &mut self,
        pair: &ModulePair<'_>,
        target: &ChangeTarget,
        found: &BodyDifference,
    ) -> AffectedObjects {
        let nodes = &pair.alike;
        let all = |name: &DeclarationName| -> Vec<DeclarationAddress> {
            let of_node =
                |node: &ModuleNode<'_>| DeclarationAddress::new(node.path(), name.clone());
            nodes.iter().map(of_node).collect()
        };
        let mut reach = match target {
            ChangeTarget::Nothing => AffectedObjects::default(),
            ChangeTarget::Modules => {
                let own = nodes.iter().map(|node| node.address());
                AffectedObjects::in_place(own.filter(|address| !address.is_empty()).collect())
            }
            ChangeTarget::Declaration(DeclarationName::Resource(own))
                if found.kind == OutsideKind::Provider =>
            {
                let homes: FxHashSet<usize> = nodes.iter().map(|node| node.number()).collect();
                self.resources(true, &|node, resource| {
                    homes.contains(&node.number()) && resource.own_name() == *own
                })
            }
            ChangeTarget::Declaration(name) => {
                AffectedObjects::in_place(all(name).iter().map(ToString::to_string).collect())
            }
            ChangeTarget::Written(inner) => AffectedObjects::in_place(
                nodes.iter().map(|node| text::below(&node.address(), inner)).collect(),
            ),
            ChangeTarget::Below(name) => {
                let called = all(name).into_iter().filter_map(|call| call.called_module());
                let called: FxHashSet<ModulePath> = called.collect();
                self.resources(true, &|node, _| {
                    let path = node.path();
                    (1..=path.names().len()).any(|count| called.contains(&path.names()[..count]))
                })
            }
            ChangeTarget::Required(name) => {
                let homes: FxHashSet<usize> = nodes.iter().map(|node| node.number()).collect();
                self.resources(false, &|node, resource| {
                    homes.contains(&node.number()) && *resource.provider_name() == **name
                })
            }
            ChangeTarget::Configuration(name, alias) => {
                let homes: FxHashSet<usize> = nodes.iter().map(|node| node.number()).collect();
                let source = pair.here[1].node.provider_named(name);
                self.resources(is_location_change(&source, found), &|node, resource| {
                    let used = node.provider_of(resource);
                    used.name == *name
                        && used.alias == *alias
                        && homes.contains(&used.node.number())
                })
            }
        };
        reach.addresses.sort();
        reach.addresses.dedup();
        reach
    }

    /// Returns the instances of those resources of the newer plan for which `is_meant` returns true; with `is_elsewhere`, for a
    /// change of location, only those that existed before.
    fn resources(
        &mut self,
        is_elsewhere: bool,
        is_meant: &dyn Fn(ModuleNode<'_>, &Resource) -> bool,
    ) -> AffectedObjects {
        let (base, head, moves) = (self.base.evaluation().project(), self.head, self.moves);
        let known = self.instances.get_or_insert_with(|| instances(head));
        let mut reach = AffectedObjects { is_elsewhere, ..AffectedObjects::default() };
        for node in head.evaluation().project().nodes() {
            for resource in &node.module().resources {
                let is_object = matches!(resource.mode, ResourceMode::Managed | ResourceMode::Data);
                if !is_object || !is_meant(node, resource) {
                    continue;
                }
                let address = node.declared_address(resource);
                let name = DeclarationName::Resource(resource.own_name());
                let declared = || DeclarationAddress::new(node.path(), name);
                let was_there =
                    || base.declared(&declared()).is_some() || moves.is_new_address(&address);
                if is_elsewhere && !was_there() {
                    continue;
                }
                // An uncountable declaration counts as one object.
                let all = match known.get(&address) {
                    Some(all) => all.iter().map(ToString::to_string).collect(),
                    None => vec![address.to_string()],
                };
                if resource.mode == ResourceMode::Data {
                    reach.data += all.len();
                }
                reach.addresses.extend(all);
            }
        }
        reach
    }
}

/// Returns the addresses of the instances of each declaration in a plan.
fn instances(plan: &Plan) -> FxHashMap<ConfigAddress, Vec<InstanceAddress>> {
    let mut all: FxHashMap<ConfigAddress, Vec<InstanceAddress>> = FxHashMap::default();
    for change in plan.declared() {
        let address = change.instance.address;
        all.entry(address.without_keys()).or_default().push(address);
    }
    all
}

/// Returns true if a difference between configurations of a provider is in an argument that determines the location of objects.
fn is_location_change(source: &str, found: &BodyDifference) -> bool {
    // The first word after `provider.NAME` or `provider.NAME.ALIAS` may be an alias, which no row has.
    let words = found.address.split('.').skip(2);
    let parts =
        [&found.before, &found.after].into_iter().flatten().filter_map(|shown| match shown {
            OutsideValue::Parts(parts) => Some(parts.iter().map(|(name, _)| &**name)),
            _ => None,
        });
    words.chain(parts.flatten()).any(|word| determines_location(source, word))
}
