//! Diagnostics of files, with fixes as edits. The caller selects how much is computed: what loading has found, or everything
//! that `groma check` reports.

use std::collections::BTreeMap;

use groma::edit::TextEdit;
use groma::root::Root;
use groma::syntax::Place;
use groma::{Diagnostic, RootFindings, Severity, Sources, published, rules::RuleSwitches};
use groma_syntax::{Source, Span};

use crate::file_span::{FileSpan, replacement};
use crate::request::Request;

/// The extent of the analysis from which diagnostics are taken: loading alone, or all checks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum FindingStage {
    /// The diagnostics of parsing and linking, available at once.
    Loaded,
    /// All of `groma check`: lint rules, and errors that depend on values. Waits for evaluation.
    Checked,
}

/// A diagnostic as an editor shows it in one file: span, severity, texts, notes, and a fix if there is one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileFinding {
    /// The span that it refers to.
    pub span: Span,
    /// The severity.
    pub severity: Severity,
    /// The code of its kind, a stable word.
    pub code: &'static str,
    /// The URL of the manual page about its kind.
    pub page: String,
    /// The summary of its kind, without a full stop.
    pub summary: &'static str,
    /// The meaning of its kind and what to do about it: the text of the manual page.
    pub about: &'static str,
    /// The message: what is wrong and what to do, with the values involved.
    pub detail: String,
    /// Further notes, with or without a place.
    pub notes: Vec<FindingNote>,
    /// A hint how to display the code.
    pub tag: Option<FindingTag>,
    /// A fix, if there is one.
    pub fix: Option<FindingFix>,
}

/// An additional remark of a diagnostic, with the place that it refers to if there is one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FindingNote {
    /// The place that it refers to, if any.
    pub place: Option<FileSpan>,
    /// The text of the note.
    pub text: String,
}

/// A property of the code at a diagnostic by which an editor styles it: unused or deprecated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FindingTag {
    /// The code is unused.
    Unused,
    /// The code is deprecated.
    Deprecated,
}

/// A fix: a change that resolves a diagnostic.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FindingFix {
    /// The title shown to the user.
    pub label: String,
    /// The file that it changes.
    pub file: String,
    /// The edits of the file.
    pub edits: Vec<TextEdit>,
}

/// Returns the diagnostics of a file that loading or, if `stage` says so, all checks of the root find, sorted by place.
pub fn diagnostics(request: &Request<'_>, file: &str, stage: FindingStage) -> Vec<FileFinding> {
    let name = groma::hosts::file_path::clean(file);
    if let Some(found) =
        all_diagnostics(request, stage, Some(&RuleSwitches::default())).remove(&name)
    {
        return found;
    }
    let is_of_root = request.snapshot().is_some_and(|one| one.file(&name).is_some());
    if is_of_root { Vec::new() } else { text_diagnostics(request, file) }
}

/// Returns the diagnostics that loading or, if `stage` says so, all checks of the root find, by file name, with those of the
/// lint rules that `switches` turns on. Those without a place are reported at the start of a module's first file, and left
/// out for any other root.
pub fn all_diagnostics(
    request: &Request<'_>,
    stage: FindingStage,
    switches: Option<&RuleSwitches>,
) -> BTreeMap<String, Vec<FileFinding>> {
    let mut files = BTreeMap::new();
    let Some(root) = request.root() else { return files };
    let first = request.snapshot().and_then(|snapshot| snapshot.file_names().next());
    match stage {
        FindingStage::Loaded => {
            collect(root.found().iter(), &root.sources(), first, &mut files);
        }
        FindingStage::Checked => {
            let checked = checked(root, switches);
            collect(checked.found.iter(), &checked.sources, first, &mut files);
        }
    }
    files
}

/// Returns the diagnostics of a root for an editor: for a module those of `groma check`, with the lint rules that `switches`
/// turns on; for a Packer template and any other root those of loading and evaluation, without the checks of builds, which
/// may run on another machine.
fn checked(root: &dyn Root, switches: Option<&RuleSwitches>) -> RootFindings {
    match root.module() {
        Ok(_) => root.checked(switches),
        Err(_) => RootFindings::new(root.dir(), root.findings(), root.sources()),
    }
}

/// Converts diagnostics for an editor and groups them by file name in `files`; those without a place go to `first`, if given.
fn collect<'d>(
    found: impl Iterator<Item = &'d Diagnostic>,
    sources: &Sources,
    first: Option<&str>,
    files: &mut BTreeMap<String, Vec<FileFinding>>,
) {
    for one in found {
        let one = one.displayed();
        let place = one.place.map(|place| sources.at(place));
        let (name, span) = match &place {
            Some((source, place)) if !source.name().starts_with('<') => {
                (source.name().to_owned(), place.span)
            }
            _ => match first {
                Some(first) => (first.to_owned(), Span::at(0)),
                None => continue,
            },
        };
        files.entry(name).or_default().push(finding(&one, span, sources));
    }
    for all in files.values_mut() {
        all.sort_by(|a, b| (a.span, a.severity, a.code).cmp(&(b.span, b.severity, b.code)));
        all.dedup();
    }
}

/// Converts a diagnostic, which an editor shows at `span`: the values of references at its place are appended to its text,
/// and the module instance in which it was found becomes a note.
fn finding(one: &Diagnostic, span: Span, sources: &Sources) -> FileFinding {
    let file_span = |place: Place| {
        let (source, place) = sources.at(place);
        FileSpan { file: source.name().into(), span: place.span }
    };
    let mut detail = one.detail.clone();
    for operand in &one.operands {
        detail.push_str(&format!("\n{} is {}.", operand.name, operand.value));
    }
    let mut notes: Vec<FindingNote> = Vec::new();
    for note in &one.notes {
        let text = match &note.excerpt {
            Some(excerpt) => format!("{} ({}:{})", note.text, excerpt.name, excerpt.line),
            None => note.text.clone(),
        };
        notes.push(FindingNote { place: note.place.map(file_span), text });
    }
    if let Some(instance) = &one.instance {
        let others = match instance.others {
            0 => String::new(),
            others => format!(" and in {others} more"),
        };
        let text = format!("Found in {}{others}.", instance.address);
        notes.push(FindingNote { place: instance.call.map(file_span), text });
    }
    let fix = one.fix.as_ref().map(|fix| {
        let place = file_span(fix.place);
        FindingFix {
            label: fix.label.clone(),
            file: place.file.to_string(),
            edits: vec![replacement(place.span, fix.text.as_str())],
        }
    });
    FileFinding {
        span,
        severity: one.severity,
        code: one.code.slug,
        page: published::finding_page(one.code.slug),
        summary: one.code.summary,
        about: one.code.doc,
        detail,
        notes,
        tag: tag(one.code.slug),
        fix,
    }
}

/// Returns the display hint for a diagnostic code: unused or deprecated, if its slug contains that word; `None` for any
/// other slug.
fn tag(slug: &str) -> Option<FindingTag> {
    let mut words = slug.split('-');
    if words.clone().any(|word| word == "unused") {
        Some(FindingTag::Unused)
    } else if words.any(|word| word == "deprecated" || word == "deprecation") {
        Some(FindingTag::Deprecated)
    } else {
        None
    }
}

/// Returns the syntax diagnostics of a file, independent of any root.
pub fn text_diagnostics(request: &Request<'_>, file: &str) -> Vec<FileFinding> {
    let Some(document) = request.document(file) else { return Vec::new() };
    let mut sources = Sources::new();
    let source = document.source();
    sources.add(Source::new(source.name(), source.text().clone()));
    let found = match document.syntax() {
        groma::place::FileSyntax::Native(parse) => &parse.diagnostics,
        groma::place::FileSyntax::Json(parse) => &parse.diagnostics,
    };
    let mut files = BTreeMap::new();
    collect(found.iter(), &sources, None, &mut files);
    files.into_values().next().unwrap_or_default()
}
