//! Names in the root's value files without a variable. A file that is not loaded automatically may belong to another program or
//! root, such as a backend configuration: it is checked only if most of its names are known.

use groma_config::{FileKind, FilePurpose};
use groma_runtime::{EntryKind, file_path};
use groma_syntax::{Body, BodyItem, Diagnostic, Place, Source, parse_file, parse_json};

use crate::codes;
use crate::found::RuleFindings;
use crate::subject::LintedModule;

/// Maximum number of variable files inspected in the root folder; the rest are ignored.
const MOST: usize = 200;

/// Finds names in the root folder's variable files for which no variable is declared.
pub(super) fn look(subject: &LintedModule<'_>, found: &mut RuleFindings) {
    if subject.node.number() != 0 {
        return;
    }
    let (project, variables) = (subject.node.project(), &subject.module.variables);
    let (host, dir) = (project.host(), project.dir());
    let entries = host.list(dir).unwrap_or_default().into_iter();
    let is_file = |name: &str| {
        FileKind::of(name)
            .is_some_and(|kind| kind.purpose == FilePurpose::Values && kind.owner.is_none())
    };
    let mut names: Vec<String> = entries
        .filter(|entry| entry.kind == EntryKind::File && is_file(&entry.name))
        .map(|entry| entry.name)
        .collect();
    names.sort_unstable();
    for name in names.into_iter().take(MOST) {
        let path = groma_config::path::join(dir, &name);
        let is_shared = match (host.canonical(&path), host.canonical(dir)) {
            (Ok(file), Ok(dir)) => file_path::parent(&file) != dir,
            _ => true,
        };
        let Some(text) = host.read(&path).ok().and_then(|bytes| String::from_utf8(bytes).ok())
        else {
            continue;
        };
        if is_shared {
            continue;
        }
        let file = found.file(Source::new(path.as_str(), text.as_str()));
        let body = match name.ends_with(".json") {
            true => Body::json(&parse_json(&text.into(), file)),
            false => Body::of(&parse_file(&text.into(), file)),
        };
        let arguments: Vec<_> = body
            .items()
            .into_iter()
            .filter_map(|item| match item {
                BodyItem::Argument(argument) => Some(argument),
                BodyItem::Block(_) => None,
            })
            .collect();
        let is_known = |name: &str| variables.binary_search_by(|one| (*one.name).cmp(name)).is_ok();
        let (known, strangers): (Vec<_>, Vec<_>) =
            arguments.into_iter().partition(|one| is_known(&one.name.text));
        let stem = name.trim_end_matches(".json").trim_end_matches(".tfvars");
        let is_read = stem == "terraform" || stem.ends_with(".auto");
        if !is_read && (known.len() < strangers.len() || name.contains("backend")) {
            continue;
        }
        for one in strangers {
            let names = variables.iter().map(|one| &*one.name);
            let hint = groma_config::did_you_mean(&one.name.text, names);
            let detail = format!(
                "This file sets \"{}\", but the root module declares no such variable, so the value is not used.{hint}",
                &*one.name.text
            );
            let place = Place::new(file, one.name.span);
            found.push(Diagnostic::warning(&codes::UNDECLARED_VARIABLE, detail).at(place));
        }
    }
}
