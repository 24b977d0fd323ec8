//! Settings of the lint rules: flags, and a tflint configuration file in the code's folder, which every other setting overrides.

use groma::{Host, hosts::HostError};

use crate::flag::{CommandArgs, FlagRow, FlagValue, set, switch};
use crate::host::MachineContext;

/// The name of the command that runs the lint rules.
pub(crate) const COMMAND: &str = "check";

/// The configuration files of tflint; the first that exists is used.
pub(crate) const TFLINT: [&str; 2] = [".tflint.hcl", ".tflint.json"];

/// The flags `--lint`, `--fix`, `--allow`, `--warn` and `--deny`, which select lint rules and their severities.
pub(crate) const FLAGS: &[FlagRow] = &[
    FlagRow {
        name: "lint",
        takes: FlagValue::Truth,
        about: "Also warn about code that works but is questionable (default: on)",
        read: |args, text| set(&mut args.lint, text == "true"),
    },
    FlagRow {
        name: "fix",
        takes: FlagValue::Nothing,
        about: "Apply the fixes of findings that do not change what the code means",
        read: |args, _| switch(&mut args.fix),
    },
    FlagRow {
        name: "allow",
        takes: FlagValue::Value("CODE"),
        about: "Disable a rule (may repeat)",
        read: |args, text| args.rules.allow(text).map_err(|one| one.to_string()),
    },
    FlagRow {
        name: "warn",
        takes: FlagValue::Value("CODE"),
        about: "Enable a rule that is off by default, or all of them (may repeat)",
        read: |args, text| args.rules.warn(text).map_err(|one| one.to_string()),
    },
    FlagRow {
        name: "deny",
        takes: FlagValue::Value("CODE"),
        about: "Report the findings of a rule as errors, or every warning with --deny warnings (may repeat)",
        read: |args, text| args.rules.deny(text).map_err(|one| one.to_string()),
    },
];

/// Returns true if a tflint configuration file applies to a command line: to `groma check`, unless lint rules are off.
pub(crate) fn applies_tflint(args: &CommandArgs) -> bool {
    args.command == COMMAND && args.lints()
}

/// Applies the tflint configuration of a folder to the rules, and returns remarks about it. The configuration of untrusted code
/// is ignored.
pub(crate) fn apply_tflint(
    args: &mut CommandArgs,
    folder: &str,
    host: &dyn Host,
    machine: &MachineContext,
) -> Vec<String> {
    for file in TFLINT {
        let name = if folder == "." { file.to_owned() } else { format!("{folder}/{file}") };
        let bytes = match host.read(&name) {
            Ok(_) if machine.is_untrusted() => {
                return vec![format!("the code is untrusted, so its {file} is ignored.")];
            }
            Ok(bytes) => bytes,
            Err(HostError::Absent | HostError::Outside) => continue,
            Err(why) => return vec![format!("{name} cannot be read: {why}.")],
        };
        return match String::from_utf8(bytes) {
            Ok(text) => args.rules.apply_tflint(&name, &text),
            Err(_) => vec![format!("{name} is not UTF-8 text.")],
        };
    }
    Vec::new()
}
