//! Arguments of the programs' backends, as rows recorded from the programs themselves. For an edition that was not recorded,
//! only the names of backends are known.

use groma_config::BlockRow;
use groma_config::row::{block, map, number, object, text, texts, truth};
use groma_runtime::{Availability, Edition, Version};

/// Returns true if the arguments of backends are known for an edition: it is not older than the first recorded version of its
/// program and not newer than the last.
pub(crate) fn are_arguments_known(edition: Edition) -> bool {
    let recorded = edition.dialect.recordings();
    let (Some(first), Some(last)) = (recorded.first(), recorded.last()) else { return false };
    let minor = |version: Version| (version.major, version.minor);
    edition.dialect.has_modules()
        && (minor(first.version)..=minor(last.version)).contains(&minor(edition.version))
}

/// Returns the row of the backend with this name; `None` if the edition does not have it.
pub fn backend(kind: &str, edition: Edition) -> Option<&'static BlockRow> {
    BACKENDS.iter().find(|row| row.kind == kind && row.editions.includes(edition))
}

/// Returns the names of all backends that an edition has.
pub fn kinds(edition: Edition) -> impl Iterator<Item = &'static str> {
    BACKENDS.iter().filter(move |row| row.editions.includes(edition)).map(|row| row.kind)
}

/// The editions of backends and arguments that only OpenTofu has.
const OPENTOFU: Availability = Availability::OPENTOFU;
/// The editions of backends and arguments that only Terraform has.
const TERRAFORM: Availability = Availability::TERRAFORM;

/// The rows of all backends, by name: the place where each keeps the state, and its arguments. An argument that is required by
/// `init` may be set from elsewhere there, but not when a state is only read.
pub const BACKENDS: &[BlockRow] = &[
    block("azurerm", "Keeps the state in a blob in Azure Storage.").arguments(&[
        text("access_key"),
        text("ado_pipeline_service_connection_id").only(TERRAFORM),
        text("ado_service_connection_id").only(OPENTOFU),
        text("client_certificate"),
        text("client_certificate_password"),
        text("client_certificate_path"),
        text("client_id"),
        text("client_id_file_path"),
        text("client_secret"),
        text("client_secret_file_path"),
        text("container_name").required(),
        text("customer_provided_key").only(OPENTOFU),
        text("encryption_scope").only(OPENTOFU),
        text("endpoint"),
        text("environment"),
        text("key").required(),
        truth("lookup_blob_endpoint").only(TERRAFORM),
        text("metadata_host"),
        text("msi_endpoint"),
        text("oidc_request_token"),
        text("oidc_request_url"),
        text("oidc_token"),
        text("oidc_token_file_path"),
        text("resource_group_name"),
        text("sas_token"),
        truth("snapshot"),
        text("storage_account_name").required(),
        text("subscription_id"),
        text("tenant_id"),
        number("timeout_seconds").only(OPENTOFU),
        truth("use_aks_workload_identity"),
        truth("use_azuread_auth"),
        truth("use_cli"),
        truth("use_msi"),
        truth("use_oidc"),
    ]),
    block("consul", "Keeps the state in a key of Consul.").arguments(&[
        text("access_token"),
        text("address"),
        text("ca_file"),
        text("cert_file"),
        text("datacenter"),
        truth("gzip"),
        text("http_auth"),
        text("key_file"),
        truth("lock"),
        text("path").required(),
        text("scheme"),
    ]),
    block("cos", "Keeps the state in an object in Tencent Cloud.")
        .arguments(&[
            truth("accelerate"),
            text("acl"),
            text("bucket").required(),
            text("cam_role_name").only(TERRAFORM),
            text("domain").only(TERRAFORM),
            truth("encrypt"),
            text("endpoint").only(TERRAFORM),
            text("key"),
            text("prefix"),
            text("profile").only(TERRAFORM),
            text("region").required(),
            text("secret_id"),
            text("secret_key"),
            text("security_token"),
            text("shared_credentials_dir").only(TERRAFORM),
        ])
        .blocks(&[block("assume_role", "Which role is taken on.").arguments(&[
            text("policy"),
            text("role_arn"),
            number("session_duration"),
            text("session_name"),
            text("external_id").only(TERRAFORM),
        ])]),
    block("gcs", "Keeps the state in an object in Google Cloud Storage.").arguments(&[
        text("access_token"),
        text("bucket").required(),
        text("credentials"),
        text("encryption_key"),
        text("impersonate_service_account"),
        texts("impersonate_service_account_delegates"),
        text("kms_encryption_key"),
        text("prefix"),
        text("storage_custom_endpoint"),
        text("universe_domain").only(OPENTOFU),
    ]),
    block("http", "Keeps the state in whatever answers at an address.").arguments(&[
        text("address"),
        text("client_ca_certificate_pem"),
        text("client_certificate_pem"),
        text("client_private_key_pem"),
        map("headers").only(OPENTOFU),
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
    ]),
    block("inmem", "Keeps the state in the memory of the program, for tests.")
        .arguments(&[text("lock_id")]),
    block("kubernetes", "Keeps the state in a secret of a Kubernetes cluster.")
        .arguments(&[
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
            text("proxy_url").only(TERRAFORM),
            text("secret_suffix").required(),
            text("token"),
            text("username"),
        ])
        .blocks(&[block("exec", "Which program gives the credentials.").arguments(&[
            text("api_version"),
            texts("args"),
            text("command"),
            map("env"),
        ])]),
    block("local", "Keeps the state in a file.").arguments(&[text("path"), text("workspace_dir")]),
    block("oci", "Keeps the state in an object in Oracle Cloud.")
        .arguments(&[
            text("auth"),
            text("bucket").required(),
            text("config_file_profile"),
            text("fingerprint"),
            text("key"),
            text("kms_key_id"),
            text("namespace").required(),
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
        ])
        .only(Availability::TERRAFORM.terraform_since(12)),
    block("oss", "Keeps the state in an object in Alibaba Cloud.")
        .arguments(&[
            text("access_key"),
            text("acl"),
            text("assume_role_policy"),
            text("assume_role_role_arn"),
            number("assume_role_session_expiration"),
            text("assume_role_session_name"),
            text("bucket").required(),
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
            text("tablestore_instance_name").only(TERRAFORM.terraform_since(15)),
            text("tablestore_table"),
        ])
        .blocks(&[block("assume_role", "Which role is taken on.").arguments(&[
            text("policy"),
            text("role_arn"),
            number("session_expiration"),
            text("session_name"),
        ])]),
    block("pg", "Keeps the state in a row of a PostgreSQL database.").arguments(&[
        text("conn_str"),
        text("index_name").only(OPENTOFU),
        text("schema_name"),
        truth("skip_index_creation"),
        truth("skip_schema_creation"),
        truth("skip_table_creation"),
        text("table_name").only(OPENTOFU),
    ]),
    block("remote", "Keeps the state in a workspace of HCP Terraform or what speaks as it does.")
        .arguments(&[text("hostname"), text("organization").required(), text("token")])
        .blocks(&[block("workspaces", "Which workspaces keep the state.")
            .arguments(&[text("name"), text("prefix")])
            .single()]),
    block("s3", "Keeps the state in an object in Amazon S3 or what speaks as it does.").arguments(
        &[
            text("access_key"),
            text("acl"),
            texts("allowed_account_ids"),
            object("assume_role"),
            number("assume_role_duration_seconds").only(OPENTOFU),
            text("assume_role_policy").only(OPENTOFU),
            texts("assume_role_policy_arns").only(OPENTOFU),
            map("assume_role_tags").only(OPENTOFU),
            texts("assume_role_transitive_tag_keys").only(OPENTOFU),
            object("assume_role_with_web_identity"),
            text("bucket").required(),
            text("custom_ca_bundle"),
            text("dynamodb_endpoint"),
            text("dynamodb_table"),
            text("ec2_metadata_service_endpoint"),
            text("ec2_metadata_service_endpoint_mode"),
            truth("encrypt"),
            text("endpoint"),
            object("endpoints"),
            text("external_id").only(OPENTOFU),
            texts("forbidden_account_ids"),
            truth("force_path_style"),
            text("http_proxy"),
            text("https_proxy"),
            text("iam_endpoint"),
            truth("insecure"),
            text("key").required(),
            text("kms_key_id"),
            map("lock_tags").only(OPENTOFU),
            number("max_retries"),
            text("no_proxy"),
            text("profile"),
            text("region"),
            text("retry_mode"),
            text("role_arn").only(OPENTOFU),
            text("secret_key"),
            text("session_name").only(OPENTOFU),
            texts("shared_config_files"),
            text("shared_credentials_file"),
            texts("shared_credentials_files"),
            truth("skip_credentials_validation"),
            truth("skip_metadata_api_check"),
            truth("skip_region_validation"),
            truth("skip_requesting_account_id"),
            truth("skip_s3_checksum"),
            text("sse_customer_key"),
            map("state_tags").only(OPENTOFU),
            text("sts_endpoint"),
            text("sts_region"),
            text("token"),
            truth("use_dualstack_endpoint"),
            truth("use_fips_endpoint"),
            truth("use_lockfile"),
            truth("use_path_style"),
            text("workspace_key_prefix"),
        ],
    ),
];
