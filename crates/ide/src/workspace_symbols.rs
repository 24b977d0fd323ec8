//! Search for declarations by name, in a root and, with an index, in folders that are not open. The index reads a file once and
//! after changes, and keeps only names and places.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use groma::{Workspace, folders::roots_below, hosts::file_path};
use groma_syntax::Span;

use crate::document::TextDocument;
use crate::file_span::FileSpan;
use crate::request::Request;
use crate::symbols::{DocumentSymbol, SymbolKind, outline};

/// A declaration found by its name: name, kind, folder and place.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct WorkspaceSymbol {
    /// The name, such as `var.region`.
    pub name: String,
    /// The kind of the declaration.
    pub kind: SymbolKind,
    /// The folder that contains it.
    pub folder: String,
    /// The place of its header.
    pub place: FileSpan,
}

/// Maximum number of declarations that a search returns; worse matches are left out.
const MAX_SYMBOLS: usize = 500;

/// Returns the declarations of the root whose names contain the letters of `query` in order, best matches first.
pub fn workspace_symbols(request: &Request<'_>, query: &str) -> Vec<WorkspaceSymbol> {
    let Some(snapshot) = request.snapshot() else { return Vec::new() };
    let mut found = Vec::new();
    for file in snapshot.file_names() {
        let Some(number) = snapshot.file(file) else { continue };
        // A separate document, so that the root does not keep the syntax of every file.
        let text = snapshot.project().sources().get(number).text().clone();
        found.extend(declared(&TextDocument::new(file, text)).into_iter().map(|one| one.at(file)));
    }
    best_matches(found, query)
}

/// An index of declarations in many folders. A file is parsed when it is first read and after it has changed.
#[derive(Default)]
pub struct SymbolIndex {
    files: BTreeMap<String, IndexedFile>,
}

/// The declarations of a file, with the digest of its text.
struct IndexedFile {
    digest: u64,
    symbols: Vec<IndexedSymbol>,
}

/// A declaration in a [`SymbolIndex`]: its name and kind, and its span in the file that declares it.
#[derive(Clone)]
struct IndexedSymbol {
    name: String,
    kind: SymbolKind,
    span: Span,
}

impl IndexedSymbol {
    /// Converts the declaration to a search result in `file`, the file that declares it.
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
    /// Creates an index of declarations that has read no file yet.
    pub fn new() -> SymbolIndex {
        SymbolIndex::default()
    }

    /// Reads the code files in and below a folder, and removes files that no longer exist there.
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

    /// Reads a file again if it has changed, or removes it if it no longer exists.
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

    /// Returns the number of files in the index.
    pub fn file_count(&self) -> usize {
        self.files.len()
    }

    /// Returns the declarations whose names contain the letters of `query` in order, best matches first.
    pub fn find(&self, query: &str) -> Vec<WorkspaceSymbol> {
        let all = self.files.iter().flat_map(|(file, indexed)| {
            let fitting = indexed.symbols.iter().filter(|one| rank(&one.name, query).is_some());
            fitting.map(|one| one.clone().at(file))
        });
        best_matches(all.collect(), query)
    }
}

/// Returns the declarations of a document: its top-level blocks, and local values.
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

/// Returns the best matches for a query, best first, at most [`MAX_SYMBOLS`].
fn best_matches(found: Vec<WorkspaceSymbol>, query: &str) -> Vec<WorkspaceSymbol> {
    let mut ranked: Vec<(usize, WorkspaceSymbol)> =
        found.into_iter().filter_map(|one| Some((rank(&one.name, query)?, one))).collect();
    ranked.sort_unstable();
    ranked.truncate(MAX_SYMBOLS);
    ranked.into_iter().map(|(_, one)| one).collect()
}

/// Returns the distance of a name from a query, lower being better; `None` if it does not contain the query's letters in
/// order.
fn rank(name: &str, query: &str) -> Option<usize> {
    let (name, query) = (name.to_lowercase(), query.to_lowercase());
    if let Some(at) = name.find(&query) {
        // A match at the start of a word ranks higher.
        let is_start = at == 0 || !name.as_bytes()[at - 1].is_ascii_alphanumeric();
        return Some(name.len() - query.len() + if is_start { 0 } else { 100 });
    }
    let mut letters = name.chars();
    query.chars().all(|wanted| letters.any(|own| own == wanted)).then(|| 1000 + name.len())
}
