//! Several threads: nested instances, diagnostics in many of them, a cycle among instances only. One thread and several give the
//! same results, whichever comes first.

use std::fmt::Write as _;

use groma_project::ThreadCount;
use groma_value::print;

use super::scene::{Scene, main};

/// Returns a project of nested modules, with resources of many instances and diagnostics of every kind.
fn wide() -> Scene {
    let mut text = String::from(
        "locals {\n  keys = toset([for i in range(40) : \"k${i}\"])\n}\n\
         module \"outer\" {\n  source = \"./outer\"\n  for_each = local.keys\n  name = each.key\n  shared = local.long\n}\n\
         output \"all\" {\n  value = { for k, m in module.outer : k => m.inner }\n}\n\
         output \"first\" {\n  value = module.outer[\"k0\"].ids\n}\n\
         resource \"terraform_data\" \"each\" {\n  for_each = local.keys\n  input = module.outer[each.key].inner\n}\n\
         resource \"terraform_data\" \"now\" {\n  count = 12\n  input = [timestamp(), uuid(), var.absent, count.index]\n}\n\
         variable \"absent\" {}\n\
         locals {\n  c0 = 1\n",
    );
    for at in 1..300 {
        let _ = writeln!(text, "  c{at} = local.c{} + 1", at - 1);
    }
    text.push_str("  long = local.c299\n}\n");
    let outer = "variable \"name\" {\n  validation {\n    condition = length(var.name) < 3\n    error_message = \"${var.name} is long\"\n  }\n}\nvariable \"shared\" {}\n\
         module \"inner\" {\n  source = \"../inner\"\n  count = 3\n  name = \"${var.name}-${count.index}-${var.shared}\"\n}\n\
         output \"inner\" {\n  value = module.inner[*].text\n}\n\
         output \"ids\" {\n  value = [for one in terraform_data.many : one.id]\n}\n\
         resource \"terraform_data\" \"many\" {\n  count = 5\n  input = \"${module.inner[count.index].text}!\"\n\
           lifecycle {\n    precondition {\n      condition = count.index < 2\n      error_message = \"${var.name} ${count.index}\"\n    }\n  }\n}\n";
    let inner = "variable \"name\" {}\noutput \"text\" {\n  value = upper(var.name)\n}\n\
         output \"wrong\" {\n  value = var.name + 1\n}\n";
    main(&text).file("outer/main.tf", outer).file("inner/main.tf", inner)
}

/// Returns a project in which a data source waits for a resource whose `count` depends on that data source.
fn ring() -> Scene {
    let text = "module \"m\" {\n  source = \"./m\"\n  depends_on = [terraform_data.a]\n}\n\
         resource \"terraform_data\" \"a\" {\n  count = length(module.m.o)\n}\n\
         output \"o\" {\n  value = module.m.o\n}\noutput \"p\" {\n  value = terraform_data.a\n}\n";
    main(text).file(
        "m/main.tf",
        "data \"x_y\" \"d\" {\n  n = 1\n}\noutput \"o\" {\n  value = data.x_y.d.list\n}\n",
    )
}

/// Returns the diagnostics of a project and its outputs as text, evaluated on this number of threads.
fn told(mut scene: Scene, threads: ThreadCount) -> (Vec<String>, String) {
    scene.options.run.threads = threads;
    let loaded = scene.load();
    let mut out = loaded.found.clone();
    let outputs = loaded.evaluation.outputs(&mut out);
    loaded.evaluation.evaluate_all(&mut out);
    let found = out.iter().map(|d| format!("{:?} {} {}", d.place, d.code.slug, d.detail)).collect();
    let shown = |o: &groma_project::OutputValue| {
        format!("{} = {} {:?}", o.name, print::console(&o.value), o.value.deep_causes())
    };
    (found, outputs.iter().map(shown).collect::<Vec<_>>().join("\n"))
}

#[test]
fn threads_say_what_one_says() {
    for scene in [wide, ring] {
        let alone = told(scene(), ThreadCount::default());
        assert!(!alone.0.is_empty());
        for round in 0..12 {
            let threads = ThreadCount { most: 2 + round % 3, from: 1 + round * 7 % 40 };
            assert_eq!(told(scene(), threads), alone, "{threads:?}");
        }
    }
}

#[test]
fn everything_is_asked_in_any_order() {
    let mut scene = wide();
    scene.options.run.threads = ThreadCount { most: 4, from: 3 };
    let loaded = scene.load();
    let first = loaded.ask("module.outer[\"k7\"].inner");
    loaded.all();
    assert_eq!(loaded.ask("module.outer[\"k7\"].inner"), first);
    assert_eq!(first, wide().load().ask("module.outer[\"k7\"].inner"));
}
