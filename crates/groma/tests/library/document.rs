//! Plans of other programs, read from the documents that their `show -json` prints, are told in the lines in which those
//! programs tell them; and what is read of a document of ours is what was planned.

use std::fs;
use std::sync::Arc;

use groma::json::{JsonLayout, JsonText};
use groma::review::{Action, PlanDocument, Review, UnknownReasons};
use groma::{
    Dialect, Edition, LoadOptions, MemoryHost, PlanOptions, Value, Workspace,
    address::ResourceMode, schemas::ProviderSchemas, states::StateFile, values::Mark,
};
use groma_value::schema::BlockSchema;
use testkit::case::modules;

fn shape(
    source: &str,
    mode: ResourceMode,
    kind: &str,
    edition: Edition,
) -> Option<Arc<BlockSchema>> {
    groma::schemas::shape_of(&ProviderSchemas::default(), source, mode, kind, edition)
}

fn read(text: &str) -> PlanDocument {
    read_of(Edition::DEFAULT, text)
}

fn read_of(edition: Edition, text: &str) -> PlanDocument {
    let shape = |source: &str, mode, kind: &str| shape(source, mode, kind, edition);
    PlanDocument::read(text, &shape).expect("it has the form of a plan")
}

/// The lines that both have word by word: without the legend, and without what the programs leave unsaid.
fn lines(text: &str) -> Vec<String> {
    let legend = |line: &str| {
        line.starts_with("Actions are")
            || line.contains("used the selected providers")
            || line.starts_with("plan. Resource actions")
    };
    text.trim_start()
        .lines()
        .filter(|line| !legend(line) && !line.starts_with("  # (imported from"))
        .map(|line| {
            let line = line.replace(" (current -> planned)", "");
            line.replace(", so it must be", ", so must be").replace(" # forces replacement", "")
        })
        .collect()
}

#[test]
fn documents_of_the_programs_are_told_as_they_tell_them() {
    for (name, dialect) in [("terraform", Dialect::Terraform), ("tofu", Dialect::OpenTofu)] {
        let file = |ending: &str| {
            let file = testkit::conformance().join("documents").join(format!("{name}.{ending}"));
            fs::read_to_string(file).expect("it can be read")
        };
        let review = read(&file("json")).into_review(dialect);
        assert_eq!(lines(&review.text()).join("\n"), lines(&file("txt")).join("\n"), "{name}");
        let counts = review.counts();
        let told = (counts.import, counts.add, counts.change, counts.destroy, counts.replace);
        assert_eq!(told, (1, 5, 1, 6, 2), "{name}");
    }
}

/// The text of a review without what a document does not say.
fn bare(review: Review) -> String {
    let review = Review {
        gaps: Default::default(),
        without_schema: 0,
        open: 0,
        is_incomplete: false,
        remarks: Vec::new(),
        before: UnknownReasons::default(),
        after: UnknownReasons::default(),
        ..review
    };
    review.text()
}

/// Cases of which a document keeps something else: numbers without a sign of zero, or with fewer digits, what is ephemeral
/// in clear, ids of imports that are hidden, and not that a provider decides what becomes of an object that is taken over.
const OTHERWISE: [&str; 8] = [
    // Its providers are of the other program's registry, which a document without more is read by.
    "aws-deprecated-whole-object",
    "minus-zero",
    "plan-numbers-of-machines",
    "v15x-action-cfg-ephemeral",
    "tf16-import-in-module-id-ephemeral",
    "tf16-import-in-module-id-sensitive",
    "tf16-import-provider-alias",
    "tf16-import-provider-local-name-argument",
];

#[test]
fn what_was_planned_is_read_back() {
    let (mut looked_at, mut wrong) = (0, Vec::new());
    for case in modules(|case| !case.needs_provider() && !case.has_state()) {
        let workspace = Workspace::new(MemoryHost::new());
        for (name, bytes) in case.files() {
            workspace.set(&format!("app/{name}"), bytes);
        }
        let edition = case.turns().first().and_then(|turn| Edition::parse(turn.dialect));
        let options = LoadOptions { edition, ..LoadOptions::default() };
        let snapshot = workspace.root(&format!("app/{}", case.directory()), &options);
        let plan =
            snapshot.plan(PlanOptions { state: StateFile::Nowhere, ..PlanOptions::default() });
        if snapshot.found().has_errors() || plan.is_errored() {
            continue;
        }
        looked_at += 1;
        let mut text = JsonText::new(JsonLayout::Compact);
        plan.write_json(&mut text);
        let edition = plan.evaluation().project().edition();
        let review = read_of(edition, &text.into_string()).into_review(edition.dialect);
        let own = Review::of(&plan);
        let (review, own) = (bare(review), bare(own));
        if review != own && !OTHERWISE.contains(&&*case.name) {
            wrong.push(format!("{}: read\n{review}planned\n{own}", case.name));
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(looked_at > 300, "only {looked_at} modules could be looked at");
}

#[test]
fn a_name_stands_once_in_a_document() {
    // A block that is called as an argument is, which is an error: the plan is told all the same.
    let workspace = Workspace::new(MemoryHost::new());
    workspace
        .set("main.tf", "resource \"terraform_data\" \"a\" {\n  input = var.v\n  input {}\n}\n");
    let plan = workspace.root(".", &LoadOptions::default()).plan(PlanOptions::default());
    assert!(plan.is_errored());
    let mut text = JsonText::new(JsonLayout::Compact);
    plan.write_json(&mut text);
    let text = text.into_string();
    let wanted = r#""expressions":{"input":{"references":["var.v"]}}"#;
    assert!(text.contains(wanted), "{text}");
    groma_value::json::decode_loose(&text).expect("it can be read");
}

/// A document with one change.
fn change(change: &str) -> String {
    let change = change.replace('\'', "\"");
    format!(
        r#"{{"format_version":"1.2","resource_changes":[{{"address":"module.m[\"k\"].a_b.c[1]","module_address":"module.m[\"k\"]","mode":"managed","type":"a_b","name":"c","index":1,"provider_name":"registry.opentofu.org/x/a",{change}}}]}}"#
    )
}

#[test]
fn values_say_what_is_unknown_and_sensitive() {
    let document = read(&change(
        "'change':{'actions':['delete','create'],'before':{'id':'1','l':[1,2]},'after':{'l':[null,'s'],'n':null},\
         'after_unknown':{'id':true,'l':[true,false],'o':{'p':true}},'after_sensitive':{'l':[false,true]},\
         'before_sensitive':{'id':true},'replace_paths':[['l',0]]}",
    ));
    assert_eq!(document.dialect, Some(Dialect::OpenTofu));
    let item = &document.items[0];
    assert_eq!(item.action, Action::DeleteThenCreate);
    assert_eq!(&*item.declared.module, "module.m[\"k\"]");
    assert_eq!(item.replace_paths[0].0.len(), 2);
    let part = |side: &Option<Value>, name: &str| match side.as_ref().map(Value::bare) {
        Some(Value::Object(object)) => object.get(name).cloned().expect("it is there"),
        _ => panic!("it is an object"),
    };
    assert!(part(&item.before, "id").marks().contains(&Mark::Sensitive));
    assert!(!part(&item.after, "id").is_known());
    assert!(part(&item.after, "n").is_null());
    let Value::Object(inner) = part(&item.after, "o").bare().clone() else { panic!("an object") };
    assert!(!inner.get("p").expect("it is there").is_known());
    let Value::Tuple(list) = part(&item.after, "l").bare().clone() else { panic!("a tuple") };
    assert!(!list.items()[0].is_known());
    assert!(list.items()[1].marks().contains(&Mark::Sensitive));
}

#[test]
fn what_stands_apart_is_told() {
    let change = "\"mode\":\"managed\",\"type\":\"a_b\",\"name\":\"c\",\"change\":{\"actions\":[\"update\"],\"before\":{\"x\":1},\"after\":{\"x\":2}}";
    let document = read(&format!(
        r#"{{"format_version":"1.2","terraform_version":"1.12.0","applyable":false,"complete":false,"errored":true,
        "resource_drift":[{{"address":"a_b.c",{change}}}],
        "deferred_changes":[{{"reason":"provider_config_unknown","resource_change":{{"address":"a_b.d[*]",{change}}}}}],
        "action_invocations":[{{"address":"action.x.y","type":"x","name":"y","lifecycle_action_trigger":{{"triggering_resource_address":"a_b.c","action_trigger_event":"AfterUpdate"}}}}],
        "later":[1]}}"#
    ));
    assert_eq!(document.version.as_deref(), Some("1.12.0"));
    let review = document.into_review(Dialect::OpenTofu);
    let text = review.text();
    for line in [
        "Note: Objects have changed outside of Terraform",
        "  # a_b.c has changed",
        "      ~ x = 1 -> 2",
        "  # action.x.y will be invoked",
        "  # (after_update, by a_b.c)",
        "  # a_b.d[*] is deferred: its provider configuration is unknown",
        "Plan: 0 to add, 0 to change, 0 to destroy. Actions: 1 to invoke.",
        "The rest is undecided because of the errors.",
    ] {
        assert!(text.lines().any(|one| one == line), "{line} is missing in\n{text}");
    }
    let markdown = review.markdown();
    assert!(markdown.contains("<code>a_b.c</code> has changed outside of the plan"), "{markdown}");
    assert!(review.compact().contains("  # a_b.c has changed outside of the plan\n"));
}

#[test]
fn what_is_no_plan_is_refused_without_its_values() {
    for (text, words) in [
        (change("'change':{'actions':['paint'],'after':'secret'}"), "line 1: the actions"),
        (change("'x':1"), "a change is missing"),
        (r#"{"resource_changes":{}}"#.to_owned(), "a list is required here"),
        (
            "{\n\"resource_changes\":[{}]}".to_owned(),
            "line 2: a change without the text \"address\"",
        ),
    ] {
        let shape = |source: &str, mode, kind: &str| shape(source, mode, kind, Edition::DEFAULT);
        let why = PlanDocument::read(&text, &shape).expect_err("it is refused");
        assert!(why.contains(words) && !why.contains("secret"), "{why}");
    }
}
