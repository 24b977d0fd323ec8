//! Provider configurations passed down the tree: those that a call passes, those that the called module expects, and those that
//! its resources use. A configuration without an alias always exists.

use std::collections::BTreeSet;

use groma_config::did_you_mean;
use groma_module::declare::{
    Module, ModuleCall, PassedProvider, Repetition, RequestedProvider, configuration_aliases,
};
use groma_module::schema::LocalProviders;
use groma_runtime::Dialect;
use groma_syntax::{Diagnostic, Diagnostics, Place, Severity};
use groma_value::Str;
use rustc_hash::FxHashSet;

use crate::codes;
use crate::tree::{CalledModule, TreeModule, configuration};

/// The provider declarations of a module: blocks, local names, and configurations expected from callers.
struct ProviderDeclarations<'m> {
    module: &'m Module,
    providers: LocalProviders,
    /// The configurations expected from callers.
    expected: Vec<RequestedProvider>,
    required: FxHashSet<Str>,
}

impl<'m> ProviderDeclarations<'m> {
    /// Returns the provider blocks and local names of a module, and the configurations that it expects from callers.
    fn of(module: &'m Module) -> ProviderDeclarations<'m> {
        ProviderDeclarations {
            module,
            providers: LocalProviders::of(&module.settings.providers),
            expected: module.settings.providers.iter().flat_map(configuration_aliases).collect(),
            required: module.settings.providers.iter().map(|one| one.name.clone()).collect(),
        }
    }

    /// Returns the module's own `provider` block with a local name and alias, if there is one.
    fn block(
        &self,
        name: &str,
        alias: Option<&str>,
    ) -> Option<&'m groma_module::declare::Provider> {
        let mut all = self.module.providers.iter();
        all.find(|one| *one.name == *name && one.alias.as_deref() == alias)
    }

    /// Returns the source address of the provider with a local name, without the host of a default registry.
    fn source(&self, local: &str) -> String {
        // Where configurations are passed, a name without a requirement means a provider of the registry, built in or not.
        if !self.required.iter().any(|known| **known == *local) {
            return format!("hashicorp/{local}");
        }
        let source = self.providers.source(local).to_lowercase();
        let registries = ["registry.terraform.io/", "registry.opentofu.org/"];
        let short = registries.iter().find_map(|registry| source.strip_prefix(registry));
        short.map_or(source.clone(), str::to_owned)
    }

    /// Returns true if the module expects a provider configuration with this local name and alias from its callers.
    fn expects(&self, name: &str, alias: &str) -> bool {
        let mut all = self.expected.iter();
        all.any(|asked| asked.name == name && asked.alias.as_deref() == Some(alias))
    }
}

/// The severities of diagnostics about provider configurations that the root module expects from a caller, since a root has none.
#[derive(Clone, Copy, Default)]
pub(crate) struct UnfilledProviders {
    /// The severity if the configuration is used.
    pub(crate) used: Option<Severity>,
    /// The severity if it is not used.
    pub(crate) unused: Option<Severity>,
}

/// Validates the provider configurations of every module and call, and reports each kind of error once at a place; `unfilled`
/// says how severe it is if the root module expects a provider configuration from a caller.
pub(crate) fn check(
    nodes: &[TreeModule],
    dialect: Dialect,
    unfilled: UnfilledProviders,
    out: &mut Diagnostics,
) {
    let mut seen: FxHashSet<(Place, &'static str)> = FxHashSet::default();
    let mut found = Diagnostics::new();
    for node in nodes {
        let declarations = ProviderDeclarations::of(&node.module);
        let passed = node
            .parent
            .map(|(parent, call)| &*nodes[parent.0 as usize].module.calls[call as usize].providers);
        configurations(&declarations, passed.unwrap_or_default(), &mut found);
        match node.parent {
            Some(_) => own(&declarations, node, nodes, &mut found),
            None => expected(&declarations, unfilled, &mut found),
        }
        for (call, child) in node.module.calls.iter().zip(&node.children) {
            if let CalledModule::Module(child) = child {
                let child = ProviderDeclarations::of(&nodes[child.0 as usize].module);
                let is_root = node.parent.is_none();
                let joint = CallProviders {
                    declarations: &declarations,
                    passed: passed.unwrap_or_default(),
                    is_root,
                    child: &child,
                };
                joint.check_passed(call, dialect, &mut found);
            }
        }
    }
    for diagnostic in found {
        if seen.insert((diagnostic.place.unwrap_or_default(), diagnostic.code.slug)) {
            out.push(diagnostic);
        }
    }
}

/// Reports references of a module's resources and calls to provider configurations that the module neither declares nor expects;
/// `passed` are those that its caller passes, which exist in any case.
fn configurations(
    declarations: &ProviderDeclarations<'_>,
    passed: &[PassedProvider],
    out: &mut Diagnostics,
) {
    let module = declarations.module;
    let resources = module.resources.iter().filter_map(|resource| {
        let asked = resource.asked.as_ref()?;
        let (name, alias) = asked.name.as_ref()?;
        Some((name, alias.as_ref()?, asked.place))
    });
    let calls = module.calls.iter().flat_map(|call| &call.providers);
    let calls = calls.filter_map(|one| Some((&one.outer.0, one.outer.1.as_ref()?, one.place)));
    for (name, alias, place) in resources.chain(calls) {
        let given =
            passed.iter().any(|one| one.inner.0 == *name && one.inner.1.as_ref() == Some(alias));
        if given
            || declarations.block(name, Some(alias)).is_some()
            || declarations.expects(name, alias)
        {
            continue;
        }
        let own = module.providers.iter().filter(|one| one.name == *name);
        let own: BTreeSet<&str> = own.filter_map(|one| one.alias.as_deref()).collect();
        let hint = did_you_mean(alias, own);
        let (name, alias) = (&**name, &**alias);
        let detail = format!(
            "The module has no configuration of the provider \"{name}\" with the alias \"{alias}\".{hint} Add a provider block, or name it in configuration_aliases if the caller should pass it."
        );
        out.push(Diagnostic::error(&codes::UNDECLARED_PROVIDER, detail).at(place));
    }
}

/// Reports the provider configurations that the root module expects from a caller, since a root has no caller; `unfilled` says
/// how severe that is.
fn expected(
    declarations: &ProviderDeclarations<'_>,
    unfilled: UnfilledProviders,
    out: &mut Diagnostics,
) {
    for asked in &declarations.expected {
        let (name, Some(alias)) = (&asked.name, &asked.alias) else { continue };
        if declarations.block(name, Some(alias)).is_some() {
            continue;
        }
        let is_it =
            |one: &(Str, Option<Str>)| *one.0 == **name && one.1.as_deref() == Some(alias.as_str());
        let resources = declarations.module.resources.iter().filter_map(|one| one.asked.as_ref());
        let resources = resources
            .filter(|asked| asked.name.as_ref().is_some_and(is_it))
            .map(|asked| asked.place);
        let handed = declarations.module.calls.iter().flat_map(|call| &call.providers);
        let handed = handed.filter(|one| is_it(&one.outer)).map(|one| one.place);
        let first = resources.chain(handed).next();
        let declared = declarations.module.required_provider(name).map(|required| required.place);
        let severity = if first.is_some() { unfilled.used } else { unfilled.unused };
        let (Some(severity), Some(place)) = (severity, first.or(declared)) else { continue };
        let detail = match severity {
            Severity::Error => format!(
                "This folder expects its caller to pass the configuration {name}.{alias}, but the root module has no caller. Add a provider block with the alias \"{alias}\", or call the folder as a module."
            ),
            _ => format!(
                "The folder is checked as if a caller passed the configuration {name}.{alias} that it expects. It cannot be planned as a root."
            ),
        };
        let mut missing = Diagnostic::error(&codes::MISSING_PROVIDER, detail).at(place);
        missing.severity = severity;
        out.push(missing);
    }
}

/// Reports `provider` blocks of a child module that configure nothing, or that its calls do not allow.
fn own(
    declarations: &ProviderDeclarations<'_>,
    node: &TreeModule,
    nodes: &[TreeModule],
    out: &mut Diagnostics,
) {
    let mut configures = false;
    for block in &declarations.module.providers {
        if block.content.arguments.is_empty()
            && block.content.blocks.is_empty()
            && block.version.is_none()
            && block.for_each.is_none()
        {
            let detail = format!(
                "This block configures nothing. If the caller should pass the provider, name it in required_providers instead: {} = {{ source = \"{}\" }}.",
                &*block.name,
                declarations.source(&block.name)
            );
            out.push(Diagnostic::warning(&codes::EMPTY_PROVIDER, detail).at(block.place));
        } else {
            configures = true;
        }
    }
    let mut at = node.parent.filter(|_| configures);
    while let Some((parent, call)) = at {
        let around = &nodes[parent.0 as usize];
        let call = &around.module.calls[call as usize];
        let depended = call.depends_on.first().map(groma_module::declare::Expression::place);
        let repeated = match &call.repetition {
            Repetition::Count(count) | Repetition::Each(count) => Some(count.place()),
            Repetition::Enabled(_) | Repetition::Single => None,
        };
        if let Some(place) = repeated.or(depended) {
            let detail = format!(
                "{} configures providers itself, so it can be called only once and without depends_on. Configure them in the root module and pass them in the argument \"providers\".",
                node.address()
            );
            out.push(Diagnostic::error(&codes::MODULE_WITH_PROVIDERS, detail).at(place));
            return;
        }
        at = around.parent;
    }
}

/// A module call with the provider declarations of the calling and of the called module.
struct CallProviders<'j> {
    declarations: &'j ProviderDeclarations<'j>,
    /// The configurations passed to the calling module.
    passed: &'j [PassedProvider],
    is_root: bool,
    child: &'j ProviderDeclarations<'j>,
}

impl CallProviders<'_> {
    /// Reports provider configurations that a call passes wrongly or does not pass.
    fn check_passed(&self, call: &ModuleCall, dialect: Dialect, out: &mut Diagnostics) {
        self.missing(call, out);
        for one in &call.providers {
            self.undeclared_outside(one, out);
            let is_taken = self.is_accepted(&call.name, one, dialect, out);
            let ((inner, _), (outer, outer_alias)) = (&one.inner, &one.outer);
            let (of_child, of_parent) = (self.child.source(inner), self.declarations.source(outer));
            if of_child != of_parent {
                let detail = format!(
                    "{} is {of_parent} here, but in the module \"{}\" {} is {of_child}. Declare the same source for both in required_providers.",
                    &**outer, &*call.name, &**inner
                );
                out.push(Diagnostic::error(&codes::PROVIDER_MISMATCH, detail).at(one.key));
                continue;
            }
            let has_block = self.declarations.block(outer, None).is_some();
            let is_there =
                has_block || self.declarations.required.contains(outer) || self.is_given(outer);
            let has_none = outer_alias.is_none() && !is_there;
            if is_taken && has_none {
                let whose = if self.is_root { "The root module" } else { "This module" };
                let detail = format!(
                    "{whose} neither requires nor configures the provider {}, so there is nothing to pass. Add it to required_providers, or add a provider block.",
                    &**outer
                );
                out.push(Diagnostic::error(&codes::UNDECLARED_PROVIDER, detail).at(one.place));
            }
        }
    }

    /// Reports provider configurations that the called module expects and the call does not pass.
    fn missing(&self, call: &ModuleCall, out: &mut Diagnostics) {
        for asked in &self.child.expected {
            let (name, Some(alias)) = (&asked.name, &asked.alias) else { continue };
            let is_own = self.child.block(name, Some(alias)).is_some();
            if !is_own && call.passed_provider(name, Some(alias)).is_none() {
                let detail = format!(
                    "The module \"{}\" expects the configuration {name}.{alias}, but the call does not pass it. Add providers = {{ {name}.{alias} = … }}.",
                    &*call.name
                );
                out.push(Diagnostic::error(&codes::MISSING_PROVIDER, detail).at(call.place));
            }
        }
    }

    /// Returns true if the calling module is itself passed the provider's default configuration.
    fn is_given(&self, name: &Str) -> bool {
        self.passed.iter().any(|one| one.inner.0 == *name && one.inner.1.is_none())
    }

    /// Returns true if the calling module has a requirement or a `provider` block with this local name.
    fn is_declared(&self, name: &Str) -> bool {
        self.declarations.required.contains(name)
            || self.declarations.module.providers.iter().any(|block| block.name == *name)
    }

    /// Warns of a configuration that the root module passes although it does not declare the provider.
    fn undeclared_outside(&self, one: &PassedProvider, out: &mut Diagnostics) {
        let (outer, _) = &one.outer;
        if self.is_root && !self.is_declared(outer) {
            let detail = format!(
                "The root module does not declare the provider {}. Add it to required_providers.",
                &**outer
            );
            out.push(Diagnostic::warning(&codes::UNEXPECTED_PROVIDER, detail).at(one.place));
        }
    }

    /// Returns true if the module of the call `called` accepts a provider configuration under the name that it is passed as;
    /// reports one that conflicts or is undeclared there. Providers implied by their name need not be declared.
    fn is_accepted(
        &self,
        called: &str,
        one: &PassedProvider,
        dialect: Dialect,
        out: &mut Diagnostics,
    ) -> bool {
        let (inner, alias) = &one.inner;
        let block = self.child.block(inner, alias.as_deref());
        let is_own = block.is_some_and(|block| !block.content.arguments.is_empty());
        if is_own {
            let detail = format!(
                "The module \"{called}\" has a provider block for {} of its own, so the caller cannot pass one.",
                &**inner
            );
            out.push(Diagnostic::error(&codes::OWN_PROVIDER, detail).at(one.key));
        }
        let is_expected = match alias {
            Some(alias) => self.child.expects(inner, alias),
            None => self.child.required.contains(inner),
        };
        if is_expected || block.is_some() && !is_own {
            return true;
        }
        let address = configuration::address(self.child.module, dialect, inner);
        let is_known = !self.child.required.contains(inner)
            || address.split('/').nth(1) == Some("hashicorp")
                && address.starts_with(dialect.registry());
        let name = match alias {
            Some(alias) => format!("{}.{}", &**inner, &**alias),
            None => inner.to_string(),
        };
        let diagnostic = match is_known {
            true => {
                let detail = format!(
                    "The module \"{called}\" uses this configuration of {} without declaring the provider. Add it to the module's required_providers.",
                    &**inner
                );
                Diagnostic::warning(&codes::UNEXPECTED_PROVIDER, detail)
            }
            false => {
                let detail = format!(
                    "The module \"{called}\" does not name {name} in configuration_aliases, so it takes no such configuration. Pass it as {} alone, or add it there.",
                    &**inner
                );
                Diagnostic::error(&codes::UNDECLARED_PROVIDER, detail)
            }
        };
        out.push(diagnostic.at(one.key));
        is_known
    }
}
