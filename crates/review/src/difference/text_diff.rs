//! Comparison of strings. One that contains JSON, or was written by `yamlencode`, is compared as the encoded value, a string of
//! several lines line by line, any other as a whole. If only whitespace differs, a remark says so.

use groma_value::{Str, Value, json};

use super::annotations::AnnotationCursor;
use super::compare::{difference, single as whole};
use super::compared::{ChangeSign, ComparedForm, ComparedValue};
use super::sequence::{common, lines};
use super::yaml;
use rustc_hash::FxHashMap;

/// The name of the function that is displayed around a value that `yamlencode` encoded.
const YAML: &str = "yamlencode";

/// The manner in which a string is compared: as an encoded value, line by line, or as a whole.
enum TextMeaning {
    /// An encoded value, with the function that encodes it.
    Coded(&'static str, Value),
    /// Several lines.
    Lines,
    /// A string of one line.
    Plain,
}

/// Returns the manner in which a string is compared, given its content: by the value that it encodes, by line, or as a whole.
fn meaning_of(text: &str) -> TextMeaning {
    let start = text.trim_start();
    if start.starts_with(['{', '['])
        && let Ok(value) = json::decode_loose(text)
    {
        return TextMeaning::Coded("jsonencode", value);
    }
    if let Some(value) = yaml::written(text) {
        return TextMeaning::Coded(YAML, value);
    }
    if text.contains('\n') { TextMeaning::Lines } else { TextMeaning::Plain }
}

/// Returns true if a value without parts fits on one line: all but strings of several lines and encoded values do.
pub(super) fn is_plain(value: &Value) -> bool {
    match value {
        Value::String(text) => matches!(meaning_of(text), TextMeaning::Plain),
        _ => true,
    }
}

/// Returns the content of a compared string that exists on one side only, or is equal on both.
pub(super) fn single(text: &Str, sign: ChangeSign) -> ComparedForm {
    match meaning_of(text) {
        TextMeaning::Coded(word, value) => {
            let inner = Box::new(whole(&value, sign, false));
            ComparedForm::Coded { word, inner, is_blank: false }
        }
        TextMeaning::Lines => {
            let lines = lines(text).map(|line| (ChangeSign::Same, Str::from(line))).collect();
            ComparedForm::Lines { lines, is_blank: false }
        }
        TextMeaning::Plain => {
            let value = Some(Value::String(text.clone()));
            match sign {
                ChangeSign::Remove => ComparedForm::Scalar(value, None),
                _ => ComparedForm::Scalar(None, value),
            }
        }
    }
}

/// Returns the differences between two different strings.
pub(super) fn pair(before: &Str, after: &Str) -> ComparedValue {
    let scalar = || {
        let side = |text: &Str| Some(Value::String(text.clone()));
        ComparedValue::new(ChangeSign::Change, ComparedForm::Scalar(side(before), side(after)))
    };
    match (meaning_of(before), meaning_of(after)) {
        (TextMeaning::Coded(word, was), TextMeaning::Coded(other, now)) if word == other => {
            let inner = difference(Some(&was), Some(&now), false, AnnotationCursor::default());
            let is_blank = inner.sign == ChangeSign::Same;
            let inner = Box::new(inner);
            ComparedValue::new(ChangeSign::Change, ComparedForm::Coded { word, inner, is_blank })
        }
        // The same value in another layout is compared by lines.
        (TextMeaning::Coded(YAML, _), TextMeaning::Lines)
        | (TextMeaning::Lines, TextMeaning::Coded(YAML, _)) => by_lines(before, after),
        (TextMeaning::Coded(..), _) | (_, TextMeaning::Coded(..)) => {
            let was = ComparedValue::new(ChangeSign::Remove, single(before, ChangeSign::Remove));
            let now = ComparedValue::new(ChangeSign::Add, single(after, ChangeSign::Add));
            ComparedValue::new(
                ChangeSign::Change,
                ComparedForm::Turned(Box::new(was), Box::new(now)),
            )
        }
        (TextMeaning::Plain, TextMeaning::Plain) => scalar(),
        _ => by_lines(before, after),
    }
}

/// Returns the differences between two strings, compared line by line.
fn by_lines(before: &str, after: &str) -> ComparedValue {
    let lines = line_by_line(before, after);
    let is_blank = lines.iter().all(|(sign, _)| *sign == ChangeSign::Same);
    ComparedValue::new(ChangeSign::Change, ComparedForm::Lines { lines, is_blank })
}

/// Returns the lines of two strings in display order, each with the sign unchanged, removed or added.
fn line_by_line(before: &str, after: &str) -> Vec<(ChangeSign, Str)> {
    let (before, after): (Vec<&str>, Vec<&str>) = (lines(before).collect(), lines(after).collect());
    let mut known: FxHashMap<&str, u32> = FxHashMap::default();
    let mut number = |line| {
        let next = u32::try_from(known.len()).unwrap_or(u32::MAX);
        *known.entry(line).or_insert(next)
    };
    let was: Vec<u32> = before.iter().map(|line| number(line)).collect();
    let now: Vec<u32> = after.iter().map(|line| number(line)).collect();
    let mut found = Vec::with_capacity(after.len());
    let (mut x, mut y) = (0, 0);
    let mut take = |sign: ChangeSign, line: &str| found.push((sign, Str::from(line)));
    for id in common(&was, &now) {
        while was[x] != id {
            take(ChangeSign::Remove, before[x]);
            x += 1;
        }
        while now[y] != id {
            take(ChangeSign::Add, after[y]);
            y += 1;
        }
        take(ChangeSign::Same, before[x]);
        (x, y) = (x + 1, y + 1);
    }
    before[x..].iter().for_each(|line| take(ChangeSign::Remove, line));
    after[y..].iter().for_each(|line| take(ChangeSign::Add, line));
    found
}
