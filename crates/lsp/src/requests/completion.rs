//! Completion. An item records where it was requested, and its documentation is computed from there when it is selected.

use groma_ide::{CompletionItem, CompletionKind, complete, resolve_completion};
use serde_json::{Value, json};

use super::inquiry::DocumentInquiry;
use crate::message::RequestError;
use crate::state::ServerState;

/// Characters that trigger completion. Commas and parentheses are not included: a line often ends there, and Enter would accept
/// the first item.
pub(super) const TRIGGERS: [&str; 6] = [".", "\"", "$", "{", "[", "/"];

/// The protocol's trigger kind for a typed character.
const TRIGGER_CHARACTER: u32 = 2;

/// Answers `textDocument/completion` with the completion items at the position.
pub(super) fn completion(server: &mut ServerState, params: &Value) -> Result<Value, RequestError> {
    let inquiry = DocumentInquiry::of(server, params)?;
    let request = inquiry.request();
    let at = inquiry.offset(&request, params)?;
    let text = request.document(&inquiry.file).map(|document| document.source().text().clone());
    let before = text.as_deref().and_then(|text| text.get(..at as usize)).unwrap_or_default();
    if is_opening(&params["context"], before) {
        return Ok(json!({ "isIncomplete": false, "items": [] }));
    }
    let found = complete(&request, &inquiry.file, at);
    let places = server.places(&request);
    let has_snippets = server.client.has_snippets;
    let item = |(number, one): (usize, &CompletionItem)| {
        let (text, format) = match one.is_snippet {
            true if has_snippets => (one.insert.clone(), 2),
            true => (without_stops(&one.insert), 1),
            false => (one.insert.clone(), 1),
        };
        let mut item = json!({
            "label": one.label,
            "kind": kind(one.kind),
            "sortText": format!("{:03}{number:05}", one.rank),
            "filterText": one.label,
            "insertTextFormat": format,
            "textEdit": { "range": places.range(&inquiry.file, one.replaces), "newText": text },
            "data": {
                "uri": params["textDocument"]["uri"],
                "position": params["position"],
            },
        });
        if let Some(detail) = &one.detail {
            item["detail"] = json!(detail);
        }
        if one.is_deprecated {
            item["tags"] = json!([1]);
        }
        item
    };
    let items: Vec<Value> = found.items.iter().enumerate().map(item).collect();
    Ok(json!({ "isIncomplete": found.is_cut || found.is_pending, "items": items }))
}

/// Returns true if the trigger in `context` is a bracket that, by the text `before` the cursor, opens a block, an object or a
/// list and not a template or an index. The user often presses Enter next, which must not accept an item.
fn is_opening(context: &Value, before: &str) -> bool {
    let is_typed = context["triggerKind"] == TRIGGER_CHARACTER;
    match context["triggerCharacter"].as_str() {
        Some("{") if is_typed => !before.ends_with("${") && !before.ends_with("%{"),
        Some("[") if is_typed => {
            let name = before.strip_suffix('[').unwrap_or(before);
            !name.ends_with(|one: char| {
                one.is_alphanumeric() || matches!(one, '_' | '-' | ']' | ')')
            })
        }
        _ => false,
    }
}

/// Answers `completionItem/resolve` with the completion item of the parameters and its documentation.
pub(super) fn resolve(server: &mut ServerState, params: &Value) -> Result<Value, RequestError> {
    let data = &params["data"];
    let about = json!({ "textDocument": { "uri": data["uri"] }, "position": data["position"] });
    let inquiry = DocumentInquiry::of(server, &about)?;
    let request = inquiry.request();
    let mut resolved = params.clone();
    // The text may have changed since; then nothing is added.
    let Ok(at) = inquiry.offset(&request, &about) else { return Ok(resolved) };
    let found = complete(&request, &inquiry.file, at);
    let is_it =
        |one: &&CompletionItem| params["label"] == *one.label && params["kind"] == kind(one.kind);
    if let Some(one) = found.items.iter().find(is_it) {
        let text = resolve_completion(&request, &inquiry.file, one);
        if !text.is_empty() {
            resolved["documentation"] = match server.client.has_item_markdown {
                true => json!({ "kind": "markdown", "value": text.markdown() }),
                false => json!(text.plain()),
            };
        }
    }
    Ok(resolved)
}

/// Returns the protocol's number for a kind of completion item.
fn kind(kind: CompletionKind) -> u32 {
    match kind {
        CompletionKind::Function => 3,
        CompletionKind::Attribute => 5,
        CompletionKind::Name => 6,
        CompletionKind::Block => 7,
        CompletionKind::Label => 8,
        CompletionKind::Argument => 10,
        CompletionKind::Word => 14,
        CompletionKind::File => 17,
        CompletionKind::Folder => 19,
        CompletionKind::Choice => 20,
    }
}

/// Returns the text of a snippet with its tab stops replaced by their defaults, for clients without snippets.
fn without_stops(snippet: &str) -> String {
    let mut out = String::new();
    let mut rest = snippet.chars().peekable();
    let mut open = 0;
    while let Some(character) = rest.next() {
        match character {
            '\\' => out.extend(rest.next()),
            '$' if rest.peek() == Some(&'{') => {
                rest.next();
                let mut is_number = true;
                while let Some(next) = rest.peek().copied() {
                    is_number &= next.is_ascii_digit();
                    if !is_number {
                        break;
                    }
                    rest.next();
                }
                if rest.peek() == Some(&':') {
                    rest.next();
                }
                open += 1;
            }
            '$' => while rest.next_if(char::is_ascii_digit).is_some() {},
            '}' if open > 0 => open -= 1,
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::without_stops;

    #[test]
    fn stops_leave_their_words() {
        assert_eq!(without_stops("a = ${1:name}$0"), "a = name");
        assert_eq!(without_stops("b {\n  c = \"${1}\"\n}$0"), "b {\n  c = \"\"\n}");
        assert_eq!(without_stops("\\${x\\}\\\\"), "${x}\\");
    }
}
