//! Commands of the reference programs that are missing here, each with a reason and with what helps instead. A request
//! for one gets an error and never the exit code that stands for changes.

use super::argv;
use crate::command::{COMMANDS, meant};

/// Commands that change something, or ask questions.
const ELSEWHERE: &[(&str, &str)] = &[
    ("apply", CHANGES),
    ("destroy", CHANGES),
    ("build", "Groma reads templates and builds nothing; `groma plan` says what would be built"),
    ("import", STATES),
    ("taint", STATES),
    ("untaint", STATES),
    ("force-unlock", "Groma reads states and locks none"),
    (
        "refresh",
        "Groma asks no provider, so it refreshes nothing; `groma plan -refresh-only` judges what is recorded",
    ),
    ("login", HOSTS),
    ("logout", HOSTS),
    ("cloud", HOSTS),
    ("stacks", HOSTS),
    ("query", "Groma asks no provider what there is; `groma check -query` checks the files"),
    ("test", "Groma does not run test files"),
    ("modules", "`groma list` lists what a root declares, its modules too"),
    ("env", "it is called `groma workspace`"),
    ("plugins", "Groma runs no plugins and brings none"),
    ("hcl2_upgrade", "Groma changes no templates by itself"),
];

const CHANGES: &str = "Groma changes nothing and asks no provider; `groma plan` says what would change, and the program itself carries it out";
const STATES: &str = "Groma reads states and never writes one";
const HOSTS: &str = "Groma keeps no credentials and speaks to no such service";

/// Returns why the command that is named is none here, if it is one of the reference programs'.
pub(crate) fn named(arguments: &[String]) -> Option<String> {
    let name = argv::first_word(arguments)?;
    if COMMANDS.iter().any(|row| row.name == meant(name)) {
        return None;
    }
    let (_, why) = ELSEWHERE.iter().find(|(own, _)| *own == name)?;
    Some(format!("there is no `groma {name}`: {why}."))
}
