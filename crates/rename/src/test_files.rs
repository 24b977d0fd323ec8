//! Search of test files and mock files for the old name: in references to the modules that they run, and to declarations in
//! these.

use std::collections::BTreeMap;

use groma_config::{RawBlock, literal_text};
use groma_syntax::ast::ExprCase;
use groma_syntax::json::JsonCase as Json;
use groma_syntax::{Expr, Place};

use crate::find::{NameContext, NameFinder};
use crate::name_sites::{self, NameSite};
use crate::subject::DeclarationKind;
use crate::tree::CodeFile;

impl NameFinder<'_> {
    /// Records where a test file in the folder `dir` contains the old name of the renamed declaration.
    pub(crate) fn test(&mut self, dir: &str, file: &CodeFile) {
        let mut runs: BTreeMap<String, Option<String>> = BTreeMap::new();
        for run in file.blocks.iter().filter(|raw| &*raw.kind == "run") {
            runs.insert(run.label(0).to_owned(), self.run_in(dir, run));
        }
        let runs_home = match runs.is_empty() {
            true => dir == self.home,
            false => runs.values().any(|one| one.as_deref() == Some(self.home)),
        };
        if runs_home && self.sets_for_others(file, &runs) {
            return;
        }
        for raw in &file.blocks {
            match &*raw.kind {
                "run" => {
                    let module = runs.get(raw.label(0)).cloned().flatten();
                    self.run(dir, file, raw, module.as_deref(), (&runs, runs_home));
                }
                "variables" | "variable"
                    if runs_home && self.subject.kind == DeclarationKind::Variable =>
                {
                    self.set_names(file, raw);
                    self.read(file, raw, &runs, Some(self.home));
                }
                "provider" | "mock_provider" => {
                    if runs_home {
                        self.alias(file, raw);
                    }
                    let module = if runs_home { Some(self.home) } else { Some(dir) };
                    self.read(file, raw, &runs, module);
                    self.mocked_outputs(dir, file, raw);
                }
                _ => {
                    self.read(file, raw, &runs, Some(dir));
                    self.mocked_outputs(dir, file, raw);
                }
            }
        }
    }

    /// Records where a block of a mock file contains the old name of the renamed declaration; its references are to the module
    /// in the folder `dir`.
    pub(crate) fn mock(&mut self, dir: &str, file: &CodeFile, raw: &RawBlock) {
        if dir == self.home {
            self.alias(file, raw);
        }
        self.read(file, raw, &BTreeMap::new(), Some(dir));
        self.mocked_outputs(dir, file, raw);
    }

    /// Returns the folder of the module that a `run` block tests; `None` if its source is not a folder of the searched tree.
    fn run_in(&self, dir: &str, run: &RawBlock) -> Option<String> {
        let Some(module) = run.blocks_of("module").next() else { return Some(dir.to_owned()) };
        let source = literal_text(&module.argument("source")?.expr)?;
        self.tree.source_folder(dir, &source)
    }

    /// Returns true, and records an obstacle to the rename, if the `variables` of a test file that set the renamed variable
    /// also set a variable of the same name in another module; `runs` has the folder that each `run` block tests, by its name.
    fn sets_for_others(
        &mut self,
        file: &CodeFile,
        runs: &BTreeMap<String, Option<String>>,
    ) -> bool {
        if self.subject.kind != DeclarationKind::Variable {
            return false;
        }
        let old = &self.subject.old;
        let sets = file.blocks.iter().filter(|raw| &*raw.kind == "variables");
        let Some(argument) = sets.into_iter().find_map(|raw| raw.argument(old)) else {
            return false;
        };
        let others = runs.values().flatten().filter(|dir| *dir != self.home);
        let Some(other) = others.into_iter().find(|dir| self.declares_old_name(dir)) else {
            return false;
        };
        let place = self.place(file, argument.name_place.span.start as usize);
        self.unread.push(format!(
            "{place} also sets {old} for {}, which keeps the name; set it in each run first.",
            self.tree.shown(other)
        ));
        true
    }

    /// Returns true if the module in the folder `dir` declares a variable whose name is the old name of the renamed variable.
    fn declares_old_name(&self, dir: &str) -> bool {
        let folder = self.tree.folder(dir);
        let mut blocks = folder.files.iter().flat_map(|file| &file.blocks);
        blocks.any(|raw| &*raw.kind == "variable" && raw.label(0) == self.subject.old)
    }

    /// Records where a `run` block of a test file in the folder `dir` contains the old name of the renamed declaration; `module`
    /// is the folder of the module that it runs, `runs` has those of all runs of the file by name, and `runs_home` is true if one
    /// of them is the folder of the declaration.
    fn run(
        &mut self,
        dir: &str,
        file: &CodeFile,
        raw: &RawBlock,
        module: Option<&str>,
        (runs, runs_home): (&BTreeMap<String, Option<String>>, bool),
    ) {
        // Provider names in a test file are the file's own, and correspond to those of the module that it runs.
        let is_alias = matches!(self.subject.kind, DeclarationKind::Alias(_));
        // A variable that the module does not declare belongs to the file.
        let is_of_file = self.subject.kind == DeclarationKind::Variable
            && runs_home
            && module.is_some_and(|dir| !self.declares_old_name(dir));
        let named = if is_of_file { Some(self.home) } else { module };
        let standing = NameContext { file, module: named, inner: module, runs: Some(runs) };
        let own = NameContext { module: runs_home.then_some(self.home), ..standing };
        let look = |finder: &mut Self, raw: &RawBlock, standing: NameContext<'_>| {
            name_sites::block(raw, &mut |spot| match spot {
                NameSite::Provider(_) if is_alias => finder.name_site(own, spot),
                other => finder.name_site(standing, other),
            });
        };
        let (values, rest): (Vec<&RawBlock>, Vec<&RawBlock>) =
            raw.blocks.iter().partition(|block| &*block.kind == "variables");
        let mut outer = raw.clone();
        outer.blocks = rest.into_iter().cloned().collect();
        look(self, &outer, standing);
        for values in values {
            if module == Some(self.home) && self.subject.kind == DeclarationKind::Variable {
                self.set_names(file, values);
            }
            // Assigned values are evaluated among the names of the file.
            look(self, values, own);
        }
        self.mocked_outputs(module.unwrap_or(dir), file, raw);
    }

    /// Records the references to the renamed declaration in a block of a test file or mock file; `module` is the folder of the
    /// module to which its names belong, and `runs` has the folder that each `run` block tests, by the block's name.
    fn read(
        &mut self,
        file: &CodeFile,
        raw: &RawBlock,
        runs: &BTreeMap<String, Option<String>>,
        module: Option<&str>,
    ) {
        let standing = NameContext { file, module, inner: module, runs: Some(runs) };
        name_sites::block(raw, &mut |spot| self.name_site(standing, spot));
    }

    /// Records the old name of the renamed variable among the variables that a `variables` or `variable` block of a test file
    /// sets.
    fn set_names(&mut self, file: &CodeFile, raw: &RawBlock) {
        if &*raw.kind == "variable" {
            if let Some(label) = raw.labels.first() {
                self.name(file, &label.text, label.place);
            }
            return;
        }
        for argument in &raw.arguments {
            self.name(file, &argument.name, argument.name_place);
        }
    }

    /// Records the alias of a provider block in a test file or mock file, if it is the old name of the renamed configuration.
    fn alias(&mut self, file: &CodeFile, raw: &RawBlock) {
        let DeclarationKind::Alias(provider) = &self.subject.kind else { return };
        if raw.label(0) == provider
            && let Some(alias) = raw.argument("alias")
            && let Some(text) = literal_text(&alias.expr)
        {
            self.name(file, &text, alias.expr.place());
        }
    }

    /// Records the old name of the renamed output in the `override_module` blocks inside of a block; `dir` is the folder to
    /// which their targets are relative.
    fn mocked_outputs(&mut self, dir: &str, file: &CodeFile, raw: &RawBlock) {
        if self.subject.kind != DeclarationKind::Output {
            return;
        }
        raw.blocks.iter().for_each(|block| self.mocked_outputs(dir, file, block));
        if &*raw.kind != "override_module" {
            return;
        }
        let (Some(target), Some(outputs)) = (raw.argument("target"), raw.argument("outputs"))
        else {
            return;
        };
        if self.module_at(Some(dir), &target.expr).as_deref() != Some(self.home) {
            return;
        }
        let place = |span| Place::new(outputs.expr.file(), span);
        match &outputs.expr {
            Expr::Native(native) => {
                let ExprCase::Object(items) = native.view().case() else { return };
                for item in items {
                    let name = match item.key.case() {
                        ExprCase::Root(name) => Some(name.to_owned()),
                        _ => groma_config::quoted(item.key),
                    };
                    if let Some(name) = name {
                        self.name(file, &name, place(item.key.span()));
                    }
                }
            }
            Expr::Json(document) => {
                let Json::Object(items) = document.view().case() else { return };
                for item in items {
                    self.name(file, &item.name, place(item.name_span));
                }
            }
        }
    }
}
