//! File paths as text: always `/` between names, cleaned by name alone, so that nothing here
//! looks at what exists there. A backslash is an ordinary character.

/// Returns the shortest equivalent path: no `.`, no doubled or trailing slashes, `..` only in front. The empty path becomes
/// `.`.
pub fn clean(path: &str) -> String {
    let rooted = path.starts_with('/');
    let mut names: Vec<&str> = Vec::new();
    for name in path.split('/') {
        match name {
            "" | "." => {}
            ".." => match names.last() {
                Some(&last) if last != ".." => {
                    names.pop();
                }
                _ if rooted => {}
                _ => names.push(".."),
            },
            name => names.push(name),
        }
    }
    match (rooted, names.is_empty()) {
        (true, _) => format!("/{}", names.join("/")),
        (false, true) => ".".to_owned(),
        (false, false) => names.join("/"),
    }
}

/// Returns `path` relative to `base`, cleaned; an absolute path is unchanged. Without a base it stays relative.
pub fn join(base: &str, path: &str) -> String {
    if path.starts_with('/') || base.is_empty() {
        clean(path)
    } else {
        clean(&format!("{base}/{path}"))
    }
}

/// Returns the last name of a path, such as that of a file; `.` for an empty path, `/` for the root.
pub fn last(path: &str) -> &str {
    let trimmed = path.trim_end_matches('/');
    match (path.is_empty(), trimmed.is_empty()) {
        (true, _) => ".",
        (false, true) => "/",
        _ => trimmed.rsplit('/').next().unwrap_or(trimmed),
    }
}

/// Returns the path of the folder that contains a path: everything before the last slash, cleaned.
pub fn parent(path: &str) -> String {
    match path.rfind('/') {
        Some(at) => clean(&path[..=at]),
        None => ".".to_owned(),
    }
}

/// Returns the relative path from one cleaned path to another, both absolute or both relative to the same folder.
pub fn relative(from: &str, to: &str) -> String {
    let names = |path: &str| -> Vec<String> {
        path.split('/').filter(|name| !name.is_empty() && *name != ".").map(str::to_owned).collect()
    };
    let (from, to) = (names(from), names(to));
    let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let ups = std::iter::repeat_n("..".to_owned(), from.len() - shared);
    let way: Vec<String> = ups.chain(to[shared..].iter().cloned()).collect();
    if way.is_empty() { ".".to_owned() } else { way.join("/") }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests the cleaning, joining and comparing of paths.
    #[test]
    fn paths() {
        for (path, want) in
            [("", "."), ("a//b/", "a/b"), ("a/../..", ".."), ("/..", "/"), ("./x", "x")]
        {
            assert_eq!(clean(path), want, "{path}");
        }
        assert_eq!(join("/r/m", "../x"), "/r/x");
        assert_eq!((last("a/b/"), last(""), last("//")), ("b", ".", "/"));
        assert_eq!(
            (parent("a/b/"), parent("x"), parent("/x")),
            ("a/b".into(), ".".into(), "/".into())
        );
        assert_eq!(relative("/a/k[e]", "/a/ke/x"), "../ke/x");
    }
}
