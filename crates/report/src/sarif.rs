//! SARIF 2.1.0. Columns count UTF-16 code units, as the log declares; a fingerprint depends on the diagnostic and the text of its
//! line, so that it survives changes of other lines.

use std::fmt::Write as _;
use std::marker::PhantomData;

use groma_syntax::{ColumnUnit, Diagnostic, DiagnosticCode, Note, Place, Severity, Sources};
use groma_value::json::{JsonObject, JsonText, array};
use rustc_hash::FxHashMap;
use sha2::{Digest, Sha256};

use groma::{RootFindings, published};

use crate::gather::{Report, line};

/// The SARIF `uriBaseId` of relative paths; it denotes the checked-out directory.
const ROOT: &str = "%SRCROOT%";

/// The URL of the JSON Schema of SARIF 2.1.0, which each log names.
const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// Writes a report as a SARIF log.
pub(crate) fn write(report: &Report, out: &mut JsonText<'_>) {
    let mut rules: Vec<(&'static DiagnosticCode, Severity)> = Vec::new();
    for (_, one) in report.findings() {
        match rules.iter_mut().find(|(code, _)| *code == one.code) {
            Some((_, severity)) => *severity = (*severity).min(one.severity),
            None => rules.push((one.code, one.severity)),
        }
    }
    rules.sort_by_key(|(code, _)| code.slug);
    let mut log = JsonObject::open(out);
    log.text("$schema", SCHEMA);
    log.text("version", "2.1.0");
    array([()], log.key("runs"), |(), out| {
        let mut run = JsonObject::open(out);
        let mut tool = run.object("tool");
        let mut driver = tool.object("driver");
        driver.text("name", "groma");
        driver.text("semanticVersion", env!("CARGO_PKG_VERSION"));
        driver.text("informationUri", published::REPOSITORY);
        array(&rules, driver.key("rules"), |(code, severity), out| rule(code, *severity, out));
        driver.close();
        tool.close();
        // Logs of other roots are stored as separate runs, and a later one with the same category replaces an earlier one.
        let mut automation = run.object("automationDetails");
        automation.text("id", &category(report));
        automation.close();
        run.text("columnKind", "utf16CodeUnits");
        let mut bases = run.object("originalUriBaseIds");
        let mut root = bases.object(ROOT);
        message("description", "The root of the working tree.", &mut root);
        root.close();
        bases.close();
        let mut prints = SarifFingerprints::default();
        array(report.findings(), run.key("results"), |(root, one), out| {
            let number = rules.iter().position(|(code, _)| *code == one.code).unwrap_or_default();
            result(report, root, one, number, &mut prints, out);
        });
        run.close();
    });
    log.close();
}

/// Returns the SARIF category (`automationDetails.id`) of the run: `groma/`, followed by the directory if the report is about a
/// single root.
fn category(report: &Report) -> String {
    let dir = match report.roots.as_slice() {
        [one] => report.file(&one.dir).unwrap_or_default(),
        _ => String::new(),
    };
    match dir.trim_matches(['.', '/']) {
        "" => "groma/".to_owned(),
        dir => format!("groma/{dir}/"),
    }
}

/// Returns the SARIF level of a severity.
fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

/// Writes a SARIF message object with a text as the property `name`.
fn message(name: &str, text: &str, within: &mut JsonObject<'_, '_>) {
    let mut message = within.object(name);
    message.text("text", text);
    message.close();
}

/// Writes a diagnostic code as a SARIF `reportingDescriptor`, an entry of the run's rules, with `severity` as its default
/// level.
fn rule(code: &DiagnosticCode, severity: Severity, out: &mut JsonText<'_>) {
    let mut rule = JsonObject::open(out);
    rule.text("id", code.slug);
    message("shortDescription", code.summary, &mut rule);
    message("fullDescription", code.doc, &mut rule);
    message("help", code.doc, &mut rule);
    rule.text("helpUri", &published::finding_page(code.slug));
    let mut usual = rule.object("defaultConfiguration");
    usual.text("level", level(severity));
    usual.close();
    rule.close();
}

/// Writes a diagnostic as a SARIF `result` with a fingerprint that `known` keeps different from those before; `rule` is the
/// index of its code among the rules of the run.
fn result<'r>(
    report: &Report,
    root: &'r RootFindings,
    one: &Diagnostic,
    rule: usize,
    known: &mut SarifFingerprints<'r>,
    out: &mut JsonText<'_>,
) {
    let sources = &root.sources;
    let mut result = JsonObject::open(out);
    result.text("ruleId", one.code.slug);
    result.number("ruleIndex", rule);
    result.text("level", level(one.severity));
    let (placed, plain): (Vec<&Note>, Vec<&Note>) =
        one.notes.iter().partition(|note| file_of(report, note.place, sources).is_some());
    let mut text = one.detail.clone();
    for operand in &one.operands {
        let _ = write!(text, "\n\n{} is {}.", operand.name, operand.value);
    }
    for note in plain {
        let _ = write!(text, "\n\n{}", note.text);
    }
    message("message", &text, &mut result);
    let file = file_of(report, one.place, sources);
    let name = one.place.map(|place| sources.at(place).0.name().to_owned());
    array([()], result.key("locations"), |(), out| {
        let mut location = JsonObject::open(out);
        match (&file, one.place) {
            (Some(file), Some(place)) => physical(file, place, sources, &mut location),
            // Code scanning requires a place for each result.
            _ => artifact(&report.file(&root.dir).unwrap_or_default(), &mut location),
        }
        let address = one.instance.as_ref().map(|instance| &instance.address);
        let given = name.as_ref().filter(|_| file.is_none());
        if let Some(name) = address.or(given) {
            array([name], location.key("logicalLocations"), |name, out| {
                let mut logical = JsonObject::open(out);
                logical.text("fullyQualifiedName", name);
                logical.close();
            });
        }
        location.close();
    });
    if !placed.is_empty() {
        array(placed.iter().enumerate(), result.key("relatedLocations"), |(id, note), out| {
            let mut location = JsonObject::open(out);
            location.number("id", id + 1);
            if let (Some(file), Some(place)) = (file_of(report, note.place, sources), note.place) {
                physical(&file, place, sources, &mut location);
            }
            message("message", &note.text, &mut location);
            location.close();
        });
    }
    let print = known.fingerprint(report, root, one, file.as_deref());
    let mut prints = result.object("partialFingerprints");
    prints.text("groma/v1", &print);
    prints.close();
    if let Some(fix) = &one.fix
        && let Some(file) = file_of(report, Some(fix.place), sources)
    {
        array([fix], result.key("fixes"), |fix, out| {
            let mut whole = JsonObject::open(out);
            message("description", &fix.label, &mut whole);
            array([fix], whole.key("artifactChanges"), |fix, out| {
                let mut change = JsonObject::open(out);
                artifact_location(&file, &mut change);
                array([fix], change.key("replacements"), |fix, out| {
                    let mut replacement = JsonObject::open(out);
                    region("deletedRegion", fix.place, sources, &mut replacement);
                    message("insertedContent", &fix.text, &mut replacement);
                    replacement.close();
                });
                change.close();
            });
            whole.close();
        });
    }
    result.close();
}

/// Returns the reported name of the file that contains a place; `None` without a place or if its text is not a file.
fn file_of(report: &Report, place: Option<Place>, sources: &Sources) -> Option<String> {
    report.file(sources.at(place?).0.name())
}

/// Writes a file and a region in it as a SARIF physical location.
fn physical(file: &str, place: Place, sources: &Sources, within: &mut JsonObject<'_, '_>) {
    let mut physical = within.object("physicalLocation");
    artifact_location(file, &mut physical);
    region("region", place, sources, &mut physical);
    physical.close();
}

/// Writes a SARIF `physicalLocation` that names a file and no region in it.
fn artifact(file: &str, within: &mut JsonObject<'_, '_>) {
    let mut physical = within.object("physicalLocation");
    artifact_location(file, &mut physical);
    physical.close();
}

/// Writes a SARIF `artifactLocation`: a path relative to the checkout, or a `file:` URI for an absolute path.
fn artifact_location(file: &str, within: &mut JsonObject<'_, '_>) {
    let mut location = within.object("artifactLocation");
    match file.strip_prefix('/') {
        Some(rest) => location.text("uri", &format!("file:///{}", escaped(rest))),
        None => {
            location.text("uri", &escaped(file));
            location.text("uriBaseId", ROOT);
        }
    }
    location.close();
}

/// Writes the SARIF region of a place under the property `name`, with lines and UTF-16 columns counted from 1.
fn region(name: &str, place: Place, sources: &Sources, within: &mut JsonObject<'_, '_>) {
    let (source, place) = sources.at(place);
    let from = source.point(place.span.start, ColumnUnit::Utf16);
    let to = source.point(place.span.end.max(place.span.start), ColumnUnit::Utf16);
    let mut region = within.object(name);
    region.number("startLine", from.line + 1);
    region.number("startColumn", from.column + 1);
    region.number("endLine", to.line + 1);
    region.number("endColumn", to.column + 1);
    region.close();
}

/// Returns a file path with percent encoding.
fn escaped(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                out.push(char::from(byte));
            }
            byte => {
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out
}

/// Number of bytes above which a line enters a fingerprint as its own digest, so that it is read once for all its diagnostics.
const LONG_LINE: usize = 64 << 10;

/// The state that the fingerprints of a report's diagnostics share: how often each hash has occurred, by which equal ones are
/// numbered, and the digests of long lines of code.
#[derive(Default)]
struct SarifFingerprints<'r> {
    seen: FxHashMap<String, usize>,
    long: FxHashMap<(*const u8, usize), [u8; 32]>,
    /// The number of bytes hashed so far.
    read: usize,
    held: PhantomData<&'r Sources>,
}

impl<'r> SarifFingerprints<'r> {
    /// Returns a diagnostic's fingerprint, a hash of its code, file and line text without the line's number, followed by its
    /// ordinal among equal hashes. A withheld line counts as empty.
    fn fingerprint(
        &mut self,
        report: &Report,
        root: &'r RootFindings,
        one: &Diagnostic,
        file: Option<&str>,
    ) -> String {
        let whole = report.file(&root.dir).unwrap_or_default();
        let line = one.place.and_then(|place| line(place, &root.sources)).unwrap_or_default();
        let mut print = String::new();
        let mut digest = Sha256::new();
        for part in [one.code.slug, file.unwrap_or(&whole)] {
            digest.update(part.as_bytes());
            digest.update([0]);
        }
        self.line(line, &mut digest);
        digest.update([0]);
        for byte in digest.finalize().iter().take(16) {
            let _ = write!(print, "{byte:02x}");
        }
        // Equal lines may have the same diagnostic.
        let number = self.seen.entry(print.clone()).or_default();
        *number += 1;
        let _ = write!(print, ":{number}");
        print
    }

    /// Adds a line of code to a fingerprint's digest.
    fn line(&mut self, line: &'r str, digest: &mut Sha256) {
        if line.len() <= LONG_LINE {
            self.read += line.len();
            return digest.update(line.as_bytes());
        }
        let own = self.long.entry((line.as_ptr(), line.len())).or_insert_with(|| {
            self.read += line.len();
            Sha256::digest(line.as_bytes()).into()
        });
        digest.update(*own);
    }
}

#[cfg(test)]
mod tests {
    use groma_syntax::{Diagnostics, Source, Span};

    use super::*;

    /// Checks that a long line is hashed once for all its diagnostics, whose fingerprints differ.
    #[test]
    fn a_long_line_is_read_once_for_all_its_findings() {
        /// The code of the diagnostics in this test.
        static CODE: DiagnosticCode = DiagnosticCode {
            slug: "test",
            summary: "Something is wrong",
            doc: "A test's.",
            may_be_new: false,
        };
        let mut sources = Sources::new();
        let text = "a".repeat(1_000_000);
        let file = sources.add(Source::new("main.tf", text.as_str()));
        let mut found = Diagnostics::new();
        for at in 0..200 {
            let place = Place::new(file, Span::new(at * 5_000, at * 5_000 + 1));
            found.push(Diagnostic::error(&CODE, "Do this.").at(place));
        }
        let report = Report::of(RootFindings::new(".", found, sources));
        let mut prints = SarifFingerprints::default();
        let all: std::collections::BTreeSet<String> = report
            .findings()
            .map(|(root, one)| prints.fingerprint(&report, root, one, Some("main.tf")))
            .collect();
        assert_eq!((all.len(), prints.read), (200, text.len()));
    }
}
