//! Recorded module cases: the outputs and console answers that a reference program gave. What only
//! a plan can say (conditions of resources, providers, state) is not judged here.

use std::path::Path;

use groma_functions::MemoryHost;
use groma_module::{Assignment, Options};
use groma_syntax::Diagnostics;
use groma_value::{Mark, Type, Value, json_type, print};
use testkit::pending::{self, Outcome};
use testkit::{Json, conformance};

use super::scene::{Loaded, Scene};

/// Cases whose facts need more than source: a schema, a state.
const ELSEWHERE: [&str; 7] =
    ["aws-", "state-", "data-remote", "import-", "removed-", "moved-", "provider-"];

#[test]
fn recorded_cases() {
    let folder = conformance().join("modules");
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .filter(|name| folder.join(name).join("case.json").exists())
        .filter(|name| {
            name.starts_with("provider-function")
                || !ELSEWHERE.iter().any(|prefix| name.starts_with(prefix))
        })
        .filter(|name| !folder.join(name).join("input/terraform.tfstate").exists())
        .collect();
    names.sort();
    let mut outcomes = Vec::new();
    for name in &names {
        let text = std::fs::read_to_string(folder.join(name).join("case.json")).unwrap();
        let case = Json::read(&text).unwrap();
        let input = folder.join(name).join("input");
        let mut turns = vec![(case.get("dialect").unwrap(), case.get("expect").unwrap(), "")];
        if let Some(other) = case.get("other") {
            let expect = match other.get("same") {
                Some(Json::Bool(true)) => case.get("expect"),
                _ => other.get("expect"),
            };
            turns.push((other.get("dialect").unwrap(), expect.unwrap(), "@terraform"));
        }
        for (dialect, expect, suffix) in turns {
            let differs = judge(&case, expect, dialect.text().unwrap(), &input);
            let id = format!("modules/{name}{suffix}");
            let detail = differs.clone().unwrap_or_default();
            outcomes.push(Outcome {
                id,
                differs: differs.map(|d| d.split(':').next().unwrap_or("").to_owned()),
                detail: format!("  {detail}\n"),
            });
        }
    }
    let agree = outcomes.iter().filter(|outcome| outcome.differs.is_none()).count();
    for outcome in outcomes.iter().filter(|outcome| outcome.differs.is_some()) {
        println!("{}: {}", outcome.id, outcome.detail.trim());
    }
    println!("{agree} of {} recorded module cases agree", outcomes.len());
    if let Err(report) = pending::settle(&pending::pending_file(), &outcomes) {
        panic!("{report}");
    }
}

fn read_into(mut host: MemoryHost, folder: &Path, prefix: &str) -> MemoryHost {
    let mut entries: Vec<_> =
        std::fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path()).collect();
    entries.sort();
    for path in entries {
        let name = format!("{prefix}{}", path.file_name().unwrap_or_default().to_string_lossy());
        host = match path.is_dir() {
            true => read_into(host, &path, &format!("{name}/")),
            false => host.with_file(&name, std::fs::read(&path).unwrap_or_default()),
        };
    }
    host
}

pub(crate) fn scene(case: &Json, dialect: &str, input: &Path) -> Scene {
    let mut options = Options::default();
    let mut args =
        case.get("args").and_then(Json::list).unwrap_or_default().iter().filter_map(Json::text);
    let variable = |text: &str| {
        let (name, text) = text.split_once('=').unwrap_or((text, ""));
        Assignment::Variable { name: name.to_owned(), text: text.to_owned() }
    };
    while let Some(arg) = args.next() {
        let (name, value) = match arg.split_once('=') {
            Some((name @ ("-var" | "-var-file"), value)) => (name, value),
            _ => (arg, if arg.starts_with("-var") { args.next().unwrap_or("") } else { "" }),
        };
        match name {
            "-var" => options.assignments.push(variable(value)),
            "-var-file" => options.assignments.push(Assignment::File(value.to_owned())),
            _ => {}
        }
    }
    options.edition = groma_functions::Edition::parse(dialect);
    options.root = Some("/".to_owned());
    let mut host = read_into(MemoryHost::new(), input, "");
    if let Some(Json::Object(env)) = case.get("env") {
        for (name, value) in env {
            host = host.with_env(name, value.text().unwrap_or_default());
        }
    }
    let dir = case.get("chdir").and_then(Json::text).unwrap_or(".").to_owned();
    Scene { host, options, dir }
}

/// What differs, `WHAT: more`; nothing where all that is judged agrees.
fn judge(case: &Json, expect: &Json, dialect: &str, input: &Path) -> Option<String> {
    let loaded = scene(case, dialect, input).load();
    let is_error = |json: &Json| json.get("severity").and_then(Json::text) == Some("error");
    let refused = |stage: &str| {
        let diagnostics = expect.get(stage).and_then(|s| s.get("diagnostics")).and_then(Json::list);
        diagnostics.is_some_and(|list| list.iter().any(is_error))
    };
    let mut out = loaded.found.clone();
    loaded.evaluation.evaluate_all(&mut out);
    let version_only = out.iter().all(|d| d.code.slug != "required-version");
    if refused("plan") || refused("init") || refused("validate") {
        // Whatever a plan refuses for its own reasons is not judged here.
        let invalid = refused("validate");
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
    if let Some(Json::Object(console)) = expect.get("console") {
        for (expression, want) in console {
            let mut out = Diagnostics::new();
            let value = loaded.evaluation.evaluate_text(expression, "<console>", &mut out);
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
        ("unknown", bare(&unknown), bare(want.get("unknown").unwrap_or(&none))),
        ("sensitive", bare(&sensitive), bare(want.get("sensitive").unwrap_or(&none))),
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

/// A value as a plan shows it: without its unknown parts, and where it is unknown and sensitive.
fn facts(value: &Value) -> (Option<Json>, Json, Json) {
    let sensitive = value.marks().contains(&Mark::Sensitive);
    let (plain, unknown, inner) = bare_facts(value.bare());
    (plain, unknown, if sensitive { Json::Bool(true) } else { inner })
}

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

/// A mirror of marks without the parts that say nothing.
fn bare(mark: &Json) -> Json {
    let no = Json::Bool(false);
    match mark {
        Json::Object(entries) => {
            let kept: std::collections::BTreeMap<String, Json> = entries
                .iter()
                .map(|(name, inner)| (name.clone(), bare(inner)))
                .filter(|(_, inner)| *inner != no)
                .collect();
            if kept.is_empty() { no } else { Json::Object(kept) }
        }
        Json::List(items) => {
            let kept: Vec<Json> = items.iter().map(bare).collect();
            if kept.iter().all(|inner| *inner == no) { no } else { Json::List(kept) }
        }
        other => Json::Bool(*other == Json::Bool(true)),
    }
}
