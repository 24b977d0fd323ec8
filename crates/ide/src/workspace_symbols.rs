//! Declarations by name across the files of a root, and an index of names for folders that are not open: their files are read once
//! and again when they have changed, and only names and places are kept.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use groma::{Workspace, folders::roots_below, hosts::file_path};
use groma_syntax::Span;

use crate::document::TextDocument;
use crate::file_span::FileSpan;
use crate::request::Request;
use crate::symbols::{DocumentSymbol, SymbolKind, outline};

/// A declaration that is found by its name.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct WorkspaceSymbol {
    /// The name, such as `var.region`.
    pub name: String,
    /// The kind.
    pub kind: SymbolKind,
    /// The folder that declares it.
    pub folder: String,
    /// Its header.
    pub place: FileSpan,
}

/// Symbols in an answer.
const MAX_SYMBOLS: usize = 500;

/// The declarations of the root's files whose names have the letters of `query` in their order, the best first.
pub fn workspace_symbols(request: &Request<'_>, query: &str) -> Vec<WorkspaceSymbol> {
    let Some(snapshot) = request.snapshot() else { return Vec::new() };
    let mut found = Vec::new();
    for file in snapshot.file_names() {
        let Some(number) = snapshot.file(file) else { continue };
        // A text of its own, so that the root does not keep the syntax of every file.
        let text = snapshot.project().sources().get(number).text().clone();
        found.extend(declared(&TextDocument::new(file, text)).into_iter().map(|one| one.at(file)));
    }
    best(found, query)
}

/// The names of files of many folders. It reads a file when it is asked about it first or was said to have changed.
#[derive(Default)]
pub struct SymbolIndex {
    files: BTreeMap<String, IndexedFile>,
}

/// The names of a file, and the state of its text that they are of.
struct IndexedFile {
    digest: u64,
    symbols: Vec<IndexedSymbol>,
}

#[derive(Clone)]
struct IndexedSymbol {
    name: String,
    kind: SymbolKind,
    span: Span,
}

impl IndexedSymbol {
    fn at(self, file: &str) -> WorkspaceSymbol {
        WorkspaceSymbol {
            name: self.name,
            kind: self.kind,
            folder: file_path::parent(file),
            place: FileSpan { file: file.into(), span: self.span },
        }
    }
}

impl SymbolIndex {
    /// An index of nothing.
    pub fn new() -> SymbolIndex {
        SymbolIndex::default()
    }

    /// Reads the files of code in and below a folder, and forgets those that are gone from there.
    pub fn read_below(&mut self, workspace: &Workspace, top: &str) {
        let host = workspace.host();
        let top = file_path::clean(top);
        let mut present = Vec::new();
        for folder in roots_below(&*host, &top) {
            let Ok(entries) = host.list(&folder) else { continue };
            let mut names: Vec<String> = entries.into_iter().map(|entry| entry.name).collect();
            names.sort_unstable();
            for name in names.iter().filter(|name| groma::folders::is_code(name)) {
                let path = file_path::join(&folder, name);
                self.read(workspace, &path);
                present.push(path);
            }
        }
        let inside = format!("{top}/");
        self.files.retain(|path, _| {
            !(top == "." || path.starts_with(&inside))
                || present.binary_search(path).is_ok()
                || present.contains(path)
        });
    }

    /// Reads a file again, or forgets it if it is gone.
    pub fn read(&mut self, workspace: &Workspace, path: &str) {
        let path = file_path::clean(path);
        let Ok(text) = workspace.text(&path) else {
            self.files.remove(&path);
            return;
        };
        let mut state = DefaultHasher::new();
        text.hash(&mut state);
        let digest = state.finish();
        if self.files.get(&path).is_some_and(|known| known.digest == digest) {
            return;
        }
        let symbols = declared(&TextDocument::new(&path, text));
        self.files.insert(path, IndexedFile { digest, symbols });
    }

    /// The number of files in it.
    pub fn file_count(&self) -> usize {
        self.files.len()
    }

    /// The declarations whose names have the letters of `query` in their order, the best first.
    pub fn find(&self, query: &str) -> Vec<WorkspaceSymbol> {
        let all = self.files.iter().flat_map(|(file, indexed)| {
            let fitting = indexed.symbols.iter().filter(|one| rank(&one.name, query).is_some());
            fitting.map(|one| one.clone().at(file))
        });
        best(all.collect(), query)
    }
}

/// The declarations of a text: its outermost blocks, and the local values.
fn declared(document: &TextDocument) -> Vec<IndexedSymbol> {
    let mut found = Vec::new();
    let mut push = |one: &DocumentSymbol| {
        found.push(IndexedSymbol { name: one.name.clone(), kind: one.kind, span: one.name_span });
    };
    for symbol in outline(document) {
        if symbol.name == "locals" {
            symbol.children.iter().for_each(&mut push);
        } else if symbol.kind != SymbolKind::Argument {
            push(&symbol);
        }
    }
    found
}

fn best(found: Vec<WorkspaceSymbol>, query: &str) -> Vec<WorkspaceSymbol> {
    let mut ranked: Vec<(usize, WorkspaceSymbol)> =
        found.into_iter().filter_map(|one| Some((rank(&one.name, query)?, one))).collect();
    ranked.sort_unstable();
    ranked.truncate(MAX_SYMBOLS);
    ranked.into_iter().map(|(_, one)| one).collect()
}

/// The distance of a name from a query, smaller for better; nothing if the letters of the query are not in it in their order.
fn rank(name: &str, query: &str) -> Option<usize> {
    let (name, query) = (name.to_lowercase(), query.to_lowercase());
    if let Some(at) = name.find(&query) {
        // A match of whole words comes before one inside of them.
        let is_start = at == 0 || !name.as_bytes()[at - 1].is_ascii_alphanumeric();
        return Some(name.len() - query.len() + if is_start { 0 } else { 100 });
    }
    let mut letters = name.chars();
    query.chars().all(|wanted| letters.any(|own| own == wanted)).then(|| 1000 + name.len())
}
