//! What any folder of code shares: rows of blocks, blocks as written, literals, addresses, settings, lists of files,
//! entries of value files, versions, sentences. It knows no block's meaning: that belongs to modules and templates.
#![forbid(unsafe_code)]

mod address;
mod below;
mod block;
pub mod codes;
mod entry;
mod gap;
mod listing;
mod literal;
mod mock;
pub mod path;
mod reading;
mod reduce;
mod reference;
mod room;
pub mod row;
mod secret;
mod sentence;
mod setting;
mod version;

pub use address::{Key, Mode, ResourceTarget, Target, Words, without_keys};
pub use below::folders_below;
pub use block::{BlockReader, RawArgument, RawBlock, RawLabel};
pub use entry::{Assignment, Entered, ValueEntry, entries};
pub use gap::{Gaps, Unasked, Undecided, UnfitSchemas, UnreadModule};
pub use listing::{Chosen, Spelling, dialect_of, is_ignored, queries, select, tests, unfamiliar};
pub use literal::{bare_word, is_traversal, keyword, literal_text, naming, quoted};
pub use mock::{MOCK_FILE, MOCK_FUNCTION, MockFiles, MockRows, mock_parts, mock_value, read_mocks};
pub use reading::{data_dir, list, read_known, read_text};
pub use reduce::reduced;
pub use reference::{References, Vertex};
pub use room::Room;
pub use row::{ArgumentRow, ArgumentType, BlockRow, Open, a, capital_a};
pub use secret::{Secrets, scrub};
pub use sentence::{did_you_mean, first_of, path as path_text, sentence};
pub use setting::ReadSetting;
pub use version::{Constraints, Release};
