//! What is known about resources from elsewhere: a state, a provider, a plan. Without facts a
//! resource is what is written in it, and the rest is unknown.

use groma_folder::Mode;
use groma_value::Value;

/// A question about one instance of a resource.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The address, with every instance key: `module.a[0].aws_instance.web["x"]`.
    pub address: &'a str,
    /// What kind of object it is.
    pub mode: Mode,
    /// Its type.
    pub kind: &'a str,
    /// The arguments that are written, as an object. Nested blocks are lists of objects.
    pub config: &'a Value,
}

/// The answer.
#[derive(Clone, Debug)]
pub enum Fact {
    /// The whole object.
    Ready(Value),
    /// It was asked for and could not be had, for this reason: a sentence that starts in lower
    /// case.
    Failed(String),
    /// Nothing is known beyond what is written.
    Unanswered,
}

/// Who answers for resources. It may be asked in any order and about the same instance again.
pub trait Facts: Send + Sync {
    /// What the instance is.
    fn resource(&self, request: &Request<'_>) -> Fact;
}

/// Nothing is known.
#[derive(Clone, Copy, Default, Debug)]
pub struct NoFacts;

impl Facts for NoFacts {
    fn resource(&self, _request: &Request<'_>) -> Fact {
        Fact::Unanswered
    }
}
