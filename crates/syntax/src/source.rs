//! A text with a name, and the list of all texts that were read.
//! Columns count grapheme clusters, as the reference programs do; bytes stay the coordinate inside the engine.

use std::sync::{Arc, OnceLock};

use unicode_segmentation::UnicodeSegmentation;

use crate::codes;
use crate::columns::{ColumnIndex, ColumnMark, walked};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::folder_texts::{FolderList, FolderTexts};
use crate::place_order::FileRanks;
use crate::span::{FileId, Place, Span};

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

/// A source text and its display name.
#[derive(Debug)]
pub struct Source {
    name: Arc<str>,
    text: Arc<str>,
    lines: OnceLock<Box<[u32]>>,
    columns: OnceLock<ColumnIndex>,
}

impl Source {
    /// Creates a source from a name and a text.
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

    /// Returns the text, to be shared with the parser.
    pub fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// Returns an estimate of the bytes that it holds, without what is worked out on first use.
    pub fn held_bytes(&self) -> usize {
        size_of::<Source>() + self.name.len() + self.text.len()
    }

    /// Returns the start offset of every line.
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

    /// Returns the column index, built on first use.
    fn columns(&self) -> &ColumnIndex {
        self.columns.get_or_init(|| ColumnIndex::of(&self.text, self.lines()))
    }

    /// Returns the number of UTF-16 code units before a position in its line.
    pub(crate) fn units_before(&self, at: Position) -> u32 {
        let start = self.line_span(at.line).start as usize;
        self.columns().at(&self.text, start, at.byte as usize).units as u32
    }

    /// Returns the nearest indexed byte before column `units` (in UTF-16 code units) of a line, and its column.
    pub(crate) fn near_units(&self, line: Span, units: u32) -> (u32, u32) {
        let is_before = |mark: &ColumnMark| mark.units <= units as usize;
        let near = self.columns().before(&self.text, line, is_before);
        match near.units as u32 <= units {
            true => (near.byte as u32, near.units as u32),
            false => (line.start, 0),
        }
    }

    /// Returns the offset `lead` columns before a byte of a line.
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

/// Texts with numbers of their own between the others, so that they can be exchanged without a change of any other number.
#[derive(Clone, Debug, Default)]
struct ReservedTexts {
    /// The number of the first one.
    first: u32,
    list: Arc<Vec<Arc<Source>>>,
    withheld: Vec<Place>,
}

/// The count of numbers that are reserved for texts that can be exchanged.
const RESERVED: u32 = 1 << 24;

/// All source texts, in the order of reading. The list only grows; cloning shares the texts.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// Shared by clones: what is asked again and again takes a clone each time, and reads on.
    list: Arc<Vec<Arc<Source>>>,
    /// The number of the first text.
    first: u32,
    /// The folders whose texts have numbers that are the same in other lists.
    folders: Arc<FolderList>,
    withheld: Vec<Place>,
    reserved: Option<ReservedTexts>,
    /// The order of files that is not that of their numbers, if there is one.
    pub(crate) ranks: Option<Arc<FileRanks>>,
}

impl Sources {
    /// Creates an empty list.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates an empty list numbered from `first`, to be appended to a list of that length.
    pub fn starting_at(first: usize) -> Self {
        Self { first: u32::try_from(first).unwrap_or(u32::MAX), ..Self::default() }
    }

    /// Appends a list whose numbers continue this one. Neither list has folders.
    pub fn append(&mut self, other: Sources) {
        debug_assert_eq!(other.first, self.next());
        Arc::make_mut(&mut self.list).extend(other.list.iter().cloned());
        self.withheld.extend(other.withheld);
    }

    /// Adds the texts of a folder. Their numbers and those of their parts are translated to those of this list.
    pub fn add_folder(&mut self, folder: Arc<FolderTexts>) {
        let first = self.next();
        Arc::make_mut(&mut self.list).extend(folder.texts().iter().cloned());
        Arc::make_mut(&mut self.folders).add(folder, first);
    }

    /// Returns true if some places have to be translated.
    pub fn has_parts(&self) -> bool {
        !self.folders.is_empty()
    }

    /// Returns the text that contains a part; for a text itself, its own number.
    pub fn file_of(&self, id: FileId) -> FileId {
        self.known_part(id).map_or(id, |(file, _)| file)
    }

    /// Translates a place in a part to the place in its whole text.
    pub fn resolve(&self, place: Place) -> Place {
        match self.known_part(place.file) {
            Some((file, by)) => Place::new(file, place.span.moved(by)),
            None => place,
        }
    }

    /// Returns the text that contains a place, and the place relative to the whole text.
    pub fn at(&self, place: Place) -> (&Source, Place) {
        let place = self.resolve(place);
        (self.get(place.file), place)
    }

    /// Returns the text and the movement of the part that a number stands for, if it stands for one.
    fn known_part(&self, id: FileId) -> Option<(FileId, i32)> {
        if id.0 < FileId::PARTS { None } else { self.folders.find(id) }
    }

    /// Returns the number of the next text.
    fn next(&self) -> u32 {
        let reserved = if self.reserved.is_some() { RESERVED } else { 0 };
        self.first + self.list.len() as u32 + reserved
    }

    /// Adds a text and returns its number.
    pub fn add(&mut self, source: Source) -> FileId {
        let number = self.next();
        Arc::make_mut(&mut self.list).push(Arc::new(source));
        FileId(number)
    }

    /// Reserves numbers for texts that can be exchanged, after those that have been read so far.
    pub fn reserve(&mut self) {
        let first = self.next();
        self.reserved.get_or_insert(ReservedTexts { first, ..ReservedTexts::default() });
    }

    /// Returns an empty list for texts with the reserved numbers.
    pub fn reserved(&self) -> Self {
        let first = self.reserved.as_ref().map_or(self.next(), |reserved| reserved.first);
        Self { first, ..Self::default() }
    }

    /// Returns the same list with other texts in the place of those with reserved numbers. They were read into a list of
    /// [`Sources::reserved`].
    pub fn with_reserved(&self, texts: Self) -> Self {
        let Self { list, first, withheld, .. } = texts;
        Self { reserved: Some(ReservedTexts { first, list, withheld }), ..self.clone() }
    }

    /// Removes `file` if it is the last text. Returns false, without a change, if others follow it. Nothing may refer to the
    /// text any more.
    pub fn forget_last(&mut self, file: FileId) -> bool {
        let last = self.next().checked_sub(1).map(FileId);
        if last != Some(file) || self.list.is_empty() {
            return false;
        }
        Arc::make_mut(&mut self.list).pop();
        self.withheld.retain(|place| place.file != file);
        true
    }

    /// Adds the bytes of a file as a text. Bytes that are not UTF-8 are reported and replaced by U+FFFD.
    pub fn from_bytes(
        &mut self,
        name: impl Into<Arc<str>>,
        bytes: &[u8],
        out: &mut Diagnostics,
    ) -> FileId {
        match std::str::from_utf8(bytes) {
            Ok(text) => self.add(Source::new(name, text)),
            Err(error) => {
                let at = error.valid_up_to() as u32;
                let file = self.add(Source::new(name, String::from_utf8_lossy(bytes).into_owned()));
                let detail = format!(
                    "Byte {at} does not belong to any UTF-8 character. Save the file as UTF-8."
                );
                let span = Span::new(at, at + '\u{fffd}'.len_utf8() as u32);
                out.push(
                    Diagnostic::error(&codes::INVALID_UTF8, detail).at(Place::new(file, span)),
                );
                file
            }
        }
    }

    /// Returns the text with number `file`; an empty text for a number of another list.
    pub fn get(&self, file: FileId) -> &Source {
        /// The source returned for a number that is not known.
        static EMPTY: OnceLock<Source> = OnceLock::new();
        let number = self.file_of(file).0;
        let source = match &self.reserved {
            Some(reserved) if number >= reserved.first => {
                match number.checked_sub(reserved.first + RESERVED) {
                    Some(after) => self.list.get((reserved.first - self.first + after) as usize),
                    None => reserved.list.get((number - reserved.first) as usize),
                }
            }
            _ => self.list.get(number.wrapping_sub(self.first) as usize),
        };
        match source {
            Some(source) => source,
            None => EMPTY.get_or_init(|| Source::new("", "")),
        }
    }

    /// Marks a place as secret: no line that it touches may be shown.
    pub fn withhold(&mut self, place: Place) {
        self.withheld.push(self.resolve(place));
    }

    /// Returns true if the place touches a secret place.
    pub fn is_withheld(&self, place: Place) -> bool {
        let Place { file, span } = self.resolve(place);
        let touches = |own: Span| own.start <= span.end && span.start <= own.end;
        let reserved = self.reserved.iter().flat_map(|reserved| &reserved.withheld);
        self.withheld.iter().chain(reserved).any(|own| own.file == file && touches(own.span))
    }

    /// Returns the text of a line (counted from 1) for display; `None` if it contains a secret place.
    pub fn shown_line(&self, file: FileId, line: u32) -> Option<&str> {
        let source = self.get(file);
        let is_open = self.withheld.is_empty()
            && self.reserved.as_ref().is_none_or(|reserved| reserved.withheld.is_empty());
        let hidden = !is_open && self.is_withheld(Place::new(file, source.line_span(line)));
        (!hidden).then(|| source.line_text(line))
    }

    /// Returns the number of texts.
    pub fn len(&self) -> usize {
        self.list.len() + self.reserved.as_ref().map_or(0, |reserved| reserved.list.len())
    }

    /// Returns true if there are no texts.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Iterates over all texts with their numbers.
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &Arc<Source>)> {
        let (list, first) = (self.list.as_slice(), self.first);
        let reserved = self.reserved.as_ref();
        let from = reserved.map_or(u32::MAX, |reserved| reserved.first);
        let (before, after) = list.split_at(list.len().min((from - first) as usize));
        let between = reserved.into_iter().flat_map(|reserved| reserved.list.iter());
        let numbered = before.iter().zip(first..).chain(between.zip(from..));
        let numbered = numbered.chain(after.iter().zip(from.saturating_add(RESERVED)..));
        numbered.map(|(source, number)| (FileId(number), source))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reserved_texts_are_exchanged_and_no_other_number_changes() {
        let text = |name: &str| Source::new(name, name);
        let mut sources = Sources::new();
        let root = sources.add(text("root"));
        sources.reserve();
        let after = sources.add(text("after"));
        assert!(root < sources.reserved().add(text("any")));
        for names in [&["a", "b"][..], &["c"], &[]] {
            let mut texts = sources.reserved();
            let numbers: Vec<FileId> = names.iter().map(|name| texts.add(text(name))).collect();
            if let Some(first) = numbers.first() {
                texts.withhold(Place::new(*first, Span::new(0, 1)));
            }
            let mut all = sources.with_reserved(texts);
            let last = all.add(text("last"));
            let told: Vec<FileId> =
                [root].into_iter().chain(numbers.iter().copied()).chain([after, last]).collect();
            assert_eq!(all.iter().map(|(file, _)| file).collect::<Vec<_>>(), told);
            assert!(told.is_sorted() && all.len() == told.len());
            for (file, source) in all.iter() {
                assert_eq!(all.get(file).name(), source.name());
            }
            for (file, name) in numbers.iter().zip(names) {
                assert_eq!(all.get(*file).name(), *name);
            }
            assert_eq!(all.shown_line(last, 1), Some("last"));
            let hidden = numbers.first().map(|first| all.shown_line(*first, 1));
            assert_eq!(hidden.flatten(), None);
            assert!(all.forget_last(last) && !all.forget_last(root));
        }
    }

    #[test]
    fn a_clone_costs_the_same_however_many_texts_there_are() {
        let mut sources = Sources::new();
        sources.add(Source::new("first", ""));
        let first = sources.list[0].clone();
        for _ in 0..100 {
            let shown = sources.clone();
            // A list of its own would hold the text once more.
            assert_eq!(Arc::strong_count(&first), 2);
            assert_eq!(shown.len(), sources.len());
            drop(shown);
            sources.add(Source::new("next", ""));
            assert_eq!(Arc::strong_count(&first), 2);
        }
        // What is added to a clone is not there in the other.
        let mut other = sources.clone();
        other.add(Source::new("last", ""));
        assert_eq!((sources.len(), other.len()), (101, 102));
    }
}
