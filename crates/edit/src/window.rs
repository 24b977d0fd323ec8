//! The elements of one long list that edits by position may change. Earlier elements can be cut out of an excerpt if the
//! positions in the edits are renumbered.

use std::ops::Range;

use groma_syntax::Span;

use crate::find_path::{FoundPath, all};
use crate::index::DocumentParts;
use crate::parts::elements;
use crate::path::CodeStep;
use crate::requests::{Edit, EditOp};
use crate::text::ParsedText;

/// The range of elements of one list that edits may change, if the paths of all edits lead into that list.
pub(crate) struct ListWindow<'t> {
    /// The text with the list.
    text: &'t ParsedText,
    /// The span of the list.
    span: Span,
    /// The range of indices, before the edits.
    numbers: Range<usize>,
    /// The offset at which each element of the list starts.
    starts: Vec<usize>,
    /// The index, in a path, of the step that is a position in the list.
    step: usize,
    /// True if a step after that one is a position, too.
    pub(crate) has_positions: bool,
}

impl<'t> ListWindow<'t> {
    /// Returns the range of list elements that edits may change, with their insertions and removals considered; `None` unless all
    /// edits lead into one list.
    pub(crate) fn of(texts: &'t [ParsedText], edits: &[Edit]) -> Option<ListWindow<'t>> {
        let is_position = |step: &CodeStep| matches!(step, CodeStep::At(_));
        let first = &edits.first()?.path.steps;
        let step = first.iter().position(is_position)?;
        let (mut low, mut high, mut added, mut removed) = (usize::MAX, 0, 0, 0);
        let mut has_positions = false;
        for edit in edits {
            let (above, rest) = edit.path.steps.split_at_checked(step)?;
            if *above != first[..step] {
                return None;
            }
            match rest.first()? {
                CodeStep::At(at) => (low, high) = (low.min(*at), high.max(*at)),
                CodeStep::End if edit.op == EditOp::Add => {}
                _ => return None,
            }
            match (edit.op, &rest[1..]) {
                (EditOp::Add, []) => added += 1,
                (EditOp::Remove, []) => removed += 1,
                (_, deeper) => has_positions |= deeper.iter().any(is_position),
            }
        }
        let found = all(texts, &first[..step]);
        let [(file, target)] = &found[..] else { return None };
        let text = &texts[*file];
        let (span, starts) = match target {
            FoundPath::Json(spot) => match &*text.index.document_parts(&spot.value) {
                DocumentParts::List(items) => {
                    (spot.span(), items.iter().map(|one| one.whole.start as usize).collect())
                }
                DocumentParts::Object(_) | DocumentParts::Plain => return None,
            },
            _ => {
                let expr = target.expr()?;
                let own = elements(&expr).into_iter().map(|one| one.span().start as usize);
                let starts: Vec<usize> = own.collect();
                (expr.span(), starts)
            }
        };
        // An insertion at a position moves elements back, a removal moves them forward.
        let numbers = low.saturating_sub(added)..high.saturating_add(removed).saturating_add(1);
        (!starts.is_empty()).then_some(ListWindow {
            text,
            span,
            numbers,
            starts,
            step,
            has_positions,
        })
    }

    /// Returns true if the window is a range of elements of the list with this span in `text`.
    pub(crate) fn is_of(&self, text: &ParsedText, span: Span) -> bool {
        std::ptr::eq(self.text, text) && self.span == span
    }

    /// Returns true if an edit may change the list element at index `number`.
    pub(crate) fn has(&self, number: usize) -> bool {
        self.numbers.contains(&number)
    }

    /// Returns the edits with their list positions renumbered for an excerpt without the ranges `cuts`; `None` if no element
    /// before the window is cut out.
    pub(crate) fn moved(
        &self,
        text: &ParsedText,
        cuts: &[Range<usize>],
        edits: &[Edit],
    ) -> Option<Vec<Edit>> {
        if !std::ptr::eq(self.text, text) {
            return None;
        }
        let is_cut = |start: &&usize| {
            let after = cuts.partition_point(|cut| cut.start <= **start);
            after.checked_sub(1).is_some_and(|at| cuts[at].contains(start))
        };
        let before = &self.starts[..self.numbers.start.min(self.starts.len())];
        let gone = before.iter().filter(is_cut).count();
        let moved = |edit: &Edit| {
            let mut edit = edit.clone();
            if let CodeStep::At(at) = &mut edit.path.steps[self.step] {
                *at -= gone;
            }
            edit
        };
        (gone > 0).then(|| edits.iter().map(moved).collect())
    }
}
