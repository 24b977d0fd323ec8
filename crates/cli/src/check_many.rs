//! `groma check` of many roots in one run: finds the roots, checks each with its own settings, and reports all in one report.

use std::collections::BTreeSet;
use std::path::PathBuf;

use groma::{
    LoadPurpose, RootFindings,
    folders::{ReadModules, RootToLoad, load_all, roots_below},
    hosts::file_path,
};
use groma_report::Report;
use groma_syntax::Diagnostics;

use crate::flag::CommandArgs;
use crate::given::ReadSchemas;
use crate::host::MachineContext;
use crate::root_args::{self, RootOfMany, RootOpening, SettledRoot};
use crate::session::EarlyStop;
use crate::template::{LoadedTemplate, TemplateRequest};
use crate::{apply_fixes, parallel, project, settings, template};

/// The results of checking many roots: one report about all of them, and the remarks about their settings.
pub(crate) struct RootSurvey {
    pub report: Report,
    /// Remarks about the settings of the roots, each once.
    pub remarks: Vec<String>,
    /// The parsed modules that the report refers to.
    pub read: ReadModules,
}

/// Returns true if the command line names more than one root, or searches for roots with `--recursive`.
pub(crate) fn has_many_roots(args: &CommandArgs, machine: &MachineContext) -> bool {
    args.recursive || named(args, machine).len() > 1
}

/// Returns the folders and Packer templates that the operands name, each once; a module's file stands for its folder.
fn named(args: &CommandArgs, machine: &MachineContext) -> Vec<String> {
    let mut folders: Vec<String> = Vec::new();
    for path in &args.operands {
        let folder = match groma::packer::is_template(path) {
            true => path,
            false => settings::folder_of(path, machine),
        };
        if folders.iter().all(|known| known != folder) {
            folders.push(folder.to_owned());
        }
    }
    folders
}

/// Returns the roots that the command line asks for, sorted by folder, each once.
fn find_roots(args: &CommandArgs, machine: &MachineContext) -> Result<Vec<RootOfMany>, EarlyStop> {
    let mut named = named(args, machine);
    if named.is_empty() {
        named.push(".".to_owned());
    }
    let mut all: Vec<RootOfMany> = Vec::new();
    for folder in named {
        if !args.recursive || !machine.is_directory(&folder) {
            all.push(RootOfMany { dir: folder, highest: None, bound: args.root.clone() });
            continue;
        }
        let root = machine.root(&folder, args.root.as_deref()).map_err(EarlyStop::Misuse)?;
        // A user who names a folder for all that is in it lets its roots read each other.
        let bound = root.to_str().map(str::to_owned);
        let host = machine.host(root, Vec::new(), std::iter::empty());
        let below = roots_below(&host, &folder).into_iter();
        all.extend(below.map(|dir| {
            let (highest, bound) = (Some(folder.clone()), bound.clone());
            RootOfMany { dir, highest, bound }
        }));
    }
    all.sort_by(|one, other| one.dir.cmp(&other.dir));
    all.dedup_by(|one, other| one.dir == other.dir);
    Ok(all)
}

/// Returns the folders within which links to files that `--fix` changes must stay; `None` for trusted code, whose links are not
/// restricted.
pub(crate) fn bounds(
    args: &CommandArgs,
    machine: &MachineContext,
) -> Result<Option<Vec<PathBuf>>, EarlyStop> {
    if !machine.is_untrusted() {
        return Ok(None);
    }
    let mut named: Vec<&str> =
        args.operands.iter().map(|path| settings::folder_of(path, machine)).collect();
    if named.is_empty() {
        named.push(".");
    }
    let roots = named.into_iter().map(|folder| machine.root(folder, args.root.as_deref()));
    Ok(Some(roots.collect::<Result<_, _>>().map_err(EarlyStop::Misuse)?))
}

/// Checks every root that the command line asks for, in parallel.
pub(crate) fn survey(
    args: &CommandArgs,
    machine: &MachineContext,
) -> Result<RootSurvey, EarlyStop> {
    let disk = machine.with_cached_disk();
    let roots = find_roots(args, &disk)?;
    let threads = args.threads.unwrap_or_else(|| machine.threads());
    let schemas = ReadSchemas::default();
    let find = |take: &mut dyn FnMut(RootOfMany)| roots.into_iter().for_each(take);
    let settled = parallel::each(threads, find, |root| prepare(args, root, &schemas, &disk));
    let (mut checked, mut modules, mut remarks) = (Vec::new(), Vec::new(), Vec::new());
    for one in settled {
        let (subject, said) = one?;
        match subject {
            PreparedCheck::Done(root) => checked.push(*root),
            PreparedCheck::Waiting(both) => modules.push(*both),
        }
        for remark in said {
            if !remarks.contains(&remark) {
                remarks.push(remark);
            }
        }
    }
    let (owns, modules): (Vec<CommandArgs>, Vec<RootToLoad>) = modules.into_iter().unzip();
    let folders: BTreeSet<String> =
        modules.iter().map(|root| file_path::clean(&root.dir)).collect();
    let (looked, read) = load_all(modules, threads, |at, snapshot| {
        let own = &owns[at];
        let mut root = snapshot.checked();
        root.found.extend(project::strict_error(own, root.found.iter(), || match own.values {
            true => snapshot.evaluation().gaps(),
            false => snapshot.project().gaps(),
        }));
        root.sources = snapshot.sources();
        if own.lints() {
            root.add_lint(snapshot.lint_beside(&own.rules, &folders));
        }
        root
    });
    checked.extend(owns.into_iter().zip(looked).map(|(own, root)| with_settings(own, root)));
    if args.fix {
        remarks.extend(apply_fixes::apply(
            &mut checked,
            bounds(args, machine)?.as_deref(),
            machine,
        ));
    }
    Ok(RootSurvey { report: Report::of_all(checked), remarks, read })
}

/// Adds the reason for a root's dialect to its findings, and turns its warnings into errors if its settings say so; `own` are
/// the arguments with these settings.
fn with_settings(own: CommandArgs, root: RootFindings) -> RootFindings {
    let mut root = RootFindings { evidence: own.evidence, ..root };
    if own.rules.denies_all() {
        root.deny_warnings();
    }
    root
}

/// The check of one root: done, or waiting until the modules of all roots are loaded.
enum PreparedCheck {
    /// The findings of a root that shares no code with others.
    Done(Box<RootFindings>),
    /// A module, with the arguments to check it with.
    Waiting(Box<(CommandArgs, RootToLoad)>),
}

/// Reads the settings of a root; returns its check, finished for a template and pending for a module, and remarks about the
/// settings.
fn prepare(
    args: &CommandArgs,
    root: RootOfMany,
    schemas: &ReadSchemas,
    machine: &MachineContext,
) -> Result<(PreparedCheck, Vec<String>), EarlyStop> {
    let settled = root_args::settle(args.clone(), &root, LoadPurpose::Check, schemas, machine)?;
    let SettledRoot { args: own, remarks, opening } = settled;
    let settled = match opening {
        RootOpening::Template(template) => {
            PreparedCheck::Done(Box::new(checked_template(own, &root.dir, &template.load())))
        }
        RootOpening::Module(module) => PreparedCheck::Waiting(Box::new((own, *module))),
    };
    Ok((settled, remarks))
}

/// Returns the findings of the loaded Packer template at `path`, with the reason for its dialect; its warnings become errors
/// if `own`, the arguments with its settings, say so.
pub(crate) fn checked_template(
    own: CommandArgs,
    path: &str,
    loaded: &LoadedTemplate,
) -> RootFindings {
    let found = template_findings(&own, loaded);
    with_settings(own, RootFindings::new(path, found, loaded.evaluation.sources()))
}

/// Loads and checks the Packer template at `path`; returns its findings and the evaluation whose texts they refer to.
pub(crate) fn check_template(
    args: &CommandArgs,
    path: &str,
    machine: &MachineContext,
) -> Result<(Diagnostics, groma::packer::TemplateEvaluation), EarlyStop> {
    let request = TemplateRequest::of_check(args);
    let loaded = template::to_open(args, Some(path), request, machine)?.load();
    Ok((template_findings(args, &loaded), loaded.evaluation))
}

/// Returns the diagnostics of loading a Packer template and, unless these contain errors or only the syntax is checked, those of
/// its builds.
fn template_findings(args: &CommandArgs, loaded: &LoadedTemplate) -> Diagnostics {
    let mut found = loaded.found.clone();
    if !args.syntax && !found.has_errors() {
        let mut plan = loaded.evaluation.plan();
        found.extend(loaded.evaluation.check_of(&mut plan));
        found.extend(project::strict_error(args, found.iter(), || {
            loaded.evaluation.gaps(&plan.builds)
        }));
    }
    found
}
