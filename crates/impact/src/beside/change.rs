//! A change beside the resources, as it is told, also to programs: of what kind it is, what was there and what is, and what
//! it concerns.

use std::collections::BTreeMap;

use groma_value::Str;
use groma_value::json::{JsonObject, JsonText, array, plain, texts};

use super::shown::{BesideValue, HIDDEN};

/// The maximum number of addresses that are listed of what a change concerns.
const LISTED: usize = 100;

/// The kinds of what changes beside the resources.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum BesideKind {
    /// The configuration of a provider, or which one a resource uses.
    Provider,
    /// The place where the state is kept, and how.
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
    /// The place where a called module is, and its version.
    Module,
    /// `depends_on`.
    Dependency,
    /// `moved`, `removed` and `import` blocks.
    Refactoring,
    /// The values that value files give the root.
    Values,
}

impl BesideKind {
    /// Returns the word that documents use for it.
    pub fn word(self) -> &'static str {
        match self {
            BesideKind::Provider => "provider",
            BesideKind::Backend => "backend",
            BesideKind::Version => "version",
            BesideKind::Lifecycle => "lifecycle",
            BesideKind::Provisioner => "provisioner",
            BesideKind::Condition => "condition",
            BesideKind::Variable => "variable",
            BesideKind::Output => "output",
            BesideKind::Module => "module",
            BesideKind::Dependency => "dependency",
            BesideKind::Refactoring => "refactoring",
            BesideKind::Values => "values",
        }
    }
}

/// Something beside the resources that is not the same in two revisions.
#[derive(Clone, Debug)]
pub struct BesideChange {
    /// The kind.
    pub kind: BesideKind,
    /// The address of the declaration, and the way to the part of it that differs.
    pub address: String,
    /// The place where it is written, as `FILE:LINE`: in the newer code, or in the older code what is gone.
    pub place: Str,
    /// The old form; `None` where it is new.
    pub before: Option<BesideValue>,
    /// The new form; `None` where it is gone.
    pub after: Option<BesideValue>,
    /// The objects concerned.
    pub reaches: AffectedObjects,
}

/// The objects that a change concerns.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct AffectedObjects {
    /// The addresses, sorted.
    pub addresses: Vec<String>,
    /// True if those of resources would be other objects in another place: in another region or account.
    pub is_elsewhere: bool,
    /// The number of the addresses that are those of data sources, where they are of resources.
    pub data: usize,
}

impl AffectedObjects {
    pub(super) fn to(addresses: Vec<String>) -> AffectedObjects {
        AffectedObjects { addresses, ..AffectedObjects::default() }
    }
}

/// Writes the list.
pub(crate) fn write(changes: &[BesideChange], out: &mut JsonText<'_>) {
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
        texts(change.reaches.addresses.iter().take(LISTED), one.key("reaches"));
        one.close();
    });
}

fn write_shown(shown: &BesideValue, out: &mut JsonText<'_>) {
    match shown {
        BesideValue::Value(value) => out.push_str(&plain(value)),
        BesideValue::Code(text) => out.string(text),
        BesideValue::Hidden => out.string(HIDDEN),
        BesideValue::Parts(parts) => {
            // Several blocks of one kind are one list.
            let mut named: BTreeMap<&str, Vec<&BesideValue>> = BTreeMap::new();
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
