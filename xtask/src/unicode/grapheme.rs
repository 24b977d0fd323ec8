//! The tables of grapheme breaks: one version whole, and what a newer one has otherwise.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::data::{Data, HEADER};

/// First, last and class.
type Row = (u32, u32, &'static str);

/// The break classes that get a table, as the data and as our code name them. Hangul syllables are
/// computed, and the rest is `Other`.
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

/// The classes of the rule for Indic conjuncts. What extends them extends clusters as well, but for one character.
const CONJUNCTS: &[(&str, &str)] = &[("Consonant", "Consonant"), ("Linker", "Linker")];

/// The class of each character that has one.
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

/// The classes with those of conjuncts in the place of what they are besides.
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
    // What extends a cluster goes on with a conjunct, too, but for one character.
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

/// The rows of characters that follow each other and have one class.
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

/// The whole table of a version.
pub(super) fn whole(data: &Data, unicode: &str) -> Result<String, String> {
    let about = format!("Grapheme break classes by Unicode {unicode}.");
    let what =
        "First, last and class of each range; Hangul syllables are computed, the rest is `Other`.";
    Ok(print(&about, what, &rows(classes(data, unicode)?)))
}

/// What a newer version has otherwise.
pub(super) fn newer(data: &Data, older: &str, unicode: &str) -> Result<String, String> {
    let (old, new) = (classes(data, older)?, with_conjuncts(data, unicode)?);
    let codes: BTreeMap<u32, ()> = old.keys().chain(new.keys()).map(|code| (*code, ())).collect();
    let differs = codes.into_keys().filter(|code| old.get(code) != new.get(code));
    let rows = rows(differs.map(|code| (code, new.get(&code).copied().unwrap_or("Other"))));
    let about =
        format!("Grapheme break classes by Unicode {unicode} that are not those of {older}.");
    Ok(print(&about, "First, last and class of each range that has another class.", &rows))
}
