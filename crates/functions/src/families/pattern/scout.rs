//! How far a search has to look. A pattern such as `.*b|a` looks to the end of the text before it is content with one
//! `a`, and does so again after it; what is charged is what was looked at, and the engine that searches does not tell.

use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::nfa::thompson::Compiler;
use regex_automata::{Input, nfa::thompson};
use regex_syntax::hir::Hir;

/// A lazy automaton of a pattern, whose states are built on demand.
pub(super) struct LazyAutomaton(DFA);

impl LazyAutomaton {
    /// Builds the automaton; `None` for a pattern with too many states or with look-ahead beyond the next byte.
    pub(super) fn new(hir: &Hir) -> Option<LazyAutomaton> {
        let config = thompson::Config::new().nfa_size_limit(Some(super::PROGRAM_LIMIT));
        let nfa = Compiler::new().configure(config).build_from_hir(hir).ok()?;
        DFA::builder().build_from_nfa(nfa).ok().map(LazyAutomaton)
    }

    /// Creates the cache needed for a search.
    pub(super) fn look(&self) -> Cache {
        self.0.create_cache()
    }

    /// Returns how many bytes of `text` a search that starts at `from` looks at before it is sure of its answer.
    pub(super) fn distance(&self, cache: &mut Cache, text: &[u8], from: usize) -> usize {
        let LazyAutomaton(states) = self;
        let rest = text.get(from..).unwrap_or_default();
        let input = Input::new(text).range(from.min(text.len())..);
        let Ok(mut state) = states.start_state_forward(cache, &input) else { return rest.len() };
        for (count, byte) in rest.iter().enumerate() {
            match states.next_state(cache, state, *byte) {
                Ok(next) if next.is_dead() || next.is_quit() => return count + 1,
                Ok(next) => state = next,
                // So many states that the engine has trouble too.
                Err(_) => return rest.len(),
            }
        }
        rest.len()
    }
}
