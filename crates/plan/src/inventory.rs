//! The content of a state by itself: no plan is made and the configuration is ignored. Only schemas that are at hand are used,
//! to mark what a provider declares sensitive.

use std::sync::Arc;

use groma_config::{AddressPattern, ResourceMode};
use groma_module::ProviderSchemas;
use groma_project::Evaluation;
use groma_runtime::Edition;
use groma_runtime::EntryKind;
use groma_syntax::Diagnostics;
use groma_value::schema::BlockSchema;
use groma_value::{Str, Type, Value};

use crate::compare::hide;
use crate::locate;
use crate::options::StateFile;
use crate::prior::{MovingInstances, Prior, shape};
use crate::state::State;

/// Maximum depth of modules whose objects are decoded and written; deeper objects have an error as value.
pub(crate) const MAX_DEPTH: usize = 100;

/// The content of a state file, for display: objects and outputs.
#[derive(Debug)]
pub struct StateInventory {
    /// The objects: those of the root module first, then by address.
    pub objects: Vec<StateObject>,
    /// The outputs of the root module: name, value, type, and true if sensitive.
    pub outputs: Vec<(Str, Value, Type, bool)>,
}

/// An object recorded in a state file, with its decoded value or the reason why it cannot be decoded.
#[derive(Clone, Debug)]
pub struct StateObject {
    /// The address, with every instance key.
    pub address: String,
    /// The address, parsed.
    pub target: AddressPattern,
    /// The key of a deposed object.
    pub deposed: Option<Str>,
    /// True if the object is tainted.
    pub tainted: bool,
    /// The address of its provider.
    pub provider: String,
    /// The schema version under which it was recorded.
    pub schema_version: u64,
    /// The addresses of its dependencies, without keys.
    pub dependencies: Arc<[Str]>,
    /// The schema of its body, if known.
    pub shape: Option<Arc<BlockSchema>>,
    /// The attributes of the object, with sensitive ones marked; or a phrase that says why they cannot be read.
    pub value: Result<Value, String>,
}

/// Loads the state that `wanted` selects for a plan to start from: a given one or that of the configured backend; `None` if
/// there is none.
pub fn state_at(
    evaluation: &Evaluation,
    wanted: &StateFile,
    out: &mut Diagnostics,
) -> Option<State> {
    locate::load(evaluation, wanted, out)
}

/// Returns the unparsed text of the state that `wanted` selects for a plan to start from: a given one or that of the
/// configured backend; `None` if there is none.
pub fn state_text_at(
    evaluation: &Evaluation,
    wanted: &StateFile,
    out: &mut Diagnostics,
) -> Option<Vec<u8>> {
    locate::text(evaluation, wanted, out)
}

/// Returns the names of the workspaces that can be seen without a backend: the default one, the selected one, and those whose
/// states the local backend keeps.
pub fn workspaces(evaluation: &Evaluation) -> Vec<String> {
    let project = evaluation.project();
    let mut found: Vec<String> = Vec::new();
    if let Some(folder) = locate::workspace_folder(evaluation) {
        let entries = project.host().list(&folder).unwrap_or_default();
        let folders = entries.into_iter().filter(|one| one.kind == EntryKind::Directory);
        found.extend(folders.map(|one| one.name));
    }
    found.push(project.workspace().to_owned());
    found.retain(|name| name != "default");
    found.sort();
    found.dedup();
    found.insert(0, "default".to_owned());
    found
}

impl StateObject {
    /// Returns true if the object is at an address or below it: an instance of that resource, or any object in that module.
    pub fn lies_below(&self, address: &str) -> bool {
        self.address
            .strip_prefix(address)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('[') || rest.starts_with('.'))
    }
}

impl StateInventory {
    /// Decodes the objects and outputs of a state with the given schemas.
    pub fn of(state: State, schemas: &ProviderSchemas, edition: Edition) -> StateInventory {
        let prior = Prior::of(Arc::new(state), MovingInstances::new());
        let state = prior.state();
        let recorded = state.iter().flat_map(|state| &state.objects);
        let mut objects: Vec<StateObject> = recorded
            .map(|object| {
                let address = object.address();
                let resource = address.resource().name();
                let source = &object.entry.provider.source;
                let known = match resource.mode {
                    ResourceMode::Managed => shape(object, &resource.kind, schemas, edition),
                    mode => schemas.of_type(source, mode, &resource.kind),
                };
                let known = known.map(|schema| schema.block.clone());
                let value = match address.module().len() <= MAX_DEPTH {
                    true => prior.value(object, known.as_deref()),
                    false => Err(format!("it lies in more than {MAX_DEPTH} modules")),
                };
                let value = value.map(|value| value.unwrap_or(Value::NULL));
                StateObject {
                    address: address.to_string(),
                    deposed: object.deposed.clone(),
                    tainted: object.tainted,
                    provider: source.clone(),
                    schema_version: object.schema_version,
                    dependencies: object.dependencies.clone(),
                    value: value.map(|value| hide(&value, known.as_deref())),
                    shape: known,
                    target: AddressPattern::from(&address),
                }
            })
            .collect();
        objects.sort_by_cached_key(|one| {
            let modules = one.target.modules.clone();
            let module = AddressPattern { modules, resource: None }.to_string();
            (one.target.modules.len(), module, one.address.clone(), one.deposed.clone())
        });
        let outputs = prior.outputs().iter();
        let outputs = outputs
            .map(|(name, one)| (name.clone(), one.value.clone(), one.ty.clone(), one.sensitive));
        StateInventory { outputs: outputs.collect(), objects }
    }

    /// Returns the address of each object whose attributes cannot be read, and the reason.
    pub fn unreadable(&self) -> impl Iterator<Item = (&str, &str)> {
        let all = self.objects.iter();
        all.filter_map(|one| Some((one.address.as_str(), one.value.as_ref().err()?.as_str())))
    }
}
