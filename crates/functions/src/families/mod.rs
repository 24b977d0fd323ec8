//! The rows of all functions by family, each with its implementation. A new function is a row here and nothing else.
//! `equality`, `float` and `open` are not families: they compare elements, compute powers, and handle partly known arguments.

mod address;
mod assume;
mod charset;
mod choice;
mod conversion;
mod digest;
mod encode;
mod equality;
mod file;
mod float;
mod form;
mod given;
#[cfg(feature = "gzip")]
mod gzip;
mod json;
mod key;
#[cfg(not(feature = "gzip"))]
mod left_out;
mod map;
mod number;
mod open;
mod packer;
pub(crate) mod pattern;
mod print;
pub mod provider;
mod sensitivity;
mod sequence;
mod set;
mod string;
mod time;
mod yaml;

#[cfg(not(feature = "gzip"))]
use left_out::gzip;

pub use file::read as read_file;
pub use time::read_moment;

use crate::Function;

/// A family of related functions: its name, its subject as a heading in the reference, and its rows.
#[derive(Clone, Copy, Debug)]
pub struct FunctionFamily {
    /// The name: one word, which names the file here and the folder of the pages.
    pub name: &'static str,
    /// The subject of the functions, as the rest of the heading.
    pub about: &'static str,
    /// The rows of the functions, sorted by name.
    pub functions: &'static [Function],
}

/// Creates a family from its name, its subject and the rows of its functions.
const fn family(
    name: &'static str,
    about: &'static str,
    functions: &'static [Function],
) -> FunctionFamily {
    FunctionFamily { name, about, functions }
}

/// The table of all functions: every family with its rows, sorted by name.
pub const TABLE: &[FunctionFamily] = &[
    family("address", "IP addresses and prefixes", address::FUNCTIONS),
    family("assume", "promises about what is not known yet", assume::FUNCTIONS),
    family("charset", "text in other character sets", charset::FUNCTIONS),
    family("choice", "pick, count and test elements", choice::FUNCTIONS),
    family("conversion", "another type", conversion::FUNCTIONS),
    family("digest", "digests and UUIDs", digest::FUNCTIONS),
    family("encode", "base64, gzip, CSV, URLs", encode::FUNCTIONS),
    family("file", "files and their paths", file::FUNCTIONS),
    family("form", "expressions that are not evaluated as arguments are", form::FUNCTIONS),
    family(
        "given",
        "what is certain of an unknown value, in the givens of a page or a batch",
        given::FUNCTIONS,
    ),
    family("json", "JSON", json::FUNCTIONS),
    family("key", "private keys", key::FUNCTIONS),
    family("map", "maps and objects", map::FUNCTIONS),
    family("number", "numbers", number::FUNCTIONS),
    family("packer", "Packer's clock and secrets", packer::FUNCTIONS),
    family("pattern", "regular expressions and replacement", pattern::FUNCTIONS),
    family("print", "formatted text", print::FUNCTIONS),
    family("provider", "the provider that is built in", provider::FUNCTIONS),
    family("sensitivity", "sensitive and ephemeral values", sensitivity::FUNCTIONS),
    family("sequence", "lists and tuples", sequence::FUNCTIONS),
    family("set", "sets and products", set::FUNCTIONS),
    family("string", "text", string::FUNCTIONS),
    family("time", "dates and times", time::FUNCTIONS),
    family("yaml", "YAML", yaml::FUNCTIONS),
];
