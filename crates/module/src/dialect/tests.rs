//! The rows of test files. They stand beside a module and describe runs of it; nothing in them is part of the module.

use groma_folder::row::{block, optional, required};
use groma_folder::{ArgumentRow, BlockRow, Open};
use groma_runtime::Availability;

use super::mocks::{mock_data, mock_resource, override_data, override_module, override_resource};
use super::rows::{CONDITION, VARIABLE};

const fn terraform(name: &'static str, since: u32) -> ArgumentRow {
    let editions = Availability::TERRAFORM.terraform_since(since);
    ArgumentRow { name, required: false, editions }
}

/// When an override counts, which only Terraform asks.
const DURING: ArgumentRow = terraform("override_during", 11);
const VALUES: &[ArgumentRow] = &[required("target"), optional("values"), DURING];
const OUTPUTS: &[ArgumentRow] = &[required("target"), optional("outputs"), DURING];
const DEFAULTS: &[ArgumentRow] = &[optional("defaults"), DURING];

const VARIABLES: BlockRow = block(
    "variables",
    "What the variables of the module are set to.",
    &[],
    &[],
    &[],
    Open::Arguments,
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
        override_resource(VALUES),
        override_data(VALUES),
        override_module(OUTPUTS),
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
        &[
            mock_resource(DEFAULTS),
            mock_data(DEFAULTS),
            override_resource(VALUES),
            override_data(VALUES),
            override_module(OUTPUTS),
        ],
        Open::Closed,
    ),
    override_resource(VALUES),
    override_data(VALUES),
    override_module(OUTPUTS),
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
