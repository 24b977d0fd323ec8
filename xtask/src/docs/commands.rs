//! Generation of the index of command pages: a page with the title `groma NAME` documents a command, all others are further
//! pages.

use std::fmt::Write as _;
use std::fs;

use testkit::conformance;

use super::made::{Made, bare, first_sentence, unlinked};

/// The path of the generated index of the pages about commands.
const INDEX: &str = "docs/reference/commands/README.md";

/// The text above the tables of the index of commands.
const HEAD: &str = "\
# Commands

Every page shows what it says, and its examples run as tests. `groma help COMMAND` lists the flags of a command. This index is
made by `cargo xtask docs`.
";

/// A page of the manual: its title, its link and its first sentence.
struct Page {
    title: String,
    link: String,
    about: String,
}

impl Page {
    /// Returns the name of the command that the page documents; `None` if it is about several.
    fn command(&self) -> Option<&str> {
        self.title.strip_prefix("groma ").filter(|name| !name.contains(' ') && !name.contains(':'))
    }
}

/// Generates the index of the pages about commands.
pub(super) fn made() -> Result<Made, String> {
    let (commands, others): (Vec<Page>, Vec<Page>) =
        pages("cli")?.into_iter().partition(|page| page.command().is_some());
    let mut out = String::from(HEAD);
    list("Command by command", &commands, &mut out);
    list("What several commands share", &others, &mut out);
    list("Tasks", &pages("guides")?, &mut out);
    Ok((INDEX, out))
}

/// Writes a Markdown table of pages under a heading.
fn list(heading: &str, pages: &[Page], out: &mut String) {
    let _ = write!(out, "\n## {heading}\n\n| page | about |\n| --- | --- |\n");
    for Page { title, link, about } in pages {
        let _ = writeln!(out, "| [{title}]({link}) | {about} |");
    }
}

/// Reads the title, link and first sentence of each page of a directory, sorted by title.
fn pages(folder: &str) -> Result<Vec<Page>, String> {
    let place = conformance().join("pages").join(folder);
    let entries = fs::read_dir(&place).map_err(|error| format!("{}: {error}", place.display()))?;
    let mut pages = Vec::new();
    for entry in entries {
        let path = entry.map_err(|error| error.to_string())?.path();
        let text =
            fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = bare(&text);
        let title = text.lines().next().unwrap_or_default();
        let about = unlinked(&first_sentence(text));
        // A page begins with a paragraph, not with an example.
        if about.is_empty()
            || about.starts_with('`') && about.ends_with("`:")
            || about.contains("```")
        {
            return Err(format!("{folder}/{name} begins with no sentence"));
        }
        pages.push(Page {
            title: title.trim_start_matches("# ").replace('`', ""),
            link: format!("../../../conformance/pages/{folder}/{name}"),
            about,
        });
    }
    pages.sort_by_key(|one| one.title.to_lowercase());
    Ok(pages)
}
