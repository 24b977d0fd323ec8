//! `groma compat`: a table of the version-dependent features that a root uses, and for each target edition whether it reads the
//! code with the same meaning.

use groma::json::JsonLayout;
use groma::{
    Dialect, Edition, RootInputs,
    editions::{CompatReport, CompatTarget, since},
};
use groma_syntax::render;

use super::row::CommandRow;
use crate::flag::{self, CommandArgs, FlagRow, FlagValue};
use crate::session::{EarlyStop, ExitStatus, RunSession};
use crate::view::{diagnostic, json};
use crate::{limit, project, template};

/// Maximum number of places listed for one feature; further ones are only counted.
const MAX_PLACES: usize = 5;

/// The command `groma compat`: its flags, help and entry point.
pub(crate) const COMMAND: CommandRow = CommandRow {
    name: "compat",
    about: "Show which versions of Terraform and OpenTofu can read a module, and what differs",
    operand: Some(("DIR", "The module's directory (default: the current directory)")),
    flags: &[&[flag::json("Print a JSON document"), TARGETS], flag::MODULE],
    more: "Values of variables are used where they are given. Without --targets only the table is printed.\n\n\
           Exit codes: 0 every target can read the module, 1 one cannot, or the code has errors, 2 wrong use.",
    run,
};

/// `--targets`: the editions to check the root against.
const TARGETS: FlagRow = FlagRow {
    name: "targets",
    takes: FlagValue::Value("EDITIONS"),
    about: "The versions to check, such as terraform@1.5,opentofu@1.8 (may repeat)",
    read: |args, text| {
        for text in text.split(',').map(str::trim) {
            match Edition::parse(text).filter(|one| one.dialect != Dialect::Packer) {
                Some(edition) => args.editions.push(edition),
                None => {
                    return Err(format!(
                        "--targets takes versions such as terraform@1.5 or opentofu@1.8, not \"{text}\"."
                    ));
                }
            }
        }
        Ok(())
    },
};

/// Prints the compatibility report of a root; fails if a target edition cannot read it.
fn run(args: &CommandArgs, session: &mut RunSession<'_>) -> Result<ExitStatus, EarlyStop> {
    let path = args.operand.as_deref();
    if template::names_template(args, path, session)? {
        return Err(EarlyStop::Misuse(
            "This is a Packer template; compat compares versions of OpenTofu and Terraform only."
                .into(),
        ));
    }
    let loaded = project::load(args, path, RootInputs::Given, session)?;
    let snapshot = loaded.snapshot();
    let found = snapshot.findings();
    let sources = snapshot.sources();
    limit::stop_if_ended(args, loaded.evaluation.end(), found, &sources, session)?;
    let compat = snapshot.compat(&args.editions);
    if args.json {
        json::print(JsonLayout::Pretty, session.out, &session.watch, |out| compat.write_json(out))?;
    } else {
        write!(session.out, "{}", text(&compat))?;
    }
    let errors: Vec<_> =
        found.iter().filter(|one| one.severity == groma::Severity::Error).collect();
    let fits = compat.targets.iter().all(CompatTarget::is_compatible);
    diagnostic::print(
        errors.iter().copied(),
        &sources,
        session.colour(!args.no_color),
        session.err,
    )?;
    Ok(if fits && errors.is_empty() { ExitStatus::SUCCESS } else { ExitStatus::ERRORS })
}

/// Formats a compatibility report: the table of features, then a paragraph for each target edition.
fn text(compat: &CompatReport) -> String {
    let mut out = table(compat);
    for target in &compat.targets {
        if !out.is_empty() {
            out.push('\n');
        }
        out.push_str(&verdict(compat, target));
    }
    out
}

/// Returns the table of version-dependent features, each with the first version of each program that has it.
fn table(compat: &CompatReport) -> String {
    if compat.needs.is_empty() {
        return "No feature is used that only some versions have.\n".to_owned();
    }
    let mut rows = vec![["used", "OpenTofu", "Terraform", "where"].map(str::to_owned)];
    rows.extend(compat.needs.iter().map(|need| {
        let mut places =
            need.places.iter().take(MAX_PLACES).cloned().collect::<Vec<_>>().join(", ");
        if let Some(more) = need.places.len().checked_sub(MAX_PLACES).filter(|more| *more > 0) {
            places.push_str(&format!(", {more} more"));
        }
        [
            need.what.clone(),
            since(need.editions, Dialect::OpenTofu),
            since(need.editions, Dialect::Terraform),
            places,
        ]
    }));
    let width = |at: usize| rows.iter().map(|row| row[at].chars().count()).max().unwrap_or(0);
    let widths = [width(0), width(1), width(2)];
    let line = |row: &[String; 4]| {
        let cell = |at: usize| format!("{:<1$}", row[at], widths[at]);
        format!("{}  {}  {}  {}\n", cell(0), cell(1), cell(2), row[3])
    };
    rows.iter().map(line).collect()
}

/// Returns the paragraph about one target edition: what it lacks and which values differ.
fn verdict(compat: &CompatReport, target: &CompatTarget) -> String {
    let edition = target.edition;
    if target.is_compatible() {
        return format!("{edition} can read this module.\n");
    }
    let mut out = format!("{edition} cannot read this module.\n");
    for need in target.missing.iter().filter_map(|at| compat.needs.get(*at)) {
        let since = since(need.editions, edition.dialect);
        let when = match since.as_str() {
            "no" => format!("{} does not have it", edition.dialect),
            since => format!("{} has it since {since}", edition.dialect),
        };
        let place = need.places.first().map(|place| format!(" ({place})")).unwrap_or_default();
        out.push_str(&format!("  {}: {when}{place}\n", need.what));
    }
    for value in &target.values {
        out.push_str(&format!(
            "  {} is {} there, and {} in {} ({})\n",
            value.address, value.there, value.here, compat.read_as, value.place
        ));
    }
    if !target.values.is_empty() || !target.found.is_empty() {
        for difference in &target.differences {
            let holds = match difference.editions.includes(edition) {
                true => difference.holds,
                false => difference.otherwise,
            };
            out.push_str(&format!("  there: {holds}\n"));
        }
    }
    for one in &target.found {
        out.push('\n');
        out.push_str(&render::render(one, &target.sources, false));
    }
    out
}
