//! Conversion of a comparison of two revisions to a review. A possible change is an item like any other, marked as such.

use groma_impact::{ChangeCause, ComparedAddress, Comparison, DifferingPart, ErrorChanges};
use groma_syntax::{Diagnostic, Sources};
use groma_value::Str;
use groma_value::sentence::plural;

use crate::model::{DifferenceOrigin, OutputItem, Review, ReviewRemark};
use crate::planned;
use crate::possible;
use crate::reasons::UnknownReasons;

/// Maximum number of variables without a value, or of errors, that a sentence about a comparison names.
const MAX_NAMED: usize = 5;

/// The text that follows a part of an object that may differ for an unknown cause.
const MAY_DIFFER: &str = "may differ";

impl Review {
    /// Returns the review of a comparison of the plans of two revisions.
    pub fn of_comparison(comparison: &Comparison) -> Review {
        let renames = comparison.renames().iter().map(|rename| ReviewRemark {
            address: Str::from(&rename.from),
            text: format!(
                "is destroyed and {} created with the same values: if this is a rename, a moved block keeps the object",
                rename.to
            ),
        });
        let notes = comparison.notes().iter();
        let notes = notes
            .map(|note| ReviewRemark { address: note.address.clone(), text: note.text.clone() });
        let mut items = planned::items(comparison.changes().iter());
        for (item, change) in items.iter_mut().zip(comparison.changes()) {
            let address = ComparedAddress::from(change.instance.address.clone());
            item.origins = origins(comparison.parts(&address));
            // Unknown parts are explained one by one.
            item.is_possible = std::mem::take(&mut item.is_open);
        }
        let outputs = comparison.outputs().iter().cloned().map(|output| {
            let address = ComparedAddress::output(&output.name);
            let origins = origins(comparison.parts(&address));
            let is_possible = comparison.is_possible(&address);
            OutputItem { origins, is_possible, ..planned::output(output) }
        });
        let (base, head) = (comparison.base(), comparison.head());
        let changes = comparison.changes().iter();
        let mut review = Review {
            items,
            outputs: outputs.collect(),
            without_schema: changes.filter(|one| !one.instance.is_whole).count(),
            is_partial: head.is_errored(),
            before: UnknownReasons::of(base.evaluation()),
            after: UnknownReasons::of(head.evaluation()),
            gaps: comparison.gaps(),
            remarks: notes.chain(renames).collect(),
            unknown: comparison.unknown_count(),
            ignored: comparison.ignored().iter().map(|one| one.to_string().into()).collect(),
            outside: comparison.outside().to_vec(),
            is_comparison: true,
            notes: sentences(comparison),
            ..Review::default()
        };
        review.possible = possible::groups(comparison, &review);
        review.uncounted = possible::uncounted(comparison, &review);
        review
    }
}

/// Returns sentences on a comparison as a whole: about errors in both revisions, and about variables without a value.
fn sentences(comparison: &Comparison) -> Vec<String> {
    let (base, head) = (comparison.base().evaluation(), comparison.head().evaluation());
    let ErrorChanges { shared, new, mended } = comparison.errors();
    let named = |errors: &[Diagnostic], sources: &Sources| {
        let words = errors.iter().take(MAX_NAMED).map(|one| ErrorChanges::words(one, sources));
        let more = match errors.len().saturating_sub(MAX_NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        format!("{}{more}", words.collect::<Vec<_>>().join(", "))
    };
    let mut all = Vec::new();
    if *shared > 0 {
        let dir = head.project().dir();
        let dir = if dir == "." { String::new() } else { format!(" {dir}") };
        let count = plural(*shared, "error");
        let them = if *shared == 1 { "it" } else { "them" };
        all.push(format!("{count} on both sides; `groma check{dir}` shows {them}."));
    }
    if !new.is_empty() {
        let count = plural(new.len(), "new error");
        all.push(format!("{count}: {}.", named(new, &head.sources())));
    }
    if !mended.is_empty() {
        let count = plural(mended.len(), "error");
        let verb = if mended.len() == 1 { "is" } else { "are" };
        let words = named(mended, &base.sources());
        all.push(format!(
            "{count} {verb} fixed, so the earlier code may be described only in part: {words}."
        ));
    }
    all.extend(comparison.open_inputs().map(inputs_sentence));
    all
}

/// Returns the sentence about variables that have no value and were therefore left unknown.
fn inputs_sentence(without_value: &[Str]) -> String {
    let names: Vec<String> =
        without_value.iter().take(MAX_NAMED).map(|name| format!("\"{name}\"")).collect();
    let more = match without_value.len().saturating_sub(MAX_NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    match names.as_slice() {
        [] => "Compared with unknown inputs: what is not given is unknown.".to_owned(),
        [one] => format!("Compared with unknown inputs, because {one} has no value."),
        all => {
            format!(
                "Compared with unknown inputs, because {}{more} have no values.",
                all.join(", ")
            )
        }
    }
}

/// Returns the causes of differing parts as texts by path; parts that certainly differ for an unknown cause are left out.
fn origins(parts: &[DifferingPart]) -> Vec<DifferenceOrigin> {
    let told = |part: &DifferingPart| {
        let causes: Vec<&str> = part.because.iter().map(ChangeCause::text).collect();
        let text = match (part.is_possible, causes.as_slice()) {
            (false, []) => return None,
            (true, []) => Str::from(MAY_DIFFER),
            (false, all) => format!("from {}", all.join(", ")).into(),
            (true, all) => format!("{MAY_DIFFER}, from {}", all.join(", ")).into(),
        };
        Some(DifferenceOrigin { path: part.path.clone(), text })
    };
    parts.iter().filter_map(told).collect()
}
