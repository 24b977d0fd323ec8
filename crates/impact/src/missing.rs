//! Parts of two plans that cannot be compared, as far as the change affects them: missing modules and declarations whose
//! number of instances is unknown. Parts that are missing in the same way on both sides are not reported.

use std::collections::{BTreeMap, BTreeSet};

use groma_address::text::module_and_rest;
use groma_config::{DeclarationAddress, Incompleteness, ModulePath, UnreadModule, without_keys};
use groma_plan::Plan;
use groma_syntax::Diagnostics;
use groma_value::{Path, Str};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::origins::{ChangeCause, DifferenceOrigins};

/// The parts of two plans that cannot be compared and have changed.
#[derive(Default)]
pub(crate) struct MissingReport {
    /// Notes on missing modules and other parts that have changed.
    pub(crate) notes: Vec<ImpactNote>,
    /// Declarations with an unknown number of instances that have changed or are new, by address, with the causes.
    pub(crate) undecided: BTreeMap<String, Vec<ChangeCause>>,
}

/// A note on a module or declaration that cannot be compared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ImpactNote {
    /// The address of what cannot be compared.
    pub address: Str,
    /// The rest of the sentence after the address.
    pub text: String,
}

impl MissingReport {
    /// Returns the number of modules and declarations whose changes are unknown.
    pub(crate) fn count(&self) -> usize {
        self.undecided.len() + self.notes.len()
    }

    /// Returns what the newer plan could not evaluate, without declarations that are unknown in the same way in the older one.
    pub(crate) fn changed(&self, mut gaps: Incompleteness) -> Incompleteness {
        gaps.undecided.retain(|one| self.undecided.contains_key(&one.address));
        gaps
    }
}

/// Returns the parts of two plans that cannot be compared. `unknown` are the addresses whose contents only one side knows, `lost`
/// the files that are broken on one side.
pub(crate) fn of(
    base: &Plan,
    head: &Plan,
    (unknown, lost): (&FxHashSet<DeclarationAddress>, &BTreeSet<String>),
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
    let earlier: FxHashMap<&ModulePath, &UnreadModule> =
        was.modules.iter().map(|one| (&one.address, one)).collect();
    let is_unknown = |module: &ModulePath| {
        DeclarationAddress::of_module(module).is_some_and(|call| unknown.contains(&call))
    };
    for one in &is.modules {
        let (before, address) = (earlier.get(&one.address), one.address.to_string());
        let call = origins.causes(before.map(|_| &*address), Some(&address), &Path::default());
        let from =
            if call.is_empty() { String::new() } else { format!(" (from {})", texts(&call)) };
        match before {
            None if !is_unknown(&one.address) => {
                remark(
                    &address,
                    format!("is called but not available: what it creates is unknown{from}"),
                );
            }
            Some(before)
                if before.source != one.source
                    || before.version != one.version
                    || !call.is_empty() =>
            {
                remark(
                    &address,
                    format!(
                        "is not available, and its call has changed: the effect is unknown{from}"
                    ),
                );
            }
            _ => {}
        }
    }
    let later: FxHashSet<&ModulePath> = is.modules.iter().map(|one| &one.address).collect();
    for one in &was.modules {
        if !later.contains(&one.address) && !is_unknown(&one.address) {
            remark(
                &one.address.to_string(),
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
    let unknown: BTreeSet<String> = unknown.iter().map(ToString::to_string).collect();
    for address in &unknown {
        remark(
            address,
            "is known on one side only: what it holds is compared with nothing".to_owned(),
        );
    }
    found
}

/// Returns the address of a declaration with an unknown number of instances without its `[*]`; `None` for an address inside of
/// one.
fn uncounted(address: &str) -> Option<&str> {
    address.strip_suffix("[*]").filter(|own| !own.contains("[*]"))
}

/// Returns true if the instances of a declaration with an unknown number of them may differ between both sides.
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

/// Returns the texts of causes, separated by commas.
fn texts(causes: &[ChangeCause]) -> String {
    let all: Vec<&str> = causes.iter().map(ChangeCause::text).collect();
    all.join(", ")
}
