//! `groma list`: the addresses of all instances in a project. A placeholder `[*]` stands for instances whose number is
//! not known; nothing that is declared vanishes because it is unknown.

use groma_eval::causes_json;
use groma_folder::{Key, Mode};
use groma_packer::Build;
use groma_project::Listed;
use groma_syntax::{Diagnostics, Sources};

use super::row::Command;
use crate::flag::{self, Args};
use crate::project::{self, Opened};
use crate::session::{Exit, Session, Stop};
use crate::view::diagnostic;
use crate::view::json::{self, Object};

pub(crate) const COMMAND: Command = Command {
    name: "list",
    about: "List all instances of resources and modules, or the builds of a Packer template",
    operand: Some(("DIR", "The module's directory (default: the current one)")),
    flags: &[
        &[flag::json("Print a JSON array of objects, with reasons and places")],
        flag::MODULE,
        flag::TEMPLATE,
        flag::BUILDS,
    ],
    more: "Where it is not known how many instances there are, ADDRESS[*] stands for them; --json says why.\n\n\
           Exit codes: 0 all is well, 1 the code has errors, 2 wrong use.",
    run,
};

fn run(args: &Args, session: &mut Session<'_>) -> Result<Exit, Stop> {
    let opened = project::open(args, args.operand.as_deref(), session)?;
    let mut found = Diagnostics::new();
    if let Some(template) = opened.template() {
        let plan = template.plan();
        let sources = opened.sources();
        opened.go_on(args, &plan.found, session)?;
        if args.json {
            let objects = plan.builds.iter().map(|build| of_build(build, &sources));
            writeln!(session.out, "{}", json::pretty(&json::array(objects)))?;
        } else {
            plan.builds.iter().try_for_each(|build| writeln!(session.out, "{}", build.name))?;
        }
        let colour = session.colour(!args.no_color);
        diagnostic::print(&plan.found, &sources, colour, session.err)?;
        let failed = opened.failed || plan.found.has_errors();
        return Ok(if failed { Exit::ERRORS } else { Exit::WELL });
    }
    opened.tell_if_bare(args.operand.as_deref(), session)?;
    let listed = opened.instances(&mut found);
    let sources = opened.sources();
    opened.go_on(args, &found, session)?;
    if args.json {
        let objects = listed.iter().map(|one| object(one, &opened, &sources));
        writeln!(session.out, "{}", json::pretty(&json::array(objects)))?;
    } else {
        listed.iter().try_for_each(|one| writeln!(session.out, "{}", one.address))?;
    }
    diagnostic::print(&found, &sources, session.colour(!args.no_color), session.err)?;
    Ok(if opened.failed || found.has_errors() { Exit::ERRORS } else { Exit::WELL })
}

fn of_build(build: &Build, sources: &Sources) -> String {
    Object::default()
        .with("address", &json::string(&build.name))
        .with("mode", "\"build\"")
        .with("type", &json::string(&build.builder.kind))
        .with("name", &json::string(&build.source))
        .with("place", &json::place(build.place, sources))
        .finish()
}

fn object(one: &Listed, opened: &Opened, sources: &Sources) -> String {
    let mode = match one.mode {
        Some(Mode::Managed) => "managed",
        Some(mode) => mode.word(),
        None => "module",
    };
    let mut object = Object::default()
        .with("address", &json::string(&one.address))
        .with("mode", &json::string(mode));
    if let Some(kind) = &one.kind {
        object = object.with("type", &json::string(kind));
    }
    object = object.with("name", &json::string(&one.name));
    match &one.key {
        Key::None => {}
        Key::Number(at) => object = object.with("index_key", &at.to_string()),
        Key::Text(key) => object = object.with("index_key", &json::string(key)),
    }
    object = object
        .with("module", &json::string(&one.module))
        .with("place", &json::place(one.place, sources));
    if !one.is_installed {
        object = object.with("installed", "false");
    }
    if let Some(causes) = &one.deferred {
        let because = causes_json(causes, &opened.reasons(sources).0);
        let about = Object::default().with("because", &because).finish();
        object = object.with("unknown", &about);
    }
    object.finish()
}
