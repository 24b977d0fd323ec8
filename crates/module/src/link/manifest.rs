//! What an earlier `init` installed: `.terraform/modules/modules.json`. A manifest that cannot be
//! read is as good as none, but that is said.

use groma_functions::{Host, HostError};
use groma_syntax::{Code, Diagnostic, Diagnostics};
use groma_value::{Value, json};
use rustc_hash::FxHashMap;

static MANIFEST: Code =
    Code { slug: "module-manifest", summary: "Installed modules cannot be listed" };

/// Directories of installed modules, seen from the root module, by the names of the calls that
/// lead to them (`vpc.endpoints`).
#[derive(Debug, Default)]
pub(crate) struct Manifest(FxHashMap<String, String>);

impl Manifest {
    /// Reads the manifest of the project in `dir`.
    pub(crate) fn read(host: &dyn Host, dir: &str, out: &mut Diagnostics) -> Manifest {
        let path = crate::load::path::join(dir, ".terraform/modules/modules.json");
        let bytes = match host.read(&path) {
            Ok(bytes) => bytes,
            Err(HostError::Absent | HostError::Outside) => return Manifest::default(),
            Err(why) => {
                let detail = format!("\"{path}\" cannot be read: {why}.");
                out.push(Diagnostic::warning(&MANIFEST, detail));
                return Manifest::default();
            }
        };
        let text = String::from_utf8_lossy(&bytes);
        match json::decode(&text) {
            Ok(value) => Manifest(entries(&value)),
            Err(why) => {
                let detail = format!(
                    "\"{path}\" is not the JSON that init writes ({}). Run init again.",
                    why.message
                );
                out.push(Diagnostic::warning(&MANIFEST, detail));
                Manifest::default()
            }
        }
    }

    /// Where the module that these calls lead to was installed.
    pub(crate) fn directory(&self, key: &str) -> Option<&str> {
        self.0.get(key).map(String::as_str)
    }
}

fn entries(value: &Value) -> FxHashMap<String, String> {
    let mut found = FxHashMap::default();
    let Value::Object(whole) = value else { return found };
    let Some(Value::Tuple(modules)) = whole.get("Modules") else { return found };
    for module in modules.items() {
        let Value::Object(module) = module else { continue };
        if let (Some(Value::String(key)), Some(Value::String(dir))) =
            (module.get("Key"), module.get("Dir"))
        {
            found.insert(key.to_string(), dir.to_string());
        }
    }
    found
}
