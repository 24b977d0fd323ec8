//! Unknown values: the type, what is certain of the value, and why it is unknown. A refinement that leaves one possibility makes
//! the value known; the constructors ensure that.

use std::sync::Arc;

use crate::grapheme::{self, UnicodeVersion};
use crate::{Causes, Fingerprint, Mark, Marks, Number, Str, Type, Value};

/// An unknown value: its type, refinement, causes, known parts and fingerprint.
#[derive(Clone, Debug)]
pub struct Unknown {
    /// The type; `Dynamic` if it is unknown, too.
    pub ty: Type,
    /// The facts that are certain of the value.
    pub refinement: Refinement,
    /// The reasons why it is unknown.
    pub causes: Causes,
    /// The known parts of it, if any.
    pub parts: Option<KnownParts>,
    /// The hash of the computation whose result it is, if fingerprints are requested.
    pub fingerprint: Option<Fingerprint>,
    /// The value that it will be equal to, if that is stored: parts of this value get the fingerprints of that value's parts.
    pub mirrored: Option<Value>,
}

/// The known parts of an unknown value: some attributes of an object, or the elements of a collection whose kind (list, set or
/// tuple) is unknown.
#[derive(Clone, Debug)]
pub enum KnownParts {
    /// An object that has these attributes and possibly others.
    Attributes(Value),
    /// A list, set or tuple with these elements.
    Elements(Value, ElementOrder),
}

/// The order of the elements of a collection of unknown kind: as given, or unknown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ElementOrder {
    /// As given, if it has positions at all.
    Given,
    /// Not known.
    Unknown,
}

/// What is certain of an unknown value: that it is not null, bounds of a number or length, or the beginning of a string. Bounds,
/// prefix and length hold if it is not null; only `not_null` excludes null.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct Refinement {
    /// True if the value is certainly not null.
    pub not_null: bool,
    /// The beginning of a string; empty if it is not known.
    pub prefix: Str,
    /// The lower bound of a number.
    pub low: Option<NumberBound>,
    /// The upper bound of a number.
    pub high: Option<NumberBound>,
    /// The bounds of a collection's length.
    pub length: Option<Length>,
}

/// A lower or upper bound of an unknown number, inclusive or exclusive.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct NumberBound {
    /// The bound.
    pub number: Number,
    /// True if the number may be equal to the bound.
    pub inclusive: bool,
}

/// The minimum and maximum length of an unknown collection, both inclusive.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Length {
    /// Minimum number of elements.
    pub low: usize,
    /// Maximum number of elements; `None` for no bound.
    pub high: Option<usize>,
}

impl Refinement {
    /// Returns the refinement of a string that begins with `text`, whatever follows: `text` without its last grapheme cluster,
    /// which a following combining character could change, unless that is a space, a tab or an ASCII sign that does not compose.
    /// At most 128 bytes count; a character cut by that limit is the last cluster.
    pub fn prefixed(text: &str, unicode: UnicodeVersion) -> Refinement {
        let mut end = text.len().min(Refinement::PREFIX_LIMIT);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let kept = &text[..end];
        if end < text.len().min(Refinement::PREFIX_LIMIT) {
            return Refinement { not_null: true, prefix: Str::from(kept), ..Refinement::default() };
        }
        let kept = Refinement::certain_prefix(kept, unicode);
        Refinement { not_null: true, prefix: Str::from(kept), ..Refinement::default() }
    }

    /// Returns the part of `text` that is a prefix of every string that begins with `text`: all but its last grapheme cluster,
    /// which a following combining character could change, unless that cluster does not compose.
    pub fn certain_prefix(text: &str, unicode: UnicodeVersion) -> &str {
        let stands_alone = |c: char| match c {
            ' ' | '\t' => true,
            '<' | '=' | '>' | '`' => false,
            c => c.is_ascii_punctuation(),
        };
        match text.chars().next_back() {
            Some(last) if !stands_alone(last) => {
                let cluster = grapheme::graphemes(text, unicode).last().map_or(0, str::len);
                &text[..text.len() - cluster]
            }
            _ => text,
        }
    }

    /// Maximum length of a stored string prefix, in bytes.
    pub const PREFIX_LIMIT: usize = 128;

    /// Returns the refinement by which a value is not null, with nothing else certain.
    pub fn not_null() -> Refinement {
        Refinement { not_null: true, ..Refinement::default() }
    }
}

impl Value {
    /// Returns an unknown of type `ty` with neither refinements nor causes.
    pub fn unknown(ty: Type) -> Value {
        Value::Unknown(Arc::new(Unknown {
            ty,
            refinement: Refinement::default(),
            causes: Causes::NONE,
            parts: None,
            fingerprint: None,
            mirrored: None,
        }))
    }

    /// Returns an unknown of type `ty` with these causes and without refinements.
    pub fn unknown_because(ty: Type, causes: Causes) -> Value {
        Value::Unknown(Arc::new(Unknown {
            ty,
            refinement: Refinement::default(),
            causes,
            parts: None,
            fingerprint: None,
            mirrored: None,
        }))
    }

    /// Returns an unknown with a refinement; or, if that excludes null, the number that its equal inclusive bounds leave, or
    /// the collection of unknown elements that its exact length determines: a list of at most 1024, a set of one, or an
    /// empty one.
    pub fn refined(ty: Type, refinement: Refinement, causes: Causes) -> Value {
        if refinement.not_null {
            if let (Type::Number, Some(low), Some(high)) = (&ty, &refinement.low, &refinement.high)
                && low.inclusive
                && high.inclusive
                && low.number.compare(&high.number).is_eq()
            {
                return low.number.clone().into();
            }
            if let Some(Length { low, high: Some(high) }) = refinement.length
                && low == high
            {
                match &ty {
                    Type::List(e) if low <= 1024 => {
                        let item = Value::unknown_because((**e).clone(), causes);
                        return Value::list((**e).clone(), vec![item; low]);
                    }
                    Type::Set(e) if low == 0 => return Value::set((**e).clone(), Vec::new()),
                    Type::Set(e) if low == 1 => {
                        let item = Value::unknown_because((**e).clone(), causes);
                        return Value::set((**e).clone(), vec![item]);
                    }
                    Type::Map(e) if low == 0 => return Value::map((**e).clone(), Vec::new()),
                    _ => {}
                }
            }
        }
        // Of a value of unknown type nothing can be certain except that it is not null.
        let refinement = match ty {
            Type::Dynamic => Refinement { not_null: refinement.not_null, ..Refinement::default() },
            _ => refinement,
        };
        Value::Unknown(Arc::new(Unknown {
            ty,
            refinement,
            causes,
            parts: None,
            fingerprint: None,
            mirrored: None,
        }))
    }

    /// Returns the value, with null excluded if it is unknown; known values are unchanged. Marks are kept.
    pub fn refine_not_null(&self) -> Value {
        match self {
            // Partly known values are never null, so they do not lose their parts here.
            Value::Unknown(u) if !u.refinement.not_null => {
                let refinement = Refinement { not_null: true, ..u.refinement.clone() };
                Value::refined(u.ty.clone(), refinement, u.causes.clone())
                    .derived(u.fingerprint, "not null")
            }
            Value::Marked(m) => m.value().refine_not_null().mark(m.marks()),
            known => known.clone(),
        }
    }

    /// Returns the value with the sensitive mark added.
    pub fn sensitive(&self) -> Value {
        self.mark(&Marks::one(Mark::Sensitive))
    }
}
