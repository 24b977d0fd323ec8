//! The graph as text: DOT, Mermaid and JSON. The nodes of each called module stand in a box of their own.

use std::fmt::Write as _;

use groma_config::{GraphVertex, ReferenceGraph};
use groma_syntax::Sources;
use groma_value::json::{JsonObject, JsonText, array};

use super::{by_module, short};
use groma::json::place_text;

/// The graph as DOT, for Graphviz and its kin.
pub fn dot(graph: &ReferenceGraph) -> String {
    let mut out = String::from("digraph groma {\n  rankdir = LR;\n  node [shape = box];\n\n");
    for (module, members) in by_module(graph) {
        if module.is_empty() {
            members.iter().for_each(|(_, vertex)| {
                let _ = writeln!(out, "  {};", in_dot(&vertex.id));
            });
            continue;
        }
        let cluster = in_dot(&format!("cluster_{module}"));
        let _ = writeln!(out, "  subgraph {cluster} {{\n    label = {};", in_dot(module));
        for (_, vertex) in members {
            let label = in_dot(short(vertex));
            let _ = writeln!(out, "    {} [label = {label}];", in_dot(&vertex.id));
        }
        out.push_str("  }\n");
    }
    out.push('\n');
    for (from, to) in &graph.edges {
        let [from, to] = [from, to].map(|at| in_dot(&graph.vertices[*at].id));
        let _ = writeln!(out, "  {from} -> {to};");
    }
    out.push_str("}\n");
    out
}

/// A text as DOT takes it: only quotes and backslashes need care.
fn in_dot(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// The graph as a flowchart of Mermaid, which many sites draw where Markdown stands. Of resources alone it is the text of
/// `terraform graph -format=mermaid`.
pub fn mermaid(graph: &ReferenceGraph) -> String {
    let mut out = String::from("flowchart LR\n");
    let groups = by_module(graph);
    // Edges stand in the order of what they start from.
    let mut ranks = vec![0; graph.vertices.len()];
    let members = groups.iter().flat_map(|(_, members)| members);
    members.enumerate().for_each(|(rank, (at, _))| ranks[*at] = rank);
    for (number, (module, members)) in groups.into_iter().enumerate() {
        let indent = if module.is_empty() { "  " } else { "    " };
        match module {
            "" => {}
            plain if is_plain(plain) => drop(writeln!(out, "  subgraph {plain}")),
            other => drop(writeln!(out, "  subgraph m{number}[{}]", in_mermaid(other))),
        }
        for (at, vertex) in members {
            let _ = writeln!(out, "{indent}{}[{}]", name(at, vertex), in_mermaid(short(vertex)));
        }
        if !module.is_empty() {
            out.push_str("  end\n");
        }
    }
    let mut edges = graph.edges.clone();
    edges.sort_by_key(|(from, to)| (ranks[*from], ranks[*to]));
    for (from, to) in edges {
        let [from, to] = [from, to].map(|at| name(at, &graph.vertices[at]));
        let _ = writeln!(out, "  {from} --> {to}");
    }
    out
}

/// Returns what Mermaid calls a vertex: its address, unless that holds what Mermaid would read otherwise.
fn name(at: usize, vertex: &GraphVertex) -> String {
    match is_plain(&vertex.id) {
        true => vertex.id.clone(),
        false => format!("n{at}"),
    }
}

/// Returns true if an address is made of names and dots alone.
fn is_plain(address: &str) -> bool {
    let is_name = |one: char| one.is_alphanumeric() || matches!(one, '_' | '-' | '.');
    address.contains('.') && address.chars().all(is_name)
}

/// A text as a quoted label of Mermaid, which reads entities with `#` in it and much besides.
fn in_mermaid(text: &str) -> String {
    let mut out = String::from("\"");
    for letter in text.chars() {
        match letter {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '.' | '_' | '-' | ' ' | '/' | ':' | '[' | ']' => {
                out.push(letter);
            }
            _ if letter.is_alphabetic() => out.push(letter),
            _ => {
                let _ = write!(out, "#{};", letter as u32);
            }
        }
    }
    out.push('"');
    out
}

/// The graph as a JSON object of nodes and edges.
pub fn write_json(graph: &ReferenceGraph, sources: &Sources, out: &mut JsonText<'_>) {
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

#[cfg(test)]
mod tests {
    use super::{in_dot, in_mermaid};

    #[test]
    fn labels_say_nothing_but_themselves() {
        assert_eq!(in_dot("a\"b\\c"), "\"a\\\"b\\\\c\"");
        assert_eq!(in_mermaid("build.<b> \"`#"), "\"build.#60;b#62; #34;#96;#35;\"");
        assert_eq!(in_mermaid("local.größe"), "\"local.größe\"");
    }
}
