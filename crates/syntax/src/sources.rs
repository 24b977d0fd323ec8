//! The list of all source texts, in the order of reading. A file number denotes a text or a part of one; the texts of a folder
//! have the same numbers in every list.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use crate::codes;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::folder_texts::{FolderList, FolderTexts};
use crate::source::Source;
use crate::span::{FileId, Place, Span};

/// The source texts of a list whose file numbers are from a reserved range, so that other texts can replace them without changing
/// the number of any further text.
#[derive(Clone, Debug, Default)]
struct ReservedTexts {
    /// The number of the first text.
    first: u32,
    list: Arc<TextList>,
    withheld: Vec<Place>,
}

/// Texts with consecutive numbers; `None` for a number whose text was taken away.
type TextList = Vec<Option<Arc<Source>>>;

/// The number of file numbers reserved for source texts that other texts can replace later.
const RESERVED: u32 = 1 << 24;

/// The list of all source texts, in the order of reading, each with a file number. The list only grows; cloning shares the
/// texts.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// Shared by clones, since each question about a snapshot takes a clone and may add texts.
    list: Arc<TextList>,
    /// The number of the first text.
    first: u32,
    /// The folders whose texts have numbers that are the same in other lists.
    folders: Arc<FolderList>,
    withheld: Vec<Place>,
    reserved: Option<ReservedTexts>,
    /// The order of files that is not that of their numbers, if there is one.
    pub(crate) ranks: Option<Arc<BTreeMap<FileId, u32>>>,
}

impl Sources {
    /// Creates an empty list of source texts.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates an empty list of source texts that are numbered from `first`, to be appended to a list of that length.
    pub fn starting_at(first: usize) -> Self {
        Self { first: u32::try_from(first).unwrap_or(u32::MAX), ..Self::default() }
    }

    /// Appends another list, whose numbers continue those of this one. Neither list may contain texts of folders.
    pub fn append(&mut self, other: Sources) {
        debug_assert_eq!(other.first, self.next());
        Arc::make_mut(&mut self.list).extend(other.list.iter().cloned());
        self.withheld.extend(other.withheld);
    }

    /// Takes the texts with numbers in these ranges away. Nothing may refer to them any more; the numbers of the other texts stay
    /// the same.
    pub fn clear(&mut self, ranges: impl Iterator<Item = Range<usize>>) {
        let list = Arc::make_mut(&mut self.list);
        for range in ranges {
            list.get_mut(range).into_iter().flatten().for_each(|text| *text = None);
        }
        self.withheld.retain(|place| !matches!(list.get(place.file.0 as usize), Some(None)));
    }

    /// Appends the texts of a folder to the list; the folder's own file numbers for these texts and their parts are translated
    /// to those of the list on look-up.
    pub fn add_folder(&mut self, folder: Arc<FolderTexts>) {
        let first = self.next();
        Arc::make_mut(&mut self.list).extend(folder.texts().iter().cloned().map(Some));
        Arc::make_mut(&mut self.folders).add(folder, first);
    }

    /// Returns true if the list contains texts of folders, so that places may have numbers that have to be translated.
    pub fn has_parts(&self) -> bool {
        !self.folders.is_empty()
    }

    /// Returns the number in this list of the text that a file number of a folder denotes or is a part of; any other number
    /// unchanged.
    pub fn file_of(&self, id: FileId) -> FileId {
        self.known_part(id).map_or(id, |(file, _)| file)
    }

    /// Translates a place in a part of a text to the place in the whole text; any other place is returned unchanged.
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

    /// Translates a file number that a folder gave to a text or to a part of one: returns the text's number in this list, and
    /// the number of bytes by which the part has moved since it was read; `None` for other numbers.
    fn known_part(&self, id: FileId) -> Option<(FileId, i32)> {
        if id.0 < FileId::PARTS { None } else { self.folders.find(id) }
    }

    /// Returns the file number that the next added text gets.
    fn next(&self) -> u32 {
        let reserved = if self.reserved.is_some() { RESERVED } else { 0 };
        self.first + self.list.len() as u32 + reserved
    }

    /// Adds a source text and returns its file number.
    pub fn add(&mut self, source: Source) -> FileId {
        let number = self.next();
        Arc::make_mut(&mut self.list).push(Some(Arc::new(source)));
        FileId(number)
    }

    /// Reserves a range of file numbers, after those used so far, for texts that other texts can replace later.
    pub fn reserve(&mut self) {
        let first = self.next();
        self.reserved.get_or_insert(ReservedTexts { first, ..ReservedTexts::default() });
    }

    /// Returns an empty list whose texts get numbers of the reserved range, to replace the texts there by
    /// [`Sources::with_reserved`].
    pub fn reserved(&self) -> Self {
        let first = self.reserved.as_ref().map_or(self.next(), |reserved| reserved.first);
        Self { first, ..Self::default() }
    }

    /// Returns the same list with `texts`, a list from [`Sources::reserved`], in place of the texts whose numbers are of the
    /// range that is reserved for replaceable texts.
    pub fn with_reserved(&self, texts: Self) -> Self {
        let Self { list, first, withheld, .. } = texts;
        Self { reserved: Some(ReservedTexts { first, list, withheld }), ..self.clone() }
    }

    /// Removes the text with the number `file` if it is the last one; otherwise returns false without a change. Nothing may
    /// refer to the text any more.
    pub fn forget_last(&mut self, file: FileId) -> bool {
        let last = self.next().checked_sub(1).map(FileId);
        if last != Some(file) || self.list.is_empty() {
            return false;
        }
        Arc::make_mut(&mut self.list).pop();
        self.withheld.retain(|place| place.file != file);
        true
    }

    /// Adds the bytes of the file `name` as a text and returns its number; bytes that are not UTF-8 are reported to `out` and
    /// replaced by U+FFFD.
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

    /// Returns the source text with the file number `file`; an empty one for a number that is not in the list.
    pub fn get(&self, file: FileId) -> &Source {
        /// The empty source, returned for a file number that is not in the list.
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
            Some(Some(source)) => source,
            _ => EMPTY.get_or_init(|| Source::new("", "")),
        }
    }

    /// Withholds a place from display, because it is secret: no line that it touches may be shown in a diagnostic.
    pub fn withhold(&mut self, place: Place) {
        self.withheld.push(self.resolve(place));
    }

    /// Returns true if the place touches one that is withheld from display.
    pub fn is_withheld(&self, place: Place) -> bool {
        let Place { file, span } = self.resolve(place);
        let touches = |own: Span| own.start <= span.end && span.start <= own.end;
        let reserved = self.reserved.iter().flat_map(|reserved| &reserved.withheld);
        self.withheld.iter().chain(reserved).any(|own| own.file == file && touches(own.span))
    }

    /// Returns the text of a line (counted from 1) for display; `None` if it is withheld because it contains a secret.
    pub fn shown_line(&self, file: FileId, line: u32) -> Option<&str> {
        let source = self.get(file);
        let is_open = self.withheld.is_empty()
            && self.reserved.as_ref().is_none_or(|reserved| reserved.withheld.is_empty());
        let hidden = !is_open && self.is_withheld(Place::new(file, source.line_span(line)));
        (!hidden).then(|| source.line_text(line))
    }

    /// Returns the number of source texts.
    pub fn len(&self) -> usize {
        self.list.len() + self.reserved.as_ref().map_or(0, |reserved| reserved.list.len())
    }

    /// Returns true if there are no source texts.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Iterates over all source texts with their file numbers.
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &Arc<Source>)> {
        let (list, first) = (self.list.as_slice(), self.first);
        let reserved = self.reserved.as_ref();
        let from = reserved.map_or(u32::MAX, |reserved| reserved.first);
        let (before, after) = list.split_at(list.len().min((from - first) as usize));
        let between = reserved.into_iter().flat_map(|reserved| reserved.list.iter());
        let numbered = before.iter().zip(first..).chain(between.zip(from..));
        let numbered = numbered.chain(after.iter().zip(from.saturating_add(RESERVED)..));
        numbered.filter_map(|(source, number)| Some((FileId(number), source.as_ref()?)))
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
        let first = sources.list[0].clone().unwrap();
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
