//! Resources, data sources and what else belongs to a provider: what is written about them. Their
//! types are unknown here, so the body is kept as arguments and nested blocks.

use std::sync::Arc;

use groma_folder::{Mode, RawBlock, literal_text, naming};
use groma_functions::Library;
use groma_syntax::ast::Case;
use groma_syntax::{Diagnostics, Expr, Place};
use groma_value::Str;
use groma_value::schema::{BlockSchema, Schema};

use crate::declare::action::Trigger;
use crate::declare::content::{Content, Contents};
use crate::declare::lifecycle::Ignored;
use crate::declare::provision::{Provision, provisions};
use crate::declare::{Condition, Expression, Gatherer, Repetition, action, lifecycle};
use crate::fit::fit;
use crate::schema::Providers;

/// One resource, data source or ephemeral resource.
#[derive(Clone, Debug)]
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
    pub provider_key: Option<Expression>,
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
    /// The local name of its provider, as it is written or as its type says.
    pub fn provider_name(&self) -> &str {
        match &self.provider {
            Some((name, _)) => name,
            None => self.kind.split('_').next().unwrap_or_default(),
        }
    }

    pub(crate) fn read(
        raw: &RawBlock,
        gatherer: &Gatherer<'_>,
        providers: &Providers,
        late: &mut Diagnostics,
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
        let schema = gatherer.schemas.of_resource(raw, mode, providers, late);
        let block = schema.as_ref().map(|schema| &*schema.block);
        let content = Contents { library, out: late }.read(raw, &OWN, settings, block);
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
                .filter(|_| gatherer.conventions.computed_prevent_destroy),
            prevents_destroy: lifecycle::is_set(raw, "prevent_destroy"),
            destroy: lifecycle::setting(raw, "destroy", library),
            create_before_destroy: lifecycle::is_set(raw, "create_before_destroy"),
            ignored: Ignored::read(raw),
            provisions: provisions(raw, true, library, late, out),
        };
        if let Some(block) = resource.block() {
            lifecycle::ignored(raw, &block, &resource.address(), late);
        }
        resource
    }

    /// What its body looks like, where that is known.
    pub fn block(&self) -> Option<Arc<BlockSchema>> {
        match &self.schema {
            // What is told to the provider is not what comes back.
            _ if self.mode.has_config() => None,
            Some(schema) => Some(schema.block.clone()),
            None => crate::built_in::block(self),
        }
    }

    /// Whether its body refers to what is not there: then it is not read any further.
    pub fn is_broken(&self) -> bool {
        self.content.is_broken(self.block().as_deref())
    }

    /// Compares its body with what that may hold.
    pub(crate) fn fit(&self, out: &mut Diagnostics) {
        match &self.schema {
            Some(schema) => {
                let whose = format!("{}{}", self.mode.prefix(), &*self.kind);
                fit(&self.content, &schema.block, &whose, out);
            }
            None => crate::built_in::check(self, out),
        }
    }

    /// `aws_instance.web`, `data.aws_ami.base`.
    pub fn address(&self) -> String {
        format!("{}{}.{}", self.mode.prefix(), &*self.kind, &*self.name)
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
