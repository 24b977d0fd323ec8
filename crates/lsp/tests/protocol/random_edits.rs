//! Thousands of edits at random, the same in every run: afterwards the server answers as one that was started afresh.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::client::{TestClient, about, at, edited, uri};

/// A pseudo-random number generator with a seed.
struct Numbers(u64);

impl Numbers {
    /// Returns a pseudo-random number below `bound`, or 0 if that is 0.
    fn below(&mut self, bound: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % bound.max(1)
    }
}

/// The first text of the root module's file.
const MAIN: &str = "variable \"names\" {\n  type = list(string)\n}\n\nlocals {\n  upper = [for name in var.names : upper(name)]\n  first = local.upper[0]\n}\n\nmodule \"m\" {\n  source = \"./m\"\n  name   = local.first\n}\n\noutput \"o\" {\n  value = module.m.o\n}\n";
/// The first text of the called module's file.
const MODULE: &str = "variable \"name\" {}\n\nresource \"terraform_data\" \"a\" {\n  count = length(var.name)\n  input = var.name\n}\n\noutput \"o\" {\n  value = terraform_data.a[*].input\n}\n";
/// The first text of the values file.
const VALUES: &str = "names = [\"é\", \"bb\"]\n";
/// Texts that edits insert; many of them are not valid code.
const PIECES: [&str; 12] = [
    "\n",
    "}",
    "{",
    "\"",
    "${",
    "locals {\n  x = 1\n}\n",
    "local.first",
    "# é𝄞\n",
    "= [",
    "<<-E\n t\nE\n",
    "module.m.o",
    "variable \"y\" {}\n",
];

/// Returns a byte offset in a text as a position of the protocol, with columns in bytes.
fn position(text: &str, offset: usize) -> Value {
    let before = &text[..offset];
    let line = before.matches('\n').count();
    json!({ "line": line, "character": offset - before.rfind('\n').map_or(0, |at| at + 1) })
}

/// Returns the last character boundary of a text at or before an offset.
fn boundary(text: &str, mut offset: usize) -> usize {
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

/// Returns the published diagnostics, and the answers to many requests about these documents, by name.
fn answers(client: &mut TestClient, texts: &BTreeMap<&str, String>) -> Value {
    let mut all = serde_json::Map::new();
    let published = client.published.iter();
    for (uri, params) in published.filter(|(_, params)| params["diagnostics"] != json!([])) {
        all.insert(format!("findings {uri}"), params["diagnostics"].clone());
    }
    for (path, text) in texts {
        let lines = text.matches('\n').count() as u32;
        for method in [
            "textDocument/documentSymbol",
            "textDocument/foldingRange",
            "textDocument/documentLink",
            "textDocument/codeLens",
        ] {
            all.insert(format!("{method} {path}"), client.request(method, about(path)));
        }
        let tokens = client.request("textDocument/semanticTokens/full", about(path));
        all.insert(format!("tokens {path}"), tokens["data"].clone());
        for line in (0..lines).step_by(3) {
            for method in
                ["textDocument/hover", "textDocument/definition", "textDocument/completion"]
            {
                let answer = client.request(method, at(path, line, 9));
                all.insert(format!("{method} {path}:{line}"), answer);
            }
        }
    }
    all.into()
}

/// Makes pseudo-random edits, and after every `every` of them compares all answers with those of a server started afresh.
fn run(seed: u64, edits: usize, every: usize) {
    let files = [
        ("/w/main.tf", MAIN),
        ("/w/m/main.tf", MODULE),
        ("/w/terraform.tfvars", VALUES),
        ("/w/other.tf", "locals {\n  other = 1\n}\n"),
    ];
    let mut client = TestClient::of(&files);
    let mut texts: BTreeMap<&str, String> =
        files[..3].iter().map(|(path, text)| (*path, (*text).to_owned())).collect();
    texts.keys().for_each(|path| client.open_file(path));
    let mut numbers = Numbers(seed);
    let mut undo: Vec<(&str, String)> = Vec::new();
    let mut beside = "/w/other.tf";
    for number in 0..edits {
        let path = files[numbers.below(3)].0;
        let text = texts[path].clone();
        match numbers.below(13) {
            // A file that is not open changes on disk.
            0 => {
                let value = numbers.below(9);
                let text = format!("locals {{\n  other = {value}\n}}\n");
                client.files.write(beside, text.as_bytes());
                let changes = json!({ "changes": [{ "uri": uri(beside), "type": 2 }] });
                client.notify("workspace/didChangeWatchedFiles", changes);
            }
            // A file that is not open is renamed.
            12 => {
                let new = if beside == "/w/other.tf" { "/w/moved.tf" } else { "/w/other.tf" };
                let files = json!({ "files": [{ "oldUri": uri(beside), "newUri": uri(new) }] });
                client.request("workspace/willRenameFiles", files.clone());
                let text = client.files.text(beside).expect("the file is there");
                client.files.remove(beside);
                client.files.write(new, text.as_bytes());
                client.notify("workspace/didRenameFiles", files);
                let changes = json!({ "changes": [
                    { "uri": uri(beside), "type": 3 }, { "uri": uri(new), "type": 1 },
                ] });
                client.notify("workspace/didChangeWatchedFiles", changes);
                beside = new;
            }
            // The name at a position is changed, if there is one.
            1 => {
                let offset = boundary(&text, numbers.below(text.len() + 1));
                let mut params = json!({ "textDocument": { "uri": uri(path) }, "position": position(&text, offset) });
                params["newName"] = json!(format!("n{}", numbers.below(50)));
                let response = client.response("textDocument/rename", params);
                let changes = response["result"]["documentChanges"].as_array().cloned();
                for change in changes.unwrap_or_default() {
                    let known = files[..3].iter().map(|(path, _)| *path);
                    let known =
                        known.into_iter().find(|path| change["textDocument"]["uri"] == uri(path));
                    let Some(path) = known else { continue };
                    let after = edited(&texts[path], &change["edits"]);
                    undo.push((path, texts[path].clone()));
                    client.change_by(
                        path,
                        change["edits"]
                            .as_array()
                            .expect("a list")
                            .iter()
                            .rev()
                            .map(|edit| json!({ "range": edit["range"], "text": edit["newText"] }))
                            .collect(),
                    );
                    texts.insert(path, after);
                }
            }
            2 | 3 => {
                if let Some((path, text)) = undo.pop() {
                    client.change(path, &text);
                    texts.insert(path, text);
                }
            }
            // A document is closed and opened again.
            4 if numbers.below(8) == 0 => {
                client.close(path);
                client.open(path, &text);
            }
            kind => {
                let start = boundary(&text, numbers.below(text.len() + 1));
                let length = if kind < 8 { numbers.below(20) } else { 0 };
                let end = boundary(&text, (start + length).min(text.len())).max(start);
                let piece = if kind % 2 == 0 { PIECES[numbers.below(PIECES.len())] } else { "" };
                let range = json!({ "start": position(&text, start), "end": position(&text, end) });
                client.change_by(path, json!([{ "range": range, "text": piece }]));
                let mut after = text.clone();
                after.replace_range(start..end, piece);
                undo.push((path, text));
                texts.insert(path, after);
            }
        }
        // The first texts are restored at times, so that texts stay short and have values.
        if undo.len() > 12 || texts[path].len() > 3_000 {
            undo.clear();
            for (path, text) in &files[..3] {
                client.change(path, text);
                texts.insert(path, (*text).to_owned());
            }
        }
        if number % every == every - 1 {
            let other = client.files.text(beside).expect("the file is there");
            let now = [(beside, other.as_str())];
            let all: Vec<(&str, &str)> =
                now.into_iter().chain(files[..3].iter().copied()).collect();
            let mut fresh = TestClient::of(&all);
            texts.iter().for_each(|(path, text)| fresh.open(path, text));
            let (old, new) = (answers(&mut client, &texts), answers(&mut fresh, &texts));
            for (name, answer) in new.as_object().expect("an object") {
                assert_eq!(
                    &old[name], answer,
                    "after {number} edits of seed {seed}: {name}\n{texts:#?}"
                );
            }
            assert_eq!(
                old.as_object().expect("an object").len(),
                new.as_object().expect("an object").len()
            );
        }
    }
    assert!(!client.log.iter().any(|line| line.contains("failed")), "{:?}", client.log);
}

/// Tests that after a thousand edits the server answers like one started afresh.
#[test]
fn edits_leave_the_answers_of_a_fresh_start() {
    run(1, 1_000, 250);
    run(7, 1_000, 250);
}
