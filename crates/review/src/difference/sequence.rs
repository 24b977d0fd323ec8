//! Pairing of the elements of two lists by their longest common subsequence. Between two unchanged elements, a removed and an
//! added one may be one changed element.

use groma_value::Value;
use imara_diff::{Algorithm, Diff, InternedInput};
use rustc_hash::{FxHashMap, FxHashSet};

use super::equivalence::{alike, digest};
use super::parts::{fields, is_hidden};

/// Maximum number of cells in the table of the exact algorithm for longest common subsequences. Larger inputs use a faster
/// algorithm, which may find a shorter subsequence.
const MAX_CELLS: usize = 1 << 20;

/// An element of the old list, of the new one, or a pair of both, by index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ElementPairing {
    /// Equal elements, at these indices in the old and the new list.
    Same(usize, usize),
    /// A removed element.
    Before(usize),
    /// An added element.
    After(usize),
    /// A changed element, at these indices in the old and the new list.
    Both(usize, usize),
}

/// The elements of two lists as numbers, equal for elements that are displayed in the same way.
struct NumberedElements {
    before: Vec<u32>,
    after: Vec<u32>,
}

/// Assigns numbers to the elements of two lists, equal for elements that are displayed in the same way.
fn numbered(before: &[Value], after: &[Value]) -> NumberedElements {
    let mut known: FxHashMap<u64, Vec<(u32, &Value)>> = FxHashMap::default();
    let mut next = 0_u32;
    let mut number = |value| {
        let same = known.entry(digest(value)).or_default();
        if let Some((number, _)) = same.iter().find(|(_, one)| alike(one, value)) {
            return *number;
        }
        next += 1;
        same.push((next, value));
        next
    };
    NumberedElements {
        before: before.iter().map(&mut number).collect(),
        after: after.iter().map(&mut number).collect(),
    }
}

/// Returns the pairs of corresponding elements of two lists, in the order in which they are displayed.
pub(super) fn pair_up(before: &[Value], after: &[Value]) -> Vec<ElementPairing> {
    let ids = numbered(before, after);
    let (mut found, mut was, mut now) = (Vec::new(), 0, 0);
    let common = common(&ids.before, &ids.after);
    let stays: FxHashSet<u32> = ids.after.iter().copied().collect();
    let run = |was: std::ops::Range<usize>, now: std::ops::Range<usize>, found: &mut Vec<_>| {
        let is_gone = |at: usize| !stays.contains(&ids.before[at]);
        if was.len() == now.len() && was.clone().all(is_gone) {
            found.extend(was.zip(now).map(|(was, now)| ElementPairing::Both(was, now)));
            return;
        }
        let mut now = now.peekable();
        for was in was {
            match now.peek() {
                Some(at) if may_be_same_element(&before[was], &after[*at]) => {
                    found.push(ElementPairing::Both(was, *at));
                    now.next();
                }
                _ => found.push(ElementPairing::Before(was)),
            }
        }
        found.extend(now.map(ElementPairing::After));
    };
    for id in common {
        let (from, to) = (was, now);
        while ids.before[was] != id {
            was += 1;
        }
        while ids.after[now] != id {
            now += 1;
        }
        run(from..was, to..now, &mut found);
        found.push(ElementPairing::Same(was, now));
        (was, now) = (was + 1, now + 1);
    }
    run(was..before.len(), now..after.len(), &mut found);
    found
}

/// Returns true if a removed and an added element may be displayed as one changed element: both are objects or similar texts.
fn may_be_same_element(before: &Value, after: &Value) -> bool {
    if is_hidden(before) || is_hidden(after) {
        return false;
    }
    match (before.bare(), after.bare()) {
        (Value::String(was), Value::String(now)) => are_versions(was, now),
        (was, now) => fields(was).is_some() && fields(now).is_some(),
    }
}

/// Returns the lines of a string without the whitespace at its beginning and end.
pub(super) fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.trim().split('\n')
}

/// Returns true if two strings of several lines may be versions of one text: they have a line in common.
fn are_versions(before: &str, after: &str) -> bool {
    if !before.contains('\n') || !after.contains('\n') {
        return false;
    }
    let was: FxHashSet<&str> = lines(before).collect();
    lines(after).any(|line| was.contains(line))
}

/// Returns the elements of two sets in display order: those of the old set, paired with an equal one of the new set if there is
/// one, then the added ones.
pub(super) fn as_sets(before: &[Value], after: &[Value]) -> Vec<ElementPairing> {
    let ids = numbered(before, after);
    let mut at: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
    for (position, id) in ids.after.iter().enumerate().rev() {
        at.entry(*id).or_default().push(position);
    }
    let mut taken = vec![false; after.len()];
    let mut found = Vec::with_capacity(before.len());
    for (was, id) in ids.before.iter().enumerate() {
        match at.get_mut(id).and_then(Vec::pop) {
            Some(now) => {
                taken[now] = true;
                found.push(ElementPairing::Same(was, now));
            }
            None => found.push(ElementPairing::Before(was)),
        }
    }
    let came = taken.iter().enumerate().filter(|(_, taken)| !**taken);
    found.extend(came.map(|(at, _)| ElementPairing::After(at)));
    found
}

/// Returns a common subsequence of two lists, the longest unless they are very long.
pub(super) fn common(before: &[u32], after: &[u32]) -> Vec<u32> {
    let head = before.iter().zip(after).take_while(|(a, b)| a == b).count();
    let (before_rest, after_rest) = (&before[head..], &after[head..]);
    let tail =
        (before_rest.iter().rev().zip(after_rest.iter().rev())).take_while(|(a, b)| a == b).count();
    let (middle, others) =
        (&before_rest[..before_rest.len() - tail], &after_rest[..after_rest.len() - tail]);
    let mut found = before[..head].to_vec();
    match middle.len().saturating_mul(others.len()) {
        0 => {}
        cells if cells <= MAX_CELLS => exact(middle, others, &mut found),
        _ => approximate(middle, others, &mut found),
    }
    found.extend(&before_rest[before_rest.len() - tail..]);
    found
}

/// Appends the longest common subsequence of two lists to `found`, found by dynamic programming.
fn exact(before: &[u32], after: &[u32], found: &mut Vec<u32>) {
    let width = before.len() + 1;
    let mut lengths = vec![0_u32; width * (after.len() + 1)];
    for (y, now) in after.iter().enumerate() {
        for (x, was) in before.iter().enumerate() {
            lengths[(y + 1) * width + x + 1] = match was == now {
                true => lengths[y * width + x] + 1,
                false => lengths[(y + 1) * width + x].max(lengths[y * width + x + 1]),
            };
        }
    }
    let start = found.len();
    let (mut x, mut y) = (before.len(), after.len());
    while x > 0 && y > 0 {
        if before[x - 1] == after[y - 1] {
            found.push(before[x - 1]);
            (x, y) = (x - 1, y - 1);
        } else if lengths[y * width + x - 1] > lengths[(y - 1) * width + x] {
            x -= 1;
        } else {
            y -= 1;
        }
    }
    found[start..].reverse();
}

/// Appends a common subsequence of two lists to `found`, computed by Myers' algorithm, which may miss the longest one.
fn approximate(before: &[u32], after: &[u32], found: &mut Vec<u32>) {
    let mut input = InternedInput::default();
    input.update_before(before.iter().copied());
    input.update_after(after.iter().copied());
    let diff = Diff::compute(Algorithm::Myers, &input);
    let kept = (0_u32..).zip(before).filter(|(at, _)| !diff.is_removed(*at));
    found.extend(kept.map(|(_, id)| *id));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the longest common subsequences of short lists.
    #[test]
    fn what_is_in_common() {
        assert_eq!(common(&[1, 2, 3], &[1, 3]), [1, 3]);
        assert_eq!(common(&[1, 2], &[2, 1]), [2]);
        assert_eq!(common(&[], &[1]), [0_u32; 0]);
        assert_eq!(common(&[1, 1, 2], &[1, 2, 2]), [1, 2]);
    }

    /// Checks that a common subsequence is found in lists that are too long for the exact algorithm.
    #[test]
    fn long_lists_need_no_table() {
        let before: Vec<u32> = (0..5000).collect();
        let after: Vec<u32> = (0..5000).rev().chain(10_000..10_003).collect();
        assert!(!common(&before, &after).is_empty());
        let kept: Vec<u32> = (0..5000).filter(|one| one % 7 != 0).collect();
        assert_eq!(common(&before, &kept), kept);
    }
}
