//! Meaning of the token at a place, shared by definition, hover, references and rename. It is read from resolved code and the
//! tree, without an evaluation.

use std::cell::Cell;

use groma_eval::Step;
use groma_functions::{FoundFunction, Function, FunctionReads};
use groma_module::visit::{ExpressionRole, VisitedExpression};
use groma_project::ModuleNode;
use groma_runtime::file_path;
use groma_syntax::ast::{CallView, ExprCase, ExprView, TemplatePart, TemplateView};
use groma_syntax::{Expr, NativeExpr, Place, Span};

use crate::Snapshot;
use crate::place::block::{FileSyntax, SyntaxPosition};
use crate::place::declaration::DeclarationId;
use crate::place::expected::{BlockStep, BodyLanguage};
use crate::place::index::ExpressionSite;
use crate::place::json::{JsonPosition, code_in_json};
use crate::place::reference::{declarations_of_use, reference_at};

/// The meaning of the token at a place, such as a reference to a declaration or the name of an argument.
#[derive(Clone, Debug)]
pub enum PlaceTarget {
    /// A name in an expression that refers to a declaration.
    Reference {
        /// The declaration.
        declaration: DeclarationId,
        /// The steps after the declaration's name, up to the one at the place.
        path: Box<[Step]>,
        /// The range from the first name to the one at the place.
        place: Place,
    },
    /// A name in an expression that refers to no declaration: a built-in one, such as `each.key`, or an undeclared one.
    Name {
        /// The name with the names after it.
        name: String,
        /// The range of the whole name.
        place: Place,
    },
    /// The header of a declaration, or the name of a local value.
    Declaration(DeclarationId),
    /// The name of an argument.
    Argument {
        /// The types of the enclosing blocks, outermost first.
        blocks: Vec<String>,
        /// Its name.
        name: String,
        /// The declaration that contains it.
        declaration: Option<DeclarationId>,
    },
    /// The type of a block that is not a declaration, preceded by those of the enclosing blocks, outermost first.
    Block(Vec<String>),
    /// A label that is not the name of a declaration, such as the type of a resource.
    Label {
        /// The types of the enclosing blocks, outermost first.
        blocks: Vec<String>,
        /// The label.
        text: String,
    },
    /// The name of a function in a call.
    Function(&'static Function),
    /// A path in a string: the source of a module, or the argument of a function that reads a file. It is relative to the same
    /// directory as the root's own path.
    FilePath(String),
}

impl Snapshot {
    /// Returns the meaning of the token at a place; `None` for whitespace, comments and literals.
    pub fn target_at(&self, place: Place) -> Option<PlaceTarget> {
        let project = self.project();
        let place = project.sources().resolve(place);
        let offset = place.span.start;
        let sites = self.places().sites(project, place.file);
        if let Some(site) = sites.expression_at(offset)
            && let Some(found) = site.visit(project, |seen| self.target_in(site, &seen, offset))?
        {
            return Some(found);
        }
        let position = self.syntax_position(place);
        let declaration = position.start.and_then(|start| sites.declared_at(start));
        let SyntaxPosition { blocks, label, is_kind, argument, is_value, .. } = position;
        if let Some((name, _)) = argument {
            // A local value is declared by its argument.
            return match declaration {
                _ if is_value => None,
                Some(id) if blocks == ["locals"] => Some(PlaceTarget::Declaration(id)),
                declaration => Some(PlaceTarget::Argument { blocks, name, declaration }),
            };
        }
        if let Some((_, span)) = label {
            let is_name = |id: &DeclarationId| {
                let name = self.declaration(*id).and_then(|site| site.name);
                name.is_some_and(|name| span.start <= name.span.start && name.span.end <= span.end)
            };
            if let Some(id) = declaration.filter(is_name) {
                return Some(PlaceTarget::Declaration(id));
            }
            let text = self.text_at(Place::new(place.file, span)).trim_matches('"').to_owned();
            return Some(PlaceTarget::Label { blocks, text });
        }
        match declaration {
            Some(id) if is_kind && blocks.len() == 1 => Some(PlaceTarget::Declaration(id)),
            _ if is_kind => Some(PlaceTarget::Block(blocks)),
            _ => None,
        }
    }

    /// Returns the enclosing blocks of a place, and the label or argument at it, from the syntax of its file.
    pub fn syntax_position(&self, place: Place) -> SyntaxPosition {
        let place = self.project().sources().resolve(place);
        let syntax = self.places().syntax(self.project(), place.file);
        match &*syntax {
            FileSyntax::Native(_) => SyntaxPosition::in_body(&syntax.body(), place.span.start),
            FileSyntax::Json(parse) => {
                let (source, _) = self.project().sources().at(place);
                let expected = |blocks: &[BlockStep]| {
                    self.expected_body(source.name(), BodyLanguage::Module, blocks)
                };
                JsonPosition::at(parse.document.root(), place.span.start, &expected).position
            }
        }
    }

    /// Returns the meaning of the token at an offset of a file in the expression `seen`, which stands at `site`; `None` for
    /// a literal or operator.
    fn target_in(
        &self,
        site: &ExpressionSite,
        seen: &VisitedExpression<'_, '_>,
        offset: u32,
    ) -> Option<PlaceTarget> {
        let project = self.project();
        let node = project.nodes().nth(site.declaration.module)?;
        let expression = seen.expression;
        let resolve = |place| project.sources().resolve(place);
        let located = &expression.located;
        if let Some((used, reference)) = reference_at(located, &expression.uses, offset, resolve) {
            // The shortest prefix of the reference that reaches the offset.
            let reaches = |steps: &usize| {
                resolve(located.place_of_first(reference, *steps)).span.end >= offset
            };
            let count = reference.steps.len();
            let steps = (0..count).find(reaches).unwrap_or(count);
            let leads = declarations_of_use(node, used, reference, self.places());
            let place = |steps| resolve(located.place_of_first(reference, steps));
            let nearest = leads.iter().find(|(_, own)| steps <= *own).or(leads.last());
            return Some(match nearest {
                Some((declaration, own)) => PlaceTarget::Reference {
                    declaration: *declaration,
                    path: reference.steps.get(*own..steps).unwrap_or_default().into(),
                    place: place(steps.max(*own)),
                },
                None => PlaceTarget::Name { name: reference.path(), place: place(count) },
            });
        }
        let (native, own) = code_at(site, &expression.expr, offset)?;
        if let ExpressionRole::Source = seen.role
            && let ExprCase::Template(template) = native.view().case()
        {
            return self.module_path(node, template).map(PlaceTarget::FilePath);
        }
        let call = innermost_call(native.view(), own)?;
        let library = located.code.library();
        let FoundFunction::Function(function) = library.find(&call.name) else { return None };
        if call.name_span.touches(own) {
            return Some(PlaceTarget::Function(function));
        }
        let path = call.args.first().filter(|path| path.span().touches(own))?;
        match path.case() {
            ExprCase::Template(template) if function.reads == FunctionReads::Files => {
                let path = self.written_path(node, template)?;
                Some(PlaceTarget::FilePath(path))
            }
            _ => None,
        }
    }

    /// Returns the file path that a string in the module `node` consists of: literal text, optionally after `path.module` or
    /// `path.root`; `None` for other templates.
    fn written_path(&self, node: ModuleNode<'_>, template: TemplateView<'_>) -> Option<String> {
        let mut path = String::new();
        for part in template.parts() {
            match part {
                TemplatePart::Literal { text, .. } => path.push_str(&text),
                TemplatePart::Interpolation { expr, .. } if path.is_empty() => {
                    path.push_str(match expr.text() {
                        "path.module" => node.module_path(),
                        "path.root" => ".",
                        _ => return None,
                    });
                }
                _ => return None,
            }
        }
        Some(file_path::join(self.dir(), &path))
    }

    /// Returns the path of the directory that a source written in the module `node` refers to; `None` if the source is not a
    /// local path.
    fn module_path(&self, node: ModuleNode<'_>, source: TemplateView<'_>) -> Option<String> {
        let text = source.plain()?;
        let is_local = ["./", "../"].iter().any(|start| text.starts_with(start));
        let folder = file_path::join(self.dir(), node.module_path());
        is_local.then(|| file_path::join(&folder, &text))
    }

    /// Returns the function of the innermost call around a place, and the index of the argument at the place, 0 at the
    /// function's name; `None` if there is no call.
    pub fn call_at(&self, place: Place) -> Option<(&'static Function, usize)> {
        let project = self.project();
        let place = project.sources().resolve(place);
        let offset = place.span.start;
        let sites = self.places().sites(project, place.file);
        let site = sites.expression_at(offset)?;
        site.visit(project, |seen| {
            let (native, own) = code_at(site, &seen.expression.expr, offset)?;
            let call = innermost_call(native.view(), own)?;
            let library = seen.expression.located.code.library();
            let FoundFunction::Function(function) = library.find(&call.name) else { return None };
            let between = Span::new(call.open_span.end.min(own), own);
            let arguments = call.args.iter().filter(|one| one.span().end < own);
            // After an argument the position is still its own until a comma follows.
            let text = |from: u32| Span::new(from, own).of(native.tree().text()).contains(',');
            let count = Cell::new(0);
            for one in arguments {
                count.set(count.get() + usize::from(text(one.span().end)));
            }
            Some((function, if between.is_empty() { 0 } else { count.get() }))
        })?
    }
}

/// Returns the expression in native syntax at an offset of a file, with the corresponding offset in it: the whole of the
/// native expression `expr`, which stands at `site`, or one string of it in JSON; `None` if there is none.
fn code_at(site: &ExpressionSite, expr: &Expr, offset: u32) -> Option<(NativeExpr, u32)> {
    let within = offset.checked_sub(site.span.start)?;
    match expr {
        Expr::Native(native) => Some((native.clone(), within + native.span().start)),
        Expr::Json(json) => code_in_json(json.view(), within + json.span().start),
    }
}

/// Returns the innermost function call in an expression that contains an offset, from its name to its closing parenthesis;
/// `None` if there is none.
fn innermost_call<'t>(whole: ExprView<'t>, offset: u32) -> Option<CallView<'t>> {
    let mut found = None;
    let mut waiting = vec![whole];
    while let Some(view) = waiting.pop() {
        let case = view.case();
        let mut inner = None;
        case.inner(|one| {
            if one.span().touches(offset) {
                inner = Some(one);
            }
        });
        waiting.extend(inner);
        if let ExprCase::Call(call) = case
            && call.name_span.start <= offset
            && (call.close_span.is_empty() || offset < call.close_span.end)
        {
            found = Some(call);
        }
    }
    found
}
