//! Where a name was found last. Code runs often, and mostly over values of one shape, so the next search starts there. A
//! wrong hint costs one comparison and changes no answer: scopes and threads may share it.

use std::sync::atomic::{AtomicU32, Ordering};

/// A guess at a position.
#[derive(Default, Debug)]
pub(crate) struct Hint(AtomicU32);

impl Hint {
    /// The position that `is_it` accepts: the one guessed, or else the one that `search` finds, which is the next guess.
    #[inline]
    pub(crate) fn find(
        &self,
        is_it: impl Fn(usize) -> bool,
        search: impl FnOnce() -> Option<usize>,
    ) -> Option<usize> {
        let guess = self.0.load(Ordering::Relaxed) as usize;
        if is_it(guess) {
            return Some(guess);
        }
        let found = search()?;
        self.0.store(u32::try_from(found).unwrap_or(u32::MAX), Ordering::Relaxed);
        Some(found)
    }
}

impl Clone for Hint {
    fn clone(&self) -> Hint {
        Hint(AtomicU32::new(self.0.load(Ordering::Relaxed)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_guess_changes_no_answer() {
        let hint = Hint::default();
        let find = |names: &[&str], name: &str| {
            let is_it = |at: usize| names.get(at) == Some(&name);
            hint.find(is_it, || names.binary_search(&name).ok())
        };
        assert_eq!(find(&["a", "b", "c"], "c"), Some(2));
        assert_eq!(find(&["c", "d"], "c"), Some(0));
        assert_eq!(find(&[], "c"), None);
        assert_eq!(find(&["a", "c"], "c"), Some(1));
    }

    #[test]
    fn a_right_guess_searches_no_more() {
        let hint = Hint::default();
        let find = |search: &dyn Fn() -> Option<usize>| hint.find(|at| at == 7, search);
        assert_eq!(find(&|| Some(7)), Some(7));
        assert_eq!(find(&|| unreachable!("the guess is right")), Some(7));
    }
}
