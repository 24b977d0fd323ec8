//! Bodies whose meaning depends on a schema: arguments, nested blocks and `dynamic` blocks. In JSON only a schema distinguishes
//! blocks from arguments; without one every property is an argument, except below `dynamic`.

use groma_config::{RawArgument, RawBlock, RawLabel, bare_word, did_you_mean, keyword};
use groma_functions::FunctionLibrary;
use groma_syntax::json::JsonCase;
use groma_syntax::{BodyItem, Diagnostic, DiagnosticCode, Diagnostics, Expr, JsonExpr, Place};
use groma_value::Str;
use groma_value::schema::{BlockSchema, NestedBlock, NestingMode};

use crate::codes;
use crate::declare::Expression;

/// An argument with its expression, whose meaning depends on a schema or on the called module.
#[derive(Clone, Debug)]
pub struct InputArgument {
    /// Its name.
    pub name: Str,
    /// The source range of its name.
    pub name_place: Place,
    /// Its value.
    pub value: Expression,
}

/// The arguments and nested blocks of a body, sorted into these two kinds by a schema.
#[derive(Clone, Debug, Default)]
pub struct SchemaBody {
    /// The brace at which missing content is reported.
    pub edge: Place,
    /// The arguments, in source order.
    pub arguments: Vec<InputArgument>,
    /// The nested blocks, in source order.
    pub blocks: Vec<InnerBlock>,
}

/// A nested block inside of a resource or of another body: type, labels and body.
#[derive(Clone, Debug)]
pub struct InnerBlock {
    /// Its type.
    pub kind: Str,
    /// The source range of its header.
    pub place: Place,
    /// The labels between its type and its body.
    pub labels: Vec<RawLabel>,
    /// Its body.
    pub content: SchemaBody,
    /// The repetition, if it is a `dynamic` block.
    pub dynamic: Option<DynamicBlock>,
}

/// The settings of a `dynamic` block: its collection, the name of its iterator and its labels.
#[derive(Clone, Debug)]
pub struct DynamicBlock {
    /// The source range of the name of the generated block type.
    pub kind_place: Place,
    /// The collection that it iterates over.
    pub for_each: Option<Expression>,
    /// The name of the iterator variable.
    pub iterator: Str,
    /// The labels of the generated blocks.
    pub labels: Option<Expression>,
}

impl SchemaBody {
    /// Returns true if an expression in the body refers to something undeclared, which has been reported; arguments and blocks
    /// that the schema `block` does not have are ignored, as they are not read.
    pub(crate) fn is_broken(&self, block: Option<&BlockSchema>) -> bool {
        let is_read = |name: &str| block.is_none_or(|block| block.has_name(name));
        let mut is_broken = false;
        self.visit(&mut |seen| {
            let outermost = seen.blocks.first().map(|block| &*block.kind);
            let expression = seen.expression;
            is_broken |= !expression.deferred
                && expression.uses.iter().any(|used| used.target == super::Referent::Broken)
                && outermost.or(seen.argument()).is_none_or(is_read);
        });
        is_broken
    }

    /// Removes and reports arguments and blocks that the schema `block` does not have, where an override file has changed the
    /// resource `whose`: the reference programs drop them there without a message.
    pub(super) fn drop_strays(&mut self, block: &BlockSchema, whose: &str, out: &mut Diagnostics) {
        let mut tell = |code, what: String, place| {
            let detail = format!(
                "{whose} has no {what}. Because an override file changes this block, it has no effect, and neither Terraform nor OpenTofu reports it."
            );
            out.push(Diagnostic::remark(code, detail).at(place));
        };
        self.arguments.retain(|argument| {
            let name = &*argument.name;
            let has_place = block.attribute(name).is_some();
            if !has_place {
                let what = format!("argument \"{name}\"");
                tell(&codes::UNSUPPORTED_ARGUMENT, what, argument.name_place);
            }
            has_place
        });
        self.blocks.retain(|nested| {
            let kind = &*nested.kind;
            let has_place = block.block(kind).is_some()
                || block.attribute(kind).is_some_and(|attribute| attribute.as_blocks().is_some());
            if !has_place {
                let what = format!("blocks of type \"{kind}\"");
                tell(&codes::UNSUPPORTED_BLOCK, what, nested.place);
            }
            has_place
        });
    }

    /// Returns the argument with this name; `None` if the body does not set it.
    pub fn argument(&self, name: &str) -> Option<&InputArgument> {
        self.arguments.iter().find(|argument| *argument.name == *name)
    }

    /// Returns the nested blocks of this type, in source order.
    pub fn blocks_of<'c>(&'c self, kind: &'c str) -> impl Iterator<Item = &'c InnerBlock> {
        self.blocks.iter().filter(move |nested| *nested.kind == *kind)
    }
}

/// A reader of bodies whose content a schema defines, with the sink for what is wrong in them.
pub(super) struct ContentReader<'a> {
    pub(super) library: &'a FunctionLibrary,
    pub(super) out: &'a mut Diagnostics,
}

impl ContentReader<'_> {
    /// Reads the body of a block by its schema, if known, without the arguments `own` and the blocks `settings`.
    pub(super) fn read(
        &mut self,
        raw: &RawBlock,
        own: &[&str],
        settings: &[&str],
        schema: Option<&BlockSchema>,
    ) -> SchemaBody {
        let mut found = SchemaBody { edge: raw.edge, ..SchemaBody::default() };
        let arguments = || raw.arguments.iter().filter(|argument| !own.contains(&&*argument.name));
        let blocks = || raw.blocks.iter().filter(|block| !settings.contains(&&*block.kind));
        // Most bodies are small and live as long as the module.
        found.arguments.reserve_exact(arguments().count());
        found.blocks.reserve_exact(blocks().count());
        for argument in arguments() {
            self.argument(argument, schema, &mut found);
        }
        for block in blocks() {
            self.block(block, schema, &mut found);
        }
        found
    }

    /// Reports an error with this code and message.
    fn wrong(&mut self, code: &'static DiagnosticCode, detail: impl Into<String>, place: Place) {
        self.out.push(Diagnostic::error(code, detail).at(place));
    }

    /// Reads one nested block and adds it to `found`; of an escaping block `_` the content is added instead.
    fn block(&mut self, raw: &RawBlock, schema: Option<&BlockSchema>, found: &mut SchemaBody) {
        match &*raw.kind {
            // The content of an escaping block belongs to the outer block.
            "_" => {
                let inner = self.read(raw, &[], &[], schema);
                for argument in inner.arguments {
                    if found.argument(&argument.name).is_some() {
                        let detail = format!(
                            "\"{}\" is already set outside of the escaping block. Keep one of the two.",
                            &*argument.name
                        );
                        self.wrong(&codes::DUPLICATE_ARGUMENT, detail, argument.name_place);
                        continue;
                    }
                    found.arguments.push(argument);
                }
                found.blocks.extend(inner.blocks);
            }
            "dynamic" => found.blocks.extend(self.dynamic(raw, schema)),
            kind => found.blocks.push(InnerBlock {
                kind: raw.kind.clone(),
                place: raw.header,
                labels: raw.labels.clone(),
                content: self.read(raw, &[], &[], inner(schema, kind)),
                dynamic: None,
            }),
        }
    }

    /// Reads a `dynamic` block in native syntax and reports what is invalid in it; `None` if it does not have exactly one
    /// label.
    fn dynamic(&mut self, raw: &RawBlock, schema: Option<&BlockSchema>) -> Option<InnerBlock> {
        let [label] = raw.labels.as_slice() else {
            let detail = "A dynamic block has one label: the type of the blocks that it generates.";
            self.wrong(&codes::DYNAMIC_BLOCK, detail, raw.header);
            return None;
        };
        for argument in &raw.arguments {
            self.report_unsupported(&argument.name, argument.name_place);
        }
        let mut contents = raw.blocks_of("content");
        let body = contents.next();
        if let Some(second) = contents.next() {
            let detail =
                "A dynamic block has one content block, the body of every generated block.";
            self.wrong(&codes::DYNAMIC_BLOCK, detail, second.header);
        }
        for stray in raw.blocks.iter().filter(|block| &*block.kind != "content") {
            let detail = format!(
                "A dynamic block contains one content block and no blocks of type \"{}\": move it into the content.",
                &*stray.kind
            );
            self.wrong(&codes::DYNAMIC_BLOCK, detail, stray.header);
        }
        if body.is_none() {
            let detail =
                "A dynamic block needs a content block, the body of every generated block.";
            self.wrong(&codes::DYNAMIC_BLOCK, detail, raw.edge);
        }
        let kind = label.text.clone();
        let get = |name: &str| raw.argument(name).map(|argument| &argument.expr);
        let parts = DynamicParts {
            for_each: get("for_each"),
            iterator: get("iterator"),
            labels: get("labels"),
            edge: raw.edge,
        };
        let dynamic = self.repetition(&kind, label.place, &parts);
        let schema = inner(schema, &kind);
        Some(InnerBlock {
            place: raw.header,
            labels: Vec::new(),
            content: match body {
                Some(block) => self.read(block, &[], &[], schema),
                None => SchemaBody::default(),
            },
            dynamic: Some(dynamic),
            kind,
        })
    }

    /// Reports an argument that a `dynamic` block does not have.
    fn report_unsupported(&mut self, name: &str, place: Place) {
        /// The names of the arguments that a `dynamic` block itself has.
        const DYNAMIC_ARGUMENTS: [&str; 3] = ["for_each", "iterator", "labels"];
        if !DYNAMIC_ARGUMENTS.contains(&name) {
            let detail = format!(
                "A dynamic block has no argument \"{name}\"; arguments of the generated blocks belong in its content block.{}",
                did_you_mean(name, DYNAMIC_ARGUMENTS)
            );
            self.wrong(&codes::DYNAMIC_BLOCK, detail, place);
        }
    }

    /// Reads the settings of a `dynamic` block that generates blocks of type `kind`; reports missing and invalid ones.
    fn repetition(
        &mut self,
        kind: &Str,
        kind_place: Place,
        parts: &DynamicParts<'_>,
    ) -> DynamicBlock {
        if parts.for_each.is_none() {
            let detail = "A dynamic block needs for_each, the collection that it iterates over.";
            self.wrong(&codes::DYNAMIC_BLOCK, detail, parts.edge);
        }
        if let Some(expr) = parts.iterator
            && !bare_word(expr).as_deref().is_some_and(groma_syntax::is_identifier)
        {
            let detail =
                "iterator is a name without quotes, by which the content refers to each element.";
            self.wrong(&codes::DYNAMIC_BLOCK, detail, expr.place());
        }
        // A quoted name is accepted, too.
        let iterator = parts.iterator.and_then(keyword);
        let expression = |expr: &Expr| Expression::new(expr, self.library);
        DynamicBlock {
            kind_place,
            for_each: parts.for_each.map(expression),
            iterator: iterator.map_or_else(|| kind.clone(), Str::from),
            labels: parts.labels.map(expression),
        }
    }

    /// Reads one argument and adds it to `found`; in JSON it may contain nested blocks instead.
    fn argument(
        &mut self,
        argument: &RawArgument,
        schema: Option<&BlockSchema>,
        found: &mut SchemaBody,
    ) {
        if let Expr::Json(json) = &argument.expr {
            let name = &*argument.name;
            if name == "dynamic" {
                return self.json_dynamics(json, schema, found);
            }
            if let Some(nested) = schema.and_then(|block| block.block(name)) {
                return self.json_blocks(json, argument.name_place, nested, found);
            }
        }
        found.arguments.push(InputArgument {
            name: argument.name.clone(),
            name_place: argument.name_place,
            value: Expression::new(&argument.expr, self.library),
        });
    }

    /// Reads a JSON object as a body, by its schema if known.
    fn json_body(&mut self, json: &JsonExpr, schema: Option<&BlockSchema>) -> SchemaBody {
        let mut found = SchemaBody { edge: end(json), ..SchemaBody::default() };
        for argument in properties(json) {
            if found.argument(&argument.name).is_none() {
                self.argument(&argument, schema, &mut found);
            }
        }
        found
    }

    /// Reads the nested blocks of one type from a JSON property and adds them to `found`.
    fn json_blocks(
        &mut self,
        json: &JsonExpr,
        place: Place,
        nested: &NestedBlock,
        found: &mut SchemaBody,
    ) {
        let mut bodies: Vec<(Vec<RawLabel>, JsonExpr)> = Vec::new();
        if nested.nesting == NestingMode::Map {
            for object in self.json_objects(json, "whose properties are named by labels") {
                for labelled in properties(&object) {
                    let label = RawLabel { text: labelled.name, place: labelled.name_place };
                    let Expr::Json(body) = labelled.expr else { continue };
                    let inner = self.json_objects(&body, "with the contents of a block");
                    bodies.extend(inner.into_iter().map(|body| (vec![label.clone()], body)));
                }
            }
        } else {
            let objects = self.json_objects(json, "with the contents of a block");
            bodies.extend(objects.into_iter().map(|body| (Vec::new(), body)));
        }
        for (labels, body) in bodies {
            found.blocks.push(InnerBlock {
                kind: nested.name.clone(),
                place,
                labels,
                content: self.json_body(&body, Some(&nested.block)),
                dynamic: None,
            });
        }
    }

    /// Reads the property `dynamic` of a JSON body, whose properties name block types, and adds the blocks to `found`.
    fn json_dynamics(
        &mut self,
        json: &JsonExpr,
        schema: Option<&BlockSchema>,
        found: &mut SchemaBody,
    ) {
        for object in self.json_objects(json, "whose properties name types of blocks") {
            for kind in properties(&object) {
                let Expr::Json(made) = &kind.expr else { continue };
                for one in self.json_objects(made, "that describes a dynamic block") {
                    let nested = self.json_dynamic(&kind, &one, inner(schema, &kind.name));
                    found.blocks.push(nested);
                }
            }
        }
    }

    /// Reads one `dynamic` block in JSON, which generates blocks of type `kind`.
    fn json_dynamic(
        &mut self,
        kind: &RawArgument,
        json: &JsonExpr,
        schema: Option<&BlockSchema>,
    ) -> InnerBlock {
        let all = properties(json);
        let get = |name: &str| all.iter().find(|one| &*one.name == name).map(|one| &one.expr);
        for one in all.iter().filter(|one| &*one.name != "content") {
            self.report_unsupported(&one.name, one.name_place);
        }
        let parts = DynamicParts {
            for_each: get("for_each"),
            iterator: get("iterator"),
            labels: get("labels"),
            edge: end(json),
        };
        let content = match get("content") {
            Some(Expr::Json(body)) => {
                let body =
                    self.json_objects(body, "with the contents of a block").into_iter().next();
                body.map(|body| self.json_body(&body, schema)).unwrap_or_default()
            }
            _ => {
                let detail = "A dynamic block needs content, the body of every generated block.";
                self.wrong(&codes::DYNAMIC_BLOCK, detail, parts.edge);
                SchemaBody::default()
            }
        };
        InnerBlock {
            kind: kind.name.clone(),
            place: kind.name_place,
            labels: Vec::new(),
            content,
            dynamic: Some(self.repetition(&kind.name, kind.name_place, &parts)),
        }
    }

    /// Returns a JSON object, or the objects of an array; none for null; reports other values, with the phrase `what` for
    /// the object that is expected.
    fn json_objects(&mut self, json: &JsonExpr, what: &str) -> Vec<JsonExpr> {
        let view = json.view();
        let all = match view.case() {
            JsonCase::Array(items) => items,
            JsonCase::Null | JsonCase::Missing => Vec::new(),
            _ => vec![view],
        };
        let mut objects = Vec::new();
        for item in all {
            match item.case() {
                JsonCase::Object(_) => objects.push(json.inner(item)),
                JsonCase::Missing => {}
                _ => {
                    let detail = format!(
                        "An object {what}, or an array of such objects, is expected here, not {}.",
                        item.kind_name()
                    );
                    let place = Place::new(json.file(), item.span());
                    self.out.push(Diagnostic::error(&codes::WRONG_JSON_VALUE, detail).at(place));
                }
            }
        }
        objects
    }
}

/// The settings of a `dynamic` block as written in either syntax, and the place for reporting missing ones.
struct DynamicParts<'e> {
    for_each: Option<&'e Expr>,
    iterator: Option<&'e Expr>,
    labels: Option<&'e Expr>,
    edge: Place,
}

/// Returns the schema of a type of nested block; `None` if the outer schema is unknown or does not have the type.
fn inner<'b>(schema: Option<&'b BlockSchema>, kind: &str) -> Option<&'b BlockSchema> {
    Some(&*schema?.block(kind)?.block)
}

/// Returns the source range of the last character of a JSON value, such as its closing brace.
fn end(json: &JsonExpr) -> Place {
    Place::new(json.file(), json.span().last())
}

/// Returns the properties of a JSON object as arguments.
fn properties(json: &JsonExpr) -> Vec<RawArgument> {
    let file = json.file();
    let items = json.as_body().items().into_iter();
    let arguments = items.filter_map(|item| match item {
        BodyItem::Argument(argument) => Some(RawArgument {
            name: Str::from(argument.name.text.as_str()),
            name_place: Place::new(file, argument.name.span),
            place: Place::new(file, argument.span),
            expr: argument.expr,
        }),
        BodyItem::Block(_) => None,
    });
    arguments.collect()
}
