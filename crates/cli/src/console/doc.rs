//! `:doc`: shows the manual page of a function or block. A nested block without a page of its own is a section on the page of
//! its parent.

use groma::functions::{FoundFunction, FunctionLibrary};
use groma::manual::{BLOCK_PAGES, TEMPLATE_PAGES, bare};
use groma::{Dialect, Edition, values::nearest};

use crate::command::show_page;
use crate::session::{EarlyStop, RunSession};

/// Prints the manual page of a function or block type; returns a message instead if there is no page of this name, else `None`.
pub(super) fn show(
    name: &str,
    edition: Edition,
    session: &mut RunSession<'_>,
) -> Result<Option<String>, EarlyStop> {
    let pages = match edition.dialect {
        Dialect::Packer => TEMPLATE_PAGES,
        Dialect::Terraform | Dialect::OpenTofu => BLOCK_PAGES,
    };
    let library = FunctionLibrary::of(edition).with_console().with_variable_default();
    let is_function = match library.find(name.trim_end_matches(['(', ')'])) {
        FoundFunction::Function(function) => !function.removed,
        FoundFunction::Provided(_) => true,
        FoundFunction::Elsewhere { .. }
        | FoundFunction::Lacking { .. }
        | FoundFunction::Nowhere { .. } => false,
    };
    if is_function {
        return show_page(name, edition, session);
    }
    if let Some(text) = find(name, pages) {
        writeln!(session.out, "{}", text.trim())?;
        return Ok(None);
    }
    // A name that is close to a block's is more likely a mistyped block than a function.
    if let Some(near) = nearest(name, names(pages)) {
        return Ok(Some(format!("there is no block `{name}`; did you mean `{near}`?")));
    }
    let said = show_page(name, edition, session)?;
    Ok(said.map(|said| match said.strip_prefix("there is no function ") {
        Some(rest) => format!("there is no function or block {rest}"),
        None => said,
    }))
}

/// Returns the text of the manual page of this name, else of the first section of this name on any page, else `None`; `pages` are
/// pairs of name and text.
fn find<'p>(name: &str, pages: &[(&str, &'p str)]) -> Option<&'p str> {
    let page = pages.iter().find(|(own, _)| *own == name).map(|(_, text)| bare(text));
    page.or_else(|| pages.iter().find_map(|(_, text)| section(name, bare(text))))
}

/// Yields the second-level headings of a page with their byte offsets.
fn headings(page: &str) -> impl Iterator<Item = (&str, usize)> {
    let (mut at, mut is_fenced) = (0, false);
    page.split_inclusive('\n').filter_map(move |line| {
        let start = at;
        at += line.len();
        is_fenced ^= line.starts_with("```");
        let heading = line.strip_prefix("## ").filter(|_| !is_fenced)?;
        Some((heading.trim(), start))
    })
}

/// Returns the section of a page under this heading, heading included; `None` if the page has no such heading.
fn section<'p>(name: &str, page: &'p str) -> Option<&'p str> {
    let mut behind = headings(page).skip_while(|(heading, _)| *heading != name);
    let (_, start) = behind.next()?;
    let end = behind.next().map_or(page.len(), |(_, end)| end);
    page.get(start..end)
}

/// Yields the names that `:doc` accepts: those of `pages`, which are pairs of name and text, and of their sections that are named
/// like blocks.
fn names<'p>(pages: &[(&'p str, &'p str)]) -> impl Iterator<Item = &'p str> {
    let is_block = |name: &&str| {
        name.bytes().all(|byte| byte.is_ascii_lowercase() || matches!(byte, b'_' | b'-'))
    };
    pages.iter().flat_map(move |(own, text)| {
        let inner = headings(bare(text)).map(|(heading, _)| heading).filter(is_block);
        std::iter::once(*own).chain(inner)
    })
}
