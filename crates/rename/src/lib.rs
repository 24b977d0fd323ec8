//! One name of a module changed everywhere that it is said: where it is declared, in every reference, in the calls of
//! other folders, in files of values, of tests and of mocks. What exists under the old name is moved to the new one.
//!
//! It is made from what is written, by name: of a name that a `for` or a `dynamic` block binds nothing changes, nor in
//! any text. Either all places are changed or none: where the name may be said in a way that cannot be followed, the
//! change is refused with the place.
#![forbid(unsafe_code)]

mod describe;
mod find;
mod moved;
mod name_sites;
mod references;
mod subject;
mod tree;
mod verify;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use groma_edit::{Edit, EditLanguage, EditOp, EditRefusal, SourceText, Splice, apply, rewrite};
use groma_runtime::{Edition, Host};

use crate::find::NameFinder;
pub use crate::name_sites::is_named;
use crate::subject::{DeclarationKind, RenamedDeclaration};
use crate::tree::FolderTree;

/// The declaration to rename, and the folder it is in.
#[derive(Clone, Debug)]
pub struct RenameRequest<'r> {
    /// The folder that declares it.
    pub dir: &'r str,
    /// The highest folder in which others are looked for that say the name.
    pub top: &'r str,
    /// The old address: `var.name`, `local.name`, `output.name`, `module.name`, `check.name`, `type.name`,
    /// `data.type.name`,
    /// `provider.name.alias`.
    pub old: &'r str,
    /// The new name, or the whole new address.
    pub new: &'r str,
    /// As what the code is read; nothing where every folder says so itself.
    pub edition: Option<Edition>,
    /// Files of values that belong to it, wherever they lie and whatever they are called.
    pub value_files: &'r [String],
}

/// A file that the change is in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RenamedFile {
    /// Its path, from the current folder.
    pub path: String,
    /// The old text.
    pub before: Arc<str>,
    /// The new text.
    pub after: Arc<str>,
}

/// A change of name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RenameResult {
    /// The files, by their path.
    pub files: Vec<RenamedFile>,
    /// Notes on uses that cannot be seen from here.
    pub notes: Vec<String>,
}

/// Changes a name. Nothing is written: what the files are to say is given back.
///
/// # Errors
/// Where there is no such declaration, the new name is none or is taken, or a place cannot be followed or read.
pub fn rename(
    host: &Arc<dyn Host>,
    what: &RenameRequest<'_>,
    language: EditLanguage<'_>,
) -> Result<RenameResult, EditRefusal> {
    let subject = RenamedDeclaration::read(what.old, what.new)?;
    let mut tree = FolderTree::of(&**host, what.top, what.edition);
    let home = tree.place(what.dir)?;
    tree.belong(&home, what.value_files);
    if !tree.edition_of(&home).dialect.has_modules() {
        return Err(EditRefusal(format!(
            "{} is a Packer template: rename works in modules only.",
            tree.shown(&home)
        )));
    }
    // A use of a module as one value uses its outputs without saying their names.
    let words: &[&str] = match subject.kind {
        DeclarationKind::Output => &[&subject.old, "module."],
        _ => &[&subject.old],
    };
    let mut folders: BTreeSet<String> = tree.saying(words).into_iter().collect();
    folders.insert(home.clone());
    let mut finder = NameFinder::new(&tree, &subject, &home);
    folders.iter().for_each(|dir| finder.folder(dir));
    if let Some(refusal) = finder.refusal() {
        return Err(refusal);
    }
    let moves = finder.moves()?;
    let mut splices: BTreeMap<String, Vec<Splice>> = moves.splices;
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
            for (_, body) in moves.added.iter().filter(|(path, _)| *path == file.path) {
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
    verify::holds(host, &tree, &folders, &files)?;
    let mut notes: Vec<String> = finder.notes.iter().cloned().collect();
    notes.extend(unseen(&subject, &tree, &home));
    Ok(RenameResult { files, notes })
}

/// The places that may use the name without being seen.
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
