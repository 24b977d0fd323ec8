//! The flow of a function: which part of its result comes from which argument. It is a property of the row, so that what
//! explains, compares or guesses values needs no list of names.

/// The relation between the parts of a function's result and its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResultFlow {
    /// Every part of the result depends on all arguments.
    Mixed,
    /// The first argument: a path leads to the same part in both.
    Same,
    /// The first argument as a list: a path leads to the same part in both.
    SameList,
    /// The elements of the first argument as a set, where no path of the argument leads.
    SameSet,
    /// The first argument that is neither null nor empty.
    FirstNonEmpty,
    /// The elements of all arguments, one argument after the other.
    Concatenated,
    /// The entries of all arguments; of equal keys the last.
    Merged,
    /// The element of the first argument by the key that is the second, or else the third.
    Lookup,
    /// The element of the first argument by the number that is the second, which starts over at the end.
    Element,
    /// The only element of the first argument.
    OnlyElement,
    /// The elements of the first argument, the last first.
    Reversed,
    /// The elements of the first argument from the number that is the second.
    Sliced,
    /// The values of the first argument, in the order of their keys.
    Values,
    /// The elements of the second argument, by the keys at the same positions of the first.
    Zipped,
    /// Some elements or keys of the arguments, in an order or a grouping of its own.
    Elements,
}

impl ResultFlow {
    /// Returns true if the argument's values determine which of them a result part comes from.
    pub fn needs_values(self) -> bool {
        match self {
            ResultFlow::FirstNonEmpty
            | ResultFlow::Concatenated
            | ResultFlow::Merged
            | ResultFlow::Lookup
            | ResultFlow::Element
            | ResultFlow::OnlyElement
            | ResultFlow::Reversed
            | ResultFlow::Sliced
            | ResultFlow::Values
            | ResultFlow::Zipped => true,
            ResultFlow::Mixed
            | ResultFlow::Same
            | ResultFlow::SameList
            | ResultFlow::SameSet
            | ResultFlow::Elements => false,
        }
    }

    /// Returns true if all strings in a result are strings in the arguments, possibly as keys.
    pub fn makes_no_texts(self) -> bool {
        match self {
            ResultFlow::SameList
            | ResultFlow::SameSet
            | ResultFlow::FirstNonEmpty
            | ResultFlow::Concatenated
            | ResultFlow::Lookup
            | ResultFlow::Element
            | ResultFlow::OnlyElement
            | ResultFlow::Reversed
            | ResultFlow::Sliced
            | ResultFlow::Elements => true,
            ResultFlow::Mixed
            | ResultFlow::Same
            | ResultFlow::Merged
            | ResultFlow::Values
            | ResultFlow::Zipped => false,
        }
    }
}
