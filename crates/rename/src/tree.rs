//! The folders of code in a tree, read as far as a rename needs: their calls of each other, and every file with its blocks as
//! written. Override files are not merged, and files that replace each other are both included, because a name is changed in all
//! of them.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use groma_config::{
    BlockReader, BlockRow, FileKind, FilePurpose, RawBlock, folders_below, is_ignored,
};
use groma_edit::EditRefusal;
use groma_module::dialect::{MOCK, MODULE, QUERY, TEST};
use groma_module::{EditionEvidence, FolderCall, ParsedFiles, is_local_source};
use groma_runtime::{Edition, Host, file_path};
use groma_syntax::{Body, Diagnostics, FileId, TEXT_LIMIT, parse_file, parse_json};

/// Returns the purpose of a file by its name, and true if it is in JSON; `None` if a rename does not read such files.
fn purpose(name: &str) -> Option<(FilePurpose, bool)> {
    if is_ignored(name) {
        return None;
    }
    let kind = FileKind::of(name)?;
    let is_template = kind.owner.is_some_and(|owner| !owner.has_modules());
    let is_foreign = is_template || kind.purpose == FilePurpose::Stack;
    let purpose = match kind.purpose {
        FilePurpose::Query => FilePurpose::Code,
        purpose => purpose,
    };
    (!is_foreign).then(|| (purpose, kind.is_json()))
}

/// A file that may contain the name to be changed, with its text and its parsed blocks.
pub(crate) struct CodeFile {
    /// The path as displayed.
    pub(crate) path: String,
    pub(crate) purpose: FilePurpose,
    pub(crate) is_json: bool,
    pub(crate) text: Arc<str>,
    /// The blocks; none for a variable file.
    pub(crate) blocks: Vec<RawBlock>,
    /// The parsed content of the whole file.
    pub(crate) body: Body,
    /// The syntax error, if it cannot be parsed.
    pub(crate) broken: Option<String>,
}

/// A module call with the folder of the tree that its source refers to, if there is one.
#[derive(Clone, Debug)]
pub(crate) struct ResolvedCall {
    /// The called folder, if it is in the tree.
    pub(crate) folder: Option<String>,
    /// The call as it is written.
    pub(crate) written: FolderCall,
}

/// The parsed code of a folder: its files, including those in subfolders without code, and its module calls by name.
pub(crate) struct CodeFolder {
    pub(crate) files: Vec<CodeFile>,
    pub(crate) calls: BTreeMap<String, ResolvedCall>,
}

/// The folders of code below a top folder, each parsed on first use.
pub(crate) struct FolderTree<'h> {
    host: &'h dyn Host,
    edition: Option<Edition>,
    /// The paths of the files in each folder of code, by its absolute path; including files in subfolders without code.
    folders: BTreeMap<String, Vec<String>>,
    /// The paths of the variable files that the request names.
    values: BTreeSet<String>,
    read: RefCell<BTreeMap<String, Rc<CodeFolder>>>,
    here: String,
}

impl<'h> FolderTree<'h> {
    /// Lists the folders of code below `top`, with nothing parsed yet; `edition` is the one that the request names, if any.
    pub(crate) fn of(host: &'h dyn Host, top: &str, edition: Option<Edition>) -> FolderTree<'h> {
        let real = |path: &str| host.canonical(path).unwrap_or_else(|_| path.to_owned());
        let (top, here) = (real(top), real(&host.current_dir()));
        let all = folders_below(host, &top);
        let is_code =
            |name: &String| purpose(name).is_some_and(|(one, _)| one == FilePurpose::Code);
        let code: BTreeSet<&String> =
            all.iter().filter(|(_, names)| names.iter().any(is_code)).map(|(dir, _)| dir).collect();
        let mut folders: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (dir, names) in &all {
            let mut owner = dir.clone();
            while !code.contains(&owner) && owner.len() > top.len() {
                owner = file_path::parent(&owner);
            }
            let said = names.iter().filter(|name| purpose(name).is_some());
            let files = folders.entry(owner).or_default();
            files.extend(said.map(|name| file_path::join(dir, name)));
        }
        FolderTree {
            host,
            edition,
            folders,
            values: BTreeSet::new(),
            read: RefCell::default(),
            here,
        }
    }

    /// Assigns variable files to the module in the folder `dir`, whose variables they set, instead of those in the folders in
    /// which they are.
    pub(crate) fn assign_value_files(&mut self, dir: &str, files: &[String]) {
        for file in files {
            let path = file_path::join(&self.here, file);
            let path = self.host.canonical(&path).unwrap_or(path);
            self.folders.values_mut().for_each(|own| own.retain(|one| *one != path));
            self.folders.entry(dir.to_owned()).or_default().push(path.clone());
            self.values.insert(path);
        }
    }

    /// Returns the absolute path of a folder; an error if it cannot be read or has no module.
    pub(crate) fn folder_path(&self, dir: &str) -> Result<String, EditRefusal> {
        let found = self.host.canonical(dir);
        let found = found.map_err(|why| EditRefusal(format!("{dir} cannot be read: {why}.")))?;
        match self.folders.contains_key(&found) {
            true => Ok(found),
            false => Err(EditRefusal(format!("There is no module in {dir}."))),
        }
    }

    /// Returns the phrase that names a folder at the end of a sentence: `here`, or `in a/b`.
    pub(crate) fn within(&self, dir: &str) -> String {
        match self.shown(dir).as_str() {
            "." => "here".to_owned(),
            shown => format!("in {shown}"),
        }
    }

    /// Returns a path relative to the current directory, for display.
    pub(crate) fn shown(&self, path: &str) -> String {
        file_path::relative(&self.here, path)
    }

    /// Returns the folders with a file that contains one of the given words, such as the name to be changed, literally or
    /// perhaps in escaped form.
    pub(crate) fn folders_with(&self, words: &[&str]) -> Vec<String> {
        let says = |path: &String| {
            let bytes = self.host.read_within(path, TEXT_LIMIT as u64).unwrap_or_default();
            let text = String::from_utf8_lossy(&bytes);
            words.iter().any(|word| text.contains(word))
                || path.ends_with(".json") && text.contains("\\u")
        };
        let folders = self.folders.iter().filter(|(_, files)| files.iter().any(says));
        folders.map(|(dir, _)| dir.clone()).collect()
    }

    /// Returns the parsed code of the folder with the absolute path `dir`, parsed on first use.
    pub(crate) fn folder(&self, dir: &str) -> Rc<CodeFolder> {
        if let Some(known) = self.read.borrow().get(dir) {
            return known.clone();
        }
        let edition = self.edition_of(dir);
        let paths = self.folders.get(dir).map(Vec::as_slice).unwrap_or_default();
        let mut folder = CodeFolder { files: Vec::new(), calls: BTreeMap::new() };
        for path in paths {
            if let Some(file) = self.file(path, edition) {
                folder.files.push(file);
            }
        }
        let code = folder.files.iter().filter(|one| one.purpose == FilePurpose::Code);
        let blocks = code.flat_map(|file| &file.blocks);
        let mut written: BTreeMap<String, FolderCall> = BTreeMap::new();
        for call in blocks.filter(|block| &*block.kind == "module").map(FolderCall::of) {
            // A call may have several blocks.
            written.entry(call.name.clone()).or_default().merge(call);
        }
        let resolved = |(name, written): (String, FolderCall)| {
            let folder =
                written.source.as_deref().and_then(|source| self.source_folder(dir, source));
            (name, ResolvedCall { folder, written })
        };
        folder.calls = written.into_iter().map(resolved).collect();
        let folder = Rc::new(folder);
        self.read.borrow_mut().insert(dir.to_owned(), folder.clone());
        folder
    }

    /// Returns the absolute path of the folder that a module source, written in the folder `dir`, refers to; `None` if it is
    /// not in the tree.
    pub(crate) fn source_folder(&self, dir: &str, source: &str) -> Option<String> {
        let path = file_path::join(dir, source);
        let found = is_local_source(source).then(|| self.host.canonical(&path).unwrap_or(path))?;
        self.folders.contains_key(&found).then_some(found)
    }

    /// Returns the edition with which the code in a folder is read: the one that the rename request names, or else the one
    /// that its files indicate.
    pub(crate) fn edition_of(&self, dir: &str) -> Edition {
        let names = || {
            let own = self.folders.get(dir).into_iter().flatten();
            own.filter(|path| file_path::parent(path) == dir)
                .map(|path| file_path::last(path).to_owned())
                .collect::<Vec<String>>()
        };
        let parsed = ParsedFiles::default();
        self.edition
            .unwrap_or_else(|| EditionEvidence::of(self.host, dir, &names(), &parsed).edition)
    }

    /// Returns a file with its parsed blocks; `None` if it cannot be read, is not UTF-8, or is not read by a rename.
    fn file(&self, path: &str, edition: Edition) -> Option<CodeFile> {
        let (purpose, is_json) = match self.values.contains(path) {
            true => (FilePurpose::Values, path.ends_with(".json")),
            false => purpose(file_path::last(path))?,
        };
        let bytes = self.host.read_within(path, TEXT_LIMIT as u64).ok()?;
        let text: Arc<str> = String::from_utf8(bytes).ok()?.into();
        let (body, found) = match is_json {
            true => {
                let parse = parse_json(&text, FileId(0));
                (Body::json(&parse), parse.diagnostics)
            }
            false => {
                let parse = parse_file(&text, FileId(0));
                (Body::of(&parse), parse.diagnostics)
            }
        };
        let broken = found.first().map(|one| one.detail.clone());
        let in_own_file = FileKind::of(path).is_some_and(FileKind::is_tofu);
        let edition = if in_own_file { edition.of_own_files() } else { edition };
        let rows: &'static [BlockRow] = match purpose {
            FilePurpose::Code | FilePurpose::Query => {
                match FileKind::has_purpose(path, FilePurpose::Query) {
                    true => QUERY,
                    false => MODULE,
                }
            }
            FilePurpose::Test => TEST,
            FilePurpose::Mock => MOCK,
            FilePurpose::Values | FilePurpose::Stack => &[],
        };
        let blocks = match purpose {
            FilePurpose::Values => Vec::new(),
            _ => {
                let mut reader = BlockReader {
                    edition,
                    file: FileId(0),
                    in_own_file,
                    is_override: true,
                    whose: "a file of code",
                    elsewhere: |_, _| "",
                    out: &mut Diagnostics::new(),
                };
                reader.file(&body, rows)
            }
        };
        Some(CodeFile { path: self.shown(path), purpose, is_json, text, blocks, body, broken })
    }

    /// Returns true if the files of a folder have been parsed.
    pub(crate) fn is_read(&self, dir: &str) -> bool {
        self.read.borrow().contains_key(dir)
    }

    /// Iterates over the absolute paths of all folders with code.
    pub(crate) fn dirs(&self) -> impl Iterator<Item = &String> {
        self.folders.keys()
    }
}
