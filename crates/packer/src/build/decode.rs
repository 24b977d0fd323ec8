//! Decoding of a build block: its name, its sources, and the settings of the blocks in it. Everything that depends on a source
//! is evaluated later.

use std::collections::BTreeSet;
use std::sync::Arc;

use groma_config::did_you_mean;
use groma_eval::{Context, LocatedCode};
use groma_functions::FunctionLibrary;
use groma_syntax::{Diagnostic, Diagnostics, Place, Severity};
use groma_value::print::quoted;
use groma_value::sentence::HIDDEN;
use groma_value::{Str, Type, Value};

use super::expand::BodyContext;
use super::expand::{ExpandedBlock, expand};
use super::registry;
use super::setting::{
    ComponentSettings, OF_POST_PROCESSORS, OF_PROVISIONERS, known, setting, texts,
};
use crate::codes;
use crate::component::ComponentKind;
use crate::content::{BlockContent, LoweredArgument, NestedContent};
use crate::declare::{EmptyScope, SourceBlock};
use crate::evaluate::{OwnBuild, SourceScope, TemplateState};
use crate::row::{LABELLED, is_of_build};

/// A `build` block with its sources, provisioners and post-processors read, before it is evaluated for each source.
pub(super) struct DecodedBuild<'t> {
    /// The source range of the block header.
    pub(super) place: Place,
    /// The name of the build; empty if it has none.
    pub(super) name: Str,
    /// The sources, in source order.
    pub(super) uses: Vec<SourceUse<'t>>,
    /// The provisioners, in source order.
    pub(super) provisioners: Vec<BuildStage<'t>>,
    /// The provisioner that runs if another one fails.
    pub(super) cleanup: Option<BuildStage<'t>>,
    /// The chains of post-processors.
    pub(super) chains: Vec<Vec<BuildStage<'t>>>,
}

/// A reference of a build to a source block, with the arguments that the build adds to it.
pub(super) struct SourceUse<'t> {
    /// The source block.
    pub(super) origin: &'t SourceBlock,
    /// The name of the source in this build.
    pub(super) name: Str,
    /// The block in the build that adds arguments to it.
    pub(super) made: Option<ExpandedBlock<'t>>,
}

/// A provisioner or post-processor of a build, with its settings.
pub(super) struct BuildStage<'t> {
    /// The component type.
    pub(super) kind: Str,
    /// The block.
    pub(super) made: ExpandedBlock<'t>,
    /// The settings besides the component's own arguments.
    pub(super) settings: ComponentSettings,
}

/// Reads a build block: its sources, provisioners, chains of post-processors and `dynamic` blocks.
pub(super) fn decode<'t>(
    world: &'t Arc<TemplateState>,
    block: &'t NestedContent,
    out: &mut Diagnostics,
) -> DecodedBuild<'t> {
    let plain =
        BodyContext { world, scope: world.scope(SourceScope::default(), false), unknown: None };
    let content = &block.content;
    let text = |name: &str, out: &mut Diagnostics| match setting(
        content.argument(name)?,
        &Type::String,
        &plain,
        out,
    )? {
        Value::String(text) => Some(text),
        _ => None,
    };
    let name = text("name", out).unwrap_or_default();
    text("description", out);
    let own = SourceScope { build: OwnBuild::Named(name.clone()), ..SourceScope::default() };
    let mut decoder = BuildDecoder {
        named: BodyContext { world, scope: world.scope(own, false), unknown: None },
        header: block.header,
        is_open: false,
        has_registry: false,
        build: DecodedBuild {
            place: block.header,
            name,
            uses: Vec::new(),
            provisioners: Vec::new(),
            cleanup: None,
            chains: Vec::new(),
        },
        out,
    };
    let before = decoder.out.error_count();
    decoder.is_open = decoder.sources(content, &plain);
    let wanted = |kind: &str| is_of_build(kind).then(|| usize::from(LABELLED.contains(&kind)));
    for made in expand(&plain, content, &wanted, decoder.out) {
        decoder.block(made, &plain);
    }
    decoder.report_unknown_sources();
    let failed = decoder.out.error_count() > before;
    if decoder.build.uses.is_empty() && !failed && !decoder.is_open {
        let detail =
            "A build needs at least one source, as in sources = [\"source.null.example\"].";
        decoder.out.push(Diagnostic::error(&codes::BUILD_WITHOUT_SOURCE, detail).at(block.header));
    }
    decoder.build
}

/// Reader of one `build` block, with the sources, provisioners and post-processors read so far.
struct BuildDecoder<'t, 'o> {
    /// The context for settings, in which the build's name is known.
    named: BodyContext<'t>,
    header: Place,
    /// True if some sources are unknown.
    is_open: bool,
    /// True if a registry block has been decoded.
    has_registry: bool,
    build: DecodedBuild<'t>,
    out: &'o mut Diagnostics,
}

impl<'t> BuildDecoder<'t, '_> {
    /// Reads a block inside the build and adds it to the decoded build; `plain` is the context of the build's own expressions.
    fn block(&mut self, made: ExpandedBlock<'t>, plain: &BodyContext<'t>) {
        match &*made.kind {
            "source" => self.source(made),
            "provisioner" => {
                if let Some(stage) = self.stage(made, ComponentKind::Provisioner) {
                    self.build.provisioners.push(stage);
                }
            }
            "error-cleanup-provisioner" => {
                if self.build.cleanup.is_some() {
                    self.report_second(&made);
                } else {
                    self.build.cleanup = self.stage(made, ComponentKind::Provisioner);
                }
            }
            "post-processor" => {
                let stage = self.stage(made, ComponentKind::PostProcessor);
                self.build.chains.push(stage.into_iter().collect());
            }
            "post-processors" => self.chain(&made, plain),
            "hcp_packer_registry" => {
                if self.has_registry {
                    self.report_second(&made);
                }
                self.has_registry = true;
                registry::check(made.content, plain, self.out);
            }
            other => {
                let kinds = ["source", "provisioner", "post-processor", "post-processors"];
                let hint = did_you_mean(other, kinds);
                let detail = format!("A build has no blocks of type \"{other}\".{hint}");
                self.out.push(Diagnostic::error(&codes::UNSUPPORTED_BLOCK, detail).at(made.header));
            }
        }
    }

    /// Adds the sources that the `sources` list of the build names; returns true if some are unknown.
    fn sources(&mut self, content: &'t BlockContent, context: &BodyContext<'t>) -> bool {
        let Some(argument) = content.argument("sources") else { return false };
        let before = self.out.error_count();
        let value = context.value(argument, self.out);
        if self.out.error_count() > before {
            return true;
        }
        if value.is_null() {
            return false;
        }
        let hidden = value.deep_marks().hide();
        for name in texts(&value, argument, context, self.out) {
            let shown = if hidden { HIDDEN.to_owned() } else { quoted(&name) };
            if let Some(origin) = self.origin(&name, &shown, argument.value.place()) {
                let name = origin.name.clone();
                self.build.uses.push(SourceUse { origin, name, made: None });
            }
        }
        !value.is_wholly_known()
    }

    /// Adds the source that a `source` block inside the build names; the block may add arguments to it.
    fn source(&mut self, made: ExpandedBlock<'t>) {
        let Some(label) = made.labels.first() else { return };
        let shown = quoted(&label.text);
        let Some(origin) = self.origin(&label.text.clone(), &shown, label.place) else { return };
        let mut name = origin.name.clone();
        if let Some(argument) = made.content.argument("name") {
            match self.name(argument, &made) {
                Some(text) => name = text,
                None => {
                    self.is_open = true;
                    return;
                }
            }
        }
        self.build.uses.push(SourceUse { origin, name, made: Some(made) });
    }

    /// Evaluates the `name` of a source in this build; `None` if it is not a known string that may be shown, which is reported.
    /// It can use no functions, and no names except iterators of `dynamic` blocks.
    fn name(&mut self, argument: &LoweredArgument, made: &ExpandedBlock<'_>) -> Option<Str> {
        /// The beginning of error messages about the name of a source in a build.
        const WHOSE: &str = "The name of a source in a build";
        let edition = self.named.world.template.edition;
        let scope = made.scope(Arc::new(EmptyScope(WHOSE, "Write a literal string.")));
        let context = Context::bare(edition).with_scope(scope);
        let located = LocatedCode::of(&argument.value.expr, &FunctionLibrary::of(edition).closed());
        let before = self.out.error_count();
        let value = groma_eval::evaluate(&located, &context, self.out);
        if self.out.error_count() > before {
            return None;
        }
        let value = match made.unknown() {
            Some(causes) => Value::unknown_because(Type::String, causes.clone()),
            None => value,
        };
        let place = argument.value.place();
        match groma_value::convert(&value, &Type::String) {
            Ok(value) if value.deep_marks().hide() => {
                let detail = "The name of this source is sensitive, but would be shown with each of its builds. Its builds are left out here.";
                self.out.push(Diagnostic::warning(&codes::SENSITIVE_NAME, detail).at(place));
                None
            }
            Ok(value) if !value.is_null() => {
                match known(&value, &Type::String, argument, &self.named, self.out)? {
                    Value::String(text) => Some(text),
                    _ => None,
                }
            }
            _ => {
                let detail = format!("{WHOSE} has to be a string.");
                self.out.push(Diagnostic::error(&codes::SOURCE_REFERENCE, detail).at(place));
                None
            }
        }
    }

    /// Returns the source block that `text` names, as `source.type.name` or `type.name`; reports a missing one in messages that
    /// show `shown` in place of the text.
    fn origin(&mut self, text: &str, shown: &str, place: Place) -> Option<&'t SourceBlock> {
        let world = self.named.world;
        let parts: Vec<&str> = text.split('.').collect();
        let (kind, name) = match parts.as_slice() {
            [kind, name] | [_, kind, name] => (*kind, *name),
            _ => {
                let detail = format!(
                    "{shown} is not a source: write its type and name, as in \"source.null.example\"."
                );
                self.out.push(Diagnostic::error(&codes::SOURCE_REFERENCE, detail).at(place));
                return None;
            }
        };
        let Some(origin) = world.template.origin(kind, name) else {
            let known: Vec<String> =
                world.template.origins.iter().map(|one| one.address()).collect();
            let meant = format!("source.{kind}.{name}");
            let hint = match shown == HIDDEN {
                true => String::new(),
                false => did_you_mean(&meant, known.iter().map(String::as_str)),
            };
            let detail =
                format!("This build uses {shown}, but there is no such source block.{hint}");
            let found = Diagnostic::error(&codes::UNDECLARED_SOURCE, detail).at(self.header);
            self.out.push(found.note_at("It is named here.", place));
            return None;
        };
        if crate::component::find(ComponentKind::Builder, kind).is_none()
            && let Some(found) = world.missing_component(ComponentKind::Builder, kind, self.header)
        {
            let is_error = found.severity == Severity::Error;
            self.out.push(found.note_at("The source is here.", origin.place));
            if is_error {
                return None;
            }
        }
        Some(origin)
    }

    /// Reads a `post-processors` block: a chain of post-processors.
    fn chain(&mut self, made: &ExpandedBlock<'t>, around: &BodyContext<'t>) {
        let wanted = |kind: &str| (kind == "post-processor").then_some(1);
        let inner = made.body_context(around);
        let mut chain = Vec::new();
        for mut one in expand(&inner, made.content, &wanted, self.out) {
            one.below(made);
            chain.extend(self.stage(one, ComponentKind::PostProcessor));
        }
        self.build.chains.push(chain);
    }

    /// Reads a provisioner or post-processor; `None` if its type or label is faulty, which is reported.
    fn stage(&mut self, made: ExpandedBlock<'t>, kind: ComponentKind) -> Option<BuildStage<'t>> {
        let label = made.labels.first()?;
        let name = label.text.clone();
        if crate::component::find(kind, &name).is_none()
            && let Some(found) = self.named.world.missing_component(kind, &name, made.header)
        {
            let is_error = found.severity == Severity::Error;
            self.out.push(found);
            if is_error {
                return None;
            }
        }
        let names = match kind {
            ComponentKind::PostProcessor => OF_POST_PROCESSORS,
            _ => OF_PROVISIONERS,
        };
        let context = BodyContext { unknown: None, ..made.body_context(&self.named) };
        let settings =
            ComponentSettings::read(made.content, names, &context, made.header, self.out);
        Some(BuildStage { kind: name, made, settings })
    }

    /// Warns of names in `only` and `except` that are not sources of this build or of the template, and so have no effect.
    fn report_unknown_sources(&mut self) {
        let build = &self.build;
        let own = build.uses.iter().map(|used| format!("{}.{}", &*used.origin.kind, &*used.name));
        let all = self.named.world.template.origins.iter();
        let declared = all.map(|one| format!("{}.{}", &*one.kind, &*one.name));
        let known: BTreeSet<String> = own.chain(declared).collect();
        let stages =
            build.provisioners.iter().chain(&build.cleanup).chain(build.chains.iter().flatten());
        for stage in stages {
            for name in stage.settings.only.iter().chain(&stage.settings.except) {
                if known.contains(&**name) {
                    continue;
                }
                if stage.settings.hides {
                    let detail = "only and except list sources as type.name, but one of these, which is sensitive, is not a source.";
                    self.out.push(
                        Diagnostic::warning(&codes::FILTER_UNMATCHED, detail).at(stage.made.header),
                    );
                    continue;
                }
                let hint = match name.strip_prefix("source.").or(name.strip_prefix("sources.")) {
                    Some(rest) => format!(" Write it as \"{rest}\"."),
                    None => did_you_mean(name, known.iter().map(String::as_str)),
                };
                let detail = format!(
                    "only and except list sources as type.name, but there is no source \"{}\".{hint}",
                    &**name
                );
                self.out.push(
                    Diagnostic::warning(&codes::FILTER_UNMATCHED, detail).at(stage.made.header),
                );
            }
        }
    }

    /// Reports a block of a type that a build may contain only once.
    fn report_second(&mut self, made: &ExpandedBlock<'_>) {
        let detail =
            format!("A build may have only one {} block, and this is another.", &*made.kind);
        self.out.push(Diagnostic::error(&codes::SECOND_BLOCK, detail).at(made.header));
    }
}
