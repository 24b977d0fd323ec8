//! Flags as rows, and [`CommandArgs`], which the rows fill in. Help, parsing and the single-dash spelling all follow from a
//! flag's row, which is here or in its command's file.

#[cfg(feature = "git")]
mod fleet;
mod limits;

use std::sync::Arc;
use std::time::Duration;

use groma::functions::read_moment;
use groma::json::JsonLayout;
use groma::{
    Budget, Edition, Quota, address::AddressPattern, editions::EditionEvidence,
    folders::ParsedFiles, limits::Moment,
};
use groma_report::ReportFormat;

#[cfg(feature = "git")]
pub(crate) use fleet::FleetArgs;
pub(crate) use limits::{LIMIT, LIMITS, MEMORY, TIMEOUT, UNTRUSTED};

/// A flag: its name, its kind of value, its help and how it is read.
#[derive(Debug)]
pub(crate) struct FlagRow {
    /// The name without dashes; a single letter is a short flag.
    pub name: &'static str,
    /// The kind of value that follows.
    pub takes: FlagValue,
    /// One line of help.
    pub about: &'static str,
    /// Stores the value in the arguments (empty for a switch); the error says what would be valid.
    pub read: fn(&mut CommandArgs, &str) -> Result<(), String>,
}

/// The kind of value that a flag takes: none, a boolean, a text, or one of several words.
#[derive(Debug)]
pub(crate) enum FlagValue {
    /// No value: a switch.
    Nothing,
    /// A switch that is on by default; `=false` turns it off.
    Truth,
    /// A value with this name in help. If the flag is repeated, the last value counts unless the row collects them.
    Value(&'static str),
    /// One of these words, with a name for them in help.
    Word(&'static str, &'static [&'static str]),
}

/// The parsed arguments of a command line; each flag's row fills in its fields.
#[cfg_attr(
    not(feature = "full"),
    allow(dead_code, reason = "flags of commands that a small build leaves out")
)]
/// The parsed arguments of a command line: the values of all flags and operands.
#[derive(Clone, Default, Debug)]
pub(crate) struct CommandArgs {
    /// The command's name.
    pub command: &'static str,
    /// The budget of the run.
    pub budget: Budget,
    /// `--timeout`.
    pub timeout: Option<Duration>,
    /// `--memory`.
    pub memory: Option<u64>,
    /// `--limit`, all of them.
    pub quota: Option<Quota>,
    /// `-chdir`: the folder to change to first.
    pub chdir: Option<String>,
    /// `-no-color`.
    pub no_color: bool,
    /// The first operand: a directory, a file, an address or a name, depending on the command.
    pub operand: Option<String>,
    /// All operands.
    pub operands: Vec<String>,
    /// `-var` and `-var-file`, in order.
    pub assignments: Vec<GivenFlag>,
    /// `--root`.
    pub root: Option<String>,
    /// `--allow-read`, each of them.
    pub allowed: Vec<String>,
    /// `--module`, each of them.
    pub modules: Vec<ModuleReplacement>,
    /// The flags of `fleet` alone.
    #[cfg(feature = "git")]
    pub fleet: FleetArgs,
    /// `--trust`.
    #[cfg(feature = "mcp")]
    pub trusts: bool,
    /// `--log-file`.
    #[cfg(feature = "lsp")]
    pub log_file: Option<String>,
    /// `--clientProcessId`.
    #[cfg(feature = "lsp")]
    pub client_process: Option<u32>,
    /// `--untrusted`.
    pub untrusted: bool,
    /// `--schema`.
    pub schema: Option<String>,
    /// `--mock`, each of them.
    pub mocks: Vec<String>,
    /// `--no-mock`.
    pub no_mock: bool,
    /// `-out`.
    pub out_file: Option<String>,
    /// `-provider-version`, each of them: a provider and its version.
    pub provider_versions: Vec<(String, String)>,
    /// `-lock-file`.
    pub lock: Option<String>,
    /// `-date`.
    pub date: Option<String>,
    /// `-force`.
    pub force: bool,
    /// `--dialect`, or the edition that was detected.
    pub edition: Option<Edition>,
    /// The reason for the edition, once it is detected.
    pub evidence: Option<EditionEvidence>,
    /// The files that were parsed while the edition was detected.
    pub parsed: ParsedFiles,
    /// True if the user selected the edition for this run.
    pub chosen_by_hand: bool,
    /// True if the operand is a folder or a file, rather than a name inside a module.
    pub names_folder: bool,
    /// The names of the flags on the command line.
    pub given: Vec<&'static str>,
    /// `--now`.
    pub now: Option<Moment>,
    /// `--seed`.
    pub seed: Option<u64>,
    /// `-parallelism`.
    pub threads: Option<usize>,
    /// `-json`.
    pub json: bool,
    /// `-compact`.
    pub compact: bool,
    /// `--format markdown`.
    pub markdown: bool,
    /// `-json=events`.
    pub events: bool,
    /// `--format`.
    pub format: Option<ReportFormat>,
    /// `-out`.
    pub out: Option<String>,
    /// `--pretty`.
    pub pretty: bool,
    /// `--strict`.
    pub strict: bool,
    /// The value of `--lint`, where it is given.
    pub lint: Option<bool>,
    /// `--targets`, all of them.
    pub editions: Vec<Edition>,
    /// `--fix`.
    pub fix: bool,
    /// `--allow` and `--deny`.
    pub rules: groma::rules::RuleSwitches,
    /// `-detailed-exitcode`.
    pub detailed: bool,
    /// `--certain`.
    pub certain: bool,
    /// `-state`.
    pub state: Option<String>,
    /// The state from standard input, for `-state=-`.
    pub state_text: Option<Arc<[u8]>>,
    /// `--no-state`.
    pub no_state: bool,
    /// `-target`, each of them.
    pub targets: Vec<AddressPattern>,
    /// `-exclude`, each of them.
    pub excludes: Vec<AddressPattern>,
    /// `-invoke`; at most one.
    pub invokes: Vec<AddressPattern>,
    /// `-replace`, each of them.
    pub replaces: Vec<AddressPattern>,
    /// `-destroy`.
    pub destroy: bool,
    /// `-refresh-only`.
    pub refresh_only: bool,
    /// `-refresh=false`.
    pub no_refresh: bool,
    /// `--all`.
    pub all: bool,
    /// `--against`.
    pub against: Option<String>,
    /// `--upgrade`, each of them.
    pub upgrades: Vec<groma::folders::ModuleUpgrade>,
    /// `--moved`.
    pub moved: bool,
    /// `--open`.
    pub open_inputs: bool,
    /// `--roots`, each of them.
    pub roots: Vec<String>,
    /// `-raw`.
    pub raw: bool,
    /// `--type`.
    pub types: bool,
    /// `--full`.
    pub full: bool,
    /// `--unknown`.
    pub unknown: UnknownPolicy,
    /// `-scope`: the module instance in whose scope expressions are evaluated.
    pub scope: Option<String>,
    /// `--in`: the module or resource instance in whose scope expressions are evaluated.
    pub at: Option<String>,
    /// `-e`, each of them.
    pub expressions: Vec<String>,
    /// `--jsonl`.
    pub lines: bool,
    /// `--base`.
    pub base: Option<String>,
    /// `--values`.
    pub values: bool,
    /// `-only`, each of them.
    pub only: Vec<String>,
    /// `-except`, each of them.
    pub except: Vec<String>,
    /// `-query`.
    pub query: bool,
    /// `-syntax-only`.
    pub syntax: bool,
    /// `-evaluate-datasources`.
    pub data: bool,
    /// The graph to draw, and the form to draw it in.
    /// `-type` of `providers schema`.
    pub schema_type: Option<String>,
    pub drawing: crate::drawing::GraphDrawing,
    /// `-line`.
    pub line: Option<String>,
    /// `--call`.
    pub call: Option<String>,
    /// `--map`.
    pub map: bool,
    /// `-use-sequential-evaluation`.
    pub sequential: bool,
    /// `-recursive`.
    pub recursive: bool,
    /// `--watch`.
    pub watch: bool,
    /// `-check`.
    pub check: bool,
    /// `--edits`.
    pub edits: Option<String>,
    /// `-write`, for commands that write nothing without it.
    pub writes: bool,
    /// `-diff`.
    pub diff: bool,
    /// `-list=false`.
    pub unlisted: bool,
    /// `-write=false`.
    pub unwritten: bool,
    /// `-upgrade`.
    pub upgrade: bool,
}

impl CommandArgs {
    /// Returns the machine-readable format of diagnostics; `None` for text.
    pub(crate) fn report(&self) -> Option<ReportFormat> {
        if self.json { Some(ReportFormat::Json) } else { self.format }
    }

    /// Returns true if lint rules run, which is the default.
    pub(crate) fn lints(&self) -> bool {
        self.fix || self.lint.unwrap_or(true)
    }

    /// Returns the JSON layout: on one line unless `--pretty` is given.
    pub(crate) fn layout(&self) -> JsonLayout {
        if self.pretty { JsonLayout::Pretty } else { JsonLayout::Compact }
    }
}

/// The replacement of a module source by a local folder, from which its modules are read.
#[derive(Clone, Debug)]
pub(crate) struct ModuleReplacement {
    /// The source as module calls write it.
    pub source: String,
    /// The folder.
    pub dir: String,
    /// True if a flag says so, and not a settings file, which may come with the code.
    pub by_flag: bool,
}

/// A variable assignment on the command line: `-var` or `-var-file`.
#[derive(Clone, Debug)]
pub(crate) enum GivenFlag {
    /// `-var NAME=TEXT`.
    Var {
        /// The variable.
        name: String,
        /// The text behind `=`.
        text: String,
    },
    /// `-var-file PATH`.
    File(String),
}

/// The output for an unknown value where a known one is required.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) enum UnknownPolicy {
    /// No output: exit code 3 and a diagnostic.
    #[default]
    Error,
    /// `null` in its place.
    Null,
    /// `{"unknown":{…}}` in its place.
    Keep,
}

/// Flags of every command.
pub(crate) const GLOBAL: &[FlagRow] = &[
    FlagRow {
        name: "chdir",
        takes: FlagValue::Value("DIR"),
        about: "Change to directory DIR before anything else",
        read: |args, text| set(&mut args.chdir, text.to_string()),
    },
    FlagRow {
        name: "no-color",
        takes: FlagValue::Nothing,
        about: "Do not use colours, even on a terminal",
        read: |args, _| switch(&mut args.no_color),
    },
];

/// Flags of every command that reads a module.
pub(crate) const MODULE: &[FlagRow] = &[
    FlagRow {
        name: "var",
        takes: FlagValue::Value("NAME=VALUE"),
        about: "Set a variable (may repeat)",
        read: |args, text| {
            let Some((name, value)) = text.split_once('=') else {
                return Err(format!(
                    "-var takes a name and a value, as in -var '{}=VALUE'.",
                    text.trim()
                ));
            };
            if name.trim().is_empty() {
                return Err(format!("-var '{text}' has no name before the equals sign."));
            }
            args.assignments
                .push(GivenFlag::Var { name: name.to_string(), text: value.to_string() });
            Ok(())
        },
    },
    FlagRow {
        name: "var-file",
        takes: FlagValue::Value("FILE"),
        about: "Set variables from FILE (may repeat)",
        read: |args, text| {
            args.assignments.push(GivenFlag::File(text.to_string()));
            Ok(())
        },
    },
    FlagRow {
        name: "root",
        takes: FlagValue::Value("DIR"),
        about: "Read nothing outside DIR (default: the nearest parent folder with .git, else the module's folder)",
        read: |args, text| set(&mut args.root, text.to_string()),
    },
    FlagRow {
        name: "allow-read",
        takes: FlagValue::Value("DIR"),
        about: "Also allow reading files and modules below DIR (may repeat)",
        read: |args, text| {
            args.allowed.push(text.to_string());
            Ok(())
        },
    },
    FlagRow {
        name: "module",
        takes: FlagValue::Value("SOURCE[@VERSION]=DIR"),
        about: "Read modules with this SOURCE from DIR (may repeat)",
        read: |args, text| {
            // A source may hold equals signs of its own, as in ?ref=v1.
            let Some((source, dir)) =
                text.rsplit_once('=').filter(|(a, b)| !a.is_empty() && !b.is_empty())
            else {
                return Err(format!(
                    "--module takes a source and a folder, as in --module 'terraform-aws-modules/vpc/aws=../vpc', not \"{text}\"."
                ));
            };
            let (source, dir) = (source.to_string(), dir.to_string());
            args.modules.push(ModuleReplacement { source, dir, by_flag: true });
            Ok(())
        },
    },
    FlagRow {
        name: "schema",
        takes: FlagValue::Value("FILE"),
        about: "Read provider schemas from FILE: the output of `providers schema -json`, plain or compressed with xz, or a pack made by `groma schema pack` (default: .terraform/providers-schema.json or .json.xz, if present)",
        read: |args, text| set(&mut args.schema, text.to_string()),
    },
    STRICT,
    UNTRUSTED,
    DIALECT,
    NOW,
    SEED,
    FlagRow {
        name: "parallelism",
        takes: FlagValue::Value("N"),
        about: "Use at most N threads (default: the number of processors); results do not depend on it",
        read: |args, text| match text.parse() {
            Ok(0) | Err(_) => {
                Err(format!("-parallelism must be a whole number of 1 or more, not \"{text}\"."))
            }
            Ok(threads) => set(&mut args.threads, threads),
        },
    },
    FlagRow {
        name: "mock",
        takes: FlagValue::Value("FILE"),
        about: "Use the values in FILE, or in the mock files of a folder, for what only a provider or an apply could know (may repeat)",
        read: |args, text| {
            args.mocks.push(text.to_string());
            Ok(())
        },
    },
    FlagRow {
        name: "no-mock",
        takes: FlagValue::Nothing,
        about: "Ignore a groma.mock.hcl beside the code",
        read: |args, _| switch(&mut args.no_mock),
    },
    TIMEOUT,
    MEMORY,
    LIMIT,
];

/// `--strict`: incomplete results are errors.
pub(crate) const STRICT: FlagRow = FlagRow {
    name: "strict",
    takes: FlagValue::Nothing,
    about: "Exit with 1 if anything was not read or could not be decided",
    read: |args, _| switch(&mut args.strict),
};

/// Flags of every command that reads a Packer template.
pub(crate) const TEMPLATE: &[FlagRow] = &[
    FlagRow {
        name: "evaluate-datasources",
        takes: FlagValue::Nothing,
        about: "Packer: evaluate data sources that need no plugin",
        read: |args, _| switch(&mut args.data),
    },
    FlagRow {
        name: "use-sequential-evaluation",
        takes: FlagValue::Nothing,
        about: "Packer: evaluate all data sources before any local value",
        read: |args, _| switch(&mut args.sequential),
    },
];

/// Flags that choose among the builds of a Packer template.
pub(crate) const BUILDS: &[FlagRow] = &[
    FlagRow {
        name: "only",
        takes: FlagValue::Value("NAMES"),
        about: "Packer: use only builds whose names match one of these patterns",
        read: |args, text| {
            args.only.push(text.to_string());
            Ok(())
        },
    },
    FlagRow {
        name: "except",
        takes: FlagValue::Value("NAMES"),
        about: "Packer: skip builds and post-processors with these names",
        read: |args, text| {
            args.except.push(text.to_string());
            Ok(())
        },
    },
];

/// `--dialect`: the program and version that the code is read for.
pub(crate) const DIALECT: FlagRow = FlagRow {
    name: "dialect",
    takes: FlagValue::Value("DIALECT"),
    about: "Read the code as this program and version do, such as opentofu@1.12, terraform@1.11 or packer@1.16",
    read: |args, text| {
        let Some(edition) = Edition::parse(text) else {
            return Err(format!(
                "--dialect must be opentofu, terraform or packer, optionally with a version as in opentofu@1.12, not \
                 \"{text}\"."
            ));
        };
        set(&mut args.edition, edition)
    },
};

/// `--now`: the current time for functions such as `timestamp()`.
pub(crate) const NOW: FlagRow = FlagRow {
    name: "now",
    takes: FlagValue::Value("TIME"),
    about: "Use TIME (RFC 3339) as the current time, so that timestamp() and similar functions are known",
    read: |args, text| match read_moment(text) {
        Ok(now) => set(&mut args.now, now),
        Err(why) => {
            Err(format!("--now takes a time such as 2026-01-02T03:04:05Z: in \"{text}\" {why}."))
        }
    },
};

/// `--seed`: the random seed for functions such as `uuid()`.
pub(crate) const SEED: FlagRow = FlagRow {
    name: "seed",
    takes: FlagValue::Value("N"),
    about: "Use N as the random seed, so that uuid() and similar functions are known",
    read: |args, text| match text.parse() {
        Ok(seed) => set(&mut args.seed, seed),
        Err(_) => Err(format!("--seed must be a whole number of 0 or more, not \"{text}\".")),
    },
};

/// `--in`: the instance in whose scope expressions are evaluated.
pub(crate) const IN: FlagRow = FlagRow {
    name: "in",
    takes: FlagValue::Value("ADDRESS"),
    about: "Evaluate in the scope of this module or resource instance (default: the root module)",
    read: |args, text| set(&mut args.at, text.to_string()),
};

/// `-scope`: the module instance in whose scope expressions are evaluated.
pub(crate) const SCOPE: FlagRow = FlagRow {
    name: "scope",
    takes: FlagValue::Value("ADDRESS"),
    about: "The same for a module instance, as in `terraform console` (empty: the root module)",
    read: |args, text| set(&mut args.scope, text.to_string()),
};

/// Returns the flag `-json` with a command's own help text.
pub(crate) const fn json(about: &'static str) -> FlagRow {
    FlagRow {
        name: "json",
        takes: FlagValue::Nothing,
        about,
        read: |args, _| switch(&mut args.json),
    }
}

/// `--pretty`: JSON is indented.
pub(crate) const PRETTY: FlagRow = FlagRow {
    name: "pretty",
    takes: FlagValue::Nothing,
    about: "With --json: indent the document",
    read: |args, _| switch(&mut args.pretty),
};

/// `-raw`: a string is printed without quotes.
pub(crate) const RAW: FlagRow = FlagRow {
    name: "raw",
    takes: FlagValue::Nothing,
    about: "Print a string, number or bool as it is, without quotes or a newline",
    read: |args, _| switch(&mut args.raw),
};

/// Stores a flag's value in its field of the arguments; never an error.
pub(crate) fn set<T>(target: &mut Option<T>, value: T) -> Result<(), String> {
    *target = Some(value);
    Ok(())
}

/// Sets the field of a flag that takes no value to true; never an error.
pub(crate) fn switch(target: &mut bool) -> Result<(), String> {
    *target = true;
    Ok(())
}

/// Parses a boolean flag value as Go's flag package does; a missing value is true.
pub(crate) fn parse_bool(name: &str, value: Option<&str>) -> Result<bool, String> {
    match value {
        None | Some("true" | "1" | "t" | "T" | "TRUE" | "True" | "on") => Ok(true),
        Some("false" | "0" | "f" | "F" | "FALSE" | "False" | "off") => Ok(false),
        Some(other) => Err(format!("-{name} must be true or false, not \"{other}\".")),
    }
}
