//! Annotations of the parts of an object under comparison: those that force a replacement, and the causes of differences. Most
//! objects have none, which costs nothing.

use groma_value::{Path, PathStep, Str, Value};
use rustc_hash::FxHashMap;

use crate::model::DifferenceOrigin;

/// The remarks on the parts of a compared object, as a tree with the structure of the object: parts that force a replacement, and
/// causes of differences.
#[derive(Default)]
pub(crate) struct Annotations {
    /// True if this part is why an object is replaced.
    forces: bool,
    /// The cause of the difference at this part.
    note: Option<Str>,
    /// The annotations of attributes and map elements, by name.
    names: FxHashMap<Str, Annotations>,
    /// The annotations of list elements, by index.
    items: FxHashMap<usize, Annotations>,
}

impl Annotations {
    /// Builds the tree of annotations from the paths that force a replacement and the causes of differences. Of several causes of
    /// one part the first counts.
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

    /// Builds the tree of annotations without the cause of the whole object, which is displayed above it.
    pub(crate) fn of_parts(forcing: &[Path], origins: &[DifferenceOrigin]) -> Annotations {
        Annotations { note: None, ..Annotations::of(forcing, origins) }
    }

    /// Returns the annotations of the part at a path, created if missing; `None` if a step is neither a name nor an index.
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

/// A position in a tree of annotations, at the part of an object that is being compared; empty if no annotation is at or below
/// it.
#[derive(Clone, Copy, Default)]
pub(crate) struct AnnotationCursor<'a>(Option<&'a Annotations>);

impl<'a> AnnotationCursor<'a> {
    /// Creates a cursor at the root of an object's annotations, for the beginning of the comparison of the object.
    pub(crate) fn at_root(said: &'a Annotations) -> AnnotationCursor<'a> {
        AnnotationCursor(Some(said))
    }

    /// Returns true if the part at this position forces the replacement of the object.
    pub(crate) fn forces(self) -> bool {
        self.0.is_some_and(|said| said.forces)
    }

    /// Returns the cause of the difference in the part at this position; `None` if it has no annotation.
    pub(crate) fn note(self) -> Option<&'a Str> {
        self.0?.note.as_ref()
    }

    /// Returns the position of an attribute or map element below this part, by name.
    pub(crate) fn to_name(self, name: &str) -> AnnotationCursor<'a> {
        AnnotationCursor(self.0.and_then(|said| said.names.get(name)))
    }

    /// Returns the position of a list element below this part, by index.
    pub(crate) fn to_item(self, at: usize) -> AnnotationCursor<'a> {
        AnnotationCursor(self.0.and_then(|said| said.items.get(&at)))
    }
}
