//! Cached call graphs of a workspace, one for each top directory that was requested. Only directories with changed files are
//! read again.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use groma_module::{CallGraph, is_code};
use groma_runtime::{Host, OverlayHost, Texts, absolute, file_path};

use crate::Workspace;
use crate::workspace::lock;

/// Maximum number of changed paths recorded for a cached call graph; beyond it the whole graph is read again.
const PATH_LIMIT: usize = 10_000;

/// Maximum number of cached call graphs, one for each top directory; beyond it the least recently requested one is dropped.
const GRAPH_LIMIT: usize = 16;

/// The files of a call graph that are symbolic links: the links by the path of their target, which a change is reported by.
#[derive(Default)]
struct LinkedFiles {
    /// The paths of links, relative to the top of the graph, by the absolute path of the target.
    by_target: BTreeMap<String, BTreeSet<String>>,
}

impl LinkedFiles {
    /// Finds the links among the files of a graph.
    fn of(host: &dyn Host, graph: &CallGraph) -> LinkedFiles {
        let mut found = LinkedFiles::default();
        found.add(host, graph, |_| true);
        found
    }

    /// Finds the links in the folders for which `is_wanted` returns true again; links in other folders stay.
    fn find_again(&mut self, host: &dyn Host, graph: &CallGraph, is_wanted: impl Fn(&str) -> bool) {
        for links in self.by_target.values_mut() {
            links.retain(|link| !is_wanted(&file_path::parent(link)));
        }
        self.by_target.retain(|_, links| !links.is_empty());
        self.add(host, graph, is_wanted);
    }

    /// Adds the links in the folders of the graph for which `is_wanted` returns true.
    fn add(&mut self, host: &dyn Host, graph: &CallGraph, is_wanted: impl Fn(&str) -> bool) {
        for (dir, names) in graph.files().filter(|(dir, _)| is_wanted(dir)) {
            let folder = file_path::join(graph.top(), dir);
            let Ok(real_folder) = host.canonical(&folder) else { continue };
            for name in names {
                let Ok(target) = host.canonical(&file_path::join(&folder, name)) else { continue };
                if target != file_path::join(&real_folder, name) {
                    let link = file_path::clean(&file_path::join(dir, name));
                    self.by_target.entry(file_path::clean(&target)).or_default().insert(link);
                }
            }
        }
    }

    /// Iterates over the links to a file, or to the files in a folder, at a path.
    fn to<'l>(&'l self, path: &'l str) -> impl Iterator<Item = &'l str> {
        let below = format!("{path}/");
        let exact = self.by_target.get(path).into_iter();
        let inside = self.by_target.range(below.clone()..);
        let inside = inside.take_while(move |(target, _)| target.starts_with(&below));
        exact.chain(inside.map(|(_, links)| links)).flatten().map(String::as_str)
    }
}

/// A cached call graph, with the open texts and the changed paths that decide which directories are to be read again.
pub(crate) struct KeptGraph {
    graph: Arc<CallGraph>,
    links: LinkedFiles,
    texts: Arc<Texts>,
    changed: Vec<String>,
    /// The number of the last request for the graph; later requests have higher numbers.
    asked: u64,
}

impl KeptGraph {
    /// Records paths whose files have changed since the graph was read.
    pub(crate) fn changed(&mut self, paths: &[String]) {
        if self.changed.len() <= PATH_LIMIT {
            self.changed.extend_from_slice(paths);
        }
    }

    /// Brings the graph up to date: reads the directories again whose files or open texts have changed.
    fn refresh(&mut self, host: &dyn Host, texts: Arc<Texts>) {
        let is_held = |texts: &Texts, path: &String, text: &Arc<[u8]>| {
            texts.get(path).is_some_and(|known| Arc::ptr_eq(known, text))
        };
        let fresh = texts.iter().filter(|(path, text)| !is_held(&self.texts, path, text));
        let gone = self.texts.iter().filter(|(path, _)| !texts.contains_key(*path));
        let laid = fresh.chain(gone).map(|(path, _)| path).filter(|path| is_code(path));
        let mut changed: Vec<String> = laid.map(|path| file_path::clean(path)).collect();
        changed.append(&mut self.changed);
        self.texts = texts;
        if changed.len() > PATH_LIMIT {
            self.graph = Arc::new(CallGraph::of(host, self.graph.top()));
            self.links = LinkedFiles::of(host, &self.graph);
        } else if !changed.is_empty() {
            let top = self.graph.top().to_owned();
            // A change may be reported by the path of a link to the top.
            let real = host.canonical(&top).map(|real| file_path::clean(&real));
            let real = real.unwrap_or_else(|_| top.clone());
            let inside = |path| from_top(path, &top).or_else(|| from_top(path, &real));
            let inside = changed.iter().filter_map(|path| inside(path)).map(str::to_owned);
            let links = changed.iter().flat_map(|path| self.links.to(path)).map(str::to_owned);
            let inside: BTreeSet<String> = inside.chain(links).collect();
            Arc::make_mut(&mut self.graph).refresh(host, inside.iter().map(String::as_str));
            let parents: BTreeSet<String> =
                inside.iter().map(|path| file_path::parent(path)).collect();
            let is_read_again = |dir: &str| {
                inside.contains(".")
                    || parents.contains(dir)
                    || folders_around(dir).any(|around| inside.contains(around))
            };
            self.links.find_again(host, &self.graph, is_read_again);
        }
    }
}

/// Iterates over a path and the folders around it, innermost first.
fn folders_around(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(path), |path| path.rsplit_once('/').map(|(around, _)| around))
}

/// Returns a path relative to the directory `top`, `.` for `top` itself and a directory above it; `None` for a path outside.
fn from_top<'p>(path: &'p str, top: &str) -> Option<&'p str> {
    let inside = |path: &'p str, folder: &str| match folder {
        "/" => path.strip_prefix('/'),
        _ => path.strip_prefix(folder)?.strip_prefix('/'),
    };
    let is_around = path == top
        || path == "/"
        || top.strip_prefix(path).is_some_and(|rest| rest.starts_with('/'));
    if is_around { Some(".") } else { inside(path, top) }
}

impl Workspace {
    /// Returns the graph of module calls between the directories of code in and below `top`, with the workspace's open
    /// documents. In watched mode the graph is cached, and only directories with changed files are read again.
    ///
    /// ```
    /// use groma::{MemoryHost, Workspace};
    ///
    /// let host = MemoryHost::new()
    ///     .with_file("/w/net/main.tf", "locals {}")
    ///     .with_file("/w/app/main.tf", "module \"net\" { source = \"../net\" }");
    /// let workspace = Workspace::new(host).watched();
    /// let callers = |dir: &str| workspace.call_graph("/w").callers_of(dir).len();
    /// assert_eq!(callers("net"), 1);
    /// workspace.set("/w/app/main.tf", "locals {}");
    /// assert_eq!(callers("net"), 0);
    /// ```
    pub fn call_graph(&self, top: &str) -> Arc<CallGraph> {
        let top = file_path::clean(&absolute(&*self.host, top));
        let texts = lock(&self.texts).clone();
        let host = OverlayHost { below: self.host.clone(), texts: texts.clone() };
        if self.touched.is_none() {
            // Without watched mode changes are not reported, so nothing is cached.
            return Arc::new(CallGraph::of(&host, &top));
        }
        let mut graphs = lock(&self.graphs);
        let asked = graphs.values().map(|graph| graph.asked + 1).max().unwrap_or(0);
        match graphs.get_mut(&top) {
            Some(known) => {
                known.asked = asked;
                known.refresh(&host, texts);
                known.graph.clone()
            }
            None => {
                let graph = Arc::new(CallGraph::of(&host, &top));
                if graphs.len() >= GRAPH_LIMIT
                    && let Some(oldest) = graphs.iter().min_by_key(|(_, graph)| graph.asked)
                {
                    let oldest = oldest.0.clone();
                    graphs.remove(&oldest);
                }
                let links = LinkedFiles::of(&host, &graph);
                let changed = Vec::new();
                let kept = KeptGraph { graph: graph.clone(), links, texts, changed, asked };
                graphs.insert(top, kept);
                graph
            }
        }
    }
}
