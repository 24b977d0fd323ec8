//! Provenance tree: one node for each thing that a value comes from. Nodes are shared, so a walk can reach one by several paths;
//! it expands each only once.

use groma_project::InputSource;
use groma_protocol::place_text;
use groma_syntax::{Place, Sources};
use groma_value::codec::listing;
use groma_value::{Str, Value};

/// The kind of dependency that a node of a provenance tree represents, such as a variable or a literal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum WhyKind {
    /// An output.
    Output,
    /// A local value.
    Local,
    /// An input variable.
    Variable,
    /// A resource that is not a data source.
    Resource,
    /// A data source.
    Data,
    /// A module that is called.
    Module,
    /// An argument of a block or a module call.
    Argument,
    /// The default of a variable without an input.
    Default,
    /// A value from a variable file.
    Tfvars,
    /// A value from the command line or the embedding program.
    Flag,
    /// A value from the environment, such as `TF_VAR_…` or `path.root`.
    Environment,
    /// A value recorded in a state.
    State,
    /// A value of a mock.
    Mock,
    /// A function whose result depends on more than its arguments, such as one that reads a file.
    Function,
    /// The repetition of a block: `each`, `count` or the iterator of a `dynamic` block.
    Repetition,
    /// A literal in the code.
    Literal,
}

impl From<InputSource> for WhyKind {
    fn from(source: InputSource) -> WhyKind {
        match source {
            InputSource::Environment => WhyKind::Environment,
            InputSource::File => WhyKind::Tfvars,
            InputSource::Flag | InputSource::Embedder | InputSource::Call => WhyKind::Flag,
        }
    }
}

impl WhyKind {
    /// Returns the name of the kind in JSON, such as `output`.
    pub fn word(self) -> &'static str {
        match self {
            WhyKind::Output => "output",
            WhyKind::Local => "local",
            WhyKind::Variable => "variable",
            WhyKind::Resource => "resource",
            WhyKind::Data => "data",
            WhyKind::Module => "module",
            WhyKind::Argument => "argument",
            WhyKind::Default => "default",
            WhyKind::Tfvars => "tfvars",
            WhyKind::Flag => "flag",
            WhyKind::Environment => "environment",
            WhyKind::State => "state",
            WhyKind::Mock => "mock",
            WhyKind::Function => "function",
            WhyKind::Repetition => "repetition",
            WhyKind::Literal => "literal",
        }
    }

    /// All kinds of nodes, in declaration order.
    pub const ALL: [WhyKind; 16] = [
        WhyKind::Output,
        WhyKind::Local,
        WhyKind::Variable,
        WhyKind::Resource,
        WhyKind::Data,
        WhyKind::Module,
        WhyKind::Argument,
        WhyKind::Default,
        WhyKind::Tfvars,
        WhyKind::Flag,
        WhyKind::Environment,
        WhyKind::State,
        WhyKind::Mock,
        WhyKind::Function,
        WhyKind::Repetition,
        WhyKind::Literal,
    ];
}

/// A node of a provenance tree: a declaration, an input, a literal or another dependency of a value.
#[derive(Clone, Debug)]
pub struct WhyNode {
    /// The kind of the node.
    pub kind: WhyKind,
    /// The address with the path to the part; `None` for a literal.
    pub address: Option<String>,
    /// The place where it is written, if any.
    pub place: Option<Place>,
    /// `FILE:LINE` of a record outside of the code, such as a state.
    pub recorded: Option<String>,
    /// The source text of its expression, as far as it may be shown.
    pub text: Option<String>,
    /// The value of the node, if it could be evaluated.
    pub value: Option<Value>,
    /// The dependencies of the node in source order, as numbers of nodes.
    pub from: Vec<usize>,
    /// True if dependencies were omitted because of a limit.
    pub is_cut: bool,
    /// For a call of a template file: the path of the file and the names that it passes.
    pub(crate) template: Option<Box<(Value, Value)>>,
    /// For a call of a function that reads a file: its path, if known.
    pub reads: Option<Str>,
    /// True if its text contains literals that may show its value.
    pub(crate) has_literals: bool,
    /// True if its declaration marks a value as sensitive that was not before.
    pub(crate) hides: bool,
}

impl WhyNode {
    /// Returns the place of the node as displayed: `FILE:LINE`, or where a state records it; `None` if it has neither.
    pub(crate) fn shown_place(&self, sources: &Sources) -> Option<String> {
        let place = self.place.map(|place| place_text(place, sources));
        place.or_else(|| self.recorded.clone())
    }

    /// Returns the place to print for a node; `None` for a resource with arguments that have places of their own.
    pub(crate) fn printed_place(&self) -> Option<Place> {
        let is_object = matches!(self.kind, WhyKind::Resource | WhyKind::Data);
        self.place.filter(|_| !is_object || self.from.is_empty())
    }

    /// Returns true if the whole value of the node must not be shown, because of a mark such as sensitive.
    fn hides_all(&self) -> bool {
        self.value.as_ref().is_some_and(|value| value.marks().hide())
    }

    /// Returns true if a part of the node's value is unknown or missing: such a value may have lost its marks as well.
    fn is_open(&self) -> bool {
        self.value.as_ref().is_none_or(|value| !value.is_wholly_known())
    }

    /// Returns true if an error left a part of the node's value unknown.
    fn is_failed(&self) -> bool {
        let Some(value) = self.value.as_ref().filter(|value| !value.is_wholly_known()) else {
            return false;
        };
        listing(value).unknown.iter().any(|(_, causes)| causes.is_empty())
    }

    /// Returns true if a part of the node's value must not be shown, because of a mark such as sensitive.
    fn hides_some(&self) -> bool {
        self.value.as_ref().is_some_and(|value| value.has_marks() && value.deep_marks().hide())
    }
}

/// The provenance of a value: nodes, of which the first is the value itself.
#[derive(Clone, Debug)]
pub struct WhyTree {
    /// The nodes, which refer to each other by position.
    pub nodes: Vec<WhyNode>,
}

/// One visit of a node during a walk over a provenance tree.
pub struct WhyVisit<'t> {
    /// The node.
    pub node: &'t WhyNode,
    /// The number of the node in the tree.
    pub number: usize,
    /// The number of nodes above it.
    pub depth: usize,
    /// True if the walk has visited the node before.
    pub is_seen: bool,
    /// True if the node is not expanded because of the maximum depth.
    pub is_deep: bool,
}

/// Maximum depth of a walk over a provenance tree; a deeper node can be queried by its own address.
pub const MAX_DEPTH: usize = 100;

impl WhyTree {
    /// Returns the node of the queried value.
    pub fn root(&self) -> &WhyNode {
        &self.nodes[0]
    }

    /// Returns the nodes with an error whose dependencies have none: the sources of the errors.
    pub fn failed(&self) -> Vec<&WhyNode> {
        let failed: Vec<bool> = self.nodes.iter().map(WhyNode::is_failed).collect();
        let all = self.nodes.iter().zip(&failed).filter(|(node, is_failed)| {
            **is_failed && !node.from.iter().any(|below| failed[*below])
        });
        all.map(|(node, _)| node).collect()
    }

    /// Removes the texts and values of nodes that would reveal a value that is hidden by a mark: if a value becomes sensitive
    /// only at a node, its dependencies are plain and would show the same.
    pub(crate) fn veil(&mut self) {
        let below = |node: &WhyNode, is: fn(&WhyNode) -> bool| {
            node.from
                .iter()
                .any(|below| self.nodes[*below].kind != WhyKind::Default && is(&self.nodes[*below]))
        };
        let starts = self.nodes.iter().enumerate().filter(|(_, node)| {
            node.hides && (node.is_open() || node.hides_some())
                || node.hides_all() && !below(node, WhyNode::hides_all)
                || node.hides_some() && !below(node, WhyNode::hides_some)
        });
        let mut rest: Vec<usize> = starts.map(|(number, _)| number).collect();
        let mut seen = vec![false; self.nodes.len()];
        while let Some(number) = rest.pop() {
            for below in &self.nodes[number].from {
                if !std::mem::replace(&mut seen[*below], true) {
                    rest.push(*below);
                }
            }
        }
        for (node, is_hidden) in self.nodes.iter_mut().zip(seen) {
            if is_hidden {
                node.value = node.value.as_ref().map(Value::sensitive);
                node.text = node.text.take().filter(|_| !node.has_literals);
                if let Some(template) = &mut node.template {
                    template.1 = template.1.sensitive();
                }
            }
        }
    }

    /// Visits the nodes in depth-first order with `enter`, a node before its dependencies, each expanded once, and calls
    /// `leave` when everything below an expanded node was visited.
    pub fn walk(&self, enter: &mut dyn FnMut(&WhyVisit<'_>), leave: &mut dyn FnMut()) {
        let mut seen = vec![false; self.nodes.len()];
        // The path of expanded nodes, each with the number of its dependencies visited.
        let mut way: Vec<(usize, usize)> = Vec::new();
        let mut next = Some(0);
        loop {
            if let Some(number) = next.take() {
                let node = &self.nodes[number];
                let (depth, is_seen) = (way.len(), seen[number]);
                let is_deep = !is_seen && depth >= MAX_DEPTH && !node.from.is_empty();
                enter(&WhyVisit { node, number, depth, is_seen, is_deep });
                match is_seen || is_deep {
                    true => leave(),
                    false => {
                        seen[number] = true;
                        way.push((number, 0));
                    }
                }
            }
            let Some((number, shown)) = way.last_mut() else { return };
            next = self.nodes[*number].from.get(*shown).copied();
            *shown += 1;
            if next.is_none() {
                way.pop();
                leave();
            }
        }
    }
}
