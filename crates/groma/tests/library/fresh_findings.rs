//! Findings after edits are those of a fresh start, whatever was remembered of the ones before; and each file tells its own.

use std::collections::BTreeMap;

use groma::rules::RuleSwitches;
use groma::syntax::render;
use groma::{LoadOptions, MemoryHost, Snapshot, Workspace};

type Files = BTreeMap<&'static str, String>;

fn files() -> Files {
    let main = "terraform {\n  backend \"local\" {}\n}\n\nvariable \"size\" {\n  type = number\n  default = 2\n}\n\nvariable \"names\" {\n  type = list(string)\n  default = [\"a\"]\n}\n\nlocals {\n  two = var.size * 2\n  four = local.two + local.two\n  unused = 1\n  all = [for one in var.names : upper(one)]\n}\n\nresource \"terraform_data\" \"a\" {\n  for_each = toset(local.all)\n  input = \"${each.key}\"\n}\n\nresource \"terraform_data\" \"b\" {\n  input = { password = \"hunter2hunter2Zq9\", size = local.four }\n  depends_on = [terraform_data.a]\n}\n\nmodule \"m\" {\n  source = \"./m\"\n  v = local.four\n}\n";
    let more = "output \"o\" { value = module.m.o }\noutput \"ids\" { value = { for k, one in terraform_data.a : k => one.id } }\noutput \"at\" { value = [1, 2, 3][local.unused] }\noutput \"length\" { value = length(var.size) }\ncheck \"c\" {\n  assert {\n    condition = local.four == 8\n    error_message = \"four is ${local.four}\"\n  }\n}\n";
    let inner = "variable \"v\" {\n  type = string\n  validation {\n    condition = length(var.v) < 9\n    error_message = \"v is ${var.v}\"\n  }\n}\nvariable \"w\" {\n  default = null\n}\noutput \"o\" { value = \"${var.v}\" }\noutput \"p\" { value = var.w }\n";
    let read = "locals {\n  shown = templatefile(\"t.tftpl\", { n = local.two })\n  data = jsondecode(file(\"d/x.json\"))\n  names = fileset(path.module, \"d/*\")\n  there = fileexists(\"d/none\")\n  field = local.data.size.x\n}\noutput \"shown\" { value = local.shown }\noutput \"data\" { value = [local.data, local.names, local.there] }\noutput \"hash\" { value = filesha1(\"main.tf\") }\noutput \"id\" { value = \"${uuid()}${local.shown}\" }\nresource \"terraform_data\" \"read\" {\n  for_each = local.names\n  input = file(each.value)\n}\nmodule \"r\" {\n  source = \"./m\"\n  v = file(\"d/x.json\")\n}\n";
    let rows = [
        ("main.tf", main),
        ("more.tf", more),
        ("m/main.tf", inner),
        ("read.tf", read),
        ("t.tftpl", "n is ${n}\n%{ if n > 3 }more%{ endif }\n"),
        ("d/x.json", "{ \"size\": 1 }\n"),
    ];
    rows.into_iter().map(|(name, text)| (name, text.to_owned())).collect()
}

fn set(workspace: &Workspace, files: &Files) {
    for (name, text) in files {
        workspace.set(name, text.as_bytes().to_vec());
    }
}

fn rules() -> RuleSwitches {
    let mut rules = RuleSwitches::default();
    rules.warn("all").expect("it stands for every rule");
    rules
}

/// Every output, every finding with what it shows, and those of each file.
fn told(snapshot: &Snapshot, rules: &RuleSwitches) -> String {
    let outputs = snapshot.outputs();
    let mut all = snapshot.checked();
    all.add_lint(snapshot.lint(rules));
    let mut text = String::new();
    for output in outputs.value {
        text.push_str(&format!(
            "{} = {}\n",
            output.name,
            groma::values::print::console(&output.value)
        ));
    }
    for one in all.found.iter() {
        text.push_str(&render::render(one, &all.sources, false));
    }
    for (file, found) in snapshot.findings_by_file() {
        text.push_str(&format!("{file}: {}\n", found.len()));
    }
    text
}

fn fresh(files: &Files, rules: &RuleSwitches) -> String {
    let workspace = Workspace::new(MemoryHost::new());
    set(&workspace, files);
    told(&workspace.root(".", &LoadOptions::default()), rules)
}

#[test]
fn findings_after_an_edit_are_those_of_a_fresh_start() {
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = move |below: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed % below.max(1) as u64) as usize
    };
    const PIECES: [&str; 9] =
        ["1", "local.two", "\n", "# ", "}\n", "\"", "x = 3\n", ".x", "var.size"];
    const LINES: [&str; 10] = [
        "output \"new\" { value = local.two.x }\n",
        "locals { five = 5 }\n",
        "# groma-allow: unused-local\n",
        "variable \"b\" {\n  default = 3\n}\n",
        "resource \"terraform_data\" \"w\" {\n  input = upper(var.names)\n}\n",
        "output \"bad\" { value = local.nothing }\n",
        "locals { nine = [for one in var.names : one.x] }\n",
        "data \"terraform_remote_state\" \"r\" {\n  backend = \"local\"\n}\n",
        "module \"n\" {\n  source = \"./m\"\n  v = [1]\n}\n",
        "\n",
    ];
    let rules = rules();
    for _ in 0..6 {
        let workspace = Workspace::new(MemoryHost::new());
        let mut now = files();
        for _ in 0..25 {
            let names: Vec<&'static str> = now.keys().copied().collect();
            let name = names[random(names.len())];
            let before = now[name].clone();
            let mut text = before.clone();
            let at = random(text.len() + 1);
            let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
            match random(6) {
                0 => {
                    if let Some(digit) = text[at..].find(|c: char| c.is_ascii_digit()) {
                        let digit = at + digit;
                        text.replace_range(digit..=digit, &random(9).to_string());
                    }
                }
                1 => text.insert_str(at, PIECES[random(PIECES.len())]),
                2 => text.insert_str(line, LINES[random(LINES.len())]),
                3 => {
                    let end = text[line..].find('\n').map_or(text.len(), |end| line + end + 1);
                    text.replace_range(line..end, "");
                }
                4 => {
                    let other = [("number", "string"), ("string", "any")][random(2)];
                    text = text.replacen(other.0, other.1, 1);
                }
                _ => text.insert_str(line, "  \n"),
            }
            now.insert(name, text);
            set(&workspace, &now);
            let snapshot = workspace.root(".", &LoadOptions::default());
            assert_eq!(
                told(&snapshot, &rules),
                fresh(&now, &rules),
                "after an edit of {name}:\n{}",
                now[name]
            );
            if random(3) > 0 {
                now.insert(name, before);
            }
        }
    }
}

#[test]
fn what_changed_is_told_by_file() {
    let workspace = Workspace::new(MemoryHost::new());
    let mut now = files();
    set(&workspace, &now);
    let first = workspace.root(".", &LoadOptions::default());
    assert!(first.changed_findings(&first).is_empty());
    now.insert("more.tf", format!("{}output \"q\" {{ value = local.two.x }}\n", now["more.tf"]));
    set(&workspace, &now);
    let second = workspace.root(".", &LoadOptions::default());
    let changed = second.changed_findings(&first);
    let files: Vec<&str> = changed.iter().map(|(file, _)| &**file).collect();
    assert_eq!(files, ["more.tf"]);
    assert_eq!(changed[0].1.len(), first.findings_in("more.tf").len() + 1);
    now.remove("more.tf");
    workspace.remove("more.tf");
    let third = workspace.root(".", &LoadOptions::default());
    // What is gone is told too.
    let gone = third.changed_findings(&second);
    let left = gone.iter().find(|(file, _)| &**file == "more.tf");
    assert!(left.is_some_and(|(_, found)| found.is_empty()), "{gone:?}");
}

#[test]
fn an_older_snapshot_that_reads_later_leaves_nothing_stale() {
    let rules = rules();
    let workspace = Workspace::new(MemoryHost::new());
    let mut now = files();
    set(&workspace, &now);
    let older = workspace.root(".", &LoadOptions::default());
    now.insert("d/x.json", "{ \"size\": { \"x\": 2 } }\n".to_owned());
    now.insert("t.tftpl", "${n} it is${n.x}\n".to_owned());
    now.insert("more.tf", format!("{}# more\n", now["more.tf"]));
    set(&workspace, &now);
    let newer = workspace.root(".", &LoadOptions::default());
    // The older one reads its texts only now, and fills what both share.
    told(&older, &rules);
    assert_eq!(told(&newer, &rules), fresh(&now, &rules));
    now.insert("more.tf", format!("{}# more\n", now["more.tf"]));
    set(&workspace, &now);
    assert_eq!(told(&workspace.root(".", &LoadOptions::default()), &rules), fresh(&now, &rules));
}
