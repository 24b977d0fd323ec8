//! Measurement of how far a search reads. A pattern such as `.*b|a` reads to the end of the text before it matches one `a`, and
//! does so again after it; the bytes read are charged, and the search engine does not report them.

use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::nfa::thompson::Compiler;
use regex_automata::{Input, nfa::thompson};
use regex_syntax::hir::Hir;

/// An automaton that measures how many bytes a search for a pattern reads; its states are built on demand.
pub(super) struct LazyAutomaton(DFA);

impl LazyAutomaton {
    /// Creates the automaton of a parsed pattern; `None` if it would be too large or need look-ahead beyond the next byte.
    pub(super) fn new(hir: &Hir) -> Option<LazyAutomaton> {
        let config = thompson::Config::new().nfa_size_limit(Some(super::PROGRAM_LIMIT));
        let nfa = Compiler::new().configure(config).build_from_hir(hir).ok()?;
        DFA::builder().build_from_nfa(nfa).ok().map(LazyAutomaton)
    }

    /// Creates an empty cache for the automaton's states, which a search fills.
    pub(super) fn new_cache(&self) -> Cache {
        self.0.create_cache()
    }

    /// Returns the number of bytes of `text` that a search starting at `from` reads before its result is certain.
    pub(super) fn distance(&self, cache: &mut Cache, text: &[u8], from: usize) -> usize {
        let LazyAutomaton(states) = self;
        let rest = text.get(from..).unwrap_or_default();
        let input = Input::new(text).range(from.min(text.len())..);
        let Ok(mut state) = states.start_state_forward(cache, &input) else { return rest.len() };
        for (count, byte) in rest.iter().enumerate() {
            match states.next_state(cache, state, *byte) {
                Ok(next) if next.is_dead() || next.is_quit() => return count + 1,
                Ok(next) => state = next,
                // The automaton has too many states: the whole rest counts.
                Err(_) => return rest.len(),
            }
        }
        rest.len()
    }
}
