//! The inputs of an evaluation besides code and names: the [`Host`], the [`Edition`] and its [`Semantics`], the [`Limits`] of
//! one evaluation and the [`Budget`] of a whole run. Nothing is evaluated here.
#![forbid(unsafe_code)]

mod availability;
mod budget;
mod edition;
pub mod file_path;
mod host;
mod limit;
mod memory;
mod meter;
mod metered_host;
mod moment;
mod noted;
mod overlay;
mod parallel;
mod semantics;
mod usage;

pub use availability::Availability;
pub use budget::{Budget, BudgetRemainder, BudgetSpending, OVERHEAD, Quota, RunEnd, footprint};
pub use edition::{Dialect, Edition, EditionRecording, Version};
pub use host::{AnswerStamps, DirEntry, EntryKind, FILE_LIMIT, Host, HostError, StampedLook};
pub use limit::{EVALUATION_STACK, Limits};
pub use memory::MemoryHost;
pub use meter::{LimitExcess, Meter};
pub use metered_host::{MeteredHost, counted_entry, counted_folder};
pub use moment::Moment;
pub use noted::{NotedFiles, NotedHost};
pub use overlay::{OverlayHost, Texts, absolute};
pub use parallel::map_on_threads;
pub use semantics::{EditionDifference, NotedDifference, Semantics};
pub use usage::ResourceUsage;
