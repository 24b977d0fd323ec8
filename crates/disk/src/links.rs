//! Resolution of links on the path to a file, and opening of the resolved file. In untrusted code, links may not lead out of
//! their bounds.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};

use crate::stat_cache::{NAMES_ARE_PLAIN, is_private};

/// The folders into which links may lead on the way to a file; `None` for anywhere.
pub type LinkBounds<'b> = Option<&'b [PathBuf]>;

/// Maximum number of links followed in the resolution of a path; a path with more is an error.
const MOST_LINKS: usize = 40;

/// The result of following all links of a path: the path without links, where the first link was, and the error that stopped it.
pub(crate) struct ResolvedPath {
    /// The path without links, as far as it was resolved.
    pub real: PathBuf,
    /// The directory of the first link that untrusted code may have created, if any.
    pub link: Option<PathBuf>,
    /// The reason why the resolution stopped, if it did.
    pub error: Option<io::Error>,
}

impl ResolvedPath {
    /// Returns true if no link was followed, or if the target is inside one of the folders and not private to tools there.
    fn is_within(&self, folders: &[PathBuf]) -> bool {
        let is_open = |folder: &PathBuf| {
            let below = self.real.strip_prefix(folder);
            below.is_ok_and(|below| !is_private(below, true))
        };
        self.link.is_none() || folders.iter().any(is_open)
    }
}

/// Resolves a path by following its links one by one. Links in the root directory belong to the system, as `/tmp` often does.
pub(crate) fn resolve(path: &Path) -> ResolvedPath {
    let parts = |path: &Path| -> Vec<OsString> {
        path.components().rev().map(|part| part.as_os_str().to_owned()).collect()
    };
    let mut resolved = ResolvedPath { real: PathBuf::new(), link: None, error: None };
    let (mut waiting, mut links) = (parts(path), 0);
    while let (Some(part), None) = (waiting.pop(), &resolved.error) {
        match Path::new(&part).components().next() {
            Some(Component::Prefix(_) | Component::RootDir) => resolved.real.push(&part),
            Some(Component::ParentDir) => {
                resolved.real.pop();
            }
            Some(Component::Normal(name)) => {
                let next = resolved.real.join(name);
                let target = target(&next).and_then(|target| {
                    links += usize::from(target.is_some());
                    if links <= MOST_LINKS { Ok(target) } else { Err(too_many()) }
                });
                match target {
                    Ok(None) => resolved.real = next,
                    Ok(Some(target)) => {
                        let is_of_system = resolved.real.parent().is_none();
                        let here = resolved
                            .link
                            .take()
                            .or_else(|| (!is_of_system).then(|| resolved.real.clone()));
                        resolved.link = here;
                        waiting.extend(parts(&target));
                    }
                    Err(error) => {
                        resolved.real = next;
                        resolved.error = Some(error);
                    }
                }
            }
            Some(Component::CurDir) | None => {}
        }
    }
    if !NAMES_ARE_PLAIN && let Ok(real) = fs::canonicalize(&resolved.real) {
        resolved.real = real;
    }
    resolved
}

/// Returns the target of a link; `None` if the path is not a link.
fn target(path: &Path) -> io::Result<Option<PathBuf>> {
    match fs::symlink_metadata(path)?.is_symlink() {
        true => fs::read_link(path).map(Some),
        false => Ok(None),
    }
}

/// Returns the error for a path whose resolution follows more than [`MOST_LINKS`] links.
fn too_many() -> io::Error {
    io::Error::other("it leads through too many links")
}

/// Returns the real path of a file, without links, if links on the way lead to one inside of the folders `bounds`, which are
/// `None` for anywhere.
///
/// # Errors
/// If nothing exists there, or a link leads out of the bounds: [`leads_out_of_bounds`] distinguishes the two.
pub fn real_within(path: &Path, bounds: LinkBounds<'_>) -> io::Result<PathBuf> {
    let Some(folders) = bounds else { return fs::canonicalize(path) };
    let resolved = resolve(path);
    // The existence of files outside is not revealed either.
    if !resolved.is_within(folders) {
        return Err(io::Error::new(ErrorKind::PermissionDenied, LeadsOut));
    }
    resolved.error.map_or(Ok(resolved.real), Err)
}

/// The error for a link that leads out of its bounds.
#[derive(Debug)]
struct LeadsOut;

impl std::error::Error for LeadsOut {}

impl std::fmt::Display for LeadsOut {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a link leads out of the folder of the untrusted code")
    }
}

/// Returns true if the error says that a link leads out of its bounds.
pub fn leads_out_of_bounds(error: &io::Error) -> bool {
    error.get_ref().is_some_and(|why| why.is::<LeadsOut>())
}

/// Opens a file that the user named, unless a link leads out of the folders `bounds`, which are `None` for anywhere, or it is a
/// pipe or device below neither `/dev` nor `/proc`. Files that the shell or another process has opened for this one are read; a
/// pipe in a directory is refused, because opening it blocks until a writer appears.
pub(crate) fn open_named(path: &Path, bounds: LinkBounds<'_>) -> io::Result<File> {
    if ["/dev", "/proc"].iter().any(|folder| path.starts_with(folder)) {
        return File::open(path);
    }
    let irregular = || io::Error::other("it is a pipe, a socket or a device, and not a file");
    let is_regular = |found: fs::Metadata| found.is_file() || found.is_dir();
    if bounds.is_some() {
        let file = open_unlinked(&real_within(path, bounds)?)?;
        return if is_regular(file.metadata()?) { Ok(file) } else { Err(irregular()) };
    }
    if !is_regular(fs::metadata(path)?) {
        return Err(irregular());
    }
    File::open(path)
}

/// Returns the metadata of a path that the user named, following links that lead into the folders `bounds` (`None`: anywhere), or
/// any below `/dev` and `/proc`.
pub(crate) fn metadata_of_named(path: &Path, bounds: LinkBounds<'_>) -> io::Result<fs::Metadata> {
    if bounds.is_none() || ["/dev", "/proc"].iter().any(|folder| path.starts_with(folder)) {
        return fs::metadata(path);
    }
    fs::symlink_metadata(real_within(path, bounds)?)
}

/// Opens the file at an absolute path without links, name by name, so that a link created meanwhile is not followed and no pipe
/// blocks.
///
/// # Errors
/// If nothing there can be read, or a link has taken its place.
#[cfg(unix)]
pub fn open_unlinked(real: &Path) -> io::Result<File> {
    use rustix::fs::{CWD, Mode, OFlags, openat};
    /// Flags with which the directories on the way to a file are opened.
    #[cfg(any(target_os = "linux", target_os = "android"))]
    const DIRECTORY_FLAGS: OFlags = OFlags::PATH;
    /// Flags with which the directories on the way to a file are opened.
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    const DIRECTORY_FLAGS: OFlags = OFlags::RDONLY;
    let plain = OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mut at = openat(CWD, "/", DIRECTORY_FLAGS | OFlags::DIRECTORY | plain, Mode::empty())?;
    let mut names = real.strip_prefix("/").map_err(|_| ErrorKind::InvalidInput)?.iter().peekable();
    while let Some(name) = names.next() {
        let flags = match names.peek() {
            Some(_) => DIRECTORY_FLAGS | OFlags::DIRECTORY,
            None => OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY,
        };
        at = openat(&at, name, flags | plain, Mode::empty())?;
    }
    Ok(File::from(at))
}

/// Opens the file at an absolute path without links, and checks afterwards that its real path is the same.
///
/// # Errors
/// If nothing there can be read, or a link has taken its place.
#[cfg(not(unix))]
pub fn open_unlinked(real: &Path) -> io::Result<File> {
    let file = File::open(real)?;
    match fs::canonicalize(real)? == real {
        true => Ok(file),
        false => Err(io::Error::other("it was replaced by a link")),
    }
}
#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::{leads_out_of_bounds, open_unlinked, real_within, resolve};

    /// Tests that a file is not opened if a step of its path has become a symbolic link since the path was resolved.
    #[test]
    fn what_became_a_link_is_not_followed() {
        let top = std::env::temp_dir().join(format!("groma-files-{}", std::process::id()));
        fs::create_dir_all(top.join("in/folder")).unwrap();
        let top = fs::canonicalize(top).unwrap();
        fs::create_dir(top.join("out")).unwrap();
        let within = [top.join("in")];
        let real = |name: &str| real_within(&top.join("in").join(name), Some(&within));
        for folder in ["in/folder", "out"] {
            fs::write(top.join(folder).join("file"), folder).unwrap();
        }
        // The path was good when it was looked at, and is not by the time it is opened.
        let file = real("folder/file").unwrap();
        assert!(open_unlinked(&file).is_ok());
        fs::rename(top.join("in/folder"), top.join("in/before")).unwrap();
        symlink("../out", top.join("in/folder")).unwrap();
        assert!(open_unlinked(&file).is_err());
        assert!(leads_out_of_bounds(&real("folder/file").unwrap_err()));
        assert!(leads_out_of_bounds(&real("folder/none").unwrap_err()));
        symlink("before", top.join("in/other")).unwrap();
        assert_eq!(real("other/file").unwrap(), top.join("in/before/file"));
        assert!(!leads_out_of_bounds(&real("other/none").unwrap_err()));
        fs::remove_file(top.join("in/before/file")).unwrap();
        symlink("../../out/file", top.join("in/before/file")).unwrap();
        assert!(open_unlinked(&top.join("in/before/file")).is_err());
        symlink("round", top.join("in/round")).unwrap();
        assert!(resolve(&top.join("in/round")).error.is_some());
        fs::remove_dir_all(top).unwrap();
    }
}
