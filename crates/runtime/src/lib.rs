//! What an evaluation runs with: the [`Host`] that it may ask, the [`Edition`] it speaks and its [`Semantics`], the
//! [`Limits`] of one evaluation and the [`Budget`] of a whole run. Nothing here evaluates; it is what those who do share.
#![forbid(unsafe_code)]

mod availability;
mod budget;
mod counted;
mod edition;
pub mod file_path;
mod host;
mod laid;
mod limit;
mod memory;
mod meter;
mod moment;
mod noted;
mod semantics;
mod usage;

pub use availability::Availability;
pub use budget::{Bound, Budget, HEAD, Quota, Remainder, footprint};
pub use counted::{CountedHost, counted_entry};
pub use edition::{Dialect, Edition, Recording, Version};
pub use host::{Entry, EntryKind, FILE_LIMIT, Host, HostError};
pub use laid::{Laid, Texts, absolute};
pub use limit::Limits;
pub use memory::MemoryHost;
pub use meter::{Excess, Meter};
pub use moment::Moment;
pub use noted::{NotedFiles, NotedHost};
pub use semantics::{Difference, NotedDifference, Semantics};
pub use usage::Usage;
