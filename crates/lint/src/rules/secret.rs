//! Secrets in plain text, told by the shape of well-known keys, or by a name that says so beside a text that looks random.
//! Neither the text nor its line is shown.

use groma_module::visit::Role;
use groma_syntax::ast::{Case, ExprView, TemplatePart};
use groma_syntax::{Diagnostic, Place};

use crate::codes;
use crate::found::Found;
use crate::node::{Node, plain};
use crate::subject::{Subject, text_of};

/// The last words of names whose values are secret.
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

/// What stands in texts that are none, whatever they are called.
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

/// How a well-known secret begins (the id of a key is none), how many characters follow, and what it is.
const SHAPES: [(&str, usize, &str); 5] = [
    ("ghp_", 36, "a token of GitHub"),
    ("github_pat_", 82, "a token of GitHub"),
    ("glpat-", 20, "a token of GitLab"),
    ("AIza", 35, "an API key of Google"),
    ("xoxb-", 40, "a token of Slack"),
];

pub(super) fn look(node: &Node<'_>, _: &Subject<'_>, found: &mut Found) {
    match node.case {
        Case::Template(template) => {
            for part in template.parts() {
                let TemplatePart::Literal { text, span } = part else { continue };
                if let Some(what) = shape(&text) {
                    let place = Place::new(node.place(node.view).file, span);
                    push(&format!("This is {what}"), place, found);
                }
            }
            if let (true, Role::Argument(input)) = (node.is_whole, node.seen.role) {
                named(&input.name, node.view, node, found);
            }
        }
        Case::Object(items) => {
            for item in items {
                let key = match item.key.case() {
                    Case::Root(name) => name.to_owned(),
                    _ => plain(item.key).map(|key| key.into_owned()).unwrap_or_default(),
                };
                named(&key, item.value, node, found);
            }
        }
        _ => {}
    }
}

/// The defaults of variables, which are no expressions of the module.
pub(super) fn in_defaults(subject: &Subject<'_>, found: &mut Found) {
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

fn named(name: &str, value: ExprView<'_>, node: &Node<'_>, found: &mut Found) {
    let Some(text) = plain(value) else { return };
    if shape(&text).is_none() && is_secret(name, &text) {
        push(&format!("The value of \"{name}\" looks like a secret"), node.place(value), found);
    }
}

fn push(what: &str, place: Place, found: &mut Found) {
    let detail = format!(
        "{what}, and stands here in plain text. Replace it where it is used, and take the new one from a sensitive variable."
    );
    found.push_secret(Diagnostic::warning(&codes::SECRET_IN_TEXT, detail).at(place), place);
}

/// What kind of key a text holds.
fn shape(text: &str) -> Option<&'static str> {
    let is_key = text.contains("-----BEGIN ") && text.contains("PRIVATE KEY-----\n");
    if is_key && text.len() > 200 {
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

/// Whether a text of this name looks like a secret.
fn is_secret(name: &str, text: &str) -> bool {
    let name = name.to_ascii_lowercase().replace('-', "_");
    let is_named = NAMES.iter().any(|one| {
        name.strip_suffix(one).is_some_and(|before| before.is_empty() || before.ends_with('_'))
    });
    let low = text.to_ascii_lowercase();
    let is_dense =
        (8..=200).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic());
    let has = |what: fn(&u8) -> bool| text.as_bytes().iter().any(what);
    is_named
        && is_dense
        && has(u8::is_ascii_digit)
        && has(u8::is_ascii_alphabetic)
        && distinct(text) >= 6
        && !text.starts_with(['/', '.', '$', '<', '{'])
        && !HARMLESS.iter().any(|word| low.contains(word))
}

fn distinct(text: &str) -> usize {
    text.bytes().collect::<rustc_hash::FxHashSet<u8>>().len()
}
