//! Comments that were written for tflint: whoever has answered a finding there has answered ours. They count for the rules
//! that both have, also where they name all.

/// The rules that both have: its name, and those of ours.
const RULES: [(&str, &[&str]); 6] = [
    ("terraform_deprecated_index", &["legacy-index"]),
    ("terraform_deprecated_interpolation", &["lone-interpolation"]),
    ("terraform_deprecated_lookup", &["lookup-without-default"]),
    ("terraform_empty_list_equality", &["settled-condition"]),
    ("terraform_map_duplicate_keys", &["repeated-key"]),
    ("terraform_unused_declarations", &["unused-data", "unused-local", "unused-variable"]),
];

/// Whether a comment on a line says that a rule of ours is left out there.
pub(crate) fn ignores(line: &str, name: &str) -> bool {
    names(line, "tflint-ignore:").is_some_and(|names| has(names, name))
}

/// Whether the first line of a file says so of the whole file.
pub(crate) fn ignores_in_file(first: &str, name: &str) -> bool {
    names(first, "tflint-ignore-file:").is_some_and(|names| has(names, name))
}

/// What a comment names behind a word.
fn names<'l>(line: &'l str, word: &str) -> Option<&'l str> {
    let (before, names) = line.split_once(word)?;
    ["#", "//", "/*"].iter().any(|sign| before.contains(sign)).then_some(names)
}

fn has(names: &str, name: &str) -> bool {
    // A reason may follow each name.
    let words = names.split(',').filter_map(|one| one.split_whitespace().next());
    words.into_iter().any(|word| {
        let is_meant = |rule: &str| word == "all" || word == rule;
        RULES.iter().any(|(rule, own)| is_meant(rule) && own.contains(&name))
    })
}
