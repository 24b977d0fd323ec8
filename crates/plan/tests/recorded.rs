//! Recorded module cases, planned in process: verdict, outputs, resources, data and checks as the
//! reference programs gave them. Cases of real providers need schemas, and those with a state need
//! one: they are left out by name.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use groma_functions::{Edition, MemoryHost};
use groma_module::{Assignment, Evaluation, Options, Project};
use groma_plan::{Plan, PlanFacts};
use groma_syntax::Diagnostics;
use testkit::pending::{self, Outcome};
use testkit::{Json, conformance};

type Facts = BTreeMap<String, Json>;

#[test]
fn recorded_plans() {
    let folder = conformance().join("modules");
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .filter(|name| folder.join(name).join("case.json").exists())
        .filter(|name| !name.starts_with("aws-") && !name.starts_with("state-"))
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
            outcomes.push(Outcome {
                id: format!("plan/{name}{suffix}"),
                detail: format!("  {}\n", differs.clone().unwrap_or_default()),
                differs: differs.map(|d| d.split(':').next().unwrap_or("").to_owned()),
            });
        }
    }
    let agree = outcomes.iter().filter(|outcome| outcome.differs.is_none()).count();
    println!("{agree} of {} recorded plans agree", outcomes.len());
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

fn plan(case: &Json, dialect: &str, input: &Path) -> Plan {
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
    options.edition = Edition::parse(dialect);
    options.root = Some("/".to_owned());
    options.strict = true;
    options.judging = true;
    let mut host = read_into(MemoryHost::new(), input, "");
    if let Some(Json::Object(env)) = case.get("env") {
        for (name, value) in env {
            host = host.with_env(name, value.text().unwrap_or_default());
        }
    }
    let dir = case.get("chdir").and_then(Json::text).unwrap_or(".").to_owned();
    let mut found = Diagnostics::new();
    let project = Project::load(&dir, &options, Arc::new(host), &mut found);
    let facts = Arc::new(PlanFacts::of(&project));
    Plan::of(Evaluation::new(project, facts, options.clone()), &options, found)
}

/// What differs, `WHAT: more`; nothing where everything agrees.
fn judge(case: &Json, expect: &Json, dialect: &str, input: &Path) -> Option<String> {
    let plan = plan(case, dialect, input);
    let is_error = |json: &Json| json.get("severity").and_then(Json::text) == Some("error");
    let refused = |stage: &str| {
        let diagnostics = expect.get(stage).and_then(|s| s.get("diagnostics")).and_then(Json::list);
        diagnostics.is_some_and(|list| list.iter().any(is_error))
    };
    let document = Json::read(&plan.json()).unwrap();
    if refused("plan") || expect.get("init").is_some() {
        return (!plan.is_errored()).then(|| "verdict: nothing is found wrong".to_owned());
    }
    if plan.is_errored() {
        let found: Vec<&str> = plan.diagnostics().iter().map(|d| d.detail.as_str()).collect();
        return Some(format!("verdict: {}", found.join(" ")));
    }
    let pairs = [
        ("outputs", wanted_outputs(expect), outputs(&document)),
        ("resources", wanted_resources(expect), resources(&document)),
        ("data", wanted_data(expect), data(&document)),
        ("checks", entries(expect.get("checks")), checks(&document)),
    ];
    for (what, want, got) in pairs {
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

fn entries(json: Option<&Json>) -> Facts {
    match json {
        Some(Json::Object(entries)) => {
            entries.iter().map(|(k, v)| (k.clone(), v.clone())).collect()
        }
        _ => Facts::new(),
    }
}

/// These parts of an object, with marks made bare.
fn parts(json: &Json, plain: &[&str], marks: &[(&str, &str)]) -> Json {
    let mut found = BTreeMap::new();
    for name in plain {
        if let Some(value) = json.get(name) {
            found.insert((*name).to_owned(), value.clone());
        }
    }
    for (from, to) in marks {
        let mark = json.get(from).map_or(Json::Bool(false), bare);
        found.insert((*to).to_owned(), mark);
    }
    Json::Object(found)
}

fn with(json: Json, name: &str, value: Json) -> Json {
    match json {
        Json::Object(mut entries) => {
            entries.insert(name.to_owned(), value);
            Json::Object(entries)
        }
        other => other,
    }
}

const MARKS: [(&str, &str); 2] = [("unknown", "unknown"), ("sensitive", "sensitive")];
const AFTER: [(&str, &str); 2] = [("after_unknown", "unknown"), ("after_sensitive", "sensitive")];

fn wanted_outputs(expect: &Json) -> Facts {
    let all = entries(expect.get("outputs")).into_iter();
    all.map(|(name, output)| (name, parts(&output, &["value", "type"], &MARKS))).collect()
}

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

fn wanted_resources(expect: &Json) -> Facts {
    let all = entries(expect.get("resources")).into_iter();
    all.map(|(name, r)| (name, parts(&r, &["values", "actions", "action_reason"], &MARKS)))
        .collect()
}

fn resources(document: &Json) -> Facts {
    let all = document.get("resource_changes").and_then(Json::list).unwrap_or_default();
    all.iter()
        .map(|one| {
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

fn wanted_data(expect: &Json) -> Facts {
    let all = entries(expect.get("data")).into_iter();
    all.map(|(name, data)| (name, data.get("values").cloned().unwrap_or(Json::Null))).collect()
}

fn data(document: &Json) -> Facts {
    let mut found = Facts::new();
    let state = document.get("prior_state").and_then(|state| state.get("values"));
    let mut rest: Vec<&Json> =
        state.and_then(|values| values.get("root_module")).into_iter().collect();
    while let Some(module) = rest.pop() {
        for resource in module.get("resources").and_then(Json::list).unwrap_or_default() {
            let address = resource.get("address").and_then(Json::text).unwrap().to_owned();
            found.insert(address, resource.get("values").cloned().unwrap_or(Json::Null));
        }
        rest.extend(module.get("child_modules").and_then(Json::list).unwrap_or_default());
    }
    found
}

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
