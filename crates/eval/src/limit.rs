//! Diagnostics for a run that ended at a limit: the limit that was reached, and how to raise it.

use crate::codes;
use groma_runtime::{Quota, RunEnd};
use groma_syntax::Diagnostic;

/// Returns the diagnostic for a run that ended at a limit; `current_work` names what was being evaluated, such as an address, or
/// is empty.
pub fn ended(bound: RunEnd, quota: &Quota, current_work: &str) -> Diagnostic {
    let during = match current_work {
        "" => String::new(),
        what => format!(" It was working on {what}."),
    };
    let (row, why, more) = match bound {
        RunEnd::Steps => (
            &codes::LIMIT_STEPS,
            format!("The run was stopped after {} steps.", quota.steps),
            " Use smaller collections, or allow more with --limit steps=NUMBER.",
        ),
        RunEnd::Memory => (
            &codes::LIMIT_MEMORY,
            format!("The run was stopped because it needs more memory than {}.", size(quota.bytes)),
            " Use smaller values, or allow more with --memory SIZE.",
        ),
        RunEnd::Instances => (
            &codes::LIMIT_INSTANCES,
            format!("The run was stopped because it has more than {} instances.", quota.instances),
            " Look for a product of counts, or allow more with --limit instances=NUMBER.",
        ),
        RunEnd::Sources => (
            &codes::LIMIT_SOURCES,
            format!(
                "The run was stopped because it reads more than {} of files.",
                size(quota.source_bytes)
            ),
            " Allow more with --limit sources=SIZE.",
        ),
        RunEnd::Output => (
            &codes::LIMIT_OUTPUT,
            format!("The output is longer than {}.", size(quota.output_bytes)),
            " Print a part of it, or allow more with --limit output=SIZE.",
        ),
        RunEnd::Time => (
            &codes::LIMIT_TIME,
            "The run was stopped because its time is over.".to_owned(),
            " Allow more with --timeout DURATION.",
        ),
        RunEnd::Cancelled => (&codes::LIMIT_CANCELLED, "The run was cancelled.".to_owned(), ""),
    };
    Diagnostic::error(row, format!("{why}{during}{more}"))
}

/// Returns a number of bytes as text, in the largest unit that leaves a whole number.
fn size(bytes: u64) -> String {
    let units = [
        (1_000_000_000, "GB"),
        (1 << 30, "GiB"),
        (1_000_000, "MB"),
        (1 << 20, "MiB"),
        (1_000, "KB"),
        (1 << 10, "KiB"),
    ];
    let unit = units.iter().find(|(unit, _)| bytes >= *unit && bytes.is_multiple_of(*unit));
    unit.map_or_else(|| format!("{bytes} bytes"), |(unit, name)| format!("{} {name}", bytes / unit))
}
