//! The disk as a host. A [`DiskHost`] reads below the folders it was given and nowhere else: symbolic links are resolved
//! *before* a path is compared with those folders, so that a link inside of one opens nothing outside.
#![forbid(unsafe_code)]

mod context;
mod folder_record;
mod host;
mod links;
mod live;
mod read_log;
mod stamp;
mod stat_cache;

pub use context::{DiskContext, clean_path, slashed};
pub use folder_record::{FolderCheck, FolderRecord};
pub use host::DiskHost;
pub use links::{LinkBounds, leads_out_of_bounds, open_unlinked, real_within};
pub use read_log::ReadLog;
pub use stamp::{FileStamp, StampClock};
