//! Evaluation of a build with one source: all arguments of its builder, provisioners and post-processors.

use std::sync::Arc;

use groma_value::{Str, Value};

use super::argument::{evaluate_checked, evaluate_unchecked};
use super::decode::{BuildStage, DecodedBuild, SourceUse};
use super::expand::BodyContext;
use super::filter::BuildFilter;
use super::setting::{OF_POST_PROCESSORS, OF_PROVISIONERS};
use super::{Build, BuildPlan, ComponentUse};
use crate::component::{self, ComponentKind};
use crate::content::BlockContent;
use crate::evaluate::{OwnBuild, SourceScope, TemplateState};

/// Evaluates a build block for each of its sources and adds these builds to the plan.
pub(super) fn run(
    world: &Arc<TemplateState>,
    decoded: &DecodedBuild<'_>,
    filter: &mut BuildFilter,
    plan: &mut BuildPlan,
) {
    let stages = decoded.provisioners.len()
        + decoded.cleanup.iter().count()
        + decoded.chains.iter().map(Vec::len).sum::<usize>();
    for used in &decoded.uses {
        let name = || match decoded.name.is_empty() {
            true => "a build without a name".to_owned(),
            false => format!("build.{}", &*decoded.name),
        };
        if !world.charge(1) || world.ends_at(name, decoded.place) {
            world.ends_at(name, decoded.place);
            return;
        }
        let source = format!("{}.{}", &*used.origin.kind, &*used.name);
        let name = match decoded.name.is_empty() {
            true => source.clone(),
            false => format!("{}.{source}", &*decoded.name),
        };
        if !filter.keeps(&name) {
            continue;
        }
        // The content of each component exists once for each source.
        if !world.charge(stages) {
            world.ends_at(|| name, decoded.place);
            return;
        }
        let own = Some((used.origin.kind.clone(), used.name.clone()));
        let builder = builder(world, used, own.clone(), plan);
        let is_open = component::find(ComponentKind::Builder, &used.origin.kind).is_none();
        let build = OwnBuild::Running { name: decoded.name.clone(), is_open };
        let scope = world.scope(SourceScope { source: own, build }, false);
        let context = BodyContext { world, scope, unknown: None };
        let mut of = |stage: &BuildStage<'_>, kind: ComponentKind| {
            stage.settings.is_for(&source).then(|| part(&context, stage, kind, &used.name, plan))
        };
        let provisioners = decoded
            .provisioners
            .iter()
            .filter_map(|stage| of(stage, ComponentKind::Provisioner))
            .collect();
        let cleanup =
            decoded.cleanup.as_ref().and_then(|stage| of(stage, ComponentKind::Provisioner));
        let mut chains = Vec::new();
        for chain in &decoded.chains {
            let kept = chain.iter().filter(|stage| {
                filter.keeps_part(stage.settings.name.as_deref().unwrap_or(&stage.kind))
            });
            let chain: Vec<ComponentUse> =
                kept.filter_map(|stage| of(stage, ComponentKind::PostProcessor)).collect();
            if !chain.is_empty() {
                chains.push(chain);
            }
        }
        plan.builds.push(Build {
            name,
            source: used.name.clone(),
            place: decoded.place,
            builder,
            provisioners,
            cleanup,
            chains,
        });
    }
}

/// Evaluates the builder of a source as a build uses it: the arguments of the source block and those that the build adds; `own`
/// is the type and the name of the source to which `source` refers in them.
fn builder(
    world: &Arc<TemplateState>,
    used: &SourceUse<'_>,
    own: Option<(Str, Str)>,
    plan: &mut BuildPlan,
) -> ComponentUse {
    let scope = world.scope(SourceScope { source: own, build: OwnBuild::Unsettled }, false);
    let context = BodyContext { world, scope, unknown: None };
    let mut bodies: Vec<&BlockContent> = vec![&used.origin.content];
    bodies.extend(used.made.as_ref().map(|made| made.content));
    // An iterator around the block is visible to both bodies.
    let context = match &used.made {
        Some(made) => made.body_context(&context),
        None => context,
    };
    let kind = &used.origin.kind;
    let (config, is_checked) = match component::find(ComponentKind::Builder, kind) {
        Some(row) => {
            let place = used.origin.place;
            (evaluate_checked(row, &context, &bodies, &["name"], place, &mut plan.found), true)
        }
        None => (evaluate_unchecked(&context, &bodies, &["name"], &mut plan.found), false),
    };
    ComponentUse { kind: kind.clone(), name: None, config, overrides: None, is_checked }
}

/// Evaluates a provisioner or post-processor, `stage`, of a build for the source named `source`, and adds the errors to `plan`.
fn part(
    around: &BodyContext<'_>,
    stage: &BuildStage<'_>,
    kind: ComponentKind,
    source: &Str,
    plan: &mut BuildPlan,
) -> ComponentUse {
    let context = stage.made.body_context(around);
    let own = match kind {
        ComponentKind::PostProcessor => OF_POST_PROCESSORS,
        _ => OF_PROVISIONERS,
    };
    // All arguments are in the only body, which is given as the second.
    let empty = BlockContent::default();
    let bodies = [&empty, stage.made.content];
    let (config, is_checked) = match component::find(kind, &stage.kind) {
        Some(row) => {
            let place = stage.made.header;
            (evaluate_checked(row, &context, &bodies, own, place, &mut plan.found), true)
        }
        None => (evaluate_unchecked(&context, &bodies, own, &mut plan.found), false),
    };
    let overrides = stage.settings.overrides.as_ref().and_then(|value| match value.bare() {
        Value::Object(object) => object.get(source).cloned(),
        Value::Map(map) => map.get(source).cloned(),
        _ => None,
    });
    ComponentUse {
        kind: stage.kind.clone(),
        name: stage.settings.name.clone(),
        config,
        overrides,
        is_checked,
    }
}
