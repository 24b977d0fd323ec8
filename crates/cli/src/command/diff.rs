//! `groma diff`: what a change of the code means. Both revisions are read from git's objects, planned from nothing, and
//! compared; no file is checked out and nobody is asked.

use std::collections::BTreeSet;

use groma::impact::Comparison;
use groma::json::{JsonObject, JsonText, place_text};
use groma::review::{Review, write_several};
use groma::sentence::plural;
use groma::{Diagnostic, Severity};
use groma_revision::Repository;
use groma_syntax::{Diagnostics, Sources};

use super::plan;
use super::row::Command;
use crate::flag::{self, Args, Flag, Takes};
use crate::given::ReadSchemas;
use crate::revisions::{self, Compared, Root};
use crate::session::{Exit, Session, Stop};
use crate::view::paint::Painter;
use crate::view::{diagnostic, json};
use crate::{codes, limit, parallel, settings};

const OWN: &[Flag] = &[
    flag::json("Print what differs as a JSON document, on one line"),
    flag::PRETTY,
    plan::DETAILED,
    Flag {
        name: "all",
        takes: Takes::Nothing,
        about: "List what does not differ, too",
        read: |args, _| flag::switch(&mut args.all),
    },
    Flag {
        name: "certain",
        takes: Takes::Nothing,
        about: "With -detailed-exitcode, exit with 2 only where something is certain to change",
        read: |args, _| flag::switch(&mut args.certain),
    },
    Flag {
        name: "roots",
        takes: Takes::Value("PATTERN"),
        about: "Compare every folder with code that fits, as in 'live/**' (may repeat; default: this folder, or where it holds no code all roots below that a changed file reaches)",
        read: |args, text| {
            args.roots.push(text.to_string());
            Ok(())
        },
    },
];

pub(crate) const COMMAND: Command = Command {
    name: "diff",
    about: "Say what a change of the code means: what two revisions plan, compared",
    operand: Some((
        "BASE [HEAD] [DIR]...",
        "The revisions, as git names them (HEAD default: the work tree as it is; main...topic: what topic has changed), and the module's directory",
    )),
    flags: &[OWN, plan::FORMS, flag::MODULE],
    more: "Both revisions are read from git's objects and planned without a state. What git ignores, such as installed \
           modules, is the same for both.\n\n\
           Exit codes: 0 all is well, 1 the code of HEAD has errors or the repository lacks what is compared, 2 wrong \
           use. With -detailed-exitcode: 0 nothing differs, 1 as before, 2 something differs or may differ, \
           3 wrong use.",
    run,
};

/// So few roots are compared one after the other, each with all threads.
const FEW: usize = 8;

/// What came of a root.
struct Section {
    dir: String,
    args: Args,
    comparison: Comparison,
}

fn run(args: &Args, session: &mut Session<'_>) -> Result<Exit, Stop> {
    let repository = revisions::repository(&args.operands, &session.machine)?;
    let compared = Compared::of(&repository, args, &session.machine);
    demand_whole(&repository, args, session)?;
    let compared = compared?;
    let schemas = ReadSchemas::default();
    let opened: Result<Vec<Root>, Stop> = compared
        .roots
        .iter()
        .map(|dir| compared.open(dir, args, &schemas, &session.machine))
        .collect();
    demand_whole(&repository, args, session)?;
    let mut opened = opened?;
    let mut remarks: Vec<String> = Vec::new();
    for remark in opened.iter_mut().flat_map(|root| std::mem::take(&mut root.remarks)) {
        if !remarks.contains(&remark) {
            writeln!(session.err, "note: {remark}")?;
            remarks.push(remark);
        }
    }
    let sections = compare(opened, args, session);
    demand_whole(&repository, args, session)?;
    for one in &sections {
        let head = one.comparison.head();
        for plan in [one.comparison.base(), head] {
            let sources = plan.evaluation().sources();
            limit::go_on(args, plan.evaluation().end(), plan.diagnostics(), &sources, session)?;
        }
    }
    if args.json {
        let write = |out: &mut JsonText<'_>| document(&compared, &sections, out);
        json::print(args.layout(), session.out, &session.watch, write)?;
    }
    let mut comment: Vec<(String, Review)> = Vec::new();
    for one in &sections {
        if !tell(one, &compared, session)? {
            continue;
        }
        let review = Review::of_comparison(&one.comparison);
        if compared.is_list && args.markdown {
            comment.push((one.dir.clone(), review));
            continue;
        }
        if compared.is_list {
            writeln!(session.out, "{}:\n", one.dir)?;
        }
        plan::write(&review, &one.args, session)?;
    }
    if compared.is_list && args.markdown {
        // All of them are one comment.
        let mut painter = Painter::new(session.out, false);
        let written = write_several(&comment, &mut painter);
        painter.finish(written)?;
    }
    let is_errored = sections.iter().any(|one| one.comparison.head().is_errored());
    let differs = sections.iter().any(|one| match args.certain {
        true => one.comparison.is_certain_change(),
        false => one.comparison.is_change(),
    });
    session.watch.hold(sections);
    Ok(match (is_errored, args.detailed && differs) {
        (true, _) => Exit::ERRORS,
        (false, true) => Exit::CHANGES,
        (false, false) => Exit::WELL,
    })
}

/// Stops where the repository lacks what was to be compared, or the run has come to its end: half of a side looks like a
/// change.
fn demand_whole(
    repository: &Repository,
    args: &Args,
    session: &mut Session<'_>,
) -> Result<(), Stop> {
    limit::go_on(args, None, &Diagnostics::new(), &Sources::new(), session)?;
    let Some(lost) = repository.lost() else { return Ok(()) };
    let found = Diagnostic::error(&codes::OBJECT_MISSING, lost);
    limit::tell(args, &found, &Sources::new(), session)?;
    Err(Stop::Told(Exit::ERRORS))
}

/// Says what is wrong on either side; whether what differs is still to be told.
fn tell(section: &Section, compared: &Compared, session: &mut Session<'_>) -> Result<bool, Stop> {
    let Section { dir, args, comparison } = section;
    let (base, head) = (comparison.base(), comparison.head());
    let colour = session.colour(!args.no_color);
    let mut has_news = false;
    if !args.json {
        let sources = head.evaluation().sources();
        // What was so before is no news, unless nothing can be told because of it.
        let known: BTreeSet<(&str, &str)> =
            base.diagnostics().iter().map(|one| (one.code.slug, one.detail.as_str())).collect();
        let is_new = |one: &&Diagnostic| {
            one.severity == Severity::Error || !known.contains(&(one.code.slug, &one.detail))
        };
        let news: Vec<&Diagnostic> = head.diagnostics().iter().filter(is_new).collect();
        has_news = !news.is_empty();
        diagnostic::print(news, &sources, colour, session.err)?;
    }
    let count = base.diagnostics().error_count();
    if let Some(first) = base.diagnostics().iter().find(|one| one.severity == Severity::Error) {
        let place = first.place.map(|place| place_text(place, &base.evaluation().sources()));
        let place = place.map(|place| format!(" ({place})")).unwrap_or_default();
        writeln!(
            session.err,
            "note: at {} the code in {dir} has {}, so what was there may be told only in part: {}{place}.",
            compared.base.name,
            plural(count, "error"),
            first.code.summary
        )?;
    }
    if has_news || count > 0 {
        settings::tell(args, session)?;
    }
    Ok(!(args.json || head.is_errored() && !head.is_partial()))
}

fn compare(opened: Vec<Root>, args: &Args, session: &Session<'_>) -> Vec<Section> {
    let section = |root: Root| {
        let (dir, args, comparison) = root.compare();
        Section { dir, args, comparison }
    };
    if opened.len() <= FEW {
        return opened.into_iter().map(section).collect();
    }
    let threads = args.threads.unwrap_or_else(|| session.machine.threads());
    let find = |take: &mut dyn FnMut(Root)| opened.into_iter().for_each(take);
    parallel::each(threads, find, |root| section(root.with_one_thread()))
}

/// What differs in all roots, as a document for programs.
fn document(compared: &Compared, sections: &[Section], out: &mut JsonText<'_>) {
    let one = |section: &Section, out: &mut JsonText<'_>| {
        section.comparison.write_json(out, &|top| sides(compared, section, top));
    };
    if !compared.is_list {
        sections.iter().for_each(|section| one(section, out));
        return;
    }
    let mut top = JsonObject::open(out);
    let mut roots = top.object("roots");
    for section in sections {
        one(section, roots.key(&section.dir));
    }
    roots.close();
    top.close();
}

/// Writes which revisions are compared.
fn sides(compared: &Compared, section: &Section, top: &mut JsonObject<'_, '_>) {
    let mut base = top.object("base");
    base.text("revision", &compared.base.name);
    base.text("commit", &compared.base.commit);
    base.number("error_count", section.comparison.base().diagnostics().error_count());
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
