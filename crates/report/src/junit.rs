//! JUnit XML: a suite for each root, a case for each file. Readers show only the first failure of a case, so one failure contains
//! all errors of the file. The case's name is that of the file, because some schemas refuse a `file` attribute.

use std::fmt::{self, Write};

use groma_syntax::{Diagnostic, Severity, render};

use groma::RootFindings;

use crate::gather::{Report, RootShare, findings};

/// A test case: the diagnostics of a file, or those of a root without a file.
struct JunitCase<'r> {
    name: String,
    errors: Vec<&'r Diagnostic>,
    others: Vec<&'r Diagnostic>,
}

/// Writes a report as JUnit XML.
pub(crate) fn write(report: &Report, out: &mut dyn Write) -> fmt::Result {
    let suites = report.roots.iter().zip(&report.shares);
    let suites: Vec<(&RootFindings, Vec<JunitCase<'_>>)> =
        suites.map(|(root, shares)| (root, cases(report, root, shares))).collect();
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

/// Returns the JUnit test cases of a root: one for each file in `shares`, those that the report attributes to the root, and
/// one for each other origin of its diagnostics.
fn cases<'r>(report: &Report, root: &'r RootFindings, shares: &'r RootShare) -> Vec<JunitCase<'r>> {
    let case = |name: String| JunitCase { name, errors: Vec::new(), others: Vec::new() };
    let mut cases: Vec<JunitCase<'_>> = Vec::new();
    let mut known = rustc_hash::FxHashMap::default();
    for name in &shares.files {
        known.insert(&**name, cases.len());
        cases.push(case(report.file(name).unwrap_or_default()));
    }
    for one in findings(root, shares) {
        let name = one.place.map(|place| root.sources.at(place).0.name()).unwrap_or_default();
        let at = *known.entry(name).or_insert_with(|| {
            // A file attributed to another root, a text that is not a file, or no place.
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

/// Writes a `testcase` element, in the class of the root's directory `dir`: a failure for its errors, and its other diagnostics
/// as output.
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

/// Returns a text as the value of an XML attribute: escaped, in quotes.
pub(crate) fn attribute(text: &str) -> String {
    format!("\"{}\"", escaped(text, true))
}

/// Returns a text escaped for XML, with `is_attribute` also line ends and tabs, which readers of attributes replace. A
/// character that XML does not allow becomes U+FFFD.
fn escaped(text: &str, is_attribute: bool) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // Readers normalise these in attributes, and a carriage return everywhere.
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
