//! What cannot be compared, as far as the change touches it: modules that are not at hand and what cannot be counted.
//! What is missing on both sides in the same way is no news.

use std::collections::{BTreeMap, BTreeSet};

use groma_address::text::module_and_rest;
use groma_config::{Incompleteness, without_keys};
use groma_plan::Plan;
use groma_syntax::Diagnostics;
use groma_value::{Path, Str};

use crate::origins::{ChangeCause, DifferenceOrigins};

/// A report on what cannot be compared.
#[derive(Default)]
pub(crate) struct MissingReport {
    /// The notes.
    pub(crate) notes: Vec<ImpactNote>,
    /// Uncountable declarations that have changed or come, by address, with the differences that lead there.
    pub(crate) undecided: BTreeMap<String, Vec<ChangeCause>>,
}

/// A note on something that cannot be compared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ImpactNote {
    /// The address.
    pub address: Str,
    /// The words behind that.
    pub text: String,
}

impl MissingReport {
    /// Returns the number of unknown changes.
    pub(crate) fn count(&self) -> usize {
        self.undecided.len() + self.notes.len()
    }

    /// Returns what is missing of the newer plan, without what has not changed.
    pub(crate) fn changed(&self, mut gaps: Incompleteness) -> Incompleteness {
        gaps.undecided.retain(|one| self.undecided.contains_key(&one.address));
        gaps
    }
}

/// Finds it out. `unknown` is what only one side knows the inside of, `lost` the files that one side does not read in full.
pub(crate) fn of(
    base: &Plan,
    head: &Plan,
    (unknown, lost): (&BTreeSet<String>, &BTreeSet<String>),
    origins: &mut DifferenceOrigins,
) -> MissingReport {
    let (was, is) = (base.gaps(), head.gaps());
    let mut found = MissingReport::default();
    let known: BTreeSet<&str> = was.undecided.iter().map(|one| one.address.as_str()).collect();
    for one in &is.undecided {
        let address = without_keys(&one.address);
        let is_new = !known.contains(one.address.as_str());
        let mut causes = || origins.causes(Some(&address), Some(&address), &Path::default());
        let because = match uncounted(&one.address) {
            Some(own) => (is_new || uncounted_differs(base, head, own)).then(causes),
            None => Some(causes()).filter(|causes| is_new || !causes.is_empty()),
        };
        if let Some(because) = because {
            found.undecided.insert(one.address.clone(), because);
        }
    }
    let mut remark = |address: &str, text: String| {
        found.notes.push(ImpactNote { address: Str::from(address), text });
    };
    for one in &is.modules {
        let before = was.modules.iter().find(|other| other.address == one.address);
        let call =
            origins.causes(before.map(|_| &*one.address), Some(&one.address), &Path::default());
        let from =
            if call.is_empty() { String::new() } else { format!(" (from {})", texts(&call)) };
        match before {
            None if !unknown.contains(&one.address) => {
                remark(
                    &one.address,
                    format!("is called but not available: what it creates is unknown{from}"),
                );
            }
            Some(before)
                if before.source != one.source
                    || before.version != one.version
                    || !call.is_empty() =>
            {
                remark(
                    &one.address,
                    format!(
                        "is not available, and its call has changed: the effect is unknown{from}"
                    ),
                );
            }
            _ => {}
        }
    }
    for one in &was.modules {
        let is_there = is.modules.iter().any(|other| other.address == one.address);
        if !is_there && !unknown.contains(&one.address) {
            remark(
                &one.address,
                "was called but not available: what it created is unknown".to_owned(),
            );
        }
    }
    for file in lost {
        remark(
            file,
            "is not read in full on one side, for its mistakes: what it declares on the other is compared with nothing".to_owned(),
        );
    }
    for address in unknown {
        remark(
            address,
            "is known on one side only: what it holds is compared with nothing".to_owned(),
        );
    }
    found
}

/// The address of what cannot be counted itself, without what stands for its keys; nothing for what is only inside of it.
fn uncounted(address: &str) -> Option<&str> {
    address.strip_suffix("[*]").filter(|own| !own.contains("[*]"))
}

/// Returns true if all the instances of something, of whatever number, may not be the same on both sides.
fn uncounted_differs(base: &Plan, head: &Plan, address: &str) -> bool {
    let (module, own) = module_and_rest(address);
    let [was, is] = [base, head].map(|plan| {
        let (evaluation, silent) = (plan.evaluation(), &mut Diagnostics::new());
        let at = match module {
            "" => evaluation.at_root(),
            module => evaluation.at(module, silent)?,
        };
        evaluation.evaluate_text_at(&at, own, "<address>", silent).fingerprint()
    });
    was.is_none() || was != is
}

fn texts(causes: &[ChangeCause]) -> String {
    let all: Vec<&str> = causes.iter().map(ChangeCause::text).collect();
    all.join(", ")
}
