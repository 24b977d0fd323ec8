//! The lines that differ between two revisions. Each file is compared once and each place looked up once.

use std::ops::Range;
use std::sync::Arc;

use groma_syntax::{Place, Source, Sources};
use imara_diff::{Algorithm, Diff, InternedInput};
use rustc_hash::FxHashMap;

/// A cache of the lines that differ between two revisions.
pub(crate) struct ChangedLines {
    base: LineSide,
    head: LineSide,
    /// The differing lines of a file, by its name.
    files: FxHashMap<Arc<str>, LinePair>,
}

/// One revision in a comparison of lines: its source files by name, and a cache of the first differing line at a place.
struct LineSide {
    sources: Sources,
    files: FxHashMap<Arc<str>, Arc<Source>>,
    /// The first differing line at a place, as `FILE:LINE`; `None` if none differs.
    known: FxHashMap<Place, Option<Arc<str>>>,
}

/// The ranges of lines that were removed from a file and those that were added to it.
#[derive(Default)]
struct LinePair {
    before: Vec<Range<u32>>,
    after: Vec<Range<u32>>,
}

impl LineSide {
    /// Creates the side of one revision from its source files, with an empty cache of places.
    fn of(sources: &Sources) -> LineSide {
        let files = sources.iter().map(|(_, source)| (Arc::from(source.name()), source.clone()));
        LineSide { sources: sources.clone(), files: files.collect(), known: FxHashMap::default() }
    }

    /// Returns the text of a source file of this revision; empty if the revision does not have the file.
    fn text(&self, name: &Arc<str>) -> Arc<str> {
        self.files.get(name).map(|source| source.text().clone()).unwrap_or_default()
    }

    /// Returns the name of the file that contains a place, and the range of line numbers that the place covers, counted from 0.
    fn lines(&self, place: Place) -> (Arc<str>, Range<u32>) {
        let (source, at) = self.sources.at(place);
        let first = source.position(at.span.start).line - 1;
        let last = source.position(at.span.end.max(at.span.start + 1) - 1).line;
        (Arc::from(source.name()), first..last.max(first + 1))
    }
}

impl LinePair {
    /// Returns the lines that differ between two versions of a file.
    fn between(before: &str, after: &str) -> LinePair {
        let mut found = LinePair::default();
        if before == after {
            return found;
        }
        let input = InternedInput::new(before, after);
        let mut diff = Diff::compute(Algorithm::Myers, &input);
        diff.postprocess_no_heuristic(&input);
        for hunk in diff.hunks() {
            found.before.push(hunk.before);
            found.after.push(hunk.after);
        }
        found
    }
}

impl ChangedLines {
    /// Returns a cache for the sources of two revisions, in which nothing is compared yet.
    pub(crate) fn between(base: &Sources, head: &Sources) -> ChangedLines {
        ChangedLines {
            base: LineSide::of(base),
            head: LineSide::of(head),
            files: FxHashMap::default(),
        }
    }

    /// Returns the first differing line that a place covers, in the newer revision if `is_head` is true, else in the older one,
    /// as `FILE:LINE`; `None` if none differs.
    pub(crate) fn line(&mut self, is_head: bool, place: Place) -> Option<Arc<str>> {
        let side = if is_head { &self.head } else { &self.base };
        if let Some(known) = side.known.get(&place) {
            return known.clone();
        }
        let (name, covered) = side.lines(place);
        let ChangedLines { base, head, files } = self;
        let lines = files
            .entry(name.clone())
            .or_insert_with_key(|name| LinePair::between(&base.text(name), &head.text(name)));
        let ranges = if is_head { &lines.after } else { &lines.before };
        // Hunks are sorted by line.
        let from = ranges.partition_point(|range| range.end <= covered.start);
        let range = ranges.get(from..).and_then(|rest| {
            rest.iter().find(|range| !range.is_empty()).filter(|one| one.start < covered.end)
        });
        let line = range.map(|range| range.start.max(covered.start) + 1);
        let told: Option<Arc<str>> = line.map(|line| format!("{name}:{line}").into());
        let side = if is_head { head } else { base };
        side.known.insert(place, told.clone());
        told
    }
}
