//! The roots that a `groma fleet` command line names: folders, patterns, lists on standard input and whole trees. A root that is
//! named twice has two lines; patterns and trees yield each root once.

use std::collections::BTreeSet;

use groma::folders::{CallGraph, chosen_roots_below, hex_digest, roots_below};
use groma::hosts::file_path;
use groma_git::is_like;

use super::search::{FoundFolders, RootSearches};
use crate::flag::CommandArgs;
use crate::host::MachineContext;
use crate::revisions::{ComparedRevisions, repository};
use crate::root_args::RootOfMany;
use crate::session::{EarlyStop, RunSession};

/// A root that a fleet run asks its question, with the path as given, which the output line of the root shows.
#[derive(Clone, Debug)]
pub(super) struct NamedRoot {
    /// The path as it was given, which the root's line shows.
    pub name: String,
    /// The root.
    pub root: RootOfMany,
}

impl NamedRoot {
    /// Converts a path from the command line or a list to a root.
    fn given(name: &str) -> NamedRoot {
        let dir = match name.trim_end_matches('/') {
            "" => name,
            dir => dir,
        };
        let root = RootOfMany { dir: dir.to_owned(), highest: None, bound: None };
        NamedRoot { name: name.to_owned(), root }
    }
}

/// Returns the roots that the command line names, in order.
pub(super) fn named(
    searches: &mut RootSearches<'_>,
    session: &mut RunSession<'_>,
) -> Result<Vec<NamedRoot>, EarlyStop> {
    let (args, machine) = (searches.args, searches.machine.clone());
    let mut roots = Vec::new();
    for operand in &args.operands {
        match operand.as_str() {
            "-" => roots.extend(listed(session)?),
            pattern if is_pattern(pattern) && !machine.is_directory(pattern) => {
                let search = format!("like {pattern}");
                roots.extend(searches.roots(&search, |on| matching_folders(pattern, args, on))?);
            }
            given => roots.push(NamedRoot::given(given)),
        }
    }
    for dir in &args.fleet.find {
        if !machine.is_directory(dir) {
            return Err(EarlyStop::Misuse(format!("--find {dir}: there is no such directory.")));
        }
        let search = format!("find {dir}");
        roots.extend(searches.roots(&search, |on| below(dir, FolderChoice::Roots, args, on))?);
    }
    if args.operands.is_empty() && args.fleet.find.is_empty() {
        let why = "no roots: name folders, a pattern such as 'live/**', - for a list on standard input, or --find DIR.";
        return Err(EarlyStop::Misuse(why.into()));
    }
    if let Some(since) = &args.fleet.since {
        let affected = affected(since, args, &machine)?;
        roots.retain(|root| affected.contains(&file_path::clean(&root.root.dir)));
    }
    if let Some(count) = args.fleet.sample {
        sample(&mut roots, count, args.seed.unwrap_or(0));
    }
    Ok(roots)
}

/// Returns true if a text contains wildcards.
fn is_pattern(text: &str) -> bool {
    text.contains(['*', '?', '['])
}

/// Reads a list of roots, one per line, from standard input.
fn listed(session: &mut RunSession<'_>) -> Result<Vec<NamedRoot>, EarlyStop> {
    let mut text = String::new();
    session.input.read_to_string(&mut text).map_err(|why| {
        EarlyStop::Misuse(format!("the list of roots on standard input cannot be read: {why}."))
    })?;
    Ok(text.lines().filter(|line| !line.trim().is_empty()).map(NamedRoot::given).collect())
}

/// The rule by which a search below a folder chooses roots: every folder with code, or only those that look like roots.
#[derive(Clone, Copy)]
enum FolderChoice<'c> {
    /// All that hold code, of those that may be entered.
    WithCode(&'c dyn Fn(&str) -> bool),
    /// Folders that no other one calls as a module, or whose code marks them as roots.
    Roots,
}

/// Returns the folders below `top` that `choice` selects, sorted.
fn below(
    top: &str,
    choice: FolderChoice<'_>,
    args: &CommandArgs,
    machine: &MachineContext,
) -> Result<FoundFolders, EarlyStop> {
    let root = machine.root(top, args.root.as_deref()).map_err(EarlyStop::Misuse)?;
    let bound = root.to_str().map(str::to_owned);
    let host = machine.host(root, Vec::new(), std::iter::empty());
    let mut found = match choice {
        FolderChoice::WithCode(enters) => chosen_roots_below(&host, top, enters),
        FolderChoice::Roots => roots_below(&host, top),
    };
    if matches!(choice, FolderChoice::Roots) {
        let threads = args.threads.unwrap_or_else(|| machine.threads());
        let all = CallGraph::on_threads(&host, top, threads).folders().into_iter();
        let called = all.filter(|folder| !folder.is_root());
        let above = file_path::clean(top);
        let called: BTreeSet<String> =
            called.map(|folder| file_path::join(&above, &folder.dir)).collect();
        found.retain(|dir| !called.contains(&file_path::clean(dir)));
    }
    found.sort_unstable();
    Ok(FoundFolders { top: top.to_owned(), bound, dirs: found })
}

/// Returns the folders with code that match a pattern, sorted.
fn matching_folders(
    pattern: &str,
    args: &CommandArgs,
    machine: &MachineContext,
) -> Result<FoundFolders, EarlyStop> {
    // Only the folder before the first wildcard is searched.
    let steps: Vec<&str> = pattern.split('/').take_while(|step| !is_pattern(step)).collect();
    let top = match steps.join("/") {
        top if top.is_empty() && pattern.starts_with('/') => "/".to_owned(),
        top if top.is_empty() => ".".to_owned(),
        top => top,
    };
    let clean = |text: &str| text.trim_start_matches("./").trim_end_matches('/').to_owned();
    let meant = clean(pattern);
    let steps: Vec<&str> = meant.split('/').collect();
    let is_stepped = !meant.contains("**") && !meant.contains('[');
    let enters = |dir: &str| {
        let dir = clean(dir);
        let depth = dir.split('/').count();
        // If each step of the pattern matches one step of a path, the rest of the tree is skipped.
        !is_stepped || depth <= steps.len() && is_like(&dir, &steps[..depth].join("/"))
    };
    let none = || EarlyStop::Misuse(format!("no folder with code matches {pattern}."));
    if !machine.is_directory(&top) {
        return Err(none());
    }
    let mut found = below(&top, FolderChoice::WithCode(&enters), args, machine)?;
    found.dirs.retain(|dir| is_like(&clean(dir), &meant));
    if found.dirs.is_empty() { Err(none()) } else { Ok(found) }
}

/// Returns the root folders that changes since a git revision affect, relative to the current directory.
fn affected(
    since: &str,
    args: &CommandArgs,
    machine: &MachineContext,
) -> Result<BTreeSet<String>, EarlyStop> {
    let compared =
        CommandArgs { operands: vec![since.to_owned()], roots: Vec::new(), ..args.clone() };
    let repository = repository(&compared.operands, machine)?;
    Ok(ComparedRevisions::of(&repository, &compared, machine)?.affected())
}

/// Keeps `count` roots in their order, chosen by their names and the seed alone.
fn sample(roots: &mut Vec<NamedRoot>, count: usize, seed: u64) {
    let mut order: Vec<(String, usize)> = roots
        .iter()
        .enumerate()
        .map(|(at, root)| (hex_digest(&format!("{seed} {}", root.name)), at))
        .collect();
    order.sort_unstable();
    let kept: BTreeSet<usize> = order.into_iter().take(count).map(|(_, at)| at).collect();
    let mut at = 0;
    roots.retain(|_| {
        at += 1;
        kept.contains(&(at - 1))
    });
}
