//! Settings of a run: a `groma.toml` in the folder of the root module, and the dialect, which several sources may choose. Flags
//! override settings. Each setting corresponds to a flag and is parsed by the flag's row.

use std::io;

use groma::{
    Dialect, Edition, Host,
    editions::{EditionDifference, EditionEvidence},
    hosts::{EntryKind, HostError, file_path},
    mocks::MOCK_FILE,
    rules::RuleSwitches,
};
use groma_settings::{SettingKind, WrittenSetting};

use crate::flag::{self, CommandArgs, FlagRow, GivenFlag, ModuleReplacement, parse_bool};
use crate::host::MachineContext;
use crate::rules;
use crate::session::{EarlyStop, RunSession};

pub(crate) use groma_settings::FILE;

/// Reads the settings for the folder that a command line names, determines the dialect, and prints remarks; `of_module` is false
/// for a command that reads no folder and so no settings.
pub(crate) fn settle(
    args: &mut CommandArgs,
    of_module: bool,
    session: &mut RunSession<'_>,
) -> Result<(), EarlyStop> {
    for remark in settle_on(args, of_module, None, &session.machine)? {
        writeln!(session.err, "note: {remark}")?;
    }
    Ok(())
}

/// Reads the settings for the folder that a command line names, or else of its nearest parent up to `highest` that has some,
/// determines the dialect, and returns remarks; `of_module` is false for a command that reads no folder and so no settings.
pub(crate) fn settle_on(
    args: &mut CommandArgs,
    of_module: bool,
    highest: Option<&str>,
    machine: &MachineContext,
) -> Result<Vec<String>, EarlyStop> {
    let mut remarks = Vec::new();
    let operand = args.operand.clone();
    let path = operand.as_deref().filter(|_| args.names_folder).unwrap_or(".");
    let folder = folder_of(path, machine);
    if folder != path && !groma::packer::is_template(path) {
        // A file stands for the module that contains it.
        args.operand = Some(folder.to_owned());
    }
    let is_there = of_module && machine.is_directory(folder);
    if args.edition.is_some() {
        args.evidence = Some(chosen_edition(args, "chosen by --dialect", true));
    } else if let Some(text) = machine.env("GROMA_DIALECT").filter(|text| !text.is_empty()) {
        (flag::DIALECT.read)(args, &text)
            .map_err(|why| EarlyStop::Misuse(why.replacen("--dialect", "GROMA_DIALECT", 1)))?;
        args.evidence = Some(chosen_edition(args, "chosen by GROMA_DIALECT", true));
    }
    if let (None, Some(text)) = (args.lint, machine.env("GROMA_LINT").filter(|it| !it.is_empty())) {
        let is_on = parse_bool("GROMA_LINT", Some(&text));
        args.lint =
            Some(is_on.map_err(|why| EarlyStop::Misuse(why.trim_start_matches('-').into()))?);
    }
    if !is_there {
        return Ok(remarks);
    }
    let root = machine.root(folder, args.root.as_deref()).map_err(EarlyStop::Misuse)?;
    let host = machine.host(root, Vec::new(), std::iter::empty());
    let set = settings_folder(folder, highest, machine);
    let is_trusted = !machine.is_untrusted();
    if is_trusted {
        read(args, &set, &host)?;
    } else if machine.is_file(&format!("{set}/{FILE}")) {
        remarks.push(format!("the code is untrusted, so its {FILE} is ignored."));
    }
    if rules::applies_tflint(args) {
        let set = nearest_with(&rules::TFLINT, folder, highest, machine);
        remarks.extend(rules::apply_tflint(args, &set, &host, machine));
    }
    remarks.extend(find_mocks(args, folder, is_trusted, &host));
    if args.evidence.is_some() {
        return Ok(remarks);
    }
    if args.edition.is_some() {
        args.evidence = Some(chosen_edition(args, &file_reason(), false));
        return Ok(remarks);
    }
    let entries = host.list(folder).unwrap_or_default().into_iter();
    let files = entries.filter(|entry| entry.kind != EntryKind::Directory);
    let mut names: Vec<String> = files.map(|entry| entry.name).collect();
    names.sort_unstable();
    if groma::packer::is_template(path) {
        let edition = Edition::newest(Dialect::Packer);
        let reason = format!("{path} is a file of Packer only");
        args.evidence = Some(EditionEvidence { edition, reason, is_guess: false });
    } else {
        args.evidence =
            Some(EditionEvidence::of(&host, folder, &names, &args.parsed).with_reliability());
    }
    args.edition = args.evidence.as_ref().map(|evidence| evidence.edition);
    Ok(remarks)
}

/// Returns the stated reason for a dialect that the settings file chooses: `chosen by groma.toml`.
fn file_reason() -> String {
    format!("chosen by {FILE}")
}

/// Returns true if the user chose the dialect, by flag, variable or settings file.
pub(crate) fn is_dialect_chosen(args: &CommandArgs) -> bool {
    args.chosen_by_hand || args.evidence.as_ref().is_some_and(|one| one.reason == file_reason())
}

/// Returns the nearest folder, from `folder` up to `highest`, with a settings file; `folder` itself if there is none.
fn settings_folder(folder: &str, highest: Option<&str>, machine: &MachineContext) -> String {
    nearest_with(&[FILE], folder, highest, machine)
}

/// Returns the nearest folder, from `folder` up to `highest`, that contains one of the files; `folder` itself if none does.
fn nearest_with(
    files: &[&str],
    folder: &str,
    highest: Option<&str>,
    machine: &MachineContext,
) -> String {
    let mut at = file_path::clean(folder);
    let Some(highest) = highest.map(file_path::clean) else { return folder.to_owned() };
    loop {
        if files.iter().any(|file| machine.is_file(&format!("{at}/{file}"))) {
            return at;
        }
        if at == highest || [".", "/", ".."].contains(&at.as_str()) {
            return folder.to_owned();
        }
        at = file_path::parent(&at);
    }
}

/// Adds the mock file in the code's folder, after all named ones; returns a remark if it is ignored because the code is
/// untrusted, else `None`.
fn find_mocks(
    args: &mut CommandArgs,
    folder: &str,
    is_trusted: bool,
    host: &dyn Host,
) -> Option<String> {
    let found = if folder == "." { MOCK_FILE.to_owned() } else { format!("{folder}/{MOCK_FILE}") };
    // A link that leads out of the root is ignored.
    let is_there = matches!(host.kind(&found), Ok(EntryKind::File));
    if args.no_mock || args.mocks.contains(&found) || !is_there {
        return None;
    }
    if is_trusted {
        args.mocks.push(found);
        return None;
    }
    Some(format!("the code is untrusted, so its {MOCK_FILE} is ignored."))
}

/// Returns the path itself if it is a folder, else the folder of the file.
pub(crate) fn folder_of<'p>(path: &'p str, machine: &MachineContext) -> &'p str {
    match machine.is_file(path) {
        true => path
            .rsplit_once('/')
            .map_or(".", |(folder, _)| if folder.is_empty() { "/" } else { folder }),
        false => path,
    }
}

/// Prints which dialect the code was read in, unless the user chose it for this run.
pub(crate) fn note_dialect(args: &CommandArgs, session: &mut RunSession<'_>) -> io::Result<()> {
    let Some(evidence) = &args.evidence else { return Ok(()) };
    if args.chosen_by_hand && evidence.edition.is_recorded() {
        return Ok(());
    }
    match evidence.edition.dialect {
        // Only Packer reads its files, and one version is recorded.
        Dialect::Packer => return Ok(()),
        _ if evidence.is_guess => writeln!(
            session.err,
            "note: read as {} because {} (--dialect selects another program).",
            evidence.edition, evidence.reason
        )?,
        _ => writeln!(session.err, "note: read as {}: {}.", evidence.edition, evidence.reason)?,
    }
    for (edition, sentences) in differing_editions(args, &session.watch.effective_differences()) {
        writeln!(session.err, "note: {edition} would answer differently: {}", sentences.join(" "))?;
    }
    Ok(())
}

/// Returns the recorded editions in which the code would behave differently, each with sentences about the differences; `decided`
/// are the differences between editions that had an effect in this run.
pub(crate) fn differing_editions(
    args: &CommandArgs,
    decided: &[&'static EditionDifference],
) -> Vec<(Edition, Vec<&'static str>)> {
    let Some(evidence) = &args.evidence else { return Vec::new() };
    if evidence.edition.dialect == Dialect::Packer {
        return Vec::new();
    }
    let mut found = Vec::new();
    for dialect in [Dialect::OpenTofu, Dialect::Terraform] {
        for version in dialect.recorded() {
            let other = Edition::new(dialect, version);
            let differing = decided.iter().filter(|difference| {
                difference.editions.includes(other)
                    != difference.editions.includes(evidence.edition)
            });
            let sentences: Vec<&str> = differing
                .map(|difference| match difference.editions.includes(other) {
                    true => difference.holds,
                    false => difference.otherwise,
                })
                .collect();
            if !sentences.is_empty() {
                found.push((other, sentences));
            }
        }
    }
    found
}

/// Returns the edition of `args` with the reason for it, and records whether the user chose it for this run (`by_hand`).
fn chosen_edition(args: &mut CommandArgs, reason: &str, by_hand: bool) -> EditionEvidence {
    args.chosen_by_hand = by_hand;
    let edition = args.edition.unwrap_or_default();
    EditionEvidence { edition, reason: reason.to_owned(), is_guess: false }.with_reliability()
}

/// A `groma.toml` file whose settings are being applied: its name, folder and host, and the rules set by flags.
struct SettingsFile<'t> {
    /// The path in messages.
    name: String,
    host: &'t dyn Host,
    /// The folder to which its paths are relative.
    folder: &'t str,
    /// The rules that flags set, which the file does not override.
    by_flags: RuleSwitches,
}

impl SettingsFile<'_> {
    /// Returns the usage error about a line of the settings file.
    fn wrong(&self, line: usize, what: &str) -> EarlyStop {
        EarlyStop::Misuse(format!("{} line {line}: {what}", self.name))
    }

    /// Converts a path in the settings file, relative to its folder, to one relative to the current directory.
    fn place(&self, path: &str) -> String {
        match self.folder == "." || path.starts_with('/') {
            true => path.to_owned(),
            false => format!("{}/{path}", self.folder),
        }
    }

    /// Converts a path at a line of the settings file, relative to its folder, to one relative to the current directory; refuses
    /// one outside of the root, since the file may come with the code.
    fn path(&self, path: &str, line: usize) -> Result<String, EarlyStop> {
        let path = self.place(path);
        match self.host.kind(&path) {
            Err(HostError::Outside) => {
                let what = format!(
                    "\"{path}\" is outside of the root; only the command line may name such paths."
                );
                Err(self.wrong(line, &what))
            }
            _ => Ok(path),
        }
    }
}

/// Adds the settings of a folder's `groma.toml`, if it has one, to the arguments; those of the command line win.
fn read(args: &mut CommandArgs, folder: &str, host: &dyn Host) -> Result<(), EarlyStop> {
    let name = if folder == "." { FILE.to_owned() } else { format!("{folder}/{FILE}") };
    let bytes = match host.read(&name) {
        Ok(bytes) => bytes,
        Err(HostError::Absent | HostError::Outside) => return Ok(()),
        Err(why) => return Err(EarlyStop::Misuse(format!("{name} cannot be read: {why}."))),
    };
    let text = String::from_utf8(bytes)
        .map_err(|_| EarlyStop::Misuse(format!("{name} is not UTF-8 text.")))?;
    let set =
        groma_settings::read(&text).map_err(|why| EarlyStop::Misuse(format!("{name} {why}")))?;
    let file = SettingsFile { name, host, folder, by_flags: args.rules.clone() };
    let mut files = Vec::new();
    for one in &set.settings {
        apply(args, one, &file, &mut files)?;
    }
    for one in set.modules {
        let at =
            ModuleReplacement { source: one.source, dir: file.place(&one.dir), by_flag: false };
        // Modules of the command line come later, and the last one counts.
        args.modules.insert(0, at);
    }
    // Values from the settings come before those of the command line, since the last one counts.
    args.assignments.splice(0..0, files);
    Ok(())
}

/// Returns the flag that has the same effect as a setting; `None` if there is none.
fn flag_of(setting: &WrittenSetting) -> Option<&'static FlagRow> {
    let name = match setting.name {
        "mocks" => "mock",
        "var-files" => "var-file",
        name => name,
    };
    flag::GLOBAL.iter().chain(flag::MODULE).chain(rules::FLAGS).find(|flag| flag.name == name)
}

/// Applies one setting of a settings file to the arguments, unless a flag overrides it; the value files that it names are added
/// to `files` instead.
fn apply(
    args: &mut CommandArgs,
    setting: &WrittenSetting,
    file: &SettingsFile<'_>,
    files: &mut Vec<GivenFlag>,
) -> Result<(), EarlyStop> {
    let line = setting.line;
    let flag = flag_of(setting)
        .ok_or_else(|| file.wrong(line, &format!("\"{}\" has no value.", setting.name)))?;
    let is_path = matches!(setting.kind, SettingKind::Path | SettingKind::Paths);
    let text = |text: &String| if is_path { file.path(text, line) } else { Ok(text.clone()) };
    let texts = setting.values.iter().map(text).collect::<Result<Vec<String>, _>>()?;
    match flag.name {
        "var-file" => files.extend(texts.into_iter().map(GivenFlag::File)),
        // The first mock file with an answer counts, and those of the command line come first.
        "mock" => args.mocks.extend(texts),
        // A setting does not change a rule that a flag names. The environment's dialect overrides the settings too.
        "allow" | "deny" | "warn" => {
            for text in texts.iter().filter(|name| !file.by_flags.is_mentioned(name)) {
                (flag.read)(args, text).map_err(|why| file.wrong(line, &why))?;
            }
        }
        "dialect" if args.edition.is_some() => {}
        "lint" if args.lint.is_some() => {}
        name if args.given.contains(&name) => {}
        _ => {
            for text in texts {
                (flag.read)(args, &text).map_err(|why| file.wrong(line, &why))?;
            }
        }
    }
    Ok(())
}
