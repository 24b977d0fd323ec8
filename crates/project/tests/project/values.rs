//! Input variables: the sources of their values, and conversion and validation.

use super::scene::{Scene, main};

#[test]
fn the_later_source_wins() {
    let names: String =
        (0..9).map(|i| format!("variable \"v{i}\" {{ default = \"default\" }}\n")).collect();
    let set = |from: usize, text: &str| -> String {
        (from..9).map(|i| format!("v{i} = \"{text}\"\n")).collect()
    };
    let mut scene = main(&names)
        .file("terraform.tfvars", set(2, "tfvars"))
        .file("terraform.tfvars.json", "{\"v3\":\"json\",\"v4\":\"json\",\"v5\":\"json\",\"v6\":\"json\",\"v7\":\"json\",\"v8\":\"json\"}")
        .file("10.auto.tfvars", set(4, "10"))
        .file("B.auto.tfvars", set(5, "B"))
        .file("a.auto.tfvars", set(6, "a"))
        .file("extra.tfvars", set(7, "extra"))
        .var_file("extra.tfvars")
        .var("v8", "flag");
    for i in 1..9 {
        scene = scene.env(&format!("TF_VAR_v{i}"), "env");
    }
    let loaded = scene.load();
    assert_eq!(loaded.found(), Vec::<String>::new());
    assert_eq!(
        loaded.ask(
            "join(\" \", [var.v0, var.v1, var.v2, var.v3, var.v4, var.v5, var.v6, var.v7, var.v8])"
        ),
        "\"default env tfvars json 10 B a extra flag\""
    );
}

#[test]
fn flags_apply_in_the_order_written() {
    let loaded = main("variable \"x\" { default = 0 }\nvariable \"y\" { default = 0 }")
        .file("f.tfvars", "x = \"file\"\ny = \"file\"")
        .var("x", "before")
        .var_file("f.tfvars")
        .var("y", "after")
        .load();
    assert_eq!(loaded.ask("\"${var.x} ${var.y}\""), "\"file after\"");
}

#[test]
fn text_is_read_by_the_declared_type() {
    let loaded = main(
        "variable \"plain\" {}\nvariable \"free\" { type = any }\nvariable \"list\" { type = list(number) }\nvariable \"b\" { type = bool }\nvariable \"s\" { type = string }\n",
    )
    .var("plain", "[1, 2]")
    .var("free", "[1, {a = true}]")
    .var("list", "[1, \"2\"]")
    .var("b", "1")
    .env("TF_VAR_s", "\"a ${1 + 1}\"")
    .load();
    assert_eq!(loaded.all(), Vec::<String>::new());
    assert_eq!(loaded.ask("var.plain"), "\"[1, 2]\"");
    assert_eq!(loaded.ask("var.free[1].a"), "true");
    assert_eq!(loaded.ask("sum(var.list)"), "3");
    assert_eq!(loaded.ask("var.b"), "true");
    assert_eq!(loaded.ask("length(var.s)"), "12");
}

#[test]
fn value_files_hold_constants() {
    let text = "variable \"x\" {}\nvariable \"y\" {}\nvariable \"z\" {}";
    let loaded = main(text)
        .file("terraform.tfvars", "x = 1 + 2\ny = \"a${true ? \"b\" : \"c\"}\"\nz = { for k in [\"p\"] : k => \"${k}${k}\" }")
        .load();
    assert_eq!(loaded.found(), Vec::<String>::new());
    assert_eq!(loaded.ask("[var.x, var.y, var.z.p]"), "[\n  3,\n  \"ab\",\n  \"pp\",\n]");
    let wrong = main(text)
        .file("terraform.tfvars", "x = upper(\"a\")\ny = var.x\nz = 1\nvariable \"q\" {\n}\n")
        .load();
    assert_eq!(
        wrong.found(),
        [
            "error not-constant terraform.tfvars:1:5",
            "error not-constant terraform.tfvars:2:5",
            "error block-in-values terraform.tfvars:4:1"
        ]
    );
    assert_eq!(wrong.ask("var.z"), "1");
}

#[test]
fn json_values_are_literal() {
    let loaded = main("variable \"x\" {}\nvariable \"y\" {}")
        .file(
            "terraform.tfvars.json",
            "{\"//\": \"note\", \"x\": \"${1 + 1}\", \"y\": {\"l\": [null, true]}}",
        )
        .load();
    assert_eq!(loaded.found(), Vec::<String>::new());
    assert_eq!(loaded.ask("length(var.x)"), "8");
    assert_eq!(loaded.ask("var.y.l[1]"), "true");
}

#[test]
fn undeclared_names_by_source() {
    let loaded = main("variable \"x\" { default = 1 }")
        .file("terraform.tfvars", "x = 2\nghost = 1\nspook = 2\n")
        .file("m.auto.tfvars", "phantom = 3\nxx = 4")
        .env("TF_VAR_nobody", "1")
        .load();
    assert_eq!(
        loaded.found(),
        [
            "warning undeclared-variable terraform.tfvars:2:1",
            "warning undeclared-variable terraform.tfvars:3:1",
            "warning undeclared-variable m.auto.tfvars:1:1"
        ]
    );
    let flag = main("variable \"x\" { default = 1 }").var("ghost", "1").load();
    assert_eq!(flag.found(), ["error undeclared-variable"]);
}

#[test]
fn defaults_of_optional_attributes() {
    let loaded = main(
        "variable \"o\" {\n  type = object({\n    outer = optional(object({\n      port = optional(number, 8080)\n      none = optional(object({ deep = optional(string, \"d\") }))\n    }), {})\n  })\n  default = {}\n}\n",
    )
    .load();
    assert_eq!(loaded.found(), Vec::<String>::new());
    assert_eq!(
        loaded.ask("[var.o.outer.port, var.o.outer.none]"),
        "[\n  8080,\n  null,\n]".replace("null", &loaded.ask("var.o.outer.none"))
    );
}

#[test]
fn a_value_of_a_wrong_type() {
    let scene = || {
        main("variable \"x\" {\n  type = list(number)\n}\n")
            .file("terraform.tfvars", "x = [1, \"two\"]\n")
    };
    assert_eq!(scene().load().all(), ["error variable-type main.tf:1:1"]);
    let terraform = scene().edition("terraform@1.11").load();
    assert_eq!(terraform.all(), ["error variable-type terraform.tfvars:1:5"]);
    let flag = main("variable \"n\" { type = number }").var("n", "ten").load();
    assert_eq!(flag.all(), ["error variable-type main.tf:1:1"]);
    assert!(scene().load().details().contains("[1]"), "{}", scene().load().details());
}

#[test]
fn null_and_not_nullable() {
    let module = "variable \"strict\" {\n  default = \"d\"\n  nullable = false\n}\nvariable \"loose\" {\n  default = \"d\"\n}\noutput \"o\" { value = [var.strict, var.loose] }";
    let loaded = main("module \"m\" {\n  source = \"./m\"\n  strict = null\n  loose = null\n}\noutput \"o\" { value = module.m.o }")
        .file("m/main.tf", module)
        .load();
    assert_eq!(loaded.all(), Vec::<String>::new());
    assert_eq!(loaded.ask("module.m.o"), "[\n  \"d\",\n  null,\n]");
    let wrong = main("module \"m\" {\n  source = \"./m\"\n  x = null\n}")
        .file("m/main.tf", "variable \"x\" {\n  nullable = false\n}")
        .load();
    assert_eq!(wrong.all(), ["error variable-null main.tf:3:7"]);
}

#[test]
fn validations() {
    let text = "variable \"n\" {\n  type = number\n  default = 7\n  validation {\n    condition = var.n > 10\n    error_message = \"n is ${var.n}, too small.\"\n  }\n  validation {\n    condition = var.n % 2 == 0\n    error_message = \"n is odd.\"\n  }\n}\nlocals {\n  m = var.n + 1\n}\n";
    let loaded = main(text).load();
    assert_eq!(loaded.all(), ["error validation-failed main.tf:1:1"]);
    assert!(loaded.details().contains("n is 7, too small."));
    assert_eq!(
        loaded.evaluation.variables(&mut Default::default())[0].value.ty(),
        groma_value::Type::Number
    );
    let terraform = main(text).edition("terraform").load();
    assert_eq!(terraform.all().len(), 2);
}

#[test]
fn a_required_variable_without_a_value_is_unknown() {
    let loaded =
        main("variable \"gone\" { type = string }\noutput \"o\" { value = \"a-${var.gone}\" }")
            .load();
    assert_eq!(loaded.all(), Vec::<String>::new());
    let value = loaded.value("var.gone");
    let causes = value.deep_causes();
    let cause = loaded.evaluation.causes().get(causes.ids()[0]).unwrap();
    assert_eq!(
        (cause.class.slug(), cause.kind, &**cause.address.text()),
        ("offline", "variable", "var.gone")
    );
    assert_eq!(value.ty(), groma_value::Type::String);
}

#[test]
fn extra_attributes_are_said_to_be_dropped() {
    let text = "variable \"o\" {\n  type = object({ name = string })\n  default = {\n    name = \"n\"\n    extra = 1\n  }\n}\n";
    assert_eq!(main(text).load().all(), ["warning extra-attribute main.tf:5:5"]);
    assert_eq!(main(text).edition("terraform").load().all(), Vec::<String>::new());
}

#[test]
fn names_and_duplicates() {
    let loaded = Scene::new()
        .file(
            "a.tf",
            "variable \"x\" { default = 1 }\nvariable \"1st\" {}\nvariable \"count\" {}\n",
        )
        .file("b.tf", "variable \"x\" { default = 2 }\n")
        .load();
    assert_eq!(
        loaded.found(),
        [
            "error invalid-name a.tf:2:10",
            "error reserved-variable-name a.tf:3:10",
            "error duplicate-declaration b.tf:1:1"
        ]
    );
    assert_eq!(loaded.found.iter().last().unwrap().notes.len(), 1);
    assert_eq!(loaded.ask("var.x"), "1");
}
