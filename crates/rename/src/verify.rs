//! Verification of a rename: the changed folders are loaded again with the new texts, and must not have new errors.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use groma_edit::EditRefusal;
use groma_eval::{EvaluationBasis, NamedValues};
use groma_module::load::ModuleLoader;
use groma_module::{Module, ParsedFiles, ProviderSchemas};
use groma_runtime::{Edition, Host, OverlayHost, Texts, absolute, file_path};
use groma_syntax::{Diagnostics, Severity, Sources};

use crate::RenamedFile;
use crate::tree::FolderTree;

/// Checks that the modules in `folders`, in which a rename changes files, load with the new texts without new errors; the
/// error describes the first.
pub(crate) fn verify(
    host: &Arc<dyn Host>,
    tree: &FolderTree<'_>,
    folders: &BTreeSet<String>,
    files: &[RenamedFile],
) -> Result<(), EditRefusal> {
    let texts: Texts = files
        .iter()
        .map(|file| (absolute(&**host, &file.path), Arc::from(file.after.as_bytes())))
        .collect();
    let after: Arc<dyn Host> =
        Arc::new(OverlayHost { below: host.clone(), texts: Arc::new(texts) });
    for dir in folders {
        let shown = tree.shown(dir);
        if !files.iter().any(|file| file_path::parent(&file.path) == shown) {
            continue;
        }
        let edition = tree.edition_of(dir);
        let old = errors_in(host, &shown, edition);
        for (code, now) in errors_in(&after, &shown, edition) {
            if let Some((place, detail)) = now.get(old.get(code).map_or(0, Vec::len)) {
                return Err(EditRefusal(format!(
                    "The new name would cause an error at {place}: {detail} Nothing was changed."
                )));
            }
        }
    }
    Ok(())
}

/// Loads the module in a folder and returns its errors by diagnostic code, each with its place and message.
fn errors_in(
    host: &Arc<dyn Host>,
    dir: &str,
    edition: Edition,
) -> BTreeMap<&'static str, Vec<(String, String)>> {
    let mut out = Diagnostics::new();
    let mut sources = Sources::new();
    let names = groma_config::list(&**host, dir, &mut out).unwrap_or_default();
    let constants = EvaluationBasis::bare(edition).with_scope(Arc::new(NamedValues::new()));
    let mut late = Diagnostics::new();
    let mut loader = ModuleLoader {
        host: &**host,
        edition,
        constants: &constants,
        schemas: &ProviderSchemas::default(),
        sources: &mut sources,
        queries: true,
        kept: None,
        shared: None,
        parsed: &ParsedFiles::default(),
        late: &mut late,
    };
    let _: Arc<Module> = loader.load(dir, &names, &mut out);
    let mut found: BTreeMap<&'static str, Vec<(String, String)>> = BTreeMap::new();
    let errors = out.iter().chain(late.iter()).filter(|one| one.severity == Severity::Error);
    for one in errors {
        let place = one.place.map_or_else(String::new, |place| {
            let (source, place) = sources.at(place);
            format!("{}:{}", source.name(), source.position(place.span.start).line)
        });
        found.entry(one.code.slug).or_default().push((place, one.detail.clone()));
    }
    found
}
