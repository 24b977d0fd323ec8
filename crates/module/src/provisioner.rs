//! What the provisioners that every program has built in may be told, and a connection. Others came
//! as plugins once; no program looks for them by itself any more.

use std::sync::{Arc, LazyLock};

use groma_config::BlockRow;
use groma_config::row::{block, map, number, text, texts, truth};
use groma_value::schema::BlockSchema;

/// The provisioners that there are.
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

/// Those that there once were.
const GONE: [&str; 4] = ["chef", "habitat", "puppet", "salt-masterless"];

/// A provisioner, as far as it is known.
pub(crate) enum KnownProvisioner {
    /// The schema of its body.
    Known(Arc<BlockSchema>),
    /// It was taken out.
    Gone,
    /// There never was one of that name.
    Unknown,
}

/// The provisioner of that name.
pub(crate) fn find(name: &str) -> KnownProvisioner {
    static SCHEMAS: LazyLock<[Arc<BlockSchema>; 3]> =
        LazyLock::new(|| PROVISIONERS.map(|row| row.schema().into()));
    match PROVISIONERS.iter().zip(&*SCHEMAS).find(|(row, _)| row.kind == name) {
        Some((_, schema)) => KnownProvisioner::Known(schema.clone()),
        None if GONE.contains(&name) => KnownProvisioner::Gone,
        None => KnownProvisioner::Unknown,
    }
}

/// The schema of the body of a provisioner that every program has.
pub fn provisioner_schema(name: &str) -> Option<Arc<BlockSchema>> {
    match find(name) {
        KnownProvisioner::Known(schema) => Some(schema),
        _ => None,
    }
}

/// The names of the provisioners that there are.
pub fn provisioner_names() -> [&'static str; 3] {
    PROVISIONERS.map(|row| row.kind)
}

/// The arguments of a provisioner that name what is read from the disk when it runs.
pub(crate) fn arguments_with_files(kind: &str) -> &'static [&'static str] {
    match kind {
        "file" => &["source"],
        "remote-exec" => &["script", "scripts"],
        _ => &[],
    }
}

/// Returns what a connection may be told.
pub fn connection_schema() -> Arc<BlockSchema> {
    static SCHEMA: LazyLock<Arc<BlockSchema>> = LazyLock::new(|| CONNECTION.schema().into());
    SCHEMA.clone()
}
