//! Where in an object the comparison is, as far as somebody has said something of that place: which parts force a
//! replacement, and where differences come from. Nearly always nobody has, and then this is empty and costs nothing.

use groma_value::{Path, PathStep, Str, Value};
use rustc_hash::FxHashMap;

use crate::model::Origin;

/// All that is said of a value and of what is in it, in its shape, so that each step down leaves behind what is said of
/// others.
#[derive(Default)]
pub(crate) struct Said {
    /// Whether this part is why an object is replaced.
    forces: bool,
    /// Where the difference of this part comes from.
    note: Option<Str>,
    names: FxHashMap<Str, Said>,
    items: FxHashMap<usize, Said>,
}

impl Said {
    /// What is said of a value, of the whole as of its parts. Of one part the first note counts.
    pub(crate) fn of(forcing: &[Path], origins: &[Origin]) -> Said {
        let mut said = Said::default();
        for path in forcing {
            if let Some(part) = said.part(path) {
                part.forces = true;
            }
        }
        for origin in origins {
            if let Some(part) = said.part(&origin.path) {
                part.note.get_or_insert_with(|| origin.text.clone());
            }
        }
        said
    }

    /// The same of an object, over which what is said of the whole stands already: it is no note then.
    pub(crate) fn of_parts(forcing: &[Path], origins: &[Origin]) -> Said {
        Said { note: None, ..Said::of(forcing, origins) }
    }

    /// What is said of a part; nothing where a step is no name and no position.
    fn part(&mut self, path: &Path) -> Option<&mut Said> {
        path.0.iter().try_fold(self, |said, step| match step {
            PathStep::Attribute(name) => Some(said.names.entry(name.clone()).or_default()),
            PathStep::Index(key) => match key.bare() {
                Value::String(name) => Some(said.names.entry(name.clone()).or_default()),
                key => Some(said.items.entry(key.as_position()?).or_default()),
            },
        })
    }
}

/// What is said of the part that is compared and of what is in it.
#[derive(Clone, Copy, Default)]
pub(crate) struct Way<'a>(Option<&'a Said>);

impl<'a> Way<'a> {
    /// The way at its beginning.
    pub(crate) fn into_value(said: &'a Said) -> Way<'a> {
        Way(Some(said))
    }

    /// Whether this part is why an object is replaced.
    pub(crate) fn forces(self) -> bool {
        self.0.is_some_and(|said| said.forces)
    }

    /// Where the difference of this part comes from.
    pub(crate) fn note(self) -> Option<&'a Str> {
        self.0?.note.as_ref()
    }

    /// The way into what goes by a name.
    pub(crate) fn to_name(self, name: &str) -> Way<'a> {
        Way(self.0.and_then(|said| said.names.get(name)))
    }

    /// The way into an element by its position.
    pub(crate) fn to_item(self, at: usize) -> Way<'a> {
        Way(self.0.and_then(|said| said.items.get(&at)))
    }
}
