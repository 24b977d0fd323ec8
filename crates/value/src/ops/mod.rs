//! The operations of the language on values: the result has the marks of all operands, and an unknown result their causes. A
//! [`Mismatch`](crate::Mismatch) has no source place; the caller knows the operands' places.

mod arithmetic;
mod compare;
mod equal;
mod index;
mod logic;
mod part;

pub use arithmetic::{add, divide, multiply, negate, remainder, subtract};
pub use compare::{greater_or_equal, greater_than, less_or_equal, less_than};
pub(crate) use equal::same_type;
pub use equal::{equal, not_equal, same, surely_same};
pub use index::{IndexError, IndexErrorKind, attribute, index, index_typed, length};
pub use logic::{and, and_strict, not, or, or_strict};
pub use part::{at, at_step, step_by};
