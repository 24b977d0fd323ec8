//! `groma fleet` through the command: one line of JSON for each root, in their order, whatever happens to a root, and the lines
//! that a later run keeps.
#![forbid(unsafe_code)]
#![expect(clippy::unwrap_used, reason = "a test fails by panic")]

mod command;

use std::fs;
use std::path::{Path, PathBuf};

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

/// Returns the number of lines kept from an earlier run, as the table on standard error states it.
fn kept_in(err: &str) -> usize {
    let kept = err.lines().find_map(|line| line.trim().strip_prefix("kept"));
    kept.map_or(0, |rest| rest.split_whitespace().next().unwrap().parse().unwrap())
}

/// Checks that `--resume` keeps a line until the question, an input, a shared module or a setting changes.
#[test]
fn a_line_stays_until_what_it_depends_on_changes() {
    let folder = scratch("resume", FILES);
    let run = |expected_kept: usize, more: &[&str]| {
        let line =
            [&["fleet", "live/a", "live/b", "live/wrong", "--out", "o.jsonl", "--resume"], more]
                .concat();
        let (_, out, err) = command::ran(&folder, &line);
        assert_eq!(out, "");
        assert_eq!(kept_in(&err), expected_kept, "{more:?}: {err}");
        fs::read_to_string(folder.join("o.jsonl")).unwrap()
    };
    let first = run(0, &["--outputs"]);
    assert_eq!(run(3, &["--outputs"]), first);
    // The lines change with the question and the inputs.
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
    // A line also depends on the settings file of its root.
    fs::write(folder.join("live/a/groma.toml"), "dialect = \"terraform@1.11\"\n").unwrap();
    run(2, &["--outputs"]);
    run(3, &["--outputs"]);
}

/// Asks three roots for their outputs with `--resume`. Returns the number of lines kept and the text of the result file.
fn resumed(folder: &Path) -> (usize, String) {
    let roots = ["fleet", "live/a", "live/b", "live/wrong"];
    let line = [&roots[..], &["--outputs", "--out", "o.jsonl", "--resume"]].concat();
    let (_, _, err) = command::ran(folder, &line);
    (kept_in(&err), fs::read_to_string(folder.join("o.jsonl")).unwrap())
}

/// Creates a folder whose results and stamps are old enough to be trusted. Returns it with the text of the result file.
fn settled(name: &str) -> (PathBuf, String) {
    let folder = scratch(name, FILES);
    wait();
    let (_, first) = resumed(&folder);
    wait();
    assert_eq!(resumed(&folder), (3, first.clone()));
    (folder, first)
}

/// Waits until written files are older than the resolution of the file system's clock.
fn wait() {
    std::thread::sleep(std::time::Duration::from_millis(120));
}

/// Checks that a run without changes writes no file, and that a run without valid stamps compares contents.
#[cfg(unix)]
#[test]
fn what_has_not_changed_is_not_written_again() {
    use std::os::unix::fs::MetadataExt;
    let (folder, first) = settled("stamps-same");
    let inodes = || {
        let files = ["o.jsonl", "o.jsonl.keys", "o.jsonl.stamps"];
        files.map(|file| fs::metadata(folder.join(file)).unwrap().ino())
    };
    let before = inodes();
    assert_eq!(resumed(&folder), (3, first.clone()));
    assert_eq!(inodes(), before);
    // A file written again with the same contents is read; then the stamps are new and the lines are kept.
    let main = folder.join("live/a/main.tf");
    fs::write(&main, fs::read(&main).unwrap()).unwrap();
    assert_eq!(resumed(&folder), (3, first.clone()));
    assert_eq!(inodes()[..2], before[..2]);
    assert_ne!(inodes()[2], before[2]);
    // Without valid stamps, the contents decide.
    fs::write(folder.join("o.jsonl.stamps"), "{\"root\":1}\n").unwrap();
    assert_eq!(resumed(&folder), (3, first.clone()));
    fs::remove_file(folder.join("o.jsonl.stamps")).unwrap();
    assert_eq!(resumed(&folder), (3, first));
    assert!(!folder.join("o.jsonl.journal").exists());
    assert!(!folder.join("o.jsonl.stamps.new").exists());
}

/// Checks that the line of a Packer template is kept until a file that it reads changes, with stamps and without.
#[test]
fn a_template_is_kept_until_what_it_reads_changes() {
    let main = "locals { text = file(\"note.txt\") }\n";
    let files = [("image/main.pkr.hcl", main), ("image/note.txt", "one")];
    let folder = scratch("stamps-template", &files);
    let line = ["fleet", "image/main.pkr.hcl", "-e", "local.text", "--out", "o.jsonl", "--resume"];
    let run = || {
        let (_, _, err) = command::ran(&folder, &line);
        (kept_in(&err), fs::read_to_string(folder.join("o.jsonl")).unwrap())
    };
    wait();
    let (kept, first) = run();
    assert_eq!((kept, first.contains("one")), (0, true), "{first}");
    wait();
    assert_eq!(run(), (1, first.clone()));
    fs::remove_file(folder.join("o.jsonl.stamps")).unwrap();
    assert_eq!(run(), (1, first.clone()));
    fs::write(folder.join("image/note.txt"), "two").unwrap();
    let (kept, second) = run();
    assert_eq!((kept, second.contains("two")), (0, true), "{second}");
    fs::remove_file(folder.join("o.jsonl.stamps")).unwrap();
    fs::write(folder.join("image/note.txt"), "one").unwrap();
    assert_eq!(run(), (0, first));
}

/// Checks that an edit which keeps a file's length and write time is detected.
#[cfg(unix)]
#[test]
fn an_edit_of_the_same_length_and_time_is_seen() {
    let (folder, first) = settled("stamps-time");
    let main = folder.join("live/a/main.tf");
    let time = fs::metadata(&main).unwrap().modified().unwrap();
    let text = fs::read_to_string(&main).unwrap().replace("n = 1", "n = 7");
    fs::write(&main, text).unwrap();
    fs::File::options().write(true).open(&main).unwrap().set_modified(time).unwrap();
    assert_eq!(fs::metadata(&main).unwrap().modified().unwrap(), time);
    let (kept, lines) = resumed(&folder);
    assert_eq!((kept, lines != first), (2, true));
    assert!(lines.contains("7"), "{lines}");
}

/// Checks that created, changed and removed files and folders are detected by `--resume`.
#[test]
fn what_comes_and_goes_is_seen() {
    let (folder, first) = settled("stamps-files");
    let more = folder.join("live/a/more.tf");
    fs::write(&more, "output \"more\" { value = 1 }\n").unwrap();
    assert_eq!(resumed(&folder).0, 2);
    wait();
    assert_eq!(resumed(&folder).0, 3);
    fs::remove_file(&more).unwrap();
    assert_eq!(resumed(&folder), (2, first.clone()));
    // A module that two roots share.
    wait();
    assert_eq!(resumed(&folder), (3, first.clone()));
    let module = folder.join("modules/m/main.tf");
    let text = fs::read_to_string(&module).unwrap();
    fs::write(&module, text.replace("= var.n", "= var.n + 1")).unwrap();
    assert_eq!(resumed(&folder).0, 1);
    fs::write(&module, text).unwrap();
    assert_eq!(resumed(&folder), (1, first.clone()));
    wait();
    assert_eq!(resumed(&folder), (3, first.clone()));
    // A new folder, and a root that is removed.
    fs::create_dir(folder.join("live/b/.terraform")).unwrap();
    fs::write(folder.join("live/b/.terraform/environment"), "other").unwrap();
    assert_eq!(resumed(&folder).0, 2);
    fs::remove_dir_all(folder.join("live/b")).unwrap();
    let (kept, lines) = resumed(&folder);
    assert_eq!((kept, lines == first), (2, false));
}

/// Checks that each of many stamps is compared, wherever it stands in the stamp file, with one thread and with several.
#[test]
fn each_of_many_stamps_counts() {
    const ROOTS: usize = 160;
    let module = |at: usize, own: usize| format!("live/r{at:03}/{}{own}", "long-".repeat(24));
    let mut files: Vec<(String, String)> = Vec::new();
    for at in 0..ROOTS {
        let mut main = String::new();
        for own in 0..9 {
            let (path, text) = (module(at, own), format!("output \"n\" {{ value = {own} }}\n"));
            let folder = path.rsplit('/').next().unwrap_or_default();
            main += &format!("module \"m{own}\" {{ source = \"./{folder}\" }}\n");
            files.push((format!("{path}/main.tf"), text));
        }
        main += "output \"n\" { value = module.m8.n }\n";
        files.push((format!("live/r{at:03}/main.tf"), main));
    }
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (&**path, &**text)).collect();
    let folder = scratch("many-stamps", &files);
    let run = |threads: &str| {
        let line = ["fleet", "--find", "live", "--outputs", "--out=o.jsonl", "--resume", threads];
        let (_, _, err) = command::ran(&folder, &line);
        (kept_in(&err), fs::read_to_string(folder.join("o.jsonl")).unwrap())
    };
    wait();
    let (_, first) = run("-parallelism=2");
    wait();
    // Enough for several threads, which take parts of 32 KiB.
    assert!(
        fs::metadata(folder.join("o.jsonl.stamps")).unwrap().len() > 350_000,
        "the stamp file is too short for several threads"
    );
    for (at, own, threads) in
        [(0, 0, "-parallelism=2"), (83, 8, "-parallelism=3"), (159, 4, "-parallelism=1")]
    {
        assert_eq!(run(threads), (ROOTS, first.clone()));
        let path = folder.join(module(at, own)).join("main.tf");
        fs::write(&path, "output \"n\" { value = 7 }\n").unwrap();
        assert_eq!(run(threads).0, ROOTS - 1);
        fs::write(&path, format!("output \"n\" {{ value = {own} }}\n")).unwrap();
        assert_eq!(run(threads), (ROOTS - 1, first.clone()));
        wait();
        run(threads);
        wait();
    }
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

/// Searches for roots and asks them for their outputs with `--resume`. Returns the number of lines kept and the roots.
fn searched(folder: &Path, search: &[&str]) -> (usize, Vec<String>) {
    let line = [&["fleet"], search, &["--outputs", "--out", "o.jsonl", "--resume"]].concat();
    let (_, _, err) = command::ran(folder, &line);
    let kept = err.lines().find_map(|line| line.trim().strip_prefix("kept"));
    let kept = kept.map_or(0, |rest| rest.split_whitespace().next().unwrap().parse().unwrap());
    let lines = fs::read_to_string(folder.join("o.jsonl")).unwrap();
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    (kept, roots(&lines).into_iter().map(str::to_owned).collect())
}

/// Checks that a search for roots is repeated when a folder or a call may have changed its result.
#[test]
fn a_search_is_made_again_where_its_result_may_differ() {
    for search in [&["--find", "live"][..], &["live/*"]] {
        let folder = scratch("stamps-search", FILES);
        let is_find = search.len() == 2;
        let run = || searched(&folder, search);
        let all = |names: &[&str]| names.iter().map(|name| format!("live/{name}")).collect();
        let four: Vec<String> = all(&["a", "b", "broken", "wrong"]);
        wait();
        assert_eq!(run(), (0, four.clone()));
        wait();
        assert_eq!(run(), (4, four.clone()));
        assert!(
            fs::read_to_string(folder.join("o.jsonl.stamps")).unwrap().contains("{\"search\":")
        );
        // A damaged entry of a search in the stamp file is ignored.
        let stamps = fs::read_to_string(folder.join("o.jsonl.stamps")).unwrap();
        let damaged = stamps.replace("\"live/b\",\"live/broken\"", "\"live/broken\"");
        assert_ne!(damaged, stamps);
        fs::write(folder.join("o.jsonl.stamps"), damaged).unwrap();
        assert_eq!(run(), (4, four.clone()));
        // A new folder, first without code and then with it, which is then removed.
        wait();
        fs::create_dir(folder.join("live/later")).unwrap();
        assert_eq!(run(), (4, four.clone()));
        wait();
        assert_eq!(run(), (4, four.clone()));
        fs::write(folder.join("live/later/main.tf"), "output \"l\" { value = 1 }\n").unwrap();
        assert_eq!(run(), (4, all(&["a", "b", "broken", "later", "wrong"])));
        fs::remove_dir_all(folder.join("live/later")).unwrap();
        assert_eq!(run(), (4, four.clone()));
        // For --find a folder that another root calls as a module is not a root; that depends on file contents.
        wait();
        assert_eq!(run(), (4, four.clone()));
        let wrong = folder.join("live/wrong/main.tf");
        fs::write(wrong, "module \"b\" {\n  source = \"../b\"\n}\n").unwrap();
        let expected = if is_find { (2, all(&["a", "broken", "wrong"])) } else { (3, four) };
        assert_eq!(run(), expected);
    }
}

/// Checks that `--resume` detects a symbolic link that gets another target.
#[cfg(unix)]
#[test]
fn links_that_lead_elsewhere_are_seen() {
    use std::os::unix::fs::symlink;
    let folder = scratch("stamps-links", FILES);
    for number in [1, 2] {
        let text = format!("output \"l\" {{ value = {number} }}\n");
        fs::create_dir_all(folder.join(format!("shared/{number}"))).unwrap();
        fs::write(folder.join(format!("shared/{number}/l.tf")), text).unwrap();
    }
    let link = folder.join("shared/now");
    symlink("1", &link).unwrap();
    symlink("../../shared/now/l.tf", folder.join("live/a/l.tf")).unwrap();
    wait();
    let (_, first) = resumed(&folder);
    wait();
    assert_eq!(resumed(&folder), (3, first.clone()));
    assert_eq!(resumed(&folder), (3, first.clone()));
    // This changes no folder of the root.
    fs::remove_file(&link).unwrap();
    symlink("2", &link).unwrap();
    let (kept, lines) = resumed(&folder);
    assert_eq!((kept, lines != first), (2, true));
    fs::remove_dir_all(folder.join("shared/2")).unwrap();
    assert_eq!(resumed(&folder).0, 2);
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
