//! What an editor's roots are read from: the disk, by the rules of the command, with `groma.toml` and the settings of the editor. A
//! setting of the editor counts as a flag does, so it comes before those of the file.

use std::sync::Arc;

use groma::{
    Budget, Host, LoadOptions, LoadPurpose, MemoryHost, Quota, RunOptions, limits::ThreadCount,
};
use groma_lsp::{ClientSettings, RootSetup, ServerHost};

use crate::flag::{self, CommandArgs, GivenFlag};
use crate::given::ReadSchemas;
use crate::host::MachineContext;
use crate::session::EarlyStop;
use crate::{limit, project, rules, settings};

/// The disk for an editor's roots.
pub(crate) struct EditorHost {
    machine: MachineContext,
    quota: Option<Quota>,
    /// The schemas that roots share.
    schemas: ReadSchemas,
}

impl EditorHost {
    pub(crate) fn new(args: &CommandArgs, machine: MachineContext) -> EditorHost {
        EditorHost { machine, quota: args.quota, schemas: ReadSchemas::default() }
    }

    /// The machine as it is for a workspace of this kind.
    fn machine(&self, settings: &ClientSettings) -> MachineContext {
        let mut machine = self.machine.clone();
        machine.distrust(settings.is_untrusted);
        machine
    }

    /// The command line that would read the root so.
    fn args(
        &self,
        dir: &str,
        set: &ClientSettings,
        machine: &MachineContext,
        remarks: &mut Vec<String>,
    ) -> CommandArgs {
        // As for the command that looks for what is wrong: its rules have settings of their own.
        let mut args = CommandArgs { command: rules::COMMAND, ..CommandArgs::default() };
        args.operand = Some(dir.to_owned());
        args.names_folder = true;
        if let Some(text) = &set.dialect
            && let Err(why) = (flag::DIALECT.read)(&mut args, text)
        {
            remarks.push(why.replacen("--dialect", "The setting groma.dialect", 1));
        }
        // A file is looked for where the editor's folder is, and seen from the root.
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
        // What the editor says comes after the settings beside the code, and the later counts.
        args.assignments.extend(set.var_files.iter().map(|file| GivenFlag::File(place(file))));
        let variables = set.variables.iter().cloned();
        args.assignments.extend(variables.map(|(name, text)| GivenFlag::Var { name, text }));
        if !settings::is_said(&args) {
            // What lies in the folder decides, at each load anew.
            (args.edition, args.evidence) = (None, None);
            args.parsed = groma::folders::ParsedFiles::default();
        }
        args
    }

    /// The folder above which no settings are looked for.
    fn highest(&self, dir: &str, top: Option<&str>) -> String {
        let root = self.machine.root(dir, top);
        root.map_or_else(|_| dir.to_owned(), |root| root.to_string_lossy().into_owned())
    }
}

/// The outermost folder around a root that the editor has opened, where that is more than the command would let the root read. Code
/// that is not trusted gets no more.
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
        let run = move || RunOptions {
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
        let space = format!("{:?} {:?} {:?}", load.root, load.allowed, args.assignments);
        let rules = args.lints().then_some(args.rules);
        RootSetup { space, host, load, run: Arc::new(run), rules, remarks }
    }

    fn folder(&self, dir: &str, set: &ClientSettings) -> Arc<dyn Host> {
        let machine = self.machine(set);
        match machine.root(dir, None) {
            Ok(root) => Arc::new(machine.host(root, Vec::new(), std::iter::empty())),
            // It lies on no disk, or may not be read.
            Err(_) => Arc::new(MemoryHost::new()),
        }
    }
}

/// The reason why a command would stop, as a sentence.
fn sentence(why: EarlyStop) -> String {
    match why {
        EarlyStop::Stream(why) => format!("A file cannot be read: {why}."),
        EarlyStop::Misuse(why) | EarlyStop::Refused(why) | EarlyStop::Absent(why) => why,
        EarlyStop::Told(_) => "The settings cannot be read.".to_owned(),
    }
}
