//! Shuffled files and blocks say the same: every native file of a recorded case is taken apart into its
//! blocks, and these are dealt out anew among the files of their folder. Only places may differ, and
//! with them what is sorted by place.

use std::collections::{BTreeMap, BTreeSet};

use groma_plan::Plan;
use groma_syntax::{FileId, NodeKind, parse_file};
use testkit::Json;
use testkit::case::{self, Case, Turn};

use super::scene::{options, plan_files};

/// Cases whose results depend on the order of blocks: of two declarations with one name only one counts, and of contradicting
/// moves a later one is reported.
const ORDERED: [&str; 7] = [
    "block-duplicate-resource",
    "moved-cycle",
    "moved-from-two-places",
    "moved-ring-of-three",
    "moved-to-two-places",
    "stages-twice-before-ring",
    "var-duplicate",
];

/// Files with their paths and contents.
type Files = Vec<(String, Vec<u8>)>;

/// A pseudo-random number generator with a fixed seed.
struct Dice(u64);

impl Dice {
    /// Returns a pseudo-random number below `count`.
    fn below(&mut self, count: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % count.max(1) as u64) as usize
    }

    /// Puts items into a pseudo-random order.
    fn shuffle<T>(&mut self, items: &mut [T]) {
        for at in (1..items.len()).rev() {
            items.swap(at, self.below(at + 1));
        }
    }
}

/// Returns the texts of a file's blocks; `None` for a file whose order counts, or that is not a valid sequence of blocks.
fn blocks(name: &str, bytes: &[u8]) -> Option<Vec<String>> {
    let (stem, kind) = name.rsplit('/').next()?.rsplit_once('.')?;
    // Override files are applied in their order, and hidden files are not read.
    let is_override = stem == "override" || stem.ends_with("_override");
    let is_hidden = stem.starts_with('.');
    if !matches!(kind, "tf" | "tofu") || is_override || is_hidden {
        return None;
    }
    let parse = parse_file(&std::str::from_utf8(bytes).ok()?.into(), FileId(0));
    if !parse.diagnostics.is_empty() {
        return None;
    }
    let tree = &parse.tree;
    let mut body = tree.root();
    while tree.kind(body) != NodeKind::Body {
        body = *tree.children(body).first()?;
    }
    let parts = tree.children(body);
    let text = |part: &groma_syntax::NodeId| format!("{}\n\n", tree.span(*part).of(tree.text()));
    let is_block = |part: &groma_syntax::NodeId| tree.kind(*part) == NodeKind::Block;
    parts.iter().all(is_block).then(|| parts.iter().map(text).collect())
}

/// Returns the files with the blocks of each folder distributed anew over its files.
fn shuffled(files: &Files, dice: &mut Dice) -> Files {
    let mut folders: BTreeMap<&str, (Vec<usize>, Vec<String>)> = BTreeMap::new();
    // A `.tofu` file stands for the `.tf` file of its name, so its blocks stay in that file.
    let shadows = files.iter().any(|(name, _)| name.ends_with(".tofu"));
    for (at, (name, bytes)) in files.iter().enumerate() {
        let Some(own) = blocks(name, bytes) else { continue };
        let folder = if shadows { name } else { name.rsplit_once('/').map_or("", |(dir, _)| dir) };
        let (places, all) = folders.entry(folder).or_default();
        places.push(at);
        all.extend(own);
    }
    let mut dealt = files.clone();
    for (places, mut all) in folders.into_values() {
        dice.shuffle(&mut all);
        let mut texts = vec![String::new(); places.len()];
        let count = texts.len();
        all.iter().for_each(|block| texts[dice.below(count)].push_str(block));
        for (at, text) in places.into_iter().zip(texts) {
            dealt[at].1 = text.into_bytes();
        }
    }
    dealt
}

/// Returns a document without its places and diagnostics; lists of causes, which are sorted by place, are sorted anew.
fn placeless(json: &Json) -> Json {
    match json {
        Json::Object(entries) => {
            let kept = entries
                .iter()
                .filter(|(name, _)| !matches!(name.as_str(), "place" | "diagnostics"));
            Json::Object(kept.map(|(name, inner)| (name.clone(), placeless(inner))).collect())
        }
        Json::List(items) => {
            let mut items: Vec<Json> = items.iter().map(placeless).collect();
            if items.iter().all(|item| item.get("class").is_some()) {
                items.sort_by_key(|item| format!("{item:?}"));
            }
            Json::List(items)
        }
        other => other.clone(),
    }
}

/// Returns a plan's document without places, and its diagnostics without places.
fn told(plan: &Plan) -> (Json, BTreeSet<String>) {
    let document = Json::read(&plan.json()).unwrap_or(Json::Null);
    let found = plan.diagnostics().iter();
    (placeless(&document), found.map(|d| format!("{} {}", d.code.slug, d.detail)).collect())
}

/// Plans a case with other files than its own.
fn plan(turn: &Turn<'_>, files: Files) -> Plan {
    plan_files(turn, files, options(turn))
}

/// Tests that plans do not depend on the order of blocks or on their distribution over files.
#[test]
fn order_shows_in_no_answer() {
    let cases = case::modules(|case| !ORDERED.contains(&case.name.as_str()));
    let mut dice = Dice(0x2545_f491_4f6c_dd1d);
    let mut changed = 0;
    let mut wrong = Vec::new();
    for turn in cases.iter().flat_map(Case::turns) {
        let files = turn.case.files();
        let expected = told(&plan(&turn, files.clone()));
        for _ in 0..2 {
            let dealt = shuffled(&files, &mut dice);
            changed += usize::from(dealt != files);
            let got = told(&plan(&turn, dealt.clone()));
            if got != expected {
                let shown = |(document, found): &(Json, BTreeSet<String>)| {
                    format!("{document:#?}\n{found:#?}")
                };
                let (want, got) = (shown(&expected), shown(&got));
                let differs = want.lines().zip(got.lines()).filter(|(a, b)| a != b).take(6);
                let lines: Vec<String> = differs.map(|(a, b)| format!("  {a}\n  {b}\n")).collect();
                wrong.push(format!("{}\n{}", turn.name(), lines.concat()));
                break;
            }
        }
    }
    assert!(wrong.is_empty(), "{} cases\n{}", wrong.len(), wrong.join("\n"));
    assert!(changed > 300, "{changed}");
}
