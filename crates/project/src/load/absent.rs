//! Modules that are not installed: whoever calls them ten times hears of it once, with how much waits for what they give.

use groma_module::visit::Declaration;
use groma_syntax::{Diagnostic, Place};
use groma_value::Value;
use rustc_hash::FxHashMap;

use crate::codes;
use crate::graph::Graph;
use crate::tree::{Child, ModuleId, TreeModule};

/// So many further calls are told by their places.
const TOLD: usize = 10;

/// The calls of one source.
#[derive(Default)]
struct Calls {
    starts: Vec<u32>,
    places: Vec<Place>,
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
    let mut sources: FxHashMap<String, Calls> = FxHashMap::default();
    let mut texts: FxHashMap<Place, String> = FxHashMap::default();
    for (at, node) in nodes.iter().enumerate() {
        for (number, call) in node.module.calls.iter().enumerate() {
            let Some(source) = call.source.as_ref() else { continue };
            let (Child::Absent, Some(text)) =
                (&node.children[number], source.constant().and_then(text))
            else {
                continue;
            };
            let calls = sources.entry(text.clone()).or_default();
            let declaration = Declaration::Call(number as u32);
            calls.starts.push(graph.number(nodes, ModuleId(at as u32), declaration));
            // A module that is called twice has its calls twice.
            if texts.insert(source.place(), text).is_none() {
                calls.places.push(source.place());
            }
        }
    }
    let mut told = Vec::with_capacity(found.len());
    for mut one in found {
        let text = one.place.filter(|_| is_about(&one)).and_then(|place| texts.get(&place));
        let Some(text) = text else {
            told.push(one);
            continue;
        };
        // It is told where it is called first.
        let Some(calls) = sources.remove(text) else { continue };
        match graph.count_waiting(nodes, &calls.starts) {
            0 => {}
            1 => one.detail.push_str(" One object waits for what it gives."),
            count => {
                let whose = if calls.places.len() > 1 { "all its calls give" } else { "it gives" };
                one.detail.push_str(&format!(" {count} objects wait for what {whose}."));
            }
        }
        let others: Vec<Place> =
            calls.places.into_iter().filter(|place| Some(*place) != one.place).collect();
        for place in others.iter().take(TOLD) {
            one = one.note_at("The same source is called here.", *place);
        }
        if others.len() > TOLD {
            one = one.note(format!("It is called {} times more.", others.len() - TOLD));
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
