//! Plans and what is made of them: each form says the same each time, those for programs can be read, a plan that was
//! saved is shown as it was, nothing differs from itself, and what is worked out again after an edit is what it would be
//! without the work before.

use std::sync::Arc;

use groma::review::{Review, SavedFile, write_saved};
use groma::{
    LoadOptions, LoadPurpose, Plan, PlanOptions, RootSide, RunOptions, Snapshot, Workspace,
    causes::OtherFiles, compare, projects::ProjectOptions,
};
use groma_document::graph::{GraphPart, dot, mermaid, svg};
use groma_runtime::{Host, MemoryHost, MeteredHost};
use groma_value::json::{self, JsonLayout, JsonText};

use crate::folder::{Folder, host};
use crate::project::told;
use crate::{LIMITS, budget};

/// Returns run options with bounded resources.
fn run() -> RunOptions {
    RunOptions { limits: LIMITS, budget: budget(), ..RunOptions::default() }
}

/// Returns the options for loading a root: to plan it if `is_strict`, else to evaluate it.
fn options(is_strict: bool) -> ProjectOptions {
    let purpose = if is_strict { LoadPurpose::Plan } else { LoadPurpose::Evaluate };
    let load = LoadOptions { purpose, ..LoadOptions::default() };
    ProjectOptions { load, run: run() }
}

/// Returns the JSON document that `write` writes, checked to be valid JSON.
fn document(write: impl FnOnce(&mut JsonText<'_>)) -> String {
    let mut out = JsonText::new(JsonLayout::Compact);
    write(&mut out);
    let document = out.into_string();
    json::decode_loose(&document).expect("what is printed can be read");
    document
}

/// Returns a plan as JSON, as a saved plan, as text and as Markdown; the saved plan must read back the same.
fn forms(plan: &Plan) -> [String; 4] {
    let review = Review::of(plan);
    let own = document(|out| plan.write_json(out));
    let saved = document(|out| write_saved(plan, &review, "1.0.0", out));
    match SavedFile::of(&saved) {
        Ok(SavedFile::Saved { document, text }) => {
            assert_eq!((document, text), (own.clone(), review.text()), "it is shown otherwise");
        }
        other => panic!("what was saved is {other:?}"),
    }
    [own, saved, review.text(), review.markdown()]
}

/// Checks that planning a root, against the state among its files, gives the same each time.
pub(crate) fn plan(bytes: &[u8]) {
    let Some(host) = host(bytes, "main.tf") else { return };
    let host: Arc<dyn Host> = Arc::new(host);
    let run = || {
        let snapshot = Snapshot::load(".", options(true), host.clone());
        let plan = snapshot.plan(PlanOptions::default());
        told(plan.diagnostics(), &plan.evaluation().sources());
        (forms(&plan), plan.is_complete())
    };
    assert_eq!(run(), run());
}

/// Checks that the reference graph of a root and the explanations of its values are the same each time.
pub(crate) fn graph(bytes: &[u8]) {
    let Some(host) = host(bytes, "main.tf") else { return };
    let host: Arc<dyn Host> = Arc::new(host);
    let run = || {
        let snapshot = Snapshot::load(".", options(false), host.clone());
        let project = snapshot.project();
        let references = project.references();
        let mut made = vec![dot(&references), mermaid(&references), svg(&references)];
        made.push(document(|out| {
            groma_document::graph::write_json(&references, project.sources(), out)
        }));
        for vertex in references.vertices.iter().take(12) {
            let part = GraphPart::all(project.references());
            if let Ok(part) = part.around(&vertex.id.to_string(), Some(1)) {
                made.push(dot(&part.graph));
            }
            if let Ok(tree) = snapshot.why(&vertex.id.to_string()).value {
                let json = snapshot.why_json(&tree);
                json::decode_loose(&json).expect("what is printed can be read");
                made.push(json);
            }
        }
        made
    };
    assert_eq!(run(), run());
}

/// Returns one side of a plan comparison, which reads these files.
fn side(files: &MemoryHost) -> RootSide {
    let options = options(false);
    let host = MeteredHost::new(Arc::new(files.clone()), options.run.budget.clone());
    // Both sides see the same machine.
    RootSide {
        options,
        host: Arc::new(host),
        is_there: true,
        files: Arc::new(OtherFiles::of_number(1)),
    }
}

/// Checks that comparing `base/` with `head/` is repeatable and symmetric, and that neither differs from itself.
pub(crate) fn compared(bytes: &[u8]) {
    let Some(folder) = Folder::read(bytes) else { return };
    let (base, head) = (folder.host("base/"), folder.host("head/"));
    let run = |base: &MemoryHost, head: &MemoryHost| {
        let budgets = (side(base), side(head));
        let (first, second) =
            (budgets.0.options.run.budget.clone(), budgets.1.options.run.budget.clone());
        let found = compare(".", budgets.0, budgets.1, groma::CompareOptions::default());
        let review = Review::of_comparison(&found);
        let own = document(|out| found.write_json(out, &|_| {}));
        // Of code that is wrong, or of which not all was worked out, it may stay open whether it differs.
        let is_open = found.base().is_errored() || found.head().is_errored();
        let has_ended = first.ended().is_some() || second.ended().is_some();
        (found.is_change(), is_open || has_ended, [own, review.text(), review.markdown()])
    };
    let once = run(&base, &head);
    assert_eq!(once, run(&base, &head));
    for one in [&base, &head] {
        let (is_change, is_open, forms) = run(one, one);
        assert!(!is_change || is_open, "it differs from itself:\n{}", forms[1]);
    }
    let (is_change, is_open, _) = run(&head, &base);
    assert!(is_change == once.0 || is_open || once.1, "there and back is not the same");
}

/// Checks that answers after edits from `base/` to `head/` and back equal those of a fresh workspace.
pub(crate) fn again(bytes: &[u8]) {
    let Some(folder) = Folder::read(bytes) else { return };
    let ask = |workspace: &Workspace| {
        let snapshot = workspace.root_for(".", &LoadOptions::default(), &run);
        let value = snapshot.evaluate("[local, var, module]");
        let outputs = snapshot.outputs().value;
        let outputs: Vec<String> = outputs
            .iter()
            .map(|one| format!("{} = {}", &*one.name, snapshot.plain_json(&one.value)))
            .collect();
        let mut found = told(snapshot.findings(), &snapshot.sources());
        found.sort();
        (found, outputs, snapshot.plain_json(&value.value), snapshot.has_ended())
    };
    let fresh = |front: &str| {
        let workspace = Workspace::new(MemoryHost::new());
        lay(&workspace, &folder, front);
        ask(&workspace)
    };
    let whole = (fresh("base/"), fresh("head/"));
    if whole.0.3 || whole.1.3 {
        return;
    }
    let workspace = Workspace::new(MemoryHost::new());
    lay(&workspace, &folder, "base/");
    assert_eq!(ask(&workspace), whole.0);
    lay(&workspace, &folder, "head/");
    assert_eq!(ask(&workspace), whole.1, "after the edit");
    lay(&workspace, &folder, "base/");
    assert_eq!(ask(&workspace), whole.0, "after the edit was taken back");
}

/// Replaces the texts of a workspace by the files of an input below the folder `front`.
fn lay(workspace: &Workspace, folder: &Folder<'_>, front: &str) {
    for (name, _) in &folder.files {
        if let Some((_, name)) = name.split_once('/') {
            workspace.remove(name);
        }
    }
    for (name, text) in &folder.files {
        if let Some(name) = name.strip_prefix(front) {
            workspace.set(name, *text);
        }
    }
}
