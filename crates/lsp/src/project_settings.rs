//! The settings beside the code of a root, for programs without a command line: `groma.toml`, a file of mocks, a configuration of
//! tflint and provider schemas count as they do for the command. A setting of the editor wins over one of a file.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, PoisonError};

use groma::hosts::{EntryKind, HostError, file_path};
use groma::mocks::MOCK_FILE;
use groma::projects::SourceMapping;
use groma::rules::RuleSwitches;
use groma::schemas::ProviderSchemas;
use groma::{Edition, Host, InputAssignment, LoadOptions, Quota};
use groma_settings::{FILE, WrittenSetting, quantity};

use crate::settings::ClientSettings;

/// The names under which tflint's configuration is found; the first that exists counts.
const TFLINT: [&str; 2] = [".tflint.hcl", ".tflint.json"];

/// The remark that the limit `timeout` has no effect in a server without a clock; it names no file, so that it is shown
/// once.
const NO_CLOCK: &str = "The limit \"timeout\" of groma.toml does not count here, because there is no clock. \"memory\" and the bounds of work do.";

/// A cache of provider schemas by file path, each with a hash of the file's content, which all roots share.
#[derive(Default)]
pub(crate) struct ReadSchemas(Mutex<BTreeMap<String, (u64, ProviderSchemas)>>);

impl ReadSchemas {
    /// Returns the schemas of a file, read again if its content has changed.
    fn load(&self, host: &dyn Host, path: &str) -> Result<ProviderSchemas, String> {
        let bytes = host.read(path).map_err(|why| format!("the file cannot be read: {why}"))?;
        let mut state = DefaultHasher::new();
        bytes.hash(&mut state);
        let digest = state.finish();
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, schemas)) = known.get(path).filter(|(before, _)| *before == digest) {
            return Ok(schemas.clone());
        }
        let schemas = ProviderSchemas::of(bytes).map_err(|why| why.to_string())?;
        known.insert(path.to_owned(), (digest, schemas.clone()));
        Ok(schemas)
    }
}

/// The settings with which a root is loaded and checked: load options, variables, limits and lint rules.
pub(crate) struct RootSettings<'s> {
    host: &'s dyn Host,
    schemas: &'s ReadSchemas,
    client: &'s ClientSettings,
    /// The folder of the root.
    dir: &'s str,
    /// The options of a load.
    pub(crate) load: LoadOptions,
    /// The values of variables that files assign.
    pub(crate) assignments: Vec<InputAssignment>,
    /// The limits of a run.
    pub(crate) quota: Quota,
    /// The lint rules.
    pub(crate) rules: RuleSwitches,
    /// False if the lint rules are disabled.
    pub(crate) lints: bool,
    /// Sentences about settings that do not count.
    pub(crate) remarks: Vec<String>,
}

impl<'s> RootSettings<'s> {
    /// Combines the client's settings with the settings files around a root's folder.
    pub(crate) fn read(
        dir: &'s str,
        host: &'s dyn Host,
        schemas: &'s ReadSchemas,
        client: &'s ClientSettings,
    ) -> RootSettings<'s> {
        let mut remarks = Vec::new();
        let load = client.load_options(&mut remarks);
        let mut settings = RootSettings {
            host,
            schemas,
            client,
            dir,
            load,
            assignments: Vec::new(),
            quota: Quota::default(),
            rules: RuleSwitches::default(),
            lints: true,
            remarks,
        };
        settings.take_file();
        if settings.lints {
            settings.apply_tflint();
        }
        settings.take_mocks();
        settings.take_schemas();
        settings.assignments.extend(client.assignments(dir));
        settings
    }

    /// Returns the nearest folder, from that of the root up to the one that the client has opened, that contains a file with
    /// a name in `files`, and the path of that file; `None` if no folder does.
    fn nearest_with(&self, files: &[&str]) -> Option<(String, String)> {
        let around = self.client.folders.iter().filter(|top| {
            let rest = self.dir.strip_prefix(top.trim_end_matches('/'));
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        });
        let highest = around.min_by_key(|top| top.len()).map_or(self.dir, String::as_str);
        let mut at = file_path::clean(self.dir);
        loop {
            for file in files {
                let path = file_path::join(&at, file);
                if self.host.kind(&path) == Ok(EntryKind::File) {
                    return Some((at, path));
                }
            }
            let above = file_path::parent(&at);
            if at == highest || above == at {
                return None;
            }
            at = above;
        }
    }

    /// Returns the text of a settings file; `None` if it is missing, unreadable, not UTF-8, or the code is untrusted. Except
    /// for a missing file, a remark gives the reason.
    fn text(&mut self, path: &str) -> Option<String> {
        if self.client.is_untrusted {
            let name = file_path::last(path);
            self.remarks.push(format!("the code is untrusted, so its {name} is ignored."));
            return None;
        }
        match self.host.read(path).map(String::from_utf8) {
            Ok(Ok(text)) => return Some(text),
            Ok(Err(_)) => self.remarks.push(format!("{path} is not UTF-8 text.")),
            Err(HostError::Absent | HostError::Outside) => {}
            Err(why) => self.remarks.push(format!("{path} cannot be read: {why}.")),
        }
        None
    }

    /// Reads the nearest `groma.toml` and applies its settings to those of the root; mistakes in it become messages for the
    /// user.
    fn take_file(&mut self) {
        let Some((folder, path)) = self.nearest_with(&[FILE]) else { return };
        let Some(text) = self.text(&path) else { return };
        let settings = match groma_settings::read(&text) {
            Ok(settings) => settings,
            Err(why) => return self.remarks.push(format!("{path} {why}")),
        };
        for one in &settings.settings {
            if let Err(why) = self.apply(one, &folder) {
                self.remarks.push(format!("{path} line {}: {why}", one.line));
            }
        }
        let origin = FILE.to_owned();
        self.load.modules.extend(settings.modules.into_iter().map(|one| SourceMapping {
            dir: file_path::join(&folder, &one.dir),
            source: one.source,
            origin: origin.clone(),
        }));
    }

    /// Applies one setting of the `groma.toml` in `folder` to the root's settings.
    fn apply(&mut self, setting: &WrittenSetting, folder: &str) -> Result<(), String> {
        let paths = || setting.values.iter().map(|path| file_path::join(folder, path));
        let text = || setting.values.first().map_or("", String::as_str);
        match setting.name {
            "dialect" if self.client.dialect.is_none() => {
                let edition = Edition::parse(text());
                self.load.edition =
                    Some(edition.ok_or_else(|| format!("there is no dialect \"{}\".", text()))?);
                self.load.evidence = format!("chosen by {FILE}");
            }
            "mocks" => self.load.mocks.extend(paths()),
            "schema" if self.client.schema.is_none() => {
                let path = file_path::join(folder, text());
                let schemas = self.schemas.load(self.host, &path);
                self.load.schemas =
                    schemas.map_err(|why| format!("\"schema\" is ignored: {why}."))?;
            }
            "var-files" => self.assignments.extend(paths().map(InputAssignment::File)),
            "lint" => self.lints = text() == "true",
            "allow" | "warn" | "deny" => {
                for name in &setting.values {
                    let set = match setting.name {
                        "allow" => self.rules.allow(name),
                        "warn" => self.rules.warn(name),
                        _ => self.rules.deny(name),
                    };
                    set.map_err(|unknown| unknown.to_string())?;
                }
            }
            "memory" => {
                let size = quantity::size(text()).filter(|size| *size > 0);
                self.quota.bytes = size.ok_or_else(|| {
                    format!("\"memory\" takes a size such as 512MB or 2GiB, not \"{}\".", text())
                })?;
            }
            "timeout" => self.remarks.push(NO_CLOCK.to_owned()),
            // Strictness is about answers of commands.
            _ => {}
        }
        Ok(())
    }

    /// Applies the nearest tflint configuration file to the lint rules of the root.
    fn apply_tflint(&mut self) {
        let Some((_, path)) = self.nearest_with(&TFLINT) else { return };
        if let Some(text) = self.text(&path) {
            let remarks = self.rules.apply_tflint(&path, &text);
            self.remarks.extend(remarks);
        }
    }

    /// Adds the mock file in the root's folder, if there is one, after the mock files that settings name.
    fn take_mocks(&mut self) {
        let path = file_path::join(self.dir, MOCK_FILE);
        if self.load.mocks.contains(&path) || self.host.kind(&path) != Ok(EntryKind::File) {
            return;
        }
        match self.client.is_untrusted {
            true => {
                let remark = format!("the code is untrusted, so its {MOCK_FILE} is ignored.");
                self.remarks.push(remark);
            }
            false => self.load.mocks.push(path),
        }
    }

    /// Loads provider schemas from the file of the client's settings, or else, unless `groma.toml` has named some or the
    /// code is untrusted, from the cache in the root's folder.
    fn take_schemas(&mut self) {
        if let Some(file) = &self.client.schema {
            match self.schemas.load(self.host, &file_path::join(self.dir, file)) {
                Ok(schemas) => self.load.schemas = schemas,
                Err(why) => {
                    self.remarks.push(format!("The setting groma.schema is ignored: {why}."));
                }
            }
            return;
        }
        if self.client.is_untrusted || !self.load.schemas.is_empty() {
            return;
        }
        match ProviderSchemas::cached(self.host, self.dir) {
            Ok(schemas) => self.load.schemas = schemas,
            Err(why) => self.remarks.push(format!("{why}.")),
        }
    }
}
