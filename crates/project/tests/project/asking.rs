//! Facts that are asked during an evaluation: they may ask the evaluation in turn, take their time, and answer later.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use groma_project::{
    Evaluation, Facts, Project, ProjectOptions, ProviderAnswers, ResourceFact, ResourceRequest,
    ThreadCount,
};
use groma_runtime::MemoryHost;
use groma_syntax::Diagnostics;
use groma_value::{Value, json, print};

/// A time after which a test counts as hanging.
const LONG: Duration = Duration::from_secs(20);

/// A function that answers a request for facts and may query the evaluation.
type Answer = dyn Fn(&Evaluation, &ResourceRequest<'_>) -> ResourceFact + Send + Sync;

/// Provider answers that may query the evaluation which asks for them.
struct Asking {
    evaluation: OnceLock<Evaluation>,
    asked: AtomicUsize,
    answer: Box<Answer>,
}

impl ProviderAnswers for Asking {
    fn resource(&self, request: &ResourceRequest<'_>) -> ResourceFact {
        self.asked.fetch_add(1, Ordering::Relaxed);
        (self.answer)(self.evaluation.get().expect("it is there before anything is asked"), request)
    }
}

/// Returns an evaluation of a root with this text and a called module, and the facts that `answer` gives it.
fn evaluation(
    text: &str,
    threads: ThreadCount,
    answer: impl Fn(&Evaluation, &ResourceRequest<'_>) -> ResourceFact + Send + Sync + 'static,
) -> (Evaluation, Arc<Asking>) {
    let inner = "variable \"v\" {}\noutput \"v\" { value = var.v }\n";
    let host = MemoryHost::new().with_file("main.tf", text).with_file("m/main.tf", inner);
    let host = Arc::new(host);
    let mut options = ProjectOptions::default();
    options.run.threads = threads;
    let mut out = Diagnostics::new();
    let project = Project::load(".", &options, host, &mut out);
    assert!(!out.has_errors(), "{:?}", out.iter().next());
    let (asked, answer) = (AtomicUsize::new(0), Box::new(answer));
    let facts = Arc::new(Asking { evaluation: OnceLock::new(), asked, answer });
    let evaluation = Evaluation::new(project, Facts::answered_by(facts.clone()), options.run);
    let _ = facts.evaluation.set(evaluation.clone());
    (evaluation, facts)
}

/// Returns the result of `work`, run on another thread; fails the test if that takes too long.
fn soon<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let (done, wait) = channel();
    std::thread::spawn(move || done.send(work()));
    wait.recv_timeout(LONG).expect("it does not hang")
}

/// Returns the fact that an object has one attribute.
fn object(name: &str, value: Value) -> ResourceFact {
    ResourceFact::Ready(Value::object([(name.into(), value)]))
}

/// Returns the value of the text of an expression in the root module.
fn value(evaluation: &Evaluation, text: &str) -> Value {
    evaluation.evaluate_text(text, "<question>", &mut Diagnostics::new())
}

/// A resource whose argument depends on local values, and an output of it.
const CODE: &str = "locals {\n  base = 20\n  twice = local.base * 2\n}\nresource \"test_thing\" \"a\" { size = local.twice }\noutput \"o\" { value = test_thing.a.size }\n";

#[test]
fn facts_may_ask_who_asks_them() {
    for elsewhere in [false, true] {
        let told = soon(move || {
            let (evaluation, _) = evaluation(CODE, ThreadCount::default(), move |evaluation, _| {
                let ask = {
                    let evaluation = evaluation.clone();
                    move || value(&evaluation, "local.twice + local.base")
                };
                let got = if elsewhere { soon(ask) } else { ask() };
                object("size", got)
            });
            print::console(&value(&evaluation, "test_thing.a.size"))
        });
        assert_eq!(told, "60", "elsewhere: {elsewhere}");
    }
}

#[test]
fn facts_that_need_their_own_answer_are_told_so() {
    let (told, codes) = soon(move || {
        let text = format!("{CODE}locals {{ after = test_thing.a.size + 1 }}\n");
        let codes: Arc<Mutex<BTreeSet<&str>>> = Arc::default();
        let found = codes.clone();
        let (evaluation, _) = evaluation(&text, ThreadCount::default(), move |evaluation, _| {
            let mut out = Diagnostics::new();
            let after = evaluation.evaluate_text("local.after", "<question>", &mut out);
            found.lock().expect("nobody panics").extend(out.iter().map(|one| one.code.slug));
            object("size", after)
        });
        evaluation.evaluate_all(&mut Diagnostics::new());
        let codes = codes.lock().expect("nobody panics").clone();
        (json::plain(&value(&evaluation, "[local.after, local.twice]")), codes)
    });
    assert_eq!(told, "[null,40]");
    assert_eq!(codes, BTreeSet::from(["evaluation-ring"]));
}

#[test]
fn several_threads_and_questions_come_to_one_answer() {
    let mut text = String::from("locals { base = 1 }\n");
    for at in 0..120 {
        let before =
            if at < 40 { "local.base".to_owned() } else { format!("test_thing.t{}.size", at - 40) };
        text.push_str(&format!("resource \"test_thing\" \"t{at}\" {{ size = {before} }}\n"));
    }
    text.push_str("locals { all = [");
    (0..120).for_each(|at| text.push_str(&format!("test_thing.t{at}.size, ")));
    text.push_str("] }\n");
    let all = |threads| {
        let text = text.clone();
        soon(move || {
            let (evaluation, _) = evaluation(&text, threads, |evaluation, request| {
                let at: i64 =
                    request.declared.name.trim_start_matches("t").parse().expect("a number");
                // What they ask is what others are asked about, too.
                let before = match at {
                    0..40 => value(evaluation, "local.base"),
                    _ => value(evaluation, &format!("test_thing.t{}.size", (at - 40) / 2)),
                };
                let own = value(evaluation, &format!("{at} * 1000"));
                let sum = groma_value::json::plain(&before).parse::<i64>().unwrap_or(-1);
                let own = groma_value::json::plain(&own).parse::<i64>().unwrap_or(-1);
                object("size", Value::int(sum + own))
            });
            let asked: Vec<_> = (0..3)
                .map(|_| {
                    let evaluation = evaluation.clone();
                    std::thread::spawn(move || json::plain(&value(&evaluation, "local.all")))
                })
                .collect();
            let mut told: Vec<String> =
                asked.into_iter().filter_map(|one| one.join().ok()).collect();
            assert_eq!(told.len(), 3);
            told.dedup();
            told
        })
    };
    let alone = all(ThreadCount::default());
    assert_eq!(alone.len(), 1, "all threads are told the same");
    assert!(alone[0].starts_with("[1,1001,2001,"), "{}", alone[0]);
    for (most, from) in [(2, 2), (4, 1), (4, 30)] {
        assert_eq!(alone, all(ThreadCount { most, from }), "{most} threads from {from}");
    }
}

#[test]
fn who_needs_no_facts_waits_for_none() {
    let told = soon(|| {
        let (go, wait): (Sender<()>, Receiver<()>) = channel();
        let wait = Mutex::new(wait);
        let (begun, begins) = channel();
        let (evaluation, _) = evaluation(CODE, ThreadCount::default(), move |_, _| {
            let _ = begun.send(());
            let answered = wait.lock().expect("nobody else waits").recv_timeout(LONG);
            answered.expect("the other question is answered meanwhile");
            object("size", Value::int(7))
        });
        let other = evaluation.clone();
        let slow = std::thread::spawn(move || print::console(&value(&other, "test_thing.a.size")));
        begins.recv_timeout(LONG).expect("the facts are asked");
        let quick = print::console(&value(&evaluation, "local.twice"));
        // A third one comes to the instance that is being asked about, and waits.
        let other = evaluation;
        let third =
            std::thread::spawn(move || print::console(&value(&other, "test_thing.a.size + 1")));
        std::thread::sleep(Duration::from_millis(20));
        let _ = go.send(());
        [quick, slow.join().unwrap_or_default(), third.join().unwrap_or_default()]
    });
    assert_eq!(told, ["40", "7", "8"]);
}

#[test]
fn a_panic_of_facts_keeps_nobody_waiting() {
    let told = soon(|| {
        let times = AtomicUsize::new(0);
        let (evaluation, _) = evaluation(CODE, ThreadCount::default(), move |_, _| {
            assert!(times.fetch_add(1, Ordering::Relaxed) > 0, "the first time fails");
            object("size", Value::int(7))
        });
        let other = evaluation.clone();
        let failed = std::thread::spawn(move || value(&other, "test_thing.a.size")).join().is_err();
        (failed, print::console(&value(&evaluation, "test_thing.a.size")))
    });
    assert_eq!(told, (true, "7".to_owned()));
}

/// Resources that depend on one instance of a resource with `count`.
const OPEN: &str = "resource \"test_thing\" \"a\" {\n  count = 3\n  size = count.index\n}\nresource \"test_thing\" \"b\" { size = test_thing.a[1].size + local.n }\nresource \"test_thing\" \"c\" { size = local.n }\nlocals {\n  n = 5\n  all = test_thing.a[*].size\n}\nmodule \"m\" {\n  source = \"./m\"\n  v = test_thing.a[1].size\n}\noutput \"b\" { value = test_thing.b.size }\noutput \"c\" { value = test_thing.c.size }\n";

#[test]
fn facts_may_come_later() {
    for threads in [ThreadCount::default(), ThreadCount { most: 3, from: 1 }] {
        soon(move || {
            let known: Arc<Mutex<BTreeSet<String>>> = Arc::default();
            let had = known.clone();
            let (evaluation, facts) = evaluation(OPEN, threads, move |_, request| {
                match had.lock().expect("nobody panics").contains(&request.address.to_string()) {
                    true => object("size", Value::int(100)),
                    false => ResourceFact::Later,
                }
            });
            let learn =
                |address: &str| known.lock().expect("nobody panics").insert(address.to_owned());
            learn("test_thing.c");
            let mut out = Diagnostics::new();
            let outputs = evaluation.outputs(&mut out);
            let told: Vec<String> = outputs.iter().map(|one| json::plain(&one.value)).collect();
            assert_eq!(told, ["null", "100"]);
            assert!(!outputs[0].value.is_known());
            let codes: Vec<&str> = out.iter().map(|one| one.code.slug).collect();
            assert_eq!(codes, ["facts-later"]);
            assert!(!out.has_errors());
            // What needs an answer is not asked about before it is there.
            assert_eq!(
                evaluation.waiting(),
                ["test_thing.a[0]", "test_thing.a[1]", "test_thing.a[2]"]
            );
            assert!(evaluation.is_waiting());
            let asked = facts.asked.load(Ordering::Relaxed);
            assert!(asked <= 8, "asked {asked} times");
            learn("test_thing.a[1]");
            assert_eq!(
                json::plain(&value(&evaluation, "[test_thing.a[1].size, local.n]")),
                "[100,5]"
            );
            learn("test_thing.a[0]");
            learn("test_thing.a[2]");
            assert_eq!(json::plain(&value(&evaluation, "local.all")), "[100,100,100]");
            assert!(!evaluation.is_waiting());
            evaluation.evaluate_all(&mut Diagnostics::new());
            assert_eq!(evaluation.waiting(), ["test_thing.b"]);
            learn("test_thing.b");
            let mut out = Diagnostics::new();
            let outputs = evaluation.outputs(&mut out);
            let told: Vec<String> = outputs.iter().map(|one| json::plain(&one.value)).collect();
            assert_eq!((told, out.len()), (vec!["100".to_owned(), "100".to_owned()], 0));
            assert_eq!(evaluation.waiting(), [""; 0]);
            // What is known is not asked about again.
            let asked = facts.asked.load(Ordering::Relaxed);
            evaluation.evaluate_all(&mut Diagnostics::new());
            assert_eq!(facts.asked.load(Ordering::Relaxed), asked);
        });
    }
}
