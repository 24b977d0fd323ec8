//! `groma inspect`: shows the contents of a Packer template: variables and locals with their values, data sources, sources, and
//! the steps of each build.

use groma::json::JsonLayout;
use groma::packer::{Build, ComponentUse, StatedValue};
use groma::values::print;
use groma_document::write_template;
use groma_syntax::Diagnostics;

use super::row::CommandRow;
use crate::flag::{self, CommandArgs};
use crate::limit;
use crate::project;
use crate::session::{EarlyStop, ExitStatus, RunSession};
use crate::template::{self, LoadedTemplate, TemplateRequest};
use crate::view::{diagnostic, json, value};

/// The command `groma inspect`: its flags, help and entry point.
pub(crate) const COMMAND: CommandRow = CommandRow {
    name: "inspect",
    about: "Show the variables, data sources and builds of a Packer template",
    operand: Some(("DIR", "The template's directory or file (default: the current directory)")),
    flags: &[
        &[flag::json("Print all declarations as a JSON object")],
        flag::MODULE,
        flag::TEMPLATE,
        flag::BUILDS,
    ],
    more: "A variable without a value is unknown. Sensitive values are shown by --json only.\n\n\
           Exit codes: 0 success, 1 the code has errors, 2 wrong use.",
    run,
};

/// Prints the plugins, variables, locals, data sources, sources and builds of a Packer template as text or JSON.
fn run(args: &CommandArgs, session: &mut RunSession<'_>) -> Result<ExitStatus, EarlyStop> {
    let path = args.operand.as_deref();
    if !template::names_template(args, path, session)? {
        let shown = path.unwrap_or(".");
        return Err(EarlyStop::Misuse(format!(
            "{shown} contains no Packer template. For modules, use `groma list` or `groma graph`."
        )));
    }
    let loaded = template::load(args, path, TemplateRequest::default(), session)?;
    let mut plan = loaded.evaluation.plan();
    let mut found: Diagnostics = loaded.found.clone();
    found.extend(loaded.evaluation.found());
    found.extend(std::mem::take(&mut plan.found));
    found
        .extend(project::strict_error(args, found.iter(), || loaded.evaluation.gaps(&plan.builds)));
    let sources = loaded.evaluation.sources();
    limit::stop_if_ended(args, loaded.evaluation.end(), &found, &sources, session)?;
    if args.json {
        json::print(JsonLayout::Pretty, session.out, &session.watch, |out| {
            write_template(&loaded.evaluation, &plan.builds, &sources, out);
        })?;
    } else {
        let mut text = String::new();
        write(&loaded, &plan.builds, &mut text);
        write!(session.out, "{text}")?;
    }
    let colour = session.colour(!args.no_color);
    diagnostic::print(&found, &sources, colour, session.err)?;
    Ok(if found.has_errors() { ExitStatus::ERRORS } else { ExitStatus::SUCCESS })
}

/// Writes the contents of a Packer template as text, section by section.
fn write(loaded: &LoadedTemplate, builds: &[Build], text: &mut String) {
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
    let typed = |one: &StatedValue| {
        let ty = print::type_constraint(&one.ty);
        format!("{}: {ty} = {}", one.name, shown(one))
    };
    section("variables", evaluation.variables().iter().map(typed).collect());
    let plain = |one: &StatedValue| format!("{} = {}", one.name, shown(one));
    section("locals", evaluation.locals().iter().map(plain).collect());
    section("data", evaluation.data().iter().map(plain).collect());
    let origins = evaluation.origins().iter();
    section("sources", origins.map(|origin| format!("{}.{}", origin.kind, origin.name)).collect());
    section("builds", builds.iter().map(steps).collect());
}

/// Returns a variable's or local's value as text, or a placeholder if it is sensitive or was not evaluated.
fn shown(one: &StatedValue) -> String {
    match &one.value {
        Some(_) if one.sensitive => "(sensitive value)".to_owned(),
        Some(got) => value::plain_text(got),
        None => "(not evaluated)".to_owned(),
    }
}

/// Returns the text about a build: its name, then its provisioners and post-processors, each on a line.
fn steps(build: &Build) -> String {
    let name = |part: &ComponentUse| match &part.name {
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
