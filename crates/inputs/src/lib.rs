//! Values from outside the code: the environment, value files and flags. Modules and templates read them by the same code; where
//! they differ is data, `InputConventions`. A value is collected here; if it fits its variable is the declaration's to say.
#![forbid(unsafe_code)]

mod assignment;
pub mod codes;
mod collector;
mod conventions;
mod declared;
mod given;
mod secret;
mod value_entries;
mod value_file;

pub use assignment::InputAssignment;
pub use collector::InputCollector;
pub use conventions::{AssignmentOrder, InputConventions, InputJudging, sets_variable};
pub use declared::DeclaredInputs;
pub use given::{GivenInput, InputSource, Values, is_of_a_file, is_unreadable};
pub use secret::{SecretNames, scrub};
pub use value_entries::{EnteredValue, ValueEntry, entries};
