//! What a part means, as a number that two evaluations share: a known part is its value, an unknown one the code that leads
//! to it. Names on the way do not count, so what is only called otherwise or led through one step more means the same.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use groma_value::{Value, json};
use rustc_hash::FxHashMap;

use crate::node::{WhyKind, WhyNode};
use crate::path::WhyStep;
use crate::why::Why;

/// No part is looked into further than through so many nodes.
const MOST: usize = 20_000;

/// What has been worked out, by the numbers of nodes.
pub(crate) type Meanings = FxHashMap<usize, u64>;

impl Why {
    /// The meaning of a part of what has this address: equal meanings have equal numbers, in every evaluation. `renamed`
    /// says what an address is to count as. Nothing where there is no such thing.
    pub fn meaning(
        &mut self,
        address: &str,
        path: &[WhyStep],
        renamed: &dyn Fn(&str) -> Option<String>,
    ) -> Option<u64> {
        let start = self.start(address, path)?;
        let mut known = std::mem::take(&mut self.meanings);
        let mut rest = vec![(start, false)];
        let mut opened = 0;
        while let Some((number, is_open)) = rest.pop() {
            if known.contains_key(&number) {
                continue;
            }
            if is_open {
                let told = self.told_meaning(number, &known, renamed);
                known.insert(number, told);
                continue;
            }
            opened += 1;
            if opened > MOST {
                break;
            }
            rest.push((number, true));
            if !self.ends_at(number) {
                let from = &self.node_of(number).from;
                rest.extend(
                    from.iter().filter(|one| !known.contains_key(one)).map(|one| (*one, false)),
                );
            }
        }
        let found = known.get(&start).copied();
        self.meanings = known;
        found
    }

    /// Whether what a node took does not count.
    fn ends_at(&mut self, number: usize) -> bool {
        if is_known(self.node_of(number)) {
            return true;
        }
        self.open(number);
        let node = self.node_of(number);
        // A whole object is the same one, whatever is changed in it.
        node.kind == WhyKind::Resource && node.from.len() > 1
    }

    fn told_meaning(
        &mut self,
        number: usize,
        known: &Meanings,
        renamed: &dyn Fn(&str) -> Option<String>,
    ) -> u64 {
        let mut state = DefaultHasher::new();
        if is_known(self.node_of(number)) {
            let value = self.node_of(number).value.as_ref();
            let plain = value.map(|value| json::plain(&value.unmark_deep().0));
            (0_u8, plain).hash(&mut state);
            return state.finish();
        }
        let ends = self.ends_at(number);
        let text = self.telling_text(number, renamed);
        let node = self.node_of(number);
        let from: &[usize] = if ends { &[] } else { &node.from };
        // One that is being worked out leads to itself: that is an error of its own.
        let below = |one: &usize| known.get(one).copied().unwrap_or_default();
        match (from, &text) {
            ([], _) if text.is_none() || ends => {
                let address = node.address.as_deref().unwrap_or_default();
                let address = renamed(address).unwrap_or_else(|| address.to_owned());
                (1_u8, node.kind.word(), address).hash(&mut state);
            }
            ([only], None) if node.kind != WhyKind::Data => return below(only),
            ([only], Some(text)) if text.is_empty() || is_led_through(text) => return below(only),
            (from, None) => {
                let address = node.address.as_deref().unwrap_or_default();
                let address = renamed(address).unwrap_or_else(|| address.to_owned());
                let is_named = matches!(node.kind, WhyKind::Data | WhyKind::Resource);
                (2_u8, is_named.then_some(address)).hash(&mut state);
                from.iter().map(below).collect::<Vec<u64>>().hash(&mut state);
            }
            (from, Some(text)) => {
                (3_u8, text).hash(&mut state);
                from.iter().map(below).collect::<Vec<u64>>().hash(&mut state);
            }
        }
        state.finish()
    }
}

impl Why {
    /// What of a node's text makes it what it is: all of it, or without what only leads to the part that is meant.
    fn telling_text(
        &mut self,
        number: usize,
        renamed: &dyn Fn(&str) -> Option<String>,
    ) -> Option<String> {
        let Some(places) = self.texts.get(&number) else {
            return self.written_text(number).map(|text| plain_text(&text, renamed));
        };
        let mut found = String::new();
        for (at, (place, way)) in places.iter().enumerate() {
            if at > 0 {
                found.push('\n');
            }
            if let Some(known) = self.plain.get(place) {
                found.push_str(known);
            } else {
                let plain = plain_text(&self.text_at(*place)?, renamed);
                found.push_str(&plain);
                self.plain.insert(*place, plain.into());
            }
            found.push_str(way);
        }
        Some(found)
    }
}

fn is_known(node: &WhyNode) -> bool {
    node.value.as_ref().is_some_and(Value::is_wholly_known)
}

/// Whether an expression is a reference and nothing else, in a template or not: it hands on what it refers to.
fn is_led_through(text: &str) -> bool {
    let inner = text.strip_prefix("\"${").and_then(|text| text.strip_suffix("}\"")).unwrap_or(text);
    inner.trim().chars().all(|c| c.is_alphanumeric() || "_.@-[]\"".contains(c))
}

/// An expression without its layout, and without the names of variables, locals and outputs that it goes by: what they
/// lead to counts instead. Resources go by the names they have now.
fn plain_text(text: &str, renamed: &dyn Fn(&str) -> Option<String>) -> String {
    // The layout of a heredoc is what it says.
    let is_laid_out = !text.contains("<<");
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    while let Some(first) = rest.chars().next() {
        if first.is_whitespace() && is_laid_out {
            let after = rest.trim_start();
            if !out.ends_with(' ') {
                out.push(' ');
            }
            rest = after;
            continue;
        }
        let is_inside = out.ends_with(|c: char| is_name(c) || c == '.');
        if is_inside || !(first.is_alphabetic() || first == '_') {
            out.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        }
        let (head, length) = head_of(rest, is_name);
        let names: Vec<&str> = head.split('.').collect();
        match names.as_slice() {
            ["var" | "local", _] | ["module", _, _] => out.push('@'),
            _ => out.push_str(&renamed(head).unwrap_or_else(|| head.to_owned())),
        }
        rest = &rest[length..];
    }
    out
}

/// The names that a text begins with, as many as lead to a declaration.
fn head_of(text: &str, is_name: impl Fn(char) -> bool) -> (&str, usize) {
    let mut end = 0;
    let mut most = 2;
    for (count, name) in text.split('.').enumerate() {
        let length = name.find(|c| !is_name(c)).unwrap_or(name.len());
        if length == 0 || count == most {
            break;
        }
        if count == 0 && ["module", "data"].contains(&&name[..length]) {
            most = 3;
        }
        end += length + usize::from(count > 0);
        if length < name.len() {
            break;
        }
    }
    (&text[..end], end)
}

#[cfg(test)]
mod tests {
    use super::{is_led_through, plain_text};

    #[test]
    fn names_on_the_way_do_not_count() {
        let plain =
            |text: &str| plain_text(text, &|one| (one == "a_b.old").then(|| "a_b.new".to_owned()));
        assert_eq!(plain("\"x-${local.n}\""), plain("\"x-${var.other}\""));
        assert_eq!(plain("f( local.a.b ,\n  1)"), "f( @.b , 1)");
        assert_eq!(plain("module.m.out[0]"), "@[0]");
        assert_eq!(plain("a_b.old.id"), "a_b.new.id");
        assert_ne!(plain("x.local.a"), plain("x.local.b"));
        assert!(is_led_through("@.id") && is_led_through("\"${@}\""));
        assert!(!is_led_through("\"x${@}\"") && !is_led_through("f(@)"));
    }
}
