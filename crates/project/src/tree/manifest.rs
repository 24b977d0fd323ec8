//! Modules installed by an earlier `init`: `.terraform/modules/modules.json`. An unreadable manifest counts as empty and is
//! reported; an entry counts only if it matches its call.

use std::collections::BTreeMap;

use groma_config::{ReleaseVersion, VersionConstraints, path};
use groma_runtime::{Host, HostError};
use groma_syntax::{Diagnostic, Diagnostics, Place};
use groma_value::{Value, json};
use rustc_hash::FxHashMap;

use crate::codes;
use crate::tree::mapping::MappingUse;
use crate::tree::source;

/// Installed modules, by the names of the calls that lead to them (`vpc.endpoints`).
#[derive(Debug, Default)]
pub(crate) struct ModuleManifest(FxHashMap<String, InstalledModule>);

/// A call of a remote module, with the source and version that an installer needs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RemoteCall {
    /// The names of the calls that lead to it, joined by dots.
    pub key: String,
    /// The source as written.
    pub source: String,
    /// The version constraint, if any.
    pub version: Option<String>,
    /// The source range of the source argument.
    pub place: Place,
    /// True if a matching module is installed.
    pub is_installed: bool,
}

/// The calls of remote modules, the modules that are installed for them, and the use of source mappings.
#[derive(Debug, Default)]
pub(crate) struct RemoteModules {
    pub(crate) calls: Vec<RemoteCall>,
    pub(crate) manifest: ModuleManifest,
    pub(crate) mappings: MappingUse,
}

/// An installed module: its source, version and directory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InstalledModule {
    /// The source that it was installed from.
    pub source: String,
    /// The version; empty if the source has none.
    pub version: String,
    /// The directory relative to the root module.
    pub dir: String,
}

impl InstalledModule {
    /// Returns a phrase that says how the installed module differs from the requested source and version; `None` if it does not.
    pub(crate) fn misfit(&self, asked: &str, version: Option<&str>) -> Option<String> {
        let has_moved = source::address(&self.source) != source::address(asked);
        let wanted = version.filter(|version| !self.satisfies(version));
        let (recorded, of) = (&self.source, &self.version);
        let recorded = match (recorded.is_empty(), of.is_empty()) {
            (true, _) => "without a record of where it came from".to_owned(),
            (false, true) => format!("from \"{recorded}\""),
            (false, false) => format!("from \"{recorded}\" in version {of}"),
        };
        let asks = match (has_moved, wanted) {
            (false, None) => return None,
            (true, None) => format!("\"{asked}\""),
            (false, Some(version)) if self.version.is_empty() => {
                format!("version \"{version}\", but none is recorded")
            }
            (false, Some(version)) => format!("version \"{version}\""),
            (true, Some(version)) => format!("\"{asked}\" in version \"{version}\""),
        };
        Some(format!("was installed {recorded}, but the call requires {asks}"))
    }

    /// Returns true if the installed version satisfies a version constraint.
    fn satisfies(&self, version: &str) -> bool {
        // An invalid constraint is reported at the call.
        let Ok(constraints) = VersionConstraints::parse(version) else { return true };
        ReleaseVersion::read(&self.version).is_some_and(|found| constraints.allow(&found))
    }
}

impl ModuleManifest {
    /// Reads the manifest of installed modules of the project in `dir`.
    pub(crate) fn read(host: &dyn Host, dir: &str, out: &mut Diagnostics) -> ModuleManifest {
        let path = path::join(&groma_config::data_dir(host, dir), "modules/modules.json");
        let bytes = match host.read(&path) {
            Ok(bytes) => bytes,
            Err(HostError::Absent | HostError::Outside) => return ModuleManifest::default(),
            Err(why) => {
                let detail = format!("\"{path}\" cannot be read: {why}.");
                out.push(Diagnostic::warning(&codes::MODULE_MANIFEST, detail));
                return ModuleManifest::default();
            }
        };
        let text = String::from_utf8_lossy(&bytes);
        match json::decode(&text) {
            Ok(value) => ModuleManifest(entries(&value)),
            Err(why) => {
                let detail = format!(
                    "\"{path}\" is not the JSON that init writes ({}). Run init again.",
                    why.message
                );
                out.push(Diagnostic::warning(&codes::MODULE_MANIFEST, detail));
                ModuleManifest::default()
            }
        }
    }

    /// Returns all installed modules by the names of the calls that lead to them.
    pub(crate) fn sorted(&self) -> BTreeMap<&str, &InstalledModule> {
        self.0.iter().map(|(key, module)| (key.as_str(), module)).collect()
    }

    /// Returns the module that is installed for a path of call names joined by dots, if any.
    pub(crate) fn find(&self, key: &str) -> Option<&InstalledModule> {
        self.0.get(key)
    }
}

/// Returns the modules listed in the JSON value of a manifest, by their keys.
fn entries(value: &Value) -> FxHashMap<String, InstalledModule> {
    let mut found = FxHashMap::default();
    let Value::Object(whole) = value else { return found };
    let Some(Value::Tuple(modules)) = whole.get("Modules") else { return found };
    for module in modules.items() {
        let Value::Object(module) = module else { continue };
        let text = |name: &str| match module.get(name) {
            Some(Value::String(text)) => Some(text.to_string()),
            _ => None,
        };
        if let (Some(key), Some(dir)) = (text("Key"), text("Dir")) {
            let source = text("Source").unwrap_or_default();
            let version = text("Version").unwrap_or_default();
            found.insert(key, InstalledModule { source, version, dir });
        }
    }
    found
}
