//! Remarks on the dependencies of a part of a value: a callback returns the remark on a provenance node, if any, and the first
//! remarks are collected. Shared dependencies are visited once.

use std::rc::Rc;
use std::sync::Arc;

use groma_syntax::Place;
use groma_value::Str;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::node::{WhyKind, WhyNode};
use crate::path::WhyStep;
use crate::why::{MAX_NODES, Why};

/// A remark on one dependency of a value, such as that its line of code has changed, with the place and kind of the
/// dependency.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct DependencyRemark {
    /// The place of the dependency.
    pub place: Place,
    /// The text of the remark.
    pub text: Arc<str>,
    /// The kind of the dependency.
    pub kind: WhyKind,
    /// The address of the dependency, if it has one.
    pub address: Option<Str>,
    /// For a call of a function that reads a file: the path of the file.
    pub reads: Option<Str>,
}

/// Cache of the first remarks that a callback made on each provenance node and its dependencies, each text once. It belongs
/// to one [`Why`] and one callback.
pub struct RemarkCache {
    most: usize,
    /// Remarks by the numbers of nodes.
    known: FxHashMap<usize, Rc<[DependencyRemark]>>,
}

impl RemarkCache {
    /// Creates an empty cache; `most` is the maximum number of remarks that are kept for one provenance node.
    pub fn of(most: usize) -> RemarkCache {
        RemarkCache { most, known: FxHashMap::default() }
    }
}

/// A callback that returns its remark on a provenance node at a place, such as the changed line there, if it has one.
type RemarkCallback<'t> = &'t mut dyn FnMut(&WhyNode, Place) -> Option<Arc<str>>;

impl Why {
    /// Returns the first dependencies, of those of the part at `path` of the object at `address`, on which the callback `remark`
    /// has a remark, in the order of their places. `address` holds the steps of the instance's address, `path` those in the
    /// object, such as `["tags", "Name"]`; an empty path stands for the whole body.
    pub fn first_remarks(
        &mut self,
        address: &[WhyStep],
        path: &[WhyStep],
        cache: &mut RemarkCache,
        remark: RemarkCallback<'_>,
    ) -> Vec<DependencyRemark> {
        let Some(start) = self.start(address, path) else { return Vec::new() };
        self.fill_cache(start, cache, remark);
        match cache.known.get(&start) {
            Some(known) => known.to_vec(),
            None => self.remarks_below(start, cache.most, remark),
        }
    }

    /// Stores, for the provenance node `start` and each of its dependencies, the first few remarks that `remark` makes on the
    /// node and what it depends on; stores none for `start` if a dependency is in a cycle.
    fn fill_cache(&mut self, start: usize, cache: &mut RemarkCache, remark: RemarkCallback<'_>) {
        let mut begun: FxHashSet<usize> = FxHashSet::default();
        let mut rest = vec![(start, false)];
        while let Some((number, is_open)) = rest.pop() {
            if cache.known.contains_key(&number) {
                continue;
            }
            if !is_open {
                if !begun.insert(number) || begun.len() > MAX_NODES {
                    // A node that is still being expanded is in a cycle and not complete.
                    return;
                }
                self.expand(number);
                rest.push((number, true));
                let from = &self.node_of(number).from;
                let open = from.iter().filter(|one| !cache.known.contains_key(one));
                rest.extend(open.map(|one| (*one, false)));
                continue;
            }
            let node = self.node_of(number);
            let mut found: Vec<DependencyRemark> = Vec::new();
            for below in &node.from {
                match cache.known.get(below) {
                    Some(known) => found.extend_from_slice(known),
                    None => return,
                }
            }
            found.extend(self.remark_at(number, remark));
            cache.known.insert(number, first(found, cache.most).into());
        }
    }

    /// Returns the first `most` remarks of the callback on the provenance node `start` and all of its dependencies by visiting
    /// each of them, which also works for cycles.
    fn remarks_below(
        &mut self,
        start: usize,
        most: usize,
        remark: RemarkCallback<'_>,
    ) -> Vec<DependencyRemark> {
        let mut seen: FxHashSet<usize> = FxHashSet::default();
        let mut rest = vec![start];
        let mut found: Vec<DependencyRemark> = Vec::new();
        while let Some(number) = rest.pop() {
            if !seen.insert(number) || seen.len() > MAX_NODES {
                continue;
            }
            self.expand(number);
            rest.extend(&self.node_of(number).from);
            found.extend(self.remark_at(number, remark));
        }
        first(found, most)
    }

    /// Returns the remark of the callback on the provenance node with a number, not on its dependencies, if it makes one.
    fn remark_at(&self, number: usize, remark: RemarkCallback<'_>) -> Option<DependencyRemark> {
        let node = self.node_of(number);
        // A node with an unknown number of instances is reported by its own place, because nothing below it has one.
        let is_uncounted =
            || node.from.iter().all(|one| self.node_of(*one).kind == WhyKind::Repetition);
        let place = node.printed_place().or_else(|| node.place.filter(|_| is_uncounted()));
        let place = self.sources.resolve(place?);
        let text = remark(node, place)?;
        let address = node.address.as_deref().map(Str::from);
        Some(DependencyRemark { place, text, kind: node.kind, address, reads: node.reads.clone() })
    }
}

/// Returns the first `most` of the given remarks, sorted by place, each text once.
fn first(mut found: Vec<DependencyRemark>, most: usize) -> Vec<DependencyRemark> {
    found.sort_unstable();
    let mut kept: Vec<DependencyRemark> = Vec::new();
    for one in found {
        if kept.len() == most {
            break;
        }
        if !kept.iter().any(|known| known.text == one.text) {
            kept.push(one);
        }
    }
    kept
}
