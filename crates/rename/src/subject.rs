//! The renamed declaration, as the request describes it.

use groma_config::{DeclarationName, ResourceMode, ResourceName};
use groma_edit::{CodePath, CodeStep, EditRefusal};
use groma_syntax::is_identifier;

/// The kind of a declaration that can be renamed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum DeclarationKind {
    Variable,
    Local,
    Output,
    Module,
    Check,
    /// A resource, data source, ephemeral resource, action or list of this type.
    Resource(ResourceMode, String),
    /// An aliased configuration of this provider.
    Alias(String),
}

/// The declaration to rename: its kind, old name and new name.
#[derive(Clone, Debug)]
pub(crate) struct RenamedDeclaration {
    pub(crate) kind: DeclarationKind,
    pub(crate) old: String,
    pub(crate) new: String,
}

/// The meta-arguments of a module call: no variable can have these names, since an input would be taken for the meta-argument.
const OF_CALLS: [&str; 8] =
    ["source", "version", "providers", "count", "for_each", "lifecycle", "depends_on", "locals"];

impl RenamedDeclaration {
    /// Parses a declaration's old address and its new name; the new one may be an address of the same kind, too.
    pub(crate) fn read(old: &str, new: &str) -> Result<RenamedDeclaration, EditRefusal> {
        let path = CodePath::read(old)?;
        let Some((kind, name)) = declared(&path) else {
            return Err(EditRefusal(format!(
                "{path} is not a declaration with a name: rename takes var.NAME, local.NAME, output.NAME, \
                 module.NAME, check.NAME, TYPE.NAME, data.TYPE.NAME, ephemeral.TYPE.NAME, action.TYPE.NAME, \
                 list.TYPE.NAME and provider.NAME.ALIAS."
            )));
        };
        let new = match is_identifier(new) {
            true => new.to_owned(),
            false => match CodePath::read(new).ok().and_then(|path| declared(&path)) {
                Some((other, name)) if other == kind => name,
                Some(_) => {
                    return Err(EditRefusal(format!(
                        "{new} is not the same kind of address as {path}: only the name can change."
                    )));
                }
                None => {
                    return Err(EditRefusal(format!(
                        "`{new}` is not a name: a name starts with a letter or an underscore and goes on with letters, \
                         digits, underscores and dashes."
                    )));
                }
            },
        };
        let subject = RenamedDeclaration { kind, old: name, new };
        if subject.kind == DeclarationKind::Variable && OF_CALLS.contains(&subject.new.as_str()) {
            return Err(EditRefusal(format!(
                "No variable can be called {}: the word has a meaning of its own in module calls.",
                subject.new
            )));
        }
        if subject.old == subject.new {
            return Err(EditRefusal(format!("{} has this name already.", subject.address())));
        }
        Ok(subject)
    }

    /// Returns the declaration's address under its old name, such as `var.old`.
    pub(crate) fn address(&self) -> String {
        self.named(&self.old)
    }

    /// Returns the declaration's address under its new name, such as `var.new`.
    pub(crate) fn new_address(&self) -> String {
        self.named(&self.new)
    }

    /// Returns the declaration's address under the name `name`, such as `var.name`.
    fn named(&self, name: &str) -> String {
        let own = name.into();
        let declared = match &self.kind {
            DeclarationKind::Variable => DeclarationName::Variable(own),
            DeclarationKind::Local => DeclarationName::Local(own),
            DeclarationKind::Output => DeclarationName::Output(own),
            DeclarationKind::Module => DeclarationName::Call(own),
            DeclarationKind::Check => DeclarationName::Check(own),
            DeclarationKind::Resource(mode, kind) => {
                let kind = kind.as_str().into();
                DeclarationName::Resource(ResourceName { mode: *mode, kind, name: own })
            }
            // A provider configuration has no address of its own.
            DeclarationKind::Alias(provider) => return format!("provider.{provider}.{name}"),
        };
        declared.to_string()
    }

    /// Returns true if states record objects under the addresses of declarations of this kind, so that a rename needs a
    /// `moved` block.
    pub(crate) fn needs_moved_block(&self) -> bool {
        matches!(
            self.kind,
            DeclarationKind::Module | DeclarationKind::Resource(ResourceMode::Managed, _)
        )
    }
}

/// Returns the kind and name of the declaration at an edit path, such as `var.a`; `None` if the path does not lead to a
/// declaration with a name.
fn declared(path: &CodePath) -> Option<(DeclarationKind, String)> {
    let names: Option<Vec<&str>> = path
        .steps
        .iter()
        .map(|step| match step {
            CodeStep::Name(name) => Some(name.as_str()),
            CodeStep::At(_) | CodeStep::End | CodeStep::Each(_) => None,
        })
        .collect();
    let (kind, name) = match names?[..] {
        ["var" | "variable", name] => (DeclarationKind::Variable, name),
        ["local" | "locals", name] => (DeclarationKind::Local, name),
        ["output", name] => (DeclarationKind::Output, name),
        ["module", name] => (DeclarationKind::Module, name),
        ["check", name] => (DeclarationKind::Check, name),
        ["resource", kind, name] => {
            (DeclarationKind::Resource(ResourceMode::Managed, kind.to_owned()), name)
        }
        ["data", kind, name] => {
            (DeclarationKind::Resource(ResourceMode::Data, kind.to_owned()), name)
        }
        ["ephemeral", kind, name] => {
            (DeclarationKind::Resource(ResourceMode::Ephemeral, kind.to_owned()), name)
        }
        ["action", kind, name] => {
            (DeclarationKind::Resource(ResourceMode::Action, kind.to_owned()), name)
        }
        ["list", kind, name] => {
            (DeclarationKind::Resource(ResourceMode::List, kind.to_owned()), name)
        }
        ["provider", provider, alias] => (DeclarationKind::Alias(provider.to_owned()), alias),
        ["provider" | "terraform" | "moved" | "import" | "removed" | "data" | "resource", _] => {
            return None;
        }
        [kind, name] => (DeclarationKind::Resource(ResourceMode::Managed, kind.to_owned()), name),
        _ => return None,
    };
    Some((kind, name.to_owned()))
}
