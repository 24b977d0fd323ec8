//! The name that was probably meant. Only names at a small distance are offered: a wrong guess is
//! worse than none.

/// The candidate nearest to `name`, if it is near enough; of equally near ones the first.
pub(crate) fn nearest<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let bound = best.map_or(3, |(distance, _)| distance);
        if candidate.len().abs_diff(name.len()) >= bound * 4 {
            continue;
        }
        let distance = distance(name, candidate);
        // A short name is near to everything; at least half of it has to be right.
        if distance < bound && distance * 2 <= name.chars().count() {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// A sentence that offers the nearest candidate, with a blank before it; empty if none is near.
pub fn did_you_mean<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    match nearest(name, candidates) {
        Some(near) => format!(" Did you mean \"{near}\"?"),
        None => String::new(),
    }
}

/// How many single letters have to be put in, taken out, replaced or swapped with a neighbour.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    let mut last = None;
    for (i, x) in a.chars().enumerate() {
        let mut next = vec![i + 1];
        for (j, &y) in b.iter().enumerate() {
            let mut cost = (row[j] + usize::from(x != y)).min(row[j + 1] + 1).min(next[j] + 1);
            if j > 0 && last == Some(y) && b[j - 1] == x {
                cost = cost.min(before[j - 1] + 1);
            }
            next.push(cost);
        }
        before = std::mem::replace(&mut row, next);
        last = Some(x);
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offers_small_slips_only() {
        assert_eq!(nearest("regoin", ["region", "zone"]), Some("region"));
        assert_eq!(nearest("nmae", ["name"]), Some("name"));
        assert_eq!(nearest("nothing_like", ["region"]), None);
        assert_eq!(nearest("x", ["y", "z"]), None);
        assert_eq!(nearest("resuorce", ["resource", "variable"]), Some("resource"));
    }
}
