//! Which rules count: those that nobody has allowed to be broken, for all of the code or, by a comment, on one line.
//! A comment counts for its own line, and for the one below where it stands alone.

use groma_syntax::{Place, Sources};

use crate::{codes, tflint};

/// Which rules are left out, and which are errors.
#[derive(Clone, Debug, Default)]
pub struct Switches {
    allowed: Vec<String>,
    denied: Vec<String>,
    denies_all: bool,
}

/// What stands for every rule, and for every other warning too, where findings are to be errors.
const ALL: [&str; 2] = ["all", "warnings"];

/// There is no rule of this name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownRule(pub String);

impl std::fmt::Display for UnknownRule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let all: Vec<&str> = names();
        write!(f, "there is no rule \"{}\"; there are {}.", self.0, all.join(", "))
    }
}

impl std::error::Error for UnknownRule {}

impl Switches {
    /// Leaves a rule out.
    ///
    /// # Errors
    /// When there is no such rule.
    pub fn allow(&mut self, name: &str) -> Result<(), UnknownRule> {
        known(name)?;
        self.allowed.push(name.to_owned());
        Ok(())
    }

    /// Lets what a rule finds be an error; `all` or `warnings` stands for every rule, and for all else that is a warning.
    ///
    /// # Errors
    /// When there is no such rule.
    pub fn deny(&mut self, name: &str) -> Result<(), UnknownRule> {
        if ALL.contains(&name) {
            self.denies_all = true;
            return Ok(());
        }
        known(name)?;
        self.denied.push(name.to_owned());
        Ok(())
    }

    /// Whether a rule is left out.
    pub(crate) fn allows(&self, name: &str) -> bool {
        self.allowed.iter().any(|one| one == name)
    }

    /// Whether a rule's findings are errors.
    pub(crate) fn denies(&self, name: &str) -> bool {
        self.denies_all || self.denied.iter().any(|one| one == name)
    }

    /// Whether every warning is to be an error, whatever it comes from.
    pub fn denies_all(&self) -> bool {
        self.denies_all
    }
}

/// The names of the rules, in order.
pub fn names() -> Vec<&'static str> {
    let others = [&codes::EXTRA_ATTRIBUTE, &codes::UNDECLARED_VARIABLE];
    let mut all: Vec<&str> =
        codes::ALL.iter().copied().chain(others).map(|code| code.slug).collect();
    all.sort_unstable();
    all
}

fn known(name: &str) -> Result<(), UnknownRule> {
    match names().into_iter().any(|one| one == name) {
        true => Ok(()),
        false => Err(UnknownRule(name.to_owned())),
    }
}

/// Whether a comment beside a place allows what a rule finds there.
pub(crate) fn is_allowed_at(name: &str, place: Place, sources: &Sources) -> bool {
    let (source, place) = sources.at(place);
    let line = source.position(place.span.start).line;
    let above = line.checked_sub(1).filter(|line| *line > 0).map(|line| source.line_text(line));
    let above =
        above.filter(|text| ["#", "//", "/*"].iter().any(|one| text.trim_start().starts_with(one)));
    let mut lines = above.into_iter().chain([source.line_text(line)]);
    lines.any(|text| says(text, name) || tflint::ignores(text, name))
        || tflint::ignores_in_file(source.line_text(1), name)
}

/// Whether a line ends in a comment that names the rule.
fn says(line: &str, name: &str) -> bool {
    const MARK: &str = "groma: allow ";
    let Some(at) = line.find(MARK) else { return false };
    let before = line[..at].trim_end();
    let names = line[at + MARK.len()..].split([',', ' ', '\t']);
    (before.ends_with('#') || before.ends_with("//")) && names.into_iter().any(|one| one == name)
}
