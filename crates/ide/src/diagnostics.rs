//! Findings of files, with their fixes as edits. How much is worked out for them is the caller's choice: what reading and
//! linking the texts has found, or everything that `groma check` says of the root with its inputs.

use std::collections::BTreeMap;

use groma::edit::TextEdit;
use groma::syntax::Place;
use groma::{Diagnostic, Severity, Snapshot, Sources, published, rules::RuleSwitches};
use groma_syntax::{Source, Span};

use crate::file_span::{FileSpan, replacement};
use crate::request::{Request, RequestRoot};

/// How much is worked out for findings. Each stage has the findings of those before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum FindingStage {
    /// Reading and linking the texts: what an editor shows at once.
    Loaded,
    /// The whole of `groma check`: rules, and what follows from the inputs of the root. It waits for values.
    Checked,
}

/// A finding in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileFinding {
    /// The bytes that it is about.
    pub span: Span,
    /// The severity.
    pub severity: Severity,
    /// The stable word of its kind.
    pub code: &'static str,
    /// The address of the page about its kind.
    pub page: String,
    /// The sentence about the kind, without a full stop.
    pub summary: &'static str,
    /// What is wrong and what to do, with the values that decided it.
    pub detail: String,
    /// Remarks about other places, and such without a place.
    pub notes: Vec<FindingNote>,
    /// The mark that an editor may show the code with.
    pub tag: Option<FindingTag>,
    /// The change that resolves it.
    pub fix: Option<FindingFix>,
}

/// A remark of a finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FindingNote {
    /// The place that it is about.
    pub place: Option<FileSpan>,
    /// The remark.
    pub text: String,
}

/// A mark that an editor may show code with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FindingTag {
    /// Nothing uses it.
    Unused,
    /// It should no longer be used.
    Deprecated,
}

/// A change that resolves a finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FindingFix {
    /// The words for the user.
    pub label: String,
    /// The file that changes.
    pub file: String,
    /// The change.
    pub edits: Vec<TextEdit>,
}

/// The findings of a file, by place.
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

/// The findings of all files of the root, by name; a file without findings is not listed. Those without a place stand at the
/// beginning of the root's first file. Without switches no rule looks at the code.
pub fn all_diagnostics(
    request: &Request<'_>,
    stage: FindingStage,
    switches: Option<&RuleSwitches>,
) -> BTreeMap<String, Vec<FileFinding>> {
    let mut files = BTreeMap::new();
    match request.root() {
        RequestRoot::Nothing => {}
        RequestRoot::Module(snapshot) => {
            let first = snapshot.file_names().next().map(str::to_owned);
            match stage {
                FindingStage::Loaded => {
                    let sources = snapshot.sources();
                    collect(snapshot.found().iter(), &sources, first.as_deref(), &mut files);
                }
                FindingStage::Checked => {
                    let checked = checked(snapshot, switches);
                    collect(checked.found.iter(), &checked.sources, first.as_deref(), &mut files);
                }
            }
        }
        RequestRoot::Template(template) => {
            let found = template.findings();
            collect(found.iter(), &template.sources(), None, &mut files);
        }
    }
    files
}

/// Everything that `groma check` says of a root.
fn checked(snapshot: &Snapshot, switches: Option<&RuleSwitches>) -> groma::RootFindings {
    let mut found = snapshot.checked();
    if let Some(switches) = switches {
        found.take_in(snapshot.lint(switches));
    }
    found
}

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
    if let Some(standing) = &one.standing {
        let others = match standing.others {
            0 => String::new(),
            others => format!(" and in {others} more"),
        };
        let text = format!("Found in {}{others}.", standing.address);
        notes.push(FindingNote { place: standing.call.map(file_span), text });
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
        detail,
        notes,
        tag: tag(one.code.slug),
        fix,
    }
}

/// The mark of a kind of finding. The words of the kinds are chosen so that they say it.
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

/// The findings about the syntax of a file, whatever root it belongs to.
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
