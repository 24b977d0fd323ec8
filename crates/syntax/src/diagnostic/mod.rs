//! Diagnostics, and the sink to which every stage pushes them. The summary of a diagnostic code is constant: names and values of
//! the user's code belong in the detail.

use std::borrow::Cow;

use crate::source::Source;
use crate::sources::Sources;
use crate::span::{Place, Span};

pub mod render;

/// The severity of a diagnostic: error, warning or note.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The code is wrong.
    Error,
    /// The code works, but something should be checked.
    Warning,
    /// Information: nothing is wrong.
    Note,
}

/// The phase of the reference programs in which they report the problem. They stop after a phase with errors: findings of later
/// phases may be consequences of these, and do not count then.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Phase {
    /// Before all else: the version of the program is checked against the one that the code requires.
    Require,
    /// Files are parsed and their declarations are read.
    #[default]
    Read,
    /// Files and texts with values of variables are read.
    Enter,
    /// Values are matched with the variables.
    Value,
    /// Called modules are located and read.
    Link,
    /// The inputs of module calls are compared with the variables of the called modules.
    Join,
    /// Declarations are ordered by their references.
    Order,
    /// References in expressions are resolved.
    Resolve,
    /// Expressions are evaluated, with inputs or without.
    Judge,
    /// A plan is made.
    Plan,
    /// A root is initialised; commands that only read the code do not wait for it.
    Init,
    /// No reference program reports it: the code works, but is hardly intended.
    Lint,
}

/// The kind of a diagnostic: a stable word for machines, a constant summary and an explanation for people.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct DiagnosticCode {
    /// A stable, lower-case name with dashes.
    pub slug: &'static str,
    /// A short sentence without a full stop.
    pub summary: &'static str,
    /// The explanation for people: what it means and what to do about it, in a sentence or two.
    pub doc: &'static str,
    /// True if it reports something that the known versions of the language lack and a later version may have.
    pub may_be_new: bool,
}

impl DiagnosticCode {
    /// Creates a diagnostic code, as a row of a crate's table; `may_be_new` is true if a later edition may have what it reports.
    pub const fn row(
        slug: &'static str,
        summary: &'static str,
        doc: &'static str,
        may_be_new: bool,
    ) -> DiagnosticCode {
        Self { slug, summary, doc, may_be_new }
    }
}

/// Declares the diagnostic codes of a crate, one row each: its name, which is the slug in capitals, the slug, the summary and
/// the explanation. A row ends with `may_be_new` if it reports something that a later version of the language may have. All
/// codes are listed in `ALL`.
#[macro_export]
macro_rules! codes {
    (@may_be_new) => { false };
    (@may_be_new may_be_new) => { true };
    ($($name:ident, $slug:literal, $summary:literal, $doc:literal $(, $news:ident)?;)*) => {
        $(
            #[doc = $doc]
            pub static $name: $crate::DiagnosticCode =
                $crate::DiagnosticCode::row($slug, $summary, $doc, $crate::codes!(@may_be_new $($news)?));
        )*

        /// Every diagnostic code that this crate declares.
        pub static ALL: &[&$crate::DiagnosticCode] = &[$(&$name),*];
    };
}

/// An additional remark of a diagnostic, optionally with a place of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The remark.
    pub text: String,
    /// The place of the remark, if it has one.
    pub place: Option<Place>,
    /// The place in a text that is in no list of sources, such as that of a template.
    pub excerpt: Option<Box<SourceExcerpt>>,
}

/// One line of a text without a file number, such as a rendered template, with the part to underline, to be shown below a note.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceExcerpt {
    /// The name of the text.
    pub name: String,
    /// The number of the line, from 1.
    pub line: u32,
    /// The column at which the marked part begins, in grapheme clusters from 1.
    pub column: u32,
    /// The text of the line, or of a long line the part that is shown.
    pub text: String,
    /// The span of the marked part in `text`.
    pub span: Span,
    /// True if `text` lacks the beginning of the line.
    pub is_cut: bool,
}

impl SourceExcerpt {
    /// Returns the excerpt of the line in which `span` begins, with the span as its marked part.
    pub fn of(source: &Source, span: Span) -> SourceExcerpt {
        let at = source.position(span.start);
        let whole = source.line_span(at.line);
        let shown = render::drawn_part(source, whole, span.start);
        let inside = |offset: u32| offset.clamp(shown.start, shown.end) - shown.start;
        SourceExcerpt {
            name: source.name().to_owned(),
            line: at.line,
            column: at.column,
            text: shown.of(source.text()).to_owned(),
            span: Span::new(inside(span.start), inside(span.end.max(span.start))),
            is_cut: shown.start > whole.start,
        }
    }
}

/// The instance of a module or resource in which a diagnostic was found: its address, and the call of its module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstanceContext {
    /// The instance's address.
    pub address: String,
    /// The place of the call of its module; `None` in the root module.
    pub call: Option<Place>,
    /// The number of further instances in which the same diagnostic was found.
    pub others: usize,
}

/// A reference near a diagnostic's place with its value, formatted for display.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReferenceValue {
    /// The reference as it is written.
    pub name: String,
    /// Its value in short form; never a secret one.
    pub value: String,
}

/// The place at which human-readable output shows a diagnostic that the reference programs report at another place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DisplayPlace {
    /// The place where the diagnostic is shown.
    pub place: Place,
    /// The text of the note at the place that the reference programs report.
    pub text: &'static str,
}

/// A suggested text edit that resolves a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// The place of the text that is replaced.
    pub place: Place,
    /// The replacement.
    pub text: String,
    /// A short description of the change.
    pub label: String,
}

/// A diagnostic: severity, code, detail, place, notes and fix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The severity.
    pub severity: Severity,
    /// The diagnostic code.
    pub code: &'static DiagnosticCode,
    /// The phase in which the reference programs report it.
    pub phase: Phase,
    /// The message: what is wrong and what to do, in whole sentences.
    pub detail: String,
    /// The place of the problem.
    pub place: Option<Place>,
    /// The place at which human-readable output shows it instead; JSON has a note about that place.
    pub display: Option<Box<DisplayPlace>>,
    /// The span of the construct around the place, in the same file.
    pub context: Option<Span>,
    /// The instance in which it was found, where there may be several.
    pub instance: Option<Box<InstanceContext>>,
    /// The values of references at the place.
    pub operands: Vec<ReferenceValue>,
    /// Further remarks.
    pub notes: Vec<Note>,
    /// A text edit that resolves it.
    pub fix: Option<Fix>,
}

impl Diagnostic {
    /// Returns an estimate of the memory that the diagnostic uses, in bytes.
    pub fn held_bytes(&self) -> usize {
        let notes = self.notes.iter().map(|note| size_of::<Note>() + note.text.len());
        let operands = self.operands.len() * size_of::<ReferenceValue>();
        size_of::<Diagnostic>() + self.detail.len() + operands + notes.sum::<usize>()
    }

    /// Translates the diagnostic's places in parts of texts to places in the whole texts.
    pub fn resolve(&mut self, sources: &Sources) {
        if let Some(place) = &mut self.place {
            let before = place.span.start;
            *place = sources.resolve(*place);
            let by = place.span.start.wrapping_sub(before) as i32;
            self.context = self.context.map(|context| context.moved(by));
        }
        let noted = self.notes.iter_mut().filter_map(|note| note.place.as_mut());
        let caller = self.instance.iter_mut().filter_map(|one| one.call.as_mut());
        let fix = self.fix.iter_mut().map(|fix| &mut fix.place);
        let display = self.display.iter_mut().map(|display| &mut display.place);
        for place in noted.chain(caller).chain(fix).chain(display) {
            *place = sources.resolve(*place);
        }
    }

    /// Creates a diagnostic from its severity, code and detail, without a place.
    fn new(severity: Severity, code: &'static DiagnosticCode, detail: impl Into<String>) -> Self {
        let detail = detail.into();
        Self {
            severity,
            code,
            phase: Phase::default(),
            detail,
            place: None,
            display: None,
            context: None,
            instance: None,
            operands: Vec::new(),
            notes: Vec::new(),
            fix: None,
        }
    }

    /// Creates a diagnostic of severity error.
    pub fn error(code: &'static DiagnosticCode, detail: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, detail)
    }

    /// Creates a diagnostic of severity warning.
    pub fn warning(code: &'static DiagnosticCode, detail: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, detail)
    }

    /// Creates a diagnostic of severity note.
    pub fn remark(code: &'static DiagnosticCode, detail: impl Into<String>) -> Self {
        Self::new(Severity::Note, code, detail)
    }

    /// Returns the diagnostic with the phase in which the reference programs report it.
    #[must_use]
    pub fn in_phase(mut self, phase: Phase) -> Self {
        self.phase = phase;
        self
    }

    /// Returns true if the diagnostic is an error and its phase is in the range `phases`.
    pub fn is_error_in(&self, phases: impl std::ops::RangeBounds<Phase>) -> bool {
        self.severity == Severity::Error && phases.contains(&self.phase)
    }

    /// Returns the diagnostic with `place` as the place that it is about.
    #[must_use]
    pub fn at(mut self, place: Place) -> Self {
        self.place = Some(place);
        self
    }

    /// Returns the diagnostic with another place for human-readable output; `text` becomes a note at the place that the
    /// reference programs report.
    #[must_use]
    pub fn displayed_at(mut self, place: Place, text: &'static str) -> Self {
        self.display = Some(Box::new(DisplayPlace { place, text }));
        self
    }

    /// Returns the diagnostic as human-readable output shows it: if that is at another place than the reference programs
    /// report, at that other place, with a note at theirs.
    pub fn displayed(&self) -> Cow<'_, Diagnostic> {
        let Some(display) = &self.display else { return Cow::Borrowed(self) };
        let mut shown = self.clone();
        shown.display = None;
        shown.place = Some(display.place);
        shown.context = None;
        shown.notes.retain(|note| note.place != shown.place);
        let text = display.text.to_owned();
        shown.notes.insert(0, Note { text, place: self.place, excerpt: None });
        Cow::Owned(shown)
    }

    /// Returns the diagnostic with the span of the construct around its place, such as a block.
    #[must_use]
    pub fn within(mut self, context: Span) -> Self {
        self.context = Some(context);
        self
    }

    /// Returns the diagnostic with a further note that has no place.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(Note { text: text.into(), place: None, excerpt: None });
        self
    }

    /// Returns the diagnostic with a further note about a line of a text without a file number, such as a rendered template.
    #[must_use]
    pub fn note_in(mut self, text: impl Into<String>, excerpt: SourceExcerpt) -> Self {
        let excerpt = Some(Box::new(excerpt));
        self.notes.push(Note { text: text.into(), place: None, excerpt });
        self
    }

    /// Returns the diagnostic with a further note about another place.
    #[must_use]
    pub fn note_at(mut self, text: impl Into<String>, place: Place) -> Self {
        self.notes.push(Note { text: text.into(), place: Some(place), excerpt: None });
        self
    }

    /// Returns the diagnostic with a suggested edit: `text` replaces the text at `place`, and `label` describes the change.
    #[must_use]
    pub fn fix(mut self, place: Place, text: impl Into<String>, label: impl Into<String>) -> Self {
        self.fix = Some(Fix { place, text: text.into(), label: label.into() });
        self
    }
}

/// A sink for diagnostics: a list in the order of reporting. Every evaluation has one and most stay empty, so an empty sink
/// takes one word.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics(Option<Box<DiagnosticStore>>);

/// The diagnostics of a sink that is not empty, and the number of errors among them.
#[derive(Clone, Debug, Default)]
struct DiagnosticStore {
    list: Vec<Diagnostic>,
    errors: usize,
}

impl Diagnostics {
    /// Creates an empty sink for diagnostics.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a diagnostic at the end of the sink.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        let found = self.0.get_or_insert_default();
        found.errors += usize::from(diagnostic.severity == Severity::Error);
        found.list.push(diagnostic);
    }

    /// Adds several diagnostics at the end of the sink.
    pub fn extend(&mut self, diagnostics: impl IntoIterator<Item = Diagnostic>) {
        for diagnostic in diagnostics {
            self.push(diagnostic);
        }
    }

    /// Iterates over all diagnostics, in the order of reporting.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.as_slice().iter()
    }

    /// Returns all diagnostics, in the order of reporting.
    #[inline]
    pub fn as_slice(&self) -> &[Diagnostic] {
        self.0.as_ref().map_or(&[], |found| &found.list)
    }

    /// Returns all diagnostics, to be changed in place.
    fn as_mut_slice(&mut self) -> &mut [Diagnostic] {
        self.0.as_mut().map_or(&mut [], |found| &mut found.list)
    }

    /// Returns true if any diagnostic is an error.
    pub fn has_errors(&self) -> bool {
        self.error_count() > 0
    }

    /// Returns the number of diagnostics that are errors.
    #[inline]
    pub fn error_count(&self) -> usize {
        self.0.as_ref().map_or(0, |found| found.errors)
    }

    /// Returns the number of diagnostics that are warnings.
    pub fn warning_count(&self) -> usize {
        self.iter().filter(|d| d.severity == Severity::Warning).count()
    }

    /// Returns the number of diagnostics, which can also be passed to [`Diagnostics::truncate`] to drop those added later.
    pub fn len(&self) -> usize {
        self.as_slice().len()
    }

    /// Returns true if there are no diagnostics.
    pub fn is_empty(&self) -> bool {
        self.as_slice().is_empty()
    }

    /// Removes the diagnostics pushed since the sink had the length `len`.
    pub fn truncate(&mut self, len: usize) {
        self.split_off(len);
    }

    /// Raises the phase of all diagnostics pushed since the sink had the length `from` to at least `phase`.
    pub fn mark_phase(&mut self, from: usize, phase: Phase) {
        for found in self.as_mut_slice().iter_mut().skip(from) {
            found.phase = found.phase.max(phase);
        }
    }

    /// Removes the diagnostics pushed since the sink had the length `len`, and returns them.
    pub fn split_off(&mut self, len: usize) -> Vec<Diagnostic> {
        let Some(found) = self.0.as_mut().filter(|found| len < found.list.len()) else {
            return Vec::new();
        };
        let tail = found.list.split_off(len);
        found.errors -= tail.iter().filter(|d| d.severity == Severity::Error).count();
        tail
    }

    /// Redacts the diagnostics pushed since the sink had the length `from` for which `is_secret` is true: `instead` replaces the
    /// detail, notes and fix are removed.
    pub fn withhold(
        &mut self,
        from: usize,
        instead: &str,
        is_secret: impl Fn(&Diagnostic) -> bool,
    ) {
        for found in self.as_mut_slice().iter_mut().skip(from).filter(|found| is_secret(found)) {
            found.detail = instead.to_owned();
            found.notes.clear();
            found.fix = None;
        }
    }

    /// Translates all places in parts of texts to places in the whole texts.
    pub fn resolve(&mut self, sources: &Sources) {
        if sources.has_parts() {
            self.as_mut_slice().iter_mut().for_each(|found| found.resolve(sources));
        }
    }

    /// Returns an estimate of the memory that the diagnostics use, in bytes.
    pub fn held_bytes(&self) -> usize {
        self.iter().map(Diagnostic::held_bytes).sum()
    }

    /// Sorts the diagnostics by file number and span, stably; those without a place come last.
    pub fn sort_by_place(&mut self) {
        self.as_mut_slice().sort_by_key(|d| (d.place.is_none(), d.place));
    }

    /// Sorts the diagnostics by the result of `key`, stably.
    pub(crate) fn sort_by_key<K: Ord>(&mut self, key: impl FnMut(&Diagnostic) -> K) {
        self.as_mut_slice().sort_by_cached_key(key);
    }

    /// Converts the sink to a vector of its diagnostics.
    pub fn into_vec(self) -> Vec<Diagnostic> {
        self.0.map_or_else(Vec::new, |found| found.list)
    }
}

impl PartialEq for Diagnostics {
    fn eq(&self, other: &Self) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl Eq for Diagnostics {}

impl IntoIterator for Diagnostics {
    type Item = Diagnostic;
    type IntoIter = std::vec::IntoIter<Diagnostic>;
    fn into_iter(self) -> Self::IntoIter {
        self.into_vec().into_iter()
    }
}

impl<'a> IntoIterator for &'a Diagnostics {
    type Item = &'a Diagnostic;
    type IntoIter = std::slice::Iter<'a, Diagnostic>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl FromIterator<Diagnostic> for Diagnostics {
    fn from_iter<I: IntoIterator<Item = Diagnostic>>(iter: I) -> Self {
        let mut sink = Self::new();
        sink.extend(iter);
        sink
    }
}
