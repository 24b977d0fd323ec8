//! Tests of broken templates: for any file content, reading, checking, planning and evaluating end without a panic. The recorded
//! templates are cut, doubled and changed byte by byte.

#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use groma_packer::{Template, TemplateEvaluation, TemplateOptions};
use groma_runtime::MemoryHost;
use groma_syntax::Diagnostics;
use testkit::conformance;

/// Loads, checks, plans and evaluates a template of these files with several options, and checks that the places of all
/// diagnostics are valid.
fn survive(files: &[(String, Vec<u8>)]) {
    let mut host = MemoryHost::new();
    for (name, bytes) in files {
        host = host.with_file(name, bytes.clone());
    }
    let host = Arc::new(host);
    for judging in [false, true] {
        let options = TemplateOptions {
            strict: judging,
            judging,
            evaluates_data: !judging,
            open_environment: !judging,
            only: vec!["*[a-".to_owned(), "{a,*".to_owned()],
            ..TemplateOptions::default()
        };
        let mut found = Diagnostics::new();
        let template = Template::load(".", &options, host.clone(), &mut found);
        let evaluation = TemplateEvaluation::new(template, options);
        evaluation.check();
        evaluation.plan().builds_json();
        evaluation.references();
        evaluation.resource_references();
        evaluation.evaluate_text("[var, local, source, build]", "<test>", &mut found);
        let sources = evaluation.sources();
        for one in found.iter().chain(evaluation.found().iter()) {
            assert!(!one.detail.is_empty());
            if let Some(place) = one.place {
                assert!((place.span.end as usize) <= sources.get(place.file).text().len());
            }
        }
    }
}

/// Returns the names and contents of the files of each recorded template.
fn recorded() -> Vec<Vec<(String, Vec<u8>)>> {
    let mut folders: Vec<_> = std::fs::read_dir(conformance().join("packer"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .collect();
    folders.sort();
    let files = |folder: std::path::PathBuf| {
        let mut files: Vec<(String, Vec<u8>)> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.is_file() && path.file_name().unwrap() != "case.json")
            .map(|path| {
                let name = path.file_name().unwrap().to_string_lossy().into_owned();
                (name, std::fs::read(path).unwrap())
            })
            .collect();
        files.sort();
        files
    };
    folders.into_iter().map(files).collect()
}

/// Checks that recorded templates with random changes of bytes cause no panic.
#[test]
fn changed_bytes() {
    let templates = recorded();
    assert!(templates.len() > 90);
    // A small generator of its own: the same changes on every run.
    let mut state: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut next = move |below: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) as usize) % below.max(1)
    };
    for files in &templates {
        for _ in 0..4 {
            let mut files = files.clone();
            let which = next(files.len());
            let bytes = &mut files[which].1;
            let at = next(bytes.len());
            match next(5) {
                0 => bytes.truncate(at),
                1 => {
                    bytes.remove(at.min(bytes.len().saturating_sub(1)));
                }
                2 => bytes.insert(at, b"{}[]\"$%\n=.,"[next(11)]),
                3 => {
                    let copy = bytes[at..].to_vec();
                    bytes.extend(copy);
                }
                _ => {
                    let end = at + next(bytes.len() - at);
                    bytes.drain(at..end);
                }
            }
            survive(&files);
        }
    }
}

/// Checks that deeply nested code, long dependency chains and large cycles cause no panic.
#[test]
fn deep_and_long() {
    let deep = format!("locals {{ a = {}1{} }}", "[".repeat(3000), "]".repeat(3000));
    let blocks = format!(
        "source \"x\" \"y\" {{\n{}{}}}\nbuild {{\nsources = [\"x.y\"]\n}}\n",
        "b {\n".repeat(900),
        "}\n".repeat(900)
    );
    let chain: String = (0..5000).map(|at| format!("  n{at} = local.n{}\n", at + 1)).collect();
    let chain = format!("locals {{\n{chain}  n5000 = 1\n}}\n");
    let ring: String =
        (0..3000).map(|at| format!("  n{at} = local.n{}\n", (at + 1) % 3000)).collect();
    let ring = format!("locals {{\n{ring}}}\n");
    let made = "build {\n  dynamic \"provisioner\" {\n    for_each = range(1000)\n    labels = [\"shell-local\"]\n    content {\n      inline = [provisioner.value]\n    }\n  }\n  sources = [\"null.a\"]\n}\nsource \"null\" \"a\" {\n  communicator = \"none\"\n}\n";
    for text in [deep.as_str(), &blocks, &chain, &ring, made] {
        survive(&[("main.pkr.hcl".to_owned(), text.as_bytes().to_vec())]);
    }
}
