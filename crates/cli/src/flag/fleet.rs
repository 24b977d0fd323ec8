//! The flags of `groma fleet` that no other command has, as they were read.

use std::time::Duration;

use groma_fleet::FleetQuestion;

/// The flags of `groma fleet` that no other command has.
#[derive(Clone, Default, Debug)]
pub(crate) struct FleetArgs {
    /// `--check`, `--plan`, `--list` or `--outputs`.
    pub question: Option<FleetQuestion>,
    /// `--find`, each of them.
    pub find: Vec<String>,
    /// `--out`.
    pub out: Option<String>,
    /// `--resume`.
    pub resume: bool,
    /// `--sample`.
    pub sample: Option<usize>,
    /// `--changed-since`.
    pub since: Option<String>,
    /// The maximum time of one root.
    pub root_time: Option<Duration>,
    /// The maximum number of bytes that one root may hold.
    pub root_memory: Option<u64>,
}
