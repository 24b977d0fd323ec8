//! Values of input variables: from the environment, variable files and flags. Modules and Packer templates share the code; their
//! differences are data, `InputConventions`. Values are collected here; the declaration checks if they fit.
#![forbid(unsafe_code)]

mod assignment;
pub mod codes;
mod collector;
mod conventions;
mod declared;
mod free_names;
mod given;
mod secret;
mod value_entries;
mod value_file;

pub use assignment::InputAssignment;
pub use collector::InputCollector;
pub use conventions::{AssignmentOrder, CheckedInputs, InputConventions, sets_variable};
pub use declared::DeclaredInputs;
pub use free_names::given_names;
pub use given::{GivenInput, InputSource, Values, is_of_a_file, is_unreadable};
pub use secret::{SecretNames, scrub};
pub use value_entries::{EnteredValue, ValueEntry, entries};
