//! Where values come from, over every recorded case: what is told is there, leads on, and is what everybody else is told.

use std::sync::Arc;

use groma::why::{WhyKind, WhyNode, WhyTree};
use groma::{
    Diagnostics, Edition, InputAssignment, LoadOptions, MemoryHost, RunOptions, Snapshot, Sources,
    Value, Why,
    projects::{Evaluation, ProjectOptions},
};
use testkit::case::{self, Case, Given};

/// A case as its first dialect sees it.
fn snapshot(case: &Case) -> Option<Snapshot> {
    let turn = case.turns().into_iter().next()?;
    let assignments = case.given().into_iter().map(|given| match given {
        Given::Variable { name, text } => InputAssignment::Variable { name, text },
        Given::File(path) => InputAssignment::File(path),
    });
    let host = case
        .files()
        .into_iter()
        .fold(MemoryHost::new(), |host, (name, bytes)| host.with_file(&name, bytes));
    let host =
        case.environment().into_iter().fold(host, |host, (name, value)| host.with_env(name, value));
    let run = RunOptions { assignments: assignments.collect(), ..RunOptions::default() };
    let load = LoadOptions {
        edition: Edition::parse(turn.dialect),
        root: Some("/".to_owned()),
        ..LoadOptions::default()
    };
    let options = ProjectOptions { load, run };
    Some(Snapshot::load(case.directory(), options, Arc::new(host)))
}

/// Everything that can be asked about: declarations of every instance of a module.
fn addresses(evaluation: &Evaluation) -> Vec<String> {
    evaluation.evaluate_all(&mut Diagnostics::new());
    let mut found = Vec::new();
    let mut rest = vec![evaluation.root()];
    while let Some(instance) = rest.pop() {
        let module = instance.module();
        let base = match instance.address() {
            "" => String::new(),
            address => format!("{address}."),
        };
        found.extend(module.variable_names().map(|name| format!("{base}var.{name}")));
        found.extend(module.local_names().map(|name| format!("{base}local.{name}")));
        found.extend(module.output_names().map(|name| format!("{base}output.{name}")));
        for resource in 0..module.resources.len() {
            found.extend(instance.instances(resource).map(|one| one.address.to_string()));
        }
        rest.extend(instance.children());
    }
    found.sort();
    found
}

/// What is wrong with a tree.
fn judge(tree: &WhyTree, sources: &Sources, evaluation: &Evaluation, out: &mut Vec<String>) {
    for node in &tree.nodes {
        let told = node.address.as_deref().unwrap_or("a literal");
        if let Some(place) = node.place {
            let (source, at) = sources.at(place);
            let text = source.text().get(at.span.start as usize..at.span.end as usize);
            match (text, &node.text) {
                (None, _) => out.push(format!("{told}: its place is in no text")),
                (Some(there), Some(text)) if there != text => {
                    out.push(format!("{told}: {text:?} is told, and {there:?} is written"));
                }
                _ => {}
            }
        }
        for below in &node.from {
            if !matches!(
                tree.nodes[*below].kind,
                WhyKind::Function | WhyKind::Mock | WhyKind::Literal
            ) {
                resolves(&tree.nodes[*below], evaluation, out);
            }
        }
        let is_known = node.value.as_ref().is_some_and(Value::is_wholly_known);
        let leads = matches!(
            node.kind,
            WhyKind::Output | WhyKind::Local | WhyKind::Argument | WhyKind::Repetition
        );
        if is_known && leads && node.from.is_empty() && !node.is_cut {
            out.push(format!("{told} is known, and nothing says why"));
        }
    }
}

/// What a node took can be asked for, and is worth the same then.
fn resolves(node: &WhyNode, evaluation: &Evaluation, out: &mut Vec<String>) {
    let Some(address) = &node.address else { return };
    // What repeats a block has no name in the language.
    let named = ["count", "enabled", "for_each"];
    let is_nameless = node.kind == WhyKind::Repetition
        && (named.iter().any(|word| address.ends_with(&format!(".{word}")))
            || !(address.contains(".each.") || address.contains(".count.")));
    if is_nameless {
        return;
    }
    match Why::new(evaluation).ask(address, &mut Diagnostics::new()) {
        Ok(tree) => {
            let (told, there) = (&node.value, &tree.root().value);
            let is_hidden = |value: &Value| value.has_marks() && value.deep_marks().hide();
            if told.as_ref().is_some_and(is_hidden) || node.kind == WhyKind::Argument {
                return;
            }
            if format!("{told:?}") != format!("{there:?}") && node.kind != WhyKind::Tfvars {
                out.push(format!("{address} is {told:?} below and {there:?} alone"));
            }
        }
        Err(none) => out.push(format!("{address} is told, and not there: {}", none.detail)),
    }
}

#[test]
fn what_is_told_is_there() {
    let cases = case::modules(|case| {
        !case.needs_provider() && !case.has_state() && !case.name.starts_with("v15")
    });
    let (mut asked, mut wrong) = (0, Vec::new());
    for case in &cases {
        let Some(snapshot) = snapshot(case) else { continue };
        let evaluation = snapshot.evaluation();
        if snapshot.found().has_errors() {
            continue;
        }
        for address in addresses(evaluation) {
            let mut found = Diagnostics::new();
            let tree = match Why::new(evaluation).ask(&address, &mut found) {
                Ok(tree) => tree,
                Err(none) => {
                    wrong.push(format!("{}: {address}: {}", case.name, none.detail));
                    continue;
                }
            };
            asked += 1;
            let mut here = Vec::new();
            judge(&tree, &snapshot.sources(), evaluation, &mut here);
            let root = tree.root();
            if let Some(name) = address.strip_prefix("output.")
                && let Some(output) = snapshot.output(name).value
            {
                let value = match output.sensitive {
                    true => output.value.sensitive(),
                    false => output.value,
                };
                let told = root.value.as_ref().map(|told| snapshot.value_json(told));
                if told.as_deref() != Some(&snapshot.value_json(&value)) && !output.ephemeral {
                    here.push(format!("it is {told:?}"));
                }
            }
            let is_open = root
                .value
                .as_ref()
                .is_some_and(|value| !value.is_wholly_known() && value.deep_causes().is_empty());
            if is_open && !found.has_errors() {
                here.push("it is unknown without a cause".to_owned());
            }
            // The same question has the same answer, whatever was asked before.
            let again = snapshot.why(&address).value.unwrap();
            if snapshot.why_json(&tree) != snapshot.why_json(&again) {
                here.push("it is another the second time".to_owned());
            }
            wrong.extend(here.into_iter().map(|why| format!("{}: {address}: {why}", case.name)));
        }
    }
    assert!(asked > 2_000, "only {asked} were asked");
    let shown: Vec<&str> = wrong.iter().take(40).map(String::as_str).collect();
    assert!(wrong.is_empty(), "{} of {asked} are wrong:\n{}", wrong.len(), shown.join("\n"));
}
