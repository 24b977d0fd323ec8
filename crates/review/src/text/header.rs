//! The comment lines above an object: its action, and the reasons for it.

use std::borrow::Cow;
use std::fmt;

use groma_config::ResourceMode;
use groma_plan::{Action, ChangeReason};
use groma_syntax::render::harmless;
use groma_value::Str;

use super::writer::PlanWriter;
use crate::model::ResourceItem;
use crate::style::TextStyle;

/// Returns the displayed address of a changed instance; that of a deposed object is followed by its key.
pub(crate) fn label(item: &ResourceItem) -> Cow<'_, str> {
    match &item.deposed {
        Some(key) => format!("{} (deposed object {})", &*item.address, &**key).into(),
        None => (&*item.address).into(),
    }
}

/// Returns the phrase for the action on an instance, such as ` will be destroyed`, in three pieces: plain, in the style of a
/// warning, plain.
pub(crate) fn action_phrase(item: &ResourceItem) -> (&'static str, &'static str, &'static str) {
    let is_data = item.declared.mode == ResourceMode::Data;
    match item.action {
        Action::Create if is_data => (" will be read", "", ""),
        Action::Update if is_data => (" will be read with different arguments", "", ""),
        Action::Delete if is_data => (" will no longer be read", "", ""),
        Action::Create => (" will be created", "", ""),
        Action::Read => (" will be read during apply", "", ""),
        Action::Update => (" will be updated in-place", "", ""),
        Action::DeleteThenCreate
        | Action::CreateThenDelete
        | Action::ForgetThenCreate
        | Action::CreateThenForget => match item.reason {
            Some(ChangeReason::Tainted) => (" is tainted, so must be ", "replaced", ""),
            Some(ChangeReason::Requested) => (" will be ", "replaced", ", as requested"),
            Some(ChangeReason::Triggered) => {
                (" will be ", "replaced", " due to changes in replace_triggered_by")
            }
            _ => (" must be ", "replaced", ""),
        },
        Action::Delete => (" will be ", "destroyed", ""),
        Action::Forget => (" will no longer be managed, and ", "will not be destroyed", ""),
        Action::NoOp if item.importing.is_some() => (" will be imported", "", ""),
        Action::NoOp => (" stays as it is", "", ""),
    }
}

/// Returns the remarks displayed below the heading of a changed instance: the reason for its action and further facts.
pub(crate) fn remarks(item: &ResourceItem) -> Vec<String> {
    let mut told = Vec::new();
    let declared = &item.declared;
    let because = match item.reason {
        Some(ChangeReason::NoResource) => {
            Some(format!("because {}.{} is not in configuration", &*declared.kind, &*declared.name))
        }
        Some(ChangeReason::NoMoveTarget) => Some(format!(
            "because {} was moved to {}, which is not in configuration",
            item.previous.as_deref().unwrap_or_default(),
            &*item.address
        )),
        Some(ChangeReason::NoModule) => {
            Some(format!("because {} is not in configuration", &*declared.module))
        }
        Some(ChangeReason::WrongRepetition) => Some(String::from(match item.key {
            groma_config::InstanceKey::None => "because resource uses count or for_each",
            groma_config::InstanceKey::Number(_) => "because resource does not use count",
            groma_config::InstanceKey::Text(_) => "because resource does not use for_each",
        })),
        Some(ChangeReason::CountIndex) => {
            Some(format!("because index {} is out of range for count", item.key.suffix()))
        }
        Some(ChangeReason::EachKey) => {
            Some(format!("because key {} is not in for_each map", item.key.suffix()))
        }
        Some(ChangeReason::EnabledFalse) => Some("because enabled is false".to_owned()),
        Some(ChangeReason::ConfigUnknown) => {
            Some("config refers to values not yet known".to_owned())
        }
        Some(ChangeReason::DependencyPending) => {
            Some("depends on a resource or a module with changes pending".to_owned())
        }
        Some(ChangeReason::CheckNested) => {
            Some("config will be reloaded to verify a check block".to_owned())
        }
        Some(ChangeReason::KeptByState) => {
            Some("because lifecycle.destroy = false was recorded with it".to_owned())
        }
        Some(ChangeReason::KeptByConfiguration) => {
            Some("because lifecycle.destroy = false is written for it".to_owned())
        }
        Some(
            ChangeReason::Tainted
            | ChangeReason::CannotUpdate
            | ChangeReason::Requested
            | ChangeReason::Triggered,
        )
        | None => None,
    };
    told.extend(because);
    if item.action.is_replacement() && item.action.forgets() {
        told.push("the existing object is kept because of lifecycle.destroy = false".to_owned());
    }
    if item.deposed.is_some() {
        told.push("left over from a partially-failed replacement of this instance".to_owned());
    }
    if let Some(from) = &item.previous
        && item.action != Action::NoOp
        && item.reason != Some(ChangeReason::NoMoveTarget)
    {
        told.push(format!("moved from {}", &**from));
    }
    if let Some(importing) = &item.importing {
        told.push(match &importing.id {
            _ if importing.is_hidden => "imported; the id is sensitive".to_owned(),
            Some(id) => format!("imported from \"{}\"", &**id),
            None => "imported; the id is not known yet".to_owned(),
        });
    }
    if item.is_provider_decided() {
        told.push("provider decides: in place, or by a replacement".to_owned());
    }
    told.extend(
        item.origins.iter().filter(|one| one.path.is_empty()).map(|one| one.text.to_string()),
    );
    told
}

/// Returns the block header of an object as in code: keyword, type and name.
pub(crate) fn opening(mode: ResourceMode, kind: &Str, name: &Str) -> String {
    format!("{} \"{}\" \"{}\"", mode.word(), &**kind, &**name)
}

impl PlanWriter<'_> {
    /// Writes the comment line above an object: its address and the phrase for its action.
    pub(super) fn heading(&mut self, address: &str, phrase: (&str, &str, &str)) -> fmt::Result {
        let (before, alert, after) = phrase;
        self.joined(TextStyle::Strong, &["  # ", &harmless(address)])?;
        self.plain(before)?;
        if !alert.is_empty() {
            self.put(TextStyle::Alert, alert)?;
        }
        self.plain(after)?;
        self.plain("\n")
    }

    /// Writes a comment line with a remark in parentheses below the heading of an object.
    pub(super) fn aside(&mut self, text: &str) -> fmt::Result {
        self.plain(&format!("  # ({})\n", harmless(text)))
    }

    /// Writes the comment lines above a changed object: its heading and the remarks on it.
    pub(super) fn head(&mut self, item: &ResourceItem) -> fmt::Result {
        match &item.previous {
            Some(from) if item.action == Action::NoOp => {
                self.heading(from, (" has moved to ", "", &label(item)))?;
            }
            _ => self.heading(&label(item), action_phrase(item))?,
        }
        for remark in remarks(item) {
            self.aside(&remark)?;
        }
        if item.importing.is_some() && item.action.is_replacement() && item.action.destroys() {
            self.put(TextStyle::Alert, "  # Warning: this destroys the imported object")?;
            self.plain("\n")?;
        }
        Ok(())
    }
}
