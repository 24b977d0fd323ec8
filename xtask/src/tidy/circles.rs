//! Dependencies between the files of a crate: a file depends on the files that define the names it uses. They are read from
//! paths, through re-exports; method calls are not seen, and tests are ignored.

use std::collections::{BTreeMap, BTreeSet};

use syn::visit::{self, Visit};
use syn::{ItemMod, ItemUse, Path, UseTree, Visibility};

use super::finding::Finding;
use super::tree::Tree;

/// Maximum number of files in a cycle, for a type that is defined with its parts in two or three files.
const MAX_FILES: usize = 3;

/// Files and folders of one crate, of which the first must not depend on the second, directly or not. They were cycles once.
const DOWNWARD: &[(&str, &str)] = &[
    ("crates/module/src/declare/", "crates/module/src/check/"),
    ("crates/module/src/shared_modules.rs", "crates/module/src/load.rs"),
    ("crates/plan/src/plan.rs", "crates/plan/src/action.rs"),
    ("crates/plan/src/output.rs", "crates/plan/src/action.rs"),
    ("crates/packer/src/template_inputs.rs", "crates/packer/src/declare/mod.rs"),
];

/// Checks that dependency cycles of files have at most [`MAX_FILES`] files, and that those of [`DOWNWARD`] stay cut.
pub(super) fn are_small(tree: &Tree, out: &mut Vec<Finding>) {
    let mut crates: BTreeMap<&str, BTreeMap<Vec<String>, (&str, &str)>> = BTreeMap::new();
    for (path, text) in tree.texts() {
        let Some((folder, inner)) = path.split_once("/src/") else { continue };
        let Some(stem) = inner.strip_suffix(".rs") else { continue };
        let mut module: Vec<String> = stem.split('/').map(str::to_owned).collect();
        if matches!(module.last().map(String::as_str), Some("mod" | "lib" | "main")) {
            module.pop();
        }
        crates.entry(folder).or_default().insert(module, (path, text));
    }
    for files in crates.values() {
        let arrows = arrows(files);
        for ring in rings(&arrows) {
            let mut says =
                format!("{} files lead to each other, {MAX_FILES} at most may:", ring.len());
            for from in &ring {
                let to: Vec<&str> = arrows[from].intersection(&ring).copied().collect();
                says.push_str(&format!("\n  {from} -> {}", to.join(", ")));
            }
            out.push(Finding::new(ring.first().copied().unwrap_or_default(), 1, says));
        }
        for (lower, upper) in DOWNWARD {
            for from in arrows.keys().filter(|file| file.starts_with(lower)) {
                if let Some(to) = reached(from, &arrows).iter().find(|to| to.starts_with(upper)) {
                    let says = format!("it leads to {to}, and {lower} lies below {upper}");
                    out.push(Finding::new(from, 1, says));
                }
            }
        }
    }
}

/// The files of a crate by module path: the path of the file and its text.
type Files<'t> = BTreeMap<Vec<String>, (&'t str, &'t str)>;
/// The files that each file depends on, by path.
type Arrows<'t> = BTreeMap<&'t str, BTreeSet<&'t str>>;

/// The paths that a source file names, and its re-exports.
#[derive(Default)]
struct FileNames {
    /// Every path within the crate, absolute.
    named: Vec<Vec<String>>,
    /// Re-exported names, with the paths that they stand for.
    reexported: BTreeMap<String, Vec<String>>,
    /// Modules of which all names are re-exported.
    reexported_modules: Vec<Vec<String>>,
}

/// Returns the files that each file of a crate depends on.
fn arrows<'t>(files: &Files<'t>) -> Arrows<'t> {
    let names: BTreeMap<&Vec<String>, FileNames> =
        files.iter().map(|(module, (_, text))| (module, read(module, text, files))).collect();
    let mut found = Arrows::new();
    for (module, (file, _)) in files {
        let targets = names[module].named.iter().filter_map(|path| home(path, &names, 0));
        let others: BTreeSet<&str> =
            targets.filter(|target| *target != module).map(|target| files[target].0).collect();
        found.insert(file, others);
    }
    found
}

/// Returns the module that defines the item at a path, through re-exports; `None` outside of the crate.
fn home<'s>(
    path: &[String],
    names: &'s BTreeMap<&Vec<String>, FileNames>,
    depth: usize,
) -> Option<&'s Vec<String>> {
    let longest = (0..=path.len()).rev().find(|end| names.contains_key(&path[..*end].to_vec()))?;
    let (module, at) = names.get_key_value(&path[..longest].to_vec())?;
    let Some(name) = path.get(longest) else { return Some(module) };
    if depth > 8 {
        return Some(module);
    }
    if let Some(behind) = at.reexported.get(name) {
        return home(behind, names, depth + 1);
    }
    for whole in &at.reexported_modules {
        let behind: Vec<String> = whole.iter().chain([name]).cloned().collect();
        if names.get(whole).is_some_and(|inner| inner.reexported.contains_key(name)) {
            return home(&behind, names, depth + 1);
        }
    }
    Some(module)
}

/// Reads the paths and re-exports in the text of a file.
fn read(module: &[String], text: &str, files: &Files<'_>) -> FileNames {
    let mut reader = Reader { module, files, names: FileNames::default() };
    if let Ok(file) = syn::parse_file(text) {
        reader.visit_file(&file);
    }
    reader.names
}

/// Visitor that collects the paths in a file.
struct Reader<'a, 't> {
    module: &'a [String],
    files: &'a Files<'t>,
    names: FileNames,
}

impl Reader<'_, '_> {
    /// Converts a path in this file to one from the crate's root; `None` if it leads to another crate.
    fn absolute(&self, path: &[String]) -> Option<Vec<String>> {
        let mut base = self.module.to_vec();
        let mut rest = path;
        match rest.first()?.as_str() {
            "crate" => base.clear(),
            "self" => {}
            "super" => {
                while let Some((first, after)) = rest.split_first()
                    && first == "super"
                {
                    base.pop()?;
                    rest = after;
                }
                base.extend(rest.iter().cloned());
                return Some(base);
            }
            // The name of a child module.
            first => {
                base.push(first.to_owned());
                if !self.files.contains_key(&base) {
                    return None;
                }
            }
        }
        base.extend(rest[1..].iter().cloned());
        Some(base)
    }

    /// Records the names in a `use` declaration; `reexported` says that they are re-exported.
    fn imported(&mut self, tree: &UseTree, before: &mut Vec<String>, reexported: bool) {
        match tree {
            UseTree::Path(path) => {
                before.push(path.ident.to_string());
                self.imported(&path.tree, before, reexported);
                before.pop();
            }
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.imported(tree, before, reexported);
                }
            }
            UseTree::Glob(_) => {
                if let Some(path) = self.absolute(before) {
                    match reexported {
                        true => self.names.reexported_modules.push(path),
                        false => self.names.named.push(path),
                    }
                }
            }
            UseTree::Name(name) => self.name(&name.ident, &name.ident, before, reexported),
            UseTree::Rename(name) => self.name(&name.ident, &name.rename, before, reexported),
        }
    }

    /// Records one name that a `use` declaration imports: its path and the name under which it is known.
    fn name(
        &mut self,
        ident: &syn::Ident,
        known: &syn::Ident,
        before: &[String],
        reexported: bool,
    ) {
        let ident = ident.to_string();
        let mut path = before.to_vec();
        if ident != "self" {
            path.push(ident);
        }
        let Some(path) = self.absolute(&path) else { return };
        match reexported {
            true => {
                self.names.reexported.insert(known.to_string(), path);
            }
            false => self.names.named.push(path),
        }
    }
}

impl<'ast> Visit<'ast> for Reader<'_, '_> {
    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        let is_test = item.attrs.iter().any(|one| {
            one.path().is_ident("cfg")
                && one.parse_args::<syn::Ident>().is_ok_and(|word| word == "test")
        });
        if !is_test {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        let reexported = !matches!(item.vis, Visibility::Inherited);
        self.imported(&item.tree, &mut Vec::new(), reexported);
    }

    fn visit_path(&mut self, path: &'ast Path) {
        let parts: Vec<String> = path.segments.iter().map(|part| part.ident.to_string()).collect();
        if parts.len() > 1
            && let Some(path) = self.absolute(&parts)
        {
            self.names.named.push(path);
        }
        visit::visit_path(self, path);
    }
}

/// Returns the dependency cycles of more than [`MAX_FILES`] files.
fn rings<'t>(arrows: &Arrows<'t>) -> Vec<BTreeSet<&'t str>> {
    let reach: BTreeMap<&str, BTreeSet<&str>> =
        arrows.keys().map(|from| (*from, reached(from, arrows))).collect();
    let mut found: Vec<BTreeSet<&str>> = Vec::new();
    for from in arrows.keys() {
        if found.iter().any(|ring| ring.contains(from)) {
            continue;
        }
        let ring: BTreeSet<&str> =
            reach[from].iter().copied().filter(|to| reach[to].contains(from)).collect();
        if ring.len() > MAX_FILES {
            found.push(ring);
        }
    }
    found
}

/// Returns the files that a file depends on, directly or not.
fn reached<'t>(from: &str, arrows: &Arrows<'t>) -> BTreeSet<&'t str> {
    let mut found = BTreeSet::new();
    let mut open: Vec<&str> = vec![from];
    while let Some(at) = open.pop() {
        for to in arrows.get(at).into_iter().flatten() {
            if found.insert(*to) {
                open.push(to);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::tests::{finds, finds_nothing};

    /// Checks that a cycle of four files through a re-export is reported.
    #[test]
    fn rings_of_four_are_found_through_what_is_handed_on() {
        let ring = [
            ("x/src/lib.rs", "//! X.\nmod a;\nmod b;\nmod c;\nmod d;\npub use a::A;\n"),
            ("x/src/a.rs", "//! A.\nuse crate::b::B;\npub struct A(B);\n"),
            ("x/src/b.rs", "//! B.\nuse crate::c::C;\npub struct B(C);\n"),
            ("x/src/c.rs", "//! C.\npub struct C(crate::d::D);\n"),
            ("x/src/d.rs", "//! D.\nuse crate::A;\npub struct D(Box<A>);\n"),
        ];
        finds(&ring, "4 files lead to each other");
        finds_nothing(&ring[..4]);
    }

    /// Checks that a dependency against [`DOWNWARD`](super::DOWNWARD) is reported.
    #[test]
    fn a_cycle_that_was_cut_is_found_again() {
        let up = [
            ("crates/plan/src/plan.rs", "//! Plan.\nuse crate::build::B;\n"),
            ("crates/plan/src/build.rs", "//! Build.\nuse crate::action::A;\npub struct B(A);\n"),
            ("crates/plan/src/action.rs", "//! Action.\npub struct A;\n"),
        ];
        finds(&up, "crates/plan/src/plan.rs lies below crates/plan/src/action.rs");
    }
}
