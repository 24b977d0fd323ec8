//! `groma fleet` through the command: one line of JSON for each root, in their order, whatever happens to a root.
#![forbid(unsafe_code)]
#![expect(clippy::unwrap_used, reason = "a test fails by panic")]

#[path = "../command/mod.rs"]
mod command;
mod resume;

use std::fs;
use std::path::{Path, PathBuf};

use resume::kept_in;
use serde_json::{Value, json};

/// Creates a folder in the target directory with these files, given as paths and texts, and an empty `.git`.
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

/// Runs a command line and returns its exit code, its output lines parsed as JSON, and its standard error.
fn asked(folder: &Path, line: &[&str]) -> (u8, Vec<Value>, String) {
    let (exit, out, err) = command::ran(folder, line);
    assert!(out.is_empty() || out.ends_with('\n'));
    (exit, out.lines().map(|line| serde_json::from_str(line).unwrap()).collect(), err)
}

/// Returns the path of the root that each line is about.
fn roots(lines: &[Value]) -> Vec<&str> {
    lines.iter().map(|line| line["root"].as_str().unwrap()).collect()
}

/// Two roots that share a module, a root with a syntax error, a root with an undeclared reference, and a Packer template.
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

/// Checks that the answer to each question equals the JSON of the corresponding single-root command.
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
        // Paths of files are relative to the start folder, which differs.
        let mut line = lines[0]["answer"].clone();
        strip(&mut alone);
        strip(&mut line);
        assert_eq!(line, alone, "{question:?}");
        assert_eq!(lines[0]["ok"], true, "{question:?}");
    }
}

/// Removes the properties of a document that depend on the start folder or the time: file names, places and timestamps.
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

/// Checks that each named root has one line, in the order of the command line, for any number of threads.
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

/// Checks that the reasons of unknown values are in the same order as in the plan of one root, though roots share a module.
#[test]
fn reasons_are_in_the_order_of_the_command() {
    let root = "variable \"v\" {}\nmodule \"m\" {\n  source = \"../../common/m\"\n}\noutput \"o\" { value = \"${module.m.id}${var.v}\" }\n";
    let module =
        "resource \"null_resource\" \"r\" {}\noutput \"id\" { value = null_resource.r.id }\n";
    // A module that several roots call is read before later roots.
    let names: Vec<String> = (100..200).map(|at| format!("live/{at}/main.tf")).collect();
    let mut files: Vec<(&str, &str)> = names.iter().map(|name| (&**name, root)).collect();
    files.push(("common/m/main.tf", module));
    let folder = scratch("reasons", &files);
    let addresses = |plan: &Value| -> Vec<Value> {
        let because = plan["groma"]["because"]["output.o"][""].as_array().unwrap();
        because.iter().map(|one| one["address"].clone()).collect()
    };
    let (_, lines, _) = asked(&folder, &["fleet", "--plan", "live/*"]);
    let (_, out, _) = command::ran(&folder, &["-chdir=live/199", "plan", "-json"]);
    let alone = addresses(&serde_json::from_str(&out).unwrap());
    assert_eq!(alone, ["var.v", "module.m.null_resource.r"]);
    assert_eq!(lines.len(), 100);
    assert!(lines.iter().all(|line| addresses(&line["answer"]) == alone));
}

/// Checks which roots `--find`, patterns and `--sample` select.
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

/// Checks the answers about a Packer template, and that a question which it cannot answer is an error.
#[test]
fn a_template_is_a_root() {
    let folder = scratch("template", FILES);
    let (exit, lines, _) = asked(&folder, &["fleet", "image", "--list"]);
    assert_eq!((exit, &lines[0]["answer"][0]["address"]), (0, &Value::from("null.x")), "{lines:?}");
    let (exit, lines, _) = asked(&folder, &["fleet", "image", "--outputs"]);
    assert_eq!((exit, &lines[0]["error"]["code"]), (1, &Value::from("no-answer")));
    let commands: &[(&[&str], &[&str])] = &[
        (&["--check"], &["check", "-json", "image"]),
        (&["--plan"], &["plan", "-json", "image"]),
        (&["--list"], &["list", "--json", "image"]),
        (&["-e", "upper(\"a\")"], &["eval", "--full", "image", "-e", "upper(\"a\")"]),
    ];
    for (question, command) in commands {
        let (_, lines, _) = asked(&folder, &[&["fleet", "image"], *question].concat());
        let (_, out, _) = command::ran(&folder, command);
        let alone: Value = serde_json::from_str(&out).unwrap();
        assert_eq!(lines[0]["answer"], alone, "{question:?}");
    }
}

/// Checks that a root which exceeds its time, steps or memory gets an error, and that the next root is still answered.
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

/// Checks that each root is charged what it reads, also of the modules that it shares, and none what others read: the lines are
/// the same in any order of the roots.
#[test]
fn what_a_root_reads_is_charged_to_it_alone() {
    let module = format!("output \"x\" {{ value = 1 }}\n#{}\n", "#".repeat(5_000));
    let call = |name| format!("module \"{name}\" {{\n  source = \"../{name}\"\n}}\n");
    let (small, large) = (call("m1"), ["m1", "m2", "m3", "m4"].map(call).concat());
    let mut files = vec![("a/main.tf", &*large), ("b/main.tf", &*small), ("c/main.tf", &*large)];
    files.extend(["m1/main.tf", "m2/main.tf", "m3/main.tf", "m4/main.tf"].map(|at| (at, &*module)));
    let folder = scratch("charged", &files);
    let lines = |order: [&str; 3], limit: &str| {
        let line = [&["fleet", "--check", "--limit", limit][..], &order].concat();
        let (_, mut lines, _) = asked(&folder, &line);
        lines.sort_by_key(|line| line["root"].to_string());
        lines
    };
    for (limit, is_ok) in [("sources=12KB", [false, true, false]), ("sources=40KB", [true; 3])] {
        let first = lines(["a", "b", "c"], limit);
        let found: Vec<bool> = first.iter().map(|line| line["ok"] == json!(true)).collect();
        assert_eq!(found, is_ok, "{limit}: {first:?}");
        for order in [["b", "a", "c"], ["c", "a", "b"], ["c", "b", "a"]] {
            assert_eq!(lines(order, limit), first, "{limit}: {order:?}");
        }
    }
}

/// Checks that modules which no root calls for a while, and which are dropped, are read again where later roots call them: the
/// findings in them, with their excerpts, are those of the root alone.
#[test]
fn modules_that_were_dropped_are_read_again() {
    let module = |name: &str| {
        format!(
            "# {name}\nlocals {{ unused = \"{name}\" }}\nvariable \"{name}\" {{}}\noutput \"x\" {{ value = local.{name} }}\n"
        )
    };
    let mut files: Vec<(String, String)> =
        ["one", "two"].map(|name| (format!("{name}/main.tf"), module(name))).into();
    let name = |number: usize| if (60..180).contains(&number) { "two" } else { "one" };
    for number in 0..240 {
        let call =
            format!("module \"m\" {{\n  source = \"../../{0}\"\n  {0} = 1\n}}\n", name(number));
        files.push((format!("live/{number:03}/main.tf"), call));
    }
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (&**path, &**text)).collect();
    let folder = scratch("dropped", &files);
    for threads in ["-parallelism=1", "-parallelism=3"] {
        let (_, lines, _) = asked(&folder, &["fleet", "live/*", "--check", threads]);
        assert_eq!(lines.len(), 240);
        for number in (0..240).step_by(7) {
            let root = format!("live/{number:03}");
            let (_, out, _) = command::ran(&folder, &["check", "-json", &root]);
            let alone: Value = serde_json::from_str(&out).unwrap();
            assert!(out.contains(&format!("local.{}", name(number))), "{out}");
            assert_eq!(lines[number]["answer"], alone, "{root}");
        }
    }
}

/// Checks that answers use the state in the root's folder, and that `--resume` asks again when the state changes.
#[test]
fn a_state_beside_the_root_counts() {
    let code = "resource \"terraform_data\" \"a\" { input = 1 }\noutput \"id\" { value = terraform_data.a.id }\n";
    let state = |id: &str| {
        let known = json!({"value": 1, "type": "number"});
        let attributes =
            json!({"id": id, "input": known, "output": known, "triggers_replace": null});
        let resource = json!({"mode": "managed", "type": "terraform_data", "name": "a",
            "provider": "provider[\"terraform.io/builtin/terraform\"]",
            "instances": [{"schema_version": 0, "attributes": attributes}]});
        json!({"version": 4, "terraform_version": "1.11.4", "serial": 1, "lineage": "x", "outputs": {}, "resources": [resource]})
            .to_string()
    };
    let folder = scratch("state", &[("a/main.tf", code), ("a/terraform.tfstate", &state("first"))]);
    let id = |question: &[&str], kept: usize| {
        let line = [&["fleet", "a", "--out", "o.jsonl", "--resume"], question].concat();
        let (_, _, err) = command::ran(&folder, &line);
        assert_eq!(kept_in(&err), kept, "{err}");
        let line = fs::read_to_string(folder.join("o.jsonl")).unwrap();
        let answer = serde_json::from_str::<Value>(&line).unwrap()["answer"].clone();
        match question {
            ["--outputs"] => answer["id"]["value"].clone(),
            _ => answer["value"].clone(),
        }
    };
    let eval = ["-e", "terraform_data.a.id"];
    assert_eq!(id(&eval, 0), "first");
    assert_eq!((id(&["--outputs"], 0), id(&["--outputs"], 1)), ("first".into(), "first".into()));
    fs::write(folder.join("a/terraform.tfstate"), state("second")).unwrap();
    assert_eq!((id(&["--outputs"], 0), id(&eval, 0)), ("second".into(), "second".into()));
    fs::remove_file(folder.join("a/terraform.tfstate")).unwrap();
    assert_eq!((id(&eval, 0), id(&["--outputs"], 0)), (Value::Null, Value::Null));
}

/// Checks that the lines of several batches are in order for any number of threads, also when a root is named twice.
#[test]
fn batches_are_written_in_order_whatever_the_threads() {
    let files: Vec<(String, String)> = (0..70)
        .map(|at| (format!("live/r{at:02}/main.tf"), format!("output \"n\" {{ value = {at} }}\n")))
        .collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (&**path, &**text)).collect();
    let folder = scratch("batches", &files);
    // One root is named again in the same batch, and another one in the next batch.
    let names: Vec<String> = (0..70).map(|at| format!("live/r{at:02}")).collect();
    let mut named: Vec<&str> = names.iter().map(String::as_str).collect();
    named.insert(3, "live/r01");
    named.insert(50, "live/r02");
    let run = |more: &[&str]| {
        command::ran(&folder, &[&["fleet"], &named[..], &["--outputs"], more].concat())
    };
    let (_, printed, _) = run(&["-parallelism=1"]);
    assert_eq!(printed.lines().count(), 72);
    assert_eq!(run(&["-parallelism=3"]).1, printed);
    let lines = || fs::read_to_string(folder.join("o.jsonl")).unwrap();
    for threads in ["-parallelism=1", "-parallelism=2"] {
        run(&["--out", "o.jsonl", threads]);
        assert_eq!(lines(), printed);
        fs::write(folder.join("live/r40/main.tf"), "output \"n\" { value = 40 }\n\n").unwrap();
        run(&["--out", "o.jsonl", "--resume", threads]);
        assert_eq!(lines(), printed);
    }
}

/// Checks the messages about command lines that are not valid, and their exit code 2.
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
