//! `groma list`: the addresses of all instances in a project. A placeholder `[*]` stands for instances whose number is
//! not known; nothing that is declared vanishes because it is unknown.

use groma::json::{JsonLayout, JsonObject, JsonText, ReportedCauses, array, place_text};
use groma::packer::Build;
use groma::{InstanceKey, ListedObject, ResourceMode};
use groma_syntax::{Diagnostics, Sources};

use super::row::CommandRow;
use crate::flag::{self, CommandArgs};
use crate::project::{self, OpenedRoot};
use crate::session::{EarlyStop, ExitStatus, RunSession};
use crate::view::{diagnostic, json};

pub(crate) const COMMAND: CommandRow = CommandRow {
    name: "list",
    about: "List all instances of resources and modules, or the builds of a Packer template",
    operand: Some(("DIR", "The module's directory (default: the current directory)")),
    flags: &[
        &[flag::json("Print a JSON array of objects, with reasons and places")],
        flag::MODULE,
        flag::TEMPLATE,
        flag::BUILDS,
    ],
    more: "ADDRESS[*] stands for the instances whose number is unknown; --json shows why.\n\n\
           Exit codes: 0 success, 1 the code has errors, 2 wrong use.",
    run,
};

fn run(args: &CommandArgs, session: &mut RunSession<'_>) -> Result<ExitStatus, EarlyStop> {
    let opened = project::open(args, args.operand.as_deref(), session)?;
    let mut found = Diagnostics::new();
    if let Some(template) = opened.template() {
        let plan = template.plan();
        let sources = opened.sources();
        opened.go_on(args, &plan.found, session)?;
        if args.json {
            json::print(JsonLayout::Pretty, session.out, &session.watch, |out| {
                array(&plan.builds, out, |build, out| of_build(build, &sources, out));
            })?;
        } else {
            plan.builds.iter().try_for_each(|build| writeln!(session.out, "{}", build.name))?;
        }
        let colour = session.colour(!args.no_color);
        diagnostic::print(&plan.found, &sources, colour, session.err)?;
        let failed = opened.failed || plan.found.has_errors();
        return Ok(if failed { ExitStatus::ERRORS } else { ExitStatus::WELL });
    }
    opened.tell_if_bare(args.operand.as_deref(), session)?;
    let listed = opened.instances(&mut found);
    let sources = opened.sources();
    opened.go_on(args, &found, session)?;
    if args.json {
        json::print(JsonLayout::Pretty, session.out, &session.watch, |out| {
            array(&listed, out, |one, out| of_instance(one, &opened, &sources, out));
        })?;
    } else {
        listed.iter().try_for_each(|one| writeln!(session.out, "{}", one.address))?;
    }
    diagnostic::print(&found, &sources, session.colour(!args.no_color), session.err)?;
    Ok(if opened.failed || found.has_errors() { ExitStatus::ERRORS } else { ExitStatus::WELL })
}

fn of_build(build: &Build, sources: &Sources, out: &mut JsonText<'_>) {
    let mut object = JsonObject::open(out);
    object.text("address", &build.name);
    object.text("mode", "build");
    object.text("type", &build.builder.kind);
    object.text("name", &build.source);
    object.text("place", &place_text(build.place, sources));
    object.close();
}

fn of_instance(one: &ListedObject, opened: &OpenedRoot, sources: &Sources, out: &mut JsonText<'_>) {
    let mode = match one.mode {
        Some(ResourceMode::Managed) => "managed",
        Some(mode) => mode.word(),
        None => "module",
    };
    let mut object = JsonObject::open(out);
    object.text("address", &one.address);
    object.text("mode", mode);
    if let Some(kind) = &one.kind {
        object.text("type", kind);
    }
    object.text("name", &one.name);
    match &one.key {
        InstanceKey::None => {}
        InstanceKey::Number(at) => object.number("index_key", at),
        InstanceKey::Text(key) => object.text("index_key", key),
    }
    object.text("module", &one.module);
    object.text("place", &place_text(one.place, sources));
    if !one.is_installed {
        object.flag("installed", false);
    }
    if let Some(causes) = &one.deferred {
        let mut about = object.object("unknown");
        ReportedCauses::of(causes, &opened.reasons(sources).0).write(about.key("because"));
        about.close();
    }
    object.close();
}
