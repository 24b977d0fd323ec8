//! Discovery of the repository of a directory, and resolution of revision names. Errors are sentences; nothing is guessed or
//! fetched.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use gix::ObjectId;
use gix::revision::spec::parse::{Error as Unresolved, ObjectKindHint, Options};

use crate::ignored::IgnorePatterns;
use crate::losses::{CloneKind, LostObject};
use crate::objects::{ObjectStore, TreeEntry, named};

/// Maximum size in bytes of an object of git that is read; reading a larger one is an error.
pub(crate) const MOST_BYTES: u64 = 1 << 30;
/// Maximum number of commits of a history that are searched for an unreadable one, to explain why a revision or a merge base is
/// not found.
const MOST_COMMITS: usize = 100_000;

/// The reason why a repository or revision does not exist, as a sentence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoRevision(pub String);

impl fmt::Display for NoRevision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NoRevision {}

/// Returns the error [`NoRevision`] with the sentence `why`.
fn no_revision<T>(why: impl Into<String>) -> Result<T, NoRevision> {
    Err(NoRevision(why.into()))
}

/// A git repository with a work tree, from which revisions are read. Clones share it.
#[derive(Clone)]
pub struct Repository {
    pub(crate) objects: Arc<ObjectStore>,
    pub(crate) ignored: Arc<IgnorePatterns>,
    work_tree: String,
    kind: CloneKind,
}

/// A commit, with the name by which the user refers to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Revision {
    /// The name as written.
    pub name: String,
    /// The id of the commit in hexadecimal.
    pub commit: String,
    pub(crate) tree: ObjectId,
}

/// The two sides of a comparison, as parsed from a range such as `main..HEAD`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RevisionRange {
    /// The older revision.
    pub base: Revision,
    /// The newer revision; `None` for the work tree.
    pub head: Option<Revision>,
}

impl Repository {
    /// Opens the repository whose `.git` is in a directory.
    ///
    /// # Errors
    /// If it cannot be read, or has no work tree.
    pub fn open(top: &Path) -> Result<Repository, NoRevision> {
        // Only the repository's own settings count, so that results are equal on every machine.
        let most = format!("gitoxide.objects.allocLimit={MOST_BYTES}");
        let options = gix::open::Options::isolated().with(gix::sec::Trust::Full);
        // The declared size of an object in a damaged pack is not trusted.
        let options = options.config_overrides([most]);
        let opened = options.open(top).map_err(|why| {
            NoRevision(format!(
                "the git repository at {} cannot be read: {}.",
                top.display(),
                innermost_reason(&why)
            ))
        })?;
        let mut local = opened.to_thread_local();
        let Some(work_tree) = local.workdir().and_then(|folder| gix::path::realpath(folder).ok())
        else {
            return no_revision(bare_sentence(top));
        };
        local.object_cache_size_if_unset(8 << 20);
        let kind = CloneKind::of(&local);
        Ok(Repository {
            ignored: Arc::new(IgnorePatterns::of(opened.to_thread_local())),
            objects: Arc::new(ObjectStore::of(local)),
            work_tree: slashes(&work_tree),
            kind,
        })
    }

    /// Returns the absolute path of the work tree, without links.
    pub fn work_tree(&self) -> &str {
        &self.work_tree
    }

    /// Returns sentences on the objects that could not be read so far and how to obtain them; `None` if all could be read.
    /// Otherwise results are unreliable.
    pub fn lost(&self) -> Option<String> {
        self.objects.losses.sentence(self.kind)
    }

    /// Returns true if a directory existed at a revision, by its path from the top of the work tree.
    pub fn had_folder(&self, revision: &Revision, way: &str) -> bool {
        let mut at = revision.tree;
        let place = || format!("{}:{way}", revision.name);
        for name in way.split('/').filter(|name| !name.is_empty() && *name != ".") {
            let Ok(tree) = self.objects.tree(at, place) else { return false };
            let Some(TreeEntry::Tree(id)) = named(&tree, name) else { return false };
            at = id;
        }
        true
    }

    /// Returns true if a name resolves to a revision.
    pub fn knows(&self, name: &str) -> bool {
        self.revision(name).is_ok()
    }

    /// Parses a range: `A`, `A..B`, or `A...B` for the changes of B since the merge base. A missing side is `HEAD`.
    ///
    /// # Errors
    /// If one of them is not a revision, or both have no common history.
    pub fn range(&self, written: &str) -> Result<RevisionRange, NoRevision> {
        let or_head =
            |name: &str| if name.is_empty() { "HEAD".to_owned() } else { name.to_owned() };
        if let Some((one, other)) = written.split_once("...") {
            let (one, other) = (or_head(one), or_head(other));
            let (theirs, head) = (self.revision(&one)?, self.revision(&other)?);
            let base = self.merge_base(&theirs, &head, written)?;
            return Ok(RevisionRange { base, head: Some(head) });
        }
        if let Some((one, other)) = written.split_once("..") {
            let base = self.revision(&or_head(one))?;
            return Ok(RevisionRange { base, head: Some(self.revision(&or_head(other))?) });
        }
        Ok(RevisionRange { base: self.revision(written)?, head: None })
    }

    /// Returns the merge base of two revisions under the name `written`, the range that the user wrote; an error if they have no
    /// common history.
    fn merge_base(
        &self,
        one: &Revision,
        other: &Revision,
        written: &str,
    ) -> Result<Revision, NoRevision> {
        let id = |revision: &Revision| ObjectId::from_hex(revision.commit.as_bytes()).ok();
        let merge_base = match (id(one), id(other)) {
            (Some(one), Some(other)) => {
                let repository = self.objects.repository();
                let found = repository.merge_base(one, other).map(|id| id.map(|id| id.detach()));
                drop(repository);
                found.unwrap_or_else(|_| {
                    self.record_unreadable_commit(one);
                    self.record_unreadable_commit(other);
                    None
                })
            }
            _ => None,
        };
        match merge_base {
            Some(id) => {
                let found = self.revision(&id.to_string())?;
                Ok(Revision { name: written.to_owned(), ..found })
            }
            None => no_revision(format!(
                "{} and {} have no commit in common{}.",
                one.name,
                other.name,
                self.hint()
            )),
        }
    }

    /// Resolves the name of a commit: a branch, a tag, `HEAD~3`, an abbreviated id, or any other form of git.
    ///
    /// # Errors
    /// If there is none, or more than one.
    pub fn revision(&self, name: &str) -> Result<Revision, NoRevision> {
        let id = self.named(name)?;
        let lost = |loss: LostObject| {
            NoRevision(self.objects.losses.keep(name.to_owned(), loss).to_string())
        };
        let Some((commit, tree)) = self.objects.commit(id).map_err(lost)? else {
            return no_revision(format!(
                "\"{name}\" is not a commit: give a branch, a tag or a commit."
            ));
        };
        let place = || format!("{name}:");
        self.objects.tree(tree, place).map_err(|why| NoRevision(why.to_string()))?;
        Ok(Revision { name: name.to_owned(), commit: commit.to_string(), tree })
    }

    /// Resolves a revision name such as `main~2` to an object id; the error is a sentence with the likely reason.
    fn named(&self, name: &str) -> Result<ObjectId, NoRevision> {
        let options =
            Options { object_kind_hint: Some(ObjectKindHint::Committish), ..Options::default() };
        let (found, start) = {
            let repository = self.objects.repository();
            let found = gix::revision::Spec::from_bstr(name, &repository, options);
            let found = found.map(|spec| spec.single().map(|id| id.detach()));
            // The name without steps into the history, which may go beyond what this clone contains.
            let start = name.split(['~', '^', '@', ':']).next().filter(|start| !start.is_empty());
            let start = repository.try_find_reference(start.unwrap_or("HEAD")).ok().flatten();
            let start = start.and_then(|mut start| start.follow_to_object().ok());
            (found, start.map(|start| start.detach()))
        };
        match found {
            Ok(Some(id)) => Ok(id),
            Ok(None) => no_revision(format!("\"{name}\" does not name one revision.")),
            Err(why) => {
                if let Some(start) = start {
                    self.record_unreadable_commit(start);
                }
                Err(self.unresolved(name, &why))
            }
        }
    }

    /// Records the first unreadable commit in the history of `start` among the unreadable objects. In a shallow clone the commits
    /// beyond its border are not losses.
    fn record_unreadable_commit(&self, start: ObjectId) {
        let shallow = self.objects.repository().shallow_commits().ok().flatten();
        let mut at = start;
        for _ in 0..MOST_COMMITS {
            match self.objects.parent(at) {
                Ok(Some(_))
                    if shallow.as_ref().is_some_and(|end| end.binary_search(&at).is_ok()) =>
                {
                    return;
                }
                Ok(Some(parent)) => at = parent,
                Ok(None) => return,
                Err(loss) => {
                    self.objects.losses.keep("A commit".to_owned(), loss);
                    return;
                }
            }
        }
    }

    /// Returns the error for a revision name that git cannot resolve or that is ambiguous.
    fn unresolved(&self, name: &str, why: &gix::Error) -> NoRevision {
        for one in why.iter_errors() {
            let Some(Unresolved::AmbiguousPrefix { candidates, .. }) = one.downcast_ref() else {
                continue;
            };
            let all: Vec<String> = candidates.iter().map(|(id, _)| id.to_string()).collect();
            return NoRevision(format!(
                "\"{name}\" is ambiguous; it is the prefix of several objects: {}. Give more digits.",
                all.join(", ")
            ));
        }
        NoRevision(format!(
            "there is no revision \"{name}\" in the repository at {}{}.",
            self.work_tree,
            self.hint()
        ))
    }

    /// Returns a sentence on the possible reason for a missing commit, such as a shallow clone; empty if there is none.
    fn hint(&self) -> &'static str {
        match self.kind == CloneKind::Shallow {
            true => ". The clone is shallow; `git fetch --unshallow` completes its history",
            false => "",
        }
    }
}

/// Returns the error message for a bare repository, which has no work tree.
pub fn bare_sentence(top: &Path) -> String {
    format!(
        "the git repository at {} is bare, and a working tree is needed. Clone it first.",
        top.display()
    )
}

/// Returns the first line of an error's text, without the period at its end.
fn innermost_reason(why: &gix::Error) -> String {
    let text = why.to_string();
    text.lines().next().unwrap_or_default().trim_end_matches('.').to_owned()
}

/// Returns a path as text with `/` between names.
pub(crate) fn slashes(path: &Path) -> String {
    let text = path.to_string_lossy();
    if cfg!(windows) { text.replace('\\', "/") } else { text.into_owned() }
}
