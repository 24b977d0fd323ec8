//! `groma diff`: compares the plans of two revisions. Both are read from git's objects and planned without a state; nothing is
//! checked out and no server is contacted.

mod documents;
mod moved;
mod upgrade;

use std::collections::BTreeSet;

use groma::json::{JsonObject, JsonText, array};
use groma::review::{DeniedClaim, Review, write_several};
use groma::values::sentence::plural;
use groma::{Diagnostic, Severity};
use groma_git::Repository;
use groma_syntax::render::harmless;
use groma_syntax::{Diagnostics, Sources};

use super::plan;
use super::row::CommandRow;
use crate::flag::{self, CommandArgs, FlagRow, FlagValue};
use crate::given::ReadSchemas;
use crate::revisions::{self, ComparedRevisions, ComparedSides, RootSettings};
use crate::session::{EarlyStop, ExitStatus, RunSession};
use crate::view::paint::TextPainter;
use crate::view::{diagnostic, json};
use crate::{codes, limit, parallel, settings};

/// Flags that only `groma diff` has.
const OWN: &[FlagRow] = &[
    flag::json("Print the differences as a JSON document, on one line"),
    flag::PRETTY,
    plan::DETAILED,
    FlagRow {
        name: "all",
        takes: FlagValue::Nothing,
        about: "Also list what does not differ",
        read: |args, _| flag::switch(&mut args.all),
    },
    FlagRow {
        name: "certain",
        takes: FlagValue::Nothing,
        about: "With -detailed-exitcode, exit with 2 only if something is certain to change",
        read: |args, _| flag::switch(&mut args.certain),
    },
    FlagRow {
        name: "open",
        takes: FlagValue::Nothing,
        about: "Treat variables without a value as unknown, even those that have a default",
        read: |args, _| flag::switch(&mut args.open_inputs),
    },
    FlagRow {
        name: "against",
        takes: FlagValue::Value("PLAN.json"),
        about: "Compare the certain changes with a plan of Terraform or OpenTofu (the output of show -json) and list those it contradicts; exit with 1 if there are any",
        read: |args, text| flag::set(&mut args.against, text.to_owned()),
    },
    FlagRow {
        name: "upgrade",
        takes: FlagValue::Value("module.NAME=VERSION"),
        about: "Compare the current code with the same code after giving a module call that version, source or folder (may repeat; without revisions)",
        read: |args, text| {
            args.upgrades.push(groma::folders::ModuleUpgrade::read(text)?);
            Ok(())
        },
    },
    FlagRow {
        name: "moved",
        takes: FlagValue::Nothing,
        about: "Print only the moved blocks that would keep renamed objects from being destroyed and created again",
        read: |args, _| flag::switch(&mut args.moved),
    },
    FlagRow {
        name: "write",
        takes: FlagValue::Nothing,
        about: "With --moved, write the blocks into the code",
        read: |args, _| flag::switch(&mut args.writes),
    },
    FlagRow {
        name: "roots",
        takes: FlagValue::Value("PATTERN"),
        about: "Compare every folder with code that matches, as in 'live/**' (may repeat; default: all roots below that a changed file affects)",
        read: |args, text| {
            args.roots.push(text.to_string());
            Ok(())
        },
    },
];

/// The command `groma diff`: its flags, help and entry point.
pub(crate) const COMMAND: CommandRow = CommandRow {
    name: "diff",
    about: "Compare what two revisions of the code plan",
    operand: Some((
        "BASE [HEAD] [DIR]...",
        "Git revisions (HEAD defaults to the working tree; main...topic: the changes of topic since it left main) and the module's directory",
    )),
    flags: &[OWN, plan::FORMS, flag::MODULE],
    more: "Both revisions are read from the git repository and planned without a state. Files that git ignores, such \
           as installed modules, are shared by both.\n\n\
           Instead of revisions, two plans A.json and B.json as printed by show -json can be compared.\n\n\
           Exit codes: 0 success, 1 the code of HEAD has errors, the repository lacks an object that is compared, or \
           the plan of --against contradicts a change, 2 wrong use. With -detailed-exitcode: 0 nothing differs, 1 as \
           before, 2 something differs or may differ, 3 wrong use.",
    run,
};

/// Maximum number of roots that are compared one after another, each with all threads; more are compared in parallel.
const MAX_SEQUENTIAL_ROOTS: usize = 8;

/// Maximum number of changed files listed in the remark about files that no root reads; further ones are only counted.
const MAX_FILES: usize = 8;

/// Compares the revisions, plan documents or module versions that the command line names, and prints the differences.
fn run(args: &CommandArgs, session: &mut RunSession<'_>) -> Result<ExitStatus, EarlyStop> {
    if !args.upgrades.is_empty() {
        return upgrade::run(args, session);
    }
    if let [base, head] = &args.operands[..]
        && documents::are_documents([base, head], &session.machine)
    {
        return documents::run([base, head], args, session);
    }
    let repository = revisions::repository(&args.operands, &session.machine)?;
    if args.writes && !args.moved {
        return Err(EarlyStop::Misuse("-write needs --moved: it writes the moved blocks.".into()));
    }
    let compared = ComparedRevisions::of(&repository, args, &session.machine);
    stop_if_partial(&repository, args, session)?;
    let compared = compared?;
    if args.writes && compared.head.is_some() {
        return Err(EarlyStop::Misuse(
            "-write changes files of the working tree, so that has to be one side of the comparison: leave HEAD out.".into(),
        ));
    }
    let schemas = ReadSchemas::default();
    let opened: Result<Vec<RootSettings>, EarlyStop> = compared
        .roots
        .iter()
        .map(|dir| compared.open(dir, args, &schemas, &session.machine))
        .collect();
    stop_if_partial(&repository, args, session)?;
    let mut opened = opened?;
    write_remarks(&mut opened, session)?;
    let mut sections = compare(opened, args, session);
    stop_if_partial(&repository, args, session)?;
    for section in &sections {
        stop_if_side_ended(section, args, session)?;
    }
    if args.moved {
        return moved::run(&sections, args, session);
    }
    let denied = match &args.against {
        Some(file) => documents::denied(file, &sections, session)?,
        None => Vec::new(),
    };
    let unreached = compared.unreached(&sections);
    let unread = compared.unread(&sections.iter().collect::<Vec<_>>());
    sections.retain(|one| !one.is_idle());
    if args.json {
        let write = |out: &mut JsonText<'_>| {
            document(
                &compared,
                &sections,
                &unreached,
                args.against.as_ref().map(|_| &denied[..]),
                out,
            );
        };
        json::print(args.layout(), session.out, &session.watch, write)?;
    } else {
        write(&compared, &sections, &unread, args, session)?;
        documents::write_denied(&denied, args, session)?;
    }
    let is_errored = sections.iter().any(|one| one.comparison.head().is_errored());
    let is_errored = is_errored || !denied.is_empty();
    let differs = sections.iter().any(|one| match args.certain {
        true => one.comparison.is_certain_change(),
        false => one.comparison.is_change(),
    });
    let differs = differs || !args.certain && !unreached.is_empty();
    session.watch.hold(sections);
    Ok(exit_status(is_errored, args.detailed && differs))
}

/// Returns the exit status of a comparison: 1 after errors, else 2 if `shows_changes`, else 0. `shows_changes` is true if
/// something differs and `-detailed-exitcode` is given.
fn exit_status(is_errored: bool, shows_changes: bool) -> ExitStatus {
    match (is_errored, shows_changes) {
        (true, _) => ExitStatus::ERRORS,
        (false, true) => ExitStatus::CHANGES,
        (false, false) => ExitStatus::SUCCESS,
    }
}

/// Writes the remarks about the settings of roots, each once.
fn write_remarks(
    opened: &mut [RootSettings],
    session: &mut RunSession<'_>,
) -> Result<(), EarlyStop> {
    let mut written: Vec<String> = Vec::new();
    for remark in opened.iter_mut().flat_map(|root| std::mem::take(&mut root.remarks)) {
        if !written.contains(&remark) {
            writeln!(session.err, "note: {remark}")?;
            written.push(remark);
        }
    }
    Ok(())
}

/// Stops the command if a limit has ended the evaluation of a root as it was before or after the compared change.
fn stop_if_side_ended(
    section: &ComparedSides,
    args: &CommandArgs,
    session: &mut RunSession<'_>,
) -> Result<(), EarlyStop> {
    for plan in [section.comparison.base(), section.comparison.head()] {
        let sources = plan.evaluation().sources();
        limit::stop_if_ended(args, plan.evaluation().end(), plan.diagnostics(), &sources, session)?;
    }
    Ok(())
}

/// Writes the comparisons of all roots as text or Markdown, and the changed files that no root reads (`unread`).
fn write(
    compared: &ComparedRevisions,
    sections: &[ComparedSides],
    unread: &[String],
    args: &CommandArgs,
    session: &mut RunSession<'_>,
) -> Result<(), EarlyStop> {
    let mut comment: Vec<(String, Review)> = Vec::new();
    let mut is_first = true;
    let patterns = args.roots.iter().flat_map(|pattern| ["--roots", pattern]);
    let open = args.open_inputs.then_some("--open");
    let words = args.operands.iter().map(String::as_str).chain(patterns).chain(open);
    let command = plan::full_command("diff", words);
    let unread = unread_line(unread);
    for one in sections {
        print_new_findings(one, session)?;
        let mut review = Review::of_comparison(&one.comparison);
        review.command = Some(command.clone());
        if one.is_lone_module() {
            review.notes.pop();
            review.notes.push(format!(
                "{} is not called by any root here: it is compared as a root of its own, with unknown inputs.",
                one.of.dir
            ));
        }
        if !compared.is_list {
            review.notes.extend(unread.clone());
        }
        if compared.is_list && args.markdown {
            comment.push((one.of.dir.clone(), review));
            continue;
        }
        if compared.is_list {
            let blank = if is_first { "" } else { "\n" };
            writeln!(session.out, "{blank}{}:\n", one.of.dir)?;
        }
        is_first = false;
        plan::write(&review, &one.args, session)?;
    }
    if !compared.is_list && !sections.is_empty() {
        return Ok(());
    }
    let mut last = Vec::new();
    if sections.is_empty() {
        let why = match compared.is_same {
            true => "No file differs",
            false => "The changed files affect no root here",
        };
        let strong = if args.markdown { "**" } else { "" };
        last.push(format!("{strong}No changes. {why}.{strong}"));
    }
    last.extend(unread);
    if args.markdown {
        // All of it is one comment.
        let mut painter = TextPainter::new(session.out, false);
        let written = write_several(&comment, &last, &mut painter);
        painter.finish(written)?;
        return Ok(());
    }
    if !sections.is_empty() && !last.is_empty() {
        writeln!(session.out)?;
    }
    for line in last {
        writeln!(session.out, "{}", harmless(&line))?;
    }
    Ok(())
}

/// Returns a sentence that lists the changed files that no root reads; `None` if there are none.
fn unread_line(unread: &[String]) -> Option<String> {
    let more = match unread.len().saturating_sub(MAX_FILES) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let named = unread[..unread.len().min(MAX_FILES)].join(", ");
    let verb = if unread.len() == 1 { "is" } else { "are" };
    let count = plural(unread.len(), "changed file");
    (!unread.is_empty())
        .then(|| format!("{count} {verb} not read by any root here: {named}{more}."))
}

/// Stops the command if the repository, such as a partial clone, lacks a git object that was to be read, or if a limit has
/// ended the run, since a side that is read in part would look like a change.
fn stop_if_partial(
    repository: &Repository,
    args: &CommandArgs,
    session: &mut RunSession<'_>,
) -> Result<(), EarlyStop> {
    limit::stop_if_ended(args, None, &Diagnostics::new(), &Sources::new(), session)?;
    let Some(lost) = repository.lost() else { return Ok(()) };
    let found = Diagnostic::error(&codes::OBJECT_MISSING, lost);
    limit::report(args, &found, &Sources::new(), session)?;
    Err(EarlyStop::Reported(ExitStatus::ERRORS))
}

/// Prints the diagnostics that a root has after the compared change and did not have before it.
fn print_new_findings(
    section: &ComparedSides,
    session: &mut RunSession<'_>,
) -> Result<(), EarlyStop> {
    let ComparedSides { args, comparison, .. } = section;
    let (base, head) = (comparison.base(), comparison.head());
    let colour = session.colour(!args.no_color);
    let sources = head.evaluation().sources();
    let known: BTreeSet<(&str, &str)> =
        base.diagnostics().iter().map(|one| (one.code.slug, one.detail.as_str())).collect();
    // A mapped version that one side of an upgrade does not use is used by the other side.
    let is_for_other =
        |one: &Diagnostic| !args.upgrades.is_empty() && one.code.slug == "module-mapping-unused";
    let is_new = |one: &&Diagnostic| {
        !is_for_other(one)
            && one.severity != Severity::Error
            && !known.contains(&(one.code.slug, &one.detail))
    };
    let errors = &comparison.errors().new;
    let news: Vec<&Diagnostic> =
        errors.iter().chain(head.diagnostics().iter().filter(is_new)).collect();
    let has_news = !news.is_empty() || !comparison.errors().mended.is_empty();
    diagnostic::print(news, &sources, colour, session.err)?;
    if has_news {
        settings::note_dialect(args, session)?;
    }
    Ok(())
}

/// Plans every root as it was before and as it is after the change, and compares the two plans.
fn compare(
    opened: Vec<RootSettings>,
    args: &CommandArgs,
    session: &RunSession<'_>,
) -> Vec<ComparedSides> {
    if opened.len() <= MAX_SEQUENTIAL_ROOTS {
        return opened.into_iter().map(RootSettings::compare).collect();
    }
    let threads = args.threads.unwrap_or_else(|| session.machine.threads());
    let find = |take: &mut dyn FnMut(RootSettings)| opened.into_iter().for_each(take);
    parallel::each(threads, find, |root| root.with_one_thread().compare())
}

/// Writes the comparisons of all roots as a JSON document, with the changed files that no root reads (`unreached`) and, if
/// given, the certain changes that a plan document contradicts (`denied`).
fn document(
    compared: &ComparedRevisions,
    sections: &[ComparedSides],
    unreached: &[String],
    denied: Option<&[DeniedClaim]>,
    out: &mut JsonText<'_>,
) {
    let one = |section: &ComparedSides, unreached: &[&String], out: &mut JsonText<'_>| {
        let base = section.comparison.base();
        section.comparison.write_json(out, &|top| {
            array(unreached, top.key("unreached"), |path, out| out.string(path));
            if let Some(denied) = denied {
                array(denied, top.key("denied"), DeniedClaim::write_json);
            }
            write_revisions(compared, Some(base.diagnostics().error_count()), top);
        });
    };
    if !compared.is_list {
        let unreached: Vec<&String> = unreached.iter().collect();
        match sections.first() {
            Some(section) => one(section, &unreached, out),
            None => write_empty(compared, &unreached, out),
        }
        return;
    }
    let mut top = JsonObject::open(out);
    let mut roots = top.object("roots");
    for section in sections {
        let dir = format!("{}/", section.of.dir);
        let own: Vec<&String> = unreached.iter().filter(|path| path.starts_with(&dir)).collect();
        one(section, &own, roots.key(&section.of.dir));
    }
    roots.close();
    let mut ours = top.object("groma");
    array(unreached, ours.key("unreached"), |path, out| out.string(path));
    write_revisions(compared, None, &mut ours);
    ours.close();
    top.close();
}

/// Writes an empty comparison as JSON, for a single root that no changed file affects and that is not planned, with the
/// changed files `unreached`, which no root reads.
fn write_empty(compared: &ComparedRevisions, unreached: &[&String], out: &mut JsonText<'_>) {
    let mut top = JsonObject::open(out);
    top.text("format_version", groma::plans::PLAN_FORMAT);
    array(&[] as &[&str], top.key("resource_changes"), |_, _| {});
    top.object("output_changes").close();
    top.flag("complete", true);
    top.flag("errored", false);
    let mut ours = top.object("groma");
    array(&[] as &[&str], ours.key("possible"), |_, _| {});
    groma::impact::ChangeCounts::default().write(&mut ours);
    array(&[] as &[&str], ours.key("beside"), |_, _| {});
    array(unreached, ours.key("unreached"), |path, out| out.string(path));
    write_revisions(compared, None, &mut ours);
    ours.close();
    top.close();
}

/// Writes the compared revisions as JSON, `base` and `head`; `errors` is the number of errors in the older one, if known.
fn write_revisions(
    compared: &ComparedRevisions,
    errors: Option<usize>,
    top: &mut JsonObject<'_, '_>,
) {
    let mut base = top.object("base");
    base.text("revision", &compared.base.name);
    base.text("commit", &compared.base.commit);
    if let Some(errors) = errors {
        base.number("error_count", errors);
    }
    base.close();
    let mut head = top.object("head");
    match &compared.head {
        Some(revision) => {
            head.text("revision", &revision.name);
            head.text("commit", &revision.commit);
        }
        None => head.flag("work_tree", true),
    }
    head.close();
}
