//! Where something stands: byte ranges, files, and both together.
//! A span alone belongs to no file; only a `Place` can be shown to a person.

/// A half-open range of bytes in one text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The range from `start` up to, not including, `end`.
    pub const fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// The empty range at `offset`.
    pub const fn at(offset: u32) -> Self {
        Self { start: offset, end: offset }
    }

    /// The smallest range that covers both.
    pub fn join(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// Returns how many bytes it covers.
    pub const fn len(self) -> u32 {
        self.end.saturating_sub(self.start)
    }

    /// Returns true if it covers nothing.
    pub const fn is_empty(self) -> bool {
        self.end <= self.start
    }

    /// The last byte of it; nothing of an empty one.
    pub fn last(self) -> Self {
        Self { start: self.end.saturating_sub(1).max(self.start), end: self.end }
    }

    /// The same range `by` bytes further on, or back where that is negative.
    pub const fn moved(self, by: i32) -> Self {
        Self {
            start: self.start.saturating_add_signed(by),
            end: self.end.saturating_add_signed(by),
        }
    }

    /// The same range `base` bytes further on.
    pub const fn shift(self, base: u32) -> Self {
        Self { start: self.start.saturating_add(base), end: self.end.saturating_add(base) }
    }

    /// Returns true if `offset` lies inside, or at the end.
    pub const fn touches(self, offset: u32) -> bool {
        self.start <= offset && offset <= self.end
    }

    /// The bytes of `text` in this range; empty where the range does not fit the text.
    pub fn of(self, text: &str) -> &str {
        text.get(self.start as usize..self.end as usize).unwrap_or("")
    }
}

/// One source in a [`crate::Sources`], or a part of one that keeps its number when text before it changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub u32);

impl FileId {
    /// Numbers from here on are those of parts.
    pub(crate) const PARTS: u32 = 1 << 31;

    /// Returns true if it is the number of a part of a text, which nothing else has.
    pub const fn is_part(self) -> bool {
        self.0 >= Self::PARTS
    }
}

/// A range of bytes in a known file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The file.
    pub file: FileId,
    /// The bytes in it.
    pub span: Span,
}

impl Place {
    /// The place of `span` in `file`.
    pub const fn new(file: FileId, span: Span) -> Self {
        Self { file, span }
    }
}
