//! Selection of lint rules. Comments take precedence over flags and settings, these over a tflint configuration file, and that
//! over the default. A comment applies to its own line, and to the next one if it is alone on its line.

use groma_syntax::{Place, Sources};

use crate::codes;
use crate::options::RuleOptions;
use crate::tflint::{self, TflintRules};

/// The user's choice of lint rules: switched off, switched on, or raised to errors.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RuleSwitches {
    /// The rules that are switched off.
    allowed: Vec<&'static str>,
    /// The rules that are switched on.
    asked: Vec<&'static str>,
    /// True if every rule is switched on.
    asks_all: bool,
    /// The rules with findings that are errors.
    denied: Vec<&'static str>,
    /// True if every warning is an error.
    denies_all: bool,
    /// The rules as configured by a tflint file.
    tflint: TflintRules,
}

/// The keywords in place of a rule's name by which all warnings become errors.
const ALL: [&str; 2] = ["all", "warnings"];

/// The error for a name that is not a lint rule; it holds the name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownRule(pub String);

impl std::fmt::Display for UnknownRule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let all: Vec<&str> = names();
        write!(f, "there is no rule \"{}\"; there are {}.", self.0, all.join(", "))
    }
}

impl std::error::Error for UnknownRule {}

impl RuleSwitches {
    /// Switches a rule off, by its name or that of tflint.
    ///
    /// # Errors
    /// When there is no such rule.
    pub fn allow(&mut self, name: &str) -> Result<(), UnknownRule> {
        self.allowed.extend(known(name)?);
        Ok(())
    }

    /// Switches a rule on that is off by default, by its name or that of tflint; `all` means every rule.
    ///
    /// # Errors
    /// When there is no such rule.
    pub fn warn(&mut self, name: &str) -> Result<(), UnknownRule> {
        match name {
            "all" => self.asks_all = true,
            name => self.asked.extend(known(name)?),
        }
        Ok(())
    }

    /// Makes a rule's findings errors, by its name or that of tflint; `all` or `warnings` means every active rule and every
    /// other warning.
    ///
    /// # Errors
    /// When there is no such rule.
    pub fn deny(&mut self, name: &str) -> Result<(), UnknownRule> {
        if ALL.contains(&name) {
            self.denies_all = true;
            return Ok(());
        }
        self.denied.extend(known(name)?);
        Ok(())
    }

    /// Applies the settings of a tflint configuration file, whose name distinguishes native syntax from JSON, and returns
    /// notes about settings without an equivalent here.
    pub fn apply_tflint(&mut self, name: &str, text: &str) -> Vec<String> {
        let (rules, remarks) = TflintRules::of_file(name, text);
        self.tflint = rules;
        remarks
    }

    /// Returns true if a flag or setting switches the rule on, off or to errors.
    pub fn is_mentioned(&self, name: &str) -> bool {
        let own = known(name).unwrap_or_default();
        own.iter()
            .any(|one| [&self.allowed, &self.asked, &self.denied].iter().any(|of| of.contains(one)))
    }

    /// Returns true if the rule `name` is active; `by_default` is true if it is on by default.
    pub(crate) fn is_active(&self, name: &str, by_default: bool) -> bool {
        let has = |names: &[&str]| names.contains(&name);
        let is_asked = self.asks_all || has(&self.asked) || has(&self.denied);
        !has(&self.allowed) && (is_asked || self.tflint.setting_of(name).unwrap_or(by_default))
    }

    /// Returns true if the findings of the rule `name` are errors.
    pub(crate) fn denies(&self, name: &str) -> bool {
        self.denies_all || self.denied.contains(&name)
    }

    /// Returns true if every warning is reported as an error.
    pub fn denies_all(&self) -> bool {
        self.denies_all
    }

    /// Returns the options of the lint rules, from the tflint file.
    pub(crate) fn options(&self) -> &RuleOptions {
        &self.tflint.options
    }
}

/// Returns the names of all lint rules, sorted.
pub fn names() -> Vec<&'static str> {
    let others = [&codes::EXTRA_ATTRIBUTE, &codes::UNDECLARED_VARIABLE];
    let mut all: Vec<&str> =
        codes::ALL.iter().copied().chain(others).map(|code| code.slug).collect();
    all.sort_unstable();
    all
}

/// Returns the lint rules that a name denotes: the rule of that name, or the equivalents of a tflint rule. The error holds
/// a name that denotes none.
fn known(name: &str) -> Result<Vec<&'static str>, UnknownRule> {
    if let Some(own) = names().into_iter().find(|one| *one == name) {
        return Ok(vec![own]);
    }
    tflint::rules_of(name).map(<[_]>::to_vec).ok_or_else(|| UnknownRule(name.to_owned()))
}

/// Returns true if a comment on the line of a source range, or alone on the line above, suppresses the findings of the rule
/// `name`.
pub(crate) fn is_allowed_at(
    name: &str,
    place: Place,
    sources: &Sources,
    switches: &RuleSwitches,
) -> bool {
    let (source, place) = sources.at(place);
    let line = source.position(place.span.start).line;
    let above = line.checked_sub(1).filter(|line| *line > 0).map(|line| source.line_text(line));
    let above =
        above.filter(|text| ["#", "//", "/*"].iter().any(|one| text.trim_start().starts_with(one)));
    let mut lines = above.into_iter().chain([source.line_text(line)]);
    let is_tflint_heard = switches.options().hears_comments(name);
    lines.any(|text| names_rule(text, name) || is_tflint_heard && tflint::ignores(text, name))
        || is_tflint_heard && tflint::ignores_in_file(source, name)
}

/// Returns true if a line contains a comment `groma: allow` with the name of the rule.
fn names_rule(line: &str, name: &str) -> bool {
    /// The text between the comment sign and the names of the rules that the comment suppresses.
    const MARK: &str = "groma: allow ";
    let Some(at) = line.find(MARK) else { return false };
    let before = line[..at].trim_end();
    let names = line[at + MARK.len()..].split([',', ' ', '\t']);
    (before.ends_with('#') || before.ends_with("//")) && names.into_iter().any(|one| one == name)
}
