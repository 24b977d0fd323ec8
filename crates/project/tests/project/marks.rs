//! Sensitive and ephemeral values on their way through modules.

use super::scene::main;

/// A called module with plain and sensitive variables and outputs.
const CHILD: &str = "variable \"plain\" {}\nvariable \"hidden\" {\n  sensitive = true\n}\noutput \"plain\" { value = var.plain }\noutput \"hidden\" { value = var.hidden }\noutput \"flagged\" {\n  value = \"f\"\n  sensitive = true\n}\noutput \"clean\" { value = nonsensitive(var.hidden) }\n";

#[test]
fn through_modules_and_back() {
    let scene = || {
        main(
            "module \"m\" {\n  source = \"./m\"\n  plain = sensitive(\"s\")\n  hidden = \"h\"\n}\n",
        )
        .file("m/main.tf", CHILD)
    };
    let loaded = scene().load();
    assert_eq!(loaded.all(), Vec::<String>::new());
    assert_eq!(loaded.ask("[for v in [module.m.plain, module.m.hidden, module.m.flagged, module.m.clean] : issensitive(v)]"), "[\n  true,\n  true,\n  true,\n  false,\n]");
    assert_eq!(scene().edition("terraform@1.11").load().ask("module.m.flagged"), "\"f\"");
}

#[test]
fn a_root_output_has_to_say_that_it_is_sensitive() {
    let loaded = main("variable \"p\" {\n  default = \"s\"\n  sensitive = true\n}\noutput \"o\" {\n  value = { text = \"p=${var.p}\" }\n}\noutput \"fine\" {\n  value = var.p\n  sensitive = true\n}\n").load();
    assert_eq!(loaded.all(), ["error sensitive-output main.tf:5:1"]);
    assert_eq!(loaded.evaluation.outputs(&mut Default::default()).len(), 2);
}

#[test]
fn ephemeral_values_stay_where_they_are_declared() {
    let head = "variable \"tok\" {\n  default = \"t\"\n  ephemeral = true\n}\n";
    let loaded = main(&format!("{head}module \"m\" {{\n  source = \"./m\"\n  tok = var.tok\n}}\noutput \"o\" {{\n  value = length(var.tok)\n}}\noutput \"p\" {{ value = ephemeralasnull([module.m.tok])[0] == null }}\n"))
        .file("m/main.tf", "variable \"tok\" { type = string }\noutput \"tok\" { value = var.tok }\n")
        .load();
    assert_eq!(
        loaded.all(),
        [
            "error ephemeral-value main.tf:7:9",
            "error ephemeral-output main.tf:10:11",
            "error ephemeral-output m/main.tf:2:24"
        ]
    );
}
