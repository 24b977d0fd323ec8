//! Reading of mock blocks, and validation against the code and schemas: mistakes are reported, and the rest of the file is still
//! used. A file in the folder that a mock provider names may serve many roots, so a type that this root does not use is not
//! reported there.

use groma_config::{
    AddressPattern, RawArgument, RawBlock, ResourceMode, address_grammar, did_you_mean, keyword,
    literal_text, mock_parts, mock_value, sentence,
};
use groma_module::schema::LocalProviders;
use groma_project::Project;
use groma_runtime::Edition;
use groma_syntax::{Diagnostic, Diagnostics, Place};
use groma_value::schema::{AttributeSchema, BlockSchema, NestedBlock};
use groma_value::sentence::{HIDDEN, type_in_words};
use groma_value::{Causes, Str, Value};

use crate::block::{MockBlock, MockTarget, MockedAttribute, MockedConfiguration};
use crate::codes;
use crate::fit::fit;
use crate::tree::{MockTree, MockedResource, providers, source};

/// Reads the blocks of mock files and checks them against the project.
pub(crate) fn read(
    project: &Project,
    blocks: &[RawBlock],
    tree: &MockTree<'_>,
    out: &mut Diagnostics,
) -> Vec<MockBlock> {
    let mut reader = AnswerReader {
        project,
        tree,
        edition: project.edition(),
        root: providers(project.tree()),
        found: Vec::new(),
        out,
    };
    for raw in blocks {
        let own = BlockSite { of: None, is_late: reader.is_late(raw, false), is_shared: false };
        match &*raw.kind {
            "mock_provider" => reader.provider(raw),
            _ => reader.block(raw, &own),
        }
    }
    reader.found
}

/// The circumstances in which a mock block applies: the provider configuration that the enclosing `mock_provider` stands for,
/// whether only after an apply, and whether its file may serve other roots.
struct BlockSite {
    /// The provider configuration of the enclosing mock provider, if any.
    of: Option<MockedConfiguration>,
    /// True if the block applies only after an apply, so it is ignored here.
    is_late: bool,
    /// True if the block is from a shared file, which may serve other roots.
    is_shared: bool,
}

/// A reader of mock blocks that checks them against the project and reports mistakes.
struct AnswerReader<'r, 'p> {
    project: &'r Project,
    tree: &'r MockTree<'p>,
    edition: Edition,
    /// The providers of the root module.
    root: LocalProviders,
    found: Vec<MockBlock>,
    out: &'r mut Diagnostics,
}

impl AnswerReader<'_, '_> {
    /// Reports a mock block whose target does not exist or cannot be mocked.
    fn unfit(&mut self, detail: impl Into<String>, place: Place) {
        self.out.push(Diagnostic::error(&codes::MOCK_TARGET, detail).at(place));
    }

    /// Reports a mistake in a mock block, such as an invalid argument.
    fn wrong(&mut self, detail: impl Into<String>, place: Place) {
        self.out.push(Diagnostic::error(&codes::MOCK, detail).at(place));
    }

    /// Returns true if the argument `override_during` restricts a mock block to the time after an apply; without the argument
    /// returns `around`, the value for the enclosing block.
    fn is_late(&mut self, raw: &RawBlock, around: bool) -> bool {
        let Some(argument) = raw.argument("override_during") else { return around };
        match keyword(&argument.expr).as_deref() {
            Some("plan") => false,
            Some("apply") => true,
            _ => {
                let detail = "\"override_during\" must be plan or apply.";
                self.wrong(detail, argument.expr.place());
                around
            }
        }
    }

    /// Reads a `mock_provider` block and all mock and override blocks inside of it.
    fn provider(&mut self, raw: &RawBlock) {
        let Some(label) = raw.labels.first() else { return };
        let name = &label.text;
        let alias = match raw.argument("alias") {
            None => None,
            Some(argument) => match literal_text(&argument.expr) {
                Some(alias) => Some((Str::from(alias), argument.expr.place())),
                None => {
                    let detail = "The alias of a provider is a literal string, such as \"west\".";
                    return self.wrong(detail, argument.expr.place());
                }
            },
        };
        let source = source(&self.root, name);
        let module = self.project.root();
        let used = || self.tree.entries.iter().filter(|entry| entry.of.source == source);
        let declared = || {
            let all = module.providers.iter();
            all.filter(|one| crate::tree::source(&self.root, &one.name) == source)
        };
        let is_known = used().next().is_some()
            || declared().next().is_some()
            || self.required().any(|known| *known == **name);
        if !is_known && !self.tree.has_gaps {
            let mut known: Vec<&str> = self.required().collect();
            known.extend(module.providers.iter().map(|one| &*one.name));
            let entries = self.tree.entries.iter();
            known.extend(entries.map(|entry| entry.resource.implied_provider()));
            let near = did_you_mean(name, known);
            let detail = format!("The code does not use a provider \"{}\".{near}", &**name);
            return self.unfit(detail, label.place);
        }
        if let Some((alias, place)) = &alias {
            let mut aliases: Vec<Str> = declared().filter_map(|one| one.alias.clone()).collect();
            aliases.extend(used().filter_map(|entry| entry.of.alias.clone()));
            if !aliases.contains(alias) && !self.tree.has_gaps {
                let near = did_you_mean(alias, aliases.iter().map(|alias| &**alias));
                let detail = format!(
                    "The provider \"{}\" has no configuration with the alias \"{}\".{near}",
                    &**name, &**alias
                );
                return self.unfit(detail, *place);
            }
        }
        let of = MockedConfiguration { source, alias: alias.map(|(alias, _)| alias) };
        let around = self.is_late(raw, false);
        for inner in &raw.blocks {
            let site = BlockSite {
                of: Some(of.clone()),
                is_late: self.is_late(inner, around),
                is_shared: inner.header.file != raw.header.file,
            };
            self.block(inner, &site);
        }
    }

    /// Returns the local names of providers that the root module requires.
    fn required(&self) -> impl Iterator<Item = &str> {
        let blocks = self.project.root().settings().iter();
        let blocks = blocks.flat_map(|block| block.blocks_of("required_providers"));
        blocks.flat_map(|block| &block.arguments).map(|argument| &*argument.name)
    }

    /// Reads one mock or override block; `site` are the circumstances in which it applies.
    fn block(&mut self, raw: &RawBlock, site: &BlockSite) {
        let (target, argument) = match &*raw.kind {
            "mock_resource" => (self.kind(raw, ResourceMode::Managed, site), "defaults"),
            "mock_data" => (self.kind(raw, ResourceMode::Data, site), "defaults"),
            "override_module" => (self.module(raw, site), "outputs"),
            "override_data" => (self.object(raw, ResourceMode::Data, site), "values"),
            _ => (self.object(raw, ResourceMode::Managed, site), "values"),
        };
        let Some(target) = target else { return };
        let Some(argument) = raw.argument(argument) else { return };
        let parts = self.parts(argument);
        let mock = MockBlock { target, parts, place: raw.header };
        self.compare(&mock);
        if !site.is_late {
            self.found.push(mock);
        }
    }

    /// Returns the target of a `mock_resource` or `mock_data` block, a resource type of the provider configuration of `site`;
    /// `None`, after a report, for a type that the code does not use.
    fn kind(&mut self, raw: &RawBlock, mode: ResourceMode, site: &BlockSite) -> Option<MockTarget> {
        let label = raw.labels.first()?;
        let kind = &label.text;
        let target = MockTarget::Type { mode, kind: kind.clone(), of: site.of.clone() };
        let is_meant =
            |entry: &&MockedResource<'_>| site.of.as_ref().is_none_or(|of| *of == entry.of);
        if site.is_shared || self.tree.of_type(mode, kind).any(|entry| is_meant(&entry)) {
            return Some(target);
        }
        let source = site.of.as_ref().map(|of| &*of.source);
        let known = source.and_then(|source| self.project.schemas().kinds(source, mode));
        if self.tree.has_gaps || known.as_ref().is_some_and(|all| all.contains(&&**kind)) {
            return Some(target);
        }
        let entries = self.tree.entries.iter().filter(|entry| entry.resource.mode == mode);
        let used = entries.filter(is_meant).map(|entry| &*entry.resource.kind);
        let near = did_you_mean(kind, used.chain(known.into_iter().flatten()));
        let elsewhere = match self.tree.of_type(mode, kind).next() {
            Some(entry) if site.of.is_some() => match &entry.of.alias {
                Some(alias) => format!(
                    " {} uses the configuration with the alias \"{}\".",
                    entry.address, &**alias
                ),
                None => format!(" {} uses the configuration without an alias.", entry.address),
            },
            _ => String::new(),
        };
        let noun = mode.noun();
        let detail = format!(
            "The code has no {noun} of type \"{}\" that this could apply to.{elsewhere}{near}",
            &**kind
        );
        self.unfit(detail, label.place);
        None
    }

    /// Reads the address in a block's argument `target`, with the place of the argument's value; `None` if missing or invalid.
    fn target(&mut self, raw: &RawBlock) -> Option<(AddressPattern, Place)> {
        let argument = raw.argument("target")?;
        let place = argument.expr.place();
        match AddressPattern::read(&argument.expr, address_grammar(self.edition, "override")) {
            Ok(target) => Some((target, place)),
            Err(detail) => {
                self.wrong(detail, place);
                None
            }
        }
    }

    /// Returns the resource that an `override_resource` or `override_data` block targets, and whether `site`, where the
    /// block is, is in a mock provider; `None` without a valid address or, after a report, if the code has no such resource.
    fn object(
        &mut self,
        raw: &RawBlock,
        mode: ResourceMode,
        site: &BlockSite,
    ) -> Option<MockTarget> {
        let (target, place) = self.target(raw)?;
        let kind = &*raw.kind;
        let found = target.resource.as_ref().map(|resource| resource.mode);
        if found != Some(mode) {
            let other = match found {
                None => "override_module",
                Some(ResourceMode::Data) => "override_data",
                Some(_) => "override_resource",
            };
            let detail = format!(
                "{target} is not a {}, which {kind} is for. Write {other} instead.",
                mode.noun()
            );
            self.unfit(detail, place);
            return None;
        }
        let declared = target.without_keys();
        if self.tree.entry(&declared).is_none() && !self.tree.is_in_gap(declared.module()) {
            let address = declared.to_string();
            let all = self.tree.entries.iter().filter(|entry| entry.resource.mode == mode);
            let near = did_you_mean(&address, all.map(|entry| &*entry.address));
            self.unfit(format!("The code has no {} {address}.{near}", mode.noun()), place);
            return None;
        }
        Some(MockTarget::Target { target, in_provider: site.of.is_some() })
    }

    /// Returns the module that an `override_module` block targets, and whether `site`, where the block is, is in a mock
    /// provider; `None` without a valid address or, after a report, if the code does not call the module.
    fn module(&mut self, raw: &RawBlock, site: &BlockSite) -> Option<MockTarget> {
        let (target, place) = self.target(raw)?;
        if target.resource.is_some() {
            let detail = format!(
                "{target} is not a module, which override_module is for. Write override_resource or override_data instead."
            );
            self.unfit(detail, place);
            return None;
        }
        let path = target.modules.without_keys();
        let is_in_gap = || path.caller().is_some_and(|caller| self.tree.is_in_gap(&caller));
        if self.tree.call(&path).is_none() && !is_in_gap() {
            let address = path.to_string();
            let near = did_you_mean(&address, self.tree.calls.iter().map(|call| &*call.address));
            self.unfit(format!("The code calls no {address}.{near}"), place);
            return None;
        }
        Some(MockTarget::Target { target, in_provider: site.of.is_some() })
    }

    /// Reads the mocked attributes or outputs with their values from a block's argument, such as `values`.
    fn parts(&mut self, argument: &RawArgument) -> Vec<MockedAttribute> {
        if let Some(entries) = mock_parts(&argument.expr) {
            let one = |(name, name_place, expr)| {
                let value = mock_value(&expr, self.edition, self.out)?;
                Some(MockedAttribute { name, name_place, place: expr.place(), value })
            };
            return entries.into_iter().filter_map(one).collect();
        }
        let place = argument.expr.place();
        let part = |(name, value): (&Str, &Value)| MockedAttribute {
            name: name.clone(),
            name_place: place,
            place,
            value: value.clone(),
        };
        let Some(value) = mock_value(&argument.expr, self.edition, self.out) else {
            return Vec::new();
        };
        match value.bare() {
            Value::Object(object) => object.iter().map(part).collect(),
            Value::Map(map) => map.entries().iter().map(|(name, v)| part((name, v))).collect(),
            _ => {
                let name = &*argument.name;
                let detail = format!("\"{name}\" is an object: names and their values.");
                self.wrong(detail, place);
                Vec::new()
            }
        }
    }

    /// Reports attributes or outputs in a mock that its target does not have, that the code sets itself, or whose values do not
    /// fit.
    fn compare(&mut self, mock: &MockBlock) {
        match &mock.target {
            MockTarget::Type { mode, kind, of } => {
                let entry = self.tree.of_type(*mode, kind).find(|entry| {
                    entry.block.is_some() && of.as_ref().is_none_or(|of| *of == entry.of)
                });
                let schemas = self.project.schemas();
                let block = match (entry, of) {
                    (Some(entry), _) => entry.block.clone(),
                    (None, Some(of)) => {
                        schemas.of_type(&of.source, *mode, kind).map(|schema| schema.block.clone())
                    }
                    _ => None,
                };
                if let Some(block) = block {
                    let whose = format!("{}{}", mode.prefix(), &**kind);
                    self.attributes(mock, &whose, &block);
                }
            }
            MockTarget::Target { target, .. } => {
                let address = &target.without_keys().to_string();
                if let Some(entry) = self.tree.entries.iter().find(|one| one.address == *address) {
                    if let Some(block) = &entry.block {
                        self.attributes(mock, address, block);
                    }
                    self.written(mock, entry);
                } else if let Some(call) =
                    self.tree.calls.iter().find(|one| one.address == *address)
                    && let Some(child) = call.child
                {
                    let names = || child.module().output_names();
                    for part in &mock.parts {
                        if !names().any(|known| *known == *part.name) {
                            let near = did_you_mean(&part.name, names());
                            let detail =
                                format!("{address} has no output \"{}\".{near}", &*part.name);
                            self.value(detail, part.name_place);
                        }
                    }
                }
            }
        }
    }

    /// Reports a mocked attribute or output that does not exist or whose value does not fit.
    fn value(&mut self, detail: impl Into<String>, place: Place) {
        self.out.push(Diagnostic::error(&codes::MOCK_VALUE, detail).at(place));
    }

    /// Reports attributes of a mock that the code of the resource `entry` sets itself, which cannot be mocked.
    fn written(&mut self, mock: &MockBlock, entry: &MockedResource<'_>) {
        for part in &mock.parts {
            let mut written = entry.resource.content.arguments.iter();
            let Some(argument) = written.find(|argument| argument.name == part.name) else {
                continue;
            };
            let detail = format!(
                "{} sets \"{}\" itself, so a mock cannot set it. Leave it out here.",
                entry.address, &*part.name
            );
            let found = Diagnostic::error(&codes::MOCK_VALUE, detail).at(part.name_place);
            self.out.push(found.note_at("It is set here.", argument.value.place()));
        }
    }

    /// Checks the mocked attributes of a block against its target's schema; `whose` names the target in messages.
    fn attributes(&mut self, mock: &MockBlock, whose: &str, block: &BlockSchema) {
        for part in &mock.parts {
            if let Some(attribute) = block.attribute(&part.name) {
                self.attribute(part, whose, attribute, mock.place);
            } else if let Some(nested) = block.block(&part.name) {
                self.nested(part, whose, nested);
            } else {
                let near = did_you_mean(&part.name, block.names());
                let detail = format!("There is no attribute \"{}\" in {whose}.{near}", &*part.name);
                self.value(detail, part.name_place);
            }
        }
    }

    /// Checks one mocked attribute against its schema; `whose` names the target in messages, `header` is the place of the block.
    fn attribute(
        &mut self,
        part: &MockedAttribute,
        whose: &str,
        attribute: &AttributeSchema,
        header: Place,
    ) {
        let name = &*part.name;
        if attribute.write_only || attribute.required {
            let detail = format!(
                "The code always sets \"{name}\" of {whose} itself, so a mock cannot set it. Leave it out here."
            );
            return self.value(detail, part.name_place);
        }
        let Err(why) = fit(&part.value, &attribute.ty(), &Causes::NONE) else { return };
        // The place is that of the header, since the line of the value would show it.
        if attribute.holds_sensitive() {
            let detail = format!(
                "\"{name}\" of {whose} must be {}, and {HIDDEN} that is given for it is not.",
                type_in_words(&attribute.ty())
            );
            return self.value(detail, header);
        }
        let detail = format!("\"{name}\" of {whose} cannot have this value: {}.", sentence(&why));
        self.value(detail, part.place);
    }

    /// Checks a mocked value of nested blocks against their schema: an object applies to each block, a list to all together;
    /// `whose` names the target in messages.
    fn nested(&mut self, part: &MockedAttribute, whose: &str, nested: &NestedBlock) {
        let inner = format!("{whose}.{}", &*nested.name);
        if let Value::Object(object) = part.value.bare() {
            for (name, _) in object.iter() {
                if !nested.block.names().any(|known| *known == **name) {
                    let near = did_you_mean(name, nested.block.names());
                    let detail = format!("There is no attribute \"{}\" in {inner}.{near}", &**name);
                    self.value(detail, part.place);
                }
            }
        } else if let Err(why) = fit(&part.value, &nested.ty(), &Causes::NONE) {
            self.value(format!("{inner} cannot have this value: {}.", sentence(&why)), part.place);
        }
    }
}
