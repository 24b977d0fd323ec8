//! URLs of the project's published pages, built from the repository in the workspace's manifest. No code requests them.

/// The URL of the project's repository.
pub const REPOSITORY: &str = env!("CARGO_PKG_REPOSITORY");

/// Returns the URL of the manual's index, in the release of this version.
pub fn manual() -> String {
    let version = env!("CARGO_PKG_VERSION");
    format!("{REPOSITORY}/blob/v{version}/docs/reference/commands/README.md")
}

/// Returns the URL of the page about the diagnostic code `slug`, in the release of this version.
pub fn finding_page(slug: &str) -> String {
    let version = env!("CARGO_PKG_VERSION");
    format!("{REPOSITORY}/blob/v{version}/docs/reference/diagnostics/README.md#{slug}")
}
