//! Parsed values of the flags that only `groma fleet` has.

use std::time::Duration;

use groma_fleet::FleetQuestion;

/// Parsed values of the flags that only `groma fleet` has.
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
    /// Maximum time for one root: `--budget time=`.
    pub root_time: Option<Duration>,
    /// Maximum number of bytes that one root may hold: `--budget memory=`.
    pub root_memory: Option<u64>,
}
