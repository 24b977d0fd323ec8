//! Shell completion: candidates for the last word of a command line: commands, flags, values, files, and names that the code
//! declares. The user waits for it, so errors are not reported and no server is contacted.

use groma::functions::FunctionLibrary;
use groma::{Diagnostics, Dialect, Edition, rules::rule_names};

use crate::command::row::CommandRow;
use crate::files;
use crate::flag::{CommandArgs, FlagRow, FlagValue, GLOBAL};
use crate::project::{self, LoadedModule};
use crate::session::RunSession;
use crate::settings;

/// A completion candidate with a short description.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct CompletionOffer {
    /// The whole word to insert.
    pub text: String,
    /// The description; empty if the word needs none.
    pub about: &'static str,
}

/// The commands of `groma` and their aliases, which completion offers and recognizes.
#[derive(Clone, Copy)]
pub(crate) struct KnownCommands {
    pub commands: &'static [CommandRow],
    pub aliases: &'static [(&'static str, &'static str)],
}

impl KnownCommands {
    /// Returns the command of this name or alias; `None` if there is none.
    fn find(self, word: &str) -> Option<&'static CommandRow> {
        let alias = self.aliases.iter().find(|(alias, _)| *alias == word);
        let name = alias.map_or(word, |(_, command)| command);
        self.commands.iter().find(|row| row.name == name)
    }
}

/// Returns the candidates for the last word of a line that begins with the program's name, sorted; `shells` are the names of
/// the shells that have a completion script.
pub(crate) fn offers(
    line: &str,
    known: KnownCommands,
    shells: &[&'static str],
    session: &RunSession<'_>,
) -> Vec<CompletionOffer> {
    let mut words = words(line);
    let Some(word) = words.pop() else { return Vec::new() };
    let typed = TypedWords::of(words.get(1..).unwrap_or_default(), known);
    let mut found = match typed.waiting {
        Some(flag) => typed.values(flag, "", &word, session),
        None => match word.split_once('=') {
            Some((name, value)) if name.starts_with('-') => match typed.flag(name) {
                Some(flag) => typed.values(flag, &format!("{name}="), value, session),
                None => Vec::new(),
            },
            _ if word.starts_with('-') => typed.flags(word.starts_with("--")),
            _ => typed.operands(&word, shells, session),
        },
    };
    found.retain(|one| one.text.starts_with(&word) && !one.text.contains(char::is_control));
    found.sort();
    found.dedup_by(|one, other| one.text == other.text);
    found
}

/// The command line before the word to complete, parsed into command, operands and the flag that waits for its value, if any.
struct TypedWords {
    known: KnownCommands,
    command: Option<&'static CommandRow>,
    /// True if a word is in the command's place and names no command.
    is_wrong: bool,
    /// True if the command is `help`, which takes a command's name.
    is_help: bool,
    operands: Vec<String>,
    /// The folder of `-chdir`.
    chdir: Option<String>,
    /// The flag whose value the next word is.
    waiting: Option<&'static FlagRow>,
}

impl TypedWords {
    /// Parses the words before the one to complete into command, operands and the flag that waits for a value.
    fn of(words: &[String], known: KnownCommands) -> TypedWords {
        let mut typed = TypedWords {
            known,
            command: None,
            is_wrong: false,
            is_help: false,
            operands: Vec::new(),
            chdir: None,
            waiting: None,
        };
        for word in words {
            if let Some(flag) = typed.waiting.take() {
                if flag.name == "chdir" {
                    typed.chdir = Some(word.clone());
                }
                continue;
            }
            if let Some(bare) = word.strip_prefix('-') {
                match bare.split_once('=') {
                    Some(("chdir" | "-chdir", folder)) => typed.chdir = Some(folder.to_owned()),
                    Some(_) => {}
                    None => {
                        let takes = |flag: &&FlagRow| {
                            matches!(flag.takes, FlagValue::Value(_) | FlagValue::Word(..))
                        };
                        typed.waiting = typed.flag(word).filter(takes);
                    }
                }
            } else if typed.command.is_none() && !typed.is_help {
                typed.is_help = word == "help";
                typed.command = known.find(word);
                typed.is_wrong |= typed.command.is_none() && !typed.is_help;
            } else {
                typed.operands.push(word.clone());
            }
        }
        typed
    }

    /// Yields the global flags and those of the typed command.
    fn all_flags(&self) -> impl Iterator<Item = &'static FlagRow> {
        let own = self.command.into_iter().flat_map(|row| row.flags.iter().copied().flatten());
        GLOBAL.iter().chain(own)
    }

    /// Returns the flag with this spelling, dashes included; `None` if neither the command nor all commands have it.
    fn flag(&self, written: &str) -> Option<&'static FlagRow> {
        let name = written.strip_prefix("--").or_else(|| written.strip_prefix('-'))?;
        self.all_flags().find(|flag| flag.name == name)
    }

    /// Returns all flags as candidates, with one dash or two.
    fn flags(&self, has_two_dashes: bool) -> Vec<CompletionOffer> {
        let dashes = |name: &str| match has_two_dashes && name.len() > 1 {
            true => format!("--{name}"),
            false => format!("-{name}"),
        };
        let all = self
            .all_flags()
            .map(|flag| CompletionOffer { text: dashes(flag.name), about: flag.about });
        let help = CompletionOffer { text: dashes("help"), about: "Print help" };
        all.chain([help]).collect()
    }

    /// Returns candidates that complete a flag's value, of which `value` is typed, with `before` in front of each.
    fn values(
        &self,
        flag: &FlagRow,
        before: &str,
        value: &str,
        session: &RunSession<'_>,
    ) -> Vec<CompletionOffer> {
        let mut found = match flag.takes {
            FlagValue::Word(_, words) => plain(words.iter().copied()),
            FlagValue::Value("DIR") => paths(value, true, session),
            FlagValue::Value("FILE") => paths(value, false, session),
            FlagValue::Value("ADDRESS" | "ADDRESS|PLACE") => self.addresses(false, session),
            FlagValue::Value("CODE") => {
                plain(rule_names().into_iter().chain((flag.name == "deny").then_some("warnings")))
            }
            FlagValue::Value("DIALECT" | "EDITIONS") => editions(),
            FlagValue::Value("NAME=NUMBER") => plain(["steps=", "instances=", "sources="]),
            FlagValue::Value("NAME=VALUE") => self.variables(session),
            FlagValue::Value(_) | FlagValue::Truth | FlagValue::Nothing => Vec::new(),
        };
        found.iter_mut().for_each(|one| one.text.insert_str(0, before));
        found
    }

    /// Returns candidates that complete `word` as an operand, or as the command's name; `shells` are the candidates for an
    /// operand that names a shell.
    fn operands(
        &self,
        word: &str,
        shells: &[&'static str],
        session: &RunSession<'_>,
    ) -> Vec<CompletionOffer> {
        let commands = || {
            self.known
                .commands
                .iter()
                .map(|row| CompletionOffer { text: row.name.to_owned(), about: row.about })
        };
        if self.is_wrong {
            return Vec::new();
        }
        let Some(command) = self.command else {
            let aliases =
                self.known.aliases.iter().map(|(alias, _)| *alias).filter(|_| !self.is_help);
            let help = (!self.is_help).then_some("help");
            return commands().chain(plain(aliases.chain(help))).collect();
        };
        let Some((name, _)) = command.operand else { return Vec::new() };
        let is_first = self.operands.is_empty();
        let (first, rest) = name.split_once(' ').unwrap_or((name, ""));
        let first = first.trim_end_matches('.');
        let is_word = first.starts_with(char::is_lowercase);
        match (command.name, first) {
            ("output", _) if is_first => self.outputs(session),
            ("functions", _) if is_first => {
                let edition = Edition::DEFAULT;
                plain(FunctionLibrary::of(edition).with_console().with_variable_default().names())
            }
            ("man", _) if is_first => commands().collect(),
            ("completions", _) if is_first => plain(shells.iter().copied()),
            ("edit", _) if is_first => plain(["get", "set", "add", "remove", "rename"]),
            (_, "ADDRESS") if is_first => self.addresses(true, session),
            _ if is_word && is_first => plain(first.split('|')),
            _ if is_word && rest.starts_with("ADDRESS") => self.addresses(false, session),
            _ if is_word && rest.starts_with("FILE") => paths(word, false, session),
            (_, "DIR") if is_first => paths(word, true, session),
            ("edit", _) | (_, "FILE" | "PATH") => paths(word, false, session),
            _ => Vec::new(),
        }
    }

    /// Loads the module that the typed words refer to; `None` if it cannot be loaded.
    fn module(&self, session: &RunSession<'_>) -> Option<LoadedModule> {
        let mut machine = session.machine.clone();
        if let Some(folder) = &self.chdir {
            machine.change_directory(folder).ok()?;
        }
        let names_folder = self.command.is_some_and(|row| {
            row.operand.is_some_and(|(name, _)| name.starts_with("DIR") || name.starts_with("PATH"))
        });
        let folder = self.operands.last().filter(|_| names_folder);
        let mut args = CommandArgs {
            operand: folder.cloned(),
            names_folder,
            command: self.command.map_or("", |row| row.name),
            ..CommandArgs::default()
        };
        settings::settle_on(&mut args, true, None, &machine).ok()?;
        project::load_on(&args, args.operand.as_deref(), &machine).ok()
    }

    /// Returns the names of the root's outputs.
    fn outputs(&self, session: &RunSession<'_>) -> Vec<CompletionOffer> {
        let Some(loaded) = self.module(session) else { return Vec::new() };
        texts(loaded.project().root().output_names().map(String::from))
    }

    /// Returns the names of the root's variables, each with `=`.
    fn variables(&self, session: &RunSession<'_>) -> Vec<CompletionOffer> {
        let Some(loaded) = self.module(session) else { return Vec::new() };
        let all = &loaded.project().root().variables;
        texts(all.iter().map(|one| format!("{}=", one.name)))
    }

    /// Returns the addresses of all instances of resources and modules, with `has_values` also those of variables, locals,
    /// outputs and everything else that has an address.
    fn addresses(&self, has_values: bool, session: &RunSession<'_>) -> Vec<CompletionOffer> {
        let Some(loaded) = self.module(session) else { return Vec::new() };
        let evaluation = &loaded.evaluation;
        let listed = evaluation.instances(&mut Diagnostics::new()).into_iter();
        // The instances may not be known.
        let mut all: Vec<String> = Vec::new();
        for one in listed {
            let address = one.address.split("[*]").next().unwrap_or_default();
            // A resource without a key stands for all its instances.
            let together = address.strip_suffix(&*one.key.suffix());
            all.extend([Some(address), together].into_iter().flatten().map(str::to_owned));
        }
        if has_values {
            let names = evaluation.completions_at(&evaluation.at_root()).into_iter();
            all.extend(names.filter(|name| !name.starts_with("path.")));
            let outputs = loaded.project().root().output_names();
            all.extend(outputs.map(|name| format!("output.{name}")));
        }
        texts(all)
    }
}

/// Converts borrowed words to completion candidates without descriptions.
fn plain<'t>(words: impl IntoIterator<Item = &'t str>) -> Vec<CompletionOffer> {
    texts(words.into_iter().map(str::to_owned))
}

/// Converts words to completion candidates without descriptions.
fn texts(words: impl IntoIterator<Item = String>) -> Vec<CompletionOffer> {
    words.into_iter().map(|text| CompletionOffer { text, about: "" }).collect()
}

/// Returns the dialects and their recorded versions as candidates.
fn editions() -> Vec<CompletionOffer> {
    let of = |dialect: Dialect| {
        let versions = dialect.recorded();
        let editions = versions
            .map(move |version| format!("{}@{}.{}", dialect.slug(), version.major, version.minor));
        std::iter::once(dialect.slug().to_owned()).chain(editions)
    };
    texts(Dialect::ALL.into_iter().flat_map(of))
}

/// Returns the files and folders, or with `only_folders` the folders, that complete the path `word`; a folder ends with a slash.
fn paths(word: &str, only_folders: bool, session: &RunSession<'_>) -> Vec<CompletionOffer> {
    let (folder, begun) = match word.rfind('/') {
        Some(at) => word.split_at(at + 1),
        None => ("", word),
    };
    let place = session.machine.place(if folder.is_empty() { "." } else { folder });
    let found = files::entries(&place).into_iter().filter_map(|(name, is_folder)| {
        let is_shown = !name.starts_with('.') || begun.starts_with('.');
        let end = if is_folder { "/" } else { "" };
        (is_shown && (is_folder || !only_folders)).then(|| format!("{folder}{name}{end}"))
    });
    texts(found)
}

/// Splits a line into words as a shell does; the last word may be empty or have an open quote.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some('"') | None, '\\') => {
                word.get_or_insert_default().extend(chars.next());
            }
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    words.push(word.unwrap_or_default());
    words
}

#[cfg(test)]
mod tests {
    use super::words;

    /// Checks the split of an unfinished line into words.
    #[test]
    fn words_are_those_of_a_shell() {
        assert_eq!(words("groma plan "), ["groma", "plan", ""]);
        assert_eq!(words("groma why 'module.a[\"x"), ["groma", "why", "module.a[\"x"]);
        assert_eq!(words(r#"groma why module.a\[\"x\"\]"#), ["groma", "why", "module.a[\"x\"]"]);
        assert_eq!(words(""), [""]);
    }
}
