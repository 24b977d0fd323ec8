//! What was found in one root or in many, as a document for other programs. Roots share modules: what is found in a file
//! that several of them hold is told once, by the root whose folder the file lies in, else by the first that holds it.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use groma::RootFindings;
use groma_lint::is_of_callers;
use groma_project::{MappingUse, codes::MODULE_MAPPING_UNUSED};
use groma_runtime::file_path;
use groma_syntax::{Diagnostic, Diagnostics, Place, Severity, Sources};
use rustc_hash::FxHashMap;

/// The findings of a root that a report attributes to it.
#[derive(Clone)]
pub(crate) struct RootShare {
    /// The findings, by their number in the root.
    pub(crate) found: Vec<usize>,
    /// The files that are this root's to tell about, by name.
    pub(crate) files: Vec<Arc<str>>,
    /// The number of errors reported by another root.
    pub(crate) errors_elsewhere: usize,
    /// The number of warnings reported by another root.
    pub(crate) warnings_elsewhere: usize,
}

/// The findings in one root or in many.
#[derive(Clone)]
pub struct Report {
    pub(crate) roots: Vec<RootFindings>,
    pub(crate) told: Vec<RootShare>,
    /// True if it is about a list of roots, though there may be one only.
    pub(crate) is_list: bool,
    base: String,
}

/// The identity of a finding across roots: its place and its kind.
type Key<'r> = (&'r str, u32, u32, &'static str);

impl Report {
    /// The report about one root.
    pub fn of(root: RootFindings) -> Report {
        Report::new(vec![root], false)
    }

    /// The report about a list of roots, in the order of their folders.
    pub fn of_all(mut roots: Vec<RootFindings>) -> Report {
        roots.sort_by(|one, other| one.dir.cmp(&other.dir));
        agree(&mut roots);
        map_once(&mut roots);
        Report::new(roots, true)
    }

    /// The same, where the names of files start in a folder below the one that readers know.
    #[must_use]
    pub fn seen_from_above(self, folder: &str) -> Report {
        Report { base: folder.to_owned(), ..self }
    }

    fn new(roots: Vec<RootFindings>, is_list: bool) -> Report {
        // A folder reports its own files, whichever was looked at first; the worst of what is said in one place is
        // told.
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
        let told = roots.iter().enumerate().map(|(at, root)| {
            let mut told = RootShare {
                found: Vec::new(),
                files: Vec::new(),
                errors_elsewhere: 0,
                warnings_elsewhere: 0,
            };
            for (number, one) in root.found.iter().enumerate() {
                match (key(one, &root.sources).map(|key| keys[&key].2 == at), one.severity) {
                    (None | Some(true), _) => told.found.push(number),
                    (Some(false), Severity::Error) => told.errors_elsewhere += 1,
                    (Some(false), Severity::Warning) => told.warnings_elsewhere += 1,
                    (Some(false), Severity::Note) => {}
                }
            }
            let own =
                root.files.iter().filter(|name| files.get(&***name).is_some_and(|one| one.1 == at));
            told.files.extend(own.cloned());
            if is_list {
                // In which order files were read is a matter of the root.
                let all = root.found.as_slice();
                told.found.sort_by_key(|number| order(&all[*number], &root.sources));
            }
            told
        });
        let told = told.collect();
        Report { roots, told, is_list, base: String::new() }
    }

    /// Returns how many errors there are, each told once.
    pub fn error_count(&self) -> usize {
        self.count(Severity::Error)
    }

    /// Returns how many warnings there are, each told once.
    pub fn warning_count(&self) -> usize {
        self.count(Severity::Warning)
    }

    fn count(&self, severity: Severity) -> usize {
        self.findings().filter(|(_, one)| one.severity == severity).count()
    }

    /// Returns how many files were read, each counted once.
    pub fn file_count(&self) -> usize {
        self.told.iter().map(|told| told.files.len()).sum()
    }

    /// In how many roots something was not read.
    pub fn unread_count(&self) -> usize {
        self.roots.iter().filter(|root| root.unread).count()
    }

    /// Returns how many roots it is about.
    pub fn root_count(&self) -> usize {
        self.roots.len()
    }

    /// The roots, and what each of them tells.
    pub fn roots(&self) -> impl Iterator<Item = (&RootFindings, Vec<&Diagnostic>)> {
        self.roots.iter().zip(&self.told).map(|(root, told)| (root, findings(root, told).collect()))
    }

    /// The report with every finding where text for people shows it.
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

    /// Every finding, with the root that tells it.
    pub(crate) fn findings(&self) -> impl Iterator<Item = (&RootFindings, &Diagnostic)> {
        let all = self.roots.iter().zip(&self.told);
        all.flat_map(|(root, told)| findings(root, told).map(move |one| (root, one)))
    }

    /// The name of a file as readers know it; nothing for a text that is no file.
    pub(crate) fn file(&self, name: &str) -> Option<String> {
        is_file(name).then(|| file_path::join(&self.base, name))
    }
}

pub(crate) fn findings<'r>(
    root: &'r RootFindings,
    told: &'r RootShare,
) -> impl Iterator<Item = &'r Diagnostic> {
    told.found.iter().map(|number| &root.found.as_slice()[*number])
}

/// Leaves out what holds only if all callers of a module say so, where one of them does not.
fn agree(roots: &mut [RootFindings]) {
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

/// Says once what no root calls from where it is said to lie, and nothing of what one of them does.
fn map_once(roots: &mut [RootFindings]) {
    let mut all = MappingUse::default();
    let mut worst = Severity::Warning;
    for root in roots.iter_mut() {
        all.join(&root.mappings);
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
        let told = unused.into_vec().into_iter();
        first.found.extend(told.map(|one| Diagnostic { severity: worst, ..one }));
    }
}

/// Returns true if that is the name of a file: what was given in another way is called so between angle brackets.
pub(crate) fn is_file(name: &str) -> bool {
    !name.is_empty() && !name.starts_with('<')
}

/// Returns true if a file lies in a folder itself.
fn is_in(dir: &str, file: &str) -> bool {
    file_path::parent(file) == file_path::clean(dir)
}

fn key<'r>(one: &Diagnostic, sources: &'r Sources) -> Option<Key<'r>> {
    let (source, Place { span, .. }) = sources.at(one.place?);
    is_file(source.name()).then(|| (source.name(), span.start, span.end, one.code.slug))
}

/// By file and place; what has no place comes last.
fn order<'r>(one: &Diagnostic, sources: &'r Sources) -> (bool, &'r str, u32, u32) {
    match one.place.map(|place| sources.at(place)) {
        Some((source, place)) => (false, source.name(), place.span.start, place.span.end),
        None => (true, "", 0, 0),
    }
}

/// The line that a place is on for people to see, without blanks around it; nothing where it is withheld.
pub(crate) fn line(place: Place, sources: &Sources) -> Option<&str> {
    let (source, place) = sources.at(place);
    sources.shown_line(place.file, source.position(place.span.start).line).map(str::trim)
}

/// Returns what is said beside the detail, with where that is.
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
