//! What expressions refer to, as positions among the declarations of their module. A position holds for one module only.

use groma_value::Str;

/// A declaration that an expression needs, and the reference that names it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReferentUse {
    /// The declaration.
    pub target: Referent,
    /// The position of the reference in the code.
    pub reference: u32,
}

/// The target of a reference. Numbers are positions in the module's lists.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Referent {
    /// A variable.
    Variable(u32),
    /// A local value.
    Local(u32),
    /// Everything a module call gives.
    Call(u32),
    /// One output of a module call.
    Output {
        /// The position of the call.
        call: u32,
        /// The output's name.
        name: Str,
    },
    /// A resource, a data source or their like.
    Resource(u32),
    /// Known without evaluating anything: `path`, `terraform`, `each`, `count`, `self`.
    Settled,
    /// A word of types, such as `string`, which is no value: what takes a type may say it.
    TypeWord,
    /// The declaration itself, which was reported; its value is unknown.
    Itself,
    /// Reported; its value is unknown.
    Broken,
    /// Not known here, and perhaps new in an edition that is newer than what is known: its value cannot be said here.
    News,
}
