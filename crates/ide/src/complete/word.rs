//! Completion of allowed values: those of a variable's validation rules, keywords of arguments, and provider configurations.

use groma::Type;
use groma::place::DeclarationId;
use groma_syntax::Span;

use crate::complete::{ListBuilder, SiteFrame};

/// A value that the argument at the cursor allows, such as a keyword or a value listed by a variable's validation.
pub(super) struct AllowedWord {
    pub(super) text: String,
    /// True if it is a string, which is inserted in quotes.
    pub(super) is_quoted: bool,
    pub(super) detail: Option<String>,
}

/// Keywords that certain arguments allow, in rows of block type, argument name and keywords.
const WORDS: &[(&str, &str, &[&str])] = &[
    ("lifecycle", "ignore_changes", &["all"]),
    ("provisioner", "when", &["create", "destroy"]),
    ("provisioner", "on_failure", &["continue", "fail"]),
    ("run", "command", &["apply", "plan"]),
    ("plan_options", "mode", &["normal", "refresh-only"]),
];

/// Strings that certain arguments allow, in rows of block type, argument name and strings.
const TEXTS: &[(&str, &str, &[&str])] = &[("connection", "type", &["ssh", "winrm"])];

impl ListBuilder<'_> {
    /// Returns the values known to be allowed for the argument at the cursor: keywords, strings, references or a variable's
    /// choices.
    pub(super) fn allowed_words(&self) -> Vec<AllowedWord> {
        let mut found = Vec::new();
        let kind = self.site.blocks.last().map_or("", |step| step.kind.as_str());
        let argument = self.site.argument.as_deref().unwrap_or_default();
        let is_plain = !self
            .site
            .frames
            .iter()
            .any(|frame| matches!(frame, SiteFrame::Call { .. } | SiteFrame::Index(_)));
        if !is_plain {
            return found;
        }
        let word = |text: &str, is_quoted: bool| AllowedWord {
            text: text.to_owned(),
            is_quoted,
            detail: None,
        };
        let of = |table: &[(&str, &str, &'static [&'static str])]| {
            let row = table.iter().find(|(block, name, _)| *block == kind && *name == argument);
            row.map_or(&[][..], |(_, _, words)| *words)
        };
        found.extend(of(WORDS).iter().map(|text| word(text, false)));
        found.extend(of(TEXTS).iter().map(|text| word(text, true)));
        if kind == "lifecycle" && matches!(argument, "ignore_changes" | "replace_triggered_by") {
            found.extend(self.own_arguments(argument).iter().map(|text| word(text, false)));
        }
        if argument == "provider" || argument == "providers" {
            found.extend(self.provider_configurations().iter().map(|text| word(text, false)));
        }
        if let Some(snapshot) = self.request.snapshot() {
            let body = self.expected(&self.site.blocks).unwrap_or_default();
            let own = body.arguments.iter().find(|one| *one.name == *argument);
            let of_variable = own.and_then(|one| one.variable);
            let of_default = || self.variable_at_default();
            if let Some(id) = of_variable.or_else(of_default) {
                let allowed = snapshot.allowed_values(id).into_iter();
                found.extend(allowed.map(|text| AllowedWord {
                    text,
                    is_quoted: true,
                    detail: Some("allowed by a rule of the variable".to_owned()),
                }));
            }
        }
        if let Some(Type::Bool) = self.expected_type() {
            found.extend(["true", "false"].map(|text| word(text, false)));
        }
        found
    }

    /// Returns the variable whose default contains the cursor; `None` anywhere else.
    fn variable_at_default(&self) -> Option<DeclarationId> {
        let [step] = &*self.site.blocks else { return None };
        let is_default = self.site.argument.as_deref() == Some("default");
        let name = step.labels.first().filter(|_| is_default && step.kind == "variable")?;
        self.declaration_of(&format!("var.{name}"))
    }

    /// Returns the arguments of the resource around a `lifecycle` block, which `ignore_changes` may list.
    fn own_arguments(&self, argument: &str) -> Vec<String> {
        if argument != "ignore_changes" {
            return Vec::new();
        }
        let around = self.site.blocks.split_last().map_or(&[][..], |(_, around)| around);
        let body = self.expected(around).unwrap_or_default();
        let names = body.arguments.iter().map(|one| one.name.to_string());
        names
            .filter(|name| {
                !matches!(name.as_str(), "count" | "for_each" | "provider" | "depends_on")
            })
            .collect()
    }

    /// Returns the provider configurations declared in the module.
    fn provider_configurations(&self) -> Vec<String> {
        let Some(snapshot) = self.request.snapshot() else { return Vec::new() };
        let number = snapshot.module_of_file(self.document.name());
        let all = snapshot.declarations_of(number).into_iter();
        let mut names: Vec<String> = all
            .filter_map(|(_, address)| Some(address.strip_prefix("provider.")?.to_owned()))
            .collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Returns the part of a string that a chosen completion item replaces: from after the opening quote to the end of the
    /// name at the cursor.
    pub(super) fn text_word(&self) -> Span {
        let length = self.site.text.as_ref().map_or(0, |text| text.len() as u32);
        let at = self.site.at;
        Span::new(at.saturating_sub(length), self.site.word.end.max(at))
    }
}
