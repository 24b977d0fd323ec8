//! Indentation of lines, and alignment of their parts. Only the blanks before pieces are set here.
//!
//! A line has up to three parts: the text before the `=`, the assignment from the `=` on, and the comment at the end.
//! Assignments of consecutive lines are aligned, and so are comments.

use std::ops::Range;

use groma_syntax::TokenKind;

use crate::piece::{PieceList, TokenPiece, opens};
use crate::spacing::apart;

/// The number of spaces that one step of indentation adds.
const STEP: u32 = 2;

/// The parts of a line as indexes of pieces: before the equals sign (`start..assign`), from it on (`..comment`), and the
/// comment (`..end`). A missing part is empty.
#[derive(Debug)]
struct LineParts {
    start: usize,
    assign: usize,
    comment: usize,
    end: usize,
    /// The number of brackets that the line opens, less those that it closes; those after the opening of a heredoc do not
    /// count.
    net: i64,
}

impl LineParts {
    /// Returns the indexes of the pieces before the equals sign.
    fn lead(&self) -> Range<usize> {
        self.start..self.assign
    }

    /// Returns the indexes of the pieces from the equals sign up to the comment.
    fn assignment(&self) -> Range<usize> {
        self.assign..self.comment
    }

    /// Returns the parts of the line that consists of the pieces from `start` to `end`.
    fn of(pieces: &[TokenPiece], start: usize, end: usize) -> LineParts {
        let is_comment = end - start > 1 && pieces[end - 1].kind == TokenKind::Comment;
        let comment = if is_comment { end - 1 } else { end };
        let (mut equal, mut before, mut after) = (comment, 0, 0);
        let mut in_heredoc = false;
        for (at, piece) in pieces.iter().enumerate().take(comment).skip(start) {
            match piece.kind {
                TokenKind::Equal if equal == comment && at > start => equal = at,
                TokenKind::HeredocOpen if equal == comment => in_heredoc = true,
                kind if equal < comment => after += opens(kind),
                kind if !in_heredoc => before += opens(kind),
                _ => {}
            }
        }
        // A value that continues on the next line is not aligned, so it is not a part of its own.
        if after == 0 {
            return LineParts { start, assign: equal, comment, end, net: before };
        }
        let heredoc = |piece: &TokenPiece| piece.kind == TokenKind::HeredocOpen;
        let counting = match pieces[start..comment].iter().position(heredoc) {
            Some(at) => &pieces[start..start + at],
            None => &pieces[start..comment],
        };
        let net = counting.iter().map(TokenPiece::opens).sum();
        LineParts { start, assign: comment, comment, end, net }
    }
}

/// Splits pieces into lines; the end of the text belongs to none.
fn lines(pieces: &[TokenPiece]) -> Vec<LineParts> {
    let last = pieces.len().saturating_sub(1);
    let mut lines = Vec::with_capacity(last / 6 + 1);
    let mut start = 0;
    for at in 0..last {
        if pieces[at].ends_line || at + 1 == last {
            lines.push(LineParts::of(pieces, start, at + 1));
            start = at + 1;
        }
    }
    lines
}

/// Sets the number of blanks before every piece except the end of the text, and returns the formatted text's length in bytes.
pub(crate) fn arrange(pieces: &mut PieceList<'_>) -> u64 {
    let lines = lines(&pieces.list);
    let (mut indent, mut run) = (IndentStack::default(), AlignedRun::default());
    for line in &lines {
        space(pieces, line.lead());
        space(pieces, line.assignment());
        let first = &mut pieces.list[line.start];
        first.gap = match first.kind {
            TokenKind::Newline => 0,
            _ => indent.step(line.net),
        };
        run.take(pieces, line.lead(), line.assignment());
    }
    run.close(pieces);
    // Comments follow the assignments, so they are aligned after those.
    for line in &lines {
        run.take(pieces, line.start..line.comment, line.comment..line.end);
    }
    run.close(pieces);
    pieces.list.iter().map(|piece| u64::from(piece.gap) + pieces.length(piece)).sum()
}

/// Sets the blanks between the pieces of one part of a line: one or none between each two.
fn space(pieces: &mut PieceList<'_>, part: Range<usize>) {
    let mut before = None;
    for right in part.skip(1) {
        let left = pieces.list[right - 1];
        let gap = u32::from(apart(pieces, before, &left, &pieces.list[right]));
        before = Some(left.ends_as());
        pieces.list[right].gap = gap;
    }
}

/// The lines with brackets that are still open, each with the number of brackets that it left open.
#[derive(Default)]
struct IndentStack {
    open: Vec<i64>,
}

impl IndentStack {
    /// Updates the stack for a line that opens `net` brackets, or closes them if negative, and returns the line's indentation
    /// in blanks, after its closing brackets. A line indents by one step however many brackets it opens.
    fn step(&mut self, net: i64) -> u32 {
        let mut closed = -net;
        while closed > 0
            && let Some(open) = self.open.last_mut()
        {
            let taken = closed.min(*open);
            closed -= taken;
            *open -= taken;
            if *open == 0 {
                self.open.pop();
            }
        }
        let blanks = STEP * self.open.len() as u32;
        if net > 0 {
            self.open.push(net);
        }
        blanks
    }
}

/// Consecutive lines with a part to align, such as the assignment: the index of the part's first piece, and the width before
/// it.
#[derive(Default)]
struct AlignedRun {
    parts: Vec<(usize, u64)>,
    widest: u64,
}

impl AlignedRun {
    /// Adds a line to the run, by the pieces before the part to align and those of the part; without such a part it ends the
    /// run.
    fn take(&mut self, pieces: &mut PieceList<'_>, before: Range<usize>, part: Range<usize>) {
        if part.is_empty() {
            return self.close(pieces);
        }
        let columns = |piece: &TokenPiece| u64::from(piece.gap) + pieces.columns(piece);
        let width = pieces.list[before].iter().map(columns).sum();
        self.widest = self.widest.max(width);
        self.parts.push((part.start, width));
    }

    /// Sets the blanks that align the run's lines at the part to align, such as the assignment, and starts a new run.
    fn close(&mut self, pieces: &mut PieceList<'_>) {
        for (at, width) in self.parts.drain(..) {
            pieces.list[at].gap = (self.widest - width + 1) as u32;
        }
        self.widest = 0;
    }
}
