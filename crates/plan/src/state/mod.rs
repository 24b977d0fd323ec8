//! A state file: what was there when somebody last looked. It is only read; nothing of what it holds is evaluated,
//! and no text of it goes into a message, as states hold secrets.

mod address;
mod current;
mod old;
mod read;

use std::ops::Range;
use std::sync::Arc;

use groma_folder::{Key, Mode, ResourceTarget, Target};
use groma_runtime::{Dialect, Host, HostError};
use groma_syntax::Source;
use groma_value::print::quoted;
use groma_value::{Path, Str, Type, Value};

pub use address::read_target;
pub(crate) use current::{type_of, typed};

/// No state is larger than this, in bytes.
const SIZE_LIMIT: u64 = 1 << 30;

/// A state, as its file says it.
#[derive(Clone, Default, Debug)]
pub struct State {
    text: Arc<str>,
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
    pub(crate) schema_version: u64,
    pub(crate) attributes: Attributes,
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

/// Why a state cannot be used: a whole sentence, with its place in the file and nothing of its text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StateError(pub String);

impl State {
    /// The state in a file; nothing where there is no such file, or it is empty.
    ///
    /// # Errors
    /// When it cannot be read, or is of a form that cannot be understood.
    pub fn load(
        host: &dyn Host,
        file: &str,
        dialect: Dialect,
    ) -> Result<Option<State>, StateError> {
        match host.read_within(file, SIZE_LIMIT) {
            Ok(bytes) => State::of(bytes, file, dialect),
            Err(HostError::Absent) => Ok(None),
            Err(why) => {
                Err(StateError(format!("The state file {} cannot be read: {why}.", quoted(file))))
            }
        }
    }

    /// The state in a file's content; nothing where it is empty.
    ///
    /// # Errors
    /// When it is of a form that cannot be understood.
    pub fn of(bytes: Vec<u8>, file: &str, dialect: Dialect) -> Result<Option<State>, StateError> {
        if bytes.is_empty() {
            return Ok(None);
        }
        let text = match String::from_utf8(bytes) {
            Ok(text) => Arc::<str>::from(text),
            Err(why) => {
                let at = why.utf8_error().valid_up_to();
                let detail =
                    format!("The state file {} is not UTF-8 from byte {at} on.", quoted(file));
                return Err(StateError(detail));
            }
        };
        let state = read::read(&text, dialect).map_err(|why| {
            let place = Source::new(file, &*text).position(why.offset as u32);
            StateError(format!(
                "The state file {} cannot be used: line {}, column {}: {}.",
                quoted(file),
                place.line,
                place.column,
                why.message
            ))
        })?;
        Ok(Some(State { text, ..state }))
    }

    /// The text of recorded attributes.
    pub(crate) fn text_of(&self, range: &Range<usize>) -> &str {
        self.text.get(range.clone()).unwrap_or_default()
    }
}
