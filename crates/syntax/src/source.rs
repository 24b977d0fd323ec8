//! Source texts with their names and lines. Columns are counted in grapheme clusters, as in the reference programs; internally
//! all offsets are in bytes.

use std::sync::{Arc, OnceLock};

use unicode_segmentation::UnicodeSegmentation;

use crate::columns::{ColumnIndex, ColumnMark, walked};
use crate::span::Span;

/// A line and a column, counted from 1, with the byte offset that both denote.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// Line, counted from 1.
    pub line: u32,
    /// Column in grapheme clusters, counted from 1.
    pub column: u32,
    /// Byte offset in the text.
    pub byte: u32,
}

/// A source text and its display name, with indexes of its lines and columns that are built on first use.
#[derive(Debug)]
pub struct Source {
    name: Arc<str>,
    text: Arc<str>,
    lines: OnceLock<Box<[u32]>>,
    columns: OnceLock<ColumnIndex>,
}

impl Source {
    /// Creates a source from its display name and its text.
    pub fn new(name: impl Into<Arc<str>>, text: impl Into<Arc<str>>) -> Self {
        Self {
            name: name.into(),
            text: text.into(),
            lines: OnceLock::new(),
            columns: OnceLock::new(),
        }
    }

    /// Returns the display name of the source.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the text of the source, shared.
    pub fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// Returns an estimate of the memory that the source uses in bytes, without the indexes built on first use.
    pub fn held_bytes(&self) -> usize {
        size_of::<Source>() + self.name.len() + self.text.len()
    }

    /// Returns the byte offsets at which the lines start.
    fn lines(&self) -> &[u32] {
        self.lines.get_or_init(|| {
            let starts = self.text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
            std::iter::once(0).chain(starts.map(|(at, _)| at as u32 + 1)).collect()
        })
    }

    /// Returns the line and column of byte `offset`. An offset past the end becomes the end, one inside a character the start
    /// of that character.
    pub fn position(&self, offset: u32) -> Position {
        let mut byte = (offset as usize).min(self.text.len());
        while !self.text.is_char_boundary(byte) {
            byte -= 1;
        }
        let lines = self.lines();
        let line = lines.partition_point(|start| *start as usize <= byte);
        let start = lines.get(line.wrapping_sub(1)).copied().unwrap_or(0) as usize;
        let column = self.columns().at(&self.text, start, byte).clusters;
        Position { line: line as u32, column: column as u32 + 1, byte: byte as u32 }
    }

    /// Returns the index of columns in long lines, built on first use.
    fn columns(&self) -> &ColumnIndex {
        self.columns.get_or_init(|| ColumnIndex::of(&self.text, self.lines()))
    }

    /// Returns the number of UTF-16 code units before a position in its line.
    pub(crate) fn units_before(&self, at: Position) -> u32 {
        let start = self.line_span(at.line).start as usize;
        self.columns().at(&self.text, start, at.byte as usize).units as u32
    }

    /// Returns a byte offset of a line at or before the column `units` (in UTF-16 code units), the nearest in the index, and the
    /// column of that offset.
    pub(crate) fn near_units(&self, line: Span, units: u32) -> (u32, u32) {
        let is_before = |mark: &ColumnMark| mark.units <= units as usize;
        let near = self.columns().before(&self.text, line, is_before);
        match near.units as u32 <= units {
            true => (near.byte as u32, near.units as u32),
            false => (line.start, 0),
        }
    }

    /// Returns the byte offset that is `lead` columns before the byte offset `at` of a line, at least the start of the line.
    pub(crate) fn lead(&self, line: Span, at: u32, lead: usize) -> u32 {
        let column = self.columns().at(&self.text, line.start as usize, at as usize).clusters;
        let skipped = column.saturating_sub(lead);
        if skipped == 0 {
            return line.start;
        }
        let is_before = |mark: &ColumnMark| mark.clusters <= skipped;
        let near = self.columns().before(&self.text, line, is_before);
        let rest = Span::new(near.byte as u32, line.end).of(&self.text);
        let behind = rest.grapheme_indices(true).nth(skipped - near.clusters);
        let from = behind.map_or(rest.len(), |(from, _)| from);
        walked(from);
        near.byte as u32 + from as u32
    }

    /// Returns the text of a line (counted from 1), without its line end.
    pub fn line_text(&self, line: u32) -> &str {
        let span = self.line_span(line);
        span.of(&self.text)
    }

    /// Returns the source range of a line (counted from 1), without its line end.
    pub fn line_span(&self, line: u32) -> Span {
        let lines = self.lines();
        let end = self.text.len() as u32;
        let start = lines.get(line.wrapping_sub(1) as usize).copied().unwrap_or(end);
        let stop = lines.get(line as usize).map_or(end, |next| next - 1);
        let text = Span::new(start, stop.max(start)).of(&self.text);
        Span::new(start, start + text.strip_suffix('\r').unwrap_or(text).len() as u32)
    }
}
