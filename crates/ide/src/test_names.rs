//! Names in test files: those of the tested module, and the file's own runs. Test files are not part of the root, so names are
//! found by the text at the cursor.

use groma::place::DeclarationId;
use groma_syntax::{Body, BodyItem};

use crate::complete::{ChainStep, site_at};
use crate::document::TextDocument;
use crate::file_kind::FileKind;
use crate::file_span::FileSpan;
use crate::request::Request;

/// Returns the declaration of the tested module that an offset of a test file refers to: the target of a reference, or the
/// variable that an argument of `variables` sets.
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
    // Further steps after the name lead into its value.
    let mut address = address.as_str();
    loop {
        if let Some(id) = find(address) {
            return Some(id);
        }
        address = address.rsplit_once('.')?.0;
    }
}

/// Returns the run in the file that a reference at an offset names.
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

/// Returns the dotted names up to the one at an offset.
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
