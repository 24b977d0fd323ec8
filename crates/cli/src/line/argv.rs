//! Rewrites Go-style flags for clap: `-var x=1`, `--var=x=1` and `-var=x=1` all become `--var=x=1`. A flag with a value always
//! takes the next argument, whatever it begins with; a switch may have `=true` or `=false`.

use super::ignored::{IGNORED, IgnoredFlag};
use crate::command::{COMMANDS, CommandRow, command_name};
use crate::flag::{FlagRow, FlagValue, GLOBAL, parse_bool};
use groma::values::nearest;

/// Arguments rewritten for clap, and the flags that were removed from them.
#[derive(Default, Debug)]
pub(crate) struct RewrittenArgs {
    /// The arguments after the program's name.
    pub args: Vec<String>,
    /// Ignored flags of the reference programs that are reported, and were removed.
    pub ignored: Vec<&'static IgnoredFlag>,
    /// True if any ignored flag occurred, reported or not.
    pub is_foreign: bool,
    /// Unknown flags, which were removed; empty unless unknown flags are allowed.
    pub unknown: Vec<String>,
}

impl RewrittenArgs {
    /// Returns the command that the first argument without a dash names, and the index of the argument after it; `None` if there
    /// is none.
    pub(crate) fn command(&self) -> Option<(&'static CommandRow, usize)> {
        let at = self.args.iter().position(|argument| !argument.starts_with('-'))?;
        let name = command_name(&self.args[at]);
        Some((COMMANDS.iter().find(|row| row.name == name)?, at + 1))
    }

    /// Returns true if a switch is among the arguments before `--`.
    pub(crate) fn has(&self, switch: &str) -> bool {
        self.args.iter().take_while(|argument| *argument != "--").any(|argument| argument == switch)
    }
}

/// Converts the arguments after the program's name to the form that clap parses; the error is a message.
pub(crate) fn rewrite(arguments: &[String]) -> Result<RewrittenArgs, String> {
    rewrite_from(None, arguments, false)
}

/// Rewrites arguments that the environment adds to a command for clap, without unknown flags, which may be meant for another
/// program.
pub(crate) fn rewrite_added(
    command: &'static CommandRow,
    arguments: &[String],
) -> Result<RewrittenArgs, String> {
    rewrite_from(Some(command), arguments, true)
}

/// Returns the argument that names the command: the first that is neither a flag nor the folder of `-chdir`; `None` if all are.
pub(crate) fn first_word(arguments: &[String]) -> Option<&str> {
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let Some(bare) = flag_text(argument) else { return Some(argument) };
        if bare == "chdir" {
            rest.next();
        }
    }
    None
}

/// Rewrites arguments for clap; `command` is `None` if the arguments name it, and with `is_added` (arguments from the
/// environment) unknown flags are removed instead of refused.
fn rewrite_from(
    mut command: Option<&'static CommandRow>,
    arguments: &[String],
    is_added: bool,
) -> Result<RewrittenArgs, String> {
    let mut out = RewrittenArgs::default();
    let mut rest = arguments.iter().peekable();
    while let Some(argument) = rest.next() {
        if argument == "--" {
            out.args.push(argument.clone());
            out.args.extend(rest.cloned());
            break;
        }
        let Some(bare) = flag_text(argument) else {
            out.args.push(argument.clone());
            if command.is_none() {
                if argument == "help" {
                    out.args.extend(rest.cloned());
                    break;
                }
                let known = COMMANDS.iter().find(|row| row.name == command_name(argument));
                command = Some(known.ok_or_else(|| no_command(argument))?);
            }
            continue;
        };
        let (name, value) = match bare.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (bare, None),
        };
        let mut next = || rest.next_if(|_| value.is_none()).map(String::as_str).or(value);
        if let Some(flag) = find(command, name).filter(|flag| !is_added || flag.name != "chdir") {
            let dashes = if flag.name.len() == 1 { "-" } else { "--" };
            match flag.takes {
                FlagValue::Value(_) | FlagValue::Word(..) => out.args.push(match next() {
                    Some(value) => format!("{dashes}{name}={value}"),
                    None => format!("{dashes}{name}"),
                }),
                FlagValue::Truth => {
                    let is_on = parse_bool(name, value)?;
                    out.args.push(format!("{dashes}{name}={is_on}"));
                }
                // The reference programs have one form of JSON; a plan has two here.
                FlagValue::Nothing
                    if (name, value) == ("json", Some("events"))
                        && find(command, "format").is_some() =>
                {
                    out.args.push("--format=events".to_owned());
                }
                FlagValue::Nothing => {
                    if parse_bool(name, value)? {
                        out.args.push(format!("{dashes}{name}"));
                    }
                }
            }
        } else if let Some(row) = IGNORED.iter().find(|row| row.name == name) {
            let said = if row.value { next() } else { value };
            out.is_foreign = true;
            if row.is_reported_for(said) {
                out.ignored.push(row);
            }
        } else if matches!(name, "h" | "help") {
            out.args.push("--help".to_string());
        } else if name == "version" && command.is_none() {
            out.args.push("--version".to_string());
        } else if is_added {
            out.unknown.push(name.to_string());
            // The next word must be its value, since operands are not added to commands by the environment.
            if value.is_none() {
                let _ = rest.next_if(|next| flag_text(next).is_none());
            }
        } else {
            return Err(no_flag(command, name));
        }
    }
    Ok(out)
}

/// Returns a flag without its leading dashes; `None` if the argument is not a flag.
fn flag_text(argument: &str) -> Option<&str> {
    let bare = argument.strip_prefix('-')?;
    let bare = bare.strip_prefix('-').unwrap_or(bare);
    (!bare.is_empty()).then_some(bare)
}

/// Yields the global flags and those of a command.
fn flags(command: Option<&'static CommandRow>) -> impl Iterator<Item = &'static FlagRow> {
    let own = command.into_iter().flat_map(|command| command.flags.iter().copied().flatten());
    GLOBAL.iter().chain(own)
}

/// Returns the flag of this name, among the global ones and those of the command; `None` if there is none.
fn find(command: Option<&'static CommandRow>, name: &str) -> Option<&'static FlagRow> {
    flags(command).find(|flag| flag.name == name)
}

/// Returns the message about an unknown command, with the nearest name or the names of all commands.
fn no_command(name: &str) -> String {
    let names = || COMMANDS.iter().map(|row| row.name);
    match nearest(name, names().chain(["help"])) {
        Some(near) => format!("there is no command {name}. Did you mean {near}?"),
        None => {
            let names: Vec<&str> = names().collect();
            format!("there is no command {name}; the commands are {}.", names.join(", "))
        }
    }
}

/// Returns the message about an unknown flag, with the commands that have it or the nearest name.
fn no_flag(command: Option<&'static CommandRow>, name: &str) -> String {
    let whose = command.map_or("groma".to_string(), |command| format!("groma {}", command.name));
    let elsewhere: Vec<&str> = COMMANDS
        .iter()
        .filter(|other| flags(Some(other)).any(|flag| flag.name == name))
        .map(|other| other.name)
        .collect();
    if let (None, [first, ..]) = (command, elsewhere.as_slice()) {
        return format!("-{name} has to follow the command, as in: groma {first} -{name}");
    }
    if !elsewhere.is_empty() {
        return format!("{whose} has no flag -{name}; it belongs to {}.", elsewhere.join(", "));
    }
    match nearest(name, flags(command).map(|flag| flag.name)) {
        Some(near) => format!("{whose} has no flag -{name}. Did you mean -{near}?"),
        None => format!("{whose} has no flag -{name}; `{whose} -help` lists its flags."),
    }
}

#[cfg(test)]
mod tests {
    use super::rewrite;

    /// Returns the rewritten arguments of a command line.
    fn args(line: &str) -> Vec<String> {
        let given: Vec<String> = line.split(' ').map(String::from).collect();
        rewrite(&given).unwrap().args
    }

    /// Checks that all spellings of a flag with a value are rewritten to one.
    #[test]
    fn one_dash_or_two_and_a_value_beside_or_behind() {
        let want = ["eval", "--var=x=1", "-e=-1"];
        assert_eq!(args("eval -var x=1 -e -1"), want);
        assert_eq!(args("eval --var=x=1 --e=-1"), want);
        assert_eq!(args("eval -var=x=1 -e=-1"), want);
    }

    /// Checks switches with `=true`, `=false` and a wrong value.
    #[test]
    fn switches_are_told_on_or_off() {
        assert_eq!(args("eval -json -raw=false --full=true"), ["eval", "--json", "--full"]);
        assert!(rewrite(&["eval".into(), "-json=perhaps".into()]).is_err());
    }

    /// Checks that `-chdir` is accepted before the command.
    #[test]
    fn chdir_stands_before_the_command() {
        assert_eq!(args("-chdir=a/b output -json x"), ["--chdir=a/b", "output", "--json", "x"]);
    }

    /// Checks that ignored flags are removed, and that those which matter are reported.
    #[test]
    fn what_means_nothing_here_is_dropped_and_said_where_it_mattered() {
        let given =
            ["check", "-lock=false", "-input=false", "-lock-timeout", "3s", "-state=x", "."];
        let done = rewrite(&given.map(String::from)).unwrap();
        assert_eq!(done.args, ["check", "."]);
        assert_eq!(done.ignored.iter().map(|row| row.name).collect::<Vec<_>>(), ["state"]);
    }

    /// Checks arguments that are not rewritten.
    #[test]
    fn the_rest_stays_as_it_is() {
        assert_eq!(args("eval -- -var x"), ["eval", "--", "-var", "x"]);
        assert_eq!(args("help eval -x"), ["help", "eval", "-x"]);
        assert_eq!(args("eval -var"), ["eval", "--var"]);
        assert_eq!(args("eval - -h"), ["eval", "-", "--help"]);
    }

    /// Checks the messages about unknown commands and flags.
    #[test]
    fn what_is_not_there_is_said_with_what_was_perhaps_meant() {
        let wrong = |line: &str| {
            let given: Vec<String> = line.split(' ').map(String::from).collect();
            rewrite(&given).unwrap_err()
        };
        assert_eq!(wrong("eval -vra x=1"), "groma eval has no flag -vra. Did you mean -var?");
        assert_eq!(
            wrong("console -raw"),
            "groma console has no flag -raw; it belongs to eval, output."
        );
        assert_eq!(wrong("-var x=1 eval"), "-var has to follow the command, as in: groma ast -var");
        assert_eq!(wrong("evl"), "there is no command evl. Did you mean eval?");
    }
}
