//! The type of a null, in one word. It is shared: a null of a simple type allocates nothing, and each thread shares the types
//! that it creates, so that threads do not contend for one reference count.

use std::ops::Deref;
use std::sync::Arc;

use crate::Type;

/// The type of a null value in one word; `Dynamic` for a bare `null`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NullType(Option<Arc<Type>>);

thread_local! {
    /// The types bool, number and string, shared by all nulls that a thread creates.
    static SIMPLE: [Arc<Type>; 3] = [Type::Bool, Type::Number, Type::String].map(Arc::new);
}

impl NullType {
    /// The type of a `null` that has not been converted.
    pub const BARE: NullType = NullType(None);

    /// Converts a type to that of a null, allocating only for other types than bool, number and string.
    pub(super) fn of(ty: Type) -> NullType {
        let simple = match ty {
            Type::Dynamic => return NullType::BARE,
            Type::Bool => 0,
            Type::Number => 1,
            Type::String => 2,
            composed => return NullType(Some(Arc::new(composed))),
        };
        let shared = SIMPLE.try_with(|all| all[simple].clone());
        // While a thread ends, its shared types are gone.
        NullType(Some(shared.unwrap_or_else(|_| Arc::new(ty))))
    }

    /// Returns true if this is the type of a bare `null`.
    pub fn is_bare(&self) -> bool {
        self.0.is_none()
    }
}

impl Deref for NullType {
    type Target = Type;
    fn deref(&self) -> &Type {
        self.0.as_deref().unwrap_or(&Type::Dynamic)
    }
}
