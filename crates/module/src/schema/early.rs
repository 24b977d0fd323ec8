//! Attributes that a provider works out as early as in the plan. A schema says no more of them than
//! that they are computed, as it does of those that are known only when the object is made; so to
//! count by them is no error, merely more than can be told here.

/// A type of resource and an attribute of it.
type Row = (&'static str, &'static str);

/// Each row follows the provider's own documentation.
const ROWS: &[Row] = &[
    // One element for each domain name that is asked for; modules repeat records over it.
    ("aws_acm_certificate", "domain_validation_options"),
];

/// Returns true if the provider works an attribute out while it plans.
pub fn is_early(kind: &str, attribute: &str) -> bool {
    ROWS.contains(&(kind, attribute))
}
