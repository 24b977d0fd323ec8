//! The disk as the library reads it: the command's rules hold for every caller. The files are real; each test makes its own
//! folder.
#![cfg(all(feature = "disk", unix))]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::sync::Arc;

use groma::disk::DiskContext;
use groma::edit::{RenameRequest, rename};
use groma::{Host, LoadOptions, Workspace, folders::roots_below, hosts::HostError};

/// A folder with a file outside of a repository and links that lead to it.
struct Scene(PathBuf);

impl Scene {
    fn new(name: &str) -> Scene {
        let top = std::env::temp_dir().join(format!("groma-disk-{name}-{}", std::process::id()));
        fs::create_dir_all(top.join("repo/.git")).expect("a temporary folder can be filled");
        fs::create_dir_all(top.join("repo/app/.terraform"))
            .expect("a temporary folder can be filled");
        let top = fs::canonicalize(top).expect("a temporary folder can be filled");
        fs::write(top.join("outside.txt"), "outside").expect("a temporary folder can be filled");
        fs::write(top.join("repo/beside.txt"), "beside").expect("a temporary folder can be filled");
        fs::write(top.join("repo/app/.terraform/kept.txt"), "kept")
            .expect("a temporary folder can be filled");
        let code = "output \"all\" {\n  value = [file(\"../beside.txt\"), var.given]\n}\nvariable \"given\" {\n  default = \"\"\n}\n";
        fs::write(top.join("repo/app/main.tf"), code).expect("a temporary folder can be filled");
        symlink("../../outside.txt", top.join("repo/app/led.txt"))
            .expect("a temporary folder can be filled");
        symlink("../beside.txt", top.join("repo/app/near.txt"))
            .expect("a temporary folder can be filled");
        Scene(top)
    }

    fn context(&self) -> DiskContext {
        let environment = BTreeMap::from([("TF_VAR_given".to_owned(), "set".to_owned())]);
        DiskContext::at(self.0.join("repo/app"), environment)
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).ok();
    }
}

#[test]
fn a_call_graph_follows_the_target_of_a_link_to_a_file() {
    let scene = Scene::new("graph");
    let repo = scene.0.join("repo");
    let write = |path: &str, code: &str| {
        let path = repo.join(path);
        fs::create_dir_all(path.parent().unwrap()).expect("a temporary folder can be filled");
        fs::write(path, code).expect("a temporary folder can be filled");
    };
    let call = |folder: &str| format!("module \"m\" {{\n  source = \"../{folder}\"\n}}\n");
    write("one/main.tf", "locals {}\n");
    write("two/main.tf", "locals {}\n");
    write("shared/calls.tf", &call("one"));
    symlink("../shared/calls.tf", repo.join("app/calls.tf")).unwrap();
    let workspace = Workspace::new(scene.context().host_of_module(".").unwrap()).watched();
    let top = repo.to_str().unwrap();
    let callers = |dir: &str| -> Vec<String> {
        workspace.call_graph(top).callers_of(dir).into_iter().map(|one| one.dir).collect()
    };
    assert_eq!((callers("one"), callers("two")), (vec!["app".into(), "shared".into()], vec![]));
    // The change is reported by the target alone.
    write("shared/calls.tf", &call("two"));
    workspace.changed(&[&format!("{top}/shared/calls.tf")]);
    assert_eq!((callers("one"), callers("two")), (vec![], vec!["app".into(), "shared".into()]));
    // A link that has become a file is one no longer.
    fs::remove_file(repo.join("app/calls.tf")).unwrap();
    write("app/calls.tf", &call("one"));
    workspace.changed(&[&format!("{top}/app/calls.tf")]);
    assert_eq!((callers("one"), callers("two")), (vec!["app".into()], vec!["shared".into()]));
    write("shared/calls.tf", "locals {}\n");
    workspace.changed(&[&format!("{top}/shared")]);
    assert_eq!((callers("one"), callers("two")), (vec!["app".into()], vec![]));
}

#[test]
fn a_module_reads_its_repository_and_no_link_leads_out() {
    let scene = Scene::new("trusted");
    let host = scene.context().host_of_module(".").unwrap();
    assert_eq!(host.read("near.txt").as_deref(), Ok(&b"beside"[..]));
    assert_eq!(host.read("led.txt"), Err(HostError::Outside));
    assert_eq!(host.read("../../outside.txt"), Err(HostError::Outside));
    assert_eq!(host.read("none.txt"), Err(HostError::Absent));
    let snapshot = Workspace::new(host).root(".", &LoadOptions::default());
    assert_eq!(snapshot.plain_json(&snapshot.outputs().value[0].value), r#"["beside","set"]"#);
}

#[test]
fn code_that_is_not_trusted_reads_its_own_folder_only() {
    let scene = Scene::new("untrusted");
    let host = scene.context().untrusted().host_of_module(".").unwrap();
    assert_eq!(host.read("../beside.txt"), Err(HostError::Outside));
    assert_eq!(host.read("near.txt"), Err(HostError::Outside));
    assert_eq!(host.check_code_access(".terraform/kept.txt"), Err(HostError::Private));
    assert!(host.hides_environment() && host.env("TF_VAR_given").is_none());
    assert!(scene.context().host_of_module("none").is_err());
}

#[test]
fn a_linked_folder_is_no_folder_of_its_own() {
    let scene = Scene::new("walked");
    let repo = scene.0.join("repo");
    let code = "variable \"v\" {}\n\noutput \"o\" {\n  value = var.v\n}\n";
    for dir in ["deep/m", "kept"] {
        fs::create_dir_all(repo.join(dir)).expect("a temporary folder can be filled");
        fs::write(repo.join(dir).join("main.tf"), code).expect("a temporary folder can be filled");
    }
    fs::create_dir(scene.0.join("out")).expect("a temporary folder can be filled");
    fs::write(scene.0.join("out/main.tf"), code).expect("a temporary folder can be filled");
    // To a folder beside, to one above, to one outside, to itself, and to nothing.
    let links = [
        ("../kept", "deep/way"),
        ("..", "deep/m/up"),
        ("../../out", "deep/out"),
        ("round", "kept/round"),
        ("none", "kept/none"),
    ];
    for (to, name) in links {
        symlink(to, repo.join(name)).expect("a temporary folder can be filled");
    }
    let context = DiskContext::at(repo.clone(), BTreeMap::new());
    let host: Arc<dyn Host> = Arc::new(context.host_within(".", vec![repo]).unwrap());
    assert_eq!(roots_below(&*host, "."), ["app", "deep/m", "kept"]);
    assert_eq!(roots_below(&*host, "deep"), ["deep/m"]);
    // A folder that is named is looked through, whatever leads to it.
    assert_eq!(roots_below(&*host, "deep/way"), ["deep/way"]);
    let what = RenameRequest {
        dir: "kept",
        top: ".",
        old: "var.v",
        new: "w",
        edition: None,
        value_files: &[],
    };
    let files = rename(&host, &what).expect("it is renamed").files;
    assert_eq!(files.into_iter().map(|file| file.path).collect::<Vec<_>>(), ["kept/main.tf"]);
}
