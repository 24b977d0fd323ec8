//! The rows of mock files. They are those of test files, as far as they say what is answered in place of a provider, in
//! every edition: nobody but us reads such a file.

use groma_folder::row::{block, optional, required};
use groma_folder::{ArgumentRow, BlockRow, MOCK_FUNCTION, Open};

/// When an answer counts.
const DURING: ArgumentRow = optional("override_during");

const OVERRIDE_RESOURCE: BlockRow = block(
    "override_resource",
    "What a resource is taken to be, or one instance of it.",
    &[],
    &[required("target"), optional("values"), DURING],
    &[],
    Open::Closed,
);
const OVERRIDE_DATA: BlockRow = block(
    "override_data",
    "What a data source is taken to find, or one instance of it.",
    &[],
    &[required("target"), optional("values"), DURING],
    &[],
    Open::Closed,
);
const OVERRIDE_MODULE: BlockRow = block(
    "override_module",
    "What outputs of a module are taken to be.",
    &[],
    &[required("target"), optional("outputs"), DURING],
    &[],
    Open::Closed,
);
const MOCK_RESOURCE: BlockRow = block(
    "mock_resource",
    "What all resources of one type are taken to be.",
    &["type"],
    &[optional("defaults"), DURING],
    &[],
    Open::Closed,
);
const MOCK_DATA: BlockRow = block(
    "mock_data",
    "What all data sources of one type are taken to find.",
    &["type"],
    &[optional("defaults"), DURING],
    &[],
    Open::Closed,
);

/// What a provider's mock may hold, and the files in the folder that it names.
pub const MOCKED: &[BlockRow] =
    &[MOCK_RESOURCE, MOCK_DATA, OVERRIDE_RESOURCE, OVERRIDE_DATA, OVERRIDE_MODULE];

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
    MOCK_RESOURCE,
    MOCK_DATA,
    OVERRIDE_RESOURCE,
    OVERRIDE_DATA,
    OVERRIDE_MODULE,
];
