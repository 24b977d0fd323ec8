//! Provider configurations on their way down the tree: what a call hands over, what the called module
//! expects, and which configurations its resources then have. A configuration without an alias always
//! exists.

use std::collections::BTreeSet;

use groma_folder::did_you_mean;
use groma_module::check::{Asked, configuration_aliases};
use groma_module::declare::{Module, ModuleCall, Passed, Repetition};
use groma_module::schema::Providers;
use groma_syntax::{Diagnostic, Diagnostics, Place};
use groma_value::Str;
use rustc_hash::FxHashSet;

use crate::codes;
use crate::tree::{Child, TreeModule};

/// What a module says about its provider configurations.
struct Told<'m> {
    module: &'m Module,
    providers: Providers,
    /// What a caller is to give.
    expected: Vec<Asked>,
    required: FxHashSet<Str>,
}

impl<'m> Told<'m> {
    fn of(module: &'m Module) -> Told<'m> {
        Told {
            module,
            providers: Providers::of(&module.settings.providers),
            expected: module.settings.providers.iter().flat_map(configuration_aliases).collect(),
            required: module.settings.providers.iter().map(|one| one.name.clone()).collect(),
        }
    }

    /// Its own block for a configuration.
    fn block(
        &self,
        name: &str,
        alias: Option<&str>,
    ) -> Option<&'m groma_module::declare::Provider> {
        let mut all = self.module.providers.iter();
        all.find(|one| *one.name == *name && one.alias.as_deref() == alias)
    }

    /// Where a local name leads; the registry that counts where none is named is left out.
    fn source(&self, local: &str) -> String {
        let source = self.providers.source(local).to_lowercase();
        let registries = ["registry.terraform.io/", "registry.opentofu.org/"];
        let short = registries.iter().find_map(|registry| source.strip_prefix(registry));
        short.map_or(source.clone(), str::to_owned)
    }

    fn expects(&self, name: &str, alias: &str) -> bool {
        let mut all = self.expected.iter();
        all.any(|asked| asked.name == name && asked.alias.as_deref() == Some(alias))
    }
}

/// Checks every module and every call; each place is reported once.
pub(crate) fn check(nodes: &[TreeModule], out: &mut Diagnostics) {
    let mut seen: FxHashSet<(Place, &'static str)> = FxHashSet::default();
    let mut found = Diagnostics::new();
    for node in nodes {
        let told = Told::of(&node.module);
        let passed = node
            .parent
            .map(|(parent, call)| &*nodes[parent.0 as usize].module.calls[call as usize].providers);
        configurations(&told, passed.unwrap_or_default(), &mut found);
        if node.parent.is_some() {
            own(&told, node, nodes, &mut found);
        }
        for (call, child) in node.module.calls.iter().zip(&node.children) {
            if let Child::Module(child) = child {
                let child = Told::of(&nodes[child.0 as usize].module);
                handed(&told, node.parent.is_none(), call, &child, &mut found);
            }
        }
    }
    for diagnostic in found {
        if seen.insert((diagnostic.place.unwrap_or_default(), diagnostic.code.slug)) {
            out.push(diagnostic);
        }
    }
}

/// Whether the configurations that a module's resources and calls ask for are there.
fn configurations(told: &Told<'_>, passed: &[Passed], out: &mut Diagnostics) {
    let module = told.module;
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
        if given || told.block(name, Some(alias)).is_some() || told.expects(name, alias) {
            continue;
        }
        let own = module.providers.iter().filter(|one| one.name == *name);
        let own: BTreeSet<&str> = own.filter_map(|one| one.alias.as_deref()).collect();
        let hint = did_you_mean(alias, own);
        let (name, alias) = (&**name, &**alias);
        let detail = format!(
            "The module has no configuration of the provider \"{name}\" with the alias \"{alias}\".{hint} Add a provider block, or name it in configuration_aliases if the caller is to give it."
        );
        out.push(Diagnostic::error(&codes::UNDECLARED_PROVIDER, detail).at(place));
    }
}

/// What is wrong with the providers that a child module configures itself.
fn own(told: &Told<'_>, node: &TreeModule, nodes: &[TreeModule], out: &mut Diagnostics) {
    let mut configures = false;
    for block in &told.module.providers {
        if block.content.arguments.is_empty()
            && block.content.blocks.is_empty()
            && block.version.is_none()
            && block.for_each.is_none()
        {
            let detail = format!(
                "This block configures nothing. Where a caller is to give the provider, name it in required_providers instead: {} = {{ source = \"{}\" }}.",
                &*block.name,
                told.source(&block.name)
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
                "{} configures providers itself, and such a module can be called only once and depends on nothing. Configure them in the root module and hand them over in the argument \"providers\".",
                node.address()
            );
            out.push(Diagnostic::error(&codes::MODULE_WITH_PROVIDERS, detail).at(place));
            return;
        }
        at = around.parent;
    }
}

/// Whether what a call hands over is what the called module takes.
fn handed(
    told: &Told<'_>,
    is_root: bool,
    call: &ModuleCall,
    child: &Told<'_>,
    out: &mut Diagnostics,
) {
    let called = &*call.name;
    for asked in &child.expected {
        let Some(alias) = &asked.alias else { continue };
        let is_given = |one: &Passed| {
            *one.inner.0 == *asked.name && one.inner.1.as_deref() == Some(alias.as_str())
        };
        let is_own = child.block(&asked.name, Some(alias)).is_some();
        if !is_own && !call.providers.iter().any(is_given) {
            let name = &asked.name;
            let detail = format!(
                "The module \"{called}\" expects the configuration {name}.{alias}, and the call does not hand it over. Add providers = {{ {name}.{alias} = … }}."
            );
            out.push(Diagnostic::error(&codes::MISSING_PROVIDER, detail).at(call.place));
        }
    }
    for one in &call.providers {
        let ((inner, inner_alias), (outer, outer_alias)) = (&one.inner, &one.outer);
        let is_declared = told.required.contains(outer)
            || told.module.providers.iter().any(|block| block.name == *outer);
        if is_root && !is_declared {
            let detail = format!(
                "The root module does not say which provider {} is. Add it to required_providers.",
                &**outer
            );
            out.push(Diagnostic::warning(&codes::UNEXPECTED_PROVIDER, detail).at(one.place));
        }
        let (of_child, of_parent) = (child.source(inner), told.source(outer));
        if of_child != of_parent {
            let detail = format!(
                "{} is {of_parent} here, and in the module \"{called}\" {} is {of_child}. Declare the same source for both in required_providers.",
                &**outer, &**inner
            );
            out.push(Diagnostic::error(&codes::PROVIDER_MISMATCH, detail).at(one.key));
            continue;
        }
        let block = child.block(inner, inner_alias.as_deref());
        if block.is_some_and(|block| !block.content.arguments.is_empty()) {
            let detail = format!(
                "The module \"{called}\" has a provider block for {} of its own, so nothing can be handed over in its place.",
                &**inner
            );
            out.push(Diagnostic::error(&codes::OWN_PROVIDER, detail).at(one.key));
        }
        let expected = match inner_alias {
            Some(alias) => child.expects(inner, alias),
            None => child.required.contains(inner),
        };
        if !expected && block.is_none_or(|block| !block.content.arguments.is_empty()) {
            let detail = format!(
                "The module \"{called}\" does not declare this configuration of {}, and takes it all the same. Add it to the module's required_providers.",
                &**inner
            );
            out.push(Diagnostic::warning(&codes::UNEXPECTED_PROVIDER, detail).at(one.key));
        }
        if is_root && outer_alias.is_none() && !is_declared && &**outer != "terraform" {
            let detail = format!(
                "The root module neither requires the provider {} nor configures it, so there is nothing to hand over. Add it to required_providers, or add a provider block.",
                &**outer
            );
            out.push(Diagnostic::error(&codes::UNDECLARED_PROVIDER, detail).at(one.place));
        }
    }
}
