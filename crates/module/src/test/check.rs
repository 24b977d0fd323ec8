//! Validation of test files as written: each block by itself. Results of the runs are not checked, and references inside of them
//! are resolved only when they run.

use std::collections::BTreeMap;

use crate::dialect::Conventions;
use groma_config::{
    AddressPattern, KeyForms, RawArgument, RawBlock, ReadSetting, ResourceMode, address_grammar,
    keyword, literal_text,
};
use groma_syntax::ast::ExprCase;
use groma_syntax::{Diagnostic, DiagnosticCode, Diagnostics, Expr, Place};
use groma_value::{Type, Value};
use rustc_hash::FxHashMap;

use crate::codes;
use crate::declare::lifecycle::items;
use crate::declare::{Condition, DeclarationReader};
use crate::gather::check_name;

/// Reports duplicate and invalid blocks of one test file.
pub(super) fn check(blocks: &[RawBlock], gatherer: &DeclarationReader<'_>, out: &mut Diagnostics) {
    let mut file = TestChecker { gatherer, conventions: &gatherer.conventions, out };
    file.report_repeated(blocks, "variables", "A test file");
    file.report_repeated(blocks, "test", "A test file");
    file.report_duplicates(blocks, "run", |raw| raw.label(0).to_owned());
    file.providers(blocks);
    file.overrides(blocks);
    for run in blocks.iter().filter(|raw| &*raw.kind == "run") {
        file.run(run);
    }
}

/// The settings for checking one test file, and the sink for what is found.
struct TestChecker<'c, 'g> {
    gatherer: &'c DeclarationReader<'g>,
    conventions: &'c Conventions,
    out: &'c mut Diagnostics,
}

impl TestChecker<'_, '_> {
    /// Reports an error with this code and message.
    fn wrong(&mut self, code: &'static DiagnosticCode, detail: impl Into<String>, place: Place) {
        self.out.push(Diagnostic::error(code, detail).at(place));
    }

    /// Reports the second block of a kind that may occur only once in the test file or run that `whose` names.
    fn report_repeated(&mut self, blocks: &[RawBlock], kind: &str, whose: &str) {
        let mut all = blocks.iter().filter(|raw| &*raw.kind == kind);
        if let (Some(first), Some(second)) = (all.next(), all.next()) {
            let detail = format!("{whose} may have only one {kind} block. Merge the two.");
            let found = Diagnostic::error(&codes::DUPLICATE_DECLARATION, detail).at(second.header);
            self.out.push(found.note_at("The first is here.", first.header));
        }
    }

    /// Reports blocks of the kind `kind` for which `key` yields the same text, such as their label, as duplicates, in editions
    /// whose program reports them.
    fn report_duplicates(
        &mut self,
        blocks: &[RawBlock],
        kind: &str,
        key: impl Fn(&RawBlock) -> String,
    ) {
        let mut seen: FxHashMap<String, Place> = FxHashMap::default();
        for raw in blocks.iter().filter(|raw| &*raw.kind == kind) {
            let key = key(raw);
            match seen.get(&key) {
                Some(first) if !self.conventions.tests_may_repeat || kind == "mock_provider" => {
                    let detail = format!(
                        "There is already a {kind} block for \"{key}\". Remove or rename one of the two."
                    );
                    let found =
                        Diagnostic::error(&codes::DUPLICATE_DECLARATION, detail).at(raw.header);
                    self.out.push(found.note_at("The first is here.", *first));
                }
                Some(_) => {}
                None => {
                    seen.insert(key, raw.header);
                }
            }
        }
    }

    /// Reports duplicate `provider` and `mock_provider` blocks, versions in them, and invalid mocks and overrides.
    fn providers(&mut self, blocks: &[RawBlock]) {
        let key = |raw: &RawBlock| {
            let alias = raw.argument("alias").and_then(|argument| literal_text(&argument.expr));
            alias.map_or_else(
                || raw.label(0).to_owned(),
                |alias| format!("{}.{alias}", raw.label(0)),
            )
        };
        self.report_duplicates(blocks, "provider", key);
        self.report_duplicates(blocks, "mock_provider", key);
        for raw in blocks {
            match &*raw.kind {
                "provider" => {
                    if let Some(argument) = raw.argument("version") {
                        let detail = "The module under test determines the versions of providers. Remove the argument.";
                        let found = match self.conventions.tests_may_set_versions {
                            true => Diagnostic::warning(&codes::TEST_PROVIDER_VERSION, detail),
                            false => Diagnostic::error(&codes::TEST_PROVIDER_VERSION, detail),
                        };
                        self.out.push(found.at(argument.place));
                    }
                }
                "mock_provider" => {
                    self.during(raw);
                    for kind in ["mock_resource", "mock_data"] {
                        let before = self.out.error_count();
                        self.report_duplicates(&raw.blocks, kind, |raw| raw.label(0).to_owned());
                        for mock in raw.blocks_of(kind) {
                            self.during(mock);
                            // Nothing else is reported of a duplicate.
                            if self.conventions.tests_may_repeat || self.out.error_count() == before
                            {
                                self.object(mock, "defaults");
                            }
                        }
                    }
                    self.overrides(&raw.blocks);
                }
                _ => {}
            }
        }
    }

    /// Reports `override_…` blocks with invalid or duplicate targets, or with invalid values.
    fn overrides(&mut self, blocks: &[RawBlock]) {
        let mut seen: BTreeMap<AddressPattern, Place> = BTreeMap::new();
        for raw in blocks.iter().filter(|raw| raw.kind.starts_with("override_")) {
            self.during(raw);
            let values = if &*raw.kind == "override_module" { "outputs" } else { "values" };
            self.object(raw, values);
            let Some(argument) = raw.argument("target") else { continue };
            let words = address_grammar(self.gatherer.library.edition, "override");
            let read = match self.gatherer.conventions.override_wildcards {
                true => AddressPattern::read(&argument.expr, words.with_keys(KeyForms::Wildcard)),
                false => AddressPattern::read(&argument.expr, words),
            };
            let target = match read {
                Ok(target) => target,
                Err(detail) => {
                    self.wrong(&codes::OVERRIDE_TARGET, detail, argument.expr.place());
                    continue;
                }
            };
            let mode = target.resource.as_ref().map(|one| one.mode);
            let (fits, what) = match &*raw.kind {
                "override_module" => (mode.is_none(), "modules"),
                _ if self.conventions.overrides_any_mode => (true, ""),
                "override_data" => (mode == Some(ResourceMode::Data), "data sources"),
                _ => (mode == Some(ResourceMode::Managed), "resources"),
            };
            if !fits {
                let kind = &*raw.kind;
                let detail = format!("{target} is not one of the {what} that {kind} is for.");
                self.wrong(&codes::OVERRIDE_TARGET, detail, argument.expr.place());
                continue;
            }
            match seen.get(&target) {
                Some(first) if !self.conventions.tests_may_repeat => {
                    let detail = format!("{target} is already overridden. Remove one of the two.");
                    let found =
                        Diagnostic::error(&codes::DUPLICATE_DECLARATION, detail).at(raw.header);
                    self.out.push(found.note_at("The first is here.", *first));
                }
                Some(_) => {}
                None => {
                    seen.insert(target, raw.header);
                }
            }
        }
    }

    /// Reports an `override_during` that is neither `plan` nor `apply`.
    fn during(&mut self, raw: &RawBlock) {
        if let Some(argument) = raw.argument("override_during") {
            self.word(argument, &["plan", "apply"]);
        }
    }

    /// Reports the argument `name` of a mock or override if it is not a constant object. Newer programs evaluate it only on
    /// demand.
    fn object(&mut self, raw: &RawBlock, name: &str) {
        let Some(argument) = raw.argument(name).filter(|_| !self.gatherer.conventions.has_actions)
        else {
            return;
        };
        let whose = "A mocked value";
        let value = self.gatherer.constant(&argument.expr, whose, self.out);
        let is_object = |value: &Value| matches!(value.ty(), Type::Object(_) | Type::Map(_));
        if value.is_some_and(|value| !is_object(&value)) {
            let detail = format!("\"{name}\" is an object: names and their values.");
            self.wrong(&codes::TEST_OBJECT, detail, argument.expr.place());
        }
    }

    /// Returns the keyword that a setting is set to, which must be one of `words`; reports any other expression and returns
    /// `None`.
    fn word(&mut self, argument: &RawArgument, words: &[&str]) -> Option<String> {
        if let Expr::Native(native) = &argument.expr
            && matches!(native.view().case(), ExprCase::Missing)
        {
            return None;
        }
        let is_bare = match &argument.expr {
            Expr::Native(native) => matches!(native.view().case(), ExprCase::Root(_)),
            Expr::Json(_) => true,
        };
        let found = keyword(&argument.expr);
        if let Some(found) = found.filter(|found| is_bare && words.contains(&found.as_str())) {
            return Some(found);
        }
        let detail = format!(
            "\"{}\" must be one of the keywords {}, without quotes.",
            &*argument.name,
            words.join(" and ")
        );
        self.wrong(&codes::TEST_KEYWORD, detail, argument.expr.place());
        None
    }

    /// Reports an invalid name, setting, override or assertion of a `run` block.
    fn run(&mut self, run: &RawBlock) {
        if let Some(label) = run.labels.first() {
            check_name(&label.text, label.place, self.out);
        }
        if let Some(argument) = run.argument("command") {
            self.word(argument, &["apply", "plan"]);
        }
        self.gatherer.flag(run, "parallel", self.out);
        self.report_repeated(&run.blocks, "variables", "A run");
        self.overrides(&run.blocks);
        for assertion in run.blocks_of("assert") {
            Condition::about_something(assertion, &self.gatherer.library, self.out);
        }
        if let Some(argument) = run.argument("expect_failures") {
            self.references(argument);
        }
        if let Some(argument) = run.argument("providers") {
            self.provider_map(argument);
        }
        for options in run.blocks_of("plan_options") {
            let mode = options.argument("mode");
            let mode = mode.and_then(|argument| self.word(argument, &["normal", "refresh-only"]));
            let refresh = self.gatherer.flag(options, "refresh", self.out);
            if let (Some("refresh-only"), Some(false), Some(argument)) =
                (mode.as_deref(), refresh, options.argument("refresh"))
            {
                let detail = "A refresh-only run cannot disable refreshing. Remove one of the two.";
                self.wrong(&codes::TEST_OPTIONS, detail, argument.place);
            }
            for name in ["replace", "target"] {
                options.argument(name).into_iter().for_each(|argument| self.references(argument));
            }
        }
        for module in run.blocks_of("module") {
            self.module(module);
        }
    }

    /// Reports a `module` block of a run whose source is missing or not literal, or that has a version for a local path.
    fn module(&mut self, module: &RawBlock) {
        let Some(argument) = module.argument("source") else {
            let detail =
                "A module block of a run needs the argument \"source\", the module to run instead.";
            return self.wrong(&codes::MODULE_SOURCE, detail, module.header);
        };
        let Some(text) = literal_text(&argument.expr) else {
            let detail = "The source of a module has to be a literal string here: it is read before anything is evaluated.";
            return self.wrong(&codes::MODULE_SOURCE, detail, argument.expr.place());
        };
        if module.argument("version").is_some() && is_local(&text) {
            let detail = "A local path has no versions: remove the argument \"version\".";
            self.wrong(&codes::MODULE_SOURCE, detail, argument.expr.place());
        }
    }

    /// Reports an argument that is not a literal list of references, and references in quotes.
    fn references(&mut self, argument: &RawArgument) {
        let Some(items) = items(argument) else {
            let detail = format!(
                "\"{}\" has to be a literal list of references, as in [check.health].",
                &*argument.name
            );
            return self.wrong(&codes::TEST_REFERENCES, detail, argument.expr.place());
        };
        for item in items {
            if item.text.is_some() && !item.is_json {
                let detail = "References need no quotes here. Remove them.";
                self.out.push(Diagnostic::warning(&codes::QUOTED_REFERENCE, detail).at(item.place));
            } else if !item.view().is_some_and(groma_config::is_traversal) {
                let detail =
                    "Only references are allowed here, such as check.health or output.url.";
                self.wrong(&codes::TEST_REFERENCES, detail, item.place);
            }
        }
    }

    /// Reports the `providers` of a run if it is not a literal map of provider references, and names in quotes.
    fn provider_map(&mut self, argument: &RawArgument) {
        let Expr::Native(native) = &argument.expr else { return };
        let ExprCase::Object(entries) = native.view().case() else {
            let detail = "\"providers\" maps providers of the module to those of the test, as in { aws = aws.west }.";
            return self.wrong(&codes::TEST_REFERENCES, detail, argument.expr.place());
        };
        for entry in entries {
            let place = |span| Place::new(argument.expr.file(), span);
            for side in [entry.key, entry.value] {
                if groma_config::quoted(side).is_some() {
                    let detail = "Names of providers need no quotes here. Remove them.";
                    self.out.push(
                        Diagnostic::warning(&codes::QUOTED_REFERENCE, detail)
                            .at(place(side.span())),
                    );
                } else if !groma_config::is_traversal(side) {
                    let detail = "A provider is referenced by its local name, optionally with an alias, as in aws.west.";
                    self.wrong(&codes::TEST_REFERENCES, detail, place(side.span()));
                }
            }
        }
    }
}

/// Returns true if a module source is a local path.
pub(super) fn is_local(source: &str) -> bool {
    source.starts_with("./") || source.starts_with("../")
}
