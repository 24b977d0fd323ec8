//! Results and findings as JSON: the `got` object of batch mode, and diagnostics in the form that
//! the ecosystem's tools print. Language values are written by the value crate, at full precision.

use std::fmt::Write as _;

use groma_syntax::render::WITHHELD;
use groma_syntax::{Diagnostic, Diagnostics, Severity, Sources, Span};
use groma_value::codec::{json, json_type, listing};
use groma_value::{Causes, Mark, Value, print};

use crate::CauseTable;

/// How many findings of one result are told in full; the places of all errors are.
const SHOWN: usize = 100;
/// How much of a line a snippet shows on either side of what is wrong.
const AROUND: usize = 400;

/// The stage in which an error was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// The text could not be read.
    Parse,
    /// The expression could not be evaluated.
    Eval,
}

/// What a result is told with.
pub struct Surroundings<'a> {
    /// The texts that places point into.
    pub sources: &'a Sources,
    /// What cause ids stand for.
    pub causes: &'a CauseTable,
}

/// The `got` object: the value, or the error with its places; then everything that was found.
pub fn render_result(
    value: &Value,
    found: &Diagnostics,
    stage: Stage,
    around: &Surroundings<'_>,
) -> String {
    let mut fields: Vec<String> = Vec::new();
    if found.has_errors() {
        fields.push(error_field(found, stage));
    } else {
        value_fields(value, around, &mut fields);
        match found.warning_count() {
            0 => {}
            count => fields.push(format!("\"warnings\":{count}")),
        }
    }
    if !found.is_empty() {
        let shown = found.iter().take(SHOWN);
        let all: Vec<String> = shown.map(|one| diagnostic_json(one, around.sources)).collect();
        fields.push(format!("\"diagnostics\":[{}]", all.join(",")));
    }
    format!("{{{}}}", fields.join(","))
}

fn error_field(found: &Diagnostics, stage: Stage) -> String {
    let errors = found.iter().filter(|one| one.severity == Severity::Error);
    let spans: Vec<String> = errors
        .filter_map(|one| one.place)
        .map(|place| format!("[{},{}]", place.span.start, place.span.end))
        .collect();
    let stage = match stage {
        Stage::Parse => "parse",
        Stage::Eval => "eval",
    };
    format!("\"error\":{{\"stage\":\"{stage}\",\"spans\":[{}]}}", spans.join(","))
}

fn value_fields(value: &Value, around: &Surroundings<'_>, fields: &mut Vec<String>) {
    if let (Value::String(text), true) = (value.bare(), value.marks().contains(&Mark::TypeText)) {
        fields.push("\"type\":\"type\"".to_owned());
        fields.push(format!("\"console\":{}", json::string(text)));
        return;
    }
    fields.push(format!("\"type\":{}", json_type::write(&value.ty())));
    fields.push(format!("\"value\":{}", json::plain(value)));
    let parts = listing(value);
    let paths: Vec<&str> = parts.unknown.iter().map(|(path, _)| path.as_str()).collect();
    push_paths("unknown", &paths, fields);
    push_paths("sensitive", &parts.sensitive, fields);
    push_paths("ephemeral", &parts.ephemeral, fields);
    fields.push(format!("\"console\":{}", json::string(&print::console(value))));
    let reasons: Vec<String> = parts
        .reasons()
        .iter()
        .map(|(path, causes)| format!("{}:{}", json::string(path), causes_json(causes, around)))
        .collect();
    if !reasons.is_empty() {
        fields.push(format!("\"because\":{{{}}}", reasons.join(",")));
    }
}

fn push_paths(name: &str, paths: &[impl AsRef<str>], fields: &mut Vec<String>) {
    if !paths.is_empty() {
        let paths: Vec<String> = paths.iter().map(|path| json::string(path.as_ref())).collect();
        fields.push(format!("\"{name}\":[{}]", paths.join(",")));
    }
}

/// Causes as JSON: class, kind, address and place of each; `{"class":"more"}` where some were
/// dropped.
pub fn causes_json(causes: &Causes, around: &Surroundings<'_>) -> String {
    let mut all: Vec<String> = Vec::new();
    for id in causes.ids() {
        let Some(cause) = around.causes.get(*id) else { continue };
        let mut fields = format!(
            "\"class\":\"{}\",\"kind\":{},\"address\":{}",
            cause.class.slug(),
            json::string(cause.kind),
            json::string(&cause.address)
        );
        if let Some(place) = cause.place {
            let (source, place) = around.sources.at(place);
            let line = source.position(place.span.start).line;
            let place = format!("{}:{line}", source.name());
            let _ = write!(fields, ",\"place\":{}", json::string(&place));
        }
        all.push(format!("{{{fields}}}"));
    }
    if causes.has_more() {
        all.push("{\"class\":\"more\"}".to_owned());
    }
    format!("[{}]", all.join(","))
}

/// A finding as JSON: severity, summary, detail, the range with lines, columns and bytes, and the
/// lines of code around it. Remarks stand behind the detail, since the form has no place for them.
pub fn diagnostic_json(one: &Diagnostic, sources: &Sources) -> String {
    let severity = match one.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    };
    let mut detail = one.detail.clone();
    for note in &one.notes {
        let place = note.place.map(|place| {
            let (source, place) = sources.at(place);
            format!(" ({}:{})", source.name(), source.position(place.span.start).line)
        });
        let quoted = note.excerpt.as_ref().map(|e| format!(" ({}:{})", e.name, e.line));
        let place = place.or(quoted);
        let _ = write!(detail, "\n\n{}{}", note.text, place.unwrap_or_default());
    }
    let mut out = format!(
        "{{\"severity\":\"{severity}\",\"code\":{},\"summary\":{},\"detail\":{}",
        json::string(one.code.slug),
        json::string(one.code.summary),
        json::string(&detail)
    );
    if let Some(place) = one.place {
        let (source, place) = sources.at(place);
        let end = place.span.end.max(place.span.start.saturating_add(1));
        let point = |offset: u32| {
            let at = source.position(offset);
            let (line, column) = (at.line, at.column);
            format!("{{\"line\":{line},\"column\":{column},\"byte\":{offset}}}")
        };
        let _ = write!(
            out,
            ",\"range\":{{\"filename\":{},\"start\":{},\"end\":{}}}",
            json::string(source.name()),
            point(place.span.start),
            point(end)
        );
        let line = source.position(place.span.start).line;
        let (code, shift) = match sources.shown_line(place.file, line) {
            Some(text) => snippet(text, place.span, source.line_span(line)),
            None => (WITHHELD, place.span.start),
        };
        let within = |offset: u32| (offset.saturating_sub(shift) as usize).min(code.len());
        let _ = write!(
            out,
            ",\"snippet\":{{\"context\":null,\"code\":{},\"start_line\":{line},\
             \"highlight_start_offset\":{},\"highlight_end_offset\":{},\"values\":[{}]}}",
            json::string(code),
            within(place.span.start),
            within(end),
            operands_json(one)
        );
    }
    if let Some(standing) = &one.standing {
        let _ = write!(out, ",\"address\":{}", json::string(&standing.address));
        if let Some(call) = standing.call {
            let (source, call) = sources.at(call);
            let line = source.position(call.span.start).line;
            let call = format!("{}:{line}", source.name());
            let _ = write!(out, ",\"called_at\":{}", json::string(&call));
        }
    }
    out.push('}');
    out
}

/// What was worth what beside the place, in the form that the ecosystem's tools read.
fn operands_json(one: &Diagnostic) -> String {
    let told = one.operands.iter().map(|operand| {
        let statement = json::string(&format!("is {}", operand.value));
        format!("{{\"traversal\":{},\"statement\":{statement}}}", json::string(&operand.name))
    });
    told.collect::<Vec<_>>().join(",")
}

/// The line, or of a very long one what stands around the span; and where in its text that starts.
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
