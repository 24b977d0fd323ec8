//! Rows of the blocks that mock a provider, and of mock files, which contain nothing else. Test files contain such blocks, too,
//! with arguments in different editions, so the table that lists a row supplies its arguments.

use groma_config::row::{block, optional, required};
use groma_config::{ArgumentRow, BlockRow, MOCK_FUNCTION};

/// The row of the block `override_resource` without its arguments, which differ between test files and mock files.
pub(super) const OVERRIDE_RESOURCE: BlockRow = block(
    "override_resource",
    "What a resource, or one instance of it, is taken to be in place of what its provider would make.",
);
/// The row of the block `override_data` without its arguments, which differ between test files and mock files.
pub(super) const OVERRIDE_DATA: BlockRow = block(
    "override_data",
    "What a data source, or one instance of it, is taken to find in place of what its provider would read.",
);
/// The row of the block `override_module` without its arguments, which differ between test files and mock files.
pub(super) const OVERRIDE_MODULE: BlockRow =
    block("override_module", "What outputs of a module are taken to be.");
/// The row of the block `mock_resource` without its arguments, which differ between test files and mock files.
pub(super) const MOCK_RESOURCE: BlockRow =
    block("mock_resource", "What all resources of one type are taken to be.").labels(&["type"]);
/// The row of the block `mock_data` without its arguments, which differ between test files and mock files.
pub(super) const MOCK_DATA: BlockRow =
    block("mock_data", "What all data sources of one type are taken to find.").labels(&["type"]);

/// The row of the argument `override_during` in mock files, for every edition: no reference program reads such files.
const DURING: ArgumentRow = optional("override_during");
/// The rows of the arguments of the blocks `override_resource` and `override_data` in mock files.
const VALUES: &[ArgumentRow] = &[required("target"), optional("values"), DURING];
/// The rows of the arguments of the block `override_module` in mock files.
const OUTPUTS: &[ArgumentRow] = &[required("target"), optional("outputs"), DURING];
/// The rows of the arguments of the blocks `mock_resource` and `mock_data` in mock files.
const DEFAULTS: &[ArgumentRow] = &[optional("defaults"), DURING];

/// The rows of the blocks in a `mock_provider`, and in the files of its source folder.
pub const MOCKED: &[BlockRow] = &[
    MOCK_RESOURCE.arguments(DEFAULTS),
    MOCK_DATA.arguments(DEFAULTS),
    OVERRIDE_RESOURCE.arguments(VALUES),
    OVERRIDE_DATA.arguments(VALUES),
    OVERRIDE_MODULE.arguments(OUTPUTS),
];

/// The rows of the blocks at the top level of a mock file.
pub const MOCK: &[BlockRow] = &[
    MOCK_FUNCTION,
    block("mock_provider", "What is taken for the answers of one provider.")
        .labels(&["name"])
        .arguments(&[optional("alias"), optional("source"), DURING])
        .blocks(MOCKED),
    MOCK_RESOURCE.arguments(DEFAULTS),
    MOCK_DATA.arguments(DEFAULTS),
    OVERRIDE_RESOURCE.arguments(VALUES),
    OVERRIDE_DATA.arguments(VALUES),
    OVERRIDE_MODULE.arguments(OUTPUTS),
];
