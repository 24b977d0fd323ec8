//! Data that a plan reads without a provider: the outputs in another configuration's state file, as `terraform_remote_state`
//! with a local backend reads them. Everything else stays unanswered.

use std::sync::Arc;

use groma_config::ResourceMode;
use groma_project::{Project, ProviderAnswers, ResourceFact, ResourceRequest};
use groma_runtime::{Host, HostError};
use groma_value::print::quoted;
use groma_value::sentence::HIDDEN;
use groma_value::{Object, Str, Type, Value, convert, json, json_type};

/// The names of the arguments of a `terraform_remote_state` data source.
const ARGUMENTS: [&str; 4] = ["backend", "config", "defaults", "workspace"];

/// Facts for commands that make no plan: only the outputs in other configurations' states. They read through the host of the
/// project that asks, so one value serves all.
#[derive(Clone, Copy, Default, Debug)]
pub struct RemoteFacts;

impl ProviderAnswers for RemoteFacts {
    fn resource(&self, request: &ResourceRequest<'_>) -> ResourceFact {
        match (request.mode, request.kind) {
            (ResourceMode::Data, "terraform_remote_state") => {
                RemoteStates::of(request.node.project()).read(request.config)
            }
            _ => ResourceFact::Unanswered,
        }
    }
}

/// A reader of the state files whose outputs `terraform_remote_state` data sources return.
pub(crate) struct RemoteStates {
    host: Arc<dyn Host>,
    dir: String,
}

impl RemoteStates {
    /// Returns a reader of state files that a project's data sources refer to.
    pub(crate) fn of(project: &Project) -> RemoteStates {
        RemoteStates { host: project.host().clone(), dir: project.dir().to_owned() }
    }

    /// Returns the fact about a `terraform_remote_state` data source with these arguments: the outputs in its state file.
    pub(crate) fn read(&self, config: &Value) -> ResourceFact {
        let (bare, marks) = config.unmark_deep();
        let Value::Object(arguments) = &bare else { return ResourceFact::Unanswered };
        if text(arguments.get("backend")).as_deref() != Some("local") {
            return ResourceFact::Unanswered;
        }
        let path = self.path(arguments);
        let shown = match marks.hide() {
            true => HIDDEN.to_owned(),
            false => quoted(&path),
        };
        let bytes = match self.host.check_code_access(&path).and_then(|()| self.host.read(&path)) {
            Ok(bytes) => bytes,
            Err(HostError::Outside | HostError::Private) => return ResourceFact::Unanswered,
            Err(HostError::Absent) => {
                return ResourceFact::Failed(format!("there is no state file {shown}."));
            }
            Err(why) => return ResourceFact::Failed(format!("the state file {shown}: {why}.")),
        };
        let outputs = match outputs(&bytes) {
            Ok(Some(outputs)) => outputs,
            // Encrypted, or of an obsolete version.
            Ok(None) => return ResourceFact::Unanswered,
            Err(why) => return ResourceFact::Failed(format!("the state file {shown} {why}.")),
        };
        let defaults = match arguments.get("defaults") {
            Some(Value::Object(defaults)) => {
                defaults.iter().map(|(name, value)| (name.clone(), value.clone())).collect()
            }
            Some(Value::Map(defaults)) => defaults.entries().to_vec(),
            _ => Vec::new(),
        };
        let Value::Object(written) = config.bare() else { return ResourceFact::Unanswered };
        let known = ARGUMENTS
            .map(|name| (Str::from(name), written.get(name).cloned().unwrap_or(Value::NULL)));
        let outputs = Value::object(defaults.into_iter().chain(outputs));
        ResourceFact::Ready(Value::object(
            known.into_iter().chain([(Str::from("outputs"), outputs)]),
        ))
    }

    /// Returns the path of the state file that the `config` and `workspace` arguments determine.
    fn path(&self, arguments: &Object) -> String {
        let setting = |name: &str| match arguments.get("config") {
            Some(Value::Object(config)) => text(config.get(name)),
            Some(Value::Map(config)) => text(config.get(name)),
            _ => None,
        };
        let workspace = text(arguments.get("workspace")).filter(|name| name != "default");
        let path = match workspace {
            Some(workspace) => {
                let folder = setting("workspace_dir").filter(|dir| !dir.is_empty());
                let folder = folder.unwrap_or_else(|| "terraform.tfstate.d".to_owned());
                format!("{folder}/{workspace}/terraform.tfstate")
            }
            None => {
                let path = setting("path").filter(|path| !path.is_empty());
                path.unwrap_or_else(|| "terraform.tfstate".to_owned())
            }
        };
        if path.starts_with('/') || self.dir == "." {
            return path;
        }
        format!("{}/{path}", self.dir)
    }
}

/// Returns the text of a value that is a string, else `None`.
fn text(value: Option<&Value>) -> Option<String> {
    match value?.bare() {
        Value::String(text) => Some(text.to_string()),
        _ => None,
    }
}

/// Returns the outputs in a state file by name; `None` for an encrypted or obsolete format. An error is a predicate, such as "is
/// not UTF-8".
fn outputs(bytes: &[u8]) -> Result<Option<Vec<(Str, Value)>>, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "is not UTF-8".to_owned())?;
    let state = json::decode(text);
    // A state contains secrets, so no part of its text is reported.
    let state = state.map_err(|why| format!("is not JSON (at byte {})", why.offset))?;
    let Value::Object(state) = &state else { return Err("holds no object".to_owned()) };
    let is_current = state.get("version").and_then(Value::as_position) == Some(4);
    if !is_current {
        return Ok(None);
    }
    let Some(Value::Object(declared)) = state.get("outputs") else { return Ok(Some(Vec::new())) };
    let mut found = Vec::new();
    for (name, output) in declared.iter() {
        let Value::Object(output) = output else { continue };
        let value = output.get("value").cloned().unwrap_or(Value::NULL);
        let ty = output.get("type").and_then(|ty| json::encode(ty).ok());
        let ty = ty.and_then(|ty| json_type::read(&ty).ok()).unwrap_or(Type::Dynamic);
        let value =
            convert(&value.sensitive(), &ty).map(|value| value.bare().clone()).map_err(|why| {
                format!(
                    "has an output \"{}\" whose value does not have its type: {}",
                    &**name, why.message
                )
            })?;
        found.push((name.clone(), value));
    }
    Ok(Some(found))
}
