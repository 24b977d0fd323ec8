//! Formatter: the same code with the usual blanks, indentation and alignment. Formatting a formatted text changes nothing, and
//! only blanks change, unless [`OlderForms::New`] asks for more.
//!
//! It works on tokens in lines and not on the tree's nodes, as the reference programs do: therefore `b-c` stays a name, and a
//! line that closes two brackets of one line moves back by one step.
#![forbid(unsafe_code)]

mod bytes;
pub mod codes;
mod gather;
mod label;
mod layout;
mod piece;
mod renew;
mod spacing;

pub use bytes::{UnreadableText, format_bytes};

use groma_syntax::{Parse, TEXT_LIMIT};

/// The treatment of older notations that have a newer equivalent, such as `"${a}"`: kept or rewritten.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OlderForms {
    /// Older notations are kept: only blanks change.
    Kept,
    /// Labels get quotes, `"${a}"` as a whole value becomes `a`, and types of variables lose their quotes.
    New,
}

/// Returns the formatted text of a file, with older notations kept or rewritten as `forms` says, or `None` if the file is
/// formatted already; the error is the length in bytes that the text would have, if too long: alignment makes every line of a run
/// as long as its longest.
///
/// # Errors
/// If the formatted text would have more than [`TEXT_LIMIT`] bytes.
pub fn format(parse: &Parse, forms: OlderForms) -> Result<Option<String>, u64> {
    let mut pieces = gather::pieces(parse, forms);
    let length = layout::arrange(&mut pieces);
    if length > TEXT_LIMIT as u64 {
        return Err(length);
    }
    let text = parse.tree.text();
    let is_same = length == text.len() as u64 && pieces.is_source();
    Ok((!is_same).then(|| pieces.write(length as usize)))
}
