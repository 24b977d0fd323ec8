//! Detection of texts on which the YAML parser would panic: a tag directly before a comma in brackets (`[!tag, 1]`). Only the
//! parser knows if a `!` begins a tag, so it parses the text with a space before each such comma.

use libyaml_safer::{EventData, Parser};

use super::read::next;

/// Returns an error message for a text on which the YAML parser would panic; `None` for any other text.
pub(super) fn panic_risk(text: &str) -> Option<String> {
    let tags = tags_before_commas(text);
    if tags.is_empty() {
        return None;
    }
    let mut spaced = String::with_capacity(text.len() + tags.len());
    let mut starts = Vec::with_capacity(tags.len());
    let mut from = 0;
    for (start, end) in tags {
        starts.push(spaced.len() + (start - from));
        spaced.push_str(&text[from..end]);
        spaced.push(' ');
        from = end;
    }
    spaced.push_str(&text[from..]);
    first_error(&spaced, &starts)
}

/// Returns the byte ranges of possible tags directly before a comma, from `!` to the comma.
fn tags_before_commas(text: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(start) = text[from..].find('!').map(|at| from + at) {
        let rest = &text[start..];
        let verbatim = rest.starts_with("!<");
        let ends = |c: char| match c {
            '>' => verbatim,
            ',' | '[' | ']' | '{' | '}' => !verbatim,
            c => c.is_whitespace(),
        };
        let mut end = start + rest.find(ends).unwrap_or(rest.len());
        if text[end..].starts_with('>') {
            end += 1;
        }
        if text[end..].starts_with(',') {
            found.push((start, end));
        }
        from = end.max(start + 1);
    }
    found
}

/// Parses a text with the YAML parser and returns its first error, or a message about the first tag that begins at one of the
/// offsets `starts`; `None` without either.
fn first_error(text: &str, starts: &[usize]) -> Option<String> {
    let mut bytes = text.as_bytes();
    let mut parser = Parser::new();
    parser.set_input_string(&mut bytes);
    loop {
        let event = match next(&mut parser) {
            Ok(event) => event,
            Err(why) => return Some(why),
        };
        let tagged = match &event.data {
            EventData::StreamEnd => return None,
            EventData::Scalar { tag, .. }
            | EventData::SequenceStart { tag, .. }
            | EventData::MappingStart { tag, .. } => tag.is_some(),
            _ => false,
        };
        let place = usize::try_from(event.start_mark.index).unwrap_or(usize::MAX);
        let nearest = starts.get(starts.partition_point(|start| *start < place));
        if tagged && nearest.is_some_and(|start| begins_at(text, place, *start)) {
            let line = event.start_mark.line + 1;
            return Some(format!(
                "at line {line}, a tag has a comma right after it; put a space between them"
            ));
        }
    }
}

/// Returns true if a tag at the offset `start` belongs to the value whose parser event begins at the offset `place`: only an
/// anchor may be between them.
fn begins_at(text: &str, place: usize, start: usize) -> bool {
    let before = text.get(place..start);
    place == start
        || before
            .is_some_and(|before| before.starts_with('&') && before.split_whitespace().count() == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests that texts on which the parser would panic are errors.
    #[test]
    fn tags_before_commas_are_refused() {
        for text in [
            "[!tag, 1]",
            "[!, 1]",
            "[!!str, 1]",
            "{a: !!str, b: 1}",
            "[!<tag:yaml.org,2002:str>, 1]",
            "[&a !t, 1]",
            "[1, 2, !t,3]",
            "a: [x, {b: !t, c: 1}]",
        ] {
            assert!(panic_risk(text).is_some(), "{text}");
        }
    }

    /// Tests that other texts with exclamation marks and commas are accepted.
    #[test]
    fn other_texts_are_left_alone() {
        for text in [
            "a: b !t, c",
            "a: |\n  [!t, 1]\n",
            "# [!t, 1]\na: 1",
            "['!t, 1']",
            "[\"!t, 1\"]",
            "!t \"a !t, b\"",
            "- wow!, he said",
            "a!<b c: [1, 2]>",
        ] {
            assert_eq!(panic_risk(text), None, "{text}");
        }
    }
}
