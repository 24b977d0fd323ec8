//! The digest of everything except files that a root's answer depends on: the question, the effective flags and settings, the
//! schemas and the version of Groma.

use groma::folders::{ParsedFiles, hex_digest};
use groma::hosts::file_path;
use groma::{Budget, Host};
use groma_fleet::FleetQuestion;

use crate::flag::{CommandArgs, FleetArgs};
use crate::given::ReadSchemas;

/// Returns the digest for the root whose settings are in `own`.
pub(super) fn settings(
    own: &CommandArgs,
    question: &FleetQuestion,
    schemas: &ReadSchemas,
    host: &dyn Host,
) -> String {
    let FleetArgs { root_time, root_memory, .. } = own.fleet;
    let counted = CommandArgs {
        // Flags about the output and the speed do not change an answer.
        fleet: FleetArgs { root_time, root_memory, ..FleetArgs::default() },
        budget: Budget::default(),
        parsed: ParsedFiles::default(),
        given: Vec::new(),
        operand: None,
        threads: None,
        no_color: false,
        timeout: None,
        ..own.clone()
    };
    let dir = own.operand.as_deref().unwrap_or(".");
    let schemas = schemas.readings(own, &file_path::clean(dir), host);
    hex_digest(&format!(
        "{} {} {schemas:?} {counted:?}",
        env!("CARGO_PKG_VERSION"),
        question.text()
    ))
}
