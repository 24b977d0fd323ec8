//! Documents that an editor holds open, changed by ranges with the editor's version numbers. An edit whose version is not newer
//! than the last one is refused, so that late messages do no harm.

use std::ops::Range;
use std::sync::Arc;

use groma_runtime::{Host, HostError, OverlayHost, absolute, file_path};
use groma_syntax::{ColumnUnit, Point, Source};

use crate::Workspace;
use crate::workspace::lock;

/// An edit of an open document: a range of it and the text that replaces it.
#[derive(Clone, Debug)]
pub struct DocumentEdit {
    /// The range to replace; `None` for the whole document.
    pub range: Option<Range<Point>>,
    /// The new text.
    pub text: String,
}

/// The reason why edits of a document were refused. The document is unchanged then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EditRefusal {
    /// The version of the edit is not newer than that of the open document.
    Stale {
        /// The version of the open document.
        known: i32,
    },
    /// A range ends before it starts, or after the end of the document.
    OutOfRange,
    /// The host has no such file.
    Unreadable(HostError),
    /// The text is not UTF-8, so ranges in it have no meaning.
    NotText,
}

impl std::fmt::Display for EditRefusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            EditRefusal::Stale { known } => {
                write!(f, "the document is at version {known} already")
            }
            EditRefusal::OutOfRange => f.write_str("a range does not lie in the document"),
            EditRefusal::Unreadable(why) => write!(f, "the document cannot be read: {why}"),
            EditRefusal::NotText => f.write_str("the document is not UTF-8"),
        }
    }
}

impl std::error::Error for EditRefusal {}

impl Workspace {
    /// Returns the text of a file as an editor sees it: the open document, or else the host's file.
    ///
    /// # Errors
    /// If there is no file, or it is not text.
    pub fn text(&self, path: &str) -> Result<Arc<str>, EditRefusal> {
        let path = absolute(&*self.host, path);
        let held = lock(&self.texts).get(&path).cloned();
        let bytes = match held {
            Some(text) => text.to_vec(),
            None => self.host.read(&path).map_err(EditRefusal::Unreadable)?,
        };
        let text = String::from_utf8(bytes).map_err(|_| EditRefusal::NotText)?;
        Ok(text.into())
    }

    /// Returns a host that reads open documents instead of the files at their paths, and all other files from the workspace's
    /// host.
    pub fn host(&self) -> Arc<dyn Host> {
        let texts = lock(&self.texts).clone();
        Arc::new(OverlayHost { below: self.host.clone(), texts })
    }

    /// Applies edits to a document one after the other, each to the result of the one before, and sets its version. Columns
    /// count in `unit`. A document that is not open yet starts with the host's text. Existing snapshots do not change.
    ///
    /// # Errors
    /// If the version is stale, a range lies outside of the document, or there is no text to change.
    pub fn edit(
        &self,
        path: &str,
        edits: &[DocumentEdit],
        unit: ColumnUnit,
        version: i32,
    ) -> Result<(), EditRefusal> {
        let path = absolute(&*self.host, path);
        // Versions stay locked until the text is set, so that two edits of a document never mix.
        let mut versions = lock(&self.versions);
        if let Some(known) = versions.get(&path).copied().filter(|known| *known >= version) {
            return Err(EditRefusal::Stale { known });
        }
        let is_whole = edits.first().is_some_and(|edit| edit.range.is_none());
        let held = lock(&self.texts).get(&path).cloned();
        let bytes = match held {
            _ if is_whole => Vec::new(),
            Some(text) => text.to_vec(),
            None => self.host.read(&path).map_err(EditRefusal::Unreadable)?,
        };
        let mut text = String::from_utf8(bytes).map_err(|_| EditRefusal::NotText)?;
        for edit in edits {
            let Some(range) = &edit.range else {
                text.clone_from(&edit.text);
                continue;
            };
            let source = Source::new("", text.as_str());
            let lines = source.point(text.len() as u32, unit).line;
            let (start, end) = (source.offset(range.start, unit), source.offset(range.end, unit));
            // A client may use the line after the last one for the end, and no later line.
            if range.end < range.start || range.end.line > lines.saturating_add(1) || end < start {
                return Err(EditRefusal::OutOfRange);
            }
            text.replace_range(start as usize..end as usize, &edit.text);
        }
        versions.insert(path.clone(), version);
        self.set(&path, text);
        Ok(())
    }

    /// Moves the open documents at or below the path `from` to the path `to`, and returns their number. The caller moves files
    /// of the host.
    pub fn renamed(&self, from: &str, to: &str) -> usize {
        let (from, to) = (absolute(&*self.host, from), absolute(&*self.host, to));
        let (from, to) = (file_path::clean(&from), file_path::clean(&to));
        let moved = |path: &str| {
            let rest = path.strip_prefix(&from)?;
            (rest.is_empty() || rest.starts_with('/')).then(|| format!("{to}{rest}"))
        };
        let mut versions = lock(&self.versions);
        let mut texts = lock(&self.texts);
        let all: Vec<(String, String)> =
            texts.keys().filter_map(|path| Some((path.clone(), moved(path)?))).collect();
        if all.is_empty() {
            return 0;
        }
        let texts = std::sync::Arc::make_mut(&mut *texts);
        let taken: Vec<_> =
            all.iter().map(|(old, _)| (texts.remove(old), versions.remove(old))).collect();
        for ((_, new), (text, version)) in all.iter().zip(taken) {
            texts.extend(text.map(|text| (new.clone(), text)));
            versions.extend(version.map(|version| (new.clone(), version)));
        }
        all.len()
    }

    /// Returns the directories of the open roots whose last snapshot has read a file as code or values, sorted. A root that is
    /// being loaded is left out.
    pub fn roots_of(&self, path: &str) -> Vec<String> {
        let path = file_path::clean(&absolute(&*self.host, path));
        let roots: Vec<_> =
            lock(&self.roots).iter().map(|((dir, _), root)| (dir.clone(), root.clone())).collect();
        let mut found: Vec<String> = roots
            .into_iter()
            .filter(|(_, root)| {
                let Ok(root) = root.try_lock() else { return false };
                let Some(snapshot) = root.snapshot() else { return false };
                let is_it = |name: &str| file_path::clean(&absolute(&*self.host, name)) == path;
                snapshot.file_names().any(is_it)
            })
            .map(|(dir, _)| dir)
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Returns the directories of all open roots, sorted.
    pub fn open_roots(&self) -> Vec<String> {
        let mut all: Vec<String> = lock(&self.roots).keys().map(|(dir, _)| dir.clone()).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Closes the root in a directory and drops its caches; returns true if it was open. Existing snapshots of it remain valid.
    pub fn close_root(&self, dir: &str) -> bool {
        let (mut roots, dir) = (lock(&self.roots), file_path::clean(dir));
        let before = roots.len();
        roots.retain(|(open, _), _| *open != dir);
        if let Some(touched) = &self.touched {
            lock(touched).retain(|(open, _), _| *open != dir);
        }
        self.modules.sweep();
        roots.len() < before
    }
}
