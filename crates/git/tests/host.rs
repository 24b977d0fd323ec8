//! What a revision shows of a repository, and what it refuses: links, ignored files, pointers, submodules, short names.
#![forbid(unsafe_code)]
#![expect(clippy::unwrap_used, reason = "a test fails by panic")]

mod scene;

use std::fs;

use groma_runtime::{Budget, EntryKind, Host, HostError};
use scene::{Disk, Scene};

/// Returns the names that a host lists in a directory.
fn names(host: &dyn Host, dir: &str) -> Vec<String> {
    host.list(dir).unwrap().into_iter().map(|entry| entry.name).collect()
}

/// Returns the text of a file of a host.
fn text(host: &dyn Host, path: &str) -> Result<String, HostError> {
    host.read(path).map(|bytes| String::from_utf8(bytes).unwrap())
}

#[test]
fn files_are_those_of_the_revision() {
    let scene = Scene::new();
    scene.write("a/main.tf", "one");
    scene.write("gone.tf", "gone");
    scene.commit();
    scene.write("a/main.tf", "two");
    scene.write("new.tf", "new");
    fs::remove_file(scene.path.join("gone.tf")).unwrap();
    scene.commit();
    scene.write("a/main.tf", "three");
    let (old, new) = (scene.at("HEAD~1"), scene.at("HEAD"));
    assert_eq!(text(&old, "a/main.tf"), Ok("one".into()));
    assert_eq!(text(&new, "./a/../a/main.tf"), Ok("two".into()));
    assert_eq!(text(&new, scene.path.join("a/main.tf").to_str().unwrap()), Ok("two".into()));
    assert_eq!(
        (names(&old, "."), names(&new, ".")),
        (vec!["a".into(), "gone.tf".into()], vec!["a".into(), "new.tf".into()])
    );
    assert_eq!(text(&old, "new.tf"), Err(HostError::Absent));
    assert_eq!((new.length("a/main.tf"), new.kind("a")), (Ok(3), Ok(EntryKind::Directory)));
    assert_eq!(new.read_within("a/main.tf", 2), Err(HostError::TooLong { most: 2 }));
    assert_eq!(new.list("a/main.tf"), Err(HostError::WrongKind));
    let (repository, budget) = (scene.repository(), Budget::default());
    let (old, new) = (repository.revision("HEAD~1").unwrap(), repository.revision("HEAD").unwrap());
    assert_eq!(
        repository.changed(&old, &new, ".", &budget).unwrap(),
        ["a/main.tf", "gone.tf", "new.tf"]
    );
    let now = repository.changed_since(&new, &Disk(scene.path.clone()), ".", &budget).unwrap();
    assert_eq!(now, ["a/main.tf"]);
    // Another repository inside of this one is left to itself.
    scene.write("b/.git/HEAD", "ref: refs/heads/main");
    scene.write("b/main.tf", "of another");
    scene.write("c/main.tf", "of this one");
    let within = |folder: &str| {
        let now = repository.changed_since(&new, &Disk(scene.path.clone()), folder, &budget);
        (repository.changed(&old, &new, folder, &budget).unwrap(), now.unwrap())
    };
    let paths = |all: &[&str]| all.iter().map(|path| (*path).to_owned()).collect::<Vec<_>>();
    assert_eq!(within("a"), (paths(&["a/main.tf"]), paths(&["a/main.tf"])));
    assert_eq!(within("b"), (paths(&[]), paths(&[])));
    assert_eq!(within("c"), (paths(&[]), paths(&["c/main.tf"])));
}

#[test]
fn what_git_ignores_is_the_machines() {
    let scene = Scene::new();
    scene.write(".gitignore", "*.auto.tfvars\nbuilt/\n");
    scene.write("forced.auto.tfvars", "as committed");
    scene.git(&["add", "-f", "forced.auto.tfvars"]);
    scene.commit();
    scene.write("forced.auto.tfvars", "as it is");
    scene.write("mine.auto.tfvars", "mine");
    scene.write("built/x", "built");
    scene.write(".terraform/modules/modules.json", "{}");
    scene.write("untracked.tf", "not a part of any revision");
    let host = scene.at("HEAD");
    assert_eq!(text(&host, "mine.auto.tfvars"), Ok("mine".into()));
    assert_eq!(text(&host, "built/x"), Ok("built".into()));
    assert_eq!(text(&host, "forced.auto.tfvars"), Ok("as committed".into()));
    assert_eq!(text(&host, ".terraform/modules/modules.json"), Ok("{}".into()));
    assert_eq!(text(&host, "untracked.tf"), Err(HostError::Absent));
    let all = [".gitignore", ".terraform", "built", "forced.auto.tfvars", "mine.auto.tfvars"];
    assert_eq!(names(&host, "."), all);
    assert_eq!(host.check_code_access(".git/config"), Err(HostError::Private));
}

#[cfg(unix)]
#[test]
fn links_lead_where_they_lead() {
    use std::os::unix::fs::symlink;
    let scene = Scene::new();
    scene.write("real/main.tf", "real");
    symlink("real", scene.path.join("way")).unwrap();
    symlink("../way/main.tf", scene.path.join("real/again.tf")).unwrap();
    symlink("b", scene.path.join("a")).unwrap();
    symlink("a", scene.path.join("b")).unwrap();
    symlink("../../../etc", scene.path.join("out")).unwrap();
    scene.commit();
    fs::remove_dir_all(scene.path.join("real")).unwrap();
    let host = scene.at("HEAD");
    assert_eq!(text(&host, "way/main.tf"), Ok("real".into()));
    assert_eq!(text(&host, "way/again.tf"), Ok("real".into()));
    assert!(host.canonical("way").unwrap().ends_with("/real"));
    assert!(matches!(text(&host, "a"), Err(HostError::Failed(_))));
    // What lies outside of the tree the machine answers for.
    assert_ne!(host.kind("out/nothing-of-that-name"), Ok(EntryKind::File));
    let kind = |name: &str| host.list(".").unwrap().into_iter().find(|one| one.name == name);
    assert_eq!(kind("way").unwrap().kind, EntryKind::Directory);
    assert_eq!(kind("a").unwrap().kind, EntryKind::Other);
}

#[test]
fn what_is_elsewhere_is_said_to_be() {
    let scene = Scene::new();
    let other = Scene::new();
    other.write("main.tf", "x");
    other.commit();
    scene.write(
        "big.bin",
        "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n",
    );
    scene.write("bytes.bin", "\u{0}\u{1}");
    scene.git(&["submodule", "--quiet", "add", other.path.to_str().unwrap(), "sub"]);
    scene.commit();
    let host = scene.at("HEAD");
    let said = |path: &str| host.read(path).unwrap_err().to_string();
    assert!(said("big.bin").contains("Git LFS"), "{}", said("big.bin"));
    assert!(said("sub/main.tf").contains("submodule"), "{}", said("sub/main.tf"));
    assert_eq!(host.read("bytes.bin"), Ok(vec![0, 1]));
}

#[test]
fn names_that_mean_nothing_or_too_much_are_refused() {
    let scene = Scene::new();
    let repository = scene.repository();
    let said = |name: &str| repository.revision(name).unwrap_err().0;
    assert!(said("HEAD").contains("HEAD"), "{}", said("HEAD"));
    for number in 0..8 {
        scene.write("n", &number.to_string());
        scene.commit();
    }
    let repository = scene.repository();
    let said = |name: &str| repository.revision(name).unwrap_err().0;
    for name in ["nothing", "HEAD~99", "HEAD:n", "", "a b", "HEAD^^^{", "--all", "ffffffffffff"] {
        assert!(!said(name).is_empty(), "{name}");
    }
    let first = repository.range("HEAD~3..HEAD~1").unwrap();
    assert_eq!(first.base.commit, scene.git(&["rev-parse", "HEAD~3"]));
    assert_eq!(first.head.unwrap().commit, scene.git(&["rev-parse", "HEAD~1"]));
    scene.git(&["checkout", "-q", "-b", "topic", "HEAD~5"]);
    scene.write("n", "other");
    scene.commit();
    let fork = scene.repository().range("main...").unwrap();
    assert_eq!(fork.base.commit, scene.git(&["merge-base", "main", "topic"]));
    assert_eq!(fork.head.unwrap().commit, scene.git(&["rev-parse", "topic"]));
    scene.git(&["tag", "-a", "v1", "-m", "one", "HEAD"]);
    let tagged = scene.repository().revision("v1").unwrap();
    assert_eq!(tagged.commit, scene.git(&["rev-parse", "HEAD"]));
}
