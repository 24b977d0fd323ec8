//! Schemas whose version contradicts a module's requirement. Missing features of such a version are no fault of the code, and
//! present ones may have changed; one such module counts for all, because a program uses one version for all.

use groma_config::{ReleaseVersion, UnfitSchemas, VersionConstraints};
use groma_module::schema::{LocalProviders, ProviderSchemas};
use groma_syntax::Expr;

use crate::tree::TreeModule;

/// Returns the providers whose schemas contradict a module's requirement, each with the first such module.
pub(super) fn unfit(nodes: &[TreeModule], schemas: &ProviderSchemas) -> Vec<UnfitSchemas> {
    let mut found: Vec<UnfitSchemas> = Vec::new();
    for node in nodes {
        let required = &node.module.settings.providers;
        let providers = LocalProviders::of(required);
        for one in required {
            let Some((provider, known)) = schemas.version_of(&providers.source(&one.name)) else {
                continue;
            };
            let Some(wanted) = one.version() else { continue };
            let fits =
                VersionConstraints::parse(&wanted).ok().zip(ReleaseVersion::read(&known.version));
            let is_unfit = fits.is_some_and(|(wanted, release)| !wanted.allow(&release));
            if is_unfit && found.iter().all(|other| other.provider != provider) {
                found.push(UnfitSchemas {
                    provider: provider.to_owned(),
                    version: known.version.to_string(),
                    date: known.date.as_ref().map(ToString::to_string),
                    required: wanted,
                    place: one.part("version").map_or(one.place, Expr::place),
                });
            }
        }
    }
    found
}
