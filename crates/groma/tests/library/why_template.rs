//! Where values of Packer templates come from, over every recorded template: what is told can be asked for by its address,
//! has the value that the console prints, and stands where the tree says.

use std::path::Path;
use std::sync::Arc;

use groma::packer::why_at_address;
use groma::packer::{Template, TemplateEvaluation, TemplateOptions};
use groma::why::{WhyKind, WhyTree};
use groma::{Diagnostics, Edition, MemoryHost, Value};
use testkit::conformance;

fn add(mut host: MemoryHost, folder: &Path, base: &str) -> MemoryHost {
    for entry in std::fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = format!("{base}{}", entry.file_name().to_string_lossy());
        host = match entry.file_type().unwrap().is_dir() {
            true => add(host, &entry.path(), &format!("{name}/")),
            false => host.with_file(&name, std::fs::read(entry.path()).unwrap()),
        };
    }
    host
}

fn evaluated(host: MemoryHost) -> Option<TemplateEvaluation> {
    let options =
        TemplateOptions { edition: Edition::parse("packer@1.16"), ..TemplateOptions::default() };
    let mut found = Diagnostics::new();
    let template = Template::load(".", &options, Arc::new(host), &mut found);
    (!found.has_errors()).then(|| TemplateEvaluation::new(template, options))
}

fn is_hidden(value: Option<&Value>) -> bool {
    value.is_some_and(|value| value.has_marks() && value.deep_marks().hide())
}

/// What is wrong with a tree.
fn judge(tree: &WhyTree, evaluation: &TemplateEvaluation, out: &mut Vec<String>) {
    let sources = evaluation.sources();
    for node in &tree.nodes {
        let told = node.address.as_deref().unwrap_or("a literal");
        if let (Some(place), Some(text)) = (node.place, &node.text) {
            let (source, at) = sources.at(place);
            let there = source.text().get(at.span.start as usize..at.span.end as usize);
            if there != Some(text.as_str()) {
                out.push(format!("{told}: {text:?} is told, and {there:?} is written"));
            }
        }
        let is_asked = matches!(
            node.kind,
            WhyKind::Variable | WhyKind::Local | WhyKind::Data | WhyKind::Resource
        ) || node.kind == WhyKind::Argument && !told.starts_with("data.");
        if !is_asked {
            continue;
        }
        match why_at_address(told, evaluation) {
            Err(none) => out.push(format!("{told} is told, and not there: {}", none.detail)),
            Ok(tree) => {
                let (told_value, there) = (&node.value, &tree.root().value);
                if !is_hidden(told_value.as_ref())
                    && format!("{told_value:?}") != format!("{there:?}")
                {
                    out.push(format!("{told} is {told_value:?} below and {there:?} alone"));
                }
            }
        }
    }
}

#[test]
fn what_is_told_of_a_template_is_there() {
    let folder = conformance().join("packer");
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .filter(|name| folder.join(name).join("case.json").exists())
        .collect();
    names.sort();
    let (mut asked, mut wrong) = (0, Vec::new());
    for name in &names {
        let Some(evaluation) = evaluated(add(MemoryHost::new(), &folder.join(name), "")) else {
            continue;
        };
        for address in evaluation.addresses() {
            let mut out = Vec::new();
            match why_at_address(&address, &evaluation) {
                Err(none) => out.push(none.detail),
                Ok(tree) => {
                    let mut found = Diagnostics::new();
                    let printed = evaluation.evaluate_text(&address, "<test>", &mut found);
                    let is_block = tree.root().kind == WhyKind::Resource;
                    let value = tree.root().value.as_ref();
                    if !is_block
                        && !found.has_errors()
                        && !is_hidden(value)
                        && format!("{value:?}") != format!("{:?}", Some(&printed))
                    {
                        out.push(format!("told as {value:?}, printed as {printed:?}"));
                    }
                    judge(&tree, &evaluation, &mut out);
                }
            }
            asked += 1;
            wrong.extend(out.into_iter().map(|one| format!("{name}: {address}: {one}")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(asked > 200, "only {asked} addresses were asked");
}

/// A name of a declaration is not that of a fact of a running build, and a number not a name.
#[test]
fn a_build_is_named_by_questions_alone() {
    let text = r#"
        build {
          name = "ID"
          provisioner "shell-local" {
            inline = [build.ID]
          }
        }
        build {
          name = "0"
        }
        build {
          description = "third"
        }
    "#;
    let host = MemoryHost::new().with_file("main.pkr.hcl", text.as_bytes().to_vec());
    let evaluation = evaluated(host).unwrap();
    let addresses = evaluation.addresses();
    assert_eq!(addresses, ["build.ID", "build[\"0\"]", "build[2]"]);
    let tree = why_at_address("build.ID.provisioner.inline", &evaluation).unwrap();
    assert_eq!(tree.root().address.as_deref(), Some("build.ID.provisioner[0].inline"));
    let below = &tree.nodes[tree.root().from[0]];
    assert_eq!((below.kind, below.address.as_deref()), (WhyKind::Environment, Some("build.ID")));
    let third = why_at_address("build[2].description", &evaluation).unwrap();
    assert_eq!(third.root().text.as_deref(), Some("\"third\""));
    assert!(why_at_address("build[3]", &evaluation).is_err());
}
