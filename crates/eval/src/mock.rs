//! Mocked results of functions that cannot be called: those of providers and of the network. The first mock whose arguments
//! agree counts. A value from a mock is known and carries a mark that names the mock.

use std::collections::BTreeMap;

use groma_syntax::Place;
use groma_value::{Mark, Marks, Str, Value, convert, ops};

use crate::{Cause, CauseAddress, CauseClass, CauseTable};

/// A mocked result of a function, for all calls or for certain arguments.
#[derive(Clone, Debug)]
pub struct FunctionMock {
    /// The arguments that it applies to; `None` for all calls.
    pub when: Option<Vec<Value>>,
    /// The mocked result.
    pub returns: Value,
    /// The place where the mock is written.
    pub place: Place,
}

/// The mocked results of functions by name, and of data sources by address: the two kinds of keys are never equal.
#[derive(Clone, Default, Debug)]
pub struct FunctionMocks(BTreeMap<Str, Vec<FunctionMock>>);

/// The result of looking up a function call in the mocks: a mocked value, that no mock applies, or that this depends on an
/// unknown argument.
#[derive(Clone, Debug)]
pub(crate) enum MockAnswer {
    /// The mocked result, with its mark.
    Value(Value),
    /// Unknown, because an argument that decides is unknown.
    Undecided,
    /// No mock applies.
    Nothing,
}

impl FunctionMocks {
    /// Returns the mocked value of the data source of the type `kind` with this name, or else of all data sources of its type,
    /// marked as mocked with a cause that is added to `causes`; `None` if neither is mocked.
    pub fn data(&self, kind: &str, name: &str, causes: &CauseTable) -> Option<Value> {
        let names = [format!("data.{kind}.{name}"), format!("data.{kind}")];
        names.iter().find_map(|name| match self.answer(name, &[], causes) {
            MockAnswer::Value(value) => Some(value),
            MockAnswer::Undecided | MockAnswer::Nothing => None,
        })
    }

    /// Returns true if no function or data source is mocked.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds a mock of a function; earlier mocks of it take precedence.
    pub fn push(&mut self, function: Str, mock: FunctionMock) {
        self.0.entry(function).or_default().push(mock);
    }

    /// Iterates over all mocks with the names of their functions.
    pub(crate) fn all(&self) -> impl Iterator<Item = (&str, &FunctionMock)> {
        self.0.iter().flat_map(|(name, mocks)| mocks.iter().map(|mock| (&**name, mock)))
    }

    /// Returns the result of the first mock that applies to a call of a function with these arguments, marked as mocked with the
    /// mock's cause, which is added to `causes`.
    pub(crate) fn answer(&self, function: &str, args: &[Value], causes: &CauseTable) -> MockAnswer {
        for mock in self.0.get(function).into_iter().flatten() {
            match mock.agrees(args) {
                Some(false) => continue,
                Some(true) => {}
                None => return MockAnswer::Undecided,
            }
            let mark = Mark::Mocked(causes.intern(mock.cause(function)));
            return MockAnswer::Value(mock.returns.mark(&Marks::one(mark)));
        }
        MockAnswer::Nothing
    }
}

impl FunctionMock {
    /// Returns the cause for values that come from this mock; `name` is the function's name or the data source's address.
    pub(crate) fn cause(&self, name: &str) -> Cause {
        let (kind, address) = match name.starts_with("data.") {
            true => ("data", CauseAddress::other(name)),
            false => ("function", CauseAddress::function(name)),
        };
        Cause { class: CauseClass::Mocked, kind, address, place: Some(self.place) }
    }

    /// Returns true if the mock applies to these arguments; `None` if that depends on an unknown argument.
    fn agrees(&self, args: &[Value]) -> Option<bool> {
        let Some(when) = &self.when else { return Some(true) };
        if when.len() != args.len() {
            return Some(false);
        }
        let mut certain = true;
        for (wanted, arg) in when.iter().zip(args) {
            let (arg, _) = arg.unmark_deep();
            let Ok(wanted) = convert(wanted, &arg.ty()) else { return Some(false) };
            match ops::equal(&wanted, &arg).bare() {
                Value::Bool(true) => {}
                Value::Bool(false) => return Some(false),
                _ => certain = false,
            }
        }
        certain.then_some(true)
    }
}
