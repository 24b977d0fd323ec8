//! Provider configurations by their schema. One that nothing uses is never handed to a provider, so it is not looked at.

use groma_module::declare::{Provider, Resource};
use groma_module::resolve::Surroundings;
use groma_syntax::Diagnostics;
use groma_value::Str;

use crate::tree::{Child, TreeModule};
use crate::validate::Examiner;
use crate::validate::body::Look;
use groma_decode::{Owner, decode};

impl Examiner<'_> {
    pub(super) fn provider(&self, provider: &Provider, out: &mut Diagnostics) {
        let around = Surroundings::of_provider();
        let context = self.within(&around);
        let Some(schema) = provider.schema.as_ref().filter(|_| self.is_used(provider)) else {
            self.content(&provider.content, &around, &context, false, out);
            return;
        };
        let address = format!("The provider {}", &*provider.name);
        groma_module::fit::fit(&provider.content, &schema.block, &address, out);
        let here = Look { examiner: self, around, context, deferred: false };
        let owner = Owner { address: &address, keeps: false, demands: false };
        decode(&provider.content, &schema.block, &owner, &here, out);
    }

    /// Whether a resource here or in a module below belongs to this configuration.
    fn is_used(&self, provider: &Provider) -> bool {
        let mut rest: Vec<(&TreeModule, Str, Option<Str>)> =
            vec![(self.node, provider.name.clone(), provider.alias.clone())];
        while let Some((node, name, alias)) = rest.pop() {
            let module = &*node.module;
            if module.resources.iter().any(|one| belongs(one, &name, alias.as_ref())) {
                return true;
            }
            for (call, child) in module.calls.iter().zip(&node.children) {
                let Child::Module(child) = child else { continue };
                let child = &self.project.nodes[child.0 as usize];
                let handed =
                    call.providers.iter().filter(|one| one.outer == (name.clone(), alias.clone()));
                rest.extend(handed.map(|one| (child, one.inner.0.clone(), one.inner.1.clone())));
                // What is not handed over is there all the same, unless the module has its own.
                let has_own = child
                    .module
                    .providers
                    .iter()
                    .any(|one| one.name == name && one.alias.is_none());
                if alias.is_none() && call.providers.is_empty() && !has_own {
                    rest.push((child, name.clone(), None));
                }
            }
        }
        false
    }
}

fn belongs(resource: &Resource, name: &Str, alias: Option<&Str>) -> bool {
    match resource.provider() {
        Some((own, own_alias)) => own == name && own_alias.as_ref() == alias,
        None => alias.is_none() && resource.kind.split('_').next() == Some(&**name),
    }
}
