//! Use of provider configurations. The programs drop unused ones before they evaluate anything, so nothing inside them is
//! reported. A resource counts as a use, regardless of its repetition.

use groma_config::implied_provider;
use groma_module::dialect::Conventions;
use groma_module::visit::Declaration;
use groma_runtime::Dialect;
use groma_syntax::{Diagnostic, Diagnostics, Severity};
use groma_value::Str;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::tree::configuration;
use crate::tree::{CalledModule, ModuleId, TreeModule};

/// The extent to which a provider configuration is used, which decides if its diagnostics are reported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ProviderUsage {
    /// Used.
    Used,
    /// Possibly used by the module call of that name, whose module is missing.
    Perhaps(Str),
    /// Unused.
    Unused,
}

impl ProviderUsage {
    /// Returns `found`, a diagnostic in the provider configuration that is used in this way: weakened to a warning if the
    /// configuration is only possibly used; `None` if it is unused.
    pub(crate) fn weakened(&self, found: Diagnostic) -> Option<Diagnostic> {
        match self {
            ProviderUsage::Used => Some(found),
            ProviderUsage::Unused => None,
            ProviderUsage::Perhaps(call) => {
                let severity = found.severity.max(Severity::Warning);
                let note = format!(
                    "This has an effect only if the module \"{}\", which is not installed, uses the configuration: nothing else does.",
                    &**call
                );
                Some(Diagnostic { severity, ..found }.note(note))
            }
        }
    }
}

/// A provider block, by the module that contains it and its index there.
type Block = (ModuleId, usize);

/// The provider configurations of a module tree that are used, and those that may be.
#[derive(Default)]
pub(crate) struct ProviderUsages {
    used: FxHashSet<Block>,
    perhaps: FxHashMap<Block, Str>,
}

impl ProviderUsages {
    /// Returns the provider configurations that the resources of a module tree use.
    pub(crate) fn of(
        nodes: &[TreeModule],
        dialect: Dialect,
        conventions: &Conventions,
    ) -> ProviderUsages {
        let by_functions = conventions.functions_use_configurations;
        let mut search = UsageSearch { nodes, dialect, met: FxHashSet::default() };
        let mut found = ProviderUsages::default();
        // Blocks whose own bodies have not been searched.
        let mut fresh: Vec<Block> = Vec::new();
        for (at, node) in nodes.iter().enumerate() {
            let at = ModuleId(at as u32);
            let mut use_one = |name: &str, alias: Option<&str>| {
                let block = search.block(at, name, alias);
                fresh.extend(block.filter(|block| found.used.insert(*block)));
            };
            for resource in &node.module.resources {
                let alias = resource.provider().and_then(|(_, alias)| alias.as_deref());
                use_one(resource.provider_name(), alias);
            }
            for import in &node.module.imports {
                if let Some((name, alias)) =
                    import.provider.as_ref().and_then(|one| one.name.as_ref())
                {
                    use_one(name, alias.as_deref());
                    continue;
                }
                // An imported object without a resource uses the provider that its type implies.
                let target = import.target.as_ref().filter(|_| import.provider.is_none());
                if let Some(wanted) = target.and_then(|target| target.resource.as_ref()) {
                    use_one(implied_provider(&wanted.kind), None);
                }
            }
            if by_functions {
                node.module.visit(&mut |declaration, seen| {
                    if matches!(declaration, Declaration::Provider(_)) {
                        return;
                    }
                    for call in seen.expression.located.code.providers() {
                        use_one(&call.provider, call.alias.as_deref());
                    }
                });
            }
        }
        while let Some((at, block)) = fresh.pop().filter(|_| by_functions) {
            let module = &nodes[at.0 as usize].module;
            module.visit_one(Declaration::Provider(block as u32), &mut |seen| {
                for call in seen.expression.located.code.providers() {
                    let block = search.block(at, &call.provider, call.alias.as_deref());
                    fresh.extend(block.filter(|block| found.used.insert(*block)));
                }
            });
        }
        found.add_possible_uses(nodes, dialect);
        found
    }

    /// Records which provider configurations the called modules that are not available may use: those passed to them, and all
    /// without an alias in the modules above.
    fn add_possible_uses(&mut self, nodes: &[TreeModule], dialect: Dialect) {
        let mut search = UsageSearch { nodes, dialect, met: FxHashSet::default() };
        for (at, node) in nodes.iter().enumerate() {
            let calls = node.module.calls.iter().zip(&node.children);
            for (call, _) in calls.filter(|(_, child)| matches!(child, CalledModule::Absent)) {
                let handed =
                    call.providers.iter().map(|one| (&one.outer.0, one.outer.1.as_deref()));
                let mut asked: Vec<(ModuleId, &Str, Option<&str>)> =
                    handed.map(|(name, alias)| (ModuleId(at as u32), name, alias)).collect();
                let mut above = Some(ModuleId(at as u32));
                while let Some(id) = above {
                    let around = &nodes[id.0 as usize];
                    let plain = around.module.providers.iter().filter(|one| one.alias.is_none());
                    asked.extend(plain.map(|one| (id, &one.name, None)));
                    above = around.parent.map(|(parent, _)| parent);
                }
                for (id, name, alias) in asked {
                    if let Some(block) = search.block(id, name, alias) {
                        self.perhaps.entry(block).or_insert_with(|| call.name.clone());
                    }
                }
            }
        }
    }

    /// Returns the extent to which a provider configuration of the module `at`, by the index of its block, is used.
    pub(crate) fn usage(&self, at: ModuleId, block: usize) -> ProviderUsage {
        match self.perhaps.get(&(at, block)) {
            _ if self.used.contains(&(at, block)) => ProviderUsage::Used,
            Some(call) => ProviderUsage::Perhaps(call.clone()),
            None => ProviderUsage::Unused,
        }
    }

    /// Reports diagnostics inside of used provider configurations, once if a module is called twice.
    pub(crate) fn report_used(&self, nodes: &[TreeModule], out: &mut Diagnostics) {
        let mut reported = FxHashSet::default();
        for (at, node) in nodes.iter().enumerate() {
            for (block, provider) in node.module.providers.iter().enumerate() {
                let usage = self.usage(ModuleId(at as u32), block);
                for found in &provider.problems {
                    if let Some(found) = usage.weakened(found.clone())
                        && reported.insert((found.place, found.code.slug, found.severity))
                    {
                        out.push(found);
                    }
                }
            }
        }
    }
}

/// A search for the provider blocks that are used, which returns each once.
struct UsageSearch<'n> {
    nodes: &'n [TreeModule],
    dialect: Dialect,
    met: FxHashSet<(ModuleId, Str, Option<Str>)>,
}

impl UsageSearch<'_> {
    /// Returns the block of the provider configuration that a local name and alias refer to in module `at`; `None` if there is
    /// none, or if these were looked up before.
    fn block(&mut self, at: ModuleId, name: &str, alias: Option<&str>) -> Option<Block> {
        let key = (at, Str::from(name), alias.map(Str::from));
        if !self.met.insert(key.clone()) {
            return None;
        }
        let (at, name, alias) = key;
        let found = configuration::find(self.nodes, self.dialect, at, name, alias);
        let module = &self.nodes[found.at.0 as usize].module;
        Some((found.at, module.provider_position(&found.name, found.alias.as_deref())?))
    }
}
