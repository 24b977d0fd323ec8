//! `groma output`: prints the values of the root module's outputs. Text hides sensitive values; JSON and raw output show them.

use std::io;

use groma::json::JsonLayout;
use groma::{OutputValue, Value, values::nearest};
use groma_document::write_outputs;
use groma_syntax::{Diagnostic, Diagnostics};

use super::plan;
use super::row::CommandRow;
use crate::codes;
use crate::flag::{self, CommandArgs};
use crate::project::{self, OpenedRoot};
use crate::session::{EarlyStop, ExitStatus, RunSession};
use crate::template;
use crate::view::{diagnostic, json, value};

/// The command `groma output`: its flags, help and entry point.
pub(crate) const COMMAND: CommandRow = CommandRow {
    name: "output",
    about: "Print the root module's outputs, or one of them",
    operand: Some(("NAME", "The output (default: all of them)")),
    flags: &[
        &[flag::json("Print a JSON object of all outputs, or the value of one"), flag::RAW],
        plan::STATE,
        flag::MODULE,
    ],
    more: "Outputs are computed from the code. The state is read as in `groma plan`: values that a resource keeps \
           come from there. Sensitive values are hidden in text and shown by -json and -raw.\n\n\
           Exit codes: 0 success, 1 the code has errors, 2 wrong use, 3 the requested output is unknown.",
    run,
};

/// Prints all outputs of the root module, or the named one.
fn run(args: &CommandArgs, session: &mut RunSession<'_>) -> Result<ExitStatus, EarlyStop> {
    if args.raw && args.json {
        return Err(EarlyStop::Misuse(
            "--json and --raw are different output forms: give only one of them.".into(),
        ));
    }
    if args.raw && args.operand.is_none() {
        return Err(EarlyStop::Misuse("--raw needs the name of an output.".into()));
    }
    if template::names_template(args, None, session)? {
        return Err(EarlyStop::Misuse(
            "a Packer template has no outputs: `groma plan` shows what it would build, `groma eval -e local.NAME` prints a value.".into(),
        ));
    }
    let opened = project::open_against_state(args, None, session)?;
    opened.note_if_empty(None, session)?;
    let mut diagnostics = Diagnostics::new();
    let exit = match &args.operand {
        Some(name) => one(args, name, &opened, &mut diagnostics, session)?,
        None => all(args, &opened, &mut diagnostics, session)?,
    };
    let colour = session.colour(!args.no_color);
    diagnostic::print(&diagnostics, &opened.sources(), colour, session.err)?;
    let failed = opened.failed || exit != ExitStatus::UNKNOWN && diagnostics.has_errors();
    Ok(if failed { ExitStatus::ERRORS } else { exit })
}

/// Prints all outputs of the root module, and adds the diagnostics of their evaluation to `out`.
fn all(
    args: &CommandArgs,
    opened: &OpenedRoot,
    out: &mut Diagnostics,
    session: &mut RunSession<'_>,
) -> Result<ExitStatus, EarlyStop> {
    let outputs = opened.outputs(out);
    opened.stop_if_ended(args, out, session)?;
    let is_open = outputs.iter().any(|output| !output.value.is_wholly_known());
    opened.print_state_notes(is_open, session.colour(!args.no_color), session.err)?;
    if args.json {
        json::print(JsonLayout::Pretty, session.out, &session.watch, |out| {
            write_outputs(&outputs, out);
        })?;
        return Ok(ExitStatus::SUCCESS);
    }
    for output in &outputs {
        writeln!(session.out, "{} = {}", output.name, text(output))?;
    }
    tell_of_mocks(&outputs, session)?;
    Ok(ExitStatus::SUCCESS)
}

/// Prints a note that names the outputs whose values depend on mocks, since the text does not show it.
fn tell_of_mocks(outputs: &[OutputValue], session: &mut RunSession<'_>) -> io::Result<()> {
    let mocked = outputs.iter().filter(|output| output.value.summary().mocked);
    let names: Vec<&str> = mocked.map(|output| &*output.name).collect();
    match names.as_slice() {
        [] => Ok(()),
        [one] => writeln!(session.err, "note: {one} depends on a mock."),
        all => writeln!(session.err, "note: these depend on mocks: {}.", all.join(", ")),
    }
}

/// Prints the value of the output `name` for `groma output NAME`; a missing or unknown one is an error.
fn one(
    args: &CommandArgs,
    name: &str,
    opened: &OpenedRoot,
    out: &mut Diagnostics,
    session: &mut RunSession<'_>,
) -> Result<ExitStatus, EarlyStop> {
    let output = opened.output(name, out);
    opened.stop_if_ended(args, out, session)?;
    let Some(output) = output else {
        let there = output_hint(name, &opened.output_names());
        out.push(Diagnostic::error(
            &codes::NO_SUCH_OUTPUT,
            format!("There is no output \"{name}\". {there}"),
        ));
        return Ok(ExitStatus::ERRORS);
    };
    if out.has_errors() {
        return Ok(ExitStatus::ERRORS);
    }
    if !output.value.is_wholly_known() {
        if opened.failed && output.value.deep_causes().is_empty() {
            return Ok(ExitStatus::ERRORS);
        }
        let detail =
            format!("The output \"{name}\", or a part of it, is not known from source alone.");
        out.push(
            opened
                .reasons(&opened.sources())
                .explain(Diagnostic::error(&codes::ANSWER_UNKNOWN, detail), &output.value),
        );
        if !args.json && !args.raw {
            writeln!(session.out, "{}", text(&output))?;
        }
        opened.print_state_notes(true, session.colour(!args.no_color), session.err)?;
        return Ok(ExitStatus::UNKNOWN);
    }
    if args.json {
        writeln!(session.out, "{}", value::json(&output.value))?;
    } else if args.raw {
        match value::raw(&output.value) {
            Ok(text) => write!(session.out, "{text}")?,
            Err(why) => {
                let detail = format!(
                    "The output \"{name}\" cannot be printed with --raw, which prints strings, numbers and bools \
                     only: {why}. Use --json instead."
                );
                out.push(Diagnostic::error(&codes::NO_RAW_FORM, detail));
                return Ok(ExitStatus::ERRORS);
            }
        }
    } else {
        writeln!(session.out, "{}", text(&output))?;
        tell_of_mocks(&[output], session)?;
    }
    Ok(ExitStatus::SUCCESS)
}

/// Maximum number of output names that a message lists; further ones are only counted.
const MAX_NAMES: usize = 10;

/// Returns a sentence that helps to correct a wrong output name: the nearest name, or else the names that exist.
fn output_hint(name: &str, names: &[String]) -> String {
    if names.is_empty() {
        return "The root module declares no outputs.".to_owned();
    }
    if let Some(near) = nearest(name, names.iter().map(String::as_str)) {
        return format!("Did you mean \"{near}\"?");
    }
    match names.get(MAX_NAMES..).filter(|rest| rest.len() > 1) {
        None => format!("The root module's outputs are: {}.", names.join(", ")),
        Some(rest) => format!(
            "The root module has {} outputs, among them {} and {} more: `groma output` lists them all.",
            names.len(),
            names[..MAX_NAMES].join(", "),
            rest.len()
        ),
    }
}

/// Returns the value of an output as text, or a placeholder if it is sensitive.
fn text(output: &OutputValue) -> String {
    match &output.value {
        _ if output.sensitive => "<sensitive>".to_string(),
        // Only an error leaves an unknown without a cause.
        Value::Unknown(unknown) if unknown.causes.is_empty() => "(error)".to_string(),
        value => value::text(value),
    }
}
