//! The builds of a template: each build block with each of its sources, with all arguments evaluated. Blocks are expanded and
//! their settings read once per build; the rest depends on the source and is evaluated for each.

mod argument;
mod decode;
mod expand;
mod filter;
mod json;
mod registry;
mod run;
mod setting;

use std::sync::Arc;

use groma_config::DeclarationName;
use groma_syntax::{Diagnostic, Diagnostics, Place};
use groma_value::{Str, Value};
use rustc_hash::FxHashSet;

pub(crate) use argument::{evaluate_checked, evaluate_unchecked};
pub(crate) use expand::{BodyContext, expand};

use crate::codes;
use crate::component::ComponentConfig;
use crate::content::NestedContent;
use crate::evaluate::{SourceScope, TemplateEvaluation, TemplateState};

/// All builds of a Packer template with the diagnostics about them: each build block with each of its sources.
#[derive(Debug, Default)]
pub struct BuildPlan {
    /// The builds, in the order of their blocks and sources.
    pub builds: Vec<Build>,
    /// Diagnostics about builds.
    pub found: Diagnostics,
}

/// One build: a build block with one of its sources.
#[derive(Debug)]
pub struct Build {
    /// `name.type.source`, or `type.source` where the build has no name.
    pub name: String,
    /// The name of the source in this build.
    pub source: Str,
    /// The source range of the build block.
    pub place: Place,
    /// The builder.
    pub builder: ComponentUse,
    /// The provisioners, in order.
    pub provisioners: Vec<ComponentUse>,
    /// The provisioner that runs if another one fails.
    pub cleanup: Option<ComponentUse>,
    /// The chains of post-processors, each of which starts with the artifact of the builder.
    pub chains: Vec<Chain>,
}

impl Build {
    /// Returns every component of the build with its path: `builder`, `provisioners[0]`, `post_processors[0][1]`.
    pub fn parts(&self) -> Vec<(String, &ComponentUse)> {
        let mut parts = vec![("builder".to_owned(), &self.builder)];
        let provisioners = self.provisioners.iter().enumerate();
        parts.extend(provisioners.map(|(at, part)| (format!("provisioners[{at}]"), part)));
        parts
            .extend(self.cleanup.iter().map(|part| ("error_cleanup_provisioner".to_owned(), part)));
        for (at, chain) in self.chains.iter().enumerate() {
            let name = |step: usize| format!("post_processors[{at}][{step}]");
            parts.extend(chain.iter().enumerate().map(|(step, part)| (name(step), part)));
        }
        parts
    }
}

/// A chain of post-processors, in which each passes its artifact to the next.
pub type Chain = Vec<ComponentUse>;

/// A builder, provisioner or post-processor of a build, with its evaluated arguments.
#[derive(Debug)]
pub struct ComponentUse {
    /// The component type.
    pub kind: Str,
    /// The name given to it.
    pub name: Option<Str>,
    /// Its arguments, by name, without nulls.
    pub config: ComponentConfig,
    /// The overrides for this source.
    pub overrides: Option<Value>,
    /// True if it is built into Packer, so that its arguments are validated.
    pub is_checked: bool,
}

/// Returns the names of the source blocks to which a build block refers, without duplicates.
pub(crate) fn sources(
    world: &Arc<TemplateState>,
    block: &NestedContent,
    out: &mut Diagnostics,
) -> Vec<DeclarationName> {
    let decoded = decode::decode(world, block, out);
    let mut found: Vec<DeclarationName> =
        decoded.uses.iter().map(|used| used.origin.own_name()).collect();
    let mut seen: FxHashSet<DeclarationName> = FxHashSet::default();
    found.retain(|name| seen.insert(name.clone()));
    found
}

impl TemplateEvaluation {
    /// Evaluates all builds of the template and returns them with their diagnostics.
    pub fn plan(&self) -> BuildPlan {
        let mut plan = BuildPlan::default();
        let world = &self.world;
        if world.template.is_broken || !world.is_ordered() {
            return plan;
        }
        plan.found.extend(world.template.late.iter().cloned());
        let mut filter = filter::BuildFilter::new(&world.options);
        let plain =
            BodyContext { world, scope: world.scope(SourceScope::default(), false), unknown: None };
        for block in &world.template.registries {
            registry::check(&block.content, &plain, &mut plan.found);
        }
        // Errors in values are reported alone: Packer does not reach the builds then.
        if world.template.builds.is_empty() && !self.found().has_errors() {
            let detail = "The template has no `build` block, so there is nothing to validate or to build. Add one that names its sources.";
            plan.found.push(Diagnostic::error(&codes::NO_BUILDS, detail));
        }
        for block in &world.template.builds {
            let decoded = decode::decode(world, block, &mut plan.found);
            run::run(world, &decoded, &mut filter, &mut plan);
        }
        filter.report(&mut plan.found);
        plan.found.sort_by_place();
        plan
    }

    /// Returns all diagnostics of the template's values and builds, sorted by place.
    pub fn check(&self) -> Diagnostics {
        self.check_of(&mut self.plan())
    }

    /// Returns all diagnostics of the template's values and of the already evaluated builds `plan`, whose own diagnostics are
    /// moved out.
    pub fn check_of(&self, plan: &mut BuildPlan) -> Diagnostics {
        let mut found = self.found();
        found.extend(std::mem::take(&mut plan.found));
        self.world.hints(&mut found);
        found.sort_by_place();
        found
    }
}
