//! Attributes of resources and modules that the code uses, collected from every reference and its steps. For an expression that
//! uses a whole object, as `for` expressions do, these are the attributes accessed on its elements.

use std::collections::BTreeMap;

use groma_config::{DeclarationAddress, DeclarationName, ResourceMode};
use groma_eval::Step;
use groma_module::declare::{Expression, Referent};
use groma_project::{ModuleNode, Project};
use groma_syntax::ast::{BinderKind, Bindings, ExprCase, ExprView, NameBinder};
use groma_syntax::{Expr, Place, Span};
use groma_value::{Str, Value};
use rustc_hash::FxHashMap;

/// The attributes and elements of one declaration that references access: a tree with a node for each step.
#[derive(Clone, Debug, Default)]
pub(crate) struct AccessPaths {
    /// The source ranges of the references that end here.
    pub(crate) places: Vec<Place>,
    /// The accesses below each attribute or string key.
    pub(crate) named: BTreeMap<Str, AccessPaths>,
    /// The accesses below elements, by number or by a computed key.
    pub(crate) element: Option<Box<AccessPaths>>,
}

impl AccessPaths {
    /// Returns the node at the end of these steps, creating missing nodes.
    fn at(&mut self, steps: &[Step]) -> &mut AccessPaths {
        steps.iter().fold(self, |ways, step| match step {
            Step::Attribute(name) => ways.named.entry(name.clone()).or_default(),
            Step::Index(key) => match key.bare() {
                Value::String(name) => ways.named.entry(name.clone()).or_default(),
                _ => ways.element.get_or_insert_default(),
            },
            Step::Splat | Step::Unknown => ways.element.get_or_insert_default(),
        })
    }

    /// Appends the source ranges of all references that lead to these accesses or to those within them to `out`.
    pub(crate) fn all_places(&self, out: &mut Vec<Place>) {
        out.extend(&self.places);
        self.named.values().for_each(|ways| ways.all_places(out));
        self.element.iter().for_each(|ways| ways.all_places(out));
    }
}

/// The attributes that a project's code uses, by the resource or module call that has them.
#[derive(Debug, Default)]
pub(crate) struct AttributeDemands {
    pub(crate) of: FxHashMap<DeclarationAddress, AccessPaths>,
}

impl AttributeDemands {
    /// Collects the attributes of resources and module calls that the code of a project uses.
    pub(crate) fn of(project: &Project) -> AttributeDemands {
        let mut asks = AttributeDemands::default();
        for node in project.nodes() {
            node.module().visit(&mut |_, seen| asks.expression(node, seen.expression));
        }
        asks
    }

    /// Adds the attributes that the references of an expression in the module `node` use.
    fn expression(&mut self, node: ModuleNode<'_>, expression: &Expression) {
        if expression.uses.is_empty() {
            return;
        }
        let taken = attributes(&expression.expr);
        let code = &expression.located.code;
        let (file, base) = (expression.located.file, expression.located.base);
        for used in &expression.uses {
            let Some(reference) = code.references().get(used.reference as usize) else { continue };
            let place = Place::new(file, reference.span.shift(base));
            let (inner, steps) = match &used.target {
                Referent::Resource(at) => {
                    let resource = &node.module().resources[*at as usize];
                    let is_bare =
                        resource.mode == ResourceMode::Managed && &*reference.root != "resource";
                    let skip = if is_bare { 1 } else { 2 };
                    let steps = reference.steps.get(skip..).unwrap_or_default();
                    (DeclarationName::Resource(resource.own_name()), steps)
                }
                Referent::Call(call) | Referent::Output { call, .. } => {
                    let call = &node.module().calls[*call as usize];
                    let steps = reference.steps.get(1..).unwrap_or_default();
                    (DeclarationName::Call(call.name.clone()), steps)
                }
                _ => continue,
            };
            let address = DeclarationAddress::new(node.path(), inner);
            let ways = self.of.entry(address).or_default();
            // The key of an instance is skipped: only the attributes after it count.
            let steps = match steps {
                [Step::Index(_) | Step::Splat | Step::Unknown, rest @ ..] => rest,
                steps => steps,
            };
            // The attributes accessed on the elements of this reference, if it is iterated over.
            let own = taken.iter().filter(|(of, _)| *of == Some(place.span));
            let own: Vec<&Str> = own.map(|(_, name)| name).collect();
            let end = ways.at(steps);
            end.places.push(place);
            if steps.is_empty() {
                let splats = taken.iter().filter(|(of, _)| of.is_none()).map(|(_, name)| name);
                for name in own.into_iter().chain(splats) {
                    end.named.entry(name.clone()).or_default().places.push(place);
                }
            } else if !own.is_empty() {
                let element = end.element.get_or_insert_default();
                for name in own {
                    element.named.entry(name.clone()).or_default().places.push(place);
                }
            }
        }
    }
}

/// Returns the attributes that an expression accesses on elements of collections, each with the collection's span, or with `None`
/// if the collection is that of a splat.
fn attributes(expr: &Expr) -> Vec<(Option<Span>, Str)> {
    let Expr::Native(native) = expr else { return Vec::new() };
    let bindings = Bindings::of(native.view());
    let element = |object: ExprView<'_>| match bindings.binder_of(object)? {
        NameBinder { kind: BinderKind::Value, collection: Some(walked), .. } => {
            Some(Some(walked.span()))
        }
        NameBinder { kind: BinderKind::Splat, .. } => Some(None),
        _ => None,
    };
    let mut found = Vec::new();
    let mut rest = vec![native.view()];
    while let Some(view) = rest.pop() {
        let case = view.case();
        if let ExprCase::Attribute { object, name, .. } = &case {
            found.extend(element(*object).map(|of| (of, Str::from(*name))));
        }
        case.inner(|one| rest.push(one));
    }
    found.sort();
    found.dedup();
    found
}
