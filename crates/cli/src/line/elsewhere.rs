//! Commands of the reference programs that Groma does not have, each with a reason and an alternative. They fail with an error
//! and never with the exit code that means changes.

use super::argv;
use crate::command::{COMMANDS, command_name};

/// The commands of the reference programs that Groma does not have, each with the reason.
const MISSING_COMMANDS: &[(&str, &str)] = &[
    ("apply", CHANGES),
    ("destroy", CHANGES),
    ("build", "Groma reads templates and builds nothing; `groma plan` shows what would be built"),
    ("import", STATES),
    ("taint", STATES),
    ("untaint", STATES),
    ("force-unlock", "Groma only reads states and never locks them"),
    (
        "refresh",
        "Groma runs no providers, so it cannot refresh; `groma plan -refresh-only` checks the recorded objects",
    ),
    ("login", HOSTS),
    ("logout", HOSTS),
    ("cloud", HOSTS),
    ("stacks", HOSTS),
    (
        "query",
        "Groma runs no providers, so it cannot query them; `groma check -query` checks the files",
    ),
    ("test", "Groma does not run test files"),
    ("modules", "`groma list` lists what a root declares, its modules too"),
    ("env", "use `groma workspace`"),
    ("plugins", "Groma neither runs nor installs plugins"),
    ("hcl2_upgrade", "Groma does not upgrade templates"),
    #[cfg(not(feature = "git"))]
    ("diff", LEFT_OUT),
    #[cfg(not(feature = "git"))]
    ("fleet", LEFT_OUT),
    #[cfg(not(feature = "lsp"))]
    ("lsp", NO_SERVER),
    #[cfg(not(feature = "mcp"))]
    ("mcp", LEFT_OUT),
    #[cfg(not(feature = "install"))]
    ("get", LEFT_OUT),
    #[cfg(not(feature = "install"))]
    ("init", LEFT_OUT),
];

/// The reason why `lsp` is missing in a build without a language server.
#[cfg(not(feature = "lsp"))]
const NO_SERVER: &str = "this build of Groma has no language server; a full build has one";
/// The reason why commands are missing that only the full build has.
#[cfg(not(all(feature = "git", feature = "install")))]
const LEFT_OUT: &str = "this build of Groma only evaluates code; a full build compares revisions and downloads modules";
/// The reason why commands that change infrastructure are missing.
const CHANGES: &str = "Groma changes nothing and runs no providers; `groma plan` shows what would change, and Terraform or OpenTofu applies it";
/// The reason why commands that change states are missing.
const STATES: &str = "Groma reads states and never writes them";
/// The reason why commands about remote services are missing.
const HOSTS: &str = "Groma stores no credentials and contacts no such service";

/// Returns the reason why Groma lacks the command that the arguments name; `None` unless a reference program has it.
pub(crate) fn missing_command(arguments: &[String]) -> Option<String> {
    let name = argv::first_word(arguments)?;
    if COMMANDS.iter().any(|row| row.name == command_name(name)) {
        return None;
    }
    let (_, why) = MISSING_COMMANDS.iter().find(|(own, _)| *own == name)?;
    Some(format!("there is no `groma {name}`: {why}."))
}

#[cfg(test)]
mod tests {
    /// Checks the reason for commands that a build without git and installation lacks.
    #[cfg(not(any(feature = "git", feature = "install")))]
    #[test]
    fn what_a_small_build_leaves_out_is_refused_by_name() {
        for command in ["diff", "get", "init"] {
            let told = super::missing_command(&[command.to_owned()]).unwrap();
            assert!(
                told.starts_with(&format!("there is no `groma {command}`: this build ")),
                "{told}"
            );
        }
        assert_eq!(super::missing_command(&["plan".to_owned()]), None);
    }
}
