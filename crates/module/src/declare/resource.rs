//! Resources, data sources and what else belongs to a provider: what is written about them. Their
//! types are unknown here, so the body is kept as arguments and nested blocks.

use std::sync::Arc;

use groma_functions::Library;
use groma_syntax::ast::Case;
use groma_syntax::{Code, Diagnostic, Diagnostics, Expr, Place};
use groma_value::Str;
use groma_value::schema::{Block, Schema};

use super::action::{self, Trigger};
use super::content::{Content, Contents};
use super::expression::{literal_text, naming};
use super::gather::Gatherer;
use super::lifecycle::{self, Ignored};
use super::provision::{Provision, provisions};
use super::raw::{Argument, Raw};
use super::{Condition, Expression};
use crate::decode::fit;
use crate::schema::Providers;

static TWO_REPETITIONS: Code =
    Code { slug: "two-repetitions", summary: "More than one kind of repetition" };

/// What kind of object a resource block declares.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Mode {
    /// `resource`
    Managed,
    /// `data`
    Data,
    /// `ephemeral`
    Ephemeral,
    /// `action`: it has no value, and runs when something triggers it.
    Action,
    /// `list`, in a query file.
    List,
}

impl Mode {
    /// The mode of what a word declares.
    pub(crate) fn of(word: &str) -> Option<Mode> {
        const ALL: [Mode; 5] =
            [Mode::Managed, Mode::Data, Mode::Ephemeral, Mode::Action, Mode::List];
        ALL.into_iter().find(|mode| mode.word() == word)
    }

    /// The word that declares it.
    pub fn word(self) -> &'static str {
        match self {
            Mode::Managed => "resource",
            Mode::Data => "data",
            Mode::Ephemeral => "ephemeral",
            Mode::Action => "action",
            Mode::List => "list",
        }
    }

    /// How it is spoken of: `data source`.
    pub fn noun(self) -> &'static str {
        match self {
            Mode::Managed => "resource",
            Mode::Data => "data source",
            Mode::Ephemeral => "ephemeral resource",
            Mode::Action => "action",
            Mode::List => "list",
        }
    }

    /// Whether a body is one block `config`, so that its schema is that block's.
    pub(crate) fn has_config(self) -> bool {
        matches!(self, Mode::Action | Mode::List)
    }

    /// What stands before the type in an address.
    pub fn prefix(self) -> &'static str {
        match self {
            Mode::Managed => "",
            Mode::Data => "data.",
            Mode::Ephemeral => "ephemeral.",
            Mode::Action => "action.",
            Mode::List => "list.",
        }
    }
}

/// How often something exists.
#[derive(Debug)]
pub enum Repetition {
    /// Once.
    Single,
    /// `count`
    Count(Expression),
    /// `for_each`
    Each(Expression),
    /// `enabled`
    Enabled(Expression),
}

impl Repetition {
    /// Reads the repetition of a block.
    pub(crate) fn read(raw: &Raw, gatherer: &Gatherer<'_>, out: &mut Diagnostics) -> Repetition {
        let enabled =
            raw.blocks_of("lifecycle").find_map(|lifecycle| lifecycle.argument("enabled"));
        let found: Vec<(&str, &Argument)> = [
            ("count", raw.argument("count")),
            ("for_each", raw.argument("for_each")),
            ("enabled", enabled),
        ]
        .into_iter()
        .filter_map(|(name, argument)| Some((name, argument?)))
        .collect();
        if let [(first, one), (second, two), ..] = found[..] {
            let detail = format!(
                "\"{first}\" and \"{second}\" both say how often this exists. Keep one of them."
            );
            let (early, late) = match one.place < two.place {
                true => (one, two),
                false => (two, one),
            };
            let place = match gatherer.rules.joins_repetitions {
                true => Place::new(early.place.file, early.place.span.join(late.name_place.span)),
                false => late.name_place,
            };
            out.push(Diagnostic::error(&TWO_REPETITIONS, detail).at(place));
        }
        let library = &gatherer.library;
        match found.first() {
            Some(("count", argument)) => {
                Repetition::Count(Expression::new(&argument.expr, library))
            }
            Some(("for_each", argument)) => {
                Repetition::Each(Expression::new(&argument.expr, library))
            }
            Some((_, argument)) => Repetition::Enabled(Expression::new(&argument.expr, library)),
            None => Repetition::Single,
        }
    }

    /// Its expression.
    pub fn expression(&self) -> Option<&Expression> {
        match self {
            Repetition::Single => None,
            Repetition::Count(e) | Repetition::Each(e) | Repetition::Enabled(e) => Some(e),
        }
    }
}

/// One resource, data source or ephemeral resource.
#[derive(Debug)]
pub struct Resource {
    /// What kind of object it is.
    pub mode: Mode,
    /// What its body may hold, where that is at hand.
    pub schema: Option<Arc<Schema>>,
    /// Its type.
    pub kind: Str,
    /// Its name.
    pub name: Str,
    /// Where its header stands.
    pub place: Place,
    /// How many instances it has.
    pub repetition: Repetition,
    /// Its body, without what means the same everywhere.
    pub content: Content,
    /// What has to be there before.
    pub depends_on: Vec<Expression>,
    /// The check that it is read for, and that alone can see it.
    pub check: Option<Str>,
    /// What has to hold before it is made.
    pub preconditions: Vec<Condition>,
    /// What has to hold once it is made.
    pub postconditions: Vec<Condition>,
    /// Whether a provider is asked for by name.
    pub has_provider: bool,
    /// Where it is asked for.
    pub provider_place: Option<Place>,
    /// The local name and the alias of that provider.
    pub provider: Option<(Str, Option<Str>)>,
    /// Which instance of that provider, where it is repeated.
    pub(crate) provider_key: Option<Expression>,
    /// What is to trigger a replacement.
    pub triggers: Vec<Expression>,
    /// Which actions it triggers.
    pub action_triggers: Vec<Trigger>,
    /// Whether a plan that would destroy it is refused, where that is worked out. What it refers to is looked at only
    /// when it is evaluated.
    pub prevent_destroy: Option<Expression>,
    /// Whether a plan that would destroy it is refused, where that is written out.
    pub prevents_destroy: bool,
    /// Whether it is destroyed when it goes.
    pub destroy: Option<Expression>,
    /// Whether a replacement is made before the old object goes.
    pub create_before_destroy: bool,
    /// Changes of what are left to others.
    pub ignored: Ignored,
    /// Connections and provisioners: checked here, and run by nobody.
    pub provisions: Vec<Provision>,
}

/// Arguments that mean the same in every resource.
const OWN: [&str; 4] = ["count", "depends_on", "for_each", "provider"];
/// Blocks that mean the same in every resource.
const SETTINGS: [&str; 3] = ["connection", "lifecycle", "provisioner"];

impl Resource {
    pub(crate) fn read(
        raw: &Raw,
        gatherer: &Gatherer<'_>,
        providers: &Providers,
        out: &mut Diagnostics,
    ) -> Resource {
        let library = &gatherer.library;
        let mode = Mode::of(&raw.kind).unwrap_or(Mode::Managed);
        let mut conditions = |kind: &'static str| {
            let lifecycle = raw.blocks_of("lifecycle");
            let blocks = lifecycle.flat_map(move |block| block.blocks_of(kind));
            blocks.filter_map(|block| Condition::about_something(block, library, out)).collect()
        };
        let (preconditions, postconditions) =
            (conditions("precondition"), conditions("postcondition"));
        lifecycle::check(raw, gatherer, out);
        let settings: &[&str] = if mode == Mode::Managed { &SETTINGS } else { &SETTINGS[1..2] };
        let schema = gatherer.schemas.of_resource(raw, mode, providers, out);
        let block = schema.as_ref().map(|schema| &*schema.block);
        let content = Contents { library, out }.read(raw, &OWN, settings, block);
        if let Some(block) = block {
            fit(&content, block, &format!("{}{}", mode.prefix(), raw.label(0)), out);
        }
        let resource = Resource {
            mode,
            schema,
            kind: Str::from(raw.label(0)),
            name: Str::from(raw.label(1)),
            place: raw.header,
            repetition: Repetition::read(raw, gatherer, out),
            content,
            depends_on: gatherer.depends_on(raw, out),
            check: None,
            preconditions,
            postconditions,
            has_provider: raw.argument("provider").is_some(),
            provider_place: raw.argument("provider").map(|argument| argument.expr.place()),
            provider: raw.argument("provider").and_then(|a| provider_name(&a.expr)),
            provider_key: raw.argument("provider").and_then(|a| provider_key(&a.expr, library)),
            triggers: lifecycle::triggers(raw, library),
            action_triggers: action::triggers(raw, library, out),
            prevent_destroy: lifecycle::setting(raw, "prevent_destroy", library)
                .filter(|_| gatherer.rules.computed_prevent_destroy),
            prevents_destroy: lifecycle::is_set(raw, "prevent_destroy"),
            destroy: lifecycle::setting(raw, "destroy", library),
            create_before_destroy: lifecycle::is_set(raw, "create_before_destroy"),
            ignored: Ignored::read(raw),
            provisions: provisions(raw, library, out),
        };
        if let Some(block) = resource.block() {
            lifecycle::ignored(raw, &block, &resource.address(), out);
        }
        resource
    }

    /// What its body looks like, where that is known.
    pub(crate) fn block(&self) -> Option<Arc<Block>> {
        match &self.schema {
            // What is told to the provider is not what comes back.
            _ if self.mode.has_config() => None,
            Some(schema) => Some(schema.block.clone()),
            None => crate::built_in::block(self),
        }
    }

    /// `aws_instance.web`, `data.aws_ami.base`.
    pub fn address(&self) -> String {
        format!("{}{}.{}", self.mode.prefix(), &*self.kind, &*self.name)
    }
}

impl Resource {
    /// Visits every expression that says what the resource is and how often it exists.
    pub(crate) fn expressions<'m>(&'m self, visit: &mut dyn FnMut(&'m Expression)) {
        self.repetition.expression().into_iter().for_each(&mut *visit);
        self.provider_key.iter().for_each(&mut *visit);
        self.content.expressions(visit);
        let conditions = self.preconditions.iter().chain(&self.postconditions);
        conditions.flat_map(Condition::expressions).for_each(&mut *visit);
    }
}

/// The local name and the alias in `aws`, `aws.west` or `aws.by_region[each.key]`.
fn provider_name(expr: &Expr) -> Option<(Str, Option<Str>)> {
    if let Expr::Native(_) = expr
        && let Some(text) = literal_text(expr)
    {
        let (name, alias) = text.split_once('.').unzip();
        return Some((Str::from(name.unwrap_or(&text)), alias.map(Str::from)));
    }
    let (Expr::Native(native), _) = naming(expr)? else { return None };
    let view = match native.view().case() {
        Case::Index { object, .. } => object,
        _ => native.view(),
    };
    match view.case() {
        Case::Root(root) => Some((Str::from(root), None)),
        Case::Attribute { object, name, .. } => match object.case() {
            Case::Root(root) => Some((Str::from(root), Some(Str::from(name)))),
            _ => None,
        },
        _ => None,
    }
}

/// The key in `aws.by_region[each.key]`.
fn provider_key(expr: &Expr, library: &Library) -> Option<Expression> {
    let (Expr::Native(native), shift) = naming(expr)? else { return None };
    let Case::Index { key, .. } = native.view().case() else { return None };
    let mut key = Expression::new(&Expr::Native(native.inner(key)), library);
    key.located.base += shift;
    Some(key)
}
