//! Declarations of resources, data sources, ephemeral resources, actions and lists. Their types are unknown here, so the body is
//! kept as arguments and nested blocks.

use std::sync::Arc;

use groma_config::{
    RawBlock, ResourceMode, ResourceName, address_expression, implied_provider, literal_text,
};
use groma_functions::FunctionLibrary;
use groma_runtime::Edition;
use groma_syntax::ast::ExprCase;
use groma_syntax::{Diagnostic, Diagnostics, Expr, Place};
use groma_value::Str;
use groma_value::schema::{BlockSchema, Schema};

use crate::built_in::{self, BuiltInType};
use crate::check_body::fit;
use crate::declare::content::{ContentReader, SchemaBody};
use crate::declare::provision::{ProvisionerBlock, provisions};
use crate::declare::{DeclarationReader, Expression, Lifecycle, Repetition, lifecycle};
use crate::schema::{LocalProviders, local_name};

/// The declaration of a resource, data source, ephemeral resource, action or list.
#[derive(Clone, Debug)]
pub struct Resource {
    /// The resource mode.
    pub mode: ResourceMode,
    /// The schema of its body, if known.
    pub schema: Option<Arc<Schema>>,
    /// The resource type.
    pub kind: Str,
    /// The resource name.
    pub name: Str,
    /// The source range of its header.
    pub place: Place,
    /// The repetition.
    pub repetition: Repetition,
    /// The body, without meta-arguments.
    pub content: SchemaBody,
    /// The declarations that it depends on.
    pub depends_on: Box<[Expression]>,
    /// The `check` block that contains it; only that block can refer to it.
    pub check: Option<Str>,
    /// Connections and provisioners: validated but not run.
    pub provisions: Box<[ProvisionerBlock]>,
    /// The provider configuration that is named explicitly, if any.
    pub asked: Option<Box<ProviderReference>>,
    /// The settings of its `lifecycle` block, if any.
    pub(crate) lifecycle: Option<Box<Lifecycle>>,
    /// Diagnostics that apply to each of its instances: dropped if there are none.
    pub problems: Box<[Diagnostic]>,
    /// The source range of something that a newer edition than the known ones may support.
    pub news: Option<Box<Place>>,
}

/// The `provider` argument of a resource: local name, alias and instance key of a provider configuration.
#[derive(Clone, Debug)]
pub struct ProviderReference {
    /// The source range of the argument.
    pub place: Place,
    /// The local name and the alias; `None` if the expression is not a valid reference.
    pub name: Option<(Str, Option<Str>)>,
    /// The instance key, if the provider configuration is repeated.
    pub key: Option<Expression>,
}

impl ProviderReference {
    /// Reads the `provider` argument of a block; `None` if it is not set.
    pub(super) fn read(
        raw: &RawBlock,
        library: &FunctionLibrary,
    ) -> Option<Box<ProviderReference>> {
        let expr = &raw.argument("provider")?.expr;
        let key = provider_key(expr, library);
        Some(Box::new(ProviderReference { place: expr.place(), name: provider_name(expr), key }))
    }
}

/// The names of the meta-arguments, which have the same meaning in every resource.
const OWN: [&str; 4] = ["count", "depends_on", "for_each", "provider"];
/// The types of nested blocks that have the same meaning in every resource.
const SETTINGS: [&str; 3] = ["connection", "lifecycle", "provisioner"];

impl Resource {
    /// Returns the local name of the resource's provider, explicit or implied by its type.
    pub fn provider_name(&self) -> &str {
        match self.provider() {
            Some((name, _)) => name,
            None => self.implied_provider(),
        }
    }

    /// Returns the local name of the provider implied by the resource's type.
    pub fn implied_provider(&self) -> &str {
        implied_provider(&self.kind)
    }

    /// Reads a resource from its block, such as `resource` or `data`; reports what is invalid in it to `out`, or to `late`
    /// what counts only without other errors.
    pub(crate) fn read(
        raw: &RawBlock,
        gatherer: &DeclarationReader<'_>,
        providers: &LocalProviders,
        late: &mut Diagnostics,
        out: &mut Diagnostics,
    ) -> Resource {
        let library = &gatherer.library;
        let mode = ResourceMode::of(&raw.kind).unwrap_or(ResourceMode::Managed);
        let lifecycle = Lifecycle::read(raw, gatherer, out);
        let settings: &[&str] =
            if mode == ResourceMode::Managed { &SETTINGS } else { &SETTINGS[1..2] };
        let kind = raw.label(0);
        let own = built_in::schema_of(mode, kind, &local_name(raw), library.edition);
        let schema = own.or_else(|| gatherer.schemas.of_resource(raw, mode, providers, late));
        let block = schema.as_ref().map(|schema| &*schema.block);
        let content = ContentReader { library, out: late }.read(raw, &OWN, settings, block);
        let mut resource = Resource {
            mode,
            schema,
            kind: Str::from(raw.label(0)),
            name: Str::from(raw.label(1)),
            place: raw.header,
            repetition: Repetition::read(raw, gatherer, out),
            content,
            depends_on: gatherer.depends_on(raw, out).into(),
            check: None,
            provisions: provisions(raw, true, library, late, out).into(),
            asked: ProviderReference::read(raw, library),
            lifecycle,
            problems: Box::default(),
            news: raw.news.map(Box::new),
        };
        let triggers = || resource.lifecycle().action_triggers.iter();
        let of_trigger = triggers().find_map(|trigger| trigger.news);
        if resource.news.is_none() {
            resource.news = of_trigger.map(Box::new);
        }
        if resource.news.is_none() && library.edition.is_newer_than_known() {
            resource.news = built_in::first_unsupported_place(&resource).map(Box::new);
        }
        if let Some(block) = resource.block() {
            let is_own = built_in::is_built_in(&resource.kind, resource.provider_name());
            let own = is_own.then_some(library.edition);
            lifecycle::ignored(raw, &block, &resource.address(), own, late);
            if raw.overridden.is_some() {
                let whose = format!("{}{}", mode.prefix(), &*resource.kind);
                resource.content.drop_strays(&block, &whose, late);
            }
        }
        resource
    }

    /// Returns true if the resource is an action whose body refers to the triggering resource, as `caller` or `self`.
    pub fn uses_caller(&self) -> bool {
        let mut asks = false;
        self.content.visit(&mut |seen| {
            let references = seen.expression.located.code.references();
            asks |= references.iter().any(|one| matches!(&*one.root, "self" | "caller"));
        });
        asks && self.mode == ResourceMode::Action
    }

    /// Returns the settings of the resource's `lifecycle` block, or the defaults.
    pub fn lifecycle(&self) -> &Lifecycle {
        /// The settings of a resource without a `lifecycle` block.
        static NONE: Lifecycle = Lifecycle::NONE;
        self.lifecycle.as_deref().unwrap_or(&NONE)
    }

    /// Returns the local name and alias in the `provider` argument; `None` if it is not set, or invalid.
    pub fn provider(&self) -> Option<&(Str, Option<Str>)> {
        self.asked.as_ref()?.name.as_ref()
    }

    /// Returns the schema of the resource's value; `None` if it is unknown, and for actions and lists, whose body does not
    /// describe a value.
    pub fn block(&self) -> Option<Arc<BlockSchema>> {
        match &self.schema {
            // The configuration of the provider's request is not its result.
            _ if self.mode.has_config() => None,
            Some(schema) => Some(schema.block.clone()),
            None => built_in::block_of(self),
        }
    }

    /// Returns true if the resource's body refers to something undeclared: then it is not read any further.
    pub fn is_broken(&self) -> bool {
        self.content.is_broken(self.block().as_deref())
    }

    /// Reports arguments and blocks in the resource's body that its schema does not accept, and required ones that are missing.
    pub(crate) fn fit(&self, edition: Edition, out: &mut Diagnostics) {
        let Some(schema) = &self.schema else { return built_in::check(self, edition, out) };
        let whose = format!("{}{}", self.mode.prefix(), &*self.kind);
        match BuiltInType::of(&self.kind) {
            Some(BuiltInType::Data) => {
                let content =
                    built_in::without_unsupported(&self.content, &schema.block, edition, out);
                fit(&content, &schema.block, &whose, out);
            }
            _ => fit(&self.content, &schema.block, &whose, out),
        }
    }

    /// Returns the resource's name within its module: mode, type and name.
    pub fn own_name(&self) -> ResourceName {
        ResourceName { mode: self.mode, kind: self.kind.clone(), name: self.name.clone() }
    }

    /// Returns the resource's address within its module, such as `aws_instance.web` or `data.aws_ami.base`.
    pub fn address(&self) -> String {
        format!("{}{}.{}", self.mode.prefix(), &*self.kind, &*self.name)
    }
}

/// Returns the local name and alias in a provider reference: `aws`, `aws.west` or `aws.by_region[each.key]`; `None` for other
/// expressions.
fn provider_name(expr: &Expr) -> Option<(Str, Option<Str>)> {
    if let Expr::Native(_) = expr
        && let Some(text) = literal_text(expr)
    {
        let (name, alias) = text.split_once('.').unzip();
        return Some((Str::from(name.unwrap_or(&text)), alias.map(Str::from)));
    }
    let (Expr::Native(native), _) = address_expression(expr)? else { return None };
    let view = match native.view().case() {
        ExprCase::Index { object, .. } => object,
        _ => native.view(),
    };
    match view.case() {
        ExprCase::Root(root) => Some((Str::from(root), None)),
        ExprCase::Attribute { object, name, .. } => match object.case() {
            ExprCase::Root(root) => Some((Str::from(root), Some(Str::from(name)))),
            _ => None,
        },
        _ => None,
    }
}

/// Returns the lowered key in a provider reference such as `aws.by_region[each.key]`; `None` without a key.
fn provider_key(expr: &Expr, library: &FunctionLibrary) -> Option<Expression> {
    let (Expr::Native(native), shift) = address_expression(expr)? else { return None };
    let ExprCase::Index { key, .. } = native.view().case() else { return None };
    let mut key = Expression::new(&Expr::Native(native.inner(key)), library);
    key.located.base += shift;
    Some(key)
}
