//! The graph as text: DOT, Mermaid and JSON. The vertices of each called module are grouped in a box.

use std::fmt::Write as _;

use groma_config::{GraphVertex, ReferenceGraph};
use groma_syntax::Sources;
use groma_value::json::{JsonObject, JsonText, array};

use super::{by_module, short};
use groma::json::place_text;

/// Returns the graph as DOT, for Graphviz and compatible programs.
pub fn dot(graph: &ReferenceGraph) -> String {
    let mut out = String::from("digraph groma {\n  rankdir = LR;\n  node [shape = box];\n\n");
    for (module, members) in by_module(graph) {
        if module.is_root() {
            members.iter().for_each(|(_, vertex)| {
                let _ = writeln!(out, "  {};", in_dot(&vertex.id.to_string()));
            });
            continue;
        }
        let cluster = in_dot(&format!("cluster_{module}"));
        let _ =
            writeln!(out, "  subgraph {cluster} {{\n    label = {};", in_dot(&module.to_string()));
        for (_, vertex) in members {
            let label = in_dot(&short(vertex));
            let _ = writeln!(out, "    {} [label = {label}];", in_dot(&vertex.id.to_string()));
        }
        out.push_str("  }\n");
    }
    out.push('\n');
    let names: Vec<String> =
        graph.vertices.iter().map(|vertex| in_dot(&vertex.id.to_string())).collect();
    for (from, to) in &graph.edges {
        let [from, to] = [from, to].map(|at| &names[*at]);
        let _ = writeln!(out, "  {from} -> {to};");
    }
    out.push_str("}\n");
    out
}

/// Returns a text as a quoted string of DOT, with quotes and backslashes escaped.
fn in_dot(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Returns the graph as a Mermaid flowchart, which many sites render in Markdown. For resources alone it equals the output of
/// `terraform graph -format=mermaid`.
pub fn mermaid(graph: &ReferenceGraph) -> String {
    let mut out = String::from("flowchart LR\n");
    let groups = by_module(graph);
    // Edges are sorted by their start.
    let mut ranks = vec![0; graph.vertices.len()];
    let members = groups.iter().flat_map(|(_, members)| members);
    members.enumerate().for_each(|(rank, (at, _))| ranks[*at] = rank);
    for (number, (module, members)) in groups.into_iter().enumerate() {
        let indent = if module.is_root() { "  " } else { "    " };
        match &*module.to_string() {
            "" => {}
            plain if is_plain(plain) => drop(writeln!(out, "  subgraph {plain}")),
            other => drop(writeln!(out, "  subgraph m{number}[{}]", in_mermaid(other))),
        }
        for (at, vertex) in members {
            let _ = writeln!(out, "{indent}{}[{}]", name(at, vertex), in_mermaid(&short(vertex)));
        }
        if !module.is_root() {
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

/// Returns the id of a vertex in Mermaid: its address, or a number if Mermaid would misread it.
fn name(at: usize, vertex: &GraphVertex) -> String {
    let address = vertex.id.to_string();
    if is_plain(&address) { address } else { format!("n{at}") }
}

/// Returns true if an address consists of names and dots only.
fn is_plain(address: &str) -> bool {
    let is_name = |one: char| one.is_alphanumeric() || matches!(one, '_' | '-' | '.');
    address.contains('.') && address.chars().all(is_name)
}

/// Returns a text as a quoted label of Mermaid, with special characters as entities.
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

/// Writes the graph as a JSON object of nodes and edges.
pub fn write_json(graph: &ReferenceGraph, sources: &Sources, out: &mut JsonText<'_>) {
    let names: Vec<String> = graph.vertices.iter().map(|vertex| vertex.id.to_string()).collect();
    let mut document = JsonObject::open(out);
    array(&graph.vertices, document.key("nodes"), |vertex, out| {
        let mut node = JsonObject::open(out);
        node.text("id", &vertex.id.to_string());
        node.text("kind", vertex.kind);
        node.text("place", &place_text(vertex.place, sources));
        node.close();
    });
    array(&graph.edges, document.key("edges"), |(from, to), out| {
        let mut edge = JsonObject::open(out);
        edge.text("from", &names[*from]);
        edge.text("to", &names[*to]);
        edge.close();
    });
    document.close();
}

#[cfg(test)]
mod tests {
    use super::{in_dot, in_mermaid};

    /// Tests that labels are escaped for DOT and for Mermaid.
    #[test]
    fn labels_say_nothing_but_themselves() {
        assert_eq!(in_dot("a\"b\\c"), "\"a\\\"b\\\\c\"");
        assert_eq!(in_mermaid("build.<b> \"`#"), "\"build.#60;b#62; #34;#96;#35;\"");
        assert_eq!(in_mermaid("local.größe"), "\"local.größe\"");
    }
}
