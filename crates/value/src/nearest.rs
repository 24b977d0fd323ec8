//! Suggestions for mistyped names. Only small mistakes are corrected: a wrong suggestion is worse than none.

/// Maximum edit distance in letters between a mistyped name and its suggestion.
const MAX_DISTANCE: usize = 2;

/// Maximum length in characters of a mistyped name for which a suggestion is searched.
const MAX_LENGTH: usize = 64;

/// Returns the candidate most similar to `name`, ignoring ASCII case; of equally similar ones the first, `None` if none is
/// similar enough.
pub fn nearest<'n>(name: &str, candidates: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let name: Vec<char> =
        name.chars().map(|c| c.to_ascii_lowercase()).take(MAX_LENGTH + 1).collect();
    // A short name is similar to any other, so at least half of its letters must match.
    let mut bound = MAX_DISTANCE.min(name.len() / 2) + 1;
    let mut best = None;
    let mut rows = DistanceRows::default();
    for candidate in candidates {
        // A much longer candidate is skipped without counting: a character has at most four bytes.
        if name.is_empty()
            || name.len() > MAX_LENGTH
            || candidate.len() > 4 * (name.len() + MAX_DISTANCE)
        {
            continue;
        }
        let distance = rows.distance(&name, candidate);
        if distance < bound {
            bound = distance;
            best = Some(candidate);
        }
    }
    best
}

/// The working memory of edit distances: three rows of the table and the letters of one name, reused between names.
#[derive(Default)]
struct DistanceRows {
    other: Vec<char>,
    rows: [Vec<usize>; 3],
}

impl DistanceRows {
    /// Returns the edit distance of two names: the number of insertions, deletions, replacements and swaps of adjacent letters;
    /// `usize::MAX` if the lengths differ by more than [`MAX_DISTANCE`]. `name` is in lower case, case in `other` is ignored.
    fn distance(&mut self, name: &[char], other: &str) -> usize {
        let DistanceRows { other: letters, rows } = self;
        letters.clear();
        letters.extend(other.chars().map(|c| c.to_ascii_lowercase()));
        if name.len().abs_diff(letters.len()) > MAX_DISTANCE {
            return usize::MAX;
        }
        for row in rows.iter_mut() {
            row.clear();
            row.extend(0..=letters.len());
        }
        for (i, a) in name.iter().enumerate() {
            let [before, last, row] = rows;
            row[0] = i + 1;
            for (j, b) in letters.iter().enumerate() {
                let mut least = last[j] + usize::from(a != b);
                least = least.min(last[j + 1] + 1).min(row[j] + 1);
                if i > 0 && j > 0 && *a == letters[j - 1] && name[i - 1] == *b {
                    least = least.min(before[j - 1] + 1);
                }
                row[j + 1] = least;
            }
            rows.rotate_left(1);
        }
        rows[1][letters.len()]
    }
}

#[cfg(test)]
mod tests {
    use super::nearest;

    /// Tests that names with few wrong letters get a suggestion.
    #[test]
    fn offers_small_slips_only() {
        assert_eq!(nearest("regoin", ["region", "zone"]), Some("region"));
        assert_eq!(nearest("nmae", ["name"]), Some("name"));
        assert_eq!(nearest("resuorce", ["resource", "variable"]), Some("resource"));
        assert_eq!(nearest("REGION", ["region"]), Some("region"));
        assert_eq!(nearest("varfile", ["var", "var-file"]), Some("var-file"));
        assert_eq!(nearest("größe", ["grösse", "masse"]), Some("grösse"));
    }

    /// Tests that dissimilar, very short and very long names get no suggestion.
    #[test]
    fn offers_nothing_far() {
        assert_eq!(nearest("nothing_like", ["region"]), None);
        assert_eq!(nearest("x", ["y", "z"]), None);
        assert_eq!(nearest("", ["y", ""]), None);
        assert_eq!(nearest("dialect", ["var", "json"]), None);
        assert_eq!(nearest(&"a".repeat(65), [&*"a".repeat(65)]), None);
    }
}
