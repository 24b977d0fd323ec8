//! Drafts of mock files: the missing values that a root's results depend on, with placeholders of the right types, or with the
//! values of a state. Sensitive values are never copied.

mod demands;
mod example;
mod pending;
mod text;

use std::collections::BTreeMap;

use groma_config::{ResourceMode, without_keys};
use groma_eval::ProvidedSignature;
use groma_project::{Evaluation, Project};
use groma_protocol::place_text;
use groma_syntax::{Diagnostics, Place};
use groma_value::schema::{AttributeSchema, BlockSchema};
use groma_value::{Str, Type, Value, print};

use crate::answer::ProjectMocks;
use crate::tree::{MockTree, MockedCall, MockedResource, providers};
use demands::{AccessPaths, AttributeDemands};
use example::PlaceholderContext;
use pending::count_pending;
use text::literal;

/// A proposed mock file: blocks with values in place of unknown ones, before they are written as text.
#[derive(Debug)]
pub struct MockDraft {
    /// The blocks, most needed first.
    pub(crate) blocks: Vec<DraftedBlock>,
    /// The causes that no mock can resolve, each with the number of unknown parts that depend on it.
    pub(crate) others: Vec<(String, usize)>,
    /// The number of parts in the root's results that are unknown.
    pub waiting: usize,
    /// The number of parts that would remain unknown if the whole file applied.
    pub left: usize,
}

/// One block of a proposed mock file: its kind, its target and the attributes that it gives.
#[derive(Debug)]
pub(crate) struct DraftedBlock {
    kind: &'static str,
    label: Option<String>,
    target: Option<String>,
    parts: Vec<DraftPart>,
    /// The number of unknown parts that depend on it.
    count: usize,
    /// The files and lines that use it.
    places: Vec<String>,
}

impl DraftedBlock {
    /// Creates a block of a kind such as `override_resource` with the lines `parts`; label, target and the places that use it are
    /// still missing.
    fn of(kind: &'static str, parts: Vec<DraftPart>) -> DraftedBlock {
        DraftedBlock { kind, label: None, target: None, parts, count: 0, places: Vec::new() }
    }

    /// Returns the block with `target` set as its target address.
    fn at(self, target: String) -> DraftedBlock {
        DraftedBlock { target: Some(target), ..self }
    }
}

/// One line of a proposed mock block: an attribute with its value, or a comment in its place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum DraftPart {
    /// An attribute's name and its recorded value as code.
    Given(Str, String),
    /// An attribute's name, a placeholder as code, and the type as code if known.
    Placeholder(Str, String, Option<String>),
    /// The name of an attribute whose recorded value must not be shown.
    Hidden(Str),
    /// A comment that the resource is used as a whole, so the needed attributes are unknown.
    Whole,
}

/// Words in the names of attributes that are taken for secrets if no schema is known.
const SECRET: [&str; 8] = [
    "password",
    "passwd",
    "secret",
    "token",
    "private_key",
    "credential",
    "access_key",
    "passphrase",
];

/// Proposes mocks for the unknown values that a root's results depend on; `recorded` are the objects of a state, by address.
pub fn draft(evaluation: &Evaluation, recorded: &[(String, Value)]) -> MockDraft {
    let waiting = count_pending(evaluation);
    let project = evaluation.project();
    let tree = MockTree::of(project);
    let asks = AttributeDemands::of(project);
    let sources = evaluation.sources();
    let mut writer = BlockWriter {
        project,
        mocks: ProjectMocks::of(project, project.mock_blocks(), &mut Diagnostics::new()),
        recorded: BTreeMap::new(),
    };
    for (address, value) in recorded {
        writer.recorded.entry(without_keys(address)).or_default().push((address, value));
    }
    let mut found = MockDraft {
        blocks: Vec::new(),
        others: Vec::new(),
        waiting: waiting.parts,
        left: waiting.parts,
    };
    let nothing = AccessPaths::default();
    for (cause, count) in &waiting.of {
        let named = cause.address.declaration();
        let used = named.and_then(|named| asks.of.get(named)).unwrap_or(&nothing);
        let entry = named.and_then(|named| tree.entry(&named.config()?));
        let call = named.and_then(|named| tree.call(&named.called_module()?));
        let mut use_places = Vec::new();
        used.all_places(&mut use_places);
        use_places.sort();
        let place = |at: &Place| place_text(*at, &sources);
        let mut places: Vec<String> = use_places.iter().map(place).collect();
        places.dedup();
        let mut blocks = if let Some(entry) = entry {
            writer.resource_blocks(entry, used)
        } else if let Some(call) = call {
            Some(vec![writer.module_block(call, used)])
        } else if let Some(function) = cause.address.function_name()
            && function.starts_with("provider::")
        {
            places = cause.place.iter().map(place).collect();
            Some(vec![writer.function_block(function)])
        } else {
            None
        };
        for block in blocks.iter_mut().flatten() {
            block.count = *count;
            block.places = places.clone();
        }
        match blocks {
            Some(blocks) => found.blocks.extend(blocks),
            None => found.others.push((cause.address.to_string(), *count)),
        }
    }
    found
}

/// A generator of the blocks of a proposed mock file, from a project, its mocks and the objects of a state.
struct BlockWriter<'p> {
    project: &'p Project,
    /// The mocks that the project already has.
    mocks: ProjectMocks,
    /// The recorded objects with their addresses, by address without keys.
    recorded: BTreeMap<String, Vec<(&'p str, &'p Value)>>,
}

impl BlockWriter<'_> {
    /// Returns the mock blocks for those attributes of a resource that the code uses and no mock gives yet; `None` unless it is
    /// a managed resource or a data source, since others cannot be mocked.
    fn resource_blocks(
        &self,
        entry: &MockedResource<'_>,
        used: &AccessPaths,
    ) -> Option<Vec<DraftedBlock>> {
        let kind = match entry.resource.mode {
            ResourceMode::Managed => "override_resource",
            ResourceMode::Data => "override_data",
            _ => return None,
        };
        let mut wanted = wanted(entry, used);
        let (key, before) = ((entry.node, entry.resource.own_name()), wanted.len());
        wanted.retain(|attribute| !self.mocks.sets(&key, &attribute.name));
        if wanted.is_empty() && before > 0 {
            return Some(Vec::new());
        }
        let instances = self.recorded.get(&entry.address).map(Vec::as_slice).unwrap_or_default();
        let blocks = resource_lines(entry, &wanted, instances).into_iter();
        Some(blocks.map(|(target, parts)| DraftedBlock::of(kind, parts).at(target)).collect())
    }

    /// Returns the block that mocks the outputs of a missing module that the code uses; a comment alone if it uses only the
    /// whole module object.
    fn module_block(&self, call: &MockedCall<'_>, used: &AccessPaths) -> DraftedBlock {
        let name = call.path.names().last().map(|name| &**name).unwrap_or_default();
        let example = PlaceholderContext { owner: name };
        let open = used.named.iter().filter(|(name, _)| !self.mocks.sets_output(&call.path, name));
        let outputs = open.map(|(output, used)| {
            let value = example.of(output, &Type::Dynamic, used, 0);
            DraftPart::Placeholder(output.clone(), literal(&value), None)
        });
        let parts: Vec<DraftPart> = match used.named.is_empty() {
            true => vec![DraftPart::Whole],
            false => outputs.collect(),
        };
        DraftedBlock::of("override_module", parts).at(call.address.clone())
    }

    /// Returns the `mock_function` block with a placeholder result for a provider function, named as in
    /// `provider::aws::arn_parse`.
    fn function_block(&self, function: &str) -> DraftedBlock {
        let ty = result_type(self.project, function);
        let nothing = AccessPaths::default();
        let value = PlaceholderContext { owner: "function" }.of("result", &ty, &nothing, 0);
        let shown = Some(print::type_constraint(&ty)).filter(|_| ty != Type::Dynamic);
        let parts = vec![DraftPart::Placeholder(Str::from("returns"), literal(&value), shown)];
        let label = Some(function.to_owned());
        DraftedBlock { label, ..DraftedBlock::of("mock_function", parts) }
    }
}

/// Returns the result type of a provider function by its schema; dynamic if that is not known.
fn result_type(project: &Project, function: &str) -> Type {
    let parts: Vec<&str> = function.trim_start_matches("provider::").split("::").collect();
    let [local, .., name] = parts.as_slice() else { return Type::Dynamic };
    let source = providers(project.tree()).source(local);
    match project.schemas().function(&source, local, name) {
        ProvidedSignature::As(signature) => signature.result.clone(),
        _ => Type::Dynamic,
    }
}

/// An attribute for which a mock is proposed, with its type and the parts of it that the code accesses.
struct WantedAttribute<'w> {
    name: Str,
    ty: Type,
    ways: &'w AccessPaths,
    is_sensitive: bool,
}

/// Returns the attributes of a resource that the code uses and does not configure.
fn wanted<'w>(entry: &MockedResource<'_>, ways: &'w AccessPaths) -> Vec<WantedAttribute<'w>> {
    /// The accesses to a resource that no code uses.
    static NOTHING: AccessPaths =
        AccessPaths { places: Vec::new(), named: BTreeMap::new(), element: None };
    let written = |name: &str| {
        let content = &entry.resource.content;
        content.arguments.iter().any(|argument| *argument.name == *name)
            || content.blocks.iter().any(|block| *block.kind == *name)
    };
    let from = |name: &Str, ways: &'w AccessPaths, block: Option<&BlockSchema>| {
        let attribute = match block {
            None => None,
            Some(block) => Some(block.attribute(name).filter(|one| is_answered(one))?),
        };
        Some(WantedAttribute {
            name: name.clone(),
            ty: attribute.map_or(Type::Dynamic, AttributeSchema::ty),
            ways,
            is_sensitive: attribute.is_some_and(AttributeSchema::holds_sensitive)
                || block.is_none() && SECRET.iter().any(|word| name.contains(word)),
        })
    };
    let block = entry.block.as_deref();
    let named = ways.named.iter().filter(|(name, _)| !written(name));
    let all: Vec<WantedAttribute<'w>> =
        named.filter_map(|(name, ways)| from(name, ways, block)).collect();
    match block {
        // If the object is used as a whole, any computed attribute may be meant.
        Some(shape) if all.is_empty() && !ways.places.is_empty() => {
            let open = shape.attributes().iter().filter(|one| one.computed && !one.deprecated);
            let open = open.filter(|one| !written(&one.name));
            open.filter_map(|one| from(&one.name, &NOTHING, block)).collect()
        }
        _ => all,
    }
}

/// Returns true if a mock can give the attribute: it is neither required nor write-only.
fn is_answered(attribute: &AttributeSchema) -> bool {
    !attribute.required && !attribute.write_only
}

/// Returns the target and the lines of each mock block for one resource: one block, or, if their lines differ, one for each
/// of the recorded `instances`, which are given by address and value.
fn resource_lines(
    entry: &MockedResource<'_>,
    wanted: &[WantedAttribute<'_>],
    instances: &[(&str, &Value)],
) -> Vec<(String, Vec<DraftPart>)> {
    if wanted.is_empty() {
        return vec![(entry.address.clone(), vec![DraftPart::Whole])];
    }
    let mut all: Vec<(String, Vec<DraftPart>)> = instances
        .iter()
        .map(|(address, value)| ((*address).to_owned(), parts(entry, wanted, Some(value))))
        .collect();
    let is_alike = all.windows(2).all(|pair| pair[0].1 == pair[1].1);
    match all.first() {
        None => vec![(entry.address.clone(), parts(entry, wanted, None))],
        Some((_, first)) if is_alike => vec![(entry.address.clone(), first.clone())],
        Some(_) => {
            all.sort();
            all
        }
    }
}

/// Returns the lines of a mock block, one for each of the attributes `wanted`, with values from the recorded object or
/// placeholders.
fn parts(
    entry: &MockedResource<'_>,
    wanted: &[WantedAttribute<'_>],
    recorded: Option<&Value>,
) -> Vec<DraftPart> {
    let example = PlaceholderContext { owner: &entry.resource.name };
    let part = |one: &WantedAttribute<'_>| {
        let found = recorded.and_then(|value| match value.bare() {
            Value::Object(object) => object.get(&one.name),
            _ => None,
        });
        match found {
            Some(value) if one.is_sensitive || value.deep_marks().hide() => {
                DraftPart::Hidden(one.name.clone())
            }
            Some(value) if !value.is_null() => DraftPart::Given(one.name.clone(), literal(value)),
            _ => {
                let told = Some(print::type_constraint(&one.ty));
                let told = told.filter(|_| one.ty != Type::Dynamic);
                let value = example.of(&one.name, &one.ty, one.ways, 0);
                DraftPart::Placeholder(one.name.clone(), literal(&value), told)
            }
        }
    };
    wanted.iter().map(part).collect()
}

impl MockDraft {
    /// Adds the blocks of a later draft, made with this one applied; returns true if that adds any lines.
    pub fn extend(&mut self, later: MockDraft) -> bool {
        let before: usize = self.blocks.iter().map(|block| block.parts.len()).sum();
        for block in later.blocks {
            let is_same = |own: &&mut DraftedBlock| {
                (own.kind, &own.label, &own.target) == (block.kind, &block.label, &block.target)
            };
            match self.blocks.iter_mut().find(is_same) {
                Some(own) => {
                    let new = block.parts.into_iter().filter(|part| !own.parts.contains(part));
                    let new: Vec<DraftPart> = new.collect();
                    own.parts.extend(new);
                    own.count = own.count.max(block.count);
                }
                None => self.blocks.push(block),
            }
        }
        self.blocks.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.target.cmp(&b.target)));
        self.left = later.waiting;
        self.blocks.iter().map(|block| block.parts.len()).sum::<usize>() > before
    }

    /// Returns the draft with only the blocks whose target, without instance keys, is `address`.
    #[must_use]
    pub fn only(mut self, address: &str) -> MockDraft {
        let is_own = |block: &DraftedBlock| {
            block.target.as_deref().is_some_and(|target| without_keys(target) == address)
        };
        self.blocks.retain(is_own);
        self.others.clear();
        self
    }

    /// Returns the number of proposed mock blocks.
    pub fn count(&self) -> usize {
        self.blocks.len()
    }
}
