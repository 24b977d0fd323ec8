//! Pages: Markdown prose whose examples run.
//!
//! A heading starts a section, and sections run apart. A fence after a line `` `name`: `` is a file of its section.
//! Fences tagged `console`, `ask` and `shell` hold steps: a line with the tag's prompt (`>`, `?`, `$`), further lines of
//! the same question behind a doubled prompt, then the answer. All else is prose. An answer ends where the next prompt
//! starts, so a blank line before it belongs to the page and not to the answer.

use std::fmt::Write as _;
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::{blessing, conformance, diff, shown};

/// An example on a page: a command or expression after a prompt, and the answer that the page shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The line of the prompt, from 1.
    pub line: usize,
    /// `>`, `?` or `$`.
    pub prompt: char,
    /// The command or expression after the prompt.
    pub input: String,
    /// The answer that the page shows, without blank lines at its end.
    pub answer: String,
    /// The lines of the page that hold the answer, from 0.
    lines: Range<usize>,
}

/// A file that the steps of a section may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// The name, with `/` between folders.
    pub name: String,
    /// The contents; a last line ends in a newline.
    pub text: String,
}

/// A section of a page: its heading, and the files and steps below it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Section {
    /// The page, as messages show it.
    pub page: String,
    /// The line of the heading, from 1; with `page` it tells sections apart.
    pub line: usize,
    /// The heading's text.
    pub title: String,
    /// The page's `dialect:`, such as `terraform@1.11`.
    pub dialect: Option<String>,
    /// True if the page says `lint: on`, so that findings of lint rules are shown, too.
    pub lints: bool,
    /// All files of the section, including those below a step.
    pub files: Vec<File>,
    /// The steps in order.
    pub steps: Vec<Step>,
}

impl Section {
    /// Returns the text of the file with a name in the section; `None` if there is none.
    #[must_use]
    pub fn file(&self, name: &str) -> Option<&str> {
        self.files.iter().find(|file| file.name == name).map(|file| file.text.as_str())
    }

    /// Returns the kind of a code fence, from its language and the file name above it; adds an empty file to the section for a
    /// fence that is one.
    fn open_fence(&mut self, language: &str, named: Option<&str>) -> Result<Kind, String> {
        let prompt = match language {
            "console" => Some('>'),
            "ask" => Some('?'),
            "shell" => Some('$'),
            _ => None,
        };
        Ok(match (prompt, named) {
            (Some(prompt), _) => Kind::Steps(prompt),
            (None, Some(name)) => {
                if self.file(name).is_some() {
                    return Err(format!("the section has two files `{name}`"));
                }
                self.files.push(File { name: name.to_string(), text: String::new() });
                Kind::File
            }
            (None, None) => Kind::Prose,
        })
    }
}

/// A parsed page: its front matter, and the sections with files or steps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// The edition with which its steps run, from the front matter.
    pub dialect: Option<String>,
    /// True if findings of lint rules are shown, by `lint: on` in the front matter.
    pub lints: bool,
    /// The versions of the reference programs that it was last compared with, from the front matter.
    pub checked_against: Option<String>,
    /// The sections that hold a file or a step.
    pub sections: Vec<Section>,
}

/// A code fence that is not closed yet: its backticks, line and kind.
struct Fence {
    ticks: usize,
    line: usize,
    kind: Kind,
}

/// The kind of a code fence: an example that does not run, a file, or steps with their prompt.
enum Kind {
    Prose,
    File,
    Steps(char),
}

impl Page {
    /// Parses the text of a page; error messages call it `name`.
    ///
    /// # Errors
    /// `name:line: what is wrong`.
    pub fn read(name: &str, text: &str) -> Result<Page, String> {
        let lines: Vec<&str> = text.lines().collect();
        let mut page = Page::default();
        let start = page.front_matter(name, &lines)?;
        let section = |title: &str, line: usize, page: &Page| Section {
            page: name.to_string(),
            line,
            title: title.to_string(),
            dialect: page.dialect.clone(),
            lints: page.lints,
            ..Section::default()
        };
        page.sections.push(section("", 1, &page));
        let mut fence: Option<Fence> = None;
        let mut named: Option<&str> = None;
        for (index, line) in lines.iter().enumerate().skip(start) {
            let ticks = line.bytes().take_while(|&byte| byte == b'`').count();
            let current = page.sections.last_mut().expect("a page starts with a section");
            match &fence {
                Some(open) if ticks >= open.ticks && line.trim_end().len() == ticks => fence = None,
                Some(Fence { kind: Kind::Prose, .. }) => {}
                Some(Fence { kind: Kind::File, .. }) => {
                    let file = current.files.last_mut().expect("the fence made it");
                    file.text.push_str(line);
                    file.text.push('\n');
                }
                Some(Fence { kind: Kind::Steps(prompt), line: opened, .. }) => {
                    let fresh = current.steps.last().is_none_or(|step| step.line <= *opened);
                    step_line(current, *prompt, index, line, fresh)
                        .map_err(|wrong| format!("{name}:{wrong}"))?;
                }
                None if ticks >= 3 => {
                    let kind = current
                        .open_fence(line[ticks..].trim(), named.take())
                        .map_err(|wrong| format!("{name}:{}: {wrong}", index + 1))?;
                    fence = Some(Fence { ticks, line: index + 1, kind });
                }
                None if line.starts_with('#') => {
                    let title = line.trim_start_matches('#').trim();
                    let next = section(title, index + 1, &page);
                    page.sections.push(next);
                    named = None;
                }
                None if !line.trim().is_empty() => {
                    named = line.strip_prefix('`').and_then(|rest| rest.strip_suffix("`:"));
                }
                None => {}
            }
        }
        if let Some(open) = fence {
            return Err(format!("{name}:{}: the fence that opens here is never closed", open.line));
        }
        page.trim_answers(&lines);
        page.sections.retain(|section| !section.files.is_empty() || !section.steps.is_empty());
        Ok(page)
    }

    /// Removes the blank lines at the end of the answers of all steps.
    fn trim_answers(&mut self, lines: &[&str]) {
        for step in self.sections.iter_mut().flat_map(|section| &mut section.steps) {
            step.answer.truncate(step.answer.trim_end().len());
            let last = lines[step.lines.clone()].iter().rev();
            step.lines.end -= last.take_while(|line| line.trim().is_empty()).count();
        }
    }

    /// Parses the front matter, if any, into fields of the page. Returns the index of the line after it.
    fn front_matter(&mut self, name: &str, lines: &[&str]) -> Result<usize, String> {
        if lines.first() != Some(&"---") {
            return Ok(0);
        }
        for (index, line) in lines.iter().enumerate().skip(1) {
            if *line == "---" {
                return Ok(index + 1);
            }
            let wrong = || {
                format!(
                    "{name}:{}: front matter holds `dialect:`, `lint: on` and `checked-against:` only",
                    index + 1
                )
            };
            let (key, value) = line.split_once(':').ok_or_else(wrong)?;
            let slot = match key.trim() {
                "dialect" => &mut self.dialect,
                "checked-against" => &mut self.checked_against,
                "lint" if value.trim() == "on" => {
                    self.lints = true;
                    continue;
                }
                _ => return Err(wrong()),
            };
            *slot = Some(value.trim().to_string());
        }
        Err(format!("{name}:1: the front matter is never closed"))
    }
}

/// Adds a line of a code fence to the section's steps; `fresh` is true if the fence has no step yet.
fn step_line(
    section: &mut Section,
    prompt: char,
    index: usize,
    line: &str,
    fresh: bool,
) -> Result<(), String> {
    let asked = line.strip_prefix(prompt);
    if let Some(input) = asked.and_then(|rest| rest.strip_prefix(' ')) {
        let step = Step {
            line: index + 1,
            prompt,
            input: input.to_string(),
            answer: String::new(),
            lines: index + 1..index + 1,
        };
        section.steps.push(step);
        return Ok(());
    }
    let step = section.steps.last_mut().filter(|_| !fresh);
    let Some(step) = step else {
        return if line.trim().is_empty() {
            Ok(())
        } else {
            Err(format!("{}: an answer without a question: `{prompt} …` comes first", index + 1))
        };
    };
    let more = asked.and_then(|rest| rest.strip_prefix(prompt));
    let more = more.and_then(|rest| rest.strip_prefix(' ').or(rest.is_empty().then_some("")));
    match more {
        Some(more) if step.lines.is_empty() => {
            step.input.push('\n');
            step.input.push_str(more);
            step.lines = index + 1..index + 1;
        }
        _ => {
            step.answer.push_str(line);
            step.answer.push('\n');
            step.lines.end = index + 1;
        }
    }
    Ok(())
}

/// Returns the text of a page with its answers replaced by `answers`, one for each step in order.
fn rewrite(text: &str, page: &Page, answers: &[String]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut lines = text.split_inclusive('\n').enumerate().peekable();
    let steps = page.sections.iter().flat_map(|section| &section.steps);
    for (step, answer) in steps.zip(answers) {
        while let Some((_, line)) = lines.next_if(|(index, _)| *index < step.lines.start) {
            out += line;
        }
        while lines.next_if(|(index, _)| *index < step.lines.end).is_some() {}
        let answer = answer.trim_end();
        if !answer.is_empty() {
            out += answer;
            out.push('\n');
        }
    }
    out.extend(lines.map(|(_, line)| line));
    out
}

/// Returns the paths of all pages below a folder of `conformance/pages`, sorted.
///
/// # Panics
/// When a folder cannot be listed.
#[must_use]
pub fn files(folder: &str) -> Vec<PathBuf> {
    let mut open = vec![conformance().join("pages").join(folder)];
    let mut pages = Vec::new();
    while let Some(folder) = open.pop() {
        let entries = std::fs::read_dir(&folder)
            .unwrap_or_else(|error| panic!("{}: {error}", shown(&folder)));
        for path in entries.flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|ending| ending == "md") {
                pages.push(path);
            }
        }
    }
    pages.sort();
    pages
}

/// Compares every step of the pages below `conformance/pages/FOLDER` with `answer`; `BLESS=1` rewrites the answers instead.
///
/// `answer` also gets the section of the step, so that it can load the section's files once, until `section.line` changes.
///
/// # Panics
/// With a difference for each step that fails.
pub fn run(folder: &str, mut answer: impl FnMut(&Section, &Step) -> String) {
    let pages = files(folder);
    assert!(!pages.is_empty(), "conformance/pages/{folder} holds no page");
    let mut report = String::new();
    for path in pages {
        report += &run_page(&path, &mut answer);
    }
    assert!(
        report.is_empty(),
        "\n{report}\nBLESS=1 rewrites the answers, once the differences are understood.\n"
    );
}

/// Compares every step of one page, such as the README, with the result of `answer`; `BLESS=1` rewrites the page.
pub fn run_file(path: &Path, mut answer: impl FnMut(&Section, &Step) -> String) {
    let report = run_page(path, &mut answer);
    assert!(
        report.is_empty(),
        "\n{report}\nBLESS=1 rewrites the answers, once the differences are understood.\n"
    );
}

/// Answers the steps of a page. Returns a report of those whose answers differ; empty if none does.
fn run_page(path: &Path, answer: &mut impl FnMut(&Section, &Step) -> String) -> String {
    let name = shown(path);
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) => return format!("{name}: {error}\n"),
    };
    let page = match Page::read(&name, &text) {
        Ok(page) => page,
        Err(wrong) => return format!("{wrong}\n"),
    };
    let mut report = String::new();
    let mut answers = Vec::new();
    for section in &page.sections {
        for step in &section.steps {
            let got = answer(section, step);
            if !blessing() && got.trim_end() != step.answer {
                let asked = step.input.replace('\n', "\n    ");
                let _ = writeln!(report, "{name}:{}: {} {asked}", step.line, step.prompt);
                report += &diff::lines(&step.answer, got.trim_end());
            }
            answers.push(got);
        }
    }
    if !blessing() {
        return report;
    }
    let blessed = rewrite(&text, &page, &answers);
    let reads_back = Page::read(&name, &blessed).is_ok_and(|again| {
        let shown = again
            .sections
            .iter()
            .flat_map(|section| &section.steps)
            .map(|step| step.answer.as_str());
        shown.eq(answers.iter().map(|answer| answer.trim_end()))
    });
    if !reads_back {
        return format!(
            "{name}: an answer holds a prompt or the fence's end, and the page cannot show it\n"
        );
    }
    if blessed != text
        && let Err(error) = std::fs::write(path, blessed)
    {
        return format!("{name}: {error}\n");
    }
    String::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A page with steps of two kinds, a file and a code fence inside of a file.
    const PAGE: &str = "---\ndialect: terraform@1.11\n---\n# upper\n\nProse with a ` tick.\n\n```console\n> upper(\"a\")\n\"A\"\n\n> upper(\n>> )\nerror: few\n  no more\n```\n\n## in a file\n\n```ask\n? format main.tf\n```\n\n`main.tf`:\n\n````hcl\na = 1\n```\n````\n";

    /// Returns the parsed page.
    fn page() -> Page {
        Page::read("page.md", PAGE).unwrap()
    }

    #[test]
    fn reads_sections_files_and_steps() {
        let page = page();
        assert_eq!(page.dialect.as_deref(), Some("terraform@1.11"));
        let [first, second] = &page.sections[..] else { panic!("two sections") };
        assert_eq!((first.title.as_str(), first.line), ("upper", 4));
        assert_eq!(first.steps[0].answer, "\"A\"");
        assert_eq!(first.steps[1].input, "upper(\n)");
        assert_eq!(first.steps[1].answer, "error: few\n  no more");
        assert_eq!(second.file("main.tf"), Some("a = 1\n```\n"));
        assert_eq!(second.steps[0].prompt, '?');
        assert_eq!(second.steps[0].answer, "");
    }

    #[test]
    fn blessing_changes_answers_and_nothing_else() {
        let page = page();
        let own: Vec<String> = page
            .sections
            .iter()
            .flat_map(|section| &section.steps)
            .map(|step| step.answer.clone())
            .collect();
        assert_eq!(rewrite(PAGE, &page, &own), PAGE);
        let blessed = rewrite(PAGE, &page, &["x\n".into(), String::new(), "y\nz".into()]);
        assert!(blessed.contains("> upper(\"a\")\nx\n\n> upper(\n>> )\n```\n"), "{blessed}");
        assert!(blessed.contains("? format main.tf\ny\nz\n```\n"), "{blessed}");
    }

    #[test]
    fn what_is_no_page_is_refused_with_its_line() {
        let wrong = |text| Page::read("p.md", text).unwrap_err();
        assert!(wrong("# a\n\n```console\n> 1\n").starts_with("p.md:3:"));
        assert!(wrong("```console\n1\n```\n").starts_with("p.md:2:"));
        assert!(wrong("---\ntitle: x\n---\n").starts_with("p.md:2:"));
        assert!(wrong("---\ndialect: x\n").starts_with("p.md:1:"));
    }
}
