//! Objects of a repository that could not be read, because they are missing from this clone or damaged. The caller of a host may
//! take that for a missing file, so each loss is recorded, and a comparison reports them at its end.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use gix::ObjectId;
use groma_runtime::HostError;

/// Maximum number of unreadable git objects that are recorded one by one; further ones are only counted.
const MOST_KEPT: usize = 1_000;

/// The reason why an object of git cannot be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ObjectFault {
    /// The clone does not contain it.
    Absent,
    /// Its content is damaged.
    Damaged,
}

/// An object of git that cannot be read, and the reason: missing or damaged.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LostObject {
    id: ObjectId,
    fault: ObjectFault,
}

impl LostObject {
    /// Creates the record of a git object that the clone does not contain.
    pub(crate) fn absent(id: ObjectId) -> LostObject {
        LostObject { id, fault: ObjectFault::Absent }
    }

    /// Creates the record of a git object that cannot be decoded.
    pub(crate) fn damaged(id: ObjectId) -> LostObject {
        LostObject { id, fault: ObjectFault::Damaged }
    }

    /// Converts the record of an unreadable object to the error that a host returns.
    pub(crate) fn to_error(self) -> HostError {
        let id = self.id.to_hex_with_len(12);
        HostError::Failed(match self.fault {
            ObjectFault::Absent => {
                format!("its object {id} is not in this clone of the repository")
            }
            ObjectFault::Damaged => format!("its object {id} is damaged in this repository"),
        })
    }
}

/// The git objects that could not be read from a repository, by the path for which each was needed, as git writes it:
/// `main~2:live/main.tf`.
#[derive(Default)]
pub(crate) struct LostObjects(Mutex<KeptLosses>);

/// The git objects that could not be read: the first ones by the path for which each was needed, and the number of all others.
#[derive(Default)]
struct KeptLosses {
    by_place: BTreeMap<String, LostObject>,
    /// The number of further losses.
    more: usize,
}

impl LostObjects {
    /// Records a git object that cannot be read, and returns the error that reports it.
    pub(crate) fn keep(&self, place: String, loss: LostObject) -> HostError {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.by_place.len() < MOST_KEPT {
            kept.by_place.insert(place, loss);
        } else if !kept.by_place.contains_key(&place) {
            kept.more += 1;
        }
        loss.to_error()
    }

    /// Returns sentences on the git objects that could not be read and how to obtain them; `None` if all could be read.
    pub(crate) fn sentence(&self, clone: CloneKind) -> Option<String> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let damaged = kept.by_place.iter().find(|(_, loss)| loss.fault == ObjectFault::Damaged);
        let (place, loss) = damaged.or_else(|| kept.by_place.first_key_value())?;
        let more = match kept.by_place.len() + kept.more - 1 {
            0 => String::new(),
            count => format!(" and {count} more"),
        };
        let verb = if more.is_empty() { "is" } else { "are" };
        let what = format!("{place} (object {}){more}", loss.id.to_hex_with_len(12));
        Some(match (loss.fault, clone) {
            (ObjectFault::Damaged, _) => format!(
                "{what} cannot be read: the repository is damaged. `git fsck` lists the damaged objects; clone it again."
            ),
            (ObjectFault::Absent, CloneKind::Partial) => format!(
                "{what} {verb} not in this clone of the repository, which is a partial clone. `git fetch --refetch --no-filter` fetches all objects."
            ),
            (ObjectFault::Absent, CloneKind::Shallow) => format!(
                "{what} {verb} not in this clone of the repository, which is a shallow clone. `git fetch --unshallow` completes it."
            ),
            (ObjectFault::Absent, CloneKind::Whole) => format!(
                "{what} {verb} not in this repository, which should be complete. `git fsck` lists the missing objects; clone it again."
            ),
        })
    }
}

/// The kind of a clone, by the objects that it lacks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CloneKind {
    /// The clone has the whole history.
    Whole,
    /// The clone has only the most recent history.
    Shallow,
    /// The clone lacks files that git fetches on demand.
    Partial,
}

impl CloneKind {
    /// Returns the kind of a clone (whole, shallow or partial) from the settings of its repository.
    pub(crate) fn of(repository: &gix::Repository) -> CloneKind {
        let settings = repository.config_snapshot();
        let is_promised = || {
            let remotes = settings.plumbing().sections_by_name("remote");
            remotes.into_iter().flatten().any(|remote| remote.value("promisor").is_some())
        };
        if settings.string("extensions.partialClone").is_some() || is_promised() {
            return CloneKind::Partial;
        }
        match repository.is_shallow().unwrap_or(false) {
            true => CloneKind::Shallow,
            false => CloneKind::Whole,
        }
    }
}
