//! What a comparison calls unchanged: nothing that layout, order or names of no consequence change, and only what stays
//! the same whatever the providers answer. What it calls certain to change never stays the same. Recorded modules are
//! changed at random.
#![forbid(unsafe_code)]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use groma::review::{Action, Review};
use groma::{
    Edition, LoadOptions, MOCK_FILE, MemoryHost, PlanOptions, Snapshot, StateFile, Value, Workspace,
};
use groma_folder::Mode;
use groma_syntax::{FileId, parse_file};
use groma_value::codec::path_text;
use groma_value::{Path, PathStep, identical, ops};
use testkit::case::{Case, modules};

/// How many changed modules are looked at. `GROMA_CASES` asks for another number.
const CASES: usize = 2_000;

type Files = Vec<(String, String)>;

fn files(case: &Case) -> Option<Files> {
    let all = case.files().into_iter();
    all.map(|(name, bytes)| Some((name, String::from_utf8(bytes).ok()?))).collect()
}

fn is_code(name: &str) -> bool {
    name.ends_with(".tf") || name.ends_with(".tofu")
}

/// A root of recorded code.
struct Root {
    name: String,
    directory: String,
    options: LoadOptions,
    files: Files,
}

impl Root {
    fn load(&self, files: &Files, mocks: Option<&str>) -> Snapshot {
        self.load_into(&Workspace::new(MemoryHost::new()), files, mocks)
    }

    /// The root before and after a change of its files.
    fn load_both(&self, files: &Files) -> [Snapshot; 2] {
        let workspace = Workspace::new(MemoryHost::new());
        let base = self.load_into(&workspace, &self.files, None);
        for (name, _) in &self.files {
            workspace.remove(&format!("app/{name}"));
        }
        [base, self.load_into(&workspace, files, None)]
    }

    fn load_into(&self, workspace: &Workspace, files: &Files, mocks: Option<&str>) -> Snapshot {
        for (name, text) in files {
            workspace.set(&format!("app/{name}"), text.as_str());
        }
        let dir = format!("app/{}", self.directory);
        let mut options = self.options.clone();
        if let Some(mocks) = mocks {
            workspace.set(MOCK_FILE, mocks);
            options.mocks = vec![MOCK_FILE.to_owned()];
        }
        workspace.root(&dir, &options)
    }
}

/// An expression over what is known and what is not; its value is text.
fn expression(dice: &mut Dice, depth: usize) -> String {
    const ATOMS: [&str; 9] = [
        "terraform_data.a.id",
        "terraform_data.b.id",
        "terraform_data.many[1].id",
        "terraform_data.each[\"y\"].id",
        "local.text",
        "local.map.one",
        "local.made",
        "\"word\"",
        "module.inner.text",
    ];
    if depth == 0 {
        return ATOMS[dice.roll(ATOMS.len())].to_owned();
    }
    let mut inner = || expression(dice, depth - 1);
    let (a, b, c) = (inner(), inner(), inner());
    match dice.roll(22) {
        0 => format!("\"x-${{{a}}}  ${{{b}}}\""),
        1 => format!("upper({a})"),
        2 => format!("join(\"-\", [{a}, {b}])"),
        3 => format!("format(\"%s/%s\", {a}, {b})"),
        4 => format!("({a} == {b} ? {c} : {b})"),
        5 => format!("[for x in [{a}, {b}] : \"${{x}}!\"][1]"),
        6 => format!("try({a}, {b})"),
        7 => format!("coalesce({a}, {b})"),
        8 => format!("lookup({{ k = {a}, j = {b} }}, \"k\", {c})"),
        9 => format!("merge({{ a = {a} }}, {{ b = {b} }}).b"),
        10 => format!("element([{a}, {b}, {c}], 2)"),
        11 => format!("replace({a}, \"d\", {b})"),
        12 => format!("(length({a}) > 4 ? {b} : {c})"),
        13 => format!("{{ for k, v in {{ p = {a}, q = {b} }} : k => \"${{k}}${{v}}\" }}[\"q\"]"),
        14 => format!("split(\"-\", {a})[0]"),
        15 => format!("jsonencode({{ a = {a}, b = [{b}] }})"),
        16 => format!("substr({a}, 0, 4)"),
        17 => format!("concat([{a}], [{b}])[1]"),
        18 => format!("values({{ p = {a}, q = {b} }})[0]"),
        19 => format!("\"%{{ if {a} == \"id-7\" }}${{{b}}}%{{ else }}${{{c}}}%{{ endif }}\""),
        20 => format!("\"%{{ for one in [{a}, {b}] }}<${{one}}>%{{ endfor }}\""),
        _ => format!("join(\",\", [for x in split(\"-\", {a}) : \"${{x}}${{local.text}}\"])"),
    }
}

/// A module in which much is unknown.
fn generated(number: usize) -> Root {
    let mut dice = Dice(number as u64 ^ 0x5eed);
    let mut text = String::from(
        "locals {\n  text = \"some text\"\n  map = { one = \"first\", two = \"second\" }\n",
    );
    text.push_str(&format!("  made = \"${{terraform_data.a.id}}-{}\"\n}}\n", dice.roll(9)));
    for (name, repeat, each) in [
        ("a", "", ""),
        ("b", "", ""),
        ("many", "count = 2", "${count.index}"),
        ("each", "for_each = local.map", "${each.value}"),
    ] {
        let repeat = repeat.replace("local.map", "{ x = \"xx\", y = \"yy\" }");
        text.push_str(&format!(
            "resource \"terraform_data\" \"{name}\" {{\n  {repeat}\n  input = \"in {each}\"\n}}\n"
        ));
    }
    text.push_str("module \"inner\" {\n  source = \"./inner\"\n  given = terraform_data.b.id\n}\n");
    for at in 0..6 {
        let made = expression(&mut dice, 1 + at % 3);
        text.push_str(&format!("output \"o{at}\" {{\n  value = {made}\n}}\n"));
    }
    let inner = "variable \"given\" {\n  type = string\n}\nlocals {\n  all = { a = var.given, b = \"bb\" }\n}\noutput \"text\" {\n  value = \"${local.all.a} in ${local.all.b}\"\n}\n";
    Root {
        name: format!("generated {number}"),
        directory: ".".to_owned(),
        options: LoadOptions::default(),
        files: vec![("main.tf".to_owned(), text), ("inner/main.tf".to_owned(), inner.to_owned())],
    }
}

/// The cases that need no provider and have no errors.
fn roots() -> Vec<Root> {
    let all = modules(|case| !case.needs_provider() && !case.has_state());
    let root = |case: &Case| {
        let edition = case.turns().first().and_then(|turn| Edition::parse(turn.dialect));
        let options = LoadOptions { edition, ..LoadOptions::default() };
        let (name, directory) = (case.name.clone(), case.directory().to_owned());
        let root = Root { name, directory, options, files: files(case)? };
        let snapshot = root.load(&root.files, None);
        (!snapshot.found().has_errors() && !plan(&snapshot).is_errored()).then_some(root)
    };
    all.iter().filter_map(root).collect()
}

fn plan(snapshot: &Snapshot) -> groma::Plan {
    snapshot.plan(PlanOptions { state: StateFile::Nowhere, ..PlanOptions::default() })
}

/// The blocks of a file, whole lines each, the last first; nothing where something stands between them.
fn reversed(text: &str) -> Option<String> {
    let parse = parse_file(&text.into(), FileId(0));
    if !parse.diagnostics.is_empty() || text.contains('\r') {
        return None;
    }
    let mut blocks: Vec<Vec<&str>> = vec![Vec::new()];
    let (mut depth, mut in_heredoc) = (0_i32, None::<String>);
    for line in text.lines() {
        if let Some(end) = &in_heredoc {
            if line.trim() == end {
                in_heredoc = None;
            }
        } else if let Some((_, marker)) = line.split_once("<<") {
            in_heredoc = Some(marker.trim_start_matches('-').trim().to_owned());
        }
        if depth == 0
            && in_heredoc.is_none()
            && line.ends_with('{')
            && !line.starts_with([' ', '#', '/'])
        {
            blocks.push(Vec::new());
        }
        if in_heredoc.is_none() {
            let count = |wanted: char| line.chars().filter(|c| *c == wanted).count() as i32;
            depth += count('{') - count('}');
        }
        blocks.last_mut()?.push(line);
    }
    blocks.reverse();
    Some(blocks.concat().join("\n") + "\n")
}

#[test]
fn order_and_layout_change_nothing() {
    let mut looked_at = 0;
    for root in roots() {
        let mut files: Files = Vec::new();
        for (name, text) in &root.files {
            let other = match is_code(name) {
                true => reversed(text).map(|text| format!("# Another comment.\n\n{text}")),
                false => Some(text.clone()),
            };
            let Some(other) = other else { continue };
            let name = match name.strip_suffix("main.tf") {
                Some(folder) => format!("{folder}other.tf"),
                None => name.clone(),
            };
            files.push((name, other));
        }
        let [base, head] = root.load_both(&files);
        if files.len() < root.files.len() || head.found().has_errors() {
            continue;
        }
        looked_at += 1;
        let comparison = head.compare(&base, false);
        assert!(
            !comparison.is_change(),
            "{}:\n{}",
            root.name,
            Review::of_comparison(&comparison).text()
        );
    }
    assert!(looked_at > 300, "only {looked_at} modules could be looked at");
}

/// Numbers that look random and are the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % sides.max(1)
    }
}

/// The words and numbers of a text, by where they stand.
fn words(text: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut start = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        let is_part = c.is_ascii_alphanumeric() || c == '_';
        match (start, is_part) {
            (None, true) => start = Some(at),
            (Some(from), false) => {
                found.push((from, at));
                start = None;
            }
            _ => {}
        }
    }
    found
}

/// The files with one word or number replaced, or one blank added inside of a line.
fn mutated(files: &Files, dice: &mut Dice) -> Option<Files> {
    let code: Vec<usize> =
        files.iter().enumerate().filter(|(_, (name, _))| is_code(name)).map(|(at, _)| at).collect();
    let file = *code.get(dice.roll(code.len()))?;
    let text = &files[file].1;
    let words = words(text);
    let (from, to) = *words.get(dice.roll(words.len()))?;
    let old = &text[from..to];
    let new = match (old.parse::<u64>(), dice.roll(4)) {
        (Ok(number), _) => (number.wrapping_add(1)).to_string(),
        (Err(_), 0) => format!("{old}x"),
        (Err(_), 1) => format!("{old} "),
        _ => {
            let (from, to) = words[dice.roll(words.len())];
            text[from..to].to_owned()
        }
    };
    if new == old {
        return None;
    }
    let mut changed = files.clone();
    changed[file].1.replace_range(from..to, &new);
    Some(changed)
}

/// Answers for every resource of the root and of its modules, whatever the code asks.
fn mocks(snapshots: [&Snapshot; 2], dice: &mut Dice) -> String {
    let mut addresses = BTreeSet::new();
    for snapshot in snapshots {
        for change in plan(snapshot).declared() {
            if change.mode == Mode::Managed && &*change.kind == "terraform_data" {
                addresses.insert(groma_folder::without_keys(&change.instance.address));
            }
        }
    }
    let one = |address: &String| {
        let id = dice.roll(1_000);
        format!(
            "override_resource {{\n  target = {address}\n  values = {{ id = \"id-{id}\" }}\n}}\n"
        )
    };
    addresses.iter().map(one).collect()
}

/// Whether two values differ in a part that both sides know.
fn differs(was: &Value, is: &Value) -> bool {
    match (was.bare(), is.bare()) {
        (Value::Unknown(_), _) | (_, Value::Unknown(_)) => false,
        (Value::Object(was), Value::Object(is)) => {
            was.iter().any(|(name, was)| is.get(name).is_some_and(|is| differs(was, is)))
        }
        (Value::Tuple(was), Value::Tuple(is)) if was.items().len() == is.items().len() => {
            was.items().iter().zip(is.items()).any(|(was, is)| differs(was, is))
        }
        (was, is) => {
            let (was, is) = (&was.unmark_deep().0, &is.unmark_deep().0);
            was.is_wholly_known()
                && is.is_wholly_known()
                && !was.is_null()
                && !is.is_null()
                && !(identical(was, is) && ops::same(was, is))
        }
    }
}

/// The part of a value that a path leads to.
fn at(value: &Value, path: &Path) -> Option<Value> {
    let mut value = value.clone();
    for step in &path.0 {
        value = match step {
            PathStep::Attribute(name) => ops::attribute(&value, name).ok()?,
            PathStep::Index(key) => ops::index(&value, key).ok()?,
        };
    }
    Some(value)
}

/// Whether two values are known and nothing tells them apart, marks included.
fn is_equal(was: &Value, is: &Value) -> bool {
    was.is_wholly_known() && is.is_wholly_known() && identical(was, is) && ops::same(was, is)
}

/// What a plan makes of every instance, and the outputs.
fn planned(snapshot: &Snapshot) -> BTreeMap<String, Value> {
    let plan = plan(snapshot);
    let mut all: BTreeMap<String, Value> = plan
        .declared()
        .into_iter()
        .map(|change| (change.instance.address, change.instance.value))
        .collect();
    for output in snapshot.outputs().value {
        all.insert(format!("output.{}", &*output.name), output.value.clone());
    }
    all
}

/// What is wrong with a comparison of a root with a change of it, if that says anything.
fn judge(root: &Root, dice: &mut Dice) -> Option<Result<(), String>> {
    let files = mutated(&root.files, dice)?;
    let [base, head] = root.load_both(&files);
    if head.found().has_errors() || plan(&head).is_errored() {
        return None;
    }
    let comparison = head.compare(&base, false);
    if !comparison.ignored().is_empty() {
        // What is ignored is no matter of what the new code plans from nothing.
        return None;
    }
    let changed: BTreeSet<String> = comparison
        .changes()
        .iter()
        .filter(|change| change.action != Action::NoOp)
        .map(|change| change.instance.address.clone())
        .chain(
            comparison
                .outputs()
                .iter()
                .filter(|one| one.action != Action::NoOp)
                .map(|output| format!("output.{}", &*output.name)),
        )
        .collect();
    let answers = mocks([&base, &head], dice);
    let answered = [root.load(&root.files, Some(&answers)), root.load(&files, Some(&answers))];
    let [was, is] = [planned(&answered[0]), planned(&answered[1])];
    for (address, was) in &was {
        let Some(is) = is.get(address) else { continue };
        let code = || files.iter().map(|(_, text)| text).collect::<Vec<&String>>();
        if differs(was, is) && !changed.contains(address) {
            return Some(Err(format!("{}: {address} differs\n{:?}", root.name, code())));
        }
        let certain = comparison.parts(address).iter().filter(|part| !part.is_possible);
        for part in certain {
            if let (Some(was), Some(is)) = (at(was, &part.path), at(is, &part.path))
                && is_equal(&was, &is)
            {
                let path = path_text(&part.path);
                let code = code();
                return Some(Err(format!("{}: {address}{path} is the same\n{code:?}", root.name)));
            }
        }
    }
    Some(Ok(()))
}

#[test]
fn what_is_called_unchanged_stays_the_same_whatever_is_answered() {
    let roots = roots();
    let wanted = std::env::var("GROMA_CASES").ok().and_then(|text| text.parse().ok());
    let wanted: usize = wanted.unwrap_or(CASES);
    let (next, looked_at) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let wrong: Vec<String> = thread::scope(|scope| {
        let work = || {
            let mut wrong = Vec::new();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= wanted {
                    return wrong;
                }
                let mut dice = Dice(number as u64);
                dice.roll(2);
                let root = match number % 2 {
                    0 => &roots[number / 2 % roots.len()],
                    _ => &generated(number),
                };
                match judge(root, &mut dice) {
                    Some(Ok(())) => drop(looked_at.fetch_add(1, Ordering::Relaxed)),
                    Some(Err(one)) => wrong.push(one),
                    None => {}
                }
            }
        };
        let threads: Vec<_> = (0..2)
            .map(|_| thread::Builder::new().stack_size(16 << 20).spawn_scoped(scope, work))
            .collect();
        let all = threads.into_iter().map(|one| one.expect("a thread starts").join());
        all.flat_map(|one| one.expect("it ends")).collect()
    });
    assert!(wrong.is_empty(), "{} wrong, of which:\n{}", wrong.len(), wrong[0]);
    let looked_at = looked_at.into_inner();
    assert!(looked_at * 5 > wanted, "only {looked_at} of {wanted} changes could be judged");
}

#[test]
fn what_leads_to_itself_comes_to_an_end() {
    let loops = [
        "resource \"a\" \"b\" {\n  for_each = a.b[\"x\"].id\n}\n",
        "module \"b\" {\n  source = \"./m\"\n  count  = module.b[0].id\n}\n",
        "resource \"a\" \"b\" {\n  count = a.c[0].n\n}\nresource \"a\" \"c\" {\n  count = a.b[0].n\n}\n",
    ];
    for code in loops {
        let workspace = Workspace::new(MemoryHost::new());
        workspace.set("app/main.tf", code);
        workspace.set("app/m/main.tf", "output \"id\" {\n  value = 1\n}\n");
        let root = || workspace.root("app", &LoadOptions::default());
        let comparison = root().compare(&root(), false);
        assert!(comparison.head().is_errored(), "{code}");
    }
    // Each is asked for once on the way to what leads to itself, or this would never end.
    let mut code = loops[0].replace("for_each = a.b[\"x\"].id", "count = a.b[0].n");
    let mut last = "b".to_owned();
    for at in 0..60 {
        let count = format!("a.{last}[0].n + a.{last}[0].m");
        last = format!("b{at}");
        code.push_str(&format!("resource \"a\" \"{last}\" {{\n  count = {count}\n}}\n"));
    }
    let workspace = Workspace::new(MemoryHost::new());
    workspace.set("app/main.tf", code);
    let root = || workspace.root("app", &LoadOptions::default());
    assert!(root().compare(&root(), false).head().is_errored());
}

#[test]
fn a_module_that_is_not_there_may_be_fed_by_what_it_gives() {
    let text = "module \"a\" {\n  source = \"example/a/aws\"\n  own    = module.a.other\n  b      = module.b.out\n}\nmodule \"b\" {\n  source = \"example/b/aws\"\n  x      = local.name\n}\nlocals {\n  name = \"n-${module.a.id}\"\n}\nresource \"terraform_data\" \"r\" {\n  input = local.name\n}\n";
    let root = Root {
        name: "fed by what it gives".to_owned(),
        directory: ".".to_owned(),
        options: LoadOptions::default(),
        files: vec![("main.tf".to_owned(), text.to_owned())],
    };
    let changes = |text: String| {
        let [base, head] = root.load_both(&vec![("main.tf".to_owned(), text)]);
        let comparison = head.compare(&base, false);
        comparison.changes().len()
    };
    assert_eq!(changes(format!("# Another comment.\n\n{text}")), 0);
    assert_eq!(changes(text.replace("own    = module.a.other", "own    = module.a.others")), 1);
}
