//! Rows of the blocks in a template, in two tables: those validated while files are parsed, and those validated when builds are
//! evaluated. The content of sources, provisioners and the like is validated by components.

use groma_config::row::{block, optional, required};
use groma_config::{ArgumentRow, BlockRow, OpenContent};

/// Builds the row of a block with content that a component defines: any arguments and blocks, which `dynamic` may generate.
const fn free(kind: &'static str, doc: &'static str, labels: &'static [&'static str]) -> BlockRow {
    block(kind, doc).labels(labels).blocks(&MAKING).open(OpenContent::Body)
}

/// The row of the block `packer`: the argument `required_version` and the block `required_plugins`.
const PACKER: BlockRow =
    block("packer", "Which version of Packer and which plugins a template needs.")
        .arguments(&[optional("required_version")])
        .blocks(&[block("required_plugins", "Where plugins come from, by name.")
            .open(OpenContent::Arguments)]);

/// The row of the block `variable`: its label, its arguments and the block `validation`.
const VARIABLE: BlockRow = block("variable", "A value that is given from outside.")
    .labels(&["name"])
    .arguments(&[
        optional("type"),
        optional("default"),
        optional("description"),
        optional("sensitive"),
    ])
    .blocks(&[block("validation", "What the value of a variable has to keep.")
        .arguments(&[required("condition"), required("error_message")])]);

/// The row of the block `variables`, whose arguments are the names and defaults of variables.
const VARIABLES: BlockRow = block("variables", "Variables that are nothing but their defaults.")
    .open(OpenContent::Arguments);

/// The row of the block `locals`, which takes arguments of any name.
const LOCALS: BlockRow = block("locals", "Values with a name.").open(OpenContent::Arguments);

/// The row of the block `local`: its label, and the arguments `expression` and `sensitive`.
const LOCAL: BlockRow = block("local", "One value with a name, which may be sensitive.")
    .labels(&["name"])
    .arguments(&[required("expression"), optional("sensitive")]);

/// The row of the block `hcp_packer_registry`, which has only arguments.
const REGISTRY: BlockRow =
    block("hcp_packer_registry", "What is told to a registry about what is built.").arguments(&[
        optional("bucket_name"),
        optional("description"),
        optional("bucket_labels"),
        optional("build_labels"),
        optional("labels"),
        optional("channels"),
    ]);

/// The row of `communicator`, which Packer accepts at the top level and ignores: communicators are configured in sources.
const COMMUNICATOR: BlockRow = free("communicator", "Taken, and not read.", &["type", "name"]);

/// The arguments of a `dynamic` block.
const REPETITION: &[ArgumentRow] =
    &[required("for_each"), optional("iterator"), optional("labels")];

/// Builds the row of a `dynamic` block. Such rows are recursive, so they are statics and not constants.
const fn dynamic(content: &'static [BlockRow]) -> BlockRow {
    block("dynamic", "Blocks of one type, one for each element of a collection.")
        .labels(&["type"])
        .arguments(REPETITION)
        .blocks(content)
}

/// The row of `dynamic` inside of blocks with content that a component defines.
static MAKING: [BlockRow; 1] = [dynamic(&CONTENT)];

/// The row of the block `content` in a `dynamic` block.
static CONTENT: [BlockRow; 1] = [block("content", "The body of every block that is made.")
    .blocks(&CHAINED)
    .open(OpenContent::Body)];

/// The rows of the blocks in a `post-processors` block.
static CHAINED: [BlockRow; 2] =
    [free("post-processor", "What is done with what was built.", &["type"]), dynamic(&CONTENT)];

/// The rows of the blocks in a `build` block.
static BUILD: [BlockRow; 7] = [
    free("source", "A source, with arguments and a name of this build's own.", &["source"]),
    free("provisioner", "What is done to the machine before it is kept.", &["type"]),
    free("error-cleanup-provisioner", "What is done if a provisioner fails.", &["type"]),
    free("post-processor", "What is done with what was built.", &["type"]),
    block("post-processors", "Post-processors of which each takes what the one before made.")
        .blocks(&CHAINED),
    REGISTRY,
    dynamic(&CONTENT),
];

/// The types of blocks in a `build` block that have a label.
pub(crate) const LABELLED: [&str; 4] =
    ["source", "provisioner", "error-cleanup-provisioner", "post-processor"];

/// Returns true if a `build` block may contain blocks of this type, apart from `dynamic`.
pub(crate) fn is_of_build(kind: &str) -> bool {
    kind != "dynamic" && BUILD.iter().any(|row| row.kind == kind)
}

/// The rows of blocks at the top level of a template as they are validated while files are parsed, without the content of
/// builds.
pub(crate) static PARSED: [BlockRow; 10] = [
    PACKER,
    VARIABLE,
    VARIABLES,
    LOCALS,
    LOCAL,
    free("data", "Something that is read from elsewhere.", &["type", "name"]),
    free("source", "What a build can start from.", &["type", "name"]),
    block("build", "What is built, and from which sources.").open(OpenContent::Body),
    REGISTRY,
    COMMUNICATOR,
];

/// The rows of blocks at the top level of a template, with the content of builds.
pub(crate) static DECODED: [BlockRow; 10] = [
    PACKER,
    VARIABLE,
    VARIABLES,
    LOCALS,
    LOCAL,
    free("data", "Something that is read from elsewhere.", &["type", "name"]),
    free("source", "What a build can start from.", &["type", "name"]),
    block("build", "What is built, and from which sources.")
        .arguments(&[optional("name"), optional("description"), optional("sources")])
        .blocks(&BUILD),
    REGISTRY,
    COMMUNICATOR,
];

/// Returns the rows of blocks at the top level of a template, with the content of builds.
pub fn rows() -> &'static [BlockRow] {
    &DECODED
}

/// Returns the number of labels of a block type at the top level of a template; `None` for an unknown type.
pub fn labels(kind: &str) -> Option<usize> {
    PARSED.iter().find(|row| row.kind == kind).map(|row| row.labels.len())
}
