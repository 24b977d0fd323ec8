//! What is offered while a text is typed, which is seldom whole.

use groma::{LoadOptions, schemas::ProviderSchemas};
use groma_ide::{
    CompletionItem, CompletionList, Request, complete, resolve_completion, signature_help,
};

use crate::root::MarkedRoot;

/// Returns the completion list at the mark with this number.
fn at(root: &MarkedRoot, number: usize) -> CompletionList {
    let (file, at) = root.mark(number);
    complete(&root.request(), file, at)
}

/// Returns the labels of a completion list, in order.
fn labels(list: &CompletionList) -> Vec<&str> {
    list.items.iter().map(|one| one.label.as_str()).collect()
}

/// Returns the completion item with a label; panics if there is none.
fn item<'l>(list: &'l CompletionList, label: &str) -> &'l CompletionItem {
    let found = list.items.iter().find(|one| one.label == label);
    found.unwrap_or_else(|| panic!("{label} is not in {:?}", labels(list)))
}

/// Returns the text of a file after the completion item with a label is chosen at a mark.
fn chosen(root: &MarkedRoot, number: usize, label: &str) -> String {
    let (file, _) = root.mark(number);
    let list = at(root, number);
    let one = item(&list, label);
    let mut text = root.request().document(file).unwrap().text().to_owned();
    text.replace_range(one.replaces.start as usize..one.replaces.end as usize, &one.insert);
    text
}

#[test]
fn blocks_and_arguments() {
    let root = MarkedRoot::of(&[(
        "app/main.tf",
        "res¦\nvariable \"x\" {\n  type = string\n  ¦\n}\nresource \"terraform_data\" \"a\" {\n  in¦\n  lifecycle {\n    ¦\n  }\n}\nterraform {\n  backend \"s3\" {\n    buc¦\n  }\n}\n",
    )]);
    let top = at(&root, 0);
    assert!(labels(&top).contains(&"resource") && labels(&top).contains(&"moved"));
    let insert = &item(&top, "resource").insert;
    assert_eq!(insert, "resource \"${1:type}\" \"${2:name}\" {\n  $0\n}");
    let variable = at(&root, 1);
    assert!(labels(&variable).contains(&"default") && !labels(&variable).contains(&"type"));
    assert!(labels(&variable).contains(&"validation"));
    assert!(item(&variable, "validation").insert.contains("  condition = $1\n"));
    let resource = at(&root, 2);
    assert!(labels(&resource).contains(&"input") && labels(&resource).contains(&"for_each"));
    assert!(labels(&at(&root, 3)).contains(&"create_before_destroy"));
    let backend = at(&root, 4);
    assert!(labels(&backend).contains(&"bucket"));
    let required = item(&backend, "bucket");
    assert_eq!(required.insert, "bucket = \"$0\"");
}

#[test]
fn names_with_their_values() {
    let root = MarkedRoot::of(&[
        (
            "app/main.tf",
            "variable \"region\" {\n  default = \"eu\"\n}\nvariable \"key\" {\n  default   = \"canary\"\n  sensitive = true\n}\nlocals {\n  net = { cidr = \"10.0.0.0/8\", zones = [{ id = 7 }] }\n  a = var.¦\n  b = local.net.¦\n  c = local.net.zones[0].¦\n  d = \"x-${local.¦}\"\n  e = [for z in local.net.zones : z.¦]\n  f = module.child.¦\n  g = lo¦\n}\nmodule \"child\" {\n  source = \"./child\"\n}\n",
        ),
        ("app/child/main.tf", "output \"id\" {\n  value = 3\n}\n"),
    ]);
    let variables = at(&root, 0);
    assert_eq!(labels(&variables), ["key", "region"]);
    assert_eq!(item(&variables, "region").detail.as_deref(), Some("\"eu\""));
    assert_eq!(item(&variables, "key").detail.as_deref(), Some("(sensitive value)"));
    let parts = at(&root, 1);
    assert_eq!(labels(&parts), ["cidr", "zones"]);
    assert_eq!(item(&parts, "cidr").detail.as_deref(), Some("\"10.0.0.0/8\""));
    assert_eq!(labels(&at(&root, 2)), ["id"]);
    assert!(labels(&at(&root, 3)).contains(&"net"));
    assert_eq!(labels(&at(&root, 4)), ["id"]);
    let outputs = at(&root, 5);
    assert_eq!(item(&outputs, "id").detail.as_deref(), Some("3"));
    let begin = at(&root, 6);
    assert!(labels(&begin).contains(&"local") && labels(&begin).contains(&"lookup"));
    assert_eq!(item(&begin, "upper").insert, "upper($1)");
    let text =
        resolve_completion(&root.request(), "app/main.tf", item(&variables, "region")).markdown();
    assert!(text.contains("\"eu\"") && text.contains("`var.region`"), "{text}");
    let secret =
        resolve_completion(&root.request(), "app/main.tf", item(&variables, "key")).markdown();
    assert!(!secret.contains("canary"));
}

/// Tests that a request that does not wait lists names without their values.
#[test]
fn names_are_there_before_their_values() {
    let root = MarkedRoot::of(&[("app/main.tf", "locals {\n  a = 1\n  b = local.¦\n}\n")]);
    let (file, offset) = root.mark(0);
    let soon = complete(&root.soon(), file, offset);
    assert_eq!(labels(&soon), ["a", "b"]);
    assert!(soon.is_pending && soon.items.iter().all(|one| one.detail.is_none()));
}

#[test]
fn inputs_of_modules_and_their_allowed_values() {
    let root = MarkedRoot::of(&[
        (
            "app/main.tf",
            "module \"l\" {\n  source = \"./chi¦\"\n}\nmodule \"m\" {\n  source = \"./child\"\n  size   = ¦\n  ¦\n}\nmodule \"n\" {\n  source = \"./child\"\n  size   = \"sm¦\"\n  opts   = {\n    ¦\n  }\n}\n",
        ),
        (
            "app/child/main.tf",
            "variable \"size\" {\n  type        = string\n  description = \"How large.\"\n  validation {\n    condition     = contains([\"small\", \"large\"], var.size)\n    error_message = \"No.\"\n  }\n}\nvariable \"opts\" {\n  type    = object({ deep = optional(bool), name = string })\n  default = null\n}\n",
        ),
    ]);
    assert_eq!(labels(&at(&root, 0)), ["child"]);
    let sizes = at(&root, 1);
    assert_eq!(labels(&sizes)[..2], ["large", "small"]);
    assert_eq!(item(&sizes, "small").insert, "\"small\"");
    let names = at(&root, 2);
    assert!(labels(&names).contains(&"opts") && labels(&names).contains(&"for_each"));
    assert!(!labels(&names).contains(&"size"), "it is there already");
    assert!(chosen(&root, 3, "small").contains("size   = \"small\"\n"));
    assert_eq!(labels(&at(&root, 4)), ["deep", "name"]);
}

#[test]
fn value_files_types_and_paths() {
    let root = MarkedRoot::of(&[
        (
            "app/main.tf",
            "variable \"region\" {\n  type = ¦\n}\nlocals {\n  t = file(\"./no¦\")\n  m = { \"a b\" = 1 }\n  k = local.m[\"¦\"]\n}\n",
        ),
        ("app/terraform.tfvars", "re¦"),
        ("app/note.txt", "x"),
    ]);
    assert!(labels(&at(&root, 0)).contains(&"string"));
    assert!(labels(&at(&root, 1)).contains(&"note.txt"));
    assert!(chosen(&root, 1, "note.txt").contains("file(\"./note.txt\")"));
    assert_eq!(labels(&at(&root, 2)), ["a b"]);
    let values = at(&root, 3);
    assert_eq!(labels(&values), ["region"]);
}

#[test]
fn json_has_names_and_keys_too() {
    let root = MarkedRoot::of(&[(
        "app/main.tf.json",
        "{\"resource\": {\"terraform_data\": {\"a\": {\"in¦\": 1}}}, \"locals\": {\"x\": 1, \"y\": \"${local.¦}\"}, \"va¦\": {}}",
    )]);
    assert!(labels(&at(&root, 0)).contains(&"input"));
    assert_eq!(labels(&at(&root, 1)), ["x", "y"]);
    let top = at(&root, 2);
    assert!(labels(&top).contains(&"variable"));
    assert_eq!(item(&top, "variable").insert, "variable");
}

/// Tests completion in files that belong to no root: from the rows of the language alone.
#[test]
fn files_without_a_root_have_what_the_language_says() {
    let root = MarkedRoot::of(&[
        ("app/x.pkr.hcl", "source \"null\" \"a\" {}\nbu¦\nbuild {\n  ¦\n}\n"),
        ("app/x.tftest.hcl", "run \"a\" {\n  ¦\n}\n"),
        ("app/t.tftpl", "a ${up¦} b¦"),
    ]);
    let soon = Request::new(&root.workspace);
    let at = |number: usize| {
        let (file, at) = root.mark(number);
        complete(&soon, file, at)
    };
    assert!(labels(&at(0)).contains(&"build"));
    assert!(labels(&at(1)).contains(&"provisioner") && labels(&at(1)).contains(&"sources"));
    assert!(labels(&at(2)).contains(&"assert") && labels(&at(2)).contains(&"command"));
    assert!(labels(&at(3)).contains(&"upper"));
    assert!(labels(&at(4)).is_empty());
}

#[test]
fn types_and_arguments_of_a_schema() {
    let schema = r#"{"format_version": "1.0", "provider_schemas": {"registry.terraform.io/hashicorp/acme": {
      "provider": {"version": 0, "block": {"attributes": {"token": {"type": "string", "optional": true}}}},
      "resource_schemas": {"acme_box": {"version": 0, "block": {
        "attributes": {"name": {"type": "string", "required": true, "description": "The name of the box."}, "id": {"type": "string", "computed": true}},
        "block_types": {"disk": {"nesting_mode": "list", "min_items": 1, "block": {"attributes": {"size": {"type": "number", "required": true}}}}}
      }}}}}}"#;
    let schemas = ProviderSchemas::of(schema.as_bytes().to_vec()).unwrap();
    let options = LoadOptions { schemas, ..LoadOptions::default() };
    let root = MarkedRoot::with(
        &[(
            "app/main.tf",
            "resource \"ac¦\" \"a\" {}\nresource \"acme_box\" \"b\" {\n  ¦\n  disk {\n    ¦\n  }\n}\nlocals {\n  x = acme_box.b.¦\n}\nprovider \"acme\" {\n  ¦\n}\n",
        )],
        &options,
    );
    assert!(labels(&at(&root, 0)).contains(&"acme_box"));
    let body = at(&root, 1);
    assert_eq!(labels(&body)[..2], ["disk", "name"]);
    assert!(labels(&body).contains(&"disk") && !labels(&body).contains(&"id"));
    assert!(item(&body, "disk").insert.contains("size = $1"));
    assert_eq!(labels(&at(&root, 2))[..1], ["size"]);
    let words = resolve_completion(&root.request(), "app/main.tf", item(&body, "name")).plain();
    assert_eq!(words, "The name of the box.");
    assert!(labels(&at(&root, 3)).contains(&"id"));
    assert!(labels(&at(&root, 4)).contains(&"token"));
}

/// Tests that signature help names the parameter of the argument at the cursor.
#[test]
fn the_parameter_that_is_typed() {
    let root = MarkedRoot::of(&[(
        "app/main.tf",
        "locals {\n  a = join(¦\",\", upper(¦\"a\"), ¦[1\n  b = max(1, 2, ¦3)\n  c = [¦]\n}\n",
    )]);
    let shown = |number: usize| {
        let (file, at) = root.mark(number);
        let help = signature_help(&root.soon(), file, at)?;
        let active = help.active.map(|at| help.parameters[at].span.of(&help.label).to_owned());
        Some(format!("{} {}", help.label, active.unwrap_or_default()))
    };
    assert_eq!(shown(0).unwrap(), "join(separator, lists...) separator");
    assert_eq!(shown(1).unwrap(), "upper(string) string");
    assert_eq!(shown(2).unwrap(), "join(separator, lists...) lists...");
}
