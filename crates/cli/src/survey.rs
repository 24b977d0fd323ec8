//! Many roots in one run: which they are, and what is found in each. Every root has settings of its own; what is said
//! about them is one report.

use groma::{Checked, Report, Snapshot, roots_below};
use groma_syntax::Diagnostics;

use crate::flag::Args;
use crate::host::Machine;
use crate::session::Stop;
use crate::{parallel, project, settings, template};

/// What came of many roots.
pub(crate) struct Survey {
    pub report: Report,
    /// What there is to remark, each once.
    pub remarks: Vec<String>,
}

/// Whether a command line is about a list of roots.
pub(crate) fn is_meant(args: &Args, machine: &Machine) -> bool {
    args.recursive || named(args, machine).len() > 1
}

/// The folders that the operands are about, each once: a hook hands over the files that were changed.
fn named(args: &Args, machine: &Machine) -> Vec<String> {
    let mut folders: Vec<String> = Vec::new();
    for path in &args.operands {
        let folder = match groma_packer::is_template(path) {
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
struct Found {
    dir: String,
    highest: Option<String>,
    /// The folder outside of which nothing is read, where that is not the root's own matter.
    bound: Option<String>,
}

fn found(args: &Args, machine: &Machine) -> Result<Vec<Found>, Stop> {
    let mut named = named(args, machine);
    if named.is_empty() {
        named.push(".".to_owned());
    }
    let mut all: Vec<Found> = Vec::new();
    for folder in named {
        if !args.recursive || !machine.is_directory(&folder) {
            all.push(Found { dir: folder, highest: None, bound: args.root.clone() });
            continue;
        }
        let root = machine.root(&folder, args.root.as_deref()).map_err(Stop::Misuse)?;
        // Who names a folder for all that is in it lets its roots read each other.
        let bound = root.to_str().map(str::to_owned);
        let host = machine.host(root, Vec::new(), std::iter::empty());
        let below = roots_below(&host, &folder).into_iter();
        all.extend(below.map(|dir| {
            let (highest, bound) = (Some(folder.clone()), bound.clone());
            Found { dir, highest, bound }
        }));
    }
    all.sort_by(|one, other| one.dir.cmp(&other.dir));
    all.dedup_by(|one, other| one.dir == other.dir);
    Ok(all)
}

/// Checks every root that the command line is about.
pub(crate) fn survey(args: &Args, machine: &Machine) -> Result<Survey, Stop> {
    let roots = found(args, machine)?;
    // Each root has one thread: there are more roots than threads.
    let threads = args.threads.unwrap_or_else(|| machine.threads());
    let find = |take: &mut dyn FnMut(Found)| roots.into_iter().for_each(take);
    let done = parallel::each(threads, find, |root| check(args, root, machine));
    let (mut checked, mut remarks) = (Vec::new(), Vec::new());
    for one in done {
        let (root, said) = one?;
        checked.push(root);
        for remark in said {
            if !remarks.contains(&remark) {
                remarks.push(remark);
            }
        }
    }
    Ok(Survey { report: Report::of_all(checked), remarks })
}

fn check(args: &Args, root: Found, machine: &Machine) -> Result<(Checked, Vec<String>), Stop> {
    let mut own = Args {
        operand: Some(root.dir.clone()),
        root: root.bound,
        threads: Some(1),
        ..args.clone()
    };
    let remarks = settings::settle_on(&mut own, true, root.highest.as_deref(), machine)?;
    let checked = if template::is_meant_on(&own, Some(&root.dir), machine) {
        let (found, evaluation) = of_template(&own, &root.dir, machine)?;
        Checked { evidence: own.evidence, ..Checked::new(&root.dir, found, evaluation.sources()) }
    } else {
        let (options, host) = project::to_check(&own, &root.dir, machine)?;
        let snapshot = Snapshot::load(&root.dir, options, host);
        let mut checked = snapshot.checked();
        checked.found.extend(project::strictly(&own, || match own.values {
            true => snapshot.evaluation().gaps(),
            false => snapshot.project().gaps(),
        }));
        checked.sources = snapshot.sources();
        Checked { evidence: own.evidence, ..checked }
    };
    Ok((checked, remarks))
}

/// What is wrong with a template.
pub(crate) fn of_template(
    args: &Args,
    path: &str,
    machine: &Machine,
) -> Result<(Diagnostics, groma_packer::Evaluation), Stop> {
    let values = args.values;
    let wants = template::Wants { values, judging: values, open: !values, data: false };
    let loaded = template::load_on(args, Some(path), wants, machine)?;
    let mut found = loaded.found;
    if !args.syntax && !found.has_errors() {
        let mut plan = loaded.evaluation.plan();
        found.extend(loaded.evaluation.check_of(&mut plan));
        found.extend(project::strictly(args, || loaded.evaluation.gaps(&plan.builds)));
    }
    Ok((found, loaded.evaluation))
}
