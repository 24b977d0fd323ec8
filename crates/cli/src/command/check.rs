//! `groma check`: what is wrong with a module, whatever its inputs are; with `--values` also what is wrong with the
//! inputs it is given. A form for another program says it all, so nothing goes to standard error then.

use groma::{Checked, Dialect, Format, Inputs, Report};
use groma_syntax::{Diagnostics, Severity, Sources};

use super::row::Command;
use crate::flag::{self, Args, Flag, Takes, set, switch};
use crate::session::{Exit, Session, Stop};
use crate::survey::Survey;
use crate::view::{diagnostic, json};
use crate::{limit, mend, project, rounds, survey, template};

pub(crate) const COMMAND: Command = Command {
    name: "check",
    about: "Say what is wrong with a module (also: validate)",
    operand: Some(("PATH...", "The module's directory, or files of it (default: the current one)")),
    flags: &[OWN, flag::RULES, flag::MODULE, flag::TEMPLATE, flag::BUILDS],
    more: "Every input is unknown, as in the programs' own validate: what is found is wrong whatever the inputs are. \
           Variables count only with --values, or where an edition needs them to find modules.\n\n\
           Of several paths, or with -recursive, every folder that holds code is a root, and what several roots share is \
           told once.\n\n\
           Exit codes: 0 nothing is wrong, 1 the code has errors, 2 wrong use.",
    run,
};

const OWN: &[Flag] = &[
    flag::json("Print a JSON document of all findings"),
    Flag {
        name: "format",
        takes: Takes::Value("FORMAT"),
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
    found.extend(project::strictly(args, || match args.values {
        true => loaded.evaluation.gaps(),
        false => loaded.project().gaps(),
    }));
    if args.report().is_none() {
        loaded.tell_if_bare(args.operand.as_deref(), session)?;
    }
    let sources = loaded.evaluation.sources();
    let mut root = checked(args, found, sources);
    if args.lints() {
        root.take_in(loaded.snapshot().lint(&args.rules));
    }
    if args.fix
        && let Some(remark) = mend::mend(std::slice::from_mut(&mut root), &session.machine)
    {
        writeln!(session.err, "note: {remark}")?;
    }
    report(args, root, session)
}

/// Tells about one root.
fn report(args: &Args, root: Checked, session: &mut Session<'_>) -> Result<Exit, Stop> {
    let Some(format) = args.report() else {
        let (found, colour) = (&root.found, session.colour(!args.no_color));
        diagnostic::print(found, &root.sources, colour, session.err)?;
        writeln!(session.out, "{}", verdict(found.error_count(), found.warning_count()))?;
        return Ok(exit(found.has_errors()));
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
    json::through(session.out, |out| report.write(format, out))?;
    Ok(exit(report.error_count() > 0))
}

/// Tells about a list of roots.
fn tell(args: &Args, surveyed: Survey, session: &mut Session<'_>) -> Result<Exit, Stop> {
    let Survey { report, remarks, read } = surveyed;
    limit::go_on(args, None, &Diagnostics::new(), &Sources::new(), session)?;
    if let Some(format) = args.report() {
        return print(report, format, session);
    }
    let colour = session.colour(!args.no_color);
    let told = report.for_people();
    for (root, found) in &told {
        diagnostic::print(found.iter().map(|one| &**one), &root.sources, colour, session.err)?;
    }
    for remark in remarks.into_iter().chain(read_as(args, &report)) {
        writeln!(session.err, "note: {remark}")?;
    }
    let all = || told.iter().flat_map(|(_, found)| found);
    let of = |severity| all().filter(|one| one.severity == severity).count();
    let (errors, warnings) = (of(Severity::Error), of(Severity::Warning));
    writeln!(
        session.out,
        "{}, {}, {} not understood. {}",
        some(report.root_count(), "root"),
        some(report.file_count(), "file"),
        report.unread_count(),
        verdict(errors, warnings)
    )?;
    drop(told);
    if !args.watch {
        // The process ends here, which is quicker than to take apart what it has read.
        std::mem::forget((report, read));
    }
    Ok(exit(errors > 0))
}

/// As what the roots were read, where the user did not choose it for this run.
fn read_as(args: &Args, report: &Report) -> Option<String> {
    if args.edition.is_some() {
        return None;
    }
    let mut counts: Vec<(String, usize)> = Vec::new();
    for (root, _) in report.roots() {
        let Some(evidence) = &root.evidence else { continue };
        if evidence.edition.dialect == Dialect::Packer {
            continue;
        }
        let name = evidence.edition.to_string();
        match counts.iter_mut().find(|(known, _)| *known == name) {
            Some((_, count)) => *count += 1,
            None => counts.push((name, 1)),
        }
    }
    counts.sort();
    let parts: Vec<String> =
        counts.iter().map(|(name, count)| format!("{} as {name}", some(*count, "root"))).collect();
    (!parts.is_empty())
        .then(|| format!("read {}; of one root alone `groma check` says why.", parts.join(", ")))
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
