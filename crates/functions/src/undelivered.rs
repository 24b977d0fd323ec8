//! Names that the references have and this engine does not do yet. A call of one is an error
//! that says so, never "unknown function"; a name leaves this list when its row comes.

use groma_runtime::Availability;

/// The names, sorted, and where they exist.
pub(crate) const UNDELIVERED: &[(&str, Availability)] = &[];
