//! Provider schemas: the output of `providers schema -json`, plain or compressed with `xz`. A file may contain thousands of
//! schemas; each is decoded when something of its type is declared.

mod description;
mod early;
mod lock;
#[cfg(feature = "packs")]
mod pack;
mod provider;
mod write;
mod xz;

use std::collections::BTreeMap;
use std::ops::Deref;
use std::sync::{Arc, Mutex, PoisonError};

use crate::codes;
use groma_config::{ArgumentRow, RawBlock, ResourceMode, did_you_mean, path, row};
use groma_eval::ProvidedSignature;
use groma_runtime::{Host, HostError};
use groma_syntax::{Diagnostic, Diagnostics};
use groma_value::Str;
use groma_value::codec::schema::{ProviderIndex, SchemaIndex, SchemaSubject, read, read_signature};
use groma_value::schema::{BlockSchema, NestedBlock, NestingMode, Schema};
use rustc_hash::FxHashMap;

pub use early::is_early;
pub use lock::{LOCK_FILE, locked_versions};
pub(crate) use provider::BUILT_IN;
pub use provider::LocalProviders;
pub(crate) use provider::local_name;

/// Names of schema files that are read without a flag if they are in the data directory, beside the installed providers.
pub const CACHED: [&str; 2] = ["providers-schema.json", "providers-schema.json.xz"];

/// The bytes at the start of a schema pack, this project's indexed file format for provider schemas.
const PACK_MAGIC: &[u8] = b"groma schemas\n";

/// The magic bytes at the start of an `xz` file.
const XZ_MAGIC: [u8; 6] = [0xfd, b'7', b'z', b'X', b'Z', 0];

/// A set of provider schemas, decoded on demand, except those of providers that [`ProviderSchemas::without`] has hidden. Clones
/// share the decoded ones.
#[derive(Clone, Default)]
pub struct ProviderSchemas {
    inner: Option<Arc<SchemaStore>>,
    /// The addresses of providers that are hidden.
    left_out: Arc<[Str]>,
}

/// The version of a provider that schemas belong to, and the date that was recorded when the schemas were packed.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct SchemaVersion {
    /// The version number of the provider.
    pub version: Str,
    /// The date that was recorded when the schemas were packed.
    pub date: Option<Str>,
}

/// The content of a schema file, shared by clones: texts, index, provider versions, and the schemas decoded so far.
struct SchemaStore {
    texts: SchemaTexts,
    index: SchemaIndex,
    /// The versions of providers, by address, where known.
    versions: BTreeMap<Str, SchemaVersion>,
    /// The decoded schemas, by offset.
    read: Mutex<FxHashMap<usize, Result<Arc<Schema>, SchemaError>>>,
}

/// The storage of the schemas' JSON texts: one text or a compressed pack.
enum SchemaTexts {
    /// One whole text.
    Whole(String),
    /// A pack.
    #[cfg(feature = "packs")]
    Packed(pack::SchemaPack),
}

/// The JSON text of one schema, borrowed from the whole text or taken from a pack.
enum TextPassage<'t> {
    Whole(&'t str),
    #[cfg(feature = "packs")]
    Packed(pack::PackPassage),
}

impl SchemaTexts {
    /// Returns the passage at a byte range of the stored JSON texts, from memory or by decompressing a piece of the pack.
    fn at(&self, range: std::ops::Range<usize>) -> Result<TextPassage<'_>, SchemaError> {
        match self {
            SchemaTexts::Whole(text) => Ok(TextPassage::Whole(text.get(range).unwrap_or_default())),
            #[cfg(feature = "packs")]
            SchemaTexts::Packed(pack) => pack.text(range).map(TextPassage::Packed),
        }
    }
}

impl Deref for TextPassage<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        match self {
            TextPassage::Whole(text) => text,
            #[cfg(feature = "packs")]
            TextPassage::Packed(text) => text,
        }
    }
}

/// The reason why schemas cannot be used: a phrase that starts in lower case.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SchemaError(pub String);

impl std::fmt::Display for SchemaError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::fmt::Debug for ProviderSchemas {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let providers = self.inner.iter().flat_map(|inner| inner.index.providers());
        f.debug_list().entries(providers.map(|provider| &*provider.address)).finish()
    }
}

impl ProviderSchemas {
    /// Returns true if both sets are the same: they share the loaded schemas in memory, and hide the same providers.
    pub fn is_same(&self, other: &ProviderSchemas) -> bool {
        let is_same = match (&self.inner, &other.inner) {
            (None, None) => true,
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            _ => false,
        };
        is_same && self.left_out == other.left_out
    }

    /// Returns the schemas with the providers at these addresses hidden, too, so that no schema of theirs is found.
    #[must_use]
    pub fn without(&self, left_out: impl IntoIterator<Item = Str>) -> ProviderSchemas {
        let all: std::collections::BTreeSet<Str> =
            self.left_out.iter().cloned().chain(left_out).collect();
        ProviderSchemas { inner: self.inner.clone(), left_out: all.into_iter().collect() }
    }

    /// Returns a provider's address and the version of its schemas, even if [`without`](Self::without) has hidden it; `None` if
    /// the version is not recorded.
    pub fn version_of(&self, source: &str) -> Option<(&str, &SchemaVersion)> {
        // More is known of the built-in provider than any schema file contains.
        let inner = self.inner.as_deref().filter(|_| source != BUILT_IN)?;
        let provider = inner.provider(source)?;
        Some((&*provider.address, inner.versions.get(&provider.address)?))
    }

    /// Returns the schemas with these provider versions, by source; other recorded versions stay, and `date` applies to all.
    ///
    /// # Errors
    /// When there is no such provider.
    pub fn with_versions(
        self,
        versions: &BTreeMap<String, String>,
        date: Option<&str>,
    ) -> Result<ProviderSchemas, SchemaError> {
        let Some(inner) = self.inner else { return Ok(self) };
        let mut known = inner.versions.clone();
        for (source, version) in versions {
            let provider = inner.provider(source).ok_or_else(|| {
                SchemaError(format!(
                    "it contains no provider {source}, for which version {version} is given"
                ))
            })?;
            let version = SchemaVersion { version: Str::from(version.as_str()), date: None };
            known.insert(provider.address.clone(), version);
        }
        if let Some(date) = date {
            known.values_mut().for_each(|one| one.date = Some(Str::from(date)));
        }
        let inner = Arc::into_inner(inner)
            .ok_or_else(|| SchemaError("it is read by somebody else".to_owned()))?;
        let inner = Arc::new(SchemaStore { versions: known, ..inner });
        Ok(ProviderSchemas { inner: Some(inner), left_out: self.left_out })
    }

    /// Returns a provider's index entry with the store that contains it; `None` if it has no schemas or if
    /// [`without`](Self::without) has hidden it.
    fn provider(&self, source: &str) -> Option<(&SchemaStore, &ProviderIndex)> {
        let inner = self.inner.as_deref()?;
        let provider = inner.provider(source)?;
        (!self.left_out.contains(&provider.address)).then_some((inner, provider))
    }

    /// Loads the schemas in a file.
    ///
    /// # Errors
    /// When the file cannot be read, or is not a schema file.
    pub fn load(host: &dyn Host, file: &str) -> Result<ProviderSchemas, SchemaError> {
        match host.read(file) {
            Ok(bytes) => ProviderSchemas::of(bytes),
            Err(why) => Err(SchemaError(format!("the file cannot be read: {why}"))),
        }
    }

    /// Loads the schema file in the data directory of the module in `dir`; empty if there is none.
    ///
    /// # Errors
    /// When the file cannot be used. Its name comes first.
    pub fn cached(host: &dyn Host, dir: &str) -> Result<ProviderSchemas, SchemaError> {
        for name in CACHED {
            let file = path::join(&groma_config::data_dir(host, dir), name);
            match host.read(&file) {
                Ok(bytes) => {
                    return ProviderSchemas::of(bytes)
                        .map_err(|SchemaError(why)| SchemaError(format!("{file}: {why}")));
                }
                Err(HostError::Absent | HostError::WrongKind | HostError::Outside) => {}
                Err(why) => {
                    return Err(SchemaError(format!("{file}: the file cannot be read: {why}")));
                }
            }
        }
        Ok(ProviderSchemas::default())
    }

    /// Decodes the content of a schema file, plain or compressed.
    ///
    /// # Errors
    /// When it is not a schema file.
    pub fn of(bytes: Vec<u8>) -> Result<ProviderSchemas, SchemaError> {
        if bytes.starts_with(PACK_MAGIC) {
            return ProviderSchemas::of_pack(bytes);
        }
        let bytes = match bytes.starts_with(&XZ_MAGIC) {
            true => xz::unpack(&bytes)?,
            false => bytes,
        };
        let text = String::from_utf8(bytes)
            .map_err(|_| SchemaError("it is not text, so it contains no schemas".to_owned()))?;
        let index = SchemaIndex::of(&text).map_err(|why| {
            SchemaError(format!(
                "at byte {}: {}. Give what `terraform providers schema -json` or `tofu providers schema -json` prints",
                why.offset, why.message
            ))
        })?;
        Ok(ProviderSchemas::from_parts(SchemaTexts::Whole(text), index, BTreeMap::new()))
    }

    /// Decodes the content of a file that is a schema pack.
    #[cfg(feature = "packs")]
    fn of_pack(bytes: Vec<u8>) -> Result<ProviderSchemas, SchemaError> {
        let (pack, index, versions) = pack::SchemaPack::of(bytes)?;
        Ok(ProviderSchemas::from_parts(SchemaTexts::Packed(pack), index, versions))
    }

    /// Creates schemas from their texts, their index and the provider versions.
    fn from_parts(
        texts: SchemaTexts,
        index: SchemaIndex,
        versions: BTreeMap<Str, SchemaVersion>,
    ) -> ProviderSchemas {
        let inner = SchemaStore { texts, index, versions, read: Mutex::default() };
        ProviderSchemas { inner: Some(Arc::new(inner)), left_out: Arc::default() }
    }

    /// Returns an error: this build does not support packs.
    #[cfg(not(feature = "packs"))]
    fn of_pack(_: Vec<u8>) -> Result<ProviderSchemas, SchemaError> {
        let why = "it is a pack, and this build of Groma was built without \"packs\": give the list itself";
        Err(SchemaError(why.to_owned()))
    }

    /// Returns one pack of all these schemas, from which each can be read separately. Of duplicate providers the last counts.
    ///
    /// # Errors
    /// When a schema cannot be decoded.
    #[cfg(feature = "packs")]
    pub fn pack(all: &[ProviderSchemas]) -> Result<Vec<u8>, SchemaError> {
        let inners: Vec<&SchemaStore> = all.iter().filter_map(|one| one.inner.as_deref()).collect();
        let readers: Vec<_> = inners
            .iter()
            .map(|inner| |range| inner.texts.at(range).map(|text| text.to_owned()))
            .collect();
        let mut providers = BTreeMap::new();
        for (inner, read) in inners.iter().zip(&readers) {
            for provider in inner.index.providers() {
                let read: &dyn Fn(_) -> _ = read;
                let version = inner.versions.get(&provider.address);
                providers.insert(&provider.address, (provider, version, read));
            }
        }
        pack::write(providers.into_values())
    }

    /// Returns the address of the provider with this source; `None` if it has no schemas.
    pub fn address_of(&self, source: &str) -> Option<&str> {
        Some(&*self.provider(source)?.1.address)
    }

    /// Returns the address of each provider, with the number of entries in all its sections, such as resource types.
    pub fn providers(&self) -> Vec<(&str, usize)> {
        let providers = self.inner.iter().flat_map(|inner| inner.index.providers());
        let count = |one: &ProviderIndex| one.sections().iter().map(|list| list.len()).sum();
        providers.map(|one| (&*one.address, count(one))).collect()
    }

    /// Returns true if there are no schemas of any provider.
    pub fn is_empty(&self) -> bool {
        self.inner.as_ref().is_none_or(|inner| inner.index.providers().is_empty())
    }

    /// Returns the schema of a resource block, if its provider's schemas are known. Reports an unsupported type, except for
    /// types with a block `config`, which [`ProviderSchemas::missing_type`] reports.
    pub fn of_resource(
        &self,
        raw: &RawBlock,
        mode: ResourceMode,
        providers: &LocalProviders,
        out: &mut Diagnostics,
    ) -> Option<Arc<Schema>> {
        let source = providers.source(&provider::local_name(raw));
        let (inner, provider) = self.provider(&source)?;
        let kind = raw.label(0);
        let Some(range) = provider.find(of(mode), kind) else {
            if !mode.has_config() {
                out.push(unknown_type(provider, mode, kind).at(raw.labels[0].place));
            }
            return None;
        };
        match inner.read(range) {
            Ok(schema) if mode.has_config() => Some(Arc::new(around_config(&schema, mode))),
            Ok(schema) => Some(schema),
            Err(why) => {
                let detail = format!(
                    "The schema of {}{kind} cannot be read, so it is not used: {why}.",
                    mode.prefix()
                );
                out.push(
                    Diagnostic::warning(&codes::UNREADABLE_SCHEMA, detail).at(raw.labels[0].place),
                );
                None
            }
        }
    }

    /// Returns the schema of a managed resource's type, by its provider's source, for a resource recorded in a state; `None` if
    /// unknown.
    pub fn of_recorded(&self, source: &str, kind: &str) -> Option<Arc<Schema>> {
        self.of_type(source, ResourceMode::Managed, kind)
    }

    /// Returns the schema of a resource type of a mode, by its provider's source; `None` if unknown.
    pub fn of_type(&self, source: &str, mode: ResourceMode, kind: &str) -> Option<Arc<Schema>> {
        let (inner, provider) = self.provider(source)?;
        inner.read(provider.find(of(mode), kind)?).ok()
    }

    /// Returns the description of a part of a resource type, if its schema has one: `path` are the names of blocks and of the
    /// attribute, empty for the type itself. It is decoded from the schema's text on each call.
    pub fn description(
        &self,
        source: &str,
        mode: ResourceMode,
        kind: &str,
        path: &[&str],
    ) -> Option<String> {
        let (inner, provider) = self.provider(source)?;
        let range = provider.find(of(mode), kind)?;
        let text = inner.texts.at(range).ok()?;
        let parse = groma_syntax::parse_json(&Arc::from(&*text), groma_syntax::FileId::default());
        description::at(parse.document.root(), path)
    }

    /// Returns the names of a provider's resource types of a mode, by its source; `None` without schemas of the provider.
    pub fn kinds(&self, source: &str, mode: ResourceMode) -> Option<Vec<&str>> {
        Some(self.provider(source)?.1.kinds(of(mode)).collect())
    }

    /// Returns the schema of the identity of a resource type, by its provider's source; `None` if unknown.
    pub fn identity(&self, source: &str, kind: &str) -> Option<Arc<Schema>> {
        let (inner, provider) = self.provider(source)?;
        inner.read(provider.find(SchemaSubject::Identity, kind)?).ok()
    }

    /// Returns the diagnostic for an action, list or ephemeral resource type that a provider is known not to have; `None` for
    /// others. Ephemeral types are reported only for the built-in provider.
    pub fn missing_type(&self, source: &str, mode: ResourceMode, kind: &str) -> Option<Diagnostic> {
        if provider::is_built_in(source) {
            let detail = format!(
                "The built-in provider has no {} \"{kind}\", nor any other. Name the provider with the argument \"provider\".",
                noun(mode)
            );
            return Some(Diagnostic::error(&codes::RESOURCE_TYPE, detail));
        }
        if !mode.has_config() {
            return None;
        }
        let (_, provider) = self.provider(source)?;
        let is_there = provider.find(of(mode), kind).is_some();
        (!is_there).then(|| unknown_type(provider, mode, kind))
    }
}

/// Returns the schema of a block of a mode such as actions, with the provider's `schema` for its inner block `config`.
fn around_config(schema: &Schema, mode: ResourceMode) -> Schema {
    let own: &[ArgumentRow] = match mode {
        ResourceMode::List => &[row::truth("include_resource"), row::number("limit")],
        _ => &[],
    };
    let is_needed = schema.block.attributes().iter().any(|attribute| attribute.required)
        || schema.block.blocks().iter().any(|nested| nested.min > 0);
    let config = NestedBlock {
        name: Str::from("config"),
        nesting: NestingMode::Single,
        min: u64::from(is_needed),
        max: 1,
        block: schema.block.clone(),
    };
    Schema {
        version: schema.version,
        block: Arc::new(BlockSchema::new(row::attributes(own), vec![config])),
    }
}

impl ProviderSchemas {
    /// Returns the schema of a provider's configuration, by its source; `None` if unknown.
    pub fn of_provider(&self, source: &str) -> Option<Arc<Schema>> {
        if provider::is_built_in(source) {
            // The built-in provider has no configuration.
            return Some(Arc::new(Schema { version: 0, block: Arc::default() }));
        }
        let (inner, provider) = self.provider(source)?;
        inner.read(provider.config()?).ok()
    }

    /// Returns the signature of a provider's function, or that it is unknown or does not exist; `local` is the provider's local
    /// name.
    pub fn function(&self, source: &str, local: &str, name: &str) -> ProvidedSignature {
        let Some((inner, provider)) = self.provider(source) else {
            return ProvidedSignature::Unknown;
        };
        let Some(range) = provider.function(name) else {
            // Older schema files do not contain functions.
            let names: Vec<&str> = provider.functions().collect();
            if names.is_empty() {
                return ProvidedSignature::Unknown;
            }
            let all: Vec<String> =
                names.iter().map(|name| format!("`provider::{local}::{name}`")).collect();
            let hint = did_you_mean(name, names);
            return ProvidedSignature::Lacking(format!(
                "The provider {} has no function `{name}`; its functions are {}.{hint}",
                &*provider.address,
                all.join(", ")
            ));
        };
        let Ok(text) = inner.texts.at(range) else { return ProvidedSignature::Unknown };
        read_signature(&text)
            .map_or(ProvidedSignature::Unknown, |found| ProvidedSignature::As(Arc::new(found)))
    }
}

impl SchemaStore {
    /// Returns the index entry of the provider that a source denotes; `None` if there is none, or if it is ambiguous.
    fn provider(&self, source: &str) -> Option<&ProviderIndex> {
        let mut found = self.index.providers().iter().filter(|p| same(&p.address, source));
        let first = found.next()?;
        // Two registries may have a provider of the same name: then only the full address matches.
        match found.next() {
            None => Some(first),
            Some(_) => self.index.providers().iter().find(|p| *p.address == *source),
        }
    }

    /// Returns the schema whose JSON text is at this range, decoded once.
    fn read(&self, range: std::ops::Range<usize>) -> Result<Arc<Schema>, SchemaError> {
        let mut known = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = known.entry(range.start).or_insert_with(|| {
            let text = self.texts.at(range.clone())?;
            read(&text).map(Arc::new).map_err(|why| {
                let at = range.start + why.offset;
                SchemaError(format!("at byte {at} of the schemas: {}", why.message))
            })
        });
        entry.clone()
    }
}

/// Returns the section of a provider's schemas that holds the types of a resource mode.
fn of(mode: ResourceMode) -> SchemaSubject {
    match mode {
        ResourceMode::Managed => SchemaSubject::Resource,
        ResourceMode::Data => SchemaSubject::Data,
        ResourceMode::Ephemeral => SchemaSubject::Ephemeral,
        ResourceMode::Action => SchemaSubject::Action,
        ResourceMode::List => SchemaSubject::List,
    }
}

/// Returns the noun for the types of a resource mode, such as "data source".
fn noun(mode: ResourceMode) -> &'static str {
    match mode {
        ResourceMode::Managed => "resource type",
        ResourceMode::Data => "data source",
        ResourceMode::Ephemeral => "ephemeral resource type",
        ResourceMode::Action => "action",
        ResourceMode::List => "list of",
    }
}

/// Returns the diagnostic for a resource type that a provider does not have.
fn unknown_type(provider: &ProviderIndex, mode: ResourceMode, kind: &str) -> Diagnostic {
    let mut others =
        [ResourceMode::Managed, ResourceMode::Data, ResourceMode::Ephemeral].into_iter();
    let hint = match others.find(|other| provider.find(of(*other), kind).is_some()) {
        Some(other) => format!(" There is a {} of that name.", noun(other)),
        None => did_you_mean(kind, provider.kinds(of(mode))),
    };
    let detail =
        format!("The provider {} has no {} \"{kind}\".{hint}", &*provider.address, noun(mode));
    Diagnostic::error(&codes::RESOURCE_TYPE, detail)
}

/// Returns true if an address and a source denote the same provider. The public registries serve the same providers, so a host
/// is compared only if both name one of their own.
fn same(address: &str, source: &str) -> bool {
    /// The host names of the public registries, which serve the same providers.
    const PUBLIC: [&str; 2] = ["registry.opentofu.org", "registry.terraform.io"];
    let split = |text: &str| -> Option<(String, String)> {
        let lower = text.to_ascii_lowercase();
        let mut parts = lower.rsplitn(3, '/');
        let (kind, space) = (parts.next()?, parts.next()?);
        let host = parts.next().filter(|host| !PUBLIC.contains(host)).unwrap_or_default();
        Some((format!("{space}/{kind}"), host.to_owned()))
    };
    split(address).is_some_and(|address| Some(address) == split(source))
}
