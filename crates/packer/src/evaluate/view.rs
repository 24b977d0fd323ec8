//! Lists for display: the declarations of a template with their values, and the references among them.

use groma_config::{
    DeclarationAddress, DeclarationName, GraphVertex, ModulePath, ReferenceGraph, ResourceMode,
    ResourceName, reduced,
};
use groma_eval::{Reference, Step};
use groma_syntax::{Diagnostics, Place};
use groma_value::{Str, Type, Value};
use rustc_hash::FxHashMap;

use super::order::TemplateCell;
use super::{SettledCell, TemplateEvaluation};
use crate::declare::{Plugin, SourceBlock, TemplateDeclaration};

/// A variable, local value or data block with its value and description, for display.
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
    /// Returns every variable with its value, sorted by name.
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

    /// Returns every local value of the template, sorted by name.
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

    /// Returns every data block with its value, sorted by type and name.
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

    /// Returns the value of a local or data block; `None` if it could not be evaluated.
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

    /// Returns the graph of all declarations and the references among them.
    pub fn references(&self) -> ReferenceGraph {
        let template = &self.world.template;
        let mut vertices: Vec<GraphVertex> = Vec::new();
        let mut add = |name: DeclarationName, kind: &'static str, place: Place| {
            let id = DeclarationAddress::new(ModulePath::ROOT, name);
            vertices.push(GraphVertex { id, kind, place });
        };
        for variable in &template.variables {
            add(DeclarationName::Variable(variable.name.clone()), "variable", variable.place);
        }
        for local in &template.locals {
            add(DeclarationName::Local(local.name.clone()), "local", local.place);
        }
        for data in &template.data {
            add(data_name(&data.kind, &data.name), "data", data.place);
        }
        for origin in &template.origins {
            add(origin.own_name(), "source", origin.place);
        }
        for (at, build) in template.builds.iter().enumerate() {
            let name = build.content.argument("name").map(|argument| &argument.value);
            let name = name.and_then(|name| match name.located.code.constant() {
                Some(Value::String(name)) => Some(DeclarationName::Build(name.clone())),
                _ => None,
            });
            add(name.unwrap_or(DeclarationName::BuildAt(at)), "build", build.header);
        }
        let places: FxHashMap<&DeclarationName, usize> =
            vertices.iter().enumerate().map(|(at, vertex)| (vertex.id.name(), at)).collect();
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
            let targets = expression.references().filter_map(|(reference, _)| named(reference));
            pairs.extend(targets.filter_map(|name| Some((from, *places.get(&name)?))));
        });
        for (at, build) in self.build_sources().into_iter().enumerate() {
            let named = build.iter().filter_map(|source| places.get(source));
            pairs.extend(named.map(|source| (first_build + at, *source)));
        }
        ReferenceGraph::sorted(vertices, pairs)
    }

    /// Returns the graph of data blocks, sources and builds with their dependencies, direct or through variables and local
    /// values. Edges implied by others are omitted.
    pub fn resource_references(&self) -> ReferenceGraph {
        let all = self.references();
        let is_kept = |vertex: &GraphVertex| matches!(vertex.kind, "data" | "source" | "build");
        let kept: Vec<bool> = all.vertices.iter().map(is_kept).collect();
        let edges = all.edges.iter().map(|(from, to)| (*from as u32, *to as u32));
        let edges = reduced(&edges.collect::<Vec<_>>(), &kept, &self.world.options.budget);
        let edges = edges.into_iter().map(|(from, to)| (from as usize, to as usize)).collect();
        ReferenceGraph { vertices: all.vertices, edges }.only(&kept)
    }

    /// Returns the names of the sources that each build uses, in the order of the builds.
    fn build_sources(&self) -> Vec<Vec<DeclarationName>> {
        let world = &self.world;
        let mut unsaid = Diagnostics::new();
        let builds = world.template.builds.iter();
        builds.map(|build| crate::build::sources(world, build, &mut unsaid)).collect()
    }
}

/// Returns the name of a data block as a vertex of the reference graph.
fn data_name(kind: &Str, name: &Str) -> DeclarationName {
    let (kind, name) = (kind.clone(), name.clone());
    DeclarationName::Resource(ResourceName { mode: ResourceMode::Data, kind, name })
}

/// Returns the name of the variable, local value or data block to which a reference refers; `None` for other references.
fn named(reference: &Reference) -> Option<DeclarationName> {
    let step = |at: usize| match reference.steps.get(at)? {
        Step::Attribute(name) | Step::Index(Value::String(name)) => Some(name),
        _ => None,
    };
    match &*reference.root {
        "var" => Some(DeclarationName::Variable(step(0)?.clone())),
        "local" => Some(DeclarationName::Local(step(0)?.clone())),
        "data" => Some(data_name(step(0)?, step(1)?)),
        _ => None,
    }
}
