//! Generation of the index of blocks from the rows and their pages. A row has a page of its own, or a heading on the page of an
//! enclosing block; its arguments are listed there in a table whose first column is `argument`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;

use groma_config::{BlockRow, OpenContent};
use groma_module::dialect::{MODULE, QUERY};
use groma_runtime::{Availability, Dialect};
use testkit::{Page, page, shown};

use super::made::{Made, bare, first_sentence};

/// The path of the generated index of block types.
const INDEX: &str = "docs/reference/blocks/README.md";
/// The relative path from the index to the pages.
const TO_PAGES: &str = "../../../conformance/pages";
/// Minimum number of runnable examples on the page of a block.
const STEPS: usize = 3;

/// Generates the index of block types; the error lists the differences between the engine's rows and the pages.
pub(super) fn made() -> Result<Made, String> {
    let pages = Pages::read()?;
    let wrong = pages.differences();
    match wrong.is_empty() {
        true => Ok((INDEX, pages.index())),
        false => Err(wrong.join("\n")),
    }
}

/// The documentation of one block type, such as `resource`, read from its page.
struct Entry {
    /// The link to its page and heading, from the directory of the pages.
    link: String,
    /// The rows of its tables of arguments, by the argument's name.
    arguments: BTreeMap<String, String>,
}

/// The documentation of all block types, read from the pages.
struct Pages {
    entries: BTreeMap<String, Entry>,
    /// For each page without a row its directory, file name, title and first sentence.
    others: Vec<[String; 4]>,
    /// Sentences on pages with too few examples.
    poor: Vec<String>,
}

/// Returns the engine's descriptions of module blocks, nested ones included, by block type; a type may have several.
fn kinds() -> BTreeMap<&'static str, Vec<&'static BlockRow>> {
    let mut kinds: BTreeMap<&str, Vec<&BlockRow>> = BTreeMap::new();
    let mut open: Vec<&BlockRow> = MODULE.iter().chain(QUERY).collect();
    while let Some(row) = open.pop() {
        kinds.entry(row.kind).or_default().push(row);
        open.extend(row.blocks);
    }
    kinds
}

impl Pages {
    /// Reads the pages of all block types.
    fn read() -> Result<Pages, String> {
        let kinds = kinds();
        let mut pages = Pages { entries: BTreeMap::new(), others: Vec::new(), poor: Vec::new() };
        for folder in ["blocks", "module"] {
            for path in page::files(folder) {
                let name = shown(&path);
                let text = fs::read_to_string(&path).map_err(|error| format!("{name}: {error}"))?;
                let file =
                    path.file_name().map_or_else(String::new, |f| f.to_string_lossy().into());
                let text = bare(&text);
                let title = pages.read_page(text, &format!("{folder}/{file}"), &kinds);
                if !kinds.contains_key(&*title) {
                    let sentence = first_sentence(text);
                    pages.others.push([folder.to_owned(), file, title, sentence]);
                }
                pages.check_examples(&name, text)?;
            }
        }
        Ok(pages)
    }

    /// Records the headings and tables of a page, and returns its title.
    fn read_page(
        &mut self,
        text: &str,
        link: &str,
        kinds: &BTreeMap<&'static str, Vec<&'static BlockRow>>,
    ) -> String {
        let (mut title, mut kind) = (String::new(), String::new());
        let (mut fenced, mut in_table) = (false, false);
        for line in text.lines() {
            fenced ^= line.starts_with("```");
            if fenced {
                continue;
            }
            if let Some(heading) = line.strip_prefix('#') {
                let heading = heading.trim_start_matches('#').trim();
                let first = title.is_empty();
                if first {
                    heading.clone_into(&mut title);
                }
                let known = kinds.contains_key(heading);
                heading.clone_into(&mut kind);
                if !known {
                    title.clone_into(&mut kind);
                    continue;
                }
                let link = if first { link.to_owned() } else { format!("{link}#{heading}") };
                let entry = Entry { link, arguments: BTreeMap::new() };
                self.entries.entry(heading.to_owned()).or_insert(entry);
            } else if !line.starts_with('|') {
                in_table = false;
            } else if line.starts_with("| argument |") {
                in_table = true;
            } else if let Some((name, rest)) = in_table.then(|| cell(line)).flatten()
                && let Some(entry) = self.entries.get_mut(&kind)
            {
                entry.arguments.insert(name.to_owned(), rest.to_owned());
            }
        }
        title
    }

    /// Checks that a page has at least [`STEPS`] examples, one with an error or a warning; records what is missing.
    fn check_examples(&mut self, name: &str, text: &str) -> Result<(), String> {
        let page = Page::read(name, text)?;
        let steps = page.sections.iter().flat_map(|section| &section.steps);
        let (count, complaints) = steps.fold((0, 0), |(count, complaints), step| {
            let complains = step.answer.contains("Error: ") || step.answer.contains("Warning: ");
            (count + 1, complaints + usize::from(complains))
        });
        if count < STEPS || complaints == 0 {
            self.poor.push(format!(
                "{name}: a page has at least {STEPS} steps, one of them with an error"
            ));
        }
        Ok(())
    }

    /// Returns the differences between the engine's rows and the pages as sentences.
    fn differences(&self) -> Vec<String> {
        let mut wrong = self.poor.clone();
        for (kind, rows) in kinds() {
            let Some(entry) = self.entries.get(kind) else {
                wrong.push(format!(
                    "conformance/pages/blocks/{kind}.md is missing, and no page has a heading \"{kind}\""
                ));
                continue;
            };
            let page = format!("conformance/pages/{}", entry.link);
            let mut known = BTreeSet::new();
            for argument in rows.iter().flat_map(|row| row.arguments) {
                known.insert(argument.name);
                match entry.arguments.get(argument.name) {
                    None => wrong.push(format!(
                        "{page}: no table has a row for the argument `{}`",
                        argument.name
                    )),
                    Some(text) if !says_since(text, argument.editions) => wrong.push(format!(
                        "{page}: the row of `{}` does not say: {}",
                        argument.name,
                        argument.editions.editions_text()
                    )),
                    Some(text) if argument.is_required && !text.contains("required") => {
                        wrong.push(format!("{page}: `{}` is required", argument.name));
                    }
                    Some(_) => {}
                }
            }
            let closed = rows.iter().all(|row| row.open == OpenContent::Closed);
            let extra = entry.arguments.keys().filter(|name| closed && !known.contains(&***name));
            wrong.extend(extra.map(|name| format!("{page}: {kind} has no argument `{name}`")));
        }
        wrong
    }

    /// Returns the text of the generated index of block types, as Markdown.
    fn index(&self) -> String {
        let mut out = String::from(HEAD);
        out.push_str("\n## In a file\n\n| block | | where |\n| --- | --- | --- |\n");
        let mut open: Vec<&BlockRow> = Vec::new();
        for row in MODULE {
            self.line(row, &mut out);
            open.extend(row.blocks);
        }
        out.push_str("\n## In a query file\n\n| block | | where |\n| --- | --- | --- |\n");
        for row in QUERY {
            self.line(row, &mut out);
        }
        out.push_str("\n## In other blocks\n\n| block | | where |\n| --- | --- | --- |\n");
        let mut inner: BTreeMap<&str, &BlockRow> = BTreeMap::new();
        while let Some(row) = open.pop() {
            // `data` in a `check` has the same page as at the top of a file.
            if MODULE.iter().all(|top| top.kind != row.kind) {
                inner.entry(row.kind).or_insert(row);
            }
            open.extend(row.blocks);
        }
        for row in inner.into_values() {
            self.line(row, &mut out);
        }
        self.rest("blocks", &mut out);
        out.push_str("\n## The whole\n\n| page | |\n| --- | --- |\n");
        self.rest("module", &mut out);
        out
    }

    /// Writes the table row of a block type in the index.
    fn line(&self, row: &BlockRow, out: &mut String) {
        let Some(entry) = self.entries.get(row.kind) else { return };
        let labels: String = row.labels.iter().map(|label| format!(" \"{label}\"")).collect();
        let home = match row.editions {
            Availability::ALL => String::new(),
            editions => editions.editions_text(),
        };
        let _ = writeln!(
            out,
            "| [`{}{labels}`]({TO_PAGES}/{}) | {} | {home} |",
            row.kind, entry.link, row.doc
        );
    }

    /// Writes table rows for the pages of a directory that document no block type of the engine.
    fn rest(&self, folder: &str, out: &mut String) {
        for [home, file, title, sentence] in &self.others {
            if home == folder {
                let end = if folder == "blocks" { "  |" } else { "" };
                let _ =
                    writeln!(out, "| [{title}]({TO_PAGES}/{folder}/{file}) | {sentence} |{end}");
            }
        }
    }
}

/// Returns the name in backticks at the beginning of a table row, and the rest of the row; `None` for another line.
fn cell(line: &str) -> Option<(&str, &str)> {
    line.strip_prefix("| `")?.split_once('`')
}

/// Returns true if a text names every version since which a program supports an argument with these editions.
fn says_since(text: &str, editions: Availability) -> bool {
    Dialect::ALL.into_iter().all(|dialect| match editions.since(dialect) {
        Some(since) if since.major > 0 => {
            text.contains(&format!("{dialect} {}.{}", since.major, since.minor))
        }
        _ => true,
    })
}

/// The text above the tables of the index of block types.
const HEAD: &str = "\
# Blocks

Every block that the files of a module may hold, in OpenTofu and Terraform, each with a page whose examples run. This index
is made by `cargo xtask docs`.

On the pages, a table lists the arguments of a block. Its column *value* says what may stand behind the `=`:

| word | an expression that |
| --- | --- |
| *literal* | is written out, and refers to nothing |
| *static* | is a literal; in OpenTofu 1.8 and later it may refer to variables and locals that rest on nothing else |
| *names* | is an address, or a list of them: it is not evaluated |
| *known* | has to be known before anything is made; an unknown value is an error, or a placeholder where only our sources are short of it ([how](../../../conformance/pages/module/unknown.md)) |
| *any* | may be unknown |
";
