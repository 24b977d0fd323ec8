//! Module sources as written. Only local paths are followed; a remote module exists only if it was installed. One source may be
//! written in several ways: [`address`] normalizes it.

use groma_config::path;

/// The kind of a module source: a local path, a remote location, or not valid.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum SourceKind {
    /// A directory, relative to the calling module's.
    Local(String),
    /// A remote location: a registry, a repository, an archive.
    Remote,
    /// An invalid source, with a sentence that says why.
    Wrong(String),
}

impl SourceKind {
    /// Classifies the text of a module source: a local directory, a remote location, or invalid.
    pub(crate) fn parse(text: &str) -> SourceKind {
        let local =
            text.starts_with("./") || text.starts_with("../") || text == "." || text == "..";
        if local || text.starts_with(".\\") || text.starts_with("..\\") {
            return SourceKind::Local(text.replace('\\', "/"));
        }
        if text.is_empty() {
            return SourceKind::Wrong("The source of a module cannot be empty.".to_owned());
        }
        if text.starts_with('/') {
            return SourceKind::Local(text.to_owned());
        }
        if text.contains("::") || text.contains("://") || text.starts_with("git@") {
            return SourceKind::Remote;
        }
        let path = text.split("//").next().unwrap_or(text);
        let parts: Vec<&str> = path.split('/').collect();
        let has_host = parts[0].contains('.') || parts[0].contains(':');
        if has_host && parts.len() > 1 {
            return SourceKind::Remote;
        }
        if parts.len() == 3 && parts.iter().all(|part| is_registry_name(part)) {
            return SourceKind::Remote;
        }
        SourceKind::Wrong(format!(
            "\"{text}\" is neither a local path nor the address of a module in a registry (NAMESPACE/NAME/SYSTEM). \
             A local path starts with ./ or ../: write \"./{text}\"."
        ))
    }
}

/// Hosts whose names begin a repository address and never a registry address.
const NO_REGISTRIES: [&str; 2] = ["github.com", "bitbucket.org"];

/// Returns true if a source is the address of a module in a registry: only those have versions.
pub fn is_in_registry(text: &str) -> bool {
    if SourceKind::parse(text) != SourceKind::Remote {
        return false;
    }
    let (package, folder) = text.split_once("//").unwrap_or((text, ""));
    let inside = path::normal(folder);
    if folder.contains('?') || inside == ".." || inside.starts_with("../") {
        return false;
    }
    let parts: Vec<&str> = package.split('/').collect();
    let (host, [namespace, name, system]) = match parts.as_slice() {
        [namespace, name, system] => (None, [*namespace, *name, *system]),
        [host, namespace, name, system] => (Some(*host), [*namespace, *name, *system]),
        _ => return false,
    };
    let is_host = host.is_none_or(|host| {
        let name = host.split(':').next().unwrap_or(host).to_ascii_lowercase();
        let is_word = |b: u8| b.is_ascii_alphanumeric() || b":.-".contains(&b) || !b.is_ascii();
        host.bytes().all(is_word) && name.contains('.') && !NO_REGISTRIES.contains(&name.as_str())
    });
    let is_name = |name: &str| {
        is_registry_name(name) && !name.starts_with('_') && !name.ends_with(['-', '_'])
    };
    let is_system = system.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    is_host && is_name(namespace) && is_name(name) && !system.is_empty() && is_system
}

/// The parts of a remote source: `getter::package//folder?query`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SourceParts<'s> {
    /// The getter, if the source names one.
    pub getter: Option<&'s str>,
    /// The package, which is fetched as a whole.
    pub package: &'s str,
    /// The folder inside it, empty for the package itself.
    pub folder: &'s str,
    /// The query, without its question mark.
    pub query: Option<&'s str>,
}

impl<'s> SourceParts<'s> {
    /// Splits a remote source into its parts, as written.
    pub fn of(source: &'s str) -> SourceParts<'s> {
        let (whole, query) = match source.split_once('?') {
            Some((whole, query)) => (whole, Some(query)),
            None => (source, None),
        };
        let is_word = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let (getter, rest) = match whole.split_once("::").filter(|(getter, _)| is_word(getter)) {
            Some((getter, rest)) => (Some(getter), rest),
            None => (None, whole),
        };
        // The slashes of a scheme do not separate a folder.
        let scheme = rest.find("://").map_or(0, |at| at + 3);
        let (package, folder) = match rest[scheme..].find("//") {
            Some(at) => (&rest[..scheme + at], &rest[scheme + at + 2..]),
            None => (rest, ""),
        };
        SourceParts { getter, package, folder, query }
    }
}

/// The hosts of the default registries of Terraform and OpenTofu.
const DEFAULT_REGISTRIES: [&str; 2] = ["registry.terraform.io", "registry.opentofu.org"];

/// Returns the canonical form of a remote source, equal for all ways to write it. A default registry is omitted: both serve the
/// same modules, and either program may have installed a folder.
pub fn address(text: &str) -> String {
    let parts = SourceParts::of(text);
    let (package, inner) = expand_shorthand(parts.getter, parts.package);
    let folder = path::normal(format!("{inner}/{}", parts.folder).trim_matches('/'));
    let query = parts.query.map_or(String::new(), |query| format!("?{query}"));
    match folder.as_str() {
        "." => format!("{package}{query}"),
        folder => format!("{package}//{folder}{query}"),
    }
}

/// Expands a package address without a scheme, such as `github.com/a/b`, after a prefix such as `git::` if one is `forced`:
/// returns the full address, and the folder inside the package.
fn expand_shorthand(forced: Option<&str>, rest: &str) -> (String, String) {
    let plain = || {
        let package = forced.map_or(rest.to_owned(), |forced| format!("{forced}::{rest}"));
        (package, String::new())
    };
    if rest.contains("://") {
        return plain();
    }
    let parts: Vec<&str> = rest.split('/').collect();
    let may_be = |getter: &str| forced.is_none_or(|forced| forced == getter);
    match parts.as_slice() {
        ["github.com", owner, name, inner @ ..] if may_be("git") => {
            let name = name.trim_end_matches(".git");
            (format!("git::https://github.com/{owner}/{name}.git"), inner.join("/"))
        }
        ["bitbucket.org", owner, name, inner @ ..] if may_be("git") => {
            (format!("git::https://bitbucket.org/{owner}/{name}"), inner.join("/"))
        }
        ["www.googleapis.com", ..] if may_be("gcs") => {
            (format!("gcs::https://{rest}"), String::new())
        }
        [host, key @ ..] if host.ends_with(".amazonaws.com") && may_be("s3") => {
            let key = key.join("/");
            let long = match host.split_once(".s3") {
                Some((bucket, region)) => format!("s3::https://s3{region}/{bucket}/{key}"),
                None => format!("s3::https://{host}/{key}"),
            };
            (long, String::new())
        }
        [host, ..] if host.contains('@') && may_be("git") => match rest.split_once(':') {
            Some((host, path)) => {
                (format!("git::ssh://{host}/{}", path.trim_start_matches('/')), String::new())
            }
            None => plain(),
        },
        [host, module @ ..] if forced.is_none() && module.len() == 3 => {
            let (host, module) = (host.to_ascii_lowercase(), module.join("/"));
            match DEFAULT_REGISTRIES.contains(&host.as_str()) {
                true => (module, String::new()),
                false => (format!("{host}/{module}"), String::new()),
            }
        }
        _ => plain(),
    }
}

/// Returns true if a text is valid as a name in a registry address.
fn is_registry_name(name: &str) -> bool {
    !name.is_empty()
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
        && !name.starts_with('-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_place_in_several_ways() {
        for (short, long) in [
            ("github.com/a/b", "git::https://github.com/a/b.git"),
            ("github.com/a/b.git", "git::https://github.com/a/b.git"),
            ("github.com/a/b/sub?ref=v1", "git::https://github.com/a/b.git//sub?ref=v1"),
            ("github.com/a/b//sub?ref=v1", "git::https://github.com/a/b.git//sub?ref=v1"),
            ("git::github.com/a/b", "git::https://github.com/a/b.git"),
            ("git@github.com:a/b.git//s?ref=x", "git::ssh://git@github.com/a/b.git//s?ref=x"),
            ("git::git@github.com:a/b.git", "git::ssh://git@github.com/a/b.git"),
            ("git::https://example.com/x.git//sub/", "git::https://example.com/x.git//sub"),
            (
                "s3-eu-west-1.amazonaws.com/b/x.zip",
                "s3::https://s3-eu-west-1.amazonaws.com/b/x.zip",
            ),
            ("b.s3.amazonaws.com/k/x.zip", "s3::https://s3.amazonaws.com/b/k/x.zip"),
            ("www.googleapis.com/storage/v1/b/x", "gcs::https://www.googleapis.com/storage/v1/b/x"),
            ("a/b/aws", "registry.opentofu.org/a/b/aws"),
            ("a/b/aws", "Registry.Terraform.IO/a/b/aws"),
            ("a/b/aws//sub/../x", "registry.terraform.io/a/b/aws//x"),
            ("App.terraform.io/a/b/aws", "app.terraform.io/a/b/aws"),
        ] {
            assert_eq!(address(short), address(long), "{short}");
        }
        for (one, other) in [
            ("a/b/aws", "app.terraform.io/a/b/aws"),
            ("a/b/aws", "a/b/aws//sub"),
            ("A/b/aws", "a/b/aws"),
            ("git::https://github.com/a/b", "https://github.com/a/b"),
            ("git::https://example.com/x.git?ref=v1", "git::https://example.com/x.git?ref=v2"),
            ("a/b/aws", ""),
        ] {
            assert_ne!(address(one), address(other), "{one}");
        }
    }

    #[test]
    fn registries() {
        for inside in [
            "a/b/aws",
            "a/b/aws//",
            "a/b/aws//x/../y",
            "a_b/c-d/e1",
            "1/2/3",
            "EXAMPLE.com/a/b/c",
            "example.com:443/a/b/c",
            "gitlab.com/a/b/c",
            "gist.github.com/a/b/c",
            "www.googleapis.com/a/b/c",
        ] {
            assert!(is_in_registry(inside), "{inside}");
        }
        for outside in [
            "./m",
            "/m",
            "a/b",
            "a/b/c-d",
            "a/b/C",
            "a-/b/c",
            "a/b/c?ref=1",
            "a/b/c//x?ref=1",
            "a/b/c//../x",
            "GitHub.com/a/b/c",
            "github.com:443/a/b/c",
            "bitbucket.org/a/b/c",
            "localhost:8080/a/b/c",
            "example.com/a/b/c/d",
            "github.com/a/b",
            "git@github.com:a/b.git",
            "git@x.y:a/b/c/d",
            "git::https://example.com/x.git",
            "https://example.com/x.zip",
            "bucket.s3.amazonaws.com/x",
        ] {
            assert!(!is_in_registry(outside), "{outside}");
        }
    }

    #[test]
    fn kinds() {
        assert_eq!(SourceKind::parse("./m"), SourceKind::Local("./m".to_owned()));
        assert_eq!(SourceKind::parse("../../m"), SourceKind::Local("../../m".to_owned()));
        for remote in [
            "terraform-aws-modules/vpc/aws",
            "app.terraform.io/example/vpc/aws",
            "github.com/hashicorp/example",
            "git@github.com:hashicorp/example.git",
            "git::https://example.com/vpc.git?ref=v1",
            "https://example.com/vpc.zip",
            "s3::https://s3.amazonaws.com/b/vpc.zip",
            "terraform-aws-modules/iam/aws//modules/user",
        ] {
            assert_eq!(SourceKind::parse(remote), SourceKind::Remote, "{remote}");
        }
        for wrong in ["m", "", "a/b", "modules/x"] {
            assert!(matches!(SourceKind::parse(wrong), SourceKind::Wrong(_)), "{wrong}");
        }
    }
}
