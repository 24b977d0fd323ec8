//! Mocks: answers in place of a provider's, from mock files, for resources, data sources and outputs of modules. They apply
//! where nothing else is known; configured and recorded values take precedence.
#![forbid(unsafe_code)]

mod answer;
mod block;
pub mod codes;
mod draft;
mod fit;
mod read;
mod tree;

pub use answer::overrides;
pub use draft::{MockDraft, draft};
