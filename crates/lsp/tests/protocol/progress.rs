//! Progress of roots and of requests, and what is stopped by it.

use serde_json::{Value, json};

use crate::client::{TestClient, about, uri};

/// A module whose values are evaluated in a job.
const MAIN: &str = "locals {\n  a = 1\n  b = local.a + 1\n}\n";

/// Returns the kinds of the progress notifications under a token, such as `begin` and `end`, in order.
fn kinds(client: &TestClient, token: &Value) -> Vec<String> {
    let all = client.told("$/progress");
    let own = all.iter().filter(|one| one["token"] == *token);
    own.map(|one| one["value"]["kind"].as_str().expect("a kind").to_owned()).collect()
}

/// Tests that progress is shown for the first load of a root, and later only if the work takes long.
#[test]
fn a_root_that_is_read_for_the_first_time_shows_it() {
    let mut client = TestClient::of(&[("/w/app/main.tf", MAIN)]);
    client.has_worker = false;
    client.open_file("/w/app/main.tf");
    let asked = client.told("window/workDoneProgress/create");
    let token = asked[0]["token"].clone();
    assert_eq!(kinds(&client, &token), ["begin"]);
    let begun = &client.told("$/progress")[0]["value"];
    assert_eq!(begun["message"], "loading and evaluating app");
    client.has_worker = true;
    client.settle();
    assert_eq!(kinds(&client, &token), ["begin", "end"]);
    // After an edit, progress is shown only if the work takes long.
    client.has_worker = false;
    client.change("/w/app/main.tf", &format!("{MAIN}# more\n"));
    assert_eq!(client.told("window/workDoneProgress/create").len(), 1);
    client.server.note_long_work();
    client.settle();
    let asked = client.told("window/workDoneProgress/create");
    assert_eq!(asked.len(), 2);
    client.has_worker = true;
    client.settle();
    assert_eq!(kinds(&client, &asked[1]["token"]), ["begin", "end"]);
}

/// Tests that cancelling the progress of a root stops its check until its text changes.
#[test]
fn an_evaluation_is_given_up_until_its_text_changes() {
    let mut client = TestClient::of(&[("/w/app/main.tf", MAIN)]);
    client.has_worker = false;
    client.open_file("/w/app/main.tf");
    let token = client.told("window/workDoneProgress/create")[0]["token"].clone();
    client.notify("window/workDoneProgress/cancel", json!({ "token": token }));
    client.notify("window/workDoneProgress/cancel", json!({ "token": "unheard of" }));
    assert_eq!(kinds(&client, &token), ["begin", "end"]);
    client.has_worker = true;
    client.settle();
    let shown = |client: &mut TestClient| {
        client.at("textDocument/hover", "/w/app/main.tf", 2, 3)["contents"]["value"].to_string()
    };
    assert!(shown(&mut client).contains("being worked out"));
    client.change("/w/app/main.tf", &format!("{MAIN}# more\n"));
    client.settle();
    assert!(shown(&mut client).contains("```terraform\\n2\\n"));
}

/// Tests that a request with a progress token shows progress and can be cancelled by it.
#[test]
fn a_request_shows_it_under_the_token_that_it_brings() {
    let files = [("/w/a/main.tf", MAIN), ("/w/b/main.tf", MAIN)];
    let mut client = TestClient::of(&files);
    let params = json!({ "previousResultIds": [], "workDoneToken": "all" });
    client.request("workspace/diagnostic", params);
    let told = client.told("$/progress");
    let own: Vec<&Value> = told.iter().filter(|one| one["token"] == "all").collect();
    assert_eq!(own[0]["value"]["kind"], "begin");
    assert!(own.iter().any(|one| one["value"]["message"] == "1 of 2 folders"), "{own:?}");
    assert_eq!(own.last().expect("it ended")["value"]["kind"], "end");
    // A plan is cancelled by its progress.
    client.open_file("/w/a/main.tf");
    client.has_worker = false;
    let mut params = about("/w/a/main.tf");
    params["workDoneToken"] = json!(77);
    let id = client.begin_request("groma/plan", &params);
    client.settle();
    assert_eq!(kinds(&client, &json!(77)), ["begin"]);
    client.notify("window/workDoneProgress/cancel", json!({ "token": 77 }));
    client.settle();
    assert_eq!(client.taken(id).expect("it is answered")["error"]["code"], -32800);
    assert_eq!(kinds(&client, &json!(77)), ["begin", "end"]);
}

/// Tests that no progress is sent to a client that does not support it.
#[test]
fn a_client_without_progress_is_not_asked() {
    let mut client = TestClient::with(&[("/w/main.tf", MAIN)], json!({}));
    client.open_file("/w/main.tf");
    client.server.note_long_work();
    client.settle();
    assert!(client.told("window/workDoneProgress/create").is_empty());
    assert!(client.told("$/progress").is_empty());
}

/// Tests that a check that panicked is not repeated until the text changes.
#[test]
fn a_check_that_fails_is_not_begun_again() {
    let text = "locals {\n  a = file(\"./x\")\n}\n";
    let mut client = TestClient::of(&[("/w/main.tf", text), ("/w/x", "x")]);
    client.has_worker = false;
    client.open_file("/w/main.tf");
    client.files.panic_from_now_on(true);
    client.has_worker = true;
    client.settle();
    let failed = client.log.iter().filter(|line| line.contains("a job failed")).count();
    assert_eq!(failed, 1, "{:?}", client.log);
    client.files.panic_from_now_on(false);
    client.change("/w/main.tf", &format!("{text}# more\n"));
    let hover = client.at("textDocument/hover", "/w/main.tf", 1, 3);
    assert!(hover.to_string().contains("\\\"x\\\""), "{hover}");
    assert_eq!(client.published[&uri("/w/main.tf")]["version"], 2);
    client.at("textDocument/definition", "/w/main.tf", 1, 3);
}
