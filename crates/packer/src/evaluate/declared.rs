//! Declarations behind names in a template, for provenance. Sources and builds have arguments and no value: a plan determines
//! the builder that gets them.

use std::sync::Arc;

use groma_eval::{Context, Scope, Step};
use groma_functions::FunctionLibrary;
use groma_inputs::InputSource;
use groma_syntax::{Diagnostics, Expr, Place, is_identifier};
use groma_value::{Causes, Str, Value, json};
use rustc_hash::FxHashMap;

use super::order::TemplateCell;
use super::{OwnBuild, SettledCell, SourceScope, TemplateEvaluation, hidden};
use crate::build::{BodyContext, expand};
use crate::content::{BlockContent, NestedContent};

/// The kind of a declaration in a Packer template: variable, local value, data block, source or build.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OriginKind {
    /// A variable.
    Variable,
    /// A local value.
    Local,
    /// A data block.
    Data,
    /// A source outside of builds.
    Source,
    /// A build.
    Build,
}

/// A declaration of a Packer template with its value, for explaining the origin of the value.
pub struct DeclarationOrigin {
    /// The kind of declaration.
    pub kind: OriginKind,
    /// The address.
    pub address: String,
    /// The number of names after the root that identify it.
    pub names: usize,
    /// The source range of the declaration.
    pub place: Place,
    /// Its value, if it has one.
    pub value: Option<Value>,
    /// The scope of its expressions.
    pub scope: Arc<dyn Scope>,
    /// The index among declarations of its kind.
    position: usize,
}

/// What the value of a declaration depends on: an expression, an argument, or for a variable its default or the value given
/// from outside.
pub enum OriginPart {
    /// The expression of a local value.
    Value(Expr),
    /// An argument, in the block or in a nested one.
    Argument(WrittenArgument),
    /// The default of a variable, and its source range.
    Default(Value, Option<Place>),
    /// A value given to a variable, its origin and source range.
    Given(Value, InputSource, Option<Place>),
}

/// An argument of a declaration with its path and value; its block may be nested or generated.
pub struct WrittenArgument {
    /// Its path: the type and index of each enclosing block, then its name.
    pub path: Vec<Step>,
    /// The source expression.
    pub expr: Expr,
    /// Its value; `None` if it could not be evaluated.
    pub value: Option<Value>,
    /// The scope in which it is evaluated.
    pub site: Arc<WrittenSite>,
}

/// The scope of an argument, and the `dynamic` block that generates its block.
pub struct WrittenSite {
    /// The names that are visible.
    pub scope: Arc<dyn Scope>,
    /// The innermost enclosing `dynamic` block.
    pub repetition: Option<WrittenRepetition>,
}

/// One block that a `dynamic` block generates, with the element for which it is generated.
pub struct WrittenRepetition {
    /// The name of the iterator.
    pub iterator: Str,
    /// The `key` and `value` of the element.
    pub element: Value,
    /// The collection iterated over.
    pub over: Expr,
    /// The key of the element, if the collection has keys.
    pub key: Option<Value>,
    /// The path of the block.
    pub path: Vec<Step>,
    /// The position of the `dynamic` block.
    pub outside: Arc<WrittenSite>,
}

impl TemplateEvaluation {
    /// Returns the variable, local value or data block that a root name and the names after it denote; `None` if there is none.
    pub fn declaration(&self, root: &str, names: &[Str]) -> Option<DeclarationOrigin> {
        let (world, template) = (&self.world, &self.world.template);
        let value = |cell| match world.settled(cell)? {
            SettledCell::Value(value) => Some(value.clone()),
            SettledCell::Failed => None,
        };
        let first = names.first()?;
        let scope = self.scope();
        Some(match root {
            "var" => {
                let position =
                    template.variables.binary_search_by(|one| one.name.cmp(first)).ok()?;
                DeclarationOrigin {
                    kind: OriginKind::Variable,
                    address: format!("var.{}", &**first),
                    names: 1,
                    place: template.variables[position].place,
                    value: world.variable(position).cloned(),
                    scope,
                    position,
                }
            }
            "local" => {
                let position = world.local(first)?;
                DeclarationOrigin {
                    kind: OriginKind::Local,
                    address: format!("local.{}", &**first),
                    names: 1,
                    place: template.locals[position].place,
                    value: value(TemplateCell::Local(position)),
                    scope,
                    position,
                }
            }
            "data" => {
                let position = template.data_at(first, names.get(1)?)?;
                let data = &template.data[position];
                DeclarationOrigin {
                    kind: OriginKind::Data,
                    address: data.address(),
                    names: 2,
                    place: data.place,
                    value: value(TemplateCell::Data(position)),
                    scope,
                    position,
                }
            }
            _ => return None,
        })
    }

    /// Returns the source or build that a root name and the names after it denote; `None` if there is none. An unnamed build is
    /// identified by its number. Expressions cannot refer to these blocks.
    pub fn block(&self, root: &str, names: &[Str]) -> Option<DeclarationOrigin> {
        let (world, template) = (&self.world, &self.world.template);
        let own = |source, build| world.scope(SourceScope { source, build }, true);
        let first = names.first()?;
        Some(match root {
            "source" => {
                let position = template.origin_at(first, names.get(1)?)?;
                let source = &template.origins[position];
                DeclarationOrigin {
                    kind: OriginKind::Source,
                    address: source.address(),
                    names: 2,
                    place: source.place,
                    value: None,
                    scope: own(
                        Some((source.kind.clone(), source.name.clone())),
                        OwnBuild::Unsettled,
                    ),
                    position,
                }
            }
            "build" => {
                let is_named = |block: &NestedContent| build_name(block).as_ref() == Some(first);
                let named = template.builds.iter().position(is_named);
                let position = named.or_else(|| first.parse().ok())?;
                let block = template.builds.get(position)?;
                let name = build_name(block).unwrap_or_default();
                DeclarationOrigin {
                    kind: OriginKind::Build,
                    address: build_address(position, block),
                    names: 1,
                    place: block.header,
                    value: None,
                    // A plugin's builder may provide more than Packer's own.
                    scope: own(None, OwnBuild::Running { name, is_open: true }),
                    position,
                }
            }
            _ => return None,
        })
    }

    /// Returns the addresses of all declarations of the template, by kind.
    pub fn addresses(&self) -> Vec<String> {
        let template = &self.world.template;
        let mut found: Vec<String> = Vec::new();
        found.extend(template.variables.iter().map(|one| format!("var.{}", &*one.name)));
        found.extend(template.locals.iter().map(|one| format!("local.{}", &*one.name)));
        found.extend(template.data.iter().map(|one| one.address()));
        found.extend(template.origins.iter().map(|one| one.address()));
        let builds = template.builds.iter().enumerate();
        found.extend(builds.map(|(position, block)| build_address(position, block)));
        found
    }

    /// Returns what a declaration's value depends on: its expressions and arguments, or for a variable its default and the value
    /// given from outside.
    pub fn parts(&self, of: &DeclarationOrigin) -> Vec<OriginPart> {
        let (world, template) = (&self.world, &self.world.template);
        match of.kind {
            OriginKind::Variable => {
                let variable = &template.variables[of.position];
                let given = template.values.get(&variable.name).map(|given| {
                    let value = hidden(&given.value, variable.sensitive);
                    OriginPart::Given(value, given.by, given.place)
                });
                let is_open = world.options.open_environment && variable.is_open;
                let default = || {
                    let default = variable.default.as_ref().filter(|_| !is_open)?;
                    let default = hidden(default, variable.sensitive);
                    Some(OriginPart::Default(default, variable.default_place))
                };
                given.or_else(default).into_iter().collect()
            }
            OriginKind::Local => {
                vec![OriginPart::Value(template.locals[of.position].value.expr.clone())]
            }
            OriginKind::Data => self.arguments(&template.data[of.position].content, of),
            OriginKind::Source => self.arguments(&template.origins[of.position].content, of),
            OriginKind::Build => self.arguments(&template.builds[of.position].content, of),
        }
    }

    /// Returns the arguments of a block, the content of the declaration `of`, and of its nested blocks, including generated ones.
    fn arguments(&self, content: &BlockContent, of: &DeclarationOrigin) -> Vec<OriginPart> {
        let site = WrittenSite { scope: of.scope.clone(), repetition: None };
        let mut rest =
            vec![WrittenBody { content, site: Arc::new(site), path: Vec::new(), unknown: None }];
        let (mut found, mut out) = (Vec::new(), Diagnostics::new());
        while let Some(body) = rest.pop() {
            let around = BodyContext {
                world: &self.world,
                scope: body.site.scope.clone(),
                unknown: body.unknown.clone(),
            };
            for argument in &body.content.arguments {
                let before = out.error_count();
                let value = around.value(argument, &mut out);
                found.push(OriginPart::Argument(WrittenArgument {
                    path: extended(&body.path, [Step::Attribute(argument.name.clone())]),
                    expr: argument.value.expr.clone(),
                    value: (out.error_count() == before).then_some(value),
                    site: body.site.clone(),
                }));
            }
            let mut counts: FxHashMap<Str, usize> = FxHashMap::default();
            let mut inner = Vec::new();
            for made in expand(&around, body.content, &|_| None, &mut out) {
                let count = counts.entry(made.kind.clone()).or_default();
                let number = Step::Index(Value::position(*count));
                *count += 1;
                let path = extended(&body.path, [Step::Attribute(made.kind.clone()), number]);
                let repetition = made.repeated().map(|repeated| WrittenRepetition {
                    iterator: repeated.iterator.clone(),
                    element: repeated.element.clone(),
                    over: repeated.over.value.expr.clone(),
                    key: repeated.key.clone(),
                    path: path.clone(),
                    outside: body.site.clone(),
                });
                let site = match repetition {
                    Some(_) => {
                        let scope = made.scope(body.site.scope.clone());
                        Arc::new(WrittenSite { scope, repetition })
                    }
                    None => body.site.clone(),
                };
                let unknown = made.unknown().cloned();
                inner.push(WrittenBody { content: made.content, site, path, unknown });
            }
            rest.extend(inner.into_iter().rev());
        }
        found
    }

    /// Returns the context for evaluating an expression of the template in a scope.
    pub fn context(&self, scope: Arc<dyn Scope>) -> Context {
        self.world.context(scope)
    }

    /// Returns the functions that an expression entered in the console may call: those of templates and those of the console.
    pub fn library(&self) -> FunctionLibrary {
        self.world.library.with_console()
    }
}

/// A block body whose arguments [`TemplateEvaluation::parts`] has still to list, with its scope and its path from the outermost
/// block.
struct WrittenBody<'t> {
    content: &'t BlockContent,
    site: Arc<WrittenSite>,
    path: Vec<Step>,
    unknown: Option<Causes>,
}

/// Returns a path extended by further steps.
fn extended<const N: usize>(path: &[Step], steps: [Step; N]) -> Vec<Step> {
    path.iter().cloned().chain(steps).collect()
}

/// Returns the name of a build block; `None` if it has none or the name is not a constant.
fn build_name(block: &NestedContent) -> Option<Str> {
    match block.content.argument("name")?.value.located.code.constant()? {
        Value::String(name) => Some(name.clone()),
        _ => None,
    }
}

/// Returns the address of a build: its name, or its number if it has none.
fn build_address(position: usize, block: &NestedContent) -> String {
    match build_name(block) {
        Some(name) if is_identifier(&name) => format!("build.{}", &*name),
        Some(name) => format!("build[{}]", json::string(&name)),
        None => format!("build[{position}]"),
    }
}
