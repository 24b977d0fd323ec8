//! The output limit: a document that would be longer is not begun, and text is cut with a diagnostic.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use groma_cli::{ColourChoice, MachineContext, RunSession, RunWatch, TerminalStreams, run};
use serde_json::Value;

/// Runs a command line in a folder and returns its exit code, standard output and standard error.
fn said(folder: &Path, line: &str) -> (u8, String, String) {
    crate::command::ran(folder, &line.split(' ').collect::<Vec<_>>())
}

/// Creates a root with `levels` nested local values, each a list of three times the previous one.
fn tripled(levels: usize) -> PathBuf {
    let thread = std::thread::current();
    let name = thread.name().unwrap_or_default();
    let name = format!("tripled-{name}-{levels}-{}", std::process::id());
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(folder.join(".git")).unwrap();
    let mut text = "locals {\n  a0 = \"x\"\n".to_owned();
    for level in 1..=levels {
        let below = format!("local.a{}", level - 1);
        text.push_str(&format!("  a{level} = [{below}, {below}, {below}]\n"));
    }
    text.push_str(&format!("}}\n\noutput \"o\" {{\n  value = local.a{levels}\n}}\n"));
    fs::write(folder.join("main.tf"), text).unwrap();
    folder
}

/// Command lines that print a JSON document.
const DOCUMENTS: [&str; 6] = [
    "why local.a4 --json",
    "ast main.tf --values",
    "plan --json",
    "output --json",
    "eval -e local.a4 --json",
    "graph --json",
];

/// Checks that a document is printed completely or, one byte above the output limit, not at all.
#[test]
fn a_document_is_whole_or_not_begun() {
    let folder = tripled(4);
    for line in DOCUMENTS {
        let (exit, whole, _) = said(&folder, line);
        assert_eq!(exit, 0, "{line}");
        let length = whole.len();
        let enough = said(&folder, &format!("{line} --limit output={length}"));
        assert_eq!((enough.0, enough.1), (0, whole), "{line}");
        let (exit, told, err) = said(&folder, &format!("{line} --limit output={}", length - 1));
        let told: Value = serde_json::from_str(&told).unwrap();
        assert_eq!((exit, &told["diagnostics"][0]["code"]), (1, &"limit-output".into()), "{line}");
        assert!(err.contains(&format!("longer than {} bytes", length - 1)), "{err}");
    }
}

/// Checks that documents stay short over values that share parts: repeated and very long parts are left out by name.
#[test]
fn what_comes_again_is_told_once() {
    // Each level contains the previous one three times. Very long parts are left out with a mark, and repeated parts are written
    // once, so each level adds 256 KiB at most instead of tripling the document.
    for line in ["why local.aN --json", "ast main.tf --values"] {
        let [few, many] = [11, 14].map(|levels| {
            let (exit, told, err) = said(&tripled(levels), &line.replace('N', &levels.to_string()));
            assert_eq!(exit, 0, "{line}: {err}");
            let read: Value = serde_json::from_str(&told).unwrap();
            let is_named = |part: &Value| part["ended"] == "limit-output";
            assert!(holds(&read, &is_named), "{line}: what is left out has no name");
            let is_seen = |part: &Value| part["see"] == true;
            assert!(holds(&read, &is_seen) || line.starts_with("why"), "{line}: nothing is seen");
            told.len()
        });
        assert!(few < 4_000_000 && many < few + 3 * (256 << 10), "{line}: {few} and {many} bytes");
    }
    // In `why` a repeated node is written once.
    let folder = tripled(4);
    let code = "\nlocals {\n  both = [local.a4, local.a3]\n}\n";
    fs::write(folder.join("more.tf"), code).unwrap();
    let (exit, told, _) = said(&folder, "why local.both --json");
    fs::remove_file(folder.join("more.tf")).unwrap();
    let told: Value = serde_json::from_str(&told).unwrap();
    let again = &told["from"][1];
    assert_eq!((exit, &again["address"]), (0, &"local.a3".into()));
    assert!(again["see"] == true && again.get("from").is_none(), "{again}");
}

/// Returns true if a document or one of its parts satisfies a condition.
fn holds(told: &Value, is_so: &impl Fn(&Value) -> bool) -> bool {
    let has_part = match told {
        Value::Object(parts) => parts.values().any(|part| holds(part, is_so)),
        Value::Array(parts) => parts.iter().any(|part| holds(part, is_so)),
        _ => false,
    };
    has_part || is_so(told)
}

/// Checks that text is cut at the output limit with a diagnostic.
#[test]
fn text_ends_by_name() {
    let folder = tripled(4);
    for line in ["plan", "output", "why local.a4", "eval -e local.a4", "graph"] {
        let (exit, told, err) = said(&folder, &format!("{line} --limit output=100"));
        assert_eq!(exit, 1, "{line}");
        assert!(told.len() <= 100 && err.contains("[limit-output]"), "{line}: {told}{err}");
    }
}

/// Checks that a document of more than one megabyte is valid JSON and is printed at exactly its output limit.
#[test]
fn a_long_document_is_written_as_a_short_one_is() {
    let folder = tripled(8);
    let (exit, whole, _) = said(&folder, "output --json");
    assert!(exit == 0 && whole.len() > 1 << 20);
    assert!(serde_json::from_str::<Value>(&whole).is_ok());
    let (exit, told, _) = said(&folder, &format!("output --json --limit output={}", whole.len()));
    assert_eq!((exit, told), (0, whole));
}

/// Checks the lower output limit of untrusted code, and that each console input has the full limit.
#[test]
fn strangers_have_less_and_each_input_of_a_console_has_all() {
    let (exit, told, _) = said(&tripled(13), "output --json --untrusted");
    assert!(exit == 1 && told.contains("longer than 100 MB"), "{told}");
    let (exit, told, _) = said(&tripled(13), "output --json --untrusted --limit output=200MB");
    assert!(exit == 1 && told.contains("longer than 200 MB"), "{told}");
    let folder = tripled(2);
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let inputs = "local.a0\n".repeat(50);
    let session = RunSession {
        input: &mut inputs.as_bytes(),
        out: &mut out,
        err: &mut err,
        terminal: TerminalStreams::default(),
        machine: MachineContext::at(folder, BTreeMap::new()),
        painted: ColourChoice::default(),
        watch: RunWatch::default(),
    };
    let line = ["console", "--limit", "output=20"];
    let exit = run(line.into_iter().map(Into::into).collect(), session);
    assert_eq!((exit.0, out.len()), (0, 50 * "\"x\"\n".len()));
}
