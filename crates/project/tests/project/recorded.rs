//! Recorded module cases: outputs and console answers of a reference program. Results that only a plan has (conditions of
//! resources, providers, state) are not judged here.

use groma_inputs::InputAssignment;
use groma_module::ProviderSchemas;
use groma_project::{LoadOptions, LoadPurpose, ProjectOptions, RootInputs, RunOptions};
use groma_runtime::MemoryHost;
use groma_syntax::Diagnostics;
use groma_value::{Mark, Type, Value, json_type, print};
use testkit::Json;
use testkit::case::{self, Case, Given, Turn, bare_marks};

use super::scene::{Loaded, Scene};

/// Prefixes of the names of cases that need a schema or a state, and are judged elsewhere.
const ELSEWHERE: [&str; 7] =
    ["aws-", "state-", "data-remote", "import-", "removed-", "moved-", "provider-"];

#[test]
fn recorded_cases() {
    let cases = case::modules(|case| {
        let is_ours =
            case.name.starts_with("provider-function") || !case.starts_with_one_of(&ELSEWHERE);
        is_ours && !case.has_state()
    });
    case::settle("modules", &cases, |turn| Some(judge(turn)));
}

/// Returns the project of a case in one dialect, not loaded yet.
pub(crate) fn scene(turn: &Turn<'_>) -> Scene {
    let case = turn.case;
    let assignments = case.given().into_iter().map(|given| match given {
        Given::Variable { name, text } => InputAssignment::Variable { name, text },
        Given::File(path) => InputAssignment::File(path),
    });
    let host = host(case, case.files());
    let run = RunOptions { assignments: assignments.collect(), ..RunOptions::default() };
    let load = LoadOptions {
        edition: groma_runtime::Edition::parse(turn.dialect),
        root: Some("/".to_owned()),
        schemas: ProviderSchemas::cached(&host, case.directory()).unwrap_or_default(),
        queries: case.asks_queries(),
        purpose: match turn.is_refused("validate") {
            true => LoadPurpose::Check,
            false => LoadPurpose::Evaluate,
        },
        ..LoadOptions::default()
    };
    let options = ProjectOptions { load, run };
    Scene { host, options, dir: case.directory().to_owned() }
}

/// Returns a host with these files and the environment of a case.
pub(crate) fn host(case: &Case, files: Vec<(String, Vec<u8>)>) -> MemoryHost {
    let host = files
        .into_iter()
        .fold(MemoryHost::new(), |host, (name, bytes)| host.with_file(&name, bytes));
    case.environment().into_iter().fold(host, |host, (name, value)| host.with_env(name, value))
}

/// Returns the differences between a case's recorded results and ours, as lines of `WHAT: more`; empty if there are none.
fn judge(turn: &Turn<'_>) -> Option<String> {
    let loaded = scene(turn).load();
    let expect = turn.expect;
    let mut out = loaded.found.clone();
    loaded.evaluation.evaluate_all(&mut out);
    let version_only = out.iter().all(|d| d.code.slug != "required-version");
    if ["plan", "init", "validate"].iter().any(|stage| turn.is_refused(stage)) {
        // Whatever a plan refuses for its own reasons is not judged here.
        let invalid = turn.is_refused("validate");
        if invalid && !out.has_errors() {
            let schemas = scene(turn).options.load.schemas;
            let load =
                LoadOptions { inputs: RootInputs::Unknown, schemas, ..LoadOptions::default() };
            let options = ProjectOptions { load, ..ProjectOptions::default() };
            groma_project::validate(loaded.evaluation.project(), &options, &mut out);
        }
        return (invalid && !out.has_errors() && version_only)
            .then(|| "verdict: nothing is found wrong".to_owned());
    }
    if out.has_errors() {
        return Some(format!("verdict: {:?} {}", loaded.list(&out), loaded.details()));
    }
    if let Some(Json::Object(outputs)) = expect.get("outputs") {
        for (name, want) in outputs {
            if let Some(why) = differs(&loaded, name, want) {
                return Some(format!("outputs: {name}: {why}"));
            }
        }
    }
    if let Some(Json::Object(console)) = expect.get("console").filter(|_| !turn.is_before) {
        let flags = turn.case.console_flags();
        let scope = flags.iter().find_map(|flag| flag.strip_prefix("-scope=")).unwrap_or("");
        let mut found = Diagnostics::new();
        let from = loaded.evaluation.at_module(scope, &mut found);
        for (expression, want) in console {
            let mut out = found.clone();
            let value = from.as_ref().map_or(Value::NULL, |from| {
                loaded.evaluation.evaluate_text_at(from, expression, "<console>", &mut out)
            });
            let got = if out.has_errors() { None } else { Some(print::console(&value)) };
            if got.as_deref() != want.text() {
                return Some(format!(
                    "console: {expression}: want {want:?} got {got:?} {:?}",
                    loaded.list(&out)
                ));
            }
        }
    }
    None
}

/// Returns the difference between an output and its recorded value, if any.
fn differs(loaded: &Loaded, name: &str, want: &Json) -> Option<String> {
    let mut out = Diagnostics::new();
    let Some(output) = loaded.evaluation.output(name, &mut out) else {
        return Some("is not there".to_owned());
    };
    let value = match output.sensitive {
        true => output.value.sensitive(),
        false => output.value,
    };
    let (plain, unknown, sensitive) = facts(&value);
    let none = Json::Bool(false);
    let parts = [
        ("value", plain.unwrap_or(Json::Null), want.get("value").unwrap_or(&Json::Null).clone()),
        ("unknown", bare_marks(&unknown), bare_marks(want.get("unknown").unwrap_or(&none))),
        ("sensitive", bare_marks(&sensitive), bare_marks(want.get("sensitive").unwrap_or(&none))),
    ];
    for (what, got, want) in parts {
        if got != want {
            return Some(format!("{what}: want {want:?} got {got:?}"));
        }
    }
    // A plan shows no type of a null output.
    let ty = if value.is_null() { Type::Dynamic } else { value.unmark_deep().0.ty() };
    let ty = Json::read(&json_type::write(&ty)).unwrap_or(Json::Null);
    match want.get("type") {
        Some(want) if *want != ty => Some(format!("type: want {want:?} got {ty:?}")),
        _ => None,
    }
}

/// Returns a value as a plan's document writes it: the known parts, the mirror of unknown parts, and that of sensitive parts.
fn facts(value: &Value) -> (Option<Json>, Json, Json) {
    let sensitive = value.marks().contains(&Mark::Sensitive);
    let (plain, unknown, inner) = bare_facts(value.bare());
    (plain, unknown, if sensitive { Json::Bool(true) } else { inner })
}

/// Returns a value without marks as a plan's document writes it; parts may have marks.
fn bare_facts(value: &Value) -> (Option<Json>, Json, Json) {
    let no = || Json::Bool(false);
    let list = |items: &[Value]| {
        let parts: Vec<_> = items.iter().map(facts).collect();
        (
            Some(Json::List(parts.iter().map(|(v, ..)| v.clone().unwrap_or(Json::Null)).collect())),
            Json::List(parts.iter().map(|(_, u, _)| u.clone()).collect()),
            Json::List(parts.into_iter().map(|(.., s)| s).collect()),
        )
    };
    let object = |items: Vec<(String, &Value)>| {
        let parts: Vec<_> = items.into_iter().map(|(name, value)| (name, facts(value))).collect();
        let known = parts.iter().filter_map(|(name, (v, ..))| Some((name.clone(), v.clone()?)));
        (
            Some(Json::Object(known.collect())),
            Json::Object(parts.iter().map(|(name, (_, u, _))| (name.clone(), u.clone())).collect()),
            Json::Object(parts.into_iter().map(|(name, (.., s))| (name, s)).collect()),
        )
    };
    match value {
        Value::Unknown(_) => (None, Json::Bool(true), no()),
        Value::List(list_value) => list(list_value.items()),
        Value::Set(set) => list(set.items()),
        Value::Tuple(tuple) => list(tuple.items()),
        Value::Map(map) => object(map.entries().iter().map(|(k, v)| (k.to_string(), v)).collect()),
        Value::Object(o) => object(o.iter().map(|(k, v)| (k.to_string(), v)).collect()),
        plain => (Json::read(&groma_value::json::plain(plain)).ok(), no(), no()),
    }
}
