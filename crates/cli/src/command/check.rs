//! `groma check`: reports what is wrong with a module whatever its inputs are; with `--values` also what is wrong with the given
//! inputs. A machine-readable format contains all diagnostics, so standard error stays empty then.

use std::io::Write as _;

use groma::values::sentence::plural;
use groma::{RootFindings, RootInputs, editions::EditionEvidence};
use groma_report::{Report, ReportFormat};
use groma_syntax::render::harmless;
use groma_syntax::{Diagnostics, Severity, Sources};

use super::row::CommandRow;
use crate::check_many::RootSurvey;
use crate::flag::{self, CommandArgs, FlagRow, FlagValue, set, switch};
use crate::session::{EarlyStop, ExitStatus, RunSession};
use crate::view::wrap::WrappedStream;
use crate::view::{diagnostic, json};
use crate::{apply_fixes, bare, check_many, limit, project, rules, template, watch_loop};

/// The command `groma check`: its flags, help and entry point.
pub(crate) const COMMAND: CommandRow = CommandRow {
    name: rules::COMMAND,
    about: "Find errors and questionable code in a module (alias: validate)",
    operand: Some((
        "PATH...",
        "The module's directory, or some of its files (default: the current directory)",
    )),
    flags: &[OWN, rules::FLAGS, flag::MODULE, flag::TEMPLATE, flag::BUILDS],
    more: "Every input is unknown, as in `terraform validate`: what is reported is wrong whatever the inputs are. \
           Values of variables are used only with --values, or where an edition needs them to find modules.\n\n\
           With several paths, or with -recursive, every folder that contains code is a root module, and a finding that \
           several roots share is reported once. A root is read incompletely if one of its files cannot be parsed or \
           a module that it calls is not available.\n\n\
           Exit codes: 0 no errors, 1 the code has errors, 2 wrong use.",
    run,
};

/// Flags that only `groma check` has.
const OWN: &[FlagRow] = &[
    flag::json("Print all findings as a JSON document"),
    FlagRow {
        name: "format",
        takes: FlagValue::Word(
            "FORMAT",
            &["text", "json", "sarif", "github", "junit", "checkstyle", "compact"],
        ),
        about: "Print findings as text, json, sarif (for code scanning), github (annotations of a workflow), junit, checkstyle or compact (one line each)",
        read: |args, text| match (ReportFormat::of(text), text) {
            (Some(format), _) => set(&mut args.format, format),
            (None, "text") => {
                args.format = None;
                Ok(())
            }
            _ => Err(format!(
                "--format must be text, json, sarif, github, junit, checkstyle or compact, not \"{text}\"."
            )),
        },
    },
    FlagRow {
        name: "diff",
        takes: FlagValue::Nothing,
        about: "With --fix: print the changes as a unified diff, and write nothing",
        read: |args, _| switch(&mut args.diff),
    },
    FlagRow {
        name: "recursive",
        takes: FlagValue::Nothing,
        about: "Check every folder below that contains code, except hidden ones",
        read: |args, _| switch(&mut args.recursive),
    },
    FlagRow {
        name: "watch",
        takes: FlagValue::Nothing,
        about: "Check again whenever a file changes, until interrupted",
        read: |args, _| switch(&mut args.watch),
    },
    FlagRow {
        name: "values",
        takes: FlagValue::Nothing,
        about: "Evaluate with the values of the variables, and also report what a plan would find",
        read: |args, _| switch(&mut args.values),
    },
    FlagRow {
        name: "query",
        takes: FlagValue::Nothing,
        about: "Also check the root's query files (.tfquery.hcl); Terraform 1.14 and later",
        read: |args, _| switch(&mut args.query),
    },
    FlagRow {
        name: "syntax-only",
        takes: FlagValue::Nothing,
        about: "Packer: check only the syntax of the files",
        read: |args, _| switch(&mut args.syntax),
    },
];

/// Checks one root or many, once or repeatedly with `--watch`, and prints the findings.
fn run(args: &CommandArgs, session: &mut RunSession<'_>) -> Result<ExitStatus, EarlyStop> {
    if args.json && args.given.contains(&"format") && args.format != Some(ReportFormat::Json) {
        return Err(EarlyStop::Misuse("-json and --format cannot be used together.".into()));
    }
    if args.diff && (!args.fix || args.report().is_some()) {
        return Err(EarlyStop::Misuse("--diff goes with --fix, and with no other form.".into()));
    }
    if args.watch && args.fix {
        return Err(EarlyStop::Misuse(
            "--fix and --watch cannot be used together: --fix changes the files that --watch waits for.".into(),
        ));
    }
    if args.watch {
        return watch_loop::check_repeatedly(args, session, |args, kept, session| {
            let surveyed = match check_many::has_many_roots(args, &session.machine) {
                true => check_many::survey(args, &session.machine)?,
                false => {
                    let root = kept.check_root(args, session)?;
                    kept.record_files(std::iter::once(&root));
                    return report(args, root, session);
                }
            };
            kept.record_files(surveyed.report.roots().map(|(root, _)| root));
            print_findings(args, surveyed, session)
        });
    }
    if check_many::has_many_roots(args, &session.machine) {
        if args.diff {
            let why = "--fix --diff takes one root; without --diff --fix changes several.";
            return Err(EarlyStop::Misuse(why.into()));
        }
        return print_findings(args, check_many::survey(args, &session.machine)?, session);
    }
    let dir = args.operand.as_deref().unwrap_or(".");
    if template::names_template(args, Some(dir), session)? {
        let (found, evaluation) = check_many::check_template(args, dir, &session.machine)?;
        let sources = evaluation.sources();
        limit::stop_if_ended(args, evaluation.end(), &found, &sources, session)?;
        return report(args, checked(args, found, sources), session);
    }
    let inputs = if args.values { RootInputs::Given } else { RootInputs::Unknown };
    let loaded = project::load(args, args.operand.as_deref(), inputs, session)?;
    let mut found = loaded.check();
    let sources = loaded.evaluation.sources();
    limit::stop_if_ended(args, loaded.evaluation.end(), &found, &sources, session)?;
    // Without --values nothing depends on the values of variables; modules are loaded all the same.
    found.extend(project::strict_error(args, found.iter(), || match args.values {
        true => loaded.evaluation.gaps(),
        false => loaded.project().gaps(),
    }));
    let bare = loaded.bare(args.operand.as_deref(), &session.machine);
    let sources = loaded.evaluation.sources();
    let mut root = checked(args, found, sources);
    if args.lints() {
        root.add_lint(loaded.snapshot().lint(&args.rules));
    }
    if args.fix && args.diff {
        return patch(args, std::slice::from_ref(&root), session);
    }
    if args.fix {
        let bounds = check_many::bounds(args, &session.machine)?;
        let roots = std::slice::from_mut(&mut root);
        if let Some(remark) = apply_fixes::apply(roots, bounds.as_deref(), &session.machine) {
            writeln!(session.err, "note: {remark}")?;
        }
    }
    if let Some(bare) = bare.filter(|_| args.report().is_none() && root.found.is_empty()) {
        let path = args.operand.as_ref().map(|dir| format!(" {dir}")).unwrap_or_default();
        let offer = match bare::below(args.operand.as_deref(), &session.machine) {
            Some(_) => format!(" `groma check -recursive{path}` checks all folders below."),
            None => String::new(),
        };
        return print_nothing_checked(&format!("{bare}{offer}"), session);
    }
    report(args, root, session)
}

/// Prints the fixes of the findings as a unified diff.
fn patch(
    args: &CommandArgs,
    roots: &[RootFindings],
    session: &mut RunSession<'_>,
) -> Result<ExitStatus, EarlyStop> {
    let text = apply_fixes::patch(roots);
    json::print_text(session.out, &session.watch, |out| out.write_str(&text))?;
    let denied = args.rules.denies_all();
    Ok(exit(roots.iter().any(|root| root.found.has_errors() || denied && !root.found.is_empty())))
}

/// Prints that nothing was checked and why, since an empty answer looks like a successful one.
fn print_nothing_checked(why: &str, session: &mut RunSession<'_>) -> Result<ExitStatus, EarlyStop> {
    let mut out = WrappedStream::new(session.out, session.terminal.answer_width());
    writeln!(out, "Nothing was checked: {why}")?;
    Ok(ExitStatus::SUCCESS)
}

/// Prints the findings of one root, as text or in the machine-readable format that the flags select.
fn report(
    args: &CommandArgs,
    mut root: RootFindings,
    session: &mut RunSession<'_>,
) -> Result<ExitStatus, EarlyStop> {
    if args.rules.denies_all() {
        root.deny_warnings();
    }
    let Some(format) = args.report() else {
        let colour = session.begin_colours(!args.no_color);
        let mut out = WrappedStream::new(session.out, session.terminal.answer_width());
        diagnostic::print(&root.found, &root.sources, colour, &mut out)?;
        writeln!(out, "{}", verdict(root.found.error_count(), root.found.warning_count()))?;
        return Ok(exit(root.found.has_errors()));
    };
    print(Report::of(root), format, session)
}

/// Returns the findings of the root that the command line names: its folder, its diagnostics and the reason for its edition.
fn checked(args: &CommandArgs, found: Diagnostics, sources: Sources) -> RootFindings {
    let dir = args.operand.as_deref().unwrap_or(".");
    RootFindings { evidence: args.evidence.clone(), ..RootFindings::new(dir, found, sources) }
}

/// Prints a report in a machine-readable format; returns exit status 1 if it has errors, else 0.
fn print(
    report: Report,
    format: ReportFormat,
    session: &mut RunSession<'_>,
) -> Result<ExitStatus, EarlyStop> {
    let report = report.with_folder(&session.machine.seen_from_start());
    json::print_text(session.out, &session.watch, |out| report.write(format, out))?;
    Ok(exit(report.error_count() > 0))
}

/// Prints the findings of many roots, as text or in the machine-readable format that the flags select.
fn print_findings(
    args: &CommandArgs,
    surveyed: RootSurvey,
    session: &mut RunSession<'_>,
) -> Result<ExitStatus, EarlyStop> {
    let RootSurvey { report, remarks, read } = surveyed;
    limit::stop_if_ended(args, None, &Diagnostics::new(), &Sources::new(), session)?;
    if let Some(format) = args.report() {
        return print(report, format, session);
    }
    if report.root_count() == 0 {
        let dir = args.operand.as_deref().unwrap_or(".");
        return print_nothing_checked(
            &format!("there is no code in {} or in a folder below it.", harmless(dir)),
            session,
        );
    }
    for remark in remarks.into_iter().chain(guess_remark(args, &report)).chain(bare(&report)) {
        writeln!(session.err, "note: {remark}")?;
    }
    let colour = session.begin_colours(!args.no_color);
    let mut out = WrappedStream::new(session.out, session.terminal.answer_width());
    let told = report.shown_diagnostics();
    let in_order =
        told.iter().flat_map(|(root, found)| found.iter().map(|one| (&**one, &root.sources)));
    diagnostic::print_all(in_order, colour, &mut out)?;
    let all = || told.iter().flat_map(|(_, found)| found);
    let of = |severity| all().filter(|one| one.severity == severity).count();
    let (errors, warnings) = (of(Severity::Error), of(Severity::Warning));
    let unread = match report.unread_count() {
        0 => String::new(),
        count => format!(", {count} read incompletely"),
    };
    let roots = plural(report.root_count(), "root");
    let files = plural(report.file_count(), "file");
    writeln!(out, "{roots}, {files}{unread}. {}", verdict(errors, warnings))?;
    drop((told, out));
    if !args.watch {
        // The process ends here; freeing what was loaded would only take time.
        std::mem::forget((report, read));
    }
    Ok(exit(errors > 0))
}

/// Returns a remark that names the checked roots without code; `None` if all contain code.
fn bare(report: &Report) -> Option<String> {
    let dirs = report.roots().filter(|(root, _)| root.files.is_empty());
    let dirs: Vec<String> = dirs.map(|(root, _)| harmless(&root.dir).into_owned()).collect();
    match dirs.as_slice() {
        [] => None,
        [dir] => Some(format!("{dir} contains no code.")),
        dirs => Some(format!("these folders contain no code: {}.", dirs.join(", "))),
    }
}

/// Returns the remark that the dialect of some roots with errors was only guessed; `None` if there are none.
fn guess_remark(args: &CommandArgs, report: &Report) -> Option<String> {
    if args.edition.is_some() {
        return None;
    }
    let wrong = report.roots().filter(|(root, _)| root.found.has_errors());
    let thin: Vec<&EditionEvidence> = wrong
        .filter_map(|(root, _)| root.evidence.as_ref().filter(|evidence| evidence.is_guess))
        .collect();
    let first = thin.first()?;
    let count = plural(thin.len(), "root");
    Some(format!(
        "{count} read as {} because {} (--dialect selects another program).",
        first.edition, first.reason
    ))
}

/// Returns the exit status of a check: 1 if it found errors, else 0.
fn exit(is_wrong: bool) -> ExitStatus {
    if is_wrong { ExitStatus::ERRORS } else { ExitStatus::SUCCESS }
}

/// Returns the last line of the text output: the numbers of errors and warnings.
fn verdict(errors: usize, warnings: usize) -> String {
    match (errors, warnings) {
        (0, 0) => "No errors or warnings.".to_string(),
        (0, warnings) => format!("No errors, {}.", plural(warnings, "warning")),
        (errors, 0) => format!("{}.", plural(errors, "error")),
        (errors, warnings) => {
            format!("{}, {}.", plural(errors, "error"), plural(warnings, "warning"))
        }
    }
}
