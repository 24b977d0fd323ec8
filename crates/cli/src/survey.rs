//! Many roots in one run: which they are, and what is found in each. Every root has settings of its own; what is said
//! about them is one report.

use std::collections::BTreeSet;
use std::path::PathBuf;

use groma::{Checked, ReadModules, Report, RootToLoad, file_path, look_at_all, roots_below};
use groma_syntax::Diagnostics;

use crate::flag::Args;
use crate::given::ReadSchemas;
use crate::host::Machine;
use crate::session::Stop;
use crate::{mend, parallel, project, settings, template};

/// What came of many roots.
pub(crate) struct Survey {
    pub report: Report,
    /// What there is to remark, each once.
    pub remarks: Vec<String>,
    /// What it rests on.
    pub read: ReadModules,
}

/// Whether a command line is about a list of roots.
pub(crate) fn is_meant(args: &Args, machine: &Machine) -> bool {
    args.recursive || named(args, machine).len() > 1
}

/// The folders that the operands are about, each once: a hook hands over the files that were changed.
fn named(args: &Args, machine: &Machine) -> Vec<String> {
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

/// A root, and the folder up to which settings above it count.
struct FoundRoot {
    dir: String,
    highest: Option<String>,
    /// The folder outside of which nothing is read, where that is not the root's own matter.
    bound: Option<String>,
}

fn found(args: &Args, machine: &Machine) -> Result<Vec<FoundRoot>, Stop> {
    let mut named = named(args, machine);
    if named.is_empty() {
        named.push(".".to_owned());
    }
    let mut all: Vec<FoundRoot> = Vec::new();
    for folder in named {
        if !args.recursive || !machine.is_directory(&folder) {
            all.push(FoundRoot { dir: folder, highest: None, bound: args.root.clone() });
            continue;
        }
        let root = machine.root(&folder, args.root.as_deref()).map_err(Stop::Misuse)?;
        // Who names a folder for all that is in it lets its roots read each other.
        let bound = root.to_str().map(str::to_owned);
        let host = machine.host(root, Vec::new(), std::iter::empty());
        let below = roots_below(&host, &folder).into_iter();
        all.extend(below.map(|dir| {
            let (highest, bound) = (Some(folder.clone()), bound.clone());
            FoundRoot { dir, highest, bound }
        }));
    }
    all.sort_by(|one, other| one.dir.cmp(&other.dir));
    all.dedup_by(|one, other| one.dir == other.dir);
    Ok(all)
}

/// Where links may lead on the way to files that are changed.
pub(crate) fn bounds(args: &Args, machine: &Machine) -> Result<Option<Vec<PathBuf>>, Stop> {
    if !machine.is_untrusted() {
        return Ok(None);
    }
    let mut named: Vec<&str> =
        args.operands.iter().map(|path| settings::folder_of(path, machine)).collect();
    if named.is_empty() {
        named.push(".");
    }
    let roots = named.into_iter().map(|folder| machine.root(folder, args.root.as_deref()));
    Ok(Some(roots.collect::<Result<_, _>>().map_err(Stop::Misuse)?))
}

/// Checks every root that the command line is about.
pub(crate) fn survey(args: &Args, machine: &Machine) -> Result<Survey, Stop> {
    let disk = machine.for_one_look();
    let roots = found(args, &disk)?;
    let threads = args.threads.unwrap_or_else(|| machine.threads());
    let schemas = ReadSchemas::default();
    let find = |take: &mut dyn FnMut(FoundRoot)| roots.into_iter().for_each(take);
    let settled = parallel::each(threads, find, |root| settle(args, root, &schemas, &disk));
    let (mut checked, mut modules, mut remarks) = (Vec::new(), Vec::new(), Vec::new());
    for one in settled {
        let (subject, said) = one?;
        match subject {
            Settled::Template(root) => checked.push(*root),
            Settled::Module(both) => modules.push(*both),
        }
        for remark in said {
            if !remarks.contains(&remark) {
                remarks.push(remark);
            }
        }
    }
    let (owns, modules): (Vec<Args>, Vec<RootToLoad>) = modules.into_iter().unzip();
    let folders: BTreeSet<String> =
        modules.iter().map(|root| file_path::clean(&root.dir)).collect();
    let (looked, read) = look_at_all(modules, threads, |at, snapshot| {
        let own = &owns[at];
        let mut root = snapshot.checked();
        root.found.extend(project::strictly(own, root.found.iter(), || match own.values {
            true => snapshot.evaluation().gaps(),
            false => snapshot.project().gaps(),
        }));
        root.sources = snapshot.sources();
        if own.lints() {
            root.take_in(snapshot.lint_beside(&own.rules, &folders));
        }
        root
    });
    checked.extend(owns.into_iter().zip(looked).map(|(own, root)| judged(own, root)));
    if args.fix {
        remarks.extend(mend::mend(&mut checked, bounds(args, machine)?.as_deref(), machine));
    }
    Ok(Survey { report: Report::of_all(checked), remarks, read })
}

/// A root as it is told, by its own settings.
fn judged(own: Args, root: Checked) -> Checked {
    let mut root = Checked { evidence: own.evidence, ..root };
    if own.rules.denies_all() {
        root.deny_warnings();
    }
    root
}

/// A root, with all that was said about it.
enum Settled {
    /// A template, which is looked at already.
    Template(Box<Checked>),
    /// A module.
    Module(Box<(Args, RootToLoad)>),
}

fn settle(
    args: &Args,
    root: FoundRoot,
    schemas: &ReadSchemas,
    machine: &Machine,
) -> Result<(Settled, Vec<String>), Stop> {
    let mut own = Args {
        operand: Some(root.dir.clone()),
        root: root.bound,
        threads: Some(1),
        ..args.clone()
    };
    let remarks = settings::settle_on(&mut own, true, root.highest.as_deref(), machine)?;
    let settled = if template::is_meant_on(&own, Some(&root.dir), machine) {
        let (found, evaluation) = of_template(&own, &root.dir, machine)?;
        let checked = Checked::new(&root.dir, found, evaluation.sources());
        Settled::Template(Box::new(judged(own, checked)))
    } else {
        let (options, host) = project::to_check(&own, &root.dir, schemas, machine)?;
        Settled::Module(Box::new((own, RootToLoad { dir: root.dir, options, host })))
    };
    Ok((settled, remarks))
}

/// What is wrong with a template.
pub(crate) fn of_template(
    args: &Args,
    path: &str,
    machine: &Machine,
) -> Result<(Diagnostics, groma::packer::Evaluation), Stop> {
    let values = args.values;
    let wants = template::Wants { values, judging: values, open: !values, data: false };
    let loaded = template::load_on(args, Some(path), wants, machine)?;
    let mut found = loaded.found;
    if !args.syntax && !found.has_errors() {
        let mut plan = loaded.evaluation.plan();
        found.extend(loaded.evaluation.check_of(&mut plan));
        found
            .extend(project::strictly(args, found.iter(), || loaded.evaluation.gaps(&plan.builds)));
    }
    Ok((found, loaded.evaluation))
}
