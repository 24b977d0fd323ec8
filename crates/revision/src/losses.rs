//! What somebody wanted to read of a repository and could not: objects that this clone was made without, and such as are
//! damaged. Whoever asks a host may take that for a file that is not there, so it is kept here, and who compares asks for
//! it at the end.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use gix::ObjectId;
use groma_runtime::HostError;

/// So many are kept by their names; of the rest only the count.
const MOST_KEPT: usize = 1_000;

/// Why an object cannot be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fault {
    /// The clone does not hold it.
    Absent,
    /// What the clone holds is not what it should be.
    Damaged,
}

/// An object that cannot be read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Loss {
    id: ObjectId,
    fault: Fault,
}

impl Loss {
    pub(crate) fn absent(id: ObjectId) -> Loss {
        Loss { id, fault: Fault::Absent }
    }

    pub(crate) fn damaged(id: ObjectId) -> Loss {
        Loss { id, fault: Fault::Damaged }
    }

    /// The same for whoever asked a host.
    pub(crate) fn told(self) -> HostError {
        let id = self.id.to_hex_with_len(12);
        HostError::Failed(match self.fault {
            Fault::Absent => format!("its object {id} is not in this clone of the repository"),
            Fault::Damaged => format!("its object {id} is damaged in this repository"),
        })
    }
}

/// All that could not be read of a repository so far, by where it was wanted: `main~2:live/main.tf`, as git writes it.
#[derive(Default)]
pub(crate) struct Losses(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    by_place: BTreeMap<String, Loss>,
    /// How many more there are.
    more: usize,
}

impl Losses {
    /// Keeps in mind what could not be read, and says it.
    pub(crate) fn keep(&self, place: String, loss: Loss) -> HostError {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.by_place.len() < MOST_KEPT {
            kept.by_place.insert(place, loss);
        } else if !kept.by_place.contains_key(&place) {
            kept.more += 1;
        }
        loss.told()
    }

    /// What is lacking and what brings it, if anything does: sentences.
    pub(crate) fn sentence(&self, clone: CloneKind) -> Option<String> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let damaged = kept.by_place.iter().find(|(_, loss)| loss.fault == Fault::Damaged);
        let (place, loss) = damaged.or_else(|| kept.by_place.first_key_value())?;
        let more = match kept.by_place.len() + kept.more - 1 {
            0 => String::new(),
            count => format!(" and {count} more"),
        };
        let verb = if more.is_empty() { "is" } else { "are" };
        let what = format!("{place} (object {}){more}", loss.id.to_hex_with_len(12));
        Some(match (loss.fault, clone) {
            (Fault::Damaged, _) => format!(
                "{what} cannot be read: the repository is damaged. `git fsck` lists what is broken; a new clone is whole."
            ),
            (Fault::Absent, CloneKind::Partial) => format!(
                "{what} {verb} not in this clone of the repository, which was made without a part of the files. `git fetch --refetch --no-filter` brings them all."
            ),
            (Fault::Absent, CloneKind::Shallow) => format!(
                "{what} {verb} not in this clone of the repository, which holds only the last part of the history. `git fetch --unshallow` completes it."
            ),
            (Fault::Absent, CloneKind::Whole) => format!(
                "{what} {verb} not in this repository, which should hold all of its history. `git fsck` lists what is missing; a new clone is whole."
            ),
        })
    }
}

/// What a clone was made to hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CloneKind {
    /// All of its history.
    Whole,
    /// The last part of the history.
    Shallow,
    /// The history without a part of the files, which git fetches once they are needed.
    Partial,
}

impl CloneKind {
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
