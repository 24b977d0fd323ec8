//! What the provisioners that every program has built in may be told, and a connection. Others came
//! as plugins once; no program looks for them by itself any more.

use std::sync::{Arc, LazyLock};

use groma_value::Type;
use groma_value::schema::{AttributeSchema, BlockSchema};

/// The provisioners that there are.
pub(crate) const NAMES: [&str; 3] = ["file", "local-exec", "remote-exec"];
/// Those that there once were.
const GONE: [&str; 4] = ["chef", "habitat", "puppet", "salt-masterless"];

/// What is known of a provisioner.
pub(crate) enum Found {
    /// What it may be told.
    Known(Arc<BlockSchema>),
    /// It was taken out.
    Gone,
    /// There never was one of that name.
    Unknown,
}

static LOCAL_EXEC: LazyLock<Arc<BlockSchema>> = LazyLock::new(|| {
    block(vec![
        required("command", Type::String),
        AttributeSchema::optional("interpreter", Type::list(Type::String)),
        AttributeSchema::optional("working_dir", Type::String),
        AttributeSchema::optional("environment", Type::map(Type::String)),
        AttributeSchema::optional("quiet", Type::Bool),
    ])
});
static REMOTE_EXEC: LazyLock<Arc<BlockSchema>> = LazyLock::new(|| {
    block(vec![
        AttributeSchema::optional("inline", Type::list(Type::String)),
        AttributeSchema::optional("script", Type::String),
        AttributeSchema::optional("scripts", Type::list(Type::String)),
    ])
});
static FILE: LazyLock<Arc<BlockSchema>> = LazyLock::new(|| {
    block(vec![
        AttributeSchema::optional("source", Type::String),
        AttributeSchema::optional("content", Type::String),
        required("destination", Type::String),
    ])
});
static CONNECTION: LazyLock<Arc<BlockSchema>> = LazyLock::new(|| {
    const TEXTS: [&str; 21] = [
        "agent_identity",
        "bastion_certificate",
        "bastion_host",
        "bastion_host_key",
        "bastion_password",
        "bastion_private_key",
        "bastion_user",
        "cacert",
        "certificate",
        "host_key",
        "password",
        "private_key",
        "proxy_host",
        "proxy_scheme",
        "proxy_user_name",
        "proxy_user_password",
        "script_path",
        "target_platform",
        "timeout",
        "type",
        "user",
    ];
    let texts = TEXTS.map(|name| AttributeSchema::optional(name, Type::String));
    let numbers = ["bastion_port", "port", "proxy_port"]
        .map(|name| AttributeSchema::optional(name, Type::Number));
    let flags = ["agent", "https", "insecure", "use_ntlm"]
        .map(|name| AttributeSchema::optional(name, Type::Bool));
    let all = texts.into_iter().chain(numbers).chain(flags);
    block(all.chain([required("host", Type::String)]).collect())
});

/// The provisioner of that name.
pub(crate) fn find(name: &str) -> Found {
    match name {
        "local-exec" => Found::Known(LOCAL_EXEC.clone()),
        "remote-exec" => Found::Known(REMOTE_EXEC.clone()),
        "file" => Found::Known(FILE.clone()),
        _ if GONE.contains(&name) => Found::Gone,
        _ => Found::Unknown,
    }
}

/// What a connection may be told.
pub(crate) fn connection() -> Arc<BlockSchema> {
    CONNECTION.clone()
}

fn block(attributes: Vec<AttributeSchema>) -> Arc<BlockSchema> {
    Arc::new(BlockSchema::new(attributes, Vec::new()))
}

fn required(name: &str, ty: Type) -> AttributeSchema {
    AttributeSchema { required: true, optional: false, ..AttributeSchema::optional(name, ty) }
}
