//! A directory to a module: its files are chosen, read, parsed, merged and declared. A file that
//! cannot be read is reported, and the others count all the same.

mod evidence;
pub(crate) mod path;
mod select;

use groma_eval::Context;
use groma_functions::{Budget, Dialect, Edition, EntryKind, Host, HostError, Library};
use groma_syntax::{
    Body, Code, Diagnostic, Diagnostics, FileId, Sources, TEXT_LIMIT, parse_file, parse_json,
};

use crate::declare::raw::Reader;
use crate::declare::{self, Module, Raw};
use crate::dialect::{BlockRow, MODULE, QUERY, Rules};
use crate::schema::Schemas;
use select::{Chosen, Spelling};

pub use evidence::Evidence;

static UNREADABLE: Code = Code { slug: "unreadable-file", summary: "File cannot be read" };
static NOT_TEXT: Code = Code { slug: "not-text", summary: "File is not text" };
static NO_DIRECTORY: Code = Code { slug: "no-directory", summary: "Directory cannot be read" };
static PACKER: Code = Code { slug: "packer-template", summary: "A Packer template is no module" };

/// Loads directories of one project.
pub(crate) struct Loader<'a> {
    pub(crate) host: &'a dyn Host,
    pub(crate) edition: Edition,
    pub(crate) constants: &'a Context,
    pub(crate) schemas: &'a Schemas,
    pub(crate) sources: &'a mut Sources,
    /// Whether query files belong to the module.
    pub(crate) queries: bool,
    /// What is found in declarations and matters only where nothing else is wrong.
    pub(crate) late: &'a mut Diagnostics,
}

/// The folder in which the programs keep what belongs to a directory: `.terraform`, or what `TF_DATA_DIR` names.
pub(crate) fn data_dir(host: &dyn Host, dir: &str) -> String {
    let named = host.env("TF_DATA_DIR").filter(|named| !named.is_empty());
    path::join(dir, named.as_deref().unwrap_or(".terraform"))
}

/// The files that a directory holds, by name; an error is reported.
pub fn list(host: &dyn Host, dir: &str, out: &mut Diagnostics) -> Option<Vec<String>> {
    match host.list(dir) {
        Ok(entries) => {
            let files = entries.into_iter().filter(|entry| entry.kind != EntryKind::Directory);
            let mut names: Vec<String> = files.map(|entry| entry.name).collect();
            names.sort();
            Some(names)
        }
        Err(why) => {
            let detail = match why {
                HostError::Absent => format!("There is no directory \"{dir}\". Check the path."),
                HostError::WrongKind => {
                    format!(
                        "\"{dir}\" is not a directory. Give the directory that holds the files."
                    )
                }
                why => format!("The directory \"{dir}\" cannot be read: {why}."),
            };
            out.push(Diagnostic::error(&NO_DIRECTORY, detail));
            None
        }
    }
}

impl Loader<'_> {
    /// The module that the files of `dir` declare.
    pub(crate) fn load(&mut self, dir: &str, names: &[String], out: &mut Diagnostics) -> Module {
        if self.edition.dialect == Dialect::Packer {
            let detail = "A Packer template has no modules, resources or outputs; what asks for them has nothing to ask here.";
            out.push(Diagnostic::error(&PACKER, detail));
            return Module::default();
        }
        let all = || names.iter().map(String::as_str);
        let chosen = select::select(all(), self.edition.dialect);
        let queries = match self.queries {
            true => select::queries(all()),
            false => Vec::new(),
        };
        let mut files = Vec::new();
        let mut base = Vec::new();
        let mut overrides = Vec::new();
        let parts: [(&[Chosen], &'static [BlockRow], &'static str); 2] =
            [(&chosen, MODULE, "a module's files"), (&queries, QUERY, "a query file")];
        for (chosen, rows, whose) in parts {
            for file in chosen {
                let shown = path::join(dir, &file.name);
                let Some((id, body)) = self.read(&shown, file, out) else { continue };
                files.push(id);
                let mut reader = Reader {
                    edition: self.edition,
                    file: id,
                    in_own_file: file.is_tofu,
                    is_override: file.is_override,
                    whose,
                    out,
                };
                let blocks: Vec<Raw> = reader.file(&body, rows);
                match file.is_override {
                    true => overrides.extend(blocks),
                    false => base.extend(blocks),
                }
            }
        }
        crate::rules::check_overrides(&overrides, out);
        let blocks = declare::merge::merge(base, overrides, self.edition, out);
        let gatherer = declare::Gatherer {
            library: Library::of(self.edition),
            rules: Rules::of(self.edition),
            constants: self.constants,
            schemas: self.schemas,
        };
        let module = declare::gather(files, blocks, &gatherer, self.late, out);
        // A default is code, yet of a sensitive variable it is a value that is not to be shown.
        for variable in module.variables.iter().filter(|variable| variable.is_hidden()) {
            if let Some(place) = variable.default_place {
                self.sources.withhold(place);
            }
        }
        module
    }

    fn read(
        &mut self,
        shown: &str,
        file: &Chosen,
        out: &mut Diagnostics,
    ) -> Option<(FileId, Body)> {
        let (id, text) = read_text(self.host, self.sources, shown, out)?;
        if !affords(&self.constants.budget, shown, &text, out) {
            return None;
        }
        let (body, diagnostics) = match file.spelling {
            Spelling::Native => {
                let parse = parse_file(&text, id);
                (Body::of(&parse), parse.diagnostics)
            }
            Spelling::Json => {
                let parse = parse_json(&text, id);
                (Body::json(&parse), parse.diagnostics)
            }
        };
        out.extend(diagnostics);
        Some((id, body))
    }
}

/// About how many bytes a tree takes for each byte of its text.
const TREE: u64 = 32;

/// Whether the run may hold the tree of a text.
pub(crate) fn affords(budget: &Budget, shown: &str, text: &str, out: &mut Diagnostics) -> bool {
    let Err(bound) = budget.take_bytes((text.len() as u64).saturating_mul(TREE)) else {
        return true;
    };
    let name = format!("the file \"{shown}\"");
    out.push(groma_eval::ended(bound, budget.quota(), &name));
    budget.say_work(|| name);
    false
}

/// Reads a file as text and takes it into the sources.
pub fn read_text(
    host: &dyn Host,
    sources: &mut Sources,
    shown: &str,
    out: &mut Diagnostics,
) -> Option<(FileId, std::sync::Arc<str>)> {
    let bytes = match host.read_within(shown, TEXT_LIMIT as u64) {
        Ok(bytes) => bytes,
        Err(why) => {
            let detail = format!("The file \"{shown}\" cannot be read: {why}.");
            out.push(Diagnostic::error(&UNREADABLE, detail));
            return None;
        }
    };
    if let Some(at) = bytes.iter().position(|&byte| byte == 0) {
        // Text never holds a zero byte: this is some other kind of file under a wrong name.
        let before = String::from_utf8_lossy(&bytes[..at]).into_owned();
        let end = before.len() as u32;
        let id = sources.add(groma_syntax::Source::new(shown, before));
        let detail = format!(
            "Byte {at} of \"{shown}\" is zero, so this is no text file. Rename it if it does not belong to the module."
        );
        let place = groma_syntax::Place::new(id, groma_syntax::Span::at(end));
        out.push(Diagnostic::error(&NOT_TEXT, detail).at(place));
        return None;
    }
    let id = sources.from_bytes(shown, &bytes, out);
    Some((id, sources.get(id).text().clone()))
}
