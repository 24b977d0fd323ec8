//! Types and values of the language: known, null, unknown, marked. A value knows no source text:
//! where it came from is an opaque [`CauseId`] that a later stage can explain.
#![forbid(unsafe_code)]

mod cause;
pub mod codec;
mod convert;
mod fingerprint;
mod interchangeable;
mod mark;
mod measure;
mod nearest;
mod number;
mod open;
pub mod ops;
mod path;
pub mod print;
pub mod schema;
pub mod sentence;
mod set;
mod text;
mod trace;
mod ty;
mod unknown;
mod value;
mod walk;

pub use cause::{CauseId, Causes};
pub use codec::{json, json_type};
pub use convert::{Convertibility, convert, convert_owned, convertible, mismatch, unify};
pub use fingerprint::Fingerprint;
pub use groma_unicode::{
    UnicodeVersion, equivalents, grapheme, is_printable, property, quoted_template, simple_lower,
    simple_title, simple_upper,
};
pub use interchangeable::{CauseChanges, interchangeable};
pub use mark::{Deprecation, Mark, Marks};
pub use measure::ValueMeasure;
pub use nearest::nearest;
pub use number::{
    Decimal, FLOAT_PRECISION, INTEGER_PRECISION, LITERAL_PRECISION, Number, NumberError, Real,
};
pub use path::{Mismatch, Path, PathStep};
pub use sentence::Sentence;
pub use set::{MemberIndex, identical};
pub use text::Str;
pub use ty::{Attribute, ObjectType, TupleType, Type};
pub use unknown::{ElementOrder, KnownParts, Length, NumberBound, Refinement, Unknown};
pub use value::{
    AttributeNames, List, Map, Marked, NullType, Object, Set, ShapeCache, Tuple, Value,
    ValueSummary,
};
