//! A project that is loaded again after each edit says what a fresh start would say: values, findings, places.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use groma_project::{Evaluation, Facts, LoadCache, NoFacts, Project, ProjectOptions};
use groma_runtime::MemoryHost;
use groma_syntax::{Diagnostics, render};
use groma_value::print;

/// Files by their paths.
type Files = BTreeMap<&'static str, String>;

fn files() -> Files {
    let main = "variable \"a\" {\n  type = object({ x = optional(number, 1), y = list(string) })\n  default = { y = [\"q\"] }\n  validation {\n    condition = var.a.x > 0\n    error_message = \"x is ${var.a.x}\"\n  }\n}\n\n# Values of our own.\nlocals {\n  l = [for k, v in var.a.y : upper(v) if k >= 0]\n  one = 1\n  two = local.one + 1 # and one\n  text = <<-EOT\n    %{ for v in local.l ~}\n    ${v}\n    %{ endfor ~}\n  EOT\n  three = local.two + local.one\n}\n\nresource \"terraform_data\" \"y\" {\n  for_each = toset(local.l)\n  input = each.key\n  lifecycle {\n    precondition {\n      condition = local.two > 1\n      error_message = \"two is ${local.two}\"\n    }\n  }\n}\n\nresource \"terraform_data\" \"z\" {\n  count = local.one\n  input = local.three\n}\n\nmodule \"m\" {\n  source = \"./m\"\n  count = length(local.l)\n  v = local.text\n}\n";
    let more = "locals { four = local.three * 2 }\noutput \"o\" {\n  value = module.m[*].o\n}\noutput \"p\" { value = [for one in terraform_data.y : one.input] }\noutput \"four\" { value = local.four }\noutput \"ids\" {\n  value = terraform_data.z[*].id\n}\ncheck \"c\" {\n  assert {\n    condition = local.four == 6\n    error_message = \"four is ${local.four}\"\n  }\n}\n";
    let inner = "variable \"v\" {\n  type = string\n}\nlocals {\n  w = \"<${var.v}>\"\n  x = file(\"${path.module}/f.txt\")\n}\noutput \"o\" { value = \"${local.w}${local.x}\" }\n";
    [
        ("main.tf", main),
        ("more.tf", more),
        ("terraform.tfvars", "a = { x = 2, y = [\"a\", \"b\"] }\n"),
        ("m/main.tf", inner),
        ("m/f.txt", "f"),
    ]
    .into_iter()
    .map(|(name, text)| (name, text.to_owned()))
    .collect()
}

fn host(files: &Files) -> Arc<MemoryHost> {
    Arc::new(files.iter().fold(MemoryHost::new(), |host, (name, text)| {
        host.with_file(name, text.as_bytes().to_vec())
    }))
}

/// All that can be said about a project.
fn told(evaluation: &Evaluation, mut found: Diagnostics) -> String {
    let mut text = String::new();
    evaluation.evaluate_all(&mut found);
    groma_project::validate(evaluation.project(), &ProjectOptions::default(), &mut found);
    let outputs = evaluation.outputs(&mut found);
    for output in outputs {
        let _ = writeln!(text, "output {} = {}", &*output.name, print::console(&output.value));
    }
    for local in evaluation.locals(&mut found) {
        let _ = writeln!(text, "local {} = {}", &*local.name, print::console(&local.value));
    }
    for one in found.iter() {
        text.push_str(&render::render(one, &evaluation.sources(), false));
    }
    text
}

struct Session {
    kept: LoadCache,
    facts: Arc<dyn Facts>,
    last: Option<Evaluation>,
}

impl Session {
    fn new() -> Session {
        Session { kept: LoadCache::default(), facts: Arc::new(NoFacts), last: None }
    }

    fn told(&mut self, files: &Files) -> String {
        let options = ProjectOptions::default();
        let mut found = Diagnostics::new();
        let project = Project::load_again(".", &options, host(files), &mut self.kept, &mut found);
        let facts = self.facts.clone();
        let evaluation = match &self.last {
            Some(last) => Evaluation::following(last, project, facts, options.run),
            None => Evaluation::new(project, facts, options.run),
        };
        self.last = Some(evaluation.clone());
        told(&evaluation, found)
    }
}

fn fresh(files: &Files) -> String {
    let options = ProjectOptions::default();
    let mut found = Diagnostics::new();
    let project = Project::load(".", &options, host(files), &mut found);
    told(&Evaluation::new(project, Arc::new(NoFacts), options.run), found)
}

#[test]
fn an_edit_says_what_a_fresh_start_says() {
    let mut seed = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = move |below: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed % below.max(1) as u64) as usize
    };
    const PIECES: [&str; 12] =
        ["1", "7", "local.one", "\n", "# ", "}\n", "{", "\"", "x = 3\n", "/*", "*/", "<<EOT\n"];
    const LINES: [&str; 8] = [
        "output \"new\" { value = local.two }\n",
        "locals { five = 5 }\n",
        "# only a comment\n",
        "/* a comment\n of lines */\n",
        "variable \"b\" {\n  default = 3\n}\n",
        "resource \"terraform_data\" \"w\" {\n  input = local.three\n}\n",
        "output \"bad\" { value = local.nothing }\n",
        "\n",
    ];
    for _ in 0..12 {
        let mut session = Session::new();
        let mut now = files();
        assert_eq!(session.told(&now), fresh(&now));
        for _ in 0..40 {
            let names: Vec<&'static str> = now.keys().copied().collect();
            let name = names[random(names.len())];
            let before = now[name].clone();
            let mut text = before.clone();
            let mut at = random(text.len() + 1);
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
            match random(6) {
                // A number becomes another one.
                0 | 1 => {
                    if let Some(digit) = text[at..].find(|c: char| c.is_ascii_digit()) {
                        let digit = at + digit;
                        text.replace_range(digit..=digit, &random(9).to_string());
                    }
                }
                2 => text.insert_str(at, PIECES[random(PIECES.len())]),
                3 => text.insert_str(line, LINES[random(LINES.len())]),
                4 => {
                    let end = text[line..].find('\n').map_or(text.len(), |end| line + end + 1);
                    text.replace_range(line..end, "");
                }
                _ => text.insert_str(line, "  \n"),
            }
            now.insert(name, text);
            let (kept, whole) = (session.told(&now), fresh(&now));
            assert_eq!(kept, whole, "after an edit of {name}:\n{}", now[name]);
            // What is broken stays so for a while and is mended then.
            if random(3) > 0 {
                now.insert(name, before);
            }
        }
    }
}
