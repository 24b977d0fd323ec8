//! Generation of the grapheme break tables: one version completely, and the changes of a newer one.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::data::{Data, HEADER};

/// A range of code points and its class: first, last, class.
type Row = (u32, u32, &'static str);

/// The break classes with a table: their names in the data and in code. Hangul syllables are computed, and all others are
/// `Other`.
const BREAKS: &[(&str, &str)] = &[
    ("Control", "Control"),
    ("CR", "Control"),
    ("LF", "Control"),
    ("Extend", "Extend"),
    ("ZWJ", "Joiner"),
    ("Prepend", "Prepend"),
    ("SpacingMark", "SpacingMark"),
    ("Regional_Indicator", "RegionalIndicator"),
    ("L", "HangulL"),
    ("V", "HangulV"),
    ("T", "HangulT"),
];

/// The classes of the rule for Indic conjuncts. Their extending characters also extend clusters, with one exception.
const CONJUNCTS: &[(&str, &str)] = &[("Consonant", "Consonant"), ("Linker", "Linker")];

/// Returns the grapheme break class of each code point in a Unicode version, without those of class `Other`.
fn classes(data: &Data, unicode: &str) -> Result<BTreeMap<u32, &'static str>, String> {
    let mut all = BTreeMap::new();
    let pictures = ("Binary_Property/Extended_Pictographic".to_owned(), "Picture");
    let breaks =
        BREAKS.iter().map(|(class, name)| (format!("Grapheme_Cluster_Break/{class}"), *name));
    for (class, name) in breaks.chain([pictures]) {
        for (first, last) in data.ranges(unicode, &class)? {
            for code in first..=last {
                if all.insert(code, name).is_some() {
                    return Err(format!("{code:#x} of {unicode} has two classes"));
                }
            }
        }
    }
    Ok(all)
}

/// Returns the grapheme break class of each code point, with the classes of the Indic conjunct rule in place of theirs.
fn with_conjuncts(data: &Data, unicode: &str) -> Result<BTreeMap<u32, &'static str>, String> {
    let mut all = classes(data, unicode)?;
    let mut extends = BTreeMap::new();
    for (first, last) in data.ranges(unicode, "Indic_Conjunct_Break/Extend")? {
        extends.extend((first..=last).map(|code| (code, ())));
    }
    for (class, name) in CONJUNCTS {
        for (first, last) in data.ranges(unicode, &format!("Indic_Conjunct_Break/{class}"))? {
            for code in first..=last {
                let before = all.insert(code, name);
                if !matches!((*name, before), ("Consonant", None) | ("Linker", Some("Extend"))) {
                    return Err(format!("{code:#x} of {unicode} is {before:?} and {name}"));
                }
            }
        }
    }
    // A character that extends a cluster also extends a conjunct, with one exception.
    for (code, class) in &mut all {
        let goes_on = extends.contains_key(code);
        match *class {
            "Extend" if !goes_on => *class = "NonJoiner",
            "Extend" | "Joiner" => {}
            _ if goes_on => return Err(format!("{code:#x} of {unicode} extends conjuncts alone")),
            _ => {}
        }
    }
    Ok(all)
}

/// Joins consecutive code points of one class into rows: first, last, class.
fn rows(all: impl IntoIterator<Item = (u32, &'static str)>) -> Vec<Row> {
    let mut joined: Vec<Row> = Vec::new();
    for (code, class) in all {
        match joined.last_mut() {
            Some(last) if code == last.1 + 1 && class == last.2 => last.1 = code,
            _ => joined.push((code, code, class)),
        }
    }
    joined
}

/// Returns the source of a file with a table of break classes; `about` and `what` become the docs of file and table.
fn print(about: &str, what: &str, rows: &[Row]) -> String {
    let mut out = format!("//! {HEADER}\n//! {about}\n");
    out.push_str("use crate::boundary::ClusterBreak::{self, *};\n\n");
    let _ = write!(
        out,
        "/// {what}\n#[rustfmt::skip]\npub(crate) const BREAKS: &[(u32, u32, ClusterBreak)] = &["
    );
    for (index, (first, last, class)) in rows.iter().enumerate() {
        let space = if index % 3 == 0 { "\n    " } else { " " };
        let _ = write!(out, "{space}({first:#x}, {last:#x}, {class}),");
    }
    out.push_str("\n];\n");
    out
}

/// Returns the complete table of grapheme break classes of a Unicode version as Rust code.
pub(super) fn whole(data: &Data, unicode: &str) -> Result<String, String> {
    let about = format!("Grapheme break classes by Unicode {unicode}.");
    let what =
        "First, last and class of each range; Hangul syllables are computed, the rest is `Other`.";
    Ok(print(&about, what, &rows(classes(data, unicode)?)))
}

/// Returns the grapheme break classes of code points that differ from an older Unicode version, as Rust code.
pub(super) fn newer(data: &Data, older: &str, unicode: &str) -> Result<String, String> {
    let (old, new) = (classes(data, older)?, with_conjuncts(data, unicode)?);
    let codes: BTreeMap<u32, ()> = old.keys().chain(new.keys()).map(|code| (*code, ())).collect();
    let differs = codes.into_keys().filter(|code| old.get(code) != new.get(code));
    let rows = rows(differs.map(|code| (code, new.get(&code).copied().unwrap_or("Other"))));
    let about =
        format!("Grapheme break classes by Unicode {unicode} that are not those of {older}.");
    Ok(print(&about, "First, last and class of each range that has another class.", &rows))
}
