//! Values that are not to be shown are in no answer to any question, and every question has one answer.

use groma::syntax::Span;
use groma::{LoadOptions, schemas::ProviderSchemas};
use groma_ide::{
    FindingStage, Request, code_actions, code_lenses, complete, diagnostics, document_symbols,
    highlights, hover, inlay_hints, resolve_completion, resolve_hint, signature_help,
    workspace_symbols,
};

use crate::root::MarkedRoot;

/// A provider schema with a sensitive attribute.
const SCHEMA: &str = r#"{"format_version": "1.0", "provider_schemas": {"registry.terraform.io/hashicorp/acme": {
  "resource_schemas": {"acme_box": {"version": 0, "block": {"attributes": {
    "password": {"type": "string", "optional": true, "sensitive": true},
    "name": {"type": "string", "optional": true}}}}}}}}"#;

/// A root module in which a secret variable flows through locals, a resource, a module call and outputs.
const MAIN: &str = "variable \"key\" {
  type      = string
  sensitive = true
}
variable \"brief\" {
  type      = string
  ephemeral = true
  default   = null
}
locals {
  plain  = \"shown\"
  hidden = sensitive(join(\"-\", [\"a\", var.key]))
  inner  = { open = 1, closed = var.key, list = [var.key] }
  text   = \"x${var.key}y\"
  each   = [for one in [var.key] : one]
}
resource \"acme_box\" \"b\" {
  name     = local.plain
  password = var.key
}
module \"m\" {
  source = \"./child\"
  token  = var.key
}
output \"o\" {
  value     = local.inner.closed
  sensitive = true
}
output \"bad\" {
  value = local.hidden + 1
}
";

/// The called module, which gets the secret as a variable and returns it.
const CHILD: &str = "variable \"token\" {
  sensitive = true
}
locals {
  again = upper(var.token)
  size  = length(var.token)
}
output \"t\" {
  value     = local.again
  sensitive = true
}
";

/// Returns the root of [`MAIN`] and [`CHILD`], whose secret values contain `canary`.
fn root() -> MarkedRoot {
    let schemas = ProviderSchemas::of(SCHEMA.as_bytes().to_vec()).unwrap();
    let options = LoadOptions { schemas, ..LoadOptions::default() };
    MarkedRoot::with(
        &[
            ("app/main.tf", MAIN),
            ("app/child/main.tf", CHILD),
            ("app/terraform.tfvars", "key = \"canary-7\"\nbrief = \"canary-8\"\n"),
        ],
        &options,
    )
}

/// Returns the debug text of the answers to all requests about a file, except those that return the file's own text.
fn answers(request: &Request<'_>, file: &str, text: &str) -> String {
    let mut out = String::new();
    let mut add = |what: &dyn std::fmt::Debug| out.push_str(&format!("{what:?}\n"));
    for at in 0..=text.len() as u32 {
        add(&hover(request, file, at));
        add(&signature_help(request, file, at));
        add(&highlights(request, file, at));
        let list = complete(request, file, at);
        for one in list.items.iter().filter(|one| one.detail.is_some()).take(20) {
            add(&resolve_completion(request, file, one));
        }
        add(&list.items);
    }
    let whole = Span::new(0, text.len() as u32);
    let hints = inlay_hints(request, file, whole, None);
    for one in &hints.hints {
        add(&resolve_hint(request, one));
    }
    add(&hints);
    add(&code_lenses(request, file));
    add(&document_symbols(request, file));
    add(&workspace_symbols(request, ""));
    let findings = diagnostics(request, file, FindingStage::Checked);
    add(&findings);
    for at in (0..text.len() as u32).step_by(7) {
        let titles = code_actions(request, file, Span::at(at), &findings);
        add(&titles.iter().map(|one| &one.title).collect::<Vec<_>>());
    }
    out
}

#[test]
fn no_answer_shows_what_is_not_to_be_shown() {
    let root = root();
    for (file, text) in [("app/main.tf", MAIN), ("app/child/main.tf", CHILD)] {
        let all = answers(&root.request(), file, text);
        let found = all.lines().find(|line| line.to_lowercase().contains("canary"));
        assert_eq!(found, None);
        assert!(all.contains("(sensitive value)"), "something is hidden in {file}");
    }
}

#[test]
fn the_same_question_has_the_same_answer() {
    let (one, other) = (root(), root());
    let of = |root: &MarkedRoot| answers(&root.request(), "app/child/main.tf", CHILD);
    assert_eq!(of(&one), of(&one));
    assert_eq!(of(&one), of(&other));
}
