//! Every command over code with the deepest nesting allowed, on one megabyte of stack. The program itself uses sixteen; a program
//! that embeds the commands may have less.

use std::fs;
use std::path::{Path, PathBuf};

use groma_cli::{ColourChoice, MachineContext, RunSession, RunWatch, TerminalStreams, run};

/// Stack size for a run: one megabyte with optimization, more without it, since frames are then larger.
const STACK: usize = if cfg!(debug_assertions) { 6 << 20 } else { 1 << 20 };

/// The nesting depth of test expressions: the maximum that code may have, or a few levels less.
const DEEP: usize = 330;

/// Returns `inner` within `depth` repetitions of `open` and `close`.
fn nested(open: &str, inner: &str, close: &str, depth: usize) -> String {
    format!("{}{inner}{}", open.repeat(depth), close.repeat(depth))
}

/// Runs a command line in a folder on a thread with a small stack; panics and overflows fail the test.
fn work(folder: &Path, arguments: &[&str], input: &str) {
    let (folder, input) = (folder.to_path_buf(), input.to_owned());
    let arguments = arguments.iter().map(Into::into).collect();
    let work = move || {
        let session = RunSession {
            input: &mut input.as_bytes(),
            out: &mut Vec::new(),
            err: &mut Vec::new(),
            terminal: TerminalStreams::default(),
            machine: MachineContext::at(folder, [].into()),
            painted: ColourChoice::default(),
            watch: RunWatch::default(),
        };
        run(arguments, session);
    };
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(work).expect("a thread");
    thread.join().expect("no overflow and no panic");
}

/// Creates a folder in the target directory with these files and an empty `.git`.
fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(path.join(".git")).expect("the target folder can be written");
    for (name, text) in files {
        fs::write(path.join(name), text).expect("it can be written");
    }
    path
}

/// Runs all commands that evaluate, print or format code over a folder; `deep` is the nested expression in it.
fn run_all(folder: &Path, deep: &str) {
    let question = format!("{{\"expr\": {:?}}}\n", deep.replace("var.u", "1"));
    let line = format!("{}\n", deep.replace('\n', " "));
    for (arguments, input) in [
        (&["check"] as &[&str], ""),
        (&["check", "--json", "--values"], ""),
        (&["plan"], ""),
        (&["plan", "--json", "--pretty"], ""),
        (&["output"], ""),
        (&["output", "--json"], ""),
        (&["list", "--json"], ""),
        (&["graph", "--json"], ""),
        (&["inspect", "--json"], ""),
        (&["fmt", "--check"], ""),
        (&["console"], &line),
        (&["eval", "--jsonl", "."], &question),
        (&["eval", ".", "-e", "local.b", "--full"], ""),
        (&["eval", ".", "-e", "local.b", "--type"], ""),
        (&["eval", ".", "-e", "local.b", "--unknown=keep", "--json"], ""),
    ] {
        work(folder, arguments, input);
    }
}

/// Checks that no command overflows its stack over deeply nested modules and Packer templates.
#[test]
fn modules_and_templates() {
    for (at, (open, inner, close)) in [
        ("(", "1", ")"),
        ("[", "1", "]"),
        ("[", "var.u", "]"),
        ("{ a = ", "1", " }"),
        ("\"a${", "1", "}\""),
        ("true ? 1 : ", "1", ""),
        ("[for x in [1] : ", "var.u", "]"),
        ("merge({ a = ", "{}", " })"),
    ]
    .into_iter()
    .enumerate()
    {
        let deep = nested(open, inner, close, DEEP);
        let module = format!(
            "variable \"u\" {{\n  default = 1\n}}\nlocals {{\n  a = {deep}\n  b = local.a\n}}\noutput \"o\" {{\n  value = local.b\n}}\n\
             resource \"terraform_data\" \"r\" {{\n  input = {deep}\n}}\n"
        );
        let template = format!(
            "variable \"u\" {{\n  default = 1\n}}\nlocals {{\n  a = {deep}\n  b = local.a\n}}\n\
             source \"null\" \"a\" {{\n  communicator = \"none\"\n}}\nbuild {{\n  sources = [\"null.a\"]\n  provisioner \"shell-local\" {{\n    inline = [{deep}]\n  }}\n}}\n"
        );
        let module = folder(&format!("deep-module-{at}"), &[("main.tf", &module)]);
        run_all(&module, &deep);
        run_all(&folder(&format!("deep-template-{at}"), &[("main.pkr.hcl", &template)]), &deep);
    }
}
