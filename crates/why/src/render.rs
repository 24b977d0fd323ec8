//! Rendering of a template in pieces: the kind and the source place of each piece. The template is also evaluated as a whole, and
//! that value is the result; pieces only show where its parts come from.

use std::sync::Arc;

use groma_eval::{Context, LocatedCode, NamedValues, codes, evaluate, lower_template, lower_view};
use groma_functions::FunctionLibrary;
use groma_syntax::ast::{ExprCase, ExprView as View, TemplatePart};
use groma_syntax::{
    Diagnostic, Diagnostics, Expr, FileId, Place, Source, Span, parse_inner_template,
};
use groma_value::{Type, Value, convert, nearest, print};

use crate::loop_bindings::iterations;
use crate::slice::truth;

/// The kind of a piece of rendered text: known text, or a placeholder for a value that is unknown, sensitive or ephemeral.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PieceKind {
    /// Text that is known and may be shown.
    Plain,
    /// A placeholder for an unknown value.
    Unknown,
    /// A placeholder for a hidden value.
    Hidden,
}

/// A piece of a rendered template: its text, and the place in the template that it comes from.
#[derive(Clone, Debug)]
pub struct RenderedPiece {
    /// The kind of the piece.
    pub kind: PieceKind,
    /// The text, or its placeholder.
    pub text: String,
    /// The place in the template.
    pub span: Span,
}

/// A rendered template: its value, and the text in pieces that refer to the template.
#[derive(Clone, Debug)]
pub struct RenderedTemplate {
    /// The result, with marks and causes.
    pub value: Value,
    /// The pieces of the text, in order.
    pub pieces: Vec<RenderedPiece>,
}

/// A line of a rendered text, and the lines of the template that it comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineOrigin {
    /// The line, without its end.
    pub text: String,
    /// Lines of the template, from 1, in ascending order.
    pub from: Vec<u32>,
}

/// Maximum depth of nested `if` and `for` directives in a template that is rendered.
const MAX_NESTING: usize = 200;

/// Returns the rendered text of a template file; `None` after errors, which are reported at their places in the template.
pub fn render(
    file: FileId,
    source: &Source,
    names: &NamedValues,
    context: &Context,
    out: &mut Diagnostics,
) -> Option<RenderedTemplate> {
    let parse = parse_inner_template(source.text(), file);
    let before = out.error_count();
    out.extend(parse.diagnostics.iter().cloned());
    if out.error_count() > before {
        return None;
    }
    let Expr::Native(native) = Expr::of(&parse) else { return None };
    let view = native.view();
    let library = FunctionLibrary::of(context.semantics.edition());
    let code = match view.case() {
        ExprCase::Template(template) => lower_template(template, &library),
        _ => lower_view(view, view.span().start, &library),
    };
    let located = LocatedCode { code, file, base: view.span().start };
    undefined(&located, names, out);
    if out.error_count() > before {
        return None;
    }
    let context = context.with_scope(Arc::new(names.clone()));
    let value = evaluate(&located, &context, out);
    if out.error_count() > before {
        return None;
    }
    let mut renderer = TemplateRenderer { context: &context, library, pieces: Vec::new() };
    match view.case() {
        ExprCase::Template(template) => match template.lone_interpolation() {
            Some(inner) => renderer.interpolation(inner, view.span(), names),
            None => renderer.parts(template.parts(), names, 0),
        },
        _ => renderer.interpolation(view, view.span(), names),
    }
    let mut pieces = renderer.pieces;
    // The evaluation of the whole template decides.
    let is_open = |piece: &RenderedPiece| piece.kind != PieceKind::Plain;
    let is_said = !pieces.iter().any(is_open) && value.is_wholly_known() && !value.marks().hide();
    if is_said {
        let told: String = pieces.iter().map(|piece| piece.text.as_str()).collect();
        let text = text_of(&value);
        if told != text {
            pieces = vec![RenderedPiece { kind: PieceKind::Plain, text, span: view.span() }];
        }
    }
    Some(RenderedTemplate { value, pieces })
}

/// Reports every reference in a template to a name that is not given to it.
fn undefined(located: &LocatedCode, names: &NamedValues, out: &mut Diagnostics) {
    let mut told: Vec<&str> = Vec::new();
    for reference in located.code.references() {
        let root = &*reference.root;
        if names.get(root).is_some() || told.contains(&root) {
            continue;
        }
        told.push(root);
        let known: Vec<&str> = names.iter().map(|(name, _)| &**name).collect();
        let hint = match (nearest(root, known.iter().copied()), known.as_slice()) {
            (Some(near), _) => format!("Did you mean \"{near}\"?"),
            (None, []) => format!("Give it a value, as in -var {root}=VALUE."),
            (None, known) => format!("The variables are: {}.", known.join(", ")),
        };
        let detail =
            format!("The template uses \"{root}\", which is not one of its variables. {hint}");
        let start = reference.span.start;
        let span = Span::new(start, start + root.len() as u32);
        out.push(Diagnostic::error(&codes::UNDEFINED_NAME, detail).at(located.place(span)));
    }
}

/// Returns the text that a template inserts for a value; for one that is not a string, as the console prints it.
fn text_of(value: &Value) -> String {
    let (bare, _) = value.unmark_deep();
    match convert(&bare, &Type::String) {
        Ok(Value::String(text)) => text.to_string(),
        _ => format!("{}\n", print::console(&bare)),
    }
}

/// Renderer of one template: evaluates its expressions and collects pieces.
struct TemplateRenderer<'c> {
    context: &'c Context,
    library: FunctionLibrary,
    pieces: Vec<RenderedPiece>,
}

impl TemplateRenderer<'_> {
    /// Evaluates an expression of the template, which may use `names`; `None` after an error, which is reported.
    fn value(&self, view: View<'_>, names: &NamedValues) -> Option<Value> {
        let code = lower_view(view, view.span().start, &self.library);
        let located = LocatedCode { code, file: FileId(0), base: 0 };
        let mut found = Diagnostics::new();
        let context = self.context.with_scope(Arc::new(names.clone()));
        let value = evaluate(&located, &context, &mut found);
        (!found.has_errors()).then_some(value)
    }

    /// Adds a piece to the rendered text, unless it is empty.
    fn push(&mut self, kind: PieceKind, text: String, span: Span) {
        if !text.is_empty() {
            self.pieces.push(RenderedPiece { kind, text, span });
        }
    }

    /// Adds a piece with a placeholder for a value that is unknown, sensitive or ephemeral.
    fn push_placeholder(&mut self, value: Option<&Value>, span: Span) {
        let is_hidden = value.is_some_and(|value| value.has_marks() && value.deep_marks().hide());
        match is_hidden {
            true => self.push(PieceKind::Hidden, "(sensitive value)".to_owned(), span),
            false => self.push(PieceKind::Unknown, "(known after apply)".to_owned(), span),
        }
    }

    /// Adds the value of an interpolated expression, which may use `names`, to the rendered text; `span` is the interpolation's.
    fn interpolation(&mut self, view: View<'_>, span: Span, names: &NamedValues) {
        match self.value(view, names) {
            Some(value)
                if value.is_wholly_known() && !(value.has_marks() && value.deep_marks().hide()) =>
            {
                self.push(PieceKind::Plain, text_of(&value), span);
            }
            value => self.push_placeholder(value.as_ref(), span),
        }
    }

    /// Renders the parts of a template, unless the number of directives around them, `depth`, exceeds [`MAX_NESTING`].
    fn parts(&mut self, parts: Vec<TemplatePart<'_>>, names: &NamedValues, depth: usize) {
        if depth > MAX_NESTING || self.context.budget.ended().is_some() {
            return;
        }
        for part in parts {
            match part {
                TemplatePart::Literal { text, span } => {
                    self.push(PieceKind::Plain, text.into_owned(), span);
                }
                TemplatePart::Interpolation { expr, span } => self.interpolation(expr, span, names),
                TemplatePart::If { condition, then, otherwise, span } => {
                    let value = self.value(condition, names);
                    let is_hidden = value.as_ref().is_some_and(|value| value.marks().hide());
                    match truth(value.clone()).filter(|_| !is_hidden) {
                        Some(true) => self.parts(then, names, depth + 1),
                        Some(false) => self.parts(otherwise.unwrap_or_default(), names, depth + 1),
                        None => self.push_placeholder(value.as_ref(), span),
                    }
                }
                TemplatePart::For { key_name, value_name, collection, body, span } => {
                    let value = self.value(collection, names);
                    let Some(all) = value.as_ref().and_then(iterations) else {
                        self.push_placeholder(value.as_ref(), span);
                        continue;
                    };
                    for (key, value) in all {
                        let mut inner = names.clone();
                        if let Some((name, _)) = key_name {
                            inner.insert(name, key);
                        }
                        inner.insert(value_name.0, value);
                        self.parts(body.clone(), &inner, depth + 1);
                    }
                }
            }
        }
    }
}

impl RenderedTemplate {
    /// Returns the rendered text: that of all pieces.
    pub fn text(&self) -> String {
        self.pieces.iter().map(|piece| piece.text.as_str()).collect()
    }

    /// Returns true if the rendered text has a piece of this kind.
    pub fn has(&self, kind: PieceKind) -> bool {
        self.pieces.iter().any(|piece| piece.kind == kind)
    }

    /// Returns the lines of the rendered text, each with the lines of the template that it comes from.
    pub fn lines(&self, source: &Source) -> Vec<LineOrigin> {
        let mut lines: Vec<LineOrigin> = Vec::new();
        let mut is_open = false;
        for piece in &self.pieces {
            let from = source.position(piece.span.start).line;
            let last = source.position(piece.span.last().start).line;
            // Literal text continues line by line, as in the template.
            let is_literal = piece.kind == PieceKind::Plain
                && piece.span.of(source.text()).lines().count() == piece.text.lines().count();
            for (at, part) in piece.text.split_inclusive('\n').enumerate() {
                if !is_open {
                    lines.push(LineOrigin { text: String::new(), from: Vec::new() });
                }
                let own = match is_literal {
                    true => (from + at as u32).min(last),
                    false => from,
                };
                if let Some(line) = lines.last_mut() {
                    line.text.push_str(part.trim_end_matches(['\n', '\r']));
                    line.from.push(own);
                }
                is_open = !part.ends_with('\n');
            }
        }
        for line in &mut lines {
            line.from.sort_unstable();
            line.from.dedup();
        }
        lines
    }
}

/// A call of a template file: its place, the declaration that contains it, and the names that it passes.
#[derive(Clone, Debug)]
pub struct TemplateCall {
    /// The place where the call stands.
    pub place: Place,
    /// The address of the declaration that contains it.
    pub address: String,
    /// The names that it passes, as an object.
    pub names: Value,
}
