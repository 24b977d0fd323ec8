//! Tests of `groma edit --json`: documents conform to the JSON Schema, and their edits give the texts that `-write` writes.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::schema::Schema;
use serde_json::Value;

/// Runs `groma edit` with arguments. Returns the exit code and standard output.
fn edit(folder: &Path, args: &[&str]) -> (u8, String) {
    ran(folder, &[&["edit"], args].concat())
}

/// Runs `groma` with arguments. Returns the exit code and standard output.
fn ran(folder: &Path, args: &[&str]) -> (u8, String) {
    let (exit, out, _) = crate::command::ran(folder, args);
    (exit, out)
}

/// Creates a folder with these files, given as paths and texts, and an empty `.git`.
fn folder(name: &str, files: &[(&str, &str)]) -> std::path::PathBuf {
    let folder =
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
    fs::create_dir_all(folder.join(".git")).unwrap();
    let folder = fs::canonicalize(folder).unwrap();
    for (name, text) in files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

/// A root that calls a module, with a value file and code in JSON, and characters of several bytes.
const FILES: [(&str, &str); 4] = [
    (
        "live/main.tf",
        "module \"net\" {\n  source = \"../net\"\n  cidr   = \"é10\"\n}\n\noutput \"é\" {\n  value = \"é${module.net.id}\"\n}\n",
    ),
    ("live/more.tf.json", "{\"locals\": {\"a\": \"\\u00e9${module.net.id}\"}}\n"),
    (
        "net/main.tf",
        "variable \"cidr\" {\n  default = \"1\"\n}\n\nresource \"terraform_data\" \"a\" {\n  input = var.cidr\n}\n\noutput \"id\" {\n  value = terraform_data.a.id\n}\n",
    ),
    ("net/prod.tfvars", "cidr = \"2\" # é\n"),
];

/// Checks that applying the edits of the JSON document gives the texts that `-write` writes.
#[test]
fn what_is_printed_is_what_is_written() {
    let schema = Schema::read("edit");
    for (number, args) in [
        &["rename", "var.cidr", "address_range", "net"][..],
        &["rename", "output.id", "ident", "net"],
        &["rename", "module.net", "network", "live"],
        &["rename", "terraform_data.a", "b", "net"],
        &["set", "variable.cidr.default", "[\n1,\n2]", "net"],
        &["add", "local.b", "module.net.cidr", "live/more.tf.json"],
        &["remove", "resource.terraform_data.a", "net"],
    ]
    .into_iter()
    .enumerate()
    {
        let folder = folder(&format!("edit-{number}"), &FILES);
        let (exit, text) = edit(&folder, &[&["--json"], args].concat());
        assert_eq!(exit, 0, "{text}");
        let printed: Value = serde_json::from_str(&text).unwrap();
        schema.check(&schema.whole, &printed).unwrap();
        let mut wanted: BTreeMap<String, String> =
            FILES.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
        for file in printed["files"].as_array().unwrap() {
            let text = wanted.get_mut(file["path"].as_str().unwrap()).unwrap();
            for edit in file["edits"].as_array().unwrap().iter().rev() {
                let at = |name: &str| edit["range"][name]["byte"].as_u64().unwrap() as usize;
                let (start, end) = (at("start"), at("end"));
                assert_eq!(&text[start..end], edit["old"].as_str().unwrap());
                let line = text[..start].matches('\n').count() + 1;
                assert_eq!(edit["range"]["start"]["line"], line);
                text.replace_range(start..end, edit["new"].as_str().unwrap());
            }
        }
        assert_eq!(edit(&folder, &[&["-write"], args].concat()).0, 0);
        for (name, text) in wanted {
            assert_eq!(fs::read_to_string(folder.join(&name)).unwrap(), text, "{args:?} {name}");
        }
        fs::remove_dir_all(folder).unwrap();
    }
}

/// Checks that lists of edits and documents about failed edits conform to the JSON Schema.
#[test]
fn lists_and_refusals_are_of_the_schema() {
    let schema = Schema::read("edit");
    let orders = schema.whole.pointer("/$defs/orders").unwrap();
    let list = r#"[{"op": "rename", "path": "var.cidr", "to": "range"}, {"op": "set", "path": "variable.range.default", "to": "2"},
        {"op": "remove", "path": "output.id"}]"#;
    schema.check(orders, &serde_json::from_str(list).unwrap()).unwrap();
    let files: Vec<(&str, &str)> = FILES.into_iter().chain([("list.json", list)]).collect();
    let folder = folder("edit-list", &files);
    let (exit, text) = edit(&folder, &["--json", "--edits", "list.json", "net"]);
    assert_eq!(exit, 0, "{text}");
    schema.check(&schema.whole, &serde_json::from_str(&text).unwrap()).unwrap();
    let (exit, text) = edit(&folder, &["--json", "rename", "var.none", "x", "net"]);
    assert_eq!(exit, 1);
    schema.check(&schema.whole, &serde_json::from_str(&text).unwrap()).unwrap();
    fs::remove_dir_all(folder).unwrap();
}

/// Checks that commands refuse a named pipe instead of waiting for its writer.
#[cfg(unix)]
#[test]
fn pipes_are_refused_before_they_are_opened() {
    let folder = folder("edit-pipe", &[("main.tf", "locals {\n  a = 1\n}\n")]);
    let made = std::process::Command::new("mkfifo").arg(folder.join("pipe")).status();
    assert!(made.unwrap().success());
    for line in [
        "edit get local.a pipe",
        "edit --edits pipe",
        "render pipe",
        "schema pack pipe",
        "show pipe",
        "output -state pipe",
        "output -var-file pipe",
    ] {
        // The pipe has no writer, so opening it would never end.
        let (exit, _) = ran(&folder, &line.split(' ').collect::<Vec<_>>());
        assert!(exit == 1 || exit == 2, "{line}: {exit}");
    }
    fs::remove_dir_all(folder).unwrap();
}

/// Checks that edits and fixes keep a byte order mark, and that `fmt` removes it.
#[test]
fn the_mark_at_the_beginning_stays() {
    let text =
        "\u{feff}variable \"a\" {\n  default = 1\n}\noutput \"o\" {\n  value = \"${var.a}\"\n}\n";
    let folder = folder("edit-mark", &[("main.tf", text)]);
    let begins =
        |wanted: &str| fs::read_to_string(folder.join("main.tf")).unwrap().starts_with(wanted);
    assert_eq!(ran(&folder, &["edit", "-write", "set", "variable.a.default", "2"]).0, 0);
    assert!(begins("\u{feff}variable \"a\" {\n  default = 2\n"));
    assert_eq!(ran(&folder, &["edit", "-write", "rename", "var.a", "b"]).0, 0);
    assert!(begins("\u{feff}variable \"b\""));
    assert_eq!(ran(&folder, &["check", "--fix"]).0, 0);
    assert!(begins("\u{feff}variable \"b\""));
    assert!(fs::read_to_string(folder.join("main.tf")).unwrap().contains("value = var.b"));
    assert_eq!(ran(&folder, &["fmt"]).0, 0);
    assert!(begins("variable \"b\""));
    fs::remove_dir_all(folder).unwrap();
}

/// Checks that an edit leaves a file alone that has the journal's name but not its contents.
#[test]
fn a_file_that_is_no_journal_is_left() {
    let folder = folder(
        "edit-journal",
        &[("main.tf", "locals {\n  a = 1\n}\n"), (".groma-journal", "mine")],
    );
    assert_eq!(ran(&folder, &["edit", "-write", "set", "local.a", "2"]).0, 0);
    assert_eq!(fs::read_to_string(folder.join(".groma-journal")).unwrap(), "mine");
    assert_eq!(fs::read_to_string(folder.join("main.tf")).unwrap(), "locals {\n  a = 2\n}\n");
    fs::remove_dir_all(folder).unwrap();
}
