//! The rows of module files, for OpenTofu and Terraform alike: a row that only one of them knows
//! says so itself.

use groma_folder::row::{block, optional, required};
use groma_folder::{ArgumentRow, BlockRow, Open};
use groma_runtime::Availability;

const fn tofu(name: &'static str, since: u32) -> ArgumentRow {
    let editions = Availability::OPENTOFU.opentofu_since(since);
    ArgumentRow { name, required: false, editions }
}

const fn terraform(name: &'static str, since: u32) -> ArgumentRow {
    let editions = TERRAFORM.terraform_since(since);
    ArgumentRow { name, required: false, editions }
}

/// An argument that each program took up in its own time.
const fn both(name: &'static str, opentofu: u32, terraform: u32) -> ArgumentRow {
    let always = Availability::NOT_PACKER;
    let own = if opentofu == 0 { always } else { always.opentofu_since(opentofu) };
    ArgumentRow { name, required: false, editions: own.terraform_since(terraform) }
}

/// Which editions have actions and lists of what exists.
const ACTIONS: Availability = TERRAFORM.terraform_since(14);

/// Which editions have conditions beside those of variables.
const CONDITIONS: Availability = Availability::NOT_PACKER.terraform_since(2);

/// Which editions have what is kept nowhere.
const EPHEMERAL: Availability = Availability::NOT_PACKER.opentofu_since(11).terraform_since(10);

/// Which editions forget what is no longer declared.
const REMOVED: Availability = Availability::NOT_PACKER.opentofu_since(7).terraform_since(7);

/// Every edition of Terraform.
const TERRAFORM: Availability = Availability { opentofu: None, ..Availability::NOT_PACKER };

pub(super) const CONDITION: &[ArgumentRow] = &[required("condition"), required("error_message")];
const VALIDATION: BlockRow = block(
    "validation",
    "What the value of a variable has to keep.",
    &[],
    CONDITION,
    &[],
    Open::Closed,
);
const PRECONDITION: BlockRow = BlockRow {
    kind: "precondition",
    doc: "What has to hold before something is made or given.",
    labels: &[],
    arguments: CONDITION,
    blocks: &[],
    open: Open::Closed,
    editions: CONDITIONS,
};
const POSTCONDITION: BlockRow = BlockRow {
    kind: "postcondition",
    doc: "What has to hold once something is made or read.",
    ..PRECONDITION
};
const CONNECTION: BlockRow =
    block("connection", "How provisioners reach what was made.", &[], &[], &[], Open::Body);
const ESCAPED: BlockRow = block(
    "_",
    "Arguments of the schema whose names mean something else to the block.",
    &[],
    &[],
    &[],
    Open::Body,
);
const PROVISIONER: BlockRow = block(
    "provisioner",
    "A command for when a resource is made or destroyed.",
    &["type"],
    &[optional("when"), optional("on_failure")],
    &[CONNECTION, ESCAPED],
    Open::Body,
);
const ENABLED: ArgumentRow = tofu("enabled", 11);

const ACTION_TRIGGER: BlockRow = BlockRow {
    kind: "action_trigger",
    doc: "Which actions run when a resource is made or changed.",
    labels: &[],
    arguments: &[required("events"), optional("condition"), required("actions")],
    blocks: &[],
    open: Open::Closed,
    editions: ACTIONS,
};
const CONFIG: BlockRow = block(
    "config",
    "What the provider is told; the schema says what that may be.",
    &[],
    &[],
    &[],
    Open::Body,
);

const RESOURCE_LIFECYCLE: BlockRow = block(
    "lifecycle",
    "How a resource is replaced and kept, and what has to hold before and after.",
    &[],
    &[
        optional("create_before_destroy"),
        optional("prevent_destroy"),
        optional("ignore_changes"),
        both("replace_triggered_by", 0, 2),
        ENABLED,
        tofu("destroy", 12),
    ],
    &[PRECONDITION, POSTCONDITION, ACTION_TRIGGER],
    Open::Closed,
);
const READ_LIFECYCLE: BlockRow = block(
    "lifecycle",
    "How a resource is replaced and kept, and what has to hold before and after.",
    &[],
    &[ENABLED],
    &[PRECONDITION, POSTCONDITION],
    Open::Closed,
);
const MODULE_LIFECYCLE: BlockRow = BlockRow {
    kind: "lifecycle",
    doc: "How a resource is replaced and kept, and what has to hold before and after.",
    labels: &[],
    arguments: &[ENABLED],
    blocks: &[],
    open: Open::Closed,
    editions: Availability::OPENTOFU.opentofu_since(11),
};
const REMOVED_LIFECYCLE: BlockRow = BlockRow {
    kind: "lifecycle",
    doc: "How a resource is replaced and kept, and what has to hold before and after.",
    labels: &[],
    arguments: &[optional("destroy")],
    blocks: &[],
    open: Open::Closed,
    editions: REMOVED.opentofu_since(10),
};

const METHOD: &[ArgumentRow] = &[optional("method")];
const ENFORCED_METHOD: &[ArgumentRow] = &[optional("method"), optional("enforced")];
const FALLBACK: &[BlockRow] = &[block(
    "fallback",
    "How what is there already may be encrypted.",
    &[],
    METHOD,
    &[],
    Open::Closed,
)];

/// Something that is encrypted.
const fn encrypted(
    kind: &'static str,
    doc: &'static str,
    labels: &'static [&'static str],
    arguments: &'static [ArgumentRow],
) -> BlockRow {
    block(kind, doc, labels, arguments, FALLBACK, Open::Closed)
}

const INSTANCES: &[ArgumentRow] =
    &[optional("count"), optional("for_each"), optional("provider"), optional("depends_on")];

const DATA: BlockRow = block(
    "data",
    "Something that exists already and is read.",
    &["type", "name"],
    INSTANCES,
    &[READ_LIFECYCLE, ESCAPED],
    Open::Body,
);

pub(super) const VARIABLE: BlockRow = block(
    "variable",
    "An input of the module: its type, its default and what its value has to keep.",
    &["name"],
    &[
        optional("type"),
        optional("default"),
        optional("description"),
        optional("sensitive"),
        both("nullable", 0, 1),
        both("ephemeral", 11, 10),
        both("deprecated", 10, 15),
        both("const", 12, 15),
    ],
    &[VALIDATION],
    Open::Closed,
);
const LOCALS: BlockRow = block(
    "locals",
    "Names for values that are used in several places.",
    &[],
    &[],
    &[],
    Open::Arguments,
);
const PROVIDER: BlockRow = block(
    "provider",
    "How a provider is set up, under its own name or an alias.",
    &["name"],
    &[optional("alias"), optional("version"), tofu("for_each", 9)],
    &[ESCAPED],
    Open::Body,
);

/// The blocks of a module's files.
pub const MODULE: &[BlockRow] = &[
    block(
        "terraform",
        "Settings: the versions, providers and backend that the module asks for.",
        &[],
        &[optional("required_version"), optional("experiments"), optional("language")],
        &[
            block(
                "required_providers",
                "Where each provider comes from, and in which versions.",
                &[],
                &[],
                &[],
                Open::Arguments,
            ),
            block("backend", "Where the state is kept.", &["type"], &[], &[], Open::Body),
            BlockRow {
                kind: "cloud",
                doc: "The service that keeps the state and runs plans.",
                labels: &[],
                arguments: &[],
                blocks: &[],
                open: Open::Body,
                editions: Availability::NOT_PACKER.terraform_since(1),
            },
            block(
                "provider_meta",
                "What a module says to a provider about itself.",
                &["provider"],
                &[],
                &[],
                Open::Body,
            ),
            BlockRow {
                kind: "encryption",
                doc: "How state and plan files are encrypted.",
                labels: &[],
                arguments: &[],
                blocks: &[
                    block(
                        "key_provider",
                        "Where keys come from.",
                        &["type", "name"],
                        &[],
                        &[],
                        Open::Body,
                    ),
                    block(
                        "method",
                        "How is encrypted, and with which keys.",
                        &["type", "name"],
                        &[],
                        &[],
                        Open::Body,
                    ),
                    encrypted("state", "How the state is encrypted.", &[], ENFORCED_METHOD),
                    encrypted("plan", "How saved plans are encrypted.", &[], ENFORCED_METHOD),
                    block(
                        "remote_state_data_sources",
                        "How states of others that are read are encrypted.",
                        &[],
                        &[],
                        &[
                            encrypted(
                                "default",
                                "How they are where nothing else is said.",
                                &[],
                                METHOD,
                            ),
                            encrypted(
                                "remote_state_data_source",
                                "How the state of one data source is.",
                                &["name"],
                                METHOD,
                            ),
                        ],
                        Open::Closed,
                    ),
                ],
                open: Open::Closed,
                editions: Availability::OPENTOFU.opentofu_since(7),
            },
        ],
        Open::Closed,
    ),
    BlockRow {
        kind: "language",
        doc: "The edition of the language that the module is written in, and the programs it suits.",
        labels: &[],
        arguments: &[optional("edition"), optional("experiments")],
        blocks: &[block(
            "compatible_with",
            "Which versions of which programs the module suits.",
            &[],
            &[],
            &[],
            Open::Body,
        )],
        open: Open::Closed,
        editions: Availability::OPENTOFU.opentofu_since(12),
    },
    VARIABLE,
    LOCALS,
    block(
        "output",
        "What the module gives to its caller, or a root module to its user.",
        &["name"],
        &[
            required("value"),
            optional("description"),
            optional("sensitive"),
            both("ephemeral", 11, 10),
            optional("depends_on"),
            both("deprecated", 10, 15),
            terraform("type", 15),
        ],
        &[PRECONDITION],
        Open::Closed,
    ),
    block(
        "module",
        "A call of another module, once or for many instances.",
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
        "Something that is to be made and kept: what it is, and how many there are.",
        &["type", "name"],
        INSTANCES,
        &[RESOURCE_LIFECYCLE, PROVISIONER, CONNECTION, ESCAPED],
        Open::Body,
    ),
    DATA,
    BlockRow {
        kind: "ephemeral",
        doc: "Something that is opened for one run and kept nowhere.",
        labels: &["type", "name"],
        arguments: INSTANCES,
        blocks: &[READ_LIFECYCLE, ESCAPED],
        open: Open::Body,
        editions: EPHEMERAL,
    },
    BlockRow {
        kind: "action",
        doc: "Something that a provider does without keeping anything, when a resource triggers it.",
        labels: &["type", "name"],
        arguments: &[optional("count"), optional("for_each"), optional("provider")],
        blocks: &[CONFIG],
        open: Open::Closed,
        editions: ACTIONS,
    },
    PROVIDER,
    BlockRow {
        kind: "moved",
        doc: "A resource or module that has a new address.",
        labels: &[],
        arguments: &[required("from"), required("to")],
        blocks: &[],
        open: Open::Closed,
        editions: Availability::NOT_PACKER.terraform_since(1),
    },
    BlockRow {
        kind: "import",
        doc: "A resource that exists already and is to be taken over.",
        labels: &[],
        arguments: &[
            required("to"),
            optional("id"),
            optional("provider"),
            both("for_each", 7, 7),
            both("identity", 12, 12),
        ],
        blocks: &[],
        open: Open::Closed,
        editions: Availability::NOT_PACKER.terraform_since(5),
    },
    BlockRow {
        kind: "removed",
        doc: "A resource that is no longer declared here, and what becomes of it.",
        labels: &[],
        arguments: &[required("from")],
        blocks: &[
            REMOVED_LIFECYCLE,
            BlockRow { editions: REMOVED.opentofu_since(10).terraform_since(9), ..PROVISIONER },
            BlockRow { editions: TERRAFORM.terraform_since(9), ..CONNECTION },
        ],
        open: Open::Closed,
        editions: REMOVED,
    },
    BlockRow {
        kind: "check",
        doc: "Assertions about the whole, which warn and never stop anything.",
        labels: &["name"],
        arguments: &[],
        blocks: &[
            DATA,
            block("assert", "One assertion of a check.", &[], CONDITION, &[], Open::Closed),
        ],
        open: Open::Closed,
        editions: Availability::NOT_PACKER.terraform_since(5),
    },
];

/// The blocks of a query file.
pub const QUERY: &[BlockRow] = &[
    block(
        "list",
        "What exists of one type, as a provider finds it.",
        &["type", "name"],
        &[
            required("provider"),
            optional("count"),
            optional("for_each"),
            optional("include_resource"),
            optional("limit"),
        ],
        &[CONFIG],
        Open::Closed,
    ),
    VARIABLE,
    LOCALS,
    PROVIDER,
];
