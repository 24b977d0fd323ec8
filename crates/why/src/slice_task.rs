//! Tasks of a search for the dependencies of an expression: the sub-expressions that remain to be inspected.

use groma_syntax::ast::ExprView as View;

use crate::loop_bindings::{Loops, ReversedPath};

/// A sub-expression that remains to be inspected, with the path of the part of its value whose dependencies are sought.
pub(crate) struct SliceTask<'t> {
    pub(crate) view: View<'t>,
    /// The traversal that the sub-expression begins.
    pub(crate) whole: Option<View<'t>>,
    pub(crate) path: ReversedPath,
    pub(crate) bound: Loops<'t>,
    /// True if its value becomes the value of the expression.
    pub(crate) tail: bool,
    /// The order among sub-expressions with the same position: the position of the loop's name for which this one is
    /// inspected, or the number of the splat's element; 0 outside of loops.
    pub(crate) rank: u32,
}

/// The properties of an expression that its sub-expressions inherit: loop bindings, whether its value becomes that of the
/// whole expression, and the sort key.
pub(crate) struct SliceContext<'t> {
    pub(crate) bound: Loops<'t>,
    pub(crate) tail: bool,
    pub(crate) rank: u32,
}

impl<'t> SliceContext<'t> {
    /// Returns the task of finding the dependencies of the part of a sub-expression's value at the reversed `path`; with `tail`
    /// that value becomes the value of the whole expression.
    pub(crate) fn part(&self, view: View<'t>, path: ReversedPath, tail: bool) -> SliceTask<'t> {
        SliceTask { view, whole: None, path, bound: self.bound.clone(), tail, rank: self.rank }
    }

    /// Returns the task of finding the dependencies of the whole value of a sub-expression, such as a condition.
    pub(crate) fn all(&self, view: View<'t>) -> SliceTask<'t> {
        self.part(view, Vec::new(), false)
    }

    /// Returns the task of finding the dependencies of `object` in the traversal `whole`, whose steps after it are in the
    /// reversed `path`.
    pub(crate) fn object(
        &self,
        object: View<'t>,
        whole: View<'t>,
        path: ReversedPath,
    ) -> SliceTask<'t> {
        SliceTask { whole: Some(whole), ..self.part(object, path, self.tail) }
    }
}
