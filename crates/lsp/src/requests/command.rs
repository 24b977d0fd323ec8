//! Commands that a client can execute for code lenses and code actions.

use groma::schemas::{LOCK_FILE, locked_versions};
use groma::{RequestToken, hosts::file_path};
use groma_ide::provider_page;
use serde_json::{Map, Value, json};

use super::code_action::{APPLY, apply};
use super::inputs;
use super::inquiry::DocumentInquiry;
use crate::message::RequestError;
use crate::state::ServerState;

/// The command that chooses the root for a folder. Arguments: the URI of a document and the folder of the root.
pub(super) const CHOOSE_ROOT: &str = "groma.chooseRoot";

/// The command that asks the user to choose the root and value files. Argument: the URI of a document.
pub(super) const CHOOSE_INPUTS: &str = "groma.chooseInputs";

/// The command that shows the instances of a declaration. Arguments: the URI of a document and a position.
pub(super) const SHOW_INSTANCES: &str = "groma.showInstances";

/// The command that lists the providers of a module, in the form of `module.providers` of terraform-ls. Argument: the URI of a
/// document.
pub(super) const MODULE_PROVIDERS: &str = "groma.moduleProviders";

/// The names of all commands that `workspace/executeCommand` accepts, as the server's capabilities list them.
pub(super) const COMMANDS: [&str; 5] =
    [APPLY, CHOOSE_INPUTS, CHOOSE_ROOT, MODULE_PROVIDERS, SHOW_INSTANCES];

/// Maximum number of instances that the command [`SHOW_INSTANCES`] lists; a line says that there are more.
const MAX_INSTANCES: usize = 1_000;

/// Answers `workspace/executeCommand` by running the named command of the server with its arguments.
pub(super) fn execute(server: &mut ServerState, params: &Value) -> Result<Value, RequestError> {
    let arguments = &params["arguments"];
    match params["command"].as_str() {
        Some(CHOOSE_ROOT) => choose_root(server, arguments),
        Some(CHOOSE_INPUTS) => inputs::choose(server, arguments),
        Some(APPLY) => apply(server, &arguments[0]),
        Some(SHOW_INSTANCES) => show_instances(server, arguments),
        Some(MODULE_PROVIDERS) => module_providers(server, arguments),
        Some(other) => Err(RequestError::failed(format!("there is no command {other}"))),
        None => Err(RequestError::parameter("command")),
    }
}

/// Runs the command that chooses the root for a document's folder.
fn choose_root(server: &mut ServerState, arguments: &Value) -> Result<Value, RequestError> {
    let uri = arguments[0].as_str().ok_or_else(|| RequestError::parameter("arguments"))?;
    let folder = groma::hosts::file_path::parent(&crate::uri::path_of(uri));
    match arguments[1].as_str() {
        Some(root) => {
            let root = match root.starts_with("file:") {
                true => crate::uri::path_of(root),
                false => root.to_owned(),
            };
            server.choose_root(folder, groma::hosts::file_path::clean(&root));
        }
        None => server.choose_root(folder.clone(), folder),
    }
    Ok(Value::Null)
}

/// Runs the command that shows the instances of the declaration at a position.
fn show_instances(server: &mut ServerState, arguments: &Value) -> Result<Value, RequestError> {
    let about = json!({ "textDocument": { "uri": arguments[0] }, "position": arguments[1] });
    let inquiry = DocumentInquiry::of(server, &about)?;
    let request = inquiry.request();
    let at = inquiry.offset(&request, &about)?;
    let Some(snapshot) = inquiry.context.snapshot() else { return Ok(json!([])) };
    let sites = snapshot.declarations_in(&inquiry.file);
    let Some(site) = sites.iter().rev().find(|site| site.place.span.start <= at) else {
        return Ok(json!([]));
    };
    let (all, is_all) = snapshot.instances_of(site.id, MAX_INSTANCES, &RequestToken::ready());
    let mut told = match all.len() {
        0 => format!("The instances of {} are not known.", site.address),
        _ => all.join("\n"),
    };
    if !is_all && !all.is_empty() {
        told.push_str("\nand more");
    }
    server.notify("window/showMessage", &json!({ "type": 3, "message": told }));
    Ok(json!(all))
}

/// Runs the command that lists the provider requirements of a document's module.
fn module_providers(server: &mut ServerState, arguments: &Value) -> Result<Value, RequestError> {
    let about = json!({ "textDocument": { "uri": arguments[0] } });
    let inquiry = DocumentInquiry::of(server, &about)?;
    let none = "the document belongs to no module";
    let snapshot = inquiry.context.snapshot().ok_or_else(|| RequestError::failed(none))?;
    let mut requirements = Map::new();
    for provider in snapshot.module_providers(&inquiry.file) {
        let mut one = json!({
            "display_name": provider.source,
            "version_constraint": provider.version.unwrap_or_default(),
        });
        if let Some(page) = provider_page(&provider.source) {
            one["docs_link"] = json!(page);
        }
        requirements.insert(provider.source, one);
    }
    let lock = snapshot.project().host().read(&file_path::join(snapshot.dir(), LOCK_FILE));
    let lock = lock.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
    Ok(json!({
        "v": 0,
        "provider_requirements": requirements,
        "installed_providers": locked_versions(&lock),
    }))
}
