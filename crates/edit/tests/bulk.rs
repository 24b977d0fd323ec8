//! Batches of edits: equal to the same edits one by one, and refused alike.
#![forbid(unsafe_code)]
#![expect(clippy::unwrap_used, reason = "a test fails by panic")]

use groma_edit::{Edit, EditLanguage, EditOp, SourceText, apply};
use groma_format::{OlderForms, format};
use groma_syntax::{FileId, parse_file};
use proptest::prelude::*;

/// Returns the rules of a language with four block types.
fn language() -> EditLanguage<'static> {
    EditLanguage {
        labels: &|kind| match kind {
            "resource" => Some(2),
            "variable" => Some(1),
            "locals" | "moved" => Some(0),
            _ => None,
        },
        inner_labels: &|_, kind| (kind == "lifecycle").then_some(0),
        names: &|_, name| matches!(name, "depends_on" | "from" | "to"),
    }
}

/// Returns a text without whitespace.
fn bare(text: &str) -> String {
    text.split_whitespace().collect()
}

/// Returns true if a file is in native syntax and has the formatter's layout.
fn is_formatted(file: &SourceText) -> bool {
    !file.name.ends_with(".json")
        && matches!(format(&parse_file(&file.text, FileId(0)), OlderForms::New), Ok(None))
}

/// Returns the features by which the layout of new code in a file is chosen: the formatter's layout of native syntax; line breaks and
/// indentation of JSON, which an edit that removes the only line break takes away.
fn layout(file: &SourceText) -> (bool, Option<usize>) {
    let code = file.text.trim();
    let below = code.lines().skip(1).find(|line| !line.trim().is_empty());
    let indentation = below.map(|line| line.len() - line.trim_start().len());
    (is_formatted(file), indentation.filter(|_| file.name.ends_with(".json")))
}

/// Returns all files after the edits, or the reason why they are refused.
fn after(files: &[SourceText], edits: &[Edit]) -> Result<Vec<SourceText>, String> {
    let changed = apply(files, edits, language()).map_err(|why| why.to_string())?;
    let mut now = files.to_vec();
    for one in changed {
        now[one.file].text = one.text.into();
    }
    Ok(now)
}

/// Returns a strategy for the code of values, some on several lines.
fn value() -> impl Strategy<Value = String> {
    prop_oneof![
        (0..1000_u32).prop_map(|number| number.to_string()),
        Just("\"a-${var.b}\"".to_owned()),
        Just("[1, 2, 3, 4, 5, 6, 7, 8, 9]".to_owned()),
        Just("[\n1, # one\n2,\n3,\n4,\n5,\n6,\n7,\n8\n]".to_owned()),
        Just("[1, 2,\n3, 4, 5, 6,\n7, 8, 9, 10, 11, 12]".to_owned()),
        Just("{\nk0 = 0\nk1 = 1\nk2 = 2, k3 = 3\nk4 = 4\nk5 = 5\nk6 = 6\nk7 = 7\n}".to_owned()),
        Just("{ k0 = 0, k1 = 1, k2 = 2, k3 = 3, k4 = 4, k5 = 5, k6 = 6, k7 = 7 }".to_owned()),
        Just("<<E\n  text\nE".to_owned()),
    ]
}

/// Returns a strategy for files in native syntax with many blocks and arguments.
fn file() -> impl Strategy<Value = SourceText> {
    let argument = (value(), prop::sample::select(vec!["", " # why", " /* x */"]), 0..4_u8);
    let block = (prop::collection::vec(argument, 0..14), 0..4_u8, 0..5_u8);
    (prop::collection::vec(block, 1..12), any::<bool>(), any::<bool>()).prop_map(
        |(blocks, lays_out, carriage)| {
            let mut out = String::from("# head\n");
            for (number, (arguments, apart, kind)) in blocks.iter().enumerate() {
                match kind {
                    0 => out.push_str("moved {\n"),
                    1 => out.push_str("locals {\n"),
                    _ => out.push_str(&format!("resource \"t\" \"b{number}\" {{\n")),
                }
                for (at, (value, comment, apart)) in arguments.iter().enumerate() {
                    out.push_str(&"\n".repeat(apart.saturating_sub(1) as usize));
                    let comment = if value.ends_with('E') { "" } else { comment };
                    out.push_str(&format!("  a{at}  = {value}{comment}\n"));
                }
                out.push_str(if *kind == 3 {
                    "\n  lifecycle {\n    x = 1\n  }\n}\n"
                } else {
                    "}\n"
                });
                out.push_str(&"\n".repeat(*apart as usize));
            }
            if lays_out {
                let parse = parse_file(&out.as_str().into(), FileId(0));
                out = format(&parse, OlderForms::New).unwrap().unwrap_or(out);
            }
            let out = if carriage { out.replace('\n', "\r\n") } else { out };
            SourceText { name: "main.tf".into(), text: out.into() }
        },
    )
}

/// Returns a strategy for JSON documents with many properties, also nested ones.
fn document() -> impl Strategy<Value = SourceText> {
    let value = prop::sample::select(vec![
        "1",
        "\"${var.a}\"",
        "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]",
        "{\"k0\": 0, \"k1\": 1, \"k2\": 2, \"k3\": 3, \"k4\": 4, \"k5\": 5, \"k6\": 6, \"k7\": 7}",
        "[{\"k0\": 0}, {\"k1\": 1}, {\"k2\": 2}, {\"k3\": 3}, {\"k0\": 4}, {\"k5\": 5}, {\"k6\": 6}]",
    ]);
    let block = prop::collection::vec(value, 0..14);
    (prop::collection::vec(block, 1..12), any::<bool>()).prop_map(|(blocks, is_flat)| {
        let (end, blank) = if is_flat { ("", "") } else { ("\n", "  ") };
        let block = |(number, values): (usize, &Vec<&str>)| {
            let own = values.iter().enumerate().map(|(at, value)| format!("\"a{at}\": {value}"));
            let own: Vec<String> = own.collect();
            let own = own.join(&format!(", {end}{blank}{blank}"));
            match own.is_empty() {
                true => format!("\"b{number}\": {{}}"),
                false => {
                    format!("\"b{number}\": {{{end}{blank}{blank}{own}{end}{blank}}}")
                }
            }
        };
        let blocks: Vec<String> = blocks.iter().enumerate().map(block).collect();
        let text = format!(
            "{{\"moved\": [], \"resource\": {{\"t\": {{{end}{blank}{}{end}}}}}, \"locals\": {{}}}}",
            blocks.join(&format!(",{end}{blank}"))
        );
        SourceText { name: "a.tf.json".into(), text: text.into() }
    })
}

/// Returns a strategy for files with the long list `local.l` between two short ones.
fn list_file() -> impl Strategy<Value = SourceText> {
    let element = prop::sample::select(vec!["1", "{ k = 2 }", "[1,\n2]", "f(3)", "\"x\""]);
    let apart = prop::sample::select(vec![", ", ", ", ",\n    ", ", # why\n    ", " /* x */, "]);
    let elements = prop::collection::vec((element, apart), 0..40);
    let head = prop::sample::select(vec!["[", "[\n    ", "[ # all\n    "]);
    let foot = prop::sample::select(vec!["]", "\n  ]", ",\n  ]", " /* end */]"]);
    (elements, head, foot, any::<bool>()).prop_map(|(elements, head, foot, lays_out)| {
        let mut list = String::new();
        for (at, (element, apart)) in elements.iter().enumerate() {
            list.push_str(element);
            list.push_str(if at + 1 == elements.len() { "" } else { apart });
        }
        let foot = if elements.is_empty() { foot.trim_start_matches(',') } else { foot };
        let mut out =
            format!("locals {{\n  a = [1, 2, 3]\n  l = {head}{list}{foot}\n  z = [4, 5]\n}}\n");
        if lays_out {
            let parse = parse_file(&out.as_str().into(), FileId(0));
            out = format(&parse, OlderForms::New).unwrap().unwrap_or(out);
        }
        SourceText { name: "main.tf".into(), text: out.into() }
    })
}

/// Returns a strategy for JSON documents with the long list `local.l` between two short ones.
fn list_document() -> impl Strategy<Value = SourceText> {
    let element = prop::sample::select(vec!["1", "{\"k\": 2}", "[1, 2]", "\"x\""]);
    let elements = prop::collection::vec(element, 0..40);
    let apart = prop::sample::select(vec![", ", ",", ",\n      "]);
    (elements, apart).prop_map(|(elements, apart)| {
        let list = elements.join(apart);
        let text = format!(
            "{{\n  \"locals\": {{\n    \"a\": [1, 2],\n    \"l\": [{list}],\n    \"z\": [3]\n  }}\n}}\n"
        );
        SourceText { name: "a.tf.json".into(), text: text.into() }
    })
}

/// Returns a strategy for edits of the list `local.l`.
fn list_edit() -> impl Strategy<Value = Edit> {
    let path = prop_oneof![
        8 => (0..40_usize).prop_map(|at| format!("local.l[{at}]")),
        1 => (0..40_usize).prop_map(|at| format!("local.l[{at}].k")),
        1 => (0..40_usize).prop_map(|at| format!("local.l[{at}][1]")),
        1 => Just("local.l[]".to_owned()),
    ];
    let to = prop::sample::select(vec!["7", "{ k = 8 }", "[9, 10]", "\"y\""]);
    let op = prop::sample::select(vec![EditOp::Set, EditOp::Add, EditOp::Remove, EditOp::Remove]);
    (op, path, to).prop_map(|(op, path, to)| {
        Edit::new(op, &path, Some(to).filter(|_| op != EditOp::Remove)).unwrap()
    })
}

/// Returns a strategy for edits, many of which cannot be applied.
fn edit() -> impl Strategy<Value = Edit> {
    let block = prop_oneof![
        (0..14_usize).prop_map(|at| format!("t.b{at}")),
        (0..14_usize).prop_map(|at| format!("resource.t.b{at}")),
        Just("locals".to_owned()),
        Just("local".to_owned()),
    ];
    let part = prop_oneof![
        4 => (0..14_usize).prop_map(|at| format!(".a{at}")),
        1 => Just(String::new()),
        1 => (0..14_usize, 0..9_usize).prop_map(|(at, key)| format!(".a{at}.k{key}")),
        1 => (0..14_usize, 0..9_usize).prop_map(|(at, key)| format!(".a{at}[{key}]")),
        1 => (0..14_usize).prop_map(|at| format!(".a{at}[]")),
        1 => (0..90_usize).prop_map(|at| format!(".n{at}")),
        1 => Just(".lifecycle[]".to_owned()),
    ];
    let path = prop_oneof![
        12 => (block, part).prop_map(|(block, part)| format!("{block}{part}")),
        1 => Just("moved[]".to_owned()),
        1 => (0..3_usize).prop_map(|at| format!("moved[{at}].a0")),
        1 => (0..9_usize).prop_map(|at| format!("variable.v{at}")),
    ];
    let op = prop::sample::select(vec![
        EditOp::Set,
        EditOp::Set,
        EditOp::Add,
        EditOp::Add,
        EditOp::Remove,
    ]);
    (op, path, value()).prop_map(|(op, path, to)| {
        let is_block = path.ends_with("moved[]")
            || path.ends_with("lifecycle[]")
            || path.starts_with("variable")
            || path.matches('.').count() == 1 && path.starts_with("t.")
            || path.matches('.').count() == 2 && path.starts_with("resource.");
        let to = match is_block {
            true => "{\n  x = 1\n}".to_owned(),
            false => to,
        };
        Edit::new(op, &path, Some(to.as_str()).filter(|_| op != EditOp::Remove)).unwrap()
    })
}

/// Applies edits in order and skips those that are refused. Returns the applied edits, the files, and false if the layout of a text
/// changed on the way, after which whitespace may differ.
fn one_by_one(files: &[SourceText], edits: Vec<Edit>) -> (Vec<Edit>, Vec<SourceText>, bool) {
    let (mut now, mut made, mut is_steady) = (files.to_vec(), Vec::new(), true);
    for edit in edits {
        let together: Vec<Edit> = made.iter().chain([&edit]).cloned().collect();
        let Ok(next) = after(&now, std::slice::from_ref(&edit)) else { continue };
        // What contradicts another one is refused for that.
        if after(files, &together).is_err_and(|why| why.contains("contradict")) {
            continue;
        }
        let both = now.iter().zip(&next);
        is_steady &= both.into_iter().all(|(old, new)| layout(old) == layout(new));
        (now, made) = (next, together);
    }
    (made, now, is_steady)
}

/// Checks that edits have the same result together as one by one.
fn judge(files: &[SourceText], edits: Vec<Edit>) -> Result<(), TestCaseError> {
    let (made, one_by_one, is_steady) = one_by_one(files, edits);
    let together = after(files, &made);
    prop_assert!(together.is_ok(), "{:?}: {made:?}", together);
    for (one, other) in together.unwrap().iter().zip(&one_by_one) {
        match is_steady {
            true => prop_assert_eq!(&*one.text, &*other.text),
            false => prop_assert_eq!(bare(&one.text), bare(&other.text)),
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Checks that edits of files in native syntax have the same result together as one by one.
    #[test]
    fn together_is_one_by_one(one in file(), two in file(), edits in prop::collection::vec(edit(), 1..40)) {
        let two = SourceText { name: "other.tf".into(), ..two };
        judge(&[one, two], edits)?;
    }

    /// Checks that edits of JSON documents have the same result together as one by one.
    #[test]
    fn together_is_one_by_one_in_documents(one in document(), two in file(), edits in prop::collection::vec(edit(), 1..40)) {
        // How a document has its lists is asked once, of the document as it was found.
        let edits = edits.into_iter().filter(|edit| !edit.to.contains('\n')).collect();
        judge(&[one, two], edits)?;
    }

    /// Checks that edits of a long list have the same result together as one by one.
    #[test]
    fn a_list_together_is_one_by_one(one in list_file(), edits in prop::collection::vec(list_edit(), 1..30)) {
        judge(&[one], edits)?;
    }

    /// Checks that edits of a long list in a JSON document have the same result together as one by one.
    #[test]
    fn a_list_of_a_document_together_is_one_by_one(one in list_document(), edits in prop::collection::vec(list_edit(), 1..30)) {
        judge(&[one], edits)?;
    }
}
