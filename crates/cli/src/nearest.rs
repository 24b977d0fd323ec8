//! Which word was perhaps meant. Only near ones count: a suggestion that is far off is worse than none.

/// The nearest of the words, if one is near enough.
pub(crate) fn nearest<'w>(typed: &str, words: impl Iterator<Item = &'w str>) -> Option<&'w str> {
    let typed: Vec<char> = typed.chars().take(40).collect();
    let near = words.map(|word| (steps(&typed, &word.chars().collect::<Vec<_>>()), word));
    // Of equally near words the first row wins.
    let (steps, word) = near.min_by_key(|(steps, _)| *steps)?;
    (steps <= 2 && steps < typed.len()).then_some(word)
}

/// How many letters to add, drop, change or swap with their neighbour make one word into the other.
fn steps(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let change = last[j] + usize::from(x != y);
            let mut least = change.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *x == b[j - 1] && a[i - 1] == *y {
                least = least.min(before[j - 1] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn near_words_only() {
        let words = ["var", "var-file", "json", "e"];
        let near = |typed| nearest(typed, words.into_iter());
        assert_eq!(near("vra"), Some("var"));
        assert_eq!(near("varfile"), Some("var-file"));
        assert_eq!(near("jsno"), Some("json"));
        assert_eq!(near("x"), None);
        assert_eq!(near("dialect"), None);
    }
}
