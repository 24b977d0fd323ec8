//! Which roots a change of some files reaches. A folder that calls another one as a module is reached with it; what is
//! called by nobody, or keeps a state of its own, is a root. Only what is written is looked at, nothing is evaluated.

use std::collections::{BTreeMap, BTreeSet};

use groma_folder::{literal_text, row};
use groma_module::dialect::MODULE;
use groma_runtime::{EntryKind, Host, file_path};
use groma_syntax::{Body, Diagnostics, FileId, parse_file, parse_json};

use crate::roots::roots_below;

/// Endings of the files of a module, and whether they are JSON.
const CODE: [(&str, bool); 4] =
    [(".tf", false), (".tofu", false), (".tf.json", true), (".tofu.json", true)];

/// Endings of files of values.
const VALUES: [&str; 2] = [".tfvars", ".tfvars.json"];

/// The folders of code in a tree, and who calls whom.
#[derive(Default)]
pub struct Calls {
    folders: BTreeMap<String, Folder>,
}

#[derive(Default)]
struct Folder {
    /// The folders that it calls as modules.
    calls: BTreeSet<String>,
    /// Whether it says where its state is kept, how its providers are set up, or what its variables are worth.
    is_root: bool,
    /// The names of changed files that its code speaks of.
    speaks_of: BTreeSet<String>,
}

impl Calls {
    /// Looks at all folders below `top`. `changed` are the paths of the files that have changed, from there. What is
    /// known already of another revision stays: a call that is gone has counted before.
    pub fn look(&mut self, host: &dyn Host, top: &str, changed: &[String]) {
        let mut names = BTreeSet::new();
        for path in changed.iter().filter(|path| !is_code(path)) {
            names.insert(file_path::last(path).to_owned());
            let folder = file_path::parent(path);
            if folder != "." {
                names.insert(file_path::last(&folder).to_owned());
            }
        }
        for dir in roots_below(host, top) {
            self.look_at(host, &dir, top, &names);
        }
    }

    fn look_at(&mut self, host: &dyn Host, dir: &str, top: &str, names: &BTreeSet<String>) {
        let own = file_path::relative(&file_path::clean(top), dir);
        let mut found = Folder::default();
        let mut has_code = false;
        for entry in host.list(dir).unwrap_or_default() {
            if entry.kind != EntryKind::File {
                continue;
            }
            found.is_root |= VALUES.iter().any(|ending| entry.name.ends_with(ending));
            let Some(is_json) = ending(&entry.name) else { continue };
            has_code = true;
            let Ok(bytes) = host.read(&file_path::join(dir, &entry.name)) else { continue };
            let text = String::from_utf8_lossy(&bytes);
            found.read(&text, is_json, &own);
            if !names.is_empty() {
                let is_part = |c: char| c.is_alphanumeric() || "._-".contains(c);
                let words = text.split(|c| !is_part(c)).filter(|word| names.contains(*word));
                found.speaks_of.extend(words.map(str::to_owned));
            }
        }
        if has_code {
            let known = self.folders.entry(own).or_default();
            known.calls.extend(found.calls);
            known.speaks_of.extend(found.speaks_of);
            known.is_root |= found.is_root;
        }
    }

    /// Every folder of code that is a root, from the top, sorted.
    pub fn roots(&self) -> Vec<String> {
        let called: BTreeSet<&String> =
            self.folders.values().flat_map(|folder| &folder.calls).collect();
        let roots = self.folders.iter().filter(|(dir, one)| one.is_root || !called.contains(dir));
        roots.map(|(dir, _)| dir.clone()).collect()
    }

    /// Every folder of code, from the top, sorted.
    pub fn folders(&self) -> Vec<String> {
        self.folders.keys().cloned().collect()
    }

    /// The roots among them that a change of these files reaches: through the module that a file is a part of or lies in,
    /// through code that speaks of it by its name, and through all that calls those.
    pub fn reached(&self, changed: &[String]) -> Vec<String> {
        let mut callers: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (dir, folder) in &self.folders {
            for called in &folder.calls {
                callers.entry(called).or_default().push(dir);
            }
        }
        let mut reached: BTreeSet<&str> = BTreeSet::new();
        let mut waiting: Vec<&str> = Vec::new();
        let mut seed = |dir: &str| {
            if let Some((dir, _)) = self.folders.get_key_value(dir)
                && reached.insert(dir)
            {
                waiting.push(dir);
            }
        };
        for path in changed {
            let mut at = file_path::parent(path);
            seed(&at);
            // Only the folder itself declares what lies in it; other files are read from wherever the code likes.
            while !is_code(path) && at != "." {
                at = file_path::parent(&at);
                seed(&at);
            }
            if is_code(path) {
                continue;
            }
            let (name, parent) = (file_path::last(path), file_path::parent(path));
            let speaks = |folder: &Folder| {
                folder.speaks_of.contains(name)
                    || folder.speaks_of.contains(file_path::last(&parent))
            };
            for (dir, _) in self.folders.iter().filter(|(_, folder)| speaks(folder)) {
                seed(dir);
            }
        }
        while let Some(dir) = waiting.pop() {
            for caller in callers.get(dir).into_iter().flatten() {
                if reached.insert(caller) {
                    waiting.push(caller);
                }
            }
        }
        self.roots().into_iter().filter(|dir| reached.contains(dir.as_str())).collect()
    }
}

impl Folder {
    /// Takes in what a file says.
    fn read(&mut self, text: &str, is_json: bool, own: &str) {
        let body = match is_json {
            true => Body::json(&parse_json(&text.into(), FileId(0))),
            false => Body::of(&parse_file(&text.into(), FileId(0))),
        };
        let mut silent = Diagnostics::new();
        for block in row::content(&body, &[], MODULE, &mut silent).blocks {
            let Some(known) = MODULE.iter().find(|row| block.kind.text == *row.kind) else {
                continue;
            };
            let inner = row::content(&block.body, known.arguments, known.blocks, &mut silent);
            match known.kind {
                "module" => {
                    let source = inner.argument("source").and_then(|one| literal_text(&one.expr));
                    let local = source.filter(|source| source.starts_with('.'));
                    self.calls.extend(local.map(|source| file_path::join(own, &source)));
                }
                "terraform" => {
                    let mut kinds = inner.blocks.iter().map(|block| block.kind.text.as_str());
                    self.is_root |= kinds.any(|kind| matches!(kind, "backend" | "cloud"));
                }
                "provider" => self.is_root = true,
                _ => {}
            }
        }
    }
}

/// Whether a folder holds code of a module.
pub fn is_module(host: &dyn Host, dir: &str) -> bool {
    let entries = host.list(dir).unwrap_or_default();
    entries.iter().any(|entry| entry.kind == EntryKind::File && ending(&entry.name).is_some())
}

/// Whether a file of that name is code of a module, and whether it is JSON.
fn ending(name: &str) -> Option<bool> {
    let found = CODE.iter().find(|(ending, _)| name.ends_with(ending))?;
    Some(found.1)
}

/// Whether a file is code or values of a root, so that a change of it shows by itself.
pub fn is_code(path: &str) -> bool {
    ending(path).is_some() || VALUES.iter().any(|ending| path.ends_with(ending))
}

#[cfg(test)]
mod tests {
    use super::Calls;
    use crate::MemoryHost;

    fn reach(changed: &[&str]) -> Vec<String> {
        let host = MemoryHost::new()
            .with_file("/r/live/prod/main.tf", "module \"net\" { source = \"../../modules/net\" }")
            .with_file(
                "/r/live/test/main.tf.json",
                r#"{"module":{"net":{"source":"../../modules/net"}}}"#,
            )
            .with_file("/r/live/other/main.tf", "locals { a = file(\"../../data/list.txt\") }")
            .with_file("/r/modules/net/main.tf", "module \"inner\" { source = \"./inner\" }")
            .with_file("/r/modules/net/inner/main.tf", "locals { a = 1 }")
            .with_file("/r/modules/kept/main.tf", "terraform { backend \"local\" {} }")
            .with_file("/r/modules/kept/use/main.tf", "module \"k\" { source = \"../\" }");
        let changed: Vec<String> = changed.iter().map(|path| (*path).to_owned()).collect();
        let mut reach = Calls::default();
        reach.look(&host, "/r", &changed);
        reach.reached(&changed)
    }

    #[test]
    fn modules_reach_who_calls_them() {
        assert_eq!(reach(&["modules/net/inner/main.tf"]), ["live/prod", "live/test"]);
        assert_eq!(reach(&["live/test/x.tfvars"]), ["live/test"]);
        assert_eq!(reach(&["modules/kept/main.tf"]), ["modules/kept", "modules/kept/use"]);
        assert_eq!(reach(&["README.md"]), [""; 0]);
    }

    #[test]
    fn files_reach_who_speaks_of_them_and_where_they_lie() {
        assert_eq!(reach(&["data/list.txt"]), ["live/other"]);
        assert_eq!(reach(&["modules/net/files/any.json"]), ["live/prod", "live/test"]);
    }
}
