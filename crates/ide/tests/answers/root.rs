//! A root in `app` with marked places.

use groma::{LoadOptions, MemoryHost, RequestToken, Snapshot, Workspace};
use groma_ide::{FileSpan, Request, TextEdit};

/// A root, and the marked places of its files in the order of the files.
pub(crate) struct MarkedRoot {
    pub(crate) workspace: Workspace,
    pub(crate) snapshot: Snapshot,
    pub(crate) marks: Vec<(String, u32)>,
}

impl MarkedRoot {
    pub(crate) fn of(files: &[(&str, &str)]) -> MarkedRoot {
        MarkedRoot::with(files, &LoadOptions::default())
    }

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

    /// A question that waits for nothing.
    pub(crate) fn soon(&self) -> Request<'_> {
        Request::new(&self.workspace).in_root(self.snapshot.clone())
    }

    /// A question that waits for values.
    pub(crate) fn request(&self) -> Request<'_> {
        self.soon().bounded_by(RequestToken::new())
    }

    /// The file and the offset of a mark.
    pub(crate) fn mark(&self, number: usize) -> (&str, u32) {
        (&self.marks[number].0, self.marks[number].1)
    }

    /// The bytes of a file in words: `app/main.tf:3: local.a`.
    pub(crate) fn shown(&self, at: &FileSpan) -> String {
        let document = self.request().document(&at.file).unwrap();
        let line = document.source().position(at.span.start).line;
        format!("{}:{line}: {}", at.file, at.span.of(document.text()))
    }

    /// The text of a file with edits made in it.
    pub(crate) fn edited(&self, file: &str, edits: &[TextEdit]) -> String {
        let mut text = self.request().document(file).unwrap().text().to_owned();
        for edit in edits.iter().rev() {
            text.replace_range(edit.start..edit.end, &edit.text);
        }
        text
    }
}
