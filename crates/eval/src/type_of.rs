//! Type expressions: `list(object({ a = optional(string, "x") }))` is read as a type and the defaults of its attributes. They
//! look like expressions and are never evaluated as such: `string` is not a reference.

use std::collections::BTreeSet;

use groma_functions::FunctionLibrary;
use groma_runtime::{Edition, Limits};
use groma_syntax::ast::{CallView, ExprCase, ExprView, ObjectItem};
use groma_syntax::{Diagnostic, Diagnostics, Expr, FileId, Place, Span, json, parse_expression};
use groma_value::{Attribute, ObjectType, Str, Type, Value, convert, print};

use crate::code::OpKind;
use crate::codes;
use crate::defaults::TypeDefaults;
use crate::fault::Fault;
use crate::{Context, LocatedCode};

/// The kind of argument in which a type expression stands, such as a variable's `type`, which determines the forms that it may
/// have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TypePosition {
    /// The `type` of an input variable: optional attributes with defaults, and bare `list` and `map` for `list(any)` and
    /// `map(any)`.
    Variable,
    /// The `type` of an output: as that of a variable, but without bare `list` and `map`.
    Output,
    /// A constraint without defaults; optional attributes are allowed.
    Constraint,
    /// The type argument of a function that fills in defaults.
    Filling,
    /// The type argument of another function.
    Argument,
}

/// Reads a type expression and the defaults in it, in the forms that `mode` allows; an error is pushed to `out`, and the faulty
/// part counts as `any`.
pub fn type_expression(
    expr: &Expr,
    mode: TypePosition,
    out: &mut Diagnostics,
) -> (Type, Option<TypeDefaults>) {
    let mut reader = TypeReader { mode, file: expr.file(), faults: Vec::new(), depth: 0 };
    let read = match expr {
        Expr::Native(native) => reader.outermost(native.view()),
        Expr::Json(json) => reader.json(json),
    };
    out.extend(reader.faults.into_iter().map(|found| {
        let place = Place::new(expr.file(), found.span);
        Diagnostic::error(found.row, found.detail).at(place).within(expr.span())
    }));
    read.finish()
}

/// Reads a type expression and the defaults in it, in the forms that `mode` allows, or returns the first error.
pub(crate) fn read(
    expression: ExprView<'_>,
    mode: TypePosition,
) -> Result<(Type, Option<TypeDefaults>), Fault> {
    let mut reader = TypeReader { mode, file: FileId(0), faults: Vec::new(), depth: 0 };
    let read = reader.outermost(expression);
    match reader.faults.into_iter().next() {
        Some(found) => Err(found),
        None => Ok(read.finish()),
    }
}

/// A type with the defaults of its optional attributes, read from a type expression.
struct ReadType {
    ty: Type,
    defaults: TypeDefaults,
}

impl ReadType {
    /// Returns this type as the result of reading an expression that has no defaults.
    fn plain(ty: Type) -> ReadType {
        ReadType { ty, defaults: TypeDefaults::default() }
    }

    /// Returns the type, and its defaults if it has any.
    fn finish(self) -> (Type, Option<TypeDefaults>) {
        let defaults = (!self.defaults.is_empty()).then_some(self.defaults);
        (self.ty, defaults)
    }
}

/// A reader of one type expression: the kind of argument in which it stands, the errors so far and the nesting depth.
struct TypeReader {
    mode: TypePosition,
    file: FileId,
    faults: Vec<Fault>,
    depth: usize,
}

impl TypeReader {
    /// Records an error in a type expression and returns `any` in its place.
    fn fail(&mut self, span: Span, detail: impl Into<String>) -> ReadType {
        self.faults.push(Fault {
            row: &codes::TYPE_EXPRESSION,
            span,
            detail: detail.into(),
            absent: None,
        });
        ReadType::plain(Type::Dynamic)
    }

    /// Returns true if optional attributes may have defaults at this position of the type expression.
    fn allows_defaults(&self) -> bool {
        matches!(self.mode, TypePosition::Variable | TypePosition::Output | TypePosition::Filling)
    }

    /// Reads the outermost type, where bare `list` and `map` may be allowed.
    fn outermost(&mut self, expression: ExprView<'_>) -> ReadType {
        if self.mode == TypePosition::Variable {
            match expression.case() {
                ExprCase::Root("list") => return ReadType::plain(Type::list(Type::Dynamic)),
                ExprCase::Root("map") => return ReadType::plain(Type::map(Type::Dynamic)),
                _ => {}
            }
        }
        self.read(expression)
    }

    /// Reads a type at any depth of a type expression, checking the nesting depth.
    fn read(&mut self, expression: ExprView<'_>) -> ReadType {
        if self.depth >= Limits::DEFAULT.nesting {
            return self.fail(expression.span(), "This type nests too deeply.");
        }
        self.depth += 1;
        let read = self.case(expression);
        self.depth -= 1;
        read
    }

    /// Reads a type by the kind of its expression: a keyword or a call.
    fn case(&mut self, expression: ExprView<'_>) -> ReadType {
        let span = expression.span();
        match expression.case() {
            ExprCase::Root(name) => match name {
                "any" => ReadType::plain(Type::Dynamic),
                "bool" => ReadType::plain(Type::Bool),
                "number" => ReadType::plain(Type::Number),
                "string" => ReadType::plain(Type::String),
                "list" | "set" | "map" => self.fail(
                    span,
                    format!("`{name}` needs the type of its elements: `{name}(string)`."),
                ),
                "object" => self.fail(
                    span,
                    "`object` needs the types of its attributes: `object({ name = string })`.",
                ),
                "tuple" => self.fail(
                    span,
                    "`tuple` needs the types of its elements: `tuple([string, number])`.",
                ),
                _ => self.fail(span, format!("There is no type `{name}`. {KNOWN}")),
            },
            ExprCase::Call(call) => self.call(&call, span),
            ExprCase::Template(template) => {
                let detail = match template.plain().as_deref() {
                    Some(word @ ("string" | "bool" | "number" | "any")) => {
                        format!("A type is written without quotes: `{word}`.")
                    }
                    Some(word @ ("list" | "map" | "set")) => {
                        format!("A type is written without quotes: `{word}(string)`.")
                    }
                    _ => format!("A text is not a type. {KNOWN}"),
                };
                self.fail(span, detail)
            }
            ExprCase::Missing => ReadType::plain(Type::Dynamic),
            _ => self.fail(span, format!("This is not a type. {KNOWN}")),
        }
    }

    /// Reads a type constructor call such as `list(…)`.
    fn call(&mut self, call: &CallView<'_>, span: Span) -> ReadType {
        let name = &*call.name;
        match name {
            "list" | "set" | "map" | "object" | "tuple" => {}
            "optional" => {
                return self.fail(
                    call.name_span,
                    "`optional` belongs to an attribute of `object({ … })`.",
                );
            }
            "any" | "bool" | "number" | "string" => {
                return self.fail(span, format!("`{name}` takes no arguments."));
            }
            _ => {
                return self.fail(
                    call.name_span,
                    format!("There is no type constructor `{name}`. {KNOWN}"),
                );
            }
        }
        let [argument] = call.args.as_slice() else {
            let place = call.args.get(1).map_or(call.close_span, |extra| extra.span());
            return self.fail(place, format!("`{name}` takes one argument."));
        };
        match name {
            "list" => self.collection(*argument, Type::list),
            "set" => self.collection(*argument, Type::set),
            "map" => self.collection(*argument, Type::map),
            "object" => match argument.case() {
                ExprCase::Object(items) => self.object(&items),
                _ => self.fail(
                    argument.span(),
                    "`object` takes the types of its attributes: `object({ name = string })`.",
                ),
            },
            _ => match argument.case() {
                ExprCase::Tuple(items) => self.tuple(&items),
                _ => self.fail(
                    argument.span(),
                    "`tuple` takes the types of its elements: `tuple([string, number])`.",
                ),
            },
        }
    }

    /// Reads a collection type, such as `list(…)`, from its element type; `make` creates it.
    fn collection(&mut self, element: ExprView<'_>, make: fn(Type) -> Type) -> ReadType {
        let element = self.read(element);
        let ty = make(element.ty);
        let mut defaults = TypeDefaults::default();
        defaults.set_element_defaults(element.defaults);
        ReadType { ty, defaults }
    }

    /// Reads a tuple type from the element types in `tuple([…])`.
    fn tuple(&mut self, items: &[ExprView<'_>]) -> ReadType {
        let mut types = Vec::with_capacity(items.len());
        let mut defaults = TypeDefaults::default();
        for (index, item) in items.iter().enumerate() {
            let element = self.read(*item);
            types.push(element.ty);
            defaults.set_position_defaults(index, element.defaults);
        }
        ReadType { ty: Type::tuple(types), defaults }
    }

    /// Reads an object type from the attributes in `object({…})`; reports invalid and repeated names.
    fn object(&mut self, items: &[ObjectItem<'_>]) -> ReadType {
        let mut attributes: Vec<Attribute> = Vec::with_capacity(items.len());
        let mut seen = BTreeSet::new();
        let mut defaults = TypeDefaults::default();
        for item in items {
            let name: Str = match item.key.case() {
                ExprCase::Root(name) => name.into(),
                _ => {
                    let detail = "The name of an attribute stands without quotes and brackets, as in `object({ name = string })`.";
                    self.fail(item.key.span(), detail);
                    continue;
                }
            };
            if !seen.insert(name.clone()) {
                let detail = format!(
                    "The attribute \"{}\" is there already. Remove one of the two.",
                    &*name
                );
                self.fail(item.key.span(), detail);
                continue;
            }
            let (read, optional, default) = match item.value.case() {
                ExprCase::Call(call) if call.name == "optional" => self.optional(&call),
                _ => (self.read(item.value), false, None),
            };
            attributes.push(Attribute { name: name.clone(), ty: read.ty, optional });
            defaults.set_attribute_defaults(name, default, read.defaults);
        }
        ReadType { ty: Type::Object(ObjectType::new(attributes).into()), defaults }
    }

    /// Reads the type of an attribute, which may be `optional(…)`; returns it with true if optional, and the default if any.
    fn optional(&mut self, call: &CallView<'_>) -> (ReadType, bool, Option<Value>) {
        let (ty, default) = match call.args.as_slice() {
            [ty] => (ty, None),
            [ty, default] if self.allows_defaults() => (ty, Some(default)),
            [_, default] => {
                let detail = "Only the type of an input variable may give defaults.";
                return (self.fail(default.span(), detail), true, None);
            }
            other => {
                let place = other.get(2).map_or(call.close_span, |extra| extra.span());
                let detail = "`optional` takes a type and perhaps a default.";
                return (self.fail(place, detail), true, None);
            }
        };
        let read = self.read(*ty);
        let default = default.and_then(|default| self.default(*default, &read));
        (read, true, default)
    }

    /// Evaluates the default of an optional attribute, a constant without names and functions; `None` after an error, which is
    /// recorded, also for a value that does not fit the type.
    fn default(&mut self, default: ExprView<'_>, read: &ReadType) -> Option<Value> {
        let library = FunctionLibrary::of(Edition::DEFAULT);
        let base = default.span().start;
        let code = crate::lower_view(default, base, &library);
        let calls = |node: &OpKind| {
            matches!(node, OpKind::Call(_) | OpKind::Form(..) | OpKind::TypeForm(_))
        };
        if let Some(at) = code.operations.iter().position(|one| calls(&one.node)) {
            let span = code.operations[at].span.shift(base);
            self.fail(span, "A default is a constant: it cannot call functions.");
            return None;
        }
        let mut out = Diagnostics::new();
        let located = LocatedCode { code, file: self.file, base };
        let value = crate::evaluate(&located, &Context::bare(Edition::DEFAULT), &mut out);
        for found in out {
            let span = found.place.map_or(default.span(), |place| place.span);
            let detail = match found.code == &codes::UNDEFINED_NAME {
                true => "A default is a constant: it cannot refer to anything.".into(),
                false => found.detail,
            };
            self.faults.push(Fault { row: found.code, span, detail, absent: None });
        }
        if !self.faults.is_empty() {
            return None;
        }
        let completed = read.defaults.apply(&value);
        match convert(&completed, &read.ty) {
            Ok(_) => Some(value),
            Err(mismatch) => {
                let ty = print::type_name(&read.ty);
                self.fail(
                    default.span(),
                    format!("This default does not fit the type ({ty}): {}.", mismatch.message),
                );
                None
            }
        }
    }

    /// Reads a type expression in JSON syntax, which is a string.
    fn json(&mut self, json: &groma_syntax::JsonExpr) -> ReadType {
        let whole = json.span();
        let json::JsonCase::String(text) = json.view().case() else {
            return self.fail(whole, "A type is written as a text: \"list(string)\".");
        };
        let parse = parse_expression(&(&*text).into(), self.file);
        let known = self.faults.len();
        let read = match Expr::of(&parse) {
            Expr::Native(native) if parse.diagnostics.is_empty() => self.outermost(native.view()),
            _ => self.fail(Span::at(0), format!("This is not a type. {KNOWN}")),
        };
        // Places inside of a text with escapes are only near; they never leave it.
        for found in &mut self.faults[known..] {
            let span = found.span.shift(whole.start + 1);
            found.span = Span::new(span.start.min(whole.end), span.end.min(whole.end));
        }
        read
    }
}

/// The sentence that lists the names of types, for errors about unknown type names.
const KNOWN: &str = "The types are string, number, bool, any, list(…), set(…), map(…), \
                     tuple([…]) and object({ … }).";
