//! What the backends of the programs may be told, as rows. They are what the recorded editions took when they were asked; an
//! edition that was not asked has backends of which nothing is known but their names.

use groma_runtime::{Availability, Dialect, Edition, Version};
use groma_value::Type;

/// A kind of backend.
#[derive(Debug)]
pub struct BackendRow {
    /// What it is called.
    pub kind: &'static str,
    /// Where it keeps the state.
    pub keeps: &'static str,
    /// Which editions know it.
    pub editions: Availability,
    /// What it may be told.
    pub arguments: &'static [BackendArgument],
    /// The blocks it may hold.
    pub blocks: &'static [BackendBlock],
}

/// A block in a backend.
#[derive(Debug)]
pub struct BackendBlock {
    /// The word that starts it.
    pub kind: &'static str,
    /// What it may be told.
    pub arguments: &'static [BackendArgument],
}

/// What a backend may be told.
#[derive(Debug)]
pub struct BackendArgument {
    /// Its name.
    pub name: &'static str,
    /// What it takes.
    pub takes: BackendType,
    /// Which editions know it.
    pub editions: Availability,
}

/// What an argument of a backend takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BackendType {
    /// Text.
    Text,
    /// True or false.
    Truth,
    /// A number.
    Number,
    /// A list or a set of texts.
    Texts,
    /// A map of texts.
    Map,
    /// An object, of which more names than are known are no error.
    Object,
}

impl BackendType {
    /// The type of values that fit; nothing where only the program knows.
    pub fn ty(self) -> Option<Type> {
        match self {
            BackendType::Text => Some(Type::String),
            BackendType::Truth => Some(Type::Bool),
            BackendType::Number => Some(Type::Number),
            BackendType::Texts => Some(Type::set(Type::String)),
            BackendType::Map => Some(Type::map(Type::String)),
            BackendType::Object => None,
        }
    }

    /// For people.
    pub fn name(self) -> &'static str {
        match self {
            BackendType::Text => "text",
            BackendType::Truth => "true or false",
            BackendType::Number => "a number",
            BackendType::Texts => "a list of texts",
            BackendType::Map => "a map of texts",
            BackendType::Object => "an object",
        }
    }
}

/// Whether the arguments of backends are known as an edition has them: it, or one before and one after it, was asked.
pub(crate) fn are_arguments_known(edition: Edition) -> bool {
    let recorded = edition.dialect.recorded();
    let (Some(first), Some(last)) = (recorded.first(), recorded.last()) else { return false };
    let minor = |version: Version| (version.major, version.minor);
    edition.dialect != Dialect::Packer
        && (minor(*first)..=minor(*last)).contains(&minor(edition.version))
}

/// The row of a kind, if the edition has it.
pub fn backend(kind: &str, edition: Edition) -> Option<&'static BackendRow> {
    BACKENDS.iter().find(|row| row.kind == kind && row.editions.includes(edition))
}

/// The names of all kinds that an edition has.
pub fn kinds(edition: Edition) -> impl Iterator<Item = &'static str> {
    BACKENDS.iter().filter(move |row| row.editions.includes(edition)).map(|row| row.kind)
}

/// The argument of that name among rows, if the edition knows it.
pub fn argument<'r>(
    rows: &'r [BackendArgument],
    name: &str,
    edition: Edition,
) -> Option<&'r BackendArgument> {
    rows.iter().find(|row| row.name == name && row.editions.includes(edition))
}

const fn of(name: &'static str, takes: BackendType) -> BackendArgument {
    BackendArgument { name, takes, editions: Availability::NOT_PACKER }
}

const fn text(name: &'static str) -> BackendArgument {
    of(name, BackendType::Text)
}

const fn truth(name: &'static str) -> BackendArgument {
    of(name, BackendType::Truth)
}

const fn number(name: &'static str) -> BackendArgument {
    of(name, BackendType::Number)
}

const fn texts(name: &'static str) -> BackendArgument {
    of(name, BackendType::Texts)
}

const fn map(name: &'static str) -> BackendArgument {
    of(name, BackendType::Map)
}

const fn object(name: &'static str) -> BackendArgument {
    of(name, BackendType::Object)
}

impl BackendArgument {
    const fn of_terraform(self) -> BackendArgument {
        BackendArgument { editions: Availability::TERRAFORM, ..self }
    }

    const fn of_terraform_since(self, minor: u32) -> BackendArgument {
        BackendArgument { editions: Availability::TERRAFORM.terraform_since(minor), ..self }
    }

    const fn of_opentofu(self) -> BackendArgument {
        BackendArgument { editions: Availability::OPENTOFU, ..self }
    }
}

/// All of them, by name.
pub const BACKENDS: &[BackendRow] = &[
    BackendRow {
        kind: "azurerm",
        keeps: "a blob in Azure Storage",
        editions: Availability::NOT_PACKER,
        arguments: &[
            text("access_key"),
            text("ado_pipeline_service_connection_id").of_terraform(),
            text("ado_service_connection_id").of_opentofu(),
            text("client_certificate"),
            text("client_certificate_password"),
            text("client_certificate_path"),
            text("client_id"),
            text("client_id_file_path"),
            text("client_secret"),
            text("client_secret_file_path"),
            text("container_name"),
            text("customer_provided_key").of_opentofu(),
            text("encryption_scope").of_opentofu(),
            text("endpoint"),
            text("environment"),
            text("key"),
            truth("lookup_blob_endpoint").of_terraform(),
            text("metadata_host"),
            text("msi_endpoint"),
            text("oidc_request_token"),
            text("oidc_request_url"),
            text("oidc_token"),
            text("oidc_token_file_path"),
            text("resource_group_name"),
            text("sas_token"),
            truth("snapshot"),
            text("storage_account_name"),
            text("subscription_id"),
            text("tenant_id"),
            number("timeout_seconds").of_opentofu(),
            truth("use_aks_workload_identity"),
            truth("use_azuread_auth"),
            truth("use_cli"),
            truth("use_msi"),
            truth("use_oidc"),
        ],
        blocks: &[],
    },
    BackendRow {
        kind: "consul",
        keeps: "a key of Consul",
        editions: Availability::NOT_PACKER,
        arguments: &[
            text("access_token"),
            text("address"),
            text("ca_file"),
            text("cert_file"),
            text("datacenter"),
            truth("gzip"),
            text("http_auth"),
            text("key_file"),
            truth("lock"),
            text("path"),
            text("scheme"),
        ],
        blocks: &[],
    },
    BackendRow {
        kind: "cos",
        keeps: "an object in Tencent Cloud",
        editions: Availability::NOT_PACKER,
        arguments: &[
            truth("accelerate"),
            text("acl"),
            text("bucket"),
            text("cam_role_name").of_terraform(),
            text("domain").of_terraform(),
            truth("encrypt"),
            text("endpoint").of_terraform(),
            text("key"),
            text("prefix"),
            text("profile").of_terraform(),
            text("region"),
            text("secret_id"),
            text("secret_key"),
            text("security_token"),
            text("shared_credentials_dir").of_terraform(),
        ],
        blocks: &[BackendBlock {
            kind: "assume_role",
            arguments: &[
                text("policy"),
                text("role_arn"),
                number("session_duration"),
                text("session_name"),
                text("external_id").of_terraform(),
            ],
        }],
    },
    BackendRow {
        kind: "gcs",
        keeps: "an object in Google Cloud Storage",
        editions: Availability::NOT_PACKER,
        arguments: &[
            text("access_token"),
            text("bucket"),
            text("credentials"),
            text("encryption_key"),
            text("impersonate_service_account"),
            texts("impersonate_service_account_delegates"),
            text("kms_encryption_key"),
            text("prefix"),
            text("storage_custom_endpoint"),
            text("universe_domain").of_opentofu(),
        ],
        blocks: &[],
    },
    BackendRow {
        kind: "http",
        keeps: "whatever answers at an address",
        editions: Availability::NOT_PACKER,
        arguments: &[
            text("address"),
            text("client_ca_certificate_pem"),
            text("client_certificate_pem"),
            text("client_private_key_pem"),
            map("headers").of_opentofu(),
            text("lock_address"),
            text("lock_method"),
            text("password"),
            number("retry_max"),
            number("retry_wait_max"),
            number("retry_wait_min"),
            truth("skip_cert_verification"),
            text("unlock_address"),
            text("unlock_method"),
            text("update_method"),
            text("username"),
        ],
        blocks: &[],
    },
    BackendRow {
        kind: "inmem",
        keeps: "the memory of the program, for tests",
        editions: Availability::NOT_PACKER,
        arguments: &[text("lock_id")],
        blocks: &[],
    },
    BackendRow {
        kind: "kubernetes",
        keeps: "a secret of a Kubernetes cluster",
        editions: Availability::NOT_PACKER,
        arguments: &[
            text("client_certificate"),
            text("client_key"),
            text("cluster_ca_certificate"),
            text("config_context"),
            text("config_context_auth_info"),
            text("config_context_cluster"),
            text("config_path"),
            texts("config_paths"),
            text("host"),
            truth("in_cluster_config"),
            truth("insecure"),
            map("labels"),
            truth("load_config_file"),
            text("namespace"),
            text("password"),
            text("proxy_url").of_terraform(),
            text("secret_suffix"),
            text("token"),
            text("username"),
        ],
        blocks: &[BackendBlock {
            kind: "exec",
            arguments: &[text("api_version"), texts("args"), text("command"), map("env")],
        }],
    },
    BackendRow {
        kind: "local",
        keeps: "a file",
        editions: Availability::NOT_PACKER,
        arguments: &[text("path"), text("workspace_dir")],
        blocks: &[],
    },
    BackendRow {
        kind: "oci",
        keeps: "an object in Oracle Cloud",
        editions: Availability::TERRAFORM.terraform_since(12),
        arguments: &[
            text("auth"),
            text("bucket"),
            text("config_file_profile"),
            text("fingerprint"),
            text("key"),
            text("kms_key_id"),
            text("namespace"),
            text("private_key"),
            text("private_key_password"),
            text("private_key_path"),
            text("region"),
            text("sse_customer_algorithm"),
            text("sse_customer_key"),
            text("sse_customer_key_sha256"),
            text("tenancy_ocid"),
            text("user_ocid"),
            text("workspace_key_prefix"),
        ],
        blocks: &[],
    },
    BackendRow {
        kind: "oss",
        keeps: "an object in Alibaba Cloud",
        editions: Availability::NOT_PACKER,
        arguments: &[
            text("access_key"),
            text("acl"),
            text("assume_role_policy"),
            text("assume_role_role_arn"),
            number("assume_role_session_expiration"),
            text("assume_role_session_name"),
            text("bucket"),
            text("ecs_role_name"),
            truth("encrypt"),
            text("endpoint"),
            text("key"),
            text("prefix"),
            text("profile"),
            text("region"),
            text("secret_key"),
            text("security_token"),
            text("shared_credentials_file"),
            text("sts_endpoint"),
            text("tablestore_endpoint"),
            text("tablestore_instance_name").of_terraform_since(15),
            text("tablestore_table"),
        ],
        blocks: &[BackendBlock {
            kind: "assume_role",
            arguments: &[
                text("policy"),
                text("role_arn"),
                number("session_expiration"),
                text("session_name"),
            ],
        }],
    },
    BackendRow {
        kind: "pg",
        keeps: "a row of a PostgreSQL database",
        editions: Availability::NOT_PACKER,
        arguments: &[
            text("conn_str"),
            text("index_name").of_opentofu(),
            text("schema_name"),
            truth("skip_index_creation"),
            truth("skip_schema_creation"),
            truth("skip_table_creation"),
            text("table_name").of_opentofu(),
        ],
        blocks: &[],
    },
    BackendRow {
        kind: "remote",
        keeps: "a workspace of HCP Terraform or what speaks as it does",
        editions: Availability::NOT_PACKER,
        arguments: &[text("hostname"), text("organization"), text("token")],
        blocks: &[BackendBlock { kind: "workspaces", arguments: &[text("name"), text("prefix")] }],
    },
    BackendRow {
        kind: "s3",
        keeps: "an object in Amazon S3 or what speaks as it does",
        editions: Availability::NOT_PACKER,
        arguments: &[
            text("access_key"),
            text("acl"),
            texts("allowed_account_ids"),
            object("assume_role"),
            number("assume_role_duration_seconds").of_opentofu(),
            text("assume_role_policy").of_opentofu(),
            texts("assume_role_policy_arns").of_opentofu(),
            map("assume_role_tags").of_opentofu(),
            texts("assume_role_transitive_tag_keys").of_opentofu(),
            object("assume_role_with_web_identity"),
            text("bucket"),
            text("custom_ca_bundle"),
            text("dynamodb_endpoint"),
            text("dynamodb_table"),
            text("ec2_metadata_service_endpoint"),
            text("ec2_metadata_service_endpoint_mode"),
            truth("encrypt"),
            text("endpoint"),
            object("endpoints"),
            text("external_id").of_opentofu(),
            texts("forbidden_account_ids"),
            truth("force_path_style"),
            text("http_proxy"),
            text("https_proxy"),
            text("iam_endpoint"),
            truth("insecure"),
            text("key"),
            text("kms_key_id"),
            map("lock_tags").of_opentofu(),
            number("max_retries"),
            text("no_proxy"),
            text("profile"),
            text("region"),
            text("retry_mode"),
            text("role_arn").of_opentofu(),
            text("secret_key"),
            text("session_name").of_opentofu(),
            texts("shared_config_files"),
            text("shared_credentials_file"),
            texts("shared_credentials_files"),
            truth("skip_credentials_validation"),
            truth("skip_metadata_api_check"),
            truth("skip_region_validation"),
            truth("skip_requesting_account_id"),
            truth("skip_s3_checksum"),
            text("sse_customer_key"),
            map("state_tags").of_opentofu(),
            text("sts_endpoint"),
            text("sts_region"),
            text("token"),
            truth("use_dualstack_endpoint"),
            truth("use_fips_endpoint"),
            truth("use_lockfile"),
            truth("use_path_style"),
            text("workspace_key_prefix"),
        ],
        blocks: &[],
    },
];
