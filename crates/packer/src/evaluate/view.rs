//! The template for views: its declarations with values, and their references.

use groma_config::{GraphVertex, ReferenceGraph, reduced};
use groma_eval::{Reference, Step};
use groma_syntax::{Diagnostics, Place};
use groma_value::{Str, Type, Value};
use rustc_hash::FxHashMap;

use super::order::TemplateCell;
use super::{SettledCell, TemplateEvaluation};
use crate::declare::{Plugin, SourceBlock, TemplateDeclaration};

/// A variable, local value or data block with its value.
#[derive(Clone, Debug)]
pub struct StatedValue {
    /// The name; for a data block, its address.
    pub name: Str,
    /// The description.
    pub description: Option<Str>,
    /// The type of a variable, or that of a local's value.
    pub ty: Type,
    /// Its value; `None` if it could not be evaluated.
    pub value: Option<Value>,
    /// True if it is sensitive.
    pub sensitive: bool,
    /// The source range of the declaration.
    pub place: Place,
}

impl TemplateEvaluation {
    /// Returns every variable, sorted by name.
    pub fn variables(&self) -> Vec<StatedValue> {
        let all = self.world.template.variables.iter().enumerate();
        all.map(|(at, variable)| StatedValue {
            name: variable.name.clone(),
            description: variable.description.clone(),
            ty: variable.ty.clone(),
            value: self.world.variable(at).cloned(),
            sensitive: variable.sensitive,
            place: variable.place,
        })
        .collect()
    }

    /// Returns every local value, sorted by name.
    pub fn locals(&self) -> Vec<StatedValue> {
        let all = self.world.template.locals.iter().enumerate();
        all.map(|(at, local)| {
            let value = self.value_of(TemplateCell::Local(at));
            StatedValue {
                name: local.name.clone(),
                description: None,
                ty: value.as_ref().map_or(Type::Dynamic, Value::ty),
                value,
                sensitive: local.sensitive,
                place: local.place,
            }
        })
        .collect()
    }

    /// Returns every data block, sorted by type and name.
    pub fn data(&self) -> Vec<StatedValue> {
        let all = self.world.template.data.iter().enumerate();
        all.map(|(at, data)| {
            let value = self.value_of(TemplateCell::Data(at));
            StatedValue {
                name: Str::from(data.address()),
                description: None,
                ty: value.as_ref().map_or(Type::Dynamic, Value::ty),
                value,
                sensitive: false,
                place: data.place,
            }
        })
        .collect()
    }

    /// Returns the value of a local or data block, if it has one.
    fn value_of(&self, cell: TemplateCell) -> Option<Value> {
        match self.world.settled(cell)? {
            SettledCell::Value(value) => Some(value.clone()),
            SettledCell::Failed => None,
        }
    }

    /// Returns every source block outside of builds, sorted by type and name.
    pub fn origins(&self) -> &[SourceBlock] {
        &self.world.template.origins
    }

    /// Returns the plugins that the template requires, in source order.
    pub fn plugins(&self) -> &[Plugin] {
        &self.world.template.requirements.plugins
    }

    /// Returns every declaration, and the references among them.
    pub fn references(&self) -> ReferenceGraph {
        let template = &self.world.template;
        let mut vertices: Vec<GraphVertex> = Vec::new();
        let mut add = |id: String, kind: &'static str, place: Place| {
            vertices.push(GraphVertex { id, module: String::new(), kind, place });
        };
        for variable in &template.variables {
            add(format!("var.{}", &*variable.name), "variable", variable.place);
        }
        for local in &template.locals {
            add(format!("local.{}", &*local.name), "local", local.place);
        }
        for data in &template.data {
            add(data.address(), "data", data.place);
        }
        for origin in &template.origins {
            add(origin.address(), "source", origin.place);
        }
        for (at, build) in template.builds.iter().enumerate() {
            let name = build.content.argument("name").map(|argument| &argument.value);
            let name = name.and_then(|name| match name.located.code.constant() {
                Some(Value::String(name)) => Some(format!("build.{}", &**name)),
                _ => None,
            });
            let id = name.unwrap_or_else(|| format!("build[{at}]"));
            add(id, "build", build.header);
        }
        let places: FxHashMap<&str, usize> =
            vertices.iter().enumerate().map(|(at, vertex)| (vertex.id.as_str(), at)).collect();
        let mut pairs: Vec<(usize, usize)> = Vec::new();
        let first_local = template.variables.len();
        let first_data = first_local + template.locals.len();
        let first_origin = first_data + template.data.len();
        let first_build = first_origin + template.origins.len();
        template.visit(&mut |declaration, expression| {
            let from = match declaration {
                TemplateDeclaration::Local(at) => first_local + at,
                TemplateDeclaration::Data(at) => first_data + at,
                TemplateDeclaration::Origin(at) => first_origin + at,
                TemplateDeclaration::Build(at) => first_build + at,
            };
            let targets = expression.references().filter_map(|(reference, _)| address(reference));
            pairs.extend(targets.filter_map(|id| Some((from, *places.get(id.as_str())?))));
        });
        for (at, build) in self.build_sources().into_iter().enumerate() {
            pairs.extend(
                build.iter().filter_map(|id| Some((first_build + at, *places.get(id.as_str())?))),
            );
        }
        sorted(vertices, pairs)
    }

    /// Returns the data blocks, sources and builds with their mutual dependencies, direct or through variables and local values.
    /// Edges implied by others are omitted.
    pub fn resource_references(&self) -> ReferenceGraph {
        let all = self.references();
        let is_kept = |vertex: &GraphVertex| matches!(vertex.kind, "data" | "source" | "build");
        let kept: Vec<bool> = all.vertices.iter().map(is_kept).collect();
        let edges = all.edges.iter().map(|(from, to)| (*from as u32, *to as u32));
        let edges = reduced(&edges.collect::<Vec<_>>(), &kept, &self.world.options.budget);
        let edges = edges.into_iter().map(|(from, to)| (from as usize, to as usize)).collect();
        ReferenceGraph { vertices: all.vertices, edges }.only(&kept)
    }

    /// Returns the addresses of the sources that each build uses.
    fn build_sources(&self) -> Vec<Vec<String>> {
        let world = &self.world;
        let mut unsaid = Diagnostics::new();
        let builds = world.template.builds.iter();
        builds.map(|build| crate::build::sources(world, build, &mut unsaid)).collect()
    }
}

/// Returns the address that a reference refers to.
fn address(reference: &Reference) -> Option<String> {
    let step = |at: usize| match reference.steps.get(at)? {
        Step::Attribute(name) | Step::Index(Value::String(name)) => Some(name),
        _ => None,
    };
    match &*reference.root {
        root @ ("var" | "local") => Some(format!("{root}.{}", &**step(0)?)),
        "data" => Some(format!("data.{}.{}", &**step(0)?, &**step(1)?)),
        _ => None,
    }
}

/// Returns the graph with vertices sorted by address and edges renumbered, without duplicates.
fn sorted(vertices: Vec<GraphVertex>, pairs: Vec<(usize, usize)>) -> ReferenceGraph {
    let mut order: Vec<usize> = (0..vertices.len()).collect();
    order.sort_by(|a, b| vertices[*a].id.cmp(&vertices[*b].id));
    let mut places = vec![0; vertices.len()];
    for (to, from) in order.iter().enumerate() {
        places[*from] = to;
    }
    let mut edges: Vec<(usize, usize)> =
        pairs.into_iter().map(|(from, to)| (places[from], places[to])).collect();
    edges.sort_unstable();
    edges.dedup();
    let mut vertices = vertices;
    vertices.sort_by(|a, b| a.id.cmp(&b.id));
    ReferenceGraph { vertices, edges }
}
