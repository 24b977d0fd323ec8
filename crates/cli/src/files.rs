//! Files that the user names to be changed: found, read, and replaced. This is the only place that writes files of the
//! user's. A file is replaced whole or not at all: what is written goes beside it and takes its place when it is there.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::SystemTime;

/// A file to look at.
#[derive(Clone, Debug)]
pub(crate) struct ChosenFile {
    /// How it is reached.
    pub path: PathBuf,
    /// How it is shown.
    pub shown: String,
    /// Where it lies, links resolved.
    pub real: PathBuf,
}

/// What a path leads to.
#[derive(Debug)]
pub(crate) enum Found {
    File(ChosenFile),
    Folder(ChosenFile),
}

/// Why something is left out: the path as it is shown, and a sentence about it.
pub(crate) type Trouble = (String, String);

/// What lies at a path, which is shown as `shown`.
pub(crate) fn at(path: PathBuf, shown: String) -> Result<Found, Trouble> {
    let looked = fs::metadata(&path).and_then(|found| Ok((found, fs::canonicalize(&path)?)));
    let (found, real) = match looked {
        Ok(looked) => looked,
        Err(error) => return Err((shown, unreachable(&error))),
    };
    let target = ChosenFile { path, shown, real };
    Ok(if found.is_dir() { Found::Folder(target) } else { Found::File(target) })
}

/// The files of a folder whose names are wanted, in the order of their names; with the folders in it, if `recursive`.
/// What is hidden, or a copy that an editor made, is passed over, and links to folders are not followed. Of a stranger's
/// folder (`untrusted`) links that lead out of it are trouble.
pub(crate) fn below(
    folder: &ChosenFile,
    recursive: bool,
    untrusted: bool,
    wanted: &dyn Fn(&str) -> bool,
    out: &mut dyn FnMut(Result<ChosenFile, Trouble>),
) {
    below_top(folder, untrusted.then_some(&*folder.real), recursive, wanted, out);
}

/// The same, with the folder that no link may lead out of.
fn below_top(
    folder: &ChosenFile,
    top: Option<&Path>,
    recursive: bool,
    wanted: &dyn Fn(&str) -> bool,
    out: &mut dyn FnMut(Result<ChosenFile, Trouble>),
) {
    let entries = fs::read_dir(&folder.path).and_then(|all| all.collect::<io::Result<Vec<_>>>());
    let mut entries = match entries {
        Ok(entries) => entries,
        Err(error) => return out(Err((folder.shown.clone(), unreachable(&error)))),
    };
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let name = entry.file_name();
        let text = name.to_string_lossy();
        let is_copy = text.ends_with('~') || text.starts_with('#') && text.ends_with('#');
        if text.starts_with('.') || is_copy {
            continue;
        }
        let shown = match &*folder.shown {
            "." => text.clone().into_owned(),
            "/" => format!("/{text}"),
            above => format!("{above}/{text}"),
        };
        let kind = match entry.file_type() {
            Ok(kind) => kind,
            Err(error) => {
                out(Err((shown, unreachable(&error))));
                continue;
            }
        };
        let here = ChosenFile { path: entry.path(), shown, real: folder.real.join(&name) };
        if kind.is_dir() && recursive {
            below_top(&here, top, recursive, wanted, out);
        } else if kind.is_file() && wanted(&text) {
            out(Ok(here));
        } else if kind.is_symlink() && wanted(&text) {
            match at(here.path, here.shown) {
                Ok(Found::File(target)) if top.is_some_and(|top| !target.real.starts_with(top)) => {
                    let why =
                        "It is a link that leads out of the folder, whose code is not trusted.";
                    out(Err((target.shown, why.to_owned())));
                }
                Ok(Found::File(target)) => out(Ok(target)),
                Ok(Found::Folder(_)) => {}
                Err(trouble) => out(Err(trouble)),
            }
        }
    }
}

/// What tells whether a file has changed since somebody looked: when it was written, and how long it is.
pub(crate) type Stamp = (PathBuf, Option<SystemTime>, u64);

/// No more files than so many are looked at again and again.
const STAMPED: usize = 100_000;

/// The stamp of a file, whether it is there or not.
pub(crate) fn stamp(path: PathBuf) -> Stamp {
    match fs::metadata(&path) {
        Ok(found) => (path, found.modified().ok(), found.len()),
        Err(_) => (path, None, 0),
    }
}

/// The stamps of all files in and below a folder that are not hidden, and of what an init writes there.
pub(crate) fn stamps_below(folder: &Path, out: &mut Vec<Stamp>) {
    let mut waiting = vec![folder.to_owned()];
    while let Some(folder) = waiting.pop() {
        let kept = folder.join(".terraform");
        if kept.is_dir() {
            out.extend(["environment", "modules/modules.json"].map(|file| stamp(kept.join(file))));
        }
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
            if is_hidden || out.len() >= STAMPED {
                continue;
            }
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => waiting.push(entry.path()),
                Ok(_) => out.push(stamp(entry.path())),
                Err(_) => {}
            }
        }
    }
}

/// Opens a file that the user named to be read. What the shell or another process has opened for this one is read, a pipe
/// that lies in a folder is not: to open it waits for whoever writes into it.
pub(crate) fn open_named(path: &Path) -> io::Result<File> {
    let found = fs::metadata(path)?;
    let is_open = ["/dev", "/proc"].iter().any(|folder| path.starts_with(folder));
    if !is_open && !found.is_file() && !found.is_dir() {
        return Err(io::Error::other("it is a pipe, a socket or a device, and not a file"));
    }
    File::open(path)
}

/// The bytes of a file, of at most `most` bytes and one more.
pub(crate) fn read(target: &ChosenFile, most: u64) -> Result<Vec<u8>, Trouble> {
    let read = || {
        let irregular = || io::Error::other("it is not a regular file");
        // To open a pipe waits for whoever writes into it.
        if !fs::metadata(&target.path)?.is_file() {
            return Err(irregular());
        }
        let file = File::open(&target.path)?;
        let found = file.metadata()?;
        if !found.is_file() {
            return Err(irregular());
        }
        // Some systems have files whose length they do not tell.
        let length = if found.len() == 0 { u64::MAX } else { found.len() };
        let mut bytes = Vec::with_capacity(usize::try_from(found.len().min(most)).unwrap_or(0));
        file.take(length.min(most.saturating_add(1))).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    read().map_err(|error| (target.shown.clone(), unreachable(&error)))
}

fn unreachable(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "There is no such file or folder.".to_owned(),
        ErrorKind::PermissionDenied => "It may not be read.".to_owned(),
        _ => format!("It cannot be read: {error}."),
    }
}

/// Gives a file other bytes. It keeps its mode, and its owner where the system lets it; where it is reached by a link, the link stays.
pub(crate) fn replace(target: &ChosenFile, bytes: &[u8]) -> Result<(), Trouble> {
    static MADE: AtomicU32 = AtomicU32::new(0);
    let real = &target.real;
    let fails = |why: String| Err((target.shown.clone(), why));
    // Its folder may let a file be replaced that may itself not be written.
    let found = match OpenOptions::new().write(true).open(real).and_then(|file| file.metadata()) {
        Ok(found) => found,
        Err(error) => return fails(unwritable("It", &error)),
    };
    let number = MADE.fetch_add(1, Ordering::Relaxed);
    let beside = real.with_file_name(format!(".groma-{}-{number}.tmp", std::process::id()));
    let written = swap(&beside, real, bytes, |file| {
        keep_owner(&beside, &found);
        file.set_permissions(found.permissions())
    });
    written.or_else(|error| fails(unwritable("The new text beside it", &error)))
}

/// Writes a file that is not there yet; one that is there only where the user says so.
pub(crate) fn write(
    path: PathBuf,
    shown: String,
    bytes: &[u8],
    force: bool,
) -> Result<(), Trouble> {
    match OpenOptions::new().write(true).create_new(true).open(&path) {
        Ok(mut file) => file.write_all(bytes).map_err(|error| (shown, unwritable("It", &error))),
        Err(error) if error.kind() == ErrorKind::AlreadyExists && force => match at(path, shown)? {
            Found::File(target) => replace(&target, bytes),
            Found::Folder(target) => Err((target.shown, "It is a folder.".to_owned())),
        },
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            Err((shown, "It is there already, and is overwritten only with -force.".to_owned()))
        }
        Err(error) => Err((shown, unwritable("It", &error))),
    }
}

/// Writes a file that nobody else may read, whether or not there is one already.
pub(crate) fn keep(path: &Path, shown: &str, bytes: &[u8]) -> Result<(), Trouble> {
    let beside = path.with_file_name(format!(".groma-{}-kept.tmp", std::process::id()));
    let written = swap(&beside, path, bytes, |_| Ok(()));
    written.map_err(|error| (shown.to_owned(), unwritable("It", &error)))
}

/// Writes a file beside another, prepares it, and puts it in the other's place.
fn swap(
    beside: &Path,
    target: &Path,
    bytes: &[u8],
    prepare: impl FnOnce(&File) -> io::Result<()>,
) -> io::Result<()> {
    let written = create(beside).and_then(|mut file| {
        file.write_all(bytes)?;
        prepare(&file)?;
        fs::rename(beside, target)
    });
    if written.is_err() {
        // What is left of a write that failed is only litter.
        let _ = fs::remove_file(beside);
    }
    written
}

fn unwritable(what: &str, error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::PermissionDenied => format!("{what} may not be written."),
        _ => format!("{what} cannot be written: {error}."),
    }
}

/// A new file that nobody else may read until it has the mode of the one that it replaces.
fn create(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Gives a new file the owner of the one that it replaces, where that is another and the system allows it.
#[cfg(unix)]
fn keep_owner(path: &Path, of: &fs::Metadata) {
    use std::os::unix::fs::{MetadataExt as _, chown};
    let Ok(own) = fs::symlink_metadata(path) else { return };
    let user = (own.uid() != of.uid()).then(|| of.uid());
    let group = (own.gid() != of.gid()).then(|| of.gid());
    if user.is_some() || group.is_some() {
        let _ = chown(path, user, group);
    }
}

#[cfg(not(unix))]
fn keep_owner(_: &Path, _: &fs::Metadata) {}
