//! Writing `modules.json`: the list of what is installed, in the form that both programs read. The engine reads it, too,
//! as it reads theirs.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;

use groma_value::json::{JsonObject, JsonText, Layout, array};

/// What the name of a list begins with that is not whole yet.
pub(crate) const PREFIX: &str = ".modules-";

/// A line of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ManifestEntry {
    /// Where it came from, in the long form.
    pub source: String,
    /// Its version; only a registry's module has one.
    pub version: Option<String>,
    /// Where it is, seen from the root module.
    pub dir: String,
}

/// Writes the list, by the names of the calls; it is there whole or as it was.
pub(crate) fn write(entries: &BTreeMap<String, ManifestEntry>, modules: &Path) -> io::Result<()> {
    let mut out = JsonText::new(Layout::Compact);
    let mut whole = JsonObject::open(&mut out);
    array(entries, whole.key("Modules"), |(key, entry), out| {
        let mut one = JsonObject::open(out);
        one.text("Key", key);
        one.text("Source", &entry.source);
        if let Some(version) = &entry.version {
            one.text("Version", version);
        }
        one.text("Dir", &entry.dir);
        one.close();
    });
    whole.close();
    let fresh = modules.join(format!("{PREFIX}{}.json", std::process::id()));
    // Whoever holds the folder has swept it: what has this name now is nobody's list, and may be a link.
    let mut file = OpenOptions::new().write(true).create_new(true).open(&fresh)?;
    file.write_all(out.into_string().as_bytes())?;
    file.sync_all()?;
    fs::rename(fresh, modules.join("modules.json"))
}
