//! Composition of edit scripts, which are sorted lists of replacements. Offsets of the second script refer to the result of the
//! first.

use crate::text::Splice;

/// Composes two scripts, which are sorted replacements without overlaps, into one with the same effect as `first` and then
/// `second`.
pub(crate) fn then(first: &[Splice], second: &[Splice]) -> Vec<Splice> {
    let mut writer = ScriptWriter::default();
    let mut reader = ScriptReader { left: first, at: 0, written: 0 };
    let mut now = 0;
    for splice in second {
        reader.transfer(splice.range.start - now, SpliceEffect::Kept, &mut writer);
        reader.transfer(splice.range.len(), SpliceEffect::Removed, &mut writer);
        writer.write(&splice.text);
        now = splice.range.end;
    }
    reader.rest(&mut writer);
    writer.end()
}

/// The effect that the second of two composed scripts has on bytes of the text that results from the first: it keeps or removes
/// them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SpliceEffect {
    /// The bytes are kept.
    Kept,
    /// The bytes are removed.
    Removed,
}

/// Reader of the text that results from the first of two composed scripts: bytes of the original text that the script keeps, and
/// bytes that it writes.
struct ScriptReader<'s> {
    /// The replacements of the first script that are not read completely.
    left: &'s [Splice],
    /// The number of bytes read from the original text.
    at: usize,
    /// The number of bytes read from the replacement text of the current splice.
    written: usize,
}

impl ScriptReader<'_> {
    /// Reads the next `count` bytes of the text that results from the first of two composed scripts, and has the writer keep or
    /// remove them.
    fn transfer(&mut self, mut count: usize, effect: SpliceEffect, writer: &mut ScriptWriter) {
        while count > 0 {
            let Some((next, rest)) = self.left.split_first() else {
                return self.old(count, effect, writer);
            };
            if self.at < next.range.start {
                let old = count.min(next.range.start - self.at);
                self.old(old, effect, writer);
                count -= old;
                continue;
            }
            let new = count.min(next.text.len() - self.written);
            if effect == SpliceEffect::Kept {
                writer.write(&next.text[self.written..self.written + new]);
            }
            self.written += new;
            count -= new;
            if self.written == next.text.len() {
                writer.leave_out(next.range.len());
                (self.at, self.written, self.left) = (next.range.end, 0, rest);
            }
        }
    }

    /// Reads the next `count` bytes of the text before both composed scripts, and has the writer keep or remove them, as `effect`
    /// says.
    fn old(&mut self, count: usize, effect: SpliceEffect, writer: &mut ScriptWriter) {
        match effect {
            SpliceEffect::Kept => writer.keep(count),
            SpliceEffect::Removed => writer.leave_out(count),
        }
        self.at += count;
    }

    /// Passes the replacements of the first script that come after the last one of the second script to the writer of the
    /// composition.
    fn rest(&mut self, writer: &mut ScriptWriter) {
        for splice in self.left {
            writer.keep(splice.range.start - self.at.min(splice.range.start));
            writer.write(&splice.text[self.written..]);
            writer.leave_out(splice.range.len());
            (self.at, self.written) = (splice.range.end, 0);
        }
    }
}

/// Writer of the script that results from composing two scripts, in the order of the text before both.
#[derive(Default)]
struct ScriptWriter {
    /// The complete replacements.
    out: Vec<Splice>,
    /// The replacement that may still be extended.
    open: Option<Splice>,
    /// The number of bytes of the original text that are kept or removed.
    at: usize,
}

impl ScriptWriter {
    /// Returns the replacement of the composed script that the next change extends: the last one if it ends at the current
    /// offset, otherwise a new one.
    fn opened(&mut self) -> &mut Splice {
        let at = self.at;
        self.open.get_or_insert_with(|| Splice { range: at..at, text: String::new() })
    }

    /// Makes the composed script keep the next `count` bytes of the original text, which ends the current replacement.
    fn keep(&mut self, count: usize) {
        if count > 0 {
            self.out.extend(self.open.take());
            self.at += count;
        }
    }

    /// Makes the composed script remove the next `count` bytes of the original text, as a part of the current replacement.
    fn leave_out(&mut self, count: usize) {
        if count > 0 {
            self.opened().range.end += count;
            self.at += count;
        }
    }

    /// Makes the composed script insert a text at the current offset of the original text.
    fn write(&mut self, text: &str) {
        if !text.is_empty() {
            self.opened().text.push_str(text);
        }
    }

    /// Returns the script composed of two, after adding the last replacement.
    fn end(mut self) -> Vec<Splice> {
        self.out.extend(self.open.take());
        self.out
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Returns a strategy for sorted replacements, without overlaps, in a text of `length` bytes.
    fn splices(length: usize) -> impl Strategy<Value = Vec<Splice>> {
        let piece = (0..=length, 0..4_usize, "[A-Z]{0,3}");
        prop::collection::vec(piece, 0..6).prop_map(move |mut pieces| {
            pieces.sort();
            let mut out: Vec<Splice> = Vec::new();
            for (start, count, text) in pieces {
                let start = start.max(out.last().map_or(0, |last| last.range.end));
                out.push(Splice { range: start..(start + count).min(length), text });
            }
            out
        })
    }

    /// Returns a text with replacements applied.
    fn applied(text: &str, splices: &[Splice]) -> String {
        let mut out = text.to_owned();
        for splice in splices.iter().rev() {
            out.replace_range(splice.range.clone(), &splice.text);
        }
        out
    }

    proptest! {
        /// Checks that a composed script has the effect of both scripts one after the other.
        #[test]
        fn one_list_does_what_both_do(first in splices(20), pick in splices(20)) {
            let text = "abcdefghijklmnopqrst";
            let between = applied(text, &first);
            let second: Vec<Splice> = pick
                .into_iter()
                .filter(|splice| splice.range.end <= between.len())
                .collect();
            let both = then(&first, &second);
            prop_assert_eq!(applied(text, &both), applied(&between, &second));
            prop_assert!(both.windows(2).all(|two| two[0].range.end < two[1].range.start));
        }
    }
}
