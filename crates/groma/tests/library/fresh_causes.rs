//! Values that are unknown in part are kept over an edit as known ones are, and afterwards everything is told as a fresh start tells
//! it: values, findings, and for every unknown why it is.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use groma::syntax::render;
use groma::{LoadOptions, MemoryHost, Snapshot, Workspace};

type Files = BTreeMap<&'static str, String>;

const MAIN: &str = r#"variable "given" {}

variable "level" {
  default = 1
}

locals {
  one   = 1
  mixed = {
    a = { id = cloud_thing.u.id, n = local.one }
    b = { id = data.cloud_seen.d.id, n = 2 }
  }
  first   = local.mixed.a.id
  keyed   = { for k, v in local.mixed : k => { id = v.id, n = v.n } if v.n > 0 }
  all     = [for k, v in local.mixed : v.id]
  pair    = { left = local.all, right = module.far.x }
  guarded = try(local.mixed.b.id.deeper, local.first)
}

resource "cloud_thing" "u" {
  name = "u"
  size = local.one
}

resource "cloud_thing" "w" {
  name = "w${var.level}"
  rule {
    id = cloud_thing.u.id
  }
}

data "cloud_seen" "d" {
  name = cloud_thing.u.name
}

resource "cloud_thing" "each" {
  for_each = local.keyed
  name     = each.value.id
  rule {
    id = each.value.id
    n  = each.value.n
  }
}

resource "terraform_data" "kept" {
  for_each = local.mixed
  input    = each.value
}

resource "cloud_thing" "uncounted" {
  count = local.first == "x" ? 1 : 2
  name  = count.index
}

resource "cloud_thing" "unsettled" {
  for_each = toset([cloud_thing.w.id])
  name     = each.key
}
"#;

const CALLS: &str = r#"module "each" {
  source   = "./m"
  for_each = local.mixed
  id       = each.value.id
  n        = each.value.n
}

module "keyed" {
  source   = "./m"
  for_each = local.keyed
  id       = "${each.key}-${each.value.id}"
  n        = local.one
}

module "uncounted" {
  source = "./m"
  count  = length(local.first)
  id     = local.first
  n      = 1
}

module "far" {
  source = "registry.example.com/a/b/c"
  v      = local.first
}
"#;

const OUTPUTS: &str = r#"output "each" { value = module.each }
output "ids" { value = { for k, one in module.keyed : k => one.id } }
output "uncounted" { value = [module.uncounted, cloud_thing.uncounted] }
output "things" { value = cloud_thing.each }
output "names" { value = [for one in cloud_thing.each : one.name] }
output "rules" { value = cloud_thing.w.rule }
output "kept" { value = terraform_data.kept }
output "unsettled" { value = cloud_thing.unsettled }
output "pair" { value = local.pair }
output "guarded" { value = local.guarded }
output "given" { value = [var.given, var.level] }
"#;

const INNER: &str = r#"variable "id" {}
variable "n" {
  type = number
  validation {
    condition     = var.n > 0
    error_message = "n is ${var.n}"
  }
}
locals {
  text = "${var.id}-${var.n}"
  read = file("${path.module}/f.txt")
}
resource "cloud_thing" "inner" {
  name  = var.id
  count = var.n > 1 ? 2 : 1
}
output "text" { value = "${local.text} ${local.read}" }
output "id" { value = cloud_thing.inner[0].id }
output "name" { value = cloud_thing.inner[*].name }
"#;

fn files() -> Files {
    let rows = [
        ("main.tf", MAIN),
        ("calls.tf", CALLS),
        ("outputs.tf", OUTPUTS),
        ("m/main.tf", INNER),
        ("m/f.txt", "f"),
    ];
    rows.into_iter().map(|(name, text)| (name, text.to_owned())).collect()
}

fn set(workspace: &Workspace, files: &Files) {
    for (name, text) in files {
        workspace.set(name, text.as_bytes().to_vec());
    }
}

/// Everything that is asked about: each is an address with a reason of its own.
const ASKED: [&str; 16] = [
    "local.first",
    "local.mixed",
    "local.keyed[\"a\"]",
    "local.pair",
    "local.guarded",
    "output.each",
    "output.ids",
    "output.things",
    "output.pair",
    "module.each[\"a\"].local.text",
    "module.each[\"b\"].output.id",
    "module.keyed[\"a\"].var.id",
    "module.uncounted",
    "cloud_thing.each[\"a\"].name",
    "cloud_thing.uncounted",
    "cloud_thing.unsettled",
];

fn told(snapshot: &Snapshot) -> String {
    let mut text = String::new();
    let outputs = snapshot.outputs();
    for output in outputs.value {
        let _ = writeln!(text, "{} = {:?}", output.name, output.value);
    }
    for address in ASKED {
        let answer = snapshot.why(address);
        let why = match &answer.value {
            Ok(tree) => snapshot.why_json(tree),
            Err(_) => "nothing".to_owned(),
        };
        let _ = writeln!(text, "{address}: {why}");
    }
    let all = snapshot.checked();
    for one in outputs.findings.iter().chain(all.found.iter()) {
        text.push_str(&render::render(one, &snapshot.sources(), false));
    }
    text
}

fn fresh(files: &Files) -> String {
    let workspace = Workspace::new(MemoryHost::new());
    set(&workspace, files);
    told(&workspace.root(".", &LoadOptions::default()))
}

/// A workspace with its files, in which every answer is compared with that of a fresh start.
struct Session {
    workspace: Workspace,
    now: Files,
}

impl Session {
    fn new() -> Session {
        let session = Session { workspace: Workspace::new(MemoryHost::new()), now: files() };
        session.told();
        session
    }

    fn told(&self) -> String {
        set(&self.workspace, &self.now);
        let told = told(&self.workspace.root(".", &LoadOptions::default()));
        let mut others = told.lines();
        for line in fresh(&self.now).lines() {
            let other = others.next().unwrap_or_default();
            assert_eq!(other, line, "in\n{}", self.now["main.tf"]);
        }
        assert_eq!(others.next(), None);
        told
    }

    fn replace(&mut self, name: &'static str, from: &str, to: &str) -> String {
        let text = self.now[name].replacen(from, to, 1);
        assert_ne!(text, self.now[name], "{from}");
        self.now.insert(name, text);
        self.told()
    }
}

#[test]
fn another_cause_is_told_where_nothing_else_changes() {
    let mut session = Session::new();
    let first = session.told();
    // One unknown of the same type takes the place of another.
    let other = session.replace("main.tf", "id = cloud_thing.u.id, n", "id = cloud_thing.w.id, n");
    assert_ne!(first, other);
    let module = session.replace("main.tf", "id = cloud_thing.w.id, n", "id = module.far.id, n");
    assert_ne!(other, module);
    let given = session.replace("main.tf", "id = module.far.id, n", "id = var.given, n");
    assert_ne!(module, given);
    // The same cause stands in another block, so its place is told anew.
    let moved = session.replace("main.tf", "variable \"given\" {}", "variable \"given\" {\n}");
    assert_ne!(given, moved);
    session.replace("main.tf", "  size = local.one\n", "");
    session.replace("main.tf", "for k, v in local.mixed : v.id", "for k, v in local.keyed : v.id");
    session.replace("calls.tf", "count  = length(local.first)", "count  = length(var.given)");
    session.replace("main.tf", "toset([cloud_thing.w.id])", "toset([cloud_thing.u.id])");
    session.replace("main.tf", "count = local.first == \"x\"", "count = var.given == \"x\"");
}

#[test]
fn random_edits_of_what_is_unknown_are_told_as_a_fresh_start_tells_them() {
    const NAMES: [&str; 12] = [
        "cloud_thing.u.id",
        "cloud_thing.w.id",
        "cloud_thing.w",
        "data.cloud_seen.d.id",
        "var.given",
        "module.far.x",
        "local.first",
        "local.one",
        "timestamp()",
        "\"known\"",
        "null",
        "each.key",
    ];
    const LINES: [&str; 7] = [
        "# a comment\n",
        "  name = \"other\"\n",
        "  more = local.one\n",
        "locals { five = module.each[\"a\"].id }\n",
        "output \"new\" { value = [for one in module.each : one.id] }\n",
        "resource \"cloud_thing\" \"x\" {\n  for_each = local.mixed\n  name = each.value.id\n}\n",
        "\n",
    ];
    let mut seed = 0x51_7cc1_b727_220a_u64;
    let mut random = move |below: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed % below.max(1) as u64) as usize
    };
    for _ in 0..4 {
        let mut session = Session::new();
        for _ in 0..40 {
            let names: Vec<&'static str> = session.now.keys().copied().collect();
            let name = names[random(names.len())];
            let before = session.now[name].clone();
            let mut text = before.clone();
            let at = random(text.len() + 1);
            let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
            match random(8) {
                0 | 1 => {
                    if let Some(digit) = text[at..].find(|c: char| c.is_ascii_digit()) {
                        let digit = at + digit;
                        text.replace_range(digit..=digit, &random(4).to_string());
                    }
                }
                2..=4 => {
                    let from = NAMES[random(NAMES.len())];
                    if let Some(found) = text[at..].find(from) {
                        let found = at + found;
                        let to = NAMES[random(NAMES.len())];
                        text.replace_range(found..found + from.len(), to);
                    }
                }
                5 | 6 => text.insert_str(line, LINES[random(LINES.len())]),
                _ => {
                    let end = text[line..].find('\n').map_or(text.len(), |end| line + end + 1);
                    text.replace_range(line..end, "");
                }
            }
            session.now.insert(name, text);
            session.told();
            if random(3) > 0 {
                session.now.insert(name, before);
            }
        }
    }
}
