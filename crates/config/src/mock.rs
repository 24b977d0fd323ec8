//! Reader of mock files, which contain values for what cannot be queried. Mocks of functions are read completely here; those of
//! providers only as raw blocks, because their schemas are known once the modules are loaded. A mocked value is a constant; an
//! invalid one is reported and left out.

use groma_eval::{Context, FunctionMock, FunctionMocks, LocatedCode, evaluate};
use groma_functions::{Function, FunctionLibrary, FunctionReads, TABLE, check_count};
use groma_runtime::{Edition, EntryKind, Host};
use groma_syntax::ast::{ExprCase, ObjectItem};
use groma_syntax::{
    Block, Body, BodyItem, Diagnostic, Diagnostics, Expr, FileId, Place, Sources, parse_file,
    parse_json,
};
use groma_value::{Str, Value, convert};

use crate::block::{BlockReader as Rows, RawBlock};
use crate::codes;
use crate::file_kind::{FileKind, FilePurpose};
use crate::literal::literal_text;
use crate::path;
use crate::reading::{list, read_text};
use crate::row::{BlockRow, block, optional, required};
use crate::sentence::{did_you_mean, sentence};

/// The name of the mock file next to the code that is read even if no flag names it.
pub const MOCK_FILE: &str = "groma.mock.hcl";

/// The row of the block `mock_function`, which mocks the result of a function.
pub const MOCK_FUNCTION: BlockRow =
    block("mock_function", "The result of a function that cannot be called here.")
        .labels(&["name"])
        .arguments(&[optional("when"), required("returns")]);

/// The rows of the blocks in mock files besides `mock_function`, for dialects with providers.
#[derive(Clone, Copy, Debug)]
pub struct MockRows {
    /// The blocks at the top of a mock file.
    pub file: &'static [BlockRow],
    /// The blocks in the files of a directory that a provider's mock names.
    pub folder: &'static [BlockRow],
}

/// The mocks of functions and providers, as read from mock files.
#[derive(Clone, Default, Debug)]
pub struct MockFiles {
    /// The mocks of functions.
    pub functions: FunctionMocks,
    /// The mocks of providers, as raw blocks in the order of precedence. Blocks from the files of a directory that a provider's
    /// mock names follow its own blocks, with the places of those files.
    pub blocks: Vec<RawBlock>,
    /// The files with syntax errors, whose structure is unreliable.
    pub broken: Vec<FileId>,
}

/// Reads the mock files at `paths`, which may be folders; of several mocks of one thing the first applies; `rows` describe the
/// mocks of providers, and are `None` where there are none, as for a Packer template.
pub fn read_mocks(
    paths: &[String],
    rows: Option<MockRows>,
    host: &dyn Host,
    edition: Edition,
    sources: &mut Sources,
    out: &mut Diagnostics,
) -> MockFiles {
    let mut reader = MockReader { edition, rows, host, sources, found: MockFiles::default(), out };
    for path in paths {
        match host.kind(path) {
            Ok(EntryKind::Directory) => reader.folder(path),
            _ => reader.file(path),
        }
    }
    reader.found
}

/// Reader of mock files with the mocks found so far.
struct MockReader<'a> {
    edition: Edition,
    rows: Option<MockRows>,
    host: &'a dyn Host,
    sources: &'a mut Sources,
    found: MockFiles,
    out: &'a mut Diagnostics,
}

impl MockReader<'_> {
    /// Reports an error in a mock file at a place.
    fn wrong(&mut self, detail: impl Into<String>, place: Place) {
        self.out.push(Diagnostic::error(&codes::MOCK, detail).at(place));
    }

    /// Returns the paths of the mock files in a folder, by name; `None`, after a report, if it cannot be listed.
    fn names(&mut self, folder: &str) -> Option<Vec<String>> {
        let all = list(self.host, folder, self.out)?;
        let is_mock = |name: &String| FileKind::has_purpose(name, FilePurpose::Mock);
        Some(all.into_iter().filter(is_mock).map(|name| path::join(folder, &name)).collect())
    }

    /// Reads all mock files of a folder; reports a folder without any.
    fn folder(&mut self, folder: &str) {
        let Some(files) = self.names(folder) else { return };
        if files.is_empty() {
            let detail = format!(
                "The folder \"{folder}\" contains no mock files; their names end with {}.",
                FileKind::endings(FilePurpose::Mock).join(", ")
            );
            self.out.push(Diagnostic::error(&codes::MOCK, detail));
        }
        files.iter().for_each(|file| self.file(file));
    }

    /// Adds the syntax errors of a file, which counts as broken if there are any.
    fn report(&mut self, file: FileId, found: &[Diagnostic]) {
        self.out.extend(found.iter().cloned());
        if !found.is_empty() {
            self.found.broken.push(file);
        }
    }

    /// Reads and parses the mock file at a path; `None`, after a report, if it cannot be read.
    fn body(&mut self, shown: &str) -> Option<(FileId, Body)> {
        let (file, text) = read_text(self.host, self.sources, shown, self.out)?;
        if shown.ends_with(".json") {
            let parse = parse_json(&text, file);
            self.report(file, &parse.diagnostics);
            return Some((file, Body::json(&parse)));
        }
        let parse = parse_file(&text, file);
        self.report(file, &parse.diagnostics);
        Some((file, Body::of(&parse)))
    }

    /// Creates a block reader for the mock file with the number `file`.
    fn block_reader(&mut self, file: FileId) -> Rows<'_> {
        Rows {
            edition: self.edition,
            file,
            in_own_file: false,
            is_override: false,
            whose: "a mock file",
            elsewhere: |_, _| "",
            out: self.out,
        }
    }

    /// Reads one mock file, whose path as given and as shown in messages is `shown`, and adds its mocks.
    fn file(&mut self, shown: &str) {
        let Some((file, body)) = self.body(shown) else { return };
        let Some(rows) = self.rows else {
            for item in body.items() {
                self.item(&item, file);
            }
            return;
        };
        let blocks = self.block_reader(file).file(&body, rows.file);
        for mut raw in blocks {
            match &*raw.kind {
                "mock_function" => self.function(&raw),
                "mock_provider" => {
                    self.source(&mut raw, shown, rows.folder);
                    self.found.blocks.push(raw);
                }
                _ => self.found.blocks.push(raw),
            }
        }
    }

    /// Adds to a `mock_provider` block the blocks, described by `rows`, from the files in the folder that its `source` names;
    /// that path is relative to the folder of the mock file `shown`.
    fn source(&mut self, raw: &mut RawBlock, shown: &str, rows: &'static [BlockRow]) {
        let Some(argument) = raw.argument("source") else { return };
        let place = argument.expr.place();
        let Some(source) = literal_text(&argument.expr) else {
            let detail = "The folder of mocks is a literal string, such as \"./mocks\".";
            return self.wrong(detail, place);
        };
        let own = shown.rsplit_once('/').map_or(".", |(folder, _)| folder);
        let folder = match source.starts_with('/') {
            true => source,
            false => path::join(own, source.strip_prefix("./").unwrap_or(&source)),
        };
        if !matches!(self.host.kind(&folder), Ok(EntryKind::Directory)) {
            let detail = format!("The folder \"{folder}\" does not exist or cannot be read.");
            return self.wrong(detail, place);
        }
        for shown in self.names(&folder).unwrap_or_default() {
            if let Some((file, body)) = self.body(&shown) {
                let blocks = self.block_reader(file).file(&body, rows);
                raw.blocks.extend(blocks);
            }
        }
    }

    /// Reads a top-level item of a mock file for a Packer template, and reports an invalid one.
    fn item(&mut self, item: &BodyItem, file: FileId) {
        match item {
            BodyItem::Argument(argument) => {
                let detail = format!(
                    "A mock file contains only blocks, such as mock_function \"vault\" {{ … }}, but \"{}\" is an argument.",
                    argument.name.text.as_str()
                );
                self.wrong(detail, Place::new(file, argument.name.span));
            }
            BodyItem::Block(block) => {
                let kind = block.kind.text.as_str();
                let place = Place::new(file, block.header);
                if kind == "mock_function" {
                    if let Some(raw) =
                        self.block_reader(file).top_level_block(block, &[MOCK_FUNCTION])
                    {
                        self.function(&raw);
                    }
                } else if kind == "mock_data" {
                    self.data(block, place);
                } else {
                    let near = did_you_mean(kind, ["mock_data", "mock_function"]);
                    let detail = format!(
                        "A mock file for a template has no blocks of type \"{kind}\".{near}"
                    );
                    self.wrong(detail, place);
                }
            }
        }
    }

    /// Reads a `mock_function` block and adds its mock; reports an invalid one.
    fn function(&mut self, raw: &RawBlock) {
        let Some(label) = raw.labels.first() else { return };
        let name = &*label.text;
        let row = match mockable(name) {
            Ok(row) => row,
            Err(detail) => return self.wrong(detail, label.place),
        };
        let Some(returns) = raw.argument("returns") else { return };
        let when = match raw.argument("when") {
            None => None,
            Some(when) => match self.arguments(&when.expr, row) {
                Some(arguments) => Some(arguments),
                None => return,
            },
        };
        let Some(value) = self.value(&returns.expr) else { return };
        let value = match row.map(|row| convert(&value, &row.result_type())) {
            None => value,
            Some(Ok(value)) => value,
            Some(Err(why)) => {
                let detail = format!("`{name}` cannot return this: {}.", sentence(&why));
                return self.wrong(detail, returns.expr.place());
            }
        };
        let mock = FunctionMock { when, returns: value, place: raw.header };
        self.found.functions.push(label.text.clone(), mock);
    }

    /// Reads a `mock_data` block of a Packer template: the value of a type of data sources or of one data block.
    fn data(&mut self, block: &Block, place: Place) {
        let labels: Vec<&str> = block.labels.iter().map(|label| label.text.as_str()).collect();
        if !matches!(labels.len(), 1 | 2) {
            let detail = "A mock_data block has one or two labels: the type of the data source, and the name of a block if it is for a single one.";
            return self.wrong(detail, place);
        }
        let mut defaults = None;
        for item in block.body.items() {
            match item {
                BodyItem::Argument(argument) if argument.name.text.as_str() == "defaults" => {
                    defaults = Some(argument.expr);
                }
                BodyItem::Argument(argument) => {
                    let name = argument.name.text.as_str();
                    let near = did_you_mean(name, ["defaults"]);
                    let detail =
                        format!("mock_data has no argument \"{name}\"; it has \"defaults\".{near}");
                    self.wrong(detail, Place::new(place.file, argument.name.span));
                }
                BodyItem::Block(inner) => {
                    let detail = "mock_data contains no blocks: write defaults = { … }.";
                    self.wrong(detail, Place::new(place.file, inner.header));
                }
            }
        }
        let Some(defaults) = defaults else {
            let detail = "This mock gives no values: add defaults = { … }.";
            return self.wrong(detail, place);
        };
        let Some(value) = self.value(&defaults) else { return };
        if !matches!(value.bare(), Value::Object(_)) {
            return self.wrong(
                "The values of a data source are an object: write { … }.",
                defaults.place(),
            );
        }
        let name = Str::from(format!("data.{}", labels.join(".")));
        self.found.functions.push(name, FunctionMock { when: None, returns: value, place });
    }

    /// Evaluates the arguments to which a `mock_function` applies; `None`, after a report, if they are not a list or do not fit
    /// `row`, the function if it is a built-in one.
    fn arguments(&mut self, expr: &Expr, row: Option<&Function>) -> Option<Vec<Value>> {
        let value = self.value(expr)?;
        let Value::Tuple(tuple) = value.bare() else {
            let detail =
                "\"when\" lists the arguments that this mock applies to, in square brackets.";
            self.wrong(detail, expr.place());
            return None;
        };
        let arguments = tuple.items().to_vec();
        if let Some(Err(why)) = row.map(|row| check_count(row, arguments.len())) {
            self.wrong(why.message.into_text(), expr.place());
            return None;
        }
        Some(arguments)
    }

    /// Evaluates a constant expression of a mock file; `None` after an error, which is reported.
    fn value(&mut self, expr: &Expr) -> Option<Value> {
        mock_value(expr, self.edition, self.out)
    }
}

/// Returns the attributes of an object expression: name, place of the name and value; `None` for any other expression or a
/// computed name.
pub fn mock_parts(expr: &Expr) -> Option<Vec<(Str, Place, Expr)>> {
    match expr {
        Expr::Native(native) => {
            let ExprCase::Object(items) = native.view().case() else { return None };
            let one = |item: ObjectItem<'_>| {
                let name = match item.key.case() {
                    ExprCase::Root(word) => Str::from(word),
                    ExprCase::Template(template) => Str::from(template.plain()?.into_owned()),
                    _ => return None,
                };
                let place = Place::new(expr.file(), item.key.span());
                Some((name, place, Expr::Native(native.inner(item.value))))
            };
            items.into_iter().map(one).collect()
        }
        Expr::Json(json) => {
            let groma_syntax::json::JsonCase::Object(items) = json.view().case() else {
                return None;
            };
            let one = |item: groma_syntax::json::JsonProperty<'_>| {
                let value = Expr::Json(json.inner(item.value));
                (Str::from(item.name.into_owned()), value.place(), value)
            };
            Some(items.into_iter().map(one).collect())
        }
    }
}

/// Evaluates a constant expression of a mock, which may call functions but not refer to names; `None`, after a report, if it
/// fails or is not wholly known.
pub fn mock_value(expr: &Expr, edition: Edition, out: &mut Diagnostics) -> Option<Value> {
    let located = LocatedCode::of(expr, &FunctionLibrary::of(edition));
    let before = out.error_count();
    let value = evaluate(&located, &Context::bare(edition), out);
    if out.error_count() > before {
        return None;
    }
    if !value.is_wholly_known() {
        let detail = "A part of this is unknown, so it cannot be used in a mock.";
        out.push(Diagnostic::error(&codes::MOCK, detail).at(expr.place()));
        return None;
    }
    Some(value)
}

/// Returns the row of the built-in function `name`, or `None` for one of a provider; the error says why it cannot be mocked.
fn mockable(name: &str) -> Result<Option<&'static Function>, String> {
    if let Some(rest) = name.strip_prefix("provider::") {
        let parts = rest.split("::").filter(|part| !part.is_empty()).count();
        return match (2..=3).contains(&parts) && parts == rest.split("::").count() {
            true => Ok(None),
            false => Err(format!(
                "\"{name}\" is not a provider function: write it as in calls, provider::NAME::FUNCTION."
            )),
        };
    }
    let rows = || TABLE.iter().flat_map(|family| family.functions);
    let Some(row) = rows().find(|row| row.name == name) else {
        let network = rows().filter(|row| row.reads == FunctionReads::Network).map(|row| row.name);
        let near = did_you_mean(name, network);
        return Err(format!("There is no function \"{name}\" to mock.{near}"));
    };
    match row.reads {
        FunctionReads::Network => Ok(Some(row)),
        FunctionReads::Clock | FunctionReads::PlanClock => {
            Err(format!("`{name}` reads the clock: pin it with --now instead of a mock."))
        }
        FunctionReads::Random => {
            Err(format!("`{name}` is random: pin it with --seed instead of a mock."))
        }
        FunctionReads::Files | FunctionReads::Environment | FunctionReads::Nothing => {
            Err(format!("`{name}` is evaluated here and needs no mock."))
        }
    }
}
