//! `groma functions`: lists the functions of an edition, shows the manual page of one, or prints signatures in the form of
//! `metadata functions -json`. List and signatures come from the function rows; pages are compiled into the program.

use groma::Edition;
use groma::functions::{
    FoundFunction, Function, FunctionLibrary, NameReach, ProvidedFunction, TABLE,
};
use groma::json::JsonLayout;
use groma_document::write_signatures;

use super::row::CommandRow;
use crate::flag::{self, CommandArgs};
use crate::session::{EarlyStop, ExitStatus, RunSession};
use crate::view::json;

/// The command `groma functions`: its flags, help and entry point.
pub(crate) const COMMAND: CommandRow = CommandRow {
    name: "functions",
    about: "List the functions of the language, or show the manual page of one",
    operand: Some(("NAME", "The function to show (default: a list of all)")),
    flags: &[&[flag::json("Print signatures as `metadata functions -json` does"), flag::DIALECT]],
    more: "Exit codes: 0 success, 1 there is no such function, 2 wrong use.",
    run,
};

/// Prints the list of functions, one page, or signatures as JSON.
fn run(args: &CommandArgs, session: &mut RunSession<'_>) -> Result<ExitStatus, EarlyStop> {
    let edition = args.edition.unwrap_or(Edition::DEFAULT);
    let library = FunctionLibrary::of(edition).with_console().with_variable_default();
    let Some(name) = &args.operand else {
        match args.json {
            true => all_signatures(edition, session)?,
            false => list(library, session)?,
        }
        return Ok(ExitStatus::SUCCESS);
    };
    let function = match (library.find(name), args.edition) {
        (FoundFunction::Function(function), _) => function,
        (FoundFunction::Provided(ProvidedFunction { built_in: Some(function), .. }), _) => function,
        // Without a requested dialect, a function of any dialect is shown.
        (found, wish) => match (anywhere(name), wish) {
            (Some(function), None) => function,
            _ => {
                writeln!(session.err, "error: {}", absence(name, found))?;
                return Ok(ExitStatus::ERRORS);
            }
        },
    };
    match args.json {
        true => signatures(std::iter::once(function), edition, session)?,
        false => page(function, session)?,
    }
    Ok(ExitStatus::SUCCESS)
}

/// Looks up a function by name and prints its manual page; returns a message if the edition has no such function, else `None`.
pub(crate) fn show_page(
    name: &str,
    edition: Edition,
    session: &mut RunSession<'_>,
) -> Result<Option<String>, EarlyStop> {
    let name = name.trim_end_matches(['(', ')']);
    let library = FunctionLibrary::of(edition).with_console().with_variable_default();
    let function = match library.find(name) {
        FoundFunction::Function(function) => function,
        FoundFunction::Provided(ProvidedFunction { built_in: Some(function), .. }) => function,
        found => return Ok(Some(absence(name, found))),
    };
    page(function, session).map(|()| None)
}

/// Returns the function of this name, whichever dialect has it; `None` if none does.
fn anywhere(name: &str) -> Option<&'static Function> {
    TABLE.iter().flat_map(|family| family.functions).find(|function| function.name == name)
}

/// Returns the message about a function that does not exist in the edition; it names the editions in `found` that have it, or
/// the nearest name.
fn absence(name: &str, found: FoundFunction) -> String {
    match found {
        FoundFunction::Elsewhere { where_ } | FoundFunction::Lacking { where_ } => where_,
        FoundFunction::Nowhere { nearest: Some(nearest) } => {
            format!("there is no function `{name}`; did you mean `{nearest}`?")
        }
        _ => format!("there is no function `{name}`."),
    }
}

/// Prints all functions by family, one per line.
fn list(library: FunctionLibrary, session: &mut RunSession<'_>) -> Result<(), EarlyStop> {
    let mut first = true;
    for family in TABLE {
        let own = family.functions.iter().filter(|row| match library.find(row.name) {
            // A name may have one row per dialect.
            FoundFunction::Function(found) => found.dialects == row.dialects,
            FoundFunction::Provided(_) => true,
            _ => false,
        });
        let own: Vec<String> = own.map(line).collect();
        if own.is_empty() {
            continue;
        }
        if !std::mem::take(&mut first) {
            writeln!(session.out)?;
        }
        writeln!(session.out, "{}: {}", family.name, family.about)?;
        for line in own {
            writeln!(session.out, "  {line}")?;
        }
    }
    Ok(())
}

/// Returns a function's line in the list; short signatures are padded to a common column.
fn line(function: &Function) -> String {
    /// Width of the column of signatures in characters.
    const COLUMN: usize = 32;
    let terms = function.terms().filter(|_| function.reach != NameReach::Everywhere);
    let terms = terms.map_or_else(String::new, |terms| format!(" {terms}"));
    format!("{:COLUMN$} {}{terms}", function.signature(), function.doc)
}

/// Prints the manual page of `function`, with its signature and the editions that have it below the title.
fn page(function: &Function, session: &mut RunSession<'_>) -> Result<(), EarlyStop> {
    let name = function.name;
    let text = groma::manual::function_page(name).unwrap_or_default();
    let below = text.split_once('\n').map_or("", |(_, below)| below).trim();
    let terms = function.terms().map_or_else(String::new, |terms| format!(" {terms}"));
    let rows = TABLE.iter().flat_map(|family| family.functions).filter(|row| row.name == name);
    let homes = match function.reach {
        NameReach::Given => String::new(),
        _ => format!("In {}.", rows.map(Function::editions_text).collect::<Vec<_>>().join(", ")),
    };
    let about = format!("{homes}{terms}");
    writeln!(session.out, "# {name}\n\n`{}`\n", function.typed_signature())?;
    if !about.is_empty() {
        writeln!(session.out, "{}\n", about.trim())?;
    }
    writeln!(session.out, "{}", if below.is_empty() { function.doc } else { below })?;
    Ok(())
}

/// Prints the signatures of all functions of an edition as JSON.
pub(super) fn all_signatures(
    edition: Edition,
    session: &mut RunSession<'_>,
) -> Result<(), EarlyStop> {
    // The references list neither removed functions nor those of providers.
    let listed = |row: &&Function| !row.removed && !row.name.contains("::");
    signatures(FunctionLibrary::of(edition).functions().filter(listed), edition, session)
}

/// Prints the signatures of the given functions as JSON.
fn signatures(
    functions: impl Iterator<Item = &'static Function>,
    edition: Edition,
    session: &mut RunSession<'_>,
) -> Result<(), EarlyStop> {
    let functions: Vec<&Function> = functions.collect();
    json::print(JsonLayout::Pretty, session.out, &session.watch, |out| {
        write_signatures(&functions, edition, out);
    })?;
    Ok(())
}
