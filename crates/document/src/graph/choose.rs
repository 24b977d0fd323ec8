//! Selection of a part of the graph: the contents of a module, or everything that an address refers to or is referred to from. An
//! address may contain instance keys; all instances of a declaration are one vertex.

use groma_address::text::without_keys;
use groma_config::{DeclarationAddress, GraphVertex, ModulePath, ReferenceGraph};
use groma_value::nearest;

/// A selected part of the reference graph. Addresses are looked up among all declarations, so that one outside of the part is
/// distinguished from an undeclared one.
#[derive(Clone, Debug)]
pub struct GraphPart {
    /// The part of the graph.
    pub graph: ReferenceGraph,
    all: Vec<GraphVertex>,
    within: Option<ModulePath>,
}

/// The error of an address that selects no part of the graph: a message about what is wrong and what to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoSuchVertex {
    /// The message, one or more sentences.
    pub detail: String,
}

/// Returns the error `NoSuchVertex` with this message.
fn no_vertex<T>(detail: String) -> Result<T, NoSuchVertex> {
    Err(NoSuchVertex { detail })
}

impl GraphPart {
    /// Returns the whole graph as the selected part.
    pub fn all(graph: ReferenceGraph) -> GraphPart {
        GraphPart { all: graph.vertices.clone(), graph, within: None }
    }

    /// Replaces the selected part of the graph by `graph`; later selections still look up addresses among all declarations.
    pub fn showing(self, graph: ReferenceGraph) -> GraphPart {
        GraphPart { graph, ..self }
    }

    /// Selects the contents of the module that is called at an address, and of the modules below.
    ///
    /// # Errors
    /// If no module is called there.
    pub fn within(mut self, address: &str) -> Result<GraphPart, NoSuchVertex> {
        let module = without_keys(address.trim());
        let path = match self.find(&module) {
            Some(found) if let Some(path) = found.id.called_module() => path,
            Some(found) => {
                let kind = with_article(found.kind);
                return no_vertex(format!(
                    "{module} is {kind}, but --in takes a module call. --around {module} shows what it depends on and what depends on it."
                ));
            }
            None => {
                let calls = texts(self.all.iter().filter(|one| one.kind == "module"));
                let near = near(&module, &calls);
                let known = near.or_else(|| listed("The module calls are", &calls));
                let known = known.unwrap_or_else(|| "There is no module call.".to_owned());
                return no_vertex(format!("There is no module call {module}. {known}"));
            }
        };
        let kept: Vec<bool> =
            self.graph.vertices.iter().map(|vertex| path.contains(vertex.id.module())).collect();
        self.graph = std::mem::take(&mut self.graph).only(&kept);
        self.within = Some(path);
        Ok(self)
    }

    /// Selects everything that an address refers to and is referred to from, within a maximum number of edges if `depth` is set;
    /// for a module call with the contents of the module.
    ///
    /// # Errors
    /// If nothing is declared at the address, or it is outside of the selected part.
    pub fn around(mut self, address: &str, depth: Option<u32>) -> Result<GraphPart, NoSuchVertex> {
        let wanted = without_keys(address.trim());
        let Some(found) = self.find(&wanted) else {
            let known = near(&wanted, &texts(self.all.iter()))
                .unwrap_or_else(|| "`groma list` and `groma graph` show the addresses.".to_owned());
            return no_vertex(format!("Nothing is declared at {wanted}. {known}"));
        };
        let (id, kind, called) = (found.id.clone(), found.kind, found.id.called_module());
        let is_centre = |vertex: &GraphVertex| {
            let is_inside = || called.as_ref().is_some_and(|one| one.contains(vertex.id.module()));
            vertex.id == id || is_inside()
        };
        let centre: Vec<usize> = {
            let all = self.graph.vertices.iter().enumerate();
            all.filter(|(_, vertex)| is_centre(vertex)).map(|(at, _)| at).collect()
        };
        if centre.is_empty() {
            return no_vertex(match &self.within {
                Some(module)
                    if !self
                        .all
                        .iter()
                        .any(|one| is_centre(one) && module.contains(one.id.module())) =>
                {
                    format!("{id} is not in {module}, which --in selects.")
                }
                _ if kind == "module" => {
                    format!("{id} contains no resource or data source: --type all shows the rest.")
                }
                _ => format!("{id} is {}: --type all shows it.", with_article(kind)),
            });
        }
        let edges = &self.graph.edges;
        let turned: Vec<(usize, usize)> = edges.iter().map(|(from, to)| (*to, *from)).collect();
        let count = self.graph.vertices.len();
        let mut kept = reached(count, edges, &centre, depth);
        let leading = reached(count, &turned, &centre, depth);
        kept.iter_mut().zip(leading).for_each(|(kept, leads)| *kept |= leads);
        self.graph = std::mem::take(&mut self.graph).only(&kept);
        Ok(self)
    }

    /// Returns the vertex with an address, whether or not it is in the selected part; `None` if it is not declared.
    fn find(&self, address: &str) -> Option<&GraphVertex> {
        let address = DeclarationAddress::parse(address)?;
        self.all.iter().find(|vertex| vertex.id == address)
    }
}

/// Returns for each of `count` vertices true if it is one of `centre` or edges lead to it from one, at most `depth` edges if set.
fn reached(
    count: usize,
    edges: &[(usize, usize)],
    centre: &[usize],
    depth: Option<u32>,
) -> Vec<bool> {
    let mut edges = edges.to_vec();
    edges.sort_unstable();
    let mut reached = vec![false; count];
    let mut border = centre.to_vec();
    border.iter().for_each(|at| reached[*at] = true);
    let mut left = depth.unwrap_or(u32::MAX);
    while left > 0 && !border.is_empty() {
        left -= 1;
        let mut next = Vec::new();
        for from in border {
            let first = edges.partition_point(|(node, _)| *node < from);
            for (_, to) in edges[first..].iter().take_while(|(node, _)| *node == from) {
                if !std::mem::replace(&mut reached[*to], true) {
                    next.push(*to);
                }
            }
        }
        border = next;
    }
    reached
}

/// Returns the addresses of vertices as texts, in their order.
fn texts<'v>(vertices: impl Iterator<Item = &'v GraphVertex>) -> Vec<String> {
    vertices.map(|vertex| vertex.id.to_string()).collect()
}

/// Returns a sentence that suggests a declared address similar to `wanted`; `None` if none is similar.
fn near(wanted: &str, ids: &[String]) -> Option<String> {
    // Steps after the address of a declaration lead into its value.
    let mut head = wanted;
    while let Some((shorter, _)) = head.rsplit_once('.') {
        if ids.iter().any(|id| id == shorter) {
            return Some(format!("An address ends with its name, as in {shorter}."));
        }
        head = shorter;
    }
    nearest(wanted, ids.iter().map(String::as_str)).map(|near| format!("Did you mean {near}?"))
}

/// Returns a sentence that starts with `begin` and lists the first of some names; `None` if there are none.
fn listed(begin: &str, names: &[String]) -> Option<String> {
    /// Maximum number of names that the sentence lists; the others are only counted.
    const MAX_LISTED: usize = 12;
    let left = names.len().saturating_sub(MAX_LISTED);
    let more = if left > 0 { format!(" and {left} more") } else { String::new() };
    let shown: Vec<&str> = names.iter().take(MAX_LISTED).map(String::as_str).collect();
    (!shown.is_empty()).then(|| format!("{begin} {}{more}.", shown.join(", ")))
}

/// Returns the words for a kind of declaration with its article, such as `a local value`.
fn with_article(kind: &str) -> String {
    match kind {
        "module" => "a module call".to_owned(),
        "local" => "a local value".to_owned(),
        "data" => "a data source".to_owned(),
        _ if kind.starts_with(['a', 'e', 'i', 'o', 'u']) => format!("an {kind}"),
        _ => format!("a {kind}"),
    }
}
