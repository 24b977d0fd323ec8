//! Values from mock blocks for unknown attributes of resource instances. Configured and recorded values are never changed.

use std::sync::Arc;

use groma_config::{
    ConfigAddress, ModuleAddress, ModulePath, RawBlock, ResourceMode, ResourceName,
};
use groma_eval::{Cause, CauseAddress, CauseClass, CauseTable};
use groma_inputs::scrub;
use groma_project::{Project, ResourceRequest, ValueOverrides};
use groma_syntax::{Diagnostics, Place};
use groma_value::schema::BlockSchema;
use groma_value::{Causes, Mark, Marks, Object, Str, Value};
use rustc_hash::FxHashMap;

use crate::block::{MockBlock, MockTarget, MockedAttribute};
use crate::fit::fit;
use crate::read::read;
use crate::tree::{MockTree, MockedResource};

/// The mock blocks of a project, indexed by the resource or module that they apply to.
pub(crate) struct ProjectMocks {
    blocks: Vec<MockBlock>,
    /// The indexes of the blocks that may apply to a resource, by its module's number and its name there, in order of precedence.
    of: FxHashMap<(usize, ResourceName), Vec<usize>>,
    /// The indexes of the blocks that give outputs of a module, in order of precedence.
    outputs: FxHashMap<ModulePath, Vec<usize>>,
    /// Every cause that the mocks may give a value: which block it comes from, or that no mock gives it.
    causes: Vec<Cause>,
}

/// Returns the values that a project's mock files give in place of unknown ones; `None` without mock files. Mistakes in the files
/// are reported to `out`.
pub fn overrides(project: &Project, out: &mut Diagnostics) -> Option<Arc<dyn ValueOverrides>> {
    let blocks = project.mock_blocks();
    if blocks.is_empty() {
        return None;
    }
    let mut found = Diagnostics::new();
    let mocks = ProjectMocks::of(project, blocks, &mut found);
    // Mocks of sensitive values are not quoted.
    scrub(0, project.sources(), &mut found);
    found.sort_by_place();
    out.extend(found);
    Some(Arc::new(mocks))
}

/// Returns the cause of a value that the mock block at `place` gives the resource or module at `address`.
fn mocked(kind: &'static str, address: CauseAddress, place: Place) -> Cause {
    Cause { class: CauseClass::Mocked, kind, address, place: Some(place) }
}

/// Returns the cause of a resource's attribute that is unknown because no mock gives its value.
fn unmocked(entry: &MockedResource<'_>) -> Cause {
    let is_made = entry.resource.mode == ResourceMode::Managed && entry.block.is_some();
    Cause {
        class: if is_made { CauseClass::Pending } else { CauseClass::Offline },
        kind: "mock",
        address: (&entry.declared).into(),
        place: Some(entry.resource.place),
    }
}

impl ProjectMocks {
    /// Returns true if an attribute is mocked for all instances of a resource, given as its module's number and its name there.
    pub(crate) fn sets(&self, resource: &(usize, ResourceName), attribute: &str) -> bool {
        self.is_set(self.of.get(resource), attribute)
    }

    /// Returns true if an output is mocked for all instances of a module.
    pub(crate) fn sets_output(&self, module: &ModulePath, output: &str) -> bool {
        self.is_set(self.outputs.get(module), output)
    }

    /// Returns true if one of the blocks at the `indexes` mocks the attribute or output `part` for all instances.
    fn is_set(&self, indexes: Option<&Vec<usize>>, part: &str) -> bool {
        let mut blocks = indexes.into_iter().flatten().map(|at| &self.blocks[*at]);
        blocks.any(|one| one.is_about_all() && one.part(part).is_some())
    }

    /// Reads the mock blocks of a project and indexes them by target.
    pub(crate) fn of(
        project: &Project,
        blocks: &[RawBlock],
        out: &mut Diagnostics,
    ) -> ProjectMocks {
        let tree = MockTree::of(project);
        let blocks = read(project, blocks, &tree, out);
        let mut by_type: FxHashMap<(ResourceMode, &str), Vec<usize>> = FxHashMap::default();
        let mut by_address: FxHashMap<ConfigAddress, Vec<usize>> = FxHashMap::default();
        for (at, one) in blocks.iter().enumerate() {
            match &one.target {
                MockTarget::Type { mode, kind, .. } => {
                    by_type.entry((*mode, kind)).or_default().push(at)
                }
                MockTarget::Target { target, .. } => {
                    by_address.entry(target.without_keys()).or_default().push(at)
                }
            }
        }
        let ranked = |mut all: Vec<usize>| {
            all.sort_by_key(|at| (blocks[*at].rank(), *at));
            all
        };
        let mut of = FxHashMap::default();
        let mut causes = Vec::new();
        for entry in &tree.entries {
            let resource = entry.resource;
            let is_meant = |at: &&usize| match &blocks[**at].target {
                MockTarget::Type { of: Some(of), .. } => *of == entry.of,
                _ => true,
            };
            let kinds = by_type.get(&(resource.mode, &*resource.kind)).into_iter().flatten();
            let targets = by_address.get(&entry.declared).into_iter().flatten();
            let all = ranked(targets.chain(kinds.filter(is_meant)).copied().collect());
            if all.is_empty() {
                continue;
            }
            causes.push(unmocked(entry));
            let kind = resource.mode.word();
            let address = CauseAddress::from(&entry.declared);
            causes.extend(all.iter().map(|at| mocked(kind, address.clone(), blocks[*at].place)));
            of.insert((entry.node, resource.own_name()), all);
        }
        let mut outputs = FxHashMap::default();
        for call in &tree.calls {
            let declared = ConfigAddress::new(call.path.clone(), None);
            let Some(all) = by_address.get(&declared) else { continue };
            let address = CauseAddress::from(&declared);
            let of_block = |at: &usize| mocked("module", address.clone(), blocks[*at].place);
            causes.extend(all.iter().map(of_block));
            outputs.insert(call.path.clone(), ranked(all.clone()));
        }
        ProjectMocks { blocks, of, outputs, causes }
    }

    /// Returns the mocked attributes of a resource instance, by name; `whole` is its value so far, or `None` if the schema is
    /// unknown.
    fn mocked_attributes(
        &self,
        request: &ResourceRequest<'_>,
        whole: Option<&Value>,
    ) -> Vec<(Str, Value)> {
        let key = (request.node.number(), request.declared.own_name());
        let Some(all) = self.of.get(&key) else { return Vec::new() };
        let about = all.iter().map(|at| &self.blocks[*at]).filter(|s| s.is_about(request.address));
        let about: Vec<&MockBlock> = about.collect();
        if about.is_empty() {
            return Vec::new();
        }
        let address = CauseAddress::from(&request.address.without_keys());
        let entry = Cause {
            class: match (request.mode, request.schema) {
                (ResourceMode::Managed, Some(_)) => CauseClass::Pending,
                _ => CauseClass::Offline,
            },
            kind: "mock",
            address: address.clone(),
            place: Some(request.declared.place),
        };
        let question = MockQuestion {
            request,
            about,
            rest: Causes::one(request.table.intern(entry)),
            mark: &|place| {
                let cause = mocked(request.mode.word(), address.clone(), place);
                Marks::one(Mark::Mocked(request.table.intern(cause)))
            },
        };
        match (whole, request.schema) {
            (None, _) => question.unconfigured(),
            (Some(Value::Object(object)), Some(block)) => question.fill(object, block),
            _ => Vec::new(),
        }
    }
}

/// The data for mocking one resource instance: the request for its values, and the mock blocks that apply to it.
struct MockQuestion<'a, 'r> {
    request: &'a ResourceRequest<'r>,
    /// The blocks that apply to the instance, in order of precedence.
    about: Vec<&'a MockBlock>,
    /// The cause of attributes that no mock gives.
    rest: Causes,
    /// Returns the marks of a value that comes from the block at a source range.
    mark: &'a dyn Fn(Place) -> Marks,
}

impl MockQuestion<'_, '_> {
    /// Returns the mocked value of an attribute and the place of its block, from the first block in precedence that gives one;
    /// `None` if none does.
    fn part(&self, name: &str) -> Option<(&MockedAttribute, Place)> {
        self.about.iter().find_map(|mock| Some((mock.part(name)?, mock.place)))
    }

    /// Returns true if the instance's configuration sets the argument `name`.
    fn is_written(&self, name: &str) -> bool {
        let Value::Object(config) = self.request.config.bare() else { return false };
        config.get(name).is_some_and(|value| !value.is_null())
    }

    /// Returns the mocked attributes that the code does not configure, for an instance with an unknown schema.
    fn unconfigured(&self) -> Vec<(Str, Value)> {
        let mut found: Vec<(Str, Value)> = Vec::new();
        for mock in &self.about {
            for part in &mock.parts {
                let is_new = found.iter().all(|(name, _)| *name != part.name);
                if is_new && !self.is_written(&part.name) {
                    let value = part.value.mark(&(self.mark)(mock.place));
                    found.push((part.name.clone(), value));
                }
            }
        }
        found
    }

    /// Returns new values for an object's unknown attributes, by name: mocked ones, or unknowns with the cause that no mock gives
    /// them.
    fn fill(&self, object: &Object, block: &BlockSchema) -> Vec<(Str, Value)> {
        let open = object.iter().filter(|(_, old)| !old.is_wholly_known());
        let new = open.filter_map(|(name, old)| {
            let said = self.part(name);
            let value = match block.attribute(name) {
                Some(_) if self.is_written(name) => return None,
                Some(attribute) => match said {
                    Some((part, place)) => {
                        let value = fit(&part.value, &attribute.ty(), &self.rest).ok()?;
                        value.mark(&(self.mark)(place)).mark(&old.marks())
                    }
                    None => self.unmocked(old)?,
                },
                None => {
                    let (nested, (part, place)) = (block.block(name)?, said?);
                    match (part.value.bare(), old.bare()) {
                        (Value::Object(values), _) => {
                            self.mocked_blocks(old, values, place, &nested.block)
                        }
                        (_, Value::Unknown(_)) => {
                            let value = fit(&part.value, &nested.ty(), &self.rest).ok()?;
                            value.mark(&(self.mark)(place)).mark(&old.marks())
                        }
                        _ => return None,
                    }
                }
            };
            Some((name.clone(), value))
        });
        new.collect()
    }

    /// Returns an unknown attribute with the cause that no mock gives it; `None` if it is known or not computed by the provider.
    fn unmocked(&self, old: &Value) -> Option<Value> {
        let Value::Unknown(unknown) = old.bare() else { return None };
        let is_computed = unknown.causes.ids() == self.request.computed.ids();
        let value =
            Value::refined(unknown.ty.clone(), unknown.refinement.clone(), self.rest.clone());
        is_computed.then(|| value.mark(&old.marks()))
    }

    /// Returns the nested blocks `old` with their unknown attributes replaced by `values`, which the mock block at `place`
    /// gives.
    fn mocked_blocks(
        &self,
        old: &Value,
        values: &Object,
        place: Place,
        block: &BlockSchema,
    ) -> Value {
        let (bare, marks) = old.unmark();
        let each = |value: &Value| self.mocked_blocks(value, values, place, block);
        let new = match &bare {
            Value::Object(object) => {
                let parts = object.iter().map(|(name, old)| {
                    let value = values.get(name).and_then(|said| {
                        if let (Some(nested), Value::Object(values)) = (block.block(name), said) {
                            return Some(self.mocked_blocks(old, values, place, &nested.block));
                        }
                        self.mocked_nested(old, said, place, block.attribute(name)?)
                    });
                    (name.clone(), value.unwrap_or_else(|| old.clone()))
                });
                Value::object(parts.collect::<Vec<_>>())
            }
            Value::List(list) => {
                let items: Vec<Value> = list.items().iter().map(each).collect();
                Value::list(list.element().clone(), items)
            }
            Value::Set(set) => {
                let items: Vec<Value> = set.items().iter().map(each).collect();
                Value::set(set.element().clone(), items)
            }
            Value::Map(map) => {
                let entries = map.entries().iter().map(|(key, value)| (key.clone(), each(value)));
                Value::map(map.element().clone(), entries.collect::<Vec<_>>())
            }
            _ => return old.clone(),
        };
        new.mark(&marks)
    }

    /// Returns `said`, a mock's value for an attribute in a nested block, converted to the attribute's type; `None` if
    /// `old`, the value so far, is not an unknown that the provider computes, or if `said` does not fit; `place` is that of
    /// the mock block.
    fn mocked_nested(
        &self,
        old: &Value,
        said: &Value,
        place: Place,
        attribute: &groma_value::schema::AttributeSchema,
    ) -> Option<Value> {
        let Value::Unknown(unknown) = old.bare() else { return None };
        let theirs = [self.request.computed, self.request.left];
        if !theirs.iter().any(|causes| causes.ids() == unknown.causes.ids()) {
            return None;
        }
        let value = fit(said, &attribute.ty(), &self.rest).ok()?;
        Some(value.mark(&(self.mark)(place)).mark(&old.marks()))
    }
}

impl ValueOverrides for ProjectMocks {
    fn attributes(
        &self,
        request: &ResourceRequest<'_>,
        whole: Option<&Value>,
    ) -> Vec<(Str, Value)> {
        self.mocked_attributes(request, whole)
    }

    fn output(&self, module: &ModuleAddress, name: &str, table: &CauseTable) -> Option<Value> {
        let path = module.without_keys();
        let all = self.outputs.get(&path)?;
        let address = CauseAddress::from(&ConfigAddress::new(path.clone(), None));
        all.iter().map(|at| &self.blocks[*at]).find_map(|mock| {
            let part = mock.part(name).filter(|_| mock.is_about_module(module))?;
            let cause = mocked("module", address.clone(), mock.place);
            Some(part.value.mark(&Marks::one(Mark::Mocked(table.intern(cause)))))
        })
    }

    fn visit_causes(&self, visit: &mut dyn FnMut(Cause)) {
        self.causes.iter().cloned().for_each(visit);
    }
}
