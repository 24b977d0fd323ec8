//! Diagnostics of one or many roots, each reported once. Roots share modules: a diagnostic in a shared file belongs to the root
//! whose directory contains the file, otherwise to the first root that read it.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use groma::RootFindings;
use groma_lint::is_of_callers;
use groma_project::{MappingUse, codes::MODULE_MAPPING_UNUSED};
use groma_runtime::file_path;
use groma_syntax::{Diagnostic, Diagnostics, Place, Severity, Sources};
use rustc_hash::FxHashMap;

/// The part of a root's findings that a report attributes to it: its diagnostics by index, and its files.
#[derive(Clone)]
pub(crate) struct RootShare {
    /// The diagnostics, by their positions in the root.
    pub(crate) found: Vec<usize>,
    /// The names of the files that the report attributes to this root.
    pub(crate) files: Vec<Arc<str>>,
    /// The number of its errors that are attributed to another root.
    pub(crate) errors_elsewhere: usize,
    /// The number of its warnings that are attributed to another root.
    pub(crate) warnings_elsewhere: usize,
}

/// The diagnostics of one or many roots, each attributed to a single root.
#[derive(Clone)]
pub struct Report {
    pub(crate) roots: Vec<RootFindings>,
    pub(crate) shares: Vec<RootShare>,
    /// True for a report about a list of roots, which may contain a single one.
    pub(crate) is_list: bool,
    base: String,
}

/// The identity of a diagnostic across roots: file name, start and end offset in bytes, and slug of its code.
type Key<'r> = (&'r str, u32, u32, &'static str);

impl Report {
    /// Creates the report about the findings of one root.
    pub fn of(root: RootFindings) -> Report {
        Report::new(vec![root], false)
    }

    /// Creates the report about a list of roots, in the order of their directories.
    pub fn of_all(mut roots: Vec<RootFindings>) -> Report {
        roots.sort_by(|one, other| one.dir.cmp(&other.dir));
        keep_unanimous(&mut roots);
        merge_unused_mappings(&mut roots);
        Report::new(roots, true)
    }

    /// Returns the report with every file name prefixed by `folder`.
    #[must_use]
    pub fn with_folder(self, folder: &str) -> Report {
        Report { base: folder.to_owned(), ..self }
    }

    /// Creates a report that attributes each diagnostic and each file to one of the roots; `is_list` is true if the command
    /// line asks for a list of roots, even of a single one.
    fn new(roots: Vec<RootFindings>, is_list: bool) -> Report {
        // A directory reports its own files, whichever root was checked first; of several diagnostics at one place the most
        // severe one is kept.
        let mut files: FxHashMap<&str, (bool, usize)> = FxHashMap::default();
        let mut keys: FxHashMap<Key<'_>, (Severity, bool, usize)> = FxHashMap::default();
        for (at, root) in roots.iter().enumerate() {
            for name in root.files.iter().filter(|name| is_file(name)) {
                let claim = (!is_in(&root.dir, name), at);
                let owner = files.entry(name).or_insert(claim);
                *owner = claim.min(*owner);
            }
            for one in root.found.iter() {
                let Some(key) = key(one, &root.sources) else { continue };
                let claim = (one.severity, !is_in(&root.dir, key.0), at);
                let owner = keys.entry(key).or_insert(claim);
                *owner = claim.min(*owner);
            }
        }
        let shares = roots.iter().enumerate().map(|(at, root)| {
            let mut share = RootShare {
                found: Vec::new(),
                files: Vec::new(),
                errors_elsewhere: 0,
                warnings_elsewhere: 0,
            };
            for (number, one) in root.found.iter().enumerate() {
                match (key(one, &root.sources).map(|key| keys[&key].2 == at), one.severity) {
                    (None | Some(true), _) => share.found.push(number),
                    (Some(false), Severity::Error) => share.errors_elsewhere += 1,
                    (Some(false), Severity::Warning) => share.warnings_elsewhere += 1,
                    (Some(false), Severity::Note) => {}
                }
            }
            let own =
                root.files.iter().filter(|name| files.get(&***name).is_some_and(|one| one.1 == at));
            share.files.extend(own.cloned());
            if is_list {
                // Files keep the order in which the root read them.
                let all = root.found.as_slice();
                share.found.sort_by_key(|number| order(&all[*number], &root.sources));
            }
            share
        });
        let shares = shares.collect();
        Report { roots, shares, is_list, base: String::new() }
    }

    /// Returns the number of errors; an error that several roots share counts once.
    pub fn error_count(&self) -> usize {
        self.count(Severity::Error)
    }

    /// Returns the number of warnings; a warning that several roots share counts once.
    pub fn warning_count(&self) -> usize {
        self.count(Severity::Warning)
    }

    /// Returns the number of diagnostics of a severity; one that several roots share counts once.
    fn count(&self, severity: Severity) -> usize {
        self.findings().filter(|(_, one)| one.severity == severity).count()
    }

    /// Returns the number of files that were read; a file that several roots share counts once.
    pub fn file_count(&self) -> usize {
        self.shares.iter().map(|shares| shares.files.len()).sum()
    }

    /// Returns the number of roots that were not read completely, because of a syntax error or a missing module.
    pub fn unread_count(&self) -> usize {
        self.roots.iter().filter(|root| root.unread).count()
    }

    /// Returns the number of roots that the report covers, with and without findings.
    pub fn root_count(&self) -> usize {
        self.roots.len()
    }

    /// Returns the roots with the diagnostics attributed to them.
    pub fn roots(&self) -> impl Iterator<Item = (&RootFindings, Vec<&Diagnostic>)> {
        self.roots
            .iter()
            .zip(&self.shares)
            .map(|(root, shares)| (root, findings(root, shares).collect()))
    }

    /// Returns the report for human-readable output, in which each diagnostic is at the place where such output shows it
    /// (`display`).
    pub(crate) fn displayed(&self) -> Cow<'_, Report> {
        let is_elsewhere = |root: &RootFindings| root.found.iter().any(|one| one.display.is_some());
        if !self.roots.iter().any(is_elsewhere) {
            return Cow::Borrowed(self);
        }
        let mut shown = self.clone();
        for root in &mut shown.roots {
            let found = std::mem::take(&mut root.found).into_vec();
            root.found = found.iter().map(|one| one.displayed().into_owned()).collect();
        }
        Cow::Owned(shown)
    }

    /// Returns every diagnostic with the root that it is attributed to.
    pub(crate) fn findings(&self) -> impl Iterator<Item = (&RootFindings, &Diagnostic)> {
        let all = self.roots.iter().zip(&self.shares);
        all.flat_map(|(root, shares)| findings(root, shares).map(move |one| (root, one)))
    }

    /// Returns a file's path in the report, prefixed by the report's base directory; `None` for a text that is not a file.
    pub(crate) fn file(&self, name: &str) -> Option<String> {
        is_file(name).then(|| file_path::join(&self.base, name))
    }
}

/// Returns the diagnostics that a report attributes to a root: those that `shares` lists by index.
pub(crate) fn findings<'r>(
    root: &'r RootFindings,
    shares: &'r RootShare,
) -> impl Iterator<Item = &'r Diagnostic> {
    shares.found.iter().map(|number| &root.found.as_slice()[*number])
}

/// Removes findings about called modules, such as that an output is unused, which hold only if every calling root has them,
/// unless all these roots have them.
fn keep_unanimous(roots: &mut [RootFindings]) {
    let place = |one: &Diagnostic, root: &RootFindings| {
        let (name, from, to, _) = key(one, &root.sources)?;
        is_of_callers(one.code).then(|| (name.to_owned(), from, to))
    };
    let mut said: BTreeMap<(String, u32, u32), usize> = BTreeMap::new();
    for root in roots.iter() {
        for at in root.found.iter().filter_map(|one| place(one, root)) {
            *said.entry(at).or_default() += 1;
        }
    }
    said.retain(|(file, ..), count| {
        let callers = roots
            .iter()
            .filter(|root| root.files.contains(file.as_str()) && !is_in(&root.dir, file));
        *count == callers.count()
    });
    for root in roots {
        if root.found.iter().any(|one| is_of_callers(one.code)) {
            let stands =
                |one: &&Diagnostic| place(one, root).is_none_or(|at| said.contains_key(&at));
            let mut left = Diagnostics::new();
            left.extend(root.found.iter().filter(stands).cloned());
            root.found = left;
        }
    }
}

/// Reports a setting that maps a module source to a local folder as unused once for all roots, and only if none of them uses
/// it.
fn merge_unused_mappings(roots: &mut [RootFindings]) {
    let mut all = MappingUse::default();
    let mut worst = Severity::Warning;
    for root in roots.iter_mut() {
        all.merge(&root.mappings);
        if root.found.iter().any(|one| *one.code == MODULE_MAPPING_UNUSED) {
            let found = std::mem::take(&mut root.found).into_vec();
            let (said, left): (Vec<_>, Vec<_>) =
                found.into_iter().partition(|one| *one.code == MODULE_MAPPING_UNUSED);
            worst = said.iter().map(|one| one.severity).fold(worst, Ord::min);
            root.found = left.into_iter().collect();
        }
    }
    let mut unused = Diagnostics::new();
    all.report(&mut unused);
    if let Some(first) = roots.first_mut() {
        let shares = unused.into_vec().into_iter();
        first.found.extend(shares.map(|one| Diagnostic { severity: worst, ..one }));
    }
}

/// Returns true if the name of a source text is a file's; texts that are not files have names in angle brackets.
pub(crate) fn is_file(name: &str) -> bool {
    !name.is_empty() && !name.starts_with('<')
}

/// Returns true if a file is directly in a directory.
fn is_in(dir: &str, file: &str) -> bool {
    file_path::parent(file) == file_path::clean(dir)
}

/// Returns the file, span and code that identify a diagnostic across roots; `None` if it is not about a file.
fn key<'r>(one: &Diagnostic, sources: &'r Sources) -> Option<Key<'r>> {
    let (source, Place { span, .. }) = sources.at(one.place?);
    is_file(source.name()).then(|| (source.name(), span.start, span.end, one.code.slug))
}

/// Returns the sort key of a diagnostic: true if it has no place, so that it comes last, then the file and the start and end
/// of the place.
fn order<'r>(one: &Diagnostic, sources: &'r Sources) -> (bool, &'r str, u32, u32) {
    match one.place.map(|place| sources.at(place)) {
        Some((source, place)) => (false, source.name(), place.span.start, place.span.end),
        None => (true, "", 0, 0),
    }
}

/// Returns the line of code at a place, without surrounding spaces; `None` if the line contains a secret.
pub(crate) fn line(place: Place, sources: &Sources) -> Option<&str> {
    let (source, place) = sources.at(place);
    sources.shown_line(place.file, source.position(place.span.start).line).map(str::trim)
}

/// Returns the operand values and notes of a diagnostic as text, one line each, notes with their file and line.
pub(crate) fn remarks(one: &Diagnostic, report: &Report, sources: &Sources) -> String {
    let mut text = String::new();
    for operand in &one.operands {
        text.push_str(&format!("\n{} is {}.", operand.name, operand.value));
    }
    for note in &one.notes {
        let place = note.place.map(|place| {
            let (source, place) = sources.at(place);
            let name = report.file(source.name()).unwrap_or_else(|| source.name().to_owned());
            format!(" ({name}:{})", source.position(place.span.start).line)
        });
        let quoted = note.excerpt.as_ref().map(|one| format!(" ({}:{})", one.name, one.line));
        text.push_str(&format!("\n{}{}", note.text, place.or(quoted).unwrap_or_default()));
    }
    text
}
