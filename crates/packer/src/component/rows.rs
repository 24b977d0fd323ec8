//! The rows of the components built into Packer.

use groma_config::ArgumentRow;
use groma_config::row::{duration, map, number, numbers, text, texts, truth};

use super::communicator::COMMUNICATOR;
use super::row::{Component, ComponentKind};
use super::rule::ComponentRule;

/// Builds the row of a component that has no output.
const fn row(
    kind: ComponentKind,
    name: &'static str,
    arguments: &'static [&'static [ArgumentRow]],
    rules: &'static [ComponentRule],
) -> Component {
    Component { kind, name, arguments, rules, output: None }
}

/// The arguments of every component that runs shell commands, local or remote.
const SCRIPT: &[ArgumentRow] = &[
    texts("inline"),
    text("script"),
    texts("scripts"),
    numbers("valid_exit_codes"),
    texts("environment_vars"),
    map("env"),
    text("env_var_format"),
];

/// The arguments of provisioners that run shell commands on a remote machine.
const REMOTE: &[ArgumentRow] = &[
    truth("binary"),
    text("remote_path"),
    text("execute_command"),
    duration("start_retry_timeout"),
];

/// The arguments of provisioners that run commands on this machine.
const LOCAL: &[ArgumentRow] = &[
    text("command"),
    texts("execute_command"),
    text("inline_shebang"),
    texts("only_on"),
    text("tempfile_extension"),
    truth("use_linux_pathing"),
];

/// The rule that exactly one of the arguments `inline`, `script` and `scripts` is set.
const ONE_SCRIPT: ComponentRule = ComponentRule::OneOf(&["inline", "script", "scripts"]);
/// The rule that exactly one of the arguments `command`, `inline`, `script` and `scripts` is set.
const ONE_COMMAND: ComponentRule =
    ComponentRule::OneOf(&["command", "inline", "script", "scripts"]);
/// The rule that the files named by the arguments `script` and `scripts` exist.
const SCRIPTS: ComponentRule = ComponentRule::Files(&["script", "scripts"]);
/// The rule that the elements of `environment_vars` are written as `NAME=VALUE`.
const PAIRS: ComponentRule = ComponentRule::Pairs("environment_vars");

/// Every built-in component whose arguments are validated.
pub(super) const COMPONENTS: &[Component] = &[
    row(
        ComponentKind::Builder,
        "file",
        &[&[text("source"), text("target"), text("content")]],
        &[ComponentRule::Required("target"), ComponentRule::AtMostOne(&["content", "source"])],
    ),
    row(ComponentKind::Builder, "null", &[COMMUNICATOR], &[ComponentRule::Reachable]),
    row(ComponentKind::Provisioner, "breakpoint", &[&[text("note"), truth("disable")]], &[]),
    row(
        ComponentKind::Provisioner,
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
            ComponentRule::Required("destination"),
            ComponentRule::Given(&["content", "source", "sources"]),
            ComponentRule::AtMostOne(&["content", "source"]),
            ComponentRule::AtMostOne(&["content", "sources"]),
            ComponentRule::Choice("direction", &["upload", "download"]),
            ComponentRule::Uploaded,
        ],
    ),
    row(
        ComponentKind::Provisioner,
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
            ComponentRule::Together("elevated_password", "elevated_user"),
            ComponentRule::Choice(
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
        ComponentKind::Provisioner,
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
    row(
        ComponentKind::Provisioner,
        "shell-local",
        &[SCRIPT, LOCAL],
        &[ONE_COMMAND, SCRIPTS, PAIRS],
    ),
    row(ComponentKind::Provisioner, "sleep", &[&[duration("duration")]], &[]),
    row(
        ComponentKind::Provisioner,
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
    row(
        ComponentKind::Provisioner,
        "windows-shell",
        &[SCRIPT, REMOTE],
        &[ONE_SCRIPT, SCRIPTS, PAIRS],
    ),
    row(
        ComponentKind::PostProcessor,
        "artifice",
        &[&[texts("files")]],
        &[ComponentRule::Required("files")],
    ),
    row(
        ComponentKind::PostProcessor,
        "checksum",
        &[&[texts("checksum_types"), text("output")]],
        &[ComponentRule::Choices(
            "checksum_types",
            &["md5", "sha1", "sha224", "sha256", "sha384", "sha512"],
        )],
    ),
    row(
        ComponentKind::PostProcessor,
        "compress",
        &[&[text("output"), text("format"), number("compression_level")]],
        &[],
    ),
    row(
        ComponentKind::PostProcessor,
        "manifest",
        &[&[text("output"), truth("strip_path"), truth("strip_time"), map("custom_data")]],
        &[],
    ),
    row(
        ComponentKind::PostProcessor,
        "shell-local",
        &[SCRIPT, LOCAL],
        &[ONE_COMMAND, SCRIPTS, PAIRS],
    ),
    Component {
        kind: ComponentKind::Data,
        name: "http",
        arguments: &[&[text("url"), text("method"), map("request_headers"), text("request_body")]],
        rules: &[
            ComponentRule::Required("url"),
            ComponentRule::Choice(
                "method",
                &["HEAD", "GET", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"],
            ),
        ],
        output: Some(&[text("url"), text("body"), map("request_headers")]),
    },
    Component {
        kind: ComponentKind::Data,
        name: "null",
        arguments: &[&[text("input")]],
        rules: &[],
        output: Some(&[text("output")]),
    },
    row(
        ComponentKind::Data,
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
            ComponentRule::Required("bucket_name"),
            ComponentRule::OneOf(&["channel_name", "version_fingerprint"]),
            ComponentRule::Required("platform"),
            ComponentRule::Required("region"),
        ],
    ),
    row(
        ComponentKind::Data,
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
            ComponentRule::Required("bucket_name"),
            ComponentRule::OneOf(&["channel", "iteration_id"]),
            ComponentRule::Required("cloud_provider"),
            ComponentRule::Required("region"),
        ],
    ),
    row(
        ComponentKind::Data,
        "hcp-packer-iteration",
        &[&[text("bucket_name"), text("channel")]],
        &[ComponentRule::Required("bucket_name"), ComponentRule::Required("channel")],
    ),
    row(
        ComponentKind::Data,
        "hcp-packer-version",
        &[&[text("bucket_name"), text("channel_name")]],
        &[ComponentRule::Required("bucket_name"), ComponentRule::Required("channel_name")],
    ),
];

/// Names of plugins that many templates use without requiring them, because older versions of Packer contained them.
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

/// Built-in components whose arguments are not validated.
pub(super) const UNCHECKED: &[(ComponentKind, &str)] = &[(ComponentKind::Provisioner, "hcp-sbom")];
