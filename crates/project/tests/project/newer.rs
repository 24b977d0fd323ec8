//! Code of unknown editions: the facts of the newest editions, checked as if only the ones before were known. Something unknown
//! is reported and is no error.

use std::collections::BTreeMap;

use groma_runtime::{Edition, Version};
use groma_syntax::Severity;
use testkit::{Json, case};

use super::checked::check;
use super::recorded::scene;

/// Editions that are newer than the known ones: as recorded, the newest known edition before it, and its version.
const EDITIONS: &[(&str, &str, Version)] = &[
    ("terraform@1.16", "terraform@1.15", Version::new(1, 16, 0)),
    ("opentofu@1.13", "opentofu@1.12", Version::new(1, 13, 0)),
];

/// Cases in which the newer edition gives code another meaning, so that the older edition has an error which the newer one does
/// not have; each with the reason.
const MEANS_ANOTHER_THING: &[(&str, &str)] = &[
    ("import-inner-target", "the id of an import in a module is looked at later"),
    ("tf16-action-caller-self", "self is known in more places"),
    ("tf16-contains-merge-null", "contains takes null"),
    (
        "tf16-import-in-module-each-of-module",
        "what an import in a module refers to is looked at later",
    ),
    ("tf16-import-in-module-id-empty", "the id of an import in a module is looked at later"),
    ("tf16-import-in-module-id-null", "the id of an import in a module is looked at later"),
    (
        "tf16-import-in-module-undeclared-reference",
        "what an import in a module refers to is looked at later",
    ),
    ("tf16-provider-namespace-underscore-and-dash", "namespaces take underscores"),
    ("tf16-provider-namespace-underscore-double", "namespaces take underscores"),
    ("tf16-provider-namespace-underscore-host", "namespaces take underscores"),
    ("tf16-provider-namespace-underscore-upper", "namespaces take underscores"),
    ("tofu13-cidrsubnets-33", "cidrsubnets takes more bits"),
    ("tofu13-contains-merge-null", "contains takes null"),
    ("tofu13-override-wildcards-in-test", "targets of overrides take [*]"),
];

#[test]
fn what_is_not_known_yet_is_no_error() {
    let mut all = case::modules(|case| !case.needs_provider());
    all.extend(case::states(|case| !case.needs_provider()));
    let mut wrong = BTreeMap::new();
    let mut told = 0;
    for turn in all.iter().flat_map(case::Case::turns).filter(|turn| !turn.is_beside) {
        let Some((_, known, version)) = EDITIONS.iter().find(|(new, ..)| *new == turn.dialect)
        else {
            continue;
        };
        let is_valid = turn.expect.get("validate").and_then(|one| one.get("valid"));
        if is_valid != Some(&Json::Bool(true)) {
            continue;
        }
        let mut scene = scene(&turn);
        let known = Edition::parse(known).unwrap();
        scene.options.load.edition = Some(known.unknown_after(*version));
        let (found, _) = check(scene);
        told += usize::from(found.iter().any(|one| one.code.slug == "newer-edition"));
        let errors = found.iter().filter(|one| one.severity == Severity::Error);
        let errors: Vec<String> =
            errors.map(|one| format!("{}: {}", one.code.slug, one.detail)).collect();
        if !errors.is_empty() {
            wrong.insert(turn.name(), errors);
        }
    }
    let listed: Vec<&str> = MEANS_ANOTHER_THING.iter().map(|(name, _)| *name).collect();
    let found: Vec<&str> = wrong.keys().map(String::as_str).collect();
    assert_eq!(found, listed, "{wrong:#?}");
    assert!(told > 100, "{told}");
}
