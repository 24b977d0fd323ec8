//! Go-style flags become what clap reads: `-var x=1`, `--var=x=1` and `-var=x=1` all turn into `--var=x=1`. A flag that
//! takes a value always takes the next argument, whatever it begins with; a switch may say `=true` or `=false`.

use crate::command::{COMMANDS, Command};
use crate::flag::{Flag, GLOBAL, IGNORED, Ignored, Takes};

/// An argument list for clap.
#[derive(Default, Debug)]
pub(crate) struct Rewritten {
    /// The arguments after the program's name.
    pub args: Vec<String>,
    /// Flags of the references that mean nothing here, and were taken out.
    pub ignored: Vec<&'static Ignored>,
}

/// Rewrites the arguments after the program's name.
pub(crate) fn rewrite(arguments: &[String]) -> Result<Rewritten, String> {
    let mut out = Rewritten::default();
    let mut command: Option<&'static Command> = None;
    let mut rest = arguments.iter().peekable();
    while let Some(argument) = rest.next() {
        if argument == "--" {
            out.args.push(argument.clone());
            out.args.extend(rest.cloned());
            break;
        }
        let Some(bare) = flag_text(argument) else {
            if command.is_none() {
                command = COMMANDS.iter().find(|row| row.name == argument.as_str());
            }
            out.args.push(argument.clone());
            continue;
        };
        let (name, value) = match bare.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (bare, None),
        };
        let mut next = || rest.next_if(|_| value.is_none()).map(String::as_str).or(value);
        if let Some(flag) = find(command, name) {
            let dashes = if flag.name.len() == 1 { "-" } else { "--" };
            match flag.takes {
                Takes::Value(_) => out.args.push(match next() {
                    Some(value) => format!("{dashes}{name}={value}"),
                    None => format!("{dashes}{name}"),
                }),
                Takes::Nothing => {
                    if truth(name, value)? {
                        out.args.push(format!("{dashes}{name}"));
                    }
                }
            }
        } else if let Some(row) = IGNORED.iter().find(|row| row.name == name) {
            let said = if row.value { next() } else { value };
            if row.said(said) {
                out.ignored.push(row);
            }
        } else {
            out.args.push(if name.len() == 1 { argument.clone() } else { format!("--{bare}") });
        }
    }
    Ok(out)
}

/// What stands behind the dashes, if the argument is a flag at all.
fn flag_text(argument: &str) -> Option<&str> {
    let bare = argument.strip_prefix('-')?;
    let bare = bare.strip_prefix('-').unwrap_or(bare);
    (!bare.is_empty()).then_some(bare)
}

fn find(command: Option<&'static Command>, name: &str) -> Option<&'static Flag> {
    let own = command.into_iter().flat_map(|command| command.flags.iter().copied().flatten());
    GLOBAL.iter().chain(own).find(|flag| flag.name == name)
}

/// A switch's value as Go reads it.
fn truth(name: &str, value: Option<&str>) -> Result<bool, String> {
    match value {
        None | Some("true" | "1" | "t" | "T" | "TRUE" | "True") => Ok(true),
        Some("false" | "0" | "f" | "F" | "FALSE" | "False") => Ok(false),
        Some(other) => Err(format!("-{name} is on or off: \"{other}\" is neither true nor false.")),
    }
}

#[cfg(test)]
mod tests {
    use super::rewrite;

    fn args(line: &str) -> Vec<String> {
        let given: Vec<String> = line.split(' ').map(String::from).collect();
        rewrite(&given).unwrap().args
    }

    #[test]
    fn one_dash_or_two_and_a_value_beside_or_behind() {
        let want = ["eval", "--var=x=1", "-e=-1"];
        assert_eq!(args("eval -var x=1 -e -1"), want);
        assert_eq!(args("eval --var=x=1 --e=-1"), want);
        assert_eq!(args("eval -var=x=1 -e=-1"), want);
    }

    #[test]
    fn switches_are_told_on_or_off() {
        assert_eq!(args("eval -json -raw=false --full=true"), ["eval", "--json", "--full"]);
        assert!(rewrite(&["eval".into(), "-json=perhaps".into()]).is_err());
    }

    #[test]
    fn chdir_stands_before_the_command() {
        assert_eq!(args("-chdir=a/b output -json x"), ["--chdir=a/b", "output", "--json", "x"]);
    }

    #[test]
    fn what_means_nothing_here_is_dropped_and_said_where_it_mattered() {
        let given =
            ["console", "-lock=false", "-input=false", "-parallelism", "3", "-state=x", "."];
        let done = rewrite(&given.map(String::from)).unwrap();
        assert_eq!(done.args, ["console", "."]);
        assert_eq!(done.ignored.iter().map(|row| row.name).collect::<Vec<_>>(), ["state"]);
    }

    #[test]
    fn the_rest_stays_as_it_is() {
        assert_eq!(args("eval -- -var x"), ["eval", "--", "-var", "x"]);
        assert_eq!(args("eval - -vra=1 -x"), ["eval", "-", "--vra=1", "-x"]);
        assert_eq!(args("eval -var"), ["eval", "--var"]);
    }
}
