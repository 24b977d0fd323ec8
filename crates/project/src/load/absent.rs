//! Modules that are not installed: a source that is called ten times is reported once, with the number of declarations that
//! depend on its outputs.

use groma_module::visit::Declaration;
use groma_syntax::{Diagnostic, Place};
use groma_value::Value;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::codes;
use crate::graph::Graph;
use crate::project::Project;
use crate::tree::{CalledModule, ModuleId, TreeModule};

/// Maximum number of further calls of the same source that a diagnostic lists with their places.
const MAX_LISTED_CALLS: usize = 10;

/// A module source that is called and not available, with its calls and the number of declarations that depend on them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AbsentSource {
    /// The source, as written.
    pub source: String,
    /// The source ranges of its calls, in tree order; a call in a module that is called twice is listed once.
    pub calls: Vec<Place>,
    /// The number of objects that depend on the outputs of its calls.
    pub dependents: usize,
}

impl AbsentSource {
    /// Returns a sentence on how many resources, outputs and module calls depend on the missing source; empty if none do.
    pub fn sentence(&self) -> String {
        match self.dependents {
            0 => String::new(),
            1 => " One object depends on its outputs.".to_owned(),
            count => {
                let whose = if self.calls.len() > 1 {
                    "the outputs of all its calls"
                } else {
                    "its outputs"
                };
                format!(" {count} objects depend on {whose}.")
            }
        }
    }
}

impl Project {
    /// Returns the missing module sources, in the order of their first calls.
    pub fn absent_sources(&self) -> Vec<AbsentSource> {
        of(&self.nodes, &self.graph)
    }
}

/// Collects the missing sources that the modules `nodes` call, with the number of dependents in `graph`, in the order of their
/// first calls.
fn of(nodes: &[TreeModule], graph: &Graph) -> Vec<AbsentSource> {
    let mut numbers: FxHashMap<String, usize> = FxHashMap::default();
    let mut sources: Vec<(AbsentSource, Vec<u32>)> = Vec::new();
    let mut known: FxHashSet<Place> = FxHashSet::default();
    for (at, node) in nodes.iter().enumerate() {
        for (number, call) in node.module.calls.iter().enumerate() {
            let Some(source) = call.source.as_ref() else { continue };
            let (CalledModule::Absent, Some(text)) =
                (&node.children[number], source.constant().and_then(text))
            else {
                continue;
            };
            let own = *numbers.entry(text).or_insert_with_key(|text| {
                let source = text.clone();
                sources
                    .push((AbsentSource { source, calls: Vec::new(), dependents: 0 }, Vec::new()));
                sources.len() - 1
            });
            let (absent, starts) = &mut sources[own];
            let declaration = Declaration::Call(number as u32);
            starts.push(graph.number(nodes, ModuleId(at as u32), declaration));
            if known.insert(source.place()) {
                absent.calls.push(source.place());
            }
        }
    }
    let mut count = graph.dependents_counter(nodes);
    let counted = sources.into_iter().map(|(absent, starts)| {
        let dependents = count(&starts);
        AbsentSource { dependents, ..absent }
    });
    counted.collect()
}

/// Merges the diagnostics that say that a module is not installed into one for each module source, which also tells how many
/// declarations depend on that source.
pub(super) fn merge_by_source(
    nodes: &[TreeModule],
    graph: &Graph,
    found: Vec<Diagnostic>,
) -> Vec<Diagnostic> {
    let is_about = |one: &Diagnostic| one.code == &codes::MODULE_NOT_INSTALLED;
    if !found.iter().any(is_about) {
        return found;
    }
    let sources = of(nodes, graph);
    let by_place: FxHashMap<Place, usize> = sources
        .iter()
        .enumerate()
        .flat_map(|(number, absent)| absent.calls.iter().map(move |place| (*place, number)))
        .collect();
    let mut is_reported = vec![false; sources.len()];
    let mut told = Vec::with_capacity(found.len());
    for mut one in found {
        let number = one.place.filter(|_| is_about(&one)).and_then(|place| by_place.get(&place));
        let Some(number) = number.copied() else {
            told.push(one);
            continue;
        };
        // Reported at the first call.
        if std::mem::replace(&mut is_reported[number], true) {
            continue;
        }
        let absent = &sources[number];
        one.detail.push_str(&absent.sentence());
        let others: Vec<Place> =
            absent.calls.iter().copied().filter(|place| Some(*place) != one.place).collect();
        for place in others.iter().take(MAX_LISTED_CALLS) {
            one = one.note_at("The same source is called here.", *place);
        }
        if others.len() > MAX_LISTED_CALLS {
            one = one.note(format!("It is called {} more times.", others.len() - MAX_LISTED_CALLS));
        }
        told.push(one);
    }
    told
}

/// Returns the text of a value that is a known string, else `None`.
fn text(value: Value) -> Option<String> {
    match value.bare() {
        Value::String(text) => Some(text.to_string()),
        _ => None,
    }
}
