//! Computed attributes whose values providers already know during a plan. A schema does not distinguish them from those known
//! after apply; so using one in `count` is not an error, merely undecidable here.

/// The name of a resource type, and the name of one of its attributes that the provider computes already during a plan.
type Row = (&'static str, &'static str);

/// Attributes that a provider already computes during a plan, according to the provider's documentation.
const ROWS: &[Row] = &[
    // One element for each requested domain name; modules iterate over it to create records.
    ("aws_acm_certificate", "domain_validation_options"),
];

/// Returns true if the provider already computes an attribute of a resource type during a plan.
pub fn is_early(kind: &str, attribute: &str) -> bool {
    ROWS.contains(&(kind, attribute))
}
