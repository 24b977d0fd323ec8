//! Validation of provider configurations by their schema. An unused one is never passed to a provider, so it is not validated.

use groma_module::declare::Provider;
use groma_module::resolve::Surroundings;
use groma_syntax::Diagnostics;

use crate::tree::used::ProviderUsage;
use crate::validate::ModuleValidator;
use crate::validate::body::BodyView;
use groma_decode::{BodyOwner, decode};

impl ModuleValidator<'_> {
    /// Validates a provider configuration, unless it is unused.
    pub(super) fn provider(
        &self,
        provider: &Provider,
        usage: &ProviderUsage,
        out: &mut Diagnostics,
    ) {
        if *usage == ProviderUsage::Unused {
            return;
        }
        let mut found = Diagnostics::new();
        self.used_provider(provider, &mut found);
        out.extend(found.into_iter().filter_map(|one| usage.weakened(one)));
    }

    /// Validates the arguments and blocks of a provider configuration that is used, by the provider's schema if it is known.
    fn used_provider(&self, provider: &Provider, out: &mut Diagnostics) {
        let around = Surroundings::of_provider();
        let context = self.within(&around);
        if provider.is_broken() {
            return;
        }
        let Some(schema) = &provider.schema else {
            self.content(&provider.content, &around, &context, false, out);
            return;
        };
        let address = format!("The provider {}", &*provider.name);
        groma_module::check_body::fit(&provider.content, &schema.block, &address, out);
        let here = BodyView { validator: self, around, context, deferred: false };
        let owner = BodyOwner {
            address: &address,
            keeps: false,
            demands: false,
            accepts_computed_inside: false,
        };
        decode(&provider.content, &schema.block, &owner, &here, out);
    }
}
