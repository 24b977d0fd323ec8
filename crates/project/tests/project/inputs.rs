//! A loaded project with other inputs: it says what a fresh load says, and is loaded again only where an input decides which code
//! is read.

use std::sync::Arc;

use groma_inputs::InputAssignment;
use groma_project::{
    Evaluation, Facts, LoadCache, LoadPurpose, OutputValue, Project, ProjectOptions, RunOptions,
};
use groma_runtime::{Host, MemoryHost};
use groma_syntax::{Diagnostic, Diagnostics, Sources};
use groma_value::print;
use testkit::case;

use super::recorded::scene;

/// Returns all results of a project as text: diagnostics with places, and all values.
fn told(evaluation: &Evaluation, found: &Diagnostics) -> String {
    let mut late = Diagnostics::new();
    let outputs = evaluation.outputs(&mut late);
    evaluation.evaluate_all(&mut late);
    let sources = evaluation.project().sources();
    let shown = |one: &OutputValue| {
        let (name, causes) = (&one.name, one.value.deep_causes());
        format!("{name} = {} {causes:?}\n", print::console(&one.value))
    };
    let mut text: String = outputs.iter().map(shown).collect();
    for one in found.iter().chain(&late) {
        let notes = one.notes.iter().map(|note| (&note.text, note.place));
        let line = |at: groma_syntax::Place| {
            let (source, at) = sources.at(at);
            let line = source.position(at.span.start).line;
            (at, source.name().to_owned(), sources.shown_line(at.file, line).map(str::to_owned))
        };
        text.push_str(&format!(
            "{:?} {:?} {} {:?} {} {:?}\n",
            one.severity,
            one.phase,
            one.code.slug,
            one.place.map(line),
            one.detail,
            notes.collect::<Vec<_>>()
        ));
    }
    let files = evaluation.project().files().map(|file| sources.get(file).name());
    text + &files.collect::<Vec<_>>().join(" ")
}

/// Returns an evaluation of a project with the run options of `options`.
fn evaluate(project: &Arc<Project>, options: &ProjectOptions) -> Evaluation {
    Evaluation::new(project.clone(), Facts::default(), options.run.clone())
}

/// Loads a project with inputs and without, and gives each of them the inputs of the other. Returns how often that needed another
/// load.
fn exchange(dir: &str, host: &Arc<dyn Host>, given: &ProjectOptions, again: bool) -> usize {
    let mut bare = given.clone();
    bare.run = RunOptions::default();
    let load = |options: &ProjectOptions| {
        let mut found = Diagnostics::new();
        let (mut kept, host) = (LoadCache::default(), host.clone());
        let project = match again {
            true => Project::load_again(dir, options, host, &mut kept, &mut found),
            false => Project::load(dir, options, host, &mut found),
        };
        let evaluation = evaluate(&project, options);
        let text = told(&evaluation, &found);
        (project, evaluation, text)
    };
    let (with, without) = (load(given), load(&bare));
    let mut loads = 0;
    for (options, (_, _, fresh), (old, older, _)) in
        [(given, &with, &without), (&bare, &without, &with)]
    {
        let mut found = Diagnostics::new();
        let Some(project) = old.with_inputs(&options.run, &mut found) else {
            loads += 1;
            continue;
        };
        assert!(project.is_same_code(old));
        assert_eq!(&told(&evaluate(&project, options), &found), fresh);
        let run = options.run.clone();
        let following = Evaluation::following(older, project.clone(), Facts::default(), run);
        assert_eq!(&told(&following, &found), fresh);
    }
    loads
}

#[test]
fn other_inputs_say_what_a_fresh_load_says() {
    let cases = case::modules(|case| !case.given().is_empty());
    let (mut count, mut loads) = (0, 0);
    for case in &cases {
        for turn in case.turns() {
            let scene = scene(&turn);
            let host: Arc<dyn Host> = Arc::new(scene.host);
            for purpose in [LoadPurpose::Evaluate, LoadPurpose::Check, LoadPurpose::Plan] {
                let mut options = scene.options.clone();
                options.load.purpose = purpose;
                loads += exchange(&scene.dir, &host, &options, false);
                exchange(&scene.dir, &host, &options, true);
                count += 1;
            }
        }
    }
    // Most inputs decide nothing about the code.
    assert!(count > 100 && loads * 10 < count, "{loads} loads of {count}");
}

/// Returns run options that assign these texts to variables.
fn give(pairs: &[(&str, &str)]) -> RunOptions {
    let one = |(name, text): &(&str, &str)| InputAssignment::Variable {
        name: (*name).to_owned(),
        text: (*text).to_owned(),
    };
    RunOptions { assignments: pairs.iter().map(one).collect(), ..RunOptions::default() }
}

#[test]
fn only_an_input_that_decides_about_code_needs_a_load() {
    let text = |keyword: &str| {
        format!(
            "variable \"dir\" {{\n  type = string\n  default = \"./a\"\n{keyword}}}\n\
             variable \"other\" {{\n  type = list(string)\n  default = []\n}}\n\
             module \"m\" {{\n  source = var.dir\n  v = var.other\n}}\n\
             output \"o\" {{\n  value = module.m.o\n}}\n"
        )
    };
    let module = |name: &str| {
        format!("variable \"v\" {{}}\noutput \"o\" {{\n  value = [\"{name}\", var.v]\n}}\n")
    };
    for (edition, keyword) in [("opentofu@1.12", ""), ("terraform@1.15", "  const = true\n")] {
        let host = MemoryHost::new()
            .with_file("main.tf", text(keyword))
            .with_file("a/main.tf", module("a"))
            .with_file("b/main.tf", module("b"));
        let mut options = ProjectOptions { run: give(&[("dir", "./a")]), ..Default::default() };
        options.load.edition = groma_runtime::Edition::parse(edition);
        let mut found = Diagnostics::new();
        let project = Project::load(".", &options, Arc::new(host), &mut found);
        assert!(found.is_empty(), "{edition}: {:?}", found.iter().next());
        let ask = |pairs: &[(&str, &str)]| {
            let (run, mut found) = (give(pairs), Diagnostics::new());
            let project = project.with_inputs(&run, &mut found)?;
            let evaluation = Evaluation::new(project, Facts::default(), run);
            let value = evaluation.evaluate_text("module.m.o", "<question>", &mut found);
            let codes = found.iter().map(|one: &Diagnostic| one.code.slug);
            Some(print::console(&value) + &codes.collect::<Vec<_>>().join(" "))
        };
        let given = ask(&[("dir", "./a"), ("other", "[\"x\"]")]).expect("it is the same code");
        assert!(given.contains("\"x\""), "{edition}: {given}");
        assert_eq!(ask(&[("dir", "./b")]), None);
        // Faults of other inputs are told as a load tells them.
        let wrong = ask(&[("dir", "./a"), ("other", "[")]).expect("it is the same code");
        assert_ne!(wrong, ask(&[("dir", "./a")]).expect("it is the same code"));
    }
}

#[test]
fn texts_of_inputs_stand_before_those_of_called_modules() {
    let host = MemoryHost::new()
        .with_file(
            "main.tf",
            "variable \"n\" {\n  type = number\n}\nmodule \"m\" {\n  source = \"./m\"\n}\n",
        )
        .with_file("m/main.tf", "")
        .with_file("one.tfvars", "n = 1\n")
        .with_file("two.tfvars", "n = 2\nmore = 3\n");
    let files = |names: &[&str]| {
        let all = names.iter().map(|name| InputAssignment::File((*name).to_owned()));
        RunOptions { assignments: all.collect(), ..RunOptions::default() }
    };
    let options = ProjectOptions { run: files(&["one.tfvars"]), ..ProjectOptions::default() };
    let mut found = Diagnostics::new();
    let project = Project::load(".", &options, Arc::new(host), &mut found);
    let names = |sources: &Sources| -> Vec<String> {
        sources.iter().map(|(_, source)| source.name().to_owned()).collect()
    };
    assert_eq!(names(project.sources()), ["main.tf", "one.tfvars", "m/main.tf"]);
    let other = project.with_inputs(&files(&["two.tfvars"]), &mut found).expect("the same code");
    assert_eq!(names(other.sources()), ["main.tf", "two.tfvars", "m/main.tf"]);
    assert_eq!(names(project.sources()), ["main.tf", "one.tfvars", "m/main.tf"]);
}
