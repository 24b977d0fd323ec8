//! Module calls: how often, and whether what is written for each input fits the child's variable.

use groma_syntax::Diagnostics;

use super::Examiner;
use crate::declare::resolve::Surroundings;
use crate::declare::{Call, Repetition};
use crate::deprecation;
use crate::evaluate::{accept, handed_over};
use crate::link::Child;

/// What the instances of a repetition see.
pub(super) fn inside(repetition: &Repetition) -> Surroundings {
    Surroundings {
        count: matches!(repetition, Repetition::Count(_)),
        each: matches!(repetition, Repetition::Each(_)),
        ..Surroundings::default()
    }
}

impl Examiner<'_> {
    pub(super) fn call(&self, at: usize, call: &Call, out: &mut Diagnostics) {
        self.repetition(&call.repetition, &Surroundings::default(), out);
        let child = match self.node.children[at] {
            Child::Module(id) => Some(&self.project.nodes[id.0 as usize].module),
            Child::Absent => None,
        };
        let context = self.within(&inside(&call.repetition));
        for input in &call.inputs {
            let before = out.error_count();
            let value = self.evaluate(&input.value, &context, out);
            if out.error_count() > before {
                continue;
            }
            let variable = child.and_then(|child| {
                let at = child.names.variable(&input.name)?;
                child.variables.get(at as usize)
            });
            let Some(variable) = variable else { continue };
            deprecation::tell_only(&value, &input.value, out);
            let place = input.value.place();
            let given = handed_over(call, variable, value, place, &self.project.rules, out);
            let at_declaration = self.project.rules.mismatch_at_declaration;
            out.extend(accept(variable, given, at_declaration).err().map(|problem| *problem));
        }
    }
}
