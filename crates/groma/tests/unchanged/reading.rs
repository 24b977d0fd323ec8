//! Files that an expression reads by a name that is not known: what is called unchanged stays the same, whatever the name
//! turns out to be.

use groma::{InputAssignment, RootInputs, Snapshot, Value};
use groma_syntax::Diagnostics;
use groma_value::{identical, ops};

use crate::roots::{Answers, Files, Root};

/// Expressions that read files; `var.name` is open.
const READING: [&str; 16] = [
    "file(\"${path.module}/${var.name}.yaml\")",
    "file(\"${path.module}/d/${var.name}\")",
    "file(var.name)",
    "[for f in fileset(\"${path.module}/d\", \"*.yaml\") : file(\"${path.module}/d/${f}\") if f != var.name]",
    "[for f in fileset(var.name, \"**/*.yaml\") : file(\"${var.name}/${f}\")]",
    "[for f in try(fileset(var.name, \"*.yaml\"), []) : f]",
    "file(var.name == \"d\" ? \"${path.module}/d/a.yaml\" : \"${path.root}/b.txt\")",
    "file(join(\"/\", [path.module, \"d\", \"${var.name}.yaml\"]))",
    "file(format(\"%s/d/%s.yaml\", path.module, var.name))",
    "templatefile(\"${path.module}/t.tpl\", { name = var.name })",
    "try(file(\"${path.module}/d/${basename(var.name)}.yaml\"), \"none\")",
    "fileexists(\"${path.module}/${var.name}/a.yaml\")",
    "yamldecode(file(var.name))",
    "try(yamldecode(file(\"${path.module}/${var.name}\")), \"none\")",
    "try(jsondecode(file(var.name)), \"none\")",
    "try([for f in fileset(var.name, \"**\") : csvdecode(file(\"${var.name}/${f}\"))], [])",
];

/// Files beside the code.
const FILES: [&str; 8] =
    ["README.md", "a.yaml", "b.txt", "d/a.yaml", "d/b.txt", "d/c.md", "d/e/a.yaml", "t.tpl"];

/// What the name may be.
const NAMES: [&str; 13] = [
    "a",
    "d",
    "d/a",
    "../app/d/a",
    "a.yaml",
    "d/b.txt",
    "d/c.md",
    "README.md",
    "e/a",
    "d/e",
    "../b.txt",
    ".",
    "x",
];

fn files(expression: &str, changed: Option<&str>) -> Files {
    let code = format!("variable \"name\" {{}}\noutput \"o\" {{\n  value = {expression}\n}}\n");
    let mut files = vec![("main.tf".to_owned(), code)];
    for file in FILES {
        let text = match file {
            "t.tpl" => "${name} ${file(\"${name}\")}\n".to_owned(),
            // No decoder takes it.
            "d/c.md" => "# A title\n\n- `a\n\n\"b\"c\n".to_owned(),
            file => format!("text: {file}\n"),
        };
        let more = match file {
            _ if changed != Some(file) => "",
            // To YAML the file stays what it is.
            "b.txt" => "# more: 1\n",
            _ => "more: 1\n",
        };
        files.push((file.to_owned(), format!("{text}{more}")));
    }
    files
}

fn output(snapshot: &Snapshot) -> Option<Value> {
    let outputs = snapshot.evaluation().outputs(&mut Diagnostics::new());
    outputs.into_iter().next().map(|output| output.value)
}

#[test]
fn a_file_that_may_be_read_counts() {
    let (mut silent, mut differing) = (0, 0);
    for expression in READING {
        let before = files(expression, None);
        let root = Root::of_text(expression, "");
        let root = Root { files: before.clone(), inputs: RootInputs::Unknown, ..root };
        for changed in FILES {
            let after = files(expression, Some(changed));
            let [was, is] = root.load_both(&after);
            let is_told = is.compare(&was, false).is_change();
            silent += usize::from(!is_told);
            for name in NAMES {
                let value = InputAssignment::Variable { name: "name".into(), text: name.into() };
                let answers = Answers { mocks: String::new(), values: vec![value] };
                let both = [&before, &after].map(|files| output(&root.answered(files, &answers)));
                let [Some(was), Some(is)] = both else { continue };
                let is_same = identical(&was, &is) && ops::same(&was, &is);
                if was.is_wholly_known() && is.is_wholly_known() && !is_same {
                    differing += 1;
                    assert!(is_told, "{expression} with {name}: {changed} counts, and is not told");
                }
            }
        }
    }
    // What no name leads to counts for nothing.
    assert!(silent > 15 && differing > 30, "{silent} are silent, {differing} differ");
}
