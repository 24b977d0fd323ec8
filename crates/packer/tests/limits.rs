//! Tests of the limits that end a run over a template: of files, generated blocks, and the content of each build for each of its
//! sources.

#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use groma_packer::{Template, TemplateEvaluation, TemplateOptions};
use groma_runtime::{Budget, MemoryHost, Quota, RunEnd};
use groma_syntax::{Diagnostic, Diagnostics};

/// Evaluates and plans a template with a budget; returns the diagnostic for the end of the run, if a limit ended it, and the
/// number of planned builds.
fn end(text: &str, quota: Quota) -> (Option<Diagnostic>, usize) {
    let host = Arc::new(MemoryHost::new().with_file("main.pkr.hcl", text.as_bytes().to_vec()));
    let options = TemplateOptions { budget: Budget::new(quota), ..TemplateOptions::default() };
    let mut found = Diagnostics::new();
    let template = Template::load(".", &options, host, &mut found);
    let evaluation = TemplateEvaluation::new(template, options);
    let plan = evaluation.plan();
    (evaluation.end(), plan.builds.len())
}

/// Returns a template whose build has `sources` sources, each with `stages` provisioners and as many chained post-processors.
fn exploding(sources: usize, stages: usize) -> String {
    format!(
        r#"
        source "null" "a" {{
          communicator = "none"
        }}
        build {{
          name = "wide"
          dynamic "source" {{
            for_each = range({sources})
            labels   = ["null.a"]
            content {{
              name = source.value
            }}
          }}
          dynamic "provisioner" {{
            for_each = range({stages})
            labels   = ["shell-local"]
            content {{
              inline = ["true"]
            }}
          }}
          post-processors {{
            dynamic "post-processor" {{
              for_each = range({stages})
              labels   = ["checksum"]
              content {{}}
            }}
          }}
        }}
        "#
    )
}

/// Checks that each component of a build is charged once for each source.
#[test]
fn components_are_counted_once_for_each_source() {
    let quota = |instances| Quota { instances, ..Quota::DEFAULT };
    let found = end(&exploding(1_000, 1_000), quota(50_000)).0.unwrap();
    assert_eq!(found.code.slug, "limit-instances");
    assert!(found.detail.contains("wide.null.") && found.place.is_some(), "{}", found.detail);
    // 40 blocks, and 20 builds with 20 components beside the builder.
    assert!(end(&exploding(20, 10), quota(459)).0.is_some());
    let (end_of_small, builds) = end(&exploding(20, 10), quota(460));
    assert!(end_of_small.is_none());
    assert_eq!(builds, 20);
}

/// Checks that the blocks that nested `dynamic` blocks generate are charged.
#[test]
fn blocks_in_blocks_are_counted() {
    let deep = |inner: &str| {
        format!(
            "dynamic \"b\" {{\n for_each = range(100)\n iterator = i\n content {{\n {inner}\n }}\n }}\n"
        )
    };
    let body = deep(&deep(&deep(&deep("x = 1"))));
    let text = format!(
        "packer {{\n required_plugins {{\n x = {{\n source = \"github.com/a/x\"\n version = \">= 1\"\n }}\n }}\n }}\nsource \"x\" \"a\" {{\n{body}}}\nbuild {{\n sources = [\"x.a\"]\n}}\n"
    );
    let found = end(&text, Quota { instances: 50_000, ..Quota::DEFAULT }).0.unwrap();
    assert_eq!(found.code.slug, "limit-instances");
    assert!(found.detail.contains("the dynamic block \"b\""), "{}", found.detail);
}

/// Checks that the files of a template are charged to the limit on source bytes.
#[test]
fn files_count_against_the_bytes_of_sources() {
    let text = format!("locals {{\n a = 1\n}}\n# {}\n", "long ".repeat(100));
    let size = text.len() as u64 + groma_runtime::counted_folder(["main.pkr.hcl"]);
    for (source_bytes, ended) in [(size, None), (size - 1, Some(RunEnd::Sources))] {
        let budget = Budget::new(Quota { source_bytes, ..Quota::DEFAULT });
        let host = MemoryHost::new().with_file("main.pkr.hcl", text.as_bytes().to_vec());
        let options = TemplateOptions { budget: budget.clone(), ..TemplateOptions::default() };
        let mut found = Diagnostics::new();
        Template::load(".", &options, Arc::new(host), &mut found);
        assert_eq!(budget.ended(), ended);
        assert_eq!(found.has_errors(), ended.is_some());
    }
}

/// Checks that syntax trees and values are charged before they are created.
#[test]
fn trees_and_values_are_counted_before_they_are_made() {
    let template = "variable \"l\" {\n  type = list(number)\n  default = []\n}\n";
    for (name, text, bytes, ends) in [
        (
            "big.pkr.hcl",
            format!("locals {{\n  a = [{}]\n}}\n", "1,".repeat(50_000)),
            1_000_000,
            true,
        ),
        (
            "big.pkr.hcl",
            format!("locals {{\n  a = [{}]\n}}\n", "1,".repeat(50_000)),
            8_000_000,
            false,
        ),
        ("big.auto.pkrvars.hcl", format!("l = [{}]\n", "1,".repeat(50_000)), 1_000_000, true),
        ("big.auto.pkrvars.hcl", format!("l = [{}]\n", "1,".repeat(50_000)), 8_000_000, false),
    ] {
        let budget = Budget::new(Quota { bytes, ..Quota::DEFAULT });
        let host = MemoryHost::new().with_file("main.pkr.hcl", template).with_file(name, text);
        let options = TemplateOptions { budget: budget.clone(), ..TemplateOptions::default() };
        let mut found = Diagnostics::new();
        Template::load(".", &options, Arc::new(host), &mut found);
        assert_eq!(budget.ended(), ends.then_some(RunEnd::Memory), "{name} {bytes}");
        assert_eq!(found.has_errors(), ends, "{name} {bytes}");
    }
}
