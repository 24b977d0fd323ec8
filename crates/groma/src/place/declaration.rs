//! Declarations of a snapshot, each by a number that holds for that snapshot only.

use groma_module::visit::Declaration;
use groma_syntax::Place;

/// A declaration of a snapshot: the module by its number in the project, and the declaration's position in that module. A module
/// that is called several times counts once, by its first number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct DeclarationId {
    /// The number of the module; the root is 0.
    pub module: usize,
    /// The declaration in it.
    pub declaration: Declaration,
}

/// A declaration with its source ranges.
#[derive(Clone, Debug)]
pub struct DeclarationSite {
    /// The declaration.
    pub id: DeclarationId,
    /// The word for its kind, such as `variable` or `resource`.
    pub kind: &'static str,
    /// Its address within its module, such as `local.name`.
    pub address: String,
    /// The header of its block, or the argument of a local value.
    pub place: Place,
    /// Its name where it is declared, without quotes.
    pub name: Option<Place>,
}
