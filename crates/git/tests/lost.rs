//! What a clone lacks and what is damaged in it: nothing is taken for absent that only cannot be read, and a few trees
//! that stand for very many files come to an end.
#![forbid(unsafe_code)]
#![expect(clippy::unwrap_used, reason = "a test fails by panic")]

mod scene;

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use groma_git::Repository;
use groma_runtime::{Budget, Host, HostError, MeteredHost, Quota, RunEnd};
use scene::{Disk, Scene, host_of};

/// Creates a repository of two commits whose files differ, with all objects in one pack.
fn packed() -> Scene {
    let scene = Scene::new();
    for round in ["one", "two"] {
        for name in ["a.tf", "m/b.tf", "m/n/c.tf"] {
            scene.write(name, &format!("locals {{\n  {round} = \"{name}\"\n}}\n").repeat(9));
        }
        scene.commit();
    }
    scene.git(&["repack", "-adq"]);
    scene
}

/// Returns the paths of files with the extension `ending` among the packs of a repository.
fn files_of(scene: &Scene, ending: &str) -> Vec<PathBuf> {
    let all = fs::read_dir(scene.path.join(".git/objects/pack")).unwrap();
    let all = all.map(|one| one.unwrap().path());
    all.filter(|path| path.extension().is_some_and(|one| one == ending)).collect()
}

#[test]
fn what_a_partial_clone_lacks_is_told_with_what_brings_it() {
    let upstream = packed();
    upstream.git(&["config", "uploadpack.allowFilter", "true"]);
    for (filter, lost) in [("blob:none", "main~1:m/b.tf"), ("tree:0", "main~1:")] {
        let scene = upstream.clone_with(&["--filter", filter]);
        let repository = scene.repository();
        let Ok(revision) = repository.revision("main~1") else {
            let said = repository.lost().unwrap();
            assert!(said.starts_with(lost) && said.contains("--no-filter"), "{said}");
            continue;
        };
        assert_eq!(repository.lost(), None);
        let host = host_of(&repository, &revision, &scene.path);
        assert!(matches!(host.read("m/b.tf"), Err(HostError::Failed(_))));
        let said = repository.lost().unwrap();
        assert!(said.starts_with(lost) && said.contains("--no-filter"), "{said}");
        // What is the same needs no old file.
        let repository = scene.repository();
        let (base, budget) = (repository.revision("main").unwrap(), Budget::default());
        let changed = repository.changed_since(&base, &Disk(scene.path.clone()), ".", &budget);
        assert_eq!((changed, repository.lost()), (Ok(Vec::new()), None));
        let base = repository.revision("main~1").unwrap();
        let changed = repository.changed_since(&base, &Disk(scene.path.clone()), ".", &budget);
        assert_eq!((changed.unwrap().len(), repository.lost()), (3, None));
    }
}

#[test]
fn what_a_clone_does_not_know_is_no_loss() {
    let upstream = packed();
    let scene = upstream.clone_with(&["--depth", "1"]);
    let repository = scene.repository();
    for name in ["main~1", "nowhere", &"0123456789".repeat(4)] {
        assert!(repository.revision(name).is_err(), "{name}");
        assert_eq!(repository.lost(), None, "{name}");
    }
}

/// Reads all files of `main~1` and checks their contents; `None` if one cannot be read.
fn read_all(repository: &Repository, scene: &Scene) -> Option<()> {
    let revision = repository.revision("main~1").ok()?;
    let host = host_of(repository, &revision, &scene.path);
    for name in ["a.tf", "m/b.tf", "m/n/c.tf"] {
        let whole = format!("locals {{\n  one = \"{name}\"\n}}\n").repeat(9);
        assert_eq!(host.read(name).ok()?, whole.as_bytes(), "{name}");
    }
    Some(())
}

#[test]
fn a_damaged_pack_gives_what_is_true_or_says_so() {
    let scene = packed();
    for (ending, step) in [("pack", 3), ("idx", 11)] {
        let [path] = files_of(&scene, ending).try_into().unwrap();
        let whole = fs::read(&path).unwrap();
        fs::remove_file(&path).unwrap();
        for at in (0..whole.len()).step_by(step) {
            for flip in [0x01, 0x80, 0xff] {
                let mut bytes = whole.clone();
                bytes[at] ^= flip;
                fs::write(&path, &bytes).unwrap();
                let Ok(repository) = Repository::open(&scene.path) else { continue };
                if read_all(&repository, &scene).is_none() {
                    assert!(repository.lost().is_some(), "{ending} at {at} with {flip:x}");
                }
            }
        }
        for length in (0..whole.len()).step_by(41) {
            fs::write(&path, &whole[..length]).unwrap();
            let Ok(repository) = Repository::open(&scene.path) else { continue };
            assert!(read_all(&repository, &scene).is_none() || length > 20);
            assert!(
                repository.lost().is_some() || read_all(&repository, &scene).is_some(),
                "{ending} of {length} bytes"
            );
        }
        fs::write(&path, &whole).unwrap();
    }
}

#[test]
fn trees_that_stand_for_very_many_files_come_to_an_end() {
    let scene = Scene::new();
    scene.write("x", "");
    scene.commit();
    scene.git(&["tag", "base"]);
    let file = scene.git(&["hash-object", "-w", "x"]);
    let mut tree = scene.git_with(&["mktree"], &format!("100644 blob {file}\tmain.tf\n"));
    for _ in 0..10 {
        let all: String = (0..10).map(|at| format!("040000 tree {tree}\td{at}\n")).collect();
        tree = scene.git_with(&["mktree"], &all);
    }
    let commit = scene.git(&["commit-tree", "-p", "base", "-m", "many", &tree]);
    scene.git(&["tag", "bomb", &commit]);
    let repository = scene.repository();
    let (base, bomb) = (repository.revision("base").unwrap(), repository.revision("bomb").unwrap());
    let budget = || Budget::new(Quota { source_bytes: 1_000_000, ..Quota::DEFAULT });
    let used = budget();
    assert!(repository.changed(&base, &bomb, ".", &used).is_err());
    assert_eq!(used.ended(), Some(RunEnd::Sources));

    let used = budget();
    let host = Arc::new(host_of(&repository, &bomb, &scene.path));
    let host = MeteredHost::new(host, used.clone());
    let (mut waiting, mut listed) = (vec![String::new()], 0);
    while let Some(at) = waiting.pop() {
        let Ok(entries) = host.list(&format!("{}{at}", scene.path.display())) else { continue };
        listed += 1;
        waiting.extend(entries.into_iter().map(|entry| format!("{at}/{}", entry.name)));
    }
    assert_eq!(used.ended(), Some(RunEnd::Sources));
    assert!((100..10_000).contains(&listed), "{listed}");
    assert_eq!(repository.lost(), None);
}

#[test]
fn what_can_be_no_folder_is_damaged() {
    let scene = packed();
    let id = "a".repeat(20);
    let node = |name: &str| format!("100644 {name}\0{id}");
    for tree in [node("."), node(".."), node(""), node("m/a.tf"), node("a.tf").repeat(2)] {
        let tree =
            scene.git_with(&["hash-object", "-t", "tree", "--literally", "-w", "--stdin"], &tree);
        let commit = scene.git(&["commit-tree", "-m", "odd", &tree]);
        let repository = scene.repository();
        let why = repository.revision(&commit).unwrap_err();
        assert!(why.0.contains("damaged"), "{why}");
        assert!(repository.lost().is_some());
    }
}
