//! Plans of unknown editions: the facts of the newest editions, planned as if only the ones before were known. Something unknown
//! is reported, is no error, and makes the plan incomplete.

use std::collections::BTreeMap;

use groma_runtime::{Edition, Version};
use groma_syntax::Severity;
use testkit::Json;
use testkit::case::{self, bare_marks};

use super::scene::{options, plan_files};

/// Editions that are newer than the known ones: as recorded, the newest known edition before it, and its version.
const EDITIONS: &[(&str, &str, Version)] = &[
    ("terraform@1.16", "terraform@1.15", Version::new(1, 16, 0)),
    ("opentofu@1.13", "opentofu@1.12", Version::new(1, 13, 0)),
];

/// Cases in which the newer edition gives code another meaning, each with the reason.
const MEANS_ANOTHER_THING: &[(&str, &str)] = &[
    ("tf16-action-caller-self", "self is known in more places"),
    ("tf16-action-condition-count-before", "conditions are part of planning the resource"),
    ("tf16-action-condition-self-after", "self is known in more places"),
    ("tf16-action-condition-self-update", "self is known in more places"),
    ("tf16-action-condition-unknown", "conditions may be unknown"),
    ("tf16-action-condition-unknown-before", "conditions may be unknown"),
    ("tf16-action-untriggered-error", "actions are evaluated for their callers alone"),
    ("tf16-contains-merge-null", "contains takes null"),
    ("tf16-provider-namespace-underscore-and-dash", "namespaces take underscores"),
    ("tf16-provider-namespace-underscore-double", "namespaces take underscores"),
    ("tf16-provider-namespace-underscore-host", "namespaces take underscores"),
    ("tf16-provider-namespace-underscore-upper", "namespaces take underscores"),
    ("tf16-store-absent-in-state-output", "a whole terraform_data has one attribute more"),
    ("tofu13-cidrsubnets-33", "cidrsubnets takes more bits"),
    ("tofu13-contains-merge-null", "contains takes null"),
];

/// Returns the outputs whose known values differ from the recorded ones, as text with both values.
fn claims(document: &Json, expect: &Json) -> Vec<String> {
    let Some(Json::Object(changes)) = document.get("output_changes") else { return Vec::new() };
    let wanted = |name: &str| expect.get("outputs").and_then(|all| all.get(name));
    let is_wrong = |name: &String, change: &Json| {
        let Some(want) = wanted(name) else { return false };
        let is_known =
            bare_marks(change.get("after_unknown").unwrap_or(&Json::Null)) == Json::Bool(false);
        is_known && change.get("after") != want.get("value")
    };
    let wrong = changes.iter().filter(|(name, change)| is_wrong(name, change));
    wrong
        .map(|(name, change)| format!("{name} {:?} {:?}", change.get("after"), wanted(name)))
        .collect()
}

/// Tests that plans of editions newer than the known ones report what they do not know, and otherwise equal the recorded plans.
#[test]
fn what_is_not_known_yet_is_planned() {
    let mut all = case::modules(|case| !case.needs_provider());
    all.extend(case::states(|case| !case.needs_provider()));
    let mut wrong = BTreeMap::new();
    let mut told = 0;
    for turn in all.iter().flat_map(case::Case::turns).filter(|turn| !turn.is_beside) {
        let Some((_, known, version)) = EDITIONS.iter().find(|(new, ..)| *new == turn.dialect)
        else {
            continue;
        };
        if turn.expect.get("plan").and_then(Json::text) != Some("ok") {
            continue;
        }
        let mut asked = options(&turn);
        let known = Edition::parse(known).unwrap();
        asked.load.edition = Some(known.unknown_after(*version));
        let plan = plan_files(&turn, turn.case.files(), asked);
        let found = plan.diagnostics();
        if found.iter().any(|one| one.code.slug == "newer-edition") {
            told += 1;
            assert!(!plan.is_complete(), "{}", turn.name());
        }
        let errors = found.iter().filter(|one| one.severity == Severity::Error);
        let mut differs: Vec<String> =
            errors.map(|one| format!("{}: {}", one.code.slug, one.detail)).collect();
        differs.extend(claims(&Json::read(&plan.json()).unwrap(), turn.expect));
        if !differs.is_empty() {
            wrong.insert(turn.name(), differs);
        }
    }
    let listed: Vec<&str> = MEANS_ANOTHER_THING.iter().map(|(name, _)| *name).collect();
    let found: Vec<&str> = wrong.keys().map(String::as_str).collect();
    assert_eq!(found, listed, "{wrong:#?}");
    assert!(told > 100, "{told}");
}
