//! `groma get`: downloads the modules that a project calls into `.terraform/modules`. No other command but `init`, which does
//! the same, uses the network.

use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;
use std::sync::Mutex;

use groma::RootInputs;
use groma_install::{CalledModules, HostSettings, InstallObserver, ModulesFolder, install};
use groma_syntax::{Diagnostics, Severity, Sources};

use super::row::CommandRow;
use crate::flag::{self, CommandArgs, FlagRow, FlagValue};
use crate::project;
use crate::session::{EarlyStop, ExitStatus, RunSession};
use crate::view::diagnostic;
use crate::watch::RunWatch;

/// Flags of `groma get` and `groma init`.
pub(super) const FLAGS: &[FlagRow] = &[
    FlagRow {
        name: "upgrade",
        takes: FlagValue::Nothing,
        about: "Install again, with the newest versions that match",
        read: |args, _| flag::switch(&mut args.upgrade),
    },
    FlagRow {
        name: "update",
        takes: FlagValue::Nothing,
        about: "The same as --upgrade, as in `terraform get`",
        read: |args, _| flag::switch(&mut args.upgrade),
    },
];

/// The command `groma get`: its flags, help and entry point.
pub(crate) const COMMAND: CommandRow = CommandRow {
    name: "get",
    about: "Download the modules that the code calls",
    operand: Some(("DIR", "The root module's directory (default: the current directory)")),
    flags: &[FLAGS, flag::MODULE],
    more: "Modules come from registries, git repositories and archives; providers are not downloaded. A module that \
           is installed and still matches is kept. Modules are written below .terraform/modules, where Terraform and \
           OpenTofu find them too.\n\n\
           Exit codes: 0 success, 1 a module cannot be downloaded or the code has errors, 2 wrong use.",
    run,
};

/// An event that is reported while modules are downloaded: a line of text, or diagnostics.
pub(super) enum InstallStep<'s> {
    /// A line of text.
    Line(String),
    /// Diagnostics, with the texts that they refer to.
    Found(&'s Diagnostics, &'s Sources),
}

/// Downloads the modules that the code calls, and reports the progress as text.
pub(super) fn run(
    args: &CommandArgs,
    session: &mut RunSession<'_>,
) -> Result<ExitStatus, EarlyStop> {
    download(args, session, &mut |step, session| {
        let colour = session.colour(!args.no_color);
        match step {
            InstallStep::Line(line) => writeln!(session.out, "{line}"),
            InstallStep::Found(found, sources) => {
                diagnostic::print(found, sources, colour, session.err)
            }
        }
    })
}

/// Downloads the modules that the code calls, and passes each step to `tell`, which prints it. Returns the exit status.
pub(super) fn download(
    args: &CommandArgs,
    session: &mut RunSession<'_>,
    tell: &mut dyn FnMut(InstallStep<'_>, &mut RunSession<'_>) -> io::Result<()>,
) -> Result<ExitStatus, EarlyStop> {
    if session.machine.is_untrusted() {
        let why = "untrusted code may not choose which servers are contacted: run get without --untrusted.";
        return Err(EarlyStop::Misuse(why.to_owned()));
    }
    let dir = args.operand.as_deref();
    let loaded = project::load(args, dir, RootInputs::Given, session)?;
    let root = loaded.project().dir().to_owned();
    let data = groma::folders::data_dir(&**loaded.project().host(), &root);
    let seen = format!("{}/modules", groma::hosts::path::relative(&root, &data));
    let modules = session.machine.place(&format!("{data}/modules"));
    // The data folder may be anywhere if the user has named it, and must lie below the root if it comes from the code.
    let is_named =
        loaded.project().host().env("TF_DATA_DIR").is_some_and(|named| !named.is_empty());
    let within = session.machine.place(if is_named { &data } else { &root });

    let mut sources = Sources::new();
    let mut found = Diagnostics::new();
    // The user's own settings files may lie anywhere, and the code cannot influence which are read.
    let anywhere = session.machine.host(PathBuf::from("/"), Vec::new(), std::iter::empty());
    let config =
        HostSettings::read(&anywhere, loaded.project().edition(), &mut sources, &mut found);
    tell(InstallStep::Found(&found, &sources), session)?;
    let is_set_well = !found.has_errors();

    let mut failed = None;
    let mut last = loaded;
    let mut is_first = true;
    let progress = WatchLine { watch: session.watch.clone(), state: Mutex::default() };
    let mut look = || {
        if !std::mem::take(&mut is_first) {
            match project::load(args, dir, RootInputs::Given, session) {
                Ok(loaded) => last = loaded,
                Err(stop) => {
                    failed = Some(stop);
                    return CalledModules::default();
                }
            }
        }
        CalledModules::at(last.project())
    };
    let folder = ModulesFolder { path: &modules, within: &within, seen: &seen };
    let done = install(folder, args.upgrade, &config, &mut look, &progress);
    if let Some(stop) = failed {
        return Err(stop);
    }
    for (key, entry) in &done.installed {
        let version = entry.version.as_ref().map(|version| format!(" {version}"));
        let line = format!("{key}{} in {}", version.unwrap_or_default(), entry.dir);
        tell(InstallStep::Line(line), session)?;
    }
    // Errors of the code itself are reported as of the last time that it was loaded.
    let is_reported: BTreeSet<_> = done.found.iter().filter_map(|one| one.place).collect();
    let mut found: Diagnostics = last
        .found
        .iter()
        .filter(|one| {
            one.severity == Severity::Error
                && one.place.is_none_or(|place| !is_reported.contains(&place))
        })
        .cloned()
        .collect();
    found.extend(done.found.iter().cloned());
    last.project().sources().sort(&mut found);
    tell(InstallStep::Found(&found, last.project().sources()), session)?;
    let brought = done.installed.len();
    let stayed = CalledModules::at(last.project()).installed_before(&done.installed);
    let s = if brought == 1 { "" } else { "s" };
    let line = format!("{brought} module{s} downloaded, {stayed} unchanged.");
    tell(InstallStep::Line(line), session)?;
    Ok(if is_set_well && !found.has_errors() { ExitStatus::SUCCESS } else { ExitStatus::ERRORS })
}

/// The progress line of an installation of modules: the state of the download that it shows, and the supervisor of the run that
/// prints it.
struct WatchLine {
    watch: RunWatch,
    state: Mutex<LineState>,
}

/// The state of a download that the progress line shows: the numbers of planned and finished packages, and the calls in progress.
#[derive(Default)]
struct LineState {
    planned: usize,
    ended: usize,
    now: BTreeSet<String>,
}

impl WatchLine {
    /// Applies `change` to the state of the download, and shows the progress line that results.
    fn update(&self, change: impl FnOnce(&mut LineState)) {
        let Ok(mut state) = self.state.lock() else { return };
        change(&mut state);
        let LineState { planned, ended, now } = &*state;
        let names: Vec<&str> = now.iter().map(String::as_str).collect();
        self.watch.set_activity(&format!("Downloading {ended} of {planned}: {}", names.join(", ")));
    }
}

impl InstallObserver for WatchLine {
    fn waiting(&self) {
        self.watch.set_activity("Waiting for another run that installs modules here");
    }

    fn planned(&self, count: usize) {
        self.update(|state| state.planned += count);
    }

    fn began(&self, key: &str) {
        self.update(|state| {
            state.now.insert(key.to_owned());
        });
    }

    fn ended(&self, key: &str) {
        self.update(|state| {
            state.ended += 1;
            state.now.remove(key);
        });
    }
}
