//! The visitor of expressions: it misses none, and reports the role of each.

use groma_module::declare::Referent;
use groma_module::visit::{Declaration, ExpressionRole, VisitedExpression};

use super::scene::main;

/// Code with every kind of block that contains expressions. Each expression refers to a local value of its own, `local.N`.
const EVERYTHING: &str = r#"
variable "v" {
  default = 1
  validation {
    condition     = var.v != local.a1
    error_message = "${local.a2}"
  }
}
output "o" {
  value      = local.a3
  depends_on = [terraform_data.r]
  precondition {
    condition     = local.a4
    error_message = local.a5
  }
}
module "m" {
  source     = "./m"
  count      = local.a6
  input      = local.a7
  depends_on = [terraform_data.r]
}
resource "terraform_data" "r" {
  for_each         = local.a8
  input            = local.a9
  triggers_replace = [for x in local.b1 : local.b2]
  lifecycle {
    replace_triggered_by = [terraform_data.other]
    precondition {
      condition     = local.b3
      error_message = local.b4
    }
    postcondition {
      condition     = self.id == local.b5
      error_message = local.b6
    }
  }
  connection {
    host = local.b7
  }
  provisioner "local-exec" {
    command = local.b8
    connection {
      host = local.b9
    }
  }
}
resource "terraform_data" "other" {
}
resource "x_y" "d" {
  dynamic "block" {
    for_each = local.c1
    labels   = [local.c2]
    content {
      inner {
        deep = local.c3
      }
    }
  }
}
provider "x" {
  region = local.c4
}
check "c" {
  data "x_z" "within" {
    at = local.c5
  }
  assert {
    condition     = local.c6
    error_message = local.c7
  }
}
import {
  for_each = local.c8
  to       = x_y.d
  id       = local.c9
}
"#;

/// Returns an expression's position as text, such as `x_y.d: Evaluating block/inner/deep`: declaration, time of evaluation,
/// argument.
fn told(address: &str, seen: &VisitedExpression<'_, '_>) -> String {
    let blocks = seen.blocks.iter().map(|block| format!("{}/", &*block.kind));
    let within = seen.provision.map(|one| one.kind.as_deref().unwrap_or("connection"));
    let within = within.map(|within| format!(" {within}")).unwrap_or_default();
    let argument = seen.argument().unwrap_or("=");
    format!("{address}: {:?}{within} {}{argument}", seen.when(), blocks.collect::<String>())
}

#[test]
fn every_expression_is_visited_once_with_its_role() {
    let loaded = main(EVERYTHING).file("m/main.tf", "variable \"input\" {}").load();
    let module = loaded.project.root();
    let mut seen: Vec<String> = Vec::new();
    let mut names: Vec<String> = Vec::new();
    module.visit(&mut |declaration, one| {
        seen.push(told(&declaration.address(module), &one));
        let references = one.expression.located.code.references().iter();
        let locals = references.filter(|reference| &*reference.root == "local");
        names.extend(locals.map(|reference| format!("{:?}", reference.steps.first())));
        assert_ne!(one.expression.place(), groma_syntax::Place::default());
        // Who resolves references goes through all expressions, too.
        let resolved = one.expression.located.code.references().len();
        assert_eq!(one.expression.uses.len(), resolved, "{:?}", seen.last());
    });
    let count = names.len();
    names.sort();
    names.dedup();
    assert_eq!(
        (names.len(), count),
        (EVERYTHING.matches("local.").count(), names.len()),
        "{seen:#?}"
    );
    let expected = [
        "var.v: Judging condition",
        "var.v: Judging error_message",
        "module.m: Loading source",
        "module.m: Expanding count",
        "module.m: Evaluating input",
        "module.m: Ordering depends_on",
        "terraform_data.r: Expanding for_each",
        "terraform_data.r: Evaluating input",
        "terraform_data.r: Evaluating triggers_replace",
        "terraform_data.r: Judging condition",
        "terraform_data.r: Judging error_message",
        "terraform_data.r: Judging condition",
        "terraform_data.r: Judging error_message",
        "terraform_data.r: Planning replace_triggered_by",
        "terraform_data.r: Running local-exec command",
        "terraform_data.r: Running connection host",
        "terraform_data.r: Running connection host",
        "x_y.d: Evaluating block/for_each",
        "x_y.d: Evaluating block/labels",
        "x_y.d: Evaluating block/inner/deep",
        "data.x_z.within: Evaluating at",
        "output.o: Evaluating =",
        "output.o: Ordering depends_on",
        "output.o: Judging condition",
        "output.o: Judging error_message",
        "check.c: Judging condition",
        "check.c: Judging error_message",
        "provider.x: Evaluating region",
        "import.x_y.d: Expanding for_each",
        "import.x_y.d: Planning id",
    ];
    assert_eq!(seen, expected);
    assert_eq!(Declaration::Check(0).address(module), "check.c");
    for declaration in module.declarations() {
        let Some(name) = declaration.name(module) else { continue };
        let address = declaration.address(module);
        assert_eq!(module.named(&name), Some(declaration), "{address}");
        assert_eq!(module.declaration(&address), Some(declaration), "{address}");
    }
}

/// Pairs each role with code in which an expression has it, and with the edition that reads the code. The match has no arm
/// for all others: a new role does not compile without a sample.
macro_rules! roles {
    ($($role:pat => $name:literal, $edition:literal, $code:literal;)*) => {
        /// Returns the name of an expression's role.
        fn name_of(role: &ExpressionRole<'_>) -> &'static str {
            match role {
                $($role => $name,)*
            }
        }

        /// Code with an expression in each role: the role's name, an edition that has it, and the code.
        const SAMPLES: &[(&str, &str, &str)] = &[$(($name, $edition, $code),)*];
    };
}

roles! {
    ExpressionRole::Value => "a value", "opentofu@1.12",
        r#"output "o" { value = local.a }"#;
    ExpressionRole::Argument(_) => "an argument", "opentofu@1.12",
        r#"resource "terraform_data" "r" { input = local.a }"#;
    ExpressionRole::Count => "count", "opentofu@1.12",
        r#"resource "terraform_data" "r" { count = local.a }"#;
    ExpressionRole::ForEach => "for_each", "opentofu@1.12",
        r#"resource "terraform_data" "r" { for_each = local.a }"#;
    ExpressionRole::Enabled => "enabled", "opentofu@1.12", r#"resource "terraform_data" "r" {
            lifecycle { enabled = local.a }
        }"#;
    ExpressionRole::BlockForEach => "for_each of a dynamic block", "opentofu@1.12",
        r#"resource "x_y" "r" {
            dynamic "b" {
                for_each = local.a
                content {}
            }
        }"#;
    ExpressionRole::BlockLabels => "labels", "opentofu@1.12", r#"resource "x_y" "r" {
            dynamic "b" {
                for_each = []
                labels   = [local.a]
                content {}
            }
        }"#;
    ExpressionRole::Source => "source", "opentofu@1.12", r#"module "m" { source = local.a }"#;
    ExpressionRole::Version => "version", "opentofu@1.12", r#"module "m" {
            source  = "a/b/c"
            version = local.a
        }"#;
    ExpressionRole::DependsOn => "depends_on", "opentofu@1.12", r#"output "o" {
            value      = 1
            depends_on = [local.a]
        }"#;
    ExpressionRole::ProviderKey => "the key of a provider", "opentofu@1.12", r#"
        provider "x" {
            alias    = "p"
            for_each = { a = 1 }
        }
        resource "x_y" "r" { provider = x.p[local.a] }"#;
    ExpressionRole::Condition(_) => "a condition", "opentofu@1.12", r#"check "c" {
            assert {
                condition     = local.a
                error_message = "wrong"
            }
        }"#;
    ExpressionRole::Message(_) => "a message", "opentofu@1.12", r#"check "c" {
            assert {
                condition     = local.a == 1
                error_message = local.a
            }
        }"#;
    ExpressionRole::ReplaceTriggeredBy => "replace_triggered_by", "opentofu@1.12",
        r#"resource "terraform_data" "a" {}
        resource "terraform_data" "r" {
            lifecycle { replace_triggered_by = [terraform_data.a] }
        }"#;
    ExpressionRole::ActionCondition(_) => "the condition of a trigger", "terraform@1.14", r#"
        action "x_y" "a" {}
        resource "terraform_data" "r" {
            lifecycle {
                action_trigger {
                    events    = [after_create]
                    condition = local.a
                    actions   = [action.x_y.a]
                }
            }
        }"#;
    ExpressionRole::ActionKey(_) => "the key of an action", "terraform@1.14", r#"
        action "x_y" "a" { for_each = { b = 1 } }
        resource "terraform_data" "r" {
            for_each = { b = 1 }
            lifecycle {
                action_trigger {
                    events  = [after_create]
                    actions = [action.x_y.a[each.key]]
                }
            }
        }"#;
    ExpressionRole::PreventDestroy => "prevent_destroy", "opentofu@1.12",
        r#"resource "terraform_data" "r" {
            lifecycle { prevent_destroy = local.a }
        }"#;
    // Only a constant is accepted, and what is written is resolved nevertheless.
    ExpressionRole::Destroy => "destroy", "opentofu@1.12", r#"resource "terraform_data" "r" {
            lifecycle { destroy = local.a }
        }"#;
    ExpressionRole::ImportId => "id", "opentofu@1.12", r#"
        resource "terraform_data" "r" {}
        import {
            to = terraform_data.r
            id = local.a
        }"#;
    ExpressionRole::ImportIdentity => "identity", "opentofu@1.12", r#"
        resource "x_y" "r" {}
        import {
            to       = x_y.r
            identity = { a = local.a }
        }"#;
    ExpressionRole::ImportKey => "a key in an address", "opentofu@1.12", r#"
        resource "terraform_data" "r" { for_each = { a = 1 } }
        import {
            to = terraform_data.r[local.a]
            id = "b"
        }"#;
}

#[test]
fn every_role_has_a_sample_that_is_visited_and_resolved() {
    let mut wrong = Vec::new();
    for (name, edition, code) in SAMPLES {
        let code = format!("locals {{\n  a = 1\n}}\n{code}\n");
        let loaded = main(&code).edition(edition).load();
        let mut count = 0;
        loaded.project.root().visit(&mut |_, seen| {
            if name_of(&seen.role) != *name {
                return;
            }
            let references = seen.expression.located.code.references().len();
            count += usize::from(references > 0);
            let mut uses = seen.expression.uses.iter();
            let is_broken = uses.any(|used| matches!(used.target, Referent::Broken));
            if seen.expression.uses.len() != references || is_broken {
                wrong.push(format!("{name} is not resolved"));
            }
        });
        if count == 0 {
            wrong.push(format!("{name} is not visited: {:?}", loaded.all()));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
