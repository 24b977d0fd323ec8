//! `groma check`: what is wrong with a module, whatever its inputs are; with `--values` also what is wrong with the
//! inputs it is given. A form for another program says it all, so nothing goes to standard error then.

use std::io::Write as _;

use groma::{Checked, Evidence, Format, Inputs, Report};
use groma_syntax::render::harmless;
use groma_syntax::{Diagnostics, Severity, Sources};

use super::row::Command;
use crate::flag::{self, Args, Flag, Takes, set, switch};
use crate::session::{Exit, Session, Stop};
use crate::survey::Survey;
use crate::view::wrap::Wrapped;
use crate::view::{diagnostic, json};
use crate::{bare, limit, mend, project, rounds, rules, survey, template};

pub(crate) const COMMAND: Command = Command {
    name: rules::COMMAND,
    about: "Say what is wrong with a module (also: validate)",
    operand: Some(("PATH...", "The module's directory, or files of it (default: the current one)")),
    flags: &[OWN, rules::FLAGS, flag::MODULE, flag::TEMPLATE, flag::BUILDS],
    more: "Every input is unknown, as in the programs' own validate: what is found is wrong whatever the inputs are. \
           Variables count only with --values, or where an edition needs them to find modules.\n\n\
           Of several paths, or with -recursive, every folder that holds code is a root, and what several roots share is \
           told once. A root is not understood where one of its files is not the language, or where a module that it calls \
           is not at hand.\n\n\
           Exit codes: 0 nothing is wrong, 1 the code has errors, 2 wrong use.",
    run,
};

const OWN: &[Flag] = &[
    flag::json("Print a JSON document of all findings"),
    Flag {
        name: "format",
        takes: Takes::Word(
            "FORMAT",
            &["text", "json", "sarif", "github", "junit", "checkstyle", "compact"],
        ),
        about: "Print findings as text, json, sarif (for code scanning), github (for its workflows), junit, checkstyle or compact (a line each)",
        read: |args, text| match (Format::of(text), text) {
            (Some(format), _) => set(&mut args.format, format),
            (None, "text") => {
                args.format = None;
                Ok(())
            }
            _ => Err(format!(
                "--format takes text, json, sarif, github, junit, checkstyle or compact: \"{text}\" is none of them."
            )),
        },
    },
    Flag {
        name: "recursive",
        takes: Takes::Nothing,
        about: "Check every folder below that holds code, hidden ones excepted",
        read: |args, _| switch(&mut args.recursive),
    },
    Flag {
        name: "watch",
        takes: Takes::Nothing,
        about: "Check again whenever a file changes, until it is ended",
        read: |args, _| switch(&mut args.watch),
    },
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
    if args.json && args.given.contains(&"format") && args.format != Some(Format::Json) {
        return Err(Stop::Misuse(
            "-json and --format do not go together: give one of them.".into(),
        ));
    }
    if args.watch && args.fix {
        return Err(Stop::Misuse("--fix changes what --watch waits for: give one of them.".into()));
    }
    if args.watch {
        return rounds::again_and_again(args, session, |args, kept, session| {
            let surveyed = match survey::is_meant(args, &session.machine) {
                true => survey::survey(args, &session.machine)?,
                false => {
                    let root = kept.look(args, session)?;
                    kept.saw(std::iter::once(&root));
                    return report(args, root, session);
                }
            };
            kept.saw(surveyed.report.roots().map(|(root, _)| root));
            tell(args, surveyed, session)
        });
    }
    if survey::is_meant(args, &session.machine) {
        return tell(args, survey::survey(args, &session.machine)?, session);
    }
    let dir = args.operand.as_deref().unwrap_or(".");
    if template::is_meant(args, Some(dir), session)? {
        let (found, evaluation) = survey::of_template(args, dir, &session.machine)?;
        let sources = evaluation.sources();
        limit::go_on(args, evaluation.end(), &found, &sources, session)?;
        return report(args, checked(args, found, sources), session);
    }
    let inputs = if args.values { Inputs::Given } else { Inputs::Unknown };
    let loaded = project::load(args, args.operand.as_deref(), inputs, session)?;
    let mut found = loaded.check();
    let sources = loaded.evaluation.sources();
    limit::go_on(args, loaded.evaluation.end(), &found, &sources, session)?;
    // Without values nothing is decided by what a variable is worth; modules are read all the same.
    found.extend(project::strictly(args, found.iter(), || match args.values {
        true => loaded.evaluation.gaps(),
        false => loaded.project().gaps(),
    }));
    let bare = loaded.bare(args.operand.as_deref(), &session.machine);
    let sources = loaded.evaluation.sources();
    let mut root = checked(args, found, sources);
    if args.lints() {
        root.take_in(loaded.snapshot().lint(&args.rules));
    }
    if args.fix {
        let bounds = survey::bounds(args, &session.machine)?;
        let roots = std::slice::from_mut(&mut root);
        if let Some(remark) = mend::mend(roots, bounds.as_deref(), &session.machine) {
            writeln!(session.err, "note: {remark}")?;
        }
    }
    if let Some(bare) = bare.filter(|_| args.report().is_none() && root.found.is_empty()) {
        let path = args.operand.as_ref().map(|dir| format!(" {dir}")).unwrap_or_default();
        let offer = match bare::below(args.operand.as_deref(), &session.machine) {
            Some(_) => format!(" `groma check -recursive{path}` looks at all that lie below."),
            None => String::new(),
        };
        return nothing(&format!("{bare}{offer}"), session);
    }
    report(args, root, session)
}

/// Says that nothing was looked at: an empty answer looks like a good one.
fn nothing(why: &str, session: &mut Session<'_>) -> Result<Exit, Stop> {
    let mut out = Wrapped::new(session.out, session.terminal.answer_width());
    writeln!(out, "Nothing was looked at: {why}")?;
    Ok(Exit::WELL)
}

/// Tells about one root.
fn report(args: &Args, mut root: Checked, session: &mut Session<'_>) -> Result<Exit, Stop> {
    if args.rules.denies_all() {
        root.deny_warnings();
    }
    let Some(format) = args.report() else {
        let colour = session.paints(!args.no_color);
        let mut out = Wrapped::new(session.out, session.terminal.answer_width());
        diagnostic::print(&root.found, &root.sources, colour, &mut out)?;
        writeln!(out, "{}", verdict(root.found.error_count(), root.found.warning_count()))?;
        return Ok(exit(root.found.has_errors()));
    };
    print(Report::of(root), format, session)
}

/// What was found in the root that a command line is about.
fn checked(args: &Args, found: Diagnostics, sources: Sources) -> Checked {
    let dir = args.operand.as_deref().unwrap_or(".");
    Checked { evidence: args.evidence.clone(), ..Checked::new(dir, found, sources) }
}

fn print(report: Report, format: Format, session: &mut Session<'_>) -> Result<Exit, Stop> {
    let report = report.seen_from_above(&session.machine.seen_from_start());
    json::through(session.out, &session.watch, |out| report.write(format, out))?;
    Ok(exit(report.error_count() > 0))
}

/// Tells about a list of roots.
fn tell(args: &Args, surveyed: Survey, session: &mut Session<'_>) -> Result<Exit, Stop> {
    let Survey { report, remarks, read } = surveyed;
    limit::go_on(args, None, &Diagnostics::new(), &Sources::new(), session)?;
    if let Some(format) = args.report() {
        return print(report, format, session);
    }
    if report.root_count() == 0 {
        let dir = args.operand.as_deref().unwrap_or(".");
        return nothing(&format!("no folder in or below {} holds code.", harmless(dir)), session);
    }
    for remark in remarks.into_iter().chain(read_as(args, &report)).chain(bare(&report)) {
        writeln!(session.err, "note: {remark}")?;
    }
    let colour = session.paints(!args.no_color);
    let mut out = Wrapped::new(session.out, session.terminal.answer_width());
    let told = report.for_people();
    let in_order =
        told.iter().flat_map(|(root, found)| found.iter().map(|one| (&**one, &root.sources)));
    diagnostic::print_all(in_order, colour, &mut out)?;
    let all = || told.iter().flat_map(|(_, found)| found);
    let of = |severity| all().filter(|one| one.severity == severity).count();
    let (errors, warnings) = (of(Severity::Error), of(Severity::Warning));
    let unread = match report.unread_count() {
        0 => String::new(),
        count => format!(", {count} not understood as a whole"),
    };
    let roots = some(report.root_count(), "root");
    let files = some(report.file_count(), "file");
    writeln!(out, "{roots}, {files}{unread}. {}", verdict(errors, warnings))?;
    drop((told, out));
    if !args.watch {
        // The process ends here, which is quicker than to take apart what it has read.
        std::mem::forget((report, read));
    }
    Ok(exit(errors > 0))
}

/// The roots that hold no code, though they were named.
fn bare(report: &Report) -> Option<String> {
    let dirs = report.roots().filter(|(root, _)| root.files.is_empty());
    let dirs: Vec<String> = dirs.map(|(root, _)| harmless(&root.dir).into_owned()).collect();
    match dirs.as_slice() {
        [] => None,
        [dir] => Some(format!("{dir} holds no code.")),
        dirs => Some(format!("these hold no code: {}.", dirs.join(", "))),
    }
}

/// As what roots were read in which something is wrong, where nothing says for what they were written.
fn read_as(args: &Args, report: &Report) -> Option<String> {
    if args.edition.is_some() {
        return None;
    }
    let wrong = report.roots().filter(|(root, _)| root.found.has_errors());
    let thin: Vec<&Evidence> = wrong
        .filter_map(|(root, _)| root.evidence.as_ref().filter(|evidence| evidence.is_guess))
        .collect();
    let first = thin.first()?;
    let count = some(thin.len(), "root");
    Some(format!(
        "read {count} as {}, as {} (--dialect chooses another program).",
        first.edition, first.reason
    ))
}

fn exit(is_wrong: bool) -> Exit {
    if is_wrong { Exit::ERRORS } else { Exit::WELL }
}

fn some(count: usize, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        count => format!("{count} {what}s"),
    }
}

/// The last line: how many of each.
fn verdict(errors: usize, warnings: usize) -> String {
    match (errors, warnings) {
        (0, 0) => "Nothing is wrong.".to_string(),
        (0, warnings) => format!("No errors, {}.", some(warnings, "warning")),
        (errors, 0) => format!("{}.", some(errors, "error")),
        (errors, warnings) => {
            format!("{}, {}.", some(errors, "error"), some(warnings, "warning"))
        }
    }
}
