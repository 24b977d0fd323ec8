//! The data model of a state file. Attributes stay text until they are needed.

use std::ops::Range;
use std::sync::Arc;

use groma_config::{
    InstanceAddress, InstanceKey, ModuleAddress, ResourceAddress, ResourceMode, ResourceName,
};
use groma_value::{Path, Str, Type, Value, json};

/// The content of a state file.
#[derive(Clone, Default, Debug)]
pub struct State {
    pub(super) text: Arc<str>,
    /// The name of the file.
    pub(super) file: String,
    /// Sorted by name.
    pub(crate) outputs: Vec<(Str, RecordedOutput)>,
    /// The recorded objects, in file order.
    pub(crate) objects: Vec<RecordedInstance>,
    /// The parts that were skipped, each described by a sentence.
    pub(crate) skipped: Vec<String>,
}

/// A recorded output of the root module.
#[derive(Clone, Debug)]
pub(crate) struct RecordedOutput {
    pub(crate) value: Value,
    pub(crate) ty: Type,
    pub(crate) sensitive: bool,
}

/// The properties that all recorded objects of a resource in one module instance share.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct ResourceEntry {
    pub(crate) modules: ModuleAddress,
    pub(crate) mode: ResourceMode,
    pub(crate) kind: Str,
    pub(crate) name: Str,
    pub(crate) provider: StateProvider,
}

/// The provider configuration that a recorded object belongs to.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct StateProvider {
    /// The path of the module that declares the configuration.
    pub(crate) modules: Vec<Str>,
    /// The provider address, such as `registry.terraform.io/hashicorp/aws`.
    pub(crate) source: String,
    /// The alias of the configuration.
    pub(crate) alias: Option<Str>,
}

/// A recorded object: the current one of an instance, or a deposed one.
#[derive(Clone, Debug)]
pub(crate) struct RecordedInstance {
    pub(crate) entry: Arc<ResourceEntry>,
    pub(crate) key: InstanceKey,
    /// The key of a deposed object.
    pub(crate) deposed: Option<Str>,
    /// True if the object is tainted: its creation failed and it will be replaced.
    pub(crate) tainted: bool,
    /// True if the object is to be forgotten instead of destroyed.
    pub(crate) is_kept: bool,
    /// True if its replacement is created before it is destroyed.
    pub(crate) is_made_first: bool,
    pub(crate) schema_version: u64,
    pub(crate) attributes: AttributeSource,
    /// The byte range of the provider's private data in the text, if any.
    pub(crate) private: Option<(u32, u32)>,
    /// The paths that were sensitive when the state was written.
    pub(crate) sensitive: Arc<[Path]>,
    /// The addresses of its dependencies, without keys.
    pub(crate) dependencies: Arc<[Str]>,
}

/// The form in which a state records an object's attributes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum AttributeSource {
    /// JSON in this byte range of the text.
    Json(Range<usize>),
    /// The flat format of programs before 0.12, which only the provider can decode.
    Flat,
    /// No attributes.
    Missing,
}

impl RecordedInstance {
    /// Returns true if the object belongs to the provider that every program has built in.
    pub(crate) fn is_built_in(&self) -> bool {
        self.entry.provider.source == "terraform.io/builtin/terraform"
    }

    /// Returns the reason why an object cannot be read if its schema version is newer than any known one. Only the built-in
    /// provider's is checked: it has had one version.
    pub(crate) fn newer(&self) -> Option<String> {
        let is_newer = self.entry.mode == ResourceMode::Managed && self.is_built_in();
        (is_newer && self.schema_version > 0).then(|| {
            format!(
                "it has schema version {}, but only version 0 is known: a newer version has written it",
                self.schema_version
            )
        })
    }

    /// Returns the address of the instance whose object this is.
    pub(crate) fn address(&self) -> InstanceAddress {
        let ResourceEntry { modules, mode, kind, name, .. } = &*self.entry;
        let name = ResourceName { mode: *mode, kind: kind.clone(), name: name.clone() };
        ResourceAddress::new(modules.clone(), name).instance(self.key.clone())
    }
}

impl State {
    /// Returns the private data that the provider stores with a recorded object, as written, if any.
    pub(crate) fn private_of(&self, object: &RecordedInstance) -> Option<String> {
        let (from, to) = object.private?;
        match json::decode_loose(self.text.get(from as usize..to as usize)?).ok()?.bare() {
            Value::String(text) => Some(text.to_string()),
            _ => None,
        }
    }

    /// Returns the location of a recorded object: the file and the first line of its content.
    pub(crate) fn place_of(&self, object: &RecordedInstance) -> String {
        let AttributeSource::Json(range) = &object.attributes else { return self.file.clone() };
        let before = self.text.get(..range.start).unwrap_or_default();
        format!("{}:{}", self.file, before.matches('\n').count() + 1)
    }

    /// Returns the part of the state's text at a byte range, such as the attributes of an object.
    pub(crate) fn text_of(&self, range: &Range<usize>) -> &str {
        self.text.get(range.clone()).unwrap_or_default()
    }
}
