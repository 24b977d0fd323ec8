//! `action_trigger` blocks: the events on which a resource invokes actions of providers. The condition is read here but only
//! evaluated by a plan, as in the reference program: without a change it has no effect.

use groma_config::{RawArgument, RawBlock, bare_word, keyword, quoted};
use groma_eval::news;
use groma_functions::FunctionLibrary;
use groma_runtime::Availability;
use groma_syntax::ast::{ExprCase, ExprView};
use groma_syntax::{Diagnostic, Diagnostics, Expr, Place};
use groma_value::Str;

use crate::codes;
use crate::declare::{DeclarationReader, Expression};

/// An event at which a resource triggers actions: before or after it is created, updated or destroyed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ActionEvent {
    /// Before a resource is created.
    BeforeCreate,
    /// After a resource is created.
    AfterCreate,
    /// Before a resource is updated.
    BeforeUpdate,
    /// After a resource is updated.
    AfterUpdate,
    /// Before a resource is destroyed.
    BeforeDestroy,
    /// After a resource is destroyed.
    AfterDestroy,
}

/// An event that can trigger an action, with its names in code and in plans, and the editions that have it.
struct EventRow {
    event: ActionEvent,
    /// The name in code.
    word: &'static str,
    /// The name in machine-readable plans.
    slug: &'static str,
    /// The editions that have it.
    editions: Availability,
}

/// The editions in which resources can trigger actions.
const ACTIONS: Availability = Availability::TERRAFORM.terraform_since(14);
/// The editions that have the events `before_destroy` and `after_destroy`.
const DESTROYING: Availability = Availability::TERRAFORM.terraform_since(16);

/// Builds the row of an event that can trigger an action, from its names in code and in plans and the editions that have it.
const fn row(
    event: ActionEvent,
    word: &'static str,
    slug: &'static str,
    editions: Availability,
) -> EventRow {
    EventRow { event, word, slug, editions }
}

/// The rows of all events that can trigger an action.
const EVENTS: [EventRow; 6] = [
    row(ActionEvent::BeforeCreate, "before_create", "BeforeCreate", ACTIONS),
    row(ActionEvent::AfterCreate, "after_create", "AfterCreate", ACTIONS),
    row(ActionEvent::BeforeUpdate, "before_update", "BeforeUpdate", ACTIONS),
    row(ActionEvent::AfterUpdate, "after_update", "AfterUpdate", ACTIONS),
    row(ActionEvent::BeforeDestroy, "before_destroy", "BeforeDestroy", DESTROYING),
    row(ActionEvent::AfterDestroy, "after_destroy", "AfterDestroy", DESTROYING),
];

impl ActionEvent {
    /// The events before and after the creation of a resource.
    pub const CREATING: [ActionEvent; 2] = [ActionEvent::BeforeCreate, ActionEvent::AfterCreate];
    /// The events before and after the update of a resource.
    pub const UPDATING: [ActionEvent; 2] = [ActionEvent::BeforeUpdate, ActionEvent::AfterUpdate];
    /// The events before and after the destruction of a resource.
    pub const DESTROYING: [ActionEvent; 2] =
        [ActionEvent::BeforeDestroy, ActionEvent::AfterDestroy];

    /// Returns the row of the event in the table [`EVENTS`], which has one for each event.
    fn row(self) -> Option<&'static EventRow> {
        EVENTS.iter().find(|row| row.event == self)
    }

    /// Returns the event's name in machine-readable plans, such as `BeforeCreate`.
    pub fn slug(self) -> &'static str {
        self.row().map_or("", |row| row.slug)
    }

    /// Returns the event's name in code, such as `before_create`.
    pub fn word(self) -> &'static str {
        self.row().map_or("", |row| row.word)
    }

    /// Returns true for `before_create` and `before_update`, the events before a resource is created or updated.
    pub fn is_before(self) -> bool {
        matches!(self, ActionEvent::BeforeCreate | ActionEvent::BeforeUpdate)
    }

    /// Returns true if the event comes before or after the destruction of a resource.
    pub fn is_destroying(self) -> bool {
        ActionEvent::DESTROYING.contains(&self)
    }
}

/// The consequence for a resource if one of its triggered actions fails.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub enum OnFailure {
    /// Nothing more is done.
    #[default]
    Halt,
    /// The resource is tainted, and replaced by the next plan.
    Taint,
    /// The failure is ignored.
    Continue,
}

/// Each consequence of a failed action, with its name in code and in machine-readable plans.
const ON_FAILURE: [(OnFailure, &str, &str); 3] = [
    (OnFailure::Halt, "halt", "ActionOnFailureHalt"),
    (OnFailure::Taint, "taint", "ActionOnFailureTaint"),
    (OnFailure::Continue, "continue", "ActionOnFailureContinue"),
];

impl OnFailure {
    /// Returns the consequence's name in machine-readable plans, such as `ActionOnFailureHalt`.
    pub fn slug(self) -> &'static str {
        ON_FAILURE.iter().find(|(own, ..)| *own == self).map_or("", |(_, _, slug)| slug)
    }
}

/// An `action_trigger` block: its events, its condition and the actions that it runs.
#[derive(Clone, Debug)]
pub struct ActionTrigger {
    /// The source range of its header.
    pub place: Place,
    /// The events, in source order without duplicates.
    pub events: Vec<ActionEvent>,
    /// The condition, if any.
    pub condition: Option<Expression>,
    /// The consequence of a failure; `None` if the edition has no such setting.
    pub on_failure: Option<OnFailure>,
    /// The actions, in the order in which they run.
    pub actions: Vec<TriggeredAction>,
    /// The source range of an event name that may be new in a newer edition.
    pub news: Option<Place>,
}

/// A reference to an action in a trigger: type, name and instance key.
#[derive(Clone, Debug)]
pub struct TriggeredAction {
    /// The source range of the reference.
    pub place: Place,
    /// The action type.
    pub kind: Str,
    /// The action name.
    pub name: Str,
    /// The instance key. A plan decides if it selects an instance.
    pub key: Option<Expression>,
}

impl ActionTrigger {
    /// Returns true if any event of the trigger comes before or after a destruction.
    pub fn is_destroying(&self) -> bool {
        self.events.iter().any(|event| event.is_destroying())
    }
}

/// Reads the `action_trigger` blocks in a resource's lifecycle; reports what is invalid in them.
pub(super) fn triggers(
    raw: &RawBlock,
    gatherer: &DeclarationReader<'_>,
    out: &mut Diagnostics,
) -> Vec<ActionTrigger> {
    let blocks = raw.blocks_of("lifecycle").flat_map(|block| block.blocks_of("action_trigger"));
    blocks.map(|block| trigger(block, gatherer, out)).collect()
}

/// Reads one `action_trigger` block; reports what is invalid in it.
fn trigger(
    raw: &RawBlock,
    gatherer: &DeclarationReader<'_>,
    out: &mut Diagnostics,
) -> ActionTrigger {
    let library = &gatherer.library;
    let mut read = ActionTrigger {
        place: raw.header,
        events: Vec::new(),
        condition: raw.argument("condition").map(|one| Expression::new(&one.expr, library)),
        on_failure: gatherer.conventions.has_callers.then(OnFailure::default),
        actions: Vec::new(),
        news: None,
    };
    let (code, edition) = (&codes::ACTION_TRIGGER, library.edition);
    let is_news = news::is_news(code, edition);
    let mut unfamiliar = Vec::new();
    let mut wrong = |detail: String, place: Place| {
        out.push(Diagnostic::error(&codes::ACTION_TRIGGER, detail).at(place));
    };
    let known: Vec<&EventRow> =
        EVENTS.iter().filter(|row| row.editions.includes(library.edition)).collect();
    let all = || listed(&known.iter().map(|row| row.word).collect::<Vec<_>>());
    if let Some(argument) = raw.argument("events") {
        for item in items(argument, "events", &mut wrong) {
            match event(&item, &known, &all) {
                Ok(event) if read.events.contains(&event) => {
                    let detail = format!("\"{}\" is already in the list.", event.word());
                    wrong(detail, item.place());
                }
                Ok(event) => read.events.push(event),
                Err(detail) if bare_word(&item).is_some() => {
                    unfamiliar.push((detail, item.place()))
                }
                Err(detail) => wrong(detail, item.place()),
            }
        }
    }
    if read.events.is_empty() && (unfamiliar.is_empty() || !is_news) {
        wrong(format!("A trigger needs an event: one of {}.", all()), raw.header);
    }
    if let Some(condition) = &read.condition
        && read.is_destroying()
    {
        let detail = "A trigger for destroy events takes no condition. Move the other events to a separate trigger, or remove the condition.";
        wrong(detail.to_owned(), condition.place());
    }
    if let Some(argument) = raw.argument("on_failure") {
        let place = argument.expr.place();
        match on_failure(&argument.expr) {
            Ok(word) => read.on_failure = Some(word),
            Err(detail) if bare_word(&argument.expr).is_some() => unfamiliar.push((detail, place)),
            Err(detail) => wrong(detail, place),
        }
    }
    let mut named = 0;
    if let Some(argument) = raw.argument("actions") {
        for item in items(argument, "actions", &mut wrong) {
            named += 1;
            match triggered(&item, library) {
                Ok(action) => read.actions.push(action),
                Err(detail) => wrong(detail, item.place()),
            }
        }
    }
    if named == 0 {
        let detail = "A trigger needs an action to run: actions = [action.type.name].";
        wrong(detail.to_owned(), raw.header);
    }
    read.news = unfamiliar.first().map(|(_, place)| *place).filter(|_| is_news);
    let found = unfamiliar.into_iter();
    out.extend(found.map(|(detail, place)| news::refuse(code, detail, edition).at(place)));
    read
}

/// Returns words joined for a sentence: `a, b and c`.
fn listed(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// Returns the consequence that the value of `on_failure` names, or a message if it is not one of the keywords.
fn on_failure(expr: &Expr) -> Result<OnFailure, String> {
    let known = |word: &str| {
        ON_FAILURE.iter().find(|(_, known, _)| *known == word).map(|(found, ..)| *found)
    };
    let word = bare_word(expr);
    if let Some(found) = word.as_deref().and_then(known) {
        return Ok(found);
    }
    let words = listed(&ON_FAILURE.map(|(_, word, _)| word));
    let quoted = match expr {
        Expr::Native(native) => quoted(native.view()),
        Expr::Json(_) => None,
    };
    Err(match (word, quoted) {
        (Some(word), _) => {
            format!("\"{word}\" is not a keyword of \"on_failure\". The keywords are {words}.")
        }
        (None, Some(text)) if known(&text).is_some() => {
            format!("\"on_failure\" takes a keyword without quotes: write {text}.")
        }
        _ => format!("\"on_failure\" must be one of the keywords {words}, not an expression."),
    })
}

/// Returns the items of the argument `name` if it is a literal list, or an array in JSON; for any other expression none,
/// after passing a message and its place to `wrong`.
fn items(argument: &RawArgument, name: &str, wrong: &mut dyn FnMut(String, Place)) -> Vec<Expr> {
    let found = match &argument.expr {
        Expr::Native(native) => match native.view().case() {
            ExprCase::Tuple(items) => {
                Some(items.into_iter().map(|item| Expr::Native(native.inner(item))).collect())
            }
            _ => None,
        },
        Expr::Json(document) => match document.view().case() {
            groma_syntax::json::JsonCase::Array(items) => {
                Some(items.into_iter().map(|item| Expr::Json(document.inner(item))).collect())
            }
            _ => None,
        },
    };
    found.unwrap_or_else(|| {
        let detail = format!(
            "\"{name}\" is read before anything is evaluated, so it has to be a literal list in square brackets."
        );
        wrong(detail, argument.expr.place());
        Vec::new()
    })
}

/// Returns the event that an item of an `events` argument names; the error is a message that it names none of the events in
/// `all`, whose words `listed` joins for the message, or has quotes.
fn event(
    item: &Expr,
    all: &[&EventRow],
    listed: &dyn Fn() -> String,
) -> Result<ActionEvent, String> {
    let known = |word: &str| all.iter().find(|row| row.word == word).map(|row| row.event);
    if let Expr::Native(native) = item
        && let Some(text) = quoted(native.view())
    {
        return Err(match known(&text) {
            Some(_) => format!("An event needs no quotes: write {text}."),
            None => format!("There is no event \"{text}\". The events are {}.", listed()),
        });
    }
    let word = keyword(item);
    match word.as_deref().and_then(known) {
        Some(event) => Ok(event),
        None => Err(match word {
            Some(word) => format!("There is no event {word}. The events are {}.", listed()),
            None => format!("This is not an event. The events are {}.", listed()),
        }),
    }
}

/// Parses a reference to a triggered action, `action.type.name` with an optional instance key, or returns a message.
fn triggered(item: &Expr, library: &FunctionLibrary) -> Result<TriggeredAction, String> {
    let example = "An action is referenced as action.type.name or action.type.name[\"key\"].";
    let place = item.place();
    match item {
        Expr::Native(native) => {
            if let Some(text) = quoted(native.view()) {
                return Err(format!("A reference to an action has no quotes: {text}."));
            }
            named(native.view(), place, &|view| {
                Expression::new(&Expr::Native(native.inner(view)), library)
            })
            .map_err(|problem| format!("{problem} {example}"))
        }
        Expr::Json(document) => {
            let groma_syntax::json::JsonCase::String(text) = document.view().case() else {
                return Err(example.to_owned());
            };
            let parse = groma_syntax::parse_expression(&(*text).into(), item.file());
            let Expr::Native(native) = Expr::of(&parse) else { return Err(example.to_owned()) };
            // The text starts after the quote.
            let base = document.span().start + 1;
            named(native.view(), place, &|view| {
                let mut key = Expression::new(&Expr::Native(native.inner(view)), library);
                key.located.base += base;
                key
            })
            .map_err(|problem| format!("{problem} {example}"))
        }
    }
}

/// Returns the action that a reference names, with its key, lowered by `read`, if one follows the name, or a message. Later
/// steps are ignored.
fn named(
    item: ExprView<'_>,
    place: Place,
    read: &dyn Fn(ExprView<'_>) -> Expression,
) -> Result<TriggeredAction, String> {
    let mut words: Vec<Str> = Vec::new();
    let mut key = None;
    let mut at = item;
    loop {
        at = match at.case() {
            ExprCase::Root("action") if words.len() >= 2 => break,
            ExprCase::Root("action") => {
                return Err("\"action\" has to be followed by a type and a name.".to_owned());
            }
            ExprCase::Root("module") => {
                return Err(
                    "Only actions of the same module can be triggered, and this one is in another module."
                        .to_owned(),
                );
            }
            ExprCase::Root(word) => {
                return Err(format!(
                    "\"{word}\" is not an action, and only actions can be triggered."
                ));
            }
            ExprCase::Attribute { object, name, .. } => {
                words.push(Str::from(name));
                object
            }
            ExprCase::Index { object, key: index, .. } => {
                // Only the key after the name selects an instance.
                key = Some((words.len(), index));
                object
            }
            _ => return Err("This is not the name of an action.".to_owned()),
        };
    }
    let (Some(kind), Some(name)) = (words.pop(), words.pop()) else {
        return Err("\"action\" has to be followed by a type and a name.".to_owned());
    };
    let key = match key {
        Some((after, index)) if after == words.len() => Some(read(index)),
        _ => None,
    };
    Ok(TriggeredAction { place, kind, name, key })
}
