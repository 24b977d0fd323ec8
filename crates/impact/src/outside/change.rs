//! Changes outside of resource bodies, with their kind, old and new form and the affected objects.

use std::collections::BTreeMap;

use groma_value::Str;
use groma_value::json::{JsonObject, JsonText, array, plain, texts};

use super::shown::{HIDDEN, OutsideValue};

/// Maximum number of affected objects that a comparison's JSON document lists for one change; further ones are left out.
const MAX_ADDRESSES: usize = 100;

/// The kind of a change outside of resource bodies, such as of a provider configuration or the backend.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum OutsideKind {
    /// The configuration of a provider, or the one that a resource uses.
    Provider,
    /// The backend of the state and its arguments.
    Backend,
    /// The required versions of the program and of providers.
    Version,
    /// `lifecycle` of a resource, without its conditions.
    Lifecycle,
    /// A provisioner or its connection.
    Provisioner,
    /// A validation, precondition, postcondition or check.
    Condition,
    /// An input variable.
    Variable,
    /// An output, without its value.
    Output,
    /// The source and the version of a called module.
    Module,
    /// `depends_on`.
    Dependency,
    /// `moved`, `removed` and `import` blocks.
    Refactoring,
    /// The values that variable files give the root.
    Values,
}

impl OutsideKind {
    /// Returns the word that a comparison's JSON document uses for the kind of change.
    pub fn word(self) -> &'static str {
        match self {
            OutsideKind::Provider => "provider",
            OutsideKind::Backend => "backend",
            OutsideKind::Version => "version",
            OutsideKind::Lifecycle => "lifecycle",
            OutsideKind::Provisioner => "provisioner",
            OutsideKind::Condition => "condition",
            OutsideKind::Variable => "variable",
            OutsideKind::Output => "output",
            OutsideKind::Module => "module",
            OutsideKind::Dependency => "dependency",
            OutsideKind::Refactoring => "refactoring",
            OutsideKind::Values => "values",
        }
    }
}

/// A difference between two revisions outside of resource bodies.
#[derive(Clone, Debug)]
pub struct OutsideChange {
    /// The kind of the change.
    pub kind: OutsideKind,
    /// The address of the declaration, with the path to the differing part.
    pub address: String,
    /// The place, as `FILE:LINE`: in the newer code, or in the older code if it was removed.
    pub place: Str,
    /// The old form; `None` if it is new.
    pub before: Option<OutsideValue>,
    /// The new form; `None` if it was removed.
    pub after: Option<OutsideValue>,
    /// The affected objects.
    pub reaches: AffectedObjects,
}

/// The objects that a change outside of resource bodies affects.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct AffectedObjects {
    /// The addresses of the objects, sorted.
    pub addresses: Vec<String>,
    /// True if the resources would be created in another location: another region or account.
    pub is_elsewhere: bool,
    /// The number of data sources among the addresses.
    pub data: usize,
}

impl AffectedObjects {
    /// Returns the objects at these addresses as affected by a change that leaves them in their region and account.
    pub(super) fn in_place(addresses: Vec<String>) -> AffectedObjects {
        AffectedObjects { addresses, ..AffectedObjects::default() }
    }
}

/// Writes changes outside of resource bodies as a JSON array.
pub(crate) fn write(changes: &[OutsideChange], out: &mut JsonText<'_>) {
    array(changes, out, |change, out| {
        let mut one = JsonObject::open(out);
        one.text("kind", change.kind.word());
        one.text("address", &change.address);
        one.text("place", &change.place);
        for (name, shown) in [("before", &change.before), ("after", &change.after)] {
            match shown {
                Some(shown) => write_shown(shown, one.key(name)),
                None => one.raw(name, "null"),
            }
        }
        texts(change.reaches.addresses.iter().take(MAX_ADDRESSES), one.key("reaches"));
        one.close();
    });
}

/// Writes the display value of one side of a change as JSON.
fn write_shown(shown: &OutsideValue, out: &mut JsonText<'_>) {
    match shown {
        OutsideValue::Value(value) => out.push_str(&plain(value)),
        OutsideValue::Code(text) => out.string(text),
        OutsideValue::Hidden => out.string(HIDDEN),
        OutsideValue::Parts(parts) => {
            // Several blocks of one type are one list.
            let mut named: BTreeMap<&str, Vec<&OutsideValue>> = BTreeMap::new();
            for (name, shown) in parts.iter() {
                named.entry(name).or_default().push(shown);
            }
            let mut object = JsonObject::open(out);
            for (name, _) in parts.iter() {
                match named.remove(&**name).as_deref() {
                    Some([shown]) => write_shown(shown, object.key(name)),
                    Some(all) => array(all, object.key(name), |one, out| write_shown(one, out)),
                    None => {}
                }
            }
            object.close();
        }
    }
}
