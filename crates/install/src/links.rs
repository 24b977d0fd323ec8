//! Checks that links in fetched files do not lead out of their directory. A chain of links may lead out although none does by
//! itself, so the file system's resolution is checked too.

use std::fs;
use std::io::ErrorKind;
use std::path::{Component, Path};

use crate::archive::{ArchiveRefusal, MOST_ENTRIES, plain};

/// Returns true if `target`, the target of a link as written, lies outside of the package that has the link at the relative
/// path `inside`.
pub(crate) fn leads_out(inside: &Path, target: &Path) -> bool {
    let mut depth = inside.components().count().saturating_sub(1);
    for part in target.components() {
        match part {
            Component::Normal(_) => depth += 1,
            Component::CurDir => {}
            Component::ParentDir if depth > 0 => depth -= 1,
            _ => return true,
        }
    }
    false
}

/// Creates the refusal of a package because of the link at `inside`, whose target is outside of the package.
pub(crate) fn refused(inside: &Path, target: &Path) -> ArchiveRefusal {
    let (name, target) = (plain(&inside.to_string_lossy()), plain(&target.to_string_lossy()));
    ArchiveRefusal::Unsafe(format!("the link \"{name}\" in it leads out of it, to \"{target}\""))
}

/// Checks that the link at `inside` resolves either to a path inside of `root`, which itself contains no links, or to nothing.
pub(crate) fn demand_one_inside(root: &Path, inside: &Path) -> Result<(), ArchiveRefusal> {
    match root.join(inside).canonicalize() {
        Ok(real) if real.starts_with(root) => Ok(()),
        // A dangling link reads nothing.
        Err(why) if why.kind() == ErrorKind::NotFound => Ok(()),
        _ => {
            let name = plain(&inside.to_string_lossy());
            Err(ArchiveRefusal::Unsafe(format!("the link \"{name}\" in it leads out of it")))
        }
    }
}

/// Checks that no link in a directory leads out of it. The `.git` directory is skipped, because git creates no links there.
pub(crate) fn demand_inside(folder: &Path) -> Result<(), ArchiveRefusal> {
    let failed = |why: std::io::Error| {
        ArchiveRefusal::Failed(format!("what was brought cannot be read: {why}"))
    };
    let root = folder.canonicalize().map_err(failed)?;
    let (mut waiting, mut seen) = (vec![root.clone()], 0);
    while let Some(at) = waiting.pop() {
        for entry in fs::read_dir(&at).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            seen += 1;
            if seen > MOST_ENTRIES {
                let what = format!("it holds more than {MOST_ENTRIES} files and folders");
                return Err(ArchiveRefusal::Unsafe(what));
            }
            let (kind, path) = (entry.file_type().map_err(failed)?, entry.path());
            let inside = path.strip_prefix(&root).unwrap_or(&path);
            if kind.is_symlink() {
                let target = fs::read_link(&path).map_err(failed)?;
                if leads_out(inside, &target) {
                    return Err(refused(inside, &target));
                }
                demand_one_inside(&root, inside)?;
            } else if kind.is_dir() && entry.file_name() != ".git" {
                waiting.push(path);
            }
        }
    }
    Ok(())
}
