//! Loading of a template: one file, or the files of a folder by name. Legacy JSON templates, which precede blocks, resemble the
//! present JSON syntax only by file name; they get a message of their own.

use groma_config::{BlockReader, FileKind, MemoryCharge, RawBlock, list, read_text};
use groma_runtime::{Budget, Edition, EntryKind, Host};
use groma_syntax::json::JsonCase;
use groma_syntax::{
    Body, Diagnostic, Diagnostics, FileId, JsonParse, Place, Sources, parse_file, parse_json,
};

use crate::codes;
use crate::row::{DECODED, PARSED};

/// The files of a Packer template with the blocks read from them.
#[derive(Default)]
pub(crate) struct TemplateFiles {
    /// The numbers of the files, in the order of reading.
    pub(crate) ids: Vec<FileId>,
    /// The blocks of all files.
    pub(crate) blocks: Vec<RawBlock>,
    /// Diagnostics inside of builds, reported only when builds are evaluated.
    pub(crate) late: Diagnostics,
    /// The folder of the template, as given.
    pub(crate) folder: String,
    /// The names of the folder's files; empty if one file was given.
    pub(crate) names: Vec<String>,
}

/// Returns true if a file name has an ending of Packer templates, such as `.pkr.hcl`.
pub fn is_template(name: &str) -> bool {
    FileKind::is_template(name)
}

/// Reads the blocks of the template at `path`, a file or a folder.
pub(crate) fn load(
    path: &str,
    edition: Edition,
    (host, budget): (&dyn Host, &Budget),
    sources: &mut Sources,
    out: &mut Diagnostics,
) -> TemplateFiles {
    let mut files = TemplateFiles::default();
    let shown: Vec<String> = match host.kind(path) {
        Ok(EntryKind::File) => {
            files.folder = match path.rsplit_once('/') {
                Some(("", _)) => "/".to_owned(),
                Some((folder, _)) => folder.to_owned(),
                None => ".".to_owned(),
            };
            if !is_template(path) {
                out.push(misnamed(path, (host, budget), sources));
                return files;
            }
            vec![path.to_owned()]
        }
        _ => {
            files.folder = path.to_owned();
            let Some(names) = list(host, path, out) else { return files };
            files.names = names;
            let mut chosen: Vec<&String> = files
                .names
                .iter()
                .filter(|name| is_template(name) && !name.starts_with(".#"))
                .collect();
            // Native files come first.
            chosen.sort_by_key(|name| (name.ends_with(".json"), (*name).clone()));
            chosen.into_iter().map(|name| groma_runtime::file_path::join(path, name)).collect()
        }
    };
    for shown in &shown {
        read(shown, edition, (host, budget), sources, &mut files, out);
    }
    if shown.is_empty() {
        let old = files.names.iter().find(|name| {
            name.ends_with(".json") && !name.ends_with(".pkrvars.json") && {
                let shown = groma_runtime::file_path::join(path, name);
                is_legacy_file(&shown, (host, budget), sources)
            }
        });
        let detail = match old {
            Some(old) => format!(
                "The folder {path} contains no files named *.pkr.hcl or *.pkr.json. \"{old}\" is a template in the legacy JSON format, which has no expressions: `packer hcl2_upgrade {old}` converts it to HCL."
            ),
            None => format!(
                "The folder {path} contains no files named *.pkr.hcl or *.pkr.json. Give the folder or the file of a template."
            ),
        };
        out.push(Diagnostic::error(&codes::NO_FILES, detail));
    }
    files
}

/// Creates the diagnostic for a file whose name has no ending of Packer templates.
fn misnamed(path: &str, from: (&dyn Host, &Budget), sources: &mut Sources) -> Diagnostic {
    if is_legacy_file(path, from, sources) {
        return legacy_json(path);
    }
    let detail = format!(
        "\"{path}\" does not have the name of a template: these end in .pkr.hcl or .pkr.json."
    );
    Diagnostic::error(&codes::NO_FILES, detail)
}

/// Creates the diagnostic for the file at the path `shown`, which contains a template in the legacy JSON format.
fn legacy_json(shown: &str) -> Diagnostic {
    let name = shown.rsplit('/').next().unwrap_or(shown);
    let detail = format!(
        "This is a template in the legacy JSON format, with builders instead of blocks. It is not evaluated, since its {{{{ … }}}} are not expressions. `packer hcl2_upgrade {name}` converts it to HCL."
    );
    Diagnostic::error(&codes::OLD_TEMPLATE, detail)
}

/// Reads and parses one file of a template, that at the path `shown`, and adds its blocks to `files`.
fn read(
    shown: &str,
    edition: Edition,
    (host, budget): (&dyn Host, &Budget),
    sources: &mut Sources,
    files: &mut TemplateFiles,
    out: &mut Diagnostics,
) {
    let Some((id, text)) = read_text(host, sources, shown, out) else { return };
    files.ids.push(id);
    if !(MemoryCharge { budget, shown }).for_tree(&text, out) {
        return;
    }
    let body = if shown.ends_with(".json") {
        let parse = parse_json(&text, id);
        if is_legacy(&parse) {
            out.push(legacy_json(shown).at(Place::new(id, parse.document.root().span())));
            return;
        }
        out.extend(parse.diagnostics.iter().cloned());
        Body::json(&parse)
    } else {
        let parse = parse_file(&text, id);
        out.extend(parse.diagnostics.iter().cloned());
        Body::of(&parse)
    };
    let reader = |out| BlockReader {
        edition,
        file: id,
        in_own_file: false,
        is_override: false,
        whose: "a template",
        elsewhere: |_, _| "",
        out,
    };
    let mut early = Diagnostics::new();
    reader(&mut early).file(&body, &PARSED);
    let mut all = Diagnostics::new();
    files.blocks.extend(reader(&mut all).file(&body, &DECODED));
    for found in all {
        if !early.iter().any(|known| *known == found) {
            files.late.push(found);
        }
    }
    out.extend(early);
}

/// Returns true if the file at the path `shown` can be read and contains a template in the legacy JSON format; adds its text to
/// `sources`.
fn is_legacy_file(
    shown: &str,
    (host, budget): (&dyn Host, &Budget),
    sources: &mut Sources,
) -> bool {
    let mut unsaid = Diagnostics::new();
    let Some((id, text)) = read_text(host, sources, shown, &mut unsaid) else { return false };
    MemoryCharge { budget, shown }.for_tree(&text, &mut unsaid) && is_legacy(&parse_json(&text, id))
}

/// Returns true if a JSON document is a template in the legacy format: it has a list of builders.
fn is_legacy(parse: &JsonParse) -> bool {
    let JsonCase::Object(properties) = parse.document.root().case() else { return false };
    properties.iter().any(|property| {
        property.name == "builders" && matches!(property.value.case(), JsonCase::Array(_))
    })
}
