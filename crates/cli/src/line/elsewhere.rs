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
];

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
