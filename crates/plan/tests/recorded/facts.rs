//! Verdict, outputs, resources, data and checks as reported by the reference programs, with an empty state and with a prior one.
//! Cases of real providers need schemas: they are skipped by name.

use std::collections::BTreeMap;

use testkit::Json;
use testkit::case::{self, Turn, bare_marks};

use super::scene::plan;

/// Facts of a recorded or of our own plan, as JSON by name or address.
type Facts = BTreeMap<String, Json>;

/// Compares plans without a prior state to those recorded of the reference programs.
#[test]
fn recorded_plans() {
    let cases = case::modules(|case| {
        // Plans do not read query files.
        !case.starts_with_one_of(&["aws-"]) && !case.asks_queries()
    });
    case::settle("plan", &cases, |turn| Some(judge(turn)));
}

/// Cases with combinations of flags that the command line refuses before a plan is made.
const REFUSED: [&str; 4] = [
    "st-exclude-orphan-and-target",
    "st-exclude-with-destroy",
    "st-refresh-only-and-destroy",
    "st-refresh-only-and-refresh-false",
];

/// Compares plans with a prior state to those recorded of the reference programs.
#[test]
fn recorded_plans_against_a_state() {
    let cases =
        case::states(|case| !case.needs_provider() && !REFUSED.contains(&case.name.as_str()));
    case::settle("state", &cases, |turn| Some(judge(turn)));
}

/// Returns the differences between a case's recorded facts and our plan, as lines of `WHAT: more`; empty if there are none.
fn judge(turn: &Turn<'_>) -> Option<String> {
    let plan = plan(turn);
    let expect = turn.expect;
    let document = Json::read(&plan.json()).unwrap();
    // No plan is recorded of code that `validate` refuses.
    let is_refused = match expect.get("plan") {
        Some(_) => turn.is_refused("plan"),
        None => turn.is_refused("validate"),
    };
    if is_refused || expect.get("init").is_some() {
        return (!plan.is_errored()).then(|| "verdict: nothing is found wrong".to_owned());
    }
    if plan.is_errored() {
        let found: Vec<&str> = plan.diagnostics().iter().map(|d| d.detail.as_str()).collect();
        return Some(format!("verdict: {}", found.join(" ")));
    }
    if turn.is_verdict_only {
        return None;
    }
    let pairs = [
        ("outputs", wanted_outputs(expect), outputs(&document)),
        ("resources", wanted_resources(expect), resources(&document)),
        ("data", wanted_data(expect), data(&document)),
        ("checks", entries(expect.get("checks")), checks(&document)),
        ("actions", actions(expect.get("actions")), actions(document.get("action_invocations"))),
        ("deposed", changed(expect.get("deposed")), planned(&document, true)),
        ("changes", changed(expect.get("resources")), planned(&document, false)),
        ("moves", drifted(expect.get("drift")), drift(&document)),
        ("relevant", relevant_wanted(expect), relevant(&document)),
    ];
    // Prior values are only recorded for some cases.
    let knows_before = expect.get("changes").is_some();
    for (what, want, got) in pairs {
        if !knows_before && matches!(what, "deposed" | "changes" | "moves") {
            continue;
        }
        // Some cases do not record properties that depend on a provider.
        if what == "resources" && expect.get(what).is_none() {
            continue;
        }
        if what == "relevant" && (expect.get(what).is_none() || turn.is_beside) {
            continue;
        }
        let names: std::collections::BTreeSet<&String> = want.keys().chain(got.keys()).collect();
        for name in names {
            if want.get(name) != got.get(name) {
                let (want, got) = (want.get(name), got.get(name));
                return Some(format!("{what}: {name}: want {want:?} got {got:?}"));
            }
        }
    }
    None
}

/// Returns the recorded reasons and prior values of changes, by address. Cases without a prior state do not record them.
fn changed(wanted: Option<&Json>) -> Facts {
    let all = entries(wanted).into_iter().filter(|(_, one)| one.get("before").is_some());
    all.map(|(name, one)| {
        let plain = ["actions", "action_reason", "previous_address", "before", "replace_paths"];
        let told = parts(&one, &plain, &[("before_sensitive", "hidden")]);
        let id = one.get("importing").and_then(|importing| importing.get("id")).cloned();
        (name, with(told, "id", id.unwrap_or(Json::Null)))
    })
    .collect()
}

/// Returns the reasons and prior values of changes in our document, of deposed objects or of current ones.
fn planned(document: &Json, deposed: bool) -> Facts {
    let all = document.get("resource_changes").and_then(Json::list).unwrap_or_default();
    let mut found = Facts::new();
    for one in all.iter().filter(|one| one.get("deposed").is_some() == deposed) {
        let change = one.get("change").unwrap();
        let actions = change.get("actions").and_then(Json::list).unwrap_or_default();
        let is_plain = |slug: &str| actions == [Json::Text(slug.to_owned())];
        if ["no-op", "create", "read"].into_iter().any(is_plain) {
            continue;
        }
        let mut told = parts(
            change,
            &["actions", "before", "replace_paths"],
            &[("before_sensitive", "hidden")],
        );
        for key in ["action_reason", "previous_address"] {
            if let Some(value) = one.get(key) {
                told = with(told, key, value.clone());
            }
        }
        let id = change.get("importing").and_then(|importing| importing.get("id")).cloned();
        let told = with(told, "id", id.unwrap_or(Json::Null));
        let address = one.get("address").and_then(Json::text).unwrap();
        let name = match one.get("deposed").and_then(Json::text) {
            Some(key) => format!("{address} (deposed {key})"),
            None => address.to_owned(),
        };
        found.insert(name, told);
    }
    found
}

/// Returns the recorded addresses of objects that have moved, each with the previous one.
fn drifted(wanted: Option<&Json>) -> Facts {
    let all = entries(wanted).into_iter();
    all.map(|(name, one)| (name, one.get("previous_address").cloned().unwrap_or(Json::Null)))
        .collect()
}

/// Returns the addresses of objects that have moved in our document, each with the previous one.
fn drift(document: &Json) -> Facts {
    let all = document.get("resource_drift").and_then(Json::list).unwrap_or_default();
    let all = all.iter().map(|one| {
        let address = one.get("address").and_then(Json::text).unwrap().to_owned();
        (address, one.get("previous_address").cloned().unwrap_or(Json::Null))
    });
    all.collect()
}

/// Returns the recorded attributes that changes depend on, as `ADDRESS.PATH`.
fn relevant_wanted(expect: &Json) -> Facts {
    let all = expect.get("relevant").and_then(Json::list).unwrap_or_default();
    let names = all.iter().filter_map(Json::text);
    names.map(|name| (name.to_owned(), Json::Bool(true))).collect()
}

/// Returns the attributes that changes depend on in our document, as `ADDRESS.PATH`.
fn relevant(document: &Json) -> Facts {
    let all = document.get("relevant_attributes").and_then(Json::list).unwrap_or_default();
    let all = all.iter().map(|one| {
        let mut name = one.get("resource").and_then(Json::text).unwrap().to_owned();
        for step in one.get("attribute").and_then(Json::list).unwrap_or_default() {
            match step {
                Json::Text(text) => name.push_str(&format!(".{text}")),
                Json::Number(number) => name.push_str(&format!("[{number}]")),
                other => panic!("no step of an attribute: {other:?}"),
            }
        }
        (name, Json::Bool(true))
    });
    all.collect()
}

/// Returns the actions that would run, sorted by their text; empty if none are recorded.
fn actions(json: Option<&Json>) -> Facts {
    let Some(Json::List(all)) = json else { return Facts::new() };
    let mut told: Vec<String> = all
        .iter()
        .map(|one| {
            let trigger = one.get("lifecycle_action_trigger").unwrap_or(one);
            let invoked =
                one.get("invoked").is_some() || one.get("invoke_action_trigger").is_some();
            let why = [
                "triggering_resource_address",
                "action_trigger_event",
                "action_trigger_block_index",
                "actions_list_index",
                "on_failure",
            ];
            let why = why.map(|key| trigger.get(key));
            let marks =
                ["config_unknown", "config_sensitive"].map(|key| one.get(key).map(bare_marks));
            let values = one.get("config_values");
            format!("{:?} {invoked} {why:?} {values:?} {marks:?}", one.get("address"))
        })
        .collect();
    told.sort();
    let numbered = told.into_iter().enumerate();
    numbered.map(|(at, told)| (format!("{at}"), Json::Text(told))).collect()
}

/// Returns the properties of a JSON object as facts; none for another value.
fn entries(json: Option<&Json>) -> Facts {
    match json {
        Some(Json::Object(entries)) => {
            entries.iter().map(|(k, v)| (k.clone(), v.clone())).collect()
        }
        _ => Facts::new(),
    }
}

/// Returns these properties of an object: `plain` unchanged, and `marks` with their sensitive or unknown parts reduced, under
/// other names.
fn parts(json: &Json, plain: &[&str], marks: &[(&str, &str)]) -> Json {
    let mut found = BTreeMap::new();
    for name in plain {
        if let Some(value) = json.get(name) {
            found.insert((*name).to_owned(), value.clone());
        }
    }
    for (from, to) in marks {
        let mark = json.get(from).map_or(Json::Bool(false), bare_marks);
        found.insert((*to).to_owned(), mark);
    }
    Json::Object(found)
}

/// Returns a JSON object with one more property.
fn with(json: Json, name: &str, value: Json) -> Json {
    match json {
        Json::Object(mut entries) => {
            entries.insert(name.to_owned(), value);
            Json::Object(entries)
        }
        other => other,
    }
}

/// The properties of recorded values that mark unknown and sensitive parts, with the names in comparisons.
const MARKS: [(&str, &str); 2] = [("unknown", "unknown"), ("sensitive", "sensitive")];
/// The properties of our changes that mark unknown and sensitive parts, with the names in comparisons.
const AFTER: [(&str, &str); 2] = [("after_unknown", "unknown"), ("after_sensitive", "sensitive")];

/// Returns the recorded outputs: values, types and marks.
fn wanted_outputs(expect: &Json) -> Facts {
    let all = entries(expect.get("outputs")).into_iter();
    all.map(|(name, output)| (name, parts(&output, &["value", "type"], &MARKS))).collect()
}

/// Returns the outputs in our document: values, types and marks.
fn outputs(document: &Json) -> Facts {
    let planned = document.get("planned_values").and_then(|planned| planned.get("outputs"));
    let all = entries(document.get("output_changes")).into_iter();
    all.map(|(name, change)| {
        let value = change.get("after").cloned().unwrap_or(Json::Null);
        let mut output = with(parts(&change, &[], &AFTER), "value", value);
        let ty = planned.and_then(|planned| planned.get(&name)).and_then(|o| o.get("type"));
        if let Some(ty) = ty {
            output = with(output, "type", ty.clone());
        }
        (name, output)
    })
    .collect()
}

/// Returns the recorded changes of resources by address: planned values, actions and reasons.
fn wanted_resources(expect: &Json) -> Facts {
    let all = entries(expect.get("resources")).into_iter();
    all.map(|(name, r)| (name, parts(&r, &["values", "actions", "action_reason"], &MARKS)))
        .collect()
}

/// Returns the changes of resources in our document by address: planned values, actions and reasons.
fn resources(document: &Json) -> Facts {
    let all = document.get("resource_changes").and_then(Json::list).unwrap_or_default();
    let all = all.iter().filter(|one| one.get("deposed").is_none());
    all.map(|one| {
        let change = one.get("change").unwrap();
        let values = change.get("after").cloned().unwrap_or(Json::Null);
        let mut resource = with(parts(change, &["actions"], &AFTER), "values", values);
        if let Some(reason) = one.get("action_reason") {
            resource = with(resource, "action_reason", reason.clone());
        }
        (one.get("address").and_then(Json::text).unwrap().to_owned(), resource)
    })
    .collect()
}

/// Returns the recorded values of data sources by address.
fn wanted_data(expect: &Json) -> Facts {
    let all = entries(expect.get("data")).into_iter();
    all.map(|(name, data)| (name, data.get("values").cloned().unwrap_or(Json::Null))).collect()
}

/// Returns the values of data sources in our document by address.
fn data(document: &Json) -> Facts {
    let mut found = Facts::new();
    let state = document.get("prior_state").and_then(|state| state.get("values"));
    let mut rest: Vec<&Json> =
        state.and_then(|values| values.get("root_module")).into_iter().collect();
    while let Some(module) = rest.pop() {
        for resource in module.get("resources").and_then(Json::list).unwrap_or_default() {
            // The prior state also contains managed objects.
            if resource.get("mode").and_then(Json::text) != Some("data") {
                continue;
            }
            let address = resource.get("address").and_then(Json::text).unwrap().to_owned();
            found.insert(address, resource.get("values").cloned().unwrap_or(Json::Null));
        }
        rest.extend(module.get("child_modules").and_then(Json::list).unwrap_or_default());
    }
    found
}

/// Returns the status of each object with conditions in our document by its displayed address.
fn checks(document: &Json) -> Facts {
    let mut found = Facts::new();
    for check in document.get("checks").and_then(Json::list).unwrap_or_default() {
        let instances = check.get("instances").and_then(Json::list).unwrap_or_default();
        let all = if instances.is_empty() { std::slice::from_ref(check) } else { instances };
        for one in all {
            let shown = one.get("address").and_then(|a| a.get("to_display")).and_then(Json::text);
            found.insert(shown.unwrap().to_owned(), one.get("status").unwrap().clone());
        }
    }
    found
}
