//! Parsing of module sources into packages to fetch. The answer of a registry is such a source as well.

use groma_project::{SourceParts, source_address};

/// The package that a module source denotes, and the directory of the module in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct PackageOrigin {
    /// The package.
    pub(crate) package: PackageSource,
    /// The directory in the package; empty for the package itself. If a registry names it, it may contain `*`.
    pub(crate) folder: String,
}

/// The source from which a package is fetched: a registry, a git repository or a URL.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum PackageSource {
    /// A module of a registry, without its version.
    Registry(RegistryModule),
    /// A git repository.
    Git {
        /// Its URL, as `git clone` takes it.
        url: String,
        /// A branch, a tag or a commit; `None` for the default branch.
        reference: Option<String>,
        /// The number of commits to fetch.
        depth: Option<u32>,
    },
    /// An archive, or a page that names another source.
    Http {
        /// Its URL.
        url: String,
        /// The archive format, if the source declares it.
        archive: Option<String>,
        /// The checksums that the file must have, all of them.
        checksums: Vec<String>,
    },
}

/// The address of a module in a registry.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct RegistryModule {
    pub(crate) host: String,
    pub(crate) namespace: String,
    pub(crate) name: String,
    pub(crate) system: String,
}

impl RegistryModule {
    /// Returns the address with the registry's host: `host/namespace/name/system`.
    pub(crate) fn whole(&self) -> String {
        format!("{}/{}", self.host, self.path())
    }

    /// Returns the address without the registry's host: `namespace/name/system`.
    pub(crate) fn path(&self) -> String {
        format!("{}/{}/{}", self.namespace, self.name, self.system)
    }
}

impl PackageOrigin {
    /// Parses the source of a module call; `registry` is the default registry host. The error is a sentence.
    pub(crate) fn read(source: &str, registry: &str) -> Result<PackageOrigin, String> {
        let address = source_address(source);
        let SourceParts { getter, package, folder, query } = SourceParts::of(&address);
        let query = query.unwrap_or_default();
        if folder.split('/').any(|name| name == "..") {
            return Err(format!("the folder \"{folder}\" leads out of what is brought"));
        }
        let package = match getter {
            None if !package.contains("://") => {
                registry_module(package, named(source).unwrap_or(registry))?
            }
            None | Some("http" | "https") => http(package, query)?,
            Some("git") => git(package, query)?,
            Some(getter) => {
                return Err(format!("modules are not brought by \"{getter}\""));
            }
        };
        Ok(PackageOrigin { package, folder: folder.to_owned() })
    }
}

/// Returns the registry host at the beginning of a module source, also if it is the default; `None` if there is none.
fn named(source: &str) -> Option<&str> {
    let (host, _) = source.split_once('/')?;
    host.contains('.').then_some(host)
}

/// Parses `namespace/name/system` with or without a host before it; `registry` is the host if there is none. The error is a
/// sentence.
fn registry_module(address: &str, registry: &str) -> Result<PackageSource, String> {
    let parts: Vec<&str> = address.split('/').collect();
    let (host, module) = match parts.as_slice() {
        [host, module @ ..] if module.len() == 3 => (*host, module),
        module if module.len() == 3 => (registry, module),
        _ => return Err(format!("\"{address}\" is no address of a module in a registry")),
    };
    demand_names(host, module).map_err(|why| format!("\"{address}\": {why}"))?;
    let part = |at: usize| module[at].to_owned();
    Ok(PackageSource::Registry(RegistryModule {
        host: host.to_owned(),
        namespace: part(0),
        name: part(1),
        system: part(2),
    }))
}

/// Checks the parts of a registry address, because they become part of a URL that is requested with a token; the error is a
/// sentence.
fn demand_names(host: &str, module: &[&str]) -> Result<(), String> {
    let (name, port) = match host.split_once(':') {
        Some((name, port)) => (name, Some(port)),
        None => (host, None),
    };
    let is_label = |label: &str| {
        !label.is_empty()
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.chars().all(|c| c.is_alphanumeric() || c == '-')
    };
    let is_port = |port: &str| port.parse::<u16>().is_ok_and(|port| port > 0);
    if !name.split('.').all(is_label) || !port.is_none_or(is_port) {
        return Err(format!("\"{host}\" is no name of a host"));
    }
    let is_inner = |c: u8| c.is_ascii_alphanumeric() || c == b'-' || c == b'_';
    let is_name = |name: &str| {
        (1..=64).contains(&name.len())
            && name.bytes().all(is_inner)
            && name.bytes().next().is_some_and(|c| c.is_ascii_alphanumeric())
            && name.bytes().last().is_some_and(|c| c.is_ascii_alphanumeric())
    };
    let is_system = |name: &str| {
        (1..=64).contains(&name.len())
            && name.bytes().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
    };
    let wrong = match module {
        [namespace, ..] if !is_name(namespace) => namespace,
        [_, name, ..] if !is_name(name) => name,
        [.., system] if !is_system(system) => system,
        _ => return Ok(()),
    };
    Err(format!("\"{wrong}\" is no name that a registry gives"))
}

/// Parses a git source from its URL and query; the error is a sentence.
fn git(url: &str, query: &str) -> Result<PackageSource, String> {
    let (mut reference, mut depth, mut rest) = (None, None, Vec::new());
    for (key, value) in pairs(query) {
        match key {
            "ref" => {
                let value = decoded(value);
                let is_plain = value.chars().all(|c| !c.is_control() && !c.is_whitespace());
                if value.is_empty() || value.starts_with('-') || !is_plain {
                    return Err(format!("\"{value}\" names no branch, tag or commit"));
                }
                reference = Some(value);
            }
            "depth" => {
                let number = value.parse().ok().filter(|depth| *depth > 0);
                depth = Some(number.ok_or_else(|| format!("\"{value}\" is no depth"))?);
            }
            "checksum" => {
                return Err("a repository has no checksum: name a commit with `ref`".to_owned());
            }
            "sshkey" => {
                return Err("a key in a source would stand in the code: use an agent".to_owned());
            }
            _ => rest.push((key, value)),
        }
    }
    let scheme = url.split_once("://").map(|(scheme, _)| scheme);
    match scheme {
        Some("https" | "ssh" | "file") => {}
        Some("http") => demand_loopback(url)?,
        _ => return Err("git repositories are reached by https, ssh or file".to_owned()),
    }
    let path = url.split_once("://").map_or("", |(_, path)| path);
    if path.starts_with('-') || url.chars().any(|c| c.is_control() || c.is_whitespace()) {
        return Err("the address of the repository is none".to_owned());
    }
    Ok(PackageSource::Git { url: joined(url, &rest), reference, depth })
}

/// Parses an HTTP source from its URL and query; the error is a sentence.
fn http(url: &str, query: &str) -> Result<PackageSource, String> {
    let (mut archive, mut checksums, mut rest) = (None, Vec::new(), Vec::new());
    for (key, value) in pairs(query) {
        match key {
            "archive" => archive = Some(value.to_owned()),
            "checksum" => checksums.push(decoded(value)),
            _ => rest.push((key, value)),
        }
    }
    match url.split_once("://").map(|(scheme, _)| scheme) {
        Some("https") => {}
        Some("http") => demand_loopback(url)?,
        _ => return Err("archives are brought over https".to_owned()),
    }
    Ok(PackageSource::Http { url: joined(url, &rest), archive, checksums })
}

/// Checks that a URL leads to this machine, because plain HTTP does not authenticate any other server; the error is a sentence.
pub(crate) fn demand_loopback(url: &str) -> Result<(), String> {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    match name {
        "localhost" | "127.0.0.1" | "::1" => Ok(()),
        _ => Err("over plain http anybody on the way could put other code in its place: use https"
            .to_owned()),
    }
}

/// Returns the keys and values of a URL query.
fn pairs(query: &str) -> impl Iterator<Item = (&str, &str)> {
    let pairs = query.split('&').filter(|pair| !pair.is_empty());
    pairs.map(|pair| pair.split_once('=').unwrap_or((pair, "")))
}

/// Appends query parameters, which are meant for the server, to a URL.
fn joined(url: &str, rest: &[(&str, &str)]) -> String {
    if rest.is_empty() {
        return url.to_owned();
    }
    let rest: Vec<String> = rest.iter().map(|(key, value)| format!("{key}={value}")).collect();
    format!("{url}?{}", rest.join("&"))
}

/// Decodes the percent-encoded bytes in a text.
fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let hex = bytes.get(at + 1..at + 3).and_then(|two| std::str::from_utf8(two).ok());
        match hex.and_then(|two| u8::from_str_radix(two, 16).ok()).filter(|_| bytes[at] == b'%') {
            Some(byte) => {
                out.push(byte);
                at += 3;
            }
            None => {
                out.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Parses a source with the default registry `registry.opentofu.org`.
    fn read(source: &str) -> Result<PackageOrigin, String> {
        PackageOrigin::read(source, "registry.opentofu.org")
    }

    /// Returns the package in a git repository and the directory `folder` in it.
    fn git_of(
        url: &str,
        reference: Option<&str>,
        depth: Option<u32>,
        folder: &str,
    ) -> PackageOrigin {
        let reference = reference.map(str::to_owned);
        let package = PackageSource::Git { url: url.to_owned(), reference, depth };
        PackageOrigin { package, folder: folder.to_owned() }
    }

    /// Checks the packages to which the sources of modules are parsed.
    #[test]
    fn places() {
        let want = git_of("https://github.com/a/b.git", Some("v1"), None, "sub");
        assert_eq!(read("github.com/a/b//sub?ref=v1").unwrap(), want);
        let want = git_of("ssh://git@github.com/a/b.git", None, Some(1), "");
        assert_eq!(read("git@github.com:a/b.git?depth=1").unwrap(), want);
        let want = git_of("https://example.com/x.git", Some("feature/x"), None, "");
        assert_eq!(read("git::https://example.com/x.git?ref=feature%2Fx").unwrap(), want);
        let PackageSource::Registry(module) = read("a/b/aws//m").unwrap().package else { panic!() };
        assert_eq!(module.whole(), "registry.opentofu.org/a/b/aws");
        let PackageSource::Registry(module) = read("x.example/a/b/aws").unwrap().package else {
            panic!()
        };
        assert_eq!((&*module.host, module.path()), ("x.example", "a/b/aws".to_owned()));
        let found = read("https://example.com/a.zip//in?archive=zip&x=1").unwrap();
        let (archive, checksums) = (Some("zip".to_owned()), Vec::new());
        let url = "https://example.com/a.zip?x=1".to_owned();
        assert_eq!(found.package, PackageSource::Http { url, archive, checksums });
        assert_eq!(found.folder, "in");
        assert!(read("http://127.0.0.1:80/a.zip").is_ok());
        assert!(read("http://[::1]:80/a.zip").is_ok());
    }

    /// Checks that unsafe or unsupported sources of modules are refused.
    #[test]
    fn what_is_refused() {
        for bad in [
            "s3::https://s3.amazonaws.com/b/x.zip",
            "hg::https://example.com/x",
            "oci://example.com/x",
            "git::ext::sh -c touch% /tmp/x",
            "git::ext://x",
            "git::https://example.com/x.git?ref=--upload-pack=touch",
            "git::ssh://-oProxyCommand=touch/x",
            "git::https://example.com/x.git?sshkey=abc",
            "git::https://example.com/x.git?depth=-1",
            "http://example.com/a.zip",
            "http://127.0.0.1@example.com/a.zip",
            "git::http://example.com/x.git",
            "ftp://example.com/a.zip",
            "https://example.com/a.zip//../../x",
            "git::https://example.com/x.git?checksum=sha256:00",
            "reg.example/../b/c",
            "reg.example/a/../c",
            "reg.example/a/b/..",
            "reg.example/a/b/AWS",
            "reg.example/a%2f/b/aws",
            "reg.example/-a/b/aws",
            "reg.example:0/a/b/aws",
            "reg..example/a/b/aws",
            "me@reg.example/a/b/aws",
        ] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }
}
