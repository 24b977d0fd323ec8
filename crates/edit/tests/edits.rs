//! Edits: properties that hold for all of them, on generated texts, and the effect of each on a text, on a few written ones.
#![forbid(unsafe_code)]
#![expect(clippy::unwrap_used, reason = "a test fails by panic")]

use groma_edit::{CodePath, Edit, EditLanguage, EditOp, SourceText, apply, get, read_edits};
use groma_format::{OlderForms, format};
use groma_syntax::{FileId, parse_file};
use proptest::prelude::*;

/// Returns the number of labels of a top-level block type; `None` for an unknown one.
fn labels(kind: &str) -> Option<usize> {
    Some(match kind {
        "resource" | "data" => 2,
        "variable" | "output" | "module" | "provider" => 1,
        "locals" | "terraform" | "moved" => 0,
        _ => return None,
    })
}

/// Returns the rules of a language with the usual block types.
fn language() -> EditLanguage<'static> {
    EditLanguage {
        labels: &labels,
        inner_labels: &|_, kind| match kind {
            "lifecycle" => Some(0),
            "provisioner" => Some(1),
            _ => None,
        },
        names: &|_, name| matches!(name, "depends_on" | "from" | "to"),
    }
}

/// Returns the file `main.tf` with a text.
fn source(text: &str) -> SourceText {
    SourceText { name: "main.tf".into(), text: text.into() }
}

/// Returns the text after an edit, or the reason why it is refused.
fn edited(text: &str, op: &str, path: &str, to: Option<&str>) -> Result<String, String> {
    let edit = Edit::new(EditOp::named(op).unwrap(), path, to).map_err(|why| why.to_string())?;
    let changed = apply(&[source(text)], &[edit], language()).map_err(|why| why.to_string())?;
    Ok(changed.into_iter().next().map_or(text.to_owned(), |one| one.text))
}

/// Returns the code at a path of a text; `None` if the path has no single match.
fn got(text: &str, path: &str) -> Option<String> {
    let path = CodePath::read(path).unwrap();
    get(&[source(text)], &path).ok().map(|got| got.text)
}

/// Returns true if a text has the formatter's layout.
fn is_formatted(text: &str) -> bool {
    matches!(format(&parse_file(&text.into(), FileId(0)), OlderForms::New), Ok(None))
}

/// Returns a text in the formatter's layout.
fn formatted(text: &str) -> String {
    let parse = parse_file(&text.into(), FileId(0));
    assert!(parse.diagnostics.is_empty(), "{text}");
    format(&parse, OlderForms::New).unwrap().unwrap_or_else(|| text.to_owned())
}

/// Returns a strategy for the code of values in native syntax.
fn value() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        "[a-z]{1,5}".prop_map(|name| format!("local.{name}")),
        (0..1000u32).prop_map(|number| number.to_string()),
        "[a-z ]{0,6}".prop_map(|text| format!("\"{text}\"")),
        Just("\"a-${var.b}\"".to_owned()),
        Just("1 + 2".to_owned()),
        Just("cond ? a : b".to_owned()),
        Just("f(x, [1])".to_owned()),
    ];
    leaf.prop_recursive(2, 12, 4, |inner| {
        prop_oneof![
            (prop::collection::vec(inner.clone(), 0..4), any::<bool>(), any::<bool>()).prop_map(
                |(items, lines, trailing)| {
                    if items.is_empty() {
                        return "[]".to_owned();
                    }
                    let comma = if trailing { "," } else { "" };
                    match lines {
                        true => format!("[\n{}{comma}\n]", items.join(",\n")),
                        false => format!("[{}]", items.join(", ")),
                    }
                }
            ),
            (prop::collection::vec(inner, 0..4), any::<bool>()).prop_map(|(items, lines)| {
                if items.is_empty() {
                    return "{}".to_owned();
                }
                let named = items.iter().enumerate().map(|(at, item)| format!("k{at} = {item}"));
                let named: Vec<String> = named.collect();
                match lines {
                    true => format!("{{\n{}\n}}", named.join("\n")),
                    false => format!("{{ {} }}", named.join(", ")),
                }
            }),
        ]
    })
}

/// Returns a strategy for files with arguments in nested blocks, comments and empty lines.
fn file() -> impl Strategy<Value = String> {
    let comment = prop::sample::select(vec!["", " # why", " /* x */", " // so"]);
    let argument = (value(), comment, any::<bool>());
    let body = prop::collection::vec(argument, 1..5);
    (prop::collection::vec((body, any::<bool>()), 1..4), any::<bool>(), any::<bool>()).prop_map(
        |(blocks, lays_out, carriage)| {
            let mut out = String::from("# head\n\n");
            for (number, (arguments, nested)) in blocks.iter().enumerate() {
                out.push_str(&format!("resource \"t\" \"b{number}\" {{\n"));
                for (at, (value, comment, apart)) in arguments.iter().enumerate() {
                    if *apart && at > 0 {
                        out.push('\n');
                    }
                    out.push_str(&format!("  a{at}  = {value}{comment}\n"));
                }
                if *nested {
                    out.push_str(
                        "\n  in {\n    # deep\n    x = 1\n  }\n\n  in {\n    x = 2\n  }\n",
                    );
                }
                out.push_str("}\n\n");
            }
            out.truncate(out.len() - 1);
            let out = if lays_out { formatted(&out) } else { out };
            if carriage { out.replace('\n', "\r\n") } else { out }
        },
    )
}

/// Returns a text without whitespace.
fn bare(text: &str) -> String {
    text.split_whitespace().collect()
}

/// Returns the paths to all values in a file that the strategy `file` made.
fn paths(text: &str) -> Vec<String> {
    let mut open: Vec<String> = Vec::new();
    for block in 0..3 {
        open.extend((0..5).map(|at| format!("resource.t.b{block}.a{at}")));
        open.extend((0..2).map(|at| format!("t.b{block}.in[{at}].x")));
    }
    let mut found = Vec::new();
    while let Some(path) = open.pop() {
        if got(text, &path).is_some() {
            open.extend((0..4).flat_map(|at| [format!("{path}[{at}]"), format!("{path}.k{at}")]));
            found.push(path);
        }
    }
    found
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Checks that a `set` edit writes the value and changes nothing else, and that setting it back restores the text.
    #[test]
    fn what_is_set_is_there_and_nothing_else_changes(text in file(), to in value(), pick in any::<prop::sample::Index>()) {
        let paths = paths(&text);
        let path = pick.get(&paths);
        let before = get(&[source(&text)], &CodePath::read(path).unwrap()).unwrap();
        let after = edited(&text, "set", path, Some(&to)).unwrap();
        let now = get(&[source(&after)], &CodePath::read(path).unwrap()).unwrap();
        prop_assert_eq!(bare(&now.text), bare(&to));
        let (start, end) = (before.span.start as usize, before.span.end as usize);
        let (new_start, new_end) = (now.span.start as usize, now.span.end as usize);
        if is_formatted(&text) {
            prop_assert!(is_formatted(&after), "{}", after);
            // Only blanks may move.
            prop_assert_eq!(bare(&text[..start]), bare(&after[..new_start]));
            prop_assert_eq!(bare(&text[end..]), bare(&after[new_end..]));
        } else {
            prop_assert_eq!(&text[..start], &after[..new_start]);
            prop_assert_eq!(&text[end..], &after[new_end..]);
        }
        let back = edited(&after, "set", path, Some(&before.text)).unwrap();
        prop_assert_eq!(bare(&back), bare(&text));
        if is_formatted(&text) {
            prop_assert_eq!(back, text);
        }
    }

    /// Checks that setting a value to itself changes nothing.
    #[test]
    fn to_set_the_same_is_no_change(text in file(), pick in any::<prop::sample::Index>()) {
        let paths = paths(&text);
        let path = pick.get(&paths);
        let same = got(&text, path).unwrap();
        prop_assert_eq!(edited(&text, "set", path, Some(&same)).unwrap(), text);
    }

    /// Checks that adding an attribute or element and removing it again restores the text.
    #[test]
    fn to_remove_what_was_added_restores(text in file(), to in value(), pick in any::<prop::sample::Index>()) {
        let mut places: Vec<String> = paths(&text);
        places.extend((0..3).map(|block| format!("resource.t.b{block}")));
        places.retain(|path| got(&text, path).is_some());
        let place = pick.get(&places);
        let own = got(&text, place).unwrap();
        let (path, last) = if own.starts_with('[') {
            let count = (0..9).take_while(|at| got(&text, &format!("{place}[{at}]")).is_some()).count();
            (format!("{place}[]"), format!("{place}[{count}]"))
        } else if own.starts_with('{') || own.starts_with("resource") {
            (format!("{place}.new"), format!("{place}.new"))
        } else {
            return Ok(());
        };
        let added = edited(&text, "add", &path, Some(&to)).unwrap();
        prop_assert_eq!(bare(&got(&added, &last).unwrap()), bare(&to));
        prop_assert!(is_formatted(&added) || !is_formatted(&text), "{}", added);
        let removed = edited(&added, "remove", &last, None).unwrap();
        prop_assert_eq!(bare(&removed), bare(&text));
        // What has become formatted stays so.
        if is_formatted(&text) == is_formatted(&added) {
            prop_assert_eq!(removed, text);
        }
    }

    /// Checks that adding a block and removing it again restores the text.
    #[test]
    fn blocks_come_and_go(text in file()) {
        for (path, last, body) in [
            ("variable.new", "variable.new", "{\n  default = [\n    1,\n  ]\n}"),
            ("t.other", "resource.t.other", "{}"),
            ("moved[]", "moved", "{\n  from = a.b\n  to = a.c\n}"),
            ("t.b0.more[]", "t.b0.more", "{\n  x = 1\n}"),
        ] {
            let text = if text.contains("moved") { continue } else { &text };
            let named = source(text);
            let edit = Edit::new(EditOp::Add, path, Some(body)).unwrap();
            let added = apply(&[named], &[edit], language()).unwrap().remove(0).text;
            prop_assert!(got(&added, last).is_some());
            prop_assert!(is_formatted(&added) || !is_formatted(text), "{}", added);
            prop_assert_eq!(&edited(&added, "remove", last, None).unwrap(), text);
        }
    }

    /// Checks that edits of arbitrary texts do not panic and result in valid code.
    #[test]
    fn nothing_panics(text in "[a-z={}\\[\\],.\"$# \n0-9(<>E]{0,60}", path in "[a-z.\\[\\]0-9\"]{0,12}", to in "[a-z={}\\[\\],\"$# \n<E0-9]{0,20}") {
        for op in ["set", "add", "remove"] {
            let to = Some(to.as_str()).filter(|_| op != "remove");
            if let Ok(after) = edited(&text, op, &path, to) {
                prop_assert!(after == text || parse_file(&after.as_str().into(), FileId(0)).diagnostics.is_empty());
            }
        }
    }
}

/// Applies an edit to a text and compares the result with `want`.
#[track_caller]
fn check(text: &str, op: &str, path: &str, to: Option<&str>, want: &str) {
    assert_eq!(edited(text, op, path, to).unwrap(), want, "{op} {path}");
}

/// Checks that new code adopts the layout of its surroundings.
#[test]
fn layout_of_the_surroundings() {
    let text = "locals {\n  short    = 1 # one\n  longname = 2 # two\n}\n";
    check(
        text,
        "set",
        "local.short",
        Some("100"),
        "locals {\n  short    = 100 # one\n  longname = 2   # two\n}\n",
    );
    check(
        text,
        "add",
        "locals.x",
        Some("3"),
        "locals {\n  short    = 1 # one\n  longname = 2 # two\n  x        = 3\n}\n",
    );
    check(text, "remove", "locals.longname", None, "locals {\n  short = 1 # one\n}\n");
    let wide = "locals {\n    a   = 1\n}\n";
    check(
        wide,
        "add",
        "locals.b",
        Some("{\nc=1\n}"),
        "locals {\n    a   = 1\n    b   = {\n      c = 1\n    }\n}\n",
    );
    check("a \"b\" {}\n", "add", "a.b.c", Some("1"), "a \"b\" {\n  c = 1\n}\n");
    check("a \"b\" { x = 0 }\n", "add", "a.b.c", Some("1"), "a \"b\" {\n  x = 0\n  c = 1\n}\n");
}

/// Checks that edits of lists and objects keep their style of commas and signs.
#[test]
fn lists_and_objects_keep_their_style() {
    check("a = [1, 2]\n", "add", "a[]", Some("3"), "a = [1, 2, 3]\n");
    check("a = [1, 2]\n", "add", "a[0]", Some("0"), "a = [0, 1, 2]\n");
    check(
        "a = [\n  1, # one\n  2  # two\n]\n",
        "add",
        "a[]",
        Some("3"),
        "a = [\n  1, # one\n  2, # two\n  3\n]\n",
    );
    check("a = [\n  1,\n]\n", "add", "a[]", Some("3"), "a = [\n  1,\n  3,\n]\n");
    check("a = { b : 1 }\n", "add", "a.c", Some("2"), "a = { b : 1, c : 2 }\n");
    check("a = { \"b\" = 1 }\n", "add", "a.c", Some("2"), "a = { \"b\" = 1, \"c\" = 2 }\n");
    check("a = [1, 2, 3]\n", "remove", "a[1]", None, "a = [1, 3]\n");
    check("a = [1]\n", "remove", "a[0]", None, "a = []\n");
    check("a = [[1], { b = [5] }]\n", "set", "a[1].b[0]", Some("6"), "a = [[1], { b = [6] }]\n");
}

/// Checks that heredocs can be set and removed.
#[test]
fn values_over_several_lines() {
    let heredoc = "<<-EOT\n  x\nEOT";
    check(
        "a {\n  b = 1\n  c = 2\n}\n",
        "set",
        "a.b",
        Some(heredoc),
        "a {\n  b = <<-EOT\n  x\nEOT\n  c = 2\n}\n",
    );
    check("a {\n  b = <<-EOT\n  x\nEOT\n  c = 2\n}\n", "remove", "a.b", None, "a {\n  c = 2\n}\n");
}

/// Checks the reasons with which edits are refused.
#[test]
fn refusals_say_why() {
    let why = |text: &str, op: &str, path: &str, to: Option<&str>| {
        edited(text, op, path, to).unwrap_err()
    };
    let two = "locals {\n  a = 1\n}\nlocals {\n  a = 2\n}\n";
    assert!(why(two, "set", "local.a", Some("3")).contains("main.tf:2, main.tf:5"));
    assert!(why("a = f(1)\n", "add", "a[]", Some("1")).contains("not a literal object or list"));
    assert!(why("a = 1\n", "set", "a", Some("1\nb = 2")).contains("not one expression"));
    assert!(why("a = 1\n", "set", "a", Some("1 # x")).contains("not one expression"));
    assert!(why("a = 1\n", "set", "a", Some("(")).contains("not an expression"));
    assert!(why("a = 1\n", "set", "b", Some("1")).contains("There is no b"));
    assert!(why("a = {}\n", "set", "a.b.c", Some("1")).contains("a exists"));
    assert!(why("locals {\n  a = 1\n}\n", "add", "locals.a", Some("1")).contains("exists already"));
    assert!(why("a = [\n", "set", "a", Some("1")).contains("parsed"));
    assert!(why("", "add", "variable.x.default", Some("1")).contains("add variable.x first"));
}

/// Checks that a JSON list of edits is applied completely or refused.
#[test]
fn many_edits_at_once() {
    let text = "locals {\n  a = 1\n  b = 2\n}\n";
    let run = |json: &str| {
        let edits = read_edits(json).map_err(|why| why.to_string())?;
        let changed = apply(&[source(text)], &edits, language()).map_err(|why| why.to_string())?;
        Ok::<_, String>(changed.into_iter().map(|one| one.text).collect::<String>())
    };
    let well = r#"[{"op":"set","path":"locals.a","to":"10"},{"op":"remove","path":"locals.b"},
        {"op":"add","path":"variable.x","to":"{}"},{"op":"add","path":"var.x.default","to":"[]"},
        {"op":"add","path":"var.x.default[]","to":"1"}]"#;
    assert_eq!(
        run(well).unwrap(),
        "locals {\n  a = 10\n}\n\nvariable \"x\" {\n  default = [1]\n}\n"
    );
    let twice = r#"[{"op":"set","path":"local.a","to":"1"},{"op":"remove","path":"locals.a"}]"#;
    assert!(run(twice).unwrap_err().contains("contradict"));
    for (json, why) in [
        ("{}", "array"),
        (r#"[{"op":"set","path":"a"}]"#, "Edit 1: The code for a is missing"),
        (r#"[{"op":"mend","path":"a"}]"#, "\"op\" must be"),
        (r#"[{"op":"set","path":"a","to":1}]"#, "\"to\" must be a string"),
        (r#"[{"op":"set","path":"a b","to":"1"}]"#, "not a path"),
        ("[", "not valid JSON"),
    ] {
        assert!(run(json).unwrap_err().contains(why), "{json}: {:?}", run(json));
    }
}

/// Returns a strategy for JSON values in various layouts.
fn json_value() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        (0..1000u32).prop_map(|number| number.to_string()),
        "[a-z ]{0,6}".prop_map(|text| format!("\"{text}\"")),
        Just("\"${var.a}\"".to_owned()),
        Just("\"a\\n\\u00e9${upper(\\\"b\\\")}\"".to_owned()),
        Just("true".to_owned()),
        Just("null".to_owned()),
    ];
    leaf.prop_recursive(2, 12, 4, |inner| {
        (prop::collection::vec(inner, 0..4), any::<bool>(), any::<bool>()).prop_map(
            |(items, is_object, lines)| {
                let (open, close) = if is_object { ('{', '}') } else { ('[', ']') };
                let named = items.iter().enumerate().map(|(at, item)| match is_object {
                    true => format!("\"k{at}\": {item}"),
                    false => item.clone(),
                });
                let parts: Vec<String> = named.collect();
                match (parts.is_empty(), lines) {
                    (true, _) => format!("{open}{close}"),
                    (false, true) => format!("{open}\n  {}\n{close}", parts.join(",\n  ")),
                    (false, false) => format!("{open}{}{close}", parts.join(", ")),
                }
            },
        )
    })
}

/// Returns the file `main.tf.json` with a text.
fn document(text: &str) -> SourceText {
    SourceText { name: "main.tf.json".into(), text: text.into() }
}

/// Returns the text of a JSON document after an edit, or the reason why it is refused.
fn edited_json(text: &str, op: &str, path: &str, to: Option<&str>) -> Result<String, String> {
    let edit = Edit::new(EditOp::named(op).unwrap(), path, to).map_err(|why| why.to_string())?;
    let changed = apply(&[document(text)], &[edit], language()).map_err(|why| why.to_string())?;
    Ok(changed.into_iter().next().map_or(text.to_owned(), |one| one.text))
}

/// Returns the code at a path of a JSON document; `None` if the path has no single match.
fn got_json(text: &str, path: &str) -> Option<String> {
    let path = CodePath::read(path).unwrap();
    get(&[document(text)], &path).ok().map(|got| got.text)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    /// Checks that edits of a JSON document change only the value at their path and can be reverted.
    #[test]
    fn documents_keep_all_but_what_is_meant(values in prop::collection::vec(json_value(), 1..4), to in json_value(), pick in any::<prop::sample::Index>(), is_flat in any::<bool>()) {
        let named: Vec<String> =
            values.iter().enumerate().map(|(at, value)| format!("\"a{at}\": {value}")).collect();
        let text = match is_flat {
            true => format!("{{\"locals\": {{{}}}}}", named.join(", ")),
            false => format!("{{\n  \"locals\": {{\n    {}\n  }}\n}}\n", named.join(",\n    ")),
        };
        let mut open: Vec<String> = (0..values.len()).map(|at| format!("local.a{at}")).collect();
        let mut paths = Vec::new();
        while let Some(path) = open.pop() {
            if let Some(own) = got_json(&text, &path) {
                // A position in what is no list is that of a block which is the only one.
                match own.starts_with('[') {
                    true => open.extend((0..4).map(|at| format!("{path}[{at}]"))),
                    false => open.extend((0..4).map(|at| format!("{path}.k{at}"))),
                }
                paths.push(path);
            }
        }
        // A list of one object is gone through as a list of blocks is.
        let is_one = |path: &&String| get(&[document(&text)], &CodePath::read(path).unwrap()).is_ok();
        let paths: Vec<&String> = paths.iter().filter(is_one).collect();
        let path = pick.get(&paths);
        let before = get(&[document(&text)], &CodePath::read(path).unwrap()).unwrap();
        let (start, end) = (before.span.start as usize, before.span.end as usize);

        let after = edited_json(&text, "set", path, Some(&to)).unwrap();
        let now = get(&[document(&after)], &CodePath::read(path).unwrap()).unwrap();
        prop_assert_eq!(bare(&now.text), bare(&to));
        prop_assert_eq!(&text[..start], &after[..now.span.start as usize]);
        prop_assert_eq!(&text[end..], &after[now.span.end as usize..]);
        prop_assert_eq!(&edited_json(&text, "set", path, Some(&before.text)).unwrap(), &text);

        let own = &before.text;
        let added = if own.starts_with('{') { format!("{path}.new") } else if own.starts_with('[') { format!("{path}[]") } else { return Ok(()) };
        let after = edited_json(&text, "add", &added, Some(&to)).unwrap();
        let last = match own.starts_with('{') {
            true => added,
            false => format!("{path}[{}]", (0..9).take_while(|at| got_json(&text, &format!("{path}[{at}]")).is_some()).count()),
        };
        prop_assert_eq!(bare(&got_json(&after, &last).unwrap()), bare(&to));
        let back = edited_json(&after, "remove", &last, None).unwrap();
        prop_assert_eq!(bare(&back), bare(&text));
        if bare(own).len() > 2 {
            prop_assert_eq!(back, text);
        }
    }

    /// Checks that edits of arbitrary JSON texts do not panic.
    #[test]
    fn nothing_panics_in_documents(text in "[a-z{}:\\[\\],\"$ \n0-9\\\\]{0,40}", path in "[a-z.\\[\\]0-9\"]{0,10}", to in "[a-z={}\\[\\],\"$%# \n<E0-9]{0,20}") {
        for op in ["set", "add", "remove"] {
            let to = Some(to.as_str()).filter(|_| op != "remove");
            for text in [text.clone(), format!("{{\"locals\": {{\"a\": [{text}]}}}}")] {
                let _ = edited_json(&text, op, &path, to);
                let _ = edited_json(&text, op, "local.a", to);
                let _ = edited_json(&text, op, "local.a[]", to);
            }
        }
    }
}

/// Checks the JSON values to which native code is converted.
#[test]
fn code_becomes_json() {
    let text = "{\n  \"locals\": {\n    \"a\": 1\n  }\n}\n";
    let set = |to: &str| {
        got_json(&edited_json(text, "set", "local.a", Some(to)).unwrap(), "local.a").unwrap()
    };
    assert_eq!(set("var.x"), "\"${var.x}\"");
    assert_eq!(set("\"a-${var.x}\""), "\"a-${var.x}\"");
    assert_eq!(set("[1, -2.5, true, null, var.x]"), "[1, -2.5, true, null, \"${var.x}\"]");
    assert_eq!(
        set("{ a = 1, \"b\" = var.x, (var.k) = 2 }"),
        "{\n      \"a\": 1,\n      \"b\": \"${var.x}\",\n      \"${var.k}\": 2\n    }"
    );
    assert_eq!(set("f(\"q\")"), "\"${f(\\\"q\\\")}\"");
    assert_eq!(set("\"$${no}\""), "\"$${no}\"");
    assert_eq!(set("<<-EOT\n  a\n    b ${var.x}\nEOT"), "\"a\\n  b ${var.x}\\n\"");
}

/// Checks that blocks can be added to JSON documents.
#[test]
fn blocks_in_documents() {
    let text = "{\n  \"locals\": {}\n}\n";
    let add = |path: &str, to: &str| edited_json(text, "add", path, Some(to)).unwrap();
    assert_eq!(
        add("moved[]", "{\n  from = a.b\n  to = a.c\n}"),
        "{\n  \"locals\": {},\n  \"moved\": [\n    {\n      \"from\": \"a.b\",\n      \"to\": \"a.c\"\n    }\n  ]\n}\n"
    );
    assert_eq!(
        add(
            "output.o",
            "{\n  value = var.a\n  depends_on = [a.b]\n  precondition {\n    condition = true\n  }\n}"
        ),
        "{\n  \"locals\": {},\n  \"output\": {\n    \"o\": {\n      \"value\": \"${var.a}\",\n      \"depends_on\": [\"a.b\"],\n      \"precondition\": {\n        \"condition\": true\n      }\n    }\n  }\n}\n"
    );
    let one = "{\"moved\": {\"from\": \"a.b\", \"to\": \"a.c\"}}";
    assert_eq!(
        edited_json(one, "add", "moved[]", Some("{\n  from = a.c\n  to = a.d\n}")).unwrap(),
        "{\"moved\": [{\"from\": \"a.b\", \"to\": \"a.c\"}, {\"from\": \"a.c\", \"to\": \"a.d\"}]}"
    );
}

/// Checks the maximum number of steps in a path.
#[test]
fn paths_end_somewhere() {
    // Each step that led nowhere was once followed twice.
    let deep = |steps: usize| format!("locals.q{}", ".b".repeat(steps - 2));
    let text = "locals {\n  q = 1\n}\n";
    assert_eq!(got(text, &deep(256)), None);
    let why = CodePath::read(&deep(257)).unwrap_err();
    assert_eq!(why.to_string(), "A path has at most 256 steps; this one has 257.");
    assert!(CodePath::read(&deep(40_000)).is_err());
    assert!(CodePath::read(&format!("locals{}", "[0]".repeat(40_000))).is_err());
    // What stands in quotes is one step.
    let dotted = format!("locals.q[\"{}\\\"\"]", ".".repeat(1_000));
    assert_eq!(CodePath::read(&dotted).unwrap().steps.len(), 3);
}

/// Checks that edits of files cut at any character do not panic.
#[test]
fn files_that_end_anywhere_are_left() {
    let native =
        "locals {\n  é = { é = [\"é\", { ü = 1 }] } # é\n}\noutput \"é\" { value = <<é\né\né\n}\n";
    let json = "{\"locals\": {\"é\": {\"é\": [\"é\", {\"ü\": 1}]}}, \"output\": {\"é\": {\"value\": \"é\"}}}";
    let edits = [
        ("add", "output.a", "{}"),
        ("add", "locals.a", "1"),
        ("add", "local.é.a", "1"),
        ("add", "local.é.é[]", "1"),
        ("add", "local.é.é[0]", "1"),
        ("add", "output.é.sensitive", "true"),
        ("add", "output.é.precondition[]", "{}"),
        ("set", "local.é.é", "1"),
        ("set", "output.é.value", "1"),
        ("remove", "local.é.é[1]", ""),
        ("remove", "output.é", ""),
    ];
    for (name, whole) in [("a.tf", native), ("a.tf.json", json)] {
        let ends = (0..=whole.len()).filter(|end| whole.is_char_boundary(*end));
        for (end, tail) in ends.flat_map(|end| ["", "é", "{é", "[é"].map(|tail| (end, tail))) {
            let text = format!("{}{tail}", &whole[..end]);
            let file = SourceText { name: name.into(), text: text.as_str().into() };
            for (op, path, to) in edits {
                let to = Some(to).filter(|_| op != "remove");
                let edit = Edit::new(EditOp::named(op).unwrap(), path, to).unwrap();
                let _ = apply(std::slice::from_ref(&file), &[edit], language());
            }
        }
    }
}

/// Checks that comments between empty brackets are kept.
#[test]
fn comments_stay_in_what_was_empty() {
    for (path, to, before, after) in [
        ("locals.a.x", "1", "{ /* keep */ }", "{ /* keep */ x = 1 }"),
        ("locals.a.x", "1", "{/* keep */}", "{/* keep */ x = 1 }"),
        ("locals.a.x", "1", "{ /* ke\nep */ }", "{ /* ke\nep */ x = 1 }"),
        ("locals.a[]", "1", "[ /* keep */ ]", "[ /* keep */ 1 ]"),
        ("locals.a[]", "1", "[/* keep */]", "[/* keep */ 1]"),
        ("locals.a[]", "1", "[ # keep\n  ]", "[ # keep\n    1,\n  ]"),
        ("locals.a.x", "1", "{ # keep\n  }", "{ # keep\n    x = 1\n  }"),
    ] {
        // Another layout than the formatter's, which is then left.
        let text = |value: &str| format!("locals {{\n  a =  {value}\n}}\n");
        assert_eq!(edited(&text(before), "add", path, Some(to)), Ok(text(after)), "{before}");
    }
}
