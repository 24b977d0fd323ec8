//! Inputs made from seeds: cut, doubled, joined and sprinkled with pieces of the language. The same number gives the
//! same inputs on every machine.

/// Tokens and snippets of the languages and formats, which mutations insert.
const PIECES: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    "\"",
    "${",
    "%{",
    "~}",
    "<<EOT\n",
    "<<-EOT\n",
    "\nEOT\n",
    "\n",
    "\r\n",
    "=",
    "=>",
    "...",
    ",",
    ".",
    ".*",
    "[*]",
    "?",
    ":",
    "/*",
    "#",
    "//",
    "\\",
    "\\u00e9",
    "$${",
    "%%{",
    "null",
    "true",
    "for ",
    " in ",
    "if ",
    " else ",
    "endif",
    "endfor",
    "local.a",
    "var.a",
    "each.key",
    "self",
    "-1",
    "1e400",
    "0.1",
    "1/0",
    "\u{301}",
    "\u{feff}",
    "\u{1f3f3}\u{fe0f}\u{200d}\u{1f308}",
    "\0",
    "sensitive(",
    "try(",
    "toset(",
    "unknown(any)",
    "&a ",
    "*a",
    "<<: ",
    "- ",
    "!!int ",
    "|-\n",
    "? ",
    "---\n",
    "(?P<x>",
    "{2,1000}",
    "\\pL",
    "[^]",
    "(?i)",
];

/// A deterministic generator of inputs that mutates seeds.
pub struct Mutator {
    state: u64,
}

impl Mutator {
    /// Creates a generator; equal seeds give equal inputs.
    #[must_use]
    pub fn new(seed: u64) -> Mutator {
        Mutator { state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1 }
    }

    /// Returns the next pseudo-random number, from 0 up to but not including `bound`.
    fn below(&mut self, bound: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state % bound.max(1) as u64) as usize
    }

    /// Returns the next input: one of the seeds with one to five random mutations.
    pub fn next(&mut self, seeds: &[Vec<u8>]) -> Vec<u8> {
        let mut input = self.pick(seeds);
        for _ in 0..1 + self.below(5) {
            let at = self.below(input.len() + 1);
            let end = (at + self.below(24)).min(input.len());
            match self.below(8) {
                0 => input.truncate(at),
                1 => {
                    input.drain(at..end);
                }
                2 | 3 => {
                    let piece = PIECES[self.below(PIECES.len())];
                    input.splice(at..at, piece.bytes());
                }
                4 => {
                    let piece = PIECES[self.below(PIECES.len())];
                    input.splice(at..end, piece.bytes());
                }
                5 => {
                    let copy = input[at..end].to_vec();
                    let times = 1 + self.below(3);
                    input.splice(at..at, copy.repeat(times));
                }
                6 => {
                    let other = self.pick(seeds);
                    let from = self.below(other.len());
                    let to = (from + 1 + self.below(60)).min(other.len());
                    input.splice(at..at, other[from..to].iter().copied());
                }
                _ => {
                    if let Some(byte) = input.get_mut(at) {
                        *byte = self.state as u8;
                    }
                }
            }
        }
        input
    }

    /// Returns a copy of a pseudo-random seed; empty without seeds.
    fn pick(&mut self, seeds: &[Vec<u8>]) -> Vec<u8> {
        let at = self.below(seeds.len());
        seeds.get(at).cloned().unwrap_or_default()
    }
}
