//! The promises of `docs/guide/untrusted.md`, each with a test. The test fails for a sentence of the guide that is neither tested
//! nor listed as promising nothing, and for a tested sentence that the guide lacks.

use std::fs;
use std::net::TcpListener;
use std::process::Command;

use groma_cli::{ColourChoice, MachineContext, RunSession, RunWatch, TerminalStreams, run};

use super::{CANARY, Scene};

/// A sentence of the guide that promises something, and the function that tests it.
type Promise = (&'static str, fn(&Scene));

/// All sentences of the guide that promise something, each with its test.
const PROMISES: &[Promise] = &[
    (
        "Groma only reads: no provider and no provisioner is run, and but for `groma get` and `groma init`, which bring \
         modules, no connection is opened.",
        nothing_is_run,
    ),
    ("Then code sees its own folder and nothing else:", only_its_folder),
    ("The environment with its tokens is not looked at.", no_environment),
    ("Neither `.git` with its remotes nor the home directory is read.", nothing_private),
    ("Settings and schemas that the pull request brings along do not count.", no_settings),
    (
        "No link leads out of the folder, neither to be read nor to be written through.",
        no_link_leads_out,
    ),
    (
        "A run ends after 60 seconds, with 2 GB of values and with 100 MB of answer, and says by which of these.",
        runs_have_ends,
    ),
    (
        "Give what it needs by flags: `--root .` for a repository whose modules lie beside each other, `--schema FILE` for a \
         schema of your own, `-var` and `-var-file` for values.",
        flags_count,
    ),
    (
        "What is sensitive is not told in any message: neither the value, nor its keys, nor the line of a value file that \
         sets it.",
        messages_are_silent,
    ),
    (
        "The forms for programs (`output -json`, `plan --json`) show sensitive values as the reference programs do; keep \
         those of code that is given real secrets to yourself.",
        programs_are_told,
    ),
    (
        "What is given for an ephemeral variable stands in no form of a check, a plan, a comparison or a drawing.",
        ephemeral_is_nowhere,
    ),
    (
        "On a terminal, characters that it would obey, or that turn text around, are shown as escapes (`\\u001b`, `\\u202e`), \
         in values, names, keys and code, even with `-raw`.",
        terminals_are_safe,
    ),
    ("Where output goes to a file or a pipe, every byte is exact.", files_are_exact),
];

/// The sentences of the guide that promise nothing.
const BETWEEN: &[&str] = &[
    "So code cannot do anything.",
    "What it can do is ask: for files of the machine that it is read on, for the environment, and for time and memory.",
    "On your own code that is what you want.",
    "In a pipeline that checks pull requests from forks it is not: say so there, once.",
    "The [page of the flag](../../conformance/pages/cli/untrusted.md) has all of it.",
    "These things hold without the flag too:",
    "So a log of a failed run is not a leak.",
    "What else is promised, and how it is tested, is in [SECURITY.md](../../SECURITY.md).",
];

/// Returns the sentences of the guide, without code and headings.
fn sentences() -> Vec<String> {
    let guide = testkit::workspace().join("docs/guide/untrusted.md");
    let guide = fs::read_to_string(guide).unwrap();
    let prose: Vec<&str> = guide.split("```").step_by(2).collect();
    let mut sentences = Vec::new();
    for paragraph in prose.join("\n\n").replace("\n- ", "\n\n").split("\n\n") {
        let text = paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
        if text.starts_with('#') {
            continue;
        }
        let mut rest = text.as_str();
        while let Some((at, _)) = rest.match_indices(". ").next() {
            sentences.push(rest[..=at].to_owned());
            rest = &rest[at + 2..];
        }
        if !rest.is_empty() {
            sentences.push(rest.to_owned());
        }
    }
    // A dot in a path or a flag does not end a sentence.
    sentences
}

/// Checks that each sentence of the guide is known, and runs the test of each promise.
#[test]
fn each_promise_is_tested_and_each_sentence_is_known() {
    let said = sentences();
    assert!(said.len() > 15, "{said:?}");
    let known = |sentence: &str| {
        PROMISES.iter().any(|(promise, _)| *promise == sentence) || BETWEEN.contains(&sentence)
    };
    let unknown: Vec<&String> = said.iter().filter(|sentence| !known(sentence)).collect();
    assert!(unknown.is_empty(), "no test is known of: {unknown:#?}");
    let all = PROMISES.iter().map(|(promise, _)| promise).chain(BETWEEN);
    for one in all {
        assert!(said.iter().any(|sentence| sentence == one), "the guide does not say: {one}");
    }
    for (number, (promise, test)) in PROMISES.iter().enumerate() {
        println!("{promise}");
        test(&Scene::new(&format!("promise-{number}")));
    }
}

/// Replaces the code of the untrusted module.
fn code(scene: &Scene, text: &str) {
    fs::write(scene.0.join("fork/app/main.tf"), text).unwrap();
}

/// Checks that the output of a command line has the canary without `--untrusted` and lacks it with the flag or its variable.
fn only_without(scene: &Scene, line: &str, environment: &[(&str, &str)]) {
    let (_, open) = scene.groma(line, environment);
    assert!(open.contains(CANARY), "{line}: {open}");
    let (_, closed) = scene.groma(&format!("{line} --untrusted"), environment);
    assert!(!closed.contains(CANARY), "{line}: {closed}");
    let (_, closed) = scene.groma(line, &[environment, &[("GROMA_UNTRUSTED", "1")]].concat());
    assert!(!closed.contains(CANARY), "{line}: {closed}");
}

/// Checks that no command runs a program or opens a connection, except `get` and `init`.
fn nothing_is_run(scene: &Scene) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let address = listener.local_addr().unwrap();
    code(
        scene,
        &format!(
            "data \"http\" \"a\" {{\n  url = \"http://{address}/\"\n}}\n\
             data \"external\" \"a\" {{\n  program = [\"touch\", \"ran\"]\n}}\n\
             module \"m\" {{\n  source = \"http://{address}/m.zip\"\n}}\n\
             resource \"terraform_data\" \"a\" {{\n  provisioner \"local-exec\" {{\n    command = \"touch ran\"\n  }}\n}}\n\
             output \"o\" {{\n  value = \"${{data.http.a.response_body}}${{data.external.a.result.x}}\"\n}}\n"
        ),
    );
    for line in ["check", "plan", "output", "graph", "list", "eval -e 1", "ast --values"] {
        scene.groma(line, &[]);
    }
    assert!(!scene.0.join("fork/app/ran").exists());
    assert!(listener.accept().is_err(), "somebody is asked");
    // The commands that may connect do so, since the check above would prove nothing otherwise.
    listener.set_nonblocking(false).unwrap();
    let (told, asked) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        while let Ok((stream, _)) = listener.accept() {
            drop(stream);
            if told.send(()).is_err() {
                return;
            }
        }
    });
    for line in ["get", "init"] {
        let (exit, text) = scene.groma(line, &[]);
        assert!(exit == 1 && asked.try_iter().count() > 0, "{line}: {text}");
    }
}

/// Checks that untrusted code reads files of its own folder only.
fn only_its_folder(scene: &Scene) {
    code(scene, "output \"t\" {\n  value = try(file(\"../env/text\"), \"none\")\n}\n");
    fs::write(scene.0.join("fork/env/text"), CANARY).unwrap();
    only_without(scene, "output", &[]);
    code(scene, "output \"t\" {\n  value = try(file(\"text\"), \"none\")\n}\n");
    fs::write(scene.0.join("fork/app/text"), CANARY).unwrap();
    let (_, own) = scene.groma("output --untrusted", &[]);
    assert!(own.contains(CANARY), "{own}");
}

/// Checks that untrusted code sees no environment variables.
fn no_environment(scene: &Scene) {
    only_without(scene, "output", &[("TF_VAR_token", CANARY)]);
    let flag = format!("-var=token={CANARY}");
    only_without(scene, "output", &[("TF_CLI_ARGS_output", &flag)]);
    only_without(scene, "eval -e terraform.workspace", &[("TF_WORKSPACE", CANARY)]);
}

/// Checks that neither `.git` nor the home directory is read.
fn nothing_private(scene: &Scene) {
    fs::create_dir_all(scene.0.join("fork/app/.git")).unwrap();
    fs::write(scene.0.join("fork/app/.git/config"), CANARY).unwrap();
    code(
        scene,
        "output \"g\" {\n  value = try(file(\".git/config\"), \"none\")\n}\n\
         output \"h\" {\n  value = try(file(\"~/secret\"), \"none\")\n}\n",
    );
    let home = scene.0.join("fork/app/home");
    fs::create_dir_all(&home).unwrap();
    fs::write(home.join("secret"), CANARY).unwrap();
    only_without(scene, "output", &[("HOME", &home.to_string_lossy())]);
    // `.git` is not read in any mode, unless it is allowed by name.
    fs::remove_file(home.join("secret")).unwrap();
    let (_, text) = scene.groma("output", &[("HOME", &home.to_string_lossy())]);
    assert!(!text.contains(CANARY), "{text}");
    let (_, text) = scene.groma("output --allow-read .git", &[]);
    assert!(text.contains(CANARY), "{text}");
}

/// Checks that the settings and schemas of untrusted code are ignored.
fn no_settings(scene: &Scene) {
    fs::write(scene.0.join("fork/app/given.tfvars"), format!("token = \"{CANARY}\"\n")).unwrap();
    fs::write(scene.0.join("fork/app/groma.toml"), "var-files = [\"given.tfvars\"]\n").unwrap();
    only_without(scene, "output", &[]);
    let schema = scene.0.join("fork/app/.terraform");
    fs::create_dir_all(&schema).unwrap();
    // A broken schema next to trusted code is reported.
    fs::write(schema.join("providers-schema.json"), CANARY).unwrap();
    fs::remove_file(scene.0.join("fork/app/groma.toml")).unwrap();
    code(scene, "resource \"a_b\" \"c\" {}\n");
    let (_, open) = scene.groma("check", &[]);
    let (_, closed) = scene.groma("check --untrusted", &[]);
    assert!(open.contains("providers-schema.json"), "{open}");
    assert!(!closed.contains("cannot be read"), "{closed}");
}

/// Checks that untrusted code is neither read nor written through links that lead out.
fn no_link_leads_out(scene: &Scene) {
    scene.link("../../outside/text", "fork/app/l.txt");
    scene.link("../../outside/code", "fork/app/l.tf");
    code(scene, "output \"t\" {\n  value = try(file(\"l.txt\"), \"none\")\n}\n");
    for line in ["output", "ast l.tf", "edit get locals.a l.tf"] {
        let (_, text) = scene.groma(&format!("{line} --untrusted"), &[]);
        assert!(!text.contains(CANARY), "{line}: {text}");
    }
    let target = scene.0.join("outside/code");
    let before = fs::read(&target).unwrap();
    for line in ["fmt l.tf", "edit set -write locals.a 1 l.tf", "plan -out=l.tf"] {
        let (exit, text) = scene.groma(&format!("{line} --untrusted"), &[]);
        assert!(exit != 0 && fs::read(&target).unwrap() == before, "{line}: {text}");
    }
    let (_, text) = scene.groma("edit get locals.a l.tf", &[]);
    assert!(text.contains(CANARY), "{text}");
}

/// Checks the default limits of untrusted code and the diagnostics about them.
fn runs_have_ends(scene: &Scene) {
    let (_, help) = scene.groma("check --help", &[("COLUMNS", "400")]);
    for bound in ["60 seconds", "2 GB", "100 MB"] {
        assert!(help.contains(bound), "{bound}: {help}");
    }
    // Values share their parts, so that little code has a long output.
    let mut text = String::from("locals {\n  a0 = \"0123456789\"\n");
    for at in 1..15 {
        let before = at - 1;
        text.push_str(&format!("  a{at} = [local.a{before}, local.a{before}, local.a{before}]\n"));
    }
    text.push_str("}\noutput \"o\" {\n  value = local.a14\n}\n");
    code(scene, &text);
    let (exit, text) = scene.groma("output -json --untrusted", &[]);
    assert!(exit == 1 && text.contains("limit-output"), "{text:.2000}");
    code(
        scene,
        "output \"o\" {\n  value = [for a in range(1000) : [for b in range(1000) : [for c in range(1000) : sha512(\"${a}${b}${c}\")]]]\n}\n",
    );
    // Time and memory are limited by the process itself.
    for (flag, bound, end) in
        [("--timeout", "200ms", "[limit-time]"), ("--memory", "64MB", "[limit-memory]")]
    {
        let ran = Command::new(env!("CARGO_BIN_EXE_groma"))
            .args(["output", "--untrusted", flag, bound])
            .current_dir(scene.0.join("fork/app"))
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&ran.stderr);
        assert!(ran.status.code() == Some(1) && text.contains(end), "{flag}: {text}");
    }
}

/// Checks that flags give untrusted code a larger root, values and a schema.
fn flags_count(scene: &Scene) {
    fs::write(
        scene.0.join("fork/env/main.tf"),
        format!("output \"o\" {{\n  value = \"{CANARY}\"\n}}\n"),
    )
    .unwrap();
    code(
        scene,
        "module \"m\" {\n  source = \"../env\"\n}\noutput \"o\" {\n  value = module.m.o\n}\n",
    );
    let (_, text) = scene.groma("output --untrusted", &[]);
    assert!(!text.contains(CANARY), "{text}");
    let (_, text) = scene.groma("output --untrusted --root ..", &[]);
    assert!(text.contains(CANARY), "{text}");
    code(scene, "variable \"token\" {}\noutput \"t\" {\n  value = var.token\n}\n");
    for line in [format!("-var=token={CANARY}"), "-var-file=../../outside/values".to_owned()] {
        let (_, text) = scene.groma(&format!("output --untrusted {line}"), &[]);
        assert!(text.contains(CANARY), "{line}: {text}");
    }
    let schema = scene.0.join("outside/own.json");
    fs::write(&schema, r#"{"format_version": "1.0", "provider_schemas": {"registry.opentofu.org/hashicorp/a": {
        "resource_schemas": {"a_b": {"version": 0, "block": {"attributes": {"known": {"type": "string", "optional": true}}}}}}}}"#)
        .unwrap();
    code(scene, &format!("resource \"a_b\" \"c\" {{\n  {} = 1\n}}\n", "unheard"));
    let (exit, text) = scene.groma("check --untrusted --schema ../../outside/own.json", &[]);
    assert!(exit == 1 && text.contains("unheard"), "{text}");
}

/// The declaration of a sensitive variable `s`, a map of numbers.
const SECRET: &str = "variable \"s\" {\n  sensitive = true\n  type      = map(number)\n}\n";

/// Checks that no message shows a sensitive value, its keys or its line in a value file.
fn messages_are_silent(scene: &Scene) {
    code(scene, &format!("{SECRET}output \"o\" {{\n  sensitive = true\n  value = var.s\n}}\n"));
    let values = format!("s = {{ {CANARY} = \"{CANARY}\" }}\n");
    fs::write(scene.0.join("fork/app/terraform.tfvars"), values).unwrap();
    for line in [
        "check --values",
        "check --values --json",
        "plan",
        "output",
        "check --values --format=sarif",
    ] {
        let (exit, text) = scene.groma(line, &[]);
        assert!(exit != 0 && text.contains("variable-type"), "{line}: {text}");
        assert!(!text.to_lowercase().contains(CANARY), "{line}: {text}");
    }
}

/// Checks that JSON output shows sensitive values and text does not.
fn programs_are_told(scene: &Scene) {
    code(scene, &format!("{SECRET}output \"o\" {{\n  sensitive = true\n  value     = var.s\n}}\n"));
    let values = format!("s = {{ {CANARY} = 1 }}\n");
    fs::write(scene.0.join("fork/app/terraform.tfvars"), values).unwrap();
    for (line, shows) in
        [("output", false), ("plan", false), ("output -json", true), ("plan --json", true)]
    {
        let (_, text) = scene.groma(line, &[]);
        assert_eq!(text.contains(CANARY), shows, "{line}: {text}");
    }
}

/// Checks that no output has the value of an ephemeral variable.
fn ephemeral_is_nowhere(scene: &Scene) {
    code(
        scene,
        "variable \"e\" {\n  ephemeral = true\n}\nlocals {\n  l = var.e\n}\noutput \"o\" {\n  value = 1\n}\n",
    );
    let flag = format!("-var=e={CANARY}");
    for line in [
        "check --values",
        "check --values --json",
        "plan",
        "plan --json",
        "output -json",
        "list --json",
        "graph --json",
        "eval -e local.l",
        "why local.l --json",
        "ast --values",
        "inspect --json",
    ] {
        let (_, text) = scene.groma(&format!("{line} {flag}"), &[]);
        assert!(!text.contains(CANARY), "{line}: {text}");
    }
}

/// Returns everything that a command line prints, as if on a terminal or not.
fn printed(scene: &Scene, line: &str, is_terminal: bool) -> String {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let terminal =
        TerminalStreams { output: is_terminal, errors: is_terminal, ..TerminalStreams::default() };
    let session = RunSession {
        input: &mut std::io::empty(),
        out: &mut out,
        err: &mut err,
        terminal,
        machine: MachineContext::at(scene.0.join("fork/app"), [].into()),
        painted: ColourChoice::default(),
        watch: RunWatch::default(),
    };
    run(line.split(' ').map(Into::into).collect(), session);
    out.extend(err);
    String::from_utf8(out).unwrap()
}

/// Replaces the code by one with characters that a terminal obeys in a value, a key and a comment.
fn harmful(scene: &Scene) {
    code(
        scene,
        "output \"o\" {\n  value = \"\u{1b}]0;x\u{202e}y\"\n}\noutput \"k\" {\n  value = { \"\u{1b}k\" = 1 }\n}\n\
         output \"e\" {\n  value = nothing.here # \u{1b}c\u{202e}\n}\n",
    );
}

/// Checks that output on a terminal has no harmful characters.
fn terminals_are_safe(scene: &Scene) {
    harmful(scene);
    for line in ["output -raw o", "output", "check", "plan", "eval -e 1"] {
        let text = printed(scene, line, true);
        let obeyed = ["\u{1b}]", "\u{1b}k", "\u{1b}c", "\u{202e}"];
        assert!(!obeyed.iter().any(|one| text.contains(one)), "{line}: {text:?}");
    }
    assert!(printed(scene, "output -raw o", true).contains("\\u001b"));
    assert!(printed(scene, "output -raw o", true).contains("\\u202e"));
}

/// Checks that raw output to a pipe is exact.
fn files_are_exact(scene: &Scene) {
    harmful(scene);
    assert!(printed(scene, "output -raw o", false).starts_with("\u{1b}]0;x\u{202e}y"));
}
