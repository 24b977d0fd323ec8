//! `cargo xtask oracle [--check] [PAGE…]`: asks the installed `terraform` for the answers of pages, one expression per process.
//! Without `--check` it writes `checked-against:` on each page that agrees and removes it from those that do not. Messages of
//! errors do not count: an error of a page agrees with any error. If a page shows another program's answer, the built `groma` is
//! asked to answer as that Terraform: if it gives Terraform's answer, the difference is known.
//!
//! It is not a test, because the gate must not depend on a program that may be missing.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use groma_functions::{Function, FunctionLibrary, FunctionReads, NameReach, TABLE};
use groma_runtime::Edition;
use testkit::{Page, Section, Step, diff, page, shown, workspace};

/// The directories of pages with expressions that a console can answer.
const FOLDERS: &[&str] = &["expressions", "functions", "values"];
/// Functions whose results depend on the machine although they read neither clock nor randomness.
const OF_A_MACHINE: &[&str] = &["abspath"];

/// The numbers of page steps (expressions with answers) that agree with Terraform, differ or were not compared.
#[derive(Default)]
struct Tally {
    agree: usize,
    /// Steps that differ from the page as `groma` predicts.
    known: usize,
    unasked: usize,
    /// A report for each step that differs otherwise.
    differ: Vec<String>,
}

/// Compares the answers on the pages with those of the installed Terraform, and prints how many agree.
#[expect(clippy::print_stdout, reason = "a command line tool's result")]
pub(crate) fn run() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(2).collect();
    let check = arguments.iter().any(|argument| argument == "--check");
    let named: Vec<PathBuf> = arguments
        .iter()
        .filter(|argument| !argument.starts_with("--"))
        .map(PathBuf::from)
        .collect();
    let Some(version) = version() else {
        println!("terraform is not on the path: nothing was asked");
        return Ok(());
    };
    let pages = match named.is_empty() {
        true => FOLDERS.iter().flat_map(|folder| page::files(folder)).collect(),
        false => named,
    };
    let total = ask_all(&pages, &version, !check)?;
    for report in &total.differ {
        println!("{report}");
    }
    println!(
        "{version}: {} steps agree, {} differ as the dialects do, {} differ, {} cannot be asked",
        total.agree,
        total.known,
        total.differ.len(),
        total.unasked
    );
    match check && !total.differ.is_empty() {
        true => Err("pages differ from what they were checked against".to_owned()),
        false => Ok(()),
    }
}

/// Returns the version of the installed Terraform as `terraform@1.11.4`; `None` if there is none.
fn version() -> Option<String> {
    let ran = terraform().arg("version").output().ok()?;
    let text = String::from_utf8(ran.stdout).ok()?;
    let version = text.lines().next()?.strip_prefix("Terraform v")?;
    Some(format!("terraform@{version}"))
}

/// Returns a command that runs Terraform.
fn terraform() -> Command {
    quiet("terraform".as_ref())
}

/// Returns a command that runs the built `groma` console as an edition; `None` if it is not built.
fn ours(edition: &str) -> Option<Command> {
    let program = std::env::current_exe().ok()?.with_file_name("groma");
    let mut command = program.is_file().then(|| quiet(&program))?;
    command.args(["console", "--dialect", edition]);
    Some(command)
}

/// Returns a command that runs a program without version checks and colours.
fn quiet(program: &Path) -> Command {
    let mut command = Command::new(program);
    command.env("CHECKPOINT_DISABLE", "1").env("NO_COLOR", "1");
    command
}

/// Compares the steps of all pages with the answers of Terraform's console, in parallel on all processors.
fn ask_all(pages: &[PathBuf], version: &str, records: bool) -> Result<Tally, String> {
    let edition = Edition::parse(version).ok_or(format!("{version} is no edition known here"))?;
    let total = Mutex::new(Tally::default());
    let failed = Mutex::new(Vec::new());
    let next = AtomicUsize::new(0);
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for worker in 0..workers {
            let (total, failed, next) = (&total, &failed, &next);
            scope.spawn(move || {
                while let Some(path) = pages.get(next.fetch_add(1, Ordering::Relaxed)) {
                    match ask_page(path, version, edition, records, worker) {
                        Ok(tally) => {
                            let mut total = lock(total);
                            total.agree += tally.agree;
                            total.known += tally.known;
                            total.unasked += tally.unasked;
                            total.differ.extend(tally.differ);
                        }
                        Err(error) => lock(failed).push(error),
                    }
                }
            });
        }
    });
    let failed = lock(&failed).join("\n");
    if !failed.is_empty() {
        return Err(failed);
    }
    let mut total = std::mem::take(&mut *lock(&total));
    total.differ.sort();
    Ok(total)
}

/// Locks a mutex, ignoring a panic of another holder.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Compares the steps of one page with Terraform's console; with `records`, writes its version in the page's front matter.
fn ask_page(
    path: &Path,
    version: &str,
    edition: Edition,
    records: bool,
    worker: usize,
) -> Result<Tally, String> {
    let path = if path.is_absolute() { path.to_owned() } else { workspace().join(path) };
    let name = shown(&path);
    let text = fs::read_to_string(&path).map_err(|error| format!("{name}: {error}"))?;
    let page = Page::read(&name, &text)?;
    let mut tally = Tally::default();
    for section in &page.sections {
        let folder = Scratch::of(section, worker).map_err(|error| format!("{name}: {error}"))?;
        for step in &section.steps {
            if !can_be_asked(section, step, edition) {
                tally.unasked += 1;
                continue;
            }
            let mut console = terraform();
            console.arg("console");
            let ask = |console| {
                ask(console, &step.input, &folder.0).map_err(|error| format!("{name}: {error}"))
            };
            let answer = ask(console)?;
            let wanted = (!is_error(&step.answer)).then_some(step.answer.as_str());
            let as_theirs = || -> Result<bool, String> {
                let Some(ours) = ours(version) else { return Ok(false) };
                Ok(ask(ours)? == answer)
            };
            match answer.as_deref() == wanted {
                true => tally.agree += 1,
                false if as_theirs()? => tally.known += 1,
                false => {
                    let answer = answer.as_deref().unwrap_or("an error");
                    let lines = diff::lines(&step.answer, answer);
                    tally.differ.push(format!("{name}:{}: > {}\n{lines}", step.line, step.input));
                }
            }
        }
    }
    if records {
        let agrees = tally.differ.is_empty() && tally.known == 0 && tally.agree > 0;
        let checked = with_checked_line(&text, agrees.then_some(version));
        if checked != text {
            fs::write(&path, checked).map_err(|error| format!("{name}: {error}"))?;
        }
    }
    Ok(tally)
}

/// Returns true if an answer contains an error.
fn is_error(answer: &str) -> bool {
    answer.lines().any(|line| line.starts_with("error: "))
}

/// Returns true if a step's answer depends on neither its page nor the machine, so that another console in this edition can be
/// compared.
fn can_be_asked(section: &Section, step: &Step, edition: Edition) -> bool {
    let dialect = match section.dialect.as_deref().map(Edition::parse) {
        None => true,
        Some(own) => own.is_some_and(|own| own.dialect == edition.dialect),
    };
    let library = FunctionLibrary::of(edition).with_console();
    let has = |name: &str| library.functions().any(|own| own.name == name && is_same(own));
    let known = |name: &&str| rows().any(|row| row.name == *name);
    dialect
        && step.prompt == '>'
        && section.file("given.hcl").is_none()
        && !step.input.contains('\n')
        // Such functions exist only in a module that declares their provider.
        && !step.input.contains("provider::")
        && called(&step.input).into_iter().filter(known).all(has)
}

/// Returns true if a function has the same result on every machine at every time.
fn is_same(function: &Function) -> bool {
    matches!(function.reads, FunctionReads::Nothing | FunctionReads::Files)
        && matches!(function.reach, NameReach::Everywhere | NameReach::Console)
        && !OF_A_MACHINE.contains(&function.name)
}

/// Yields the engine's descriptions of all functions, in all editions.
fn rows() -> impl Iterator<Item = &'static Function> {
    TABLE.iter().flat_map(|family| family.functions)
}

/// Returns the names of the functions that an expression calls: those before opening parentheses. Names
/// inside of strings are included, so that too few steps are asked rather than too many.
fn called(text: &str) -> Vec<&str> {
    let letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let ends = text.match_indices('(').map(|(at, _)| &text[..at]);
    ends.map(|before| &before[before.trim_end_matches(letter).len()..])
        .filter(|name| !name.is_empty())
        .collect()
}

/// Evaluates an expression with a console command in a folder and returns its output; `None` if it reports an error.
fn ask(
    mut console: Command,
    expression: &str,
    folder: &Path,
) -> Result<Option<String>, std::io::Error> {
    let mut child = console
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    if let Some(mut input) = child.stdin.take() {
        input.write_all(expression.as_bytes())?;
        input.write_all(b"\n")?;
    }
    let ran = child.wait_with_output()?;
    let text = String::from_utf8_lossy(&ran.stdout);
    Ok((ran.status.success() && ran.stderr.is_empty()).then(|| text.trim_end().to_owned()))
}

/// A temporary directory with the files of a page's section, removed on drop.
struct Scratch(PathBuf);

impl Scratch {
    /// Creates a temporary directory with the files of a page's section.
    fn of(section: &Section, worker: usize) -> Result<Scratch, std::io::Error> {
        let name = format!("groma-oracle-{}-{worker}", std::process::id());
        let scratch = Scratch(std::env::temp_dir().join(name));
        fs::create_dir_all(&scratch.0)?;
        // Configuration files would need an initialisation, which a console does not.
        let plain = section.files.iter().filter(|file| !file.name.ends_with(".tf"));
        for file in plain {
            let path = scratch.0.join(&file.name);
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent)?;
            }
            fs::write(path, &file.text)?;
        }
        Ok(scratch)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Leftovers stay in the system's temporary directory.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Replaces the `checked-against:` line in a page's front matter by one with `version`; `None` removes it.
fn with_checked_line(text: &str, version: Option<&str>) -> String {
    let front = text.strip_prefix("---\n").and_then(|rest| rest.split_once("---\n"));
    let (matter, page) = front.unwrap_or(("", text.trim_start()));
    let kept = matter.lines().filter(|line| !line.starts_with("checked-against:"));
    let mut lines: Vec<String> = kept.map(str::to_owned).collect();
    lines.extend(version.map(|version| format!("checked-against: {version}")));
    match lines.is_empty() {
        true => page.trim_start().to_owned(),
        false => format!("---\n{}\n---\n\n{}", lines.join("\n"), page.trim_start()),
    }
}

#[cfg(test)]
mod tests {
    use super::{called, with_checked_line};

    /// Checks that the line is added to, replaced in and removed from a front matter.
    #[test]
    fn the_checked_line_comes_and_goes() {
        let bare = "# x\n\ntext\n";
        let with = "---\nchecked-against: t@1\n---\n\n# x\n\ntext\n";
        assert_eq!(with_checked_line(bare, Some("t@1")), with);
        assert_eq!(with_checked_line(with, Some("t@1")), with);
        assert_eq!(with_checked_line(with, None), bare);
        let dialect = "---\ndialect: d\n---\n\n# x\n";
        let both = "---\ndialect: d\nchecked-against: t@1\n---\n\n# x\n";
        assert_eq!(with_checked_line(dialect, Some("t@1")), both);
        assert_eq!(with_checked_line(both, None), dialect);
    }

    /// Checks which names count as called functions.
    #[test]
    fn names_before_parentheses() {
        assert_eq!(called("upper(join(\",\", [x.y(1)])) + (2)"), ["upper", "join", "y"]);
    }
}
