//! The rows of test files. They stand beside a module and describe runs of it; nothing in them is part of the module.

use groma_folder::row::{block, optional, required};
use groma_folder::{ArgumentRow, BlockRow, Open};
use groma_runtime::Availability;

use super::rows::{CONDITION, VARIABLE};

const fn terraform(name: &'static str, since: u32) -> ArgumentRow {
    let editions = Availability::TERRAFORM.terraform_since(since);
    ArgumentRow { name, required: false, editions }
}

/// When an override counts, which only Terraform asks.
const DURING: ArgumentRow = terraform("override_during", 11);

const VARIABLES: BlockRow = block(
    "variables",
    "What the variables of the module are set to.",
    &[],
    &[],
    &[],
    Open::Arguments,
);
const OVERRIDE_RESOURCE: BlockRow = block(
    "override_resource",
    "What a resource is taken to be, in place of what its provider would make.",
    &[],
    &[required("target"), optional("values"), DURING],
    &[],
    Open::Closed,
);
const OVERRIDE_DATA: BlockRow = block(
    "override_data",
    "What is taken to be found, in place of what its provider would read.",
    &[],
    &[required("target"), optional("values"), DURING],
    &[],
    Open::Closed,
);
const OVERRIDE_MODULE: BlockRow = block(
    "override_module",
    "What the outputs of a module are taken to be.",
    &[],
    &[required("target"), optional("outputs"), DURING],
    &[],
    Open::Closed,
);
const MOCK_ARGUMENTS: &[ArgumentRow] = &[optional("defaults"), DURING];
const MOCK_RESOURCE: BlockRow = block(
    "mock_resource",
    "What all resources of one type are taken to be.",
    &["type"],
    MOCK_ARGUMENTS,
    &[],
    Open::Closed,
);
const MOCK_DATA: BlockRow = block(
    "mock_data",
    "What all data sources of one type are taken to find.",
    &["type"],
    MOCK_ARGUMENTS,
    &[],
    Open::Closed,
);
const RUN: BlockRow = block(
    "run",
    "One run of the module, and what has to hold after it.",
    &["name"],
    &[
        optional("command"),
        optional("expect_failures"),
        optional("providers"),
        terraform("state_key", 11),
        terraform("parallel", 12),
    ],
    &[
        VARIABLES,
        block("assert", "What has to hold after the run.", &[], CONDITION, &[], Open::Closed),
        block(
            "plan_options",
            "How the run plans.",
            &[],
            &[optional("mode"), optional("refresh"), optional("replace"), optional("target")],
            &[],
            Open::Closed,
        ),
        block(
            "module",
            "Another module that is run in place of the one under test.",
            &[],
            &[optional("source"), optional("version")],
            &[],
            Open::Closed,
        ),
        OVERRIDE_RESOURCE,
        OVERRIDE_DATA,
        OVERRIDE_MODULE,
    ],
    Open::Closed,
);

/// The blocks of a test file.
pub const TEST: &[BlockRow] = &[
    RUN,
    VARIABLES,
    block(
        "provider",
        "How a provider is set up for the runs.",
        &["name"],
        &[optional("alias"), optional("version")],
        &[],
        Open::Body,
    ),
    block(
        "mock_provider",
        "A provider that makes up what it answers.",
        &["name"],
        &[optional("alias"), terraform("source", 11), DURING],
        &[MOCK_RESOURCE, MOCK_DATA, OVERRIDE_RESOURCE, OVERRIDE_DATA, OVERRIDE_MODULE],
        Open::Closed,
    ),
    OVERRIDE_RESOURCE,
    OVERRIDE_DATA,
    OVERRIDE_MODULE,
    BlockRow {
        kind: "test",
        doc: "How the runs of the file go.",
        labels: &[],
        arguments: &[],
        blocks: &[],
        open: Open::Arguments,
        editions: Availability::TERRAFORM.terraform_since(12),
    },
    BlockRow { editions: Availability::TERRAFORM.terraform_since(15), ..VARIABLE },
];
