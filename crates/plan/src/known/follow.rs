//! Computed attributes that depend on other attributes: if those change, these do too, and only the provider knows the new
//! value. All other computed attributes keep their values in an update in place.

/// A row of the table of computed attributes that depend on others: the resource type (a prefix if it ends in `*`), the
/// dependent attributes, and the attributes that they depend on.
type DependencyRow = (&'static str, &'static [&'static str], &'static [&'static str]);

/// Computed attributes that repeat an argument, by resource type; each row follows the provider's own documentation.
const ROWS: &[DependencyRow] = &[
    // All tags are those of the resource and those that the provider is told to put everywhere.
    ("aws_*", &["tags_all"], &["tags"]),
    // Each change of a parameter makes a version of it.
    ("aws_ssm_parameter", &["version"], &["description", "tier", "type", "value"]),
    ("aws_launch_template", &["latest_version"], &["image_id", "instance_type", "user_data"]),
    ("aws_ecs_task_definition", &["revision"], &["container_definitions"]),
    (
        "time_offset",
        &["day", "hour", "minute", "month", "rfc3339", "second", "unix", "year"],
        &[
            "offset_days",
            "offset_hours",
            "offset_minutes",
            "offset_months",
            "offset_seconds",
            "offset_years",
        ],
    ),
];

/// Returns true if an attribute of a resource type is computed from another one for which `holds` returns true.
pub(crate) fn is_computed_from(kind: &str, attribute: &str, holds: &dyn Fn(&str) -> bool) -> bool {
    let is_meant = |row: &&DependencyRow| match row.0.strip_suffix('*') {
        Some(start) => kind.starts_with(start),
        None => row.0 == kind,
    };
    let rows = ROWS.iter().filter(is_meant).filter(|row| row.1.contains(&attribute));
    rows.flat_map(|row| row.2).any(|from| holds(from))
}
