//! Lines: how far each is indented, and which of their parts stand below each other. Only the blanks before pieces are
//! set here.
//!
//! A line has up to three parts: what leads, the assignment from its `=` on, and the comment that ends it. Assignments
//! of lines that follow each other align, and so do comments.

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
    /// The difference between open brackets after it and before; what stands behind the opening of a heredoc
    /// does not count.
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

    /// Splits the pieces of one line into its parts.
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
        // A value that goes on in the next line is not aligned, and is no part of its own.
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

/// Sets the number of blanks before every piece except the end, and returns the total length of the text in bytes.
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
    // Comments stand behind what is assigned, so they align when all of that does.
    for line in &lines {
        run.take(pieces, line.start..line.comment, line.comment..line.end);
    }
    run.close(pieces);
    pieces.list.iter().map(|piece| u64::from(piece.gap) + pieces.length(piece)).sum()
}

/// Sets one blank or none between each two pieces of one part of a line.
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
    /// Updates the stack for a line and returns its indentation in steps, that after its closing brackets. A line indents by
    /// one step however many brackets it opens.
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

/// Consecutive lines with a part to align, such as the equals sign: where that part begins in each, and the width before it.
#[derive(Default)]
struct AlignedRun {
    parts: Vec<(usize, u64)>,
    widest: u64,
}

impl AlignedRun {
    /// Adds a line to the run; ends the run at a line without the part to align.
    fn take(&mut self, pieces: &mut PieceList<'_>, before: Range<usize>, part: Range<usize>) {
        if part.is_empty() {
            return self.close(pieces);
        }
        let columns = |piece: &TokenPiece| u64::from(piece.gap) + pieces.columns(piece);
        let width = pieces.list[before].iter().map(columns).sum();
        self.widest = self.widest.max(width);
        self.parts.push((part.start, width));
    }

    /// Aligns the parts of the run's lines and starts a new run.
    fn close(&mut self, pieces: &mut PieceList<'_>) {
        for (at, width) in self.parts.drain(..) {
            pieces.list[at].gap = (self.widest - width + 1) as u32;
        }
        self.widest = 0;
    }
}
