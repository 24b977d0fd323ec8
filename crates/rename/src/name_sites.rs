//! Name sites: the places in a block that may contain names, with their meanings: expressions, lists of references, addresses,
//! provider names. Plain text, such as a description, contains none.

use std::ops::Range;

use groma_config::{RawArgument, RawBlock, keyword, quoted};
use groma_syntax::ast::{ExprCase, ExprView};
use groma_syntax::json::{JsonCase as Json, JsonProperty, JsonView};
use groma_syntax::{Expr, FileId, Span, parse_expression, parse_inner_template};

use crate::references::{Bound, ChainUse, ChainWalker, NameLink, SeenName};

/// A part of a block that may contain names of declarations, such as a reference, with the kind of name found there.
pub(crate) enum NameSite<'s> {
    /// The steps of a reference in an expression or in a list of references, and the use of its value.
    Value(&'s [NameLink], ChainUse),
    /// The address of a resource or module, relative to the module that contains the block.
    Address(&'s [NameLink]),
    /// A provider configuration, such as `aws` or `aws.west`.
    Provider(&'s [NameLink]),
    /// A provider configuration of the called module, in a `providers` map.
    Inner(&'s [NameLink]),
    /// The provider of a provider function, and the alias in the function's name with its byte range, if any.
    Function(&'s str, Option<(&'s str, Range<usize>)>),
}

/// The way in which an argument's value is searched for names, such as an expression, an address or a list of references.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ArgumentReading {
    Expression,
    /// A list of references that are not evaluated.
    References,
    Address,
    Addresses,
    Provider,
    ProviderMap,
    /// Entries of `required_providers`.
    Required,
    Nothing,
}

/// Returns the way in which the value of the argument `name` is searched for names; `kinds` are the enclosing block types,
/// outermost first.
fn reads(kinds: &[&str], name: &str) -> ArgumentReading {
    /// The block types whose two labels are a type and a name.
    const OBJECTS: [&str; 5] = ["resource", "data", "ephemeral", "action", "list"];
    let kinds = match kinds {
        ["check", rest @ ..] if rest.first() == Some(&"data") => rest,
        kinds => kinds,
    };
    let is_object = kinds.first().is_some_and(|kind| OBJECTS.contains(kind));
    match (kinds, name) {
        (["variable"] | ["moved"] | ["terraform"] | ["run", "module"] | ["mock_function"], _) => {
            ArgumentReading::Nothing
        }
        (["terraform", "required_providers"], _) => ArgumentReading::Required,
        (["output"] | ["module"], "depends_on") => ArgumentReading::References,
        (["output"], "type" | "description" | "sensitive" | "ephemeral" | "deprecated") => {
            ArgumentReading::Nothing
        }
        (["module"] | ["run"], "providers") => ArgumentReading::ProviderMap,
        (["run"], "expect_failures") => ArgumentReading::References,
        (["run"], "command") | (["provider"], "alias" | "version") => ArgumentReading::Nothing,
        (["run", "plan_options"], "replace" | "target") => ArgumentReading::Addresses,
        ([_], "depends_on") if is_object => ArgumentReading::References,
        ([_], "provider") if is_object => ArgumentReading::Provider,
        (["import"], "provider") => ArgumentReading::Provider,
        (["import"], "to") | (["removed"], "from") => ArgumentReading::Address,
        ([_, "lifecycle"], "ignore_changes") if is_object => ArgumentReading::Nothing,
        ([_, "lifecycle"], "replace_triggered_by") if is_object => ArgumentReading::References,
        ([_, "lifecycle", "action_trigger"], "actions") if is_object => ArgumentReading::References,
        ([_, "lifecycle", "action_trigger"], "events") if is_object => ArgumentReading::Nothing,
        ([_, "provisioner"], "when" | "on_failure") => ArgumentReading::Nothing,
        ([.., kind], "target") if kind.starts_with("override_") => ArgumentReading::Address,
        ([.., "dynamic"], "iterator") => ArgumentReading::Nothing,
        _ => ArgumentReading::Expression,
    }
}

/// Returns true if the value of an argument is a keyword, an address or a plain reference and is not evaluated; `kinds` are the
/// enclosing block types, outermost first.
pub fn is_unevaluated(kinds: &[&str], name: &str) -> bool {
    match kinds {
        ["moved"] => true,
        kinds => reads(kinds, name) != ArgumentReading::Expression,
    }
}

/// A callback that receives every part of a block that may contain names.
type SiteVisitor<'s> = &'s mut dyn FnMut(NameSite<'_>);

/// Passes all parts of a block that may contain names to the callback `see`.
pub(crate) fn block(raw: &RawBlock, see: SiteVisitor<'_>) {
    inside(raw, &mut Vec::new(), &Bound::new(), see);
}

/// Passes the parts of a block that may contain names to `see`; `kinds` are the enclosing block types, and `bound` the names
/// that iterators around the block bind.
fn inside<'r>(raw: &'r RawBlock, kinds: &mut Vec<&'r str>, bound: &Bound, see: SiteVisitor<'_>) {
    kinds.push(&raw.kind);
    let is_dynamic = &*raw.kind == "dynamic" && kinds.len() > 1;
    let is_first = kinds.len() == 1 || kinds[..] == ["check", "data"];
    // The collection of a repetition is outside of its iterator.
    let mut within = bound.clone();
    let repeats = raw.argument("for_each").filter(|_| is_dynamic || is_first);
    if is_dynamic {
        let named = raw.argument("iterator").and_then(|one| keyword(&one.expr));
        let name = named.unwrap_or_else(|| raw.label(0).to_owned());
        let links = repeats.and_then(|one| iterator(&one.expr, bound, see));
        within.push((name, links));
    } else if let Some(one) = repeats {
        let links = iterator(&one.expr, bound, see);
        within.push(("each".to_owned(), links));
    }
    for argument in &raw.arguments {
        if repeats.is_none_or(|one| one.name != argument.name) {
            self::argument(argument, reads(kinds, &argument.name), &within, see);
        }
    }
    raw.blocks.iter().for_each(|one| inside(one, kinds, &within, see));
    kinds.pop();
}

/// Passes the names in the expression of a `for_each`, in loops that bind the names `bound`, to `see`; returns the steps of the
/// reference that its iterator, such as `each`, stands for, `None` if the expression is not a reference.
fn iterator(expr: &Expr, bound: &Bound, see: SiteVisitor<'_>) -> Option<Vec<NameLink>> {
    let Expr::Native(native) = expr else {
        expression(expr, bound, see);
        return None;
    };
    let at = |span: Span| bytes(span);
    ChainWalker::new(&at, bound.clone(), &mut |seen| pass(seen, see)).iterator(native.view())
}

/// Passes a reference or provider function found in an expression to `see`, as a name site.
fn pass(seen: SeenName<'_>, see: SiteVisitor<'_>) {
    match seen {
        SeenName::Chain(links, used) => see(NameSite::Value(links, used)),
        SeenName::Function(provider, alias) => see(NameSite::Function(provider, alias)),
    }
}

/// Returns a span as a range of byte offsets.
fn bytes(span: Span) -> Range<usize> {
    span.start as usize..span.end as usize
}

/// Passes the parts of an argument that may contain names to `see`; `reads` is the way in which its value is searched, and
/// `bound` are the names that enclosing loops bind.
fn argument(raw: &RawArgument, reads: ArgumentReading, bound: &Bound, see: SiteVisitor<'_>) {
    match reads {
        ArgumentReading::Nothing => {}
        ArgumentReading::Expression => expression(&raw.expr, bound, see),
        ArgumentReading::References => items(&raw.expr, bound, &mut |seen| match seen {
            SeenName::Chain(links, ChainUse::Named) => see(NameSite::Value(links, ChainUse::Named)),
            other => pass(other, see),
        }),
        ArgumentReading::Address => one(&raw.expr, bound, &mut |seen| address(seen, see)),
        ArgumentReading::Addresses => items(&raw.expr, bound, &mut |seen| address(seen, see)),
        ArgumentReading::Provider => one(&raw.expr, bound, &mut |seen| provider(seen, see)),
        ArgumentReading::ProviderMap => provider_map(&raw.expr, bound, see),
        ArgumentReading::Required => required(&raw.expr, bound, see),
    }
}

/// Calls `see` with a name found in an argument that takes addresses: with an unevaluated reference as an address, with any other
/// name as in an expression.
fn address(seen: SeenName<'_>, see: SiteVisitor<'_>) {
    match seen {
        SeenName::Chain(links, ChainUse::Named) => see(NameSite::Address(links)),
        other => pass(other, see),
    }
}

/// Calls `see` with a name found in an argument that takes a provider: with an unevaluated reference as a provider configuration,
/// with any other name as in an expression.
fn provider(seen: SeenName<'_>, see: SiteVisitor<'_>) {
    match seen {
        SeenName::Chain(links, ChainUse::Named) => see(NameSite::Provider(links)),
        other => pass(other, see),
    }
}

/// Passes the references in an expression to `see`, including those in JSON strings; `bound` are the names that loops around
/// the expression bind.
pub(crate) fn expression(expr: &Expr, bound: &Bound, see: SiteVisitor<'_>) {
    match expr {
        Expr::Native(native) => {
            let at = |span: Span| bytes(span);
            ChainWalker::new(&at, bound.clone(), &mut |seen| pass(seen, see))
                .expression(native.view());
        }
        Expr::Json(document) => json(document.view(), bound, see),
    }
}

/// Passes the references in a JSON value, whose strings and property names are templates, to `see`; `bound` are the names that
/// loops around the value bind.
fn json(value: JsonView<'_>, bound: &Bound, see: SiteVisitor<'_>) {
    match value.case() {
        Json::String(text) => template(value, value.span(), &text, bound, see),
        Json::Array(items) => items.into_iter().for_each(|item| json(item, bound, see)),
        Json::Object(properties) => {
            for property in properties {
                template(value, property.name_span, &property.name, bound, see);
                match &*property.name {
                    "dynamic" => dynamic(property.value, bound, see),
                    _ => json(property.value, bound, see),
                }
            }
        }
        _ => {}
    }
}

/// Passes the references in a `dynamic` property of JSON, an object whose keys are the types of the generated blocks, to `see`;
/// `bound` are the names that loops around it bind.
fn dynamic(value: JsonView<'_>, bound: &Bound, see: SiteVisitor<'_>) {
    let Json::Object(kinds) = value.case() else { return json(value, bound, see) };
    for kind in kinds {
        let blocks = match kind.value.case() {
            Json::Array(items) => items,
            _ => vec![kind.value],
        };
        for block in blocks {
            let Json::Object(properties) = block.case() else { continue };
            let named = properties.iter().find(|one| one.name == "iterator");
            let name = match named.map(|one| one.value.case()) {
                Some(Json::String(name)) => name.into_owned(),
                _ => kind.name.to_string(),
            };
            let mut within = bound.clone();
            within.push((name, None));
            for JsonProperty { name, value, .. } in &properties {
                match &**name {
                    "for_each" => json(*value, bound, see),
                    "iterator" => {}
                    _ => json(*value, &within, see),
                }
            }
        }
    }
}

/// Passes the references in the template that a JSON string at the span `string` contains to `see`; `any` is some value of the
/// same JSON document and leads to its text, and `bound` are the names that loops bind.
fn template(any: JsonView<'_>, string: Span, text: &str, bound: &Bound, see: SiteVisitor<'_>) {
    if !text.contains("${") && !text.contains("%{") {
        return;
    }
    let parse = parse_inner_template(&text.into(), FileId(0));
    let at = |span: Span| {
        any.written_at(string, span.start) as usize..any.written_at(string, span.end) as usize
    };
    if let Expr::Native(native) = Expr::of(&parse) {
        ChainWalker::new(&at, bound.clone(), &mut |seen| pass(seen, see)).expression(native.view());
    }
}

/// Passes the reference that is the unevaluated value of an argument to `see`; `bound` are the names that loops around the
/// argument bind. The reference is quoted in old code, and always in JSON.
fn one(expr: &Expr, bound: &Bound, see: &mut dyn FnMut(SeenName<'_>)) {
    match expr {
        Expr::Native(native) => named(native.view(), bound, see),
        Expr::Json(document) => named_in_json(document.view(), bound, see),
    }
}

/// Calls `see` with an unevaluated reference in native syntax, quoted or not, such as an item of `depends_on`; `bound` are the
/// names that enclosing loops bind.
fn named(view: ExprView<'_>, bound: &Bound, see: &mut dyn FnMut(SeenName<'_>)) {
    match quoted(view) {
        Some(text) => {
            let start = view.span().start + 1;
            in_text(&text, &|span| bytes(span.shift(start)), bound, see);
        }
        None => ChainWalker::new(&bytes, bound.clone(), see).named(view),
    }
}

/// Calls `see` with each reference in an unevaluated JSON string, such as an item of `depends_on`; `bound` are the names that
/// enclosing loops bind.
fn named_in_json(value: JsonView<'_>, bound: &Bound, see: &mut dyn FnMut(SeenName<'_>)) {
    let Json::String(text) = value.case() else { return };
    if text.contains("${") || text.contains("%{") {
        return template(value, value.span(), &text, bound, &mut |spot| {
            if let NameSite::Value(links, _) = spot {
                see(SeenName::Chain(links, ChainUse::Named));
            }
        });
    }
    let string = value.span();
    let at = |span: Span| {
        value.written_at(string, span.start) as usize..value.written_at(string, span.end) as usize
    };
    in_text(&text, &at, bound, see);
}

/// Passes the reference that is the `text` of a quoted string to `see`; `at` maps spans in `text` to byte ranges of the file, and
/// `bound` are the names that loops around it bind.
fn in_text(
    text: &str,
    at: &dyn Fn(Span) -> Range<usize>,
    bound: &Bound,
    see: &mut dyn FnMut(SeenName<'_>),
) {
    let parse = parse_expression(&text.into(), FileId(0));
    if let (Expr::Native(native), true) = (Expr::of(&parse), parse.diagnostics.is_empty()) {
        ChainWalker::new(at, bound.clone(), see).named(native.view());
    }
}

/// Calls `see` with each reference in an unevaluated list, such as that of `depends_on`; `bound` are the names that loops
/// around the list bind.
fn items(expr: &Expr, bound: &Bound, see: &mut dyn FnMut(SeenName<'_>)) {
    match expr {
        Expr::Native(native) => match native.view().case() {
            ExprCase::Tuple(items) => items.into_iter().for_each(|item| named(item, bound, see)),
            _ => ChainWalker::new(&bytes, bound.clone(), see).expression(native.view()),
        },
        Expr::Json(document) => {
            if let Json::Array(items) = document.view().case() {
                items.into_iter().for_each(|item| named_in_json(item, bound, see));
            }
        }
    }
}

/// Passes the names in a `providers` map such as `{ aws.west = aws.east }` to `see`: keys belong to the called module, values
/// to the calling one; `bound` are the names that loops around the map bind.
fn provider_map(expr: &Expr, bound: &Bound, see: SiteVisitor<'_>) {
    let key = |seen: SeenName<'_>, see: SiteVisitor<'_>| {
        if let SeenName::Chain(links, _) = seen {
            see(NameSite::Inner(links));
        }
    };
    match expr {
        Expr::Native(native) => {
            let ExprCase::Object(entries) = native.view().case() else { return };
            for entry in entries {
                named(entry.key, bound, &mut |seen| key(seen, see));
                named(entry.value, bound, &mut |seen| provider(seen, see));
            }
        }
        Expr::Json(document) => {
            let view = document.view();
            let Json::Object(entries) = view.case() else { return };
            for JsonProperty { name, name_span, value } in entries {
                let at = |span: Span| {
                    let place = |at| view.written_at(name_span, at) as usize;
                    place(span.start)..place(span.end)
                };
                in_text(&name, &at, bound, &mut |seen| key(seen, see));
                named_in_json(value, bound, &mut |seen| provider(seen, see));
            }
        }
    }
}

/// Passes the provider configurations in `configuration_aliases` of an entry of `required_providers` to `see`; `bound` are the
/// names that loops around the entry bind.
fn required(expr: &Expr, bound: &Bound, see: SiteVisitor<'_>) {
    /// The argument of a provider requirement that lists the provider configurations expected from callers.
    const ALIASES: &str = "configuration_aliases";
    match expr {
        Expr::Native(native) => {
            let ExprCase::Object(parts) = native.view().case() else { return };
            for part in parts {
                let is_it = matches!(part.key.case(), ExprCase::Root(ALIASES))
                    || quoted(part.key).as_deref() == Some(ALIASES);
                if is_it {
                    let aliases = Expr::Native(native.inner(part.value));
                    items(&aliases, bound, &mut |seen| provider(seen, see));
                }
            }
        }
        Expr::Json(document) => {
            let Json::Object(parts) = document.view().case() else { return };
            for part in parts.iter().filter(|part| part.name == ALIASES) {
                let aliases = Expr::Json(document.inner(part.value));
                items(&aliases, bound, &mut |seen| provider(seen, see));
            }
        }
    }
}

/// Calls `see` with the steps of the address that an expression consists of, quoted or not.
pub(crate) fn address_of(expr: &Expr, see: &mut dyn FnMut(&[NameLink])) {
    one(expr, &Bound::new(), &mut |seen| {
        if let SeenName::Chain(links, ChainUse::Named) = seen {
            see(links);
        }
    });
}
