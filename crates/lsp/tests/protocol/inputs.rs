//! The choice of the root and of the values that count for a file.

use serde_json::{Value, json};

use crate::client::{TestClient, about, uri};

/// A module with one variable, which has different values by root and by values file.
const NET: &str = "variable \"n\" {}\n\nlocals {\n  twice = var.n * 2\n}\n";

/// Returns the files of [`NET`], its values files, and the modules that call it.
fn files() -> Vec<(&'static str, &'static str)> {
    vec![
        ("/w/net/main.tf", NET),
        ("/w/net/prod.tfvars", "n = 1\n"),
        ("/w/net/envs/test.tfvars", "n = 2\n"),
        ("/w/net/terraform.tfvars", "n = 3\n"),
        ("/w/app/main.tf", "module \"net\" {\n  source = \"../net\"\n  n      = 21\n}\n"),
        (
            "/w/top/main.tf",
            "terraform {\n  backend \"s3\" {}\n}\nmodule \"app\" {\n  source = \"../app\"\n}\n",
        ),
        ("/w/other/main.tf", "locals {}\n"),
    ]
}

/// Returns the value of `local.twice` in [`NET`] as its hover text shows it.
fn shown(client: &mut TestClient) -> String {
    let hover = client.at("textDocument/hover", "/w/net/main.tf", 3, 4);
    let text = hover["contents"]["value"]
        .as_str()
        .unwrap_or_else(|| panic!("{hover} {:?}", client.log))
        .to_owned();
    text.lines().nth(1).unwrap_or(&text).to_owned()
}

/// Executes the code lens that chooses the inputs, with the choice `title`, and returns the result.
fn choose(client: &mut TestClient, title: &'static str) -> Value {
    client.choice = Some(title);
    let lenses = client.request("textDocument/codeLens", about("/w/net/main.tf"));
    let command = &lenses[0]["command"];
    let params = json!({ "command": command["command"], "arguments": command["arguments"] });
    client.request("workspace/executeCommand", params)
}

#[test]
fn the_user_chooses_the_root_and_the_values_of_a_file() {
    let mut client = TestClient::of(&files());
    client.open_file("/w/net/main.tf");
    assert_eq!(shown(&mut client), "6");
    let offered = choose(&mut client, "root app");
    assert_eq!(
        offered,
        json!(["root top", "root app", "values of envs/test.tfvars", "values of prod.tfvars"])
    );
    let asked = client.told("window/showMessageRequest");
    assert_eq!(asked[0]["actions"].as_array().expect("a list").len(), 4);
    assert_eq!(shown(&mut client), "42");
    let lenses = client.request("textDocument/codeLens", about("/w/net/main.tf"));
    assert_eq!(lenses[0]["command"]["title"], "root app: no value files");
    choose(&mut client, "root net");
    assert_eq!(shown(&mut client), "6");
    choose(&mut client, "values of envs/test.tfvars");
    assert_eq!(shown(&mut client), "4");
    let lenses = client.request("textDocument/codeLens", about("/w/net/main.tf"));
    let title = lenses[0]["command"]["title"].as_str().expect("a title").to_owned();
    assert!(title.contains("envs/test.tfvars"), "{title}");
    let offered = choose(&mut client, "values of the settings");
    assert!(offered.to_string().contains("values of the settings"), "{offered}");
    assert_eq!(shown(&mut client), "6");
    // A title that was not offered, and a dismissed message, change nothing.
    choose(&mut client, "something else");
    assert_eq!(shown(&mut client), "6");
}

#[test]
fn the_root_of_a_folder_can_be_named() {
    let mut client = TestClient::of(&files());
    client.open_file("/w/net/main.tf");
    for (root, value) in [(json!(uri("/w/app")), "42"), (json!("/w/app"), "42"), (Value::Null, "6")]
    {
        let arguments = json!([uri("/w/net/main.tf"), root]);
        let params = json!({ "command": "groma.chooseRoot", "arguments": arguments });
        client.request("workspace/executeCommand", params);
        assert_eq!(shown(&mut client), value);
    }
}

#[test]
fn commands_that_cannot_be_carried_out_are_refused() {
    let mut client = TestClient::of(&[("/w/main.tf", "locals {}\n")]);
    client.open_file("/w/main.tf");
    let params =
        |arguments: Value| json!({ "command": "groma.chooseInputs", "arguments": arguments });
    assert_eq!(client.error("workspace/executeCommand", params(json!([]))), -32602);
    let elsewhere = params(json!([uri("/w/notes.txt")]));
    assert_eq!(client.error("workspace/executeCommand", elsewhere), -32803);
    let offered = client.request("workspace/executeCommand", params(json!([uri("/w/main.tf")])));
    assert_eq!(offered, json!([]));
    let told = client.told("window/showMessage");
    assert_eq!(told[0]["message"], "There is no other root for main.tf, and no value file.");
    let unknown = json!({ "command": "groma.unheardOf" });
    assert_eq!(client.error("workspace/executeCommand", unknown), -32803);
}
