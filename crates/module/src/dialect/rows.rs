//! Rows of the blocks in module files, for OpenTofu and Terraform alike: a row that only one of them supports says so itself.

use groma_config::row::{block, optional, required};
use groma_config::{ArgumentRow, BlockRow, OpenContent};
use groma_runtime::Availability;

/// Builds the row of an argument that only OpenTofu supports, since `1.since`.
const fn tofu(name: &'static str, since: u32) -> ArgumentRow {
    optional(name).only(Availability::OPENTOFU.opentofu_since(since))
}

/// Builds the row of an argument that only Terraform supports, since `1.since`.
pub(super) const fn terraform(name: &'static str, since: u32) -> ArgumentRow {
    optional(name).only(Availability::TERRAFORM.terraform_since(since))
}

/// Builds the row of an argument that each program supports since its own minor version.
const fn both(name: &'static str, opentofu: u32, terraform: u32) -> ArgumentRow {
    optional(name).only(since(opentofu, terraform))
}

/// Returns the editions from `1.minor` of each program on; 0 includes all known ones.
const fn since(opentofu: u32, terraform: u32) -> Availability {
    let always = Availability::NOT_PACKER;
    let own = if opentofu == 0 { always } else { always.opentofu_since(opentofu) };
    own.terraform_since(terraform)
}

/// The editions that have ephemeral values and resources.
const EPHEMERAL: Availability = since(11, 10);

/// The editions that have actions and list resources.
const ACTIONS: Availability = Availability::TERRAFORM.terraform_since(14);

/// The arguments of every block with a condition: `condition` and `error_message`.
pub(super) const CONDITION: &[ArgumentRow] = &[required("condition"), required("error_message")];
/// The row of the block `validation` of a variable, with the arguments of a condition.
const VALIDATION: BlockRow =
    block("validation", "What the value of a variable has to keep.").arguments(CONDITION);
/// The row of the block `precondition`, with the arguments of a condition.
const PRECONDITION: BlockRow =
    block("precondition", "What has to hold before something is made or given.")
        .arguments(CONDITION)
        .only(since(0, 2));
/// The row of the block `postcondition`, with the arguments of a condition.
const POSTCONDITION: BlockRow =
    block("postcondition", "What has to hold once something is made or read.")
        .arguments(CONDITION)
        .only(since(0, 2));
/// The row of the block `connection` in a resource or provisioner, which takes any content: the row of the same name in
/// `provisioner.rs` checks it.
const CONNECTION: BlockRow =
    block("connection", "How provisioners reach what was made.").open(OpenContent::Body);
/// The row of the block `_`, whose arguments belong to the schema although they have the names of meta-arguments.
const ESCAPED: BlockRow =
    block("_", "Arguments of the schema whose names mean something else to the block.")
        .open(OpenContent::Body)
        .single();
/// The row of the block `provisioner`: its label, its settings, and any content that its type defines.
const PROVISIONER: BlockRow =
    block("provisioner", "A command for when a resource is made or destroyed.")
        .labels(&["type"])
        .arguments(&[optional("when"), optional("on_failure")])
        .blocks(&[CONNECTION.single(), ESCAPED])
        .open(OpenContent::Body);
/// The row of the argument `enabled` in a `lifecycle` block, which only OpenTofu supports.
const ENABLED: ArgumentRow = tofu("enabled", 11);

/// The row of the block `action_trigger` in a `lifecycle`: its arguments, and the editions that have it.
const ACTION_TRIGGER: BlockRow =
    block("action_trigger", "Which actions run when a resource is made, changed or destroyed.")
        .arguments(&[
            required("events"),
            optional("condition"),
            required("actions"),
            terraform("on_failure", 16),
        ])
        .only(ACTIONS);
/// The row of the block `config` of actions and lists, which holds the arguments for the provider.
const CONFIG: BlockRow =
    block("config", "What the provider is told; the schema says what that may be.")
        .open(OpenContent::Body)
        .single();

/// The common part of the rows of all `lifecycle` blocks: kind and description.
const LIFECYCLE: BlockRow = block(
    "lifecycle",
    "How a resource is replaced and kept, and what has to hold before and after.",
);
/// The row of the `lifecycle` of a managed resource: its arguments and nested blocks.
const RESOURCE_LIFECYCLE: BlockRow = LIFECYCLE
    .arguments(&[
        optional("create_before_destroy"),
        optional("prevent_destroy"),
        optional("ignore_changes"),
        both("replace_triggered_by", 0, 2),
        ENABLED,
        both("destroy", 12, 16),
    ])
    .blocks(&[PRECONDITION, POSTCONDITION, ACTION_TRIGGER])
    .single();
/// The row of the `lifecycle` of a data source: its arguments and nested blocks.
const READ_LIFECYCLE: BlockRow =
    LIFECYCLE.arguments(&[ENABLED]).blocks(&[PRECONDITION, POSTCONDITION]).single();
/// The row of the `lifecycle` of a module call: its arguments.
const MODULE_LIFECYCLE: BlockRow =
    LIFECYCLE.arguments(&[ENABLED]).single().only(Availability::OPENTOFU.opentofu_since(11));
/// The row of the `lifecycle` of a `removed` block: its arguments.
const REMOVED_LIFECYCLE: BlockRow = LIFECYCLE.arguments(&[optional("destroy")]).only(since(10, 7));

/// The row of `method`, the only argument of a `fallback` block in an `encryption` block.
const METHOD: &[ArgumentRow] = &[optional("method")];
/// The rows of the arguments of a target of an `encryption` block, such as `state` or `plan`.
const ENFORCED_METHOD: &[ArgumentRow] = &[optional("method"), optional("enforced")];
/// The row of the block `fallback` in a target of an `encryption` block, such as `state`.
const FALLBACK: &[BlockRow] =
    &[block("fallback", "How what is there already may be encrypted.").arguments(METHOD).single()];

/// Builds the row of a target of an `encryption` block, such as `state` or `plan`.
const fn encrypted(
    kind: &'static str,
    doc: &'static str,
    arguments: &'static [ArgumentRow],
) -> BlockRow {
    block(kind, doc).arguments(arguments).blocks(FALLBACK)
}

/// The rows of the meta-arguments of resources and data sources: `count`, `for_each`, `provider` and `depends_on`.
const INSTANCES: &[ArgumentRow] =
    &[optional("count"), optional("for_each"), optional("provider"), optional("depends_on")];

/// The row of the block `data`: its labels, arguments and nested blocks.
const DATA: BlockRow = block("data", "Something that exists already and is read.")
    .labels(&["type", "name"])
    .arguments(INSTANCES)
    .blocks(&[READ_LIFECYCLE, ESCAPED])
    .open(OpenContent::Body);

/// The row of the block `variable`: its labels, arguments and nested blocks.
pub(super) const VARIABLE: BlockRow = block(
    "variable",
    "An input of the module: its type, its default and what its value has to keep.",
)
.labels(&["name"])
.arguments(&[
    optional("type"),
    optional("default"),
    optional("description"),
    optional("sensitive"),
    both("nullable", 0, 1),
    both("ephemeral", 11, 10),
    both("deprecated", 10, 15),
    both("const", 12, 15),
])
.blocks(&[VALIDATION]);
/// The row of the block `locals`, which takes arguments of any name.
const LOCALS: BlockRow = block("locals", "Names for values that are used in several places.")
    .open(OpenContent::Arguments);
/// The row of the block `provider`: its labels, arguments and nested blocks.
const PROVIDER: BlockRow =
    block("provider", "How a provider is set up, under its own name or an alias.")
        .labels(&["name"])
        .arguments(&[optional("alias"), optional("version"), tofu("for_each", 9)])
        .blocks(&[ESCAPED])
        .open(OpenContent::Body);

/// The rows of the blocks that module files may contain.
pub const MODULE: &[BlockRow] = &[
    block("terraform", "Settings: the versions, providers and backend that the module asks for.")
        .arguments(&[optional("required_version"), optional("experiments"), optional("language")])
        .blocks(&[
            block("required_providers", "Where each provider comes from, and in which versions.")
                .open(OpenContent::Arguments),
            block("backend", "Where the state is kept.").labels(&["type"]).open(OpenContent::Body),
            block("cloud", "The service that keeps the state and runs plans.")
                .open(OpenContent::Body)
                .only(since(0, 1)),
            block("provider_meta", "What a module says to a provider about itself.")
                .labels(&["provider"])
                .open(OpenContent::Body),
            block("encryption", "How state and plan files are encrypted.")
                .blocks(&[
                    block("key_provider", "Where keys come from.")
                        .labels(&["type", "name"])
                        .open(OpenContent::Body),
                    block("method", "How is encrypted, and with which keys.")
                        .labels(&["type", "name"])
                        .open(OpenContent::Body),
                    encrypted("state", "How the state is encrypted.", ENFORCED_METHOD).single(),
                    encrypted("plan", "How saved plans are encrypted.", ENFORCED_METHOD).single(),
                    block(
                        "remote_state_data_sources",
                        "How states of others that are read are encrypted.",
                    )
                    .single()
                    .blocks(&[
                        encrypted("default", "How they are where nothing else is said.", METHOD)
                            .single(),
                        encrypted(
                            "remote_state_data_source",
                            "How the state of one data source is.",
                            METHOD,
                        )
                        .labels(&["name"]),
                    ]),
                ])
                .only(Availability::OPENTOFU.opentofu_since(7)),
        ]),
    block(
        "language",
        "The edition of the language that the module is written in, and the programs it suits.",
    )
    .arguments(&[optional("edition"), optional("experiments")])
    .blocks(&[block("compatible_with", "Which versions of which programs the module suits.")
        .open(OpenContent::Body)])
    .only(Availability::OPENTOFU.opentofu_since(12)),
    VARIABLE,
    LOCALS,
    block("output", "What the module gives to its caller, or a root module to its user.")
        .labels(&["name"])
        .arguments(&[
            required("value"),
            optional("description"),
            optional("sensitive"),
            both("ephemeral", 11, 10),
            optional("depends_on"),
            both("deprecated", 10, 15),
            terraform("type", 15),
        ])
        .blocks(&[PRECONDITION]),
    block("module", "A call of another module, once or for many instances.")
        .labels(&["name"])
        .arguments(&[
            required("source"),
            optional("version"),
            optional("count"),
            optional("for_each"),
            optional("providers"),
            optional("depends_on"),
        ])
        .blocks(&[MODULE_LIFECYCLE, ESCAPED])
        .open(OpenContent::Arguments),
    block("resource", "Something that is to be made and kept: what it is, and how many there are.")
        .labels(&["type", "name"])
        .arguments(INSTANCES)
        .blocks(&[RESOURCE_LIFECYCLE, PROVISIONER, CONNECTION.single(), ESCAPED])
        .open(OpenContent::Body),
    DATA,
    block("ephemeral", "Something that is opened for one run and kept nowhere.")
        .labels(&["type", "name"])
        .arguments(INSTANCES)
        .blocks(&[READ_LIFECYCLE, ESCAPED])
        .open(OpenContent::Body)
        .only(EPHEMERAL),
    block(
        "action",
        "Something that a provider does without keeping anything, when a resource triggers it.",
    )
    .labels(&["type", "name"])
    .arguments(&[optional("count"), optional("for_each"), optional("provider")])
    .blocks(&[CONFIG])
    .only(ACTIONS),
    PROVIDER,
    block("moved", "A resource or module that has a new address.")
        .fixed()
        .arguments(&[required("from"), required("to")])
        .only(since(0, 1)),
    block("import", "An existing resource to import.")
        .fixed()
        .arguments(&[
            required("to"),
            optional("id"),
            optional("provider"),
            both("for_each", 7, 7),
            both("identity", 12, 12),
        ])
        .only(since(0, 5)),
    block("removed", "A resource that is no longer declared here, and what becomes of it.")
        .fixed()
        .arguments(&[required("from")])
        .blocks(&[
            REMOVED_LIFECYCLE,
            PROVISIONER.only(since(10, 9)),
            CONNECTION.only(Availability::TERRAFORM.terraform_since(9)),
        ])
        .only(since(7, 7)),
    block("check", "Assertions about the whole, which warn and never stop anything.")
        .fixed()
        .labels(&["name"])
        .blocks(&[DATA, block("assert", "One assertion of a check.").arguments(CONDITION)])
        .only(since(0, 5)),
];

/// The rows of the blocks that query files may contain.
pub const QUERY: &[BlockRow] = &[
    block("list", "What exists of one type, as a provider finds it.")
        .labels(&["type", "name"])
        .arguments(&[
            required("provider"),
            optional("count"),
            optional("for_each"),
            optional("include_resource"),
            optional("limit"),
        ])
        .blocks(&[CONFIG]),
    VARIABLE,
    LOCALS,
    PROVIDER,
];
