//! What root names mean. A scope sees the whole reference, so it may answer for several steps at
//! once (an instance of a resource, a module's output) without building the value in between.

use std::collections::BTreeMap;
use std::sync::Arc;

use groma_value::Value;
use groma_value::schema::FunctionSignature;

use crate::Reference;
use crate::hint::is_same;

/// A scope: the meaning of root names.
pub trait Scope: Send + Sync {
    /// Returns the value of a reference, followed as far as the scope supports.
    fn lookup(&self, reference: &Reference) -> LookupResult;
    /// Returns a borrowed value and the number of literal steps used, if the scope holds the value. A shortcut that must agree
    /// with [`lookup`].
    ///
    /// [`lookup`]: Scope::lookup
    fn borrowed(&self, _reference: &Reference) -> Option<(&Value, usize)> {
        None
    }
    /// Returns every defined root name, sorted, for suggestions.
    fn root_names(&self) -> Vec<Arc<str>>;
    /// Returns the provider that `name` denotes in function calls.
    fn provider(&self, name: &str) -> ProviderName;
    /// Returns the known signature of a provider function whose implementation is not available.
    fn described(&self, _provider: &str, _function: &str) -> ProvidedSignature {
        ProvidedSignature::Unknown
    }
}

/// The known signature of a provider function whose implementation is not available.
#[derive(Clone, Debug)]
pub enum ProvidedSignature {
    /// Nothing.
    Unknown,
    /// The parameters and the result.
    As(Arc<FunctionSignature>),
    /// That there is none of that name. The sentence says which there are.
    Lacking(String),
}

/// The meaning of a provider name: built-in, without an implementation, or undeclared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ProviderName {
    /// The provider that every program has built in.
    BuiltIn {
        /// True if a function that it does not have may still come: its provider was not asked.
        unasked: bool,
    },
    /// A provider whose code is not at hand.
    Absent,
    /// Nothing. The sentence says what to do; without one there is no module.
    Undeclared(Option<String>),
    /// Nothing, which has been reported already.
    Reported,
}

/// The result of a lookup.
#[derive(Clone, Debug)]
pub enum LookupResult {
    /// A value.
    Found {
        /// The value after `used` steps.
        value: Value,
        /// The number of the reference's literal steps that are already applied.
        used: usize,
    },
    /// There is no such thing.
    Undefined(UndefinedName),
}

impl LookupResult {
    /// Returns the value of a root, without following steps.
    pub fn root(value: Value) -> LookupResult {
        LookupResult::Found { value, used: 0 }
    }

    /// Returns the undefined result for a type keyword used as a value.
    pub fn no_value_of_type_word(reference: &Reference) -> LookupResult {
        let word = &reference.root;
        let detail = format!(
            "`{word}` is a type, not a value: it can be used only in the type argument of `convert`. Quote it if a string is meant."
        );
        LookupResult::Undefined(UndefinedName { detail: Some(detail), ..UndefinedName::default() })
    }
}

/// An undefined name: an explanation, and the number of steps that were defined.
#[derive(Clone, Debug, Default)]
pub struct UndefinedName {
    /// The error and its remedy, in whole sentences; without it the evaluator says that the
    /// root does not exist and which root may be meant.
    pub detail: Option<String>,
    /// The number of steps after the root that belong to the undefined name.
    pub steps: usize,
    /// It has been reported already: the value is unknown and nothing more is said.
    pub reported: bool,
}

/// A scope that is a list of names and values.
#[derive(Clone, Default, Debug)]
pub struct NamedValues {
    /// In the order in which they came.
    entries: Vec<(Arc<str>, Value)>,
    /// The place where each stands.
    places: BTreeMap<Arc<str>, usize>,
}

impl NamedValues {
    /// Creates an empty scope.
    pub fn new() -> NamedValues {
        NamedValues::default()
    }

    /// Sets the value of a name.
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

    /// Returns the value of a name.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.places.get(name).map(|at| &self.entries[*at].1)
    }

    /// Returns the value of a reference's root, trying the hint first.
    #[inline]
    fn root(&self, reference: &Reference) -> Option<&Value> {
        match self.entries.get(reference.hint.guess()) {
            Some((name, value)) if is_same(name, &reference.root) => Some(value),
            _ => self.search(reference),
        }
    }

    /// Returns the value of a reference's root by search, updating the hint.
    #[inline(never)]
    fn search(&self, reference: &Reference) -> Option<&Value> {
        let at = reference.hint.find(|_| false, || self.places.get(&*reference.root).copied())?;
        self.entries.get(at).map(|(_, value)| value)
    }

    /// Iterates over names and values, sorted by name.
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

/// A scope of names that take precedence over the roots of another scope.
pub struct LayeredScope {
    /// The names that win.
    pub names: NamedValues,
    /// The scope below.
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
