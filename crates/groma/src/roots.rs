//! Which folders below one hold code. A folder that only others call is one too: what is wrong in it may be wrong
//! whoever calls it.

use std::collections::BTreeSet;

use groma_runtime::{EntryKind, Host, file_path};

/// The endings of files that make a folder one of code.
const ENDINGS: [&str; 6] = [".tf", ".tf.json", ".tofu", ".tofu.json", ".pkr.hcl", ".pkr.json"];

/// No tree of folders that people work on is deeper.
const DEPTH: usize = 200;

/// Every folder in and below `dir` that holds code, in order. What is hidden is passed over, what the programs have
/// installed with it; a link to a folder is not followed. A folder that cannot be listed holds nothing.
pub fn roots_below(host: &dyn Host, dir: &str) -> Vec<String> {
    let mut found = BTreeSet::new();
    let mut waiting = vec![(file_path::clean(dir), 0)];
    while let Some((dir, depth)) = waiting.pop() {
        let real = host.canonical(&dir).ok();
        for entry in host.list(&dir).unwrap_or_default() {
            if entry.name.starts_with('.') {
                continue;
            }
            let path = file_path::join(&dir, &entry.name);
            match entry.kind {
                EntryKind::File if is_code(&entry.name) => {
                    found.insert(dir.clone());
                }
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
    }
    found.into_iter().collect()
}

/// Whether the name is one of a file of code: not a copy that an editor has left.
fn is_code(name: &str) -> bool {
    let is_copy = name.ends_with('~') || name.starts_with('#') && name.ends_with('#');
    !is_copy && ENDINGS.iter().any(|ending| name.len() > ending.len() && name.ends_with(ending))
}
