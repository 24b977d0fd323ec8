//! Graph of the module calls between the folders of a directory tree, read from literal sources without an evaluation:
//! a computed source is counted and not followed. Paths are compared by name, so a link is a folder of its own.

use std::collections::{BTreeMap, BTreeSet};

use groma_config::{FileKind, FilePurpose, RawBlock, folders_below, literal_text, path, row};
use groma_runtime::{EntryKind, Host, file_path, map_on_threads};
use groma_syntax::{Block, Body, Diagnostics, Expr, FileId, parse_file, parse_json};

use crate::dialect::MODULE;

/// A module call as the call graph needs it: its name, its source, and whether it is repeated.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FolderCall {
    /// The name of the block.
    pub name: String,
    /// The module source, if it is a literal string.
    pub source: Option<String>,
    /// True if the source is an expression.
    pub is_computed: bool,
    /// True if the module may have several instances.
    pub is_repeated: bool,
}

impl FolderCall {
    /// Reads the name, source and repetition of the call that a `module` block makes.
    pub fn of(block: &RawBlock) -> FolderCall {
        let argument = |name: &str| block.argument(name).map(|one| &one.expr);
        FolderCall::from_arguments(block.label(0), &argument)
    }

    /// Merges a block of the same name from an override file into this call.
    pub fn merge(&mut self, other: FolderCall) {
        self.is_repeated |= other.is_repeated;
        if other.source.is_some() {
            self.source = other.source;
        }
        self.is_computed |= other.is_computed;
    }

    /// Returns the path of the called folder if the source is a local path; `dir` is the path of the calling folder.
    pub fn folder(&self, dir: &str) -> Option<String> {
        let source = self.source.as_deref().filter(|source| is_local_source(source))?;
        Some(file_path::join(dir, source))
    }

    /// Builds the call of a `module` block from its name and a lookup of its arguments.
    fn from_arguments<'e>(name: &str, argument: &dyn Fn(&str) -> Option<&'e Expr>) -> FolderCall {
        let source = argument("source");
        let text = source.and_then(literal_text);
        FolderCall {
            name: name.to_owned(),
            is_computed: source.is_some() && text.is_none(),
            source: text,
            is_repeated: ["count", "for_each"].iter().any(|name| argument(name).is_some()),
        }
    }
}

/// Returns true if a module source is a file path, not the address of a package.
pub fn is_local_source(source: &str) -> bool {
    matches!(source, "." | "..") || ["./", "../", "/"].iter().any(|start| source.starts_with(start))
}

/// The module calls in one file, and true if the file shows that its folder is a root, for example by configuring a provider.
#[derive(Clone, Default, Debug)]
struct FileCalls {
    calls: Vec<FolderCall>,
    /// True if the file shows that its folder is a root: it configures a provider or a backend, or sets variables.
    is_evident: bool,
}

/// The folders in a directory tree that contain code, with the module calls from folder to folder.
#[derive(Clone, Default, Debug)]
pub struct CallGraph {
    top: String,
    /// For each folder, by its path relative to the top, its files of code and values, by name.
    folders: BTreeMap<String, BTreeMap<String, FileCalls>>,
}

/// A folder of a call graph: its path, whether another folder calls it, and whether its files show that it is a root.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GraphFolder {
    /// The path relative to the topmost folder.
    pub dir: String,
    /// True if another folder calls this one as a module.
    pub is_called: bool,
    /// True if its files show that it is a root: they configure a provider or a backend, or set variables.
    pub is_evident: bool,
}

impl GraphFolder {
    /// Returns true if the folder is a root: its files configure a provider or a backend or set variables, or no other folder
    /// calls it.
    pub fn is_root(&self) -> bool {
        self.is_evident || !self.is_called
    }
}

/// The callers of each called folder; a folder that calls itself does not count.
pub struct FolderCallers<'g>(BTreeMap<String, BTreeSet<&'g str>>);

impl<'g> FolderCallers<'g> {
    /// Returns the folders `from` with all folders that call them, directly or through others.
    pub fn reached_from(&self, from: BTreeSet<&'g str>) -> BTreeSet<&'g str> {
        let mut waiting: Vec<&str> = from.iter().copied().collect();
        let mut reached = from;
        while let Some(dir) = waiting.pop() {
            for caller in self.0.get(dir).into_iter().flatten() {
                if reached.insert(caller) {
                    waiting.push(caller);
                }
            }
        }
        reached
    }
}

impl CallGraph {
    /// Builds the graph of all folders in and below `top`.
    pub fn of(host: &dyn Host, top: &str) -> CallGraph {
        CallGraph::on_threads(host, top, 1)
    }

    /// Builds the graph of all folders in and below `top` on at most `threads` threads.
    pub fn on_threads(host: &dyn Host, top: &str, threads: usize) -> CallGraph {
        let mut graph = CallGraph { top: file_path::clean(top), folders: BTreeMap::new() };
        let folders = folders_below(host, &graph.top);
        let read = map_on_threads(&folders, threads, |(dir, names)| {
            let mut own = CallGraph { top: graph.top.clone(), folders: BTreeMap::new() };
            let dir = file_path::relative(&graph.top, dir);
            own.add_files(host, (&dir, names), false, &mut |_, _| ());
            own.folders
        });
        graph.folders.extend(read.into_iter().flatten());
        graph
    }

    /// Builds the graph of all folders in and below `top`; calls `observe` with the folder and the text of each file read, so
    /// that callers need not read it again.
    pub fn observed(host: &dyn Host, top: &str, observe: &mut dyn FnMut(&str, &str)) -> CallGraph {
        let mut graph = CallGraph { top: file_path::clean(top), folders: BTreeMap::new() };
        for (dir, names) in folders_below(host, &graph.top) {
            let dir = file_path::relative(&graph.top, &dir);
            graph.add(host, &dir, &names, observe);
        }
        graph
    }

    /// Returns the path of the topmost folder, to which all other paths of the graph are relative.
    pub fn top(&self) -> &str {
        &self.top
    }

    /// Adds the module calls in the files `names` of the folder `dir` to the graph, and whether the files show that the
    /// folder is a root; `observe` gets the folder and each text read. What a file that is already in it has shown stays, and
    /// gets the calls of both texts.
    pub fn add(
        &mut self,
        host: &dyn Host,
        dir: &str,
        names: &[String],
        observe: &mut dyn FnMut(&str, &str),
    ) {
        self.add_files(host, (dir, names), true, observe);
    }

    /// Adds the module calls in the named files of a folder to the graph, and whether the files show that the folder is a
    /// root; `observe` gets the folder and each text read, and files of variable values, which the graph does not need, are
    /// read only if `is_observed`.
    fn add_files(
        &mut self,
        host: &dyn Host,
        (dir, names): (&str, &[String]),
        is_observed: bool,
        observe: &mut dyn FnMut(&str, &str),
    ) {
        let counted = || names.iter().filter(|name| is_code(name));
        let has_code = counted().any(|name| FileKind::is_module(name));
        if !has_code && !self.folders.contains_key(dir) {
            return;
        }
        for name in counted() {
            let path = file_path::join(&file_path::join(&self.top, dir), name);
            // The text of a value file matters to an observer alone.
            let is_wanted = is_observed || FileKind::is_module(name);
            let text = is_wanted.then(|| host.read(&path).ok()).flatten();
            let text = text.as_deref().map(String::from_utf8_lossy);
            if let Some(text) = &text {
                observe(dir, text);
            }
            let read = FileCalls::of(name, text.as_deref().unwrap_or_default());
            let known = self.folders.entry(dir.to_owned()).or_default();
            match known.get_mut(name) {
                Some(known) => known.calls.extend(read.calls),
                None => drop(known.insert(name.clone(), read)),
            }
        }
    }

    /// Updates the graph by reading the folders of the changed paths again: `changed` are files, or folders with all their
    /// content, relative to the topmost folder.
    pub fn refresh<'p>(&mut self, host: &dyn Host, changed: impl Iterator<Item = &'p str>) {
        let mut folders: BTreeSet<String> = BTreeSet::new();
        let mut trees: BTreeSet<&str> = BTreeSet::new();
        for changed in changed {
            if changed.split('/').any(|step| step.starts_with('.') && step != ".") {
                // Hidden files and folders are not in the graph.
                continue;
            }
            folders.insert(file_path::parent(changed));
            let inside = format!("{changed}/");
            let mut known = self.folders.range(inside.clone()..);
            let is_known = self.folders.contains_key(changed)
                || known.next().is_some_and(|(dir, _)| dir.starts_with(&inside));
            let is_folder =
                || host.kind(&file_path::join(&self.top, changed)) == Ok(EntryKind::Directory);
            if is_known || changed == "." || is_folder() {
                trees.insert(changed);
            }
        }
        if trees.contains(".") {
            *self = CallGraph::of(host, &self.top);
            return;
        }
        let real = |path: &str| host.canonical(path).ok();
        let Some(real_top) = real(&self.top) else { return self.folders.clear() };
        // A link to a folder is not followed, whatever is reported below it.
        let is_walked = |path: &str, dir: &str| {
            real(path).is_some_and(|real| real == file_path::join(&real_top, dir))
        };
        for dir in folders {
            self.folders.remove(&dir);
            let path = file_path::join(&self.top, &dir);
            if is_walked(&path, &dir) {
                let entries = host.list(&path).unwrap_or_default().into_iter();
                let files =
                    entries.filter(|one| one.kind == EntryKind::File && !one.name.starts_with('.'));
                let names: Vec<String> = files.map(|one| one.name).collect();
                self.add_files(host, (&dir, &names), false, &mut |_, _| ());
            }
        }
        for dir in trees {
            let path = file_path::join(&self.top, dir);
            self.folders.retain(|known, _| known != dir && !path::is_within(known, dir));
            if is_walked(&path, dir) {
                for (below, names) in folders_below(host, &path) {
                    let below = file_path::relative(&self.top, &below);
                    self.add_files(host, (&below, &names), false, &mut |_, _| ());
                }
            }
        }
    }

    /// Returns true if the graph contains the folder, which means that there are module files in it.
    pub fn has_code(&self, dir: &str) -> bool {
        self.folders.contains_key(dir)
    }

    /// Iterates over the folders of the graph, each with the names of its files of code and values, sorted.
    pub fn files(&self) -> impl Iterator<Item = (&str, impl Iterator<Item = &str>)> {
        let all = self.folders.iter();
        all.map(|(dir, files)| (dir.as_str(), files.keys().map(String::as_str)))
    }

    /// Returns all folders of the graph, sorted by path.
    pub fn folders(&self) -> Vec<GraphFolder> {
        let callers = self.callers();
        self.folders.keys().map(|dir| self.folder(dir, &callers)).collect()
    }

    /// Returns the folders that call the module in a folder, directly or through others, sorted.
    pub fn callers_of(&self, dir: &str) -> Vec<GraphFolder> {
        let callers = self.callers();
        let reached = callers.reached_from(BTreeSet::from([dir]));
        let others = reached.into_iter().filter(|other| *other != dir);
        others.map(|other| self.folder(other, &callers)).collect()
    }

    /// Returns the folders that a folder calls, directly or through others, with the folder itself.
    pub fn called_from<'g>(&'g self, dir: &str) -> BTreeSet<&'g str> {
        let mut reached: BTreeSet<&str> = BTreeSet::new();
        let mut waiting = vec![dir.to_owned()];
        while let Some(dir) = waiting.pop() {
            let Some((dir, _)) = self.folders.get_key_value(&dir) else { continue };
            if reached.insert(dir) {
                waiting.extend(self.calls(dir).filter_map(|call| call.folder(dir)));
            }
        }
        reached
    }

    /// Iterates over the module calls in all files of a folder.
    pub fn calls(&self, dir: &str) -> impl Iterator<Item = &FolderCall> {
        self.folders.get(dir).into_iter().flat_map(BTreeMap::values).flat_map(|file| &file.calls)
    }

    /// Returns the folders with a module call whose source is computed, so that it may lead to any folder.
    pub fn folders_with_computed_sources(&self) -> impl Iterator<Item = &str> {
        let all = self.folders.keys().map(String::as_str);
        all.filter(|dir| self.calls(dir).any(|call| call.is_computed))
    }

    /// Returns a folder's path as the graph stores it; `None` if the folder is not in the graph.
    pub fn known<'g>(&'g self, dir: &str) -> Option<&'g str> {
        self.folders.get_key_value(dir).map(|(dir, _)| dir.as_str())
    }

    /// Returns the index from each called folder to the folders that call it.
    pub fn callers(&self) -> FolderCallers<'_> {
        let mut callers: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
        for dir in self.folders.keys() {
            for called in self.calls(dir).filter_map(|call| call.folder(dir)) {
                if called != *dir {
                    callers.entry(called).or_default().insert(dir);
                }
            }
        }
        FolderCallers(callers)
    }

    /// Returns the entry of a folder: its path, and whether it is called or evidently a root.
    pub fn folder(&self, dir: &str, callers: &FolderCallers<'_>) -> GraphFolder {
        let files = self.folders.get(dir);
        GraphFolder {
            dir: dir.to_owned(),
            is_called: callers.0.contains_key(dir),
            is_evident: files.is_some_and(|files| files.values().any(|file| file.is_evident)),
        }
    }
}

impl FileCalls {
    /// Reads the module calls in the text of one file, and whether it shows that its folder is a root.
    fn of(name: &str, text: &str) -> FileCalls {
        let mut file = FileCalls::default();
        if !FileKind::is_module(name) {
            file.is_evident = true;
            return file;
        }
        if !["module", "provider", "backend", "cloud"].iter().any(|word| text.contains(word)) {
            return file;
        }
        let body = match FileKind::of(name).is_some_and(FileKind::is_json) {
            true => Body::json(&parse_json(&text.into(), FileId(0))),
            false => Body::of(&parse_file(&text.into(), FileId(0))),
        };
        for block in row::content(&body, &[], MODULE, &mut Diagnostics::new()).blocks {
            file.block(&block);
        }
        file
    }

    /// Adds what a top-level block contributes: a module call, or, if it configures a provider or a backend, evidence that the
    /// folder is a root.
    fn block(&mut self, block: &Block) {
        let Some(row) = MODULE.iter().find(|row| block.kind.text == *row.kind) else { return };
        let inner =
            || row::content(&block.body, row.arguments, row.blocks, &mut Diagnostics::new());
        match row.kind {
            "module" => {
                let inner = inner();
                let argument = |name: &str| inner.argument(name).map(|one| &one.expr);
                let name = block.labels.first().map(|label| label.text.to_string());
                self.calls.push(FolderCall::from_arguments(&name.unwrap_or_default(), &argument));
            }
            "provider" => self.is_evident = true,
            "terraform" => {
                let blocks = inner().blocks;
                let mut kinds = blocks.iter().map(|block| block.kind.text.as_str());
                self.is_evident |= kinds.any(|kind| matches!(kind, "backend" | "cloud"));
            }
            _ => {}
        }
    }
}

/// Returns the paths relative to `top`, sorted, of every folder in and below it that contains module files.
pub fn module_folders(host: &dyn Host, top: &str) -> Vec<String> {
    let top = file_path::clean(top);
    let all = folders_below(host, &top).into_iter();
    let of_code = all.filter(|(_, names)| names.iter().any(|name| FileKind::is_module(name)));
    of_code.map(|(dir, _)| file_path::relative(&top, &dir)).collect()
}

/// Returns true if a folder contains module files.
pub fn is_module(host: &dyn Host, dir: &str) -> bool {
    let entries = host.list(dir).unwrap_or_default();
    entries.iter().any(|entry| entry.kind == EntryKind::File && FileKind::is_module(&entry.name))
}

/// Returns true if the call graph reads a file: module files, and files of variable values with an ending that OpenTofu and
/// Terraform share.
pub fn is_code(path: &str) -> bool {
    let is_values = |kind: FileKind| kind.purpose == FilePurpose::Values && kind.owner.is_none();
    FileKind::is_module(path) || FileKind::of(path).is_some_and(is_values)
}

#[cfg(test)]
mod tests {
    use groma_runtime::MemoryHost;

    use super::*;

    /// Returns the text of a module file with one module call of this source.
    fn calls(source: &str) -> String {
        format!("module \"m\" {{\n  source = \"{source}\"\n}}\n")
    }

    /// Returns a line for each folder of the graph: root or module, its path, and the folders that call it.
    fn described(graph: &CallGraph) -> Vec<String> {
        let callers = |dir: &str| graph.callers_of(dir).into_iter().map(|one| one.dir);
        let one = |folder: GraphFolder| {
            let callers: Vec<String> = callers(&folder.dir).collect();
            let root = if folder.is_root() { "root" } else { "module" };
            format!("{root} {} <- {}", folder.dir, callers.join(" "))
        };
        graph.folders().into_iter().map(one).collect()
    }

    /// Tests that a refreshed graph equals one that is built from the changed files.
    #[test]
    fn what_is_read_again_is_as_if_it_were_read_anew() {
        let mut files: BTreeMap<String, String> = [
            ("/w/app/main.tf", calls("../net")),
            ("/w/net/main.tf", calls("./inner")),
            ("/w/net/inner/main.tf", "locals {}\n".to_owned()),
            ("/w/lib/main.tf", "locals {}\n".to_owned()),
        ]
        .map(|(path, text)| (path.to_owned(), text))
        .into();
        let host = |files: &BTreeMap<String, String>| {
            let all = files.iter();
            all.fold(MemoryHost::new(), |host, (path, text)| host.with_file(path, text.clone()))
        };
        let mut graph = CallGraph::of(&host(&files), "/w");
        let expected =
            ["root app <- ", "root lib <- ", "module net <- app", "module net/inner <- app net"];
        assert_eq!(described(&graph), expected);
        /// Changed files with their new texts, and the paths that are reported.
        type ChangeStep<'s> = (&'s [(&'s str, Option<String>)], &'s [&'s str]);
        let steps: &[ChangeStep<'_>] = &[
            (&[("app/main.tf", Some(calls("../lib")))], &["app/main.tf"]),
            (&[("new/deep/main.tf", Some(calls("../../net")))], &["new/deep/main.tf"]),
            (&[("new/other/main.tf", Some(calls("../deep")))], &["new"]),
            (&[("net/inner/x.tfvars", Some("a = 1\n".to_owned()))], &["net/inner/x.tfvars"]),
            (&[("net/main.tf", None), ("net/inner/main.tf", None)], &["net"]),
            (&[(".terraform/modules/a/main.tf", Some(calls("../lib")))], &[".terraform"]),
        ];
        for (new, changed) in steps {
            for (path, text) in *new {
                match text {
                    Some(text) => files.insert(format!("/w/{path}"), text.clone()),
                    None => files.remove(&format!("/w/{path}")),
                };
            }
            let host = host(&files);
            graph.refresh(&host, changed.iter().copied());
            assert_eq!(described(&graph), described(&CallGraph::of(&host, "/w")), "{changed:?}");
        }
    }

    /// Tests the name, folder and repetition that the graph records of a module call.
    #[test]
    fn a_call_says_by_which_declaration() {
        let text = "module \"a\" {\n  count = 2\n  source = \"./a\"\n}\nmodule \"b\" {\n  source = \"${var.x}/b\"\n}\n";
        let host = MemoryHost::new().with_file("/w/main.tf", text);
        let graph = CallGraph::of(&host, "/w");
        let calls: Vec<&FolderCall> = graph.calls(".").collect();
        let shown = |call: &FolderCall| (call.name.clone(), call.folder("."), call.is_repeated);
        assert_eq!(shown(calls[0]), ("a".to_owned(), Some("a".to_owned()), true));
        assert_eq!(shown(calls[1]), ("b".to_owned(), None, false));
        assert_eq!(graph.folders_with_computed_sources().collect::<Vec<_>>(), ["."]);
    }
}
