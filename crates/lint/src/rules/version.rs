//! Features that a version allowed by `required_version` does not support. The detected program is checked; without evidence,
//! Terraform, if it supports the feature at all.

use std::collections::BTreeSet;

use groma_config::{ReleaseVersion, VersionConstraints, literal_text};
use groma_module::feature_use::FeatureUse;
use groma_runtime::{Availability, Dialect, Version};
use groma_syntax::{Diagnostic, Place};

use crate::codes;
use crate::found::RuleFindings;
use crate::subject::LintedModule;

/// Maximum number of unsupported features listed in a finding.
const NAMED: usize = 5;

/// Number of patch releases of each minor version that are tested against a version constraint.
const PATCHES: u64 = 40;

/// Finds uses of features that a version allowed by `required_version` does not support.
pub(super) fn look(subject: &LintedModule<'_>, found: &mut RuleFindings) {
    let settings = subject.module.settings.blocks.iter();
    let arguments = settings.filter_map(|block| block.argument("required_version"));
    let mut all: Vec<(Place, String, VersionConstraints)> = Vec::new();
    for argument in arguments {
        let Some(text) = literal_text(&argument.expr) else { return };
        let Ok(constraints) = VersionConstraints::parse(&text) else { return };
        all.push((argument.expr.place(), text, constraints));
    }
    let Some((place, _, _)) = all.first() else { return };
    let evidence = subject.node.project().evidence();
    let read_as = subject.node.edition().dialect;
    let allows = |version: ReleaseVersion| all.iter().all(|(_, _, one)| one.allow(&version));
    let oldest = |dialect: Dialect| {
        let minors = 0..=dialect.newest_known().minor;
        minors.into_iter().find(|minor| {
            (0..PATCHES).any(|patch| allows(ReleaseVersion::new(1, u64::from(*minor), patch)))
        })
    };
    let (tofu, terraform) = (oldest(Dialect::OpenTofu), oldest(Dialect::Terraform));
    // The feature, the program that is checked, and the version since which it supports the feature.
    let judged = |editions: Availability| {
        let dialect = match editions.since(Dialect::Terraform) {
            Some(_) if evidence.is_guess => Dialect::Terraform,
            None if evidence.is_guess => Dialect::OpenTofu,
            _ => read_as,
        };
        let first = match dialect {
            Dialect::OpenTofu => tofu?.max(OLDEST_OPENTOFU),
            _ => terraform?,
        };
        let since = editions.since(dialect)?;
        (since > Version::new(1, first, 0)).then_some((dialect, since, first))
    };
    let needs =
        subject.module.feature_uses(subject.sources, &|editions| judged(editions).is_some());
    let mut worst: Option<(Version, Dialect, u32)> = None;
    let mut named: Vec<&FeatureUse> = Vec::new();
    let mut kinds = BTreeSet::new();
    for need in &needs {
        let Some((dialect, since, first)) = judged(need.editions) else { continue };
        if worst.is_none_or(|(known, ..)| known < since) {
            worst = Some((since, dialect, first));
        }
        if kinds.insert(&need.kind) {
            named.push(need);
        }
    }
    let Some((since, dialect, first)) = worst else { return };
    let texts: Vec<&str> = all.iter().map(|(_, text, _)| text.as_str()).collect();
    let detail = format!(
        "\"{}\" allows {dialect} 1.{first}, but the module needs 1.{} or later. Require \">= 1.{}\".",
        texts.join("\" and \""),
        since.minor,
        since.minor
    );
    let mut one = Diagnostic::warning(&codes::VERSION_TOO_LOW, detail).at(*place);
    named.sort_by_key(|need| std::cmp::Reverse(judged(need.editions).map(|(_, since, _)| since)));
    for need in named.into_iter().take(NAMED) {
        let since = judged(need.editions).map_or(since, |(_, since, _)| since);
        let text =
            format!("{} came with {dialect} 1.{}.", capital(&need.kind.to_string()), since.minor);
        one = one.note_at(text, need.place);
    }
    found.push(one);
}

/// The minor number of the first OpenTofu release, 1.6.
const OLDEST_OPENTOFU: u32 = 6;

/// Returns a text with its first letter capitalized.
fn capital(text: &str) -> String {
    let mut signs = text.chars();
    signs.next().map(|first| first.to_uppercase().chain(signs).collect()).unwrap_or_default()
}
