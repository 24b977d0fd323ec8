//! Results and findings as JSON: the `got` object of batch mode, and diagnostics in the form that
//! the ecosystem's tools print. Language values are written by the value crate, at full precision.

use std::fmt::Write as _;

use groma_eval::{Cause, CauseTable};
use groma_syntax::render::WITHHELD;
use groma_syntax::{Diagnostic, Diagnostics, Place, Severity, Sources, Span};
use groma_value::codec::{json, json_type, listing};
use groma_value::json::{JsonObject, JsonText, array, texts};
use groma_value::{Causes, Mark, Value, print};

/// Maximum number of diagnostics of one result that are written in full; further errors are written with their place only.
const SHOWN: usize = 100;
/// Maximum number of bytes of code that an excerpt shows on either side of a diagnostic's span.
const AROUND: usize = 400;

/// The stage in which an error was found: parsing or evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ErrorStage {
    /// The text could not be read.
    Parse,
    /// The expression could not be evaluated.
    Eval,
}

/// The source texts and the table of causes to which a result refers.
pub struct ResultContext<'a> {
    /// The source texts that places refer to.
    pub sources: &'a Sources,
    /// The table of causes by id.
    pub causes: &'a CauseTable,
}

/// Writes the `got` object of an answer: the value, or the error with its spans, then all diagnostics;
/// `around` holds the texts and causes that these refer to.
pub fn write_result(
    value: &Value,
    found: &Diagnostics,
    stage: ErrorStage,
    around: &ResultContext<'_>,
    out: &mut JsonText<'_>,
) {
    let mut got = JsonObject::open(out);
    if found.has_errors() {
        error_field(found, stage, &mut got);
    } else {
        value_fields(value, around, &mut got);
        match found.warning_count() {
            0 => {}
            count => got.number("warnings", count),
        }
    }
    if !found.is_empty() {
        let shown = found.iter().take(SHOWN);
        array(shown, got.key("diagnostics"), |one, out| {
            write_diagnostic(one, around.sources, out);
        });
    }
    got.close();
}

/// Writes the `error` field of an answer: the stage, and the byte span of each error that has a place.
fn error_field(found: &Diagnostics, stage: ErrorStage, got: &mut JsonObject<'_, '_>) {
    let mut error = got.object("error");
    error.text(
        "stage",
        match stage {
            ErrorStage::Parse => "parse",
            ErrorStage::Eval => "eval",
        },
    );
    let errors = found.iter().filter(|one| one.severity == Severity::Error);
    let places = errors.filter_map(|one| one.place);
    array(places, error.key("spans"), |place, out| {
        array([place.span.start, place.span.end], out, |at, out| out.push_str(&at.to_string()));
    });
    error.close();
}

/// Writes the fields that describe a value: its type, JSON, unknown and marked paths, console text, and the causes of unknowns,
/// which `around` holds.
fn value_fields(value: &Value, around: &ResultContext<'_>, got: &mut JsonObject<'_, '_>) {
    if let (Value::String(text), true) = (value.bare(), value.marks().contains(&Mark::TypeText)) {
        got.text("type", "type");
        got.text("console", text);
        return;
    }
    json_type::write_into(&value.ty(), got.key("type"));
    json::write_plain(value, got.key("value"));
    let parts = listing(value);
    let paths: Vec<&str> = parts.unknown.iter().map(|(path, _)| path.as_str()).collect();
    push_paths("unknown", &paths, got);
    push_paths("sensitive", &parts.sensitive, got);
    push_paths("ephemeral", &parts.ephemeral, got);
    got.text("console", &print::console(value));
    let reasons = parts.reasons();
    if !reasons.is_empty() {
        let mut because = got.object("because");
        for (path, causes) in &reasons {
            ReportedCauses::of(causes, around).write(because.key(path));
        }
        because.close();
    }
}

/// Writes a list of paths into a value as the field `name`, unless the list is empty.
fn push_paths(name: &str, paths: &[impl AsRef<str>], got: &mut JsonObject<'_, '_>) {
    if !paths.is_empty() {
        texts(paths, got.key(name));
    }
}

/// The causes of an unknown value, prepared for output: class, kind, address and place of each, and true if some were dropped.
/// Prepared once where many values share them.
pub struct ReportedCauses {
    all: Vec<(Cause, Option<String>)>,
    has_more: bool,
}

impl ReportedCauses {
    /// Looks up the causes of an unknown value in `around` by their ids, with the file and line of each.
    pub fn of(causes: &Causes, around: &ResultContext<'_>) -> ReportedCauses {
        let known = causes.ids().iter().filter_map(|id| around.causes.get(*id));
        let told = known.map(|cause| {
            let place = cause.place.map(|place| place_text(place, around.sources));
            (cause, place)
        });
        ReportedCauses { all: told.collect(), has_more: causes.has_more() }
    }

    /// Writes the causes as a list, ending in `{"class":"more"}` if some were dropped.
    pub fn write(&self, out: &mut JsonText<'_>) {
        let last = self.has_more.then_some(None);
        array(self.all.iter().map(Some).chain(last), out, |told, out| {
            let mut one = JsonObject::open(out);
            match told {
                None => one.text("class", "more"),
                Some((cause, place)) => {
                    one.text("class", cause.class.slug());
                    one.text("kind", cause.kind);
                    one.text("address", cause.address.text());
                    if let Some(place) = place {
                        one.text("place", place);
                    }
                }
            }
            one.close();
        });
    }
}

/// Returns the file name and line of a place, as `file:line`.
pub fn place_text(place: Place, sources: &Sources) -> String {
    let (source, place) = sources.at(place);
    format!("{}:{}", source.name(), source.position(place.span.start).line)
}

/// Writes a diagnostic as JSON: severity, summary, detail, the range with lines, columns and bytes, and the lines of code
/// around it. Notes are appended to the detail, since the format has no field for them.
pub fn write_diagnostic(one: &Diagnostic, sources: &Sources, out: &mut JsonText<'_>) {
    let severity = match one.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    };
    let mut detail = one.detail.clone();
    for note in &one.notes {
        let place = note.place.map(|place| format!(" ({})", place_text(place, sources)));
        let quoted = note.excerpt.as_ref().map(|e| format!(" ({}:{})", e.name, e.line));
        let place = place.or(quoted);
        let _ = write!(detail, "\n\n{}{}", note.text, place.unwrap_or_default());
    }
    let mut told = JsonObject::open(out);
    told.text("severity", severity);
    told.text("code", one.code.slug);
    told.text("summary", one.code.summary);
    told.text("detail", &detail);
    if let Some(place) = one.place {
        let (source, place) = sources.at(place);
        let end = place.span.end.max(place.span.start.saturating_add(1));
        let mut range = told.object("range");
        range.text("filename", source.name());
        for (name, offset) in [("start", place.span.start), ("end", end)] {
            let at = source.position(offset);
            let mut point = range.object(name);
            point.number("line", at.line);
            point.number("column", at.column);
            point.number("byte", offset);
            point.close();
        }
        range.close();
        let line = source.position(place.span.start).line;
        let (code, shift) = match sources.shown_line(place.file, line) {
            Some(text) => snippet(text, place.span, source.line_span(line)),
            None => (WITHHELD, place.span.start),
        };
        let within = |offset: u32| (offset.saturating_sub(shift) as usize).min(code.len());
        let mut snippet = told.object("snippet");
        snippet.raw("context", "null");
        snippet.text("code", code);
        snippet.number("start_line", line);
        snippet.number("highlight_start_offset", within(place.span.start));
        snippet.number("highlight_end_offset", within(end));
        // The values of the references in the expression.
        array(&one.operands, snippet.key("values"), |operand, out| {
            let mut told = JsonObject::open(out);
            told.text("traversal", &operand.name);
            told.text("statement", &format!("is {}", operand.value));
            told.close();
        });
        snippet.close();
    }
    if let Some(instance) = &one.instance {
        told.text("address", &instance.address);
        if let Some(call) = instance.call {
            told.text("called_at", &place_text(call, sources));
        }
    }
    told.close();
}

/// Returns the line of a diagnostic, which lies at `covered` in the file, or, if it is very long, an excerpt around `span`;
/// then the byte offset of the returned text in the file.
fn snippet(line: &str, span: Span, covered: Span) -> (&str, u32) {
    let inside = |offset: u32| (offset.clamp(covered.start, covered.end) - covered.start) as usize;
    let mut from = inside(span.start).saturating_sub(AROUND).min(line.len());
    while !line.is_char_boundary(from) {
        from -= 1;
    }
    let mut to = inside(span.end).saturating_add(AROUND).clamp(from, line.len());
    while !line.is_char_boundary(to) {
        to += 1;
    }
    (&line[from..to], covered.start.saturating_add(from as u32))
}
