//! Positions: lines and columns as the protocol counts them, and bytes as the engine does. Columns count what was agreed on with
//! the client; a column past the end of its line is that end, as the protocol says, and a line past the end is an error.

use std::ops::Range;

use groma::syntax::{ColumnUnit, Point, Source, Span};
use serde_json::{Value, json};

/// Reads a position.
pub(crate) fn read_point(value: &Value) -> Option<Point> {
    let number =
        |name: &str| value[name].as_u64().map(|number| number.min(u64::from(u32::MAX)) as u32);
    Some(Point { line: number("line")?, column: number("character")? })
}

/// Reads a range.
pub(crate) fn read_range(value: &Value) -> Option<Range<Point>> {
    Some(read_point(&value["start"])?..read_point(&value["end"])?)
}

/// The bytes of a range of a text; nothing if it ends before it begins or lies outside. The line behind the last one may be named
/// for the end.
pub(crate) fn span_in(source: &Source, range: Range<Point>, unit: ColumnUnit) -> Option<Span> {
    let lines = last_line(source, unit);
    if range.end < range.start || range.end.line > lines.saturating_add(1) {
        return None;
    }
    let (start, end) = (source.offset(range.start, unit), source.offset(range.end, unit));
    (start <= end).then(|| Span::new(start, end))
}

/// The byte at a position; nothing if there is no such line.
pub(crate) fn offset_in(source: &Source, point: Point, unit: ColumnUnit) -> Option<u32> {
    (point.line <= last_line(source, unit).saturating_add(1)).then(|| source.offset(point, unit))
}

fn last_line(source: &Source, unit: ColumnUnit) -> u32 {
    source.point(source.text().len() as u32, unit).line
}

/// A position as the protocol writes it.
pub(crate) fn point_json(source: &Source, offset: u32, unit: ColumnUnit) -> Value {
    let Point { line, column } = source.point(offset, unit);
    json!({ "line": line, "character": column })
}

/// A range as the protocol writes it.
pub(crate) fn range_json(source: &Source, span: Span, unit: ColumnUnit) -> Value {
    let (start, end) = (point_json(source, span.start, unit), point_json(source, span.end, unit));
    json!({ "start": start, "end": end })
}
