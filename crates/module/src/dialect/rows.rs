//! The rows of module files, for OpenTofu and Terraform alike: a row that only one of them knows
//! says so itself.

use super::{ArgumentRow, BlockRow, Only, Open};

const fn optional(name: &'static str) -> ArgumentRow {
    ArgumentRow { name, required: false, only: Only::All }
}

const fn required(name: &'static str) -> ArgumentRow {
    ArgumentRow { name, required: true, only: Only::All }
}

const fn tofu(name: &'static str, since: u32) -> ArgumentRow {
    ArgumentRow { name, required: false, only: Only::OpenTofu(since) }
}

const fn block(
    kind: &'static str,
    labels: &'static [&'static str],
    arguments: &'static [ArgumentRow],
    blocks: &'static [BlockRow],
    open: Open,
) -> BlockRow {
    BlockRow { kind, labels, arguments, blocks, open, only: Only::All }
}

const CONDITION: &[ArgumentRow] = &[required("condition"), required("error_message")];
const VALIDATION: BlockRow = block("validation", &[], CONDITION, &[], Open::Closed);
const PRECONDITION: BlockRow = block("precondition", &[], CONDITION, &[], Open::Closed);
const POSTCONDITION: BlockRow = block("postcondition", &[], CONDITION, &[], Open::Closed);
const CONNECTION: BlockRow = block("connection", &[], &[], &[], Open::Body);
const ESCAPED: BlockRow = block("_", &[], &[], &[], Open::Body);
const PROVISIONER: BlockRow = block(
    "provisioner",
    &["type"],
    &[optional("when"), optional("on_failure")],
    &[CONNECTION, ESCAPED],
    Open::Body,
);
const ENABLED: ArgumentRow = tofu("enabled", 11);

const RESOURCE_LIFECYCLE: BlockRow = block(
    "lifecycle",
    &[],
    &[
        optional("create_before_destroy"),
        optional("prevent_destroy"),
        optional("ignore_changes"),
        optional("replace_triggered_by"),
        ENABLED,
        tofu("destroy", 12),
    ],
    &[PRECONDITION, POSTCONDITION],
    Open::Closed,
);
const READ_LIFECYCLE: BlockRow =
    block("lifecycle", &[], &[ENABLED], &[PRECONDITION, POSTCONDITION], Open::Closed);
const MODULE_LIFECYCLE: BlockRow = BlockRow {
    kind: "lifecycle",
    labels: &[],
    arguments: &[ENABLED],
    blocks: &[],
    open: Open::Closed,
    only: Only::OpenTofu(11),
};
const REMOVED_LIFECYCLE: BlockRow =
    block("lifecycle", &[], &[optional("destroy")], &[], Open::Closed);

const INSTANCES: &[ArgumentRow] =
    &[optional("count"), optional("for_each"), optional("provider"), optional("depends_on")];

const DATA: BlockRow =
    block("data", &["type", "name"], INSTANCES, &[READ_LIFECYCLE, ESCAPED], Open::Body);

/// The blocks of a module's files.
pub(crate) const MODULE: &[BlockRow] = &[
    block(
        "terraform",
        &[],
        &[optional("required_version"), optional("experiments"), optional("language")],
        &[
            block("required_providers", &[], &[], &[], Open::Arguments),
            block("backend", &["type"], &[], &[], Open::Body),
            block("cloud", &[], &[], &[], Open::Body),
            block("provider_meta", &["provider"], &[], &[], Open::Body),
            BlockRow {
                kind: "encryption",
                labels: &[],
                arguments: &[],
                blocks: &[],
                open: Open::Body,
                only: Only::OpenTofu(7),
            },
        ],
        Open::Closed,
    ),
    BlockRow {
        kind: "language",
        labels: &[],
        arguments: &[optional("edition"), optional("experiments")],
        blocks: &[block("compatible_with", &[], &[], &[], Open::Arguments)],
        open: Open::Closed,
        only: Only::OpenTofu(12),
    },
    block(
        "variable",
        &["name"],
        &[
            optional("type"),
            optional("default"),
            optional("description"),
            optional("sensitive"),
            optional("nullable"),
            optional("ephemeral"),
            tofu("deprecated", 10),
            tofu("const", 12),
        ],
        &[VALIDATION],
        Open::Closed,
    ),
    block("locals", &[], &[], &[], Open::Arguments),
    block(
        "output",
        &["name"],
        &[
            required("value"),
            optional("description"),
            optional("sensitive"),
            optional("ephemeral"),
            optional("depends_on"),
            tofu("deprecated", 10),
        ],
        &[PRECONDITION],
        Open::Closed,
    ),
    block(
        "module",
        &["name"],
        &[
            required("source"),
            optional("version"),
            optional("count"),
            optional("for_each"),
            optional("providers"),
            optional("depends_on"),
        ],
        &[MODULE_LIFECYCLE, ESCAPED],
        Open::Arguments,
    ),
    block(
        "resource",
        &["type", "name"],
        INSTANCES,
        &[RESOURCE_LIFECYCLE, PROVISIONER, CONNECTION, ESCAPED],
        Open::Body,
    ),
    DATA,
    BlockRow {
        kind: "ephemeral",
        labels: &["type", "name"],
        arguments: INSTANCES,
        blocks: &[READ_LIFECYCLE, ESCAPED],
        open: Open::Body,
        only: Only::All,
    },
    block(
        "provider",
        &["name"],
        &[optional("alias"), optional("version"), tofu("for_each", 9)],
        &[ESCAPED],
        Open::Body,
    ),
    block("moved", &[], &[required("from"), required("to")], &[], Open::Closed),
    block(
        "import",
        &[],
        &[
            required("to"),
            optional("id"),
            optional("provider"),
            optional("for_each"),
            optional("identity"),
        ],
        &[],
        Open::Closed,
    ),
    block("removed", &[], &[required("from")], &[REMOVED_LIFECYCLE, PROVISIONER], Open::Closed),
    block(
        "check",
        &["name"],
        &[],
        &[DATA, block("assert", &[], CONDITION, &[], Open::Closed)],
        Open::Closed,
    ),
];
