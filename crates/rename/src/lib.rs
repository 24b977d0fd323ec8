//! Renaming of a declaration everywhere: in the declaration, in every reference, in module calls of other folders, in value
//! files, test files and mock files. Recorded objects move from the old address to the new one.
//!
//! The search is syntactic: names bound by a `for` or a `dynamic` block are not changed, nor is any text. Either all occurrences
//! are changed or none: if the name may be used in a way that cannot be followed, the change is refused with the place.
#![forbid(unsafe_code)]

mod find;
mod moved;
mod name_sites;
mod references;
mod subject;
mod test_files;
mod tree;
mod verify;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use groma_edit::{Edit, EditLanguage, EditOp, EditRefusal, SourceText, Splice, apply, rewrite};
use groma_runtime::{Edition, Host};

use crate::find::NameFinder;
pub use crate::name_sites::is_unevaluated;
use crate::subject::{DeclarationKind, RenamedDeclaration};
use crate::tree::FolderTree;

/// A request to rename a declaration: the module's folder, the old address and the new name.
#[derive(Clone, Debug)]
pub struct RenameRequest<'r> {
    /// The folder that contains the declaration.
    pub dir: &'r str,
    /// The top folder of the search for occurrences.
    pub top: &'r str,
    /// The old address: `var.name`, `local.name`, `output.name`, `module.name`, `check.name`, `type.name`,
    /// `data.type.name`,
    /// `provider.name.alias`.
    pub old: &'r str,
    /// The new name, or the new address.
    pub new: &'r str,
    /// The edition of the code; if `None`, it is detected for each folder.
    pub edition: Option<Edition>,
    /// Value files that belong to the folder, wherever they are and whatever their names.
    pub value_files: &'r [String],
}

/// A file that a rename changes, with its old and its new text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RenamedFile {
    /// The path, relative to the working directory.
    pub path: String,
    /// The text before.
    pub before: Arc<str>,
    /// The text after.
    pub after: Arc<str>,
}

/// The result of a rename: the files with their changed texts, and notes for the user.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RenameResult {
    /// The changed files, sorted by path.
    pub files: Vec<RenamedFile>,
    /// Notes on uses of the old name that cannot be seen in the code.
    pub notes: Vec<String>,
}

/// Renames a declaration and all references to it. Nothing is written to disk: the new texts are returned.
///
/// # Errors
/// If the declaration does not exist, the new name is invalid or taken, or an occurrence cannot be followed or read.
pub fn rename(
    host: &Arc<dyn Host>,
    what: &RenameRequest<'_>,
    language: EditLanguage<'_>,
) -> Result<RenameResult, EditRefusal> {
    let subject = RenamedDeclaration::read(what.old, what.new)?;
    let mut tree = FolderTree::of(&**host, what.top, what.edition);
    let home = tree.folder_path(what.dir)?;
    tree.assign_value_files(&home, what.value_files);
    if !tree.edition_of(&home).dialect.has_modules() {
        return Err(EditRefusal(format!(
            "{} is a Packer template: rename works in modules only.",
            tree.shown(&home)
        )));
    }
    // A module used as one value uses its outputs without naming them.
    let words: &[&str] = match subject.kind {
        DeclarationKind::Output => &[&subject.old, "module."],
        _ => &[&subject.old],
    };
    let mut folders: BTreeSet<String> = tree.folders_with(words).into_iter().collect();
    folders.insert(home.clone());
    let mut finder = NameFinder::new(&tree, &subject, &home);
    folders.iter().for_each(|dir| finder.folder(dir));
    if let Some(refusal) = finder.refusal() {
        return Err(refusal);
    }
    let moved = finder.moved_edits()?;
    let mut splices: BTreeMap<String, Vec<Splice>> = moved.splices;
    for (path, places) in &finder.found {
        let of_file = splices.entry(path.clone()).or_default();
        let own = places
            .iter()
            .map(|(start, end)| Splice { range: *start..*end, text: subject.new.clone() });
        of_file.extend(own);
    }
    let mut files = Vec::new();
    for dir in &folders {
        for file in &tree.folder(dir).files {
            let Some(own) = splices.remove(&file.path) else { continue };
            let before = SourceText { name: file.path.clone(), text: file.text.clone() };
            let mut after = rewrite(&before, own)?;
            for (_, body) in moved.added.iter().filter(|(path, _)| *path == file.path) {
                let edit = Edit::new(EditOp::Add, "moved[]", Some(body))?;
                let text = SourceText { text: after.as_str().into(), ..before.clone() };
                let changed = apply(&[text], &[edit], language)?;
                after = changed.into_iter().next().map_or(after, |one| one.text);
            }
            files.push(RenamedFile {
                path: file.path.clone(),
                before: before.text,
                after: after.into(),
            });
        }
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files.dedup_by(|a, b| a.path == b.path);
    verify::verify(host, &tree, &folders, &files)?;
    let mut notes: Vec<String> = finder.notes.iter().cloned().collect();
    notes.extend(unseen(&subject, &tree, &home));
    Ok(RenameResult { files, notes })
}

/// Returns the note that uses from outside of the code, such as `TF_VAR_…`, have to be changed by hand; `None` if no such uses
/// are possible, because the module, in the folder `home`, is called by others or the kind of declaration has none.
fn unseen(subject: &RenamedDeclaration, tree: &FolderTree<'_>, home: &str) -> Option<String> {
    let is_called = tree.dirs().any(|dir| {
        tree.is_read(dir)
            && tree.folder(dir).calls.values().any(|call| call.folder.as_deref() == Some(home))
    });
    let old = &subject.old;
    match subject.kind {
        DeclarationKind::Variable if !is_called => Some(format!(
            "Anything that sets the variable from outside, by TF_VAR_{old} or -var {old}=…, has to use {} from now on.",
            subject.new
        )),
        DeclarationKind::Output if !is_called => Some(format!(
            "Anything that reads the output from outside, from the state or by `output {old}`, has to use {} from now on.",
            subject.new
        )),
        _ => None,
    }
}
