//! Case mapping of one character to one character, as the references do it: a character whose
//! other form takes several characters (`ß`, `ﬁ`) stays.

/// The upper-case form.
pub(crate) fn simple_upper(c: char) -> char {
    one(c.to_uppercase(), c)
}

/// The lower-case form.
pub(crate) fn simple_lower(c: char) -> char {
    one(c.to_lowercase(), c)
}

/// The title-case form.
pub(crate) fn simple_title(c: char) -> char {
    simple_upper(c)
}

fn one(mut mapped: impl Iterator<Item = char>, c: char) -> char {
    match (mapped.next(), mapped.next()) {
        (Some(only), None) => only,
        _ => c,
    }
}
