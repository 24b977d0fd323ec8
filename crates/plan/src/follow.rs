//! Attributes that a provider works out from others: where those change, these do, too, and nobody else can say to
//! what. Of all other attributes that a provider works out the recorded value stays when something is changed in place.

/// A type of resource (or, where it ends in a star, many), an attribute, and what it follows from.
type Row = (&'static str, &'static str, &'static str);

/// Each row follows the provider's own documentation.
const ROWS: &[Row] = &[
    // All tags are those of the resource and those that the provider is told to put everywhere.
    ("aws_*", "tags_all", "tags"),
    // Each change of a parameter makes a version of it.
    ("aws_ssm_parameter", "version", "value"),
    ("aws_ssm_parameter", "version", "description"),
    ("aws_ssm_parameter", "version", "type"),
    ("aws_ssm_parameter", "version", "tier"),
];

/// What an attribute follows from.
pub(crate) fn followed(kind: &str, attribute: &str) -> impl Iterator<Item = &'static str> {
    let is_meant = move |row: &&Row| match row.0.strip_suffix('*') {
        Some(start) => kind.starts_with(start),
        None => row.0 == kind,
    };
    let attribute = attribute.to_owned();
    let rows = ROWS.iter().filter(is_meant).filter(move |row| row.1 == attribute);
    rows.map(|row| row.2).collect::<Vec<_>>().into_iter()
}
