//! Typed views of the tree. They borrow it, are `Copy`, and are read once.
//! Left operands and steps (`a.b.c`, `1 + 2 + 3`) may nest far deeper than the nesting limit: walk them with a loop.

mod bindings;
mod expression;
mod template;

pub use bindings::{BinderId, BinderKind, Bindings, NameBinder, NameUse};
pub use expression::{
    BinaryOp, CallView, ExprCase, ExprId, ExprView, ForView, ObjectItem, UnaryOp,
};
pub use template::{TemplateKind, TemplatePart, TemplateView};
