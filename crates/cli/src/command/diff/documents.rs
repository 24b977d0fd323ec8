//! `groma diff A.json B.json`: compares two plan documents. With `--against`, checks a comparison of code against such a
//! document.

use groma::json::JsonObject;
use groma::review::{ComparedDocuments, DeniedClaim, PlanDocument, denied_claims};
use groma::values::sentence::plural;
use groma::{Dialect, Edition, schemas::ProviderSchemas};
use groma_syntax::render::harmless;

use super::super::{plan, show};
use crate::flag::CommandArgs;
use crate::host::MachineContext;
use crate::revisions::ComparedSides;
use crate::session::{EarlyStop, ExitStatus, RunSession};
use crate::view::json;

/// Returns true if both operands name existing files that end with `.json`, which are read as plan documents.
pub(super) fn are_documents(operands: [&str; 2], machine: &MachineContext) -> bool {
    operands.iter().all(|one| one.ends_with(".json") && machine.is_file(one))
}

/// Reads a plan document from a file; `schemas`, and for the built-in provider its schemas in `edition`, determine which
/// attributes are nested blocks and which are sets.
fn read(
    file: &str,
    schemas: &ProviderSchemas,
    edition: Edition,
    session: &RunSession<'_>,
) -> Result<PlanDocument, EarlyStop> {
    let text = show::read_plan(file, session)?;
    let shape = |source: &str, mode, kind: &str| {
        groma::schemas::shape_of(schemas, source, mode, kind, edition)
    };
    PlanDocument::read(&text, &shape).map_err(|why| EarlyStop::Absent(format!("{file}: {why}")))
}

/// Compares two plan documents and prints the differences.
pub(super) fn run(
    [base, head]: [&str; 2],
    args: &CommandArgs,
    session: &mut RunSession<'_>,
) -> Result<ExitStatus, EarlyStop> {
    if args.moved || args.writes || args.against.is_some() || !args.roots.is_empty() {
        return Err(EarlyStop::Misuse(
            "two plan documents are compared as they are: --moved, -write, --against and --roots are about code.".into(),
        ));
    }
    let schemas = ProviderSchemas::default();
    // The document does not name its edition; the newest built-in schemas include all older ones.
    let edition = Edition::newest(Dialect::Terraform);
    let (was, is) =
        (read(base, &schemas, edition, session)?, read(head, &schemas, edition, session)?);
    let is_errored = is.is_errored;
    let found = ComparedDocuments::between(was, is, args.all);
    if args.json {
        json::print(args.layout(), session.out, &session.watch, |out| {
            found.write_json(out, &|top: &mut JsonObject<'_, '_>| {
                for (key, file) in [("base", base), ("head", head)] {
                    let mut one = top.object(key);
                    one.text("file", file);
                    one.close();
                }
            });
        })?;
    } else {
        plan::write(found.review(), args, session)?;
    }
    let differs = found.is_change(args.certain);
    Ok(match (is_errored, args.detailed && differs) {
        (true, _) => ExitStatus::ERRORS,
        (false, true) => ExitStatus::CHANGES,
        (false, false) => ExitStatus::SUCCESS,
    })
}

/// Returns the changes that a comparison is certain of and that the plan document in `file` contradicts.
pub(super) fn denied(
    file: &str,
    sections: &[ComparedSides],
    session: &RunSession<'_>,
) -> Result<Vec<DeniedClaim>, EarlyStop> {
    let [section] = sections else {
        return Err(EarlyStop::Misuse(format!(
            "--against {file} is the plan of one root, and {} are compared: name its folder.",
            plural(sections.len(), "root")
        )));
    };
    let evaluation = section.comparison.head().evaluation();
    let edition = evaluation.project().edition();
    let document = read(file, evaluation.schemas(), edition, session)?;
    Ok(denied_claims(&section.comparison, &document))
}

/// Prints the certain changes that the plan document of `--against` contradicts, as text; nothing without that flag.
pub(super) fn write_denied(
    denied: &[DeniedClaim],
    args: &CommandArgs,
    session: &mut RunSession<'_>,
) -> Result<(), EarlyStop> {
    let Some(file) = &args.against else { return Ok(()) };
    if denied.is_empty() {
        writeln!(session.out, "\n{file} denies nothing of that.")?;
        return Ok(());
    }
    let count = plural(denied.len(), "certain change");
    writeln!(session.out, "\n{file} denies {count}:")?;
    for one in denied {
        let DeniedClaim { address, claim, reason } = one;
        let text = format!("{address} ({claim}) {reason}");
        let item = if args.markdown { "- " } else { "  " };
        writeln!(session.out, "{item}{}", harmless(&text))?;
    }
    Ok(())
}
