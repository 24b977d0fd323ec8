//! Directory paths as text with `/`. Joining here is by name only; links are the host's matter.

/// `path` seen from `base`; absolute paths stand for themselves. `.` and `..` are resolved by name.
pub(crate) fn join(base: &str, path: &str) -> String {
    let whole = match path.starts_with('/') || base.is_empty() || base == "." {
        true => path.to_owned(),
        false => format!("{base}/{path}"),
    };
    normal(&whole)
}

/// The path without needless steps; `.` for nothing.
pub(crate) fn normal(path: &str) -> String {
    let absolute = path.starts_with('/');
    let mut names: Vec<&str> = Vec::new();
    for name in path.split('/') {
        match name {
            "" | "." => {}
            ".." => match names.last() {
                Some(&last) if last != ".." => {
                    names.pop();
                }
                None if absolute => {}
                _ => names.push(".."),
            },
            name => names.push(name),
        }
    }
    match (absolute, names.is_empty()) {
        (true, _) => format!("/{}", names.join("/")),
        (false, true) => ".".to_owned(),
        (false, false) => names.join("/"),
    }
}

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
