//! `groma get` with a server and repositories of the test itself: what is downloaded, kept and refused. No other machine is
//! contacted.

use std::fs;

use crate::elsewhere::{Folder, Server, tar_gz, zip_of};

/// Checks that git sources are cloned, that the list of modules has Terraform's format, and that a second run downloads nothing.
#[test]
fn repositories_are_cloned_and_listed_as_the_other_programs_list_them() {
    let upstream = Folder::with(&[
        (
            "main.tf",
            "module \"s\" {\n  source = \"./sub\"\n}\noutput \"o\" {\n  value = module.s.o\n}\n",
        ),
        ("sub/main.tf", "output \"o\" {\n  value = 1\n}\n"),
    ]);
    fs::remove_dir_all(upstream.path.join(".git")).unwrap();
    upstream.git("init -q -b main");
    upstream.git("add -A");
    upstream.git("commit -q -m one");
    upstream.git("tag v1.0.0");
    upstream.write("sub/main.tf", "output \"o\" {\n  value = 2\n}\n");
    upstream.git("commit -q -a -m two");
    let url = format!("git::file://{}", upstream.path.display());
    let folder = Folder::with(&[
        ("local/main.tf", ""),
        (
            "main.tf",
            &format!(
                "module \"a\" {{\n  source = \"{url}?ref=v1.0.0\"\n}}\nmodule \"b\" {{\n  source = \"{url}//sub\"\n}}\n\
                 module \"l\" {{\n  source = \"./local\"\n}}\noutput \"o\" {{\n  value = [module.a.o, module.b.o]\n}}\n"
            ),
        ),
    ]);
    let out = folder.well("get");
    assert_eq!(
        out,
        "a in .terraform/modules/a\nb in .terraform/modules/b/sub\n2 modules downloaded, 0 unchanged.\n"
    );
    assert_eq!(
        folder.manifest(),
        format!(
            "{{\"Modules\":[{{\"Key\":\"\",\"Source\":\"\",\"Dir\":\".\"}},\
             {{\"Key\":\"a\",\"Source\":\"{url}?ref=v1.0.0\",\"Dir\":\".terraform/modules/a\"}},\
             {{\"Key\":\"a.s\",\"Source\":\"./sub\",\"Dir\":\".terraform/modules/a/sub\"}},\
             {{\"Key\":\"b\",\"Source\":\"{url}//sub\",\"Dir\":\".terraform/modules/b/sub\"}},\
             {{\"Key\":\"l\",\"Source\":\"./local\",\"Dir\":\"local\"}}]}}"
        )
    );
    assert_eq!(folder.well("output -json o"), "[1,2]\n");
    assert_eq!(folder.well("get"), "0 modules downloaded, 2 unchanged.\n");
    let entries: Vec<String> = fs::read_dir(folder.path.join(".terraform/modules"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert!(entries.iter().all(|name| !name.starts_with('.')), "{entries:?}");
}

/// Checks the choice of versions from a registry, its token, upgrades, and that a failed download keeps the present version.
#[test]
fn a_registry_says_which_versions_there_are_and_where() {
    let server = Server::start();
    server.keeps("a/net/aws", &[
        ("1.0.0", &[("main.tf", "output \"v\" {\n  value = \"1.0.0\"\n}\n")]),
        ("1.2.0", &[(
            "main.tf",
            "module \"in\" {\n  source = \"r.example/a/inner/aws//deep\"\n  version = \"~> 2.0\"\n}\noutput \"v\" {\n  value = \"1.2.0 ${module.in.v}\"\n}\n",
        )]),
        ("2.0.0-beta", &[("main.tf", "")]),
    ]);
    server.keeps(
        "a/inner/aws",
        &[("2.5.0", &[("deep/main.tf", "output \"v\" {\n  value = \"in\"\n}\n")])],
    );
    let call = |version: &str| {
        format!(
            "module \"net\" {{\n  source  = \"r.example/a/net/aws\"\n  version = \"{version}\"\n}}\noutput \"v\" {{\n  value = module.net.v\n}}\n"
        )
    };
    let mut folder = Folder::beside(&server, &[("main.tf", &call(">= 1.0"))]);
    folder.environment.insert("TF_TOKEN_r_example".to_owned(), "s3cret".to_owned());
    let out = folder.well("get");
    assert_eq!(
        out,
        "net 1.2.0 in .terraform/modules/net/pack\nnet.in 2.5.0 in .terraform/modules/net.in/pack/deep\n2 modules downloaded, 0 unchanged.\n"
    );
    assert_eq!(folder.well("output v"), "\"1.2.0 in\"\n");
    assert!(folder.manifest().contains(
        "{\"Key\":\"net.in\",\"Source\":\"r.example/a/inner/aws//deep\",\"Version\":\"2.5.0\",\"Dir\":\".terraform/modules/net.in/pack/deep\"}"
    ));
    for (path, token) in server.asked() {
        let is_registry = !path.ends_with(".tar.gz");
        assert_eq!(token.as_deref(), is_registry.then_some("Bearer s3cret"), "{path}");
    }

    // A new constraint that the present version satisfies changes nothing; any other downloads another version.
    folder.write("main.tf", &call("~> 1.1"));
    assert_eq!(folder.well("get"), "0 modules downloaded, 2 unchanged.\n");
    folder.write("main.tf", &call("< 1.2"));
    let out = folder.well("get");
    assert_eq!(
        out,
        "net 1.0.0 in .terraform/modules/net/pack\n1 module downloaded, 0 unchanged.\n"
    );
    assert_eq!(folder.well("output v"), "\"1.0.0\"\n");
    folder.write("main.tf", &call(">= 1.0"));
    assert_eq!(folder.well("get"), "0 modules downloaded, 1 unchanged.\n");
    assert!(folder.well("get -upgrade").starts_with("net 1.2.0 in"));

    // If no version matches, the present one is kept.
    let before = folder.manifest();
    folder.write("main.tf", &call("> 9"));
    let said = folder.fails("get");
    assert!(
        said.contains(
            "r.example/a/net/aws has no version that is \"> 9\"; the newest is 2.0.0-beta."
        ),
        "{said}"
    );
    assert!(folder.read(".terraform/modules/net/pack/main.tf").contains("1.2.0"));
    folder.write("main.tf", &call(">= 1.0"));
    assert_eq!(folder.well("get"), "0 modules downloaded, 2 unchanged.\n", "{before}");
}

/// Checks that archives are found by ending, by the `archive` parameter, by a page's meta tag and through a redirection.
#[test]
fn archives_come_by_their_endings_by_a_page_and_through_redirections() {
    let server = Server::start();
    let module = [("main.tf", "output \"v\" {\n  value = \"here\"\n}\n")];
    server.says("/m.zip", zip_of(&module));
    server.says("/plain", tar_gz(&module));
    server.says(
        "/page?terraform-get=1",
        "<html><meta name=\"terraform-get\" content=\"/m.zip\" /></html>",
    );
    server.leads("/moved.zip", 302, "Location", "/m.zip");
    let address = &server.address;
    let sources = ["m.zip", "plain?archive=tar.gz", "page", "moved.zip"]
        .map(|path| format!("{address}/{path}"));
    for source in sources {
        let text = format!(
            "module \"m\" {{\n  source = \"{source}\"\n}}\noutput \"v\" {{\n  value = module.m.v\n}}\n"
        );
        let folder = Folder::with(&[("main.tf", &text)]);
        assert_eq!(
            folder.well("get"),
            "m in .terraform/modules/m\n1 module downloaded, 0 unchanged.\n"
        );
        assert_eq!(folder.well("output v"), "\"here\"\n");
    }
}

/// Checks the messages about bad archives, addresses and sources, and that nothing is left on the disk.
#[test]
fn what_must_not_be_is_refused_and_leaves_nothing() {
    let server = Server::start();
    server.says("/good.zip", zip_of(&[("main.tf", "")]));
    server.says("/up.zip", zip_of(&[("../../../x.tf", "")]));
    server.says("/broken.zip", "PK and then nothing");
    server.says("/bare", "no page that names anything");
    server.leads("/away.zip", 302, "Location", "http://example.com/m.zip");
    server.leads("/ring.zip", 302, "Location", "/ring.zip");
    let address = server.address.clone();
    for (source, said) in [
        (format!("{address}/up.zip"), "leads out of it"),
        (format!("{address}/broken.zip"), "the archive cannot be read"),
        (format!("{address}/absent.zip"), "answers with 404"),
        (format!("{address}/bare"), "answers with 404"),
        (format!("{address}/away.zip"), "over plain http anybody"),
        (format!("{address}/ring.zip"), "leads on more than 10 times"),
        (format!("{address}/good.zip//none"), "there is no folder \"none\" in it"),
        (format!("{address}/good.zip?checksum=sha256:00"), "it is not what its source says"),
        ("http://example.com/m.zip".to_owned(), "over plain http anybody"),
        ("s3::https://s3.amazonaws.com/b/m.zip".to_owned(), "are not brought by \"s3\""),
        ("git::ext::sh%20-c%20x".to_owned(), "reached by https, ssh or file"),
        ("git::https://example.com/m.git?ref=--upload-pack=x".to_owned(), "names no branch"),
        ("git::file:///nowhere/at/all".to_owned(), "git brings nothing"),
        ("r.example/a/none/aws".to_owned(), "r.example has no module a/none/aws"),
    ] {
        let text = format!("module \"m\" {{\n  source = \"{source}\"\n}}\n");
        let folder = Folder::beside(&server, &[("main.tf", &text)]);
        let err = folder.fails("get");
        assert!(err.contains(said), "{source}: {err}");
        assert!(!folder.path.join(".terraform/modules/m").exists(), "{source}");
        assert!(!folder.path.join("x.tf").exists(), "{source}");
        assert!(!folder.path.join(".terraform/x.tf").exists(), "{source}");
    }
}

/// Checks that `get --untrusted` and all other commands contact no server.
#[test]
fn nothing_is_brought_for_strangers_code_or_unasked() {
    let server = Server::start();
    server.says("/m.zip", zip_of(&[("main.tf", "")]));
    let text = format!("module \"m\" {{\n  source = \"{}/m.zip\"\n}}\n", server.address);
    let folder = Folder::with(&[("main.tf", &text)]);
    assert_eq!(folder.groma("get --untrusted").0, 2);
    for line in ["check", "plan", "output", "eval -e 1", "list"] {
        folder.groma(line);
    }
    assert_eq!(server.asked(), []);
    assert!(!folder.path.join(".terraform").exists());
}

/// Checks that the other modules are downloaded if one fails.
#[test]
fn one_that_fails_does_not_keep_the_others_away() {
    let server = Server::start();
    server.says("/m.zip", zip_of(&[("main.tf", "output \"v\" {\n  value = 1\n}\n")]));
    let address = &server.address;
    let text = format!(
        "module \"bad\" {{\n  source = \"{address}/none.zip\"\n}}\nmodule \"good\" {{\n  source = \"{address}/m.zip\"\n}}\n"
    );
    let folder = Folder::with(&[("main.tf", &text)]);
    let (exit, out, err) = folder.groma("get");
    assert_eq!(
        (exit, &*out),
        (1, "good in .terraform/modules/good\n1 module downloaded, 0 unchanged.\n")
    );
    assert!(err.contains("Module \"bad\":") && err.contains("main.tf line 2"), "{err}");
}

/// Checks that `diff --upgrade` compares with a version that was downloaded into another folder.
#[test]
fn a_version_that_is_brought_is_one_to_upgrade_to() {
    let server = Server::start();
    let code = |size: u8| format!("output \"v\" {{\n  value = {size}\n}}\n");
    let (old, new) = (code(1), code(2));
    server
        .keeps("a/net/aws", &[("1.0.0", &[("main.tf", &*old)]), ("2.0.0", &[("main.tf", &*new)])]);
    let call = |version: &str| {
        format!(
            "module \"net\" {{\n  source  = \"r.example/a/net/aws\"\n  version = \"{version}\"\n}}\noutput \"v\" {{\n  value = module.net.v\n}}\n"
        )
    };
    let folder =
        Folder::beside(&server, &[("main.tf", &call("1.0.0")), ("next/main.tf", &call("2.0.0"))]);
    folder.well("get");
    folder.well("get next");
    let module = "--module r.example/a/net/aws@2.0.0=next/.terraform/modules/net/pack";
    let said = folder.well(&format!("diff --upgrade module.net=2.0.0 {module} -compact"));
    assert_eq!(
        said,
        "  ~ module module.net.version\n  ~ output v\nPlan: 0 to add, 0 to change, 0 to destroy.\n"
    );
    assert!(folder.read("main.tf").contains("1.0.0"));
    let said = folder.fails("diff --upgrade module.net=2.0.0");
    assert!(said.contains("module.net with 2.0.0 is not available"), "{said}");
}
