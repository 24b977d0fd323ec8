//! `action_trigger`: when a resource has a provider do something, and what. The condition is read
//! here and looked at by a plan only, as the reference program does: until something is made or
//! changed it means nothing.

use groma_config::{RawArgument, RawBlock, bare_word, keyword, quoted};
use groma_eval::news;
use groma_functions::FunctionLibrary;
use groma_runtime::Availability;
use groma_syntax::ast::{ExprCase, ExprView};
use groma_syntax::{Diagnostic, Diagnostics, Expr, Place};
use groma_value::Str;

use crate::codes;
use crate::declare::{DeclarationReader, Expression};

/// When actions run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ActionEvent {
    /// Before a resource is made.
    BeforeCreate,
    /// Once a resource is made.
    AfterCreate,
    /// Before a resource is changed.
    BeforeUpdate,
    /// Once a resource is changed.
    AfterUpdate,
    /// Before a resource is destroyed.
    BeforeDestroy,
    /// Once a resource is destroyed.
    AfterDestroy,
}

/// What is known of an event.
struct EventRow {
    event: ActionEvent,
    /// The word in the code.
    word: &'static str,
    /// As plans for machines write it.
    slug: &'static str,
    /// Which editions have it.
    editions: Availability,
}

const ACTIONS: Availability = Availability::TERRAFORM.terraform_since(14);
const DESTROYING: Availability = Availability::TERRAFORM.terraform_since(16);

const fn row(
    event: ActionEvent,
    word: &'static str,
    slug: &'static str,
    editions: Availability,
) -> EventRow {
    EventRow { event, word, slug, editions }
}

/// The events.
const EVENTS: [EventRow; 6] = [
    row(ActionEvent::BeforeCreate, "before_create", "BeforeCreate", ACTIONS),
    row(ActionEvent::AfterCreate, "after_create", "AfterCreate", ACTIONS),
    row(ActionEvent::BeforeUpdate, "before_update", "BeforeUpdate", ACTIONS),
    row(ActionEvent::AfterUpdate, "after_update", "AfterUpdate", ACTIONS),
    row(ActionEvent::BeforeDestroy, "before_destroy", "BeforeDestroy", DESTROYING),
    row(ActionEvent::AfterDestroy, "after_destroy", "AfterDestroy", DESTROYING),
];

impl ActionEvent {
    /// Those of something that is made.
    pub const CREATING: [ActionEvent; 2] = [ActionEvent::BeforeCreate, ActionEvent::AfterCreate];
    /// Those of something that is changed.
    pub const UPDATING: [ActionEvent; 2] = [ActionEvent::BeforeUpdate, ActionEvent::AfterUpdate];
    /// Those of something that is destroyed.
    pub const DESTROYING: [ActionEvent; 2] =
        [ActionEvent::BeforeDestroy, ActionEvent::AfterDestroy];

    fn row(self) -> Option<&'static EventRow> {
        EVENTS.iter().find(|row| row.event == self)
    }

    /// As plans for machines write it.
    pub fn slug(self) -> &'static str {
        self.row().map_or("", |row| row.slug)
    }

    /// The word in the code.
    pub fn word(self) -> &'static str {
        self.row().map_or("", |row| row.word)
    }

    /// Returns true if it comes before the resource is made or changed.
    pub fn is_before(self) -> bool {
        matches!(self, ActionEvent::BeforeCreate | ActionEvent::BeforeUpdate)
    }

    /// Returns true if it is one of something that is destroyed.
    pub fn is_destroying(self) -> bool {
        ActionEvent::DESTROYING.contains(&self)
    }
}

/// What becomes of a resource whose action fails.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub enum OnFailure {
    /// Nothing more is done.
    #[default]
    Halt,
    /// The resource counts as broken, and is replaced the next time.
    Taint,
    /// The failure changes nothing.
    Continue,
}

/// What may become of a resource, the words in the code and those in plans for machines.
const ON_FAILURE: [(OnFailure, &str, &str); 3] = [
    (OnFailure::Halt, "halt", "ActionOnFailureHalt"),
    (OnFailure::Taint, "taint", "ActionOnFailureTaint"),
    (OnFailure::Continue, "continue", "ActionOnFailureContinue"),
];

impl OnFailure {
    /// As plans for machines write it.
    pub fn slug(self) -> &'static str {
        ON_FAILURE.iter().find(|(own, ..)| *own == self).map_or("", |(_, _, slug)| slug)
    }
}

/// One `action_trigger` block.
#[derive(Clone, Debug)]
pub struct ActionTrigger {
    /// The place where its header stands.
    pub place: Place,
    /// When it counts, in source order, each once.
    pub events: Vec<ActionEvent>,
    /// The condition, if there is one.
    pub condition: Option<Expression>,
    /// What becomes of the resource where one of them fails; nothing where the edition does not let code say so.
    pub on_failure: Option<OnFailure>,
    /// The actions, in the order in which they run.
    pub actions: Vec<TriggeredAction>,
    /// The place where it names an event that may be new to an edition.
    pub news: Option<Place>,
}

/// An action that a trigger names.
#[derive(Clone, Debug)]
pub struct TriggeredAction {
    /// The place where it is named.
    pub place: Place,
    /// Its type.
    pub kind: Str,
    /// Its name.
    pub name: Str,
    /// The key of the instance. A plan decides whether it can choose one.
    pub key: Option<Expression>,
}

impl ActionTrigger {
    /// Returns true if it counts when something is destroyed.
    pub fn is_destroying(&self) -> bool {
        self.events.iter().any(|event| event.is_destroying())
    }
}

/// Reads the triggers of a resource.
pub(super) fn triggers(
    raw: &RawBlock,
    gatherer: &DeclarationReader<'_>,
    out: &mut Diagnostics,
) -> Vec<ActionTrigger> {
    let blocks = raw.blocks_of("lifecycle").flat_map(|block| block.blocks_of("action_trigger"));
    blocks.map(|block| trigger(block, gatherer, out)).collect()
}

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

/// Words as a sentence lists them.
fn listed(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

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

/// The items of a list that is written out; those of JSON are texts that hold the code.
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

/// `action.type.name`, with the key of an instance.
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
            // The text begins after the quote.
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

/// Reads the words from the last to the first. What follows the key changes nothing.
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
                // Only the one that follows the name chooses an instance.
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
