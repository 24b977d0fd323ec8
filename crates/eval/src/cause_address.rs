//! Addresses of the objects that causes are about. The text alone decides whether two are equal: what it names follows from it.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use groma_address::{ConfigAddress, DeclarationAddress};

/// The object that a cause is about: a declaration, a function, or another thing by its text, such as a file. The text is stored,
/// because every unknown value of a document names it. Two are equal if their texts are.
#[derive(Clone, Debug)]
pub struct CauseAddress {
    text: Arc<str>,
    named: NamedOrigin,
}

/// The kind of object that the text of a cause's address names, and the typed address of a declaration.
#[derive(Clone, Debug)]
enum NamedOrigin {
    /// A declaration.
    Declaration(DeclarationAddress),
    /// A function.
    Function,
    /// Anything else, known by the text alone.
    Text,
}

impl CauseAddress {
    /// Returns the address of a function, written as `timestamp()`.
    pub fn function(name: &str) -> CauseAddress {
        CauseAddress { text: format!("{name}()").into(), named: NamedOrigin::Function }
    }

    /// Returns the address of something that is neither a declaration nor a function, such as `packer.version`.
    pub fn other(text: impl Into<Arc<str>>) -> CauseAddress {
        CauseAddress { text: text.into(), named: NamedOrigin::Text }
    }

    /// Returns the address as text: `aws_instance.web`, `var.region`, `timestamp()`.
    pub fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// Returns the address of the declaration, without instance keys; `None` for other objects.
    pub fn declaration(&self) -> Option<&DeclarationAddress> {
        match &self.named {
            NamedOrigin::Declaration(address) => Some(address),
            _ => None,
        }
    }

    /// Returns the name of the function, without parentheses; `None` for other objects.
    pub fn function_name(&self) -> Option<&str> {
        match &self.named {
            NamedOrigin::Function => self.text.strip_suffix("()"),
            _ => None,
        }
    }
}

impl From<DeclarationAddress> for CauseAddress {
    fn from(address: DeclarationAddress) -> CauseAddress {
        CauseAddress { text: address.to_string().into(), named: NamedOrigin::Declaration(address) }
    }
}

impl From<&ConfigAddress> for CauseAddress {
    fn from(address: &ConfigAddress) -> CauseAddress {
        match address.declaration() {
            Some(declaration) => declaration.into(),
            None => CauseAddress::other(address.to_string()),
        }
    }
}

impl fmt::Display for CauseAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl PartialEq for CauseAddress {
    fn eq(&self, other: &CauseAddress) -> bool {
        Arc::ptr_eq(&self.text, &other.text) || self.text == other.text
    }
}

impl Eq for CauseAddress {}

impl PartialOrd for CauseAddress {
    fn partial_cmp(&self, other: &CauseAddress) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for CauseAddress {
    fn cmp(&self, other: &CauseAddress) -> Ordering {
        self.text.cmp(&other.text)
    }
}

impl Hash for CauseAddress {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}
