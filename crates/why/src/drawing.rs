//! The provenance tree as text for people: indented rows, or DOT for graph drawing programs.

use std::cell::RefCell;

use groma_syntax::Sources;
use groma_syntax::render::harmless;

use crate::node::{WhyKind, WhyNode, WhyTree};
use crate::summary::short;

/// Maximum number of characters of a value in a row of the printed provenance tree; longer values are cut.
const MAX_VALUE: usize = 48;
/// Maximum number of characters of an expression in a row of the printed provenance tree; longer ones are cut.
const MAX_TEXT: usize = 100;
/// A row of the printed provenance tree: a node with its name, value, place and source text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WhyRow {
    /// The depth of the node; 0 for the root of the tree.
    pub depth: usize,
    /// The kind, the address and the value of the node.
    pub head: String,
    /// `FILE:LINE`, or an empty text.
    pub place: String,
    /// The expression, or an empty text.
    pub text: String,
}

/// Returns the rows of a printed provenance tree, from top to bottom. A node that was printed above is not expanded again;
/// terminal control characters are escaped.
pub fn rows(tree: &WhyTree, sources: &Sources) -> Vec<WhyRow> {
    let mut rows: Vec<WhyRow> = Vec::new();
    let way: RefCell<Vec<usize>> = RefCell::default();
    tree.walk(
        &mut |visit| {
            let mut way = way.borrow_mut();
            let above = way.last().map(|number| &tree.nodes[*number]);
            let is_same = above.is_some_and(|above| is_folded(visit.node, above));
            way.push(visit.number);
            if is_same {
                return;
            }
            let place = visit.node.shown_place(sources);
            let mut text =
                visit.node.text.as_deref().map(|text| one_line(text, MAX_TEXT)).unwrap_or_default();
            if visit.is_seen && !visit.node.from.is_empty() {
                text = "(see above)".to_owned();
            } else if visit.is_deep {
                text = "(more below: ask for this address)".to_owned();
            } else if visit.node.is_cut {
                text.push_str(" (not all of it is shown)");
            }
            let mut head = head(visit.node, above);
            if let Some(value) = &visit.node.value {
                head.push_str(&format!(" = {}", short(value, MAX_VALUE)));
            }
            rows.push(WhyRow {
                depth: visit.depth,
                head: harmless(&head).into_owned(),
                place: harmless(&place.unwrap_or_default()).into_owned(),
                text: harmless(&text).into_owned(),
            });
        },
        &mut || {
            way.borrow_mut().pop();
        },
    );
    rows
}

/// Returns true if a literal is the whole of its declaration's code, and so needs no line of its own.
fn is_folded(node: &WhyNode, above: &WhyNode) -> bool {
    node.kind == WhyKind::Literal && node.place == above.place && node.text == above.text
}

/// Returns the label of a node in the printed provenance tree: its kind and address, without an address that repeats the node
/// above.
fn head(node: &WhyNode, above: Option<&WhyNode>) -> String {
    let word = node.kind.word();
    let Some(address) = &node.address else {
        return match (node.kind, above) {
            (WhyKind::Literal, None) => "expression".to_owned(),
            _ => word.to_owned(),
        };
    };
    let is_same = above.is_some_and(|above| above.address.as_ref() == Some(address));
    match node.kind {
        _ if is_same => word.to_owned(),
        WhyKind::Output
        | WhyKind::Local
        | WhyKind::Variable
        | WhyKind::Resource
        | WhyKind::Data
        | WhyKind::Module => address.clone(),
        WhyKind::Environment | WhyKind::Function => address.clone(),
        _ => format!("{word} {address}"),
    }
}

/// Returns the source text of an expression on one line, cut after `most` characters.
pub(crate) fn one_line(text: &str, most: usize) -> String {
    let mut words = String::new();
    for word in text.split_whitespace() {
        if !words.is_empty() {
            words.push(' ');
        }
        words.push_str(word);
        if let Some((at, _)) = words.char_indices().nth(most) {
            words.truncate(at);
            words.push('…');
            break;
        }
    }
    words
}

/// Returns the provenance tree as a graph in the DOT language: an edge leads from a value to each of its dependencies.
pub fn dot(tree: &WhyTree, sources: &Sources) -> String {
    let mut out = String::from("digraph why {\n  rankdir = LR;\n  node [shape = box];\n\n");
    for (number, node) in tree.nodes.iter().enumerate() {
        let above = None;
        let mut label = head(node, above);
        if !matches!(
            node.kind,
            WhyKind::Output
                | WhyKind::Local
                | WhyKind::Variable
                | WhyKind::Data
                | WhyKind::Resource
        ) && !label.starts_with(node.kind.word())
        {
            label = format!("{} {label}", node.kind.word());
        }
        if let Some(value) = &node.value {
            label = format!("{label} = {}", short(value, MAX_VALUE));
        }
        if let Some(place) = node.shown_place(sources) {
            label = format!("{label}\n{place}");
        }
        out.push_str(&format!("  n{number} [label = {}];\n", quoted(&label)));
    }
    out.push('\n');
    for (number, node) in tree.nodes.iter().enumerate() {
        for below in &node.from {
            out.push_str(&format!("  n{number} -> n{below};\n"));
        }
    }
    out.push_str("}\n");
    out
}

/// Returns a text as a quoted string of DOT.
fn quoted(text: &str) -> String {
    let text = harmless(text);
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}
