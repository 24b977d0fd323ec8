//! Functions that read a language of their own: what they read they write, and their answers fit together.

use groma_eval::NamedValues;
use groma_value::{Value, json};

use crate::code::ask;
use crate::utf8;

/// Returns the variables of an evaluation from pairs of name and value.
fn with(names: &[(&str, Value)]) -> NamedValues {
    let mut all = NamedValues::new();
    for (name, value) in names {
        all.insert(*name, value.clone());
    }
    all
}

/// Checks that a value from `yamldecode` survives `yamlencode` and `yamldecode` unchanged.
pub(crate) fn yaml(bytes: &[u8]) {
    let Some(text) = utf8(bytes) else { return };
    let Some(value) = ask("yamldecode(text)", with(&[("text", Value::text(text))])) else { return };
    let Some(written) = ask("yamlencode(value)", with(&[("value", value.clone())])) else { return };
    let Some(again) = ask("yamldecode(text)", with(&[("text", written)])) else {
        // Compat: an escape and a mark that combines with its letter become another character.
        assert!(json::plain(&value).contains('\\'), "what is written can be read");
        return;
    };
    // Compat: infinity is written as a text, so it does not come back as a number.
    let [again, value] = [again, value].map(|value| json::plain(&value));
    assert!(again == value || value.contains("Inf\""), "{again} is not {value}");
}

/// Checks that `regexall`, `regex` and `replace` agree whether the pattern, the input's first line, matches the rest.
pub(crate) fn pattern(bytes: &[u8]) {
    let Some(text) = utf8(bytes) else { return };
    let (pattern, text) = text.split_once('\n').unwrap_or((text, "aab é\nb"));
    let names = || with(&[("p", Value::text(pattern)), ("t", Value::text(text))]);
    let flag = |question: &str| match ask(question, names()) {
        Some(Value::Bool(answer)) => Some(answer),
        _ => None,
    };
    if let Some(found) = flag("length(regexall(p, t)) > 0") {
        assert_eq!(flag("can(regex(p, t))"), Some(found));
        if !found && !pattern.contains('/') {
            assert_eq!(flag("replace(t, \"/${p}/\", \"<$0>\") == t"), Some(true));
        }
    }
}
