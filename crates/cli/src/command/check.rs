//! `groma check`: what is wrong with a module, whatever its inputs are; with `--values` also what is wrong with the
//! inputs it is given. In JSON the document says it all, so nothing goes to standard error then.

use groma_project::Inputs;
use groma_report::write_diagnostic;
use groma_syntax::{Diagnostics, Severity, Sources};
use groma_value::json::{JsonObject, JsonText, Layout, array};

use super::row::Command;
use crate::flag::{self, Args, Flag, Takes, switch};
use crate::session::{Exit, Session, Stop};
use crate::view::{diagnostic, json};
use crate::{limit, project, template};

pub(crate) const COMMAND: Command = Command {
    name: "check",
    about: "Say what is wrong with a module (also: validate)",
    operand: Some(("PATH...", "The module's directory, or files of it (default: the current one)")),
    flags: &[OWN, flag::MODULE, flag::TEMPLATE, flag::BUILDS],
    more: "Every input is unknown, as in the programs' own validate: what is found is wrong whatever the inputs are. \
           Variables count only with --values, or where an edition needs them to find modules.\n\n\
           Exit codes: 0 nothing is wrong, 1 the code has errors, 2 wrong use.",
    run,
};

const OWN: &[Flag] = &[
    flag::json("Print a JSON document of all findings"),
    Flag {
        name: "values",
        takes: Takes::Nothing,
        about: "Look at the values of the variables too, and at all that follows from them",
        read: |args, _| switch(&mut args.values),
    },
    Flag {
        name: "query",
        takes: Takes::Nothing,
        about: "Look at the root's query files (.tfquery.hcl) too; Terraform 1.14 and later",
        read: |args, _| switch(&mut args.query),
    },
    Flag {
        name: "syntax-only",
        takes: Takes::Nothing,
        about: "Packer: look at nothing but the files themselves",
        read: |args, _| switch(&mut args.syntax),
    },
];

fn run(args: &Args, session: &mut Session<'_>) -> Result<Exit, Stop> {
    if template::is_meant(args, args.operand.as_deref(), session)? {
        let values = args.values;
        let wants = template::Wants { values, judging: values, open: !values, data: false };
        let loaded = template::load(args, args.operand.as_deref(), wants, session)?;
        let mut found = loaded.found;
        if !args.syntax && !found.has_errors() {
            let mut plan = loaded.evaluation.plan();
            found.extend(loaded.evaluation.check_of(&mut plan));
            found.extend(project::strictly(args, || loaded.evaluation.gaps(&plan.builds)));
        }
        let sources = loaded.evaluation.sources();
        limit::go_on(args, loaded.evaluation.end(), &found, &sources, session)?;
        return report(args, &found, &loaded.evaluation.sources(), session);
    }
    let inputs = if args.values { Inputs::Given } else { Inputs::Unknown };
    let loaded = project::load(args, args.operand.as_deref(), inputs, session)?;
    let mut found = loaded.check();
    let sources = loaded.evaluation.sources();
    limit::go_on(args, loaded.evaluation.end(), &found, &sources, session)?;
    // Without values nothing is decided by what a variable is worth; modules are read all the same.
    found.extend(project::strictly(args, || match args.values {
        true => loaded.evaluation.gaps(),
        false => loaded.project().gaps(),
    }));
    if !args.json {
        loaded.tell_if_bare(args.operand.as_deref(), session)?;
    }
    report(args, &found, &loaded.evaluation.sources(), session)
}

fn report(
    args: &Args,
    found: &Diagnostics,
    sources: &Sources,
    session: &mut Session<'_>,
) -> Result<Exit, Stop> {
    if args.json {
        json::print(Layout::Pretty, session.out, |out| document(args, found, sources, out))?;
    } else {
        let colour = session.colour(!args.no_color);
        diagnostic::print(found, sources, colour, session.err)?;
        writeln!(session.out, "{}", verdict(found))?;
    }
    Ok(if found.has_errors() { Exit::ERRORS } else { Exit::WELL })
}

fn document(args: &Args, found: &Diagnostics, sources: &Sources, out: &mut JsonText<'_>) {
    let mut object = JsonObject::open(out);
    object.text("format_version", "1.0");
    object.flag("valid", !found.has_errors());
    object.number("error_count", found.error_count());
    object.number("warning_count", found.warning_count());
    // The form knows errors and warnings only.
    let told = found.iter().filter(|one| one.severity != Severity::Note);
    array(told, object.key("diagnostics"), |one, out| write_diagnostic(one, sources, out));
    let mut ours = object.object("groma");
    if let Some(evidence) = &args.evidence {
        evidence.write_json(ours.key("dialect"));
    }
    ours.close();
    object.close();
}

/// The last line: how many of each.
fn verdict(found: &Diagnostics) -> String {
    let some = |count: usize, what: &str| match count {
        1 => format!("1 {what}"),
        count => format!("{count} {what}s"),
    };
    match (found.error_count(), found.warning_count()) {
        (0, 0) => "Nothing is wrong.".to_string(),
        (0, warnings) => format!("No errors, {}.", some(warnings, "warning")),
        (errors, 0) => format!("{}.", some(errors, "error")),
        (errors, warnings) => {
            format!("{}, {}.", some(errors, "error"), some(warnings, "warning"))
        }
    }
}
