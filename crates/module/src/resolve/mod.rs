//! References among the declarations of one module. All are resolved before anything is evaluated.

mod caller;
mod callers;
mod depends;
mod names;
mod problem;
mod reach;
mod requirement;
mod resolution;
mod surroundings;

pub(crate) use callers::named;
pub use names::{ModuleNames, Multiplicity, key_text};
pub(crate) use reach::reach;
pub(crate) use requirement::ProviderRequirements;
pub use resolution::{problems, uses_of};
pub(crate) use resolution::{report_destroyed, resolve};
pub use surroundings::{ExpressionPosition, Surroundings};
