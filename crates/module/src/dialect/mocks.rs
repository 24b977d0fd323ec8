//! The rows of what is answered in place of a provider, and of mock files, which hold nothing else. Test files hold such
//! blocks, too; what differs there is in which editions an argument counts, so whoever lists a row gives its arguments.

use groma_folder::row::{block, optional, required};
use groma_folder::{ArgumentRow, BlockRow, MOCK_FUNCTION, Open};

type Arguments = &'static [ArgumentRow];

pub(super) const fn override_resource(arguments: Arguments) -> BlockRow {
    let doc = "What a resource, or one instance of it, is taken to be in place of what its provider would make.";
    block("override_resource", doc, &[], arguments, &[], Open::Closed)
}

pub(super) const fn override_data(arguments: Arguments) -> BlockRow {
    let doc = "What a data source, or one instance of it, is taken to find in place of what its provider would read.";
    block("override_data", doc, &[], arguments, &[], Open::Closed)
}

pub(super) const fn override_module(arguments: Arguments) -> BlockRow {
    let doc = "What outputs of a module are taken to be.";
    block("override_module", doc, &[], arguments, &[], Open::Closed)
}

pub(super) const fn mock_resource(arguments: Arguments) -> BlockRow {
    let doc = "What all resources of one type are taken to be.";
    block("mock_resource", doc, &["type"], arguments, &[], Open::Closed)
}

pub(super) const fn mock_data(arguments: Arguments) -> BlockRow {
    let doc = "What all data sources of one type are taken to find.";
    block("mock_data", doc, &["type"], arguments, &[], Open::Closed)
}

/// When an answer counts. Nobody but us reads a mock file, so it may say so in every edition.
const DURING: ArgumentRow = optional("override_during");
const VALUES: Arguments = &[required("target"), optional("values"), DURING];
const OUTPUTS: Arguments = &[required("target"), optional("outputs"), DURING];
const DEFAULTS: Arguments = &[optional("defaults"), DURING];

/// What a provider's mock may hold, and the files in the folder that it names.
pub const MOCKED: &[BlockRow] = &[
    mock_resource(DEFAULTS),
    mock_data(DEFAULTS),
    override_resource(VALUES),
    override_data(VALUES),
    override_module(OUTPUTS),
];

/// The blocks of a mock file.
pub const MOCK: &[BlockRow] = &[
    MOCK_FUNCTION,
    block(
        "mock_provider",
        "What is taken for the answers of one provider.",
        &["name"],
        &[optional("alias"), optional("source"), DURING],
        MOCKED,
        Open::Closed,
    ),
    mock_resource(DEFAULTS),
    mock_data(DEFAULTS),
    override_resource(VALUES),
    override_data(VALUES),
    override_module(OUTPUTS),
];
