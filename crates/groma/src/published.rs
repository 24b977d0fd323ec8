//! Addresses on the network where the project's pages are published: the one place that makes them, from the repository
//! that the manifest of the workspace names. Nothing of ours ever asks them.

/// The address of the repository.
pub const REPOSITORY: &str = env!("CARGO_PKG_REPOSITORY");

/// Returns the address of the index of the manual's pages, in the edition that belongs to this version.
pub fn manual() -> String {
    let version = env!("CARGO_PKG_VERSION");
    format!("{REPOSITORY}/blob/v{version}/docs/reference/commands/README.md")
}

/// Returns the address of what is said about a finding, by its code's slug, in the edition of the pages that belongs to this
/// version.
pub fn finding_page(slug: &str) -> String {
    let version = env!("CARGO_PKG_VERSION");
    format!("{REPOSITORY}/blob/v{version}/docs/reference/diagnostics/README.md#{slug}")
}
