//! Many roots and one question through the command: a line for each, in their order, whatever becomes of a root.
#![forbid(unsafe_code)]
#![expect(clippy::unwrap_used, reason = "a test fails by panic")]

mod command;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

fn scratch(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let name = format!("fleet-{name}-{}", std::process::id());
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join(".git")).unwrap();
    for (path, text) in files {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

fn asked(folder: &Path, line: &[&str]) -> (u8, Vec<Value>, String) {
    let (exit, out, err) = command::ran(folder, line);
    assert!(out.is_empty() || out.ends_with('\n'));
    (exit, out.lines().map(|line| serde_json::from_str(line).unwrap()).collect(), err)
}

fn roots(lines: &[Value]) -> Vec<&str> {
    lines.iter().map(|line| line["root"].as_str().unwrap()).collect()
}

const FILES: &[(&str, &str)] = &[
    ("modules/m/main.tf", "variable \"n\" {}\noutput \"n\" { value = var.n }\n"),
    (
        "live/a/main.tf",
        "module \"m\" {\n  source = \"../../modules/m\"\n  n = 1\n}\noutput \"n\" { value = module.m.n }\n",
    ),
    (
        "live/b/main.tf",
        "module \"m\" {\n  source = \"../../modules/m\"\n  n = 2\n}\noutput \"n\" { value = module.m.n }\n",
    ),
    ("live/broken/main.tf", "output \"n\" { value = \n"),
    ("live/wrong/main.tf", "output \"n\" { value = local.gone }\n"),
    (
        "image/main.pkr.hcl",
        "source \"null\" \"x\" { communicator = \"none\" }\nbuild { sources = [\"null.x\"] }\n",
    ),
];

#[test]
fn each_answer_is_that_of_the_command_of_its_name() {
    let folder = scratch("names", FILES);
    let commands: &[(&[&str], &[&str])] = &[
        (&["--check"], &["check", "-json"]),
        (&["--check", "--values"], &["check", "--values", "-json"]),
        (&["--plan"], &["plan", "-json"]),
        (&["--list"], &["list", "--json"]),
        (&["--outputs"], &["output", "-json"]),
        (&["-e", "module.m.n + 1"], &["eval", "--full", "-e", "module.m.n + 1"]),
    ];
    for (question, command) in commands {
        let (_, lines, _) = asked(&folder, &[&["fleet", "live/b"], *question].concat());
        let chdir = ["-chdir=live/b"];
        let (_, out, _) = command::ran(&folder, &[&chdir[..], *command].concat());
        let mut alone: Value = serde_json::from_str(&out).unwrap();
        // The folder is named from where the command was started.
        let mut line = lines[0]["answer"].clone();
        strip(&mut alone);
        strip(&mut line);
        assert_eq!(line, alone, "{question:?}");
        assert_eq!(lines[0]["ok"], true, "{question:?}");
    }
}

/// Takes what depends on the folder that a command was started in out of a document.
fn strip(document: &mut Value) {
    match document {
        Value::Object(fields) => {
            fields.retain(|name, _| !["filename", "place", "timestamp"].contains(&name.as_str()));
            fields.values_mut().for_each(strip);
        }
        Value::Array(items) => items.iter_mut().for_each(strip),
        _ => {}
    }
}

#[test]
fn every_root_has_one_line_in_its_order() {
    let folder = scratch("order", FILES);
    let named = ["live/wrong", "live/b", "nowhere", "live/a", "live/b", "live/broken"];
    let (exit, lines, err) = asked(&folder, &[&["fleet", "--outputs"], &named[..]].concat());
    assert_eq!(exit, 1);
    assert_eq!(roots(&lines), named);
    let ok: Vec<bool> = lines.iter().map(|line| line["ok"].as_bool().unwrap()).collect();
    assert_eq!(ok, [false, true, false, true, true, false]);
    assert_eq!(lines[0]["error"]["code"], "undeclared-reference");
    assert_eq!(lines[2]["error"]["code"], "cannot-open");
    assert_eq!(lines[1]["answer"]["n"]["value"], 2);
    assert!(err.starts_with("6 roots in "), "{err}");
    for threads in ["1", "2", "7"] {
        let threads = format!("-parallelism={threads}");
        let line = [&["fleet", "--outputs", &*threads], &named[..]].concat();
        assert_eq!(asked(&folder, &line).1, lines);
    }
}

#[test]
fn patterns_and_trees_find_roots() {
    let folder = scratch("find", FILES);
    let (_, lines, _) = asked(&folder, &["fleet", "--find", ".", "--check"]);
    assert_eq!(roots(&lines), ["image", "live/a", "live/b", "live/broken", "live/wrong"]);
    let (exit, lines, _) = asked(&folder, &["fleet", "live/?", "--list"]);
    assert_eq!((exit, roots(&lines)), (0, vec!["live/a", "live/b"]));
    let (_, lines, _) = asked(&folder, &["fleet", "--find", "live", "--sample", "2", "--list"]);
    assert_eq!(lines.len(), 2);
    let again = asked(&folder, &["fleet", "--find", "live", "--sample", "2", "--list"]).1;
    assert_eq!(lines, again);
    let (exit, _, err) = asked(&folder, &["fleet", "none/*", "--list"]);
    assert_eq!(exit, 2);
    assert!(err.contains("no folder with code matches none/*"), "{err}");
}

#[test]
fn a_template_is_a_root() {
    let folder = scratch("template", FILES);
    let (exit, lines, _) = asked(&folder, &["fleet", "image", "--list"]);
    assert_eq!((exit, &lines[0]["answer"][0]["address"]), (0, &Value::from("null.x")), "{lines:?}");
    let (exit, lines, _) = asked(&folder, &["fleet", "image", "--plan"]);
    assert_eq!((exit, &lines[0]["error"]["code"]), (1, &Value::from("no-answer")));
}

#[test]
fn a_root_that_is_too_much_stops_nothing() {
    let mut files = FILES.to_vec();
    let endless = "output \"n\" { value = length([for a in range(1000) : [for b in range(1000) : [for c in range(1000) : a * b * c]]]) }\n";
    files.push(("live/endless/main.tf", endless));
    let folder = scratch("bounds", &files);
    let line = ["fleet", "live/endless", "live/a", "--outputs", "--budget", "time=200ms"];
    let (exit, lines, _) = asked(&folder, &line);
    assert_eq!(exit, 1);
    assert_eq!(lines[0]["error"]["code"], "limit-time", "{}", lines[0]);
    assert_eq!(lines[1]["ok"], true);
    let line = ["fleet", "live/endless", "live/a", "--outputs", "--limit", "steps=100000"];
    let (_, lines, _) = asked(&folder, &line);
    assert_eq!(lines[0]["error"]["code"], "limit-steps", "{}", lines[0]);
    assert_eq!(lines[1]["ok"], true);
    let line = ["fleet", "live/endless", "live/a", "--outputs", "--budget", "memory=20MB"];
    let (_, lines, _) = asked(&folder, &line);
    assert_eq!(lines[0]["error"]["code"], "limit-memory", "{}", lines[0]);
    assert_eq!(lines[1]["ok"], true);
}

#[test]
fn a_line_stays_until_what_it_depends_on_changes() {
    let folder = scratch("resume", FILES);
    let run = |expected_kept: usize, more: &[&str]| {
        let line =
            [&["fleet", "live/a", "live/b", "live/wrong", "--out", "o.jsonl", "--resume"], more]
                .concat();
        let (_, out, err) = command::ran(&folder, &line);
        assert_eq!(out, "");
        let kept = err.lines().find_map(|line| line.trim().strip_prefix("kept"));
        let kept = kept.map_or("0", |rest| rest.split_whitespace().next().unwrap());
        assert_eq!(kept, expected_kept.to_string(), "{more:?}: {err}");
        fs::read_to_string(folder.join("o.jsonl")).unwrap()
    };
    let first = run(0, &["--outputs"]);
    assert_eq!(run(3, &["--outputs"]), first);
    // Another question, another input, other limits: other lines.
    run(0, &["--list"]);
    assert_eq!(run(0, &["--outputs"]), first);
    fs::write(folder.join("live/a/terraform.tfvars"), "other = 1\n").unwrap();
    run(2, &["--outputs"]);
    fs::remove_file(folder.join("live/a/terraform.tfvars")).unwrap();
    assert_eq!(run(2, &["--outputs"]), first);
    // A module that two roots share.
    let module = "variable \"n\" {}\noutput \"n\" { value = var.n * 10 }\n";
    fs::write(folder.join("modules/m/main.tf"), module).unwrap();
    assert_ne!(run(1, &["--outputs"]), first);
    // The settings of a root count, though no code reads them.
    fs::write(folder.join("live/a/groma.toml"), "dialect = \"terraform@1.11\"\n").unwrap();
    run(2, &["--outputs"]);
    run(3, &["--outputs"]);
}

#[test]
fn the_command_line_must_make_sense() {
    let folder = scratch("sense", FILES);
    for (line, why) in [
        (&["fleet"][..], "no roots"),
        (&["fleet", "live/a", "--resume"], "--resume needs --out"),
        (&["fleet", "live/a", "--plan", "-e", "1"], "-e cannot be used together"),
        (&["fleet", "live/a", "--plan", "--list"], "cannot be used together"),
        (&["fleet", "live/a", "--budget", "steps=1"], "--budget takes time=DURATION"),
        (&["fleet", "--find", "nowhere"], "--find nowhere"),
        (&["fleet", "live/a", "--out", "."], "--out=. cannot be written"),
    ] {
        let (exit, out, err) = command::ran(&folder, line);
        assert_eq!((exit, &*out), (2, ""), "{line:?}");
        assert!(err.contains(why), "{line:?}: {err}");
    }
}
