//! Which folders below one hold code. A folder that only others call is one too: what is wrong in it may be wrong
//! the caller.

use groma_config::{FileKind, FilePurpose, folders_below};
use groma_runtime::Host;

/// Every folder in and below `dir` that holds code, in order. What is hidden is passed over, what the programs have
/// installed with it; a link to a folder is not followed. A folder that cannot be listed holds nothing.
pub fn roots_below(host: &dyn Host, dir: &str) -> Vec<String> {
    let all = folders_below(host, dir).into_iter();
    let of_code = all.filter(|(_, files)| files.iter().any(|name| is_code(name)));
    of_code.map(|(dir, _)| dir).collect()
}

/// Returns true if the name is one of a file of code: not a copy that an editor has left.
fn is_code(name: &str) -> bool {
    let is_copy = name.ends_with('~') || name.starts_with('#') && name.ends_with('#');
    let is_code = |kind: FileKind| kind.purpose == FilePurpose::Code && name != kind.ending;
    !is_copy && FileKind::of(name).is_some_and(is_code)
}
