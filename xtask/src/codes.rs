//! The diagnostic codes as declared in the sources: every crate with diagnostics has a `codes.rs`, a table with one row for each
//! code. It is parsed as text, so that this tool does not depend on those crates.

use syn::parse::{Parse, ParseStream};
use syn::{Ident, LitStr, Token};

/// The crates that declare diagnostic codes, in the order of processing, each with the heading of its codes in the index.
pub(crate) const STAGES: &[(&str, &str)] = &[
    ("syntax", "Text and syntax"),
    ("format", "Layout"),
    ("eval", "Expressions and limits"),
    ("config", "Files, and what modules and Packer templates share"),
    ("inputs", "Values from outside the code"),
    ("module", "Declarations of a module"),
    ("decode", "Bodies, and values that variables get"),
    ("project", "Modules together, and their values"),
    ("lint", "What works and yet is hardly meant"),
    ("mock", "Mock files"),
    ("plan", "Plans and state"),
    ("packer", "Packer templates"),
    ("install", "Bringing modules"),
    ("cli", "The command"),
];

/// A diagnostic code as a `codes!` table declares it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Code {
    pub(crate) name: String,
    pub(crate) slug: String,
    pub(crate) summary: String,
    pub(crate) doc: String,
    /// True if a later edition may allow what the diagnostic reports.
    pub(crate) may_be_new: bool,
}

/// The rows of a `codes!` table, parsed from the source of a crate.
struct Rows(Vec<Code>);

impl Parse for Rows {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut rows = Vec::new();
        while !input.is_empty() {
            let name: Ident = input.parse()?;
            let text = || {
                input.parse::<Token![,]>()?;
                input.parse::<LitStr>().map(|text| text.value())
            };
            let (slug, summary, doc) = (text()?, text()?, text()?);
            let may_be_new = input.parse::<Option<Token![,]>>()?.is_some();
            if may_be_new {
                let word: Ident = input.parse()?;
                if word != "may_be_new" {
                    return Err(syn::Error::new(word.span(), "expected `may_be_new`"));
                }
            }
            rows.push(Code { name: name.to_string(), slug, summary, doc, may_be_new });
            input.parse::<Token![;]>()?;
        }
        Ok(Rows(rows))
    }
}

/// Returns the path of the source file with a crate's diagnostic codes, from the top of the workspace.
pub(crate) fn file(stage: &str) -> String {
    format!("crates/{stage}/src/codes.rs")
}

/// Parses the diagnostic codes that the `codes!` tables of a file declare.
pub(crate) fn declared(text: &str) -> Result<Vec<Code>, String> {
    let file = syn::parse_file(text).map_err(|error| error.to_string())?;
    let table = file.items.into_iter().find_map(|item| match item {
        syn::Item::Macro(item) if item.mac.path.segments.last()?.ident == "codes" => Some(item.mac),
        _ => None,
    });
    let table = table.ok_or("it has no table of codes: codes! { … }")?;
    table.parse_body::<Rows>().map(|rows| rows.0).map_err(|error| error.to_string())
}
