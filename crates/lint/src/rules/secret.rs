//! Secrets in plain text, detected by the format of well-known keys, or by a telling name with a random-looking text. Neither
//! the text nor its line is shown.

use std::borrow::Cow;

use groma_module::visit::ExpressionRole;
use groma_syntax::ast::{ExprCase, ExprView, TemplatePart};
use groma_syntax::{Diagnostic, Place};

use crate::codes;
use crate::found::RuleFindings;
use crate::inner::{InnerExpression, plain};
use crate::subject::{LintedModule, text_of};

/// Endings of argument and variable names that indicate a secret value.
const NAMES: [&str; 8] = [
    "password",
    "passwd",
    "secret_access_key",
    "client_secret",
    "api_key",
    "auth_token",
    "access_token",
    "secret_key",
];

/// Substrings of texts that are not secrets, even if the name of the argument or variable that holds them indicates one.
const HARMLESS: [&str; 18] = [
    "example",
    "change",
    "placeholder",
    "dummy",
    "replace",
    "your",
    "todo",
    "xxx",
    "secret",
    "password",
    "passwd",
    "token",
    "key",
    "test",
    "://",
    "arn:",
    "projects/",
    "vault",
];

/// Well-known formats of secrets: prefix (without those of mere key ids), number of characters after it, and phrase for messages.
const SHAPES: [(&str, usize, &str); 5] = [
    ("ghp_", 36, "a GitHub token"),
    ("github_pat_", 82, "a GitHub token"),
    ("glpat-", 20, "a GitLab token"),
    ("AIza", 35, "a Google API key"),
    ("xoxb-", 40, "a Slack token"),
];

/// The length in bytes of the shortest secret that is detected by its format. Most texts are shorter and need no search.
const SHORTEST: usize = {
    let (mut least, mut at) = (PRIVATE_KEY, 0);
    while at < SHAPES.len() {
        let (begin, length, _) = SHAPES[at];
        if begin.len() + length < least {
            least = begin.len() + length;
        }
        at += 1;
    }
    least
};

/// The length in bytes that a text with a private key must exceed to be reported.
const PRIVATE_KEY: usize = 200;

/// Finds secrets in string literals, by their format or by the name of the argument or key.
pub(super) fn look(node: &InnerExpression<'_>, _: &LintedModule<'_>, found: &mut RuleFindings) {
    match node.case {
        ExprCase::Template(template) => {
            // A text is never longer than its source.
            let is_long = node.view.span().len() as usize >= SHORTEST;
            for part in is_long.then(|| template.parts()).into_iter().flatten() {
                let TemplatePart::Literal { text, span } = part else { continue };
                if let Some(what) = shape(&text) {
                    let place = Place::new(node.place(node.view).file, span);
                    push(&format!("This is {what}"), place, found);
                }
            }
            if let (true, ExpressionRole::Argument(input)) = (node.is_whole, node.seen.role) {
                named(&input.name, node.view, node, found);
            }
        }
        ExprCase::Object(items) => {
            for item in items {
                let key = match item.key.case() {
                    ExprCase::Root(name) => Cow::Borrowed(name),
                    ExprCase::Template(template) => template.plain().unwrap_or_default(),
                    _ => continue,
                };
                named(&key, item.value, node, found);
            }
        }
        _ => {}
    }
}

/// Finds secrets in the defaults of variables, which are not visited as expressions.
pub(super) fn in_defaults(subject: &LintedModule<'_>, found: &mut RuleFindings) {
    for variable in &subject.module.variables {
        let (Some(value), Some(place)) = (&variable.default, variable.default_place) else {
            continue;
        };
        let Some(text) = text_of(value) else { continue };
        if let Some(what) = shape(text) {
            push(&format!("The default is {what}"), place, found);
        } else if is_secret(&variable.name, text) {
            let what = format!("The default of var.{} looks like a secret", &*variable.name);
            push(&what, place, found);
        }
    }
}

/// Reports the literal `value` as a secret if its content and `name`, the argument or key that holds it, both indicate one.
fn named(name: &str, value: ExprView<'_>, node: &InnerExpression<'_>, found: &mut RuleFindings) {
    if !is_named(name) {
        return;
    }
    let Some(text) = plain(value) else { return };
    if shape(&text).is_none() && is_secret(name, &text) {
        push(&format!("The value of \"{name}\" looks like a secret"), node.place(value), found);
    }
}

/// Reports a secret in plain text and hides its source range; `what` is the beginning of the message.
fn push(what: &str, place: Place, found: &mut RuleFindings) {
    let detail =
        format!("{what} in plain text. Revoke it, and take the new one from a sensitive variable.");
    found.push_secret(Diagnostic::warning(&codes::SECRET_IN_TEXT, detail).at(place), place);
}

/// Returns the phrase for the well-known format of a secret that a text contains, if any.
fn shape(text: &str) -> Option<&'static str> {
    if text.len() < SHORTEST {
        return None;
    }
    let is_key = text.contains("-----BEGIN ") && text.contains("PRIVATE KEY-----\n");
    if is_key && text.len() > PRIVATE_KEY {
        return Some("a private key");
    }
    for (begin, length, what) in SHAPES {
        for (at, _) in text.match_indices(begin) {
            let starts = !text[..at].ends_with(|sign: char| sign.is_ascii_alphanumeric());
            let rest = &text[at + begin.len()..];
            let sign = |sign: char| sign.is_ascii_alphanumeric() || sign == '_' || sign == '-';
            let end = rest.find(|one| !sign(one)).unwrap_or(rest.len());
            let is_random = distinct(&rest[..end]) >= 8 && !rest[..end].contains("EXAMPLE");
            if starts && is_random && (end == length || (begin == "xoxb-" && end >= length)) {
                return Some(what);
            }
        }
    }
    None
}

/// Returns true if the last words of a name indicate that its value is secret.
fn is_named(name: &str) -> bool {
    let sign = |byte: u8| if byte == b'-' { b'_' } else { byte.to_ascii_lowercase() };
    let ends = |one: &&str| {
        let Some(before) = name.len().checked_sub(one.len()) else { return false };
        let (before, last) = name.as_bytes().split_at(before);
        last.iter().map(|byte| sign(*byte)).eq(one.bytes())
            && before.last().is_none_or(|byte| sign(*byte) == b'_')
    };
    NAMES.iter().any(ends)
}

/// Returns true if a text and the name that it belongs to both indicate a secret.
fn is_secret(name: &str, text: &str) -> bool {
    if !is_named(name) {
        return false;
    }
    let low = text.to_ascii_lowercase();
    let is_dense =
        (8..=200).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic());
    let has = |what: fn(&u8) -> bool| text.as_bytes().iter().any(what);
    is_dense
        && has(u8::is_ascii_digit)
        && has(u8::is_ascii_alphabetic)
        && distinct(text) >= 6
        && !text.starts_with(['/', '.', '$', '<', '{'])
        && !HARMLESS.iter().any(|word| low.contains(word))
}

/// Returns the number of distinct bytes in a text.
fn distinct(text: &str) -> usize {
    text.bytes().collect::<rustc_hash::FxHashSet<u8>>().len()
}
