//! `groma plan` of a Packer template: prints each build with each of its sources. Data sources are evaluated where no provider
//! is needed.

use groma::packer::{Build, BuildPlan, ComponentUse, write_build_plan};

use crate::flag::CommandArgs;
use crate::limit;
use crate::project;
use crate::session::{EarlyStop, ExitStatus, RunSession};
use crate::template::{self, TemplateRequest};
use crate::view::{diagnostic, json, value};

/// Plans the builds of a Packer template and prints them as text or JSON.
pub(super) fn run(
    args: &CommandArgs,
    session: &mut RunSession<'_>,
) -> Result<ExitStatus, EarlyStop> {
    let loaded =
        template::load(args, args.operand.as_deref(), TemplateRequest::of_plan(), session)?;
    let mut found = loaded.found;
    found.extend(loaded.evaluation.found());
    let mut plan = loaded.evaluation.plan();
    found.extend(std::mem::take(&mut plan.found));
    let sources = loaded.evaluation.sources();
    let missing =
        project::strict_error(args, found.iter(), || loaded.evaluation.gaps(&plan.builds));
    let is_reported = missing.is_some() && !found.has_errors();
    found.extend(missing);
    limit::stop_if_ended(args, loaded.evaluation.end(), &found, &sources, session)?;
    if args.json {
        json::print(args.layout(), session.out, &session.watch, |out| {
            write_build_plan(&plan, &found, &sources, out)
        })?;
    } else {
        let colour = session.colour(!args.no_color);
        diagnostic::print(&found, &sources, colour, session.err)?;
        if !found.has_errors() || is_reported {
            write(&plan, session)?;
        }
    }
    Ok(if found.has_errors() { ExitStatus::ERRORS } else { ExitStatus::SUCCESS })
}

/// Writes the planned builds of a Packer template as text.
fn write(plan: &BuildPlan, session: &mut RunSession<'_>) -> Result<(), EarlyStop> {
    let out = &mut session.out;
    for build in &plan.builds {
        writeln!(out, "build {}", build.name)?;
        for line in lines(build) {
            writeln!(out, "  {line}")?;
        }
        writeln!(out)?;
    }
    let count = plan.builds.len();
    writeln!(out, "{count} {}.", if count == 1 { "build" } else { "builds" })?;
    Ok(())
}

/// Returns the lines that describe one build: its builder, provisioners and post-processors.
fn lines(build: &Build) -> Vec<String> {
    let mut lines = Vec::new();
    part("builder", &build.builder, &mut lines);
    for one in &build.provisioners {
        part("provisioner", one, &mut lines);
    }
    if let Some(one) = &build.cleanup {
        part("error-cleanup-provisioner", one, &mut lines);
    }
    for chain in &build.chains {
        for (at, one) in chain.iter().enumerate() {
            part(if at == 0 { "post-processor" } else { "then" }, one, &mut lines);
        }
    }
    lines
}

/// Appends the lines that describe a builder, provisioner or post-processor, as `word` calls it: its kind, name and
/// configuration.
fn part(word: &str, part: &ComponentUse, lines: &mut Vec<String>) {
    let name = part.name.as_ref().map(|name| format!(" \"{}\"", &**name)).unwrap_or_default();
    let unchecked = if part.is_checked { "" } else { " (from a plugin, not checked)" };
    lines.push(format!("{word} {}{name}{unchecked}", &*part.kind));
    for (name, value) in part.config.iter() {
        let text = value::plain_text(value);
        let mut rows = text.lines();
        lines.push(format!("  {} = {}", &**name, rows.next().unwrap_or_default()));
        lines.extend(rows.map(|row| format!("  {row}")));
    }
    if let Some(overrides) = &part.overrides {
        let text = value::plain_text(overrides);
        let mut rows = text.lines();
        lines.push(format!("  override = {}", rows.next().unwrap_or_default()));
        lines.extend(rows.map(|row| format!("  {row}")));
    }
}
