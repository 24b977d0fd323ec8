//! Why things are unknown, and what could not be said at all: the part of the document that is ours.

use std::collections::BTreeMap;

use groma_eval::{Surroundings, causes_json};
use groma_module::{Mode, Output, Reading};
use groma_value::codec::listing;
use groma_value::json::write_string;
use groma_value::{CauseId, Value};

use super::writer::{Object, Text, array};
use crate::change::Change;
use crate::plan::Plan;

/// Writes it.
pub(super) fn write(plan: &Plan, changes: &[Change], outputs: &[Output], out: &mut Text<'_>) {
    let evaluation = plan.evaluation();
    let sources = evaluation.sources();
    let around = Surroundings { sources: &sources, causes: evaluation.causes() };
    let mut top = Object::open(out);
    let mut because = top.object("because");
    let mut reasons = Reasons { around: &around, known: BTreeMap::new() };
    for change in changes {
        reasons.write(&change.instance.address, &change.instance.value, &mut because);
    }
    for output in outputs {
        reasons.write(&format!("output.{}", &*output.name), &output.value, &mut because);
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
    let text = |address: &String, out: &mut Text<'_>| write_string(address, out.waiting());
    // Data that nobody was asked about.
    array(&unread, top.key("unread"), text);
    // Resources of which only what is written is known.
    array(&partial, top.key("partial"), text);
    top.close();
}

/// What is told of each set of causes: the instances of one resource share theirs.
struct Reasons<'a> {
    around: &'a Surroundings<'a>,
    known: BTreeMap<(Vec<CauseId>, bool), String>,
}

impl Reasons<'_> {
    fn write(&mut self, address: &str, value: &Value, because: &mut Object<'_, '_>) {
        if value.is_wholly_known() {
            return;
        }
        let mut one = because.object(address);
        for (path, causes) in listing(value).unknown {
            let key = (causes.ids().to_vec(), causes.has_more());
            let told = self.known.entry(key).or_insert_with(|| causes_json(&causes, self.around));
            one.raw(&path, told);
        }
        one.close();
    }
}
