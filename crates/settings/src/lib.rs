//! The settings of a project: its file `groma.toml`, read as data. The command line or the language server decides the effect of
//! each; paths are as written, relative to the folder of the file.
#![forbid(unsafe_code)]

pub mod quantity;

use std::fmt;
use std::ops::Range;

use groma_value::nearest;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The name of the settings file in the folder of a root.
pub const FILE: &str = "groma.toml";

/// A setting that the settings file `groma.toml` may have: its name, which is unique among all tables, and its kind of value.
struct SettingRow {
    name: &'static str,
    kind: SettingKind,
}

/// The kind of value that a setting has: a text, a truth value, a path or a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SettingKind {
    /// A string.
    Text,
    /// A boolean that is false by default.
    Switch,
    /// A boolean that is true by default.
    Truth,
    /// A path, relative to the folder of the settings.
    Path,
    /// A list of paths, relative to the folder of the settings.
    Paths,
    /// A list of strings.
    Texts,
}

/// The settings that a settings file may have outside of tables.
const SETTINGS: &[SettingRow] = &[
    SettingRow { name: "dialect", kind: SettingKind::Text },
    SettingRow { name: "mocks", kind: SettingKind::Paths },
    SettingRow { name: "schema", kind: SettingKind::Path },
    SettingRow { name: "strict", kind: SettingKind::Switch },
    SettingRow { name: "var-files", kind: SettingKind::Paths },
];

/// The tables that a settings file may have: for lint rules, for limits of memory and time, and for local folders that replace
/// module sources.
const TABLES: [&str; 3] = ["check", "limits", "modules"];

/// The settings that the table `check` of a settings file may have.
const CHECK: &[SettingRow] = &[
    SettingRow { name: "allow", kind: SettingKind::Texts },
    SettingRow { name: "deny", kind: SettingKind::Texts },
    SettingRow { name: "lint", kind: SettingKind::Truth },
    SettingRow { name: "warn", kind: SettingKind::Texts },
];

/// The settings that the table `limits` of a settings file may have.
const LIMITS: &[SettingRow] = &[
    SettingRow { name: "memory", kind: SettingKind::Text },
    SettingRow { name: "timeout", kind: SettingKind::Text },
];

/// The settings that a settings file contains, sorted by their names, or by those of their tables.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ProjectSettings {
    /// The settings, except the folders of modules.
    pub settings: Vec<WrittenSetting>,
    /// The folders that replace module sources.
    pub modules: Vec<ModuleFolder>,
}

/// A setting as a settings file contains it: its name, kind and values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WrittenSetting {
    /// The name of the setting.
    pub name: &'static str,
    /// The kind of value.
    pub kind: SettingKind,
    /// The value as texts. A switch that is on has one, which is empty; a truth has the word `true` or `false`.
    pub values: Vec<String>,
    /// The line of the name, from 1.
    pub line: usize,
}

/// A local folder that replaces a module source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModuleFolder {
    /// The module source as written in `source`.
    pub source: String,
    /// The path of the folder.
    pub dir: String,
}

/// An error in a settings file, with its line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SettingsError {
    /// The line, from 1.
    pub line: usize,
    /// The message: a full sentence.
    pub what: String,
}

impl fmt::Display for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.what)
    }
}

impl std::error::Error for SettingsError {}

/// Parses the text of a settings file.
///
/// # Errors
/// If the text is not TOML, or has an unknown setting or a value of the wrong kind.
pub fn read(text: &str) -> Result<ProjectSettings, SettingsError> {
    let file = SettingsText(text);
    let table = DeTable::parse(text).map_err(|why| {
        let what = format!("this is not valid TOML: {}.", why.message());
        file.wrong(&why.span().unwrap_or_default(), what)
    })?;
    let mut found = ProjectSettings::default();
    for (key, value) in table.get_ref().iter() {
        let (name, span) = (key.get_ref().as_ref(), key.span());
        match (name, value.get_ref()) {
            ("modules", DeValue::Table(modules)) => {
                for (source, dir) in modules.iter() {
                    found.modules.push(file.module(source, dir)?);
                }
            }
            ("check" | "limits", DeValue::Table(table)) => {
                let rows = if name == "check" { CHECK } else { LIMITS };
                for (key, value) in table.iter() {
                    found.settings.push(file.setting(rows, &[], key, value)?);
                }
            }
            ("check" | "modules" | "limits", _) => {
                return Err(file.wrong(&span, format!("[{name}] is a table.")));
            }
            _ => found.settings.push(file.setting(SETTINGS, &TABLES, key, value)?),
        }
    }
    Ok(found)
}

/// The text of a settings file, by which byte ranges are converted to line numbers.
struct SettingsText<'t>(&'t str);

impl SettingsText<'_> {
    /// Returns the line of the start of a byte range, from 1.
    fn line(&self, span: &Range<usize>) -> usize {
        let before = self.0.get(..span.start).unwrap_or(self.0);
        before.bytes().filter(|byte| *byte == b'\n').count() + 1
    }

    /// Creates an error about the line at which a byte range starts.
    fn wrong(&self, span: &Range<usize>, what: String) -> SettingsError {
        SettingsError { line: self.line(span), what }
    }

    /// Reads an entry of the table `modules`: a module source and the folder that replaces it.
    fn module(
        &self,
        source: &Spanned<impl AsRef<str>>,
        dir: &Spanned<DeValue<'_>>,
    ) -> Result<ModuleFolder, SettingsError> {
        let name = source.get_ref().as_ref();
        let DeValue::String(dir) = dir.get_ref() else {
            let what = format!("\"{name}\" has to be the path of a folder, as a string.");
            return Err(self.wrong(&source.span(), what));
        };
        Ok(ModuleFolder { source: name.to_owned(), dir: dir.to_string() })
    }

    /// Reads one setting of a table: `rows` are the settings that the table may have, and `others` are further names for
    /// suggestions.
    fn setting(
        &self,
        rows: &[SettingRow],
        others: &[&str],
        key: &Spanned<impl AsRef<str>>,
        value: &Spanned<DeValue<'_>>,
    ) -> Result<WrittenSetting, SettingsError> {
        let (name, span) = (key.get_ref().as_ref(), key.span());
        let Some(row) = rows.iter().find(|row| row.name == name) else {
            let known: Vec<&str> =
                rows.iter().map(|row| row.name).chain(others.iter().copied()).collect();
            return Err(self.wrong(&span, unknown(name, &known)));
        };
        let wrong = |what: &str| self.wrong(&span, format!("\"{}\" {what}.", row.name));
        let values = match (row.kind, value.get_ref()) {
            (SettingKind::Switch, DeValue::Boolean(true)) => vec![String::new()],
            (SettingKind::Switch, DeValue::Boolean(false)) => Vec::new(),
            (SettingKind::Truth, DeValue::Boolean(on)) => vec![on.to_string()],
            (SettingKind::Text | SettingKind::Path, DeValue::String(text)) => {
                vec![text.to_string()]
            }
            (SettingKind::Texts | SettingKind::Paths, DeValue::Array(items)) => {
                let text = |item: &Spanned<DeValue<'_>>| match item.get_ref() {
                    DeValue::String(text) => Ok(text.to_string()),
                    _ => Err(wrong("has to be a list of strings")),
                };
                items.iter().map(text).collect::<Result<_, _>>()?
            }
            (SettingKind::Switch | SettingKind::Truth, _) => {
                return Err(wrong("has to be true or false"));
            }
            (SettingKind::Text | SettingKind::Path, _) => return Err(wrong("has to be a string")),
            (SettingKind::Texts | SettingKind::Paths, _) => {
                return Err(wrong("has to be a list of strings"));
            }
        };
        Ok(WrittenSetting { name: row.name, kind: row.kind, values, line: self.line(&span) })
    }
}

/// Returns the error message for a setting that does not exist, with a suggestion from `known`.
fn unknown(name: &str, known: &[&str]) -> String {
    match nearest(name, known.iter().copied()) {
        Some(near) => format!("there is no setting \"{name}\". Did you mean \"{near}\"?"),
        None => format!("there is no setting \"{name}\"; the settings are {}.", known.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::{ModuleFolder, read};

    /// Checks the values, lines and order of settings.
    #[test]
    fn settings_have_lines_and_texts() {
        let text = "dialect = \"opentofu\"\nstrict = false\nvar-files = [\"a.tfvars\"]\n[check]\nlint = false\n[modules]\n\"a/b\" = \"./c\"\n";
        let found = read(text).expect("it is right");
        let rows: Vec<_> =
            found.settings.iter().map(|one| (one.name, one.values.join(","), one.line)).collect();
        let row = |name, values: &str, line| (name, values.to_owned(), line);
        assert_eq!(
            rows,
            [
                row("lint", "false", 5),
                row("dialect", "opentofu", 1),
                row("strict", "", 2),
                row("var-files", "a.tfvars", 3)
            ]
        );
        assert_eq!(found.modules, [ModuleFolder { source: "a/b".into(), dir: "./c".into() }]);
    }

    /// Checks the messages of errors.
    #[test]
    fn errors_name_their_line() {
        let wrong = |text: &str| read(text).expect_err("it is wrong").to_string();
        assert_eq!(
            wrong("\nlint = 1\n"),
            "line 2: there is no setting \"lint\"; the settings are dialect, mocks, schema, strict, var-files, check, limits, modules."
        );
        assert_eq!(
            wrong("[check]\nlints = 1\n"),
            "line 2: there is no setting \"lints\". Did you mean \"lint\"?"
        );
        assert_eq!(
            wrong("var-files = \"a\"\n"),
            "line 1: \"var-files\" has to be a list of strings."
        );
        assert_eq!(wrong("check = 1\n"), "line 1: [check] is a table.");
        assert!(wrong("a = \n").starts_with("line 1: this is not valid TOML: "));
    }
}
