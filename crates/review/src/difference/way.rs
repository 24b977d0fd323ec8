//! Where in an object the comparison is, as far as somebody has said something of that place: which parts force a
//! replacement, and where differences come from. Nearly always nobody has, and then this is empty and costs nothing.

use groma_value::{Path, PathStep, Str, Value};

use crate::model::Origin;

/// What is said of the part that is compared and of what is in it.
#[derive(Clone, Default)]
pub(crate) struct Way<'a> {
    /// The rest of the way to what forces a replacement.
    forcing: Vec<&'a [PathStep]>,
    /// The rest of the way to what has a note.
    notes: Vec<(&'a [PathStep], &'a str)>,
}

impl<'a> Way<'a> {
    /// The way at its beginning. What is said of the whole stands above it and is no note here.
    pub(crate) fn new(forcing: &'a [Path], origins: &'a [Origin]) -> Way<'a> {
        let notes = origins.iter().filter(|origin| !origin.path.is_empty());
        Way {
            forcing: forcing.iter().map(|path| path.0.as_slice()).collect(),
            notes: notes.map(|one| (one.path.0.as_slice(), one.text.as_str())).collect(),
        }
    }

    /// Whether this part is why an object is replaced.
    pub(crate) fn forces(&self) -> bool {
        self.forcing.iter().any(|rest| rest.is_empty())
    }

    /// Where the difference of this part comes from.
    pub(crate) fn note(&self) -> Option<Str> {
        self.notes.iter().find(|(rest, _)| rest.is_empty()).map(|(_, text)| Str::from(*text))
    }

    /// The way into what goes by a name.
    pub(crate) fn to_name(&self, name: &str) -> Way<'a> {
        self.to_step(|step| match step {
            PathStep::Attribute(own) => **own == *name,
            PathStep::Index(key) => matches!(key.bare(), Value::String(own) if **own == *name),
        })
    }

    /// The way into an element by its position.
    pub(crate) fn to_item(&self, at: usize) -> Way<'a> {
        self.to_step(|step| match step {
            PathStep::Index(key) => {
                matches!(key.bare(), Value::Number(own) if own.to_exact_usize() == Some(at))
            }
            PathStep::Attribute(_) => false,
        })
    }

    fn to_step(&self, is_meant: impl Fn(&PathStep) -> bool) -> Way<'a> {
        if self.forcing.is_empty() && self.notes.is_empty() {
            return Way::default();
        }
        let rest = |steps: &'a [PathStep]| match steps.split_first() {
            Some((first, rest)) if is_meant(first) => Some(rest),
            _ => None,
        };
        Way {
            forcing: self.forcing.iter().filter_map(|steps| rest(steps)).collect(),
            notes: (self.notes.iter())
                .filter_map(|(steps, text)| Some((rest(steps)?, *text)))
                .collect(),
        }
    }
}
