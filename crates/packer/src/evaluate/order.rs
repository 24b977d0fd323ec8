//! The order of evaluation of locals and data: dependencies come first. Missing names and cycles are reported here, before
//! evaluation, so that no `try` hides them.

use std::sync::Arc;

use groma_config::did_you_mean;
use groma_eval::{Reference, Step};
use groma_syntax::{Diagnostic, Diagnostics, Place};
use groma_value::{Str, Value};
use rustc_hash::FxHashSet;

use super::TemplateState;
use crate::codes;
use crate::declare::{DataBlock, TemplateDeclaration};

/// A local value or data block as a unit of evaluation, by its index in the template's list of its kind.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum TemplateCell {
    /// An index in the local values.
    Local(usize),
    /// An index in the data blocks.
    Data(usize),
}

impl TemplateCell {
    /// Converts to a `TemplateDeclaration`, the type that also covers source blocks and builds.
    fn declaration(self) -> TemplateDeclaration {
        match self {
            TemplateCell::Local(at) => TemplateDeclaration::Local(at),
            TemplateCell::Data(at) => TemplateDeclaration::Data(at),
        }
    }
}

/// Maximum length of a chain of local values that Packer follows when it evaluates sequentially; a longer chain is an error.
const MAX_DEPTH: usize = 10;

/// The result of resolving a reference: local values and data blocks, or the message that they do not exist.
enum WantedCell {
    /// The local values and data blocks that the reference needs.
    Cells(Vec<TemplateCell>),
    /// The message about a missing declaration.
    Missing(String),
}

impl TemplateState {
    /// Returns every local value and data block in dependency order; `None`, after a report, if a name is missing or there is a
    /// cycle.
    pub(super) fn order(self: &Arc<Self>, out: &mut Diagnostics) -> Option<Vec<TemplateCell>> {
        let before = out.error_count();
        let locals = (0..self.template.locals.len()).map(TemplateCell::Local);
        let all: Vec<TemplateCell> =
            locals.chain((0..self.template.data.len()).map(TemplateCell::Data)).collect();
        for cell in &all {
            self.report_missing(*cell, out);
        }
        if out.error_count() > before {
            return None;
        }
        let mut ordered = Vec::with_capacity(all.len());
        let mut done: FxHashSet<TemplateCell> = FxHashSet::default();
        let mut open: FxHashSet<TemplateCell> = FxHashSet::default();
        for cell in all {
            // The current path with the remaining dependencies of each; iterative, because chains may be long.
            let mut way: Vec<(TemplateCell, Vec<TemplateCell>)> = Vec::new();
            if !done.contains(&cell) {
                open.insert(cell);
                way.push((cell, self.needs(cell)));
            }
            while let Some((at, needs)) = way.last_mut() {
                let at = *at;
                let Some(next) = needs.pop() else {
                    open.remove(&at);
                    done.insert(at);
                    ordered.push(at);
                    way.pop();
                    continue;
                };
                if done.contains(&next) {
                    continue;
                }
                if !open.insert(next) {
                    let from = way.iter().position(|(cell, _)| *cell == next).unwrap_or(0);
                    let ring: Vec<TemplateCell> =
                        way[from..].iter().map(|(cell, _)| *cell).collect();
                    self.report_ring(&ring, out);
                    return None;
                }
                way.push((next, self.needs(next)));
            }
        }
        Some(ordered)
    }

    /// Returns the local values and data blocks on which another one depends directly, without duplicates, in descending order.
    pub(super) fn needs(&self, cell: TemplateCell) -> Vec<TemplateCell> {
        let mut found: Vec<TemplateCell> = Vec::new();
        self.template.visit_one(cell.declaration(), &mut |expression| {
            for (reference, _) in expression.references() {
                if let Some(WantedCell::Cells(cells)) = self.target(reference, false) {
                    found.extend(cells);
                }
            }
        });
        found.sort_unstable();
        found.dedup();
        found.reverse();
        found
    }

    /// Reports references to undeclared local values and data blocks in the expressions of a local value or data block.
    fn report_missing(&self, cell: TemplateCell, out: &mut Diagnostics) {
        self.template.visit_one(cell.declaration(), &mut |expression| {
            for (reference, place) in expression.references() {
                if let Some(WantedCell::Missing(detail)) = self.target(reference, true) {
                    out.push(Diagnostic::error(&codes::UNDECLARED_NAME, detail).at(place));
                }
            }
        });
    }

    /// Reports data blocks that refer to local values, which `-use-sequential-evaluation` does not allow: it reads all data
    /// before them.
    pub(super) fn report_sequence(&self, out: &mut Diagnostics) {
        for at in 0..self.template.data.len() {
            self.template.visit_one(TemplateDeclaration::Data(at), &mut |expression| {
                let of_locals = |reference: &Reference| &*reference.root == "local";
                for (_, place) in expression.references().filter(|(one, _)| of_locals(one)) {
                    let detail = "With -use-sequential-evaluation all data sources are read before any local value is evaluated, so they cannot refer to one.";
                    out.push(Diagnostic::error(&codes::DATA_NEEDS_LOCAL, detail).at(place));
                }
            });
        }
    }

    /// Reports local values with a chain of dependencies that is too long for Packer with `-use-sequential-evaluation`, which
    /// evaluates them in source order.
    pub(super) fn report_chains(&self, out: &mut Diagnostics) {
        let count = self.template.locals.len();
        // The length of the chain from each value on; `None` if it is evaluated already.
        let mut depths: Vec<Option<usize>> = vec![None; count];
        let mut done = vec![false; count];
        let inner = |at: usize| {
            self.needs(TemplateCell::Local(at)).into_iter().filter_map(|cell| match cell {
                TemplateCell::Local(at) => Some(at),
                TemplateCell::Data(_) => None,
            })
        };
        let mut as_written: Vec<usize> = (0..count).collect();
        as_written.sort_by_key(|at| {
            let place = self.template.locals[*at].place;
            (place.file, place.span.start)
        });
        for start in as_written {
            let mut way = vec![(start, inner(start).collect::<Vec<_>>())];
            let mut worked_out = Vec::new();
            while let Some((at, needs)) = way.last_mut() {
                let at = *at;
                let next = needs.pop();
                if let Some(next) = next {
                    if !done[next] && depths[next].is_none() {
                        way.push((next, inner(next).collect()));
                    }
                    continue;
                }
                let below = inner(at).filter(|one| !done[*one]).filter_map(|one| depths[one]).max();
                depths[at] = Some(1 + below.unwrap_or_default());
                worked_out.push(at);
                way.pop();
            }
            if depths[start].is_some_and(|depth| depth > MAX_DEPTH) && !done[start] {
                let local = &self.template.locals[start];
                let detail = format!(
                    "With -use-sequential-evaluation Packer follows references between local values that are not yet evaluated at most {MAX_DEPTH} levels deep, but from local.{} on there are {}.",
                    &*local.name,
                    depths[start].unwrap_or_default()
                );
                out.push(Diagnostic::error(&codes::LOCAL_CHAIN, detail).at(local.place));
            }
            worked_out.into_iter().for_each(|at| done[at] = true);
        }
    }

    /// Returns the local values and data blocks that a reference names, or, if `check` is true and none of that name is declared,
    /// the message that says so; otherwise `None`.
    fn target(&self, reference: &Reference, check: bool) -> Option<WantedCell> {
        let template = &self.template;
        let step = |at: usize| reference.steps.get(at).and_then(name);
        match &*reference.root {
            "local" => {
                let Some(name) = step(0) else {
                    // All of them: those that exist by then.
                    return None;
                };
                if let Some(at) = self.local(&name) {
                    return Some(WantedCell::Cells(vec![TemplateCell::Local(at)]));
                }
                if !check || !matches!(reference.steps.first(), Some(Step::Attribute(_))) {
                    return None;
                }
                let hint = did_you_mean(&name, template.locals.iter().map(|local| &*local.name));
                Some(WantedCell::Missing(format!(
                    "There is no local value \"{}\". Declare it in a locals block.{hint}",
                    &*name
                )))
            }
            "data" => {
                let (kind, name) = (step(0), step(1));
                let cells: Vec<TemplateCell> = match (&kind, &name) {
                    (Some(kind), Some(name)) => {
                        template.data_at(kind, name).map(TemplateCell::Data).into_iter().collect()
                    }
                    // All of one type, or all.
                    _ => {
                        let all = template.data.iter().enumerate();
                        let of_kind =
                            |data: &DataBlock| kind.as_ref().is_none_or(|k| data.kind == *k);
                        all.filter(|(_, data)| of_kind(data))
                            .map(|(at, _)| TemplateCell::Data(at))
                            .collect()
                    }
                };
                if !cells.is_empty() || !check {
                    return Some(WantedCell::Cells(cells));
                }
                let (kind, name) = (kind?, name?);
                let known = template.data.iter().filter(|data| data.kind == kind);
                let hint = did_you_mean(&name, known.map(|data| &*data.name));
                Some(WantedCell::Missing(format!(
                    "There is no block data \"{}\" \"{}\".{hint}",
                    &*kind, &*name
                )))
            }
            _ => None,
        }
    }

    /// Returns the index of the local value with a name, if it is declared.
    pub(crate) fn local(&self, name: &str) -> Option<usize> {
        self.template.locals.binary_search_by(|local| (*local.name).cmp(name)).ok()
    }

    /// Returns the address and source range of a local value or data block, for messages.
    fn describe(&self, cell: TemplateCell) -> (String, Place) {
        match cell {
            TemplateCell::Local(at) => {
                let local = &self.template.locals[at];
                (format!("local.{}", &*local.name), local.place)
            }
            TemplateCell::Data(at) => {
                let data = &self.template.data[at];
                (data.address(), data.place)
            }
        }
    }

    /// Reports a dependency cycle; `ring` holds its members in the order of their references.
    fn report_ring(&self, ring: &[TemplateCell], out: &mut Diagnostics) {
        let first = ring.iter().enumerate().min_by_key(|(_, cell)| **cell).map_or(0, |(at, _)| at);
        let turned: Vec<TemplateCell> =
            ring[first..].iter().chain(&ring[..first]).copied().collect();
        let Some(start) = turned.first() else { return };
        let (name, place) = self.describe(*start);
        let detail = match turned.len() {
            1 => format!("{name} refers to itself, so it can have no value."),
            _ => {
                let names: Vec<String> =
                    turned.iter().chain([start]).map(|cell| self.describe(*cell).0).collect();
                format!(
                    "These values refer to each other in a cycle, so none can be evaluated: {}.",
                    names.join(" → ")
                )
            }
        };
        let mut found = Diagnostic::error(&codes::REFERENCE_CYCLE, detail).at(place);
        for cell in turned.iter().skip(1).take(10) {
            let (name, place) = self.describe(*cell);
            found = found.note_at(format!("{name} is declared here."), place);
        }
        out.push(found);
    }
}

/// Returns the name in a reference step: that of an attribute or a string key; `None` for any other step.
fn name(step: &Step) -> Option<Str> {
    match step {
        Step::Attribute(name) => Some(name.clone()),
        Step::Index(Value::String(name)) => Some(name.clone()),
        _ => None,
    }
}
