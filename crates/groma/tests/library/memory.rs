//! What a workspace says that it holds: folders that roots share once, and what each root has of its own.

use std::fmt::Write;

use groma::{
    Host, LoadOptions, MemoryHost, Snapshot, Workspace, WorkspaceMemory, rules::RuleSwitches,
};

/// A folder `net` with much code, and roots that call it.
fn host(roots: usize) -> MemoryHost {
    let mut net = String::new();
    for at in 0..200 {
        writeln!(net, "variable \"v{at}\" {{\n  type    = string\n  default = \"{at}\"\n}}")
            .unwrap();
        writeln!(net, "output \"o{at}\" {{\n  value = \"${{var.v{at}}}-{at}\"\n}}").unwrap();
    }
    let app = "module \"net\" {\n  source = \"../net\"\n}\n\noutput \"all\" {\n  value = module.net.o7\n}\n";
    (0..roots).fold(MemoryHost::new().with_file("/net/main.tf", net), |host, at| {
        host.with_file(&format!("/app{at}/main.tf"), app)
    })
}

/// Returns the text of a file.
fn text_of(host: &MemoryHost, path: &str) -> String {
    String::from_utf8(host.read(path).unwrap()).unwrap()
}

/// Asks what an editor asks of a root.
fn look(workspace: &Workspace, dir: &str) -> Snapshot {
    let snapshot =
        workspace.root(dir, &LoadOptions { root: Some("/".to_owned()), ..LoadOptions::default() });
    snapshot.findings_by_file();
    snapshot.lint(&RuleSwitches::default());
    snapshot
}

fn shared(memory: &WorkspaceMemory) -> (usize, u64, u64) {
    (memory.folders, memory.texts, memory.modules)
}

#[test]
fn a_called_folder_counts_once_and_a_closed_root_gives_its_part_back() {
    let workspace = Workspace::new(host(3));
    let empty = workspace.memory();
    assert_eq!(empty, WorkspaceMemory::default());
    look(&workspace, "/app0");
    let one = workspace.memory();
    assert_eq!((one.folders, one.roots.len()), (2, 1));
    assert!(one.roots[0].evaluation > 0 && one.roots[0].indexes > 0);
    look(&workspace, "/app1");
    let two = workspace.memory();
    // The second root brings a few lines of its own; what it calls is there already.
    assert_eq!((two.folders, two.roots.len()), (3, 2));
    assert!(two.total() > one.total());
    assert!(two.texts + two.modules < (one.texts + one.modules) * 11 / 10);
    // A root that is called as well is one folder.
    look(&workspace, "/net");
    assert_eq!(shared(&workspace.memory()), shared(&two));
    workspace.close_root("/net");
    assert_eq!(workspace.memory(), two);
    workspace.close_root("/app1");
    assert_eq!(workspace.memory(), one);
    workspace.close_root("/app0");
    assert_eq!(workspace.memory(), empty);
    // A root that is opened again holds what it held.
    look(&workspace, "/app0");
    assert_eq!(workspace.memory(), one);
}

#[test]
fn questions_and_edits_taken_back_leave_it_as_it_was() {
    let workspace = Workspace::new(host(2)).watched();
    let snapshot = look(&workspace, "/app0");
    look(&workspace, "/app1");
    snapshot.evaluate("module.net");
    let before = workspace.memory();
    for at in 0..10_000 {
        let text = format!("module.net.o{} == \"{at}\"", at % 200);
        assert!(snapshot.evaluate(&text).value.is_known());
    }
    assert_eq!(workspace.memory(), before);
    let text = text_of(&host(1), "/net/main.tf");
    for at in 0..20 {
        workspace.set("/net/main.tf", format!("{text}locals {{\n  typed = {at}\n}}\n"));
        look(&workspace, "/app0");
        look(&workspace, "/app1");
        let now = workspace.memory();
        // The edited folder is read by the first root, and is the same for the second.
        assert_eq!((now.folders, now.roots.len()), (3, 2));
        assert!(now.texts < before.texts * 11 / 10 && now.modules < before.modules * 11 / 10);
    }
    workspace.remove("/net/main.tf");
    look(&workspace, "/app0").evaluate("module.net");
    look(&workspace, "/app1");
    let after = workspace.memory();
    assert_eq!(shared(&after), shared(&before));
    assert_eq!(after.set_texts, 0);
}

#[test]
fn a_folder_that_roots_share_is_edited_for_all_of_them() {
    let workspace = Workspace::new(host(2));
    let value = |dir: &str| {
        let snapshot = look(&workspace, dir);
        snapshot.plain_json(&snapshot.evaluate("module.net.o7").value)
    };
    assert_eq!((value("/app0"), value("/app1")), ("\"7-7\"".into(), "\"7-7\"".into()));
    let text = text_of(&host(1), "/net/main.tf");
    workspace.set("/net/main.tf", text.replace("\"${var.v7}-7\"", "\"${var.v7}+7\""));
    assert_eq!((value("/app0"), value("/app1")), ("\"7+7\"".into(), "\"7+7\"".into()));
    // An error is told to both roots, at the same place.
    workspace.set("/net/main.tf", format!("{text}\nlocals {{\n  wrong = nothing.here\n}}\n"));
    let found = |dir: &str| {
        let snapshot = look(&workspace, dir);
        let all = snapshot.findings().iter().map(|one| snapshot.render(one));
        all.collect::<Vec<_>>()
    };
    let (first, second) = (found("/app0"), found("/app1"));
    let fresh = Workspace::new(host(2));
    fresh.set("/net/main.tf", format!("{text}\nlocals {{\n  wrong = nothing.here\n}}\n"));
    let alone = look(&fresh, "/app1");
    let alone: Vec<String> = alone.findings().iter().map(|one| alone.render(one)).collect();
    assert!(!alone.is_empty());
    assert_eq!(first, alone);
    assert_eq!(second, alone);
}
