//! Parsing of the command line into [`CommandArgs`]: [`argv`] rewrites flags, [`environment`] adds arguments, clap parses them,
//! and the flag rows store the values in the order in which they were given.

pub(crate) mod argv;
pub(crate) mod elsewhere;
pub(crate) mod environment;
pub(crate) mod ignored;

use clap::{Arg, ArgAction, ArgMatches, ValueHint};

use crate::command::row::CommandRow;
use crate::flag::{CommandArgs, FlagRow, FlagValue, GLOBAL};

/// Returns the parser of the whole command line, made of the table of subcommands and of `aliases`, pairs of an alias and the
/// name of its command.
pub(crate) fn line(commands: &[CommandRow], aliases: &[(&'static str, &str)]) -> clap::Command {
    clap::Command::new("groma")
        .no_binary_name(true)
        .bin_name("groma")
        .about("Evaluates Terraform, OpenTofu and Packer code from source alone")
        .version(env!("CARGO_PKG_VERSION"))
        .disable_version_flag(true)
        .arg(
            Arg::new("version")
                .long("version")
                .action(ArgAction::Version)
                .help("Print the version"),
        )
        .args(GLOBAL.iter().map(|flag| argument(flag).global(true).display_order(900)))
        .subcommands(commands.iter().map(|command| subcommand(command, aliases)))
        .after_help(format!(
            "Flags may be written with one dash or two: -json, --json. `groma help COMMAND` shows the help of a command.\n\nManual: {}",
            groma::published::manual()
        ))
}

/// Returns the clap subcommand for a command row; `aliases` are pairs of an alias and the name of its command, for all commands.
fn subcommand(command: &CommandRow, aliases: &[(&'static str, &str)]) -> clap::Command {
    let own = command.flags.iter().copied().flatten().map(argument);
    let aliases = aliases.iter().filter(|(_, meant)| *meant == command.name);
    let mut sub = clap::Command::new(command.name)
        .about(command.about)
        .args(own)
        .aliases(aliases.map(|(alias, _)| *alias));
    if let Some((name, about)) = command.operand {
        let (takes_many, name) = (name.ends_with('.'), name.trim_end_matches('.'));
        let arg = Arg::new("operand").value_name(name).value_hint(hint(name)).help(about);
        sub = sub.arg(if takes_many { arg.num_args(0..) } else { arg });
    }
    if command.more.is_empty() { sub } else { sub.after_help(command.more) }
}

/// Returns the clap argument for a flag row.
fn argument(flag: &FlagRow) -> Arg {
    let arg = Arg::new(flag.name).help(flag.about);
    let mut letters = flag.name.chars();
    let arg = match (letters.next(), letters.next()) {
        (Some(letter), None) => arg.short(letter),
        _ => arg.long(flag.name),
    };
    match flag.takes {
        FlagValue::Nothing => arg.action(ArgAction::SetTrue).overrides_with(flag.name),
        FlagValue::Truth => arg.value_name("BOOL").action(ArgAction::Append),
        FlagValue::Value(name) | FlagValue::Word(name, _) => {
            let arg = arg.value_name(name).value_hint(hint(name));
            arg.action(ArgAction::Append).allow_hyphen_values(true)
        }
    }
}

/// Returns clap's hint for completing a flag's value, by the placeholder in help such as `FILE`.
fn hint(name: &str) -> ValueHint {
    match name {
        "FILE" => ValueHint::FilePath,
        "DIR" => ValueHint::DirPath,
        "PATH" => ValueHint::AnyPath,
        _ => ValueHint::Other,
    }
}

/// Converts the flags and operands that clap has parsed to [`CommandArgs`], in the order of the command line.
pub(crate) fn read(
    command: &'static CommandRow,
    matches: &ArgMatches,
) -> Result<CommandArgs, String> {
    let mut given: Vec<(usize, &FlagRow, &str)> = Vec::new();
    for flag in GLOBAL.iter().chain(command.flags.iter().copied().flatten()) {
        if let FlagValue::Nothing = flag.takes {
            if matches.get_flag(flag.name) {
                given.push((matches.index_of(flag.name).unwrap_or(0), flag, ""));
            }
            continue;
        }
        let values = matches.get_many::<String>(flag.name).into_iter().flatten();
        let places = matches.indices_of(flag.name).into_iter().flatten();
        given.extend(places.zip(values).map(|(place, value)| (place, flag, value.as_str())));
    }
    given.sort_by_key(|(place, ..)| *place);
    let mut args = CommandArgs::default();
    for (_, flag, value) in given {
        (flag.read)(&mut args, value)?;
        args.given.push(flag.name);
    }
    if command.operand.is_some() {
        let all = matches.get_many::<String>("operand").into_iter().flatten().cloned();
        args.operands = all.collect();
        args.operand = args.operands.first().cloned();
    }
    // An operand in lower case is a literal word.
    args.names_folder = command.operand.is_some_and(|(name, _)| {
        !matches!(name, "ADDRESS" | "FILE" | "NAME") && !name.starts_with(char::is_lowercase)
    });
    Ok(args)
}

#[cfg(test)]
mod tests {
    use super::ignored::IGNORED;
    use super::line;
    use crate::command::plan::{PLANNING, STATE};
    use crate::command::{ALIASES, COMMANDS};
    use crate::flag::GLOBAL;

    /// Runs clap's own checks of the command line's definition.
    #[test]
    fn clap_accepts_the_rows() {
        line(COMMANDS, ALIASES).debug_assert();
    }

    /// Checks that ignored flags are not flags of commands, and that help begins with a capital.
    #[test]
    fn no_flag_is_both_used_and_ignored() {
        for command in COMMANDS {
            for flag in GLOBAL.iter().chain(command.flags.iter().copied().flatten()) {
                // Others may ignore what says where a plan begins, the file that a command writes, and what a fleet is asked.
                let mut planning = STATE.iter().chain(PLANNING);
                let is_own = planning.any(|one| one.name == flag.name)
                    || ["out", "plan"].contains(&flag.name);
                let is_ignored = IGNORED.iter().any(|row| row.name == flag.name);
                assert!(is_own || !is_ignored, "{}", flag.name);
                assert!(flag.about.chars().next().is_some_and(char::is_uppercase), "{}", flag.name);
            }
        }
    }
}
