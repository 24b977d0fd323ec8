//! Arguments from the environment: `TF_CLI_ARGS_COMMAND`, then `TF_CLI_ARGS`, both before the user's own. They are split into
//! words as by a shell, but nothing is expanded, and a shell operator ends the text.

use groma::{Dialect, Edition};

use super::argv;
use crate::command::{ALIASES, CommandRow};
use crate::host::MachineContext;

/// The environment variable with arguments for every command.
const FOR_ALL: &str = "TF_CLI_ARGS";

/// The arguments that environment variables such as `TF_CLI_ARGS` add to a command line, and remarks about those that Groma
/// ignores.
#[derive(Default, Debug)]
pub(crate) struct EnvironmentArgs {
    /// The arguments, for clap.
    pub args: Vec<String>,
    /// Remarks about arguments that are ignored, as sentences.
    pub remarks: Vec<String>,
}

/// Returns true if `TF_CLI_ARGS` variables apply to a command line: not if it is for Packer, which lacks them.
pub(crate) fn applies_to(args: &[String], machine: &MachineContext) -> bool {
    let dialect = args.iter().rev().find_map(|argument| argument.strip_prefix("--dialect="));
    let dialect = dialect.map(str::to_owned).or_else(|| machine.env("GROMA_DIALECT"));
    let edition = dialect.and_then(|text| Edition::parse(&text));
    edition.is_none_or(|edition| edition.dialect != Dialect::Packer)
        && !args.iter().any(|argument| groma::packer::is_template(argument))
}

/// Returns the arguments that `TF_CLI_ARGS` and `TF_CLI_ARGS_COMMAND` add to a command line of `command`.
pub(crate) fn arguments_for(
    command: &'static CommandRow,
    machine: &MachineContext,
) -> Result<EnvironmentArgs, String> {
    let mut added = EnvironmentArgs::default();
    let alias = ALIASES.iter().find(|(_, meant)| *meant == command.name);
    let name = alias.map_or(command.name, |(alias, _)| alias);
    for variable in [format!("{FOR_ALL}_{name}"), FOR_ALL.to_owned()] {
        let Some(text) = machine.env(&variable) else { continue };
        let words = split(&text).map_err(|why| format!("{variable} cannot be read: {why}."))?;
        if let Some(operator) = words.ended_by {
            added.remarks.push(format!(
                "{variable} is read up to its first {operator}, which would end a command in a shell; quote it if it is meant literally"
            ));
        }
        let rewritten = argv::rewrite_added(command, &words.words)
            .map_err(|why| format!("in {variable}, {why}"))?;
        added.args.extend(rewritten.args);
        added.remarks.extend(
            rewritten
                .ignored
                .iter()
                .map(|flag| format!("-{} in {variable} is ignored: {}", flag.name, flag.why)),
        );
        added.remarks.extend(rewritten.unknown.iter().map(|flag| match flag.as_str() {
            "chdir" => {
                format!("-chdir in {variable} is ignored: it has to come before the command")
            }
            flag => {
                format!("-{flag} in {variable} is ignored: groma {} has no such flag", command.name)
            }
        }));
    }
    Ok(added)
}

/// Returns true if the environment contains `-detailed-exitcode`, with which exit code 2 means changes.
pub(crate) fn asks_for_detail(machine: &MachineContext) -> bool {
    [FOR_ALL.to_owned(), format!("{FOR_ALL}_plan")]
        .iter()
        .filter_map(|variable| machine.env(variable))
        .any(|text| text.contains("-detailed-exitcode"))
}

/// The arguments parsed from an environment variable's value, as a shell splits words.
#[derive(Default, Debug, PartialEq)]
struct ArgWords {
    words: Vec<String>,
    /// The shell operator that ended the text, if any.
    ended_by: Option<char>,
}

/// Splits a text into words as a shell does.
fn split(text: &str) -> Result<ArgWords, String> {
    let mut found = ArgWords::default();
    let mut word: Option<String> = None;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            ' ' | '\t' | '\r' | '\n' => found.words.extend(word.take()),
            '\'' | '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next() {
                        Some(end) if end == c => break,
                        Some('\\') if c == '"' => word.extend(chars.next()),
                        Some(inner) => word.push(inner),
                        None => return Err(format!("a quote {c} is not closed")),
                    }
                }
            }
            '\\' => match chars.next() {
                Some(c) => word.get_or_insert_default().push(c),
                None => return Err("it ends with a backslash".to_owned()),
            },
            ';' | '&' | '|' | '<' | '>' => {
                found.ended_by = Some(c);
                break;
            }
            '(' | ')' => return Err(format!("a {c} is outside of quotes")),
            c => word.get_or_insert_default().push(c),
        }
    }
    found.words.extend(word);
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::split;

    /// Checks the split of a variable's value into words, operators and errors.
    #[test]
    fn words() {
        for (text, want) in [
            ("", &[][..]),
            (" \t", &[]),
            ("-var 'v=a b' -var \"w=c d\"", &["-var", "v=a b", "-var", "w=c d"]),
            ("v=a\\ b w=\"q\\\"q\"", &["v=a b", "w=q\"q"]),
            ("v=$HOME w=\"$HOME\" x=`id`", &["v=$HOME", "w=$HOME", "x=`id`"]),
            ("\"v=a\\nb\" 'v=a\\b'", &["v=anb", "v=a\\b"]),
            ("v='' ''", &["v=", ""]),
            ("v=\"a;b\" #", &["v=a;b", "#"]),
        ] {
            assert_eq!(split(text).unwrap().words, want, "{text}");
        }
        for (text, operator) in [("v=a; -var w=b", ';'), ("v=a>b", '>'), ("v=a && b", '&')] {
            let found = split(text).unwrap();
            assert_eq!((found.words, found.ended_by), (vec!["v=a".to_owned()], Some(operator)));
        }
        for text in ["\"v=a", "v='", "v=a\\", "v=a(b", "v=a)b"] {
            assert!(split(text).is_err(), "{text}");
        }
    }
}
