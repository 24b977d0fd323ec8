//! Invalid messages, and files that change while the server runs: the server answers with an error or reads the file again, and
//! continues.

use groma_lsp::{FrameContent, FrameReader, framed};
use serde_json::json;

use crate::client::{TestClient, about, at, uri};

/// A module with a reference, by which a test finds that the server still answers.
const MAIN: &str = "locals {\n  a = 1\n  b = local.a\n}\n\noutput \"b\" {\n  value = local.b\n}\n";

/// Asserts that the server still answers correctly about [`MAIN`].
fn is_alive(client: &mut TestClient) {
    client.change("/w/main.tf", MAIN);
    let found = client.at("textDocument/definition", "/w/main.tf", 2, 13);
    assert_eq!(found[0]["targetSelectionRange"]["start"]["line"], 1);
}

/// Returns a client that has opened [`MAIN`].
fn opened() -> TestClient {
    let mut client = TestClient::of(&[("/w/main.tf", MAIN)]);
    client.open_file("/w/main.tf");
    client
}

/// Tests that invalid messages are answered by the protocol's errors.
#[test]
fn messages_of_another_form_are_answered_by_errors() {
    let mut client = opened();
    for (message, code) in [
        ("{", -32700),
        ("7", -32600),
        ("{\"method\":7}", -32600),
        ("{\"id\":{},\"method\":\"shutdown\"}", -32600),
        ("{\"jsonrpc\":\"2.0\"}", -32600),
        ("\u{0}", -32700),
    ] {
        client.errors.clear();
        client.server.receive(message);
        client.settle();
        assert_eq!(client.errors[0]["code"], code, "{message}");
    }
    // This JSON is nested deeper than the parser allows.
    client.server.receive(&"[".repeat(100_000));
    client.server.receive_broken("a header gives no length of its message");
    client.settle();
    is_alive(&mut client);
}

#[test]
fn answers_that_were_not_asked_for_are_ignored() {
    let mut client = opened();
    client.send(&json!({ "jsonrpc": "2.0", "id": 4711, "result": null }));
    client.send(&json!({ "jsonrpc": "2.0", "id": "x", "error": { "code": 1, "message": "" } }));
    client.settle();
    is_alive(&mut client);
}

/// Tests that messages are read after broken headers and contents, however the bytes are divided.
#[test]
fn frames_are_read_whatever_lies_between_them() {
    let all = |bytes: &[u8], piece: usize| {
        let (mut reader, mut found) = (FrameReader::default(), Vec::new());
        for bytes in bytes.chunks(piece) {
            reader.push(bytes);
            while let Some(frame) = reader.next_frame() {
                found.push(frame);
            }
        }
        found
    };
    let message = |text: &str| FrameContent::Message(text.to_owned());
    let is_broken = |frame: &FrameContent| matches!(frame, FrameContent::Broken(_));
    let good = framed("{}");
    for piece in [1, 3, 1000] {
        assert_eq!(all(good.repeat(2).as_bytes(), piece), [message("{}"), message("{}")]);
        let lines = b"content-length:  2 \nContent-Type: x\n\n{}";
        assert_eq!(all(lines, piece), [message("{}")]);
        for broken in [
            "Content-Length: x\r\n\r\n",
            "Content-Length: -5\r\n\r\n",
            "Content-Length: 99999999999999999999999\r\n\r",
            "Length: 7\r\n\r\n{}{}{}{",
            "\r\n\r\n",
            &"x".repeat(100_000),
            &"Content-Type: x\r\n".repeat(2_000),
        ] {
            let found = all(format!("{broken}{good}").as_bytes(), piece);
            if broken.contains("999") {
                assert!(found.is_empty() || is_broken(&found[0]), "{broken:.40}: {found:?}");
                continue;
            }
            assert_eq!(found.last(), Some(&message("{}")), "{broken:.40} in pieces of {piece}");
            assert!(is_broken(&found[0]), "{broken:.40}");
        }
        let bytes = [b"Content-Length: 2\r\n\r\n\xff\xfe".as_slice(), good.as_bytes()].concat();
        let found = all(&bytes, piece);
        assert!(is_broken(&found[0]));
        assert_eq!(found[1], message("{}"));
    }
}

#[test]
fn a_message_that_is_too_long_is_passed_over() {
    let mut reader = FrameReader::default();
    reader.push(format!("Content-Length: {}\r\n\r\n", 300 << 20).as_bytes());
    assert_eq!(reader.next_frame(), Some(FrameContent::Broken("a message is too long")));
    let piece = vec![b'x'; 100 << 20];
    (0..3).for_each(|_| reader.push(&piece));
    reader.push(framed("{}").as_bytes());
    assert_eq!(reader.next_frame(), Some(FrameContent::Message("{}".to_owned())));
}

/// Tests that changes are applied in order of arrival, whatever their version numbers.
#[test]
fn versions_may_be_wrong() {
    let mut client = opened();
    for version in [7, 3, -1, 0] {
        let document = json!({ "uri": uri("/w/main.tf"), "version": version });
        let text = format!("{MAIN}# {version}\n");
        let params = json!({ "textDocument": document, "contentChanges": [{ "text": text }] });
        client.notify("textDocument/didChange", params);
        is_alive(&mut client);
    }
}

/// Tests that an invalid change makes requests about the document fail until its whole text is sent again.
#[test]
fn ranges_outside_of_the_text_lose_the_document_until_it_comes_whole() {
    let mut client = opened();
    let range = |line: u64, end: u64| {
        json!({
            "start": { "line": line, "character": 0 },
            "end": { "line": end, "character": 4_000_000_000_u64 },
        })
    };
    // A column past the end of a line means that end.
    client.change_by("/w/main.tf", json!([{ "range": range(1, 1), "text": "  a = 2" }]));
    let hover = client.at("textDocument/hover", "/w/main.tf", 1, 3);
    assert!(
        hover["contents"]["value"].as_str().unwrap().starts_with("```terraform\n2\n"),
        "{hover}"
    );
    for wrong in
        [range(5, 3), range(100, 100), range(0, u64::from(u32::MAX) + 7), json!({}), json!(7)]
    {
        client.send(&json!({ "jsonrpc": "2.0", "method": "textDocument/didChange", "params": {
            "textDocument": { "uri": uri("/w/main.tf"), "version": 9 },
            "contentChanges": [{ "range": wrong, "text": "x" }],
        } }));
        client.settle();
        assert_eq!(client.error("textDocument/hover", at("/w/main.tf", 1, 3)), -32803, "{wrong}");
        is_alive(&mut client);
    }
    assert_eq!(client.error("textDocument/hover", at("/w/main.tf", 4_000_000, 3)), -32803);
    assert_eq!(
        client.error(
            "textDocument/hover",
            json!({ "textDocument": { "uri": uri("/w/main.tf") }, "position": "here" })
        ),
        -32602
    );
}

/// Tests that notifications about documents that are not open, or with invalid parameters, are ignored.
#[test]
fn news_of_documents_that_are_not_open_is_ignored() {
    let mut client = opened();
    client.change("/w/other.tf", "x");
    client.close("/w/other.tf");
    client.close("/w/other.tf");
    client.send(&json!({ "jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {} }));
    client.send(&json!({ "jsonrpc": "2.0", "method": "textDocument/didChange", "params": 7 }));
    client.settle();
    is_alive(&mut client);
    assert_eq!(client.error("textDocument/hover", at("/w/other.tf", 0, 0)), -32803);
    client.open_file("/w/main.tf");
    is_alive(&mut client);
}

/// Tests that files that become invalid or are removed on disk do not stop the server.
#[test]
fn files_change_and_vanish_below_the_server() {
    let files = [("/w/main.tf", MAIN), ("/w/more.tf", "locals {\n  c = 3\n}\n")];
    let mut client = TestClient::of(&files);
    client.open_file("/w/main.tf");
    client.files.write("/w/more.tf", b"\xff\xfe\x00");
    let changes = |kind: u32| json!({ "changes": [{ "uri": uri("/w/more.tf"), "type": kind }] });
    client.notify("workspace/didChangeWatchedFiles", changes(2));
    assert!(!client.findings("/w/more.tf").is_empty());
    is_alive(&mut client);
    client.files.remove("/w/more.tf");
    client.notify("workspace/didChangeWatchedFiles", changes(3));
    assert!(client.findings("/w/more.tf").is_empty());
    client.files.remove("/w/main.tf");
    is_alive(&mut client);
    client.close("/w/main.tf");
    assert_eq!(client.error("textDocument/hover", at("/w/main.tf", 0, 0)), -32803);
}

/// Tests that a panic fails the current request only.
#[test]
fn a_panic_ends_one_request() {
    let mut client = opened();
    client.files.panic_from_now_on(true);
    client.change("/w/main.tf", &format!("{MAIN}# more\n"));
    assert_eq!(client.error("textDocument/hover", at("/w/main.tf", 1, 3)), -32603);
    assert!(client.log.iter().any(|line| line.contains("a host that fails")), "{:?}", client.log);
    client.files.panic_from_now_on(false);
    is_alive(&mut client);
}

#[test]
fn a_large_document_is_held() {
    let mut client = opened();
    let line = "# a line of some length that says nothing at all\n";
    let text = format!("{}{MAIN}", line.repeat((50 << 20) / line.len()));
    client.open(
        "/w/large.tf",
        &text.replace("\"b\"", "\"c\"").replace("a = 1", "d = 1").replace("b = local.a", "e = 1"),
    );
    let symbols = client.request("textDocument/documentSymbol", about("/w/large.tf"));
    assert_eq!(symbols.as_array().unwrap().len(), 2);
    let end = json!({ "line": 0, "character": 0 });
    client.change_by(
        "/w/large.tf",
        json!([{ "range": { "start": end, "end": end }, "text": "#\n" }]),
    );
    client.close("/w/large.tf");
    is_alive(&mut client);
}

/// Tests that documents with other URIs than those of files are read, and that invalid URIs do not stop the server.
#[test]
fn addresses_may_be_of_any_scheme() {
    let mut client = opened();
    let item = json!({ "uri": "untitled:Untitled-1", "languageId": "terraform", "version": 1, "text": "locals {\n  a = 1\n}\n" });
    client.notify("textDocument/didOpen", json!({ "textDocument": item }));
    let params = json!({ "textDocument": { "uri": "untitled:Untitled-1" } });
    let symbols = client.request("textDocument/documentSymbol", params.clone());
    assert_eq!(symbols[0]["name"], "locals");
    for uri in ["", "%", "file:", "file://", "http://x/../..", "file:///%00"] {
        let params = json!({ "textDocument": { "uri": uri } });
        let response = client.response("textDocument/documentSymbol", params);
        assert!(response.get("result").is_some() || response.get("error").is_some());
    }
    client.notify("textDocument/didClose", params);
    is_alive(&mut client);
}
