//! `groma graph`: who refers to whom among the declarations of a project, as DOT for drawing programs or as JSON. It is
//! read off the code: no value is worked out, and instances of one declaration are one node.

use groma::json::{JsonObject, JsonText, Layout, array, place_text};
use groma::{Inputs, References, Vertex};
use groma_syntax::{Diagnostics, Sources};

use super::row::Command;
use crate::flag::{self, Args};
use crate::session::{Exit, Session, Stop};
use crate::view::{diagnostic, json};
use crate::{limit, project, template};

pub(crate) const COMMAND: Command = Command {
    name: "graph",
    about: "Draw who refers to whom among the declarations, as DOT",
    operand: Some(("DIR", "The module's directory (default: the current one)")),
    flags: &[&[flag::json("Print a JSON object of nodes and edges")], flag::MODULE],
    more: "An edge leads from who refers to what is referred to. `groma graph | dot -Tsvg` makes a picture of it.\n\n\
           Exit codes: 0 all is well, 1 the code has errors, 2 wrong use.",
    run,
};

fn run(args: &Args, session: &mut Session<'_>) -> Result<Exit, Stop> {
    let path = args.operand.as_deref();
    if template::is_meant(args, path, session)? {
        let loaded = template::load(args, path, template::Wants::default(), session)?;
        let evaluation = &loaded.evaluation;
        let sources = evaluation.sources();
        limit::go_on(args, evaluation.end(), &loaded.found, &sources, session)?;
        return draw(args, &evaluation.references(), &loaded.found, &sources, session);
    }
    let mut loaded = project::load(args, args.operand.as_deref(), Inputs::Unknown, session)?;
    loaded.found.sort_by_place();
    let missing = project::strictly(args, || loaded.project().gaps());
    loaded.found.extend(missing);
    let project = loaded.project();
    limit::go_on(args, loaded.evaluation.end(), &loaded.found, project.sources(), session)?;
    draw(args, &project.references(), &loaded.found, project.sources(), session)
}

fn draw(
    args: &Args,
    graph: &References,
    found: &Diagnostics,
    sources: &Sources,
    session: &mut Session<'_>,
) -> Result<Exit, Stop> {
    if args.json {
        json::print(Layout::Pretty, session.out, |out| document(graph, sources, out))?;
    } else {
        write!(session.out, "{}", drawing(graph))?;
    }
    let colour = session.colour(!args.no_color);
    diagnostic::print(found, sources, colour, session.err)?;
    Ok(if found.has_errors() { Exit::ERRORS } else { Exit::WELL })
}

fn document(graph: &References, sources: &Sources, out: &mut JsonText<'_>) {
    let mut document = JsonObject::open(out);
    array(&graph.vertices, document.key("nodes"), |vertex, out| {
        let mut node = JsonObject::open(out);
        node.text("id", &vertex.id);
        node.text("kind", vertex.kind);
        node.text("place", &place_text(vertex.place, sources));
        node.close();
    });
    array(&graph.edges, document.key("edges"), |(from, to), out| {
        let mut edge = JsonObject::open(out);
        edge.text("from", &graph.vertices[*from].id);
        edge.text("to", &graph.vertices[*to].id);
        edge.close();
    });
    document.close();
}

/// DOT: the nodes of each called module in a box of their own.
fn drawing(graph: &References) -> String {
    let mut out = String::from("digraph groma {\n  rankdir = LR;\n  node [shape = box];\n\n");
    let mut modules: Vec<&str> = graph.vertices.iter().map(|vertex| &*vertex.module).collect();
    modules.sort_unstable();
    modules.dedup();
    let mut members: Vec<&Vertex> = graph.vertices.iter().collect();
    // The order within a module stays that of the addresses.
    members.sort_by(|a, b| a.module.cmp(&b.module));
    let mut rest = members.as_slice();
    for module in modules {
        let (own, others) = rest.split_at(rest.partition_point(|vertex| vertex.module == module));
        rest = others;
        if module.is_empty() {
            own.iter().for_each(|vertex| out.push_str(&format!("  {};\n", quoted(&vertex.id))));
            continue;
        }
        let cluster = quoted(&format!("cluster_{module}"));
        out.push_str(&format!("  subgraph {cluster} {{\n    label = {};\n", quoted(module)));
        for vertex in own {
            let label = vertex.id.strip_prefix(module).unwrap_or(&vertex.id);
            let label = quoted(label.trim_start_matches('.'));
            out.push_str(&format!("    {} [label = {label}];\n", quoted(&vertex.id)));
        }
        out.push_str("  }\n");
    }
    out.push('\n');
    for (from, to) in &graph.edges {
        let [from, to] = [from, to].map(|at| quoted(&graph.vertices[*at].id));
        out.push_str(&format!("  {from} -> {to};\n"));
    }
    out.push_str("}\n");
    out
}

/// A text as DOT takes it: only quotes and backslashes need care.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
