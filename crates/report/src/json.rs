//! The format of the reference programs' `validate -json`, for one root, or by directory for many. It has errors and warnings
//! only, so notes are left out; warnings that no `validate` reports and remarks on newer editions are under a separate key.

use groma_protocol::write_diagnostic;
use groma_syntax::{Diagnostic, Phase, Severity};
use groma_value::json::{JsonObject, JsonText, array};

use groma_config::codes;

use groma::RootFindings;

use crate::gather::{Report, RootShare, findings};

/// Writes a report as the JSON of the reference programs' `validate -json`; for a list of roots, their totals and each
/// root's object by its directory.
pub(crate) fn write(report: &Report, out: &mut JsonText<'_>) {
    if !report.is_list {
        for (root, shares) in report.roots.iter().zip(&report.shares) {
            document(root, shares, out);
        }
        return;
    }
    let mut whole = JsonObject::open(out);
    whole.text("format_version", "1.0");
    whole.flag("valid", report.error_count() == 0);
    whole.number("error_count", report.error_count());
    let ours = report.findings().filter(|(_, one)| is_ours(one)).count();
    whole.number("warning_count", report.warning_count() - ours);
    let mut roots = whole.object("roots");
    for (root, shares) in report.roots.iter().zip(&report.shares) {
        document(root, shares, roots.key(&root.dir));
    }
    roots.close();
    whole.close();
}

/// Returns true for a warning that the reference programs' `validate` does not report: one of linting or of `init`.
fn is_ours(one: &Diagnostic) -> bool {
    one.severity == Severity::Warning && matches!(one.phase, Phase::Init | Phase::Lint)
}

/// Returns true for the diagnostic about a construct that no known edition has, but that a newer edition may have.
fn is_news(one: &Diagnostic) -> bool {
    one.code == &groma_eval::codes::NEWER_EDITION
}

/// Writes one root's findings as the JSON object that `validate -json` prints: those that the report attributes to this root
/// rather than to another with the same files, which `shares` lists by index.
fn document(root: &RootFindings, shares: &RootShare, out: &mut JsonText<'_>) {
    let theirs = || findings(root, shares).filter(|one| !is_ours(one));
    let count = |severity| theirs().filter(|one| one.severity == severity).count();
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
    let mut object = JsonObject::open(out);
    object.text("format_version", "1.0");
    object.flag("valid", errors + shares.errors_elsewhere == 0);
    object.number("error_count", errors);
    object.number("warning_count", warnings);
    let shown = theirs().filter(|one| one.severity != Severity::Note);
    array(shown, object.key("diagnostics"), |one, out| {
        write_diagnostic(one, &root.sources, out);
    });
    let mut ours = object.object("groma");
    if findings(root, shares).any(|one| one.code == &codes::SCHEMA_VERSION || is_news(one)) {
        // Some blocks were checked without a schema.
        ours.flag("complete", false);
    }
    if let Some(evidence) = &root.evidence {
        evidence.write_json(ours.key("dialect"));
    }
    let is_apart = |one: &Diagnostic| is_ours(one) || is_news(one);
    if findings(root, shares).any(is_apart) {
        let shown = findings(root, shares).filter(|one| is_apart(one));
        array(shown, ours.key("findings"), |one, out| {
            write_diagnostic(one, &root.sources, out);
        });
    }
    if shares.errors_elsewhere + shares.warnings_elsewhere > 0 {
        // Errors of modules that are attributed to another root.
        let mut elsewhere = ours.object("told_by_others");
        elsewhere.number("error_count", shares.errors_elsewhere);
        elsewhere.number("warning_count", shares.warnings_elsewhere);
        elsewhere.close();
    }
    ours.close();
    object.close();
}
