//! Cached results for expressions that many instances share: values of sub-expressions, elements of loops, items of objects by
//! name, and dependencies. The text of a query is never cached, because it belongs to no file.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use groma_eval::{Code, lower_view};
use groma_functions::FunctionLibrary;
use groma_syntax::ast::{ExprId, ExprView, ObjectItem};
use groma_syntax::{Expr, FileId, Place, Span};
use groma_value::{Str, Value};
use rustc_hash::FxHashMap;

use crate::path::WhyStep;
use crate::site::QUERY_FILE;
use crate::source_text::{WrittenPlace, of_view, plain_key};

/// Minimum number of items for which an object expression gets an index by name; smaller ones are searched item by item.
const INDEXED_ITEMS: usize = 32;

/// Cache of the values and dependencies of one expression in one module instance.
#[derive(Default)]
pub(crate) struct ExpressionCache {
    /// Values of sub-expressions outside of loops; `None` if one has no value.
    pub(crate) values: RefCell<FxHashMap<Span, Option<Value>>>,
    /// Results of loops that are not nested, indexed by name.
    pub(crate) elements: RefCell<FxHashMap<Span, Rc<LoopResults>>>,
    /// The dependencies of a part, by its path.
    pub(crate) taken: RefCell<FxHashMap<Vec<WhyStep>, NodeDependencies>>,
}

/// The dependencies of a provenance node, as the numbers of other nodes.
#[derive(Clone, Default)]
pub(crate) struct NodeDependencies {
    /// The numbers of the nodes that the node depends on.
    pub(crate) from: Vec<usize>,
    /// True if dependencies were omitted because of the limit on nodes.
    pub(crate) is_cut: bool,
}

impl NodeDependencies {
    /// Creates a list of dependencies from node numbers; `is_cut` is true if some were omitted because of the limit on nodes.
    pub(crate) fn of(from: Vec<usize>, is_cut: bool) -> NodeDependencies {
        NodeDependencies { from, is_cut }
    }
}

/// The elements of the collection of a `for` expression, indexed by the names of their results.
#[derive(Default)]
pub(crate) struct LoopResults {
    /// Positions in the collection for each name, in order.
    pub(crate) by_name: FxHashMap<Str, Vec<usize>>,
    /// The number of elements inspected: the names of those after the last one are unknown.
    pub(crate) count: usize,
}

/// Cache of the lowered code and source text of sub-expressions, shared by all module instances. Two sub-expressions may have the
/// same place, so the key includes the number of the syntax node.
#[derive(Default)]
pub(crate) struct SharedParts {
    /// The items of large object expressions by name.
    pub(crate) items: ObjectItems,
    /// Lowered code by place and syntax node.
    codes: RefCell<FxHashMap<(Place, ExprId), Arc<Code>>>,
    /// Source texts by place and syntax node.
    written: RefCell<FxHashMap<(Place, ExprId), Rc<WrittenPlace>>>,
}

impl SharedParts {
    /// Returns the lowered code of a sub-expression; without a place it is lowered again each time.
    pub(crate) fn code(
        &self,
        view: ExprView<'_>,
        place: Option<Place>,
        library: &FunctionLibrary,
    ) -> Arc<Code> {
        let made = || lower_view(view, view.span().start, library);
        match place.filter(|place| place.file != QUERY_FILE) {
            Some(place) => {
                let mut codes = self.codes.borrow_mut();
                codes.entry((place, view.id())).or_insert_with(made).clone()
            }
            None => made(),
        }
    }

    /// Returns the source text and the place of a sub-expression of a file.
    pub(crate) fn written(&self, view: ExprView<'_>, file: FileId) -> Rc<WrittenPlace> {
        let made = || Rc::new(of_view(view, file));
        if file == QUERY_FILE {
            return made();
        }
        let mut written = self.written.borrow_mut();
        written.entry((Place::new(file, view.span()), view.id())).or_insert_with(made).clone()
    }
}

/// Index of the items of large object expressions by name; `None` for an object with computed names.
#[derive(Default)]
pub(crate) struct ObjectItems {
    known: RefCell<FxHashMap<Place, Option<Rc<ByName>>>>,
}

/// The values of the items of one object expression by name, as the numbers of their syntax nodes.
type ByName = FxHashMap<Box<str>, Vec<ExprId>>;

impl ObjectItems {
    /// Returns the values of the items called `name` in the object expression `view`, in source order; `None` if the object was
    /// not indexed, because it is small or has computed names.
    pub(crate) fn of<'t>(
        &self,
        view: ExprView<'t>,
        place: Place,
        name: &str,
    ) -> Option<Vec<ExprView<'t>>> {
        if place.file == QUERY_FILE {
            return None;
        }
        let known = self.known.borrow().get(&place)?.clone()?;
        let found = known.get(name).map(Vec::as_slice).unwrap_or_default();
        Some(found.iter().map(|id| view.other(*id)).collect())
    }

    /// Adds the object expression at `place` to the index if it has at least `INDEXED_ITEMS` items.
    pub(crate) fn keep(&self, place: Place, items: &[ObjectItem<'_>]) {
        if items.len() < INDEXED_ITEMS
            || place.file == QUERY_FILE
            || self.known.borrow().contains_key(&place)
        {
            return;
        }
        let mut by_name = ByName::default();
        let all_plain = items.iter().all(|item| {
            let Some(name) = plain_key(item.key) else { return false };
            by_name.entry(name.as_ref().into()).or_default().push(item.value.id());
            true
        });
        self.known.borrow_mut().insert(place, all_plain.then(|| Rc::new(by_name)));
    }
}

/// Returns true if results for an expression may be cached: not for one of a query, because its text belongs to no file.
pub(crate) fn is_kept(expr: &Expr) -> bool {
    matches!(expr, Expr::Native(native) if native.file() != QUERY_FILE)
}
