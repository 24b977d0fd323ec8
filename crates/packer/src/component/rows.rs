//! The rows of Packer's own components.

use groma_folder::ArgumentRow;
use groma_folder::row::{duration, map, number, numbers, text, texts, truth};

use super::communicator::COMMUNICATOR;
use super::row::{Component, Kind};
use super::rule::Rule;

const fn row(
    kind: Kind,
    name: &'static str,
    arguments: &'static [&'static [ArgumentRow]],
    rules: &'static [Rule],
) -> Component {
    Component { kind, name, arguments, rules, output: None }
}

/// What every shell takes.
const SCRIPT: &[ArgumentRow] = &[
    texts("inline"),
    text("script"),
    texts("scripts"),
    numbers("valid_exit_codes"),
    texts("environment_vars"),
    map("env"),
    text("env_var_format"),
];

/// What a shell on another machine takes.
const REMOTE: &[ArgumentRow] = &[
    truth("binary"),
    text("remote_path"),
    text("execute_command"),
    duration("start_retry_timeout"),
];

const LOCAL: &[ArgumentRow] = &[
    text("command"),
    texts("execute_command"),
    text("inline_shebang"),
    texts("only_on"),
    text("tempfile_extension"),
    truth("use_linux_pathing"),
];

const ONE_SCRIPT: Rule = Rule::OneOf(&["inline", "script", "scripts"]);
const ONE_COMMAND: Rule = Rule::OneOf(&["command", "inline", "script", "scripts"]);
const SCRIPTS: Rule = Rule::Files(&["script", "scripts"]);
const PAIRS: Rule = Rule::Pairs("environment_vars");

/// Every component that is checked.
pub(super) const COMPONENTS: &[Component] = &[
    row(
        Kind::Builder,
        "file",
        &[&[text("source"), text("target"), text("content")]],
        &[Rule::Required("target"), Rule::AtMostOne(&["content", "source"])],
    ),
    row(Kind::Builder, "null", &[COMMUNICATOR], &[Rule::Reachable]),
    row(Kind::Provisioner, "breakpoint", &[&[text("note"), truth("disable")]], &[]),
    row(
        Kind::Provisioner,
        "file",
        &[&[
            text("content"),
            text("source"),
            texts("sources"),
            text("destination"),
            text("direction"),
            truth("generated"),
        ]],
        &[
            Rule::Required("destination"),
            Rule::Given(&["content", "source", "sources"]),
            Rule::AtMostOne(&["content", "source"]),
            Rule::AtMostOne(&["content", "sources"]),
            Rule::Choice("direction", &["upload", "download"]),
            Rule::Uploaded,
        ],
    ),
    row(
        Kind::Provisioner,
        "powershell",
        &[
            SCRIPT,
            REMOTE,
            &[
                number("debug_mode"),
                text("elevated_env_var_format"),
                text("elevated_execute_command"),
                text("elevated_password"),
                text("elevated_user"),
                text("execution_policy"),
                duration("pause_after"),
                text("remote_env_var_path"),
                truth("skip_clean"),
                truth("use_pwsh"),
            ],
        ],
        &[
            ONE_SCRIPT,
            SCRIPTS,
            PAIRS,
            Rule::Together("elevated_password", "elevated_user"),
            Rule::Choice(
                "execution_policy",
                &[
                    "bypass",
                    "allsigned",
                    "default",
                    "remotesigned",
                    "restricted",
                    "undefined",
                    "unrestricted",
                    "none",
                ],
            ),
        ],
    ),
    row(
        Kind::Provisioner,
        "shell",
        &[
            SCRIPT,
            REMOTE,
            &[
                truth("expect_disconnect"),
                text("inline_shebang"),
                duration("pause_after"),
                text("remote_file"),
                text("remote_folder"),
                truth("skip_clean"),
                truth("use_env_var_file"),
            ],
        ],
        &[ONE_SCRIPT, SCRIPTS, PAIRS],
    ),
    row(Kind::Provisioner, "shell-local", &[SCRIPT, LOCAL], &[ONE_COMMAND, SCRIPTS, PAIRS]),
    row(Kind::Provisioner, "sleep", &[&[duration("duration")]], &[]),
    row(
        Kind::Provisioner,
        "windows-restart",
        &[&[
            truth("check_registry"),
            texts("registry_keys"),
            text("restart_command"),
            text("restart_check_command"),
            duration("restart_timeout"),
        ]],
        &[],
    ),
    row(Kind::Provisioner, "windows-shell", &[SCRIPT, REMOTE], &[ONE_SCRIPT, SCRIPTS, PAIRS]),
    row(Kind::PostProcessor, "artifice", &[&[texts("files")]], &[Rule::Required("files")]),
    row(
        Kind::PostProcessor,
        "checksum",
        &[&[texts("checksum_types"), text("output")]],
        &[Rule::Choices(
            "checksum_types",
            &["md5", "sha1", "sha224", "sha256", "sha384", "sha512"],
        )],
    ),
    row(
        Kind::PostProcessor,
        "compress",
        &[&[text("output"), text("format"), number("compression_level")]],
        &[],
    ),
    row(
        Kind::PostProcessor,
        "manifest",
        &[&[text("output"), truth("strip_path"), truth("strip_time"), map("custom_data")]],
        &[],
    ),
    row(Kind::PostProcessor, "shell-local", &[SCRIPT, LOCAL], &[ONE_COMMAND, SCRIPTS, PAIRS]),
    Component {
        kind: Kind::Data,
        name: "http",
        arguments: &[&[text("url"), text("method"), map("request_headers"), text("request_body")]],
        rules: &[
            Rule::Required("url"),
            Rule::Choice("method", &["HEAD", "GET", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"]),
        ],
        output: Some(&[text("url"), text("body"), map("request_headers")]),
    },
    Component {
        kind: Kind::Data,
        name: "null",
        arguments: &[&[text("input")]],
        rules: &[],
        output: Some(&[text("output")]),
    },
    row(
        Kind::Data,
        "hcp-packer-artifact",
        &[&[
            text("bucket_name"),
            text("channel_name"),
            text("version_fingerprint"),
            text("platform"),
            text("region"),
            text("component_type"),
        ]],
        &[
            Rule::Required("bucket_name"),
            Rule::OneOf(&["channel_name", "version_fingerprint"]),
            Rule::Required("platform"),
            Rule::Required("region"),
        ],
    ),
    row(
        Kind::Data,
        "hcp-packer-image",
        &[&[
            text("bucket_name"),
            text("channel"),
            text("iteration_id"),
            text("cloud_provider"),
            text("region"),
            text("component_type"),
        ]],
        &[
            Rule::Required("bucket_name"),
            Rule::OneOf(&["channel", "iteration_id"]),
            Rule::Required("cloud_provider"),
            Rule::Required("region"),
        ],
    ),
    row(
        Kind::Data,
        "hcp-packer-iteration",
        &[&[text("bucket_name"), text("channel")]],
        &[Rule::Required("bucket_name"), Rule::Required("channel")],
    ),
    row(
        Kind::Data,
        "hcp-packer-version",
        &[&[text("bucket_name"), text("channel_name")]],
        &[Rule::Required("bucket_name"), Rule::Required("channel_name")],
    ),
];

/// Plugins that many templates use without asking for them: older versions of Packer had them built in.
pub(super) const PLUGINS: &[&str] = &[
    "alicloud",
    "amazon",
    "anka",
    "ansible",
    "azure",
    "chef",
    "cloudstack",
    "converge",
    "digitalocean",
    "docker",
    "exoscale",
    "googlecompute",
    "hcloud",
    "hetznercloud",
    "huaweicloud",
    "hyperone",
    "hyperv",
    "inspec",
    "ionoscloud",
    "jdcloud",
    "kubevirt",
    "linode",
    "lxc",
    "lxd",
    "ncloud",
    "nutanix",
    "oneandone",
    "openstack",
    "oracle",
    "osc",
    "outscale",
    "parallels",
    "profitbricks",
    "proxmox",
    "puppet",
    "qemu",
    "salt",
    "scaleway",
    "tart",
    "tencentcloud",
    "triton",
    "ucloud",
    "upcloud",
    "utm",
    "vagrant",
    "virtualbox",
    "vmware",
    "volcengine",
    "vsphere",
    "vultr",
    "windows",
    "yandex",
];

/// Components that are built in and whose arguments are not checked.
pub(super) const UNCHECKED: &[(Kind, &str)] = &[(Kind::Provisioner, "hcp-sbom")];
