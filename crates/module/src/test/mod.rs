//! Test files, which accompany a root module and describe runs of it. They are read by rows as a module's files are, but are not
//! part of the module: a plan ignores them.

mod check;

use groma_config::{BlockReader, RawBlock, list, path};
use groma_eval::Context;
use groma_functions::FunctionLibrary;
use groma_runtime::{Edition, EntryKind, HostError};
use groma_syntax::{Body, Diagnostic, Diagnostics, FileId};

use crate::codes;
use crate::declare::DeclarationReader;
use crate::dialect::{Conventions, TEST};
use crate::load::ModuleLoader;
use crate::parsed::ParsedFiles;
use crate::schema::ProviderSchemas;

/// The name of the folder `tests` below a root, which may contain test files like the root's own folder.
const FOLDER: &str = "tests";

/// A test file: its id, its path and its blocks as written.
#[derive(Debug)]
pub struct TestFile {
    /// The file.
    pub file: FileId,
    /// Its path, in the form of the root module's files.
    pub name: String,
    /// Its blocks, as written.
    pub blocks: Vec<RawBlock>,
}

/// The settings for reading the blocks of test files: edition, context for evaluating constants, and provider schemas.
pub struct TestReader<'r> {
    /// The edition whose rows apply.
    pub edition: Edition,
    /// The context for evaluating constants.
    pub constants: &'r Context,
    /// The schemas of providers.
    pub schemas: &'r ProviderSchemas,
}

impl TestReader<'_> {
    /// Reads the blocks of a test file and reports what is invalid in them; `in_own_file` is true for a file that only OpenTofu
    /// reads.
    pub fn read(
        &self,
        body: &Body,
        file: FileId,
        in_own_file: bool,
        out: &mut Diagnostics,
    ) -> Vec<RawBlock> {
        let mut reader = BlockReader {
            edition: self.edition,
            file,
            in_own_file,
            is_override: false,
            whose: "a test file",
            elsewhere: |_, _| "",
            out,
        };
        let blocks = reader.file(body, TEST);
        let gatherer = DeclarationReader {
            library: FunctionLibrary::of(self.edition),
            conventions: Conventions::of(self.edition),
            constants: self.constants,
            schemas: self.schemas,
        };
        check::check(&blocks, &gatherer, out);
        blocks
    }
}

impl ModuleLoader<'_> {
    /// Reads the test files of the root module in `dir`, whose own files are `names`; reports what is invalid in them.
    pub fn tests(&mut self, dir: &str, names: &[String], out: &mut Diagnostics) -> Vec<TestFile> {
        if !self.edition.dialect.has_modules() {
            return Vec::new();
        }
        let mut found = Vec::new();
        let below = path::join(dir, FOLDER);
        let inner = match self.host.kind(&below) {
            Ok(EntryKind::Directory) => list(self.host, &below, out).unwrap_or_default(),
            _ => Vec::new(),
        };
        let mut seen = Vec::new();
        for (folder, names) in [(dir, names), (below.as_str(), inner.as_slice())] {
            for file in groma_config::tests(names.iter().map(String::as_str), self.edition.dialect)
            {
                let name = path::join(folder, &file.name);
                let Some((id, body)) = self.read(&name, &file, out) else { continue };
                let reader = TestReader {
                    edition: self.edition,
                    constants: self.constants,
                    schemas: self.schemas,
                };
                let blocks = reader.read(&body, id, file.is_tofu, out);
                for run in blocks.iter().filter(|raw| &*raw.kind == "run") {
                    run.blocks_of("module")
                        .for_each(|one| self.check_run_module(dir, one, &mut seen, out));
                }
                found.push(TestFile { file: id, name, blocks });
            }
        }
        found
    }

    /// Reports the local module that a run's `module` block names if it cannot be read, each folder once; notes that a run with
    /// any other module is not checked.
    fn check_run_module(
        &mut self,
        dir: &str,
        module: &RawBlock,
        seen: &mut Vec<String>,
        out: &mut Diagnostics,
    ) {
        let Some(source) = module.argument("source") else { return };
        let Some(text) = groma_config::literal_text(&source.expr) else { return };
        if !check::is_local(&text) {
            let detail = format!(
                "The module \"{text}\" is not installed, so the run is not checked any further."
            );
            return out.push(
                Diagnostic::remark(&codes::MODULE_NOT_INSTALLED, detail).at(source.expr.place()),
            );
        }
        let at = path::join(dir, &text);
        if seen.contains(&at) {
            return;
        }
        match self.host.kind(&at) {
            Ok(EntryKind::Directory) => {
                if let Some(names) = list(self.host, &at, out) {
                    let mut late = Diagnostics::new();
                    let mut loader = ModuleLoader {
                        shared: None,
                        parsed: &ParsedFiles::default(),
                        host: self.host,
                        edition: self.edition,
                        constants: self.constants,
                        schemas: self.schemas,
                        sources: &mut *self.sources,
                        queries: false,
                        kept: None,
                        late: &mut late,
                    };
                    loader.load(&at, &names, out);
                }
            }
            Err(HostError::Outside) => {}
            _ => {
                let detail =
                    format!("There is no directory \"{at}\", so this module cannot be read.");
                out.push(Diagnostic::error(&codes::MODULE_NOT_FOUND, detail).at(module.header));
            }
        }
        seen.push(at);
    }
}
