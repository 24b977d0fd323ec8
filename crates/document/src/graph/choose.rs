//! Parts of the graph: what stands in a module, and what an address leads to or is led to from. An address may hold keys of
//! instances; all instances of a declaration are one vertex.

use groma_address::text::without_keys;
use groma_config::{GraphVertex, ReferenceGraph};
use groma_value::nearest;

/// A part of the graph. Addresses are looked up among all declarations, whatever part is shown, so that what is there and
/// not shown is told from what is not there.
#[derive(Clone, Debug)]
pub struct GraphPart {
    /// The part of the graph.
    pub graph: ReferenceGraph,
    all: Vec<GraphVertex>,
    within: Option<String>,
}

/// The reason why an address leads to no part of the graph: a sentence, and what to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoSuchVertex {
    /// The sentences.
    pub detail: String,
}

fn no<T>(detail: String) -> Result<T, NoSuchVertex> {
    Err(NoSuchVertex { detail })
}

impl GraphPart {
    /// The whole graph.
    pub fn all(graph: ReferenceGraph) -> GraphPart {
        GraphPart { all: graph.vertices.clone(), graph, within: None }
    }

    /// The same addresses, and another graph over some of them.
    pub fn showing(self, graph: ReferenceGraph) -> GraphPart {
        GraphPart { graph, ..self }
    }

    /// Returns what stands in the module that is called at an address, and below.
    ///
    /// # Errors
    /// No module is called there.
    pub fn within(mut self, address: &str) -> Result<GraphPart, NoSuchVertex> {
        let module = without_keys(address.trim());
        match self.find(&module) {
            Some(found) if found.kind == "module" => {}
            Some(found) => {
                let kind = spoken(found.kind);
                return no(format!(
                    "{module} is {kind}, but --in takes a module call. --around {module} shows what it depends on and what depends on it."
                ));
            }
            None => {
                let calls: Vec<&str> = self
                    .all
                    .iter()
                    .filter(|one| one.kind == "module")
                    .map(|one| &*one.id)
                    .collect();
                let near = near(&module, &calls);
                let known = near.or_else(|| listed("The module calls are", &calls));
                let known = known.unwrap_or_else(|| "There is no module call.".to_owned());
                return no(format!("There is no module call {module}. {known}"));
            }
        }
        let kept: Vec<bool> =
            self.graph.vertices.iter().map(|vertex| stands_in(&vertex.module, &module)).collect();
        self.graph = std::mem::take(&mut self.graph).only(&kept);
        self.within = Some(module);
        Ok(self)
    }

    /// Returns what an address leads to, and what leads to it, within so many edges if there is a bound; of a module
    /// call with all that stands in it.
    ///
    /// # Errors
    /// Nothing is at the address, or nothing of it is shown.
    pub fn around(mut self, address: &str, depth: Option<u32>) -> Result<GraphPart, NoSuchVertex> {
        let wanted = without_keys(address.trim());
        let Some(found) = self.find(&wanted) else {
            let ids: Vec<&str> = self.all.iter().map(|one| &*one.id).collect();
            let known = near(&wanted, &ids)
                .unwrap_or_else(|| "`groma list` and `groma graph` show the addresses.".to_owned());
            return no(format!("Nothing is declared at {wanted}. {known}"));
        };
        let (id, kind) = (found.id.clone(), found.kind);
        let is_centre = |vertex: &GraphVertex| {
            vertex.id == id || kind == "module" && stands_in(&vertex.module, &id)
        };
        let centre: Vec<usize> = {
            let all = self.graph.vertices.iter().enumerate();
            all.filter(|(_, vertex)| is_centre(vertex)).map(|(at, _)| at).collect()
        };
        if centre.is_empty() {
            return no(match &self.within {
                Some(module)
                    if !self
                        .all
                        .iter()
                        .any(|one| is_centre(one) && stands_in(&one.module, module)) =>
                {
                    format!("{id} is not in {module}, which --in selects.")
                }
                _ if kind == "module" => {
                    format!("{id} contains no resource or data source: --type all shows the rest.")
                }
                _ => format!("{id} is {}: --type all shows it.", spoken(kind)),
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

    fn find(&self, id: &str) -> Option<&GraphVertex> {
        let at = self.all.binary_search_by(|vertex| (*vertex.id).cmp(id)).ok()?;
        self.all.get(at)
    }
}

/// Returns what edges lead to from the centre, within so many steps if there is a bound.
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

/// Returns true if a module is another one or stands below it.
fn stands_in(module: &str, other: &str) -> bool {
    module.strip_prefix(other).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// The address that was probably meant, as a sentence.
fn near(wanted: &str, ids: &[&str]) -> Option<String> {
    // What follows the address of a declaration is a part of its value.
    let mut head = wanted;
    while let Some((shorter, _)) = head.rsplit_once('.') {
        if ids.contains(&shorter) {
            return Some(format!("An address ends with its name, as in {shorter}."));
        }
        head = shorter;
    }
    nearest(wanted, ids.iter().copied()).map(|near| format!("Did you mean {near}?"))
}

/// The first of some names, as a sentence.
fn listed(begin: &str, names: &[&str]) -> Option<String> {
    const LISTED: usize = 12;
    let left = names.len().saturating_sub(LISTED);
    let more = if left > 0 { format!(" and {left} more") } else { String::new() };
    let shown: Vec<&str> = names.iter().take(LISTED).copied().collect();
    (!shown.is_empty()).then(|| format!("{begin} {}{more}.", shown.join(", ")))
}

/// A kind with its article.
fn spoken(kind: &str) -> String {
    match kind {
        "module" => "a module call".to_owned(),
        "local" => "a local value".to_owned(),
        "data" => "a data source".to_owned(),
        _ if kind.starts_with(['a', 'e', 'i', 'o', 'u']) => format!("an {kind}"),
        _ => format!("a {kind}"),
    }
}

#[cfg(test)]
mod tests {
    use super::stands_in;

    #[test]
    fn a_module_is_below_its_callers() {
        assert!(stands_in("module.a.module.b", "module.a"));
        assert!(!stands_in("module.ab", "module.a"));
    }
}
