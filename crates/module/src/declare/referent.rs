//! Resolved references, as indices into the declarations of their module. An index is valid for one module only.

use groma_value::Str;

/// The use of a declaration by an expression: the declaration, and the index of the reference in the code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReferentUse {
    /// The declaration.
    pub target: Referent,
    /// The index of the reference in the code.
    pub reference: u32,
}

/// The declaration or built-in name that a reference refers to. Numbers are indices into the module's lists.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Referent {
    /// A variable.
    Variable(u32),
    /// A local value.
    Local(u32),
    /// All outputs of a module call.
    Call(u32),
    /// One output of a module call.
    Output {
        /// The index of the call.
        call: u32,
        /// The output name.
        name: Str,
    },
    /// A resource, data source, ephemeral resource, action or list.
    Resource(u32),
    /// A value known without evaluation: `path`, `terraform`, `each`, `count`, `self`.
    Settled,
    /// A type keyword, such as `string`, which is not a value: valid where a type is expected.
    TypeWord,
    /// The declaration itself, which has been reported; the value is unknown.
    Itself,
    /// Undeclared, which has been reported; the value is unknown.
    Broken,
    /// Undeclared here, and possibly new in an edition newer than the known ones: the value is unknown.
    News,
}
