//! Layout: the same code with the usual blanks, indentation and alignment. What is formatted twice
//! is what is formatted once, and nothing but blanks changes, unless [`OlderForms::New`] asks for more.
//!
//! It works on tokens in lines and not on the tree's nodes: that is what the reference programs do, and why `b-c` stays
//! a name and a list that closes two brackets on one line moves back by one step.
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
    /// They stay: only blanks change.
    Kept,
    /// Labels get quotes, `"${a}"` as a whole value becomes `a`, and types of variables lose theirs.
    New,
}

/// Returns the text of a file in the one layout of the formatter; `None` if the file has that layout already. The error is the
/// length that the text would have: alignment makes every line of a run as long as its longest.
///
/// # Errors
/// When the layout would take more than [`TEXT_LIMIT`] bytes.
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
