//! Options of the lint rules. The defaults are described on the rules' pages.

use std::collections::{BTreeMap, BTreeSet};

use groma_functions::{CallContext, FoundFunction, FunctionLibrary, call};
use groma_runtime::{Edition, Semantics};
use groma_value::{Str, Value};

/// The options of the lint rules, as a tflint file sets them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RuleOptions {
    /// True if a registry module must be pinned to one version, not a range.
    pub(crate) wants_exact_version: bool,
    /// True if a source must be pinned to a version tag, not to any revision.
    pub(crate) wants_version_tag: bool,
    /// Names of branches that move, in addition to the usual ones.
    pub(crate) branches: Vec<String>,
    /// True if a required provider must have a source.
    pub(crate) wants_source: bool,
    /// True if a required provider must have a version constraint.
    pub(crate) wants_version: bool,
    /// The format of names.
    pub(crate) naming: NamingOptions,
    /// True if only the root is inspected, without called modules.
    pub(crate) root_only: bool,
    /// Rules that ignore tflint comments.
    pub(crate) deaf: BTreeSet<&'static str>,
}

impl Default for RuleOptions {
    fn default() -> RuleOptions {
        RuleOptions {
            wants_exact_version: false,
            wants_version_tag: false,
            branches: Vec::new(),
            wants_source: true,
            wants_version: true,
            naming: NamingOptions::default(),
            root_only: false,
            deaf: BTreeSet::new(),
        }
    }
}

impl RuleOptions {
    /// Returns true if comments for tflint suppress the findings of the rule `name`.
    pub(crate) fn hears_comments(&self, name: &str) -> bool {
        !self.deaf.contains(name)
    }
}

/// The required formats of names: a general one, and those of single block types.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct NamingOptions {
    pub(crate) all: NameFormat,
    /// Formats by block type.
    pub(crate) of_kind: BTreeMap<String, NameFormat>,
}

impl NamingOptions {
    /// Returns the required format for the names of a block type.
    pub(crate) fn of(&self, kind: &str) -> &NameFormat {
        self.of_kind.get(kind).unwrap_or(&self.all)
    }
}

/// A required format of names, such as snake case or a regular expression.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) enum NameFormat {
    /// `one_name`
    #[default]
    SnakeCase,
    /// `One_name`
    MixedSnakeCase,
    /// Any name.
    Any,
    /// A regular expression.
    Pattern {
        regex: String,
        /// The description of the format for messages.
        description: Option<String>,
    },
}

impl NameFormat {
    /// Returns true if a name has the format. An invalid regular expression matches every name.
    pub(crate) fn fits(&self, name: &str) -> bool {
        let is_word = |word: &str, is_sign: &dyn Fn(u8) -> bool| {
            !word.is_empty() && word.bytes().all(|sign| sign.is_ascii_digit() || is_sign(sign))
        };
        match self {
            NameFormat::SnakeCase => {
                name.starts_with(|sign: char| sign.is_ascii_lowercase())
                    && name.split('_').all(|word| is_word(word, &|sign| sign.is_ascii_lowercase()))
            }
            NameFormat::MixedSnakeCase => {
                name.starts_with(|sign: char| sign.is_ascii_alphabetic())
                    && name.split('_').all(|word| is_word(word, &|sign| sign.is_ascii_alphabetic()))
            }
            NameFormat::Any => true,
            NameFormat::Pattern { regex, .. } => matches(regex, name).unwrap_or(true),
        }
    }

    /// Returns the end of the message about a name that does not have the format, such as `does not fit the pattern ^a`.
    pub(crate) fn misfit(&self) -> String {
        match self {
            NameFormat::SnakeCase => {
                "does not consist of lower-case words separated by underscores".to_owned()
            }
            NameFormat::MixedSnakeCase => {
                "does not consist of words separated by underscores".to_owned()
            }
            NameFormat::Any => "is as it should be".to_owned(),
            NameFormat::Pattern { description: Some(text), .. } => {
                format!("does not have the form \"{text}\"")
            }
            NameFormat::Pattern { regex, .. } => format!("does not fit the pattern {regex}"),
        }
    }
}

/// Returns true if a regular expression matches anywhere in a text; `None` if it is invalid.
pub(crate) fn matches(regex: &str, text: &str) -> Option<bool> {
    let edition = Edition::default();
    let FoundFunction::Function(function) = FunctionLibrary::of(edition).find("regexall") else {
        return None;
    };
    let args = [Value::String(Str::from(regex)), Value::String(Str::from(text))];
    let semantics = Semantics::of(edition);
    match call(function, &args, &CallContext::bare(&semantics)) {
        Ok(Value::List(list)) => Some(!list.items().is_empty()),
        Ok(Value::Tuple(list)) => Some(!list.items().is_empty()),
        _ => None,
    }
}
