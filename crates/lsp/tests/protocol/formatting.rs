//! The layout, from the text alone.

use serde_json::json;

use crate::client::{TestClient, about, edited, uri};

/// A module that is not in canonical format.
const UGLY: &str = "locals {\n    a=1\n  long =   2\n}\n\nlocals {\n b=3\n}\n";

/// Returns a text after the edits of a formatting request, with further parameters `more`.
fn formatted(client: &mut TestClient, method: &str, more: serde_json::Value, text: &str) -> String {
    let mut params = about("/w/main.tf");
    params["options"] = json!({ "tabSize": 2, "insertSpaces": true });
    for (name, value) in more.as_object().expect("names and values") {
        params[name] = value.clone();
    }
    edited(text, &client.request(method, params))
}

#[test]
fn a_document_gets_the_usual_layout() {
    let mut client = TestClient::of(&[]);
    client.open("/w/main.tf", UGLY);
    let whole = formatted(&mut client, "textDocument/formatting", json!({}), UGLY);
    assert_eq!(whole, "locals {\n  a    = 1\n  long = 2\n}\n\nlocals {\n  b = 3\n}\n");
    client.change("/w/main.tf", &whole);
    assert_eq!(
        client.request("textDocument/formatting", {
            let mut params = about("/w/main.tf");
            params["options"] = json!({ "tabSize": 8, "insertSpaces": false });
            params
        }),
        json!([])
    );
}

/// Tests that range formatting changes only the lines of the range.
#[test]
fn lines_of_a_range_get_it_alone() {
    let mut client = TestClient::of(&[]);
    client.open("/w/main.tf", UGLY);
    let start = json!({ "line": 5, "character": 0 });
    let end = json!({ "line": 8, "character": 0 });
    let range = json!({ "range": { "start": start, "end": end } });
    let part = formatted(&mut client, "textDocument/rangeFormatting", range, UGLY);
    assert_eq!(part, "locals {\n    a=1\n  long =   2\n}\n\nlocals {\n  b = 3\n}\n");
}

#[test]
fn a_closing_brace_lays_out_its_block() {
    let mut client = TestClient::of(&[]);
    client.open("/w/main.tf", UGLY);
    let typed = json!({ "position": { "line": 3, "character": 1 }, "ch": "}" });
    let part = formatted(&mut client, "textDocument/onTypeFormatting", typed, UGLY);
    assert_eq!(part, "locals {\n  a    = 1\n  long = 2\n}\n\nlocals {\n b=3\n}\n");
}

#[test]
fn line_ends_and_byte_order_marks_stay() {
    let mut client = TestClient::of(&[]);
    let text = UGLY.replace('\n', "\r\n");
    client.open("/w/main.tf", &text);
    let whole = formatted(&mut client, "textDocument/formatting", json!({}), &text);
    assert_eq!(
        whole,
        "locals {\r\n  a    = 1\r\n  long = 2\r\n}\r\n\r\nlocals {\r\n  b = 3\r\n}\r\n"
    );
    let marked = format!("\u{feff}{UGLY}");
    client.change("/w/main.tf", &marked);
    let whole = formatted(&mut client, "textDocument/formatting", json!({}), &marked);
    assert!(whole.starts_with("\u{feff}locals {\n  a    = 1\n"), "{whole:?}");
}

/// Tests that formatting changes nothing in a file that is not open or not in the language.
#[test]
fn what_is_not_open_or_not_the_language_stays() {
    let mut client = TestClient::of(&[("/w/other.tf", UGLY)]);
    let params = json!({
        "textDocument": { "uri": uri("/w/other.tf") },
        "options": { "tabSize": 2, "insertSpaces": true },
    });
    assert_eq!(client.error("textDocument/formatting", params), -32803);
    client.open("/w/main.tf", "locals {\n a=\n");
    let text = "locals {\n a=\n";
    assert_eq!(formatted(&mut client, "textDocument/formatting", json!({}), text), text);
}
