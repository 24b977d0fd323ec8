//! Tests of recorded template folders, read in process: verdict, places of errors, values of expressions and builds, as reported
//! by Packer. Packer writes a placeholder for an unknown value; those builds are skipped.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use groma_inputs::InputAssignment;
use groma_packer::{Template, TemplateEvaluation, TemplateOptions};
use groma_protocol::{BatchOptions, EvaluationBatch};
use groma_runtime::{Edition, MemoryHost};
use groma_syntax::{Diagnostics, Severity, Sources};
use testkit::pending::{self, Outcome};
use testkit::{Json, conformance};

/// Compares every recorded fact of every recorded template with the results of this crate.
#[test]
fn recorded_templates() {
    let folder = conformance().join("packer");
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .filter(|name| folder.join(name).join("case.json").exists())
        .collect();
    names.sort();
    let mut outcomes = Vec::new();
    for name in &names {
        let case = Case::read(&folder.join(name));
        for (aspect, differs) in case.judge() {
            outcomes.push(Outcome {
                id: format!("packer/{name}/{aspect}"),
                detail: format!("  {}\n", differs.clone().unwrap_or_default()),
                differs: differs.map(|_| "differs".to_owned()),
            });
        }
    }
    println!("{} facts of {} recorded templates", outcomes.len(), names.len());
    assert!(outcomes.len() > 250, "only {} recorded facts were found", outcomes.len());
    if let Err(report) = pending::settle(&pending::pending_file(), &outcomes) {
        panic!("{report}");
    }
}

/// A recorded template: the facts in its `case.json`, and a host with its files and environment.
struct Case {
    json: Json,
    host: MemoryHost,
}

/// A template that was loaded and evaluated, with the diagnostics of loading.
struct Read {
    evaluation: TemplateEvaluation,
    found: Diagnostics,
}

impl Case {
    /// Reads the recorded template in a folder.
    fn read(folder: &Path) -> Case {
        let text = std::fs::read_to_string(folder.join("case.json")).unwrap();
        let json = Json::read(&text).unwrap();
        let mut host = add(MemoryHost::new(), folder, "");
        if let Some(Json::Object(env)) = json.get("env") {
            for (name, value) in env {
                host = host.with_env(name, value.text().unwrap());
            }
        }
        Case { json, host }
    }

    /// Returns the strings of the list `name` in `case.json`; empty if it is missing.
    fn list(&self, name: &str) -> Vec<&str> {
        let items = self.json.get(name).and_then(Json::list).unwrap_or_default();
        items.iter().map(|item| item.text().unwrap()).collect()
    }

    /// Loads and evaluates the template with its recorded arguments and those in `more`; `change` adjusts the options.
    fn load(&self, more: &[&str], change: impl Fn(&mut TemplateOptions)) -> Read {
        let mut options = TemplateOptions {
            edition: Edition::parse("packer@1.16"),
            ..TemplateOptions::default()
        };
        let mut args: Vec<&str> = self.list("args");
        args.extend(more);
        let mut args = args.into_iter();
        while let Some(arg) = args.next() {
            let (name, value) = arg.split_once('=').unwrap_or((arg, ""));
            match name {
                "-var" => {
                    let text = if value.is_empty() { args.next().unwrap() } else { value };
                    let (name, text) = text.split_once('=').unwrap();
                    let (name, text) = (name.to_owned(), text.to_owned());
                    options.assignments.push(InputAssignment::Variable { name, text });
                }
                "-var-file" => {
                    let path = if value.is_empty() { args.next().unwrap() } else { value };
                    options.assignments.push(InputAssignment::File(path.to_owned()));
                }
                "-only" => options.only.push(value.to_owned()),
                "-except" => options.except.push(value.to_owned()),
                "-evaluate-datasources" => options.evaluates_data = true,
                "-use-sequential-evaluation" => options.sequential = true,
                "-syntax-only" => {}
                other => panic!("a case has the argument {other}"),
            }
        }
        change(&mut options);
        let mut found = Diagnostics::new();
        let path = self.json.get("path").and_then(Json::text).unwrap_or(".");
        let host = Arc::new(self.host.clone());
        let template = Template::load(path, &options, host, &mut found);
        Read { evaluation: TemplateEvaluation::new(template, options), found }
    }

    /// Compares the results with each recorded fact; returns the names of the facts with the difference, if any.
    fn judge(&self) -> Vec<(String, Option<String>)> {
        let expect = self.json.get("expect").unwrap();
        let mut facts = Vec::new();
        if let Some(verdict) = expect.get("validate").and_then(Json::text) {
            self.judge_verdict(verdict, expect, &mut facts);
        }
        if let Some(Json::Object(values)) = expect.get("values") {
            let read = self.load(&[], |_| {});
            let batch = batch(&read.evaluation, &self.host);
            for (text, want) in values {
                let short: String = text.chars().take(40).collect();
                let name = format!("value {}", short.trim().replace([':', '\n'], " "));
                facts.push((name, value_differs(&batch, text, want)));
            }
        }
        if let Some(want) = expect.get("builds")
            && !format!("{want:?}").contains("<unknown>")
        {
            let read = self.load(&self.list("validate_args"), |options| {
                options.strict = true;
                options.evaluates_data = true;
            });
            let got = Json::read(&read.evaluation.plan().builds_json()).unwrap();
            let differs = (got != *want).then(|| format!("want {want:?} got {got:?}"));
            facts.push(("builds".to_owned(), differs));
        }
        facts
    }

    /// Compares the verdict of `packer validate` and the places of its errors with the results, and adds both to `facts`.
    fn judge_verdict(
        &self,
        verdict: &str,
        expect: &Json,
        facts: &mut Vec<(String, Option<String>)>,
    ) {
        let more = self.list("validate_args");
        let mut read = self.load(&more, |options| {
            options.strict = true;
            options.judging = true;
        });
        if !more.contains(&"-syntax-only") && !read.found.has_errors() {
            read.found.extend(read.evaluation.check());
        }
        let got = if read.found.has_errors() { "error" } else { "ok" };
        let differs = (got != verdict).then(|| format!("want {verdict}: {:?}", read.found));
        facts.push(("verdict".to_owned(), differs));
        let wanted = places(expect.get("errors").and_then(Json::list).unwrap_or_default());
        if !wanted.is_empty() {
            let seen = lines(&read.found, &read.evaluation.sources());
            let differs = wanted.is_disjoint(&seen);
            facts.push(("place".to_owned(), differs.then(|| format!("{wanted:?}, not {seen:?}"))));
        }
    }
}

/// Adds the files of a folder and its subfolders to a host, each name preceded by `prefix`.
fn add(mut host: MemoryHost, folder: &Path, prefix: &str) -> MemoryHost {
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        let name = format!("{prefix}{}", path.file_name().unwrap().to_string_lossy());
        if path.is_dir() {
            host = add(host, &path, &format!("{name}/"));
        } else if name != "case.json" {
            host = host.with_file(&name, std::fs::read(&path).unwrap());
        }
    }
    host
}

/// Returns the files and lines of recorded errors.
fn places(errors: &[Json]) -> BTreeSet<(String, String)> {
    let place = |one: &Json| {
        let file = one.get("file")?.text()?.to_owned();
        let Json::Number(line) = one.get("line")? else { return None };
        Some((file, line.clone()))
    };
    errors.iter().filter_map(place).collect()
}

/// Returns the files and lines of the errors among diagnostics.
fn lines(found: &Diagnostics, sources: &Sources) -> BTreeSet<(String, String)> {
    let errors = found.iter().filter(|one| one.severity == Severity::Error);
    errors
        .filter_map(|one| {
            let place = one.place?;
            let source = sources.get(place.file);
            let line = source.position(place.span.start).line;
            Some((source.name().to_owned(), line.to_string()))
        })
        .collect()
}

/// Returns an evaluator of expressions in the scope of a template.
fn batch(evaluation: &TemplateEvaluation, host: &MemoryHost) -> EvaluationBatch {
    EvaluationBatch::new(BatchOptions {
        edition: evaluation.template().edition(),
        host: Arc::new(host.clone()),
        base: ".".into(),
        scope: Some(evaluation.scope()),
        causes: evaluation.causes().clone(),
        sources: evaluation.sources(),
        ..BatchOptions::default()
    })
}

/// Evaluates an expression and returns the difference from its recorded result, if any.
fn value_differs(batch: &EvaluationBatch, text: &str, want: &Json) -> Option<String> {
    let line = format!("{{\"id\":\"x\",\"expr\":{}}}", groma_value::json::string(text));
    let answer = Json::read(&batch.answer(&line)).unwrap();
    let got = answer.get("got").unwrap();
    let fine = if want.get("error").is_some() {
        got.get("error").is_some()
    } else {
        let value = want.get("value").unwrap();
        got.get("error").is_none()
            && got.get("type") == want.get("type")
            && got.get("value") == Some(&hole(value))
            && got.get("unknown").is_some() == (hole(value) != *value)
    };
    (!fine).then(|| format!("want {want:?} got {got:?}"))
}

/// Returns a recorded value with its unknown parts replaced by null.
fn hole(value: &Json) -> Json {
    match value {
        Json::Object(entries) if entries.get("$unknown") == Some(&Json::Bool(true)) => Json::Null,
        Json::Object(entries) => {
            Json::Object(entries.iter().map(|(name, inner)| (name.clone(), hole(inner))).collect())
        }
        Json::List(items) => Json::List(items.iter().map(hole).collect()),
        other => other.clone(),
    }
}
