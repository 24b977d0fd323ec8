//! `groma diff --upgrade`: what changes if a module call gets another version. Both sides are the working tree; the head has the
//! upgraded calls laid over it, and nothing is written or downloaded.

use std::sync::Arc;

use groma::json::{JsonObject, JsonText, array};
use groma::review::Review;
use groma::{Host, LoadPurpose, Snapshot};

use super::super::plan;
use super::{exit_status, print_new_findings, stop_if_side_ended};
use crate::flag::CommandArgs;
use crate::given::ReadSchemas;
use crate::revisions::{ComparedSides, RootSettings};
use crate::session::{EarlyStop, ExitStatus, RunSession};
use crate::view::json;
use crate::{limit, project, settings, template};

/// Plans the root as it is and with the module versions that `--upgrade` names, and prints the differences.
pub(super) fn run(
    args: &CommandArgs,
    session: &mut RunSession<'_>,
) -> Result<ExitStatus, EarlyStop> {
    if args.moved || args.writes || !args.roots.is_empty() {
        return Err(EarlyStop::Misuse(
            "--upgrade compares one root as it is: --moved, -write and --roots do not go with it."
                .into(),
        ));
    }
    let dir = match &args.operands[..] {
        [] => ".",
        [dir] if session.machine.is_directory(dir) => dir,
        _ => {
            return Err(EarlyStop::Misuse(
                "--upgrade compares the current files with themselves: give no revision, and at most one folder.".into(),
            ));
        }
    };
    let mut own = CommandArgs { operand: Some(dir.to_owned()), names_folder: true, ..args.clone() };
    for remark in settings::settle_on(&mut own, true, None, &session.machine)? {
        writeln!(session.err, "note: {remark}")?;
    }
    if template::names_template_on(&own, Some(dir), &session.machine) {
        return Err(EarlyStop::Misuse(format!(
            "{dir} holds a Packer template: only modules are compared."
        )));
    }
    let schemas = ReadSchemas::default();
    let mut options = project::options_of(&own, dir, &schemas, &session.machine)?;
    options.load.purpose = LoadPurpose::Evaluate;
    options.load.edition = own.edition;
    let base = project::host(&own, &options, &session.machine);
    let mut head = base.clone();
    for upgrade in &args.upgrades {
        if upgrade.is_folder() && !session.machine.is_directory(&upgrade.to) {
            return Err(EarlyStop::Misuse(format!("{}: there is no such directory.", upgrade.to)));
        }
        let now = Snapshot::load(dir, options.clone(), head.clone());
        limit::stop_if_ended(&own, now.evaluation().end(), now.found(), &now.sources(), session)?;
        head = upgrade.apply(now.project(), &head).map_err(EarlyStop::Misuse)?.host;
    }
    let hosts: [Arc<dyn Host>; 2] = [base, head];
    let section = RootSettings::of_hosts(dir, own, &options, hosts).compare();
    stop_if_side_ended(&section, args, session)?;
    stop_if_missing(&section, args)?;
    if args.json {
        let write = |out: &mut JsonText<'_>| write_json(&section, args, out);
        json::print(args.layout(), session.out, &session.watch, write)?;
    } else {
        print_new_findings(&section, session)?;
        plan::write(&Review::of_comparison(&section.comparison), &section.args, session)?;
    }
    let differs = match args.certain {
        true => section.comparison.is_certain_change(),
        false => section.comparison.is_change(),
    };
    let is_errored = section.comparison.head().is_errored();
    session.watch.hold(section);
    Ok(exit_status(is_errored, args.detailed && differs))
}

/// Writes the comparison of a root before and after the upgrades as JSON, with the list of upgrades in `head`.
fn write_json(section: &ComparedSides, args: &CommandArgs, out: &mut JsonText<'_>) {
    section.comparison.write_json(out, &|top| {
        array(&[] as &[&str], top.key("unreached"), |_, _| {});
        let mut base = top.object("base");
        base.flag("work_tree", true);
        base.close();
        let mut head = top.object("head");
        array(&args.upgrades, head.key("upgrades"), |one, out| {
            let mut object = JsonObject::open(out);
            object.text("call", &one.call);
            object.text("to", &one.to);
            object.close();
        });
        head.close();
    });
}

/// Stops the command if the new version of an upgraded module is not available locally, since nothing could be compared.
fn stop_if_missing(section: &ComparedSides, args: &CommandArgs) -> Result<(), EarlyStop> {
    let absent = &section.comparison.head().gaps().modules;
    for upgrade in &args.upgrades {
        let Some(module) = absent.iter().find(|one| one.address.to_string() == upgrade.call) else {
            continue;
        };
        let version = module.version.as_ref().map(|version| format!("@{version}"));
        let source = module.source.as_deref().unwrap_or_default();
        let source = format!("{source}{}", version.unwrap_or_default());
        return Err(EarlyStop::Absent(format!(
            "{} with {} is not available, and nothing is downloaded here: download it, and give its folder with --module '{source}=DIR'.",
            upgrade.call, upgrade.to
        )));
    }
    Ok(())
}
