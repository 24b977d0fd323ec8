//! The parts that all directories of code share: rows of blocks, raw blocks, literals, addresses, settings, file listings,
//! versions and sentences. The meaning of blocks belongs to the crates for modules and templates.
#![forbid(unsafe_code)]

mod address;
mod block;
pub mod codes;
mod elements;
mod file_kind;
mod incomplete;
mod listing;
mod literal;
mod memory_charge;
mod mock;
pub mod path;
mod reading;
mod reduce;
mod reference;
pub mod row;
mod sentence;
mod setting;
mod version;
mod walk_dirs;

pub use address::address_grammar;
pub use block::{BlockReader, RawArgument, RawBlock, RawLabel};
pub use elements::RepeatedElements;
pub use file_kind::{FileKind, FilePurpose, FileSyntax};
pub use groma_address::text::without_keys;
pub use groma_address::{
    AddressGrammar, AddressPattern, ConfigAddress, DeclarationAddress, DeclarationName,
    InstanceAddress, InstanceKey, KeyForms, ModuleAddress, ModulePath, ResourceAddress,
    ResourceMode, ResourceName, ResourceTarget, UndecidedAddress, UndecidedModule,
    implied_provider,
};
pub use incomplete::{
    Incompleteness, UnaskedFunction, UndecidedCount, UnfitSchemas, UnreadData, UnreadModule,
};
pub use listing::{ModuleFile, dialect_of, is_ignored, queries, select, tests, unfamiliar};
pub use literal::{address_expression, bare_word, is_traversal, keyword, literal_text, quoted};
pub use memory_charge::MemoryCharge;
pub use mock::{MOCK_FILE, MOCK_FUNCTION, MockFiles, MockRows, mock_parts, mock_value, read_mocks};
pub use reading::{data_dir, list, read_known, read_text};
pub use reduce::reduced;
pub use reference::{GraphVertex, ReferenceGraph};
pub use row::{ArgumentRow, ArgumentType, BlockRow, OpenContent, a, capital_a};
pub use sentence::{did_you_mean, first_of, path as path_text, sentence};
pub use setting::ReadSetting;
pub use version::{ReleaseVersion, VersionConstraints};
pub use walk_dirs::{chosen_folders_below, folders_below};
