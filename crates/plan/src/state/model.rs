//! A state as its file says it. Attributes stay text until they are asked for.

use std::ops::Range;
use std::sync::Arc;

use groma_config::{AddressPattern, InstanceKey, ModuleAddress, ResourceMode, ResourceTarget};
use groma_value::{Path, Str, Type, Value, json};

/// A state, as its file says it.
#[derive(Clone, Default, Debug)]
pub struct State {
    pub(super) text: Arc<str>,
    /// The name of the file.
    pub(super) file: String,
    /// Sorted by name.
    pub(crate) outputs: Vec<(Str, RecordedOutput)>,
    /// In the order of the file.
    pub(crate) objects: Vec<RecordedInstance>,
    /// The parts that were passed over, each as a sentence.
    pub(crate) skipped: Vec<String>,
}

/// An output of the root module.
#[derive(Clone, Debug)]
pub(crate) struct RecordedOutput {
    pub(crate) value: Value,
    pub(crate) ty: Type,
    pub(crate) sensitive: bool,
}

/// The part that all objects of one resource entry share.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct ResourceEntry {
    pub(crate) modules: ModuleAddress,
    pub(crate) mode: ResourceMode,
    pub(crate) kind: Str,
    pub(crate) name: Str,
    pub(crate) provider: StateProvider,
}

/// The owner of an object.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct StateProvider {
    /// The names of the calls that lead to the module that configures it.
    pub(crate) modules: Vec<Str>,
    /// Its address, `registry.terraform.io/hashicorp/aws`.
    pub(crate) source: String,
    /// The alias of the configuration.
    pub(crate) alias: Option<Str>,
}

/// One recorded object: the current one of an instance, or one that should be gone.
#[derive(Clone, Debug)]
pub(crate) struct RecordedInstance {
    pub(crate) entry: Arc<ResourceEntry>,
    pub(crate) key: InstanceKey,
    /// By what a deposed object is known.
    pub(crate) deposed: Option<Str>,
    /// True if it is to be made anew, as something went wrong when it was made.
    pub(crate) tainted: bool,
    /// True if it is to be forgotten where others would go.
    pub(crate) is_kept: bool,
    /// True if its successor was to be made before it goes.
    pub(crate) is_made_first: bool,
    pub(crate) schema_version: u64,
    pub(crate) attributes: AttributeSource,
    /// The place where in the text stands what the provider keeps with it for itself, from and to; nothing where it
    /// keeps nothing.
    pub(crate) private: Option<(u32, u32)>,
    /// The paths that were sensitive when the object was written.
    pub(crate) sensitive: Arc<[Path]>,
    /// The resources that it was made from, without keys.
    pub(crate) dependencies: Arc<[Str]>,
}

/// The place where the attributes of an object stand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum AttributeSource {
    /// As JSON, there in the text.
    Json(Range<usize>),
    /// In the form of programs before 0.12, which only the provider can read.
    Flat,
    /// There are none.
    Missing,
}

impl RecordedInstance {
    /// Returns true if it is of the provider that every program has built in.
    pub(crate) fn is_built_in(&self) -> bool {
        self.entry.provider.source == "terraform.io/builtin/terraform"
    }

    /// Returns why it is too new to be read, if so. The resource types of the built-in provider have had one schema
    /// only.
    pub(crate) fn newer(&self) -> Option<String> {
        let is_newer = self.entry.mode == ResourceMode::Managed && self.is_built_in();
        (is_newer && self.schema_version > 0).then(|| {
            format!(
                "it has schema version {}, but only version 0 is known: a newer version has written it",
                self.schema_version
            )
        })
    }

    /// Its address, with all keys.
    pub(crate) fn target(&self) -> AddressPattern {
        let resource = ResourceTarget {
            mode: self.entry.mode,
            kind: self.entry.kind.clone(),
            name: self.entry.name.clone(),
            key: self.key.clone(),
        };
        AddressPattern { modules: self.entry.modules.clone(), resource: Some(resource) }
    }
}

impl State {
    /// Returns what the provider keeps with an object for itself, as it is spelled there.
    pub(crate) fn private_of(&self, object: &RecordedInstance) -> Option<String> {
        let (from, to) = object.private?;
        match json::decode_loose(self.text.get(from as usize..to as usize)?).ok()?.bare() {
            Value::String(text) => Some(text.to_string()),
            _ => None,
        }
    }

    /// Returns where an object is recorded: the file, and the line where what is known of it begins.
    pub(crate) fn place_of(&self, object: &RecordedInstance) -> String {
        let AttributeSource::Json(range) = &object.attributes else { return self.file.clone() };
        let before = self.text.get(..range.start).unwrap_or_default();
        format!("{}:{}", self.file, before.matches('\n').count() + 1)
    }

    /// The text of recorded attributes.
    pub(crate) fn text_of(&self, range: &Range<usize>) -> &str {
        self.text.get(range.clone()).unwrap_or_default()
    }
}
