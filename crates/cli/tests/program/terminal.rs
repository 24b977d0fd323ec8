//! Terminal output without control characters from the code. Commands run as if on a terminal over code whose values, names, keys
//! and texts have characters that a terminal obeys; in a pipe every byte is exact.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use groma_cli::{ColourChoice, MachineContext, RunSession, RunWatch, TerminalStreams, run};

/// The number of folders created so far, which makes their names unique.
static MADE: AtomicU32 = AtomicU32::new(0);

/// A temporary folder with code, removed on drop.
struct Folder(PathBuf);

impl Folder {
    /// Creates a temporary folder with these files, given as names and texts, and an empty `.git`.
    fn of(files: &[(&str, &str)]) -> Folder {
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let name = format!("terminal-{}-{number}", std::process::id());
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(path.join(".git")).expect("the target folder can be written");
        for (name, text) in files {
            fs::write(path.join(name), text).expect("it can be written");
        }
        Folder(fs::canonicalize(path).expect("the folder is there"))
    }

    /// Runs a command line, as if on a terminal or not, and returns standard output and standard error.
    fn run(&self, arguments: &[&str], input: &str, is_terminal: bool) -> (String, String) {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let terminal = TerminalStreams {
            input: false,
            output: is_terminal,
            errors: is_terminal,
            ..TerminalStreams::default()
        };
        let session = RunSession {
            input: &mut input.as_bytes(),
            out: &mut out,
            err: &mut err,
            terminal,
            machine: MachineContext::at(self.0.clone(), [].into()),
            painted: ColourChoice::default(),
            watch: RunWatch::default(),
        };
        run(arguments.iter().map(Into::into).collect(), session);
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("it is text");
        (text(out), text(err))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A folder that cannot be removed does no harm.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Characters that a terminal obeys or that make a line look other than it is.
const HARMFUL: [char; 16] = [
    '\u{1b}',
    '\u{7}',
    '\u{8}',
    '\u{b}',
    '\u{7f}',
    '\u{85}',
    '\u{9b}',
    '\u{202e}',
    '\u{2066}',
    '\u{2069}',
    '\u{200b}',
    '\u{200f}',
    '\u{61c}',
    '\u{feff}',
    '\u{2028}',
    '\u{e0041}',
];

/// Returns a text of all harmful characters, followed by a carriage return in the middle of a line.
fn evil() -> String {
    let mut text: String = HARMFUL.iter().collect();
    text.push_str("]0;owned\rfine");
    text
}

/// Checks that a text has no harmful character, apart from Groma's own colours if `painted` is true.
fn assert_harmless(what: &str, text: &str, painted: bool) {
    let mut text = text.to_owned();
    if painted {
        for paint in ["0", "1", "31", "32", "33", "34", "36", "90", "1;31"] {
            let paint = format!("\u{1b}[{paint}m");
            text = text.replace(&paint, "");
        }
    }
    let bad = text.chars().find(|c| HARMFUL.contains(c) || *c == '\r');
    assert!(bad.is_none(), "{what}: {bad:?} in {text:?}");
}

/// Creates a folder with a module that has harmful characters in values, keys and messages.
fn module() -> Folder {
    let evil = evil();
    // A heredoc contains characters as they are; a quoted string may have escapes for them.
    let main = format!(
        "locals {{
  heredoc = <<EOT
one {evil} two
EOT
  keys = {{ \"k {evil}\" = 1 }}
}}
resource \"terraform_data\" \"r\" {{
  for_each = {{ \"a {evil}\" = \"v {evil}\" }}
  input = each.value
}}
output \"text\" {{
  value = local.heredoc
}}
output \"keys\" {{
  value = local.keys
}}
check \"c\" {{
  assert {{
    condition = length(local.heredoc) == 0
    error_message = \"It says {evil}.\"
  }}
}}
"
    );
    Folder::of(&[("main.tf", &main)])
}

/// Checks that commands over a module and the console escape harmful characters on a terminal.
#[test]
fn no_command_about_a_module_writes_what_a_terminal_obeys() {
    let folder = module();
    let evil = evil();
    let wrong = format!("{{ \"{evil}\" = 1 }}.nope");
    let number = format!("tonumber(\"{evil}\")");
    let commands: [&[&str]; 21] = [
        &["output"],
        &["output", "text"],
        &["output", "-raw", "text"],
        &["output", "-json"],
        &["output", "-json", "keys"],
        &["plan"],
        &["plan", "-compact"],
        &["plan", "--format=markdown"],
        &["plan", "-json"],
        &["list"],
        &["graph"],
        &["graph", "-json"],
        &["graph", "-format", "svg"],
        &["graph", "-format", "mermaid"],
        &["check", "--values"],
        &["check", "--values", "--json"],
        &["eval", "-e", "local.keys", "--type"],
        &["eval", "-e", "local.heredoc", "-raw"],
        &["eval", "-e", "local.keys", "--full"],
        &["eval", "-e", &wrong],
        &["eval", "-e", &number],
    ];
    for command in commands {
        let (out, err) = folder.run(command, "", true);
        assert_harmless(
            &format!("{command:?}, output"),
            &out,
            ["check", "plan"].contains(&command[0]),
        );
        assert_harmless(&format!("{command:?}, errors"), &err, true);
        assert!(!format!("{out}{err}").is_empty(), "{command:?} says nothing");
    }
    let typed =
        format!("local.heredoc\nlocal.keys\n\"{evil}\n:type local.keys\nnope(\"{evil}\")\n");
    let (out, err) = folder.run(&["console"], &typed, true);
    assert_harmless("console, output", &out, false);
    assert_harmless("console, errors", &err, true);
}

/// Checks that commands over a Packer template escape harmful characters on a terminal.
#[test]
fn no_command_about_a_template_writes_what_a_terminal_obeys() {
    let evil = evil();
    let main = format!(
        "source \"null\" \"a\" {{\n  communicator = \"none\"\n}}\nbuild {{\n  name = \"b {evil}\"\n  sources = [\"null.a\"]\n  provisioner \"shell\" {{\n    inline = [\"x {evil}\"]\n    only = [\"n {evil}\"]\n  }}\n}}\n"
    );
    let folder = Folder::of(&[("main.pkr.hcl", &main)]);
    for command in [
        &["plan"] as &[&str],
        &["plan", "--json"],
        &["list"],
        &["inspect"],
        &["check", "--values"],
        &["graph"],
        &["graph", "-format", "svg"],
        &["graph", "-format", "mermaid"],
    ] {
        let (out, err) = folder.run(command, "", true);
        assert_harmless(&format!("{command:?}, output"), &out, command[0] == "check");
        assert_harmless(&format!("{command:?}, errors"), &err, true);
    }
}

/// Checks that raw output is exact in a pipe and escaped on a terminal.
#[test]
fn what_is_no_terminal_gets_every_byte() {
    let folder = module();
    let (out, _) = folder.run(&["eval", "-e", "local.heredoc", "-raw"], "", false);
    assert_eq!(out, format!("one {} two\n", evil()));
    let (out, _) = folder.run(&["eval", "-e", "local.heredoc", "-raw"], "", true);
    assert!(out.starts_with("one \\u001b\\u0007\\u0008"), "{out}");
    assert!(out.ends_with("]0;owned\\u000dfine two\n"), "{out}");
}

/// Checks that JSON on a terminal has the same value as in a pipe.
#[test]
fn escapes_of_the_terminal_are_those_of_json() {
    let folder = module();
    let plain = folder.run(&["output", "-json", "text"], "", false).0;
    let shown = folder.run(&["output", "-json", "text"], "", true).0;
    let read = |text: &str| serde_json::from_str::<serde_json::Value>(text).expect("it is JSON");
    assert_eq!(read(&plain), read(&shown));
}

/// Checks that diagnostics are coloured, and that carets are below the escaped code.
#[test]
fn colours_are_there_and_carets_line_up() {
    let folder = Folder::of(&[(
        "main.tf",
        "output \"o\" {\n  value = \"\u{202e}\u{1b}[31m${nope(1)}\"\n}\n",
    )]);
    let (out, _) = folder.run(&["check"], "", true);
    assert!(out.contains("\u{1b}[31mError:\u{1b}[0m"), "{out:?}");
    assert!(out.contains("    2:   value = \"\\u202e\\u001b[31m${nope(1)}\"\n"), "{out}");
    let line = out.lines().find(|line| line.contains("^^^^")).unwrap_or_default();
    let column = line.find('^').map(|at| at - "\u{1b}[1m\u{1b}[31m".len());
    assert_eq!(column, Some("    2:   value = \"\\u202e\\u001b[31m${".len()), "{line:?}");
}

/// Checks that a plan is coloured, and that colour sequences from the code are escaped.
#[test]
fn a_plan_is_painted_and_what_the_code_paints_is_not() {
    let main =
        "resource \"terraform_data\" \"r\" {\n  input = \"a\\n\u{1b}[31mred\\u001b[0m\"\n}\n";
    let folder = Folder::of(&[("main.tf", main)]);
    let (out, _) = folder.run(&["plan"], "", true);
    assert!(out.contains("      \u{1b}[32m+\u{1b}[0m input "), "{out:?}");
    assert!(out.contains("            \\u001b[31mred\\u001b[0m\n"), "{out:?}");
    for plain in [&["plan", "-no-color"] as &[&str], &["plan", "--format=markdown"]] {
        let (out, _) = folder.run(plain, "", true);
        assert!(!out.contains('\u{1b}') && out.contains("\\u001b[31mred"), "{out:?}");
    }
    let (out, _) = folder.run(&["plan"], "", false);
    assert!(!out.contains('\u{1b}'), "{out:?}");
}

/// Checks that line endings of CR and LF are written on a terminal and a lone CR is escaped.
#[test]
fn pieces_of_characters_and_ends_of_lines_survive() {
    let folder = Folder::of(&[("main.tf", "output \"o\" {\n  value = \"a\\r\\nb\\rc\"\n}\n")]);
    let (out, _) = folder.run(&["output", "-raw", "o"], "", true);
    assert_eq!(out, "a\nb\\u000dc");
}
