//! Where in an object the comparison is, as far as that place has annotations: which parts force a
//! replacement, and where differences come from. Nearly always there are none, and then this is empty and costs
//! nothing.

use groma_value::{Path, PathStep, Str, Value};
use rustc_hash::FxHashMap;

use crate::model::DifferenceOrigin;

/// All that is said of a value and of what is in it, in its shape, so that each step down leaves behind what is said of
/// others.
#[derive(Default)]
pub(crate) struct Annotations {
    /// True if this part is why an object is replaced.
    forces: bool,
    /// The place where the difference of this part comes from.
    note: Option<Str>,
    names: FxHashMap<Str, Annotations>,
    items: FxHashMap<usize, Annotations>,
}

impl Annotations {
    /// Returns what is said of a value, of the whole as of its parts. Of one part the first note counts.
    pub(crate) fn of(forcing: &[Path], origins: &[DifferenceOrigin]) -> Annotations {
        let mut said = Annotations::default();
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
    pub(crate) fn of_parts(forcing: &[Path], origins: &[DifferenceOrigin]) -> Annotations {
        Annotations { note: None, ..Annotations::of(forcing, origins) }
    }

    /// Returns what is said of a part; nothing where a step is no name and no position.
    fn part(&mut self, path: &Path) -> Option<&mut Annotations> {
        path.0.iter().try_fold(self, |said, step| match step {
            PathStep::Attribute(name) => Some(said.names.entry(name.clone()).or_default()),
            PathStep::Index(key) => match key.bare() {
                Value::String(name) => Some(said.names.entry(name.clone()).or_default()),
                key => Some(said.items.entry(key.as_position()?).or_default()),
            },
        })
    }
}

/// The annotations of the part that is compared and of its inner parts.
#[derive(Clone, Copy, Default)]
pub(crate) struct AnnotationCursor<'a>(Option<&'a Annotations>);

impl<'a> AnnotationCursor<'a> {
    /// The way at its beginning.
    pub(crate) fn into_value(said: &'a Annotations) -> AnnotationCursor<'a> {
        AnnotationCursor(Some(said))
    }

    /// Returns true if this part is why an object is replaced.
    pub(crate) fn forces(self) -> bool {
        self.0.is_some_and(|said| said.forces)
    }

    /// Returns where the difference of this part comes from.
    pub(crate) fn note(self) -> Option<&'a Str> {
        self.0?.note.as_ref()
    }

    /// The way into what goes by a name.
    pub(crate) fn to_name(self, name: &str) -> AnnotationCursor<'a> {
        AnnotationCursor(self.0.and_then(|said| said.names.get(name)))
    }

    /// The way into an element by its position.
    pub(crate) fn to_item(self, at: usize) -> AnnotationCursor<'a> {
        AnnotationCursor(self.0.and_then(|said| said.items.get(&at)))
    }
}
