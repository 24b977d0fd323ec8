//! A project that is loaded again after each edit gives the same values, diagnostics and places as a fresh load.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use groma_project::{
    Evaluation, Facts, LoadCache, OlderValidation, Project, ProjectOptions, ValidationResults,
};
use groma_runtime::MemoryHost;
use groma_syntax::{Diagnostics, render};
use groma_value::print;

/// The texts of files by path.
type Files = BTreeMap<&'static str, String>;

/// Returns the files of the project that is edited.
fn files() -> Files {
    let main = "variable \"a\" {\n  type = object({ x = optional(number, 1), y = list(string) })\n  default = { y = [\"q\"] }\n  validation {\n    condition = var.a.x > 0\n    error_message = \"x is ${var.a.x}\"\n  }\n}\n\n# Values of our own.\nlocals {\n  l = [for k, v in var.a.y : upper(v) if k >= 0]\n  one = 1\n  two = local.one + 1 # and one\n  text = <<-EOT\n    %{ for v in local.l ~}\n    ${v}\n    %{ endfor ~}\n  EOT\n  three = local.two + local.one\n}\n\nresource \"terraform_data\" \"y\" {\n  for_each = toset(local.l)\n  input = each.key\n  lifecycle {\n    precondition {\n      condition = local.two > 1\n      error_message = \"two is ${local.two}\"\n    }\n  }\n}\n\nresource \"terraform_data\" \"z\" {\n  count = local.one\n  input = local.three\n}\n\nmodule \"m\" {\n  source = \"./m\"\n  count = length(local.l)\n  v = local.text\n}\n";
    let more = "locals { four = local.three * 2 }\noutput \"o\" {\n  value = module.m[*].o\n}\noutput \"p\" { value = [for one in terraform_data.y : one.input] }\noutput \"four\" { value = local.four }\noutput \"at\" { value = [1, 2, 3][local.one] }\noutput \"shown\" { value = var.a.x.y }\noutput \"sum\" { value = module.m[*].n }\noutput \"ids\" {\n  value = terraform_data.z[*].id\n}\ncheck \"c\" {\n  assert {\n    condition = local.four == 6\n    error_message = \"four is ${local.four}\"\n  }\n}\n";
    let inner = "variable \"v\" {\n  type = string\n}\nlocals {\n  w = \"<${var.v}>\"\n  x = file(\"${path.module}/f.txt\")\n}\noutput \"o\" { value = \"${local.w}${local.x}\" }\noutput \"n\" { value = length(var.v) }\n";
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

/// Returns a host with these files.
fn host(files: &Files) -> Arc<MemoryHost> {
    Arc::new(files.iter().fold(MemoryHost::new(), |host, (name, text)| {
        host.with_file(name, text.as_bytes().to_vec())
    }))
}

/// Returns all results of a project as text. `examine` validates it with unknown inputs.
fn told(
    evaluation: &Evaluation,
    mut found: Diagnostics,
    examine: impl FnOnce(&Arc<Project>, &mut Diagnostics),
) -> String {
    let mut text = String::new();
    evaluation.evaluate_all(&mut found);
    examine(evaluation.project(), &mut found);
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

/// An editing session: all that is kept from one version of the project to the next.
struct Session {
    kept: LoadCache,
    facts: Facts,
    last: Option<Evaluation>,
    /// The last validation, with the text of the file that its code has read.
    examined: Option<(ValidationResults, Option<String>)>,
    sampled: Option<(ValidationResults, Option<String>)>,
    /// The text of the file that code reads.
    read: Option<String>,
}

/// Returns the results of an older validation for the next one, in which the file that code reads has the text `read`.
fn older<'o>(
    known: &'o (ValidationResults, Option<String>),
    read: &Option<String>,
) -> OlderValidation<'o> {
    OlderValidation { results: &known.0, has_same_files: known.1 == *read }
}

impl Session {
    /// Returns a session in which nothing has been loaded yet.
    fn new() -> Session {
        let (kept, facts) = (LoadCache::default(), Facts::default());
        Session { kept, facts, last: None, examined: None, sampled: None, read: None }
    }

    /// Returns all results for a version of the project, reusing those of the version before.
    fn told(&mut self, files: &Files) -> String {
        let options = ProjectOptions::default();
        let mut found = Diagnostics::new();
        let project = Project::load_again(".", &options, host(files), &mut self.kept, &mut found);
        let facts = self.facts.clone();
        let read = files.get("m/f.txt").cloned();
        let has_same_files = std::mem::replace(&mut self.read, read.clone()) == read;
        let evaluation = match &self.last {
            Some(last) if has_same_files => {
                Evaluation::following_in_same_files(last, project, facts, options.run)
            }
            Some(last) => Evaluation::following(last, project, facts, options.run),
            None => Evaluation::new(project, facts, options.run),
        };
        self.last = Some(evaluation.clone());
        told(&evaluation, found, |project, out| {
            let (options, before) = (ProjectOptions::default(), self.examined.take());
            let known = before.as_ref().map(|one| older(one, &read));
            let now = groma_project::validate_again(project, &options, known, out);
            // What was remembered holds until there is something better.
            self.examined = now.map(|now| (now, read.clone())).or(before);
            let all: Vec<usize> = (0..project.nodes().count()).collect();
            let before = self.sampled.take();
            let known = before.as_ref().map(|one| older(one, &read));
            let (found, now) = groma_project::sample_again(project, &options, &all, known);
            out.extend(found);
            self.sampled = now.map(|now| (now, read.clone())).or(before);
        })
    }
}

/// Returns all results for a version of the project, computed without reuse.
fn fresh(files: &Files) -> String {
    let options = ProjectOptions::default();
    let mut found = Diagnostics::new();
    let project = Project::load(".", &options, host(files), &mut found);
    let evaluation = Evaluation::new(project, Facts::default(), options.run);
    told(&evaluation, found, |project, out| {
        let options = ProjectOptions::default();
        groma_project::validate(project, &options, out);
        let all: Vec<usize> = (0..project.nodes().count()).collect();
        out.extend(groma_project::sample(project, &options, &all));
    })
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
    /// Texts that random edits insert or put in place of others.
    const PIECES: [&str; 12] =
        ["1", "7", "local.one", "\n", "# ", "}\n", "{", "\"", "x = 3\n", "/*", "*/", "<<EOT\n"];
    /// Lines that random edits insert.
    const LINES: [&str; 14] = [
        "output \"new\" { value = local.two }\n",
        "locals { five = 5 }\n",
        "# only a comment\n",
        "/* a comment\n of lines */\n",
        "variable \"b\" {\n  default = 3\n}\n",
        "resource \"terraform_data\" \"w\" {\n  input = local.three\n}\n",
        "output \"bad\" { value = local.nothing }\n",
        "output \"worse\" { value = local.one.x }\n",
        "locals { six = upper(var.a.y) }\n",
        "locals { seven = local.eight\n  eight = local.three }\n",
        "variable \"c\" {\n  type = string\n  sensitive = true\n  default = \"s\"\n}\noutput \"c\" { value = var.c }\n",
        "resource \"terraform_data\" \"v\" {\n  input = [for one in var.a.y : one.name]\n}\n",
        "module \"n\" {\n  source = \"./m\"\n  v = [local.two]\n}\n",
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
            match random(7) {
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
                // A type becomes another one.
                5 => {
                    let other = [("number", "string"), ("string", "any")][random(2)];
                    text = text.replacen(other.0, other.1, 1);
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

#[test]
fn what_an_edit_decides_elsewhere_is_looked_at_again() {
    let edits = [
        ("main.tf", "one = 1", "one = 7"),
        ("main.tf", "two = local.one + 1", "two = [local.one]"),
        ("main.tf", "x = optional(number, 1)", "x = optional(object({ y = string }), {})"),
        ("m/main.tf", "type = string", "type = number"),
        ("m/main.tf", "output \"n\" { value = length(var.v) }", "output \"n\" { value = null }"),
    ];
    let mut session = Session::new();
    let first = files();
    assert_eq!(session.told(&first), fresh(&first));
    for (name, before, after) in edits {
        let mut now = files();
        let text = now[name].replacen(before, after, 1);
        assert_ne!(text, now[name], "{before}");
        now.insert(name, text);
        assert_eq!(session.told(&now), fresh(&now), "after {after}");
        assert_ne!(fresh(&now), fresh(&first), "after {after}");
        assert_eq!(session.told(&first), fresh(&first), "after {before} again");
    }
}
