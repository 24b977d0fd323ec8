//! The packages compiled into the command for a target, as a bill of materials (CycloneDX 1.5) and as the notices that their
//! licences require. Packages used only for building or testing are left out.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use testkit::workspace;

/// The name of the cargo package whose binary is distributed.
pub(super) const COMMAND: &str = "groma-cli";

/// Beginnings of the names of licence and notice files in a package's directory, in upper case.
const NOTICES: &[&str] = &["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE", "UNLICENSE"];

/// A package in the dependency graph of the distributed program, with its licence and dependencies.
struct Part {
    name: String,
    version: String,
    licence: String,
    folder: PathBuf,
    /// The checksum of its archive in the lock file.
    checksum: Option<String>,
    /// The identities of its dependencies.
    needs: Vec<String>,
    is_ours: bool,
}

impl Part {
    /// Returns the package URL (purl), which identifies the package in the bill of materials.
    fn identity(&self) -> String {
        format!("pkg:cargo/{}@{}", self.name, self.version)
    }
}

/// The packages compiled into a package, by identity, including itself.
pub(super) struct Parts {
    package: String,
    parts: BTreeMap<String, Part>,
}

impl Parts {
    /// Reads the packages that are compiled into `package` for a target, from `cargo metadata` and the lock file.
    pub(super) fn read(package: &str, target: &str) -> Result<Parts, String> {
        let wanted = ["metadata", "--locked", "--format-version", "1", "--filter-platform", target];
        let told = super::output_of(Path::new(env!("CARGO")), &wanted)?;
        let told: Value = serde_json::from_slice(&told).map_err(|why| why.to_string())?;
        let lock =
            fs::read_to_string(workspace().join("Cargo.lock")).map_err(|why| why.to_string())?;
        Parts::of(package, &told, &checksums(&lock))
            .ok_or_else(|| format!("cargo metadata knows no package {package}"))
    }

    /// Collects the packages that are compiled into `package` from the output of `cargo metadata`; `None` if the package is not
    /// there.
    fn of(
        package: &str,
        told: &Value,
        checksums: &BTreeMap<(String, String), String>,
    ) -> Option<Parts> {
        let text = |value: &Value, key: &str| value[key].as_str().map(str::to_owned);
        let packages: BTreeMap<&str, &Value> = told["packages"]
            .as_array()?
            .iter()
            .filter_map(|package| Some((package["id"].as_str()?, package)))
            .collect();
        let nodes: BTreeMap<&str, &Value> = told["resolve"]["nodes"]
            .as_array()?
            .iter()
            .filter_map(|node| Some((node["id"].as_str()?, node)))
            .collect();
        let first = packages.iter().find(|(_, known)| known["name"] == package)?.0;
        let mut open = vec![*first];
        let mut seen = BTreeSet::from([*first]);
        let mut found: Vec<(&str, Vec<&str>)> = Vec::new();
        while let Some(id) = open.pop() {
            let needed: Vec<&str> = nodes[id]["deps"]
                .as_array()?
                .iter()
                .filter(|need| is_compiled_in(need))
                .filter_map(|need| need["pkg"].as_str())
                .collect();
            open.extend(needed.iter().filter(|id| seen.insert(id)));
            found.push((id, needed));
        }
        let identity = |id: &str| {
            let package = packages.get(id)?;
            Some(format!(
                "pkg:cargo/{}@{}",
                package["name"].as_str()?,
                package["version"].as_str()?
            ))
        };
        let mut parts = BTreeMap::new();
        for (id, needed) in found {
            let package = packages.get(id)?;
            let name = text(package, "name")?;
            let version = text(package, "version")?;
            let mut needs: Vec<String> = needed.into_iter().filter_map(identity).collect();
            needs.sort();
            let part = Part {
                licence: text(package, "license").unwrap_or_default(),
                folder: Path::new(package["manifest_path"].as_str()?).parent()?.to_path_buf(),
                checksum: checksums.get(&(name.clone(), version.clone())).cloned(),
                is_ours: package["source"].is_null(),
                name,
                version,
                needs,
            };
            parts.insert(part.identity(), part);
        }
        Some(Parts { package: package.to_owned(), parts })
    }

    /// Returns the bill of materials as a CycloneDX document in JSON.
    pub(super) fn bill(&self) -> String {
        let component = |part: &Part| {
            let mut told = json!({
                "type": if part.name == self.package { "application" } else { "library" },
                "bom-ref": part.identity(),
                "name": part.name,
                "version": part.version,
                "purl": part.identity(),
            });
            if !part.licence.is_empty() {
                // Cargo's old notation for `OR`.
                let expression = part.licence.replace('/', " OR ");
                told["licenses"] = json!([{ "expression": expression }]);
            }
            if let Some(sum) = &part.checksum {
                told["hashes"] = json!([{ "alg": "SHA-256", "content": sum }]);
            }
            told
        };
        let is_command = |part: &&Part| part.name == self.package;
        let bill = json!({
            "bomFormat": "CycloneDX",
            "specVersion": "1.5",
            "version": 1,
            "metadata": { "component": self.parts.values().find(is_command).map(component) },
            "components":
                self.parts.values().filter(|part| !is_command(part)).map(component).collect::<Vec<_>>(),
            "dependencies": self.parts.values().map(|part| json!({
                "ref": part.identity(),
                "dependsOn": part.needs,
            })).collect::<Vec<_>>(),
        });
        format!("{bill:#}\n")
    }

    /// Returns the notices of all third-party packages: their licences, and each licence text once with the packages that contain
    /// it.
    pub(super) fn notices(&self) -> Result<String, String> {
        let mut out = String::from(
            "Groma contains the packages below. Each is listed with its licence; the texts that come with them follow.\n\n",
        );
        let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for part in self.parts.values().filter(|part| !part.is_ours) {
            let name = format!("{} {}", part.name, part.version);
            let _ = writeln!(out, "{name}: {}", part.licence);
            for text in notices_in(&part.folder)? {
                texts.entry(text).or_default().push(name.clone());
            }
        }
        let mut texts: Vec<_> = texts.into_iter().map(|(text, names)| (names, text)).collect();
        texts.sort();
        for (names, text) in texts {
            let _ = write!(out, "\n{}\n{}\n\n{}\n", "-".repeat(80), names.join(", "), text.trim());
        }
        Ok(out)
    }
}

/// Returns true if a dependency is neither for tests nor for build scripts.
fn is_compiled_in(need: &Value) -> bool {
    let kinds = need["dep_kinds"].as_array();
    kinds.is_some_and(|kinds| kinds.iter().any(|kind| kind["kind"].is_null()))
}

/// Returns the texts of the licence and notice files in a package's directory, in the order of file names.
fn notices_in(folder: &Path) -> Result<Vec<String>, String> {
    let failed = |why: std::io::Error| format!("{}: {why}", folder.display());
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name().to_string_lossy().to_uppercase();
        if NOTICES.iter().any(|beginning| name.starts_with(beginning)) && entry.path().is_file() {
            files.push(entry.path());
        }
    }
    files.sort();
    files.iter().map(|file| fs::read_to_string(file).map_err(failed)).collect()
}

/// Returns the checksums of a lock file, by name and version.
fn checksums(lock: &str) -> BTreeMap<(String, String), String> {
    let mut sums = BTreeMap::new();
    for package in lock.split("[[package]]").skip(1) {
        let value = |key: &str| {
            let found =
                package.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = "));
            found.map(|text| text.trim_matches('"').to_owned())
        };
        if let (Some(name), Some(version), Some(sum)) =
            (value("name"), value("version"), value("checksum"))
        {
            sums.insert((name, version), sum);
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Parts, checksums};

    /// Returns a package as `cargo metadata` prints it.
    fn package(name: &str, source: Value) -> Value {
        json!({ "id": name, "name": name, "version": "1.0.0", "license": "MIT/Apache-2.0", "source": source,
                "manifest_path": format!("/{name}/Cargo.toml") })
    }

    /// Checks that the bill of materials leaves out packages for tests and build scripts.
    #[test]
    fn only_what_is_compiled_in_counts() {
        let need =
            |name: &str, kind: Value| json!({ "pkg": name, "dep_kinds": [{ "kind": kind }] });
        let told = json!({
            "packages": [
                package("groma-cli", Value::Null), package("a", json!("registry")),
                package("b", json!("registry")), package("c", json!("registry")),
            ],
            "resolve": { "nodes": [
                { "id": "groma-cli", "deps": [need("a", Value::Null), need("c", json!("dev"))] },
                { "id": "a", "deps": [need("b", Value::Null), need("c", json!("build"))] },
                { "id": "b", "deps": [] },
                { "id": "c", "deps": [] },
            ] },
        });
        let lock = "[[package]]\nname = \"b\"\nversion = \"1.0.0\"\nchecksum = \"ab\"\n";
        let parts = Parts::of(super::COMMAND, &told, &checksums(lock)).unwrap();
        let bill: Value = serde_json::from_str(&parts.bill()).unwrap();
        assert_eq!(bill["metadata"]["component"]["name"], "groma-cli");
        let names: Vec<_> =
            bill["components"].as_array().unwrap().iter().map(|it| &it["name"]).collect();
        assert_eq!(names, ["a", "b"]);
        assert_eq!(bill["components"][1]["hashes"][0]["content"], "ab");
        assert_eq!(bill["components"][0]["licenses"][0]["expression"], "MIT OR Apache-2.0");
        assert_eq!(bill["dependencies"][0]["dependsOn"], json!(["pkg:cargo/b@1.0.0"]));
    }
}
