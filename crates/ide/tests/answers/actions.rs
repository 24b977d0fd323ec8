//! Changes that are offered, made and read again.

use groma::LoadOptions;
use groma::syntax::Span;
use groma_ide::{ChangeSet, FindingStage, code_actions, diagnostics, resolve_action};

use crate::root::MarkedRoot;

/// Returns the changes of the code action whose title begins with `title`, for the range from one mark to another.
fn made(root: &MarkedRoot, from: usize, to: usize, title: &str) -> Result<ChangeSet, String> {
    let (file, start) = root.mark(from);
    let (_, end) = root.mark(to);
    let request = root.request();
    let findings = diagnostics(&request, file, FindingStage::Checked);
    let actions = code_actions(&request, file, Span::new(start, end), &findings);
    let titles: Vec<&str> = actions.iter().map(|one| one.title.as_str()).collect();
    let action = actions.iter().find(|one| one.title.starts_with(title));
    resolve_action(&request, file, action.unwrap_or_else(|| panic!("{titles:?}")))
}

/// Returns the text of a file after these changes; it must be one of the changed or new files.
fn after(root: &MarkedRoot, set: &ChangeSet, file: &str) -> String {
    if let Some((_, text)) = set.created.iter().find(|(name, _)| name == file) {
        return text.clone();
    }
    let edits = set.files.iter().find(|one| one.file == file);
    root.edited(file, &edits.unwrap_or_else(|| panic!("{set:?}")).edits)
}

/// Applies changes to the workspace and asserts that the root then has no errors.
fn is_right(root: &MarkedRoot, set: &ChangeSet) {
    for one in &set.files {
        root.workspace.set(&one.file, root.edited(&one.file, &one.edits));
    }
    for (file, text) in &set.created {
        root.workspace.set(file, text.as_str());
    }
    let snapshot = root.workspace.root("app", &LoadOptions::default());
    let errors: Vec<String> = snapshot
        .findings()
        .iter()
        .filter(|one| one.severity == groma::Severity::Error)
        .map(|one| snapshot.render(one))
        .collect();
    assert!(errors.is_empty(), "{}", errors.join("\n"));
}

#[test]
fn fixes_of_findings_one_by_one_and_all_at_once() {
    let text = "variable \"a\" {\n  type = string\n}\nlocals {\n  b = \"¦${var.a}¦\"\n  c = \"${var.a}\"\n}\noutput \"o\" {\n  value = [local.b, local.c]\n}\n";
    let root = MarkedRoot::of(&[("app/main.tf", text)]);
    let all = made(&root, 0, 1, "Make every change").unwrap();
    let text = after(&root, &all, "app/main.tf");
    assert!(text.contains("b = var.a\n") && text.contains("c = var.a\n"), "{text}");
    is_right(&root, &all);
}

/// Tests the actions that declare a missing variable, local value or output, and that add missing arguments.
#[test]
fn what_is_missing_is_declared() {
    let root = MarkedRoot::of(&[
        (
            "app/main.tf",
            "locals {\n  a = var.¦missing\n  b = local.¦other\n  c = module.m.¦gone\n}\nmodule \"m\" {\n  source = \"./child\"¦\n}\n",
        ),
        ("app/child/main.tf", "variable \"size\" {\n  type = number\n}\n"),
        ("app/variables.tf", "variable \"x\" {}\n"),
    ]);
    let set = made(&root, 0, 0, "Declare the variable missing").unwrap();
    let text = after(&root, &set, "app/variables.tf");
    assert!(text.contains("variable \"missing\" {\n  type = string\n}"), "{text}");
    let set = made(&root, 1, 1, "Declare the local value other").unwrap();
    assert!(after(&root, &set, "app/main.tf").contains("  other = null\n"));
    let set = made(&root, 2, 2, "Declare the output gone").unwrap();
    assert!(
        after(&root, &set, "app/child/main.tf").contains("output \"gone\" {\n  value = null\n}")
    );
    let set = made(&root, 3, 3, "Add the arguments").unwrap();
    assert!(after(&root, &set, "app/main.tf").contains("  size   = 0\n"));
}

/// Tests the actions that inline a local value and that extract an expression into a local value.
#[test]
fn a_local_value_in_place_of_its_name_and_back() {
    let text = "locals {\n  a¦ = 1 + 2\n  b = local.a * 3\n}\noutput \"o\" {\n  value = ¦upper(\"x\")¦\n}\n";
    let root = MarkedRoot::of(&[("app/main.tf", text)]);
    let set = made(&root, 0, 0, "Put the value of local.a").unwrap();
    let text = after(&root, &set, "app/main.tf");
    assert!(text.contains("b = (1 + 2) * 3\n") && !text.contains("  a = "), "{text}");
    let set = made(&root, 1, 2, "Give the expression a name").unwrap();
    let text = after(&root, &set, "app/main.tf");
    assert!(
        text.contains("extracted = upper(\"x\")") && text.contains("value = local.extracted"),
        "{text}"
    );
    is_right(&root, &set);
}

/// Tests the action that replaces `count` by `for_each`.
#[test]
fn instances_get_keys() {
    let text = "variable \"names\" {\n  default = [\"b\", \"a\"]\n}\nresource \"terraform_data\" \"r¦\" {\n  count = length(var.names)\n  input = var.names[count.index]\n}\nresource \"terraform_data\" \"n¦\" {\n  count = 2\n  input = \"i${count.index}\"\n}\noutput \"o\" {\n  value = [terraform_data.r[0].input, terraform_data.n[1].input, terraform_data.n[*].input]\n}\n";
    let root = MarkedRoot::of(&[("app/main.tf", text)]);
    let set = made(&root, 0, 0, "Give the instances of terraform_data.r keys").unwrap();
    let text = after(&root, &set, "app/main.tf");
    assert!(
        text.contains("for_each = toset(var.names)") && text.contains("input = each.value"),
        "{text}"
    );
    assert!(text.contains("terraform_data.r[\"b\"].input"), "{text}");
    assert!(
        text.contains("from = terraform_data.r[1]\n  to   = terraform_data.r[\"a\"]"),
        "{text}"
    );
    let other = made(&root, 1, 1, "Give the instances of terraform_data.n keys").unwrap();
    let text = after(&root, &other, "app/main.tf");
    assert!(text.contains("for index in range(2) : tostring(index) => index"), "{text}");
    assert!(
        text.contains("\"i${each.value}\"") && text.contains("values(terraform_data.n)[*].input"),
        "{text}"
    );
    is_right(&root, &set);
}

#[test]
fn blocks_move_into_a_module() {
    let text = "variable \"name\" {}\nlocals {\n  size = 2\n}\n¦resource \"terraform_data\" \"a\" {\n  input = \"${var.name}-${local.size}\"\n}\n\nresource \"terraform_data\" \"b\" {\n  input = terraform_data.a.output\n}\n¦\noutput \"o\" {\n  value = terraform_data.b.output\n}\n";
    let root = MarkedRoot::of(&[("app/main.tf", text), ("app/terraform.tfvars", "name = \"n\"\n")]);
    let set = made(&root, 0, 1, "Move the blocks into a module").unwrap();
    let text = after(&root, &set, "app/main.tf");
    assert!(text.contains("module \"extracted\" {\n  source = \"./modules/extracted\"\n\n  name = var.name\n  size = local.size\n}"), "{text}");
    assert!(
        text.contains("from = terraform_data.a\n  to   = module.extracted.terraform_data.a"),
        "{text}"
    );
    assert!(text.contains("value = module.extracted.b.output"), "{text}");
    let inner = after(&root, &set, "app/modules/extracted/main.tf");
    assert!(
        inner.contains("input = \"${var.name}-${var.size}\"")
            && inner.contains("terraform_data.a.output")
    );
    is_right(&root, &set);
}

/// Tests the action that sets the version of a module call to the installed one.
#[test]
fn a_module_is_pinned_to_what_is_installed() {
    let list = "{\"Modules\": [{\"Key\": \"\", \"Source\": \"\", \"Dir\": \".\"}, {\"Key\": \"vpc\", \"Source\": \"registry.terraform.io/x/vpc/aws\", \"Version\": \"5.1.0\", \"Dir\": \".terraform/modules/vpc\"}]}";
    let root = MarkedRoot::of(&[
        ("app/main.tf", "module \"vpc\" {\n  source = \"x/vpc/aws\"¦\n}\n"),
        ("app/.terraform/modules/modules.json", list),
        ("app/.terraform/modules/vpc/main.tf", ""),
    ]);
    let set = made(&root, 0, 0, "Pin the module to version 5.1.0").unwrap();
    assert!(after(&root, &set, "app/main.tf").contains("version = \"5.1.0\""));
}

/// Tests the action that writes a mock for a data source with unknown values, in a new and in an existing file.
#[test]
fn a_mock_for_what_is_not_known() {
    let root = MarkedRoot::of(&[(
        "app/main.tf",
        "data \"acme_zone\" \"z\" {}\noutput \"o\" {\n  value = data.acme_zone.¦z.id\n}\n",
    )]);
    let set = made(&root, 0, 0, "Write a mock for data.acme_zone.z").unwrap();
    let (file, text) = &set.created[0];
    assert_eq!(file, "app/groma.mock.hcl");
    assert!(text.contains("override_data {\n  target = data.acme_zone.z\n"), "{text}");
    is_right(&root, &set);
    let root = MarkedRoot::of(&[
        (
            "app/main.tf",
            "data \"acme_zone\" \"z\" {}\noutput \"o\" {\n  value = data.acme_zone.¦z.id\n}\n",
        ),
        ("app/groma.mock.hcl", "# mine\n"),
    ]);
    let set = made(&root, 0, 0, "Write a mock for data.acme_zone.z").unwrap();
    let text = after(&root, &set, "app/groma.mock.hcl");
    assert!(
        text.starts_with("# mine\n\n#") && text.contains("  target = data.acme_zone.z\n"),
        "{text}"
    );
}

/// Tests the action that adds a `moved` block for a renamed resource of the state.
#[test]
fn a_name_that_a_state_does_not_know_yet() {
    let state = r#"{"version": 4, "terraform_version": "1.9.0", "serial": 1, "lineage": "x", "outputs": {}, "resources": [
      {"mode": "managed", "type": "terraform_data", "name": "old", "provider": "provider[\"terraform.io/builtin/terraform\"]",
       "instances": [{"schema_version": 0, "attributes": {"id": "1", "input": null, "output": null, "triggers_replace": null}}]}]}"#;
    let root = MarkedRoot::of(&[
        ("app/main.tf", "resource \"terraform_data\" \"n¦ew\" {}\n"),
        ("app/terraform.tfstate", state),
    ]);
    let set = made(&root, 0, 0, "Say that terraform_data.old is now terraform_data.new").unwrap();
    let text = after(&root, &set, "app/main.tf");
    assert!(
        text.contains("moved {\n  from = terraform_data.old\n  to   = terraform_data.new\n}"),
        "{text}"
    );
}

/// Tests that extracting a module or replacing `count` keeps references from other blocks valid, or is refused.
#[test]
fn what_depends_on_a_block_follows_it_into_its_module() {
    let text = "¦resource \"terraform_data\" \"a\" {\n  input = 1\n}\n¦\nresource \"terraform_data\" \"b\" {\n  depends_on = [terraform_data.a]\n  lifecycle {\n    replace_triggered_by = [terraform_data.a]\n  }\n}\n";
    let root = MarkedRoot::of(&[("app/main.tf", text)]);
    match made(&root, 0, 1, "Move the blocks into a module") {
        Ok(set) => is_right(&root, &set),
        Err(why) => assert!(!why.is_empty()),
    }
    let moved = "¦resource \"terraform_data\" \"a\" {\n  input = 1\n}\n¦\nmoved {\n  from = terraform_data.z\n  to   = terraform_data.a\n}\n";
    let root = MarkedRoot::of(&[("app/main.tf", moved)]);
    assert!(made(&root, 0, 1, "Move the blocks into a module").is_err());
    let counted = "resource \"terraform_data\" \"¦a\" {\n  count = 2\n}\nresource \"terraform_data\" \"b\" {\n  depends_on = [terraform_data.a]\n}\n";
    let root = MarkedRoot::of(&[("app/main.tf", counted)]);
    let set = made(&root, 0, 0, "Give the instances of terraform_data.a keys").unwrap();
    is_right(&root, &set);
}

/// Tests the action that adds a `moved` block for a renamed module call of the state.
#[test]
fn a_call_that_a_state_does_not_know_yet() {
    let object = r#"{"mode": "managed", "type": "terraform_data", "name": "x", "module": "module.old[\"k\"].module.in", "provider": "provider[\"terraform.io/builtin/terraform\"]",
       "instances": [{"schema_version": 0, "attributes": {"id": "1", "input": null, "output": null, "triggers_replace": null}}]}"#;
    let state = format!(
        r#"{{"version": 4, "terraform_version": "1.9.0", "serial": 1, "lineage": "x", "outputs": {{}}, "resources": [{object}]}}"#
    );
    let root = MarkedRoot::of(&[
        (
            "app/main.tf",
            "module \"n¦ew\" {\n  source = \"./m\"\n}\nresource \"terraform_data\" \"ot¦her\" {}\n",
        ),
        ("app/m/main.tf", ""),
        ("app/terraform.tfstate", &state),
    ]);
    let set = made(&root, 0, 0, "Say that module.old is now module.new").unwrap();
    let text = after(&root, &set, "app/main.tf");
    assert!(text.contains("moved {\n  from = module.old\n  to   = module.new\n}"), "{text}");
    // A recorded object of a called module is not offered as the old address of a root resource.
    let (file, at) = root.mark(1);
    let offered = code_actions(&root.request(), file, Span::at(at), &[]);
    assert!(!offered.iter().any(|one| one.title.starts_with("Say that")), "{offered:?}");
}
