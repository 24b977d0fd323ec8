//! `groma inspect`: what a Packer template is made of: variables and locals with their values, data, sources, builds
//! and what happens in each.

use groma_packer::{Build, Part, Stated};
use groma_syntax::{Diagnostics, Sources};
use groma_value::codec::json_type;
use groma_value::print;

use super::row::Command;
use crate::flag::{self, Args};
use crate::limit;
use crate::project;
use crate::session::{Exit, Session, Stop};
use crate::template::{self, Loaded, Wants};
use crate::view::json::{self, Object};
use crate::view::{diagnostic, value};

pub(crate) const COMMAND: Command = Command {
    name: "inspect",
    about: "Say what a Packer template is made of",
    operand: Some(("DIR", "The template's directory or file (default: the current directory)")),
    flags: &[
        &[flag::json("Print a JSON object of all that is declared")],
        flag::MODULE,
        flag::TEMPLATE,
        flag::BUILDS,
    ],
    more: "Variables have the values that are given; one without a value is unknown. Sensitive values are shown by \
           --json only.\n\nExit codes: 0 all is well, 1 the code has errors, 2 wrong use.",
    run,
};

fn run(args: &Args, session: &mut Session<'_>) -> Result<Exit, Stop> {
    let path = args.operand.as_deref();
    if !template::is_meant(args, path, session)? {
        let shown = path.unwrap_or(".");
        return Err(Stop::Misuse(format!(
            "{shown} holds no Packer template, and inspect is about these. `groma list` and `groma graph` show modules."
        )));
    }
    let loaded = template::load(args, path, Wants::default(), session)?;
    let mut plan = loaded.evaluation.plan();
    let mut found: Diagnostics = loaded.found.clone();
    found.extend(loaded.evaluation.found());
    found.extend(std::mem::take(&mut plan.found));
    found.extend(project::strictly(args, || loaded.evaluation.gaps(&plan.builds)));
    let sources = loaded.evaluation.sources();
    limit::go_on(args, loaded.evaluation.end(), &found, &sources, session)?;
    if args.json {
        let document = document(&loaded, &plan.builds, &sources);
        writeln!(session.out, "{}", json::pretty(&document))?;
    } else {
        let mut text = String::new();
        write(&loaded, &plan.builds, &mut text);
        write!(session.out, "{text}")?;
    }
    let colour = session.colour(!args.no_color);
    diagnostic::print(&found, &sources, colour, session.err)?;
    Ok(if found.has_errors() { Exit::ERRORS } else { Exit::WELL })
}

fn document(loaded: &Loaded, builds: &[Build], sources: &Sources) -> String {
    let evaluation = &loaded.evaluation;
    let all = |stated: Vec<Stated>| {
        json::array(stated.iter().map(|one| of_stated(one, sources)).collect::<Vec<_>>())
    };
    let optional =
        |text: &Option<String>| text.as_ref().map_or("null".to_owned(), |t| json::string(t));
    let plugins = evaluation.plugins().iter().map(|plugin| {
        Object::default()
            .with("name", &json::string(&plugin.name))
            .with("source", &optional(&plugin.source))
            .with("version", &optional(&plugin.version))
            .finish()
    });
    let origins = evaluation.origins().iter().map(|origin| {
        Object::default()
            .with("type", &json::string(&origin.kind))
            .with("name", &json::string(&origin.name))
            .with("place", &json::place(origin.place, sources))
            .finish()
    });
    Object::default()
        .with("format_version", "\"1.0\"")
        .with("plugins", &json::array(plugins))
        .with("variables", &all(evaluation.variables()))
        .with("locals", &all(evaluation.locals()))
        .with("data", &all(evaluation.data()))
        .with("sources", &json::array(origins))
        .with("builds", &json::array(builds.iter().map(|build| of_build(build, sources))))
        .finish()
}

fn of_stated(one: &Stated, sources: &Sources) -> String {
    let mut object = Object::default()
        .with("name", &json::string(&one.name))
        .with("type", &json_type::write(&one.ty.without_optional()));
    if let Some(description) = &one.description {
        object = object.with("description", &json::string(description));
    }
    if let Some(value) = &one.value {
        object = object.with("value", &value::json(value));
        if !value.is_wholly_known() {
            object = object.with("unknown", "true");
        }
    }
    let sensitive = if one.sensitive { "true" } else { "false" };
    object.with("sensitive", sensitive).with("place", &json::place(one.place, sources)).finish()
}

fn of_build(build: &Build, sources: &Sources) -> String {
    let part = |part: &Part| {
        let object = Object::default().with("type", &json::string(&part.kind));
        let object = match &part.name {
            Some(name) => object.with("name", &json::string(name)),
            None => object,
        };
        object.with("checked", if part.is_checked { "true" } else { "false" }).finish()
    };
    let chains =
        build.chains.iter().map(|chain| json::array(chain.iter().map(part).collect::<Vec<_>>()));
    let object = Object::default()
        .with("name", &json::string(&build.name))
        .with("builder", &part(&build.builder))
        .with("provisioners", &json::array(build.provisioners.iter().map(part)))
        .with("post_processors", &json::array(chains));
    let object = match &build.cleanup {
        Some(cleanup) => object.with("error_cleanup_provisioner", &part(cleanup)),
        None => object,
    };
    object.with("place", &json::place(build.place, sources)).finish()
}

fn write(loaded: &Loaded, builds: &[Build], text: &mut String) {
    let evaluation = &loaded.evaluation;
    let mut section = |title: &str, rows: Vec<String>| {
        if !rows.is_empty() {
            let gap = if text.is_empty() { "" } else { "\n" };
            text.push_str(&format!("{gap}{title}\n"));
            rows.iter().flat_map(|row| row.lines()).for_each(|row| {
                text.push_str(&format!("  {row}\n"));
            });
        }
    };
    let plugins = evaluation.plugins().iter().map(|plugin| {
        let parts = [plugin.source.as_deref(), plugin.version.as_deref()];
        let rest: String = parts.iter().flatten().map(|part| format!(" {part}")).collect();
        format!("{}{rest}", plugin.name)
    });
    section("plugins", plugins.collect());
    let typed = |one: &Stated| {
        let ty = print::type_constraint(&one.ty);
        format!("{}: {ty} = {}", one.name, shown(one))
    };
    section("variables", evaluation.variables().iter().map(typed).collect());
    let plain = |one: &Stated| format!("{} = {}", one.name, shown(one));
    section("locals", evaluation.locals().iter().map(plain).collect());
    section("data", evaluation.data().iter().map(plain).collect());
    let origins = evaluation.origins().iter();
    section("sources", origins.map(|origin| format!("{}.{}", origin.kind, origin.name)).collect());
    section("builds", builds.iter().map(steps).collect());
}

fn shown(one: &Stated) -> String {
    match &one.value {
        Some(_) if one.sensitive => "(sensitive value)".to_owned(),
        Some(got) => value::plain_text(got),
        None => "(not worked out)".to_owned(),
    }
}

/// A build and what happens in it, line by line.
fn steps(build: &Build) -> String {
    let name = |part: &Part| match &part.name {
        Some(name) => format!("{} \"{name}\"", part.kind),
        None => part.kind.to_string(),
    };
    let mut lines = vec![build.name.clone()];
    lines.extend(build.provisioners.iter().map(|part| format!("  provisioner {}", name(part))));
    let cleanup = build.cleanup.iter();
    lines.extend(cleanup.map(|part| format!("  error-cleanup-provisioner {}", name(part))));
    lines.extend(build.chains.iter().map(|chain| {
        let names: Vec<String> = chain.iter().map(name).collect();
        format!("  post-processor {}", names.join(", then "))
    }));
    lines.join("\n")
}
