//! The folders below one, with their files. Links to folders are not followed, so each folder comes once.

use groma_runtime::{EntryKind, Host, file_path};

/// No tree of folders that people work on is deeper.
const DEPTH: usize = 200;

/// Every folder in and below `dir` with the names of its files, both in order. What is hidden is passed over, what the
/// programs have installed with it; a link to a folder is not followed. A folder that cannot be listed holds nothing.
pub fn folders_below(host: &dyn Host, dir: &str) -> Vec<(String, Vec<String>)> {
    let mut found = Vec::new();
    let mut waiting = vec![(file_path::clean(dir), 0)];
    while let Some((dir, depth)) = waiting.pop() {
        let real = host.canonical(&dir).ok();
        let mut files = Vec::new();
        for entry in host.list(&dir).unwrap_or_default() {
            if entry.name.starts_with('.') {
                continue;
            }
            let path = file_path::join(&dir, &entry.name);
            match entry.kind {
                EntryKind::File => files.push(entry.name),
                EntryKind::Directory if depth < DEPTH => {
                    // A link leads to a folder that has a name of its own, or out of here.
                    let own = real.as_ref().map(|real| file_path::join(real, &entry.name));
                    if host.canonical(&path).ok() == own {
                        waiting.push((path, depth + 1));
                    }
                }
                _ => {}
            }
        }
        files.sort_unstable();
        found.push((dir, files));
    }
    found.sort_unstable();
    found
}
