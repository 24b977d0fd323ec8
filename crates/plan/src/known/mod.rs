//! Facts about resource types beyond their schemas, as rows. Nothing is known of a type without a row.

mod follow;
mod rows;

use groma_value::{Type, Value, convert, json};

pub(crate) use follow::is_computed_from;
use rows::{ROWS, Row};

/// A resource type for which it is documented, though in no schema, which arguments force replacement and what defaults others
/// have.
#[derive(Clone, Copy)]
pub(crate) struct KnownType(&'static Row);

impl KnownType {
    /// Returns the documented facts about a resource type; `None` if there are none.
    pub(crate) fn of(kind: &str) -> Option<KnownType> {
        let at = ROWS.binary_search_by(|row| row.0.cmp(kind)).ok()?;
        Some(KnownType(&ROWS[at]))
    }

    /// Returns true if a change of an argument forces the replacement of the resource.
    pub(crate) fn replaces(self, argument: &str) -> bool {
        self.0.1.split(' ').any(|one| one == argument)
    }

    /// Returns the documented default of an omitted argument as a value of its type, if any.
    pub(crate) fn default(self, argument: &str, ty: &Type) -> Option<Value> {
        let pairs = self.0.2.split(", ").filter_map(|pair| pair.split_once('='));
        let (_, text) = pairs.into_iter().find(|(name, _)| *name == argument)?;
        convert(&json::decode(text).ok()?, ty).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::rows::ROWS;
    use super::*;

    #[test]
    fn rows_are_sorted_and_can_be_read() {
        assert!(ROWS.windows(2).all(|pair| pair[0].0 < pair[1].0));
        for (kind, _, defaults) in ROWS {
            for pair in defaults.split(", ").filter(|pair| !pair.is_empty()) {
                let (name, text) = pair.split_once('=').expect(kind);
                assert!(json::decode(text).is_ok(), "{kind}.{name}");
            }
        }
        let queue = KnownType::of("aws_sqs_queue").unwrap();
        assert!(queue.replaces("name") && !queue.replaces("tags"));
        let delay = queue.default("delay_seconds", &Type::Number).unwrap();
        assert!(groma_value::ops::same(&delay, &Value::int(0)));
        assert!(KnownType::of("aws_nothing").is_none());
    }
}
