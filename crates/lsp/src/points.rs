//! Conversion between protocol positions and byte offsets. Columns are counted in the unit agreed with the client. A column past
//! the end of its line means that end, as the protocol requires; a line past the end is an error.

use std::ops::Range;

use groma::syntax::{ColumnUnit, Point, Source, Span};
use serde_json::{Value, json};

/// Reads the protocol's `Position` from JSON; `None` if it is malformed.
pub(crate) fn read_point(value: &Value) -> Option<Point> {
    let number =
        |name: &str| value[name].as_u64().map(|number| number.min(u64::from(u32::MAX)) as u32);
    Some(Point { line: number("line")?, column: number("character")? })
}

/// Reads the protocol's `Range` from JSON; `None` if it is malformed.
pub(crate) fn read_range(value: &Value) -> Option<Range<Point>> {
    Some(read_point(&value["start"])?..read_point(&value["end"])?)
}

/// Returns the span of a range in a text; `None` if it is reversed or outside the text. Its end may be the line after the last
/// one.
pub(crate) fn span_in(source: &Source, range: Range<Point>, unit: ColumnUnit) -> Option<Span> {
    let lines = last_line(source, unit);
    if range.end < range.start || range.end.line > lines.saturating_add(1) {
        return None;
    }
    let (start, end) = (source.offset(range.start, unit), source.offset(range.end, unit));
    (start <= end).then(|| Span::new(start, end))
}

/// Returns the byte offset of a position in a text; `None` if its line is more than one past the last.
pub(crate) fn offset_in(source: &Source, point: Point, unit: ColumnUnit) -> Option<u32> {
    (point.line <= last_line(source, unit).saturating_add(1)).then(|| source.offset(point, unit))
}

/// Returns the number of the text's last line, from 0.
fn last_line(source: &Source, unit: ColumnUnit) -> u32 {
    source.point(source.text().len() as u32, unit).line
}

/// Returns a byte offset as the protocol's `Position`.
pub(crate) fn point_json(source: &Source, offset: u32, unit: ColumnUnit) -> Value {
    let Point { line, column } = source.point(offset, unit);
    json!({ "line": line, "character": column })
}

/// Returns a span of bytes as the protocol's `Range`.
pub(crate) fn range_json(source: &Source, span: Span, unit: ColumnUnit) -> Value {
    let (start, end) = (point_json(source, span.start, unit), point_json(source, span.end, unit));
    json!({ "start": start, "end": end })
}
