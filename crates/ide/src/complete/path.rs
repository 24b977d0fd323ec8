//! Completion of module and file paths inside strings.

use groma::{
    folders::is_code,
    hosts::{EntryKind, file_path},
};
use groma_syntax::Span;

use crate::complete::{CompletionItem, CompletionKind, ListBuilder, SiteFrame};

/// Maximum number of folder entries that completion lists; further ones are left out.
const MAX_ENTRIES: usize = 500;

/// Names of functions whose first argument is a file path, which completion therefore offers.
const READERS: [&str; 12] = [
    "file",
    "filebase64",
    "filebase64sha256",
    "filebase64sha512",
    "fileexists",
    "filemd5",
    "filesha1",
    "filesha256",
    "filesha512",
    "fileset",
    "templatefile",
    "pathexpand",
];

impl ListBuilder<'_> {
    /// Adds completion items for the entries of the folder at the end of the path typed so far.
    pub(super) fn paths(&mut self) {
        let Some(text) = self.site.text.clone() else { return };
        let is_source = self.site.argument.as_deref() == Some("source")
            && self.site.blocks.last().is_some_and(|step| step.kind == "module")
            && self.site.frames.is_empty();
        let is_read = self.site.frames.iter().any(|frame| match frame {
            SiteFrame::Call { name, argument: 0, .. } => READERS.contains(&name.as_str()),
            _ => false,
        });
        if !is_source && !is_read {
            return;
        }
        // After `${path.module}`, as for a relative path in the root module, paths begin in the module's folder.
        let typed = if text.starts_with("/") && is_read { &text[1..] } else { text.as_str() };
        let (folder, _) =
            typed.rsplit_once('/').map_or(("", typed), |(folder, name)| (folder, name));
        if is_source && !typed.starts_with('.') {
            for start in ["./", "../"] {
                let replaces = self.text_word();
                let item =
                    CompletionItem { replaces, ..self.item(start, CompletionKind::Folder, 1) };
                self.push(item);
            }
            return;
        }
        let own = file_path::parent(self.document.name());
        let host = self.request.workspace().host();
        let path = file_path::join(&own, folder);
        let Ok(mut entries) = host.list(&path) else { return };
        entries.sort_unstable();
        let whole = self.text_word();
        let replaces = match typed.rfind('/') {
            Some(at) => {
                Span::new(whole.start + (text.len() - typed.len() + at + 1) as u32, whole.end)
            }
            None => whole,
        };
        let shown = entries.into_iter().filter(|entry| !entry.name.starts_with('.'));
        for entry in shown.take(MAX_ENTRIES) {
            let is_folder = entry.kind == EntryKind::Directory;
            if is_source && !is_folder {
                continue;
            }
            let kind = if is_folder { CompletionKind::Folder } else { CompletionKind::File };
            let mut item = CompletionItem { replaces, ..self.item(&entry.name, kind, 2) };
            if is_source && let Ok(inner) = host.list(&file_path::join(&path, &entry.name)) {
                item.rank = if inner.iter().any(|one| is_code(&one.name)) { 1 } else { 3 };
            }
            self.push(item);
        }
        if is_source && typed.ends_with('/') {
            let item = CompletionItem { replaces, ..self.item("..", CompletionKind::Folder, 3) };
            self.push(item);
        }
    }
}
