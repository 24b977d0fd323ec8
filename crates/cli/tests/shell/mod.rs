//! Shell lines on a page. Simple lines (variables, `groma`, words, an input redirected from a file or written as a heredoc) run
//! the command's function in this process; all others run by `sh`.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use groma_cli::{
    ColourChoice, MachineContext, RunSession, RunWatch, TerminalStreams, run as groma,
};

use testkit::Section;

use crate::scratch::Scratch;

/// A shell line simple enough to run in this process: variables, words and standard input.
#[derive(Default, Debug, PartialEq)]
pub(crate) struct Line {
    environment: BTreeMap<String, String>,
    words: Vec<String>,
    input: Input,
}

/// The standard input of a line: nothing, a heredoc's text, or a file in the folder.
#[derive(Default, Debug, PartialEq)]
enum Input {
    #[default]
    None,
    Text(String),
    File(String),
}

/// The result of a run: standard output, standard error and exit code.
pub(crate) struct Ran {
    pub(crate) out: String,
    pub(crate) err: String,
    exit: i32,
}

impl Line {
    /// Returns the line that runs `groma console` with this input.
    pub(crate) fn of_console(input: &str) -> Line {
        let words = vec!["groma".to_string(), "console".to_string()];
        Line { words, input: Input::Text(format!("{input}\n")), ..Line::default() }
    }

    /// Parses a shell line; `None` if it needs a shell or does not run `groma`.
    fn parse(text: &str) -> Option<Line> {
        let (first, body) = text.split_once('\n').unwrap_or((text, ""));
        let mut line = Line::default();
        let mut heredoc = None;
        let mut words = split(first)?.into_iter().peekable();
        while let Some(word) = words.next() {
            match word {
                Word::Redirect => {
                    let Word::Plain(file) = words.next()? else { return None };
                    line.input = Input::File(file);
                }
                Word::Heredoc => {
                    let Word::Plain(marker) = words.next()? else { return None };
                    heredoc = Some(marker);
                }
                Word::Plain(word) => match word.split_once('=') {
                    Some((name, value)) if line.words.is_empty() => {
                        line.environment.insert(name.to_string(), value.to_string());
                    }
                    _ => line.words.push(word),
                },
            }
        }
        match heredoc {
            Some(marker) => {
                let body = body.strip_suffix(&marker)?;
                line.input = Input::Text(body.to_string());
            }
            None if !body.is_empty() => return None,
            None => {}
        }
        (line.words.first().is_some_and(|word| word == "groma")).then_some(line)
    }
}

/// A word of a shell line: text without quotes, or the operator `<` or `<<`.
enum Word {
    Plain(String),
    Redirect,
    Heredoc,
}

/// Splits a line into words; `None` if it has an operator or an expansion that needs a shell.
fn split(line: &str) -> Option<Vec<Word>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            ' ' => words.extend(word.take().map(Word::Plain)),
            '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next()? {
                        '\'' => break,
                        c => word.push(c),
                    }
                }
            }
            '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next()? {
                        '"' => break,
                        '$' | '`' => return None,
                        '\\' => word.push(chars.next()?),
                        c => word.push(c),
                    }
                }
            }
            '<' if word.is_none() => {
                let twice = chars.next_if_eq(&'<').is_some();
                words.push(if twice { Word::Heredoc } else { Word::Redirect });
            }
            '|' | '>' | '<' | '&' | ';' | '$' | '`' | '\\' | '(' | ')' | '*' | '?' | '#' | '~' => {
                return None;
            }
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word.map(Word::Plain));
    Some(words)
}

/// The end of the note that a dialect was guessed, which is removed from answers unless a step sets `GROMA_DIALECT=`.
const REMARK: &str = " because nothing says otherwise (--dialect selects another program).\n";

/// Returns a text without the lines that end with [`REMARK`].
pub(crate) fn without_remark(text: &str) -> String {
    text.split_inclusive('\n').filter(|line| !line.ends_with(REMARK)).collect()
}

/// The environment variable that switches lint rules off, set unless the page asks for them.
const NO_LINT: (&str, &str) = ("GROMA_LINT", "off");

/// Runs a line in a section's folder and returns standard output, standard error and, if not 0 or if there is no output, the exit
/// code.
pub(crate) fn run(text: &str, section: &Section, folder: &Scratch) -> String {
    let ran = match Line::parse(text) {
        Some(mut line) => {
            if !section.lints {
                let (name, value) = NO_LINT;
                line.environment.entry(name.to_owned()).or_insert_with(|| value.to_owned());
            }
            inside(&line, section.dialect.as_deref(), folder)
        }
        None => outside(text, section.lints, folder.path()),
    };
    let mut shown = format!("{}{}", ran.out, ran.err);
    if !text.contains("GROMA_DIALECT=") {
        shown = without_remark(&shown);
    }
    if !shown.is_empty() && !shown.ends_with('\n') {
        shown.push('\n');
    }
    if ran.exit != 0 || shown.is_empty() {
        shown.push_str(&format!("exit {}\n", ran.exit));
    }
    folder.hide(&shown)
}

/// Runs a simple line in this process.
pub(crate) fn inside(line: &Line, dialect: Option<&str>, folder: &Scratch) -> Ran {
    let input = match &line.input {
        Input::None => Vec::new(),
        Input::Text(text) => text.clone().into_bytes(),
        Input::File(file) => std::fs::read(folder.path().join(file)).unwrap_or_default(),
    };
    let mut words: Vec<_> = line.words.iter().skip(1).map(Into::into).collect();
    if let Some(dialect) = dialect {
        words.push(format!("--dialect={dialect}").into());
    }
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let session = RunSession {
        input: &mut input.as_slice(),
        out: &mut out,
        err: &mut err,
        terminal: TerminalStreams::default(),
        machine: MachineContext::at(folder.path().to_path_buf(), line.environment.clone()),
        painted: ColourChoice::default(),
        watch: RunWatch::default(),
    };
    let exit = i32::from(groma(words, session).0);
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Ran { out: text(out), err: text(err), exit }
}

/// Runs a line by `sh`, with the built program on `PATH`.
fn outside(text: &str, lints: bool, folder: &Path) -> Ran {
    let program = Path::new(env!("CARGO_BIN_EXE_groma"));
    let programs = program.parent().expect("a program lies in a folder");
    let path = format!("{}:/usr/bin:/bin", programs.display());
    let mut shell = Command::new("sh");
    shell.env_clear().env("PATH", path).current_dir(folder);
    shell.envs((!lints).then_some(NO_LINT));
    shell.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = shell.spawn().expect("sh is there");
    let mut input = child.stdin.take().expect("standard input is a pipe");
    input.write_all(text.as_bytes()).expect("sh reads its lines");
    drop(input);
    let done = child.wait_with_output().expect("sh ends");
    Ran {
        out: String::from_utf8_lossy(&done.stdout).into_owned(),
        err: String::from_utf8_lossy(&done.stderr).into_owned(),
        exit: done.status.code().unwrap_or(-1),
    }
}

/// Checks which lines are parsed and which need a shell.
#[test]
fn simple_lines_need_no_shell() {
    let line = Line::parse("TF_VAR_a='x y' groma eval -e \"a\\\"b\" -var 'x=1' < in.txt").unwrap();
    assert_eq!(line.environment["TF_VAR_a"], "x y");
    assert_eq!(line.words, ["groma", "eval", "-e", "a\"b", "-var", "x=1"]);
    assert_eq!(line.input, Input::File("in.txt".to_string()));
    let line = Line::parse("groma console <<'EOF'\n1\n2\nEOF").unwrap();
    assert_eq!(line.input, Input::Text("1\n2\n".to_string()));
    assert_eq!(Line::parse("echo 1 | groma console"), None);
    assert_eq!(Line::parse("groma eval -e \"$x\""), None);
}
