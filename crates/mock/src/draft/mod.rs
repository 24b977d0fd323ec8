//! Drafts of mock files: the missing values that a root's results depend on, with placeholders of the right types, or with the
//! values of a state. Sensitive values are never copied.

mod ask;
mod example;
mod text;
mod wait;

use std::collections::BTreeMap;

use groma_config::{ResourceMode, without_keys};
use groma_eval::ProvidedSignature;
use groma_project::{Evaluation, Project};
use groma_protocol::place_text;
use groma_syntax::Diagnostics;
use groma_value::schema::{AttributeSchema, BlockSchema};
use groma_value::{Str, Type, Value, print};

use crate::answer::ProjectMocks;
use crate::tree::{MockTree, MockedResource, providers};
use ask::{AccessPaths, AttributeDemands};
use example::PlaceholderContext;
use text::literal;
use wait::waiting;

/// A mock file as a data structure.
#[derive(Debug)]
pub struct MockDraft {
    /// The blocks, most needed first.
    pub(crate) blocks: Vec<DraftedBlock>,
    /// The causes that no mock can resolve, each with the number of unknown parts that depend on it.
    pub(crate) others: Vec<(String, usize)>,
    /// The number of unknown parts that depend on anything.
    pub waiting: usize,
    /// The number of parts that would stay unknown if the whole file applied.
    pub left: usize,
}

/// A block of the draft.
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

/// A line of a drafted block.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum DraftPart {
    /// A recorded value, as code.
    Given(Str, String),
    /// A placeholder as code, with the type if known.
    Placeholder(Str, String, Option<String>),
    /// A recorded value that must not be shown.
    Hidden(Str),
    /// A note that the used attributes are unknown.
    Whole,
}

/// Words in the names of secrets, where no schema declares them sensitive.
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

/// Drafts mocks for the missing values that a root's results depend on. `recorded` are the objects of a state, by address.
pub fn draft(evaluation: &Evaluation, recorded: &[(String, Value)]) -> MockDraft {
    let waiting = waiting(evaluation);
    let project = evaluation.project();
    let tree = MockTree::of(project);
    let asks = AttributeDemands::of(project);
    let sources = evaluation.sources();
    let told = ProjectMocks::of(project, project.doubles(), &mut Diagnostics::new());
    let mut known: BTreeMap<String, Vec<(&str, &Value)>> = BTreeMap::new();
    for (address, value) in recorded {
        known.entry(without_keys(address)).or_default().push((address, value));
    }
    let mut found = MockDraft {
        blocks: Vec::new(),
        others: Vec::new(),
        waiting: waiting.parts,
        left: waiting.parts,
    };
    let nothing = AccessPaths::default();
    for (cause, count) in &waiting.of {
        let address = &*cause.address;
        let ways = asks.of.get(address).unwrap_or(&nothing);
        let mut places = Vec::new();
        ways.all_places(&mut places);
        places.sort();
        let mut places: Vec<String> = places.iter().map(|at| place_text(*at, &sources)).collect();
        places.dedup();
        let block = |kind, target: &str, parts| DraftedBlock {
            kind,
            label: None,
            target: Some(target.to_owned()),
            parts,
            count: *count,
            places: places.clone(),
        };
        if let Some(entry) = tree.entries.iter().find(|entry| entry.address == address) {
            let kind = match entry.resource.mode {
                ResourceMode::Managed => "override_resource",
                ResourceMode::Data => "override_data",
                _ => {
                    found.others.push((address.to_owned(), *count));
                    continue;
                }
            };
            let mut wanted = wanted(entry, ways);
            let (key, before) = ((entry.node, entry.resource.own_name()), wanted.len());
            wanted.retain(|one| !told.tells(&key, &one.name));
            if wanted.is_empty() && before > 0 {
                continue;
            }
            let instances = known.get(address).map(Vec::as_slice).unwrap_or_default();
            for (target, parts) in filled(entry, &wanted, instances) {
                found.blocks.push(block(kind, &target, parts));
            }
        } else if let Some(call) = tree.calls.iter().find(|call| call.address == address) {
            let name = address.rsplit('.').next().unwrap_or_default();
            let example = PlaceholderContext { owner: name };
            let open = ways.named.iter().filter(|(name, _)| !told.tells_output(&call.path, name));
            let outputs = open.map(|(output, ways)| {
                let value = example.of(output, &Type::Dynamic, ways, 0);
                DraftPart::Placeholder(output.clone(), literal(&value), None)
            });
            let parts: Vec<DraftPart> = match ways.named.is_empty() {
                true => vec![DraftPart::Whole],
                false => outputs.collect(),
            };
            found.blocks.push(block("override_module", address, parts));
        } else if let Some(function) = address.strip_suffix("()")
            && function.starts_with("provider::")
        {
            let ty = result_type(project, function);
            let value = PlaceholderContext { owner: "function" }.of(
                "result",
                &ty,
                &AccessPaths::default(),
                0,
            );
            let told = Some(print::type_constraint(&ty)).filter(|_| ty != Type::Dynamic);
            found.blocks.push(DraftedBlock {
                kind: "mock_function",
                label: Some(function.to_owned()),
                target: None,
                parts: vec![DraftPart::Placeholder(Str::from("returns"), literal(&value), told)],
                count: *count,
                places: cause.place.iter().map(|at| place_text(*at, &sources)).collect(),
            });
        } else {
            found.others.push((address.to_owned(), *count));
        }
    }
    found
}

/// Returns the result type of a provider function, as far as its schema is known.
fn result_type(project: &Project, function: &str) -> Type {
    let parts: Vec<&str> = function.trim_start_matches("provider::").split("::").collect();
    let [local, .., name] = parts.as_slice() else { return Type::Dynamic };
    let source = providers(project.tree()).source(local);
    match project.schemas().function(&source, local, name) {
        ProvidedSignature::As(signature) => signature.result.clone(),
        _ => Type::Dynamic,
    }
}

/// An attribute to mock.
struct WantedAttribute<'w> {
    name: Str,
    ty: Type,
    ways: &'w AccessPaths,
    is_sensitive: bool,
}

/// Returns the attributes of a resource that the code uses and does not configure.
fn wanted<'w>(entry: &MockedResource<'_>, ways: &'w AccessPaths) -> Vec<WantedAttribute<'w>> {
    /// The paths of a resource of which nothing is used.
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
        // A use of the whole may mean any attribute.
        Some(shape) if all.is_empty() && !ways.places.is_empty() => {
            let open = shape.attributes().iter().filter(|one| one.computed && !one.deprecated);
            let open = open.filter(|one| !written(&one.name));
            open.filter_map(|one| from(&one.name, &NOTHING, block)).collect()
        }
        _ => all,
    }
}

/// Returns true if the provider computes an attribute.
fn is_answered(attribute: &AttributeSchema) -> bool {
    !attribute.required && !attribute.write_only
}

/// Returns the blocks about one resource: a single block, or one for each instance if these differ.
fn filled(
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

/// Returns the lines of a block.
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
    /// Adds the values found to be missing once this draft applied. Returns true if there were any.
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

    /// Returns the draft with only the blocks for one address.
    #[must_use]
    pub fn only(mut self, address: &str) -> MockDraft {
        let is_own = |block: &DraftedBlock| {
            block.target.as_deref().is_some_and(|target| without_keys(target) == address)
        };
        self.blocks.retain(is_own);
        self.others.clear();
        self
    }

    /// Returns the number of blocks in the file.
    pub fn count(&self) -> usize {
        self.blocks.len()
    }
}
