//! The diagnostics of a load by phase, and the inputs that they depend on. They are kept with the code: with other inputs, other
//! ones of them count.

use groma_inputs::{GivenInput, Values};
use groma_syntax::{Diagnostics, Sources};
use groma_value::{Str, identical};

/// The diagnostics of a load by phase, such as those of the root's files, of calls and of cycles. Which of them are reported as
/// errors depends on the diagnostics of the inputs.
#[derive(Default)]
pub(crate) struct LoadFindings {
    /// The diagnostics of the root's files.
    pub(crate) declared: Diagnostics,
    /// The diagnostics of backends, mocks, the workspace and the list of modules.
    pub(crate) checked: Diagnostics,
    /// The diagnostics of calls and the called modules.
    pub(crate) linked: Diagnostics,
    /// The diagnostics that concern several linked modules together, such as a call and its module.
    pub(crate) joined: Diagnostics,
    /// The diagnostics of references in cycles.
    pub(crate) ordered: Diagnostics,
    /// The diagnostics that are reported only if there are no other errors.
    pub(crate) late: Diagnostics,
    /// The version requirements that are not met.
    pub(crate) unmet: Diagnostics,
}

/// The inputs that decide which code is read, as they were given to the load: constant variables, and those that computed module
/// sources depend on.
#[derive(Default)]
pub(crate) struct DecisiveInputs {
    given: Vec<(Str, Option<GivenInput>)>,
    /// True if calls are free of errors, so that no message mentions the origin of a value.
    is_well: bool,
}

impl DecisiveInputs {
    /// Returns the inputs `names` with the values that `values` gives them; `is_well` is true if the diagnostics of calls contain
    /// no errors.
    pub(crate) fn of(names: Vec<Str>, values: &Values, is_well: bool) -> DecisiveInputs {
        let given = names.into_iter().map(|name| {
            let given = values.get(&name).cloned();
            (name, given)
        });
        DecisiveInputs { given: given.collect(), is_well }
    }

    /// Returns true if the inputs `values` lead to the same code and the same diagnostics of calls as these decisive inputs do;
    /// `sources` are the texts that places of these inputs and of `values`, in this order, refer to.
    pub(crate) fn are_same(&self, values: &Values, sources: [&Sources; 2]) -> bool {
        self.given.iter().all(|(name, before)| match (before, values.get(name)) {
            (None, None) => true,
            (Some(before), Some(now)) => {
                let told = |one: &GivenInput, sources: &Sources| {
                    let place =
                        one.place.map(|at| (sources.get(at.file).name().to_owned(), at.span));
                    (place, one.origin.clone(), one.by, one.is_text, one.is_unread)
                };
                identical(&before.value, &now.value)
                    && (self.is_well || told(before, sources[0]) == told(now, sources[1]))
            }
            _ => false,
        })
    }
}
