//! Schemas of a version that a module does not ask for. What such a version lacks is no fault of the code, and what it
//! has may be another thing by now; one module that says so counts for all, as a program takes one version for all.

use groma_config::{ReleaseVersion, UnfitSchemas, VersionConstraints};
use groma_module::schema::{LocalProviders, ProviderSchemas};
use groma_syntax::Expr;

use crate::tree::TreeModule;

/// The providers whose schemas do not fit what a module requires, each with the first that says so.
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
