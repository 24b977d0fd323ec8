//! The disk as the language server sees it: files by the rules of the command line, with settings from `groma.toml` and from the
//! editor. A setting of the editor counts as a flag, so it wins over the file.

use std::sync::Arc;

use groma::{
    Budget, Host, InputAssignment, LoadOptions, LoadPurpose, MemoryHost, Quota, RunOptions,
    limits::ThreadCount,
};
use groma_lsp::{ClientSettings, RootSetup, ServerHost};

use crate::flag::{self, CommandArgs, GivenFlag};
use crate::given::{ReadSchemas, assignment};
use crate::host::MachineContext;
use crate::session::EarlyStop;
use crate::{limit, project, rules, run_clock, settings};

/// The language server's access to files and settings.
pub(crate) struct EditorHost {
    machine: MachineContext,
    /// The limits of `--memory` and `--limit`; `None` without these flags.
    quota: Option<Quota>,
    /// Provider schemas, read once for all roots.
    schemas: ReadSchemas,
}

impl EditorHost {
    /// Creates the language server's host from the command line's limits; its roots share the schemas that it reads.
    pub(crate) fn new(args: &CommandArgs, machine: MachineContext) -> EditorHost {
        EditorHost { machine, quota: args.quota, schemas: ReadSchemas::default() }
    }

    /// Returns the machine's context, with code marked untrusted if the editor does not trust its workspace.
    fn machine(&self, settings: &ClientSettings) -> MachineContext {
        let mut machine = self.machine.clone();
        machine.distrust(settings.is_untrusted);
        machine
    }

    /// Returns the command line arguments that stand for the editor's settings, with which the root in `dir` is loaded; adds to
    /// `remarks` what is wrong with a setting.
    fn args(
        &self,
        dir: &str,
        set: &ClientSettings,
        machine: &MachineContext,
        remarks: &mut Vec<String>,
    ) -> CommandArgs {
        // Rules have settings under the name of this command.
        let mut args = CommandArgs { command: rules::COMMAND, ..CommandArgs::default() };
        args.operand = Some(dir.to_owned());
        args.names_folder = true;
        if let Some(text) = &set.dialect
            && let Err(why) = (flag::DIALECT.read)(&mut args, text)
        {
            remarks.push(why.replacen("--dialect", "The setting groma.dialect", 1));
        }
        // The editor names files relative to its folder, and the root sees them relative to its own.
        let place = |path: &String| groma::hosts::file_path::join(dir, path);
        if let Some(file) = &set.schema {
            args.schema = Some(place(file));
            args.given.push("schema");
        }
        args.root = opened_around(dir, set, machine);
        let highest = self.highest(dir, args.root.as_deref());
        args.quota = self.quota;
        args.budget = limit::budget(&args);
        for remark in match settings::settle_on(&mut args, true, Some(&highest), machine) {
            Ok(remarks) => remarks,
            Err(why) => vec![sentence(why)],
        } {
            remarks.push(remark);
        }
        // Settings of the editor come after those of the code's folder, because the last one counts.
        args.assignments.extend(set.var_files.iter().map(|file| GivenFlag::File(place(file))));
        let variables = set.variables.iter().cloned();
        args.assignments.extend(variables.map(|(name, text)| GivenFlag::Var { name, text }));
        if !settings::is_dialect_chosen(&args) {
            // The dialect is detected from the folder's contents at each load.
            (args.edition, args.evidence) = (None, None);
            args.parsed = groma::folders::ParsedFiles::default();
        }
        args
    }

    /// Returns the topmost folder that is searched for settings: `top`, else the folder outside of which the root in `dir` reads
    /// nothing.
    fn highest(&self, dir: &str, top: Option<&str>) -> String {
        let root = self.machine.root(dir, top);
        root.map_or_else(|_| dir.to_owned(), |root| root.to_string_lossy().into_owned())
    }
}

/// Returns the outermost of the client's open folders that lies above the folder which a command run in `dir` may read, so that
/// the root in `dir` may read it, too; `None` if there is none, or for untrusted code.
fn opened_around(dir: &str, set: &ClientSettings, machine: &MachineContext) -> Option<String> {
    if machine.is_untrusted() {
        return None;
    }
    let own = machine.root(dir, None).ok()?;
    let opened = set.folders.iter().filter_map(|folder| {
        let path = machine.root(dir, Some(folder)).ok()?;
        (own.starts_with(&path) && own != path).then_some((path.components().count(), folder))
    });
    opened.min().map(|(_, folder)| folder.clone())
}

impl ServerHost for EditorHost {
    fn root(&self, dir: &str, set: &ClientSettings) -> RootSetup {
        let machine = self.machine(set);
        let mut remarks = Vec::new();
        let args = self.args(dir, set, &machine, &mut remarks);
        let quota = limit::quota(&args);
        let cwd = machine.working_directory(dir);
        let threads = ThreadCount::up_to(machine.threads());
        let assignments: Vec<InputAssignment> = args.assignments.iter().map(assignment).collect();
        let run = move || RunOptions {
            assignments: assignments.clone(),
            budget: Budget::new(quota),
            threads,
            cwd: Some(cwd.clone()),
            ..RunOptions::default()
        };
        let (host, load): (Arc<dyn Host>, LoadOptions) =
            match project::options_of(&args, dir, &self.schemas, &machine) {
                Ok(mut options) => {
                    options.load.purpose = LoadPurpose::Check;
                    (project::host(&args, &options, &machine), options.load)
                }
                Err(why) => {
                    remarks.push(sentence(why).replacen("--schema", "The setting groma.schema", 1));
                    (self.folder(dir, set), LoadOptions::default())
                }
            };
        // A value file is readable because it is named, or because it lies in the root, which needs no host of its own.
        let is_beyond = |path: &&String| {
            let top = load.root.as_deref().unwrap_or(dir).trim_end_matches('/');
            let real = host.canonical(path).ok();
            real.and_then(|real| Some(real.strip_prefix(top)?.starts_with('/'))) != Some(true)
        };
        let files = args.assignments.iter().filter_map(|one| match one {
            GivenFlag::File(path) => Some(path),
            GivenFlag::Var { .. } => None,
        });
        let named: Vec<&String> = files.filter(is_beyond).collect();
        let space = format!("{:?} {:?} {named:?} {:?}", load.root, load.allowed, args.schema);
        let rules = args.lints().then_some(args.rules);
        let clock = args.timeout.map(run_clock::clock);
        RootSetup { space, host, load, run: Arc::new(run), clock, rules, remarks }
    }

    fn folder(&self, dir: &str, set: &ClientSettings) -> Arc<dyn Host> {
        let machine = self.machine(set);
        match machine.root(dir, None) {
            Ok(root) => Arc::new(machine.host(root, Vec::new(), std::iter::empty())),
            // The folder is not on disk, or cannot be read.
            Err(_) => Arc::new(MemoryHost::new()),
        }
    }
}

/// Returns the reason why a command would stop, as a sentence.
fn sentence(why: EarlyStop) -> String {
    match why {
        EarlyStop::Stream(why) => format!("A file cannot be read: {why}."),
        EarlyStop::Misuse(why) | EarlyStop::Refused(why) | EarlyStop::Absent(why) => why,
        EarlyStop::Reported(_) => "The settings cannot be read.".to_owned(),
    }
}
