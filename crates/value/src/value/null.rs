//! The type of a null, in one word. It is shared: a null of a simple type allocates nothing, and each thread shares the types
//! that it creates, so that threads do not contend for one reference count.

use std::ops::Deref;
use std::sync::Arc;

use crate::Type;

/// The type of a null value; `Dynamic` for a bare `null`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NullType(Option<Arc<Type>>);

thread_local! {
    /// The primitive types as types of nulls, shared within a thread.
    static SIMPLE: [Arc<Type>; 3] = [Type::Bool, Type::Number, Type::String].map(Arc::new);
}

impl NullType {
    /// The type of a `null` that has not been converted.
    pub const BARE: NullType = NullType(None);

    /// Returns `ty` as the type of a null; simple types are shared within a thread.
    pub(super) fn of(ty: Type) -> NullType {
        let simple = match ty {
            Type::Dynamic => return NullType::BARE,
            Type::Bool => 0,
            Type::Number => 1,
            Type::String => 2,
            composed => return NullType(Some(Arc::new(composed))),
        };
        let shared = SIMPLE.try_with(|all| all[simple].clone());
        // A thread that ends has nothing to share any more.
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
