//! `templatefile` and `templatestring`: a template as code of its own, evaluated over the
//! attributes of an object. Its names are checked before it is rendered, even inside its `try`.

use std::sync::Arc;

use groma_functions::{Body, Failure, Form, Function, NoSite, read_file};
use groma_syntax::ast::Case;
use groma_syntax::{Diagnostic, Expr, FileId, Place, Severity, Source, parse_template};
use groma_value::{Causes, Marks, Str, Type, Value, convert, print};

use super::{Machine, causes_of, nothing, sentence};
use crate::code::Code;
use crate::{Context, Names};

/// A template that was read and lowered.
pub(crate) struct Prepared {
    code: Arc<Code>,
    source: Source,
    /// Why it cannot be rendered, if so.
    broken: Option<String>,
}

impl Machine<'_, '_> {
    #[inline(never)]
    pub(super) fn template_file(
        &mut self,
        function: &Function,
        values: &[Value],
        head: Place,
    ) -> Result<Value, Failure> {
        let [path, _] = values else { return Ok(nothing()) };
        let Some(path) = text_argument(0, "path", path)? else {
            return Ok(self.waiting(function, values));
        };
        let (path, marks) = path;
        let prepared = match self.run.templates.as_ref().and_then(|all| all.get(&*path)) {
            Some(prepared) => prepared.clone(),
            None => {
                let hidden = marks.hide();
                let text = self.read_text(&path, hidden)?;
                let name = if hidden { "(sensitive)" } else { &path };
                let prepared = Arc::new(self.prepare(name, &text));
                let all = self.run.templates.get_or_insert_default();
                all.insert(path.to_string(), prepared.clone());
                prepared
            }
        };
        let value = self.render(&prepared, function, values, head)?;
        if value.is_null() && !self.context.semantics.null_templatefile {
            let edition = self.context.semantics.edition;
            let message = format!("The template \"{path}\" gives null, which {edition} refuses.");
            return Err(Failure::whole(message));
        }
        Ok(value.mark(&marks))
    }

    #[inline(never)]
    pub(super) fn template_string(
        &mut self,
        function: &Function,
        values: &[Value],
        head: Place,
    ) -> Result<Value, Failure> {
        let [template, _] = values else { return Ok(nothing()) };
        let Some((text, marks)) = text_argument(0, "template", template)? else {
            return Ok(self.waiting(function, values));
        };
        let prepared = self.prepare("<template>", &text);
        Ok(self.render(&prepared, function, values, head)?.mark(&marks))
    }

    fn read_text(&self, path: &str, hidden: bool) -> Result<String, Failure> {
        let shown = if hidden { "(sensitive)".to_owned() } else { format!("\"{path}\"") };
        let bytes = read_file(&self.call_context(&NoSite, &Marks::NONE), path).map_err(|why| {
            let message = match hidden {
                true => "The file with this (sensitive) name cannot be read.".to_owned(),
                false => why,
            };
            Failure::argument(0, message)
        })?;
        String::from_utf8(bytes)
            .map_err(|_| Failure::whole(format!("The file {shown} is not UTF-8 text.")))
    }

    fn prepare(&self, name: &str, text: &str) -> Prepared {
        let source = Source::new(name, text);
        let parse = parse_template(source.text(), FileId(u32::MAX));
        let broken = has_error(&parse.diagnostics).then(|| tell(&parse.diagnostics, &source));
        let expr = Expr::of(&parse);
        let mut library = self.code.library;
        library.console = false;
        library.variable_default = false;
        let alone = !self.context.semantics.nested_templatefile;
        let code = match &expr {
            Expr::Native(native) => match native.view().case() {
                Case::Template(template) => crate::lower::lower_nested(template, &library, alone),
                _ => crate::lower(&expr, &library),
            },
            Expr::Json(_) => crate::lower(&expr, &library),
        };
        Prepared { code, source, broken }
    }

    fn render(
        &mut self,
        prepared: &Prepared,
        function: &Function,
        values: &[Value],
        head: Place,
    ) -> Result<Value, Failure> {
        let [_, vars] = values else { return Ok(nothing()) };
        let of_file = matches!(function.body, Body::Form(Form::TemplateFile));
        let (bare, marks) = match of_file || self.context.semantics.templatestring_hides_whole {
            true => vars.unmark_deep(),
            false => vars.unmark(),
        };
        let names = match &bare {
            Value::Null(_) => {
                return Err(Failure::argument(1, "The names for the template are null."));
            }
            Value::Unknown(unknown) => {
                return match &unknown.ty {
                    Type::Dynamic | Type::Object(_) | Type::Map(_) => {
                        Ok(self.waiting(function, values))
                    }
                    ty => Err(not_names(ty)),
                };
            }
            Value::Object(object) => names_of(object.iter(), &marks)?,
            Value::Map(map) => {
                names_of(map.entries().iter().map(|(key, value)| (key, value)), &marks)?
            }
            other => return Err(not_names(&other.ty())),
        };
        if let Some(broken) = &prepared.broken {
            return Err(Failure::whole(broken.clone()));
        }
        for reference in &prepared.code.references {
            if names.get(&reference.root).is_none() {
                let root = &reference.root;
                let place = place_in(&prepared.source, reference.span.start);
                return Err(Failure::argument(
                    1,
                    format!("The template uses `{root}` ({place}), which is not among the names."),
                ));
            }
        }
        let context = Context { scope: Arc::new(names), tracer: None, ..self.context.clone() };
        let start = self.run.out.len();
        let (depth, hidden) = (self.depth, self.hidden);
        let value = {
            let code = &*prepared.code;
            let mut machine = Machine::new(code, FileId(u32::MAX), 0, &context, self.run);
            machine.depth = depth;
            machine.rendered_at = Some(head);
            machine.hidden = hidden;
            machine.eval(code.root)
        };
        let found = self.run.out.split_off(start);
        if has_error(&found) {
            return Err(Failure::whole(tell(&found, &prepared.source)));
        }
        Ok(value.mark(&marks))
    }

    /// The result while the template or its names are unknown.
    fn waiting(&self, function: &Function, values: &[Value]) -> Value {
        let (mut causes, mut marks) = (Causes::NONE, Marks::NONE);
        for (index, value) in values.iter().enumerate() {
            causes = causes.union(&causes_of(value));
            let edition = self.context.semantics.edition;
            if function.param(index).is_some_and(|param| !param.forgotten.includes(edition)) {
                marks = marks.union(&value.deep_marks());
            }
        }
        Value::unknown_because(Type::Dynamic, causes).marked(&marks)
    }
}

/// A text argument and its marks; nothing while it is unknown.
fn text_argument(index: usize, name: &str, value: &Value) -> Result<Option<(Str, Marks)>, Failure> {
    let text = convert(value, &Type::String).map_err(|why| Failure::mismatch(index, name, why))?;
    let (bare, marks) = text.unmark();
    match bare {
        Value::String(text) => Ok(Some((text, marks))),
        Value::Null(_) => Err(Failure::argument(
            index,
            format!("The argument for \"{name}\" is null; give a value."),
        )),
        _ => Ok(None),
    }
}

fn not_names(ty: &Type) -> Failure {
    let ty = print::with_article(ty);
    let message = format!("The names for a template are the attributes of an object, not {ty}.");
    Failure::argument(1, message)
}

fn names_of<'v>(
    attributes: impl Iterator<Item = (&'v Str, &'v Value)>,
    marks: &Marks,
) -> Result<Names, Failure> {
    let mut names = Names::new();
    for (name, value) in attributes {
        if !is_identifier(name) {
            if marks.hide() {
                let message = "A name for the template, which is sensitive, cannot be one there.";
                return Err(Failure::argument(1, message));
            }
            let message = format!("\"{}\" cannot be a name in a template.", name.escape_debug());
            return Err(Failure::argument(1, message));
        }
        // What is hidden stays hidden in what the template may say about it.
        names.insert(&**name, value.mark(marks));
    }
    Ok(names)
}

fn is_identifier(name: &str) -> bool {
    let text: Arc<str> = name.into();
    let parse = groma_syntax::parse_traversal(&text, FileId(u32::MAX));
    if !parse.diagnostics.is_empty() {
        return false;
    }
    match Expr::of(&parse) {
        Expr::Native(native) => matches!(native.view().case(), Case::Root(root) if root == name),
        Expr::Json(_) => false,
    }
}

fn has_error(found: &[Diagnostic]) -> bool {
    found.iter().any(|one| one.severity == Severity::Error)
}

/// What is wrong in a template, in a few sentences with their places.
fn tell(found: &[Diagnostic], source: &Source) -> String {
    let mut told = format!("The template {} cannot be rendered.", source.name());
    let errors = found.iter().filter(|one| one.severity == Severity::Error);
    for one in errors.take(3) {
        let place = one.place.filter(|place| place.file == FileId(u32::MAX));
        let place = place.map(|place| format!(" ({})", place_in(source, place.span.start)));
        let place = place.unwrap_or_default();
        told = format!("{told} {}{place}", sentence(&one.detail));
    }
    told
}

fn place_in(source: &Source, offset: u32) -> String {
    let position = source.position(offset);
    format!("line {}, column {}", position.line, position.column)
}
