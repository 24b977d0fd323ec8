//! Diagnostics of a check of the recorded cases: the reference programs' verdict without inputs, and equal messages for any
//! order of blocks.

use groma_project::{LoadPurpose, RootInputs, validate};
use groma_syntax::{Diagnostics, FileId};
use testkit::{Json, case};

use super::recorded::scene;
use super::scene::Scene;

/// Prefixes of the names of cases that need a provider's schema or a state, and are judged elsewhere.
const ELSEWHERE: [&str; 2] = ["aws-", "state-"];

/// Returns the diagnostics of loading and validating a project without inputs, and its sources.
pub(crate) fn check(mut scene: Scene) -> (Diagnostics, groma_syntax::Sources) {
    scene.options.load.inputs = RootInputs::Unknown;
    scene.options.load.purpose = LoadPurpose::Check;
    let options = scene.options.clone();
    let loaded = scene.load();
    let mut out = loaded.found.clone();
    validate(&loaded.project, &options, &mut out);
    out.sort_by_place();
    (out, loaded.project.sources().clone())
}

#[test]
fn recorded_verdicts() {
    let cases = case::modules(|case| !case.starts_with_one_of(&ELSEWHERE));
    case::settle("check", &cases, |turn| {
        let want = turn.expect.get("validate").and_then(|v| v.get("valid"))?;
        let mut scene = scene(turn);
        if !turn.check_reads_values() {
            scene.options.run.assignments.clear();
        }
        let (found, _) = check(scene);
        let agrees = *want == Json::Bool(!found.has_errors());
        let details: Vec<&str> = found.iter().map(|d| d.detail.as_str()).collect();
        Some((!agrees).then(|| format!("verdict: {}", details.join("\n  "))))
    });
}

/// Blocks with errors that refer to each other, in an arbitrary order.
const BLOCKS: [&str; 8] = [
    "variable \"n\" {\n  type = number\n}\n",
    "locals {\n  a = local.b.c\n  b = var.n\n}\n",
    "locals {\n  wrong = upper({})\n  twice = local.wrong\n}\n",
    "output \"o\" {\n  value = module.m.nope\n}\n",
    "module \"m\" {\n  source = \"./m\"\n}\n",
    "resource \"terraform_data\" \"d\" {\n  count = {}\n  input = each.key\n}\n",
    "resource \"terraform_data\" \"e\" {\n  input = terraform_data.d.id\n}\n",
    "data \"x_y\" \"z\" {\n  for_each = [1]\n  v = self.v\n}\n",
];

/// Returns the diagnostics of a project of these blocks, each with the text that it points at in place of its position.
fn told(blocks: &[&str]) -> Vec<String> {
    let scene = Scene::new()
        .file("main.tf", blocks.concat())
        .file("m/main.tf", "output \"p\" {\n  value = 1 + true\n}\n");
    let (found, sources) = check(scene);
    let mut told: Vec<String> = found
        .iter()
        .map(|d| {
            let text = |file: FileId| sources.get(file).text().clone();
            let at = d.place.map(|p| p.span.of(&text(p.file)).to_owned());
            format!("{} {:?} {}", d.code.slug, at, d.detail)
        })
        .collect();
    told.sort();
    told
}

#[test]
fn shuffled_blocks_are_told_the_same() {
    let expected = told(&BLOCKS);
    assert!(expected.len() >= 8, "{expected:#?}");
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = move |below: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed % below as u64) as usize
    };
    for _ in 0..40 {
        let mut blocks = BLOCKS;
        for at in (1..blocks.len()).rev() {
            blocks.swap(at, random(at + 1));
        }
        assert_eq!(told(&blocks), expected);
    }
}
