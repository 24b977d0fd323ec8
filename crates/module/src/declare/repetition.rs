//! Repetition of a resource or module call. Two repetition arguments conflict; the first counts.

use groma_config::{RawArgument, RawBlock};
use groma_syntax::{Diagnostic, Diagnostics, Place};

use crate::codes;
use crate::declare::expression::Expression;
use crate::declare::reader::DeclarationReader;

/// The repetition of a block: a single instance, `count`, `for_each` or `enabled`.
#[derive(Clone, Debug)]
pub enum Repetition {
    /// None: a single instance.
    Single,
    /// `count`
    Count(Box<Expression>),
    /// `for_each`
    Each(Box<Expression>),
    /// `enabled`
    Enabled(Box<Expression>),
}

impl Repetition {
    /// Reads `count`, `for_each` or `enabled` of a block; if there are several, reports the conflict and takes the first in this
    /// order.
    pub(crate) fn read(
        raw: &RawBlock,
        gatherer: &DeclarationReader<'_>,
        out: &mut Diagnostics,
    ) -> Repetition {
        let enabled =
            raw.blocks_of("lifecycle").find_map(|lifecycle| lifecycle.argument("enabled"));
        let found: Vec<(&str, &RawArgument)> = [
            ("count", raw.argument("count")),
            ("for_each", raw.argument("for_each")),
            ("enabled", enabled),
        ]
        .into_iter()
        .filter_map(|(name, argument)| Some((name, argument?)))
        .collect();
        if let [(first, one), (second, two), ..] = found[..] {
            let detail =
                format!("\"{first}\" and \"{second}\" cannot be used together. Keep one of them.");
            let (early, late) = match one.place < two.place {
                true => (one, two),
                false => (two, one),
            };
            let place = match gatherer.conventions.joins_repetitions {
                true => Place::new(early.place.file, early.place.span.join(late.name_place.span)),
                false => late.name_place,
            };
            out.push(Diagnostic::error(&codes::TWO_REPETITIONS, detail).at(place));
        }
        let Some((name, argument)) = found.first() else { return Repetition::Single };
        let how = match *name {
            "count" => Repetition::Count,
            "for_each" => Repetition::Each,
            _ => Repetition::Enabled,
        };
        how(Box::new(Expression::new(&argument.expr, &gatherer.library)))
    }

    /// Returns the expression of `count`, `for_each` or `enabled`; `None` for a single instance.
    pub fn expression(&self) -> Option<&Expression> {
        match self {
            Repetition::Single => None,
            Repetition::Count(e) | Repetition::Each(e) | Repetition::Enabled(e) => Some(e),
        }
    }
}
