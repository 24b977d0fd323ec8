//! The client's settings under `groma`. A malformed setting is reported and ignored.

use groma::{Edition, InputAssignment, LoadOptions, LoadPurpose, hosts::file_path};
use serde_json::Value;

/// The settings of the section `groma` in the client's configuration, such as value files and dialect.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClientSettings {
    /// `groma.varFiles`: files with values of variables, relative to the root's folder.
    pub var_files: Vec<String>,
    /// `groma.variables`: values of variables by name, as text in the form of `-var`.
    pub variables: Vec<(String, String)>,
    /// `groma.dialect`: the dialect of module code, if set.
    pub dialect: Option<String>,
    /// `groma.schema`: a file or folder with provider schemas.
    pub schema: Option<String>,
    /// `groma.inlayHints`: the switch for inlay hints.
    pub hints: HintSetting,
    /// The opened folders: code in them may read everything in them.
    pub folders: Vec<String>,
    /// True if the workspace is untrusted.
    pub is_untrusted: bool,
}

/// The client setting that shows or hides inlay hints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HintSetting {
    /// Hints are shown.
    #[default]
    On,
    /// Hints are not shown.
    Off,
}

impl ClientSettings {
    /// Reads the client's settings section `groma`, and adds a sentence to `remarks` for each setting that is ignored.
    pub(crate) fn read(section: &Value, remarks: &mut Vec<String>) -> ClientSettings {
        let mut settings = ClientSettings::default();
        let mut wrong = |name: &str, form: &str| {
            remarks.push(format!("The setting groma.{name} has to be {form}; it is ignored."));
        };
        match &section["varFiles"] {
            Value::Null => {}
            Value::String(one) => settings.var_files.push(one.clone()),
            Value::Array(all) if all.iter().all(Value::is_string) => {
                settings.var_files =
                    all.iter().filter_map(Value::as_str).map(String::from).collect();
            }
            _ => wrong("varFiles", "a list of file paths"),
        }
        match &section["variables"] {
            Value::Null => {}
            Value::Object(all) => {
                for (name, value) in all {
                    let text = match value {
                        Value::String(text) => text.clone(),
                        other => other.to_string(),
                    };
                    settings.variables.push((name.clone(), text));
                }
                settings.variables.sort();
            }
            _ => wrong("variables", "an object of names and values"),
        }
        let mut text = |name: &str| match &section[name] {
            Value::Null => None,
            Value::String(text) => Some(text.clone()).filter(|text| !text.is_empty()),
            _ => {
                wrong(name, "a string");
                None
            }
        };
        settings.dialect = text("dialect");
        settings.schema = text("schema");
        match &section["inlayHints"] {
            Value::Null | Value::Bool(true) => {}
            Value::Bool(false) => settings.hints = HintSetting::Off,
            Value::String(word) if word == "off" => settings.hints = HintSetting::Off,
            Value::String(word) if word == "on" => {}
            _ => wrong("inlayHints", "true or false"),
        }
        settings
    }

    /// Returns the options that the client's settings imply for loading a root, and adds a remark for a dialect that does
    /// not exist; schemas are added separately.
    pub(crate) fn load_options(&self, remarks: &mut Vec<String>) -> LoadOptions {
        let mut load = LoadOptions { purpose: LoadPurpose::Check, ..LoadOptions::default() };
        if let Some(text) = &self.dialect {
            load.edition = Edition::parse(text);
            match load.edition {
                Some(_) => load.evidence = "chosen by groma.dialect".to_owned(),
                None => remarks.push(format!(
                    "The setting groma.dialect is ignored: there is no dialect \"{text}\"."
                )),
            }
        }
        load
    }

    /// Returns the input assignments for a root: the value files of the settings, relative to its folder `dir`, then the
    /// variables.
    pub(crate) fn assignments(&self, dir: &str) -> Vec<InputAssignment> {
        let files = self.var_files.iter().map(|file| file_path::join(dir, file));
        let variables = self.variables.iter().cloned();
        let variables = variables.map(|(name, text)| InputAssignment::Variable { name, text });
        files.map(InputAssignment::File).chain(variables).collect()
    }
}
