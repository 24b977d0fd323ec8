//! Why things are unknown, and what could not be said at all: the part of the document that is ours.

use groma_eval::{Surroundings, causes_json};
use groma_module::{Mode, Output, Reading};
use groma_value::codec::listing;
use groma_value::{Value, json};

use super::writer::{Object, array};
use crate::change::Change;
use crate::plan::Plan;

/// Writes it.
pub(super) fn write(plan: &Plan, changes: &[Change], outputs: &[Output], out: &mut String) {
    let evaluation = plan.evaluation();
    let sources = evaluation.sources();
    let around = Surroundings { sources: &sources, causes: evaluation.causes() };
    let mut top = Object::open(out);
    let mut because = top.object("because");
    for change in changes {
        unknowns(&change.instance.address, &change.instance.value, &around, &mut because);
    }
    for output in outputs {
        unknowns(&format!("output.{}", &*output.name), &output.value, &around, &mut because);
    }
    because.close();
    let modules = plan.modules();
    let deferred: Vec<_> = modules.iter().flat_map(|module| module.deferred()).collect();
    array(&deferred, top.key("deferred"), |deferred, out| {
        let mut one = Object::open(out);
        one.text("address", &deferred.address);
        one.raw("because", &causes_json(&deferred.causes, &around));
        one.close();
    });
    let mut unread = Vec::new();
    let mut partial = Vec::new();
    for module in &modules {
        for (at, resource) in module.module().resources.iter().enumerate() {
            for instance in module.instances(at) {
                match resource.mode {
                    Mode::Data if instance.reading == Some(Reading::Unread) => {
                        unread.push(instance.address);
                    }
                    Mode::Managed if !instance.is_whole => partial.push(instance.address),
                    _ => {}
                }
            }
        }
    }
    let text = |address: &String, out: &mut String| out.push_str(&json::string(address));
    // Data that nobody was asked about.
    array(&unread, top.key("unread"), text);
    // Resources of which only what is written is known.
    array(&partial, top.key("partial"), text);
    top.close();
}

fn unknowns(address: &str, value: &Value, around: &Surroundings<'_>, because: &mut Object<'_>) {
    if value.is_wholly_known() {
        return;
    }
    let mut one = because.object(address);
    for (path, causes) in listing(value).unknown {
        one.raw(&path, &causes_json(&causes, around));
    }
    one.close();
}
