//! The digest of everything except files that a root's answer depends on: the question, the effective flags and settings, the
//! schemas and the version of Groma.

use groma::folders::{ParsedFiles, hex_digest};
use groma::hosts::file_path;
use groma::{Budget, Host};
use groma_fleet::FleetQuestion;

use super::stamps::RunDigest;
use crate::flag::{CommandArgs, FleetArgs};
use crate::given::ReadSchemas;
use crate::host::MachineContext;

/// Returns the arguments on which answers depend: the command line without threads, colours, timeout, operands and output files.
fn relevant_arguments(args: &CommandArgs) -> CommandArgs {
    let FleetArgs { root_time, root_memory, .. } = args.fleet;
    CommandArgs {
        fleet: FleetArgs { root_time, root_memory, ..FleetArgs::default() },
        budget: Budget::default(),
        parsed: ParsedFiles::default(),
        given: Vec::new(),
        operand: None,
        operands: Vec::new(),
        threads: None,
        no_color: false,
        timeout: None,
        ..args.clone()
    }
}

/// Returns the digest of a run's inputs other than its roots: arguments, question, current directory and version.
pub(super) fn run_digest(
    args: &CommandArgs,
    question: &FleetQuestion,
    machine: &MachineContext,
) -> RunDigest {
    let (here, start) = (machine.disk().directory(), machine.start());
    let (untrusted, version) = (machine.is_untrusted(), env!("CARGO_PKG_VERSION"));
    let relevant = relevant_arguments(args);
    RunDigest(hex_digest(&format!(
        "{version} {} {here:?} {start} {untrusted} {relevant:?}",
        question.text()
    )))
}

/// Returns the digest of a root's settings, the question, its provider schemas and the version; `own` are its arguments.
pub(super) fn settings_digest(
    own: &CommandArgs,
    question: &FleetQuestion,
    schemas: &ReadSchemas,
    host: &dyn Host,
) -> String {
    let relevant = relevant_arguments(own);
    let dir = own.operand.as_deref().unwrap_or(".");
    let schemas = schemas.readings(own, &file_path::clean(dir), host);
    hex_digest(&format!(
        "{} {} {schemas:?} {relevant:?}",
        env!("CARGO_PKG_VERSION"),
        question.text()
    ))
}
