//! Compatibility with tflint: rule names, comments that silence them, and the configuration file. A finding silenced for tflint
//! is silenced here. A name covers the equivalent rules only: tflint settings cannot switch off rules that it does not have.

mod file;

use std::collections::BTreeMap;

use groma_syntax::Source;

use crate::options::RuleOptions;

/// A rule of tflint with the equivalent rules of this crate.
struct TflintRule {
    name: &'static str,
    /// True if it belongs to the preset `recommended`.
    is_recommended: bool,
    /// Our rules that find the same or less.
    own: &'static [&'static str],
    /// Our rules that find more: a rule's name silences them, a preset does not.
    wider: &'static [&'static str],
}

/// Builds the table entry of a tflint rule whose equivalents in this crate are the rules `own`, none of which finds more;
/// `is_recommended` is true if it belongs to tflint's preset `recommended`.
const fn both(
    name: &'static str,
    is_recommended: bool,
    own: &'static [&'static str],
) -> TflintRule {
    TflintRule { name, is_recommended, own, wider: &[] }
}

/// The rules of tflint with the equivalent rules of this crate.
const RULES: [TflintRule; 20] = [
    both("terraform_comment_syntax", false, &["comment-style"]),
    both("terraform_deprecated_index", true, &["legacy-index", "legacy-splat"]),
    both("terraform_deprecated_interpolation", true, &["lone-interpolation"]),
    both("terraform_deprecated_lookup", true, &["lookup-without-default"]),
    both("terraform_documented_outputs", false, &["output-without-description"]),
    both("terraform_documented_variables", false, &["variable-without-description"]),
    TflintRule {
        name: "terraform_empty_list_equality",
        is_recommended: true,
        own: &["empty-list-comparison"],
        wider: &["settled-condition"],
    },
    both("terraform_json_syntax", true, &["list-at-root"]),
    both("terraform_map_duplicate_keys", true, &["repeated-key"]),
    both("terraform_module_pinned_source", true, &["unpinned-source"]),
    both("terraform_module_shallow_clone", false, &["full-clone"]),
    both("terraform_module_version", true, &["module-without-version"]),
    both("terraform_naming_convention", false, &["naming-convention"]),
    both("terraform_required_providers", true, &["provider-without-requirement"]),
    both("terraform_required_version", true, &["missing-required-version"]),
    both("terraform_standard_module_structure", false, &["module-structure"]),
    both("terraform_typed_variables", true, &["variable-without-type"]),
    both(
        "terraform_unused_declarations",
        true,
        &["unused-data", "unused-local", "unused-provider-alias", "unused-variable"],
    ),
    both("terraform_unused_required_providers", false, &["unused-requirement"]),
    both("terraform_workspace_remote", true, &["remote-workspace"]),
];

/// Returns the names of the rules of this crate that are equivalent to a tflint rule; `None` for an unknown one.
pub(crate) fn rules_of(name: &str) -> Option<&'static [&'static str]> {
    RULES.iter().find(|rule| rule.name == name).map(|rule| rule.own)
}

/// The settings of a tflint file, translated to rules of this crate.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct TflintRules {
    /// True for each rule that is on.
    said: BTreeMap<&'static str, bool>,
    /// The options of the rules.
    pub(crate) options: RuleOptions,
}

impl TflintRules {
    /// Returns true if the tflint file switches the rule `name` on, and false if off; `None` if it does neither.
    pub(crate) fn setting_of(&self, name: &str) -> Option<bool> {
        self.said.get(name).copied()
    }
}

/// Returns true if a comment for tflint on a line suppresses the findings of the rule `name`.
pub(crate) fn ignores(line: &str, name: &str) -> bool {
    names(line, "tflint-ignore:").is_some_and(|names| has(names, name))
}

/// Returns true if a comment for tflint suppresses the findings of the rule `name` in a whole file: in the first line, or in JSON
/// in a comment property.
pub(crate) fn ignores_in_file(source: &Source, name: &str) -> bool {
    let lines = if source.name().ends_with(".json") { JSON_LINES } else { 1 };
    let mut lines = (1..=lines).map(|line| source.line_text(line));
    lines.any(|line| names(line, "tflint-ignore-file:").is_some_and(|names| has(names, name)))
}

/// Number of lines of a JSON file in which a comment property for tflint is searched; it comes first, but the object may start on
/// a line of its own.
const JSON_LINES: u32 = 3;

/// Returns the text after the keyword `word` in a comment on a line; `None` if no comment contains it.
fn names<'l>(line: &'l str, word: &str) -> Option<&'l str> {
    let (before, names) = line.split_once(word)?;
    ["#", "//", "/*"].iter().any(|sign| before.contains(sign)).then_some(names)
}

/// Returns true if a comma-separated list of tflint rules contains `all` or an equivalent of the rule `name`.
fn has(names: &str, name: &str) -> bool {
    // Each name may be followed by a reason, and in JSON by a quote.
    let names = names.split('"').next().unwrap_or(names);
    let words = names.split(',').filter_map(|one| one.split_whitespace().next());
    words.into_iter().any(|word| {
        let is_meant = |rule: &TflintRule| word == "all" || word == rule.name;
        let covers = |rule: &TflintRule| rule.own.contains(&name) || rule.wider.contains(&name);
        RULES.iter().any(|rule| is_meant(rule) && covers(rule))
    })
}
