//! Why something is unknown, in the few words that fit behind a value. A value carries ids only; the table of the
//! evaluation that it comes from says what they mean, so each side of a review has its own.

use std::fmt;
use std::sync::Arc;

use groma_eval::CauseTable;
use groma_project::Evaluation;
use groma_report::place_text;
use groma_syntax::Sources;
use groma_value::Causes;

/// What explains the unknowns of one evaluation.
#[derive(Clone, Default, Debug)]
pub struct Reasons {
    causes: Arc<CauseTable>,
    sources: Sources,
}

/// A cause, told.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Because {
    /// What it is: `data.aws_availability_zones.available`.
    pub address: Arc<str>,
    /// Where it is written: `main.tf:5`.
    pub place: Option<String>,
}

impl Reasons {
    /// What explains the unknowns of an evaluation.
    pub fn of(evaluation: &Evaluation) -> Reasons {
        Reasons { causes: evaluation.causes().clone(), sources: evaluation.sources() }
    }

    /// The first cause that is not the object itself: that its own attributes are known when it is made is no news.
    pub fn first(&self, causes: &Causes, own: &str) -> Option<Because> {
        let own = without_keys(own);
        let known = causes.ids().iter().filter_map(|id| self.causes.get(*id));
        let cause = known.into_iter().find(|cause| without_keys(&cause.address) != own)?;
        let place = cause.place.map(|place| place_text(place, &self.sources));
        Some(Because { address: cause.address, place })
    }
}

impl fmt::Display for Because {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.address)?;
        match &self.place {
            Some(place) => write!(f, ", {place}"),
            None => Ok(()),
        }
    }
}

/// An address without the keys of instances.
pub(crate) fn without_keys(address: &str) -> String {
    let mut out = String::with_capacity(address.len());
    let (mut depth, mut is_quoted, mut is_escaped) = (0_usize, false, false);
    for character in address.chars() {
        match character {
            _ if is_escaped => is_escaped = false,
            '\\' if is_quoted => is_escaped = true,
            '"' if depth > 0 => is_quoted = !is_quoted,
            '[' if !is_quoted => depth += 1,
            ']' if !is_quoted => depth = depth.saturating_sub(1),
            other if depth == 0 => out.push(other),
            _ => {}
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::without_keys;

    #[test]
    fn keys_go() {
        assert_eq!(without_keys(r#"module.m["a]\"].b"].x_y.z[0]"#), "module.m.x_y.z");
        assert_eq!(without_keys("timestamp()"), "timestamp()");
    }
}
