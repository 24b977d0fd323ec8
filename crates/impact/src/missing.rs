//! Parts of two plans that cannot be compared, as far as the change affects them: missing modules and declarations whose
//! number of instances is unknown. Parts that are missing in the same way on both sides are not reported.

use std::collections::BTreeSet;

use groma_config::{
    DeclarationAddress, Incompleteness, ModulePath, UndecidedAddress, UnreadModule,
};
use groma_plan::Plan;
use groma_syntax::Diagnostics;
use groma_value::{Path, Str};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::compared_address::ComparedAddress;
use crate::origins::{ChangeCause, DifferenceOrigins};

/// The modules, files and declarations that may have changed but cannot be compared, because they could not be read or counted.
#[derive(Default)]
pub(crate) struct MissingReport {
    /// Notes on missing modules and other parts that have changed.
    pub(crate) notes: Vec<ImpactNote>,
    /// Declarations with an unknown number of instances that have changed or are new, by address, with the causes.
    pub(crate) undecided: FxHashMap<UndecidedAddress, Vec<ChangeCause>>,
}

/// A note on a module, file or declaration that cannot be compared, because it could not be read in one revision or both.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ImpactNote {
    /// The address of the module or declaration.
    pub address: Str,
    /// The rest of the sentence after the address.
    pub text: String,
}

impl MissingReport {
    /// Returns the number of modules, files and declarations of which it is unknown what has changed in them.
    pub(crate) fn count(&self) -> usize {
        self.undecided.len() + self.notes.len()
    }

    /// Returns what the newer plan could not evaluate, without declarations that are unknown in the same way in the older one.
    pub(crate) fn changed(&self, mut gaps: Incompleteness) -> Incompleteness {
        gaps.undecided.retain(|one| self.undecided.contains_key(&one.address));
        gaps
    }
}

/// Returns the modules and declarations of two plans that cannot be compared and have changed; `unknown` are the declarations
/// whose contents only one plan knows, and `lost` the files that are not read in full on one side.
pub(crate) fn of(
    base: &Plan,
    head: &Plan,
    (unknown, lost): (&FxHashSet<DeclarationAddress>, &BTreeSet<String>),
    origins: &mut DifferenceOrigins,
) -> MissingReport {
    let (was, is) = (base.gaps(), head.gaps());
    let undecided = undecided_causes(base, head, origins);
    let mut found = MissingReport { undecided, ..MissingReport::default() };
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
        let call = match DeclarationAddress::of_module(&one.address).map(ComparedAddress::from) {
            Some(call) => origins.causes(before.map(|_| &call), Some(&call), &Path::default()),
            None => Vec::new(),
        };
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

/// Returns the declarations with an unknown number of instances that have changed or are new, with the causes.
fn undecided_causes(
    base: &Plan,
    head: &Plan,
    origins: &mut DifferenceOrigins,
) -> FxHashMap<UndecidedAddress, Vec<ChangeCause>> {
    let mut found = FxHashMap::default();
    let known: FxHashSet<&UndecidedAddress> =
        base.gaps().undecided.iter().map(|one| &one.address).collect();
    for one in &head.gaps().undecided {
        let address = ComparedAddress::from(one.address.declaration());
        let is_new = !known.contains(&one.address);
        let mut causes = || origins.causes(Some(&address), Some(&address), &Path::default());
        let because = match one.address.is_outermost() {
            true => (is_new || uncounted_differs(base, head, &one.address)).then(causes),
            false => Some(causes()).filter(|causes| is_new || !causes.is_empty()),
        };
        if let Some(because) = because {
            found.insert(one.address.clone(), because);
        }
    }
    found
}

/// Returns true if the instances of a declaration with an unknown number of them may differ between the two plans.
fn uncounted_differs(base: &Plan, head: &Plan, address: &UndecidedAddress) -> bool {
    let (module, own) = (address.module().to_string(), address.name().to_string());
    let [was, is] = [base, head].map(|plan| {
        let (evaluation, silent) = (plan.evaluation(), &mut Diagnostics::new());
        let at = evaluation.at_module(&module, silent)?;
        evaluation.evaluate_text_at(&at, &own, "<address>", silent).fingerprint()
    });
    was.is_none() || was != is
}

/// Returns the texts of causes, separated by commas.
fn texts(causes: &[ChangeCause]) -> String {
    let all: Vec<&str> = causes.iter().map(ChangeCause::text).collect();
    all.join(", ")
}
