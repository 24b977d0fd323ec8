//! `action_trigger`: when a resource has a provider do something, and what. The condition is read
//! here and looked at by a plan only, as the reference program does: until something is made or
//! changed it means nothing.

use groma_eval::news;
use groma_folder::{RawArgument, RawBlock, keyword, quoted};
use groma_functions::Library;
use groma_syntax::ast::{Case, ExprView};
use groma_syntax::{Diagnostic, Diagnostics, Expr, Place};
use groma_value::Str;

use crate::codes;
use crate::declare::Expression;

/// When actions run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Event {
    /// Before a resource is made.
    BeforeCreate,
    /// Once a resource is made.
    AfterCreate,
    /// Before a resource is changed.
    BeforeUpdate,
    /// Once a resource is changed.
    AfterUpdate,
}

/// The events and the words for them.
const EVENTS: [(&str, Event); 4] = [
    ("before_create", Event::BeforeCreate),
    ("after_create", Event::AfterCreate),
    ("before_update", Event::BeforeUpdate),
    ("after_update", Event::AfterUpdate),
];

impl Event {
    /// As plans for machines write it.
    pub fn slug(self) -> &'static str {
        match self {
            Event::BeforeCreate => "BeforeCreate",
            Event::AfterCreate => "AfterCreate",
            Event::BeforeUpdate => "BeforeUpdate",
            Event::AfterUpdate => "AfterUpdate",
        }
    }

    /// The word in the code.
    pub fn word(self) -> &'static str {
        EVENTS.iter().find(|(_, event)| *event == self).map_or("", |(word, _)| word)
    }

    /// Whether it comes before the resource is made or changed.
    pub fn is_before(self) -> bool {
        matches!(self, Event::BeforeCreate | Event::BeforeUpdate)
    }
}

/// One `action_trigger` block.
#[derive(Clone, Debug)]
pub struct Trigger {
    /// Where its header stands.
    pub place: Place,
    /// When it counts, in source order, each once.
    pub events: Vec<Event>,
    /// What has to be true besides.
    pub condition: Option<Expression>,
    /// What runs, in this order.
    pub actions: Vec<Triggered>,
    /// Where it names an event that may be new to an edition.
    pub news: Option<Place>,
}

/// An action that a trigger names.
#[derive(Clone, Debug)]
pub struct Triggered {
    /// Where it is named.
    pub place: Place,
    /// Its type.
    pub kind: Str,
    /// Its name.
    pub name: Str,
    /// Which instance of it. Whether that can choose one is a plan's to say.
    pub key: Option<Expression>,
}

/// Reads the triggers of a resource.
pub(super) fn triggers(raw: &RawBlock, library: &Library, out: &mut Diagnostics) -> Vec<Trigger> {
    let blocks = raw.blocks_of("lifecycle").flat_map(|block| block.blocks_of("action_trigger"));
    blocks.map(|block| trigger(block, library, out)).collect()
}

fn trigger(raw: &RawBlock, library: &Library, out: &mut Diagnostics) -> Trigger {
    let mut read = Trigger {
        place: raw.header,
        events: Vec::new(),
        condition: raw.argument("condition").map(|one| Expression::new(&one.expr, library)),
        actions: Vec::new(),
        news: None,
    };
    let (code, edition) = (&codes::ACTION_TRIGGER, library.edition);
    let is_news = news::is_news(code, edition);
    let mut unfamiliar = Vec::new();
    let mut wrong = |detail: String, place: Place| {
        out.push(Diagnostic::error(&codes::ACTION_TRIGGER, detail).at(place));
    };
    if let Some(argument) = raw.argument("events") {
        for item in items(argument, "events", &mut wrong) {
            match event(&item) {
                Ok(event) if read.events.contains(&event) => {
                    let detail = format!("\"{}\" stands in the list already.", event.word());
                    wrong(detail, item.place());
                }
                Ok(event) => read.events.push(event),
                Err(detail) if keyword(&item).is_some() => unfamiliar.push((detail, item.place())),
                Err(detail) => wrong(detail, item.place()),
            }
        }
    }
    if read.events.is_empty() && (unfamiliar.is_empty() || !is_news) {
        let detail = "A trigger needs an event: one of before_create, after_create, before_update and after_update.";
        wrong(detail.to_owned(), raw.header);
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

/// The items of a list that is written out; those of JSON are texts that hold the code.
fn items(argument: &RawArgument, name: &str, wrong: &mut dyn FnMut(String, Place)) -> Vec<Expr> {
    let found = match &argument.expr {
        Expr::Native(native) => match native.view().case() {
            Case::Tuple(items) => {
                Some(items.into_iter().map(|item| Expr::Native(native.inner(item))).collect())
            }
            _ => None,
        },
        Expr::Json(document) => match document.view().case() {
            groma_syntax::json::Case::Array(items) => {
                Some(items.into_iter().map(|item| Expr::Json(document.inner(item))).collect())
            }
            _ => None,
        },
    };
    found.unwrap_or_else(|| {
        let detail = format!(
            "\"{name}\" is read before anything is evaluated, so it has to be a list that is written out in square brackets."
        );
        wrong(detail, argument.expr.place());
        Vec::new()
    })
}

fn event(item: &Expr) -> Result<Event, String> {
    let known = |word: &str| EVENTS.iter().find(|(known, _)| *known == word).map(|(_, e)| *e);
    if let Expr::Native(native) = item
        && let Some(text) = quoted(native.view())
    {
        return Err(match known(&text) {
            Some(_) => format!("An event needs no quotes: write {text}."),
            None => format!("There is no event \"{text}\". {ALL_EVENTS}"),
        });
    }
    let word = keyword(item);
    match word.as_deref().and_then(known) {
        Some(event) => Ok(event),
        None => Err(match word {
            Some(word) => format!("There is no event {word}. {ALL_EVENTS}"),
            None => format!("This names no event. {ALL_EVENTS}"),
        }),
    }
}

const ALL_EVENTS: &str =
    "The events are before_create, after_create, before_update and after_update.";

/// `action.type.name`, with the key of an instance.
fn triggered(item: &Expr, library: &Library) -> Result<Triggered, String> {
    let example = "An action is named as in action.type.name or action.type.name[\"key\"].";
    let place = item.place();
    match item {
        Expr::Native(native) => {
            if let Some(text) = quoted(native.view()) {
                return Err(format!("An action is named without quotes: {text}."));
            }
            named(native.view(), place, &|view| {
                Expression::new(&Expr::Native(native.inner(view)), library)
            })
            .map_err(|problem| format!("{problem} {example}"))
        }
        Expr::Json(document) => {
            let groma_syntax::json::Case::String(text) = document.view().case() else {
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
) -> Result<Triggered, String> {
    let mut words: Vec<Str> = Vec::new();
    let mut key = None;
    let mut at = item;
    loop {
        at = match at.case() {
            Case::Root("action") if words.len() >= 2 => break,
            Case::Root("action") => {
                return Err("After \"action\" come its type and its name.".to_owned());
            }
            Case::Root("module") => {
                return Err(
                    "Only actions of the same module can be triggered, and this is one of another module."
                        .to_owned(),
                );
            }
            Case::Root(word) => {
                return Err(format!("\"{word}\" is no action, and only actions can be triggered."));
            }
            Case::Attribute { object, name, .. } => {
                words.push(Str::from(name));
                object
            }
            Case::Index { object, key: index, .. } => {
                // Only the one that follows the name chooses an instance.
                key = Some((words.len(), index));
                object
            }
            _ => return Err("This is no name of an action.".to_owned()),
        };
    }
    let (Some(kind), Some(name)) = (words.pop(), words.pop()) else {
        return Err("After \"action\" come its type and its name.".to_owned());
    };
    let key = match key {
        Some((after, index)) if after == words.len() => Some(read(index)),
        _ => None,
    };
    Ok(Triggered { place, kind, name, key })
}
