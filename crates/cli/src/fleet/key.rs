//! The digest of everything beside files that an answer depends on: the question, the flags and settings that count, the
//! schemas and the engine's version.

use groma::folders::{ParsedFiles, hex_digest};
use groma::hosts::file_path;
use groma::{Budget, Host};
use groma_fleet::FleetQuestion;

use crate::flag::{CommandArgs, FleetArgs};
use crate::given::ReadSchemas;

/// Returns the digest for a root whose settings are in `own`.
pub(super) fn settings(
    own: &CommandArgs,
    question: &FleetQuestion,
    schemas: &ReadSchemas,
    host: &dyn Host,
) -> String {
    let FleetArgs { root_time, root_memory, .. } = own.fleet;
    let counted = CommandArgs {
        // What only says where lines go, and how fast, changes none of them.
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
