//! Texts of a folder that have the same file numbers in every list of sources, as have their parts. Data that refers to them can
//! therefore be shared between lists that number other texts differently.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::source::Source;
use crate::span::FileId;

/// The number of file numbers in a block; a folder reserves a whole block at once.
const BLOCK: u32 = 1 << 8;

/// The number of blocks of file numbers that must still be free for another folder to reserve numbers.
const SPARE: u32 = 1 << 20;

/// The file numbers that no folder has reserved yet, shared by all threads, so that none is used twice.
#[derive(Debug)]
pub struct PlaceNumbers {
    /// The next free block of numbers for parts of texts.
    parts: AtomicU32,
    /// The next free block of numbers for whole texts.
    texts: AtomicU32,
}

impl Default for PlaceNumbers {
    fn default() -> Self {
        let (parts, texts) = (FileId::PARTS / BLOCK, FileId::FOLDER_TEXTS / BLOCK);
        Self { parts: AtomicU32::new(parts), texts: AtomicU32::new(texts) }
    }
}

impl PlaceNumbers {
    /// Returns true if enough file numbers are left for another folder.
    pub fn has_room(&self) -> bool {
        let (parts, texts) =
            (self.parts.load(Ordering::Relaxed), self.texts.load(Ordering::Relaxed));
        parts < FileId::FOLDER_TEXTS / BLOCK - SPARE && texts < u32::MAX / BLOCK - SPARE
    }
}

/// The file numbers that a folder has reserved and not used yet.
#[derive(Debug, Default)]
pub struct FolderNumbers {
    parts: Range<u32>,
    texts: Range<u32>,
}

impl FolderNumbers {
    /// Returns an unused file number for a part of a text; reserves more from `all`, which folders share, if none is left.
    pub fn part(&mut self, all: &PlaceNumbers) -> FileId {
        next(&mut self.parts, &all.parts)
    }

    /// Returns an unused file number for a whole text; reserves more from `all`, which folders share, if none is left.
    pub fn text(&mut self, all: &PlaceNumbers) -> FileId {
        next(&mut self.texts, &all.texts)
    }
}

/// Returns the next file number of `own`, the range that a folder has reserved; if that is used up, reserves another block, whose
/// number is taken from the counter `blocks`.
fn next(own: &mut Range<u32>, blocks: &AtomicU32) -> FileId {
    if own.start >= own.end {
        let first = blocks.fetch_add(1, Ordering::Relaxed).saturating_mul(BLOCK);
        *own = first..first.saturating_add(BLOCK);
    }
    let number = own.start;
    own.start = number.saturating_add(1);
    FileId(number)
}

/// A file number of a folder, and the text or part of a text that it denotes.
#[derive(Clone, Copy, Debug)]
pub struct NumberedPart {
    /// The number.
    pub number: FileId,
    /// The index of the text in its folder.
    pub text: u32,
    /// The number of bytes by which the part has moved since it was read.
    pub by: i32,
}

/// The source texts of a folder's files, with the file numbers of the texts and of their parts.
#[derive(Debug, Default)]
pub struct FolderTexts {
    texts: Box<[Arc<Source>]>,
    /// The texts and parts by file number, sorted.
    parts: Box<[NumberedPart]>,
}

impl FolderTexts {
    /// Creates the texts of a folder; `parts` lists the file number of each text and of each of its parts.
    pub fn new(texts: Vec<Arc<Source>>, mut parts: Vec<NumberedPart>) -> Self {
        parts.sort_unstable_by_key(|part| part.number);
        Self { texts: texts.into(), parts: parts.into() }
    }

    /// Returns the source texts of the folder's files.
    pub fn texts(&self) -> &[Arc<Source>] {
        &self.texts
    }

    /// Returns an estimate of the memory that the folder's texts use, in bytes.
    pub fn held_bytes(&self) -> usize {
        let texts: usize = self.texts.iter().map(|source| source.held_bytes()).sum();
        texts + self.parts.len() * size_of::<NumberedPart>()
    }

    /// Returns the text, or the part of one, that a file number denotes; `None` for an unknown number.
    fn part(&self, number: FileId) -> Option<NumberedPart> {
        let at = self.parts.binary_search_by_key(&number, |part| part.number).ok()?;
        self.parts.get(at).copied()
    }
}

/// The folders whose texts a [`crate::Sources`] contains, to translate the file numbers that a folder gave to its texts to
/// those in the sources.
#[derive(Clone, Debug, Default)]
pub(crate) struct FolderList {
    /// Each folder, with the number of its first text in the list of sources.
    folders: Vec<(Arc<FolderTexts>, u32)>,
    /// The index of the folder that has reserved a block of numbers, by block, sorted.
    blocks: Vec<(u32, u32)>,
}

impl FolderList {
    /// Adds a folder; `first` is the number of its first text in the list of sources.
    pub(crate) fn add(&mut self, folder: Arc<FolderTexts>, first: u32) {
        let own = self.folders.len() as u32;
        let mut last = None;
        for part in &folder.parts {
            let block = part.number.0 / BLOCK;
            if last.replace(block) == Some(block) {
                continue;
            }
            if let Err(at) = self.blocks.binary_search_by_key(&block, |(block, _)| *block) {
                self.blocks.insert(at, (block, own));
            }
        }
        self.folders.push((folder, first));
    }

    /// Returns true if the list contains no folders.
    pub(crate) fn is_empty(&self) -> bool {
        self.folders.is_empty()
    }

    /// Translates the file number of a text of a folder, or of a part of one: returns the text's number in the list of sources,
    /// and the number of bytes by which the part has moved since it was read; `None` for an unknown number.
    pub(crate) fn find(&self, number: FileId) -> Option<(FileId, i32)> {
        let block = number.0 / BLOCK;
        let at = self.blocks.binary_search_by_key(&block, |(block, _)| *block).ok()?;
        let (folder, first) = self.folders.get(self.blocks.get(at)?.1 as usize)?;
        let part = folder.part(number)?;
        Some((FileId(first + part.text), part.by))
    }
}
