//! Paths with `*`: their matches in both syntaxes, and edits of all of them or none.
#![forbid(unsafe_code)]

use groma_edit::{CodePath, Edit, EditLanguage, EditOp, SourceText, apply, get_each};

/// Returns the rules of a language with the block types of these tests.
fn language() -> EditLanguage<'static> {
    EditLanguage {
        labels: &|kind| match kind {
            "resource" => Some(2),
            "locals" => Some(0),
            _ => None,
        },
        inner_labels: &|_, _| None,
        names: &|_, _| false,
    }
}

/// Returns a file with a name and a text.
fn source(name: &str, text: &str) -> SourceText {
    SourceText { name: name.into(), text: text.into() }
}

/// Returns the text after an edit, or the reason why it is refused.
fn edited(text: &str, op: EditOp, path: &str, to: &str) -> Result<String, String> {
    let edit = Edit::new(op, path, Some(to)).map_err(|why| why.to_string())?;
    let file = source("a.tfvars", text);
    let changed = apply(&[file], &[edit], language()).map_err(|why| why.to_string())?;
    Ok(changed.into_iter().next().map_or(text.to_owned(), |one| one.text))
}

/// Returns the paths of the matches of a path with `*`, or the reason why there are none.
fn paths_of(file: &SourceText, path: &str) -> Result<Vec<String>, String> {
    let path = CodePath::read(path).map_err(|why| why.to_string())?;
    let found =
        get_each(std::slice::from_ref(file), &path, language()).map_err(|why| why.to_string())?;
    Ok(found.into_iter().map(|(path, _)| path.to_string()).collect())
}

/// Checks the paths to which a path with `*` expands, in both syntaxes.
#[test]
fn a_star_is_each_step_that_is_there() {
    let native = source(
        "main.tf",
        "locals {\n  a = [1, 2]\n  b = { \"x y\" = { c = 1 }, z = { c = 2, d = 3 } }\n}\n\nlocals {\n  e = 1\n}\n\n\
         resource \"t\" \"one\" {\n  a = 1\n  i { p = 1 }\n  i { p = 2 }\n}\n\nresource \"t\" \"two\" {\n  i { p = 3 }\n}\n",
    );
    let json = source(
        "main.tf.json",
        r#"{"//": "no", "locals": [{"a": [1, 2]}, {"b": {"x y": {"c": 1}, "z": {"c": 2, "d": 3}}, "e": 1}],
        "resource": {"t": [{"one": {"a": 1, "i": [{"p": 1}, {"p": 2}]}}, {"two": {"//": "no", "i": {"p": 3}}}]}}"#,
    );
    let cases: [(&str, &[&str]); 13] = [
        ("locals.*", &["locals.a", "locals.b", "locals.e"]),
        ("local.a[*]", &["locals.a[0]", "locals.a[1]"]),
        ("local.a.*", &["locals.a[0]", "locals.a[1]"]),
        ("local.b.*.c", &["locals.b[\"x y\"].c", "locals.b.z.c"]),
        ("local.b[*].d", &["locals.b.z.d"]),
        ("local.*.*.c", &["locals.b[\"x y\"].c", "locals.b.z.c"]),
        ("resource.*.*.a", &["resource.t.one.a"]),
        ("t.*.a", &["resource.t.one.a"]),
        ("t[*].i[0].p", &["resource.t.one.i[0].p", "resource.t.two.i[0].p"]),
        ("t.two.i[*].p", &["resource.t.two.i[0].p"]),
        (
            "t.*.i[*].p",
            &["resource.t.one.i[0].p", "resource.t.one.i[1].p", "resource.t.two.i[0].p"],
        ),
        ("locals[*].e", &["locals[1].e"]),
        ("locals[*].*[1]", &["locals[0].a[1]"]),
    ];
    for file in [&native, &json] {
        for (path, wanted) in cases {
            let found = paths_of(file, path).unwrap_or_else(|why| panic!("{path}: {why}"));
            assert_eq!(found, wanted, "{path} in {}", file.name);
            for one in &found {
                assert_eq!(CodePath::read(one).unwrap().to_string(), *one);
            }
        }
        for path in ["locals.*.q", "t.*.i[5]", "q.*", "local.e.*", "resource.u[*].a"] {
            assert!(paths_of(file, path).is_err(), "{path} in {}", file.name);
        }
        // The positions of those that are left stay what they are while others go.
        let edit = Edit::new(EditOp::Remove, "t.*.i[*].p", None).unwrap();
        let changed = apply(std::slice::from_ref(file), &[edit], language()).unwrap();
        let after = SourceText { text: changed[0].text.as_str().into(), ..file.clone() };
        assert!(paths_of(&after, "t.*.i[*].p").is_err());
        assert_eq!(paths_of(&after, "t.*.i[*]").unwrap().len(), 3);
    }
    assert_eq!(paths_of(&native, "t.one.*").unwrap().len(), 3);
    for path in ["*.a", "a.*b", "a[**]", "a.**"] {
        assert!(CodePath::read(path).is_err(), "{path}");
    }
    assert_eq!(CodePath::read("a[\".*\"].*[*].b").unwrap().to_string(), "a[\".*\"].*[*].b");
}

/// Checks that an edit with `*` changes all matches or none.
#[test]
fn a_star_changes_all_or_nothing() {
    let text = "t = {\n  a = { n = 1 }\n  b = { n = 2, m = 1 }\n}\n";
    let set = edited(text, EditOp::Set, "t.*.n", "5").unwrap();
    assert_eq!(set, "t = {\n  a = { n = 5 }\n  b = { n = 5, m = 1 }\n}\n");
    assert!(edited(text, EditOp::Add, "t.*.m", "5").unwrap_err().contains("exists already"));
    let added = edited(text, EditOp::Add, "t.*.k", "5").unwrap();
    assert_eq!(added, "t = {\n  a = { n = 1, k = 5 }\n  b = { n = 2, m = 1, k = 5 }\n}\n");
    // All together may be no longer than a file may be.
    let long = format!("\"{}\"", "x".repeat(40_000_000));
    assert!(edited(text, EditOp::Set, "t.*.n", &long).unwrap_err().contains("2 things"));
    let one = |op, path: &str, to| Edit::new(op, path, to).unwrap();
    let twice = [one(EditOp::Set, "t.*.n", Some("1")), one(EditOp::Remove, "t.b.n", None)];
    assert!(apply(&[source("a.tfvars", text)], &twice, language()).is_err());
    let apart = [one(EditOp::Add, "t.c", Some("{ n = 3 }")), one(EditOp::Set, "t.*.n", Some("9"))];
    let changed = apply(&[source("a.tfvars", text)], &apart, language()).unwrap();
    assert_eq!(changed[0].text.matches("n = 9").count(), 3);
}
