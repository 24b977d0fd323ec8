//! Reports for other programs: all formats contain the same diagnostics, each by the rules of its format.

#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use groma::{
    LoadOptions, LoadPurpose, MemoryHost, Workspace,
    folders::{RootToLoad, load_all, roots_below},
    projects::ProjectOptions,
};
use groma_report::{Report, ReportFormat};
use serde_json::Value;

/// Returns a workspace with some files: paths and texts.
fn workspace(files: &[(&str, &str)]) -> Workspace {
    let workspace = Workspace::new(MemoryHost::new());
    for (path, text) in files {
        workspace.set(path, *text);
    }
    workspace
}

/// Returns the options for loading a root that is checked.
fn options() -> LoadOptions {
    LoadOptions {
        purpose: LoadPurpose::Check,
        root: Some("/".to_owned()),
        ..LoadOptions::default()
    }
}

/// Returns the report about the root `app` of a workspace with some files.
fn one(files: &[(&str, &str)]) -> Report {
    let root = workspace(files).root("app", &options());
    Report::of(root.checked())
}

/// Returns the report about several roots of a workspace with some files.
fn all(files: &[(&str, &str)], dirs: &[&str]) -> Report {
    let workspace = workspace(files);
    let root = |dir: &&str| workspace.root(dir, &options()).checked();
    Report::of_all(dirs.iter().map(root).collect())
}

/// Returns a report as text in a format.
fn written(report: &Report, format: ReportFormat) -> String {
    let mut text = String::new();
    report.write(format, &mut text).unwrap();
    text
}

/// Returns a report in a format, parsed as JSON.
fn json(report: &Report, format: ReportFormat) -> Value {
    serde_json::from_str(&written(report, format)).unwrap()
}

/// Returns the results of a SARIF log.
fn results(log: &Value) -> &Vec<Value> {
    log["runs"][0]["results"].as_array().unwrap()
}

/// Checks that SARIF columns count UTF-16 code units.
#[test]
fn columns_of_sarif_count_units_of_utf_16() {
    // The picture has two units, the first letter one, and the second is a cluster of two.
    let report = one(&[("app/main.tf", "output \"o\" { value = \"😀é e\u{301}${var.nope}\" }\n")]);
    let log = json(&report, ReportFormat::Sarif);
    assert_eq!(log["runs"][0]["columnKind"], "utf16CodeUnits");
    let region = &results(&log)[0]["locations"][0]["physicalLocation"]["region"];
    assert_eq!((&region["startLine"], &region["startColumn"]), (&1.into(), &31.into()));
    assert_eq!((&region["endLine"], &region["endColumn"]), (&1.into(), &39.into()));
}

/// Checks that every SARIF result refers to a declared rule and to a file relative to the checkout.
#[test]
fn every_result_of_sarif_names_a_rule_that_is_there() {
    let report = one(&[
        ("app/main.tf", "locals {\n  a = var.nope\n  b = 1 + \"x\"\n  c = var.nope\n}\n"),
        ("app/b b%.tf", "locals {\n  d = {}.x\n  a = 2\n}\n"),
    ]);
    let log = json(&report, ReportFormat::Sarif);
    let run = &log["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    assert!(rules.windows(2).all(|two| two[0]["id"].as_str() < two[1]["id"].as_str()));
    assert!(!results(&log).is_empty());
    for result in results(&log) {
        let rule = &rules[result["ruleIndex"].as_u64().unwrap() as usize];
        let id = result["ruleId"].as_str().unwrap();
        assert_eq!(rule["id"], id);
        assert!(rule["helpUri"].as_str().unwrap().ends_with(&format!("#{id}")), "{rule}");
        assert!(!rule["shortDescription"]["text"].as_str().unwrap().is_empty());
        assert!(!result["message"]["text"].as_str().unwrap().is_empty());
        let file = &result["locations"][0]["physicalLocation"]["artifactLocation"];
        let base = file["uriBaseId"].as_str().unwrap();
        assert!(run["originalUriBaseIds"].get(base).is_some());
        assert!(
            ["app/main.tf", "app/b%20b%25.tf"].contains(&file["uri"].as_str().unwrap()),
            "{file}"
        );
    }
}

/// Checks that SARIF fingerprints do not depend on line numbers and are unique.
#[test]
fn a_fingerprint_outlives_moves_of_its_line_and_tells_equal_lines_apart() {
    let prints = |text: &str| -> Vec<String> {
        let log = json(&one(&[("app/main.tf", text)]), ReportFormat::Sarif);
        let of = |one: &Value| one["partialFingerprints"]["groma/v1"].as_str().unwrap().to_owned();
        results(&log).iter().map(of).collect()
    };
    let before = prints("locals {\n  a = [\n    var.nope,\n    var.nope,\n  ]\n}\n");
    let after =
        prints("# A remark.\n\nlocals {\n\n  a = [\n      var.nope,\n\n    var.nope,\n  ]\n}\n");
    assert_eq!(before, after);
    assert_eq!(before.len(), 2);
    assert_ne!(before[0], before[1]);
    assert_ne!(before, prints("locals {\n  a = [\n    var.nope,\n    var.none,\n  ]\n}\n"));
}

/// Checks that each GitHub workflow command is one line with escaped texts.
#[test]
fn a_command_of_github_stays_on_its_line() {
    let report = one(&[
        ("app/a,b:c%.tf", "locals {\n  a = 1 + \"x%\\r\\ny::error::z\"\n}\n"),
        ("app/two.tf", "locals {\n  b = 2 + [\n  ]\n}\n"),
    ]);
    let text = written(&report, ReportFormat::Github);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 2, "{text}");
    assert!(lines.iter().all(|line| line.starts_with("::error file=app/")), "{text}");
    assert!(!text.contains('\r'), "{text}");
    assert!(lines[0].contains("file=app/a%2Cb%3Ac%25.tf,line=2,endLine=2,col=11,"), "{text}");
    assert!(lines[0].contains("x%25"), "{text}");
    // Columns are written only for a range on one line.
    assert!(lines[1].contains("line=2,endLine=3,title="), "{text}");
}

/// Checks the JUnit cases of two files, and that characters which XML lacks are replaced.
#[test]
fn junit_has_a_case_for_each_file_and_no_character_that_xml_has_not() {
    let report = one(&[
        ("app/bad.tf", "locals {\n  a = 1 + \"\u{1}\u{1b}<&>\\\"]]>\"\n  b = var.nope\n}\n"),
        ("app/good.tf", "locals {\n  good = 1\n}\n"),
    ]);
    let text = written(&report, ReportFormat::Junit);
    assert!(
        text.contains("<testsuites name=\"groma check\" tests=\"2\" failures=\"1\" errors=\"0\">"),
        "{text}"
    );
    assert_eq!(text.matches("<testcase ").count(), 2);
    assert_eq!(text.matches("<failure ").count(), 1);
    assert!(text.contains("<testcase name=\"app/good.tf\" classname=\"app\"/>"), "{text}");
    assert!(!text.chars().any(|c| c.is_control() && c != '\n'), "{text}");
    assert!(text.contains("&lt;&amp;&gt;") && !text.contains("]]>"), "{text}");
}

/// The files of two roots, `a` and `z`, that call the same faulty module.
const SHARED: &[(&str, &str)] = &[
    ("mod/main.tf", "locals {\n  a = var.nope\n}\n"),
    ("a/main.tf", "module \"m\" {\n  source = \"../mod\"\n}\n"),
    ("z/main.tf", "module \"m\" {\n  source = \"../mod\"\n}\nlocals {\n  b = 1 + \"x\"\n}\n"),
];

/// Checks that a diagnostic in a shared module is counted and written once.
#[test]
fn what_is_wrong_in_a_module_is_told_once() {
    let report = all(SHARED, &["z", "a", "mod"]);
    assert_eq!((report.error_count(), report.root_count(), report.file_count()), (2, 3, 3));
    let shares = json(&report, ReportFormat::Json);
    assert_eq!((&shares["error_count"], &shares["warning_count"]), (&2.into(), &0.into()));
    let of = |dir: &str| (&shares["roots"][dir]["valid"], &shares["roots"][dir]["error_count"]);
    assert_eq!(of("mod"), (&false.into(), &1.into()));
    assert_eq!(of("z"), (&false.into(), &1.into()));
    // Its own files have no errors, but it calls a module with one.
    assert_eq!(of("a"), (&false.into(), &0.into()));
    assert_eq!(shares["roots"]["a"]["groma"]["told_by_others"]["error_count"], 1);
    for format in [ReportFormat::Sarif, ReportFormat::Github, ReportFormat::Junit] {
        let text = written(&report, format);
        assert_eq!(
            text.matches("No variable").count(),
            1 + usize::from(format == ReportFormat::Junit),
            "{text}"
        );
    }
}

/// Checks that every format is independent of the order of the roots.
#[test]
fn the_order_of_roots_changes_nothing() {
    for format in ReportFormat::ALL {
        let orders = [["a", "mod", "z"], ["z", "mod", "a"], ["mod", "z", "a"]];
        let [one, two, three] = orders.map(|dirs| written(&all(SHARED, &dirs), format));
        assert!(one == two && two == three, "{}", format.name());
    }
}

/// Checks which folders a search for roots finds.
#[test]
fn roots_are_folders_with_code_that_are_not_hidden() {
    let mut host = MemoryHost::new();
    for path in [
        "a/main.tf",
        "a/b/x.tofu.json",
        "a/.terraform/modules/m/main.tf",
        ".git/x.tf",
        "c/readme.md",
        "c/d/t.pkr.hcl",
        "e/.tf",
        "e/main.tf~",
        "f/x.tfvars",
        "g/tests/t.tftest.hcl",
    ] {
        host = host.with_file(path, "");
    }
    assert_eq!(roots_below(&host, "."), ["a", "a/b", "c/d"]);
    assert_eq!(roots_below(&host, "a"), ["a", "a/b"]);
    assert!(roots_below(&host, "nowhere").is_empty());
}

/// Checks that roots loaded together give the same report as roots loaded one by one.
#[test]
fn roots_that_share_modules_find_what_each_finds_alone() {
    let files = [
        (
            "mod/main.tf",
            "variable \"v\" { type = number }\nlocals {\n  a = var.nope\n  b = \"${path.module}\" + 1\n}\n",
        ),
        ("mod/inner/main.tf", "locals {\n  c = [].x\n}\n"),
        ("mod/call.tf", "module \"i\" {\n  source = \"./inner\"\n}\n"),
        ("mod/broken.tf", "locals {\n  =\n}\n"),
        ("old/main.tofu", "module \"m\" {\n  source = \"../mod\"\n  v = \"x\"\n}\n"),
        (
            "new/main.tf",
            "terraform {\n  required_version = \"~> 1.15.0\"\n}\nmodule \"m\" {\n  source = \"../mod\"\n}\n",
        ),
        ("bare/main.tf", "module \"m\" {\n  source = \"../outside/of/list\"\n}\n"),
        ("outside/of/list/main.tf", "locals {\n  d = {}.y\n}\n"),
        ("secret/main.tf", "variable \"s\" {\n  sensitive = true\n  default = \"hush\" + 1\n}\n"),
    ];
    let dirs = ["bare", "mod", "mod/inner", "new", "old", "secret"];
    let mut host = MemoryHost::new();
    for (path, text) in files {
        host = host.with_file(path, text);
    }
    let host = Arc::new(host);
    let alone = Report::of_all(
        dirs.iter().map(|dir| workspace(&files).root(dir, &options()).checked()).collect(),
    );
    for threads in [1, 2, 7] {
        let roots = dirs.iter().map(|dir| RootToLoad {
            dir: (*dir).to_owned(),
            options: ProjectOptions { load: options(), ..ProjectOptions::default() },
            host: host.clone(),
        });
        let (together, _) = load_all(roots.collect(), threads, |_, snapshot| snapshot.checked());
        let together = Report::of_all(together);
        assert_eq!(together.file_count(), files.len());
        for format in ReportFormat::ALL {
            assert_eq!(written(&together, format), written(&alone, format));
        }
    }
    assert!(alone.error_count() > 2, "{}", alone.error_count());
    assert!(!written(&alone, ReportFormat::Junit).contains("hush"));
}
