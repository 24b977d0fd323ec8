//! Typed views of the syntax tree, which borrow it. Left operands and steps (`a.b.c`, `1 + 2 + 3`) may be nested far deeper than
//! the maximum of brackets: walk them in a loop.

mod bindings;
mod expression;
mod template;

pub use bindings::{BinderId, BinderKind, Bindings, NameBinder, NameUse};
pub use expression::{
    BinaryOp, CallView, ExprCase, ExprId, ExprView, ForView, ObjectItem, UnaryOp,
};
pub use template::{TemplateKind, TemplatePart, TemplateView};
