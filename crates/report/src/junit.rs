//! JUnit's XML: a suite for each root, a case for each file. A case has one failure at most, as readers show the first of
//! several only, so it holds all errors of its file. It is called as the file is: a `file` attribute of its own some schemas
//! refuse.

use std::fmt::{self, Write};

use groma_syntax::{Diagnostic, Severity, render};

use groma::RootFindings;

use crate::gather::{Report, RootShare, findings};

/// The findings about a file; those about none are the root's own.
struct JunitCase<'r> {
    name: String,
    errors: Vec<&'r Diagnostic>,
    others: Vec<&'r Diagnostic>,
}

pub(crate) fn write(report: &Report, out: &mut dyn Write) -> fmt::Result {
    let suites = report.roots.iter().zip(&report.told);
    let suites: Vec<(&RootFindings, Vec<JunitCase<'_>>)> =
        suites.map(|(root, told)| (root, cases(report, root, told))).collect();
    let failed =
        |cases: &[JunitCase<'_>]| cases.iter().filter(|case| !case.errors.is_empty()).count();
    let tests: usize = suites.iter().map(|(_, cases)| cases.len()).sum();
    let failures: usize = suites.iter().map(|(_, cases)| failed(cases)).sum();
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(
        out,
        "<testsuites name=\"groma check\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\">"
    )?;
    for (root, cases) in &suites {
        let dir = report.file(&root.dir).unwrap_or_else(|| root.dir.clone());
        writeln!(
            out,
            "  <testsuite name={} tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"0\">",
            attribute(&dir),
            cases.len(),
            failed(cases)
        )?;
        for case in cases {
            write_case(root, &dir, case, out)?;
        }
        writeln!(out, "  </testsuite>")?;
    }
    writeln!(out, "</testsuites>")
}

fn cases<'r>(report: &Report, root: &'r RootFindings, told: &'r RootShare) -> Vec<JunitCase<'r>> {
    let case = |name: String| JunitCase { name, errors: Vec::new(), others: Vec::new() };
    let mut cases: Vec<JunitCase<'_>> = Vec::new();
    let mut known = rustc_hash::FxHashMap::default();
    for name in &told.files {
        known.insert(&**name, cases.len());
        cases.push(case(report.file(name).unwrap_or_default()));
    }
    for one in findings(root, told) {
        let name = one.place.map(|place| root.sources.at(place).0.name()).unwrap_or_default();
        let at = *known.entry(name).or_insert_with(|| {
            // A file that another root tells about, a text that is no file, or nothing at all.
            let file = report.file(name);
            let shown = if name.is_empty() { root.dir.clone() } else { name.to_owned() };
            cases.push(case(file.unwrap_or(shown)));
            cases.len() - 1
        });
        match one.severity {
            Severity::Error => cases[at].errors.push(one),
            Severity::Warning | Severity::Note => cases[at].others.push(one),
        }
    }
    if cases.is_empty() {
        cases.push(case(root.dir.clone()));
    }
    cases
}

fn write_case(
    root: &RootFindings,
    dir: &str,
    case: &JunitCase<'_>,
    out: &mut dyn Write,
) -> fmt::Result {
    write!(out, "    <testcase name={} classname={}", attribute(&case.name), attribute(dir))?;
    if case.errors.is_empty() && case.others.is_empty() {
        return writeln!(out, "/>");
    }
    writeln!(out, ">")?;
    let pictures = |all: &[&Diagnostic]| {
        let all = all.iter().map(|one| render::render(one, &root.sources, false));
        all.map(|one| one.trim_end().to_owned()).collect::<Vec<_>>().join("\n\n")
    };
    if let Some(first) = case.errors.first() {
        let more = match case.errors.len() {
            1 => String::new(),
            count => format!(" (the first of {count} errors)"),
        };
        writeln!(
            out,
            "      <failure message={} type={}>{}</failure>",
            attribute(&format!("{}: {}{more}", first.code.summary, first.detail)),
            attribute(first.code.slug),
            escaped(&pictures(&case.errors), false)
        )?;
    }
    if !case.others.is_empty() {
        let text = escaped(&pictures(&case.others), false);
        writeln!(out, "      <system-out>{text}</system-out>")?;
    }
    writeln!(out, "    </testcase>")
}

/// An attribute's value, quotes included.
pub(crate) fn attribute(text: &str) -> String {
    format!("\"{}\"", escaped(text, true))
}

/// A text as XML holds it. A character that XML cannot hold at all stands as U+FFFD.
fn escaped(text: &str, is_attribute: bool) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // Readers make a blank of those in attributes, and a line feed of a carriage return anywhere.
            '\n' if is_attribute => out.push_str("&#10;"),
            '\t' if is_attribute => out.push_str("&#9;"),
            '\r' => out.push_str("&#13;"),
            '\n' | '\t' => out.push(c),
            '\0'..='\x1f' | '\u{7f}'..='\u{84}' | '\u{86}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => {
                out.push('\u{fffd}');
            }
            c => out.push(c),
        }
    }
    out
}
