//! The meaning of root names. A scope sees the whole reference, so it may follow several steps at once (an instance of a
//! resource, a module's output) without building the values in between.

use std::collections::BTreeMap;
use std::sync::Arc;

use groma_value::Value;
use groma_value::schema::FunctionSignature;

use crate::Reference;
use crate::hint::is_same;

/// A source of values for root names: resolves references, and the names of providers in function calls.
pub trait Scope: Send + Sync {
    /// Returns the value of a reference, with as many of its steps followed as the scope supports, or that it is undefined.
    fn lookup(&self, reference: &Reference) -> LookupResult;
    /// Returns a borrowed value and the number of literal steps that are followed already, if the scope stores the value. A
    /// shortcut that must agree with [`lookup`](Scope::lookup).
    fn borrowed(&self, _reference: &Reference) -> Option<(&Value, usize)> {
        None
    }
    /// Returns every defined root name, sorted; used for suggestions.
    fn root_names(&self) -> Vec<Arc<str>>;
    /// Returns the meaning of a provider's local name in calls of provider functions.
    fn provider(&self, name: &str) -> ProviderName;
    /// Returns the signature of a provider function whose implementation is not available.
    fn described(&self, _provider: &str, _function: &str) -> ProvidedSignature {
        ProvidedSignature::Unknown
    }
}

/// The signature of a provider function as far as it is known, for a provider whose implementation is not available.
#[derive(Clone, Debug)]
pub enum ProvidedSignature {
    /// Not known.
    Unknown,
    /// Known: the parameters and the result.
    As(Arc<FunctionSignature>),
    /// The provider has no such function; a sentence that lists its functions.
    Lacking(String),
}

/// The meaning of a provider's local name: built into the program, declared but not available, or undeclared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ProviderName {
    /// The provider that is part of the program itself.
    BuiltIn {
        /// True if a missing function is no error, because the provider's functions were not requested.
        unasked: bool,
    },
    /// A provider whose implementation is not available.
    Absent,
    /// Not declared. The sentence says what to do; `None` outside of a module.
    Undeclared(Option<String>),
    /// Not declared, which was reported already.
    Reported,
}

/// The result of looking up a reference in a scope: a value with the number of steps that are already followed, or that the name
/// is not defined.
#[derive(Clone, Debug)]
pub enum LookupResult {
    /// The reference is defined.
    Found {
        /// The value after `used` steps.
        value: Value,
        /// The number of the reference's literal steps that are already followed.
        used: usize,
    },
    /// The root, or a name in it, is not defined.
    Undefined(UndefinedName),
}

impl LookupResult {
    /// Returns the lookup result for the value of a root name, with no steps followed.
    pub fn root(value: Value) -> LookupResult {
        LookupResult::Found { value, used: 0 }
    }

    /// Returns the lookup result for a type keyword, such as `string`, that is used as a value: it is undefined.
    pub fn no_value_of_type_word(reference: &Reference) -> LookupResult {
        let word = &reference.root;
        let detail = format!(
            "`{word}` is a type, not a value: it can be used only in the type argument of `convert`. Quote it if a string is meant."
        );
        LookupResult::Undefined(UndefinedName { detail: Some(detail), ..UndefinedName::default() })
    }
}

/// A name that a scope does not define: the error message about it, and the number of steps after the root that the name
/// includes.
#[derive(Clone, Debug, Default)]
pub struct UndefinedName {
    /// The error and its remedy, in whole sentences; without it the evaluator says that the
    /// root does not exist and which root may be meant.
    pub detail: Option<String>,
    /// The number of steps after the root that belong to the undefined name.
    pub steps: usize,
    /// True if it was reported already: the value is unknown and nothing more is reported.
    pub reported: bool,
}

/// A scope that consists of a list of names and values.
#[derive(Clone, Default, Debug)]
pub struct NamedValues {
    /// The names and values in insertion order.
    entries: Vec<(Arc<str>, Value)>,
    /// The position of each name in `entries`.
    places: BTreeMap<Arc<str>, usize>,
}

impl NamedValues {
    /// Creates a scope that defines no names.
    pub fn new() -> NamedValues {
        NamedValues::default()
    }

    /// Adds a name with its value to the scope, or replaces the value of a name that it has.
    pub fn insert(&mut self, name: impl Into<Arc<str>>, value: Value) {
        let name = name.into();
        match self.places.get(&name) {
            Some(at) => self.entries[*at].1 = value,
            None => {
                self.places.insert(name.clone(), self.entries.len());
                self.entries.push((name, value));
            }
        }
    }

    /// Returns the value of a name; `None` if the scope does not have it.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.places.get(name).map(|at| &self.entries[*at].1)
    }

    /// Returns the value of a reference's root, trying first the position at which it was found most recently; `None` if the
    /// scope does not have it.
    #[inline]
    fn root(&self, reference: &Reference) -> Option<&Value> {
        match self.entries.get(reference.hint.guess()) {
            Some((name, value)) if is_same(name, &reference.root) => Some(value),
            _ => self.search(reference),
        }
    }

    /// Returns the value of a reference's root, found by its name, and stores its position for the next search; `None` if the
    /// scope does not have it.
    #[inline(never)]
    fn search(&self, reference: &Reference) -> Option<&Value> {
        let at = reference.hint.find(|_| false, || self.places.get(&*reference.root).copied())?;
        self.entries.get(at).map(|(_, value)| value)
    }

    /// Iterates over the names and their values, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&Arc<str>, &Value)> {
        self.places.iter().map(|(name, at)| (name, &self.entries[*at].1))
    }
}

impl<N: Into<Arc<str>>> FromIterator<(N, Value)> for NamedValues {
    fn from_iter<I: IntoIterator<Item = (N, Value)>>(names: I) -> NamedValues {
        let mut all = NamedValues::new();
        for (name, value) in names {
            all.insert(name, value);
        }
        all
    }
}

impl Scope for NamedValues {
    #[inline]
    fn borrowed(&self, reference: &Reference) -> Option<(&Value, usize)> {
        self.root(reference).map(|value| (value, 0))
    }

    fn lookup(&self, reference: &Reference) -> LookupResult {
        match self.root(reference) {
            Some(value) => LookupResult::root(value.clone()),
            None => LookupResult::Undefined(UndefinedName::default()),
        }
    }

    fn provider(&self, _: &str) -> ProviderName {
        ProviderName::Undeclared(None)
    }

    fn root_names(&self) -> Vec<Arc<str>> {
        self.places.keys().cloned().collect()
    }
}

/// A scope of names that take precedence over the root names of another scope.
pub struct LayeredScope {
    /// The names that take precedence.
    pub names: NamedValues,
    /// The scope for all other roots.
    pub below: Arc<dyn Scope>,
}

impl Scope for LayeredScope {
    fn borrowed(&self, reference: &Reference) -> Option<(&Value, usize)> {
        self.names.borrowed(reference).or_else(|| self.below.borrowed(reference))
    }

    fn lookup(&self, reference: &Reference) -> LookupResult {
        match self.names.root(reference) {
            Some(value) => LookupResult::root(value.clone()),
            None => self.below.lookup(reference),
        }
    }

    fn provider(&self, name: &str) -> ProviderName {
        self.below.provider(name)
    }

    fn described(&self, provider: &str, function: &str) -> ProvidedSignature {
        self.below.described(provider, function)
    }

    fn root_names(&self) -> Vec<Arc<str>> {
        let mut names = self.below.root_names();
        names.extend(self.names.root_names());
        names.sort();
        names.dedup();
        names
    }
}
