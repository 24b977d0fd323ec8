//! Directory paths as text with `/`. Joining here is by name only; links are the host's matter.

pub(crate) use groma_functions::{clean_path as normal, join_path as join};

/// Whether the canonical `path` is `root` or lies in it.
pub(crate) fn is_within(path: &str, root: &str) -> bool {
    let root = root.trim_end_matches('/');
    path == root || path.strip_prefix(root).is_some_and(|rest| rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn within() {
        assert!(is_within("/a/b", "/a"));
        assert!(is_within("/a", "/a/"));
        assert!(!is_within("/ab", "/a"));
        assert!(is_within("/a", "/"));
    }
}
