//! Declarations of a snapshot, identified by numbers that are valid for that snapshot only.

use groma_module::visit::Declaration;
use groma_syntax::Place;

/// The identity of a declaration in a snapshot: the number of its module, and its position in that module. A module that is
/// called several times has one number, that of its first call.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct DeclarationId {
    /// The number of the module; 0 for the root.
    pub module: usize,
    /// The position of the declaration in the module.
    pub declaration: Declaration,
}

/// A declaration with its kind, its address, and the places of its header and of its name.
#[derive(Clone, Debug)]
pub struct DeclarationSite {
    /// The declaration.
    pub id: DeclarationId,
    /// The word for the declaration's kind, such as `variable` or `resource`.
    pub kind: &'static str,
    /// Its address within its module, such as `local.name`.
    pub address: String,
    /// The header of its block, or the argument of a local value.
    pub place: Place,
    /// The place of its name in the declaration, without quotes, if it has one.
    pub name: Option<Place>,
}
