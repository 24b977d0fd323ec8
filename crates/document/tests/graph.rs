//! Drawings as the reference programs made them: `graph -format=mermaid` shows resources alone.

#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use groma::{
    Diagnostics, Edition, LoadOptions, MemoryHost,
    projects::{Project, ProjectOptions},
};
use groma_document::graph::mermaid;
use testkit::Json;
use testkit::case::{Case, modules};

/// Returns the recorded output of the reference program for these arguments; `None` if the case does not record it.
fn printed<'c>(case: &'c Case, args: &[&str]) -> Option<&'c str> {
    let commands = case.json.get("expect")?.get("commands")?.list()?;
    let is_asked = |command: &&Json| {
        let given = command.get("args").and_then(Json::list).unwrap_or_default();
        given.iter().map(|arg| arg.text().unwrap_or("")).eq(args.iter().copied())
    };
    commands.iter().find(is_asked)?.get("stdout")?.text()
}

/// Tests that Mermaid flowcharts of resources equal those that the reference program printed.
#[test]
fn recorded_flowcharts() {
    let mut count = 0;
    for case in modules(|_| true) {
        let Some(want) = printed(&case, &["graph", "-format=mermaid"]) else { continue };
        let host = case
            .files()
            .into_iter()
            .fold(MemoryHost::new(), |host, (name, bytes)| host.with_file(&name, bytes));
        let edition = case.json.get("dialect").and_then(Json::text).and_then(Edition::parse);
        let load = LoadOptions { edition, root: Some("/".to_owned()), ..LoadOptions::default() };
        let options = ProjectOptions { load, ..ProjectOptions::default() };
        let mut found = Diagnostics::new();
        let project = Project::load(case.directory(), &options, Arc::new(host), &mut found);
        assert_eq!(mermaid(&project.resource_references()), want, "{}", case.name);
        count += 1;
    }
    assert!(count > 0, "no flowchart is recorded");
}
