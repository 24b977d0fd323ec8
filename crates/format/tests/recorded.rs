//! Every recorded layout. A fact that a reference program does not leave alone when it is asked again binds nobody; ours
//! must always be left alone.

#![expect(clippy::unwrap_used, reason = "a test fails by panic")]

use std::collections::BTreeMap;

use groma_format::{OlderForms, format_bytes};
use testkit::{Json, conformance, diff, pending};

/// A recorded layout: a text, and the text that a reference program makes of it.
struct Fact {
    id: String,
    forms: OlderForms,
    given: String,
    /// The formatted text; `None` if the reference program refuses the text.
    wanted: Option<String>,
    stable: bool,
}

/// Returns all recorded layouts.
fn facts() -> Vec<Fact> {
    let mut facts = Vec::new();
    for name in ["edge", "modules", "packer"] {
        let path = conformance().join("fmt").join(name).with_extension("jsonl");
        let text = std::fs::read_to_string(path).unwrap();
        for line in text.lines() {
            let fact = Json::read(line).unwrap();
            let said = |key: &str| fact.get(key).and_then(Json::text).map(str::to_owned);
            let is = |key: &str| fact.get(key).map(|value| *value == Json::Bool(true));
            let id = said("id").unwrap();
            facts.push(Fact {
                forms: if id.starts_with("packer/") { OlderForms::Kept } else { OlderForms::New },
                given: said("in").unwrap(),
                wanted: said("out").filter(|_| is("refused") != Some(true)),
                stable: is("stable") != Some(false),
                id,
            });
        }
    }
    assert!(facts.len() > 1400, "{} facts", facts.len());
    facts
}

/// Returns the formatted text, or `None` if the formatter refuses it.
fn layout(text: &str, forms: OlderForms) -> Option<String> {
    let made = format_bytes("fact", text.as_bytes(), forms).ok()?;
    Some(made.map_or_else(|| text.to_owned(), |bytes| String::from_utf8(bytes).unwrap()))
}

#[test]
fn recorded_layouts() {
    let exceptions: BTreeMap<String, String> = pending::read(&pending::exceptions_file()).unwrap();
    let mut wrong = Vec::new();
    for Fact { id, forms, given, wanted, stable } in facts() {
        let got = layout(&given, forms);
        if let Some(got) = &got {
            assert_eq!(layout(got, forms).as_ref(), Some(got), "{id} changes when asked again");
        }
        let agrees = got.is_some() == wanted.is_some() && (!stable || got == wanted);
        match (agrees, exceptions.contains_key(&id)) {
            (true, true) => wrong.push(format!("{id} is an exception, and agrees: strike it\n")),
            (false, false) => {
                let lines = diff::lines(&wanted.unwrap_or_default(), &got.unwrap_or_default());
                wrong.push(format!("{id} differs\n{lines}"));
            }
            _ => {}
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.concat());
}

/// Returns the text without white space and byte order marks.
fn marrow(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace() && *c != '\u{feff}').collect()
}

#[test]
fn nothing_but_blanks_changes_where_forms_are_kept() {
    for Fact { id, given, .. } in facts() {
        if let Some(got) = layout(&given, OlderForms::Kept) {
            assert_eq!(marrow(&given), marrow(&got), "{id}");
            assert_eq!(layout(&got, OlderForms::Kept), Some(got), "{id} changes when asked again");
        }
    }
}

#[test]
fn labels_and_comments_stay() {
    for (given, wanted) in [
        ("b /* x */ \"a\" /* y */ c /* z */ {}\n", "b /* x */ \"a\" /* y */ \"c\" /* z */ {}\n"),
        ("r \"a\" \"^b.*$\" \"50%\" {}\n", "r \"a\" \"^b.*$\" \"50%\" {}\n"),
        ("b \"$${x}\" {}\n", "b \"$${x}\" {}\n"),
    ] {
        assert_eq!(layout(given, OlderForms::New).as_deref(), Some(wanted));
    }
}

#[test]
fn what_is_unwrapped_can_be_read() {
    for (given, wanted) in [
        ("a = \"${ # q\nb }\"\n", "a = ( # q\nb)\n"),
        ("a = \"${ b # q\n+ c }\"\n", "a = (b # q\n+ c)\n"),
        ("a = \"${(b) +\n(c)}\"\n", "a = ((b) +\n(c))\n"),
        ("a { b = \"${c # q\n}\" }\n", "a { b = (c # q\n) }\n"),
        ("a = \"${b # q\n/* r */}\"\n", "a = b # q\n/* r */\n"),
        ("a = \"${\"${\"${b}\"}\"}\"\n", "a = b\n"),
        ("a = \"${\n\"${b}\"\n}\"\n", "a = b\n"),
    ] {
        assert_eq!(layout(given, OlderForms::New).as_deref(), Some(wanted), "{given}");
        assert!(layout(wanted, OlderForms::New).is_some());
    }
}

#[test]
fn odd_bytes_stay_in_comments() {
    let given = b"# \xff \xef\xbf\xbd\n/* \xfe\xfe */ a=1 # \xf0\x9f\nbb=2\n";
    let wanted = b"# \xff \xef\xbf\xbd\n/* \xfe\xfe */ a = 1 # \xf0\x9f\nbb         = 2\n";
    let made = format_bytes("x", given, OlderForms::New).unwrap().unwrap();
    assert_eq!(String::from_utf8_lossy(&made), String::from_utf8_lossy(wanted));
    assert_eq!(made, wanted);
    for refused in [&b"a = \"\xff\"\n"[..], b"\xff = 1\n", b"a = 1 \xff\n"] {
        let refused = format_bytes("x", refused, OlderForms::New).unwrap_err();
        assert_eq!(refused.found.iter().filter(|one| one.code.slug == "invalid-utf8").count(), 1);
    }
}

/// A long line beside very many short ones would make each of them as long.
#[test]
fn a_layout_may_not_be_endless() {
    let mut text = format!("{} = 1\n", "a".repeat(1 << 20));
    (0..200).for_each(|number| text.push_str(&format!("b{number} = 1\n")));
    let refused = format_bytes("x", text.as_bytes(), OlderForms::New).unwrap_err();
    assert_eq!(refused.found.iter().next().unwrap().code.slug, "layout-too-long");
}
