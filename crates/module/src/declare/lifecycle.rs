//! `lifecycle` blocks: settings, checked in form. Their effect on instances is the plan's concern.

use groma_config::{
    RawArgument, RawBlock, ReadSetting, address_expression, is_traversal, quoted, sentence,
};
use groma_eval::Step;
use groma_functions::FunctionLibrary;
use groma_runtime::Edition;
use groma_syntax::ast::{ExprCase, ExprView};
use groma_syntax::{Diagnostic, Diagnostics, Expr, Place, json};
use groma_value::schema::{BlockSchema, NestingMode};
use groma_value::{Number, Str, Type, Value};

use crate::check_body::unsupported;
use crate::codes;
use crate::declare::action::{self, ActionTrigger};
use crate::declare::{Condition, DeclarationReader, Expression};
use crate::resolve::reach;

/// The settings of a resource's `lifecycle` block. Few resources have one, so that it is boxed as a whole.
#[derive(Clone, Debug)]
pub struct Lifecycle {
    /// The conditions that must hold before the object is created.
    pub preconditions: Vec<Condition>,
    /// The conditions that must hold after the object is created.
    pub postconditions: Vec<Condition>,
    /// The references that trigger a replacement.
    pub triggers: Vec<Expression>,
    /// The actions that the resource triggers.
    pub action_triggers: Vec<ActionTrigger>,
    /// The `prevent_destroy` setting as an expression. Its references are resolved only when it is evaluated.
    pub prevent_destroy: Option<Expression>,
    /// True if `prevent_destroy` is the constant `true`.
    pub prevents_destroy: bool,
    /// The `destroy` setting, as written.
    pub destroy: Option<Expression>,
    /// True if `destroy` is false, so that the object is forgotten instead.
    pub forgets_on_removal: bool,
    /// True if a replacement is created before the old object is destroyed.
    pub create_before_destroy: bool,
    /// Changes that are ignored.
    pub ignored: IgnoredChanges,
    /// The source range of each of its arguments, by name.
    places: Vec<(Str, Place)>,
}

impl Lifecycle {
    /// The settings of a resource without a `lifecycle` block.
    pub(super) const NONE: Lifecycle = Lifecycle {
        preconditions: Vec::new(),
        postconditions: Vec::new(),
        triggers: Vec::new(),
        action_triggers: Vec::new(),
        prevent_destroy: None,
        prevents_destroy: false,
        destroy: None,
        forgets_on_removal: false,
        create_before_destroy: false,
        ignored: IgnoredChanges::Nothing,
        places: Vec::new(),
    };

    /// Returns the source range of an argument of the `lifecycle` block, if it is set.
    pub fn place_of(&self, name: &str) -> Option<Place> {
        self.places.iter().find(|(own, _)| **own == *name).map(|(_, place)| *place)
    }

    /// Reads the `lifecycle` blocks of a resource and reports what is invalid in them; `None` if there is none.
    pub(super) fn read(
        raw: &RawBlock,
        gatherer: &DeclarationReader<'_>,
        out: &mut Diagnostics,
    ) -> Option<Box<Lifecycle>> {
        raw.blocks_of("lifecycle").next()?;
        let library = &gatherer.library;
        let mut conditions = |kind: &'static str| {
            let lifecycle = raw.blocks_of("lifecycle");
            let blocks = lifecycle.flat_map(move |block| block.blocks_of(kind));
            blocks.filter_map(|block| Condition::about_something(block, library, out)).collect()
        };
        let (preconditions, postconditions) =
            (conditions("precondition"), conditions("postcondition"));
        check(raw, gatherer, out);
        let destroy = setting(raw, "destroy", library);
        Some(Box::new(Lifecycle {
            preconditions,
            postconditions,
            triggers: triggers(raw, library),
            action_triggers: action::triggers(raw, gatherer, out),
            prevent_destroy: setting(raw, "prevent_destroy", library)
                .filter(|_| gatherer.conventions.computed_prevent_destroy),
            prevents_destroy: is_set(raw, "prevent_destroy", gatherer),
            forgets_on_removal: forgets_on_removal(raw, destroy.as_ref(), gatherer),
            destroy,
            create_before_destroy: is_set(raw, "create_before_destroy", gatherer),
            ignored: IgnoredChanges::read(raw),
            places: raw
                .blocks_of("lifecycle")
                .flat_map(|block| &block.arguments)
                .map(|argument| (argument.name.clone(), argument.place))
                .collect(),
        }))
    }
}

/// Returns `replace_triggered_by` as expressions: in native syntax one for the whole list, in JSON one for each item.
fn triggers(raw: &RawBlock, library: &FunctionLibrary) -> Vec<Expression> {
    let lifecycle = raw.blocks_of("lifecycle").next();
    let argument = lifecycle.and_then(|block| block.argument("replace_triggered_by"));
    let Some(argument) = argument else { return Vec::new() };
    let Expr::Json(document) = &argument.expr else {
        return vec![Expression::new(&argument.expr, library)];
    };
    let json::JsonCase::Array(items) = document.view().case() else { return Vec::new() };
    let read = |item: json::JsonView<'_>| {
        let json::JsonCase::String(text) = item.case() else { return None };
        let parse = groma_syntax::parse_expression(&(*text).into(), argument.expr.file());
        let mut expression = Expression::new(&Expr::of(&parse), library);
        expression.located.base += item.span().start + 1;
        parse.diagnostics.is_empty().then_some(expression)
    };
    items.into_iter().filter_map(read).collect()
}

/// Returns the argument `name` of the resource's `lifecycle` block, lowered; `None` if it is not set.
fn setting(raw: &RawBlock, name: &str, library: &FunctionLibrary) -> Option<Expression> {
    let argument = raw.blocks_of("lifecycle").find_map(|block| block.argument(name))?;
    Some(Expression::new(&argument.expr, library))
}

/// Returns true if the `destroy` setting is false, so that removing the resource from the code does not destroy what it manages.
fn forgets_on_removal(
    raw: &RawBlock,
    destroy: Option<&Expression>,
    gatherer: &DeclarationReader<'_>,
) -> bool {
    match gatherer.conventions.destroy_is_setting {
        true => flag(raw, "destroy", gatherer) == Some(false),
        false => {
            matches!(destroy.and_then(Expression::constant), Some(Value::Bool(false)))
        }
    }
}

/// Returns true if the argument `name` of the resource's `lifecycle` is the constant `true`. Faults are reported by `check`.
fn is_set(raw: &RawBlock, name: &str, gatherer: &DeclarationReader<'_>) -> bool {
    flag(raw, name, gatherer) == Some(true)
}

/// Returns the constant bool that the argument `name` of the resource's `lifecycle` is set to; `None` if unset or not constant.
fn flag(raw: &RawBlock, name: &str, gatherer: &DeclarationReader<'_>) -> Option<bool> {
    let lifecycle = raw.blocks_of("lifecycle").find(|block| block.argument(name).is_some());
    lifecycle.and_then(|block| gatherer.flag(block, name, &mut Diagnostics::new()))
}

/// The attributes of a resource that a plan leaves as they are although the code says otherwise, as set by `ignore_changes`.
#[derive(Clone, Default, Debug)]
pub enum IgnoredChanges {
    /// None.
    #[default]
    Nothing,
    /// All attributes.
    All,
    /// These attributes and everything inside them.
    Paths(Vec<Vec<Step>>),
}

impl IgnoredChanges {
    /// Reads the `ignore_changes` of a resource. Invalid items are skipped: they have been reported.
    fn read(raw: &RawBlock) -> IgnoredChanges {
        let argument = raw.blocks_of("lifecycle").find_map(|one| one.argument("ignore_changes"));
        let Some(argument) = argument else { return IgnoredChanges::Nothing };
        if is_all(argument) {
            return IgnoredChanges::All;
        }
        let items = items(argument).into_iter().flatten();
        IgnoredChanges::Paths(items.filter_map(|item| path(&item)).collect())
    }
}

/// Reports arguments of a resource's `lifecycle` block whose form is invalid.
fn check(raw: &RawBlock, gatherer: &DeclarationReader<'_>, out: &mut Diagnostics) {
    for lifecycle in raw.blocks_of("lifecycle") {
        gatherer.flag(lifecycle, "create_before_destroy", out);
        match gatherer.conventions.computed_prevent_destroy {
            true => constant_flag(lifecycle, "prevent_destroy", &gatherer.library, out),
            false => {
                gatherer.flag(lifecycle, "prevent_destroy", out);
            }
        }
        if gatherer.conventions.destroy_is_setting {
            gatherer.flag(lifecycle, "destroy", out);
        }
        if let Some(argument) = lifecycle.argument("ignore_changes") {
            check_ignored(argument, out);
        }
        if let Some(argument) = lifecycle.argument("replace_triggered_by") {
            let conventions = &gatherer.conventions;
            let caller = conventions.has_callers.then_some("caller");
            let others: Vec<&str> = conventions.run_roots.iter().copied().chain(caller).collect();
            check_triggers(argument, &others, out);
        }
    }
}

/// Reports the argument `name` of a `lifecycle` block if its value is constant and not a bool; a computed one is evaluated
/// later.
fn constant_flag(
    lifecycle: &RawBlock,
    name: &str,
    library: &FunctionLibrary,
    out: &mut Diagnostics,
) {
    let Some(argument) = lifecycle.argument(name) else { return };
    let Some(value) = Expression::new(&argument.expr, library).constant() else { return };
    if let Err(why) = groma_value::convert(&value, &Type::Bool) {
        let detail = format!("\"{name}\" has to be true or false: {}.", sentence(&why));
        out.push(
            Diagnostic::error(&groma_config::codes::SETTING_TYPE, detail).at(argument.expr.place()),
        );
    }
}

/// An item of a literal list: its expression, and its text if it is a string.
pub(crate) struct ListItem {
    /// The expression; in JSON the reference in the string, `None` if it is not one.
    names: Option<Expr>,
    /// The string, in native syntax or in JSON.
    pub(crate) text: Option<String>,
    pub(crate) place: Place,
    pub(crate) is_json: bool,
}

impl ListItem {
    /// Returns a view of the item's expression in native syntax; `None` for a JSON item that is not a reference.
    pub(crate) fn view(&self) -> Option<ExprView<'_>> {
        match self.names.as_ref()? {
            Expr::Native(native) => Some(native.view()),
            Expr::Json(_) => None,
        }
    }
}

/// Returns the items of a literal list; `None` if it is not one. In JSON the items are strings.
pub(crate) fn items(argument: &RawArgument) -> Option<Vec<ListItem>> {
    let file = argument.expr.file();
    match &argument.expr {
        Expr::Native(native) => {
            let ExprCase::Tuple(items) = native.view().case() else { return None };
            let item = |item: ExprView<'_>| ListItem {
                names: Some(Expr::Native(native.inner(item))),
                text: quoted(item),
                place: Place::new(file, item.span()),
                is_json: false,
            };
            Some(items.into_iter().map(item).collect())
        }
        Expr::Json(document) => {
            let json::JsonCase::Array(items) = document.view().case() else { return None };
            let item = |item: json::JsonView<'_>| {
                let inner = Expr::Json(document.inner(item));
                ListItem {
                    names: address_expression(&inner).map(|(names, _)| names),
                    text: match item.case() {
                        json::JsonCase::String(text) => Some(text.into_owned()),
                        _ => None,
                    },
                    place: inner.place(),
                    is_json: true,
                }
            };
            Some(items.into_iter().map(item).collect())
        }
    }
}

/// Returns true if an `ignore_changes` argument is the keyword `all` instead of a list.
fn is_all(argument: &RawArgument) -> bool {
    match &argument.expr {
        Expr::Json(document) => {
            matches!(document.view().case(), json::JsonCase::String(text) if text == "all")
        }
        Expr::Native(native) => matches!(native.view().case(), ExprCase::Root("all")),
    }
}

/// Reports items of `ignore_changes` that are not attribute paths, and quoted ones.
fn check_ignored(argument: &RawArgument, out: &mut Diagnostics) {
    if is_all(argument) {
        return;
    }
    let Some(items) = items(argument) else {
        let detail =
            "ignore_changes takes a list of attribute names in square brackets, or the word all.";
        out.push(Diagnostic::error(&codes::IGNORE_CHANGES, detail).at(argument.expr.place()));
        return;
    };
    for item in items {
        if item.text.as_deref() == Some("*") {
            let detail = "To ignore changes of all attributes, write ignore_changes = all, without brackets and quotes.";
            out.push(Diagnostic::error(&codes::IGNORE_CHANGES, detail).at(item.place));
            continue;
        }
        let fine = match &item.text {
            Some(text) if !item.is_json => {
                let detail = "Attribute names in ignore_changes need no quotes.";
                out.push(Diagnostic::warning(&codes::IGNORE_CHANGES, detail).at(item.place));
                let parse = groma_syntax::parse_expression(&text.as_str().into(), item.place.file);
                let expr = Expr::of(&parse);
                parse.diagnostics.is_empty()
                    && matches!(&expr, Expr::Native(native) if is_traversal(native.view()))
            }
            _ => item.view().is_some_and(is_traversal),
        };
        if !fine {
            let detail = "ignore_changes lists attributes of the resource, such as tags or tags[\"Name\"]; it cannot contain expressions.";
            out.push(Diagnostic::error(&codes::IGNORE_CHANGES, detail).at(item.place));
        }
    }
}

/// Reports items of `replace_triggered_by` that are not addresses of resources or of parts of them; `others` are root words that
/// such addresses cannot begin with in this edition.
fn check_triggers(argument: &RawArgument, others: &[&str], out: &mut Diagnostics) {
    let Some(items) = items(argument) else {
        let detail =
            "replace_triggered_by takes a list of references to resources in square brackets.";
        out.push(Diagnostic::error(&codes::REPLACE_TRIGGERED_BY, detail).at(argument.expr.place()));
        return;
    };
    for item in items {
        if !item.view().is_some_and(|view| is_resource(view, others)) {
            let detail = "replace_triggered_by lists resources and their attributes; nothing else can trigger a replacement.";
            out.push(Diagnostic::error(&codes::REPLACE_TRIGGERED_BY, detail).at(item.place));
        }
    }
}

/// Returns true if an expression is the address of a resource or of a part of one, with keys that are literal, `count.index` or
/// `each.key`; `others` are root words that in this edition do not begin such an address.
fn is_resource(expression: ExprView<'_>, others: &[&str]) -> bool {
    /// The root words that never start the address of a resource.
    const OTHERS: [&str; 10] =
        ["action", "count", "each", "false", "local", "module", "null", "path", "true", "var"];
    let mut at = expression;
    let mut steps = 0;
    loop {
        at = match at.case() {
            ExprCase::Root(word) => {
                return steps > 0 && !OTHERS.contains(&word) && !others.contains(&word);
            }
            ExprCase::Missing => return true,
            ExprCase::Attribute { object, .. } | ExprCase::LegacyIndex { object, .. } => object,
            ExprCase::Index { object, key, .. } => match key.case() {
                ExprCase::Number(_) | ExprCase::Missing => object,
                ExprCase::Template(template) if template.plain().is_some() => object,
                ExprCase::Attribute { object: root, name, .. } => match (root.case(), name) {
                    (ExprCase::Root("count"), "index") | (ExprCase::Root("each"), "key") => object,
                    _ => return false,
                },
                _ => return false,
            },
            _ => return false,
        };
        steps += 1;
    }
}

/// Reports attributes in `ignore_changes` that the resource type does not have, or that only the provider sets; `whose` names
/// the resource in messages. `edition` is set for types of the language itself.
pub(super) fn ignored(
    raw: &RawBlock,
    block: &BlockSchema,
    whose: &str,
    edition: Option<Edition>,
    out: &mut Diagnostics,
) {
    let arguments = raw.blocks_of("lifecycle").filter_map(|one| one.argument("ignore_changes"));
    for argument in arguments {
        let Some(items) = items(argument) else { continue };
        let before = out.error_count();
        for item in items {
            let Some(steps) = path(&item) else { continue };
            if let Err(detail) = reach(block, whose, &steps) {
                out.push(unsupported(&codes::IGNORE_CHANGES, detail, edition).at(item.place));
            }
            if let Some(name) = computed_only_attribute(block, &steps)
                && out.error_count() == before
            {
                let detail = format!(
                    "\"{name}\" is computed by the provider and never set, so there are no changes to ignore. Remove it from the list."
                );
                out.push(Diagnostic::warning(&codes::IGNORE_CHANGES, detail).at(raw.header));
            }
        }
    }
}

/// Returns the name of the attribute that only the provider sets and that these steps lead to or into; `None` if there is none.
fn computed_only_attribute<'s>(block: &BlockSchema, steps: &'s [Step]) -> Option<&'s str> {
    let [Step::Attribute(name), rest @ ..] = steps else { return None };
    match (block.attribute(name), block.block(name)) {
        (Some(attribute), _) => (!attribute.is_settable()).then_some(name),
        (None, Some(nested)) => match (nested.nesting, rest) {
            (NestingMode::Single | NestingMode::Group, rest) => {
                computed_only_attribute(&nested.block, rest)
            }
            (_, [Step::Index(_), rest @ ..]) => computed_only_attribute(&nested.block, rest),
            _ => None,
        },
        (None, None) => None,
    }
}

/// Returns the attribute path that an item of `ignore_changes` names, quoted or not; `None` if it is not a path.
fn path(item: &ListItem) -> Option<Vec<Step>> {
    match (&item.text, item.is_json) {
        (Some(text), false) => {
            let parse = groma_syntax::parse_expression(&text.as_str().into(), item.place.file);
            match Expr::of(&parse) {
                Expr::Native(native) => steps(native.view()),
                Expr::Json(_) => None,
            }
        }
        _ => item.view().and_then(steps),
    }
}

/// Returns the steps of a traversal, an unknown step for each computed key; `None` for other expressions.
fn steps(item: ExprView<'_>) -> Option<Vec<Step>> {
    let mut found = Vec::new();
    let mut at = item;
    loop {
        at = match at.case() {
            ExprCase::Root(word) => {
                found.push(Step::Attribute(Str::from(word)));
                break;
            }
            ExprCase::Attribute { object, name, .. } => {
                found.push(Step::Attribute(Str::from(name)));
                object
            }
            ExprCase::LegacyIndex { object, digits, .. } => {
                found.push(number(digits)?);
                object
            }
            ExprCase::Index { object, key, .. } => {
                found.push(match key.case() {
                    ExprCase::Number(_) => number(key.text())?,
                    ExprCase::Template(template) => {
                        Step::Index(Value::text(template.plain()?.into_owned()))
                    }
                    _ => Step::Unknown,
                });
                object
            }
            _ => return None,
        };
    }
    found.reverse();
    Some(found)
}

/// Returns the index step of a number literal; `None` for other text.
fn number(text: &str) -> Option<Step> {
    Number::parse_literal(text).map(|number| Step::Index(Value::from(number)))
}
