//! The front door as an editor or a service uses it: texts come and go, snapshots stay what they were.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use groma::{
    Host, InputAssignment, LoadOptions, MemoryHost, PlanOptions, RunOptions, Snapshot, Workspace,
    hosts::{DirEntry, EntryKind, HostError},
    values::{read_plain, read_value},
};

fn workspace(files: &[(&str, &str)]) -> Workspace {
    let workspace = Workspace::new(MemoryHost::new());
    for (path, text) in files {
        workspace.set(path, *text);
    }
    workspace
}

fn json(snapshot: &Snapshot, text: &str) -> String {
    let answer = snapshot.evaluate(text);
    assert!(answer.is_free_of_errors(), "{:?}", answer.findings.iter().next());
    snapshot.plain_json(&answer.value)
}

fn root(workspace: &Workspace) -> Snapshot {
    workspace.root("app", &LoadOptions::default())
}

#[test]
fn a_snapshot_stays_what_it_was() {
    let workspace = workspace(&[
        ("app/main.tf", "locals { a = file(\"${path.module}/a.txt\") }"),
        ("app/a.txt", "one"),
    ]);
    let first = root(&workspace);
    workspace.set("app/a.txt", "two");
    // Nothing was read before the edit.
    assert_eq!(json(&first, "local.a"), "\"one\"");
    let second = root(&workspace);
    assert_eq!(json(&second, "local.a"), "\"two\"");
    workspace.set("app/a.txt", "three");
    assert_eq!(
        (json(&first, "local.a"), json(&second, "local.a")),
        ("\"one\"".into(), "\"two\"".into())
    );
    assert_eq!(json(&root(&workspace), "local.a"), "\"three\"");
}

#[test]
fn nothing_new_gives_the_same_snapshot() {
    let workspace = workspace(&[
        (
            "app/main.tf",
            "module \"m\" {\n  source = \"./m\"\n}\noutput \"o\" { value = module.m.o }",
        ),
        ("app/m/main.tf", "output \"o\" { value = 1 }"),
        ("other/main.tf", ""),
    ]);
    let first = root(&workspace);
    assert_eq!(json(&first, "module.m.o"), "1");
    assert!(first.is_same(&root(&workspace)));
    workspace.set("other/main.tf", "locals { x = 1 }");
    assert!(first.is_same(&root(&workspace)), "another root has changed");
    workspace.set("app/m/more.tf", "");
    let second = root(&workspace);
    assert!(!first.is_same(&second), "a file has come");
    assert!(workspace.remove("app/m/more.tf"));
    assert!(!workspace.remove("app/m/more.tf"));
    assert!(!second.is_same(&root(&workspace)), "a file has gone");
    let other = LoadOptions { workspace: Some("dev".into()), ..LoadOptions::default() };
    let dev = workspace.root("app", &other);
    assert_eq!(json(&dev, "terraform.workspace"), "\"dev\"");
    assert!(dev.is_same(&workspace.root("./app/", &other)));
    assert_eq!(json(&root(&workspace), "terraform.workspace"), "\"default\"");
}

/// A host that counts how often files are read.
struct Counting(MemoryHost, Arc<AtomicUsize>);

impl Host for Counting {
    fn read(&self, path: &str) -> Result<Vec<u8>, HostError> {
        self.1.fetch_add(1, Ordering::Relaxed);
        self.0.read(path)
    }
    fn length(&self, path: &str) -> Result<u64, HostError> {
        self.0.length(path)
    }
    fn list(&self, dir: &str) -> Result<Vec<DirEntry>, HostError> {
        self.0.list(dir)
    }
    fn canonical(&self, path: &str) -> Result<String, HostError> {
        self.0.canonical(path)
    }
    fn kind(&self, path: &str) -> Result<EntryKind, HostError> {
        self.0.kind(path)
    }
    fn check_code_access(&self, path: &str) -> Result<(), HostError> {
        self.0.check_code_access(path)
    }
    fn hides_environment(&self) -> bool {
        false
    }
    fn env(&self, name: &str) -> Option<String> {
        self.0.env(name)
    }
    fn env_names(&self) -> Vec<String> {
        self.0.env_names()
    }
    fn current_dir(&self) -> String {
        self.0.current_dir()
    }
    fn home(&self) -> Option<String> {
        self.0.home()
    }
}

#[test]
fn a_text_lies_over_a_file() {
    let host = MemoryHost::new()
        .with_file("/app/main.tf", "output \"o\" { value = \"disk\" }")
        .with_file("/app/m/main.tf", "");
    let reads = Arc::new(AtomicUsize::new(0));
    let workspace = Workspace::new(Counting(host, reads.clone()));
    assert_eq!(root(&workspace).outputs().value.len(), 1);
    assert!(reads.load(Ordering::Relaxed) > 0);
    workspace.set("/app/main.tf", "output \"o\" { value = \"text\" }\noutput \"p\" { value = 1 }");
    let laid = root(&workspace);
    let outputs = laid.outputs().value;
    let told: Vec<String> = outputs.iter().map(|o| laid.plain_json(&o.value)).collect();
    assert_eq!(told, ["\"text\"", "1"]);
    workspace.remove("app/main.tf");
    let again = root(&workspace);
    assert_eq!(again.plain_json(&again.output("o").value.unwrap().value), "\"disk\"");
    assert!(again.output("p").value.is_none());
}

#[test]
fn states_of_others_are_read_again_when_they_change() {
    let state = |n: u8| {
        format!(
            "{{\"version\":4,\"outputs\":{{\"n\":{{\"value\":{n},\"type\":\"number\"}}}},\"resources\":[]}}"
        )
    };
    let code = "data \"terraform_remote_state\" \"s\" {\n  backend = \"local\"\n  config = { path = \"s.tfstate\" }\n}\noutput \"n\" { value = data.terraform_remote_state.s.outputs.n }";
    let workspace = workspace(&[("app/main.tf", code), ("app/s.tfstate", &state(1))]);
    let n =
        |workspace: &Workspace| json(&root(workspace), "data.terraform_remote_state.s.outputs.n");
    assert_eq!(n(&workspace), "1");
    workspace.set("app/more.tf", "locals { x = 1 }");
    assert_eq!(n(&workspace), "1");
    // The last snapshot has taken it from the one before and read nothing itself.
    workspace.set("app/s.tfstate", state(2));
    assert_eq!(n(&workspace), "2");
}

#[test]
fn another_run_needs_no_load() {
    let reads = Arc::new(AtomicUsize::new(0));
    let host = MemoryHost::new().with_file("/app/main.tf", "locals { t = plantimestamp() }");
    let workspace = Workspace::new(Counting(host, reads.clone()));
    let first = root(&workspace);
    assert!(!first.evaluate("local.t").value.is_known());
    let before = reads.load(Ordering::Relaxed);
    let now = first.with(RunOptions {
        now: Some(groma::limits::Moment { seconds: 1_767_323_045, nanoseconds: 0 }),
        ..RunOptions::default()
    });
    assert_eq!(json(&now, "local.t"), "\"2026-01-02T03:04:05Z\"");
    assert_eq!(reads.load(Ordering::Relaxed), before);
}

/// The root with values for its variables.
fn given(workspace: &Workspace, assignments: Vec<InputAssignment>) -> Snapshot {
    let run = || RunOptions { assignments: assignments.clone(), ..RunOptions::default() };
    workspace.root_for("app", &LoadOptions::default(), &run)
}

#[test]
fn other_inputs_need_no_load() {
    let reads = Arc::new(AtomicUsize::new(0));
    let code = "variable \"n\" {\n  type = number\n  default = 1\n}\nvariable \"more\" {\n  default = 0\n}\n\
                module \"m\" {\n  source = \"./m\"\n  n = var.n\n}\n";
    let host = MemoryHost::new()
        .with_file("/app/main.tf", code)
        .with_file("/app/m/main.tf", "variable \"n\" {}\noutput \"o\" {\n  value = var.n * 2\n}\n")
        .with_file("/app/two.tfvars", "n = 2\n");
    let workspace = Workspace::new(Counting(host, reads.clone())).watched();
    let first = root(&workspace);
    assert_eq!(json(&first, "module.m.o"), "2");
    let before = reads.load(Ordering::Relaxed);
    let n = |text: &str| InputAssignment::Variable { name: "n".into(), text: text.into() };
    let other = given(&workspace, vec![n("5")]);
    assert_eq!(json(&other, "module.m.o"), "10");
    assert_eq!(json(&given(&workspace, vec![n("6")]), "module.m.o"), "12");
    assert!(other.project().is_same_code(first.project()));
    assert!(given(&workspace, vec![n("6")]).is_same(&given(&workspace, vec![n("6")])));
    assert_eq!(reads.load(Ordering::Relaxed), before);
    // Of a value file nothing but itself is read.
    let file = InputAssignment::File("app/two.tfvars".into());
    let of_file = given(&workspace, vec![file.clone()]);
    assert_eq!(json(&of_file, "module.m.o"), "4");
    assert!(of_file.project().is_same_code(first.project()));
    assert_eq!(reads.load(Ordering::Relaxed), before + 1);
    // An edit of it is seen, and the first inputs are what they were.
    workspace.set("app/two.tfvars", "n = 3\n");
    assert_eq!(json(&given(&workspace, vec![file]), "module.m.o"), "6");
    assert_eq!(json(&root(&workspace), "module.m.o"), "2");
}

#[test]
fn values_go_in_and_come_out_as_json() {
    let workspace = workspace(&[(
        "app/main.tf",
        "variable \"x\" {\n  type = object({ a = optional(number, 7), b = list(string) })\n}\nvariable \"any\" {}\noutput \"x\" { value = var.x }",
    )]);
    let give = |name: &str, value| InputAssignment::Value { name: name.into(), value };
    let plain = read_plain("{\"b\":[\"${no}\",\"2\"]}").unwrap();
    let open = read_value("{\"type\":[\"list\",\"string\"],\"value\":[\"p\",null],\"unknown\":[\"[1]\"],\"sensitive\":[\"[0]\"]}").unwrap();
    let assignments = vec![give("x", plain), give("any", open)];
    let snapshot = given(&workspace, assignments);
    assert_eq!(json(&snapshot, "var.x"), "{\"a\":7,\"b\":[\"${no}\",\"2\"]}");
    let any = snapshot.value_json(&snapshot.evaluate("var.any").value);
    assert_eq!(
        any,
        "{\"type\":[\"list\",\"string\"],\"value\":[\"p\",null],\"unknown\":[\"[1]\"],\"sensitive\":[\"[0]\"],\"console\":\"tolist([\\n  (sensitive value),\\n  (known after apply),\\n])\"}"
    );
    let texts = [
        "{ a = [1, \"x\", null], b = toset([\"q\"]), c = tomap({ \"k k\" = 1.5 }), d = sensitive(\"s\") }",
        "[timestamp(), { e = timestamp(), f = toset([timestamp(), \"v\"]) }]",
        "null",
        "tolist([])",
        "var.any",
    ];
    for text in texts {
        let told = snapshot.value_json(&snapshot.evaluate(text).value);
        let told = told.split(",\"because\"").next().unwrap().trim_end_matches('}').to_owned();
        let again = snapshot.value_json(
            &read_value(&format!("{told}}}{}", "}".repeat(0)))
                .unwrap_or_else(|why| panic!("{text}: {why}: {told}")),
        );
        assert_eq!(again.trim_end_matches('}'), told, "{text}");
    }
    for wrong in [
        "",
        "1",
        "{}",
        "{\"type\":\"number\",\"value\":\"x\"}",
        "{\"type\":[\"list\",\"bool\"],\"value\":1}",
    ] {
        assert!(read_value(wrong).is_err(), "{wrong}");
    }
    assert!(given(&workspace, vec![give("y", groma::Value::TRUE)]).found().has_errors());
}

#[test]
fn what_is_wrong_and_what_would_be_made() {
    let workspace = workspace(&[(
        "app/main.tf",
        "variable \"n\" {\n  type = number\n}\nresource \"terraform_data\" \"d\" {\n  count = 2\n  input = count.index\n}\noutput \"bad\" { value = local.none }",
    )]);
    let broken = root(&workspace);
    assert_eq!(broken.findings().error_count(), 1);
    let text = broken.render(broken.findings().iter().next().unwrap());
    assert!(text.contains("app/main.tf line 8"), "{text}");
    workspace.set("app/main.tf", "variable \"n\" {\n  type = number\n}\nresource \"terraform_data\" \"d\" {\n  count = 2\n  input = count.index\n}");
    let well = root(&workspace);
    assert!(well.findings().is_empty());
    let resources = well.resources().value;
    let addresses: Vec<&str> = resources.iter().map(|one| &*one.address).collect();
    assert_eq!(addresses, ["terraform_data.d[0]", "terraform_data.d[1]"]);
    let own = well.evaluate_at("terraform_data.d[1]", "self.input + count.index").value.unwrap();
    assert_eq!(well.plain_json(&own), "2");
    assert!(well.evaluate_at("terraform_data.d[2]", "1").value.is_none());
    // A plan wants the variable, whatever else was asked.
    assert!(well.plan(PlanOptions::default()).is_errored());
    let assignments = vec![InputAssignment::Variable { name: "n".into(), text: "1".into() }];
    let given = given(&workspace, assignments);
    let plan = given.plan(PlanOptions::default());
    assert!(!plan.is_errored());
    assert_eq!(plan.changes().len(), 2);
}

#[test]
fn parts_of_an_expression_are_told() {
    let workspace = workspace(&[("app/main.tf", "locals { a = [1, 2] }")]);
    let snapshot = root(&workspace);
    let text = "upper(\"x${local.a[0] + 1}\")";
    let told: Vec<(String, String)> = snapshot
        .trace(text)
        .value
        .iter()
        .map(|one| {
            (
                text[one.span.start as usize..one.span.end as usize].to_owned(),
                snapshot.plain_json(&one.value),
            )
        })
        .collect();
    let has = |part: &str, value: &str| told.iter().any(|(p, v)| p == part && v == value);
    assert!(has("local.a[0]", "1"), "{told:?}");
    assert!(has("local.a[0] + 1", "2"), "{told:?}");
    assert_eq!(told.last().unwrap(), &(text.to_owned(), "\"X2\"".to_owned()));
    assert!(!snapshot.trace("local.none + 1").is_free_of_errors());
}

#[test]
fn a_run_that_is_cancelled_says_so() {
    let workspace =
        workspace(&[("app/main.tf", "locals { a = 1 }\noutput \"o\" { value = local.a }")]);
    let snapshot = root(&workspace);
    let cancel = snapshot.evaluation().cancel();
    let asked = std::thread::spawn({
        let snapshot = snapshot.clone();
        move || {
            let all = "length(flatten([for a in range(1000) : [for b in range(1000) : [for c in range(1000) : a]]]))";
            snapshot.evaluate(all)
        }
    });
    std::thread::sleep(std::time::Duration::from_millis(20));
    cancel.cancel();
    let answer = asked.join().unwrap();
    let codes: Vec<&str> = answer.findings.iter().map(|one| one.code.slug).collect();
    assert_eq!(codes, ["limit-cancelled"]);
    assert!(cancel.is_cancelled() && snapshot.has_ended());
    let codes: Vec<&str> =
        snapshot.evaluate("local.a").findings.iter().map(|one| one.code.slug).collect();
    assert_eq!(codes, ["limit-cancelled"]);
    // The next one is a run of its own.
    assert_eq!(json(&root(&workspace), "local.a"), "1");
}

#[test]
fn packer_templates_are_asked_alike() {
    let workspace = workspace(&[("p/main.pkr.hcl", "locals { a = \"x\" }")]);
    let template = workspace.template("p", &groma::packer::TemplateOptions::default());
    assert_eq!(template.findings().error_count(), 0);
    assert!(template.evaluate("local.a == \"x\"").is_free_of_errors());
}

#[test]
fn they_can_be_sent_and_shared() {
    fn check<T: Send + Sync + 'static>() {}
    check::<Snapshot>();
    check::<Workspace>();
    check::<groma::TemplateSnapshot>();
}

/// Facts that count how often they are asked.
struct Asked(AtomicUsize);

impl groma::projects::ProviderAnswers for Asked {
    fn resource(&self, _: &groma::projects::ResourceRequest<'_>) -> groma::projects::ResourceFact {
        self.0.fetch_add(1, Ordering::Relaxed);
        groma::projects::ResourceFact::Unanswered
    }
}

#[test]
fn an_edit_works_out_what_it_touches() {
    let code = |n: u8| {
        let mut text = format!("locals {{\n  a = {n}\n  b = 2\n}}\n");
        for at in 0..40 {
            let name = if at == 7 { "a" } else { "b" };
            text.push_str(&format!(
                "resource \"terraform_data\" \"r{at}\" {{\n  input = local.{name} + {at}\n}}\n"
            ));
        }
        text
    };
    let facts = Arc::new(Asked(AtomicUsize::new(0)));
    let workspace = Workspace::new(MemoryHost::new()).with_answers(facts.clone());
    let asks = |n: u8| {
        workspace.set("app/main.tf", code(n));
        let before = facts.0.load(Ordering::Relaxed);
        let snapshot = root(&workspace);
        assert!(snapshot.findings().is_empty());
        let input = json(&snapshot, "terraform_data.r7.input");
        (input, facts.0.load(Ordering::Relaxed) - before)
    };
    assert_eq!(asks(1), ("8".to_owned(), 40));
    assert_eq!(asks(2), ("9".to_owned(), 1));
    // Nothing has changed.
    assert_eq!(asks(2), ("9".to_owned(), 0));
}
