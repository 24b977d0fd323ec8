//! The safety of `groma get`: hostile links, submodules, pages and lists of modules, and the files of interrupted runs.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::elsewhere::{Folder, Server, zip_of};

/// Returns the code of a `module` block with this source.
fn call_of(source: &str) -> String {
    format!("module \"m\" {{\n  source = \"{source}\"\n}}\n")
}

/// Creates a git repository with one commit of these files.
fn repository(files: &[(&str, &str)]) -> Folder {
    let upstream = Folder::with(files);
    fs::remove_dir_all(upstream.path.join(".git")).unwrap();
    upstream.git("init -q -b main");
    upstream.git("add -A");
    upstream.git("commit -q -m one");
    upstream
}

/// Returns the `file:` URL of a folder.
fn url_of(folder: &Folder) -> String {
    format!("file://{}", folder.path.display())
}

/// Checks that a repository with a submodule at a `file:` URL is refused.
#[test]
fn submodules_are_not_brought_from_files() {
    let secret = repository(&[("main.tf", "output \"secret\" {\n  value = 1\n}\n")]);
    let upstream = repository(&[("main.tf", "")]);
    upstream.git(&format!(
        "-c protocol.file.allow=always submodule --quiet add {} in",
        url_of(&secret)
    ));
    upstream.git("commit -q -m two");
    let folder = Folder::with(&[("main.tf", &call_of(&format!("git::{}", url_of(&upstream))))]);
    let said = folder.fails("get");
    assert!(said.contains("git brings nothing"), "{said}");
    assert!(!folder.path.join(".terraform/modules/m").exists());
}

/// Checks that a repository is refused if one of its links leads out of it.
#[cfg(unix)]
#[test]
fn links_of_a_repository_stay_in_it() {
    for (target, is_well) in
        [("/etc/passwd", false), ("../../../main.tf", false), ("../main.tf", true), ("gone", true)]
    {
        let upstream = Folder::with(&[("main.tf", ""), ("in/x", "")]);
        fs::remove_dir_all(upstream.path.join(".git")).unwrap();
        std::os::unix::fs::symlink(target, upstream.path.join("in/link.tf")).unwrap();
        upstream.git("init -q -b main");
        upstream.git("add -A");
        upstream.git("commit -q -m one");
        let folder = Folder::with(&[("main.tf", &call_of(&format!("git::{}", url_of(&upstream))))]);
        let (exit, out, err) = folder.groma("get");
        assert_eq!(exit == 0, is_well, "{target}: {out}{err}");
        assert!(is_well || err.contains("the link \"in/link.tf\" in it leads out of it"), "{err}");
        assert_eq!(folder.path.join(".terraform/modules/m").exists(), is_well, "{target}");
    }
}

/// Checks that the `git` process ends when `groma get` is killed.
#[cfg(unix)]
#[test]
fn git_ends_with_the_run() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let source = format!("git::http://{}/m.git", listener.local_addr().unwrap());
    let folder = Folder::with(&[("main.tf", &call_of(&source))]);
    let mut groma = Command::new(env!("CARGO_BIN_EXE_groma"));
    groma.arg("get").current_dir(&folder.path).env("HOME", folder.path.join("home"));
    let mut groma = groma.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    // The request is never answered, so only the end of git ends the connection. The kernel accepts a connection
    // before git has written to it: the request is read first.
    let (mut asked, _) = listener.accept().unwrap();
    asked.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let mut request = [0; 11];
    asked.read_exact(&mut request).unwrap();
    assert_eq!(request, *b"GET /m.git/");
    groma.kill().unwrap();
    groma.wait().unwrap();
    asked.read_to_end(&mut Vec::new()).unwrap();
}

/// Checks that a page or a registry can neither drop a demanded checksum nor name a local repository.
#[test]
fn pages_neither_shed_a_checksum_nor_name_what_is_here() {
    let server = Server::start();
    let address = server.address.clone();
    let upstream = repository(&[("main.tf", "")]);
    let archive = zip_of(&[("main.tf", "")]);
    server.says("/m.zip", archive);
    server.leads("/page?terraform-get=1", 200, "X-Terraform-Get", "/m.zip");
    server.leads("/twice?terraform-get=1", 200, "X-Terraform-Get", "/page");
    let local = format!("git::{}", url_of(&upstream));
    server.leads("/local?terraform-get=1", 200, "X-Terraform-Get", &local);
    let remote = format!("git::{address}/m.git");
    server.leads("/git?terraform-get=1", 200, "X-Terraform-Get", &remote);
    server.says("/v1/a/b/aws/versions", "{\"modules\":[{\"versions\":[{\"version\":\"1.0.0\"}]}]}");
    server.leads("/v1/a/b/aws/1.0.0/download", 204, "X-Terraform-Get", &local);
    let sum = "checksum=sha256:00";
    for (source, said) in [
        (format!("{address}/m.zip?{sum}"), "it is not what its source says"),
        (format!("{address}/page?{sum}"), "it is not what its source says"),
        (format!("{address}/twice?{sum}"), "it is not what its source says"),
        (format!("{address}/git?{sum}"), "demands a checksum"),
        (format!("{address}/local"), "not its to name"),
        ("r.example/a/b/aws".to_owned(), "not its to name"),
        (format!("{local}?{sum}"), "a repository has no checksum"),
    ] {
        let folder = Folder::beside(&server, &[("main.tf", &call_of(&source))]);
        let err = folder.fails("get");
        assert!(err.replace('\n', " ").contains(said), "{source}: {err}");
        assert!(!folder.path.join(".terraform/modules/m").exists(), "{source}");
    }
}

/// Checks that invalid registry addresses are refused before a request with the token is sent.
#[test]
fn addresses_of_registries_are_judged_before_anybody_is_asked() {
    let server = Server::start();
    for source in
        ["r.example/../b/aws", "r.example/a/b/../c", "r.example/a/b/Aws", "r.example/a%2f/b/aws"]
    {
        let mut folder = Folder::beside(&server, &[("main.tf", &call_of(source))]);
        folder.environment.insert("TF_TOKEN_r_example".to_owned(), "s3cret".to_owned());
        assert_ne!(folder.groma("get").0, 0, "{source}");
    }
    assert_eq!(server.asked(), []);
}

/// Checks that a run removes the temporary files of interrupted runs.
#[test]
fn what_a_killed_run_left_is_swept() {
    let server = Server::start();
    server.says("/m.zip", zip_of(&[("main.tf", "")]));
    let folder = Folder::with(&[("main.tf", &call_of(&format!("{}/m.zip", server.address)))]);
    let leave = || {
        for number in 0..20 {
            folder.write(&format!(".terraform/modules/.groma-{number}/0/main.tf"), "");
            folder.write(&format!(".terraform/modules/.modules-{number}.json"), "");
        }
    };
    let there = || {
        let all = fs::read_dir(folder.path.join(".terraform/modules")).unwrap();
        let mut all: Vec<_> = all.map(|one| one.unwrap().file_name()).collect();
        all.sort();
        all
    };
    for _ in 0..2 {
        leave();
        folder.well("get");
        assert_eq!(there(), ["m", "modules.json"]);
    }
}

/// Checks that parallel runs in one folder download a module once.
#[test]
fn runs_in_one_folder_wait_for_each_other() {
    let server = Server::start();
    server.says("/m.zip", zip_of(&[("main.tf", "")]));
    let folder = Folder::with(&[("main.tf", &call_of(&format!("{}/m.zip", server.address)))]);
    std::thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| folder.well("get"));
        }
    });
    assert_eq!(server.asked().len(), 1);
    assert!(folder.manifest().contains("\"Key\":\"m\""));
}

/// Checks that modules are not written through a link in `.terraform`, but into a folder that `TF_DATA_DIR` names.
#[cfg(unix)]
#[test]
fn nothing_is_written_through_a_link() {
    let server = Server::start();
    server.says("/m.zip", zip_of(&[("main.tf", "")]));
    let text = call_of(&format!("{}/m.zip", server.address));
    for linked in [".terraform", ".terraform/modules"] {
        let outside = Folder::with(&[]);
        let folder = Folder::with(&[("main.tf", &text)]);
        let link = folder.path.join(linked);
        fs::create_dir_all(link.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(&outside.path, &link).unwrap();
        let (_, out, err) = folder.groma("get");
        assert!(err.contains(&format!("{linked} is a link")), "{out}{err}");
        assert_eq!(out, "0 modules downloaded, 0 unchanged.\n");
        assert_eq!(names(&outside.path), [".git"]);
    }
    // A folder that the user names is used.
    let outside = Folder::with(&[]);
    let mut folder = Folder::with(&[("main.tf", &text)]);
    folder.environment.insert("TF_DATA_DIR".to_owned(), outside.path.display().to_string());
    folder.groma("get");
    assert!(outside.path.join("modules/m/main.tf").exists());
}

/// Returns the names of a folder's entries.
fn names(folder: &Path) -> Vec<String> {
    let all = fs::read_dir(folder).unwrap();
    all.map(|one| one.unwrap().file_name().into_string().unwrap()).collect()
}

/// Checks that a list of modules which names a folder outside of the root is replaced and that folder is left alone.
#[test]
fn a_manifest_that_lies_is_put_right() {
    let server = Server::start();
    server.says("/m.zip", zip_of(&[("main.tf", "")]));
    let source = format!("{}/m.zip", server.address);
    let outside = Folder::with(&[("main.tf", "")]);
    let folder = Folder::with(&[("main.tf", &call_of(&source))]);
    let manifest = format!(
        "{{\"Modules\":[{{\"Key\":\"m\",\"Source\":\"{source}\",\"Dir\":\"{}\"}}]}}",
        outside.path.display()
    );
    folder.write(".terraform/modules/modules.json", &manifest);
    let (_, out, err) = folder.groma("get -upgrade");
    assert_eq!(out, "m in .terraform/modules/m\n1 module downloaded, 0 unchanged.\n", "{err}");
    assert_eq!(names(&outside.path).len(), 2);
}

/// Checks that `TF_CLI_CONFIG_FILE` may name `/dev/null`.
#[test]
fn a_configuration_that_is_nowhere_says_nothing() {
    let server = Server::start();
    server.says("/m.zip", zip_of(&[("main.tf", "")]));
    let mut folder = Folder::with(&[("main.tf", &call_of(&format!("{}/m.zip", server.address)))]);
    folder.environment.insert("TF_CLI_CONFIG_FILE".to_owned(), "/dev/null".to_owned());
    folder.well("get");
}

/// Checks that requests to this machine do not go through a configured proxy.
#[test]
fn a_proxy_is_not_asked_for_this_machine() {
    let server = Server::start();
    server.says("/m.zip", zip_of(&[("main.tf", "")]));
    let proxy = Server::start();
    let folder = Folder::with(&[("main.tf", &call_of(&format!("{}/m.zip", server.address)))]);
    let mut groma = Command::new(env!("CARGO_BIN_EXE_groma"));
    groma.arg("get").current_dir(&folder.path).env("HOME", folder.path.join("home"));
    for name in ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"] {
        groma.env(name, &proxy.address);
    }
    let done = groma.env_remove("NO_PROXY").env_remove("no_proxy").output().unwrap();
    std::io::stderr().write_all(&done.stderr).unwrap();
    assert!(done.status.success());
    assert_eq!((proxy.asked().len(), server.asked().len()), (0, 1));
}
