//! Code paths: names, keys and positions that lead from the top level of a module into its code, such as
//! `resource.aws_vpc.main.tags["Name"]`. A name and a key in brackets are equivalent.

use std::fmt;
use std::sync::Arc;

use groma_syntax::ast::{ExprCase, ExprView};
use groma_syntax::{Expr, FileId, is_identifier, parse_expression};
use groma_unicode::quoted_template;

use crate::{EditRefusal, refused};

/// Maximum number of steps in a code path; a longer one is refused.
const MOST_STEPS: usize = 256;

/// One step of a code path: a name, a position, `[]` or `*`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum CodeStep {
    /// `.name` or `["name"]`
    Name(String),
    /// `[0]`: the position of an element, or of one of several equal blocks.
    At(usize),
    /// `[]`: after the last one.
    End,
    /// `*`: every existing step.
    Each(EachForm),
}

/// The notation of a `*` in a code path: `.*` or `[*]`. The two have different meanings only after the header of a block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EachForm {
    /// `.*`: each argument and block inside of a block.
    Name,
    /// `[*]`: each of several equal blocks.
    Position,
}

/// A path from the top level of a module to code in it, such as `locals.sizes["a"]`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct CodePath {
    /// The steps from the outermost to the innermost; never empty.
    pub steps: Vec<CodeStep>,
}

impl CodePath {
    /// Parses a path such as `resource.aws_vpc.main.tags["Name"]`.
    ///
    /// # Errors
    /// If the text is not a path.
    pub fn read(text: &str) -> Result<CodePath, EditRefusal> {
        let trimmed = text.trim();
        let wrong = || {
            refused(format!(
                "`{trimmed}` is not a path: a path consists of names, keys and positions, as in \
                 locals.sizes[\"a\"].cpu or resource.aws_vpc.main.tags.Name."
            ))
        };
        let (front, is_end) = match trimmed.strip_suffix("[]") {
            Some(front) => (front, true),
            None => (trimmed, false),
        };
        if written_step_count(front) > MOST_STEPS {
            return refused(format!(
                "A path has at most {MOST_STEPS} steps; this one has {}.",
                written_step_count(front)
            ));
        }
        let (front, forms) = with_brackets(front);
        let mut forms = forms.into_iter().rev();
        let front: Arc<str> = front.into();
        let parse = parse_expression(&front, FileId(0));
        let Expr::Native(native) = Expr::of(&parse) else { return wrong() };
        if !parse.diagnostics.is_empty() || native.span().len() as usize != front.len() {
            return wrong();
        }
        let mut steps = Vec::new();
        // The text before each `*`, outermost first.
        let mut sources = Vec::new();
        let mut view = native.view();
        loop {
            view = match view.case() {
                ExprCase::Attribute { object, name, .. } => {
                    steps.push(CodeStep::Name(name.to_owned()));
                    object
                }
                ExprCase::LegacyIndex { object, digits, .. } => {
                    let Ok(at) = digits.parse() else { return wrong() };
                    steps.push(CodeStep::At(at));
                    object
                }
                ExprCase::Index { object, key, .. } => {
                    let Some(step) = step_of(key) else { return wrong() };
                    steps.push(step);
                    object
                }
                ExprCase::Splat { source, each, .. } => {
                    sources.push(source);
                    each
                }
                ExprCase::SplatItem => {
                    let Some((source, form)) = sources.pop().zip(forms.next()) else {
                        return wrong();
                    };
                    steps.push(CodeStep::Each(form));
                    source
                }
                ExprCase::Root(name) => {
                    steps.push(CodeStep::Name(name.to_owned()));
                    break;
                }
                _ => return wrong(),
            };
        }
        steps.reverse();
        if is_end {
            steps.push(CodeStep::End);
        }
        Ok(CodePath { steps })
    }

    /// Returns true if a step is `*`, so that the path may have several matches.
    pub fn is_pattern(&self) -> bool {
        self.steps.iter().any(|step| matches!(step, CodeStep::Each(_)))
    }

    /// Returns the path without its last step, and that step.
    pub(crate) fn split(&self) -> (&[CodeStep], &CodeStep) {
        let (last, above) = self.steps.split_last().expect("a path has a step");
        (above, last)
    }
}

/// Returns the text of a path with each `.*` written as `[*]`, and the original notation of each `*`: an expression may contain
/// only one of the two.
fn with_brackets(text: &str) -> (String, Vec<EachForm>) {
    let (mut out, mut forms) = (String::with_capacity(text.len()), Vec::new());
    let (mut is_quoted, mut is_escaped) = (false, false);
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        let form = match is_quoted {
            true => None,
            false if rest.starts_with(".*") => Some((EachForm::Name, 2)),
            false if rest.starts_with("[*]") => Some((EachForm::Position, 3)),
            false => None,
        };
        if let Some((form, length)) = form {
            forms.push(form);
            out.push_str("[*]");
            rest = &rest[length..];
            continue;
        }
        match next {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = is_quoted,
            '"' => is_quoted = !is_quoted,
            _ => {}
        }
        out.push(next);
        rest = &rest[next.len_utf8()..];
    }
    (out, forms)
}

/// Returns the number of steps in the text of a path, by counting dots and opening brackets outside of quotes.
fn written_step_count(text: &str) -> usize {
    let (mut count, mut is_quoted, mut is_escaped) = (1, false, false);
    for byte in text.bytes() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = is_quoted,
            b'"' => is_quoted = !is_quoted,
            b'.' | b'[' if !is_quoted => count += 1,
            _ => {}
        }
    }
    count
}

/// Returns the step for the key in brackets; `None` if the key is not a literal.
fn step_of(key: ExprView<'_>) -> Option<CodeStep> {
    match key.case() {
        ExprCase::Number(digits) => digits.parse().ok().map(CodeStep::At),
        ExprCase::Template(template) => Some(CodeStep::Name(template.plain()?.into_owned())),
        _ => None,
    }
}

/// Returns the name of an attribute given by its key in an object expression; `None` if the key is computed.
pub(crate) fn key_name(key: ExprView<'_>) -> Option<String> {
    match key.case() {
        ExprCase::Root(name) => Some(name.to_owned()),
        ExprCase::Number(digits) => Some(digits.to_owned()),
        ExprCase::Template(template) => Some(template.plain()?.into_owned()),
        _ => None,
    }
}

/// Converts the steps of a reference to those of its declaration, such as `var.a` to `variable.a`; `None` if the first step is
/// not a name.
pub(crate) fn declaration_steps(steps: &[CodeStep]) -> Option<Vec<CodeStep>> {
    let Some(CodeStep::Name(first)) = steps.first() else { return None };
    let (word, rest) = match first.as_str() {
        "var" => ("variable", &steps[1..]),
        "local" => ("locals", &steps[1..]),
        _ => ("resource", steps),
    };
    Some([&[CodeStep::Name(word.to_owned())], rest].concat())
}

/// Returns the text of a path with the given steps.
pub(crate) fn written(steps: &[CodeStep]) -> String {
    let mut out = String::new();
    for step in steps {
        match step {
            CodeStep::Name(name) if is_identifier(name) => {
                if !out.is_empty() {
                    out.push('.');
                }
                out.push_str(name);
            }
            CodeStep::Name(name) => out.push_str(&format!("[{}]", quoted_template(name))),
            CodeStep::At(at) => out.push_str(&format!("[{at}]")),
            CodeStep::End => out.push_str("[]"),
            CodeStep::Each(EachForm::Name) => out.push_str(".*"),
            CodeStep::Each(EachForm::Position) => out.push_str("[*]"),
        }
    }
    out
}

impl fmt::Display for CodePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&written(&self.steps))
    }
}
