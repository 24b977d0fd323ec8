//! Tests of `groma ast`: documents conform to the JSON Schema, and their ranges are those of the file.

use std::fs;
use std::path::Path;

use crate::command::ran;
use crate::schema::Schema;
use serde_json::Value;

/// Runs `groma ast` on a path. Returns the exit code and the printed document.
fn ast(folder: &Path, path: &str) -> (u8, Value) {
    ast_with(folder, &[path])
}

/// Runs `groma ast` with arguments. Returns the exit code and the printed document.
fn ast_with(folder: &Path, args: &[&str]) -> (u8, Value) {
    let (exit, out, err) = ran(folder, &[&["ast"], args].concat());
    let document = serde_json::from_str(&out);
    (exit, document.unwrap_or_else(|error| panic!("{error}\n{out}{err}")))
}

/// Checks that every range of a document lies in that of its parent, and that ranges of names contain those names.
fn ranges(value: &Value, text: &str, within: (usize, usize)) {
    let span = |value: &Value| {
        let at = |index: usize| value[index].as_u64().unwrap() as usize;
        (at(0), at(1))
    };
    match value {
        Value::Array(items) => items.iter().for_each(|item| ranges(item, text, within)),
        Value::Object(entries) => {
            let own = entries.get("range").map_or(within, span);
            assert!(
                own.0 >= within.0 && own.1 <= within.1,
                "{own:?} is not within {within:?}: {value}"
            );
            assert!(text.is_char_boundary(own.0) && text.is_char_boundary(own.1));
            for (name, range) in
                [("name", "name_range"), ("root", "root_range"), ("type", "type_range")]
            {
                if let (Some(name), Some(range)) = (entries.get(name), entries.get(range)) {
                    let (start, end) = span(range);
                    let written: String = text[start..end].split_whitespace().collect();
                    // The parts of a name may be separated by comments.
                    assert!(written == name.as_str().unwrap() || written.contains("::"), "{value}");
                }
            }
            let inner = entries.iter().filter(|(name, _)| {
                !name.ends_with("range") && !["resolves_to", "diagnostics"].contains(&name.as_str())
            });
            inner.for_each(|(_, inner)| ranges(inner, text, own));
        }
        _ => {}
    }
}

/// Checks the documents of all formatting cases against the JSON Schema and against the texts.
#[test]
fn documents_are_what_the_schema_says() {
    let schema = Schema::read("ast");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("ast-{}", std::process::id()));
    fs::create_dir_all(folder.join(".git")).unwrap();
    let facts = fs::read_to_string(testkit::conformance().join("fmt/edge.jsonl")).unwrap();
    let facts: Vec<Value> = facts.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for (number, fact) in facts.iter().enumerate() {
        fs::write(folder.join(format!("f{number:04}.tf")), fact["in"].as_str().unwrap()).unwrap();
    }
    let (exit, document) = ast(&folder, ".");
    assert_eq!(exit, 1);
    schema.check(&schema.whole, &document).unwrap();
    let files = document["files"].as_array().unwrap();
    assert_eq!(files.len(), facts.len());
    let mut read = 0;
    for (file, fact) in files.iter().zip(&facts) {
        let text = fact["in"].as_str().unwrap();
        let is_well = file["diagnostics"].as_array().unwrap().is_empty();
        assert_eq!(!is_well, fact["refused"] == true, "{}", fact["id"]);
        if is_well {
            ranges(&file["body"], text, (0, text.len()));
            read += 1;
        }
        for comment in file["comments"].as_array().unwrap() {
            let at = |index: usize| comment["range"][index].as_u64().unwrap() as usize;
            assert_eq!(&text[at(0)..at(1)], comment["text"].as_str().unwrap());
        }
    }
    assert!(read > 400, "{read}");
    fs::remove_dir_all(&folder).unwrap();
}

/// Checks that the references of an example resolve to ranges that contain the declared names.
#[test]
fn folders_and_references() {
    let (exit, document) = ast(&testkit::workspace(), "examples/fleet");
    assert_eq!(exit, 0);
    let schema = Schema::read("ast");
    schema.check(&schema.whole, &document).unwrap();
    let files = document["files"].as_array().unwrap();
    let mut resolved = 0;
    let mut open = vec![&document];
    while let Some(value) = open.pop() {
        match value {
            Value::Array(items) => open.extend(items),
            Value::Object(entries) => {
                if let Some(to) = entries.get("resolves_to").filter(|to| to.get("file").is_some()) {
                    let file = files.iter().find(|file| file["name"] == to["file"]).unwrap();
                    let text = fs::read_to_string(
                        testkit::workspace().join(file["name"].as_str().unwrap()),
                    );
                    let last = to["address"].as_str().unwrap().rsplit('.').next().unwrap();
                    let at = |index: usize| to["range"][index].as_u64().unwrap() as usize;
                    assert!(text.unwrap()[at(0)..at(1)].contains(last), "{to}");
                    resolved += 1;
                }
                open.extend(entries.values());
            }
            _ => {}
        }
    }
    assert!(resolved > 10, "{resolved}");
}

/// Returns all objects of a document that have a property, each with the property's value.
fn having<'v>(document: &'v Value, name: &str) -> Vec<(&'v Value, &'v Value)> {
    let (mut found, mut open) = (Vec::new(), vec![document]);
    while let Some(value) = open.pop() {
        match value {
            Value::Array(items) => open.extend(items),
            Value::Object(entries) => {
                found.extend(entries.get(name).map(|has| (value, has)));
                open.extend(entries.values());
            }
            _ => {}
        }
    }
    found
}

/// Checks the values that `--values` adds to expressions: iterations, instances, unknown and sensitive ones.
#[test]
fn values_of_parts() {
    let folder =
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("worth-{}", std::process::id()));
    fs::create_dir_all(folder.join(".git")).unwrap();
    let text = "variable \"secret\" {\n  default   = \"hunter2\"\n  sensitive = true\n}\n\
                variable \"open\" {}\n\
                locals {\n  n      = 1 + 2\n  login  = { user = \"me\", word = \"x-${var.secret}\" }\n  \
                either = local.n > 2 ? local.n : var.open\n  twice  = [for one in [3, 4] : one * 2]\n}\n\
                resource \"terraform_data\" \"each\" {\n  for_each = toset([\"a\", \"b\"])\n  \
                input    = \"${each.key}-${var.open}\"\n}\n";
    fs::write(folder.join("main.tf"), text).unwrap();
    let schema = Schema::read("ast");
    for path in [".", "main.tf", "./main.tf"] {
        let (exit, document) = ast_with(&folder, &["--values", path]);
        assert_eq!(exit, 0);
        schema.check(&schema.whole, &document).unwrap();
        assert!(!document.to_string().contains("x-hunter2"), "{document}");
        let found = having(&document, "values");
        let worth = |written: &str| -> Vec<Value> {
            let is_it = |node: &Value| {
                let at = |index: usize| node["range"][index].as_u64().unwrap() as usize;
                &text[at(0)..at(1)] == written
            };
            let values = found.iter().filter(|(node, _)| is_it(node));
            values.flat_map(|(_, values)| values.as_array().unwrap().clone()).collect()
        };
        let plain = |value: u32| serde_json::json!({ "type": "number", "value": value });
        assert_eq!(worth("1 + 2"), [plain(3)]);
        assert_eq!(worth("one * 2"), [plain(6), plain(8)]);
        assert_eq!(worth("local.n > 2 ? local.n : var.open")[0]["value"], 3);
        let login = worth("{ user = \"me\", word = \"x-${var.secret}\" }");
        assert_eq!(login[0]["value"], serde_json::json!({ "user": "me", "word": null }));
        assert_eq!(login[0]["sensitive"], serde_json::json!([".word"]));
        let inputs = worth("\"${each.key}-${var.open}\"");
        let instances: Vec<&Value> = inputs.iter().map(|one| &one["instance"]).collect();
        assert_eq!(instances, ["terraform_data.each[\"a\"]", "terraform_data.each[\"b\"]"]);
        assert!(inputs.iter().all(|one| one["unknown"] == serde_json::json!([""])));
        assert_eq!(worth("each.key")[1]["value"], "b");
    }
    fs::remove_dir_all(&folder).unwrap();
}

/// Checks that the document of an example with `--values` conforms to the schema and has values.
#[test]
fn values_of_an_example() {
    let (exit, document) = ast_with(&testkit::workspace(), &["--values", "examples/fleet"]);
    assert_eq!(exit, 0);
    let schema = Schema::read("ast");
    schema.check(&schema.whole, &document).unwrap();
    assert!(having(&document, "values").len() > 20);
}

/// Checks that very long reference and operator chains need little stack.
#[test]
fn long_chains() {
    let folder =
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("chain-{}", std::process::id()));
    fs::create_dir_all(folder.join(".git")).unwrap();
    let text = format!(
        "a = b{}{}\nc = 1{}\n",
        ".d".repeat(20_000),
        "[0]".repeat(5_000),
        " + 1".repeat(20_000)
    );
    fs::write(folder.join("main.tf"), text).unwrap();
    let thread = std::thread::Builder::new().stack_size(2 << 20);
    let work = {
        let folder = folder.clone();
        move || {
            let (exit, out, _) = ran(&folder, &["ast", "main.tf"]);
            (exit, out.len())
        }
    };
    let (exit, length) = thread.spawn(work).unwrap().join().unwrap();
    fs::remove_dir_all(&folder).unwrap();
    assert_eq!(exit, 0);
    assert!(length > 1_000_000, "{length}");
}
