//! `cargo xtask docs [--check]`: writes what is made of the function table and its pages: the index in
//! `docs/reference/functions`, and the texts that `groma functions NAME` shows. The pages themselves are the reference;
//! the index only links them.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

use groma_functions::{Function, TABLE};
use testkit::{conformance, workspace};

const INDEX: &str = "docs/reference/functions/README.md";
const TEXTS: &str = "crates/cli/src/generated/page.rs";

/// Writes both, or says which is out of date.
pub(crate) fn run() -> Result<(), String> {
    match std::env::args().nth(2).as_deref() {
        None => write(),
        Some("--check") => check(),
        Some(_) => Err("cargo xtask docs [--check]".to_owned()),
    }
}

fn made() -> Result<[(&'static str, String); 2], String> {
    Ok([(INDEX, index()), (TEXTS, texts()?)])
}

fn write() -> Result<(), String> {
    for (path, text) in made()? {
        let file = workspace().join(path);
        let folder = file.parent().ok_or("no folder")?;
        fs::create_dir_all(folder).map_err(|error| format!("{path}: {error}"))?;
        fs::write(&file, text).map_err(|error| format!("{path}: {error}"))?;
    }
    Ok(())
}

fn check() -> Result<(), String> {
    let stale = |(path, text): &(&'static str, String)| {
        fs::read_to_string(workspace().join(path)).is_ok_and(|old| old == *text)
    };
    let stale: Vec<&str> =
        made()?.iter().filter(|made| !stale(made)).map(|(path, _)| *path).collect();
    match stale.as_slice() {
        [] => Ok(()),
        stale => Err(format!(
            "out of date: {}; `cargo xtask docs` or BLESS=1 writes it",
            stale.join(", ")
        )),
    }
}

/// The rows of a family, those of one name together.
fn names(functions: &'static [Function]) -> BTreeMap<&'static str, Vec<&'static Function>> {
    let mut names: BTreeMap<&str, Vec<&Function>> = BTreeMap::new();
    for function in functions {
        names.entry(function.name).or_default().push(function);
    }
    names
}

fn index() -> String {
    let mut out = String::from(HEAD);
    for family in TABLE {
        let _ = write!(
            out,
            "\n## {}: {}\n\n| function | | where |\n| --- | --- | --- |\n",
            family.name, family.about
        );
        for rows in names(family.functions).into_values() {
            let Some(row) = rows.first() else { continue };
            let place = format!("{}/{}.md", family.name, row.own_name());
            let homes = rows.iter().map(|row| row.homes()).collect::<Vec<_>>().join(", ");
            let everywhere = homes == "OpenTofu, Terraform, Packer";
            let terms = row.terms().unwrap_or_default();
            let homes = match everywhere {
                true => terms.to_owned(),
                false => format!("{homes}. {terms}"),
            };
            let _ = writeln!(
                out,
                "| [`{}`](../../../conformance/pages/functions/{place}) | {} | {} |",
                row.signature(),
                row.doc.replace('|', "\\|"),
                homes.trim_end()
            );
        }
    }
    out
}

const HEAD: &str = "\
# Functions

Every function of OpenTofu, Terraform and Packer, each with a page whose examples run. `groma functions` lists them at the
command line, `groma functions NAME` shows a page. This index is made by `cargo xtask docs`.

What holds for all of them, unless a page says otherwise:

- Arguments convert to the types of their parameters, as in `upper(12)`.
- An argument that is null is an error.
- A result waits for its arguments: while one is unknown, so is the result. Its type is known, and that it is not null.
- Marks pass on: what is made of a sensitive value is sensitive.
- The last argument may be a list that is spread over the parameters: `max(list...)`.
- Where there are namespaces (OpenTofu 1.7, Terraform 1.8), `core::upper` is `upper`.

What a function reads besides its arguments, and what becomes of it here:

- Most read nothing: the same arguments give the same result.
- Files are read below the root directory (`--root`) and nowhere else. What lies outside is refused with an error that says
  so; it is never taken for a file that is not there.
- The clock and chance differ from run to run. Such a function checks its arguments, and its result is then unknown, certain
  to be not null where the references are certain of it. `--now` pins the clock and `--seed` chance.
- The network is never asked: the result is unknown.

A name without a remark exists in all three programs; a version says since when.
";

/// The pages without front matter, as a table in code.
fn texts() -> Result<String, String> {
    let mut pages: BTreeMap<&str, String> = BTreeMap::new();
    for family in TABLE {
        for function in family.functions {
            let place = format!("pages/functions/{}/{}.md", family.name, function.own_name());
            let text = fs::read_to_string(conformance().join(&place))
                .map_err(|error| format!("conformance/{place}: {error}"))?;
            pages.insert(function.name, bare(&text).to_owned());
        }
    }
    let mut out = String::from(
        "//! Generated by `cargo xtask docs`, do not edit.\n\n\
         /// The page of each function, by name.\n\
         #[rustfmt::skip]\n\
         pub(crate) const PAGES: &[(&str, &str)] = &[\n",
    );
    for (name, text) in pages {
        let _ = writeln!(out, "    ({name:?}, r####\"{text}\"####),");
    }
    out.push_str("];\n");
    Ok(out)
}

/// A page without its front matter.
fn bare(text: &str) -> &str {
    let Some(rest) = text.strip_prefix("---\n") else { return text };
    rest.split_once("\n---\n").map_or(text, |(_, page)| page.trim_start())
}

#[cfg(test)]
mod tests {
    #[test]
    fn what_is_made_of_the_pages_is_up_to_date() {
        let done = if testkit::blessing() { super::write() } else { super::check() };
        if let Err(report) = done {
            panic!("\n{report}");
        }
    }
}
