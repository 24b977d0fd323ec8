//! Source positions: byte ranges, file numbers, and both together. A span does not say in which file it is; a `Place` does.

/// A half-open range of bytes in one text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The offset of the first byte.
    pub start: u32,
    /// The offset after the last byte.
    pub end: u32,
}

impl Span {
    /// Creates the range from `start` up to, but not including, `end`.
    pub const fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// Creates the empty range at `offset`.
    pub const fn at(offset: u32) -> Self {
        Self { start: offset, end: offset }
    }

    /// Returns the smallest range that covers this one and another.
    pub fn join(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// Returns the length of the range in bytes.
    pub const fn len(self) -> u32 {
        self.end.saturating_sub(self.start)
    }

    /// Returns true if the range is empty.
    pub const fn is_empty(self) -> bool {
        self.end <= self.start
    }

    /// Returns the range of the last byte of this one; an empty range for an empty one.
    pub fn last(self) -> Self {
        Self { start: self.end.saturating_sub(1).max(self.start), end: self.end }
    }

    /// Returns the range moved by `by` bytes, backwards if negative.
    pub const fn moved(self, by: i32) -> Self {
        Self {
            start: self.start.saturating_add_signed(by),
            end: self.end.saturating_add_signed(by),
        }
    }

    /// Returns the range moved forward by `base` bytes.
    pub const fn shift(self, base: u32) -> Self {
        Self { start: self.start.saturating_add(base), end: self.end.saturating_add(base) }
    }

    /// Returns true if `offset` lies inside the range or at its end.
    pub const fn touches(self, offset: u32) -> bool {
        self.start <= offset && offset <= self.end
    }

    /// Returns the part of `text` in this range; empty if the range does not fit the text.
    pub fn of(self, text: &str) -> &str {
        text.get(self.start as usize..self.end as usize).unwrap_or("")
    }
}

/// The number of a text in [`crate::Sources`], or of a part of a text, which keeps its number when the text before it changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub u32);

impl FileId {
    /// The first file number that denotes a part of a text; lower numbers denote whole texts.
    pub(crate) const PARTS: u32 = 1 << 31;

    /// The first file number that denotes a whole text of a folder; these are the same in every list of texts.
    pub(crate) const FOLDER_TEXTS: u32 = 3 << 30;

    /// Returns true if this number denotes a part of a text, not a whole text.
    pub const fn is_part(self) -> bool {
        self.0 >= Self::PARTS && self.0 < Self::FOLDER_TEXTS
    }
}

/// A source range in a file: the file's number and a byte range.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The file.
    pub file: FileId,
    /// The bytes in it.
    pub span: Span,
}

impl Place {
    /// Creates the place that is the byte range `span` of the file `file`.
    pub const fn new(file: FileId, span: Span) -> Self {
        Self { file, span }
    }
}
