//! Roots that a change of files affects. A directory that calls an affected one as a module is affected too; a directory that no
//! other one calls, or that configures its own state, is a root. The search is textual and evaluates nothing: code counts as
//! reading a file if it mentions the file's name or the name of a directory above it, which may be more than it reads.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use groma_config::{FileKind, FilePurpose, folders_below, literal_text, row};
use groma_functions::{FunctionReads, TABLE};
use groma_module::dialect::MODULE;
use groma_runtime::{EntryKind, Host, file_path};
use groma_syntax::{Body, Diagnostics, FileId, parse_file, parse_json};
use rustc_hash::FxHashSet;

/// The directories of code in a tree, and the calls between them.
pub struct CallGraph {
    /// The hosts of the tree: the newer revision, then the older one, if any.
    hosts: Vec<Arc<dyn Host>>,
    top: String,
    /// The paths of the changed files, relative to the top.
    changed: Vec<String>,
    /// The names of changed files that are not code.
    files: FxHashSet<String>,
    /// The names of the directories above these files, up to the top.
    above: FxHashSet<String>,
    folders: BTreeMap<String, Folder>,
}

/// A directory of code: its files, and what they call and mention.
#[derive(Default)]
struct Folder {
    /// The names of its files with code or values.
    names: BTreeSet<String>,
    /// The directories that it calls as modules.
    calls: BTreeSet<String>,
    /// True if it calls modules by computed sources.
    calls_computed: bool,
    /// True if it calls functions that read files.
    reads: bool,
    /// True if it calls functions that list files, such as `fileset`.
    lists: bool,
    /// The names of changed files, and of directories above them, that it mentions.
    speaks_of: BTreeSet<String>,
}

/// A directory of code that a change affects.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AffectedFolder {
    /// Its path, relative to the top.
    pub dir: String,
    /// True if another directory calls it as a module.
    pub is_called: bool,
    /// True if its own files show that it is a root: it configures a state or a provider, or has variable files.
    pub is_evident: bool,
    /// True if code or values that it is made of have changed; false if only files that it may read have.
    pub by_code: bool,
}

impl AffectedFolder {
    /// Returns true if it is planned by itself: its files show it, or no other directory calls it.
    pub fn is_root(&self) -> bool {
        self.is_evident || !self.is_called
    }
}

impl CallGraph {
    /// Reads all directories of a tree below `top`. `changed` are the paths of the changed files, relative to it.
    pub fn of(host: Arc<dyn Host>, top: &str, changed: &[String]) -> CallGraph {
        let mut files = FxHashSet::default();
        let mut above = FxHashSet::default();
        for path in changed.iter().filter(|path| !is_code(path)) {
            files.insert(file_path::last(path).to_owned());
            let mut folder = file_path::parent(path);
            while folder != "." && above.insert(file_path::last(&folder).to_owned()) {
                folder = file_path::parent(&folder);
            }
        }
        let top = file_path::clean(top);
        let mut graph = CallGraph {
            hosts: Vec::new(),
            changed: changed.to_vec(),
            files,
            above,
            folders: BTreeMap::new(),
            top,
        };
        for (dir, names) in folders_below(&*host, &graph.top) {
            let own = file_path::relative(&graph.top, &dir);
            graph.look(&*host, &own, names);
        }
        graph.hosts.push(host);
        graph
    }

    /// Adds the calls of an older revision in the changed files, because a removed call counts too.
    #[must_use]
    pub fn with_older(mut self, host: Arc<dyn Host>) -> CallGraph {
        let mut changed: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for path in self.changed.iter().filter(|path| is_code(path)) {
            changed.entry(file_path::parent(path)).or_default().push(file_path::last(path).into());
        }
        for (dir, names) in changed {
            let place = |name: &String| file_path::join(&file_path::join(&self.top, &dir), name);
            let is_there = |name: &String| host.kind(&place(name)) == Ok(EntryKind::File);
            let names = names.into_iter().filter(is_there).collect();
            self.look(&*host, &dir, names);
        }
        self.hosts.push(host);
        self
    }

    /// Adds what files of a directory call and mention.
    fn look(&mut self, host: &dyn Host, dir: &str, names: Vec<String>) {
        let names: Vec<String> = names.into_iter().filter(|name| is_code(name)).collect();
        let mut folder = Folder::default();
        for name in &names {
            let path = file_path::join(&file_path::join(&self.top, dir), name);
            let Ok(bytes) = host.read(&path) else { continue };
            let text = String::from_utf8_lossy(&bytes);
            let code = ending(name);
            if let Some(is_json) = code
                && text.contains("module")
            {
                folder.read_calls(&text, is_json, dir);
            }
            if !self.files.is_empty() {
                folder.read_words(&text, &self.files, &self.above);
            }
        }
        let has_code = names.iter().any(|name| ending(name).is_some());
        if has_code || self.folders.contains_key(dir) {
            let known = self.folders.entry(dir.to_owned()).or_default();
            known.names.extend(names);
            known.calls.extend(folder.calls);
            known.speaks_of.extend(folder.speaks_of);
            known.calls_computed |= folder.calls_computed;
            known.reads |= folder.reads;
            known.lists |= folder.lists;
        }
    }

    /// Returns true if a directory contains code on either side.
    pub fn has_code(&self, dir: &str) -> bool {
        self.folders.contains_key(dir)
    }

    /// Returns true if a directory, or one that it calls, uses a function that lists files.
    pub fn asks_for_lists(&self, dir: &str) -> bool {
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        let mut waiting = vec![dir];
        while let Some(dir) = waiting.pop() {
            let Some((dir, folder)) = self.folders.get_key_value(dir) else { continue };
            if seen.insert(dir) {
                if folder.lists {
                    return true;
                }
                waiting.extend(folder.calls.iter().map(String::as_str));
            }
        }
        false
    }

    /// Returns the directories of code that a change of files affects, sorted: those that contain the files, those that may read
    /// them, and all that call one of these.
    pub fn affected(&self, changed: &[String]) -> Vec<AffectedFolder> {
        let callers = self.callers();
        let by_code = closure(self.changed_code(changed), &callers);
        let by_files = closure(self.may_read(changed), &callers);
        let reached = by_code.union(&by_files).copied();
        reached.map(|dir| self.folder(dir, &callers, by_code.contains(dir))).collect()
    }

    /// Returns all directories of code, sorted, as if a change affected each.
    pub fn all(&self) -> Vec<AffectedFolder> {
        let callers = self.callers();
        self.folders.keys().map(|dir| self.folder(dir, &callers, true)).collect()
    }

    /// Returns the folders that call the module in a folder, directly or through others, sorted.
    pub fn callers_of(&self, dir: &str) -> Vec<AffectedFolder> {
        let callers = self.callers();
        let reached = closure(BTreeSet::from([dir]), &callers);
        let others = reached.into_iter().filter(|other| *other != dir);
        others.map(|other| self.folder(other, &callers, true)).collect()
    }

    /// Returns the directories that call each directory, without itself.
    fn callers(&self) -> BTreeMap<&str, Vec<&str>> {
        let mut callers: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (dir, folder) in &self.folders {
            for called in folder.calls.iter().filter(|called| *called != dir) {
                callers.entry(called).or_default().push(dir);
            }
        }
        callers
    }

    /// Returns the description of an affected directory.
    fn folder(
        &self,
        dir: &str,
        callers: &BTreeMap<&str, Vec<&str>>,
        by_code: bool,
    ) -> AffectedFolder {
        AffectedFolder {
            dir: dir.to_owned(),
            is_called: callers.contains_key(dir),
            is_evident: self.is_evident(dir),
            by_code,
        }
    }

    /// Returns the directories with changed code or values, and those that may call them by a computed source.
    fn changed_code(&self, changed: &[String]) -> BTreeSet<&str> {
        let mut found = BTreeSet::new();
        for path in changed.iter().filter(|path| is_code(path)) {
            if let Some((dir, _)) = self.folders.get_key_value(&file_path::parent(path)) {
                found.insert(dir.as_str());
            }
        }
        if !found.is_empty() {
            let computed = self.folders.iter().filter(|(_, folder)| folder.calls_computed);
            found.extend(computed.map(|(dir, _)| dir.as_str()));
        }
        found
    }

    /// Returns the directories whose code may read one of the changed files that are not code.
    fn may_read(&self, changed: &[String]) -> BTreeSet<&str> {
        let mut found = BTreeSet::new();
        let mut names: FxHashSet<String> = FxHashSet::default();
        let mut within: FxHashSet<String> = FxHashSet::default();
        for path in changed.iter().filter(|path| !is_code(path)) {
            names.insert(file_path::last(path).to_owned());
            let mut folder = file_path::parent(path);
            while within.insert(folder.clone()) && folder != "." {
                names.insert(file_path::last(&folder).to_owned());
                folder = file_path::parent(&folder);
            }
        }
        for (dir, folder) in &self.folders {
            let lies_within = folder.reads && within.contains(dir);
            if lies_within || folder.speaks_of.iter().any(|name| names.contains(name)) {
                found.insert(dir.as_str());
            }
        }
        found
    }

    /// Returns true if the files of a directory show that it is a root.
    fn is_evident(&self, dir: &str) -> bool {
        let Some(folder) = self.folders.get(dir) else { return false };
        if folder.names.iter().any(|name| ending(name).is_none()) {
            return true;
        }
        folder.names.iter().any(|name| {
            let path = file_path::join(&file_path::join(&self.top, dir), name);
            let Some(bytes) = self.hosts.iter().find_map(|host| host.read(&path).ok()) else {
                return false;
            };
            let text = String::from_utf8_lossy(&bytes);
            let is_json = ending(name).unwrap_or_default();
            ["provider", "backend", "cloud"].iter().any(|word| text.contains(word))
                && sets_up(&text, is_json)
        })
    }
}

/// Returns directories together with all that call them, directly or not.
fn closure<'g>(
    from: BTreeSet<&'g str>,
    callers: &BTreeMap<&'g str, Vec<&'g str>>,
) -> BTreeSet<&'g str> {
    let mut waiting: Vec<&str> = from.iter().copied().collect();
    let mut reached = from;
    while let Some(dir) = waiting.pop() {
        for caller in callers.get(dir).into_iter().flatten() {
            if reached.insert(caller) {
                waiting.push(caller);
            }
        }
    }
    reached
}

impl Folder {
    /// Adds the modules that a file calls.
    fn read_calls(&mut self, text: &str, is_json: bool, own: &str) {
        let mut silent = Diagnostics::new();
        for block in row::content(&body(text, is_json), &[], MODULE, &mut silent).blocks {
            let known = MODULE.iter().find(|row| block.kind.text == *row.kind);
            let Some(known) = known.filter(|known| known.kind == "module") else { continue };
            let inner = row::content(&block.body, known.arguments, known.blocks, &mut silent);
            let Some(source) = inner.argument("source") else { continue };
            match literal_text(&source.expr) {
                Some(source) if source.starts_with('.') => {
                    self.calls.insert(file_path::join(own, &source));
                }
                Some(_) => {}
                None => self.calls_computed = true,
            }
        }
    }

    /// Adds the given names that a text mentions as parts of a path.
    fn read_words(&mut self, text: &str, files: &FxHashSet<String>, above: &FxHashSet<String>) {
        let is_part = |c: char| c.is_alphanumeric() || "._-".contains(c);
        let mut at = 0;
        while let Some(start) = text[at..].find(is_part).map(|skipped| at + skipped) {
            let rest = &text[start..];
            let end = start + rest.find(|c| !is_part(c)).unwrap_or(rest.len());
            let word = &text[start..end];
            at = end;
            if is_reader(word) {
                self.reads = true;
                self.lists |= word == "fileset";
            }
            let (before, after) = (text[..start].chars().next_back(), text[end..].chars().next());
            let is_step = before == Some('/') || after == Some('/');
            let is_whole = before == Some('"') && after == Some('"');
            if files.contains(word) || (is_step || is_whole) && above.contains(word) {
                self.speaks_of.insert(word.to_owned());
            }
        }
    }
}

/// Returns true if a function of that name reads files.
fn is_reader(word: &str) -> bool {
    let functions = TABLE.iter().flat_map(|family| family.functions);
    // A cheap test first: few words begin like these names.
    (word.starts_with("file") || word.starts_with("template"))
        && functions.filter(|row| row.reads == FunctionReads::Files).any(|row| row.name == word)
}

/// Parses a text as a body.
fn body(text: &str, is_json: bool) -> Body {
    match is_json {
        true => Body::json(&parse_json(&text.into(), FileId(0))),
        false => Body::of(&parse_file(&text.into(), FileId(0))),
    }
}

/// Returns true if a file configures a provider or a backend.
fn sets_up(text: &str, is_json: bool) -> bool {
    let mut silent = Diagnostics::new();
    row::content(&body(text, is_json), &[], MODULE, &mut silent).blocks.iter().any(|block| {
        let Some(known) = MODULE.iter().find(|row| block.kind.text == *row.kind) else {
            return false;
        };
        match known.kind {
            "provider" => true,
            "terraform" => {
                let mut silent = Diagnostics::new();
                let inner = row::content(&block.body, known.arguments, known.blocks, &mut silent);
                let mut kinds = inner.blocks.iter().map(|block| block.kind.text.as_str());
                kinds.any(|kind| matches!(kind, "backend" | "cloud"))
            }
            _ => false,
        }
    })
}

/// Returns every directory in and below `top` with code of a module, relative to it, sorted.
pub fn module_folders(host: &dyn Host, top: &str) -> Vec<String> {
    let top = file_path::clean(top);
    let all = folders_below(host, &top).into_iter();
    let of_code = all.filter(|(_, names)| names.iter().any(|name| ending(name).is_some()));
    of_code.map(|(dir, _)| file_path::relative(&top, &dir)).collect()
}

/// Returns true if a directory contains code of a module.
pub fn is_module(host: &dyn Host, dir: &str) -> bool {
    let entries = host.list(dir).unwrap_or_default();
    entries.iter().any(|entry| entry.kind == EntryKind::File && ending(&entry.name).is_some())
}

/// Returns true if a code file of that name is JSON, false if native; `None` if it is not code of a module.
fn ending(name: &str) -> Option<bool> {
    FileKind::of(name).filter(|_| FileKind::is_module(name)).map(FileKind::is_json)
}

/// Returns true if a file is code or a variable file, whose changes show without being read by a function.
pub fn is_code(path: &str) -> bool {
    let is_values = |kind: FileKind| kind.purpose == FilePurpose::Values && kind.owner.is_none();
    FileKind::is_module(path) || FileKind::of(path).is_some_and(is_values)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{AffectedFolder, CallGraph};
    use crate::MemoryHost;

    fn tree() -> MemoryHost {
        MemoryHost::new()
            .with_file("/r/versions.tf", "terraform { required_version = \">= 1.0\" }")
            .with_file("/r/live/prod/main.tf", "module \"net\" { source = \"../../modules/net\" }")
            .with_file(
                "/r/live/test/main.tf.json",
                r#"{"module":{"net":{"source":"../../modules/net"}}}"#,
            )
            .with_file("/r/live/other/main.tf", "locals { a = file(\"../../data/list.txt\") }")
            .with_file("/r/live/deep/main.tf", "locals { a = file(\"../../lists/${var.a}\") }")
            .with_file("/r/live/data/main.tf", "locals { lists = data.lists.a }")
            .with_file("/r/modules/net/main.tf", "module \"inner\" { source = \"./inner\" }")
            .with_file("/r/modules/net/inner/main.tf", "locals { a = file(\"files/a\") }")
            .with_file("/r/modules/kept/main.tf", "terraform { backend \"local\" {} }")
            .with_file("/r/modules/kept/use/main.tf", "module \"k\" { source = \"../\" }")
    }

    fn roots(host: MemoryHost, changed: &[&str]) -> Vec<String> {
        let changed: Vec<String> = changed.iter().map(|path| (*path).to_owned()).collect();
        let graph = CallGraph::of(Arc::new(host), "/r", &changed);
        let all = graph.affected(&changed).into_iter().filter(AffectedFolder::is_root);
        all.map(|one| one.dir).collect()
    }

    fn reached(changed: &[&str]) -> Vec<String> {
        roots(tree(), changed)
    }

    #[test]
    fn modules_reach_what_calls_them() {
        assert_eq!(reached(&["modules/net/inner/main.tf"]), ["live/prod", "live/test"]);
        assert_eq!(reached(&["live/test/x.tfvars"]), ["live/test"]);
        assert_eq!(reached(&["modules/kept/main.tf"]), ["modules/kept", "modules/kept/use"]);
        assert_eq!(reached(&["README.md"]), [""; 0]);
    }

    #[test]
    fn files_reach_what_speaks_of_them_and_what_reads_where_they_lie() {
        assert_eq!(reached(&["data/list.txt"]), ["live/other"]);
        assert_eq!(reached(&["lists/below/any.txt"]), ["live/deep"]);
        assert_eq!(reached(&["modules/net/inner/files/any.json"]), ["live/prod", "live/test"]);
        assert_eq!(reached(&["live/prod/notes.md"]), [""; 0]);
    }

    #[test]
    fn a_source_that_is_not_written_out_may_lead_to_any_module() {
        let computed = "module \"a\" { source = \"../modules/${var.a}\" }";
        let host = tree().with_file("/r/stack/main.tf", computed);
        assert_eq!(
            roots(host, &["modules/net/inner/main.tf"]),
            ["live/prod", "live/test", "stack"]
        );
    }

    #[test]
    fn calls_that_are_gone_count() {
        let was = tree()
            .with_file("/r/live/gone/main.tf", "module \"n\" { source = \"../../modules/net\" }");
        let changed = ["live/gone/main.tf".to_owned(), "modules/net/main.tf".to_owned()];
        let graph = CallGraph::of(Arc::new(tree()), "/r", &changed).with_older(Arc::new(was));
        let all: Vec<String> =
            graph.affected(&changed[1..]).into_iter().map(|one| one.dir).collect();
        assert_eq!(all, ["live/gone", "live/prod", "live/test", "modules/net"]);
    }
}
