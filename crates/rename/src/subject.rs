//! What is renamed: a declaration of one folder, by what it is and what it is called.

use groma_edit::{CodePath, CodeStep, Refusal};
use groma_folder::Mode;
use groma_syntax::is_identifier;

/// What kind of declaration it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Variable,
    Local,
    Output,
    Module,
    Check,
    /// A resource, a data source or their like, of this type.
    Resource(Mode, String),
    /// Another configuration of this provider.
    Alias(String),
}

/// A declaration and its new name.
#[derive(Clone, Debug)]
pub(crate) struct Subject {
    pub(crate) kind: Kind,
    pub(crate) old: String,
    pub(crate) new: String,
}

/// Names that the arguments of a module call have taken.
const OF_CALLS: [&str; 8] =
    ["source", "version", "providers", "count", "for_each", "lifecycle", "depends_on", "locals"];

impl Subject {
    /// Reads both names. The new one may be a whole address of the same kind.
    pub(crate) fn read(old: &str, new: &str) -> Result<Subject, Refusal> {
        let path = CodePath::read(old)?;
        let Some((kind, name)) = declared(&path) else {
            return Err(Refusal(format!(
                "{path} is no declaration that has a name: rename takes var.NAME, local.NAME, output.NAME, module.NAME, \
                 check.NAME, TYPE.NAME, data.TYPE.NAME, ephemeral.TYPE.NAME, action.TYPE.NAME, list.TYPE.NAME and \
                 provider.NAME.ALIAS."
            )));
        };
        let new = match is_identifier(new) {
            true => new.to_owned(),
            false => match CodePath::read(new).ok().and_then(|path| declared(&path)) {
                Some((other, name)) if other == kind => name,
                Some(_) => {
                    return Err(Refusal(format!(
                        "{new} is something else than {path}: only the name can be another one."
                    )));
                }
                None => {
                    return Err(Refusal(format!(
                        "`{new}` is not a name: a name starts with a letter or an underscore and goes on with letters, \
                         digits, underscores and dashes."
                    )));
                }
            },
        };
        let subject = Subject { kind, old: name, new };
        if subject.kind == Kind::Variable && OF_CALLS.contains(&subject.new.as_str()) {
            return Err(Refusal(format!(
                "No variable can be called {}: in a module call the word means something else.",
                subject.new
            )));
        }
        if subject.old == subject.new {
            return Err(Refusal(format!("{} has this name already.", subject.address())));
        }
        Ok(subject)
    }

    /// What it is called in references.
    pub(crate) fn address(&self) -> String {
        self.named(&self.old)
    }

    /// What it is to be called in references.
    pub(crate) fn new_address(&self) -> String {
        self.named(&self.new)
    }

    fn named(&self, name: &str) -> String {
        match &self.kind {
            Kind::Variable => format!("var.{name}"),
            Kind::Local => format!("local.{name}"),
            Kind::Output => format!("output.{name}"),
            Kind::Module => format!("module.{name}"),
            Kind::Check => format!("check.{name}"),
            Kind::Resource(mode, kind) => format!("{}{kind}.{name}", mode.prefix()),
            Kind::Alias(provider) => format!("provider.{provider}.{name}"),
        }
    }

    /// Whether what exists of it has an address in the state that it moves from.
    pub(crate) fn moves(&self) -> bool {
        matches!(self.kind, Kind::Module | Kind::Resource(Mode::Managed, _))
    }
}

/// What a path names: the kind and the name.
fn declared(path: &CodePath) -> Option<(Kind, String)> {
    let names: Option<Vec<&str>> = path
        .steps
        .iter()
        .map(|step| match step {
            CodeStep::Name(name) => Some(name.as_str()),
            CodeStep::At(_) | CodeStep::End => None,
        })
        .collect();
    let (kind, name) = match names?[..] {
        ["var" | "variable", name] => (Kind::Variable, name),
        ["local" | "locals", name] => (Kind::Local, name),
        ["output", name] => (Kind::Output, name),
        ["module", name] => (Kind::Module, name),
        ["check", name] => (Kind::Check, name),
        ["resource", kind, name] => (Kind::Resource(Mode::Managed, kind.to_owned()), name),
        ["data", kind, name] => (Kind::Resource(Mode::Data, kind.to_owned()), name),
        ["ephemeral", kind, name] => (Kind::Resource(Mode::Ephemeral, kind.to_owned()), name),
        ["action", kind, name] => (Kind::Resource(Mode::Action, kind.to_owned()), name),
        ["list", kind, name] => (Kind::Resource(Mode::List, kind.to_owned()), name),
        ["provider", provider, alias] => (Kind::Alias(provider.to_owned()), alias),
        ["provider" | "terraform" | "moved" | "import" | "removed" | "data" | "resource", _] => {
            return None;
        }
        [kind, name] => (Kind::Resource(Mode::Managed, kind.to_owned()), name),
        _ => return None,
    };
    Some((kind, name.to_owned()))
}
