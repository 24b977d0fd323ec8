//! References: visible names, and cycles.

use super::scene::main;

#[test]
fn undeclared_names_are_reported_even_inside_try() {
    let loaded = main(
        "variable \"region\" { default = \"r\" }\nlocals {\n  name = \"n\"\n  a = try(var.regoin, 1)\n  b = [for x in [1] : local.nmae]\n}\noutput \"c\" { value = aws_vpc.main.id }\noutput \"d\" { value = module.none.x }\noutput \"e\" { value = nothing }\noutput \"f\" { value = path.home }\n",
    )
    .load();
    assert_eq!(
        loaded.all(),
        [
            "error undeclared-reference main.tf:4:11",
            "error undeclared-reference main.tf:5:23",
            "error undeclared-reference main.tf:7:22",
            "error undeclared-reference main.tf:8:22",
            "error incomplete-reference main.tf:9:22",
            "error undeclared-reference main.tf:10:22"
        ]
    );
    let details = loaded.details();
    assert!(details.contains("Did you mean \"region\"?"), "{details}");
    assert!(details.contains("Did you mean \"name\"?"), "{details}");
    assert_eq!(loaded.ask("try(local.nope, 1)"), "error undeclared-reference <question>:1:5");
    assert_eq!(loaded.ask("local.name"), "\"n\"");
}

#[test]
fn a_ring_is_shown_whole() {
    let loaded = main("locals {\n  a = local.b\n  b = upper(local.c)\n  c = \"${local.a}!\"\n  d = 1\n}\noutput \"o\" { value = local.d }\n").load();
    assert_eq!(loaded.all(), ["error reference-ring main.tf:2:3"]);
    let details = loaded.details();
    assert!(details.contains("local.a -> local.b -> local.c -> local.a"), "{details}");
    let diagnostic = loaded.found.iter().next().unwrap();
    assert_eq!(diagnostic.notes.len(), 3);
    assert!(diagnostic.notes.iter().all(|note| note.place.is_some()));
    assert_eq!(loaded.ask("local.d"), "1");
    assert!(!loaded.value("local.a").is_known());
}

#[test]
fn rings_across_modules_and_of_one() {
    let loaded = main(
        "module \"m\" {\n  source = \"./m\"\n  v = module.m.o\n}\nlocals {\n  own = local.own\n}\n",
    )
    .file("m/main.tf", "variable \"v\" {}\noutput \"o\" { value = var.v }")
    .load();
    assert_eq!(
        loaded.found(),
        ["error reference-ring main.tf:6:3", "error reference-ring m/main.tf:1:1"]
    );
    let fine = main("module \"m\" {\n  source = \"./m\"\n  a = \"x\"\n  b = module.m.a_out\n}\n")
        .file("m/main.tf", "variable \"a\" {}\nvariable \"b\" {}\noutput \"a_out\" { value = \"${var.a}!\" }\noutput \"b_out\" { value = \"${var.b}?\" }")
        .load();
    assert_eq!(fine.all(), Vec::<String>::new());
    assert_eq!(fine.ask("module.m.b_out"), "\"x!?\"");
}

#[test]
fn only_what_is_needed_is_evaluated() {
    let loaded = main("locals {\n  bad = [1][5]\n  good = 1\n}\n").load();
    assert_eq!(loaded.ask("local.good"), "1");
    assert!(loaded.ask("local.bad").contains("main.tf:2"));
    assert_eq!(loaded.all().len(), 1);
    // It is said again to whoever asks again.
    assert!(loaded.ask("local.bad").contains("main.tf:2"));
}

#[test]
fn paths_and_workspace() {
    let loaded = main("module \"m\" { source = \"./mods/../m\" }")
        .file("m/main.tf", "output \"p\" { value = [path.module, path.root] }")
        .env("TF_WORKSPACE", "blue")
        .load();
    assert_eq!(loaded.ask("module.m.p"), "[\n  \"m\",\n  \".\",\n]");
    assert_eq!(
        loaded.ask("[path.module, path.root, path.cwd]"),
        "[\n  \".\",\n  \".\",\n  \"/\",\n]"
    );
    assert_eq!(loaded.ask("terraform.workspace"), "\"blue\"");
    let file = main("locals {}").file(".terraform/environment", "green\n").load();
    assert_eq!(file.ask("terraform.workspace"), "\"green\"");
    assert_eq!(main("locals {}").load().ask("terraform.workspace"), "\"default\"");
}

#[test]
fn each_count_and_self_outside_of_their_places() {
    let loaded = main("locals {\n  a = each.key\n  b = count.index\n  c = self.id\n}\n").load();
    assert_eq!(
        loaded.found(),
        [
            "error misplaced-reference main.tf:2:7",
            "error misplaced-reference main.tf:3:7",
            "error misplaced-reference main.tf:4:7"
        ]
    );
}
