//! Module calls: how often, and whether what is written for each input fits the child's variable.

use groma_syntax::{Code, Diagnostic, Diagnostics};
use groma_value::Mark;

use super::Examiner;
use crate::declare::resolve::Surroundings;
use crate::declare::{Call, Repetition};
use crate::evaluate::{Given, accept};
use crate::link::Child;

static EPHEMERAL: Code =
    Code { slug: "ephemeral-value", summary: "Ephemeral value where it cannot be kept" };
static DEPRECATED: Code = Code { slug: "deprecated-variable", summary: "Variable is deprecated" };

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
            let place = input.value.place();
            if let Some(advice) = &variable.deprecated {
                let detail =
                    format!("The variable \"{}\" is deprecated: {}", &*variable.name, &**advice);
                out.push(Diagnostic::warning(&DEPRECATED, detail).at(place));
            }
            if !variable.ephemeral && value.deep_marks().contains(&Mark::Ephemeral) {
                let detail = format!(
                    "The value is ephemeral and the variable \"{}\" of the module \"{}\" is not. Declare the variable with ephemeral = true.",
                    &*variable.name, &*call.name
                );
                out.push(Diagnostic::error(&EPHEMERAL, detail).at(place));
            }
            let origin = format!("module \"{}\"", &*call.name);
            let given = Given { value, place: Some(place), origin, is_text: false };
            let at_declaration = self.project.rules.mismatch_at_declaration;
            out.extend(accept(variable, given, at_declaration).err().map(|problem| *problem));
        }
    }
}
