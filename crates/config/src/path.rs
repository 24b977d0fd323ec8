//! Directory paths as text with `/`, joined by name only; links are resolved by the host.

pub use groma_runtime::{file_path::clean as normal, file_path::join};

/// Returns true if `path` is `root` or inside of it; both are canonical.
pub fn is_within(path: &str, root: &str) -> bool {
    let root = root.trim_end_matches('/');
    path == root || path.strip_prefix(root).is_some_and(|rest| rest.starts_with('/'))
}

/// Returns `path` relative to `dir`, computed from the names alone. If that would need a name above `dir`, the path is unchanged.
pub fn relative(dir: &str, path: &str) -> String {
    let (dir, path) = (normal(dir), normal(path));
    if path.starts_with('/') != dir.starts_with('/') || dir == "." {
        return path;
    }
    let parts = |text: &str| text.split('/').map(str::to_owned).collect::<Vec<_>>();
    let (from, to) = (parts(&dir), parts(&path));
    let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    if from[shared..].iter().any(|part| part == "..") {
        return path;
    }
    let up = std::iter::repeat_n("..".to_owned(), from.len() - shared);
    let way: Vec<String> = up.chain(to[shared..].iter().cloned()).collect();
    if way.is_empty() { ".".to_owned() } else { way.join("/") }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that paths are joined by the names alone.
    #[test]
    fn joins_by_name() {
        assert_eq!(join(".", "./m"), "m");
        assert_eq!(join("mods/one", "../two"), "mods/two");
        assert_eq!(join(".", "../../x"), "../../x");
        assert_eq!(join("..", "../x"), "../../x");
        assert_eq!(join("/a/b", "../../../x"), "/x");
        assert_eq!(join("a", "./"), "a");
        assert_eq!(join(".", "./"), ".");
        assert_eq!(join("a", "/etc"), "/etc");
    }

    /// Checks the relative paths between directories.
    #[test]
    fn seen_from_elsewhere() {
        assert_eq!(relative(".", "../vpc"), "../vpc");
        assert_eq!(relative("roots/a", "vpc"), "../../vpc");
        assert_eq!(relative("roots/a", "roots/vpc"), "../vpc");
        assert_eq!(relative("a", "a"), ".");
        assert_eq!(relative("a", "/m"), "/m");
        assert_eq!(relative("../x", "m"), "m");
    }

    /// Checks which paths are inside of a directory.
    #[test]
    fn within() {
        assert!(is_within("/a/b", "/a"));
        assert!(is_within("/a", "/a/"));
        assert!(!is_within("/ab", "/a"));
        assert!(is_within("/a", "/"));
    }
}
