//! Computed attributes whose values providers already know during a plan. A schema does not distinguish them from those known
//! after apply; so using one in `count` is not an error, merely undecidable here.

/// A resource type and one of its attributes.
type Row = (&'static str, &'static str);

/// The attributes that providers compute during a plan; each row follows the provider's own documentation.
const ROWS: &[Row] = &[
    // One element for each requested domain name; modules iterate over it to create records.
    ("aws_acm_certificate", "domain_validation_options"),
];

/// Returns true if the provider computes an attribute during the plan.
pub fn is_early(kind: &str, attribute: &str) -> bool {
    ROWS.contains(&(kind, attribute))
}
