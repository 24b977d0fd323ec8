//! Untrusted code: each promise of `docs/guide/untrusted.md` and `SECURITY.md` about files, tested with links that lead out. Each
//! case also runs without the flag and must then show the files outside, since it would prove nothing otherwise.
#![cfg(unix)]

mod promise;

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use groma_cli::{ColourChoice, MachineContext, RunSession, RunWatch, TerminalStreams, run};

/// A text that every file outside of the untrusted repository contains, and also its `.git`.
const CANARY: &str = "canary-outside-9731";

/// A folder with an untrusted repository `fork`, whose module is in `fork/app`, and a folder `outside` that it must not read.
struct Scene(PathBuf);

impl Drop for Scene {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl Scene {
    /// Creates the folder; `name` makes its name unique.
    fn new(name: &str) -> Scene {
        let made = format!("untrusted-{}-{name}", std::process::id());
        let top = Path::new(env!("CARGO_TARGET_TMPDIR")).join(made);
        let _ = fs::remove_dir_all(&top);
        for folder in ["fork/app", "fork/.git", "fork/env", "outside/mocks"] {
            fs::create_dir_all(top.join(folder)).unwrap();
        }
        let scene = Scene(fs::canonicalize(top).unwrap());
        let state = format!(
            "{{\"version\":4,\"terraform_version\":\"1.9.0\",\"serial\":1,\"lineage\":\"x\",\"outputs\":\
             {{\"s\":{{\"value\":\"{CANARY}\",\"type\":\"string\"}}}},\"resources\":[]}}"
        );
        for (file, text) in [
            ("outside/text", format!("{CANARY}\n")),
            ("outside/values", format!("token = \"{CANARY}\"\n")),
            ("outside/code", format!("locals {{\n  a   = \"{CANARY}\"\n}}\n")),
            ("outside/main.tf", format!(
                    "locals {{\n  a = \"{CANARY}\"\n}}\noutput \"t\" {{\n  value   = local.a\n}}\n"
                )),
            ("outside/state", state),
            ("outside/mock", format!("mock_data \"{CANARY}\" {{\n}}\n")),
            ("outside/mocks/a.tfmock.hcl", format!("mock_data \"{CANARY}\" {{\n}}\n")),
            (
                "outside/schema",
                format!(
                    "{{\"format_version\": \"1.0\", \"provider_schemas\": {{\"r.example/a/{CANARY}\": {{}}}}}}\n"
                ),
            ),
            (
                "outside/edits",
                format!("[{{\"op\": \"set\", \"path\": \"output.t.value\", \"to\": \"\\\"{CANARY}\\\"\"}}]\n"),
            ),
            (
                "outside/template",
                format!("source \"null\" \"a\" {{\n  {CANARY} = \"b\n}}\n"),
            ),
            ("fork/.git/config", format!("token = \"{CANARY}\"\n")),
            (
                "fork/app/main.tf",
                "variable \"token\" {\n  default = \"d\"\n}\n\noutput \"t\" {\n  value = var.token\n}\n".to_owned(),
            ),
        ] {
            fs::write(scene.0.join(file), text).unwrap();
        }
        scene
    }

    /// Creates a symbolic link at a path in the folder.
    fn link(&self, target: &str, name: &str) {
        symlink(target, self.0.join(name)).unwrap();
    }

    /// Runs a command line in the untrusted module and returns its exit code and everything that it prints.
    fn groma(&self, line: &str, environment: &[(&str, &str)]) -> (u8, String) {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let environment: BTreeMap<String, String> =
            environment.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
        let exit = run(
            line.split(' ').map(Into::into).collect(),
            RunSession {
                input: &mut std::io::empty(),
                out: &mut out,
                err: &mut err,
                terminal: TerminalStreams::default(),
                painted: ColourChoice::default(),
                machine: MachineContext::at(self.0.join("fork/app"), environment),
                watch: RunWatch::default(),
            },
        );
        out.extend(err);
        (exit.0, String::from_utf8(out).unwrap())
    }

    /// Checks that a command line is refused and shows no canary when untrusted, and that it is not refused otherwise; `shows` is
    /// true if it then shows the canary. Returns the failures as text.
    fn refuses(&self, line: &str, shows: bool) -> Vec<String> {
        let mut wrong = Vec::new();
        let (_, open) = self.groma(line, &[]);
        if is_refusal(&open) || open.contains(CANARY) != shows {
            wrong.push(format!("{line}: {open}"));
        }
        for (line, environment) in [
            (format!("{line} --untrusted"), None),
            (line.to_owned(), Some(("GROMA_UNTRUSTED", "1"))),
        ] {
            let (exit, text) = self.groma(&line, environment.as_slice());
            if !is_refusal(&text) || text.contains(CANARY) || exit == 0 {
                wrong.push(format!("{line}: {exit}: {text}"));
            }
        }
        wrong
    }
}

/// Returns true if a text says that a path is outside of the folders that may be read or written.
fn is_refusal(text: &str) -> bool {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    [
        "lies outside of the directories that may be read",
        "a link that leads out",
        "a link leads out",
    ]
    .iter()
    .any(|said| text.contains(said))
}

/// Command lines that name a file, each with true if trusted code shows the file's text.
const NAMED: &[(&str, bool)] = &[
    ("render l.tftpl -var x=1", true),
    ("output -var-file=l.tfvars", true),
    ("plan -var-file=l.tfvars", true),
    ("plan -json -var-file=l.tfvars", true),
    ("eval -e var.token -var-file=l.tfvars", true),
    ("console -var-file=l.tfvars", false),
    ("why output.t -var-file=l.tfvars", true),
    ("check --values -var-file=l.tfvars", false),
    ("graph -var-file=l.tfvars", false),
    ("providers schema -json --schema l.schema", false),
    ("output -var-file=../env/l.tfvars", true),
    ("ast ../env/l.code.tf", true),
    ("edit get local.a ../env/l.code.tf", true),
    ("edit set local.a 1 ../env/l.code.tf", true),
    ("edit --edits l.edits", true),
    ("fmt -diff -write=false ../env/l.code.tf", true),
    ("show l.tfstate", true),
    ("plan --state l.tfstate", true),
    ("state pull -state=l.tfstate", true),
    ("state list -state=l.tfstate", false),
    ("console --state l.tfstate", false),
    ("eval -e 1 --mock l.tfmock.hcl", true),
    ("eval -e 1 --mock mocks", true),
    ("check --mock l.tfmock.hcl", true),
    ("eval -e 1 --schema l.schema", false),
    ("check --schema l.schema", false),
    ("schema pack l.schema", true),
    ("schema pack l.schema -lock-file=l.tfvars", true),
    ("check ../env/l.pkr.hcl", true),
    ("inspect ../env/l.pkr.hcl", true),
    ("eval -e 1 -var-file=g.tfvars", false),
    ("output --root .. -var-file=g.tfvars", true),
];

/// Checks that files named on the command line are not read through links out of an untrusted folder.
#[test]
fn links_that_lead_out_are_not_read() {
    let scene = Scene::new("read");
    for (name, target) in [
        ("env/l.code.tf", "code"),
        ("env/l.pkr.hcl", "template"),
        ("env/l.tfvars", "values"),
        ("app/l.tftpl", "text"),
        ("app/l.tfvars", "values"),
        ("app/l.edits", "edits"),
        ("app/l.tfstate", "state"),
        ("app/l.tfmock.hcl", "mock"),
        ("app/mocks", "mocks"),
        ("app/l.schema", "schema"),
    ] {
        scene.link(&format!("../../outside/{target}"), &format!("fork/{name}"));
    }
    scene.link("../.git/config", "fork/app/g.tfvars");
    let wrong: Vec<String> =
        NAMED.iter().flat_map(|(line, shows)| scene.refuses(line, *shows)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Checks that a link to a folder outside of an untrusted repository is not followed.
#[test]
fn folders_that_lead_out_are_not_entered() {
    let scene = Scene::new("folders");
    scene.link("../outside", "fork/away");
    let wrong: Vec<String> = [
        ("plan ../away", true),
        ("-chdir=../away output", true),
        ("check ../away", false),
        ("check -recursive ../away", false),
        ("eval -e local.a ../away", true),
        ("ast --root ../away ../away/main.tf", true),
        ("eval -e 1 --allow-read ../away", false),
        ("eval -e 1 --module x=../away", false),
        ("ast ../away", true),
        ("ast ../away/main.tf", true),
        ("ast --root .. ../away/main.tf", true),
        ("fmt -diff -write=false ../away", true),
        ("fmt -diff -write=false ../away/main.tf", true),
        ("edit get locals.a ../away", true),
        ("edit get locals.a ../away/main.tf", true),
        ("render ../away/text -var x=1", true),
        ("output -var-file=../away/values", true),
        ("show ../away/state", true),
    ]
    .iter()
    .flat_map(|(line, shows)| scene.refuses(line, *shows))
    .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Checks that code files which are links into `.git` or out of the repository are not read.
#[test]
fn code_is_not_led_into_what_is_private() {
    let scene = Scene::new("private");
    scene.link(".git/config", "fork/l.tf");
    scene.link(".git/config", "fork/l.auto.tfvars");
    fs::create_dir_all(scene.0.join("fork/.terraform")).unwrap();
    scene.link("../.git/config", "fork/.terraform/environment");
    scene.link("../outside/code", "fork/away.tf");
    for line in ["check ..", "output ..", "plan -json ..", "ast ..", "fmt -diff -write=false .."] {
        let (exit, text) = scene.groma(&format!("{line} --untrusted"), &[]);
        assert!(!text.contains(CANARY) && exit != 0, "{line}: {text}");
    }
    fs::remove_file(scene.0.join("fork/l.tf")).unwrap();
    fs::remove_file(scene.0.join("fork/l.auto.tfvars")).unwrap();
    fs::remove_file(scene.0.join("fork/away.tf")).unwrap();
    let workspace = "eval -e terraform.workspace ..";
    assert!(scene.groma(workspace, &[]).1.contains(CANARY));
    let (_, text) = scene.groma(&format!("{workspace} --untrusted"), &[]);
    assert!(!text.contains(CANARY), "{text}");
}

/// Checks that files outside are read if the command line names them without a link.
#[test]
fn what_the_user_names_is_read() {
    let scene = Scene::new("named");
    scene.link("../../outside/values", "fork/app/l.tfvars");
    scene.link("inside.txt", "fork/app/inside.tfvars");
    scene.link("folder", "fork/app/other");
    fs::create_dir(scene.0.join("fork/app/folder")).unwrap();
    for file in ["fork/app/inside.txt", "fork/app/folder/in.tfvars"] {
        fs::write(scene.0.join(file), format!("token = \"{CANARY}\"\n")).unwrap();
    }
    for line in [
        // The file is outside, but the command line names it without a link.
        "output --untrusted -var-file=../../outside/values",
        "output --untrusted -var-file=inside.tfvars",
        "output --untrusted -var-file=other/in.tfvars",
        "output --untrusted --allow-read=../../outside -var-file=l.tfvars",
        "ast --untrusted ../../outside/main.tf",
        "fmt --untrusted -diff -write=false ../../outside/main.tf",
    ] {
        let (_, text) = scene.groma(line, &[]);
        assert!(text.contains(CANARY), "{line}: {text}");
    }
}

/// Checks that commands which write refuse links out of an untrusted folder.
#[test]
fn nothing_is_written_through_links() {
    let scene = Scene::new("written");
    let badly = "locals {\n  a   = \"x\"\n}\n";
    scene.link("../../outside/target", "fork/env/w.tf");
    scene.link("../../outside/target", "fork/app/w.json");
    scene.link("../../outside", "fork/app/away");
    fs::copy(scene.0.join("outside/schema"), scene.0.join("fork/app/schema")).unwrap();
    let rule = "variable \"a\" {\n  type = \"string\"\n}\n";
    for (line, file, text) in [
        ("fmt ../env/w.tf", "target", badly),
        ("fmt ../env", "target", badly),
        ("fmt -recursive ..", "target", badly),
        ("edit set -write local.a 1 ../env/w.tf", "target", badly),
        ("edit set -write local.a 1 ../env", "target", badly),
        ("plan -out=w.json", "target", badly),
        ("plan -out=away/target", "target", badly),
        ("plan -out=away/new", "new", ""),
        ("mock -out=w.json -force", "target", badly),
        ("mock -out=away/target -force", "target", badly),
        ("mock -out=away/new", "new", ""),
        ("schema pack schema -out=w.json", "target", badly),
        ("schema pack schema -out=away/new", "new", ""),
        ("check --root .. --fix ../env", "target", rule),
    ] {
        let target = scene.0.join("outside").join(file);
        let lay = || match text {
            "" => drop(fs::remove_file(&target)),
            text => fs::write(&target, text).unwrap(),
        };
        let is_laid = || fs::read(&target).unwrap_or_default() == text.as_bytes();
        lay();
        let (_, said) = scene.groma(&format!("{line} --untrusted"), &[]);
        assert!(is_laid(), "{line}: {said}");
        assert!(is_refusal(&said), "{line}: {said}");
        let (_, said) = scene.groma(line, &[]);
        // Code outside of the root is not read, so nothing in it is fixed.
        assert!(!is_laid() || line.starts_with("check"), "{line}: {said}");
    }
}

/// Checks that commands refuse a named pipe instead of waiting for its writer.
#[test]
fn no_pipe_is_waited_for() {
    let scene = Scene::new("pipe");
    for pipe in ["fork/app/p.tfvars", "fork/env/p.tf"] {
        let made = std::process::Command::new("mkfifo").arg(scene.0.join(pipe)).status();
        assert!(made.unwrap().success());
    }
    for line in [
        "output -var-file=p.tfvars",
        "show p.tfvars",
        "render p.tfvars -var x=1",
        "schema pack p.tfvars",
        "schema pack p.tfvars -out=x",
        "check --schema p.tfvars",
        "plan --state p.tfvars",
        "eval -e 1 --mock p.tfvars",
        "fmt p.tfvars",
        "fmt ../env/p.tf",
        "edit get token p.tfvars",
        "edit set token 1 p.tfvars -write",
        "edit --edits p.tfvars",
        "ast ../env/p.tf",
        "plan -out=p.tfvars",
        "mock -out=p.tfvars -force",
    ] {
        for line in [format!("{line} --untrusted"), line.to_owned()] {
            let (exit, text) = scene.groma(&line, &[]);
            let is_told = ["pipe", "regular file", "kind that is wanted", "no such"];
            assert!(exit != 0 && is_told.iter().any(|one| text.contains(one)), "{line}: {text}");
        }
    }
}
