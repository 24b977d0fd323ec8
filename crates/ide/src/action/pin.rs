//! The version of a module that is installed, for calls that name none.

use groma::hosts::file_path;
use groma_syntax::json::{JsonCase, JsonView};
use groma_syntax::{BodyItem, FileId, parse_json};

use crate::action::{ActionChoice, ActionKind, ActionList};

impl ActionList<'_> {
    pub(super) fn pin(&mut self) {
        let Some(snapshot) = self.request.snapshot() else { return };
        let at = self.range.start;
        let block = self.document.syntax().body().items().into_iter().find_map(|item| match item {
            BodyItem::Block(block) if block.span.touches(at) => Some(block),
            _ => None,
        });
        let Some(block) = block.filter(|block| &*block.kind.text == "module") else { return };
        let has_version = block.body.items().iter().any(|item| {
            matches!(item, BodyItem::Argument(argument) if &*argument.name.text == "version")
        });
        // Names of modules in the list are seen from the root, so only its own calls are looked for.
        let is_of_root = snapshot.module_of_file(self.document.name()) == 0;
        let Some(name) = block.labels.first().map(|label| label.text.to_string()) else { return };
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

/// The version of a module in the list of those that are installed.
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
