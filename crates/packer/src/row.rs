//! The blocks of a template as rows. There are two tables: what is looked at while files are parsed, and what is
//! looked at when builds are worked out. Inside of sources, provisioners and the like, plugins know what is right.

use groma_config::row::{block, optional, required};
use groma_config::{ArgumentRow, BlockRow, OpenContent};

/// Blocks that another layer knows: any argument, and blocks that `dynamic` may make.
const fn free(kind: &'static str, doc: &'static str, labels: &'static [&'static str]) -> BlockRow {
    block(kind, doc).labels(labels).blocks(&MAKING).open(OpenContent::Body)
}

const PACKER: BlockRow =
    block("packer", "Which version of Packer and which plugins a template needs.")
        .arguments(&[optional("required_version")])
        .blocks(&[block("required_plugins", "Where plugins come from, by name.")
            .open(OpenContent::Arguments)]);

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

const VARIABLES: BlockRow = block("variables", "Variables that are nothing but their defaults.")
    .open(OpenContent::Arguments);

const LOCALS: BlockRow = block("locals", "Values with a name.").open(OpenContent::Arguments);

const LOCAL: BlockRow = block("local", "One value with a name, which may be sensitive.")
    .labels(&["name"])
    .arguments(&[required("expression"), optional("sensitive")]);

const REGISTRY: BlockRow =
    block("hcp_packer_registry", "What is told to a registry about what is built.").arguments(&[
        optional("bucket_name"),
        optional("description"),
        optional("bucket_labels"),
        optional("build_labels"),
        optional("labels"),
        optional("channels"),
    ]);

/// Packer takes the block at the top of a template and reads nothing of it: communicators are set up in sources.
const COMMUNICATOR: BlockRow = free("communicator", "Taken, and not read.", &["type", "name"]);

const REPETITION: &[ArgumentRow] =
    &[required("for_each"), optional("iterator"), optional("labels")];

/// A `dynamic` block. Its rows lead back to themselves, so they are statics and no constants.
const fn dynamic(content: &'static [BlockRow]) -> BlockRow {
    block("dynamic", "Blocks of one type, one for each element of a collection.")
        .labels(&["type"])
        .arguments(REPETITION)
        .blocks(content)
}

/// A `dynamic` block makes blocks, which may hold `dynamic` blocks in their turn.
static MAKING: [BlockRow; 1] = [dynamic(&CONTENT)];

static CONTENT: [BlockRow; 1] = [block("content", "The body of every block that is made.")
    .blocks(&CHAINED)
    .open(OpenContent::Body)];

static CHAINED: [BlockRow; 2] =
    [free("post-processor", "What is done with what was built.", &["type"]), dynamic(&CONTENT)];

/// The blocks of a build.
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

/// The blocks of a build that have labels.
pub(crate) const LABELLED: [&str; 4] =
    ["source", "provisioner", "error-cleanup-provisioner", "post-processor"];

/// Returns true if a build may hold blocks of this kind.
pub(crate) fn is_of_build(kind: &str) -> bool {
    kind != "dynamic" && BUILD.iter().any(|row| row.kind == kind)
}

/// The blocks that are looked at while files are parsed: the insides of builds come later.
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

/// The same with the insides of builds.
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

/// The blocks of a template, with the insides of builds.
pub fn rows() -> &'static [BlockRow] {
    &DECODED
}

/// Returns how many labels a block of a kind has at the top of a template.
pub fn labels(kind: &str) -> Option<usize> {
    PARSED.iter().find(|row| row.kind == kind).map(|row| row.labels.len())
}
