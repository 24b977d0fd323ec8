//! The tree: one node for each thing that a value comes from. A thing that several come from is one node, so the tree may
//! be walked to it in more ways than one; a view shows it once.

use groma_protocol::place_text;
use groma_syntax::{Place, Sources};
use groma_value::codec::listing;
use groma_value::{Str, Value};

/// The kind of thing that a node of a provenance tree represents.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum WhyKind {
    /// An output.
    Output,
    /// A local value.
    Local,
    /// An input variable.
    Variable,
    /// A resource, or what else is made.
    Resource,
    /// A data source.
    Data,
    /// A module that is called.
    Module,
    /// An argument of a resource, or what a call gives to a variable.
    Argument,
    /// The value of a variable that is not given.
    Default,
    /// What a value file says.
    Tfvars,
    /// What the command line says, or the embedding program.
    Flag,
    /// What the environment says.
    Environment,
    /// What a state holds.
    State,
    /// What a mock answers.
    Mock,
    /// A function that asks for more than its arguments.
    Function,
    /// What repeats a block: `each`, `count` or the iterator of a `dynamic` block.
    Repetition,
    /// A value that is written out.
    Literal,
}

impl WhyKind {
    /// The word for machines.
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

    /// All of them.
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

/// A node of a provenance tree: one thing that a value depends on.
#[derive(Clone, Debug)]
pub struct WhyNode {
    /// What it is.
    pub kind: WhyKind,
    /// Which one, with the path to the part that is meant. A literal has none.
    pub address: Option<String>,
    /// The place where it is written, if it is.
    pub place: Option<Place>,
    /// The place where it is recorded, if that is no text of the code: the file and the line.
    pub recorded: Option<String>,
    /// How it is written: the expression, as far as it may be shown.
    pub text: Option<String>,
    /// What it is worth, if that could be worked out.
    pub value: Option<Value>,
    /// What it took, in source order, by the numbers of nodes.
    pub from: Vec<usize>,
    /// True if it took more than is told.
    pub is_cut: bool,
    /// Of a call of a template file: the file and the names that it is given.
    pub(crate) template: Option<Box<(Value, Value)>>,
    /// Of a call of a function that reads a file: the path that it is given, where that is known.
    pub reads: Option<Str>,
    /// True if its text holds literals that could be a value.
    pub(crate) has_literals: bool,
    /// True if it says of what is not so yet that it is not to be shown.
    pub(crate) hides: bool,
}

impl WhyNode {
    /// Returns where it stands, for people and for programs.
    pub(crate) fn shown_place(&self, sources: &Sources) -> Option<String> {
        let place = self.place.map(|place| place_text(place, sources));
        place.or_else(|| self.recorded.clone())
    }

    /// Returns the place to print for a node; none for a resource whose arguments have places of their own.
    pub(crate) fn told_place(&self) -> Option<Place> {
        let is_object = matches!(self.kind, WhyKind::Resource | WhyKind::Data);
        self.place.filter(|_| !is_object || self.from.is_empty())
    }

    fn hides_all(&self) -> bool {
        self.value.as_ref().is_some_and(|value| value.marks().hide())
    }

    /// Returns true if its value is not known: what is wrong with it has taken its marks as well.
    fn is_open(&self) -> bool {
        self.value.as_ref().is_none_or(|value| !value.is_wholly_known())
    }

    /// Returns true if an error left a part of it without a value.
    fn is_failed(&self) -> bool {
        let Some(value) = self.value.as_ref().filter(|value| !value.is_wholly_known()) else {
            return false;
        };
        listing(value).unknown.iter().any(|(_, causes)| causes.is_empty())
    }

    fn hides_some(&self) -> bool {
        self.value.as_ref().is_some_and(|value| value.has_marks() && value.deep_marks().hide())
    }
}

/// The place where a value comes from. The first node is the value itself.
#[derive(Clone, Debug)]
pub struct WhyTree {
    /// The nodes.
    pub nodes: Vec<WhyNode>,
}

/// A node as a walk comes by it.
pub struct WhyVisit<'t> {
    /// The node.
    pub node: &'t WhyNode,
    /// Its number.
    pub number: usize,
    /// How many are above it.
    pub depth: usize,
    /// True if the walk has told it before.
    pub is_seen: bool,
    /// True if nothing below it is told because it stands too deep.
    pub is_deep: bool,
}

/// So deep is told. A node below that can be asked for on its own.
pub const DEEPEST: usize = 100;

impl WhyTree {
    /// The value that is asked for.
    pub fn root(&self) -> &WhyNode {
        &self.nodes[0]
    }

    /// Returns what could not be worked out although all that it took could: there the errors are.
    pub fn failed(&self) -> Vec<&WhyNode> {
        let failed: Vec<bool> = self.nodes.iter().map(WhyNode::is_failed).collect();
        let all = self.nodes.iter().zip(&failed).filter(|(node, is_failed)| {
            **is_failed && !node.from.iter().any(|below| failed[*below])
        });
        all.map(|(node, _)| node).collect()
    }

    /// Hides what would show a value that is not to be shown: where a value becomes sensitive only at a node, what it was
    /// made of is plain below it, and would say the same.
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

    /// Visits the nodes as they are told: a node before what it took, each opened once. `leave` is told when all below a
    /// node that was opened is done.
    pub fn walk(&self, enter: &mut dyn FnMut(&WhyVisit<'_>), leave: &mut dyn FnMut()) {
        let mut seen = vec![false; self.nodes.len()];
        // The nodes on the way, and how many of what each took are told.
        let mut way: Vec<(usize, usize)> = Vec::new();
        let mut next = Some(0);
        loop {
            if let Some(number) = next.take() {
                let node = &self.nodes[number];
                let (depth, is_seen) = (way.len(), seen[number]);
                let is_deep = !is_seen && depth >= DEEPEST && !node.from.is_empty();
                enter(&WhyVisit { node, number, depth, is_seen, is_deep });
                match is_seen || is_deep {
                    true => leave(),
                    false => {
                        seen[number] = true;
                        way.push((number, 0));
                    }
                }
            }
            let Some((number, told)) = way.last_mut() else { return };
            next = self.nodes[*number].from.get(*told).copied();
            *told += 1;
            if next.is_none() {
                way.pop();
                leave();
            }
        }
    }
}
