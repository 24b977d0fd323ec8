//! The one walk over all expressions: none is missing, and each says what it is there for.

use groma_module::visit::{Declaration, VisitedExpression};

use super::scene::main;

/// One of every block that holds expressions. Each expression refers to a local value of its own, `local.N`.
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

/// `x_y.d: Evaluating block/inner/deep`: whose it is, when it matters, where it stands.
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
}
