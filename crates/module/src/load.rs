//! A directory to a module: its files are chosen, read, parsed, merged and declared. A file that
//! cannot be read is reported, and the others count all the same.

use groma_eval::Context;
use groma_folder::{BlockRow, Chosen, Raw, Reader, Room, Spelling, path, read_text};
use groma_functions::Library;
use groma_runtime::{Dialect, Edition, Host};
use groma_syntax::{
    Body, Diagnostic, DiagnosticCode, Diagnostics, FileId, Sources, parse_file, parse_json,
};

use crate::declare;
use crate::declare::Module;
use crate::dialect::{MODULE, QUERY, Rules};
use crate::schema::Schemas;

static PACKER: DiagnosticCode =
    DiagnosticCode { slug: "packer-template", summary: "A Packer template is no module" };

/// Where a block stands that has no place in a module's files.
fn elsewhere(kind: &str, edition: Edition) -> &'static str {
    let is_in = |rows: &[BlockRow]| {
        rows.iter().any(|row| row.kind == kind && row.editions.includes(edition))
    };
    match is_in(QUERY) && !is_in(MODULE) {
        true => " It stands in a query file, whose name ends with .tfquery.hcl.",
        false => "",
    }
}

/// Loads directories of one project.
pub struct Loader<'a> {
    /// Where files are read.
    pub host: &'a dyn Host,
    /// Which rows count.
    pub edition: Edition,
    /// What constants are evaluated with.
    pub constants: &'a Context,
    /// The schemas of providers.
    pub schemas: &'a Schemas,
    /// Every text that was read.
    pub sources: &'a mut Sources,
    /// Whether query files belong to the module.
    pub queries: bool,
    /// What is found in declarations and matters only where nothing else is wrong.
    pub late: &'a mut Diagnostics,
}

impl Loader<'_> {
    /// The module that the files of `dir` declare.
    pub fn load(&mut self, dir: &str, names: &[String], out: &mut Diagnostics) -> Module {
        if self.edition.dialect == Dialect::Packer {
            let detail = "A Packer template has no modules, resources or outputs; what asks for them has nothing to ask here.";
            out.push(Diagnostic::error(&PACKER, detail));
            return Module::default();
        }
        let all = || names.iter().map(String::as_str);
        let chosen = groma_folder::select(all(), self.edition.dialect);
        let queries = match self.queries {
            true => groma_folder::queries(all()),
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
                    elsewhere,
                    out,
                };
                let blocks: Vec<Raw> = reader.file(&body, rows);
                match file.is_override {
                    true => overrides.extend(blocks),
                    false => base.extend(blocks),
                }
            }
        }
        crate::check::check_overrides(&overrides, out);
        let blocks = crate::merge::merge(base, overrides, self.edition, out);
        let gatherer = declare::Gatherer {
            library: Library::of(self.edition),
            rules: Rules::of(self.edition),
            constants: self.constants,
            schemas: self.schemas,
        };
        let module = crate::gather::gather(files, blocks, &gatherer, self.late, out);
        // A default is code, yet of a sensitive variable it is a value that is not to be shown.
        for variable in module.variables.iter().filter(|variable| variable.is_hidden()) {
            if let Some(place) = variable.default_place {
                self.sources.withhold(place);
            }
        }
        module
    }

    pub(crate) fn read(
        &mut self,
        shown: &str,
        file: &Chosen,
        out: &mut Diagnostics,
    ) -> Option<(FileId, Body)> {
        let (id, text) = read_text(self.host, self.sources, shown, out)?;
        let room = Room { budget: &self.constants.budget, shown };
        if !room.for_tree(&text, out) {
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
