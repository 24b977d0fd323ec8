//! Bodies and references by a schema: a small provider of our own with every kind of nesting.

use groma_module::ProviderSchemas;

use super::scene::{Scene, main};

/// Schemas of a made-up provider with resource types of the newer and of the older SDK.
const SCHEMAS: &str = r#"{"format_version":"1.0","provider_schemas":{"registry.terraform.io/hashicorp/toy":{"provider":{"version":0,"block":{}},
"resource_schemas":{
"toy_new":{"version":0,"block":{"attributes":{"id":{"type":"string","computed":true},"name":{"type":"string","required":true},"size":{"type":"number","optional":true},"zone":{"type":"string","optional":true,"computed":true},"secret":{"type":"string","optional":true,"sensitive":true},"pass":{"type":"string","optional":true,"write_only":true},
"disks":{"nested_type":{"nesting_mode":"list","attributes":{"gb":{"type":"number","required":true},"path":{"type":"string","computed":true}}},"optional":true}},
"block_types":{"one":{"nesting_mode":"single","block":{"attributes":{"a":{"type":"string","optional":true}}}},"all":{"nesting_mode":"group","block":{"attributes":{"a":{"type":"string","optional":true}}}},"row":{"nesting_mode":"list","max_items":2,"block":{"attributes":{"a":{"type":"string","optional":true}}}},"tag":{"nesting_mode":"set","block":{"attributes":{"a":{"type":"string","optional":true}}}},"device":{"nesting_mode":"map","block":{"attributes":{"size":{"type":"number","optional":true}}}}}}},
"toy_old":{"version":0,"block":{"attributes":{"id":{"type":"string","optional":true,"computed":true},"path":{"type":"string","optional":true},"labels":{"type":["map","string"],"optional":true},"rule":{"type":["set",["object",{"port":"number","note":"string"}]],"optional":true,"computed":true}},"block_types":{"row":{"nesting_mode":"list","block":{"attributes":{"a":{"type":"string","optional":true}}}}}}}}}}}"#;

/// Returns the project with the schemas.
fn with(mut scene: Scene) -> Scene {
    scene.options.load.schemas = ProviderSchemas::of(SCHEMAS.into()).expect("the test is right");
    scene
}

#[test]
fn a_body_is_decoded_by_its_schema() {
    let text = "resource \"toy_new\" \"n\" {\n  name = 7\n  secret = \"s\"\n  pass = \"p\"\n  disks = [{ gb = \"4\" }]\n  row {\n    a = \"r\"\n  }\n  device \"foo\" {\n    size = 1\n  }\n  dynamic \"device\" {\n    for_each = { bar = 2 }\n    labels = [device.key]\n    content {\n      size = device.value\n    }\n  }\n}\n";
    let loaded = with(main(text)).load();
    assert_eq!(loaded.all(), Vec::<String>::new());
    for (question, answer) in [
        ("toy_new.n.name", "\"7\""),
        ("toy_new.n.size == null", "true"),
        ("toy_new.n.pass == null", "true"),
        ("issensitive(toy_new.n.secret)", "true"),
        ("toy_new.n.disks[0].gb", "4"),
        ("toy_new.n.row[0].a", "\"r\""),
        ("length(toy_new.n.tag)", "0"),
        ("toy_new.n.one == null", "true"),
        ("toy_new.n.all.a == null", "true"),
        ("toy_new.n.device[\"foo\"].size + toy_new.n.device[\"bar\"].size", "3"),
    ] {
        assert_eq!(loaded.ask(question), answer, "{question}");
    }
    for pending in ["toy_new.n.id", "toy_new.n.zone", "toy_new.n.disks[0].path"] {
        let value = loaded.value(pending);
        let cause = loaded
            .evaluation
            .causes()
            .get(value.deep_causes().ids()[0])
            .expect("the test is right");
        assert_eq!(cause.class.slug(), "pending", "{pending}");
    }
}

#[test]
fn what_a_provider_may_fill_in_is_not_made_up() {
    let loaded =
        with(main("resource \"toy_old\" \"o\" {\n  rule {\n    port = 1\n  }\n}\n")).load();
    assert_eq!(loaded.all(), Vec::<String>::new());
    assert_eq!(loaded.ask("length(toy_old.o.rule)"), "1");
    assert_eq!(loaded.ask("toy_old.o.labels == null"), "true");
    for offline in ["toy_old.o.path", "toy_old.o.row"] {
        let value = loaded.value(offline);
        let cause = loaded
            .evaluation
            .causes()
            .get(value.deep_causes().ids()[0])
            .expect("the test is right");
        assert_eq!((cause.class.slug(), cause.kind), ("offline", "default"), "{offline}");
    }
}

#[test]
fn what_fits_no_schema_is_said_with_its_place() {
    let body = "resource \"toy_new\" \"n\" {\n  nmae = 1\n  id = \"x\"\n  size = \"big\"\n  row {}\n  row {}\n  row {}\n  name {}\n  one = {}\n  device {}\n}\nresource \"toy_nwe\" \"x\" {}\n";
    assert_eq!(
        with(main(body)).load().all(),
        [
            "error unsupported-argument main.tf:2:3",
            "error read-only-argument main.tf:3:8",
            "error argument-type main.tf:4:10",
            "error block-count main.tf:7:3",
            "error unsupported-block main.tf:8:3",
            "error unsupported-argument main.tf:9:3",
            "error block-labels main.tf:10:3",
            "error resource-type main.tf:12:10",
        ]
    );
    let text = "resource \"toy_new\" \"n\" {}\n";
    assert_eq!(with(main(text)).load().all(), ["error missing-argument main.tf:1:24"]);
    let text = "resource \"toy_new\" \"n\" {\n  name = \"n\"\n  id = \"x\"\n}\n";
    assert_eq!(with(main(text)).load().all(), ["error read-only-argument main.tf:3:8"]);
    let asked = with(main("resource \"toy_new\" \"n\" {\n  name = \"a\"\n}\n")).load();
    assert!(asked.ask("toy_new.n.nope").starts_with("error "));
    assert!(asked.ask("toy_new.n.tag[0]").starts_with("error "));
}

#[test]
fn json_bodies_are_read_by_their_schema() {
    let text = r#"{"resource":{"toy_new":{"n":{"name":"x","row":[{"a":"1"}],"device":{"foo":{"size":1}},"dynamic":{"row":{"for_each":["2"],"content":{"a":"${row.value}"}}}}}}}"#;
    let loaded = with(Scene::new().file("main.tf.json", text)).load();
    assert_eq!(loaded.all(), Vec::<String>::new());
    assert_eq!(loaded.ask("toy_new.n.row[*].a"), loaded.ask("tolist([\"1\", \"2\"])"));
    assert_eq!(loaded.ask("toy_new.n.device[\"foo\"].size"), "1");
}

#[test]
fn a_dynamic_block_over_something_unknown_makes_no_number_up() {
    let text = "resource \"terraform_data\" \"d\" {\n  input = [1]\n}\nresource \"toy_new\" \"n\" {\n  name = \"x\"\n  dynamic \"row\" {\n    for_each = terraform_data.d.output\n    content {}\n  }\n}\nresource \"toy_old\" \"o\" {\n  dynamic \"rule\" {\n    for_each = toset(terraform_data.d.output)\n    content {\n      port = rule.value\n    }\n  }\n}\n";
    let loaded = with(main(text)).load();
    assert_eq!(loaded.all(), Vec::<String>::new());
    assert!(!loaded.value("toy_new.n.row").is_known());
    assert!(loaded.value("toy_old.o.rule").is_known());
}
