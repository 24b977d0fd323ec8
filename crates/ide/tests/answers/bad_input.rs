//! Input that no question expects: broken text, offsets outside of it, bytes that are no text, files that are not there.

use groma::syntax::Span;
use groma::{LoadOptions, MemoryHost, Workspace};
use groma_ide::{
    FindingStage, Request, closing_formatting, code_actions, code_lenses, complete, definition,
    diagnostics, document_links, document_symbols, file_renames, folding, formatting, highlights,
    hover, implementation, inlay_hints, linked_ranges, prepare_rename, range_formatting,
    references, rename, resolve_action, selection_ranges, semantic_tokens, signature_help,
    type_definition,
};

use crate::root::MarkedRoot;

/// Sends every kind of request for every offset of a file, and for offsets beyond its end.
fn ask_everything(request: &Request<'_>, file: &str, length: u32) {
    for at in (0..length + 3).chain([u32::MAX]) {
        hover(request, file, at);
        definition(request, file, at);
        references(request, file, at, true);
        let _ = prepare_rename(request, file, at);
        closing_formatting(request, file, at);
        highlights(request, file, at);
        complete(request, file, at);
        signature_help(request, file, at);
        type_definition(request, file, at);
        implementation(request, file, at);
        linked_ranges(request, file, at);
        selection_ranges(request, file, at);
    }
    let _ = rename(request, file, length / 2, "x y");
    for range in [Span::new(0, length), Span::new(5, 1), Span::new(u32::MAX - 1, u32::MAX)] {
        inlay_hints(request, file, range, Some(length + 9));
        semantic_tokens(request, file, Some(range));
        range_formatting(request, file, range);
    }
    let findings = diagnostics(request, file, FindingStage::Checked);
    for range in [Span::new(0, length), Span::at(length / 2), Span::new(9, u32::MAX)] {
        for action in code_actions(request, file, range, &findings) {
            let _ = resolve_action(request, file, &action);
        }
    }
    file_renames(request, file, "app/other");
    code_lenses(request, file);
    document_links(request, file);
    document_symbols(request, file);
    formatting(request, file);
    folding(request, file);
    diagnostics(request, file, FindingStage::Checked);
}

/// Tests that no request panics for a file truncated at any character, or for offsets beyond its end.
#[test]
fn broken_texts_and_offsets_outside() {
    let text = "locals {\n  é = \"${upper(\n  b = local.é.\n}\nresource \"a\" {\n  x = [1, \n\noutput \"o\" { value = <<E\n😀\n";
    for end in (0..text.len()).filter(|at| text.is_char_boundary(*at)) {
        let root = MarkedRoot::of(&[("app/main.tf", &text[..end])]);
        ask_everything(&root.request(), "app/main.tf", end as u32);
    }
    let json = r#"{"locals": {"a": "${local.b", "b": [1, {"c":"#;
    for end in 0..json.len() {
        let root = MarkedRoot::of(&[("app/main.tf.json", &json[..end])]);
        ask_everything(&root.request(), "app/main.tf.json", end as u32);
    }
}

/// Tests that no request panics for missing files and for files that are not UTF-8.
#[test]
fn files_that_are_not_there_and_bytes_that_are_no_text() {
    let workspace = Workspace::new(MemoryHost::new());
    workspace.set("app/main.tf", b"locals {\n  a = \"\xff\"\n}\n".to_vec());
    workspace.set("app/odd.tfvars", b"\xff".to_vec());
    let snapshot = workspace.root("app", &LoadOptions::default());
    let request = Request::new(&workspace).in_root(snapshot);
    for file in ["app/main.tf", "app/odd.tfvars", "app/gone.tf", "", "/", "app"] {
        ask_everything(&request, file, 30);
    }
    assert!(!diagnostics(&request, "app/main.tf", FindingStage::Loaded).is_empty());
}
