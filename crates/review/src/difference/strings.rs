//! Texts. One that says a value in JSON, or that `yamlencode` has written, is compared as that value, one of several lines
//! by its lines, any other as a whole. Where only blanks or the layout differ there is no line to point at, and that is said instead.

use groma_value::{Str, Value, json};

use super::compare::{difference, single as whole};
use super::compared::{Compared, Form, Sign};
use super::sequence::{common, lines};
use super::way::Way;
use super::yaml;
use rustc_hash::FxHashMap;

/// The word for what `yamlencode` has written.
const YAML: &str = "yamlencode";

/// What a text says.
enum Said {
    /// A value, in another language.
    Coded(&'static str, Value),
    /// Several lines.
    Lines,
    /// Nothing else.
    Plain,
}

fn said(text: &str) -> Said {
    let start = text.trim_start();
    if start.starts_with(['{', '['])
        && let Ok(value) = json::decode_loose(text)
    {
        return Said::Coded("jsonencode", value);
    }
    if let Some(value) = yaml::written(text) {
        return Said::Coded(YAML, value);
    }
    if text.contains('\n') { Said::Lines } else { Said::Plain }
}

/// Whether a value fits on one line; a text may not.
pub(super) fn is_plain(value: &Value) -> bool {
    match value {
        Value::String(text) => matches!(said(text), Said::Plain),
        _ => true,
    }
}

/// A text that is there on one side only, or on both alike.
pub(super) fn single(text: &Str, sign: Sign) -> Form {
    match said(text) {
        Said::Coded(word, value) => {
            let inner = Box::new(whole(&value, sign, false));
            Form::Coded { word, inner, is_blank: false }
        }
        Said::Lines => {
            let lines = lines(text).map(|line| (Sign::Same, Str::from(line))).collect();
            Form::Lines { lines, is_blank: false }
        }
        Said::Plain => {
            let value = Some(Value::String(text.clone()));
            match sign {
                Sign::Remove => Form::Scalar(value, None),
                _ => Form::Scalar(None, value),
            }
        }
    }
}

/// Two texts that differ.
pub(super) fn pair(before: &Str, after: &Str) -> Compared {
    let scalar = || {
        let side = |text: &Str| Some(Value::String(text.clone()));
        Compared::new(Sign::Change, Form::Scalar(side(before), side(after)))
    };
    match (said(before), said(after)) {
        (Said::Coded(word, was), Said::Coded(other, now)) if word == other => {
            let inner = difference(Some(&was), Some(&now), false, Way::default());
            let is_blank = inner.sign == Sign::Same;
            let inner = Box::new(inner);
            Compared::new(Sign::Change, Form::Coded { word, inner, is_blank })
        }
        // The same in another layout is still the same lines, mostly.
        (Said::Coded(YAML, _), Said::Lines) | (Said::Lines, Said::Coded(YAML, _)) => {
            by_lines(before, after)
        }
        (Said::Coded(..), _) | (_, Said::Coded(..)) => {
            let was = Compared::new(Sign::Remove, single(before, Sign::Remove));
            let now = Compared::new(Sign::Add, single(after, Sign::Add));
            Compared::new(Sign::Change, Form::Turned(Box::new(was), Box::new(now)))
        }
        (Said::Plain, Said::Plain) => scalar(),
        _ => by_lines(before, after),
    }
}

fn by_lines(before: &str, after: &str) -> Compared {
    let lines = line_by_line(before, after);
    let is_blank = lines.iter().all(|(sign, _)| *sign == Sign::Same);
    Compared::new(Sign::Change, Form::Lines { lines, is_blank })
}

fn line_by_line(before: &str, after: &str) -> Vec<(Sign, Str)> {
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
    let mut take = |sign: Sign, line: &str| found.push((sign, Str::from(line)));
    for id in common(&was, &now) {
        while was[x] != id {
            take(Sign::Remove, before[x]);
            x += 1;
        }
        while now[y] != id {
            take(Sign::Add, after[y]);
            y += 1;
        }
        take(Sign::Same, before[x]);
        (x, y) = (x + 1, y + 1);
    }
    before[x..].iter().for_each(|line| take(Sign::Remove, line));
    after[y..].iter().for_each(|line| take(Sign::Add, line));
    found
}
