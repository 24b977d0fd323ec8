//! The choice of the root and the value files that apply to a file. The user is asked by a message with buttons, which every
//! client supports. A choice holds until the server ends or another is made.

use std::collections::BTreeSet;

use groma::hosts::{EntryKind, file_path};
use groma::root::RootKind;
use groma::{Host, Workspace};
use groma_ide::FileKind;
use serde_json::{Value, json};

use crate::message::RequestError;
use crate::state::{InputChoice, ServerQuestion, ServerState};
use crate::uri::path_of;

/// Maximum number of roots, and of value files, that the user can choose from; further ones are not offered.
const MAX_CHOICES: usize = 20;

/// Asks the user to choose the root and value files for the folder of a document.
pub(super) fn choose(server: &mut ServerState, arguments: &Value) -> Result<Value, RequestError> {
    let uri = arguments[0].as_str().ok_or_else(|| RequestError::parameter("arguments"))?;
    let path = file_path::clean(&path_of(uri));
    let folder = file_path::parent(&path);
    let name = server.root_of(&path);
    let name = name.ok_or_else(|| RequestError::failed("the document belongs to no root"))?;
    let mut choices: Vec<(String, InputChoice)> = Vec::new();
    let top = server.folder_around(&path).unwrap_or_else(|| folder.clone());
    let shown = |path: &str| match file_path::relative(&top, path) {
        name if name == "." => file_path::last(path).to_owned(),
        name => name,
    };
    if name.kind == RootKind::Module {
        let callers = callers(&server.workspace_of_folder(&top), &top, &folder);
        for root in std::iter::once(folder.clone()).chain(callers) {
            if root != name.dir {
                let title = format!("root {}", shown(&root));
                choices.push((title, InputChoice::Root { folder: folder.clone(), root }));
            }
        }
    }
    let host = server.host.folder(&name.dir, &server.settings);
    for file in value_files(&*host, &name.dir, name.kind) {
        let title = format!("values of {}", file_path::relative(&name.dir, &file));
        choices.push((title, InputChoice::Values { root: name.dir.clone(), files: vec![file] }));
    }
    if server.chosen_files.contains_key(&name.dir) {
        let files = InputChoice::Values { root: name.dir.clone(), files: Vec::new() };
        choices.push(("values of the settings".to_owned(), files));
    }
    let titles: Vec<&str> = choices.iter().map(|(title, _)| title.as_str()).collect();
    let answer = json!(titles);
    let file = file_path::last(&path);
    let params = match titles.is_empty() {
        true => {
            let message = format!("There is no other root for {file}, and no value file.");
            server.notify("window/showMessage", &json!({ "type": 3, "message": message }));
            return Ok(answer);
        }
        false => json!({
            "type": 3,
            "message": format!("Root {}: what else should count for {file}?", shown(&name.dir)),
            "actions": titles.iter().map(|title| json!({ "title": title })).collect::<Vec<_>>(),
        }),
    };
    server.ask("window/showMessageRequest", &params, ServerQuestion::Choice(choices));
    Ok(answer)
}

/// Returns the folders below `top` whose modules call the module in `folder`, directly or through others, roots first.
fn callers(workspace: &Workspace, top: &str, folder: &str) -> Vec<String> {
    let graph = workspace.call_graph(top);
    let own = file_path::relative(top, folder);
    let mut found: Vec<(bool, String)> = graph
        .callers_of(&own)
        .into_iter()
        .map(|caller| (!caller.is_root(), file_path::join(top, &caller.dir)))
        .collect();
    found.sort_unstable();
    found.into_iter().take(MAX_CHOICES).map(|(_, dir)| dir).collect()
}

/// Returns the value files of a root that are not loaded automatically, from its folder and the folders directly below.
fn value_files(host: &dyn Host, dir: &str, root: RootKind) -> BTreeSet<String> {
    let kind = match root {
        RootKind::Template => FileKind::PackerValues,
        RootKind::Module | RootKind::Test => FileKind::Values,
    };
    let mut found = BTreeSet::new();
    let mut look = |folder: &str, is_own: bool| {
        let mut below = Vec::new();
        for entry in host.list(folder).unwrap_or_default() {
            let path = file_path::join(folder, &entry.name);
            let is_folder = entry.kind == EntryKind::Directory;
            let counts = is_own && groma::folders::FileKind::is_automatic(&entry.name);
            if is_folder && !entry.name.starts_with('.') {
                below.push(path);
            } else if FileKind::of(&entry.name) == Some(kind) && !counts {
                found.insert(path);
            }
        }
        below
    };
    let below = look(dir, true);
    below.iter().take(MAX_CHOICES).for_each(|folder| drop(look(folder, false)));
    found.into_iter().take(MAX_CHOICES).collect()
}

/// Sets the root or value files that the user picked from `choices`, named by the title in the response; nothing without a pick.
pub(crate) fn chosen(
    server: &mut ServerState,
    choices: Vec<(String, InputChoice)>,
    result: Option<&Value>,
) {
    let title = result.and_then(|result| result["title"].as_str());
    let made = choices.into_iter().find(|(own, _)| Some(own.as_str()) == title);
    match made.map(|(_, choice)| choice) {
        Some(InputChoice::Root { folder, root }) => server.choose_root(folder, root),
        Some(InputChoice::Values { root, files }) => server.choose_files(root, files),
        None => {}
    }
}
