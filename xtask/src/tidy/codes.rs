//! Rules for diagnostic codes: each is declared once, in the table of its crate, with advice.

use std::collections::BTreeMap;

use super::finding::Finding;
use super::tree::{Tree, numbered};
use crate::codes::{STAGES, declared, file};

/// Checks that every diagnostic code is declared once in the workspace, in the required form.
pub(super) fn are_declared_once(tree: &Tree, out: &mut Vec<Finding>) {
    let mut first: BTreeMap<String, String> = BTreeMap::new();
    for (stage, _) in STAGES {
        let path = file(stage);
        let Some(text) = tree.text(&path) else { continue };
        let codes = match declared(text) {
            Ok(codes) => codes,
            Err(why) => {
                out.push(Finding::new(&path, 1, why));
                continue;
            }
        };
        let mut before = String::new();
        for code in codes {
            let line = numbered(text)
                .find(|(_, line)| line.trim_start().starts_with(&format!("{},", code.name)))
                .map_or(1, |(line, _)| line);
            let mut wrong = |why: String| out.push(Finding::new(&path, line, why));
            let is_word = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            if code.slug.is_empty() || !code.slug.chars().all(is_word) {
                wrong(format!("{}: a code is made of small letters, digits and dashes", code.slug));
            }
            if code.name != code.slug.to_uppercase().replace('-', "_") {
                wrong(format!("{} is the name of {} in capitals", code.name, code.slug));
            }
            if code.name < before {
                wrong(format!("{} stands out of order", code.name));
            }
            if code.summary.is_empty() || code.summary.ends_with('.') {
                wrong(format!("{}: a summary is a sentence without a full stop", code.slug));
            }
            if !code.doc.ends_with('.') {
                wrong(format!(
                    "{}: say in whole sentences what it means and what to do",
                    code.slug
                ));
            }
            if let Some(other) = first.insert(code.slug.clone(), path.clone()) {
                wrong(format!("{} is declared in {other} too: use that one", code.slug));
            }
            before = code.name;
        }
    }
}

/// Checks that diagnostic codes are declared in `codes!` tables only; tests may have their own.
pub(super) fn stand_in_their_tables(tree: &Tree, out: &mut Vec<Finding>) {
    for (path, text) in tree.ending("rs").filter(|(path, _)| path.starts_with("crates/")) {
        if !path.contains("/src/") {
            continue;
        }
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        for (line, text) in numbered(code) {
            let is_made = text.trim_end().ends_with("DiagnosticCode {")
                && !text.contains("struct")
                && !text.contains("impl ")
                && !text.contains("->")
                || text.contains("DiagnosticCode { slug: \"")
                || text.contains("DiagnosticCode::row(\"");
            if is_made {
                let why = "a code stands in the codes.rs of its crate";
                out.push(Finding::new(path, line, why.to_owned()));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The path of a table of diagnostic codes.
    const TABLE: &str = "crates/syntax/src/codes.rs";

    /// Returns the findings of a rule in some files.
    fn found(rule: fn(&Tree, &mut Vec<Finding>), files: &[(&str, &str)]) -> Vec<String> {
        let mut out = Vec::new();
        rule(&Tree::of(files), &mut out);
        out.iter().map(ToString::to_string).collect()
    }

    /// Checks that badly formed and repeated codes are reported.
    #[test]
    fn a_code_is_told_apart_and_told_well() {
        let row = |name: &str, slug: &str, summary: &str, doc: &str| {
            format!("crate::codes! {{ {name}, \"{slug}\", \"{summary}\", \"{doc}\"; }}")
        };
        let told = |text: &str| found(are_declared_once, &[(TABLE, text)]).len();
        assert_eq!(told(&row("A_B", "a-b", "Wrong", "Do it.")), 0);
        assert_eq!(told(&row("A_B", "a_b", "Wrong", "Do it.")), 1);
        assert_eq!(told(&row("A", "a-b", "Wrong", "Do it.")), 1);
        assert_eq!(told(&row("A_B", "a-b", "Wrong.", "Do it.")), 1);
        assert_eq!(told(&row("A_B", "a-b", "Wrong", "")), 1);
        let one = row("A", "a", "Wrong", "Do it.");
        let both = found(are_declared_once, &[(TABLE, &one), ("crates/eval/src/codes.rs", &one)]);
        assert_eq!(both.len(), 1);
    }

    /// Checks that a code outside of a table is reported, except in tests.
    #[test]
    fn a_code_elsewhere_is_found() {
        let text =
            "static A: DiagnosticCode =\n    DiagnosticCode { slug: \"a\", summary: \"A\" };\n";
        assert_eq!(found(stand_in_their_tables, &[("crates/eval/src/a.rs", text)]).len(), 1);
        let test = format!("#[cfg(test)]\n{text}");
        assert_eq!(found(stand_in_their_tables, &[("crates/eval/src/a.rs", &test)]).len(), 0);
    }
}
