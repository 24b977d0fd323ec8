//! What a state holds, as its file says it. Attributes stay text until somebody asks for them.

use std::ops::Range;
use std::sync::Arc;

use groma_folder::{Key, Mode, ResourceTarget, Target};
use groma_value::{Path, Str, Type, Value, json};

/// A state, as its file says it.
#[derive(Clone, Default, Debug)]
pub struct State {
    pub(super) text: Arc<str>,
    /// What the file is called.
    pub(super) file: String,
    /// Sorted by name.
    pub(crate) outputs: Vec<(Str, RecordedOutput)>,
    /// In the order of the file.
    pub(crate) objects: Vec<Recorded>,
    /// What was passed over, each a sentence.
    pub(crate) skipped: Vec<String>,
}

/// An output of the root module.
#[derive(Clone, Debug)]
pub(crate) struct RecordedOutput {
    pub(crate) value: Value,
    pub(crate) ty: Type,
    pub(crate) sensitive: bool,
}

/// What all objects of one resource entry share.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    pub(crate) modules: Vec<(Str, Key)>,
    pub(crate) mode: Mode,
    pub(crate) kind: Str,
    pub(crate) name: Str,
    pub(crate) provider: Provider,
}

/// Whose an object is.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Provider {
    /// The names of the calls that lead to the module that configures it.
    pub(crate) modules: Vec<Str>,
    /// Its address, `registry.terraform.io/hashicorp/aws`.
    pub(crate) source: String,
    /// Which of its configurations.
    pub(crate) alias: Option<Str>,
}

/// One recorded object: the current one of an instance, or one that should be gone.
#[derive(Clone, Debug)]
pub(crate) struct Recorded {
    pub(crate) entry: Arc<Entry>,
    pub(crate) key: Key,
    /// By what a deposed object is known.
    pub(crate) deposed: Option<Str>,
    /// Whether it is to be made anew, as something went wrong when it was made.
    pub(crate) tainted: bool,
    /// Whether it is to be forgotten where others would go.
    pub(crate) is_kept: bool,
    /// Whether its successor was to be made before it goes.
    pub(crate) is_made_first: bool,
    pub(crate) schema_version: u64,
    pub(crate) attributes: Attributes,
    /// Where in the text stands what the provider keeps with it for itself, from and to; nothing where it keeps nothing.
    pub(crate) private: Option<(u32, u32)>,
    /// What was sensitive when it was written.
    pub(crate) sensitive: Arc<[Path]>,
    /// The resources that it was made from, without keys.
    pub(crate) dependencies: Arc<[Str]>,
}

/// Where the attributes of an object stand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Attributes {
    /// As JSON, there in the text.
    Json(Range<usize>),
    /// In the form of programs before 0.12, which only the provider can read.
    Flat,
    /// There are none.
    Missing,
}

impl Recorded {
    /// Whether it is of the provider that every program has built in.
    pub(crate) fn is_built_in(&self) -> bool {
        self.entry.provider.source == "terraform.io/builtin/terraform"
    }

    /// Why it is too new to be read, if so. The resource types of the built-in provider have had one schema only.
    pub(crate) fn newer(&self) -> Option<String> {
        let is_newer = self.entry.mode == Mode::Managed && self.is_built_in();
        (is_newer && self.schema_version > 0).then(|| {
            format!(
                "it is of version {} of its schema, and version 0 is known here: a newer program has written it",
                self.schema_version
            )
        })
    }

    /// Its address, with all keys.
    pub(crate) fn target(&self) -> Target {
        let resource = ResourceTarget {
            mode: self.entry.mode,
            kind: self.entry.kind.clone(),
            name: self.entry.name.clone(),
            key: self.key.clone(),
        };
        Target { modules: self.entry.modules.clone(), resource: Some(resource) }
    }
}

impl State {
    /// What the provider keeps with an object for itself, as it is spelled there.
    pub(crate) fn private_of(&self, object: &Recorded) -> Option<String> {
        let (from, to) = object.private?;
        match json::decode_loose(self.text.get(from as usize..to as usize)?).ok()?.bare() {
            Value::String(text) => Some(text.to_string()),
            _ => None,
        }
    }

    /// Where an object is recorded: the file, and the line where what is known of it begins.
    pub(crate) fn place_of(&self, object: &Recorded) -> String {
        let Attributes::Json(range) = &object.attributes else { return self.file.clone() };
        let before = self.text.get(..range.start).unwrap_or_default();
        format!("{}:{}", self.file, before.matches('\n').count() + 1)
    }

    /// The text of recorded attributes.
    pub(crate) fn text_of(&self, range: &Range<usize>) -> &str {
        self.text.get(range.clone()).unwrap_or_default()
    }
}
