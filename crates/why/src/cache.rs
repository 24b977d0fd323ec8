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
use crate::site::ASKED;
use crate::source_text::{WrittenPlace, of_view, plain_key};

/// Minimum number of items for which an object gets an index by name.
const INDEXED_ITEMS: usize = 32;

/// Cached results for one expression in one instance of a module.
#[derive(Default)]
pub(crate) struct ExpressionCache {
    /// Values of sub-expressions outside of loops; `None` if one has no value.
    pub(crate) values: RefCell<FxHashMap<Span, Option<Value>>>,
    /// Results of loops that are not nested, indexed by name.
    pub(crate) elements: RefCell<FxHashMap<Span, Rc<LoopResults>>>,
    /// The dependencies of a part, by its path.
    pub(crate) taken: RefCell<FxHashMap<Vec<WhyStep>, OpenedNode>>,
}

/// The dependencies of a node, as the numbers of the nodes that it depends on.
#[derive(Clone, Default)]
pub(crate) struct OpenedNode {
    pub(crate) from: Vec<usize>,
    /// True if dependencies were omitted because of the limit on nodes.
    pub(crate) is_cut: bool,
}

impl OpenedNode {
    /// Returns dependencies that consist of the nodes with these numbers.
    pub(crate) fn of(from: Vec<usize>, is_cut: bool) -> OpenedNode {
        OpenedNode { from, is_cut }
    }
}

/// The elements of a loop, indexed by the names of their results.
#[derive(Default)]
pub(crate) struct LoopResults {
    /// Positions in the collection for each name, in order.
    pub(crate) by_name: FxHashMap<Str, Vec<usize>>,
    /// The number of elements inspected: the names of those after the last one are unknown.
    pub(crate) count: usize,
}

/// Cached facts about sub-expressions that all instances share. Two sub-expressions may have the same place, so the key includes
/// the node's number.
#[derive(Default)]
pub(crate) struct SharedParts {
    pub(crate) items: ObjectItems,
    codes: RefCell<FxHashMap<(Place, ExprId), Arc<Code>>>,
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
        match place.filter(|place| place.file != ASKED) {
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
        if file == ASKED {
            return made();
        }
        let mut written = self.written.borrow_mut();
        written.entry((Place::new(file, view.span()), view.id())).or_insert_with(made).clone()
    }
}

/// Index of the items of large objects by name; `None` for an object with computed names.
#[derive(Default)]
pub(crate) struct ObjectItems {
    known: RefCell<FxHashMap<Place, Option<Rc<ByName>>>>,
}

/// The values of an object's items by name, each as the number of its node.
type ByName = FxHashMap<Box<str>, Vec<ExprId>>;

impl ObjectItems {
    /// Returns the values of the items with a name, in order; `None` if the expression at the place has no index.
    pub(crate) fn of<'t>(
        &self,
        view: ExprView<'t>,
        place: Place,
        name: &str,
    ) -> Option<Vec<ExprView<'t>>> {
        if place.file == ASKED {
            return None;
        }
        let known = self.known.borrow().get(&place)?.clone()?;
        let found = known.get(name).map(Vec::as_slice).unwrap_or_default();
        Some(found.iter().map(|id| view.other(*id)).collect())
    }

    /// Adds an object to the index if it has enough items.
    pub(crate) fn keep(&self, place: Place, items: &[ObjectItem<'_>]) {
        if items.len() < INDEXED_ITEMS
            || place.file == ASKED
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

/// Returns true if results for an expression may be cached: the text of a query belongs to no file.
pub(crate) fn is_kept(expr: &Expr) -> bool {
    matches!(expr, Expr::Native(native) if native.file() != ASKED)
}
