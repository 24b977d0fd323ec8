//! Directories that a change of files affects, by the call graph: a directory that calls an affected one as a module is affected
//! too. The search is textual and evaluates nothing: code counts as reading a file if it mentions the file's name or the name of
//! a directory above it, which may be more than it reads.

use std::collections::{BTreeMap, BTreeSet};

use groma_functions::{FunctionReads, TABLE};
use groma_module::{CallGraph, FolderCallers, GraphFolder, is_code};
use groma_runtime::{EntryKind, Host, file_path};
use rustc_hash::FxHashSet;

/// A search for the directories that a change of files affects: the call graph, and the names of changed files that each
/// directory's code mentions.
pub struct AffectedSearch {
    graph: CallGraph,
    /// The paths of the changed files, relative to the top.
    changed: Vec<String>,
    names: ChangedNames,
    folders: BTreeMap<String, FolderMentions>,
}

/// The names by which code may mention the changed files that are not code: their own, and those of the directories above them.
#[derive(Default)]
struct ChangedNames {
    /// The names of changed files that are not code.
    files: FxHashSet<String>,
    /// The names of the directories above these files, up to the top.
    above: FxHashSet<String>,
}

/// The facts about a directory's code that decide if a changed file affects it: the functions it calls and the names it
/// mentions.
#[derive(Default)]
struct FolderMentions {
    /// True if the code calls functions that read files.
    reads: bool,
    /// True if the code calls functions that list files, such as `fileset`.
    lists: bool,
    /// The names of changed files, and of directories above them, that the code mentions.
    speaks_of: BTreeSet<String>,
}

/// A directory of code that a change of files affects, and true if the change is in its code or in modules that it calls.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AffectedFolder {
    /// The directory.
    pub folder: GraphFolder,
    /// True if its code or values, or those of a module that it calls, have changed; false if only files that they may read
    /// have.
    pub by_code: bool,
}

impl AffectedSearch {
    /// Creates a search from all directories below `top`; `changed` are the paths of the changed files, relative to it.
    pub fn of(host: &dyn Host, top: &str, changed: &[String]) -> AffectedSearch {
        let mut names = ChangedNames::default();
        for path in changed.iter().filter(|path| !is_code(path)) {
            names.files.insert(file_path::last(path).to_owned());
            let mut folder = file_path::parent(path);
            while folder != "." && names.above.insert(file_path::last(&folder).to_owned()) {
                folder = file_path::parent(&folder);
            }
        }
        let mut folders = BTreeMap::new();
        let graph = match names.files.is_empty() {
            true => CallGraph::of(host, top),
            false => CallGraph::observed(host, top, &mut |dir, text| {
                names.read(text, &mut folders, dir);
            }),
        };
        AffectedSearch { graph, changed: changed.to_vec(), names, folders }
    }

    /// Adds the module calls and the mentions of changed files that an older revision of the changed code has, read from
    /// `host`: a call that was removed counts, too.
    #[must_use]
    pub fn with_older(mut self, host: &dyn Host) -> AffectedSearch {
        let mut changed: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for path in self.changed.iter().filter(|path| is_code(path)) {
            changed.entry(file_path::parent(path)).or_default().push(file_path::last(path).into());
        }
        for (dir, names) in changed {
            let place =
                |name: &String| file_path::join(&file_path::join(self.graph.top(), &dir), name);
            let is_there = |name: &String| host.kind(&place(name)) == Ok(EntryKind::File);
            let names: Vec<String> = names.into_iter().filter(is_there).collect();
            let (known, folders) = (&self.names, &mut self.folders);
            self.graph.add(host, &dir, &names, &mut |dir, text| known.read(text, folders, dir));
        }
        self
    }

    /// Returns the graph of module calls between all directories of code.
    pub fn graph(&self) -> &CallGraph {
        &self.graph
    }

    /// Returns true if the code of a directory, or of one that it calls, uses a function that lists files, such as `fileset`.
    pub fn calls_list_functions(&self, dir: &str) -> bool {
        let lists = |dir: &str| self.folders.get(dir).is_some_and(|folder| folder.lists);
        self.graph.called_from(dir).into_iter().any(lists)
    }

    /// Returns the directories of code that a change of files affects, sorted: those that contain the files, those that may read
    /// them, and all that call one of these.
    pub fn affected(&self, changed: &[String]) -> Vec<AffectedFolder> {
        let callers = self.graph.callers();
        let by_code = callers.reached_from(self.changed_code(changed));
        let by_files = callers.reached_from(self.may_read(changed));
        let reached = by_code.union(&by_files).copied();
        reached.map(|dir| self.folder(dir, &callers, by_code.contains(dir))).collect()
    }

    /// Returns all directories of code, sorted, as if a change affected each.
    pub fn all(&self) -> Vec<AffectedFolder> {
        let all = self.graph.folders().into_iter();
        all.map(|folder| AffectedFolder { folder, by_code: true }).collect()
    }

    /// Creates the [`AffectedFolder`] with the path `dir` and its entry in the call graph, with `by_code` true if changed
    /// code reaches it, false if only files that it may read have changed; `callers` has the directories that call it.
    fn folder(&self, dir: &str, callers: &FolderCallers<'_>, by_code: bool) -> AffectedFolder {
        AffectedFolder { folder: self.graph.folder(dir, callers), by_code }
    }

    /// Returns the directories that contain changed code or values, and those that may call them by a computed source.
    fn changed_code(&self, changed: &[String]) -> BTreeSet<&str> {
        let code = changed.iter().filter(|path| is_code(path));
        let known = code.filter_map(|path| self.graph.known(&file_path::parent(path)));
        let mut found: BTreeSet<&str> = known.collect();
        if !found.is_empty() {
            found.extend(self.graph.folders_with_computed_sources());
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
            let Some(dir) = self.graph.known(dir) else { continue };
            let lies_within = folder.reads && within.contains(dir);
            if lies_within || folder.speaks_of.iter().any(|name| names.contains(name)) {
                found.insert(dir);
            }
        }
        found
    }
}

impl ChangedNames {
    /// Searches a text of the directory `dir` for names of changed files and for functions that read files, and records them in
    /// the directory's entry of `folders`.
    fn read(&self, text: &str, folders: &mut BTreeMap<String, FolderMentions>, dir: &str) {
        if self.files.is_empty() {
            return;
        }
        let folder = folders.entry(dir.to_owned()).or_default();
        let is_part = |c: char| c.is_alphanumeric() || "._-".contains(c);
        let mut at = 0;
        while let Some(start) = text[at..].find(is_part).map(|skipped| at + skipped) {
            let rest = &text[start..];
            let end = start + rest.find(|c| !is_part(c)).unwrap_or(rest.len());
            let word = &text[start..end];
            at = end;
            if is_reader(word) {
                folder.reads = true;
                folder.lists |= word == "fileset";
            }
            let (before, after) = (text[..start].chars().next_back(), text[end..].chars().next());
            let is_step = before == Some('/') || after == Some('/');
            let is_whole = before == Some('"') && after == Some('"');
            if self.files.contains(word) || (is_step || is_whole) && self.above.contains(word) {
                folder.speaks_of.insert(word.to_owned());
            }
        }
    }
}

/// Returns true if `word` is the name of a function that reads files.
fn is_reader(word: &str) -> bool {
    let functions = TABLE.iter().flat_map(|family| family.functions);
    // A cheap test first: few words begin like these names.
    (word.starts_with("file") || word.starts_with("template"))
        && functions.filter(|row| row.reads == FunctionReads::Files).any(|row| row.name == word)
}

#[cfg(test)]
mod tests {
    use super::{AffectedFolder, AffectedSearch};
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
        let reach = AffectedSearch::of(&host, "/r", &changed);
        let all = reach.affected(&changed).into_iter().filter(|one| one.folder.is_root());
        all.map(|one| one.folder.dir).collect()
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
        let reach = AffectedSearch::of(&tree(), "/r", &changed).with_older(&was);
        let dir = |one: AffectedFolder| one.folder.dir;
        let all: Vec<String> = reach.affected(&changed[1..]).into_iter().map(dir).collect();
        assert_eq!(all, ["live/gone", "live/prod", "live/test", "modules/net"]);
    }
}
