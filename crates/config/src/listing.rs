//! Which files of a directory belong to a module, and in which order they are read. The order of
//! the listing plays no part: files are read by name, override files last.

use groma_runtime::Dialect;

/// The syntax of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileSyntax {
    /// The native syntax.
    Native,
    /// JSON.
    Json,
}

/// A file that belongs to the module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModuleFile {
    /// Its name in the directory.
    pub name: String,
    /// The syntax.
    pub spelling: FileSyntax,
    /// True if it changes what the other files declare.
    pub is_override: bool,
    /// True if its name is one that only OpenTofu reads.
    pub is_tofu: bool,
}

/// The endings a dialect reads, the one that shadows first, and how each is written.
fn endings(dialect: Dialect) -> &'static [(&'static str, FileSyntax)] {
    match dialect {
        Dialect::OpenTofu => &[
            (".tofu", FileSyntax::Native),
            (".tofu.json", FileSyntax::Json),
            (".tf", FileSyntax::Native),
            (".tf.json", FileSyntax::Json),
        ],
        Dialect::Terraform => &[(".tf", FileSyntax::Native), (".tf.json", FileSyntax::Json)],
        Dialect::Packer => &[(".pkr.hcl", FileSyntax::Native), (".pkr.json", FileSyntax::Json)],
    }
}

/// Returns true if an editor or a version control system left the file behind.
pub fn is_ignored(name: &str) -> bool {
    name.starts_with('.') || name.ends_with('~') || (name.starts_with('#') && name.ends_with('#'))
}

/// The dialect that the file names speak of: `.tofu` files and `.pkr.hcl` files decide.
pub fn dialect_of<'a>(names: impl IntoIterator<Item = &'a str>) -> Dialect {
    let mut dialect = Dialect::OpenTofu;
    let mut has_module = false;
    for name in names {
        if is_ignored(name) {
            continue;
        }
        if name.ends_with(".tofu") || name.ends_with(".tofu.json") {
            return Dialect::OpenTofu;
        }
        has_module |= name.ends_with(".tf") || name.ends_with(".tf.json");
        if name.ends_with(".pkr.hcl") || name.ends_with(".pkr.json") {
            dialect = Dialect::Packer;
        }
    }
    if has_module { Dialect::OpenTofu } else { dialect }
}

/// The files of the module among `names`: primary files by name, then override files by name.
pub fn select<'a>(names: impl IntoIterator<Item = &'a str>, dialect: Dialect) -> Vec<ModuleFile> {
    let mut found: Vec<(&str, usize, &str)> = Vec::new();
    let endings = endings(dialect);
    for name in names {
        if is_ignored(name) {
            continue;
        }
        let fit = endings
            .iter()
            .enumerate()
            .find_map(|(row, (end, _))| Some((name.strip_suffix(end)?, row)));
        if let Some((stem, row)) = fit {
            found.push((stem, row, name));
        }
    }
    let shadowed = |stem: &str, row: usize| {
        let (end, spelling) = endings[row];
        end.starts_with(".tf")
            && found.iter().any(|&(other, r, _)| {
                other == stem && endings[r].0.starts_with(".tofu") && endings[r].1 == spelling
            })
    };
    let mut chosen: Vec<ModuleFile> = found
        .iter()
        .filter(|&&(stem, row, _)| !shadowed(stem, row))
        .map(|&(stem, row, name)| ModuleFile {
            name: name.to_owned(),
            spelling: endings[row].1,
            is_override: stem == "override" || stem.ends_with("_override"),
            is_tofu: endings[row].0.starts_with(".tofu"),
        })
        .collect();
    chosen.sort_by(|a, b| (a.is_override, &a.name).cmp(&(b.is_override, &b.name)));
    chosen.dedup();
    chosen
}

/// The files among `names` whose endings are made like those of the language's own files and are none that is known, by
/// name: `a.tfnew.hcl`.
pub fn unfamiliar<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    /// What stands before `.hcl` or `.json` in names of files that programs know, and before `.json` alone.
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

/// The query files among `names`, by name. None of them changes what another declares.
pub fn queries<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<ModuleFile> {
    let all = names.into_iter().filter(|name| !is_ignored(name));
    let mut chosen: Vec<ModuleFile> = all
        .filter_map(|name| {
            let spelling = match name {
                _ if name.ends_with(".tfquery.hcl") => FileSyntax::Native,
                _ if name.ends_with(".tfquery.json") => FileSyntax::Json,
                _ => return None,
            };
            Some(ModuleFile { name: name.to_owned(), spelling, is_override: false, is_tofu: false })
        })
        .collect();
    chosen.sort_by(|a, b| a.name.cmp(&b.name));
    chosen
}

/// The test files of a folder, in the order in which they run. One that only OpenTofu reads stands for the one of the
/// same name that all read.
pub fn tests<'a>(names: impl IntoIterator<Item = &'a str>, dialect: Dialect) -> Vec<ModuleFile> {
    const ENDINGS: [(&str, &str, FileSyntax); 2] = [
        (".tofutest.hcl", ".tftest.hcl", FileSyntax::Native),
        (".tofutest.json", ".tftest.json", FileSyntax::Json),
    ];
    let all: Vec<&str> = names.into_iter().filter(|name| !is_ignored(name)).collect();
    let mut chosen = Vec::new();
    for name in &all {
        for (own, shared, spelling) in ENDINGS {
            let is_tofu = dialect == Dialect::OpenTofu && name.ends_with(own);
            let stem = name.strip_suffix(shared);
            let is_shadowed = dialect == Dialect::OpenTofu
                && stem.is_some_and(|stem| {
                    all.iter().any(|other| other.strip_suffix(own) == Some(stem))
                });
            if is_tofu || stem.is_some() && !is_shadowed {
                let name = (*name).to_owned();
                chosen.push(ModuleFile { name, spelling, is_override: false, is_tofu });
            }
        }
    }
    chosen.sort_by(|a, b| a.name.cmp(&b.name));
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(dialect: Dialect, all: &[&str]) -> Vec<String> {
        select(all.iter().copied(), dialect).into_iter().map(|c| c.name).collect()
    }

    #[test]
    fn left_behind_files_are_not_read() {
        let all = ["#l.tf#", ".h.tf", "b.tf~", "main.tf", "note.TF", "x.tf.bak", "y.tf.json"];
        assert_eq!(names(Dialect::OpenTofu, &all), ["main.tf", "y.tf.json"]);
    }

    #[test]
    fn tofu_shadows_its_twin_only() {
        let all = ["x.tf.json", "x.tofu", "x.tf", "y.tf", "z_override.tf", "z_override.tofu"];
        let tofu = ["x.tf.json", "x.tofu", "y.tf", "z_override.tofu"];
        assert_eq!(names(Dialect::OpenTofu, &all), tofu);
        let terraform = ["x.tf", "x.tf.json", "y.tf", "z_override.tf"];
        assert_eq!(names(Dialect::Terraform, &all), terraform);
    }

    #[test]
    fn overrides_come_last_by_name() {
        let all = ["z_override.tf", "override.tf", "main.tf", "b_override.tf", "zz.tf"];
        let order = ["main.tf", "zz.tf", "b_override.tf", "override.tf", "z_override.tf"];
        assert_eq!(names(Dialect::OpenTofu, &all), order);
    }
}
