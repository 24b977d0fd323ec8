//! Texts of a folder whose numbers, and those of their parts, are the same in every list that holds them, so that what refers to
//! them can be shared by lists that number their own texts differently.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::source::Source;
use crate::span::FileId;

/// The number of file numbers that a folder reserves at once.
const BLOCK: u32 = 1 << 8;

/// The number of unreserved blocks of file numbers below which folders get none any more.
const SPARE: u32 = 1 << 20;

/// The file numbers that no folder has reserved yet, shared by all threads. None is given out twice.
#[derive(Debug)]
pub struct PlaceNumbers {
    /// The next block of numbers of parts.
    parts: AtomicU32,
    /// The next block of numbers of whole texts.
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
    /// Returns a new file number for a part of a text.
    pub fn part(&mut self, all: &PlaceNumbers) -> FileId {
        next(&mut self.parts, &all.parts)
    }

    /// Returns a new file number for a whole text.
    pub fn text(&mut self, all: &PlaceNumbers) -> FileId {
        next(&mut self.texts, &all.texts)
    }
}

/// Returns the next file number that a folder has reserved; reserves a new block if there is none.
fn next(own: &mut Range<u32>, blocks: &AtomicU32) -> FileId {
    if own.start >= own.end {
        let first = blocks.fetch_add(1, Ordering::Relaxed).saturating_mul(BLOCK);
        *own = first..first.saturating_add(BLOCK);
    }
    let number = own.start;
    own.start = number.saturating_add(1);
    FileId(number)
}

/// A file number with the text of a folder, or the part of one, that it denotes.
#[derive(Clone, Copy, Debug)]
pub struct NumberedPart {
    /// The number.
    pub number: FileId,
    /// The position of the text in its folder.
    pub text: u32,
    /// How far the part has moved since it was read, in bytes.
    pub by: i32,
}

/// The texts of a folder, with their file numbers and those of their parts.
#[derive(Debug, Default)]
pub struct FolderTexts {
    texts: Box<[Arc<Source>]>,
    /// Sorted by number.
    parts: Box<[NumberedPart]>,
}

impl FolderTexts {
    /// Creates the texts of a folder; `parts` gives the file numbers of each text and of its parts.
    pub fn new(texts: Vec<Arc<Source>>, mut parts: Vec<NumberedPart>) -> Self {
        parts.sort_unstable_by_key(|part| part.number);
        Self { texts: texts.into(), parts: parts.into() }
    }

    /// Returns the texts of the folder's files.
    pub fn texts(&self) -> &[Arc<Source>] {
        &self.texts
    }

    /// Returns an estimate of the memory that the texts hold, in bytes.
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

/// The folders whose texts are in a list of sources.
#[derive(Clone, Debug, Default)]
pub(crate) struct FolderList {
    /// Each folder with the number of its first text in the list.
    folders: Vec<(Arc<FolderTexts>, u32)>,
    /// The folder of each block of numbers, sorted by block.
    blocks: Vec<(u32, u32)>,
}

impl FolderList {
    /// Adds a folder whose first text has a number in the list.
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

    /// Returns true if there are no folders.
    pub(crate) fn is_empty(&self) -> bool {
        self.folders.is_empty()
    }

    /// Returns the number in the list of the text that a folder's file number denotes or is a part of, and by how many bytes
    /// the part has moved.
    pub(crate) fn find(&self, number: FileId) -> Option<(FileId, i32)> {
        let block = number.0 / BLOCK;
        let at = self.blocks.binary_search_by_key(&block, |(block, _)| *block).ok()?;
        let (folder, first) = self.folders.get(self.blocks.get(at)?.1 as usize)?;
        let part = folder.part(number)?;
        Some((FileId(first + part.text), part.by))
    }
}
