//! Remarks about folders without code, and the number of roots below one.

use std::io;

use groma::{folders::roots_below, projects::Project};
use groma_syntax::render::harmless;

use crate::host::MachineContext;
use crate::session::RunSession;

/// Returns the remark that no file of a project's root module, which messages call `dir`, declares anything, since an empty
/// answer would look like success; `None` if one does.
pub(crate) fn remark(
    project: &Project,
    dir: Option<&str>,
    machine: &MachineContext,
) -> Option<String> {
    if !project.root().files().is_empty() {
        return None;
    }
    let text = format!("{} contains no files with declarations.", harmless(dir.unwrap_or(".")));
    Some(match below(dir, machine) {
        Some(below) => format!("{text} {below}"),
        None => text,
    })
}

/// Prints a note if the project's root module, which messages call `dir`, declares nothing.
pub(crate) fn note_if_empty(
    project: &Project,
    dir: Option<&str>,
    session: &mut RunSession<'_>,
) -> io::Result<()> {
    match remark(project, dir, &session.machine) {
        Some(bare) => writeln!(session.err, "note: {bare}"),
        None => Ok(()),
    }
}

/// Returns a sentence that counts the folders below `dir` that contain code; `None` if there are none.
pub(crate) fn below(dir: Option<&str>, machine: &MachineContext) -> Option<String> {
    let dir = dir.unwrap_or(".");
    let host = machine.host(machine.root(dir, None).ok()?, Vec::new(), std::iter::empty());
    let all = roots_below(&host, dir);
    let first = harmless(all.first()?);
    Some(match all.len() {
        1 => format!("One folder below it contains code: {first}."),
        count => format!("{count} folders below it contain code, such as {first}."),
    })
}
