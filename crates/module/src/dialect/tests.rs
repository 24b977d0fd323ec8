//! Rows of test files. They accompany a module and describe runs of it; none of their content is part of the module.

use groma_config::row::{block, optional, required};
use groma_config::{ArgumentRow, BlockRow, OpenContent};
use groma_runtime::Availability;

use super::mocks::{MOCK_DATA, MOCK_RESOURCE, OVERRIDE_DATA, OVERRIDE_MODULE, OVERRIDE_RESOURCE};
use super::rows::{CONDITION, VARIABLE, terraform};

/// The row of the argument `override_during` in test files, which only Terraform supports.
const DURING: ArgumentRow = terraform("override_during", 11);
/// The rows of the arguments of the blocks `override_resource` and `override_data` in test files.
const VALUES: &[ArgumentRow] = &[required("target"), optional("values"), DURING];
/// The rows of the arguments of the block `override_module` in test files.
const OUTPUTS: &[ArgumentRow] = &[required("target"), optional("outputs"), DURING];
/// The rows of the arguments of the blocks `mock_resource` and `mock_data` in test files.
const DEFAULTS: &[ArgumentRow] = &[optional("defaults"), DURING];

/// The row of the block `variables`, which takes arguments of any name.
const VARIABLES: BlockRow =
    block("variables", "What the variables of the module are set to.").open(OpenContent::Arguments);
/// The row of the block `run`: its labels, arguments and nested blocks.
const RUN: BlockRow = block("run", "One run of the module, and what has to hold after it.")
    .labels(&["name"])
    .arguments(&[
        optional("command"),
        optional("expect_failures"),
        optional("providers"),
        terraform("state_key", 11),
        terraform("parallel", 12),
    ])
    .blocks(&[
        VARIABLES,
        block("assert", "What has to hold after the run.").arguments(CONDITION),
        block("plan_options", "How the run plans.").arguments(&[
            optional("mode"),
            optional("refresh"),
            optional("replace"),
            optional("target"),
        ]),
        block("module", "Another module that is run in place of the one under test.")
            .arguments(&[optional("source"), optional("version")]),
        OVERRIDE_RESOURCE.arguments(VALUES),
        OVERRIDE_DATA.arguments(VALUES),
        OVERRIDE_MODULE.arguments(OUTPUTS),
    ]);

/// The rows of the blocks that test files may contain.
pub const TEST: &[BlockRow] = &[
    RUN,
    VARIABLES,
    block("provider", "How a provider is set up for the runs.")
        .labels(&["name"])
        .arguments(&[optional("alias"), optional("version")])
        .open(OpenContent::Body),
    block("mock_provider", "A provider that makes up what it answers.")
        .labels(&["name"])
        .arguments(&[optional("alias"), terraform("source", 11), DURING])
        .blocks(&[
            MOCK_RESOURCE.arguments(DEFAULTS),
            MOCK_DATA.arguments(DEFAULTS),
            OVERRIDE_RESOURCE.arguments(VALUES),
            OVERRIDE_DATA.arguments(VALUES),
            OVERRIDE_MODULE.arguments(OUTPUTS),
        ]),
    OVERRIDE_RESOURCE.arguments(VALUES),
    OVERRIDE_DATA.arguments(VALUES),
    OVERRIDE_MODULE.arguments(OUTPUTS),
    block("test", "How the runs of the file go.")
        .open(OpenContent::Arguments)
        .only(Availability::TERRAFORM.terraform_since(12)),
    VARIABLE.only(Availability::TERRAFORM.terraform_since(15)),
];
