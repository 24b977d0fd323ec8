//! Commands of the reference programs that are missing here, each with a reason and with what helps instead. A request
//! for one gets an error and never the exit code that stands for changes.

use super::argv;
use crate::command::{COMMANDS, meant};

/// Commands that change something, or ask questions.
const ELSEWHERE: &[(&str, &str)] = &[
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

#[cfg(not(feature = "lsp"))]
const NO_SERVER: &str = "this build of Groma has no language server; a full build has one";
#[cfg(not(all(feature = "git", feature = "install")))]
const LEFT_OUT: &str = "this build of Groma only evaluates code; a full build compares revisions and downloads modules";
const CHANGES: &str = "Groma changes nothing and runs no providers; `groma plan` shows what would change, and Terraform or OpenTofu applies it";
const STATES: &str = "Groma reads states and never writes them";
const HOSTS: &str = "Groma stores no credentials and contacts no such service";

/// Returns why the command that is named is none here, if it is one of the reference programs'.
pub(crate) fn named(arguments: &[String]) -> Option<String> {
    let name = argv::first_word(arguments)?;
    if COMMANDS.iter().any(|row| row.name == meant(name)) {
        return None;
    }
    let (_, why) = ELSEWHERE.iter().find(|(own, _)| *own == name)?;
    Some(format!("there is no `groma {name}`: {why}."))
}

#[cfg(test)]
mod tests {
    #[cfg(not(any(feature = "git", feature = "install")))]
    #[test]
    fn what_a_small_build_leaves_out_is_refused_by_name() {
        for command in ["diff", "get", "init"] {
            let told = super::named(&[command.to_owned()]).unwrap();
            assert!(
                told.starts_with(&format!("there is no `groma {command}`: this build ")),
                "{told}"
            );
        }
        assert_eq!(super::named(&["plan".to_owned()]), None);
    }
}
