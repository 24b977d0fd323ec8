//! Unpacking archives into an empty folder. Nothing is written outside of it, whatever an archive says: each name is
//! judged before anything is made for it, and links come last, when no file can be written through them any more.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Cursor, ErrorKind, Read, Write as _};
use std::path::{Component, Path, PathBuf};

use bzip2::read::BzDecoder;
use flate2::read::GzDecoder;
use lzma_rust2::XzReader;

/// How much an archive may unfold to.
const MOST_BYTES: u64 = 1 << 30;
/// How many files and folders it may hold.
const MOST_ENTRIES: usize = 200_000;
/// How deep its folders may go.
const MOST_DEPTH: usize = 40;

/// Why an archive is not unpacked.
#[derive(Debug)]
pub(crate) enum Refused {
    /// It is broken, or cannot be written: a part of a sentence.
    Failed(String),
    /// It holds what could do harm: a part of a sentence.
    Unsafe(String),
}

/// How files are packed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ArchiveForm {
    Zip,
    Tar,
    TarGz,
    TarBz2,
    TarXz,
}

/// What archives are called, longest endings first.
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
    /// The form that is called so.
    pub(crate) fn named(name: &str) -> Option<ArchiveForm> {
        ENDINGS.iter().find(|(ending, _)| *ending == name).map(|row| row.1)
    }

    /// The form that an address ends like.
    pub(crate) fn of(url: &str) -> Option<ArchiveForm> {
        let plain = url.split(['?', '#']).next().unwrap_or(url);
        let ends =
            |ending: &str| plain.strip_suffix(ending).is_some_and(|before| before.ends_with('.'));
        ENDINGS.iter().find(|(ending, _)| ends(ending)).map(|row| row.1)
    }
}

/// Unpacks an archive into `folder`, which is there and empty.
pub(crate) fn unpack(bytes: Vec<u8>, form: ArchiveForm, folder: &Path) -> Result<(), Refused> {
    unpack_within(bytes, form, folder, MOST_BYTES)
}

/// The same of what unfolds to so many bytes at most.
fn unpack_within(
    bytes: Vec<u8>,
    form: ArchiveForm,
    folder: &Path,
    most: u64,
) -> Result<(), Refused> {
    let mut out = Unpacking { folder, left: most, entries: 0, links: Vec::new() };
    match form {
        ArchiveForm::Zip => zip(bytes, &mut out)?,
        ArchiveForm::Tar => tar(Cursor::new(bytes), &mut out)?,
        ArchiveForm::TarGz => tar(GzDecoder::new(Cursor::new(bytes)), &mut out)?,
        ArchiveForm::TarBz2 => tar(BzDecoder::new(Cursor::new(bytes)), &mut out)?,
        ArchiveForm::TarXz => tar(XzReader::new(Cursor::new(bytes), true), &mut out)?,
    }
    out.link()
}

fn broken(why: impl std::fmt::Display) -> Refused {
    Refused::Failed(format!("the archive cannot be read: {why}"))
}

fn zip(bytes: Vec<u8>, out: &mut Unpacking<'_>) -> Result<(), Refused> {
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).map_err(broken)?;
    for at in 0..archive.len() {
        let mut entry = archive.by_index(at).map_err(broken)?;
        let name = entry.name().map_err(broken)?.into_owned();
        let mode = entry.unix_mode().unwrap_or(0);
        if entry.is_symlink() {
            let mut target = String::new();
            (&mut entry).take(4096).read_to_string(&mut target).map_err(broken)?;
            out.note_link(&name, &target)?;
        } else if entry.is_dir() {
            out.make_folder(&name)?;
        } else {
            out.write_file(&name, mode & 0o111 != 0, &mut entry)?;
        }
    }
    Ok(())
}

fn tar(stream: impl Read, out: &mut Unpacking<'_>) -> Result<(), Refused> {
    use ::tar::EntryType;
    // An end is put to what unfolds, also to what lies between the files.
    let room = out.left + (MOST_ENTRIES as u64) * 1024;
    let mut archive = ::tar::Archive::new(stream.take(room));
    for entry in archive.entries().map_err(broken)? {
        let mut entry = entry.map_err(broken)?;
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec());
        let name = text(&entry.path_bytes())
            .map_err(|_| Refused::Unsafe("a name in it is not text".to_owned()))?;
        let mode = entry.header().mode().unwrap_or(0);
        match entry.header().entry_type() {
            EntryType::XGlobalHeader => {}
            EntryType::Directory => out.make_folder(&name)?,
            EntryType::Regular | EntryType::Continuous | EntryType::GNUSparse => {
                out.write_file(&name, mode & 0o111 != 0, &mut entry)?;
            }
            EntryType::Symlink => {
                let target = entry.link_name_bytes().unwrap_or_default();
                let target = text(&target)
                    .map_err(|_| Refused::Unsafe("a link in it leads to no text".to_owned()))?;
                out.note_link(&name, &target)?;
            }
            _ => {
                let what = format!("\"{}\" in it is neither a file nor a folder", plain(&name));
                return Err(Refused::Unsafe(what));
            }
        }
    }
    Ok(())
}

/// A name as a sentence may show it.
fn plain(name: &str) -> String {
    name.chars().map(|c| if c.is_control() { '?' } else { c }).take(200).collect()
}

struct Unpacking<'f> {
    folder: &'f Path,
    /// How many bytes more may come.
    left: u64,
    entries: usize,
    /// Where links are to be, and where they lead.
    links: Vec<(PathBuf, PathBuf)>,
}

impl Unpacking<'_> {
    /// Where something with this name goes, inside of the folder; nothing for the folder itself.
    fn inside(&mut self, name: &str) -> Result<Option<PathBuf>, Refused> {
        self.entries += 1;
        if self.entries > MOST_ENTRIES {
            let what = format!("it holds more than {MOST_ENTRIES} files and folders");
            return Err(Refused::Unsafe(what));
        }
        let refused =
            |why: &str| Refused::Unsafe(format!("the name \"{}\" in it {why}", plain(name)));
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

    fn make_folder(&mut self, name: &str) -> Result<(), Refused> {
        let Some(inside) = self.inside(name)? else { return Ok(()) };
        fs::create_dir_all(self.folder.join(inside)).map_err(|why| not_written(name, &why))
    }

    fn write_file(
        &mut self,
        name: &str,
        is_program: bool,
        from: &mut dyn Read,
    ) -> Result<(), Refused> {
        let Some(inside) = self.inside(name)? else {
            return Err(Refused::Unsafe("a file in it has no name".to_owned()));
        };
        let path = self.folder.join(&inside);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(|why| not_written(name, &why))?;
        }
        // A name that is there already is one twice, or in two spellings that this file system does not tell apart.
        let mut file = open_new(&path, is_program).map_err(|why| not_written(name, &why))?;
        let copied = io::copy(&mut from.take(self.left + 1), &mut file);
        let copied = copied.map_err(|why| not_written(name, &why))?;
        let left = self.left.checked_sub(copied);
        self.left =
            left.ok_or_else(|| Refused::Unsafe("it unfolds to more than a module is".to_owned()))?;
        file.flush().map_err(|why| not_written(name, &why))
    }

    fn note_link(&mut self, name: &str, target: &str) -> Result<(), Refused> {
        let Some(inside) = self.inside(name)? else { return Ok(()) };
        let leads_out = || {
            let (name, target) = (plain(name), plain(target));
            Refused::Unsafe(format!("the link \"{name}\" in it leads out of it, to \"{target}\""))
        };
        let mut depth = inside.components().count() - 1;
        for part in Path::new(target).components() {
            match part {
                Component::Normal(_) => depth += 1,
                Component::CurDir => {}
                Component::ParentDir if depth > 0 => depth -= 1,
                _ => return Err(leads_out()),
            }
        }
        self.links.push((inside, PathBuf::from(target)));
        Ok(())
    }

    /// Makes the links. One that goes through another could lead out though neither does by itself, so where each comes
    /// to is asked again of the file system.
    fn link(self) -> Result<(), Refused> {
        for (inside, target) in &self.links {
            let (path, name) = (self.folder.join(inside), inside.to_string_lossy());
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent).map_err(|why| not_written(&name, &why))?;
            }
            make_link(target, &path).map_err(|why| not_written(&name, &why))?;
        }
        let root = self.folder.canonicalize().map_err(|why| not_written("", &why))?;
        for (inside, _) in &self.links {
            match self.folder.join(inside).canonicalize() {
                Ok(real) if real.starts_with(&root) => {}
                // A link to nothing reads nothing.
                Err(why) if why.kind() == ErrorKind::NotFound => {}
                _ => {
                    let name = plain(&inside.to_string_lossy());
                    return Err(Refused::Unsafe(format!(
                        "the link \"{name}\" in it leads out of it"
                    )));
                }
            }
        }
        Ok(())
    }
}

#[cfg(unix)]
fn open_new(path: &Path, is_program: bool) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt as _;
    let mode = if is_program { 0o755 } else { 0o644 };
    OpenOptions::new().write(true).create_new(true).mode(mode).open(path)
}

#[cfg(not(unix))]
fn open_new(path: &Path, _is_program: bool) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).open(path)
}

#[cfg(unix)]
pub(crate) fn make_link(target: &Path, path: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, path)
}

#[cfg(not(unix))]
pub(crate) fn make_link(_target: &Path, _path: &Path) -> io::Result<()> {
    Err(io::Error::new(ErrorKind::Unsupported, "links are not made on this system"))
}

fn not_written(name: &str, why: &io::Error) -> Refused {
    let name = plain(name);
    match why.kind() {
        ErrorKind::AlreadyExists => Refused::Unsafe(format!("it holds \"{name}\" twice")),
        ErrorKind::InvalidData | ErrorKind::UnexpectedEof | ErrorKind::InvalidInput => {
            Refused::Failed(format!("\"{name}\" in the archive cannot be read: {why}"))
        }
        _ => Refused::Failed(format!("\"{name}\" cannot be written: {why}")),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use flate2::Compression;
    use flate2::write::GzEncoder;
    use tar::{Builder, EntryType, Header};

    use super::*;

    /// A folder that goes when it is dropped.
    struct Scratch(PathBuf);

    impl Scratch {
        fn new() -> Scratch {
            static MADE: AtomicU32 = AtomicU32::new(0);
            let name = format!(
                "groma-get-{}-{}",
                std::process::id(),
                MADE.fetch_add(1, Ordering::Relaxed)
            );
            let path = std::env::temp_dir().join(name);
            fs::create_dir_all(path.join("in")).unwrap();
            Scratch(path)
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    /// An entry of an archive: its kind, its name as it is, and what it holds or leads to.
    fn packed(entries: &[(EntryType, &str, &str)]) -> Vec<u8> {
        let mut builder = Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
        for (kind, name, text) in entries {
            let mut header = Header::new_ustar();
            header.as_ustar_mut().unwrap().name[..name.len()].copy_from_slice(name.as_bytes());
            header.set_entry_type(*kind);
            header.set_mode(0o644);
            let is_file = *kind == EntryType::Regular;
            if !is_file {
                header.as_ustar_mut().unwrap().linkname[..text.len()]
                    .copy_from_slice(text.as_bytes());
            }
            header.set_size(if is_file { text.len() as u64 } else { 0 });
            header.set_cksum();
            builder.append(&header, if is_file { text.as_bytes() } else { b"" }).unwrap();
        }
        builder.into_inner().unwrap().finish().unwrap()
    }

    fn refused(entries: &[(EntryType, &str, &str)]) -> String {
        let scratch = Scratch::new();
        let folder = scratch.0.join("in");
        let said = match unpack_within(packed(entries), ArchiveForm::TarGz, &folder, 10_000) {
            Err(Refused::Unsafe(said)) => said,
            other => panic!("{entries:?} gave {other:?}"),
        };
        let beside: Vec<_> = fs::read_dir(&scratch.0).unwrap().flatten().collect();
        assert_eq!(beside.len(), 1, "{entries:?} left something outside");
        said
    }

    #[test]
    fn what_is_well_is_there_afterwards() {
        let scratch = Scratch::new();
        let folder = scratch.0.join("in");
        let entries = [
            (EntryType::Directory, "m/", ""),
            (EntryType::Regular, "m/main.tf", "output \"x\" {}"),
            (EntryType::Regular, "./README", "hello"),
            (EntryType::Symlink, "m/link", "../README"),
        ];
        unpack(packed(&entries), ArchiveForm::TarGz, &folder).unwrap();
        assert_eq!(fs::read_to_string(folder.join("m/link")).unwrap(), "hello");
        assert_eq!(fs::read_to_string(folder.join("m/main.tf")).unwrap(), "output \"x\" {}");
    }

    #[test]
    fn nothing_leads_out() {
        use EntryType::{Block, Char, Fifo, Link, Regular, Symlink};
        for name in ["../x", "m/../../x", "/etc/x", "a\\b", "c:x", "a\nb"] {
            refused(&[(Regular, name, "text")]);
        }
        for target in ["/etc/passwd", "../../etc/passwd", "../x/../../y"] {
            refused(&[(Symlink, "m/link", target)]);
        }
        // Neither link leads out by itself.
        refused(&[(Symlink, "a/b/up", ".."), (Symlink, "out", "a/b/up/../..")]);
        // A file through a link: the link is not there yet, and then its name is taken.
        refused(&[(Symlink, "m", "."), (Regular, "m/x", "text")]);
        for kind in [Block, Char, Fifo, Link] {
            refused(&[(kind, "m", "x")]);
        }
        refused(&[(Regular, "x", "1"), (Regular, "x", "2")]);
        refused(&[(Regular, &["d"; 90].join("/")[..99], "1")]);
    }

    #[test]
    fn what_unfolds_without_end_is_left() {
        let large = "0".repeat(9_000);
        refused(&[(EntryType::Regular, "a", &large), (EntryType::Regular, "b", &large)]);
        let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
        let options = zip::write::SimpleFileOptions::default();
        zip.start_file("a", options).unwrap();
        zip.write_all("0".repeat(20_000).as_bytes()).unwrap();
        let bytes = zip.finish().unwrap().into_inner();
        let scratch = Scratch::new();
        let done = unpack_within(bytes, ArchiveForm::Zip, &scratch.0.join("in"), 10_000);
        assert!(matches!(done, Err(Refused::Unsafe(_))), "{done:?}");
    }

    #[test]
    fn what_is_broken_is_told() {
        for form in [
            ArchiveForm::Zip,
            ArchiveForm::Tar,
            ArchiveForm::TarGz,
            ArchiveForm::TarBz2,
            ArchiveForm::TarXz,
        ] {
            let scratch = Scratch::new();
            let done = unpack(b"no archive at all".to_vec(), form, &scratch.0.join("in"));
            assert!(matches!(done, Err(Refused::Failed(_))), "{form:?} {done:?}");
        }
    }

    #[test]
    fn endings() {
        assert_eq!(ArchiveForm::of("https://x/a.tar.gz?x=1"), Some(ArchiveForm::TarGz));
        assert_eq!(ArchiveForm::of("https://x/a.zip"), Some(ArchiveForm::Zip));
        assert_eq!(ArchiveForm::of("https://x/zip"), None);
        assert_eq!(ArchiveForm::named("tgz"), Some(ArchiveForm::TarGz));
        assert_eq!(ArchiveForm::named(""), None);
    }
}
