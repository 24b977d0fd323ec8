//! What a comparison calls unchanged: nothing that layout, order or names of no consequence change, and only what is
//! computed in the same way from the same things, so that it stays the same whatever the providers, data sources and
//! variables answer. What it calls certain to change never stays the same. Modules are changed one token at a time.
//!
//! `GROMA_CASES=100000 cargo test --release -p groma --test unchanged token` looks at more of them, and
//! `GROMA_FIRST=8652 GROMA_CASES=1` at that one.
#![forbid(unsafe_code)]

mod answers;
mod calls;
mod change;
mod dice;
mod form;
mod reading;
mod references;
mod roots;
mod written;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use groma::impact::{ComparedAddress, Comparison};
use groma::review::Review;
use groma::{
    LoadOptions, MemoryHost, Plan, PlanOptions, RootInputs, Severity, Snapshot, Value, Workspace,
    states::StateFile,
};
use groma_config::codes::VARIABLE_WITHOUT_VALUE;
use groma_config::{AddressGrammar, InstanceAddress, without_keys};
use groma_syntax::Diagnostics;
use groma_value::codec::path_text;
use groma_value::{Mark, Path, PathStep, identical, ops};

use change::{mutated, reversed, with_renamed_local, with_renamed_loop};
use dice::Dice;
use roots::{Files, Root, generated, is_code, recorded};
use written::Writer;

/// How many changed modules are looked at. `GROMA_CASES` asks for another number.
const CASES: usize = 2_000;

static RECORDED: LazyLock<Vec<Root>> = LazyLock::new(recorded);

fn wanted() -> usize {
    let wanted = std::env::var("GROMA_CASES").ok().and_then(|text| text.parse().ok());
    wanted.unwrap_or(CASES)
}

/// The number of the first of them.
fn first() -> usize {
    std::env::var("GROMA_FIRST").ok().and_then(|text| text.parse().ok()).unwrap_or(0)
}

fn plan(snapshot: &Snapshot) -> Plan {
    snapshot.plan(PlanOptions { state: StateFile::Nowhere, ..PlanOptions::default() })
}

/// Whether nothing is wrong with a root but that its inputs are open.
fn is_well(snapshot: &Snapshot, plan: &Plan) -> bool {
    let mut errors = plan.diagnostics().iter().filter(|one| one.severity == Severity::Error);
    !snapshot.found().has_errors() && errors.all(|one| one.code.slug == VARIABLE_WITHOUT_VALUE.slug)
}

#[test]
fn order_and_layout_change_nothing() {
    let mut looked_at = 0;
    for root in &*RECORDED {
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
        let comparison = head.compare(&base, false);
        if files.len() < root.files.len() || !is_well(&head, comparison.head()) {
            continue;
        }
        looked_at += 1;
        assert!(
            !comparison.is_change(),
            "{}:\n{}",
            root.name,
            Review::of_comparison(&comparison).text()
        );
    }
    assert!(looked_at > 300, "only {looked_at} modules could be looked at");
}

#[test]
fn other_names_of_local_values_and_loops_change_nothing() {
    let all = &*RECORDED;
    let judge = |number: usize| {
        let mut dice = Dice::of(number as u64);
        let made = generated(number);
        let root = match number % 2 {
            0 => &all[number / 2 % all.len()],
            _ => &made,
        };
        let mut renamed = (0..2).filter_map(|turn| match (number / 2 + turn) % 2 {
            0 => with_renamed_local(&root.files, &mut dice),
            _ => with_renamed_loop(&root.files, &mut dice),
        });
        let files = renamed.next()?;
        let [base, head] = root.load_both(&files);
        let comparison = head.compare(&base, false);
        if !is_well(&head, comparison.head()) {
            return None;
        }
        Some(match comparison.is_change() {
            true => Err(format!(
                "{}: {files:?}\n{}",
                root.name,
                Review::of_comparison(&comparison).text()
            )),
            false => Ok(()),
        })
    };
    let looked_at = ask_all(wanted() / 4, &judge);
    assert!(looked_at * 3 > wanted() / 4, "only {looked_at} modules could be looked at");
}

/// Asks of every number in turn. Returns how many could be judged.
///
/// # Panics
/// Where one is wrong.
fn ask_all(wanted: usize, judge: &(dyn Fn(usize) -> Option<Result<(), String>> + Sync)) -> usize {
    let (next, looked_at) = (AtomicUsize::new(first()), AtomicUsize::new(0));
    let wrong: Vec<String> = thread::scope(|scope| {
        let work = || {
            let mut wrong = Vec::new();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= first() + wanted {
                    return wrong;
                }
                match judge(number) {
                    Some(Ok(())) => drop(looked_at.fetch_add(1, Ordering::Relaxed)),
                    Some(Err(one)) => wrong.push(format!("{number}: {one}")),
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
    assert!(wrong.is_empty(), "{} wrong, of which:\n{}", wrong.len(), wrong.join("\n"));
    looked_at.into_inner()
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
                && !looks_equal(was, is)
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
fn planned(plan: &Plan) -> BTreeMap<String, Value> {
    let mut all: BTreeMap<String, Value> = plan
        .declared()
        .into_iter()
        .map(|change| (change.instance.address.to_string(), change.instance.value))
        .collect();
    for output in plan.evaluation().outputs(&mut Diagnostics::new()) {
        let value = match output.sensitive {
            true => output.value.mark(&[Mark::Sensitive].into_iter().collect()),
            false => output.value.clone(),
        };
        all.insert(format!("output.{}", &*output.name), value);
    }
    all
}

/// The address of an instance, or of an output.
fn compared(text: &str) -> ComparedAddress {
    if let Some(name) = text.strip_prefix("output.") {
        return ComparedAddress::output(&name.into());
    }
    let grammar = AddressGrammar { takes_ephemeral: true, ..AddressGrammar::PLAIN };
    let instance = InstanceAddress::parse(text, grammar)
        .or_else(|_| InstanceAddress::parse(text, AddressGrammar::ACTION));
    instance.expect("it is an address").into()
}

/// Whether a plan shows no difference between two values that are known: what is null may as well be left out of an object.
fn looks_equal(was: &Value, is: &Value) -> bool {
    if was.marks() != is.marks() {
        return false;
    }
    let all = |was: &[Value], is: &[Value]| {
        was.len() == is.len() && was.iter().zip(is).all(|(was, is)| looks_equal(was, is))
    };
    match (was.bare(), is.bare()) {
        (Value::Null(_), Value::Null(_)) => true,
        (Value::Object(was), Value::Object(is)) => {
            let names: BTreeSet<&str> =
                was.iter().chain(is.iter()).map(|(name, _)| &**name).collect();
            names.into_iter().all(|name| match (was.get(name), is.get(name)) {
                (Some(was), Some(is)) => looks_equal(was, is),
                (one, other) => one.or(other).is_none_or(Value::is_null),
            })
        }
        (Value::Map(was), Value::Map(is)) => {
            let keys = |map: &[(groma_value::Str, Value)]| -> Vec<String> {
                map.iter().map(|(key, _)| key.to_string()).collect()
            };
            let values = |map: &[(groma_value::Str, Value)]| -> Vec<Value> {
                map.iter().map(|(_, value)| value.clone()).collect()
            };
            keys(was.entries()) == keys(is.entries())
                && all(&values(was.entries()), &values(is.entries()))
        }
        (Value::List(was), Value::List(is)) => all(was.items(), is.items()),
        (Value::Tuple(was), Value::Tuple(is)) => all(was.items(), is.items()),
        (Value::Set(was), Value::Set(is)) => all(was.items(), is.items()),
        (was, is) => was.ty() == is.ty() && identical(was, is) && ops::same(was, is),
    }
}

/// A root, a change of it and what is said of that.
struct Trial<'r> {
    root: &'r Root,
    files: &'r Files,
    base: Snapshot,
    head: Snapshot,
    comparison: Comparison,
}

impl Trial<'_> {
    fn wrong(&self, what: &str) -> Result<(), String> {
        let mut changed = String::new();
        for ((name, was), (_, is)) in self.root.files.iter().zip(self.files) {
            let lines = was.lines().zip(is.lines()).filter(|(was, is)| was != is);
            lines.for_each(|(was, is)| changed.push_str(&format!("{name}\n- {was}\n+ {is}\n")));
        }
        Err(format!("{}: {what}\n{changed}", self.root.name))
    }

    /// Whether an instance or an output is said to differ or maybe to differ.
    fn is_told(&self, address: &str) -> bool {
        !self.comparison.parts(&compared(address)).is_empty()
    }

    /// Whether something is said of its declaration: of an action, or of what nobody can count.
    fn is_told_beside(&self, address: &str) -> bool {
        let declared = without_keys(address);
        self.comparison.outside().iter().any(|one| one.address.starts_with(&declared))
            || self
                .comparison
                .gaps()
                .undecided
                .iter()
                .any(|one| declared.starts_with(&one.address.declaration().to_string()))
    }

    /// Of what both plans know the verdict is that of comparing them.
    fn known_values_are_compared(&self) -> Result<(), String> {
        // What an error leaves open only may differ.
        if self.comparison.base().is_errored() || self.comparison.head().is_errored() {
            return Ok(());
        }
        let [was, is] = [planned(self.comparison.base()), planned(self.comparison.head())];
        for (address, was) in &was {
            let Some(is) = is.get(address) else { continue };
            if !was.is_wholly_known() || !is.is_wholly_known() {
                continue;
            }
            let is_equal = looks_equal(was, is);
            if is_equal == self.is_told(address) || self.comparison.is_possible(&compared(address))
            {
                return self.wrong(&format!("{address} is known, and equal: {is_equal}"));
            }
        }
        Ok(())
    }

    /// What is called unchanged reads the same when it is written out.
    fn unchanged_reads_the_same(&self) -> Result<(), String> {
        let is_silent = |address: &str| !self.is_told(address) && !self.is_told_beside(address);
        let [was, is] = [self.comparison.base(), self.comparison.head()]
            .map(|plan| Writer::of(plan.evaluation()).all(&is_silent));
        for ((address, name), was) in &was {
            let Some(is) = is.get(&(address.clone(), name.clone())) else { continue };
            let is_of_it = |path: &Path| match path.0.first() {
                Some(PathStep::Attribute(first)) if !name.is_empty() => **first == **name,
                _ => true,
            };
            let is_told =
                self.comparison.parts(&compared(address)).iter().any(|part| is_of_it(&part.path));
            let (was, is) = (was.text(), is.text());
            if !is_told && was != is && !self.is_told_beside(address) {
                return self.wrong(&format!("{address} {name} was {was}\nand is {is}"));
            }
        }
        Ok(())
    }

    /// What is called unchanged is the same whatever is answered, and what is called certain is not.
    fn answers_agree(&self, seed: u64) -> Result<(), String> {
        // Inputs that are open are answered alike on both sides, whatever their defaults say.
        let is_open = self.comparison.open_inputs().is_some();
        let [was, is] =
            [(&self.base, &self.root.files), (&self.head, self.files)].map(|(snapshot, files)| {
                let given = !is_open && self.root.inputs == RootInputs::Given;
                self.root.answered(files, &answers::of(snapshot, given, seed))
            });
        if was.found().has_errors() || is.found().has_errors() {
            return Ok(());
        }
        let [was, is] = [planned(&plan(&was)), planned(&plan(&is))];
        for (address, was) in &was {
            let Some(is) = is.get(address) else { continue };
            let is_told = self.is_told(address) || self.is_told_beside(address);
            if differs(was, is) && !is_told {
                return self.wrong(&format!("{address} differs"));
            }
            let parts = self.comparison.parts(&compared(address)).iter();
            for part in parts.filter(|part| !part.is_possible) {
                if let (Some(was), Some(is)) = (at(was, &part.path), at(is, &part.path))
                    && is_equal(&was, &is)
                {
                    return self.wrong(&format!("{address}{} is the same", path_text(&part.path)));
                }
            }
        }
        Ok(())
    }
}

/// What is wrong with a comparison of a root with a change of it, if that says anything. What is open is answered where
/// there is a seed for it.
fn judge(root: &Root, seed: Option<u64>, dice: &mut Dice) -> Option<Result<(), String>> {
    let mut tried = (0..4).filter_map(|_| {
        let files = mutated(&root.files, dice)?;
        let [base, head] = root.load_both(&files);
        if head.found().has_errors() {
            return None;
        }
        let comparison = head.compare(&base, false);
        is_well(&head, comparison.head()).then_some((files, base, head, comparison))
    });
    let (files, base, head, comparison) = tried.next()?;
    let is_moved = comparison.changes().iter().any(|change| change.previous.is_some());
    if !comparison.ignored().is_empty() || is_moved {
        // What is ignored is no matter of what the new code plans from nothing, and what has moved has another address.
        return None;
    }
    let trial = Trial { root, files: &files, base, head, comparison };
    let judged = trial
        .known_values_are_compared()
        .and_then(|()| trial.unchanged_reads_the_same())
        .and_then(|()| match seed {
            Some(seed) => trial.answers_agree(seed),
            None => Ok(()),
        });
    Some(judged)
}

#[test]
fn one_token_is_unchanged_only_where_it_cannot_matter() {
    let all = &*RECORDED;
    let judge = |number: usize| {
        let mut dice = Dice::of(number as u64);
        let made = generated(number);
        let root = match number % 2 {
            0 => &all[number / 2 % all.len()],
            _ => &made,
        };
        // To answer takes longer than all the rest.
        let seed = (number / 2).is_multiple_of(2).then_some(number as u64);
        judge(root, seed, &mut dice)
    };
    let looked_at = ask_all(wanted(), &judge);
    assert!(looked_at * 5 > wanted(), "only {looked_at} changes could be judged");
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
    let root = Root::of_text("fed by what its outputs", text);
    let changes = |text: String| {
        let [base, head] = root.load_both(&vec![("main.tf".to_owned(), text)]);
        let comparison = head.compare(&base, false);
        comparison.changes().len()
    };
    assert_eq!(changes(format!("# Another comment.\n\n{text}")), 0);
    assert_eq!(changes(text.replace("own    = module.a.other", "own    = module.a.others")), 1);
}

#[test]
fn an_output_without_a_value_is_the_same() {
    let root = Root::of_text("without a value", "output \"o\" {}\n");
    let files = vec![("main.tf".to_owned(), "# A comment.\noutput \"o\" {}\n".to_owned())];
    let [base, head] = root.load_both(&files);
    assert!(!head.compare(&base, false).is_change());
}
