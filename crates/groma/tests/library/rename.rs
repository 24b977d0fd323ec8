//! Names of the recorded modules, changed one after the other: what is planned stays the same up to the name, and to
//! change it back gives the same text but for what was moved.

use std::collections::BTreeMap;
use std::sync::Arc;

use groma::edit::{RenameRequest, RenameResult, rename, text_edits};
use groma::{
    Edition, Host, InputAssignment, LoadOptions, MemoryHost, PlanOptions, RunOptions, Severity,
    Snapshot, projects::ProjectOptions, states::StateFile,
};
use serde_json::Value;
use testkit::case::{self, Case, Given};

/// What a name is made by; no case says it.
const NEW: &str = "q9z";

/// A case as its first dialect sees it, with other texts.
struct Trial<'c> {
    case: &'c Case,
    edition: Option<Edition>,
    files: BTreeMap<String, Vec<u8>>,
    /// The variable that is called otherwise.
    renamed: Option<(String, String)>,
}

impl<'c> Trial<'c> {
    fn of(case: &'c Case) -> Trial<'c> {
        let turn = case.turns().into_iter().next();
        let edition = turn.and_then(|turn| Edition::parse(turn.dialect));
        Trial { case, edition, files: case.files().into_iter().collect(), renamed: None }
    }

    fn host(&self) -> Arc<dyn Host> {
        let host = self
            .files
            .iter()
            .fold(MemoryHost::new(), |host, (name, bytes)| host.with_file(name, bytes.clone()));
        let host = self.case.environment().into_iter().fold(host, |host, (name, value)| {
            let name = name
                .strip_prefix("TF_VAR_")
                .map_or(name.to_owned(), |own| format!("TF_VAR_{}", self.name(own)));
            host.with_env(&name, value)
        });
        Arc::new(host)
    }

    fn name(&self, own: &str) -> String {
        match &self.renamed {
            Some((old, new)) if old == own => new.clone(),
            _ => own.to_owned(),
        }
    }

    fn snapshot(&self) -> Snapshot {
        let assignments = self.case.given().into_iter().map(|given| match given {
            Given::Variable { name, text } => {
                InputAssignment::Variable { name: self.name(&name), text }
            }
            Given::File(path) => InputAssignment::File(path),
        });
        let run = RunOptions { assignments: assignments.collect(), ..RunOptions::default() };
        let load = LoadOptions {
            edition: self.edition,
            root: Some("/".to_owned()),
            ..LoadOptions::default()
        };
        let options = ProjectOptions { load, run };
        Snapshot::load(self.case.directory(), options, self.host())
    }

    /// What is planned, line by line and without places, and how much is wrong.
    fn meaning(&self) -> (Vec<String>, usize) {
        let snapshot = self.snapshot();
        // What a state records goes by the old names.
        let asked = PlanOptions { state: StateFile::Nowhere, ..PlanOptions::default() };
        let mut plan: Value = serde_json::from_str(&snapshot.plan(asked).json()).unwrap();
        without_places(&mut plan);
        let text = serde_json::to_string_pretty(&plan).unwrap();
        let mut lines: Vec<String> =
            text.lines().map(|line| line.trim_end_matches(',').replace(NEW, "")).collect();
        lines.sort();
        let wrong = snapshot.findings().iter().filter(|one| one.severity == Severity::Error);
        (lines, wrong.count())
    }

    /// The same with a name changed.
    fn renamed(&self, dir: &str, old: &str, new: &str) -> Result<Trial<'c>, String> {
        let given = self.case.given().into_iter().filter_map(|given| match given {
            Given::File(path) => Some(groma::hosts::file_path::join(dir, &path)),
            Given::Variable { .. } => None,
        });
        let value_files: Vec<String> = given.collect();
        let (edition, value_files) = (self.edition, &value_files[..]);
        let what = RenameRequest { dir, top: "/", old, new, edition, value_files };
        let made: RenameResult = rename(&self.host(), &what).map_err(|why| why.to_string())?;
        let mut files = self.files.clone();
        for file in made.files {
            let edits = text_edits(&file.before, &file.after);
            let mut text = file.before.to_string();
            for edit in edits.into_iter().rev() {
                text.replace_range(edit.start..edit.end, &edit.text);
            }
            assert_eq!(text, *file.after, "{}: the edits make the text", self.case.name);
            let known = files.insert(file.path.clone(), file.after.as_bytes().to_vec());
            assert!(known.is_some(), "{} has no file {}", self.case.name, file.path);
        }
        let renamed = old.strip_prefix("var.").map(|old| (old.to_owned(), new.to_owned()));
        Ok(Trial { case: self.case, edition: self.edition, files, renamed })
    }
}

fn without_places(value: &mut Value) {
    match value {
        Value::Object(map) => {
            for key in ["diagnostics", "place", "range", "snippet", "problems"] {
                map.remove(key);
            }
            map.values_mut().for_each(without_places);
        }
        Value::Array(items) => items.iter_mut().for_each(without_places),
        _ => {}
    }
}

/// What the root of a case declares.
fn declared(trial: &Trial<'_>) -> Vec<String> {
    let snapshot = trial.snapshot();
    let project = snapshot.project();
    let module = project.root();
    let mut all: Vec<String> = Vec::new();
    all.extend(module.variable_names().map(|name| format!("var.{name}")));
    all.extend(module.local_names().map(|name| format!("local.{name}")));
    all.extend(module.output_names().map(|name| format!("output.{name}")));
    // What is installed goes by the names of calls: under another name a module would have to be brought anew.
    let is_installed = trial.files.keys().any(|file| file.contains(".terraform/modules/"));
    all.extend(module.call_names().filter(|_| !is_installed).map(|name| format!("module.{name}")));
    all.extend(module.resource_addresses());
    all
}

/// So many names of each case are changed.
const NAMES: usize = 3;

#[test]
fn a_name_has_no_meaning() {
    let cases = case::modules(|case| !case.needs_provider());
    let (mut made, mut refused) = (0, Vec::new());
    for (number, case) in cases.iter().enumerate() {
        let trial = Trial::of(case);
        let names = declared(&trial);
        if names.is_empty() {
            continue;
        }
        let before = trial.meaning();
        // Another part of the names in each case.
        for at in 0..NAMES.min(names.len()) {
            let old = &names[(number + at * names.len() / NAMES) % names.len()];
            let own = old.rsplit('.').next().unwrap();
            let new = format!("{own}{NEW}");
            let after = match trial.renamed(case.directory(), old, &new) {
                Ok(after) => after,
                Err(why) => {
                    refused.push(format!("{}: {old}: {why}", case.name));
                    continue;
                }
            };
            made += 1;
            let (lines, wrong) = after.meaning();
            let differ = || lines.iter().zip(&before.0).find(|(now, was)| now != was);
            // A move may be wrong because what it is from is still called so.
            if before.0.iter().any(|line| line.contains("\"errored\": true")) {
                continue;
            }
            assert!(lines == before.0, "{}: {old}: {:?}", case.name, differ());
            assert_eq!(wrong, before.1, "{}: {old}", case.name);
            let new = format!("{}{NEW}", old);
            let back = after.renamed(case.directory(), &new, own);
            let back = match back {
                Ok(back) => back,
                // Its own moves lead to instances of what had the name before.
                Err(why) if why.contains("was moved to before") => {
                    refused.push(format!("{}: {old}, back: {why}", case.name));
                    continue;
                }
                Err(why) => panic!("{}: {old}: {why}", case.name),
            };
            for (name, text) in &back.files {
                let (text, own) =
                    (String::from_utf8_lossy(text), String::from_utf8_lossy(&trial.files[name]));
                if !text.contains("moved") {
                    assert!(text == own, "{}: {old} in {name}: {text}", case.name);
                }
                assert!(!text.contains(NEW) || text.contains("moved"), "{}: {old}", case.name);
            }
        }
    }
    for why in &refused {
        eprintln!("{why}");
    }
    eprintln!("{made} changed, {} refused", refused.len());
    assert!(made > 1000 && refused.len() * 20 < made, "{made} changed, {} refused", refused.len());
}

/// What becomes of every object, by its address without what was added to its name.
fn actions(trial: &Trial<'_>) -> Option<Vec<String>> {
    let plan = trial.snapshot().plan(PlanOptions::default());
    let plan: Value = serde_json::from_str(&plan.json()).unwrap();
    if plan["errored"] == true {
        return None;
    }
    // Where the instances of one thing are told apart otherwise than before, that is a move of its own, which only what
    // keeps its name makes by itself.
    let whole = |address: &str| address.replace(|c: char| "[]\"0123456789".contains(c), "");
    let changes = plan["resource_changes"].as_array()?;
    let is_own = |one: &Value| {
        let before = one["previous_address"].as_str();
        before.is_some_and(|before| whole(before) == whole(one["address"].as_str().unwrap()))
    };
    if changes.iter().any(is_own) {
        return None;
    }
    let told = changes.iter().map(|one| {
        let address = one["address"].as_str().unwrap().replace(NEW, "");
        format!("{address} {} {}", one["change"]["actions"], one["change"]["after"])
    });
    let mut told: Vec<String> = told.collect();
    told.sort();
    Some(told)
}

#[test]
fn what_exists_moves_along() {
    let cases = case::states(|case| !case.needs_provider());
    let (mut made, mut refused) = (0, 0);
    for case in &cases {
        let trial = Trial::of(case);
        let Some(before) = actions(&trial) else { continue };
        let names = declared(&trial).into_iter();
        let moving = names.filter(|old| {
            !["var.", "local.", "output.", "data."].iter().any(|start| old.starts_with(start))
        });
        for old in moving {
            let own = old.rsplit('.').next().unwrap();
            match trial.renamed(case.directory(), &old, &format!("{own}{NEW}")) {
                Ok(after) => {
                    let after = actions(&after);
                    assert_eq!(after.as_ref(), Some(&before), "{}: {old}", case.name);
                    made += 1;
                }
                Err(_) => refused += 1,
            }
        }
    }
    eprintln!("{made} moved, {refused} refused");
    assert!(made > 50 && refused * 10 < made, "{made} moved, {refused} refused");
}

/// The texts after a change, in the order in which they are given.
fn changed(files: &[(&str, &str)], dir: &str, old: &str, new: &str) -> Result<Vec<String>, String> {
    let host =
        files.iter().fold(MemoryHost::new(), |host, (path, text)| host.with_file(path, *text));
    let host: Arc<dyn Host> = Arc::new(host);
    let what = RenameRequest { dir, top: "/", old, new, edition: None, value_files: &[] };
    let made = rename(&host, &what).map_err(|why| why.to_string())?;
    let now = |(path, text): &(&str, &str)| {
        let file = made.files.iter().find(|file| format!("/{}", file.path) == *path);
        file.map_or((*text).to_owned(), |file| file.after.to_string())
    };
    Ok(files.iter().map(now).collect())
}

fn one(text: &str, old: &str, new: &str) -> String {
    changed(&[("/main.tf", text)], "/", old, new).unwrap().concat()
}

/// The moves of a text, each as `from to`.
fn moves(text: &str) -> Vec<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let starts = words.iter().enumerate().filter(|(_, word)| **word == "from");
    starts.map(|(at, _)| format!("{} {}", words[at + 2], words[at + 5])).collect()
}

#[test]
fn moves_lead_on_and_never_meet() {
    let moved =
        |from: &str, to: &str| format!("\nmoved {{\n  from = a.{from}\n  to   = a.{to}\n}}\n");
    let text = format!("resource \"a\" \"x\" {{}}\n{}", moved("w", "x"));
    let once = one(&text, "a.x", "y");
    assert_eq!(moves(&once), ["a.w a.x", "a.x a.y"]);
    let twice = one(&once, "a.y", "z");
    assert_eq!(moves(&twice), ["a.w a.x", "a.x a.y", "a.y a.z"]);
    // Nothing may be moved to a name from two others.
    assert_eq!(moves(&one(&once, "a.y", "x")), ["a.w a.y", "a.y a.x"]);
    assert_eq!(moves(&one(&twice, "a.z", "x")), ["a.w a.y", "a.z a.x", "a.y a.z"]);
    assert_eq!(moves(&one(&twice, "a.z", "y")), ["a.w a.x", "a.x a.z", "a.z a.y"]);
    assert_eq!(moves(&one(&twice, "a.z", "w")), ["a.z a.w", "a.x a.y", "a.y a.z"]);
    let other = format!("{text}resource \"a\" \"o\" {{}}\n{}", moved("p", "o"));
    let why = |new: &str| changed(&[("/main.tf", &other)], "/", "a.x", new).unwrap_err();
    assert!(why("p").contains("was moved away before, at main.tf"), "{}", why("p"));
    assert!(why("o").contains("exists already"), "{}", why("o"));
}

#[test]
fn what_is_bound_is_another_name() {
    let text = "variable \"a\" {}\nlocals {\n  x = [for var in [1] : var.a]\n  y = \"%{ for var in [1] }${var.a}%{ endfor }${var.a}\"\n  z = { a = var.a, var = 1 }\n}\n\
                resource \"t\" \"r\" {\n  dynamic \"var\" {\n    for_each = [var.a]\n    content {\n      v = var.a\n    }\n  }\n}\n";
    let after = one(text, "var.a", "b");
    assert_eq!(
        after,
        "variable \"b\" {}\nlocals {\n  x = [for var in [1] : var.a]\n  y = \"%{ for var in [1] }${var.a}%{ endfor }${var.b}\"\n  z = { a = var.b, var = 1 }\n}\n\
         resource \"t\" \"r\" {\n  dynamic \"var\" {\n    for_each = [var.b]\n    content {\n      v = var.a\n    }\n  }\n}\n"
    );
}

#[test]
fn aliases_go_through_calls() {
    let child = "terraform {\n  required_providers {\n    p = {\n      source                = \"x/p\"\n      configuration_aliases = [p.old]\n    }\n  }\n}\n\
                 resource \"p_r\" \"a\" {\n  provider = p.old\n}\n";
    let root = "provider \"p\" {\n  alias = \"old\"\n}\n\nmodule \"m\" {\n  source = \"./m\"\n  providers = {\n    p.old = p.old\n  }\n}\n";
    let files = [("/main.tf", root), ("/m/main.tf", child)];
    let after = changed(&files, "/m", "provider.p.old", "new").unwrap();
    assert!(after[0].contains("p.new = p.old"), "{}", after[0]);
    assert!(after[1].contains("[p.new]") && after[1].contains("provider = p.new"), "{}", after[1]);
    let after = changed(&files, "/", "provider.p.old", "new").unwrap();
    assert!(
        after[0].contains("p.old = p.new") && after[0].contains("alias = \"new\""),
        "{}",
        after[0]
    );
    assert_eq!(after[1], child);
}

#[test]
fn outputs_are_followed_or_refused() {
    let child = "output \"o\" {\n  value = 1\n}\n";
    let root = |code: &str| {
        format!(
            "module \"m\" {{\n  source   = \"./m\"\n  for_each = toset([\"o\"])\n}}\n\nmodule \"n\" {{\n  source = \"./m\"\n}}\n\n{code}"
        )
    };
    let rename = |code: &str| {
        let root = root(code);
        changed(&[("/main.tf", root.as_str()), ("/m/main.tf", child)], "/m", "output.o", "q")
            .map(|mut files| files.remove(0).split("\n\n").last().unwrap().trim().to_owned())
    };
    for (code, want) in [
        ("module.m[\"o\"].o", "module.m[\"o\"].q"),
        ("module.m[local.k].o", "module.m[local.k].q"),
        ("module.n.o", "module.n.q"),
        ("module.n[\"o\"]", "module.n[\"q\"]"),
        ("[for k, m in module.m : m.o if m.o > 0]", "[for k, m in module.m : m.q if m.q > 0]"),
        (
            "{ for m in values(module.m) : m.o => m[\"o\"] }",
            "{ for m in values(module.m) : m.q => m[\"q\"] }",
        ),
        ("values(module.m)[*].o", "values(module.m)[*].q"),
        ("one(values(module.m)).o", "one(values(module.m)).q"),
        ("module.n.*.o", "module.n.*.q"),
        ("lookup(module.n, \"o\", 1)", "lookup(module.n, \"q\", 1)"),
        ("length(module.m)", "length(module.m)"),
        ("{ o = module.n.o.o }", "{ o = module.n.q.o }"),
    ] {
        let block = |code: &str| format!("locals {{\n  x = {code}\n  k = \"o\"\n}}");
        assert_eq!(rename(&block(code)).unwrap(), block(want), "{code}");
    }
    for code in [
        "module.n",
        "merge(module.m, {})",
        "[for m in module.m : m]",
        "[for k, v in module.n : v]",
        "keys(module.n)",
        "module.n[local.k]",
    ] {
        let why = rename(&format!("locals {{\n  x = {code}\n  k = \"o\"\n}}")).unwrap_err();
        assert!(why.contains("used as a whole value at main.tf:11"), "{code}: {why}");
    }
}

#[test]
fn runs_of_other_modules_see_the_variables_of_the_file() {
    let root = "variable \"a\" {}\n";
    let setup = "variable \"b\" {}\n";
    let tests = "variables {\n  a = 1\n}\n\nrun \"setup\" {\n  module {\n    source = \"./setup\"\n  }\n  variables {\n    b = var.a\n  }\n  assert {\n    \
                 condition     = var.a == var.b\n    error_message = \"\"\n  }\n}\n\nrun \"root\" {}\n";
    let all = [("/main.tf", root), ("/setup/main.tf", setup), ("/a.tftest.hcl", tests)];
    let after = changed(&all, "/", "var.a", "z").unwrap();
    assert_eq!(after[2], tests.replace("var.a", "var.z").replace("  a = 1", "  z = 1"));
    let after = changed(&all, "/setup", "var.b", "z").unwrap();
    assert_eq!(after[2], tests.replace("var.b", "var.z").replace("    b = ", "    z = "));
    let both = [all[0], ("/setup/main.tf", "variable \"a\" {}\n"), all[2]];
    let why = changed(&both, "/", "var.a", "z").unwrap_err();
    assert!(why.contains("also sets a for setup"), "{why}");
}

#[test]
fn a_name_that_an_unreadable_file_may_have_is_not_taken() {
    let code = ("/main.tf", "variable \"v\" {}\n");
    let values = ("/terraform.tfvars", "? = 1\nw = 2\n");
    let why = changed(&[code, values], "/", "var.v", "w").unwrap_err();
    assert!(why.contains("whether var.w exists already: terraform.tfvars: "), "{why}");
    assert!(changed(&[code, values], "/", "var.v", "z").is_ok());
    // In another folder the name means something else.
    let other = ("/n/main.tf", "locals {\n  w = 2\n  ?\n}\n");
    assert!(changed(&[code, other], "/", "var.v", "w").is_ok());
}
