//! The position at which a name was found last. Code is evaluated often, mostly over values of one shape, so the next search
//! begins there. A wrong hint costs one comparison and changes no result: scopes and threads may share it.

use std::sync::atomic::{AtomicU32, Ordering};

/// The position in a list at which a name was found most recently, where the next search for it begins.
#[derive(Default, Debug)]
pub(crate) struct PositionHint(AtomicU32);

impl PositionHint {
    /// Returns the position in a list at which the name was found most recently; 0 before that.
    #[inline]
    pub(crate) fn guess(&self) -> usize {
        self.0.load(Ordering::Relaxed) as usize
    }

    /// Returns the position found most recently if `is_it` accepts it, or else the result of `search`, which is stored unless it
    /// is `None`.
    #[inline]
    pub(crate) fn find(
        &self,
        is_it: impl Fn(usize) -> bool,
        search: impl FnOnce() -> Option<usize>,
    ) -> Option<usize> {
        let guess = self.guess();
        if is_it(guess) {
            return Some(guess);
        }
        let found = search()?;
        self.0.store(u32::try_from(found).unwrap_or(u32::MAX), Ordering::Relaxed);
        Some(found)
    }
}

/// Returns true if two names are equal; faster than `==` for short names.
#[inline]
pub(crate) fn is_same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    match (a.first_chunk::<8>(), b.first_chunk::<8>()) {
        (Some(first), Some(second)) if a.len() <= 16 => {
            first == second && a.last_chunk::<8>() == b.last_chunk::<8>()
        }
        (None, _) => match (a.first_chunk::<4>(), b.first_chunk::<4>()) {
            (Some(first), Some(second)) => {
                first == second && a.last_chunk::<4>() == b.last_chunk::<4>()
            }
            _ => match (a.first_chunk::<2>(), b.first_chunk::<2>()) {
                (Some(first), Some(second)) => {
                    first == second && a.last_chunk::<2>() == b.last_chunk::<2>()
                }
                _ => a.first() == b.first(),
            },
        },
        _ => is_same_at_length(a, b),
    }
}

/// Returns true if two names of equal length are equal, comparing byte by byte.
#[cold]
#[inline(never)]
fn is_same_at_length(a: &[u8], b: &[u8]) -> bool {
    a == b
}

impl Clone for PositionHint {
    fn clone(&self) -> PositionHint {
        PositionHint(AtomicU32::new(self.0.load(Ordering::Relaxed)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests that a search finds a name also if the position found last is wrong.
    #[test]
    fn a_wrong_guess_changes_no_answer() {
        let hint = PositionHint::default();
        let find = |names: &[&str], name: &str| {
            let is_it = |at: usize| names.get(at) == Some(&name);
            hint.find(is_it, || names.binary_search(&name).ok())
        };
        assert_eq!(find(&["a", "b", "c"], "c"), Some(2));
        assert_eq!(find(&["c", "d"], "c"), Some(0));
        assert_eq!(find(&[], "c"), None);
        assert_eq!(find(&["a", "c"], "c"), Some(1));
    }

    /// Tests that names that differ in one character are not equal, at any length.
    #[test]
    fn short_names_are_compared_whole() {
        let text = "abcdefghijklmnopqrstuvwxyz";
        for length in 0..=text.len() {
            let name = &text[..length];
            assert!(is_same(name, name));
            assert!(!is_same(name, &text[..length.saturating_sub(1).min(25)]) || length == 0);
            for at in 0..length {
                let mut other = name.to_owned();
                other.replace_range(at..=at, "-");
                assert!(!is_same(name, &other), "{name} {other}");
            }
        }
    }

    /// Tests that no search takes place if the position found last is right.
    #[test]
    fn a_right_guess_searches_no_more() {
        let hint = PositionHint::default();
        let find = |search: &dyn Fn() -> Option<usize>| hint.find(|at| at == 7, search);
        assert_eq!(find(&|| Some(7)), Some(7));
        assert_eq!(find(&|| unreachable!("the guess is right")), Some(7));
    }
}
