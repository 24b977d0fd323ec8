//! What has been found out about expressions that many instances share, so that the next instance need not look again: the
//! values of parts, the elements of loops and the items of objects by name, and what was taken.

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

/// An object with so many items is worth a list of them.
const MANY: usize = 32;

/// Cached results for one expression in one instance of a module.
#[derive(Default)]
pub(crate) struct ExpressionCache {
    /// What parts outside of loops are worth.
    pub(crate) values: RefCell<FxHashMap<Span, Option<Value>>>,
    /// The elements of loops outside of others, by the names that these give them.
    pub(crate) elements: RefCell<FxHashMap<Span, Rc<LoopResults>>>,
    /// What was taken for a part.
    pub(crate) taken: RefCell<FxHashMap<Vec<WhyStep>, OpenedNode>>,
}

/// The dependencies of a node, once they are known.
#[derive(Clone, Default)]
pub(crate) struct OpenedNode {
    pub(crate) from: Vec<usize>,
    /// True if it took more than is told.
    pub(crate) is_cut: bool,
}

impl OpenedNode {
    pub(crate) fn of(from: Vec<usize>, is_cut: bool) -> OpenedNode {
        OpenedNode { from, is_cut }
    }
}

/// The elements of a loop by the names of their results.
#[derive(Default)]
pub(crate) struct LoopResults {
    /// Positions in the collection, in order.
    pub(crate) by_name: FxHashMap<Str, Vec<usize>>,
    /// How many elements were looked at: those behind the last one have no name that is known.
    pub(crate) count: usize,
}

/// Cached facts about sub-expressions that all instances share. Two sub-expressions may have the same place, so each
/// goes by its number, too.
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

/// The items of objects with many of them, by name; nothing of objects whose names are worked out.
#[derive(Default)]
pub(crate) struct ObjectItems {
    known: RefCell<FxHashMap<Place, Option<Rc<ByName>>>>,
}

type ByName = FxHashMap<Box<str>, Vec<ExprId>>;

impl ObjectItems {
    /// The values of the items of that name, in order, where the expression at a place is known to be an object with many.
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

    /// Takes down an object with many items.
    pub(crate) fn keep(&self, place: Place, items: &[ObjectItem<'_>]) {
        if items.len() < MANY || place.file == ASKED || self.known.borrow().contains_key(&place) {
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
