//! Folders as inputs: one file after the other, each behind a line `=== NAME`. What stands before the first such line is a
//! part of its own.

use groma_runtime::MemoryHost;

use crate::utf8;

/// An input of several files: the text before the first line `=== NAME`, and the files as pairs of name and text.
pub(crate) struct Folder<'i> {
    pub(crate) head: &'i str,
    pub(crate) files: Vec<(&'i str, &'i str)>,
}

impl<'i> Folder<'i> {
    /// Reads an input of several files, each behind a line `=== NAME`; `None` if it is not UTF-8.
    pub(crate) fn read(bytes: &'i [u8]) -> Option<Folder<'i>> {
        let text = utf8(bytes)?;
        let (mut name, mut start, mut at) = (None, 0, 0);
        let mut folder = Folder { head: "", files: Vec::new() };
        let mut part = |name: Option<&'i str>, content: &'i str| match name {
            Some(name) => folder.files.push((name, content)),
            None => folder.head = content,
        };
        for line in text.split_inclusive('\n') {
            if let Some(next) = line.strip_prefix("=== ") {
                part(name, &text[start..at]);
                (name, start) = (Some(next.trim()), at + line.len());
            }
            at += line.len();
        }
        part(name, &text[start..]);
        Some(folder)
    }

    /// Returns an in-memory host with the files whose names begin with `front`, without that prefix. Of two files of one
    /// name the last counts.
    pub(crate) fn host(&self, front: &str) -> MemoryHost {
        let named =
            self.files.iter().filter_map(|(name, text)| Some((name.strip_prefix(front)?, text)));
        named.fold(MemoryHost::new(), |host, (name, text)| host.with_file(name, *text))
    }
}

/// Returns an in-memory host with the files of an input; the text before the first `=== NAME` becomes the file `first`.
pub(crate) fn host(bytes: &[u8], first: &str) -> Option<MemoryHost> {
    let folder = Folder::read(bytes)?;
    Some(folder.host("").with_file(first, folder.head))
}
