//! A root in `app` with marked places.

use groma::{LoadOptions, MemoryHost, RequestToken, Snapshot, Workspace};
use groma_ide::{FileSpan, Request, TextEdit};

/// A module root in the folder `app`, and the places that `¦` marked in its files, in file order.
pub(crate) struct MarkedRoot {
    pub(crate) workspace: Workspace,
    pub(crate) snapshot: Snapshot,
    pub(crate) marks: Vec<(String, u32)>,
}

impl MarkedRoot {
    /// Loads these files, of path and text, as a root with default options.
    pub(crate) fn of(files: &[(&str, &str)]) -> MarkedRoot {
        MarkedRoot::with(files, &LoadOptions::default())
    }

    /// Loads these files, of path and text, as a root with options; every `¦` is removed and its place recorded.
    pub(crate) fn with(files: &[(&str, &str)], options: &LoadOptions) -> MarkedRoot {
        let workspace = Workspace::new(MemoryHost::new());
        let mut marks = Vec::new();
        for (path, marked) in files {
            let mut text = String::new();
            for part in marked.split('¦') {
                text.push_str(part);
                marks.push((path.to_string(), text.len() as u32));
            }
            marks.pop();
            workspace.set(path, text);
        }
        let snapshot = workspace.root("app", options);
        MarkedRoot { workspace, snapshot, marks }
    }

    /// Returns a request that waits for no evaluation.
    pub(crate) fn soon(&self) -> Request<'_> {
        Request::new(&self.workspace).in_root(self.snapshot.clone())
    }

    /// Returns a request that waits until values are evaluated.
    pub(crate) fn request(&self) -> Request<'_> {
        self.soon().bounded_by(RequestToken::new())
    }

    /// Returns the path of the file and the offset of the mark with this number.
    pub(crate) fn mark(&self, number: usize) -> (&str, u32) {
        (&self.marks[number].0, self.marks[number].1)
    }

    /// Returns a place as path, line and text: `app/main.tf:3: local.a`.
    pub(crate) fn shown(&self, at: &FileSpan) -> String {
        let document = self.request().document(&at.file).unwrap();
        let line = document.source().position(at.span.start).line;
        format!("{}:{line}: {}", at.file, at.span.of(document.text()))
    }

    /// Returns the text of a file after these edits, which are sorted by place.
    pub(crate) fn edited(&self, file: &str, edits: &[TextEdit]) -> String {
        let mut text = self.request().document(file).unwrap().text().to_owned();
        for edit in edits.iter().rev() {
            text.replace_range(edit.start..edit.end, &edit.text);
        }
        text
    }
}
