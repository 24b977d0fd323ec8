//! Expected contents of a body: the arguments and blocks that rows, a provider's schema or a module's variables allow there. The
//! query names the enclosing blocks and not a tree, so that it works in an unfinished text.

use std::sync::Arc;

use groma_config::{BlockRow, OpenContent, ResourceMode};
use groma_module::backend::{BACKENDS, backend};
use groma_module::built_in::shape_of;
use groma_module::dialect::{MOCK, MODULE, QUERY, TEST};
use groma_module::schema::LocalProviders;
use groma_module::visit::Declaration;
use groma_module::{Module, provisioner_names, provisioner_schema};
use groma_runtime::Edition;
use groma_value::schema::{AttributeSchema, BlockSchema, NestedBlock, NestingMode};
use groma_value::{Str, Type};

use crate::Snapshot;
use crate::place::declaration::DeclarationId;
use crate::place::index::module;

/// The kind of a file, such as a module's code or a test file, which determines the block types that it may contain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BodyLanguage {
    /// Code files of a module.
    Module,
    /// Test files.
    Test,
    /// Mock files.
    Mock,
    /// Query files.
    Query,
    /// Packer templates.
    Packer,
}

/// A block around a place: its type and its labels.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BlockStep {
    /// The type of the block.
    pub kind: String,
    /// Its labels.
    pub labels: Vec<String>,
}

/// The arguments and block types that a body may contain.
#[derive(Clone, Debug, Default)]
pub struct ExpectedBody {
    /// The arguments, sorted by name.
    pub arguments: Vec<ExpectedArgument>,
    /// The block types, sorted by name.
    pub blocks: Vec<ExpectedBlock>,
    /// True if other arguments are allowed too.
    pub is_open: bool,
}

/// An argument that a body may contain, with its type and its description.
#[derive(Clone, Debug)]
pub struct ExpectedArgument {
    /// Its name.
    pub name: Str,
    /// The type of its values.
    pub ty: Type,
    /// True if the body is incomplete without it.
    pub is_required: bool,
    /// True if its value is sensitive.
    pub is_sensitive: bool,
    /// True if it is deprecated.
    pub is_deprecated: bool,
    /// The description from the schema or the called module.
    pub description: Option<Str>,
    /// The variable of the called module that it sets.
    pub variable: Option<DeclarationId>,
}

/// A block type that a body may contain, with its labels, how many such blocks there may be, and its description.
#[derive(Clone, Debug)]
pub struct ExpectedBlock {
    /// The type of the block.
    pub name: Str,
    /// The names of its labels, such as `type`.
    pub labels: Vec<&'static str>,
    /// Minimum number of such blocks.
    pub min: u64,
    /// Maximum number of such blocks; 0 if unlimited.
    pub max: u64,
    /// True if it is deprecated.
    pub is_deprecated: bool,
    /// The description of the block type; empty if a provider's schema defines it.
    pub doc: &'static str,
    /// The names of its required arguments.
    pub required: Vec<Str>,
}

impl BodyLanguage {
    /// Returns the rows that describe the block types at the top level of a file of this kind.
    fn rows(self) -> &'static [BlockRow] {
        match self {
            BodyLanguage::Module => MODULE,
            BodyLanguage::Test => TEST,
            BodyLanguage::Mock => MOCK,
            BodyLanguage::Query => QUERY,
            BodyLanguage::Packer => groma_packer::rows(),
        }
    }
}

/// Returns the expected contents of the body in the nested `blocks`, by the language alone and without a root; `None` if one of
/// them is unknown.
pub fn expected_by_rows(
    language: BodyLanguage,
    edition: Edition,
    blocks: &[BlockStep],
) -> Option<ExpectedBody> {
    expected(language, edition, blocks, &|_| None)
}

impl Snapshot {
    /// Returns the expected contents of the body in the nested `blocks` of a file; `None` if one of them is unknown. The file
    /// determines the module; a file that was not read counts as one of the root module.
    pub fn expected_body(
        &self,
        file: &str,
        language: BodyLanguage,
        blocks: &[BlockStep],
    ) -> Option<ExpectedBody> {
        let number = self.module_of_file(file);
        let module = module(self.project(), number)?;
        let schema = |step: &BlockStep| self.schema_of(module, step);
        let mut body = expected(language, self.edition(), blocks, &schema)?;
        if let ([BlockStep { kind, labels }], BodyLanguage::Module) = (blocks, language)
            && kind == "module"
        {
            let call = module
                .calls
                .iter()
                .position(|one| Some(&*one.name) == labels.first().map(String::as_str));
            let id = call.map(|at| DeclarationId {
                module: number,
                declaration: Declaration::Call(at as u32),
            });
            let called = id.and_then(|id| self.called_module(id));
            body.arguments.extend(called.into_iter().flat_map(|called| self.inputs(called)));
            body.is_open = body.is_open && called.is_none();
        }
        let is_variables = |step: &BlockStep| step.kind == "variables";
        if language == BodyLanguage::Test && blocks.last().is_some_and(is_variables) {
            body.arguments.extend(self.inputs(0));
        }
        body.arguments.sort_by(|a, b| a.name.cmp(&b.name));
        Some(body)
    }

    /// Returns an argument for each variable of the module with the number `number`, as a call of the module may set it.
    pub fn inputs(&self, number: usize) -> Vec<ExpectedArgument> {
        let Some(called) = module(self.project(), number) else { return Vec::new() };
        let variables = called.variables.iter().enumerate();
        let argument = |(at, variable): (usize, &Arc<groma_module::declare::Variable>)| {
            let declaration = Declaration::Variable(at as u32);
            ExpectedArgument {
                name: variable.name.clone(),
                ty: variable.ty.clone(),
                is_required: variable.default.is_none() && variable.default_place.is_none(),
                is_sensitive: variable.sensitive,
                is_deprecated: variable.deprecated.is_some(),
                description: variable.description.clone(),
                variable: Some(DeclarationId { module: number, declaration }),
            }
        };
        variables.map(argument).collect()
    }

    /// Returns the number of the module that contains a file; the root's for a file that was not read.
    pub fn module_of_file(&self, file: &str) -> usize {
        let number = self.file(file).and_then(|file| self.places().module_of(file));
        number.unwrap_or(0)
    }

    /// Returns the labels that providers define for a block type such as `resource`, sorted: of the providers that the
    /// module of `file` requires, or of all with a schema if it requires none.
    pub fn resource_types(&self, file: &str, kind: &str) -> Vec<String> {
        let Some(mode) = mode(kind) else { return Vec::new() };
        let Some(module) = module(self.project(), self.module_of_file(file)) else {
            return Vec::new();
        };
        let schemas = self.evaluation().schemas();
        let mut sources: Vec<String> =
            module.settings.providers.iter().filter_map(|one| one.source()).collect();
        if sources.is_empty() {
            sources =
                schemas.providers().into_iter().map(|(source, _)| source.to_owned()).collect();
        }
        let of_source = |source: &String| schemas.kinds(source, mode).unwrap_or_default();
        let mut found: Vec<String> =
            sources.iter().flat_map(of_source).map(str::to_owned).collect();
        match kind {
            "resource" => found.push("terraform_data".to_owned()),
            "data" => found.push("terraform_remote_state".to_owned()),
            _ => {}
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Returns the description in a provider's schema, for the module of `file`, of the argument or block type `name` inside
    /// of the nested `blocks`, or of the resource type itself if `name` is empty; `None` if there is none.
    pub fn schema_description(
        &self,
        file: &str,
        blocks: &[BlockStep],
        name: &str,
    ) -> Option<String> {
        let module = module(self.project(), self.module_of_file(file))?;
        let (first, inner) = blocks.split_first()?;
        let label = first.labels.first()?;
        let providers = LocalProviders::of(&module.settings.providers);
        let source = providers.source(label.split('_').next().unwrap_or_default());
        let mut path: Vec<&str> = Vec::new();
        for step in inner {
            match step.kind.as_str() {
                "dynamic" => path.extend(step.labels.first().map(String::as_str)),
                "content" => {}
                kind => path.push(kind),
            }
        }
        path.extend(Some(name).filter(|name| !name.is_empty()));
        self.evaluation().schemas().description(&source, mode(&first.kind)?, label, &path)
    }

    /// Returns the provider's schema of a top-level block such as a resource; `None` for other blocks and without a schema.
    fn schema_of(&self, module: &Module, step: &BlockStep) -> Option<Arc<BlockSchema>> {
        let schemas = self.evaluation().schemas();
        let label = step.labels.first()?;
        let providers = LocalProviders::of(&module.settings.providers);
        if step.kind == "provider" {
            let source = providers.source(label);
            return schemas.of_provider(&source).map(|schema| schema.block.clone());
        }
        let source = providers.source(label.split('_').next().unwrap_or_default());
        shape_of(schemas, &source, mode(&step.kind)?, label, self.edition())
    }
}

/// Returns the resource mode of a block type such as `data`; `None` for types whose contents no provider defines.
fn mode(kind: &str) -> Option<ResourceMode> {
    Some(match kind {
        "resource" => ResourceMode::Managed,
        "data" => ResourceMode::Data,
        "ephemeral" => ResourceMode::Ephemeral,
        "list" => ResourceMode::List,
        "action" => ResourceMode::Action,
        _ => return None,
    })
}

/// Returns the possible labels of a `backend` or `provisioner` block, each with its description; empty for other block types.
pub fn label_names(kind: &str, edition: Edition) -> Vec<(&'static str, &'static str)> {
    let backends = || BACKENDS.iter().filter(|row| row.editions.includes(edition));
    match kind {
        "backend" => backends().map(|row| (row.kind, row.doc)).collect(),
        "provisioner" => provisioner_names().into_iter().map(|name| (name, "")).collect(),
        _ => Vec::new(),
    }
}

/// The definition of a block's contents while descending through enclosing blocks: a row of the language, a provider's schema,
/// or both.
#[derive(Default)]
struct BodyContentRows {
    row: Option<&'static BlockRow>,
    schema: Option<Arc<BlockSchema>>,
    /// In a `dynamic` block, the schema of the generated blocks.
    outer: Option<Arc<BlockSchema>>,
}

/// Returns the expected contents of the body in the nested `blocks`, or of the top level of a file if there are none; `None`
/// if one of them is unknown; `schema` returns the provider's schema of a top-level block.
fn expected(
    language: BodyLanguage,
    edition: Edition,
    blocks: &[BlockStep],
    schema: &dyn Fn(&BlockStep) -> Option<Arc<BlockSchema>>,
) -> Option<ExpectedBody> {
    let rows = language.rows();
    let Some((first, inner)) = blocks.split_first() else {
        let mut body = ExpectedBody::default();
        body.add_blocks(rows, edition);
        return Some(body.sorted());
    };
    let row = rows.iter().find(|row| row.kind == first.kind && row.editions.includes(edition))?;
    let mut at = BodyContentRows { row: Some(row), schema: schema(first), outer: None };
    for step in inner {
        at = at.within(step, edition)?;
    }
    let mut body = ExpectedBody::default();
    if let Some(row) = at.row {
        let arguments = row.arguments.iter().filter(|one| one.editions.includes(edition));
        for argument in arguments.filter(|one| !one.is_computed) {
            body.arguments.push(ExpectedArgument {
                name: argument.name.into(),
                ty: argument.takes.ty(),
                is_required: argument.is_required,
                is_sensitive: argument.is_sensitive,
                is_deprecated: false,
                description: None,
                variable: None,
            });
        }
        body.add_blocks(row.blocks, edition);
        body.is_open = row.open != OpenContent::Closed && at.schema.is_none();
    }
    if let Some(schema) = &at.schema {
        body.add_schema(schema, at.row.is_some_and(|row| !row.blocks.is_empty()));
    }
    Some(body.sorted())
}

impl BodyContentRows {
    /// Returns the definition of the contents of a block inside of this one; `None` if the block is unknown.
    fn within(&self, step: &BlockStep, edition: Edition) -> Option<BodyContentRows> {
        let label = step.labels.first().map_or("", String::as_str);
        let nested = |schema: &Option<Arc<BlockSchema>>, name: &str| {
            schema.as_ref().and_then(|schema| schema.block(name)).map(|one| one.block.clone())
        };
        match step.kind.as_str() {
            "dynamic" => {
                let inner = nested(&self.schema, label);
                return Some(BodyContentRows { row: Some(&DYNAMIC), schema: None, outer: inner });
            }
            "content" if self.outer.is_some() => {
                return Some(BodyContentRows { schema: self.outer.clone(), ..Self::default() });
            }
            "backend" => {
                return Some(BodyContentRows { row: backend(label, edition), ..Self::default() });
            }
            "provisioner" => {
                let row = self.row_of(&step.kind, edition);
                let schema = provisioner_schema(label);
                return Some(BodyContentRows { row, schema, outer: None });
            }
            "connection" => {
                let schema = Some(groma_module::connection_schema());
                return Some(BodyContentRows { schema, ..Self::default() });
            }
            _ => {}
        }
        if let Some(row) = self.row_of(&step.kind, edition) {
            return Some(BodyContentRows { row: Some(row), ..Self::default() });
        }
        let schema = Some(nested(&self.schema, &step.kind)?);
        Some(BodyContentRows { schema, ..Self::default() })
    }

    /// Returns the row of the block type `kind` directly inside of this block; `None` if the edition does not have it there.
    fn row_of(&self, kind: &str, edition: Edition) -> Option<&'static BlockRow> {
        let mut rows = self.row?.blocks.iter();
        rows.find(|row| row.kind == kind && row.editions.includes(edition))
    }
}

/// The row that describes a `dynamic` block.
static DYNAMIC: BlockRow = {
    use groma_config::row::{block, optional, required};
    block("dynamic", "Blocks of one type, one for each element of a collection.")
        .labels(&["type"])
        .arguments(&[required("for_each"), optional("iterator"), optional("labels")])
        .blocks(&[block("content", "The body of every block that is made.")])
};

impl ExpectedBody {
    /// Adds the block types of `rows` that exist in an edition to the expected contents.
    fn add_blocks(&mut self, rows: &[BlockRow], edition: Edition) {
        // The row `_` is for arguments with arbitrary names, which cannot be suggested.
        let shown = rows.iter().filter(|row| row.editions.includes(edition) && row.kind != "_");
        self.blocks.extend(shown.map(|row| ExpectedBlock {
            name: row.kind.into(),
            labels: row.labels.to_vec(),
            min: 0,
            max: u64::from(row.is_single),
            is_deprecated: false,
            doc: row.doc,
            required: required_names(row),
        }));
    }

    /// Adds the arguments and block types of a provider's schema to the expected contents, and `dynamic` if it has block types
    /// or, with `makes_blocks`, the language has some there.
    fn add_schema(&mut self, schema: &BlockSchema, makes_blocks: bool) {
        let settable = |one: &&AttributeSchema| one.required || one.optional;
        for attribute in schema.attributes().iter().filter(settable) {
            if self.arguments.iter().any(|known| known.name == attribute.name) {
                continue;
            }
            self.arguments.push(ExpectedArgument {
                name: attribute.name.clone(),
                ty: attribute.ty(),
                is_required: attribute.required,
                is_sensitive: attribute.sensitive,
                is_deprecated: attribute.deprecated,
                description: None,
                variable: None,
            });
        }
        let nested = schema.blocks();
        self.blocks.extend(nested.iter().map(|one| ExpectedBlock {
            name: one.name.clone(),
            labels: if one.nesting == NestingMode::Map { vec!["key"] } else { Vec::new() },
            min: one.min,
            max: match one.nesting {
                NestingMode::Single | NestingMode::Group => 1,
                _ => one.max,
            },
            is_deprecated: one.block.deprecated,
            doc: "",
            required: required_attributes(one),
        }));
        if makes_blocks || !nested.is_empty() {
            self.blocks.push(ExpectedBlock {
                name: DYNAMIC.kind.into(),
                labels: DYNAMIC.labels.to_vec(),
                min: 0,
                max: 0,
                is_deprecated: false,
                doc: DYNAMIC.doc,
                required: required_names(&DYNAMIC),
            });
        }
    }

    /// Returns the expected contents with arguments and block types sorted by name, and each block type once.
    fn sorted(mut self) -> ExpectedBody {
        self.arguments.sort_by(|a, b| a.name.cmp(&b.name));
        self.blocks.sort_by(|a, b| a.name.cmp(&b.name));
        self.blocks.dedup_by(|a, b| a.name == b.name);
        self
    }
}

/// Returns the names of the required arguments of the block type that a row describes.
fn required_names(row: &BlockRow) -> Vec<Str> {
    row.arguments.iter().filter(|one| one.is_required).map(|one| one.name.into()).collect()
}

/// Returns the names of the required arguments of a block type in a provider's schema.
fn required_attributes(block: &NestedBlock) -> Vec<Str> {
    let attributes = block.block.attributes().iter();
    attributes.filter(|one| one.required).map(|one| one.name.clone()).collect()
}

/// Returns the names and types of the attributes of an object type, or of the objects in a list or set; empty for other types.
pub fn attributes_of(ty: &Type) -> Vec<(Str, Type)> {
    match ty {
        Type::Object(object) => {
            object.attributes().iter().map(|one| (one.name.clone(), one.ty.clone())).collect()
        }
        Type::List(element) | Type::Set(element) => attributes_of(element),
        _ => Vec::new(),
    }
}
