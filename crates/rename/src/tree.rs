//! The folders of code in a tree, read as far as a name needs it: their calls of each other, and every file with its
//! blocks as they
//! are written. Override files are not merged, and both of two files that stand for one another are there: a name is to
//! be changed wherever it is said.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use groma_config::{
    BlockReader, BlockRow, FileKind, FilePurpose, RawBlock, folders_below, is_ignored, literal_text,
};
use groma_edit::EditRefusal;
use groma_module::dialect::{MOCK, MODULE, QUERY, TEST};
use groma_module::{EditionEvidence, ParsedFiles};
use groma_runtime::{Edition, Host, file_path};
use groma_syntax::{Body, Diagnostics, FileId, TEXT_LIMIT, parse_file, parse_json};

/// Returns what a file of that name is for, and whether it is JSON; nothing if it says no names.
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

/// A file that says names.
pub(crate) struct CodeFile {
    /// As it is shown.
    pub(crate) path: String,
    pub(crate) purpose: FilePurpose,
    pub(crate) is_json: bool,
    pub(crate) text: Arc<str>,
    /// Its blocks; of a file of values there are none.
    pub(crate) blocks: Vec<RawBlock>,
    /// All that stands in it.
    pub(crate) body: Body,
    /// The reason why it cannot be read, if it cannot.
    pub(crate) broken: Option<String>,
}

/// A module call.
#[derive(Clone, Debug)]
pub(crate) struct FolderCall {
    /// The folder that it calls, if it is one of the tree.
    pub(crate) folder: Option<String>,
    /// True if it may exist several times.
    pub(crate) is_repeated: bool,
    /// The place where it says that the module is.
    pub(crate) source: Option<String>,
}

/// A folder with what belongs to it: files of its own, and those of folders below that hold no code.
pub(crate) struct CodeFolder {
    pub(crate) files: Vec<CodeFile>,
    pub(crate) calls: BTreeMap<String, FolderCall>,
}

/// The folders below a top.
pub(crate) struct FolderTree<'h> {
    host: &'h dyn Host,
    edition: Option<Edition>,
    /// Folders of code, by their absolute path: the files that belong to each, and whether they lie in it.
    folders: BTreeMap<String, Vec<String>>,
    /// Files of values, whatever they are called.
    values: BTreeSet<String>,
    read: RefCell<BTreeMap<String, Rc<CodeFolder>>>,
    here: String,
}

impl<'h> FolderTree<'h> {
    /// The tree below `top`.
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

    /// Says which files of values belong to a folder.
    pub(crate) fn belong(&mut self, dir: &str, files: &[String]) {
        for file in files {
            let path = file_path::join(&self.here, file);
            let path = self.host.canonical(&path).unwrap_or(path);
            self.folders.values_mut().for_each(|own| own.retain(|one| *one != path));
            self.folders.entry(dir.to_owned()).or_default().push(path.clone());
            self.values.insert(path);
        }
    }

    /// The absolute path of a folder.
    pub(crate) fn place(&self, dir: &str) -> Result<String, EditRefusal> {
        let found = self.host.canonical(dir);
        let found = found.map_err(|why| EditRefusal(format!("{dir} cannot be read: {why}.")))?;
        match self.folders.contains_key(&found) {
            true => Ok(found),
            false => Err(EditRefusal(format!("There is no module in {dir}."))),
        }
    }

    /// Returns where a folder is, as the end of a sentence.
    pub(crate) fn within(&self, dir: &str) -> String {
        match self.shown(dir).as_str() {
            "." => "here".to_owned(),
            shown => format!("in {shown}"),
        }
    }

    /// A path as it is shown.
    pub(crate) fn shown(&self, path: &str) -> String {
        file_path::relative(&self.here, path)
    }

    /// The folders in which some file says one of these words, or may say it in other letters.
    pub(crate) fn saying(&self, words: &[&str]) -> Vec<String> {
        let says = |path: &String| {
            let bytes = self.host.read_within(path, TEXT_LIMIT as u64).unwrap_or_default();
            let text = String::from_utf8_lossy(&bytes);
            words.iter().any(|word| text.contains(word))
                || path.ends_with(".json") && text.contains("\\u")
        };
        let folders = self.folders.iter().filter(|(_, files)| files.iter().any(says));
        folders.map(|(dir, _)| dir.clone()).collect()
    }

    /// Returns what a folder says.
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
        for block in folder
            .files
            .iter()
            .filter(|one| one.purpose == FilePurpose::Code)
            .flat_map(|file| &file.blocks)
        {
            if &*block.kind == "module" {
                let name = block.label(0).to_owned();
                self.call(
                    dir,
                    block,
                    folder.calls.entry(name).or_insert(FolderCall {
                        folder: None,
                        is_repeated: false,
                        source: None,
                    }),
                );
            }
        }
        let folder = Rc::new(folder);
        self.read.borrow_mut().insert(dir.to_owned(), folder.clone());
        folder
    }

    /// Reads what a block says of a call; others may have said more.
    fn call(&self, dir: &str, block: &RawBlock, call: &mut FolderCall) {
        call.is_repeated |= ["count", "for_each"].iter().any(|name| block.argument(name).is_some());
        if let Some(source) = block.argument("source").and_then(|one| literal_text(&one.expr)) {
            call.folder = self.source(dir, &source);
            call.source = Some(source);
        }
    }

    /// The folder of the tree that a source leads to.
    pub(crate) fn source(&self, dir: &str, source: &str) -> Option<String> {
        let is_local = source == "."
            || source == ".."
            || ["./", "../", "/"].iter().any(|start| source.starts_with(start));
        let path = file_path::join(dir, source);
        let found = is_local.then(|| self.host.canonical(&path).unwrap_or(path))?;
        self.folders.contains_key(&found).then_some(found)
    }

    /// The edition that a folder is read as.
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

    /// A file, if there is one and it is text.
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
                match FileKind::is(path, FilePurpose::Query) {
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

    /// Returns true if a folder was looked into.
    pub(crate) fn is_read(&self, dir: &str) -> bool {
        self.read.borrow().contains_key(dir)
    }

    /// Every folder.
    pub(crate) fn dirs(&self) -> impl Iterator<Item = &String> {
        self.folders.keys()
    }
}
