//! Schemas of the built-in provisioners and of connections. Other provisioners were plugins once; no program looks for them by
//! itself any more.

use std::sync::{Arc, LazyLock};

use groma_config::BlockRow;
use groma_config::row::{block, map, number, text, texts, truth};
use groma_value::schema::BlockSchema;

/// The rows of the built-in provisioners, with their arguments.
const PROVISIONERS: [BlockRow; 3] = [
    block("file", "Copies a file or a folder to what was made.").arguments(&[
        text("source"),
        text("content"),
        text("destination").required(),
    ]),
    block("local-exec", "Runs a command where the program runs.").arguments(&[
        text("command").required(),
        texts("interpreter"),
        text("working_dir"),
        map("environment"),
        truth("quiet"),
    ]),
    block("remote-exec", "Runs commands on what was made.").arguments(&[
        texts("inline"),
        text("script"),
        texts("scripts"),
    ]),
];

/// The row of the block `connection` with all its arguments, by which its content is checked.
const CONNECTION: BlockRow = block("connection", "How what was made is reached.").arguments(&[
    truth("agent"),
    text("agent_identity"),
    text("bastion_certificate"),
    text("bastion_host"),
    text("bastion_host_key"),
    text("bastion_password"),
    number("bastion_port"),
    text("bastion_private_key"),
    text("bastion_user"),
    text("cacert"),
    text("certificate"),
    text("host").required(),
    text("host_key"),
    truth("https"),
    truth("insecure"),
    text("password"),
    number("port"),
    text("private_key"),
    number("proxy_port"),
    text("proxy_host"),
    text("proxy_scheme"),
    text("proxy_user_name"),
    text("proxy_user_password"),
    text("script_path"),
    text("target_platform"),
    text("timeout"),
    text("type"),
    truth("use_ntlm"),
    text("user"),
]);

/// The names of provisioners that existed in old versions of the programs and were removed.
const GONE: [&str; 4] = ["chef", "habitat", "puppet", "salt-masterless"];

/// The result of looking up a provisioner by its name: its schema, or why there is none.
pub(crate) enum KnownProvisioner {
    /// The schema of its body.
    Known(Arc<BlockSchema>),
    /// It was removed from the programs.
    Gone,
    /// It never existed.
    Unknown,
}

/// Looks up the built-in provisioner with this name: its schema, or that it was removed or never existed.
pub(crate) fn find(name: &str) -> KnownProvisioner {
    /// The schemas of the built-in provisioners, made once.
    static SCHEMAS: LazyLock<[Arc<BlockSchema>; 3]> =
        LazyLock::new(|| PROVISIONERS.map(|row| row.schema().into()));
    match PROVISIONERS.iter().zip(&*SCHEMAS).find(|(row, _)| row.kind == name) {
        Some((_, schema)) => KnownProvisioner::Known(schema.clone()),
        None if GONE.contains(&name) => KnownProvisioner::Gone,
        None => KnownProvisioner::Unknown,
    }
}

/// Returns the schema of the built-in provisioner with this name; `None` if there is none.
pub fn provisioner_schema(name: &str) -> Option<Arc<BlockSchema>> {
    match find(name) {
        KnownProvisioner::Known(schema) => Some(schema),
        _ => None,
    }
}

/// Returns the names of the built-in provisioners.
pub fn provisioner_names() -> [&'static str; 3] {
    PROVISIONERS.map(|row| row.kind)
}

/// Returns the names of a provisioner's arguments that are paths of files read when it runs.
pub(crate) fn arguments_with_files(kind: &str) -> &'static [&'static str] {
    match kind {
        "file" => &["source"],
        "remote-exec" => &["script", "scripts"],
        _ => &[],
    }
}

/// Returns the shared schema of a `connection` block.
pub fn connection_schema() -> Arc<BlockSchema> {
    /// The schema of the block `connection`, built on first use.
    static SCHEMA: LazyLock<Arc<BlockSchema>> = LazyLock::new(|| CONNECTION.schema().into());
    SCHEMA.clone()
}
