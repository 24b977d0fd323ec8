//! Layered graph layout: boxes in columns, so that edges lead to the right, ordered within each column to reduce crossings, and
//! vertically close to their neighbours. Edges have no places of their own, so the cost grows with boxes and edges alone. No step
//! recurses. Lengths are pixels.

/// Horizontal space between two columns, in SVG units.
const COLUMN_GAP: f64 = 56.0;

/// Vertical space between two boxes of a column, in SVG units.
const ROW_GAP: f64 = 12.0;

/// Number of passes over all columns, both when boxes are ordered within columns and when their heights are computed.
const SWEEPS: usize = 8;

/// The width and the height of a box.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct BoxSize {
    pub(super) width: f64,
    pub(super) height: f64,
}

/// The positions of boxes: the upper left corner of each, and the total size.
#[derive(Debug)]
pub(super) struct PlacedBoxes {
    pub(super) corners: Vec<(f64, f64)>,
    pub(super) size: BoxSize,
}

/// Computes the positions of boxes of these sizes; `edges` are pairs of box indices.
pub(super) fn place(boxes: &[BoxSize], edges: &[(usize, usize)]) -> PlacedBoxes {
    let mut edges: Vec<(usize, usize)> =
        edges.iter().copied().filter(|(from, to)| from != to).collect();
    edges.sort_unstable();
    edges.dedup();
    let mut is_tied = vec![false; boxes.len()];
    edges.iter().for_each(|(from, to)| (is_tied[*from], is_tied[*to]) = (true, true));
    let mut placed =
        PlacedBoxes { corners: vec![(0.0, 0.0); boxes.len()], size: BoxSize::default() };
    if !edges.is_empty() {
        BoxColumns::of(boxes, &edges, &is_tied).place(boxes, &mut placed);
    }
    let loose: Vec<usize> = (0..boxes.len()).filter(|at| !is_tied[*at]).collect();
    shelve(boxes, &loose, &mut placed);
    placed
}

/// Places the boxes with the indices `loose`, which have no edges, in rows below the others.
fn shelve(boxes: &[BoxSize], loose: &[usize], placed: &mut PlacedBoxes) {
    let area: f64 =
        loose.iter().map(|at| (boxes[*at].width + ROW_GAP) * (boxes[*at].height + ROW_GAP)).sum();
    let width = placed.size.width.max((area * 1.6).sqrt());
    let mut corner = (0.0, placed.size.height);
    if placed.size.height > 0.0 && !loose.is_empty() {
        corner.1 += 2.0 * ROW_GAP;
    }
    let mut row_height: f64 = 0.0;
    for at in loose {
        let size = boxes[*at];
        if corner.0 > 0.0 && corner.0 + size.width > width {
            corner = (0.0, corner.1 + row_height + ROW_GAP);
            row_height = 0.0;
        }
        placed.corners[*at] = corner;
        row_height = row_height.max(size.height);
        placed.size.width = placed.size.width.max(corner.0 + size.width);
        placed.size.height = corner.1 + row_height;
        corner.0 += size.width + ROW_GAP;
    }
}

/// Lists of neighbours by box index: for each box, the boxes at the other ends of its edges in one direction.
struct BoxNeighbours(Vec<Vec<usize>>);

impl BoxNeighbours {
    /// Collects the neighbours from pairs of a box and its neighbour.
    fn new(count: usize, pairs: impl Iterator<Item = (usize, usize)>) -> BoxNeighbours {
        let mut lists = vec![Vec::new(); count];
        pairs.for_each(|(of, neighbour)| lists[of].push(neighbour));
        BoxNeighbours(lists)
    }

    /// Returns the mean of `worth`, a number for each box, over the neighbours of one box; `None` without neighbours.
    fn mean(&self, of: usize, worth: &[f64]) -> Option<f64> {
        let list = &self.0[of];
        let sum: f64 = list.iter().map(|one| worth[*one]).sum();
        (!list.is_empty()).then(|| sum / list.len() as f64)
    }
}

/// The boxes that have edges, in columns from left to right, with the neighbours of each box in earlier and later columns.
struct BoxColumns {
    columns: Vec<Vec<usize>>,
    left: BoxNeighbours,
    right: BoxNeighbours,
}

impl BoxColumns {
    /// Assigns each box that has edges, true in `is_tied`, to a column, so that every edge outside a cycle leads to a later
    /// column.
    fn of(boxes: &[BoxSize], edges: &[(usize, usize)], is_tied: &[bool]) -> BoxColumns {
        let count = boxes.len();
        let ahead = BoxNeighbours::new(count, edges.iter().copied());
        let (order, forward) = forward(&ahead, is_tied);
        let right = BoxNeighbours::new(count, forward.iter().copied());
        let left = BoxNeighbours::new(count, forward.iter().map(|(from, to)| (*to, *from)));
        let mut column = vec![0_usize; count];
        for at in &order {
            for to in &right.0[*at] {
                column[*to] = column[*to].max(column[*at] + 1);
            }
        }
        // A box without incoming edges is placed next to the first column that it leads to.
        for at in &order {
            if left.0[*at].is_empty()
                && let Some(nearest) = right.0[*at].iter().map(|to| column[*to]).min()
            {
                column[*at] = nearest.saturating_sub(1);
            }
        }
        let last = order.iter().map(|at| column[*at]).max().unwrap_or(0);
        let mut columns = vec![Vec::new(); last + 1];
        order.iter().for_each(|at| columns[column[*at]].push(*at));
        BoxColumns { columns, left, right }
    }

    /// Computes the upper left corner of every box in the columns and stores it in `placed`.
    fn place(mut self, boxes: &[BoxSize], placed: &mut PlacedBoxes) {
        self.sort(boxes.len());
        let heights = self.heights(boxes);
        let top = |at: usize| heights[at] - boxes[at].height / 2.0;
        let least = self.columns.iter().flatten().map(|at| top(*at)).fold(f64::INFINITY, f64::min);
        let mut x = 0.0;
        for column in &self.columns {
            let widest = column.iter().map(|at| boxes[*at].width).fold(0.0, f64::max);
            for at in column {
                let y = (top(*at) - least).round();
                placed.corners[*at] = (x, y);
                placed.size.height = placed.size.height.max(y + boxes[*at].height);
            }
            placed.size.width = x + widest;
            x += widest + COLUMN_GAP;
        }
    }

    /// Orders the boxes of each column by the mean positions of their neighbours, in alternating sweeps, so that few edges
    /// cross; `count` is the number of all boxes.
    fn sort(&mut self, count: usize) {
        let mut spot = vec![0.5; count];
        let note = |column: &[usize], spot: &mut [f64]| {
            for (place, at) in column.iter().enumerate() {
                spot[*at] = (place as f64 + 0.5) / column.len() as f64;
            }
        };
        self.columns.iter().for_each(|column| note(column, &mut spot));
        let last = self.columns.len();
        for sweep in 0..SWEEPS {
            let side = if sweep % 2 == 0 { &self.left } else { &self.right };
            for step in 0..last {
                let at = if sweep % 2 == 0 { step } else { last - 1 - step };
                let column = &mut self.columns[at];
                let mut keyed: Vec<(f64, usize)> = column
                    .iter()
                    .map(|one| (side.mean(*one, &spot).unwrap_or(spot[*one]), *one))
                    .collect();
                keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
                column.iter_mut().zip(keyed).for_each(|(one, (_, other))| *one = other);
                note(column, &mut spot);
            }
        }
    }

    /// Returns the vertical centre of each box: as close to the mean of its neighbours as the order allows.
    fn heights(&self, boxes: &[BoxSize]) -> Vec<f64> {
        let mut middle = vec![0.0; boxes.len()];
        for column in &self.columns {
            let total: f64 = column.iter().map(|at| boxes[*at].height + ROW_GAP).sum();
            let mut top = -total / 2.0;
            for at in column {
                middle[*at] = top + boxes[*at].height / 2.0;
                top += boxes[*at].height + ROW_GAP;
            }
        }
        let last = self.columns.len();
        for sweep in 0..SWEEPS {
            let side = if sweep % 2 == 0 { &self.right } else { &self.left };
            for step in 0..last {
                let at = if sweep % 2 == 0 { last - 1 - step } else { step };
                settle(&self.columns[at], boxes, side, &mut middle);
            }
        }
        middle
    }
}

/// Moves each box of a column, by changing its vertical centre in `middle`, towards the mean of its neighbours in `side`, with
/// the least sum of squared distances and without changing the order. Boxes that would overlap are merged into a block that
/// moves as one.
fn settle(column: &[usize], boxes: &[BoxSize], side: &BoxNeighbours, middle: &mut [f64]) {
    // A block: the sum of its boxes' desired positions, less the space before each, and their number.
    let mut piles: Vec<(f64, usize)> = Vec::new();
    let mut before = Vec::with_capacity(column.len());
    let mut room = 0.0;
    for (place, at) in column.iter().enumerate() {
        if place > 0 {
            room += (boxes[column[place - 1]].height + boxes[*at].height) / 2.0 + ROW_GAP;
        }
        before.push(room);
        let wanted = side.mean(*at, middle).unwrap_or(middle[*at]);
        let mut pile = (wanted - room, 1);
        while let Some((sum, count)) = piles.last().copied()
            && sum / count as f64 >= pile.0 / pile.1 as f64
        {
            piles.pop();
            pile = (pile.0 + sum, pile.1 + count);
        }
        piles.push(pile);
    }
    let starts =
        piles.iter().flat_map(|(sum, count)| std::iter::repeat_n(sum / *count as f64, *count));
    for ((at, room), start) in column.iter().zip(before).zip(starts) {
        middle[*at] = start + room;
    }
}

/// Returns the boxes that have edges, true in `is_tied`, in topological order, and all edges without those that close a cycle;
/// `ahead` has for each box those to which its edges lead.
fn forward(ahead: &BoxNeighbours, is_tied: &[bool]) -> (Vec<usize>, Vec<(usize, usize)>) {
    /// The state of a box in the depth-first search: not visited, on the current path, or finished.
    #[derive(Clone, Copy, PartialEq)]
    enum VisitMark {
        New,
        Open,
        Done,
    }
    let count = is_tied.len();
    let mut led_to = vec![false; count];
    ahead.0.iter().flatten().for_each(|to| led_to[*to] = true);
    let (mut mark, mut order, mut edges) = (vec![VisitMark::New; count], Vec::new(), Vec::new());
    let mut calls: Vec<(usize, usize)> = Vec::new();
    // Boxes without incoming edges come first; the remaining ones are in cycles or behind them.
    let begins = (0..count).filter(|at| !led_to[*at]).chain((0..count).filter(|at| led_to[*at]));
    for root in begins.filter(|at| is_tied[*at]) {
        if mark[root] != VisitMark::New {
            continue;
        }
        mark[root] = VisitMark::Open;
        calls.push((root, 0));
        while let Some((node, at)) = calls.pop() {
            let Some(to) = ahead.0[node].get(at).copied() else {
                mark[node] = VisitMark::Done;
                order.push(node);
                continue;
            };
            calls.push((node, at + 1));
            if mark[to] != VisitMark::Open {
                edges.push((node, to));
            }
            if mark[to] == VisitMark::New {
                mark[to] = VisitMark::Open;
                calls.push((to, 0));
            }
        }
    }
    order.reverse();
    (order, edges)
}

#[cfg(test)]
mod tests {
    use super::{BoxSize, place};

    /// Returns `count` boxes of the same height and of different widths.
    fn boxes(count: usize) -> Vec<BoxSize> {
        (0..count).map(|at| BoxSize { width: 40.0 + (at % 7) as f64, height: 20.0 }).collect()
    }

    /// Asserts that no two boxes overlap at these corners.
    fn assert_apart(boxes: &[BoxSize], corners: &[(f64, f64)]) {
        for (a, (ax, ay)) in corners.iter().enumerate() {
            for (b, (bx, by)) in corners.iter().enumerate().take(a) {
                let apart = ax + boxes[a].width <= *bx
                    || bx + boxes[b].width <= *ax
                    || ay + boxes[a].height <= *by
                    || by + boxes[b].height <= *ay;
                assert!(apart, "{a} and {b} lie over each other");
            }
        }
    }

    /// Tests that boxes do not overlap and that edges without cycles lead to the right.
    #[test]
    fn boxes_lie_apart_and_edges_lead_to_the_right() {
        let boxes = boxes(60);
        let edges: Vec<(usize, usize)> =
            (1..50).flat_map(|at| [(at, at / 2), (at, at * 7 % at)]).collect();
        let placed = place(&boxes, &edges);
        assert_apart(&boxes, &placed.corners);
        for (from, to) in edges.iter().filter(|(from, to)| from != to) {
            assert!(placed.corners[*from].0 < placed.corners[*to].0);
        }
    }

    /// Tests that boxes in cycles, and with edges to themselves, do not overlap.
    #[test]
    fn rings_and_loops_have_a_place() {
        let boxes = boxes(4);
        let placed = place(&boxes, &[(0, 1), (1, 2), (2, 0), (3, 3)]);
        assert_apart(&boxes, &placed.corners);
        assert!(place(&[], &[]).corners.is_empty());
    }
}
