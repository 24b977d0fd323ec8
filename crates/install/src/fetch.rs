//! Fetching of one package into a directory, by the kind of its source. A URL may turn out to be a page that names another
//! source, so fetching takes several steps.

use std::fs::{self, File};
use std::io::{self, BufReader, Read as _, Seek as _};
use std::path::{Path, PathBuf};

use crate::archive::{ArchiveForm, ArchiveRefusal, unpack};
use crate::client::{HttpClient, ServerReply, demand_as_safe, resolved, shown};
use crate::git;
use crate::origin::{PackageOrigin, PackageSource};
use crate::registry;
use crate::settings::HostSettings;

/// Maximum number of times that a server may name another source in place of the package; more are an error.
const MOST_STEPS: usize = 6;

/// Fetches a package, of a registry's module the one with the given version, into the directory `root`, which does not exist yet,
/// and returns the directory of the requested module in it.
pub(crate) fn fetch(
    package: &PackageSource,
    version: Option<&str>,
    root: &Path,
    client: &HttpClient,
    config: &HostSettings,
) -> Result<PathBuf, ArchiveRefusal> {
    let mut package = package.clone();
    // The URL of the page that named the package, if any.
    let mut named_by: Option<String> = None;
    // The directories requested inside of packages that only named others, outermost last.
    let mut inner: Vec<String> = Vec::new();
    for _ in 0..MOST_STEPS {
        let next = match &package {
            PackageSource::Registry(module) => {
                let version = version.unwrap_or_default();
                Some(
                    registry::location(module, version, client, config)
                        .map_err(ArchiveRefusal::Failed)?,
                )
            }
            PackageSource::Git { url, reference, depth } => {
                git::clone(url, reference.as_deref(), *depth, root)?;
                None
            }
            PackageSource::Http { url, archive, checksums } => {
                download(url, archive.as_deref(), checksums, root, client)?
            }
        };
        let Some(next) = next else {
            let mut folders = inner.iter().rev();
            return folders.try_fold(root.to_owned(), |at, folder| descend(root, at, folder));
        };
        let origin = PackageOrigin::read(&next, &config.registry).map_err(|why| {
            ArchiveRefusal::Failed(format!("the answer \"{}\" leads nowhere: {why}", shown(&next)))
        })?;
        if matches!(origin.package, PackageSource::Registry(_)) {
            let detail = "a place leads on to a registry, and not to a package".to_owned();
            return Err(ArchiveRefusal::Failed(detail));
        }
        let asked = match &package {
            PackageSource::Http { url, .. } => Some(url.clone()),
            _ => None,
        };
        named_by = asked.or(named_by);
        package = referred_package(&package, origin.package, named_by.as_deref())?;
        inner.push(origin.folder);
    }
    Err(ArchiveRefusal::Failed(format!("one place names the next more than {MOST_STEPS} times")))
}

/// Returns the package `to`, to which the server of the source `from` refers (on the page with the URL `by`, if there is one),
/// with the checksums that `from` demands; refuses one to which a server may not refer.
fn referred_package(
    from: &PackageSource,
    to: PackageSource,
    by: Option<&str>,
) -> Result<PackageSource, ArchiveRefusal> {
    let demanded: &[String] = match from {
        PackageSource::Http { checksums, .. } => checksums,
        _ => &[],
    };
    match to {
        PackageSource::Git { url, .. } if url.starts_with("file:") => {
            let detail = "a server names a repository on this machine, which is not its to name";
            Err(ArchiveRefusal::Unsafe(detail.to_owned()))
        }
        PackageSource::Git { .. } if !demanded.is_empty() => {
            let detail = "its source demands a checksum, and what is named there is a git repository, which has none";
            Err(ArchiveRefusal::Unsafe(detail.to_owned()))
        }
        PackageSource::Http { url, archive, mut checksums } => {
            by.map_or(Ok(()), |by| demand_as_safe(by, &url)).map_err(ArchiveRefusal::Unsafe)?;
            checksums.extend(demanded.iter().cloned());
            Ok(PackageSource::Http { url, archive, checksums })
        }
        PackageSource::Git { ref url, .. } => {
            by.map_or(Ok(()), |by| demand_as_safe(by, url)).map_err(ArchiveRefusal::Unsafe)?;
            Ok(to)
        }
        PackageSource::Registry(_) => Ok(to),
    }
}

/// Downloads an archive, whose format `archive` or else the URL names, unpacks it into `folder` if it has all of `checksums`,
/// and returns `None`; if the URL is a web page instead, returns the module source that the page names.
fn download(
    url: &str,
    archive: Option<&str>,
    checksums: &[String],
    folder: &Path,
    client: &HttpClient,
) -> Result<Option<String>, ArchiveRefusal> {
    let form = match archive {
        Some("false") | None => ArchiveForm::of(url),
        Some(name) => Some(ArchiveForm::named(name).ok_or_else(|| {
            ArchiveRefusal::Failed(format!("archives are not packed as \"{name}\" here"))
        })?),
    };
    let Some(form) = form else {
        let mark = if url.contains('?') { '&' } else { '?' };
        let page = client.ask(&format!("{url}{mark}terraform-get=1"), None);
        return source_in_page(&page.map_err(ArchiveRefusal::Failed)?)
            .map(Some)
            .map_err(ArchiveRefusal::Failed);
    };
    let failed = |why: io::Error| ArchiveRefusal::Failed(why.to_string());
    let packed = folder.with_extension("packed");
    client.download(url, &packed).map_err(ArchiveRefusal::Failed)?;
    let mut file = File::open(&packed).map_err(failed)?;
    for checksum in checksums {
        verify(checksum, &mut file)?;
    }
    fs::create_dir_all(folder).map_err(failed)?;
    unpack(BufReader::new(file), form, folder)?;
    fs::remove_file(&packed).map_err(failed)?;
    Ok(None)
}

/// Returns the module source that a web page names in a header or a `<meta>` tag; the error is a sentence.
fn source_in_page(page: &ServerReply) -> Result<String, String> {
    if !page.is_success() {
        return Err(format!("{} answers with {}", shown(&page.url), page.status));
    }
    if let Some(source) = page.header("x-terraform-get") {
        return Ok(resolved(&page.url, source));
    }
    let text = String::from_utf8_lossy(&page.body);
    let found = text.split("<meta").skip(1).find_map(|rest| {
        let tag = rest.split('>').next()?;
        let value = |name: &str| {
            let after = tag.split_once(&format!("{name}=")).map(|(_, after)| after.trim_start())?;
            let quote = after.chars().next().filter(|c| matches!(c, '"' | '\''))?;
            after[1..].split(quote).next()
        };
        (value("name")? == "terraform-get").then(|| value("content").map(str::to_owned))?
    });
    match found {
        Some(source) => Ok(resolved(&page.url, &source)),
        None => Err(format!(
            "{} is neither called like an archive nor a page that names one; `?archive=zip` says what it is",
            shown(&page.url)
        )),
    }
}

/// Checks that a file has a checksum, given as `sha256:…` or as the digits alone. The offset is at the start before and after.
fn verify(checksum: &str, file: &mut File) -> Result<(), ArchiveRefusal> {
    let (kind, digits) = checksum.split_once(':').unwrap_or(("", checksum));
    let kind = match (kind, digits.len()) {
        ("", 32) => "md5",
        ("", 40) => "sha1",
        ("", 64) => "sha256",
        ("", 128) => "sha512",
        (kind, _) => kind,
    };
    let found = match kind {
        "md5" => digest::<md5::Md5>(file),
        "sha1" => digest::<sha1::Sha1>(file),
        "sha256" => digest::<sha2::Sha256>(file),
        "sha512" => digest::<sha2::Sha512>(file),
        _ => {
            let detail = format!("it cannot be held against a checksum \"{kind}\"");
            return Err(ArchiveRefusal::Unsafe(detail));
        }
    };
    let found = found.map_err(|why| ArchiveRefusal::Failed(why.to_string()))?;
    match found.eq_ignore_ascii_case(digits) {
        true => Ok(()),
        false => Err(ArchiveRefusal::Unsafe(format!(
            "it is not what its source says: its {kind} is {found}"
        ))),
    }
}

/// Computes the digest of a file's content with the hash function `D`, in hexadecimal. The offset is at the start afterwards.
fn digest<D: sha2::Digest>(file: &mut File) -> io::Result<String> {
    let (mut digest, mut room) = (D::new(), vec![0; 64 << 10]);
    file.rewind()?;
    loop {
        match file.read(&mut room)? {
            0 => break,
            count => digest.update(&room[..count]),
        }
    }
    file.rewind()?;
    Ok(hex(&digest.finalize()))
}

/// Returns bytes as hexadecimal digits.
fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns the directory at the path `folder` below `at` in the fetched `package`; a name with wildcards must match a single
/// directory.
pub(crate) fn descend(
    package: &Path,
    mut at: PathBuf,
    folder: &str,
) -> Result<PathBuf, ArchiveRefusal> {
    let failed = |detail: String| Err(ArchiveRefusal::Failed(detail));
    for name in folder.split('/').filter(|name| !name.is_empty() && *name != ".") {
        if !name.contains(['*', '?']) {
            at.push(name);
            continue;
        }
        let mut like = Vec::new();
        for entry in fs::read_dir(&at).into_iter().flatten().flatten() {
            let text = entry.file_name().to_string_lossy().into_owned();
            if matches(name, &text) && entry.path().is_dir() {
                like.push(text);
            }
        }
        match like.as_slice() {
            [only] => at.push(only),
            [] => return failed(format!("no folder in it is called like \"{name}\"")),
            _ => return failed(format!("several folders in it are called like \"{name}\"")),
        }
    }
    let root = package.canonicalize().map_err(|why| ArchiveRefusal::Failed(why.to_string()))?;
    match at.canonicalize() {
        Ok(real) if real.starts_with(&root) && real.is_dir() => Ok(at),
        Ok(real) if real.starts_with(&root) => failed(format!("\"{folder}\" in it is no folder")),
        Ok(_) => {
            Err(ArchiveRefusal::Unsafe(format!("the folder \"{folder}\" in it leads out of it")))
        }
        Err(_) => failed(format!("there is no folder \"{folder}\" in it")),
    }
}

/// Returns true if a file name matches a pattern with the wildcards `*` and `?`.
fn matches(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) =
        (pattern.chars().collect(), name.chars().collect());
    let (mut p, mut n, mut back) = (0, 0, None);
    while n < name.len() {
        if p < pattern.len() && pattern[p] == '*' {
            back = Some((p, n));
            p += 1;
        } else if p < pattern.len() && (pattern[p] == '?' || pattern[p] == name[n]) {
            (p, n) = (p + 1, n + 1);
        } else if let Some((star, at)) = back {
            (p, n, back) = (star + 1, at + 1, Some((star, at + 1)));
        } else {
            return false;
        }
    }
    pattern[p..].iter().all(|c| *c == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks which directory names a pattern with wildcards matches.
    #[test]
    fn patterns() {
        for (pattern, name) in [("*", "x"), ("a*c", "abbc"), ("*-v1*", "aws-v1.2"), ("?b", "ab")] {
            assert!(matches(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in [("a*c", "ab"), ("?", ""), ("x", "xy")] {
            assert!(!matches(pattern, name), "{pattern} {name}");
        }
    }

    /// Checks that a file is accepted only with the right checksum.
    #[test]
    fn checksums() {
        let empty = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        let path = std::env::temp_dir().join(format!("groma-install-sum-{}", std::process::id()));
        let is_well = |checksum: &str, text: &str| {
            fs::write(&path, text).unwrap();
            let mut file = File::open(&path).unwrap();
            let is_well = verify(checksum, &mut file).is_ok();
            fs::remove_file(&path).unwrap();
            is_well
        };
        assert!(is_well(empty, ""));
        assert!(is_well("d41d8cd98f00b204e9800998ecf8427e", ""));
        assert!(!is_well(empty, "x"));
        assert!(!is_well("crc:00", ""));
    }
}
