//! Offers to set the version of a module call to the installed one, if it has none.

use groma::hosts::file_path;
use groma_syntax::json::{JsonCase, JsonView};
use groma_syntax::{FileId, parse_json};

use crate::action::{ActionChoice, ActionKind, ActionList};

impl ActionList<'_> {
    /// Offers to pin the version of the module call at the cursor.
    pub(super) fn pin(&mut self) {
        let Some(snapshot) = self.request.snapshot() else { return };
        let at = self.range.start;
        let steps = self.document.blocks_at(at);
        let Some(step) = steps.first().filter(|step| step.kind == "module") else { return };
        let has_version = self.document.names_in(step).iter().any(|name| name == "version");
        // The installed modules are listed under their names in the root, so only its own calls are found.
        let is_of_root = snapshot.module_of_file(self.document.name()) == 0;
        let Some(name) = step.labels.first().cloned() else { return };
        if has_version || !is_of_root {
            return;
        }
        let list = file_path::join(snapshot.dir(), ".terraform/modules/modules.json");
        let Ok(text) = self.request.workspace().text(&list) else { return };
        let parse = parse_json(&text, FileId::default());
        if let Some(version) = installed(parse.document.root(), &name) {
            let title = format!("Pin the module to version {version}, which is installed");
            let choice = ActionChoice::PinVersion { call: name, version };
            self.push(title, ActionKind::Rewrite, choice);
        }
    }
}

/// Returns the version that `.terraform/modules/modules.json`, parsed as `list`, records for the module call `name`; `None`
/// if it records none.
fn installed(list: JsonView<'_>, name: &str) -> Option<String> {
    let property = |view: JsonView<'_>, name: &str| match view.case() {
        JsonCase::Object(all) => {
            all.into_iter().find(|one| one.name == name).map(|one| match one.value.case() {
                JsonCase::String(text) => text.into_owned(),
                _ => String::new(),
            })
        }
        _ => None,
    };
    let JsonCase::Object(all) = list.case() else { return None };
    let modules = all.into_iter().find(|one| one.name == "Modules")?;
    let JsonCase::Array(modules) = modules.value.case() else { return None };
    let own = modules.into_iter().find(|one| property(*one, "Key").as_deref() == Some(name))?;
    property(own, "Version")
        .filter(|version| groma::folders::ReleaseVersion::read(version).is_some())
}
