//! `groma get`: the modules that a project calls from elsewhere, brought into `.terraform/modules`. No other command goes
//! to a network, and this one only because it was asked to.

use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;
use std::sync::Mutex;

use groma::Inputs;
use groma_get::{Called, HostSettings, ModulesFolder, Observer, install};
use groma_syntax::{Diagnostics, Severity, Sources};

use super::row::Command;
use crate::flag::{self, Args, Flag, Takes};
use crate::project;
use crate::session::{Exit, Session, Stop};
use crate::view::diagnostic;
use crate::watch::Watch;

pub(super) const FLAGS: &[Flag] = &[
    Flag {
        name: "upgrade",
        takes: Takes::Nothing,
        about: "Bring again what is there, in the newest versions that fit",
        read: |args, _| flag::switch(&mut args.upgrade),
    },
    Flag {
        name: "update",
        takes: Takes::Nothing,
        about: "The same, as the other programs call it",
        read: |args, _| flag::switch(&mut args.upgrade),
    },
];

pub(crate) const COMMAND: Command = Command {
    name: "get",
    about: "Bring the modules that are called from elsewhere",
    operand: Some(("DIR", "The root module's directory (default: the current one)")),
    flags: &[FLAGS, flag::MODULE],
    more: "Registries, git repositories and archives are asked; providers are not brought. What is installed and still \
           fits stays as it is. What is written goes below .terraform/modules, where the other programs find it, too.\n\n\
           Exit codes: 0 all is well, 1 a module cannot be brought or the code has errors, 2 wrong use.",
    run,
};

/// What there is to tell on the way.
pub(super) enum Step<'s> {
    /// A line.
    Line(String),
    /// What was found, with the texts that it is about.
    Found(&'s Diagnostics, &'s Sources),
}

pub(super) fn run(args: &Args, session: &mut Session<'_>) -> Result<Exit, Stop> {
    bring(args, session, &mut |step, session| {
        let colour = session.colour(!args.no_color);
        match step {
            Step::Line(line) => writeln!(session.out, "{line}"),
            Step::Found(found, sources) => diagnostic::print(found, sources, colour, session.err),
        }
    })
}

/// Brings the modules, and tells of each step.
pub(super) fn bring(
    args: &Args,
    session: &mut Session<'_>,
    tell: &mut dyn FnMut(Step<'_>, &mut Session<'_>) -> io::Result<()>,
) -> Result<Exit, Stop> {
    if session.machine.is_untrusted() {
        let why = "code that is not trusted does not choose which servers are asked: get needs a run without --untrusted.";
        return Err(Stop::Misuse(why.to_owned()));
    }
    let dir = args.operand.as_deref();
    let loaded = project::load(args, dir, Inputs::Given, session)?;
    let root = loaded.project().dir().to_owned();
    let data = groma::data_dir(&**loaded.project().host(), &root);
    let seen = format!("{}/modules", groma::path::relative(&root, &data));
    let modules = session.machine.place(&format!("{data}/modules"));
    // A folder that the user has named may be anywhere, and one that the code brings along may not.
    let is_named =
        loaded.project().host().env("TF_DATA_DIR").is_some_and(|named| !named.is_empty());
    let within = session.machine.place(if is_named { &data } else { &root });

    let mut sources = Sources::new();
    let mut found = Diagnostics::new();
    // The user's own files lie anywhere, and the code has no part in which are read.
    let anywhere = session.machine.host(PathBuf::from("/"), Vec::new(), std::iter::empty());
    let config =
        HostSettings::read(&anywhere, loaded.project().edition(), &mut sources, &mut found);
    tell(Step::Found(&found, &sources), session)?;
    let is_set_well = !found.has_errors();

    let mut failed = None;
    let mut last = loaded;
    let mut is_first = true;
    let progress = Line { watch: session.watch.clone(), state: Mutex::default() };
    let mut look = || {
        if !std::mem::take(&mut is_first) {
            match project::load(args, dir, Inputs::Given, session) {
                Ok(loaded) => last = loaded,
                Err(stop) => {
                    failed = Some(stop);
                    return Called::default();
                }
            }
        }
        Called::at(last.project())
    };
    let folder = ModulesFolder { path: &modules, within: &within, seen: &seen };
    let done = install(folder, args.upgrade, &config, &mut look, &progress);
    if let Some(stop) = failed {
        return Err(stop);
    }
    for (key, entry) in &done.brought {
        let version = entry.version.as_ref().map(|version| format!(" {version}"));
        let line = format!("{key}{} in {}", version.unwrap_or_default(), entry.dir);
        tell(Step::Line(line), session)?;
    }
    // What the code lacks beside its modules is told from how it was read at last.
    let is_told: BTreeSet<_> = done.found.iter().filter_map(|one| one.place).collect();
    let mut found: Diagnostics = last
        .found
        .iter()
        .filter(|one| {
            one.severity == Severity::Error
                && one.place.is_none_or(|place| !is_told.contains(&place))
        })
        .cloned()
        .collect();
    found.extend(done.found.iter().cloned());
    found.sort_by_place();
    tell(Step::Found(&found, last.project().sources()), session)?;
    let brought = done.brought.len();
    let stayed = Called::at(last.project()).installed_beside(&done.brought);
    let s = if brought == 1 { "" } else { "s" };
    let line = format!("{brought} module{s} brought, {stayed} as before.");
    tell(Step::Line(line), session)?;
    Ok(if is_set_well && !found.has_errors() { Exit::WELL } else { Exit::ERRORS })
}

/// What is being waited for, told to the watch.
struct Line {
    watch: Watch,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    planned: usize,
    ended: usize,
    now: BTreeSet<String>,
}

impl Line {
    fn tell(&self, change: impl FnOnce(&mut State)) {
        let Ok(mut state) = self.state.lock() else { return };
        change(&mut state);
        let State { planned, ended, now } = &*state;
        let names: Vec<&str> = now.iter().map(String::as_str).collect();
        self.watch.say(&format!("Bringing {ended} of {planned}: {}", names.join(", ")));
    }
}

impl Observer for Line {
    fn waits(&self) {
        self.watch.say("Waiting for another run that brings modules here");
    }

    fn planned(&self, count: usize) {
        self.tell(|state| state.planned += count);
    }

    fn began(&self, key: &str) {
        self.tell(|state| {
            state.now.insert(key.to_owned());
        });
    }

    fn ended(&self, key: &str) {
        self.tell(|state| {
            state.ended += 1;
            state.now.remove(key);
        });
    }
}
