//! The actions that carrying a plan out would run: those that the changes of resources trigger.
//! Against an empty state every resource is made, so only the events of making count.

use groma_folder::Mode;
use groma_module::declare::Event;
use groma_project::Invocation;
use groma_syntax::Diagnostics;

use crate::plan::Plan;

/// An action that would run.
#[derive(Clone, Debug)]
pub struct Invoked {
    /// What runs, when, and what triggers it.
    pub invocation: Invocation,
    /// The address of its provider.
    pub provider: String,
}

/// The events of something that is made.
const MADE: [Event; 2] = [Event::BeforeCreate, Event::AfterCreate];

/// The actions that the changes of a plan trigger. What is wrong with triggers shows only now.
pub(crate) fn triggered(plan: &Plan, out: &mut Diagnostics) -> Vec<Invoked> {
    let mut found = Vec::new();
    for module in plan.modules() {
        let resources = module.module().resources.iter().enumerate();
        for (at, resource) in
            resources.filter(|(_, one)| !one.lifecycle().action_triggers.is_empty())
        {
            if resource.mode != Mode::Managed {
                continue;
            }
            for instance in module.instances(at) {
                for invocation in module.invocations(at, &instance.key, &MADE, out) {
                    let Some(declared) = module.module().resources.get(invocation.declared) else {
                        continue;
                    };
                    let provider = module.node().provider_named(declared.provider_name());
                    found.push(Invoked { invocation, provider });
                }
            }
        }
    }
    found
}
