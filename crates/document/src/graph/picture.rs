//! The graph as an SVG picture: a box for each declaration inside of the box of its module, and a curve for each edge. The
//! picture depends on the graph alone; it needs no other program, script or particular font.

use std::fmt::Write as _;

use groma_config::{ModulePath, ReferenceGraph};
use rustc_hash::FxHashMap;

use super::layout::{BoxSize, place};
use super::short;

/// Assumed width of a character in SVG units.
const LETTER: f64 = 7.5;
/// Width of a box beyond its text, in SVG units.
const PADDING: f64 = 18.0;

/// Height of a declaration's box, in SVG units.
const HEIGHT: f64 = 26.0;

/// Space between the box of a module and its contents, in SVG units.
const MARGIN: f64 = 14.0;
/// Additional space at the top of a module's box for its name, in SVG units.
const TITLE: f64 = 20.0;

/// The CSS style sheet of the SVG picture, with a colour for each kind of declaration.
const STYLE: &str = "text{font:12px ui-monospace,monospace;fill:#1b1f24}rect{fill:#f6f8fa;stroke:#57606a}\
rect.module-box{fill:#afb8c1;fill-opacity:.18;stroke:#afb8c1}rect.resource,rect.source{fill:#ddf4ff}rect.data{fill:#e6ffec}\
rect.ephemeral{fill:#fbefff}rect.module,rect.build{fill:#fff8c5}rect.output{fill:#ffeff7}path{fill:none;stroke:#57606a}";

/// The box of a module in the picture: the indices of its vertices and of the boxes of its modules, and its size and corner.
#[derive(Default)]
struct ModuleBox {
    parent: usize,
    depth: usize,
    title: String,
    vertices: Vec<usize>,
    modules: Vec<usize>,
    /// The edges between its inner boxes.
    edges: Vec<(usize, usize)>,
    size: BoxSize,
    /// The corners of its inner boxes, relative to it.
    corners: Vec<(f64, f64)>,
    /// Its own corner in the picture.
    corner: (f64, f64),
}

/// Returns the graph as the text of an SVG picture.
pub fn svg(graph: &ReferenceGraph) -> String {
    let (mut modules, home) = module_boxes(graph);
    let sizes: Vec<BoxSize> =
        graph.vertices.iter().map(|vertex| box_size(&short(vertex))).collect();
    share_edges(graph, &mut modules, &home);
    let mut order: Vec<usize> = (0..modules.len()).collect();
    // Innermost modules first, because the size of a module depends on its contents.
    order.sort_by_key(|at| std::cmp::Reverse(modules[*at].depth));
    for at in &order {
        let module = &modules[*at];
        let own = module.vertices.iter().map(|vertex| sizes[*vertex]);
        let boxes: Vec<BoxSize> =
            own.chain(module.modules.iter().map(|inner| modules[*inner].size)).collect();
        let placed = place(&boxes, &module.edges);
        let module = &mut modules[*at];
        let title = if module.parent == *at { 0.0 } else { TITLE };
        let width = placed.size.width.max(box_size(&module.title).width - PADDING);
        module.size = BoxSize {
            width: (width + 2.0 * MARGIN).ceil(),
            height: (placed.size.height + title + 2.0 * MARGIN).ceil(),
        };
        module.corners =
            placed.corners.into_iter().map(|(x, y)| (x + MARGIN, y + MARGIN + title)).collect();
    }
    let mut corners = vec![(0.0, 0.0); graph.vertices.len()];
    for at in order.iter().rev() {
        let module = &mut modules[*at];
        let (left, top) = module.corner;
        let (own, inner) =
            (std::mem::take(&mut module.corners), std::mem::take(&mut module.modules));
        let mut own = own.into_iter().map(|(x, y)| (x + left, y + top));
        module.vertices.iter().zip(own.by_ref()).for_each(|(vertex, spot)| corners[*vertex] = spot);
        inner.iter().zip(own).for_each(|(inner, spot)| modules[*inner].corner = spot);
    }
    render(graph, &modules, &sizes, &corners)
}

/// Returns the boxes of the modules, the root first, and for each vertex the index of its module's box.
fn module_boxes(graph: &ReferenceGraph) -> (Vec<ModuleBox>, Vec<usize>) {
    let mut modules = vec![ModuleBox::default()];
    let mut known: FxHashMap<ModulePath, usize> = FxHashMap::from_iter([(ModulePath::ROOT, 0)]);
    let mut home = Vec::with_capacity(graph.vertices.len());
    for (at, vertex) in graph.vertices.iter().enumerate() {
        // Calling modules that are not known yet, innermost first.
        let mut new: Vec<ModulePath> = Vec::new();
        let mut module = vertex.id.module().clone();
        let mut owner = loop {
            if let Some(owner) = known.get(&module) {
                break *owner;
            }
            let caller = module.caller().unwrap_or_default();
            new.push(std::mem::replace(&mut module, caller));
        };
        for address in new.into_iter().rev() {
            let number = modules.len();
            let (parent, depth) = (owner, modules[owner].depth + 1);
            modules.push(ModuleBox {
                parent,
                depth,
                title: address.to_string(),
                ..ModuleBox::default()
            });
            modules[parent].modules.push(number);
            known.insert(address, number);
            owner = number;
        }
        modules[owner].vertices.push(at);
        home.push(owner);
    }
    (modules, home)
}

/// Assigns each edge to the innermost module that contains both ends, as an edge between boxes of that module; `home` has for
/// each vertex the index of its module's box.
fn share_edges(graph: &ReferenceGraph, modules: &mut [ModuleBox], home: &[usize]) {
    // The index of each vertex or module among the boxes of its module.
    let mut box_of_vertex = vec![0; graph.vertices.len()];
    let mut box_of_module = vec![0; modules.len()];
    for module in modules.iter() {
        let own = module.vertices.len();
        module.vertices.iter().enumerate().for_each(|(at, vertex)| box_of_vertex[*vertex] = at);
        module.modules.iter().enumerate().for_each(|(at, inner)| box_of_module[*inner] = own + at);
    }
    for (from, to) in &graph.edges {
        let mut ends = [(home[*from], box_of_vertex[*from]), (home[*to], box_of_vertex[*to])];
        while ends[0].0 != ends[1].0 {
            let deeper = usize::from(modules[ends[1].0].depth > modules[ends[0].0].depth);
            let module = ends[deeper].0;
            ends[deeper] = (modules[module].parent, box_of_module[module]);
        }
        modules[ends[0].0].edges.push((ends[0].1, ends[1].1));
    }
}

/// Returns the size of the box for a text.
fn box_size(text: &str) -> BoxSize {
    // East Asian characters are twice as wide.
    let letters: usize = text.chars().map(|one| if one >= '\u{1100}' { 2 } else { 1 }).sum();
    BoxSize { width: (letters as f64 * LETTER + PADDING).ceil(), height: HEIGHT }
}

/// Returns the SVG document of a graph with its edges and a box for each module and each vertex, that of a vertex with its
/// size in `sizes` and its upper left corner in `corners`.
fn render(
    graph: &ReferenceGraph,
    modules: &[ModuleBox],
    sizes: &[BoxSize],
    corners: &[(f64, f64)],
) -> String {
    let BoxSize { width, height } = modules.first().map(|module| module.size).unwrap_or_default();
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n\
         <style>{STYLE}</style>\n\
         <defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" style=\"fill:#57606a;stroke:none\"/></marker></defs>\n"
    );
    for module in modules.iter().skip(1) {
        let ((x, y), BoxSize { width, height }) = (module.corner, module.size);
        let _ = writeln!(
            out,
            "<rect class=\"module-box\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"6\"/><text x=\"{}\" y=\"{}\">{}</text>",
            x + MARGIN,
            y + TITLE,
            in_xml(&module.title)
        );
    }
    for (from, to) in &graph.edges {
        let (x1, y1) = (corners[*from].0 + sizes[*from].width, corners[*from].1 + HEIGHT / 2.0);
        let (x2, y2) = (corners[*to].0, corners[*to].1 + HEIGHT / 2.0);
        // A curve that turns back needs more space.
        let bend = ((x2 - x1).abs() / 2.0).clamp(24.0, 160.0).round();
        // An edge from a box to itself goes around above it.
        let lift = if from == to { HEIGHT * 1.5 } else { 0.0 };
        let _ = writeln!(
            out,
            "<path d=\"M{x1} {y1}C{} {} {} {} {x2} {y2}\" marker-end=\"url(#tip)\"/>",
            x1 + bend,
            y1 - lift,
            x2 - bend,
            y2 - lift
        );
    }
    for (at, vertex) in graph.vertices.iter().enumerate() {
        let ((x, y), BoxSize { width, height }) = (corners[at], sizes[at]);
        let _ = writeln!(
            out,
            "<g><title>{}</title><rect class=\"{}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"4\"/><text x=\"{}\" y=\"{}\">{}</text></g>",
            in_xml(&vertex.id.to_string()),
            vertex.kind,
            x + PADDING / 2.0,
            y + 17.0,
            in_xml(&short(vertex))
        );
    }
    out.push_str("</svg>\n");
    out
}

/// Returns a text escaped for XML. Characters that XML does not allow are replaced.
fn in_xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\t' | '\n' | '\r' => out.push(' '),
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            _ => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::in_xml;

    /// Tests that text is escaped for XML.
    #[test]
    fn texts_are_no_markup() {
        assert_eq!(in_xml("a<b>&\"\u{1b}\n"), "a&lt;b&gt;&amp;&quot;\u{fffd} ");
    }
}
