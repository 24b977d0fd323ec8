//! `groma graph`: prints the references among the declarations of a project as DOT, Mermaid, JSON or SVG. Nothing is evaluated:
//! all instances of one declaration are one node.

use groma::json::{JsonLayout, place_text};
use groma::{RootInputs, graph::ReferenceGraph, values::nearest};
use groma_document::DeclarationReferences;
use groma_document::graph::{GraphPart, NoSuchVertex, dot, mermaid, svg, write_json};
use groma_syntax::render::harmless;
use groma_syntax::{Diagnostics, Sources};

use super::row::CommandRow;
use crate::drawing::DrawingForm;
use crate::flag::{self, CommandArgs, FlagRow, FlagValue, set};
use crate::session::{EarlyStop, ExitStatus, RunSession};
use crate::view::{diagnostic, json};
use crate::{limit, project, template};

/// The command `groma graph`: its flags, help and entry point.
pub(crate) const COMMAND: CommandRow = CommandRow {
    name: "graph",
    about: "Print the dependency graph as DOT",
    operand: Some(("DIR", "The module's directory (default: the current directory)")),
    flags: &[FLAGS, flag::MODULE],
    more: "An edge leads from a declaration to one that it refers to. `groma graph --format svg > graph.svg` makes a \
           picture.\n\n\
           With --type resources only resources and data sources are shown, with edges through what lies between \
           them: variables, local values, outputs, whole modules and provider configurations. An edge that follows \
           from others is left out, as in `terraform graph`. For a Packer template, data sources, sources and builds \
           are shown.\n\n\
           Exit codes: 0 success, 1 the code has errors, 2 wrong use, or nothing exists at an address.",
    run,
};

/// Flags that only `groma graph` has.
const FLAGS: &[FlagRow] = &[
    flag::json("Print a JSON object of nodes and edges"),
    FlagRow {
        name: "format",
        takes: FlagValue::Value("FORMAT"),
        about: "Print the graph as dot (for Graphviz), mermaid (for Markdown), json or svg (a picture)",
        read: |args, text| match FORMS.iter().find(|(name, _)| *name == text) {
            Some((_, form)) => set(&mut args.drawing.form, *form),
            None => Err(format!("--format must be dot, mermaid, json or svg, not \"{text}\".")),
        },
    },
    FlagRow {
        name: "type",
        takes: FlagValue::Value("TYPE"),
        about: "Show all declarations, or only resources (default: all)",
        read: |args, text| match text {
            "all" => set(&mut args.drawing.summary, false),
            "resources" => set(&mut args.drawing.summary, true),
            "plan" | "plan-refresh-only" | "plan-destroy" | "apply" => Err(format!(
                "--type must be all or resources: the graph shows declarations, not the operations of \"{text}\"."
            )),
            _ => Err(format!("--type must be all or resources, not \"{text}\".")),
        },
    },
    FlagRow {
        name: "in",
        takes: FlagValue::Value("ADDRESS"),
        about: "Show only the module called at ADDRESS and the modules below it",
        read: |args, text| set(&mut args.at, text.to_string()),
    },
    FlagRow {
        name: "around",
        takes: FlagValue::Value("ADDRESS"),
        about: "Show only what ADDRESS depends on and what depends on it",
        read: |args, text| set(&mut args.drawing.around, text.to_string()),
    },
    FlagRow {
        name: "references",
        takes: FlagValue::Value("ADDRESS"),
        about: "List the places that refer to the declaration at ADDRESS, instead of a graph; with --json as an object",
        read: |args, text| set(&mut args.drawing.references, text.to_string()),
    },
    FlagRow {
        name: "depth",
        takes: FlagValue::Value("N"),
        about: "With --around: follow at most N edges",
        read: |args, text| match text.parse() {
            Ok(depth) => set(&mut args.drawing.depth, depth),
            Err(_) => Err(format!("--depth must be a whole number of 0 or more, not \"{text}\".")),
        },
    },
];

/// The output formats, by their names as values of `--format`.
const FORMS: &[(&str, DrawingForm)] = &[
    ("dot", DrawingForm::Dot),
    ("mermaid", DrawingForm::Mermaid),
    ("json", DrawingForm::Json),
    ("svg", DrawingForm::Svg),
];

/// Maximum number of edges that Mermaid draws with its default settings; a note is printed for larger graphs.
const MERMAID_EDGES: usize = 500;

/// Prints the reference graph of a module or a Packer template in the format that `--format` selects, such as DOT.
fn run(args: &CommandArgs, session: &mut RunSession<'_>) -> Result<ExitStatus, EarlyStop> {
    let form = match args.drawing.form {
        Some(form) if args.json && form != DrawingForm::Json => {
            return Err(EarlyStop::Misuse("--json and --format cannot be used together.".into()));
        }
        Some(form) => form,
        None if args.json => DrawingForm::Json,
        None => DrawingForm::Dot,
    };
    if args.drawing.depth.is_some() && args.drawing.around.is_none() {
        return Err(EarlyStop::Misuse(
            "--depth limits --around: give an address with --around.".into(),
        ));
    }
    let path = args.operand.as_deref();
    if let Some(address) = &args.drawing.references {
        if form == DrawingForm::Svg || form == DrawingForm::Mermaid {
            let why = "--references lists places: give it alone or with --json.";
            return Err(EarlyStop::Misuse(why.into()));
        }
        return references(address, args, session);
    }
    if template::names_template(args, path, session)? {
        if args.at.is_some() {
            return Err(EarlyStop::Misuse(
                "--in takes the address of a module call, and a Packer template has none.".into(),
            ));
        }
        let loaded = template::load(args, path, template::TemplateRequest::default(), session)?;
        let evaluation = &loaded.evaluation;
        let sources = evaluation.sources();
        let graph = choose(args, evaluation.references(), || evaluation.resource_references());
        limit::stop_if_ended(args, evaluation.end(), &loaded.found, &sources, session)?;
        return print(form, args, &graph?, &loaded.found, &sources, session);
    }
    let mut loaded = project::load(args, path, RootInputs::Unknown, session)?;
    loaded.evaluation.project().sources().sort(&mut loaded.found);
    let missing = project::strict_error(args, loaded.found.iter(), || loaded.project().gaps());
    loaded.found.extend(missing);
    let project = loaded.project();
    let graph = choose(args, project.references(), || project.resource_references());
    limit::stop_if_ended(args, loaded.evaluation.end(), &loaded.found, project.sources(), session)?;
    print(form, args, &graph?, &loaded.found, project.sources(), session)
}

/// Returns the part of the reference graph `all` that `--in`, `--around` and `--depth` select; with `--type=resources` of the
/// graph that `resources` returns.
fn choose(
    args: &CommandArgs,
    all: ReferenceGraph,
    resources: impl FnOnce() -> ReferenceGraph,
) -> Result<ReferenceGraph, EarlyStop> {
    let misuse = |NoSuchVertex { detail }| EarlyStop::Misuse(detail);
    let mut chosen = GraphPart::all(all);
    if args.drawing.summary == Some(true) {
        chosen = chosen.showing(resources());
    }
    if let Some(module) = &args.at {
        chosen = chosen.within(module).map_err(misuse)?;
    }
    if let Some(address) = &args.drawing.around {
        chosen = chosen.around(address, args.drawing.depth).map_err(misuse)?;
    }
    Ok(chosen.graph)
}

/// Prints a graph in a format, then the diagnostics of the code.
fn print(
    form: DrawingForm,
    args: &CommandArgs,
    graph: &ReferenceGraph,
    found: &Diagnostics,
    sources: &Sources,
    session: &mut RunSession<'_>,
) -> Result<ExitStatus, EarlyStop> {
    match form {
        DrawingForm::Dot => write!(session.out, "{}", dot(graph))?,
        DrawingForm::Mermaid => write!(session.out, "{}", mermaid(graph))?,
        DrawingForm::Svg => write!(session.out, "{}", svg(graph))?,
        DrawingForm::Json => {
            json::print(JsonLayout::Pretty, session.out, &session.watch, |out| {
                write_json(graph, sources, out)
            })?;
        }
    }
    let edges = graph.edges.len();
    if form == DrawingForm::Mermaid && edges > MERMAID_EDGES {
        writeln!(
            session.err,
            "note: the graph has {edges} edges, and Mermaid draws at most {MERMAID_EDGES} unless its maxEdges is raised: --type resources, --in and --around show fewer."
        )?;
    }
    let colour = session.colour(!args.no_color);
    diagnostic::print(found, sources, colour, session.err)?;
    Ok(if found.has_errors() { ExitStatus::ERRORS } else { ExitStatus::SUCCESS })
}

/// Prints the references to one declaration.
fn references(
    address: &str,
    args: &CommandArgs,
    session: &mut RunSession<'_>,
) -> Result<ExitStatus, EarlyStop> {
    let path = args.operand.as_deref();
    if template::names_template(args, path, session)? {
        let why = "--references is for modules; of a Packer template use `groma why ADDRESS`.";
        return Err(EarlyStop::Misuse(why.into()));
    }
    let loaded = project::load(args, path, RootInputs::Unknown, session)?;
    let snapshot = loaded.snapshot();
    let sources = snapshot.sources();
    limit::stop_if_ended(args, loaded.evaluation.end(), &loaded.found, &sources, session)?;
    let found = snapshot.declaration_at(address);
    let Some(found) = found.and_then(|id| DeclarationReferences::of(snapshot, id)) else {
        let graph = loaded.project().references();
        let names: Vec<String> =
            graph.vertices.iter().map(|vertex| vertex.id.to_string()).collect();
        let near = nearest(address, names.iter().map(String::as_str));
        let near = near.map_or_else(
            || "`groma graph --json` lists all declarations.".to_owned(),
            |near| format!("Did you mean {near}?"),
        );
        let why = format!("nothing is declared at {}. {near}", harmless(address));
        return Err(EarlyStop::Misuse(why));
    };
    if args.json || args.drawing.form == Some(DrawingForm::Json) {
        json::print(JsonLayout::Pretty, session.out, &session.watch, |out| {
            found.write_json(&sources, out);
        })?;
        return Ok(ExitStatus::SUCCESS);
    }
    let place = place_text(found.place, &sources);
    writeln!(session.out, "{} ({}) {place}", found.address, found.kind)?;
    for one in found.references.iter().chain(&found.callers) {
        let place = place_text(one.place, &sources);
        let unset = if one.is_given { "" } else { " (not set)" };
        writeln!(session.out, "  {place}:{} {}{unset}", one.column(&sources), one.within)?;
    }
    Ok(ExitStatus::SUCCESS)
}
