//! The files of a directory that belong to a module, in the order in which they are read: by name, override files last,
//! independent of the order of the listing.

use groma_runtime::Dialect;

use crate::file_kind::{FileKind, FilePurpose, FileSyntax};

/// A file of a module: its name and syntax, and true if it is an override file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModuleFile {
    /// Its name in the directory.
    pub name: String,
    /// The syntax.
    pub spelling: FileSyntax,
    /// True if it is an override file.
    pub is_override: bool,
    /// True if only OpenTofu reads files with its suffix.
    pub is_tofu: bool,
}

/// Returns true for the names of hidden files and editor backups, which are not read.
pub fn is_ignored(name: &str) -> bool {
    name.starts_with('.') || name.ends_with('~') || (name.starts_with('#') && name.ends_with('#'))
}

/// Returns the dialect that the file names of a directory imply: Packer if Packer templates are the only code, else OpenTofu.
pub fn dialect_of<'a>(names: impl IntoIterator<Item = &'a str>) -> Dialect {
    let mut dialect = Dialect::OpenTofu;
    let mut has_module = false;
    for name in names {
        if is_ignored(name) {
            continue;
        }
        match FileKind::of(name).filter(|kind| kind.purpose == FilePurpose::Code) {
            Some(FileKind { owner: Some(Dialect::OpenTofu), .. }) => return Dialect::OpenTofu,
            Some(FileKind { owner: Some(Dialect::Packer), .. }) => dialect = Dialect::Packer,
            Some(_) => has_module = true,
            None => {}
        }
    }
    if has_module { Dialect::OpenTofu } else { dialect }
}

/// Selects the files of a module from file names: primary files by name, then override files by name. A file of one dialect
/// replaces the shared file of the same stem.
pub fn select<'a>(names: impl IntoIterator<Item = &'a str>, dialect: Dialect) -> Vec<ModuleFile> {
    let is_read = |kind: &FileKind| {
        let is_own = kind.owner == Some(dialect);
        let is_shared = kind.owner.is_none() && dialect != Dialect::Packer;
        kind.purpose == FilePurpose::Code && (is_own || is_shared)
    };
    let all = names.into_iter().filter(|name| !is_ignored(name));
    let found: Vec<(&str, FileKind)> =
        all.filter_map(|name| Some((name, FileKind::of(name).filter(is_read)?))).collect();
    // A file that only one program reads replaces the shared file with the same stem.
    let shadowed = |name: &str, kind: &FileKind| {
        kind.owner.is_none()
            && found.iter().any(|(other, its)| {
                its.owner.is_some()
                    && its.syntax == kind.syntax
                    && its.stem(other) == kind.stem(name)
            })
    };
    let shown = found.iter().filter(|(name, kind)| !shadowed(name, kind));
    let mut chosen: Vec<ModuleFile> = shown
        .map(|(name, kind)| {
            let stem = kind.stem(name);
            ModuleFile {
                name: (*name).to_owned(),
                spelling: kind.syntax,
                is_override: stem == "override" || stem.ends_with("_override"),
                is_tofu: kind.is_tofu(),
            }
        })
        .collect();
    chosen.sort_by(|a, b| (a.is_override, &a.name).cmp(&(b.is_override, &b.name)));
    chosen.dedup();
    chosen
}

/// Returns the file names with an unknown ending similar to those of the language, such as `a.tfnew.hcl`, sorted.
pub fn unfamiliar<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    /// The words before `.hcl` or `.json` in known endings, such as `tf` in `a.tf.json`.
    const KNOWN: [&str; 11] = [
        "tf",
        "tofu",
        "tftest",
        "tofutest",
        "tfquery",
        "tfmock",
        "tfcomponent",
        "tfdeploy",
        "tfstack",
        "tfvars",
        "tfplan",
    ];
    let is_unfamiliar = |name: &&str| {
        let Some((stem, "hcl" | "json")) = name.rsplit_once('.') else { return false };
        let Some((_, word)) = stem.rsplit_once('.') else { return false };
        (word.starts_with("tf") || word.starts_with("tofu")) && !KNOWN.contains(&word)
    };
    let names = names.into_iter().filter(|name| !is_ignored(name));
    let mut found: Vec<&str> = names.filter(is_unfamiliar).collect();
    found.sort_unstable();
    found
}

/// Selects the query files, such as `a.tfquery.hcl`, from file names, sorted.
pub fn queries<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<ModuleFile> {
    let all = names.into_iter().filter(|name| !is_ignored(name));
    let mut chosen: Vec<ModuleFile> = all
        .filter_map(|name| {
            let kind = FileKind::of(name).filter(|kind| kind.purpose == FilePurpose::Query)?;
            let spelling = kind.syntax;
            Some(ModuleFile { name: name.to_owned(), spelling, is_override: false, is_tofu: false })
        })
        .collect();
    chosen.sort_by(|a, b| a.name.cmp(&b.name));
    chosen
}

/// Selects the test files from file names, in the order in which they run. For OpenTofu its own file replaces the shared file of
/// the same stem.
pub fn tests<'a>(names: impl IntoIterator<Item = &'a str>, dialect: Dialect) -> Vec<ModuleFile> {
    let all = names.into_iter().filter(|name| !is_ignored(name));
    let all = all.filter_map(|name| Some((name, FileKind::of(name)?)));
    let all: Vec<(&str, FileKind)> =
        all.filter(|(_, kind)| kind.purpose == FilePurpose::Test).collect();
    let reads_own = dialect == Dialect::OpenTofu;
    let mut chosen = Vec::new();
    for (name, kind) in &all {
        let is_tofu = kind.owner.is_some();
        let is_shadowed = !is_tofu
            && all.iter().any(|(other, its)| {
                its.owner.is_some()
                    && its.syntax == kind.syntax
                    && its.stem(other) == kind.stem(name)
            });
        if if is_tofu { reads_own } else { !(reads_own && is_shadowed) } {
            let (name, spelling) = ((*name).to_owned(), kind.syntax);
            chosen.push(ModuleFile { name, spelling, is_override: false, is_tofu });
        }
    }
    chosen.sort_by(|a, b| a.name.cmp(&b.name));
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the names of the files that are selected for a module of a dialect.
    fn names(dialect: Dialect, all: &[&str]) -> Vec<String> {
        select(all.iter().copied(), dialect).into_iter().map(|c| c.name).collect()
    }

    /// Checks that hidden files and editor backups are not files of a module.
    #[test]
    fn left_behind_files_are_not_read() {
        let all = ["#l.tf#", ".h.tf", "b.tf~", "main.tf", "note.TF", "x.tf.bak", "y.tf.json"];
        assert_eq!(names(Dialect::OpenTofu, &all), ["main.tf", "y.tf.json"]);
    }

    /// Checks that for OpenTofu its own file replaces the shared file of the same stem and syntax only.
    #[test]
    fn tofu_shadows_its_twin_only() {
        let all = ["x.tf.json", "x.tofu", "x.tf", "y.tf", "z_override.tf", "z_override.tofu"];
        let tofu = ["x.tf.json", "x.tofu", "y.tf", "z_override.tofu"];
        assert_eq!(names(Dialect::OpenTofu, &all), tofu);
        let terraform = ["x.tf", "x.tf.json", "y.tf", "z_override.tf"];
        assert_eq!(names(Dialect::Terraform, &all), terraform);
    }

    /// Checks that override files follow the primary files, both sorted by name.
    #[test]
    fn overrides_come_last_by_name() {
        let all = ["z_override.tf", "override.tf", "main.tf", "b_override.tf", "zz.tf"];
        let order = ["main.tf", "zz.tf", "b_override.tf", "override.tf", "z_override.tf"];
        assert_eq!(names(Dialect::OpenTofu, &all), order);
    }
}
