//! Modules that are not installed: a source that is called ten times is reported once, with how much waits for what
//! they give.

use groma_module::visit::Declaration;
use groma_syntax::{Diagnostic, Place};
use groma_value::Value;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::codes;
use crate::graph::Graph;
use crate::project::Project;
use crate::tree::{CalledModule, ModuleId, TreeModule};

/// The maximum number of further calls that are told by their places.
const TOLD: usize = 10;

/// A source of modules that is not at hand, and what waits for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AbsentSource {
    /// The source, as it is written.
    pub source: String,
    /// The place where it is called, in the order of the tree; a module that is called twice has its calls once.
    pub calls: Vec<Place>,
    /// The number of objects that wait for the outputs of its calls.
    pub waiting: usize,
}

impl AbsentSource {
    /// Returns how much waits for it, as a sentence; nothing where nothing does.
    pub fn sentence(&self) -> String {
        match self.waiting {
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
    /// The sources of modules that are not at hand, in the order of their first calls.
    pub fn absent_sources(&self) -> Vec<AbsentSource> {
        of(&self.nodes, &self.graph)
    }
}

/// The sources that are not at hand.
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
                sources.push((AbsentSource { source, calls: Vec::new(), waiting: 0 }, Vec::new()));
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
    let mut count = graph.counter_of_waiting(nodes);
    let counted = sources.into_iter().map(|(absent, starts)| {
        let waiting = count(&starts);
        AbsentSource { waiting, ..absent }
    });
    counted.collect()
}

/// Makes one finding of those about calls of the same source, and says how much waits for what it gives.
pub(super) fn tell_once(
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
    let mut is_told = vec![false; sources.len()];
    let mut told = Vec::with_capacity(found.len());
    for mut one in found {
        let number = one.place.filter(|_| is_about(&one)).and_then(|place| by_place.get(&place));
        let Some(number) = number.copied() else {
            told.push(one);
            continue;
        };
        // It is told where it is called first.
        if std::mem::replace(&mut is_told[number], true) {
            continue;
        }
        let absent = &sources[number];
        one.detail.push_str(&absent.sentence());
        let others: Vec<Place> =
            absent.calls.iter().copied().filter(|place| Some(*place) != one.place).collect();
        for place in others.iter().take(TOLD) {
            one = one.note_at("The same source is called here.", *place);
        }
        if others.len() > TOLD {
            one = one.note(format!("It is called {} more times.", others.len() - TOLD));
        }
        told.push(one);
    }
    told
}

fn text(value: Value) -> Option<String> {
    match value.bare() {
        Value::String(text) => Some(text.to_string()),
        _ => None,
    }
}
