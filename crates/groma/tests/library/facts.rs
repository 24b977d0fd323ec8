//! Who answers for a provider, asked by a plan: what they are told, and what a plan makes of what they say.

use std::sync::{Arc, Mutex};

use groma::review::Review;
use groma::{
    LoadOptions, MemoryHost, Plan, PlanOptions, Snapshot, Value, Workspace,
    plans::read_target,
    projects::{PlannedObject, ProviderAnswers, ResourceFact, ResourceRequest},
    schemas::ProviderSchemas,
    values::{Str, read_plain},
};
use groma_value::{Path, PathStep};
use serde_json::{Value as Json, json};

const CODE: &str = r#"terraform {
  required_providers {
    cloud = { source = "example/cloud" }
  }
}
provider "cloud" {
  alias  = "west"
  region = "w"
}
variable "secret" {
  default   = "s"
  sensitive = true
}
module "disks" {
  source    = "./disks"
  providers = { cloud = cloud.west }
  secret    = var.secret
}
output "version" { value = module.disks.version }
"#;

const DISKS: &str = r#"terraform {
  required_providers {
    cloud = { source = "example/cloud" }
  }
}
variable "secret" {}
resource "cloud_disk" "now" {
  name   = "a"
  size   = 20
  secret = var.secret
}
moved {
  from = cloud_disk.before
  to   = cloud_disk.now
}
output "version" { value = cloud_disk.now.version }
"#;

fn schemas() -> ProviderSchemas {
    let attribute = |ty: &str, settable: bool| match settable {
        true => json!({ "type": ty, "optional": true }),
        false => json!({ "type": ty, "computed": true }),
    };
    let disk = json!({
        "id": attribute("string", false),
        "name": attribute("string", true),
        "size": attribute("number", true),
        "secret": attribute("string", true),
        "version": attribute("number", false),
    });
    let all = json!({
        "format_version": "1.0",
        "provider_schemas": { "registry.opentofu.org/example/cloud": {
            "provider": { "version": 0, "block": { "attributes": {
                "region": attribute("string", true),
            } } },
            "resource_schemas": { "cloud_disk": { "version": 1, "block": { "attributes": disk } } },
        } },
    });
    ProviderSchemas::of(all.to_string().into_bytes()).unwrap()
}

/// A state that records one disk, at the address that it has moved from.
fn state(status: Option<&str>) -> String {
    let attributes = json!({ "id": "d-1", "name": "a", "size": 10, "secret": "s", "version": 7 });
    let mut disk = json!({
        "schema_version": 1,
        "attributes": attributes,
        "sensitive_attributes": [[{ "type": "get_attr", "value": "secret" }]],
        "private": "b3Vycw==",
    });
    if let Some(status) = status {
        disk["status"] = json!(status);
    }
    json!({
        "version": 4, "terraform_version": "1.11.4", "serial": 1, "lineage": "l",
        "outputs": {}, "check_results": null,
        "resources": [{
            "module": "module.disks", "mode": "managed", "type": "cloud_disk", "name": "before",
            "provider": "provider[\"registry.opentofu.org/example/cloud\"].west",
            "instances": [disk],
        }],
    })
    .to_string()
}

type Answer = dyn Fn(&ResourceRequest<'_>) -> ResourceFact + Send + Sync;

/// A provider that takes notes of what it is told.
struct Cloud {
    told: Mutex<Vec<Json>>,
    answer: Box<Answer>,
}

impl ProviderAnswers for Cloud {
    fn resource(&self, request: &ResourceRequest<'_>) -> ResourceFact {
        let plain = |value: &Value| -> Json {
            serde_json::from_str(&groma_value::json::plain(&value.unmark_deep().0)).unwrap()
        };
        let provider = request.provider();
        let prior = request.prior.map(|prior| {
            json!({
                "value": plain(prior.value),
                "proposed": prior.proposed.map(plain),
                "private": prior.private,
                "schema_version": prior.schema_version,
                "from": prior.from.map(ToString::to_string),
            })
        });
        self.told.lock().unwrap().push(json!({
            "address": request.address.to_string(),
            "source": provider.source,
            "alias": provider.alias.as_deref(),
            "configured": provider.declared.is_some(),
            "schema": request.schema.map(|block| block.names().count()),
            "config": plain(request.config),
            "importing": request.importing,
            "prior": prior,
        }));
        (self.answer)(request)
    }
}

fn snapshot(
    files: &[(&str, &str)],
    answer: impl Fn(&ResourceRequest<'_>) -> ResourceFact + Send + Sync + 'static,
) -> (Snapshot, Arc<Cloud>) {
    let cloud = Arc::new(Cloud { told: Mutex::default(), answer: Box::new(answer) });
    let workspace = Workspace::new(MemoryHost::new()).with_answers(cloud.clone());
    for (path, text) in files {
        workspace.set(path, *text);
    }
    let options = LoadOptions { schemas: schemas(), ..LoadOptions::default() };
    (workspace.root("app", &options), cloud)
}

fn planned(
    status: Option<&str>,
    answer: impl Fn(&ResourceRequest<'_>) -> ResourceFact + Send + Sync + 'static,
) -> (Plan, Vec<Json>) {
    let state = state(status);
    let files = [
        ("app/main.tf", CODE),
        ("app/disks/main.tf", DISKS),
        ("app/terraform.tfstate", state.as_str()),
    ];
    let (snapshot, cloud) = snapshot(&files, answer);
    let plan = snapshot.plan(PlanOptions { refreshes: true, ..PlanOptions::default() });
    let told = cloud.told.lock().unwrap().clone();
    (plan, told)
}

fn document(plan: &Plan) -> Json {
    let mut out = groma::json::JsonText::new(groma::json::JsonLayout::Compact);
    plan.write_json(&mut out);
    serde_json::from_str(&out.into_string()).unwrap()
}

/// The change of the one disk there is.
fn change(plan: &Plan) -> Json {
    let document = document(plan);
    assert_eq!(document["groma"]["undecided"], json!([]), "{document}");
    let all = document["resource_changes"].as_array().unwrap();
    assert_eq!(all.len(), 1);
    let mut one = all[0]["change"].clone();
    one["reason"] = all[0]["action_reason"].clone();
    one["previous"] = all[0]["previous_address"].clone();
    one
}

/// An object with some attributes otherwise.
fn with(object: &Value, parts: &[(&str, Value)]) -> Value {
    let Value::Object(object) = object.bare() else { panic!("it is an object") };
    Value::object(object.iter().map(|(name, value)| {
        let other = parts.iter().find(|(other, _)| **other == **name);
        (name.clone(), other.map_or_else(|| value.clone(), |(_, value)| value.clone()))
    }))
}

fn path(name: &str) -> Path {
    Path(vec![PathStep::Attribute(Str::from(name))])
}

/// Counts versions of a disk; one that is made has none yet.
fn counting(request: &ResourceRequest<'_>, replaces: &[&str]) -> ResourceFact {
    let Some(prior) = request.prior else {
        return ResourceFact::Ready(request.created.unwrap().clone());
    };
    let proposed = prior.proposed.unwrap();
    let value = with(proposed, &[("version", Value::int(8))]);
    ResourceFact::Planned(Box::new(PlannedObject {
        replaces: replaces.iter().map(|name| path(name)).collect(),
        private: Some(Str::from("bmV3")),
        ..PlannedObject::new(value)
    }))
}

#[test]
fn a_provider_is_told_what_was_there() {
    let (plan, told) = planned(None, |request| counting(request, &["name"]));
    let before = json!({ "id": "d-1", "name": "a", "size": 10, "secret": "s", "version": 7 });
    let proposed = json!({ "id": "d-1", "name": "a", "size": 20, "secret": "s", "version": 7 });
    assert_eq!(
        told,
        [json!({
            "address": "module.disks.cloud_disk.now",
            "source": "registry.opentofu.org/example/cloud",
            "alias": "west",
            "configured": true,
            "schema": 5,
            "config": { "id": null, "name": "a", "size": 20, "secret": "s", "version": null },
            "importing": null,
            "prior": {
                "value": before, "proposed": proposed, "private": "b3Vycw==",
                "schema_version": 1, "from": "module.disks.cloud_disk.before",
            },
        })]
    );
    let change = change(&plan);
    assert_eq!(change["actions"], json!(["update"]));
    assert_eq!(change["after"]["version"], json!(8));
    assert_eq!(change["after_unknown"], json!({}));
    assert_eq!(change["after_sensitive"], json!({ "secret": true }));
    assert_eq!(change["previous"], json!("module.disks.cloud_disk.before"));
    assert_eq!(plan.changes()[0].private.as_deref(), Some("bmV3"));
    // Whoever refers to the resource sees what is planned.
    assert_eq!(document(&plan)["output_changes"]["version"]["after"], json!(8));
    let text = Review::of(&plan).text();
    assert!(text.contains("~ version = 7 -> 8"), "{text}");
    assert!(!text.contains("provider decides"), "{text}");
    assert!(!document(&plan).to_string().contains("bmV3"));
}

#[test]
fn a_provider_says_what_replaces() {
    let (plan, told) = planned(None, |request| counting(request, &["size", "name"]));
    // The second question is about the object that is made.
    let asked: Vec<bool> = told.iter().map(|one| one["prior"].is_null()).collect();
    assert_eq!(asked, [false, true]);
    let change = change(&plan);
    assert_eq!(change["actions"], json!(["delete", "create"]));
    assert_eq!(change["reason"], json!("replace_because_cannot_update"));
    assert_eq!(change["replace_paths"], json!([["size"]]));
    assert_eq!(change["after_unknown"]["version"], json!(true));
    let text = Review::of(&plan).text();
    assert!(text.contains("-/+ resource \"cloud_disk\" \"now\""), "{text}");
    assert!(text.contains("# forces replacement"), "{text}");
}

#[test]
fn what_does_not_differ_replaces_nothing() {
    let (plan, _) = planned(None, |request| {
        let prior = request.prior.unwrap();
        let replaces = vec![path("size")];
        let value = prior.value.clone();
        ResourceFact::Planned(Box::new(PlannedObject { replaces, ..PlannedObject::new(value) }))
    });
    let change = change(&plan);
    assert_eq!(change["actions"], json!(["no-op"]));
    assert_eq!(change["after"], change["before"]);
}

#[test]
fn what_is_tainted_is_asked_about_as_new() {
    let (plan, told) = planned(Some("tainted"), |request| counting(request, &[]));
    assert_eq!(told.len(), 1);
    assert_eq!(told[0]["prior"], Json::Null);
    let change = change(&plan);
    assert_eq!(change["actions"], json!(["delete", "create"]));
    assert_eq!(change["reason"], json!("replace_because_tainted"));
}

#[test]
fn what_is_to_be_replaced_is_asked_about_twice() {
    let state = state(None);
    let files = [
        ("app/main.tf", CODE),
        ("app/disks/main.tf", DISKS),
        ("app/terraform.tfstate", state.as_str()),
    ];
    let (snapshot, cloud) = snapshot(&files, |request| counting(request, &[]));
    let replaces = vec![read_target("module.disks.cloud_disk.now").unwrap()];
    let plan = snapshot.plan(PlanOptions { replaces, ..PlanOptions::default() });
    assert_eq!(cloud.told.lock().unwrap().len(), 2);
    let change = change(&plan);
    assert_eq!(change["actions"], json!(["delete", "create"]));
    assert_eq!(change["reason"], json!("replace_by_request"));
}

#[test]
fn what_somebody_has_looked_at_counts_before_what_is_recorded() {
    let (plan, _) = planned(None, |request| {
        let prior = request.prior.unwrap();
        let now = with(prior.value, &[("size", Value::int(20))]);
        let before = Some(now.clone());
        ResourceFact::Planned(Box::new(PlannedObject { before, ..PlannedObject::new(now) }))
    });
    let change = change(&plan);
    assert_eq!(change["actions"], json!(["no-op"]));
    assert_eq!(change["before"]["size"], json!(20));
}

#[test]
fn an_answer_that_leaves_it_open_changes_nothing() {
    let (plan, told) = planned(None, |_| ResourceFact::Unanswered);
    assert_eq!(told.len(), 1);
    let document = document(&plan);
    assert_eq!(document["resource_changes"][0]["change"]["actions"], json!(["update"]));
    assert_eq!(document["groma"]["undecided"], json!(["module.disks.cloud_disk.now"]));
}

#[test]
fn an_answer_of_another_type_is_refused() {
    let other = r#"{"id":"x","name":"a","size":[1],"secret":"hush","version":1}"#;
    let wrong = [
        ("is null", "null"),
        ("does not have its type", r#"{"name":"a"}"#),
        ("does not have its type", other),
    ];
    for (why, answer) in wrong {
        let value = read_plain(answer).unwrap();
        let (plan, _) = planned(None, move |_| ResourceFact::Ready(value.clone()));
        let found: Vec<_> = plan.diagnostics().iter().collect();
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].code.slug, "resource-refused");
        assert!(found[0].detail.contains(why), "{}", found[0].detail);
        assert!(!found[0].detail.contains("hush"), "{}", found[0].detail);
        assert!(found[0].place.is_some());
    }
}

#[test]
fn a_refusal_is_an_error_at_the_resource() {
    let (plan, _) = planned(None, |_| ResourceFact::Failed("a disk only grows.".to_owned()));
    let found: Vec<_> = plan.diagnostics().iter().map(|one| one.detail.as_str()).collect();
    assert_eq!(found, ["module.disks.cloud_disk.now cannot be planned: a disk only grows."]);
}

#[test]
fn what_is_to_be_answered_later_is_said() {
    let (plan, _) = planned(None, |_| ResourceFact::Later);
    let codes: Vec<_> = plan.diagnostics().iter().map(|one| one.code.slug).collect();
    assert_eq!(codes, ["facts-later"]);
    assert!(!plan.is_complete());
}

const IMPORT: &str = r#"terraform {
  required_providers {
    cloud = { source = "example/cloud" }
  }
}
import {
  to = cloud_disk.taken
  id = "d-9"
}
resource "cloud_disk" "taken" {
  name = "a"
  size = 20
}
"#;

#[test]
fn an_object_that_is_taken_over_is_looked_at() {
    let look = |request: &ResourceRequest<'_>| {
        assert_eq!(request.importing, Some("d-9"));
        let there = r#"{"id":"d-9","name":"a","size":10,"secret":null,"version":3}"#;
        let before = read_plain(there).unwrap();
        let value = with(&before, &[("size", Value::int(20))]);
        ResourceFact::Planned(Box::new(PlannedObject {
            before: Some(before),
            ..PlannedObject::new(value)
        }))
    };
    let (snapshot, _) = snapshot(&[("app/main.tf", IMPORT)], look);
    let plan = snapshot.plan(PlanOptions::default());
    let change = change(&plan);
    assert_eq!(change["actions"], json!(["update"]));
    assert_eq!(change["importing"], json!({ "id": "d-9" }));
    assert_eq!((&change["before"]["size"], &change["after"]["size"]), (&json!(10), &json!(20)));
    assert_eq!(change["after"]["version"], json!(3));
}
