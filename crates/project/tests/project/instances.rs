//! `count` and `for_each` of modules and resources.

use super::scene::main;

#[test]
fn modules_by_number_and_by_key() {
    let child = "variable \"v\" { default = \"d\" }\noutput \"v\" { value = var.v }";
    let loaded = main("module \"n\" {\n  source = \"./m\"\n  count = 2\n  v = \"n${count.index}\"\n}\nmodule \"k\" {\n  source = \"./m\"\n  for_each = { a = \"x\", \"b.c\" = \"y\" }\n  v = \"${each.key}-${each.value}\"\n}\nmodule \"z\" {\n  source = \"./m\"\n  count = 0\n}\n")
        .file("m/main.tf", child)
        .load();
    assert_eq!(loaded.all(), Vec::<String>::new());
    assert_eq!(loaded.ask("module.n[*].v"), "[\n  \"n0\",\n  \"n1\",\n]");
    assert_eq!(loaded.ask("module.n[1].v"), "\"n1\"");
    assert_eq!(loaded.ask("module.k[\"b.c\"].v"), "\"b.c-y\"");
    assert_eq!(loaded.ask("{ for k, m in module.k : k => m.v }.a"), "\"a-x\"");
    assert_eq!(loaded.ask("one(module.z[*].v) == null"), "true");
    assert!(loaded.ask("module.n[5].v").contains("<question>:1:"));
    assert!(loaded.ask("module.n.v").contains("<question>:1:"));
}

#[test]
fn resources_by_number_and_by_key() {
    let loaded = main("variable \"names\" { default = [\"a\", \"b\"] }\nresource \"terraform_data\" \"n\" {\n  count = length(var.names)\n  input = \"${count.index}-${var.names[count.index]}\"\n}\nresource \"terraform_data\" \"k\" {\n  for_each = terraform_data.e\n  input = each.value.input\n}\nresource \"terraform_data\" \"e\" {\n  for_each = toset([\"p\", \"q\"])\n  input = each.key\n}\n")
        .load();
    assert_eq!(loaded.all(), Vec::<String>::new());
    assert_eq!(loaded.ask("terraform_data.n[*].input"), "[\n  \"0-a\",\n  \"1-b\",\n]");
    assert_eq!(loaded.ask("terraform_data.n[\"1\"].input"), "\"1-b\"");
    assert_eq!(loaded.ask("terraform_data.k[\"q\"].input"), "\"q\"");
    assert_eq!(loaded.ask("keys(terraform_data.k)"), "[\n  \"p\",\n  \"q\",\n]");
    assert_eq!(loaded.ask("try(terraform_data.k[\"z\"].input, \"none\")"), "\"none\"");
}

#[test]
fn what_cannot_be_repeated_over() {
    let each = |expression: &str| {
        main(&format!("resource \"terraform_data\" \"a\" {{\n  for_each = {expression}\n}}\nlocals {{\n  n = length(terraform_data.a)\n}}\n")).load().all()
    };
    for wrong in ["null", "[\"a\"]", "sensitive({ a = 1 })", "toset([1])", "\"x\"", "toset([null])"]
    {
        assert_eq!(each(wrong), ["error invalid-for-each main.tf:2:14"], "{wrong}");
    }
    let count = |expression: &str| {
        main(&format!("resource \"terraform_data\" \"a\" {{\n  count = {expression}\n}}\nlocals {{\n  n = length(terraform_data.a)\n}}\n")).load().all()
    };
    for wrong in ["null", "1 - 2", "\"two\"", "true", "1.5", "1e9"] {
        assert_eq!(count(wrong), ["error invalid-count main.tf:2:11"], "{wrong}");
    }
    assert_eq!(count("sensitive(\"2\")"), Vec::<String>::new());
}

#[test]
fn unknown_numbers_of_instances() {
    let pending = main("resource \"terraform_data\" \"a\" {}\nresource \"terraform_data\" \"b\" {\n  count = length(terraform_data.a.id)\n}\nlocals {\n  n = length(terraform_data.b)\n}\n").load();
    assert_eq!(pending.all(), ["error invalid-count main.tf:3:11"]);
    let offline = main("variable \"n\" {}\nresource \"terraform_data\" \"b\" {\n  count = var.n\n}\nlocals {\n  n = length(terraform_data.b)\n}\n").load();
    assert_eq!(offline.all(), ["note undecided-instances main.tf:3:11"]);
    let causes = offline.value("local.n").deep_causes();
    let cause = offline.evaluation.causes().get(causes.ids()[0]).unwrap();
    assert_eq!(&**cause.address.text(), "var.n");
}
