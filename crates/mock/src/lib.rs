//! Answers in place of those of providers: what mock files say of resources, data and outputs of modules. They are said
//! where nothing else is known; what is written in the code, or recorded, counts before them.
#![forbid(unsafe_code)]

mod address;
mod answer;
pub mod codes;
mod draft;
mod fit;
mod read;
mod says;
mod tree;

pub use answer::{MockedFacts, over};
pub use draft::{MockDraft, draft};
