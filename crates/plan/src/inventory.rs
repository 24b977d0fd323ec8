//! What a state records, told for itself: no plan is made, and what the code says of it now does not count. Only the
//! schemas that are at hand are asked, so that what a provider calls sensitive is known to be.

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
use crate::prior::{Prior, Slots, shape};
use crate::state::State;

/// No object that lies in more modules than these is told.
pub(crate) const DEEPEST: usize = 100;

/// All that a state records.
#[derive(Debug)]
pub struct StateInventory {
    /// The objects: those of the root module first, by address.
    pub objects: Vec<StateObject>,
    /// The outputs of the root module, by name: value, type, and whether it is not to be shown.
    pub outputs: Vec<(Str, Value, Type, bool)>,
}

/// One recorded object.
#[derive(Clone, Debug)]
pub struct StateObject {
    /// Its address, with every instance key.
    pub address: String,
    /// The same in parts.
    pub target: AddressPattern,
    /// By what a deposed object is known.
    pub deposed: Option<Str>,
    /// True if it is to be made anew.
    pub tainted: bool,
    /// The address of its provider.
    pub provider: String,
    /// The version of the schema that it was recorded by.
    pub schema_version: u64,
    /// The addresses of what it was made from, without keys.
    pub dependencies: Arc<[Str]>,
    /// The schema of its body, where that is known.
    pub shape: Option<Arc<BlockSchema>>,
    /// Its attributes, with what is sensitive marked; or a part of a sentence on why they cannot be read.
    pub value: Result<Value, String>,
}

/// The state that a plan of this configuration would go on from, if there is one.
pub fn state_at(
    evaluation: &Evaluation,
    wanted: &StateFile,
    out: &mut Diagnostics,
) -> Option<State> {
    locate::load(evaluation, wanted, out)
}

/// The text of that state, as it lies there.
pub fn state_text_at(
    evaluation: &Evaluation,
    wanted: &StateFile,
    out: &mut Diagnostics,
) -> Option<Vec<u8>> {
    locate::text(evaluation, wanted, out)
}

/// The workspaces that there are, as far as that can be told here: the default one, the selected one, and those that the
/// local backend keeps states of.
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
    /// Returns true if it is what an address names, or lies in it: an instance of the resource, or something in the
    /// module.
    pub fn lies_below(&self, address: &str) -> bool {
        self.address
            .strip_prefix(address)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('[') || rest.starts_with('.'))
    }
}

impl StateInventory {
    /// All that a state records, as these schemas read it.
    pub fn of(state: State, schemas: &ProviderSchemas, edition: Edition) -> StateInventory {
        let prior = Prior::of(Arc::new(state), Slots::new());
        let state = prior.state();
        let recorded = state.iter().flat_map(|state| &state.objects);
        let mut objects: Vec<StateObject> = recorded
            .filter_map(|object| {
                let target = object.target();
                let resource = target.resource.as_ref()?;
                let source = &object.entry.provider.source;
                let known = match resource.mode {
                    ResourceMode::Managed => shape(object, &resource.kind, schemas, edition),
                    mode => schemas.of_type(source, mode, &resource.kind),
                };
                let known = known.map(|schema| schema.block.clone());
                let value = match target.modules.len() <= DEEPEST {
                    true => prior.value(object, known.as_deref()),
                    false => Err(format!("it lies in more than {DEEPEST} modules")),
                };
                let value = value.map(|value| value.unwrap_or(Value::NULL));
                Some(StateObject {
                    address: target.to_string(),
                    deposed: object.deposed.clone(),
                    tainted: object.tainted,
                    provider: source.clone(),
                    schema_version: object.schema_version,
                    dependencies: object.dependencies.clone(),
                    value: value.map(|value| hide(&value, known.as_deref())),
                    shape: known,
                    target,
                })
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

    /// The objects whose attributes cannot be read, each with why.
    pub fn unreadable(&self) -> impl Iterator<Item = (&str, &str)> {
        let all = self.objects.iter();
        all.filter_map(|one| Some((one.address.as_str(), one.value.as_ref().err()?.as_str())))
    }
}
