//! Unpacking of archives into an empty directory. Nothing is written outside of it: each name is checked before anything is
//! created for it, and links are created last, when no file can be written through them any more.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, Cursor, ErrorKind, Read, Seek, SeekFrom, Write as _};
use std::path::{Component, Path, PathBuf};

use bzip2::read::BzDecoder;
use flate2::read::GzDecoder;
use lzma_rust2::XzReader;

use crate::links;

/// Maximum number of bytes to which an archive may unpack; a larger one is refused.
const MOST_BYTES: u64 = 1 << 30;
/// Maximum number of files and folders in an archive; one with more is refused.
pub(crate) const MOST_ENTRIES: usize = 200_000;
/// Maximum number of bytes of all names and link targets in an archive together; one with more is refused.
const MOST_NAMES: usize = 32 << 20;
/// Maximum length in bytes of a name or link target in an archive; one with a longer name is refused.
const MOST_NAME: u64 = 4096;
/// Maximum number of bytes of a PAX header, the tar entry with the name or link target of the next entry.
const MOST_EXTENSION: u64 = 64 << 10;
/// Maximum memory in KiB for decompressing `xz`, whose archives declare their own need; `xz -9` takes 65 MiB.
const MOST_XZ: u32 = 128 << 10;
/// Maximum depth of nested folders in an archive; a deeper one is refused.
const MOST_DEPTH: usize = 40;

/// The reason why an archive is not unpacked: it cannot be read or written to disk, or it contains something dangerous.
#[derive(Debug)]
pub(crate) enum ArchiveRefusal {
    /// The archive is corrupt, or its contents cannot be written; the rest of a sentence.
    Failed(String),
    /// The archive contains something dangerous; the rest of a sentence.
    Unsafe(String),
}

/// The format of an archive: zip, or tar with its compression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ArchiveForm {
    /// A zip archive.
    Zip,
    /// An uncompressed tar archive.
    Tar,
    /// A tar archive compressed by gzip.
    TarGz,
    /// A tar archive compressed by bzip2.
    TarBz2,
    /// A tar archive compressed by xz.
    TarXz,
}

/// The file name endings of archives with their formats, longest first.
const ENDINGS: [(&str, ArchiveForm); 8] = [
    ("tar.bz2", ArchiveForm::TarBz2),
    ("tar.gz", ArchiveForm::TarGz),
    ("tar.xz", ArchiveForm::TarXz),
    ("tbz2", ArchiveForm::TarBz2),
    ("tgz", ArchiveForm::TarGz),
    ("txz", ArchiveForm::TarXz),
    ("tar", ArchiveForm::Tar),
    ("zip", ArchiveForm::Zip),
];

impl ArchiveForm {
    /// Returns the archive format called `name`, such as `tar.gz`; `None` for an unknown name.
    pub(crate) fn named(name: &str) -> Option<ArchiveForm> {
        ENDINGS.iter().find(|(ending, _)| *ending == name).map(|row| row.1)
    }

    /// Returns the archive format that the ending of a URL's path implies; `None` if it is not one of an archive.
    pub(crate) fn of(url: &str) -> Option<ArchiveForm> {
        let plain = url.split(['?', '#']).next().unwrap_or(url);
        let ends =
            |ending: &str| plain.strip_suffix(ending).is_some_and(|before| before.ends_with('.'));
        ENDINGS.iter().find(|(ending, _)| ends(ending)).map(|row| row.1)
    }
}

/// Unpacks an archive, whose format follows from its name, into `folder`, which exists and is empty; `most` is the maximum number
/// of unpacked bytes.
///
/// # Errors
/// If it is not an archive, is corrupt or contains something dangerous: the rest of a sentence.
pub fn unpack_archive(name: &str, bytes: Vec<u8>, folder: &Path, most: u64) -> Result<(), String> {
    let form =
        ArchiveForm::of(name).ok_or_else(|| "its name is not that of an archive".to_owned())?;
    let done = unpack_within(Cursor::new(bytes), form, folder, most);
    done.map_err(|why| match why {
        ArchiveRefusal::Failed(why) | ArchiveRefusal::Unsafe(why) => why,
    })
}

/// Unpacks an archive into `folder`, which exists and is empty.
pub(crate) fn unpack(
    packed: impl Read + Seek,
    form: ArchiveForm,
    folder: &Path,
) -> Result<(), ArchiveRefusal> {
    unpack_within(packed, form, folder, MOST_BYTES)
}

/// Unpacks an archive into `folder`; one that unpacks to more than `most` bytes is refused.
fn unpack_within(
    packed: impl Read + Seek,
    form: ArchiveForm,
    folder: &Path,
    most: u64,
) -> Result<(), ArchiveRefusal> {
    let mut out =
        ArchiveUnpacking { folder, left: most, entries: 0, names: MOST_NAMES, links: Vec::new() };
    match form {
        ArchiveForm::Zip => zip(packed, &mut out)?,
        ArchiveForm::Tar => tar(packed, &mut out)?,
        ArchiveForm::TarGz => tar(GzDecoder::new(packed), &mut out)?,
        ArchiveForm::TarBz2 => tar(BzDecoder::new(packed), &mut out)?,
        ArchiveForm::TarXz => tar(XzReader::new_mem_limit(packed, true, MOST_XZ), &mut out)?,
    }
    out.link()
}

/// Creates the refusal of a corrupt archive. The reason may quote the archive, so control characters are removed.
fn broken(why: impl std::fmt::Display) -> ArchiveRefusal {
    let why = plain(&why.to_string());
    ArchiveRefusal::Failed(format!(
        "the archive cannot be read: {}",
        why.trim_end_matches(['.', ' '])
    ))
}

/// Unpacks a zip archive, entry by entry.
fn zip(mut packed: impl Read + Seek, out: &mut ArchiveUnpacking<'_>) -> Result<(), ArchiveRefusal> {
    bound_zip(&mut packed)?;
    packed.rewind().map_err(broken)?;
    let archive = zip::ZipArchive::new(&mut packed).map_err(broken)?;
    let (start, count) = (archive.central_directory_start(), archive.len());
    drop(archive);
    // Of two entries with one name the reader keeps one, and another reader may keep the other.
    packed.seek(SeekFrom::Start(start)).map_err(broken)?;
    if listed_in_zip(BufReader::new(&mut packed)).map_err(broken)? != count {
        return Err(ArchiveRefusal::Unsafe("it contains one name twice".to_owned()));
    }
    packed.rewind().map_err(broken)?;
    let mut archive = zip::ZipArchive::new(packed).map_err(broken)?;
    for at in 0..archive.len() {
        let mut entry = archive.by_index(at).map_err(broken)?;
        let name = entry.name().map_err(broken)?.into_owned();
        let mode = entry.unix_mode().unwrap_or(0);
        if entry.is_symlink() {
            let mut target = String::new();
            (&mut entry).take(MOST_NAME).read_to_string(&mut target).map_err(broken)?;
            out.record_link(&name, &target)?;
        } else if entry.is_dir() {
            out.make_folder(&name)?;
        } else {
            out.write_file(&name, mode & 0o111 != 0, &mut entry)?;
        }
    }
    Ok(())
}

/// The signature of an entry in the central directory of a zip archive.
const LIST_SIGNATURE: [u8; 4] = *b"PK\x01\x02";
/// The number of bytes before the name of an entry in the central directory of a zip archive.
const LIST_HEAD: usize = 46;

/// Returns the number of bytes that follow `head`, the fixed part of a central directory entry of a zip archive: the entry's
/// name, extra fields and comment.
fn length_after(head: &[u8]) -> usize {
    let number = |at: usize| usize::from(u16::from_le_bytes([head[at], head[at + 1]]));
    number(28) + number(30) + number(32)
}

/// Refuses a zip archive whose central directory is too large for memory, because the zip library loads it as a whole. All bytes
/// that look like an entry are counted, wherever they are.
fn bound_zip(packed: &mut impl Read) -> Result<(), ArchiveRefusal> {
    let (mut entries, mut told) = (0, 0);
    let (mut room, mut held) = (vec![0; 256 << 10], 0);
    loop {
        let count = packed.read(&mut room[held..]).map_err(broken)?;
        held += count;
        let (mut at, whole) = (0, held.saturating_sub(LIST_HEAD - 1));
        while let Some(found) = room[at..whole].iter().position(|byte| *byte == LIST_SIGNATURE[0]) {
            let head = &room[at + found..held];
            if head.starts_with(&LIST_SIGNATURE) {
                entries += 1;
                told += length_after(head);
            }
            at += found + 1;
        }
        if entries > MOST_ENTRIES {
            let what = format!("it holds more than {MOST_ENTRIES} files and folders");
            return Err(ArchiveRefusal::Unsafe(what));
        }
        if told > MOST_NAMES {
            let what = "its names are longer in total than allowed";
            return Err(ArchiveRefusal::Unsafe(what.to_owned()));
        }
        if count == 0 {
            return Ok(());
        }
        room.copy_within(whole..held, 0);
        held -= whole;
    }
}

/// Returns the number of entries in the central directory of a zip archive, read up to the first bytes that are not an entry.
fn listed_in_zip(mut list: impl Read) -> io::Result<usize> {
    let mut count = 0;
    loop {
        let mut head = Vec::with_capacity(LIST_HEAD);
        (&mut list).take(LIST_HEAD as u64).read_to_end(&mut head)?;
        if head.len() < LIST_HEAD || !head.starts_with(&LIST_SIGNATURE) {
            return Ok(count);
        }
        count += 1;
        io::copy(&mut (&mut list).take(length_after(&head) as u64), &mut io::sink())?;
    }
}

/// The name and link target that a tar entry declares for the next one.
#[derive(Default)]
struct TarExtension {
    name: Option<Vec<u8>>,
    target: Option<Vec<u8>>,
}

/// Unpacks an uncompressed tar stream, entry by entry.
fn tar(stream: impl Read, out: &mut ArchiveUnpacking<'_>) -> Result<(), ArchiveRefusal> {
    use ::tar::EntryType;
    // A limit for the unpacked bytes, including those between the files.
    let room = out.left + (MOST_ENTRIES as u64) * 1024;
    let mut archive = ::tar::Archive::new(stream.take(room));
    let mut told = TarExtension::default();
    // Raw entries: extensions are read here, with a maximum size.
    for entry in archive.entries().map_err(broken)?.raw(true) {
        let mut entry = entry.map_err(broken)?;
        let kind = entry.header().entry_type();
        match kind {
            EntryType::GNULongName => {
                told.name = Some(without_end(extension_of(&mut entry, MOST_NAME + 1)?));
                continue;
            }
            EntryType::GNULongLink => {
                told.target = Some(without_end(extension_of(&mut entry, MOST_NAME + 1)?));
                continue;
            }
            EntryType::XHeader => {
                let size = extension_of(&mut entry, MOST_EXTENSION)?;
                told.read_pax(&size)?;
                continue;
            }
            EntryType::XGlobalHeader => continue,
            _ => {}
        }
        let TarExtension { name, target } = std::mem::take(&mut told);
        let text = |bytes: Vec<u8>| String::from_utf8(bytes);
        let name = text(name.unwrap_or_else(|| entry.path_bytes().into_owned()))
            .map_err(|_| ArchiveRefusal::Unsafe("a name in it is not text".to_owned()))?;
        let mode = entry.header().mode().unwrap_or(0);
        match kind {
            EntryType::Directory => out.make_folder(&name)?,
            // Older programs mark a directory by a slash at the end of its name.
            EntryType::Regular if name.ends_with('/') => out.make_folder(&name)?,
            EntryType::Regular | EntryType::Continuous => {
                out.write_file(&name, mode & 0o111 != 0, &mut entry)?;
            }
            EntryType::Symlink => {
                let own = || entry.link_name_bytes().unwrap_or_default().into_owned();
                let target = text(target.unwrap_or_else(own)).map_err(|_| {
                    ArchiveRefusal::Unsafe("a link in it has an invalid target".to_owned())
                })?;
                out.record_link(&name, &target)?;
            }
            _ => {
                let what = format!("\"{}\" in it is neither a file nor a folder", plain(&name));
                return Err(ArchiveRefusal::Unsafe(what));
            }
        }
    }
    Ok(())
}

/// Returns the content of a tar entry that declares the name or link target of the next entry; more than `most` bytes are
/// refused.
fn extension_of(entry: &mut impl Read, most: u64) -> Result<Vec<u8>, ArchiveRefusal> {
    let mut bytes = Vec::new();
    entry.take(most + 1).read_to_end(&mut bytes).map_err(broken)?;
    match bytes.len() as u64 > most {
        true => Err(ArchiveRefusal::Unsafe("a name in it is longer than any file has".to_owned())),
        false => Ok(bytes),
    }
}

/// Returns a name without a final NUL byte.
fn without_end(mut name: Vec<u8>) -> Vec<u8> {
    if name.last() == Some(&0) {
        name.pop();
    }
    name
}

impl TarExtension {
    /// Reads the name and link target of the next tar entry from PAX records.
    fn read_pax(&mut self, lines: &[u8]) -> Result<(), ArchiveRefusal> {
        for line in ::tar::PaxExtensions::new(lines) {
            let line = line.map_err(broken)?;
            match line.key_bytes() {
                b"path" => self.name = Some(line.value_bytes().to_vec()),
                b"linkpath" => self.target = Some(line.value_bytes().to_vec()),
                // The bytes of a sparse file are not its content.
                b"size" => return Err(broken("a file in it has a size of its own form")),
                key if key.starts_with(b"GNU.sparse") => {
                    return Err(broken("a file in it is stored without its holes"));
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// Returns a name from an archive for a message: without control characters, at most 200 characters.
pub(crate) fn plain(name: &str) -> String {
    name.chars().map(|c| if c.is_control() { '?' } else { c }).take(200).collect()
}

/// The state of unpacking one archive: the target directory, the remaining limits and the links to create.
struct ArchiveUnpacking<'f> {
    folder: &'f Path,
    /// The number of bytes that may still be unpacked.
    left: u64,
    /// The number of entries so far.
    entries: usize,
    /// The number of bytes of names that may still occur.
    names: usize,
    /// The links to create, with their targets.
    links: Vec<(PathBuf, PathBuf)>,
}

impl ArchiveUnpacking<'_> {
    /// Returns the path of an entry relative to the target directory; `None` for the directory itself. An unsafe name is refused.
    fn inside(&mut self, name: &str) -> Result<Option<PathBuf>, ArchiveRefusal> {
        self.entries += 1;
        if self.entries > MOST_ENTRIES {
            let what = format!("it holds more than {MOST_ENTRIES} files and folders");
            return Err(ArchiveRefusal::Unsafe(what));
        }
        self.take_name(name)?;
        let refused =
            |why: &str| ArchiveRefusal::Unsafe(format!("the name \"{}\" in it {why}", plain(name)));
        if name.chars().any(|c| c.is_control() || c == '\\' || c == ':') {
            return Err(refused("holds characters that are not taken"));
        }
        let mut inside = PathBuf::new();
        for part in Path::new(name).components() {
            match part {
                Component::Normal(part) => inside.push(part),
                Component::CurDir => {}
                _ => return Err(refused("leads out of it")),
            }
        }
        match inside.components().count() {
            0 => Ok(None),
            1..=MOST_DEPTH => Ok(Some(inside)),
            _ => Err(refused("is in too many folders")),
        }
    }

    /// Subtracts the length of an entry's name or link target from the remaining bytes of names; refuses the archive if they are
    /// used up.
    fn take_name(&mut self, name: &str) -> Result<(), ArchiveRefusal> {
        if name.len() as u64 > MOST_NAME {
            return Err(ArchiveRefusal::Unsafe(
                "a name in it is longer than any file has".to_owned(),
            ));
        }
        let left = self.names.checked_sub(name.len());
        self.names = left.ok_or_else(|| {
            ArchiveRefusal::Unsafe("its names are longer in total than allowed".to_owned())
        })?;
        Ok(())
    }

    /// Creates the directory of an entry in the target directory.
    fn make_folder(&mut self, name: &str) -> Result<(), ArchiveRefusal> {
        let Some(inside) = self.inside(name)? else { return Ok(()) };
        fs::create_dir_all(self.folder.join(inside)).map_err(|why| not_written(name, &why))
    }

    /// Writes the file of an entry in the target directory, executable if `is_program`.
    fn write_file(
        &mut self,
        name: &str,
        is_program: bool,
        from: &mut dyn Read,
    ) -> Result<(), ArchiveRefusal> {
        let Some(inside) = self.inside(name)? else {
            return Err(ArchiveRefusal::Unsafe("a file in it has no name".to_owned()));
        };
        let path = self.folder.join(&inside);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(|why| not_written(name, &why))?;
        }
        // The name exists already if it occurs twice, or in two spellings that this file system does not distinguish.
        let mut file = open_new(&path, is_program).map_err(|why| not_written(name, &why))?;
        let copied = io::copy(&mut from.take(self.left + 1), &mut file);
        let copied = copied.map_err(|why| not_written(name, &why))?;
        let left = self.left.checked_sub(copied);
        self.left = left.ok_or_else(|| {
            ArchiveRefusal::Unsafe(
                "it unpacks to more than the maximum size of a module".to_owned(),
            )
        })?;
        file.flush().map_err(|why| not_written(name, &why))
    }

    /// Records the symbolic link of an entry, to be created after all files; refuses a target outside of the directory.
    fn record_link(&mut self, name: &str, target: &str) -> Result<(), ArchiveRefusal> {
        let Some(inside) = self.inside(name)? else { return Ok(()) };
        self.take_name(target)?;
        if links::leads_out(&inside, Path::new(target)) {
            return Err(links::refused(&inside, Path::new(target)));
        }
        self.links.push((inside, PathBuf::from(target)));
        Ok(())
    }

    /// Creates the recorded symbolic links; refuses the archive if one resolves to a path outside of the directory.
    fn link(self) -> Result<(), ArchiveRefusal> {
        for (inside, target) in &self.links {
            let (path, name) = (self.folder.join(inside), inside.to_string_lossy());
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent).map_err(|why| not_written(&name, &why))?;
            }
            make_link(target, &path).map_err(|why| not_written(&name, &why))?;
        }
        let root = self.folder.canonicalize().map_err(|why| not_written("", &why))?;
        self.links.iter().try_for_each(|(inside, _)| links::demand_one_inside(&root, inside))
    }
}

/// Creates a new file; with `is_program` it is executable.
#[cfg(unix)]
fn open_new(path: &Path, is_program: bool) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt as _;
    let mode = if is_program { 0o755 } else { 0o644 };
    OpenOptions::new().write(true).create_new(true).mode(mode).open(path)
}

/// Creates a new file on a system without file modes: it cannot be marked as executable.
#[cfg(not(unix))]
fn open_new(path: &Path, _is_program: bool) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).open(path)
}

/// Creates the symbolic link `path`, which leads to `target`.
#[cfg(unix)]
pub(crate) fn make_link(target: &Path, path: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, path)
}

/// Returns an error, because links are not created on this system.
#[cfg(not(unix))]
pub(crate) fn make_link(_target: &Path, _path: &Path) -> io::Result<()> {
    Err(io::Error::new(ErrorKind::Unsupported, "links are not made on this system"))
}

/// Creates the refusal of an archive because the entry `name` could not be read or written.
fn not_written(name: &str, why: &io::Error) -> ArchiveRefusal {
    let name = plain(name);
    match why.kind() {
        ErrorKind::AlreadyExists => ArchiveRefusal::Unsafe(format!("it holds \"{name}\" twice")),
        ErrorKind::InvalidData | ErrorKind::UnexpectedEof | ErrorKind::InvalidInput => {
            ArchiveRefusal::Failed(format!("\"{name}\" in the archive cannot be read: {why}"))
        }
        _ => ArchiveRefusal::Failed(format!("\"{name}\" cannot be written: {why}")),
    }
}

#[cfg(test)]
mod tests;
