//! Names in a test file: those of the module that it tests, and its own runs. A test file is not read with its root, so that they are
//! looked for by the words before the cursor.

use groma::place::DeclarationId;
use groma_syntax::{Body, BodyItem};

use crate::complete::{ChainStep, site_at};
use crate::document::TextDocument;
use crate::file_kind::FileKind;
use crate::file_span::FileSpan;
use crate::request::Request;

/// The declaration of the tested module that an offset of a test file is about: one that a reference names, or the variable that an
/// argument of `variables` sets.
pub(crate) fn tested_at(
    request: &Request<'_>,
    document: &TextDocument,
    at: u32,
) -> Option<DeclarationId> {
    let all = request.snapshot()?.declarations_of(0);
    let find = |address: &str| all.iter().find(|(_, own)| own == address).map(|(id, _)| *id);
    let address = address_at(document, at)?;
    let is_input = document.blocks_at(at).last().is_some_and(|step| step.kind == "variables");
    if is_input && !address.contains('.') {
        return find(&format!("var.{address}"));
    }
    // Steps behind the name lead into its value.
    let mut address = address.as_str();
    loop {
        if let Some(id) = find(address) {
            return Some(id);
        }
        address = address.rsplit_once('.')?.0;
    }
}

/// The run of the file that a reference at an offset names.
pub(crate) fn run_at(document: &TextDocument, at: u32) -> Option<FileSpan> {
    let address = address_at(document, at)?;
    let name = address.strip_prefix("run.")?.split('.').next()?;
    let body: Body = document.syntax().body();
    body.items().into_iter().find_map(|item| match item {
        BodyItem::Block(block) if &*block.kind.text == "run" => {
            let label = block.labels.first().filter(|label| &*label.text == name)?;
            Some(FileSpan { file: document.name().into(), span: label.span })
        }
        _ => None,
    })
}

/// Returns true if a document is a test file.
pub(crate) fn is_test(document: &TextDocument) -> bool {
    document.kind() == Some(FileKind::Test)
}

/// The names up to the one at an offset, with dots between.
fn address_at(document: &TextDocument, at: u32) -> Option<String> {
    let site = site_at(document.tree()?, at);
    let word = site.word.of(document.text());
    if word.is_empty() {
        return None;
    }
    let names = site.chain.iter().filter_map(|step| match step {
        ChainStep::Name(name) => Some(name.as_str()),
        _ => None,
    });
    Some(names.chain([word]).collect::<Vec<_>>().join("."))
}
