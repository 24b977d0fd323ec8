//! Directories below another one, with their files. Links to directories are not followed, so each directory occurs once.

use groma_runtime::{EntryKind, Host, file_path};

/// Maximum depth of nested directories that are searched; deeper ones are skipped.
const DEPTH: usize = 200;

/// Returns every directory in and below `dir` with the names of its files, both sorted. Hidden directories, including installed
/// modules, are skipped; links to directories are not followed. A directory that cannot be listed counts as empty.
pub fn folders_below(host: &dyn Host, dir: &str) -> Vec<(String, Vec<String>)> {
    chosen_folders_below(host, dir, &|_| true)
}

/// Returns `dir` and the directories below it that `enters` accepts, each with the names of its files; all sorted.
pub fn chosen_folders_below(
    host: &dyn Host,
    dir: &str,
    enters: &dyn Fn(&str) -> bool,
) -> Vec<(String, Vec<String>)> {
    let mut found = Vec::new();
    let top = file_path::clean(dir);
    let own = host.canonical(&top).ok();
    let mut waiting = vec![(top, own, 0)];
    while let Some((dir, own, depth)) = waiting.pop() {
        let real = host.canonical(&dir).ok();
        if real != own {
            // A link leads to a directory with a path of its own, or out of the tree.
            continue;
        }
        let mut files = Vec::new();
        for entry in host.list(&dir).unwrap_or_default() {
            if entry.name.starts_with('.') {
                continue;
            }
            let path = file_path::join(&dir, &entry.name);
            match entry.kind {
                EntryKind::File => files.push(entry.name),
                EntryKind::Directory if depth < DEPTH && enters(&path) => {
                    let own = real.as_ref().map(|real| file_path::join(real, &entry.name));
                    waiting.push((path, own, depth + 1));
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

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use groma_runtime::{DirEntry, HostError, MemoryHost};

    use super::*;

    /// A host that counts the calls that list a directory or resolve a path.
    struct CountingHost(MemoryHost, AtomicUsize);

    impl Host for CountingHost {
        fn read(&self, path: &str) -> Result<Vec<u8>, HostError> {
            self.0.read(path)
        }
        fn length(&self, path: &str) -> Result<u64, HostError> {
            self.0.length(path)
        }
        fn list(&self, dir: &str) -> Result<Vec<DirEntry>, HostError> {
            self.1.fetch_add(1, Ordering::Relaxed);
            self.0.list(dir)
        }
        fn canonical(&self, path: &str) -> Result<String, HostError> {
            self.1.fetch_add(1, Ordering::Relaxed);
            self.0.canonical(path)
        }
        fn kind(&self, path: &str) -> Result<EntryKind, HostError> {
            self.0.kind(path)
        }
        fn check_code_access(&self, path: &str) -> Result<(), HostError> {
            self.0.check_code_access(path)
        }
        fn hides_environment(&self) -> bool {
            self.0.hides_environment()
        }
        fn env(&self, name: &str) -> Option<String> {
            self.0.env(name)
        }
        fn env_names(&self) -> Vec<String> {
            self.0.env_names()
        }
        fn current_dir(&self) -> String {
            self.0.current_dir()
        }
        fn home(&self) -> Option<String> {
            self.0.home()
        }
    }

    /// Checks that a directory is resolved only when it is listed, so that a walk ended by the budget costs little.
    #[test]
    fn a_folder_is_looked_for_when_it_is_listed() {
        // Where the budget ends a walk, those that wait are not looked for: the last one listed may hold very many.
        let mut host = MemoryHost::new();
        for number in 0..100 {
            host = host.with_file(&format!("d{number}/main.tf"), Vec::new());
        }
        let host = CountingHost(host, AtomicUsize::new(0));
        assert_eq!(folders_below(&host, ".").len(), 101);
        // Twice for each, and once more for the top.
        assert_eq!(host.1.load(Ordering::Relaxed), 2 * 101 + 1);
    }
}
