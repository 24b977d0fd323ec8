//! The flow of a function: which part of its result comes from which argument. It is a column of the function's row, so that
//! code that explains, compares or guesses values needs no list of names.

/// The origin of the parts of a function's result in its arguments, such as the elements of the first one in reverse order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResultFlow {
    /// Every part of the result depends on all arguments.
    Mixed,
    /// The result is the first argument: a path leads to the same part in both.
    Same,
    /// The result is the first argument as a list: a path leads to the same part in both.
    SameList,
    /// The elements of the first argument as a set, whose elements no path of the argument identifies.
    SameSet,
    /// The result is the first argument that is neither null nor empty.
    FirstNonEmpty,
    /// The elements of all arguments, one argument after the other.
    Concatenated,
    /// The entries of all arguments; of equal keys the last one counts.
    Merged,
    /// The element of the first argument whose key is the second argument, or else the third argument.
    Lookup,
    /// The element of the first argument at the index in the second, which wraps around at the end.
    Element,
    /// The only element of the first argument.
    OnlyElement,
    /// The elements of the first argument, in reverse order.
    Reversed,
    /// The elements of the first argument from the index in the second on.
    Sliced,
    /// The values of the first argument, in the order of their keys.
    Values,
    /// The elements of the second argument, with the elements of the first at the same positions as keys.
    Zipped,
    /// Some elements or keys of the arguments, in another order or grouping.
    Elements,
}

impl ResultFlow {
    /// Returns true if the values of the arguments, not only their types, determine from which part of them a part of the result
    /// comes.
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

    /// Returns true if every string in the result also occurs in the arguments, as a string or a key.
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
