//! A tflint configuration file with tflint's precedence: a rule's own block over the preset, and that over
//! `disabled_by_default`. Settings of tflint itself (plugins, output, variables) are ignored. Rules without an equivalent here
//! are listed in one note.

use groma_functions::FunctionLibrary;
use groma_module::declare::Expression;
use groma_runtime::Edition;
use groma_syntax::{
    Block, Body, BodyContent, BodyItem, BodyShape, Diagnostics, FileId, parse_file, parse_json,
};
use groma_value::Value;

use super::{RULES, TflintRules};
use crate::options::{NameFormat, RuleOptions, matches};

/// The block types for which tflint's naming rule has separate options.
const NAMED: [&str; 7] = ["check", "data", "locals", "module", "output", "resource", "variable"];

/// Returns the names of the labels that blocks of a type have in a tflint file; `None` for an unknown type.
fn labels(kind: &str) -> Option<&'static [&'static str]> {
    match kind {
        "plugin" | "rule" => Some(&["name"]),
        "config" | "tflint" => Some(&[]),
        kind if NAMED.contains(&kind) => Some(&[]),
        _ => None,
    }
}

/// Sorts the items of a body in a tflint file into arguments and blocks.
fn content(body: &Body) -> BodyContent {
    let is_argument = |name: &str| labels(name).is_none();
    // Unreadable parts are ignored.
    body.content(BodyShape { is_argument: &is_argument, labels: &labels }, &mut Diagnostics::new())
}

/// Returns the value of the argument `name` of a body, if it is a literal.
fn value(body: &BodyContent, name: &str) -> Option<Value> {
    let argument = body.argument(name)?;
    Expression::new(&argument.expr, &FunctionLibrary::of(Edition::default())).constant()
}

/// Returns the value of the argument `name` of a body, if it is a boolean literal.
fn flag(body: &BodyContent, name: &str) -> Option<bool> {
    match value(body, name)?.bare() {
        Value::Bool(flag) => Some(*flag),
        Value::String(text) => text.parse().ok(),
        _ => None,
    }
}

/// Returns the text of a string value; `None` for any other value.
fn text(value: Option<&Value>) -> Option<String> {
    match value?.bare() {
        Value::String(text) => Some(text.to_string()),
        _ => None,
    }
}

/// Returns the strings of a list value; empty for other values.
fn texts(value: Option<Value>) -> Vec<String> {
    match value {
        Some(Value::Tuple(items)) => {
            items.items().iter().filter_map(|item| text(Some(item))).collect()
        }
        _ => Vec::new(),
    }
}

/// The settings of a tflint file that have no equivalent in this crate, by the names that the note about them lists.
#[derive(Default)]
struct UnsupportedSettings {
    /// The names of plugins.
    plugins: Vec<String>,
    /// The names of rules.
    rules: Vec<String>,
    /// The names of other settings.
    others: Vec<String>,
}

impl TflintRules {
    /// Reads a tflint file; returns its settings and notes about unsupported ones.
    pub(crate) fn of_file(name: &str, text: &str) -> (TflintRules, Vec<String>) {
        let (body, is_broken) = match name.ends_with(".json") {
            true => {
                let parse = parse_json(&text.into(), FileId(0));
                (Body::json(&parse), !parse.diagnostics.is_empty())
            }
            false => {
                let parse = parse_file(&text.into(), FileId(0));
                (Body::of(&parse), !parse.diagnostics.is_empty())
            }
        };
        if is_broken {
            let remark = format!("{name} is not a valid tflint configuration, so it is ignored.");
            return (TflintRules::default(), vec![remark]);
        }
        let mut unsupported = UnsupportedSettings::default();
        let file = content(&body);
        let rules = TflintRules::of(&file, &mut unsupported);
        (rules, unsupported.remark(name).into_iter().collect())
    }

    /// Translates the settings of a parsed tflint file to rules and options; adds those without an equivalent to `unsupported`.
    fn of(file: &BodyContent, unsupported: &mut UnsupportedSettings) -> TflintRules {
        let mut read = TflintRules::default();
        for item in &file.rest {
            unsupported.others.push(match item {
                BodyItem::Block(block) => block.kind.text.to_string(),
                BodyItem::Argument(argument) => argument.name.text.to_string(),
            });
        }
        unsupported.others.extend(file.arguments.iter().map(|one| one.name.text.to_string()));
        let config: Vec<BodyContent> =
            file.blocks("config").map(|block| content(&block.body)).collect();
        let is_off = config.iter().any(|one| flag(one, "disabled_by_default") == Some(true));
        let calls = config.iter().find_map(|one| value(one, "call_module_type"));
        read.options.root_only = text_is(calls.as_ref(), "none");
        // Without a block of its own the plugin has the small preset, with one the large; explicit settings take precedence.
        let (mut is_there, mut takes_all, mut takes_recommended) = (true, false, !is_off);
        for block in file.blocks("plugin") {
            let Some(name) = label(block) else { continue };
            let body = content(&block.body);
            let is_enabled = flag(&body, "enabled") != Some(false);
            if name != "terraform" {
                if is_enabled {
                    unsupported.plugins.push(name);
                }
                continue;
            }
            is_there = is_enabled;
            let preset = value(&body, "preset");
            let is_recommended = text_is(preset.as_ref(), "recommended");
            takes_all = text_is(preset.as_ref(), "all") || (preset.is_none() && !is_off);
            takes_recommended = is_recommended;
        }
        for rule in &RULES {
            let counts = is_there && (takes_all || (takes_recommended && rule.is_recommended));
            read.said.extend(rule.own.iter().map(|own| (*own, counts)));
        }
        for block in file.blocks("rule") {
            let Some(name) = label(block) else { continue };
            let body = content(&block.body);
            let Some(rule) = RULES.iter().find(|rule| rule.name == name) else {
                unsupported.add_rule(name);
                continue;
            };
            let counts = is_there && flag(&body, "enabled") != Some(false);
            read.said.extend(rule.own.iter().map(|own| (*own, counts)));
            if !counts {
                read.said.extend(rule.wider.iter().map(|own| (*own, false)));
            }
            if flag(&body, "ignorable") == Some(false) {
                read.options.deaf.extend(rule.own.iter().copied());
            }
            read.options.set_options(&name, &body, unsupported);
        }
        read
    }
}

/// Returns the first label of a block, if it has one.
fn label(block: &Block) -> Option<String> {
    block.labels.first().map(|label| label.text.to_string())
}

/// Returns true if a value is the string `wanted`.
fn text_is(value: Option<&Value>, wanted: &str) -> bool {
    text(value).is_some_and(|text| text == wanted)
}

impl RuleOptions {
    /// Sets the options that the block of the tflint rule `rule` states; those without an equivalent are added to `unsupported`.
    fn set_options(
        &mut self,
        rule: &str,
        body: &BodyContent,
        unsupported: &mut UnsupportedSettings,
    ) {
        match rule {
            "terraform_module_version" => {
                self.wants_exact_version = flag(body, "exact").unwrap_or(false);
            }
            "terraform_module_pinned_source" => {
                self.wants_version_tag = text_is(value(body, "style").as_ref(), "semver");
                self.branches = texts(value(body, "default_branches"));
            }
            "terraform_required_providers" => {
                self.wants_source = flag(body, "source").unwrap_or(true);
                self.wants_version = flag(body, "version").unwrap_or(true);
            }
            "terraform_naming_convention" => {
                let formats = value(body, "custom_formats");
                if let Some(format) = name_format(body, formats.as_ref(), unsupported) {
                    self.naming.all = format;
                }
                for block in &body.blocks {
                    let own = content(&block.body);
                    let format = name_format(&own, formats.as_ref(), unsupported);
                    if let Some(format) = format {
                        self.naming.of_kind.insert(block.kind.text.to_string(), format);
                    }
                }
            }
            _ => {}
        }
    }
}

/// Reads the format of names from a block of the naming rule, where it may be one of the user's own in `formats`; `None` if it
/// sets none. A regular expression takes precedence over a named format.
fn name_format(
    body: &BodyContent,
    formats: Option<&Value>,
    unsupported: &mut UnsupportedSettings,
) -> Option<NameFormat> {
    let custom = value(body, "custom").as_ref().and_then(|custom| text(Some(custom)));
    if let Some(regex) = custom.filter(|regex| !regex.is_empty()) {
        return pattern(regex, None, unsupported);
    }
    let format = text(value(body, "format").as_ref())?;
    match format.as_str() {
        "snake_case" => Some(NameFormat::SnakeCase),
        "mixed_snake_case" => Some(NameFormat::MixedSnakeCase),
        "none" => Some(NameFormat::Any),
        name => {
            let own = match formats.map(Value::bare) {
                Some(Value::Object(formats)) => formats.get(name),
                _ => None,
            };
            let Some(Value::Object(own)) = own.map(Value::bare) else {
                unsupported.others.push(format!("the format \"{name}\""));
                return Some(NameFormat::Any);
            };
            let regex = text(own.get("regex"))?;
            pattern(regex, text(own.get("description")), unsupported)
        }
    }
}

/// Returns the format of names that match a regular expression, never `None`, with the `description` that messages show in its
/// place; an invalid expression is added to `unsupported` and allows any name.
fn pattern(
    regex: String,
    description: Option<String>,
    unsupported: &mut UnsupportedSettings,
) -> Option<NameFormat> {
    if matches(&regex, "").is_none() {
        unsupported.others.push(format!("the pattern {regex}"));
        return Some(NameFormat::Any);
    }
    Some(NameFormat::Pattern { regex, description })
}

impl UnsupportedSettings {
    /// Adds a tflint rule to the settings without an equivalent; for a rule of a plugin, the plugin.
    fn add_rule(&mut self, name: String) {
        match name.split_once('_') {
            Some((plugin, _)) if plugin != "terraform" => {
                self.plugins.push(plugin.to_owned());
            }
            _ => self.rules.push(name),
        }
    }

    /// Returns one note about all settings in the tflint file called `file` that have no equivalent; `None` if there are none.
    fn remark(mut self, file: &str) -> Option<String> {
        let mut parts = Vec::new();
        let mut tell = |names: &mut Vec<String>, one: &str, more: &str| {
            names.sort_unstable();
            names.dedup();
            match names.as_slice() {
                [] => {}
                [name] => parts.push(format!("{one} {name}")),
                names => parts.push(format!("{more} {}", names.join(", "))),
            }
        };
        tell(&mut self.plugins, "the rules of the plugin", "the rules of the plugins");
        tell(&mut self.rules, "the rule", "the rules");
        tell(&mut self.others, "the setting", "the settings");
        let all = parts.join(", ");
        (!parts.is_empty()).then(|| {
            format!("{file} uses features that only tflint has; these are ignored: {all}.")
        })
    }
}
