//! Files that the user names: resolved, read, and replaced through the writer whole or not at all. In untrusted code links may
//! be hostile, so there no link is followed out of the root.

use std::fs;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::io::{self, ErrorKind, Read as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

#[cfg(feature = "git")]
use groma::disk::FileStamp;
use groma::disk::{LinkBounds, leads_out_of_bounds, open_unlinked, real_within};
#[cfg(feature = "git")]
use groma_fleet::{ResultPart, ResultStore, SeekableRead};
use groma_writer::{FileReplacement, FileWriter, RecoveryOutcome, SystemDisk, WriteObstacle};

use crate::host::MachineContext;

/// The message about a link in untrusted code that leads out of the folders which that code may reach.
pub(crate) const LEADS_OUT: &str =
    "It is a link that leads out of the folder of the untrusted code.";

/// A file or folder that the user named or a listing found.
#[derive(Clone, Debug)]
pub(crate) struct ChosenFile {
    /// The path by which it is reached.
    pub path: PathBuf,
    /// The path as it is shown.
    pub shown: String,
    /// The real path, with links resolved.
    pub real: PathBuf,
}

/// A path that was found to be a file or a folder.
#[derive(Debug)]
pub(crate) enum PathEntry {
    File(ChosenFile),
    Folder(ChosenFile),
}

/// A path as it is shown in messages, and a sentence that says why it is not processed.
pub(crate) type PathError = (String, String);

/// Returns the file or folder at a path, which messages call `shown`; a link out of the folders `bounds`, if set, is an error.
pub(crate) fn at(
    path: PathBuf,
    shown: String,
    bounds: LinkBounds<'_>,
) -> Result<PathEntry, PathError> {
    let looked = real_within(&path, bounds).and_then(|real| Ok((fs::metadata(&real)?, real)));
    let (found, real) = match looked {
        Ok(looked) => looked,
        Err(error) => return Err((shown, unreachable(&error))),
    };
    let target = ChosenFile { path, shown, real };
    Ok(if found.is_dir() { PathEntry::Folder(target) } else { PathEntry::File(target) })
}

/// Passes the files in a folder whose names `wanted` accepts to `out`, sorted by name, and an error for each path that cannot
/// be read or leads by a link out of the folders `bounds`; with `recursive` also those in its subfolders. Hidden files and
/// backup copies of editors are skipped, and links to folders are not followed.
pub(crate) fn below(
    folder: &ChosenFile,
    recursive: bool,
    bounds: LinkBounds<'_>,
    wanted: &dyn Fn(&str) -> bool,
    out: &mut dyn FnMut(Result<ChosenFile, PathError>),
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
            below(&here, recursive, bounds, wanted, out);
        } else if kind.is_file() && wanted(&text) {
            out(Ok(here));
        } else if kind.is_symlink() && wanted(&text) {
            match at(here.path, here.shown, bounds) {
                Ok(PathEntry::File(target)) => out(Ok(target)),
                Ok(PathEntry::Folder(_)) => {}
                Err(trouble) => out(Err(trouble)),
            }
        }
    }
}

/// A file's path, last write time and length, which change when the file does.
pub(crate) type Stamp = (PathBuf, Option<SystemTime>, u64);

/// Maximum number of files that are watched for changes; changes of further ones are not noticed.
const MAX_STAMPS: usize = 100_000;

/// Returns a file's path, last write time and length; for a missing file no time and length 0.
pub(crate) fn stamp(path: PathBuf) -> Stamp {
    match fs::metadata(&path) {
        Ok(found) => (path, found.modified().ok(), found.len()),
        Err(_) => (path, None, 0),
    }
}

/// Adds the write times and lengths of all files in and below a folder: those not hidden, and those that `init` writes.
pub(crate) fn stamps_below(folder: &Path, out: &mut Vec<Stamp>) {
    let mut waiting = vec![folder.to_owned()];
    while let Some(folder) = waiting.pop() {
        let kept = folder.join(".terraform");
        if kept.is_dir() {
            out.extend(["environment", "modules/modules.json"].map(|file| stamp(kept.join(file))));
        }
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
            if is_hidden || out.len() >= MAX_STAMPS {
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

/// Reads at most `most` bytes of a file and one more, by which the caller detects a longer one.
pub(crate) fn read(target: &ChosenFile, most: u64) -> Result<Vec<u8>, PathError> {
    let read = || {
        let irregular = || io::Error::other("it is not a regular file");
        // Opening a pipe waits for a writer.
        if !fs::metadata(&target.real)?.is_file() {
            return Err(irregular());
        }
        let file = open_unlinked(&target.real)?;
        let found = file.metadata()?;
        if !found.is_file() {
            return Err(irregular());
        }
        // Some systems report a length of 0 for files that have contents.
        let length = if found.len() == 0 { u64::MAX } else { found.len() };
        let mut bytes = Vec::with_capacity(usize::try_from(found.len().min(most)).unwrap_or(0));
        file.take(length.min(most.saturating_add(1))).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    read().map_err(|error| (target.shown.clone(), unreachable(&error)))
}

/// Returns a sentence about a path that cannot be read.
fn unreachable(error: &io::Error) -> String {
    match error.kind() {
        _ if leads_out_of_bounds(error) => LEADS_OUT.to_owned(),
        ErrorKind::NotFound => "There is no such file or folder.".to_owned(),
        ErrorKind::PermissionDenied => "Permission to read it is denied.".to_owned(),
        _ => format!("It cannot be read: {error}."),
    }
}

/// The ending of a fleet's stamp file, which records when the files that were read had last changed.
#[cfg(feature = "git")]
const STAMPS: &str = ".stamps";
/// The ending of a stamp file while it is written.
#[cfg(feature = "git")]
const NEW_STAMPS: &str = ".stamps.new";

/// The store of a fleet's result: the file that the user named, and the `.keys` and `.journal` files next to it.
#[cfg(feature = "git")]
#[derive(Clone)]
pub(crate) struct ResultFiles {
    path: PathBuf,
}

#[cfg(feature = "git")]
impl ResultFiles {
    /// Creates the store of a fleet's result whose main file is at `path`.
    pub(crate) fn new(path: PathBuf) -> ResultFiles {
        ResultFiles { path }
    }

    /// Opens the stamp file next to the result; `None` if it is missing or cannot be opened.
    pub(crate) fn stamps(&self) -> Option<io::BufReader<fs::File>> {
        fs::File::open(self.with_ending(STAMPS)).ok().map(io::BufReader::new)
    }

    /// Creates the stamp file of this run, which replaces that of the last one when it is complete; `None` if it cannot be
    /// created.
    pub(crate) fn begin_stamps(&self) -> Option<io::BufWriter<fs::File>> {
        let file = fs::File::create(self.with_ending(NEW_STAMPS)).ok()?;
        Some(io::BufWriter::with_capacity(1 << 16, file))
    }

    /// Replaces the stamp file by the new one if that is complete (`are_whole`); otherwise removes both.
    pub(crate) fn end_stamps(&self, are_whole: bool) {
        let (new, path) = (self.with_ending(NEW_STAMPS), self.with_ending(STAMPS));
        if !are_whole || fs::rename(&new, &path).is_err() {
            drop(fs::remove_file(&new));
            drop(fs::remove_file(&path));
        }
    }

    /// Returns the write times and lengths of the result file and its `.keys` file.
    pub(crate) fn result_stamps(&self) -> io::Result<[FileStamp; 2]> {
        let stamp = |part| fs::metadata(self.path_of(part)).map(|found| FileStamp::of(&found));
        Ok([stamp(ResultPart::Lines)?, stamp(ResultPart::Keys)?])
    }

    /// Returns the path of one of the files that make up a fleet's result.
    fn path_of(&self, part: ResultPart) -> PathBuf {
        let ending = match part {
            ResultPart::Lines => return self.path.clone(),
            ResultPart::Keys => ".keys",
            ResultPart::Journal => ".journal",
        };
        self.with_ending(ending)
    }

    /// Returns the path of the result with `ending` appended.
    fn with_ending(&self, ending: &str) -> PathBuf {
        let mut name = self.path.clone().into_os_string();
        name.push(ending);
        name.into()
    }
}

#[cfg(feature = "git")]
impl ResultStore for ResultFiles {
    fn read(&self, part: ResultPart) -> io::Result<Option<Box<dyn SeekableRead>>> {
        let path = self.path_of(part);
        match fs::metadata(&path) {
            Err(why) if why.kind() == ErrorKind::NotFound => return Ok(None),
            // Opening a pipe waits for a writer.
            Ok(found) if !found.is_file() => {
                return Err(io::Error::other("it is not a regular file"));
            }
            _ => {}
        }
        Ok(Some(Box::new(fs::File::open(path)?)))
    }

    fn begin(&self, part: ResultPart) -> io::Result<Box<dyn io::Write + Send>> {
        Ok(Box::new(fs::File::create(self.path_of(part))?))
    }

    fn replace(
        &self,
        part: ResultPart,
        write: &mut dyn FnMut(&mut dyn io::Write) -> io::Result<()>,
    ) -> io::Result<()> {
        use io::Write as _;
        let (path, new) = (self.path_of(part), self.with_ending(".new"));
        if fs::metadata(&path).is_ok_and(|found| !found.is_file()) {
            return Err(io::Error::other("it is not a regular file"));
        }
        let mut replace = || {
            let mut out = io::BufWriter::with_capacity(1 << 16, fs::File::create(&new)?);
            write(&mut out)?;
            out.flush()?;
            fs::rename(&new, &path)
        };
        let replaced = replace();
        // A file that was written in part is useless.
        replaced.inspect_err(|_| drop(fs::remove_file(&new)))
    }

    fn remove(&self, part: ResultPart) -> io::Result<()> {
        match fs::remove_file(self.path_of(part)) {
            Err(why) if why.kind() == ErrorKind::NotFound => Ok(()),
            done => done,
        }
    }
}

/// The writer by which commands create and replace files on the disk of the machine.
pub(crate) type Files = FileWriter<SystemDisk>;

/// Creates a file writer on the disk of the machine, with a random name that distinguishes this run's temporary files.
pub(crate) fn writer() -> Files {
    // Two runs in different containers may have the same process id.
    let random = RandomState::new().build_hasher().finish();
    FileWriter::new(SystemDisk, &format!("{}-{random:016x}", std::process::id()))
}

/// Replaces the contents of a file, provided that they are still `before`.
pub(crate) fn replace(
    writer: &Files,
    target: &ChosenFile,
    before: &[u8],
    after: &[u8],
) -> Result<(), PathError> {
    let done = writer.replace(FileReplacement { path: &target.real, before, after });
    done.map_err(|why| (target.shown.clone(), why.to_string()))
}

/// Replaces the contents of several files, all or none: each file is given with its content before and after. The error says
/// which file failed, why, and which could not be restored.
pub(crate) fn replace_all(
    writer: &Files,
    all: &[(&ChosenFile, &[u8], &[u8])],
) -> Result<(), String> {
    let changes =
        all.iter().map(|(file, before, after)| FileReplacement { path: &file.real, before, after });
    let Err(undone) = writer.replace_all(&changes.collect::<Vec<_>>()) else { return Ok(()) };
    let shown = |path: &Path| {
        let known = all.iter().find(|(file, ..)| file.real == path);
        known.map_or_else(|| path.to_string_lossy().into_owned(), |(file, ..)| file.shown.clone())
    };
    let left = match &undone.left[..] {
        [] => "Nothing was changed.".to_owned(),
        left => {
            let left: Vec<String> = left.iter().map(|path| shown(path)).collect();
            format!("These were written and could not be restored: {}.", left.join(", "))
        }
    };
    Err(format!("{}: {} {left}", shown(&undone.trouble.path), undone.trouble.why))
}

/// Writes `bytes` to a new file, which messages call `shown`; an existing one is overwritten only with `force`, and a link out
/// of the folders `bounds` is an error.
pub(crate) fn write(
    path: PathBuf,
    shown: String,
    bytes: &[u8],
    force: bool,
    bounds: LinkBounds<'_>,
) -> Result<(), PathError> {
    let writer = writer();
    let Ok(path) = target_path(&path, bounds) else { return Err((shown, LEADS_OUT.to_owned())) };
    match writer.create(&path, bytes) {
        Err(WriteObstacle::Present) if force => match at(path, shown, bounds)? {
            PathEntry::File(target) => {
                let before = read(&target, OVERWRITE_LIMIT)?;
                replace(&writer, &target, &before, bytes)
            }
            PathEntry::Folder(target) => Err((target.shown, "It is a folder.".to_owned())),
        },
        Err(WriteObstacle::Present) => {
            Err((shown, "It exists already; -force overwrites it.".to_owned()))
        }
        done => done.map_err(|why| (shown, why.to_string())),
    }
}

/// Maximum number of bytes in a file that `-force` overwrites; a larger one is not overwritten.
const OVERWRITE_LIMIT: u64 = 1 << 30;

/// Returns the real path of a file to be written; an error if a link on the way to its folder leads out of the folders
/// `bounds`.
fn target_path(path: &Path, bounds: LinkBounds<'_>) -> io::Result<PathBuf> {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
        return Ok(path.to_owned());
    };
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    match real_within(folder, bounds) {
        Err(error) if leads_out_of_bounds(&error) => Err(error),
        // Any other error is reported when the file is written.
        real => Ok(real.map_or_else(|_| path.to_owned(), |folder| folder.join(name))),
    }
}

/// Writes a file that only its owner can read, replacing an existing one, unless a link leads out of the folders `bounds`;
/// messages call the file `shown`.
pub(crate) fn write_private(
    path: &Path,
    shown: &str,
    bytes: &[u8],
    bounds: LinkBounds<'_>,
) -> Result<(), PathError> {
    // A link is kept, and its target is replaced.
    let real = match real_within(path, bounds) {
        Err(error) if !leads_out_of_bounds(&error) => target_path(path, bounds),
        real => real,
    };
    let Ok(real) = real else { return Err((shown.to_owned(), LEADS_OUT.to_owned())) };
    writer().write_private(&real, bytes).map_err(|why| (shown.to_owned(), why.to_string()))
}

/// Undoes the incomplete writes that interrupted runs left in and below a folder, and returns remarks about them. In untrusted
/// code they are only reported.
pub(crate) fn restore_interrupted(
    writer: &Files,
    folder: &Path,
    machine: &MachineContext,
) -> Vec<String> {
    if machine.is_untrusted() {
        return interrupted_remarks(writer, folder, machine);
    }
    let shown = |path: &Path| machine.seen_from_here(&path.to_string_lossy());
    let list =
        |paths: &[PathBuf]| paths.iter().map(|one| shown(one)).collect::<Vec<_>>().join(", ");
    let mut remarks = Vec::new();
    // The writer follows no links, not even one to the folder itself.
    let real = fs::canonicalize(folder);
    let folder = real.as_deref().unwrap_or(folder);
    for one in writer.recover(folder) {
        let above = shown(one.journal.parent().unwrap_or(folder));
        match one.outcome {
            RecoveryOutcome::Cleared => {}
            RecoveryOutcome::Undone => {
                remarks.push(format!(
                    "an interrupted run had written only some of its files below {above}; these were restored: {}.",
                    list(&one.undone)
                ));
            }
            RecoveryOutcome::Failed => remarks.push(format!(
                "an interrupted run has left files below {above} partly written, and they cannot be restored."
            )),
            RecoveryOutcome::Busy => remarks.push(format!("another run is writing files below {above}.")),
            RecoveryOutcome::Foreign => remarks.push(format!(
                "{} is not a valid journal, so it is ignored.",
                shown(&one.journal)
            )),
        }
        if !one.left.is_empty() {
            remarks.push(format!(
                "these have changed since that run and were left unchanged: {}.",
                list(&one.left)
            ));
        }
    }
    remarks
}

/// Returns remarks about the writes to `folder` that interrupted runs left incomplete, by journals there or in a folder above;
/// for commands that only read.
pub(crate) fn interrupted_remarks(
    writer: &Files,
    folder: &Path,
    machine: &MachineContext,
) -> Vec<String> {
    let real = fs::canonicalize(folder);
    let folder = real.as_deref().unwrap_or(folder);
    let told = |journal: &PathBuf| {
        let above = journal.parent().unwrap_or(folder).to_string_lossy();
        let above = machine.seen_from_here(&above);
        format!(
            "an interrupted run may have left files below {above} partly written; `groma fmt {above}` restores them."
        )
    };
    writer.journals(folder).iter().map(told).collect()
}

/// Returns the names in a folder, each with true if it is a folder; empty if the folder cannot be read.
pub(crate) fn entries(folder: &Path) -> Vec<(String, bool)> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let name = |entry: fs::DirEntry| {
        let is_folder = fs::metadata(entry.path()).is_ok_and(|found| found.is_dir());
        Some((entry.file_name().into_string().ok()?, is_folder))
    };
    entries.flatten().filter_map(name).collect()
}
