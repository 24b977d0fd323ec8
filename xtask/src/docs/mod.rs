//! `cargo xtask docs [--check]`: generates files from tables and pages: the indexes in `docs/reference`, and the table of pages
//! that `groma functions NAME` shows. The pages themselves are the reference; an index only links them.

mod backends;
mod blocks;
mod commands;
mod diagnostics;
mod functions;
mod made;
mod schemas;
mod surface;
mod unshown;

use std::fs;

use testkit::workspace;

use made::Made;

/// Writes the generated files, or with `--check` reports those that are out of date.
pub(crate) fn run() -> Result<(), String> {
    match std::env::args().nth(2).as_deref() {
        None => write(),
        Some("--check") => check(),
        Some(_) => Err("cargo xtask docs [--check]".to_owned()),
    }
}

/// Returns the paths and texts of all generated files, without writing them.
fn made() -> Result<Vec<Made>, String> {
    let mut made = Vec::from(functions::made()?);
    made.push(backends::made());
    made.push(blocks::made()?);
    made.push(commands::made()?);
    made.push(diagnostics::made()?);
    made.push(schemas::made()?);
    made.push(surface::made()?);
    Ok(made)
}

/// Writes all generated files into the workspace.
fn write() -> Result<(), String> {
    for (path, text) in made()? {
        let file = workspace().join(path);
        let folder = file.parent().ok_or("no folder")?;
        fs::create_dir_all(folder).map_err(|error| format!("{path}: {error}"))?;
        fs::write(&file, text).map_err(|error| format!("{path}: {error}"))?;
    }
    Ok(())
}

/// Checks that all generated files are up to date; the error names those that are not.
fn check() -> Result<(), String> {
    let current = |(path, text): &Made| {
        fs::read_to_string(workspace().join(path)).is_ok_and(|old| old == *text)
    };
    let stale: Vec<&str> =
        made()?.iter().filter(|made| !current(made)).map(|(path, _)| *path).collect();
    match stale.as_slice() {
        [] => Ok(()),
        stale => Err(format!(
            "out of date: {}; `cargo xtask docs` or BLESS=1 writes it",
            stale.join(", ")
        )),
    }
}

#[cfg(test)]
mod tests {
    /// Checks that all generated files are up to date, or writes them if answers are blessed.
    #[test]
    fn what_is_made_of_the_pages_is_up_to_date() {
        let done = if testkit::blessing() { super::write() } else { super::check() };
        if let Err(report) = done {
            panic!("\n{report}");
        }
    }
}
