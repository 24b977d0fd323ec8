//! A workspace that is told what changes asks its host for that and for nothing else.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use groma::hosts::{DirEntry, EntryKind, HostError};
use groma::{Host, LoadOptions, Snapshot, Workspace, rules::RuleSwitches};

/// Files that can change, the paths that were read, and those that were asked about otherwise.
#[derive(Clone, Default)]
struct ChangingHost {
    files: Arc<Mutex<BTreeMap<String, String>>>,
    read: Arc<Mutex<Vec<String>>>,
    asked: Arc<Mutex<Vec<String>>>,
    /// Where `link` leads, if not to `m`.
    leads: Arc<Mutex<Option<&'static str>>>,
}

impl ChangingHost {
    fn put(&self, path: &str, text: &str) {
        self.files.lock().unwrap().insert(format!("/w/{path}"), text.to_owned());
    }

    fn take_read(&self) -> Vec<String> {
        std::mem::take(&mut *self.read.lock().unwrap())
    }

    fn take_asked(&self) -> Vec<String> {
        std::mem::take(&mut *self.asked.lock().unwrap())
    }

    /// The path of a file; `link` leads to `m` or elsewhere.
    fn real(&self, path: &str) -> String {
        let mut parts: Vec<&str> = Vec::new();
        for part in path.split('/').filter(|part| !part.is_empty() && *part != "." && *part != "w")
        {
            match part {
                ".." => drop(parts.pop()),
                "link" => parts.push(self.leads.lock().unwrap().unwrap_or("m")),
                part => parts.push(part),
            }
        }
        format!("/w/{}", parts.join("/")).trim_end_matches('/').to_owned()
    }
}

impl Host for ChangingHost {
    fn read(&self, path: &str) -> Result<Vec<u8>, HostError> {
        let real = self.real(path);
        self.read.lock().unwrap().push(real.clone());
        let files = self.files.lock().unwrap();
        files.get(&real).map(|text| text.clone().into_bytes()).ok_or(HostError::Absent)
    }

    fn list(&self, dir: &str) -> Result<Vec<DirEntry>, HostError> {
        let inside = format!("{}/", self.real(dir));
        let files = self.files.lock().unwrap();
        let names = files.keys().filter_map(|path| path.strip_prefix(&inside));
        let entry = |name: &str| match name.split_once('/') {
            Some((folder, _)) => (folder.to_owned(), EntryKind::Directory),
            None => (name.to_owned(), EntryKind::File),
        };
        let entries: BTreeMap<String, EntryKind> = names.map(entry).collect();
        let entries: Vec<DirEntry> =
            entries.into_iter().map(|(name, kind)| DirEntry { name, kind }).collect();
        if entries.is_empty() { Err(HostError::Absent) } else { Ok(entries) }
    }

    fn canonical(&self, path: &str) -> Result<String, HostError> {
        self.asked.lock().unwrap().push(format!("real {path}"));
        Ok(self.real(path))
    }

    fn length(&self, path: &str) -> Result<u64, HostError> {
        self.asked.lock().unwrap().push(format!("length {path}"));
        let files = self.files.lock().unwrap();
        let text = files.get(&self.real(path)).ok_or(HostError::Absent)?;
        Ok(text.len() as u64)
    }

    fn kind(&self, path: &str) -> Result<EntryKind, HostError> {
        let real = self.real(path);
        let files = self.files.lock().unwrap();
        match files.contains_key(&real) {
            true => Ok(EntryKind::File),
            false if files.keys().any(|one| one.starts_with(&format!("{real}/"))) => {
                Ok(EntryKind::Directory)
            }
            false => Err(HostError::Absent),
        }
    }

    fn check_code_access(&self, _: &str) -> Result<(), HostError> {
        Ok(())
    }

    fn hides_environment(&self) -> bool {
        true
    }

    fn env(&self, _: &str) -> Option<String> {
        None
    }

    fn env_names(&self) -> Vec<String> {
        Vec::new()
    }

    fn current_dir(&self) -> String {
        "/w".to_owned()
    }

    fn home(&self) -> Option<String> {
        None
    }
}

fn root(workspace: &Workspace) -> Snapshot {
    workspace.root(".", &LoadOptions::default())
}

fn value(snapshot: &Snapshot, text: &str) -> String {
    snapshot.plain_json(&snapshot.evaluate(text).value)
}

#[test]
fn only_what_was_told_is_read_again() {
    let host = ChangingHost::default();
    host.put("main.tf", "locals {\n  a = module.m.o\n  f = file(\"f.txt\")\n}\nmodule \"m\" {\n  source = \"./link\"\n}\n");
    host.put("f.txt", "one");
    host.put("m/main.tf", "output \"o\" { value = 1 }\n");
    let workspace = Workspace::new(host.clone()).watched();
    let first = root(&workspace);
    assert_eq!(
        (value(&first, "local.a"), value(&first, "local.f")),
        ("1".into(), "\"one\"".into())
    );
    host.take_read();
    // Nothing was told, so nothing is looked at.
    host.put("f.txt", "two");
    assert!(root(&workspace).is_same(&first));
    assert_eq!(host.take_read(), Vec::<String>::new());
    // A file that a value rests on.
    workspace.changed(&["f.txt"]);
    assert_eq!(value(&root(&workspace), "local.f"), "\"two\"");
    assert!(!host.take_read().contains(&"/w/m/main.tf".to_owned()));
    // A file of code, by the path behind a link.
    host.put("m/main.tf", "output \"o\" { value = 2 }\n");
    workspace.changed(&["/w/m/main.tf"]);
    assert_eq!(value(&root(&workspace), "local.a"), "2");
    let read = host.take_read();
    assert!(read.contains(&"/w/m/main.tf".to_owned()), "{read:?}");
    assert!(!read.contains(&"/w/main.tf".to_owned()), "{read:?}");
    // A new file, told by its folder.
    host.put("more.tf", "locals { b = 3 }\n");
    workspace.changed(&["/w"]);
    assert_eq!(value(&root(&workspace), "local.b"), "3");
    // A text that is held counts without being told.
    host.take_read();
    workspace.set("main.tf", "locals {\n  a = 5\n}\n");
    assert_eq!(value(&root(&workspace), "local.a"), "5");
    assert_eq!(host.take_read(), Vec::<String>::new());
    workspace.remove("main.tf");
    assert_eq!(value(&root(&workspace), "local.a"), "2");
}

#[test]
fn an_edit_of_code_leaves_the_files_of_functions_unread() {
    let host = ChangingHost::default();
    host.put(
        "main.tf",
        "locals {\n  a = 1\n  f = file(\"f.txt\")\n}\noutput \"o\" {\n  value = local.f\n}\n",
    );
    host.put("f.txt", "one");
    let workspace = Workspace::new(host.clone()).watched();
    let all = |snapshot: &Snapshot| {
        let _ = (snapshot.outputs(), snapshot.findings(), snapshot.lint(&RuleSwitches::default()));
        value(snapshot, "local.f")
    };
    assert_eq!(all(&root(&workspace)), "\"one\"");
    assert!(host.take_read().contains(&"/w/f.txt".to_owned()));
    for edit in ["more.tf", "again.tf"] {
        host.put(edit, &format!("locals {{\n  {} = 2\n}}\n", &edit[..2]));
        workspace.changed(&[edit]);
        let snapshot = root(&workspace);
        assert_eq!(all(&snapshot), "\"one\"");
        // Other names are another meaning of every expression to a check, but not to the values.
        host.take_read();
        host.put(edit, &format!("locals {{\n  {} = 3\n}}\n", &edit[..2]));
        workspace.changed(&[edit]);
        assert_eq!(all(&root(&workspace)), "\"one\"");
        let read = host.take_read();
        assert!(!read.contains(&"/w/f.txt".to_owned()), "{read:?}");
    }
    host.put("f.txt", "two");
    workspace.changed(&["f.txt"]);
    assert_eq!(all(&root(&workspace)), "\"two\"");
}

#[test]
fn what_is_unknown_in_part_leaves_the_files_of_functions_unread() {
    let unknown = [
        "cloud_thing.u.id",
        // A null without a type is not told from what is not known.
        "contains([\"a\"], null)",
        // What only a provider knows is met during the evaluation.
        "provider::cloud::answer(1)",
        "timestamp()",
    ];
    for unknown in unknown {
        let host = ChangingHost::default();
        let code = "resource \"cloud_thing\" \"u\" {\n  name = \"u\"\n}\n\nlocals {\n  own = UNKNOWN\n  all = { a = { id = cloud_thing.u.id, own = local.own } }\n}\n\nmodule \"m\" {\n  source = \"./m\"\n  for_each = local.all\n  given = each.value\n}\n\noutput \"o\" {\n  value = module.m\n}\n";
        host.put("main.tf", &code.replace("UNKNOWN", unknown));
        host.put("m/main.tf", "variable \"given\" {}\nlocals {\n  read = file(\"${path.module}/f.txt\")\n}\noutput \"o\" {\n  value = [local.read, var.given]\n}\n");
        host.put("m/f.txt", "one");
        let workspace = Workspace::new(host.clone()).watched();
        let all = |snapshot: &Snapshot| {
            let _ = (snapshot.outputs(), snapshot.findings());
            value(snapshot, "module.m[\"a\"].o[0]")
        };
        host.put("more.tf", "locals {\n  b = 2\n}\n");
        assert_eq!(all(&root(&workspace)), "\"one\"");
        assert!(host.take_read().contains(&"/w/m/f.txt".to_owned()));
        for number in 3..6 {
            host.put("more.tf", &format!("locals {{\n  b = {number}\n}}\n"));
            workspace.changed(&["more.tf"]);
            assert_eq!(all(&root(&workspace)), "\"one\"");
            let read = host.take_read();
            assert!(read.iter().all(|path| path == "/w/more.tf"), "{unknown}: {read:?}");
        }
        host.put("m/f.txt", "two");
        workspace.changed(&["m/f.txt"]);
        assert_eq!(all(&root(&workspace)), "\"two\"");
    }
}

#[test]
fn what_was_not_told_is_not_asked_about() {
    let host = ChangingHost::default();
    let code = "locals {\n  a = module.m.o\n}\noutput \"o\" {\n  value = local.a\n}\nmodule \"m\" {\n  source = \"./link\"\n}\n";
    host.put("main.tf", code);
    host.put("m/main.tf", "locals {\n  unused = 2\n}\noutput \"o\" { value = 1 }\n");
    host.put("n/main.tf", "output \"o\" { value = 5 }\n");
    let workspace = Workspace::new(host.clone()).watched();
    let rules = RuleSwitches::default();
    let all = |snapshot: &Snapshot| {
        let found = snapshot.checked().found.len() + snapshot.lint(&rules).found.len();
        (value(snapshot, "local.a"), found)
    };
    let first = all(&root(&workspace));
    assert_eq!(first.0, "1");
    for number in 1..4 {
        host.take_asked();
        workspace.set("main.tf", format!("{code}# {number}\n"));
        assert_eq!(all(&root(&workspace)), first);
        let asked = host.take_asked();
        let is_own = |one: &String| one.ends_with(" main.tf") || one.ends_with("/w/main.tf");
        let others: Vec<&String> = asked.iter().filter(|one| !is_own(one)).collect();
        assert!(!others.iter().any(|one| one.contains("link")), "{others:?}");
    }
    // The link leads elsewhere, and then what it leads to changes.
    *host.leads.lock().unwrap() = Some("n");
    workspace.changed(&["link"]);
    assert_eq!(value(&root(&workspace), "local.a"), "5");
    host.put("n/main.tf", "output \"o\" { value = 6 }\n");
    workspace.changed(&["n/main.tf"]);
    assert_eq!(value(&root(&workspace), "local.a"), "6");
    host.put("m/main.tf", "output \"o\" { value = 7 }\n");
    workspace.changed(&["m/main.tf"]);
    assert_eq!(value(&root(&workspace), "local.a"), "6");
}

#[test]
fn without_a_promise_every_look_asks_for_all() {
    let host = ChangingHost::default();
    host.put("main.tf", "locals { a = 1 }\n");
    let workspace = Workspace::new(host.clone());
    assert_eq!(value(&root(&workspace), "local.a"), "1");
    host.put("main.tf", "locals { a = 2 }\n");
    assert_eq!(value(&root(&workspace), "local.a"), "2");
}

#[test]
fn a_call_graph_is_read_again_where_files_have_changed() {
    let host = ChangingHost::default();
    let call = |source: &str| format!("module \"m\" {{\n  source = \"{source}\"\n}}\n");
    host.put("app/main.tf", &call("../net"));
    host.put("net/main.tf", "locals {}\n");
    host.put("other/main.tf", &call("../app"));
    let workspace = Workspace::new(host.clone()).watched();
    let callers = |dir: &str| -> Vec<String> {
        workspace.call_graph("/w").callers_of(dir).into_iter().map(|one| one.dir).collect()
    };
    assert_eq!(callers("net"), ["app", "other"]);
    host.take_read();
    assert_eq!(callers("net"), ["app", "other"]);
    assert_eq!(host.take_read(), Vec::<String>::new());
    // A file, and a folder that is new.
    host.put("other/main.tf", "locals {}\n");
    host.put("new/deep/main.tf", &call("../../app"));
    workspace.changed(&["/w/other/main.tf", "/w/new"]);
    assert_eq!(callers("net"), ["app", "new/deep"]);
    assert_eq!(host.take_read(), ["/w/other/main.tf", "/w/new/deep/main.tf"]);
    // Texts that are held count without being told.
    workspace.set("/w/net/more.tf", call("../other"));
    assert_eq!(callers("other"), ["app", "net", "new/deep"]);
    workspace.remove("/w/net/more.tf");
    assert_eq!(callers("other"), Vec::<String>::new());
    host.take_read();
    workspace.all_changed();
    assert_eq!(callers("net"), ["app", "new/deep"]);
    assert_eq!(host.take_read().len(), 4);
}
