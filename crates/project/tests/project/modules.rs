//! Module calls: which are followed, their inputs and their outputs.

use super::scene::{Scene, main};

#[test]
fn inputs_go_down_and_outputs_come_up() {
    let loaded = main("module \"l1\" {\n  source = \"./mods/one\"\n  v = \"r\"\n}\noutput \"o\" { value = module.l1.o }")
        .file("mods/one/main.tf", "variable \"v\" {}\nmodule \"l2\" {\n  source = \"../two\"\n  v = \"${var.v}1\"\n}\noutput \"o\" { value = \"${module.l2.o}<1\" }")
        .file("mods/two/main.tf", "variable \"v\" {}\nmodule \"l3\" {\n  source = \"./three\"\n  v = \"${var.v}2\"\n}\noutput \"o\" { value = \"${module.l3.o}<2\" }")
        .file("mods/two/three/main.tf", "variable \"v\" {}\nresource \"terraform_data\" \"leaf\" { input = \"${var.v}3\" }\noutput \"o\" { value = terraform_data.leaf.input }")
        .load();
    assert_eq!(loaded.all(), Vec::<String>::new());
    assert_eq!(loaded.ask("module.l1.o"), "\"r123<2<1\"");
    assert_eq!(loaded.project.modules().count(), 4);
}

#[test]
fn what_does_not_fit() {
    let loaded = main("module \"m\" {\n  source = \"./m\"\n  nope = 1\n}\noutput \"o\" { value = module.m.nope }\n")
        .file("m/main.tf", "variable \"need\" {}\noutput \"o\" { value = local.secret }")
        .load();
    assert_eq!(
        loaded.all(),
        [
            "error missing-input main.tf:1:1",
            "error unknown-input main.tf:3:3",
            "error undefined-name main.tf:5:22",
            "error undeclared-reference m/main.tf:2:22"
        ]
    );
}

#[test]
fn modules_that_are_not_here() {
    let loaded = main("module \"vpc\" {\n  source = \"terraform-aws-modules/vpc/aws\"\n}\nmodule \"gone\" {\n  source = \"./gone\"\n}\nmodule \"bare\" {\n  source = \"m\"\n}\noutput \"o\" { value = module.vpc.vpc_id }\n").load();
    assert_eq!(
        loaded.all(),
        [
            "warning module-not-installed main.tf:2:12",
            "error module-not-found main.tf:5:12",
            "error module-source main.tf:8:12"
        ]
    );
    let causes = loaded.value("module.vpc.vpc_id").deep_causes();
    let cause = loaded.evaluation.causes().get(causes.ids()[0]).unwrap();
    assert_eq!((cause.kind, &**cause.address.text()), ("module", "module.vpc"));
}

#[test]
fn installed_modules_are_used() {
    let loaded = main("module \"vpc\" {\n  source = \"terraform-aws-modules/vpc/aws\"\n}\n")
        .file(".terraform/modules/modules.json", "{\"Modules\":[{\"Key\":\"\",\"Source\":\"\",\"Dir\":\".\"},{\"Key\":\"vpc\",\"Source\":\"registry.terraform.io/terraform-aws-modules/vpc/aws\",\"Version\":\"5.0.0\",\"Dir\":\".terraform/modules/vpc\"}]}")
        .file(".terraform/modules/vpc/main.tf", "output \"p\" { value = path.module }")
        .load();
    assert_eq!(loaded.all(), Vec::<String>::new());
    assert_eq!(loaded.ask("module.vpc.p"), "\".terraform/modules/vpc\"");
}

#[test]
fn nothing_outside_of_the_root_is_read() {
    let scene = |root: Option<&str>| {
        let mut scene = Scene::new()
            .file(
                "a/b/main.tf",
                "module \"m\" {\n  source = \"../../c\"\n}\noutput \"o\" { value = module.m.o }",
            )
            .file("c/main.tf", "output \"o\" { value = 1 }");
        scene.dir = "a/b".to_owned();
        scene.options.load.root = root.map(str::to_owned);
        scene
    };
    let outside = scene(None).load();
    assert_eq!(outside.all(), ["warning module-outside a/b/main.tf:2:12"]);
    assert!(!outside.value("module.m.o").is_known());
    assert_eq!(scene(Some("/")).load().ask("module.m.o"), "1");
    let repository = scene(None).file(".git/HEAD", "ref").load();
    assert_eq!(repository.ask("module.m.o"), "1");
}

#[test]
fn a_module_that_calls_itself() {
    let loaded = main("module \"again\" {\n  source = \"./\"\n}\nlocals {\n  a = 1\n}\n").load();
    assert_eq!(loaded.all(), ["error module-ring main.tf:2:12"]);
    assert_eq!(loaded.ask("local.a"), "1");
    let pair = main("module \"a\" { source = \"./x\" }")
        .file("x/main.tf", "module \"b\" { source = \"../y\" }")
        .file("y/main.tf", "module \"c\" { source = \"../x\" }")
        .load();
    assert_eq!(pair.all(), ["error module-ring y/main.tf:1:23"]);
}

#[test]
fn sources_may_be_computed() {
    let scene = || {
        main("variable \"which\" { default = \"a\" }\nlocals {\n  dir = \"mods/${var.which}\"\n}\nmodule \"m\" {\n  source = \"./${local.dir}\"\n}\n")
            .file("mods/a/main.tf", "output \"who\" { value = \"a\" }")
            .file("mods/b/main.tf", "output \"who\" { value = \"b\" }")
    };
    let loaded = scene().var("which", "b").load();
    assert_eq!(loaded.all(), Vec::<String>::new());
    assert_eq!(loaded.ask("module.m.who"), "\"b\"");
    assert_eq!(scene().edition("terraform").load().all().len(), 1);
    let child = main("module \"outer\" {\n  source = \"./outer\"\n  pick = \"x\"\n}\n")
        .file("outer/main.tf", "variable \"pick\" {}\nmodule \"inner\" {\n  source = \"./${var.pick}\"\n}\noutput \"o\" { value = module.inner.who }")
        .file("outer/x/main.tf", "output \"who\" { value = \"x\" }")
        .load();
    assert_eq!(child.ask("module.outer.o"), "\"x\"");
}

#[test]
fn a_mismatch_of_an_argument_by_dialect() {
    let scene = || {
        main("module \"m\" {\n  source = \"./m\"\n  n = \"abc\"\n}\n")
            .file("m/main.tf", "variable \"n\" { type = number }")
    };
    assert_eq!(scene().load().all(), ["error variable-type m/main.tf:1:1"]);
    assert_eq!(scene().edition("terraform").load().all(), ["error variable-type main.tf:3:7"]);
}
