//! Directories below another one that contain code, including those that other directories call as modules, because they may have
//! errors of their own.

use groma_config::{FileKind, FilePurpose, chosen_folders_below};
use groma_runtime::Host;

/// Returns every directory with code in and below `dir`, sorted. Hidden directories, which include installed modules, are
/// skipped; links to directories are not followed. A directory that cannot be listed counts as empty.
pub fn roots_below(host: &dyn Host, dir: &str) -> Vec<String> {
    chosen_roots_below(host, dir, &|_| true)
}

/// Returns every directory with code in and below `dir` as [`roots_below`] does, but enters only directories that `enters`
/// accepts.
pub fn chosen_roots_below(
    host: &dyn Host,
    dir: &str,
    enters: &dyn Fn(&str) -> bool,
) -> Vec<String> {
    let all = chosen_folders_below(host, dir, enters).into_iter();
    let of_code = all.filter(|(_, files)| files.iter().any(|name| is_code(name)));
    of_code.map(|(dir, _)| dir).collect()
}

/// Returns true for the name of a code file that is not a backup copy of an editor.
fn is_code(name: &str) -> bool {
    let is_copy = name.ends_with('~') || name.starts_with('#') && name.ends_with('#');
    let is_code = |kind: FileKind| kind.purpose == FilePurpose::Code && name != kind.ending;
    !is_copy && FileKind::of(name).is_some_and(is_code)
}
