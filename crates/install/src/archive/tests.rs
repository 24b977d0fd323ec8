//! Tests of archives that are unpacked, and of those that are refused.

use std::sync::atomic::{AtomicU32, Ordering};

use flate2::Compression;
use flate2::write::GzEncoder;
use tar::{Builder, EntryType, Header};

use super::*;

/// A temporary directory, which is removed when this is dropped.
struct ScratchFolder(PathBuf);

impl ScratchFolder {
    /// Creates a temporary directory with an empty directory `in`.
    fn new() -> ScratchFolder {
        /// The number of directories created so far, which makes their names unique.
        static MADE: AtomicU32 = AtomicU32::new(0);
        let name = format!(
            "groma-install-{}-{}",
            std::process::id(),
            MADE.fetch_add(1, Ordering::Relaxed)
        );
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(path.join("in")).unwrap();
        ScratchFolder(path)
    }
}

impl Drop for ScratchFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Packs entries into a tar archive: each is a kind, a raw name, and its content or link target.
fn packed(entries: &[(EntryType, &str, &str)]) -> Vec<u8> {
    let mut builder = Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
    for (kind, name, text) in entries {
        let mut header = Header::new_ustar();
        header.as_ustar_mut().unwrap().name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_entry_type(*kind);
        header.set_mode(0o644);
        let is_file = *kind == EntryType::Regular;
        if !is_file {
            header.as_ustar_mut().unwrap().linkname[..text.len()].copy_from_slice(text.as_bytes());
        }
        header.set_size(if is_file { text.len() as u64 } else { 0 });
        header.set_cksum();
        builder.append(&header, if is_file { text.as_bytes() } else { b"" }).unwrap();
    }
    builder.into_inner().unwrap().finish().unwrap()
}

/// Unpacks entries that must be refused as unsafe, checks that nothing was written outside, and returns the reason.
fn refused(entries: &[(EntryType, &str, &str)]) -> String {
    let scratch = ScratchFolder::new();
    let folder = scratch.0.join("in");
    let said =
        match unpack_within(Cursor::new(packed(entries)), ArchiveForm::TarGz, &folder, 10_000) {
            Err(ArchiveRefusal::Unsafe(said)) => said,
            other => panic!("{entries:?} gave {other:?}"),
        };
    let beside: Vec<_> = fs::read_dir(&scratch.0).unwrap().flatten().collect();
    assert_eq!(beside.len(), 1, "{entries:?} left something outside");
    said
}

/// Checks that a valid archive is unpacked with its folders, files and links.
#[test]
fn valid_archives_are_unpacked() {
    let scratch = ScratchFolder::new();
    let folder = scratch.0.join("in");
    let entries = [
        (EntryType::Directory, "m/", ""),
        (EntryType::Regular, "m/main.tf", "output \"x\" {}"),
        (EntryType::Regular, "./README", "hello"),
        (EntryType::Symlink, "m/link", "../README"),
    ];
    unpack(Cursor::new(packed(&entries)), ArchiveForm::TarGz, &folder).unwrap();
    assert_eq!(fs::read_to_string(folder.join("m/link")).unwrap(), "hello");
    assert_eq!(fs::read_to_string(folder.join("m/main.tf")).unwrap(), "output \"x\" {}");
}

/// Checks that names, links and special files that could reach outside of the target directory are refused.
#[test]
fn entries_cannot_leave_the_folder() {
    use EntryType::{Block, Char, Fifo, Link, Regular, Symlink};
    for name in ["../x", "m/../../x", "/etc/x", "a\\b", "c:x", "a\nb"] {
        refused(&[(Regular, name, "text")]);
    }
    for target in ["/etc/passwd", "../../etc/passwd", "../x/../../y"] {
        refused(&[(Symlink, "m/link", target)]);
    }
    // Neither link leads out by itself.
    refused(&[(Symlink, "a/b/up", ".."), (Symlink, "out", "a/b/up/../..")]);
    // A file through a link: the link does not exist yet, and later its name is taken.
    refused(&[(Symlink, "m", "."), (Regular, "m/x", "text")]);
    for kind in [Block, Char, Fifo, Link] {
        refused(&[(kind, "m", "x")]);
    }
    refused(&[(Regular, "x", "1"), (Regular, "x", "2")]);
    refused(&[(Regular, &["d"; 90].join("/")[..99], "1")]);
}

/// Checks that archives that unpack to more than the maximum number of bytes are refused.
#[test]
fn oversized_archives_are_refused() {
    let large = "0".repeat(9_000);
    refused(&[(EntryType::Regular, "a", &large), (EntryType::Regular, "b", &large)]);
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    zip.start_file("a", options).unwrap();
    zip.write_all("0".repeat(20_000).as_bytes()).unwrap();
    let bytes = zip.finish().unwrap().into_inner();
    let scratch = ScratchFolder::new();
    let done = unpack_within(Cursor::new(bytes), ArchiveForm::Zip, &scratch.0.join("in"), 10_000);
    assert!(matches!(done, Err(ArchiveRefusal::Unsafe(_))), "{done:?}");
}

/// Checks that overlong names in extension entries, and names beyond the limit of an archive, are refused.
#[test]
fn overlong_names_are_refused() {
    let header = |kind, size: u64| {
        let mut header = Header::new_gnu();
        header.set_path("x").unwrap();
        header.set_entry_type(kind);
        header.set_size(size);
        header.set_mode(0o644);
        header.set_cksum();
        header
    };
    for (kind, length) in [
        (EntryType::GNULongName, 5_000),
        (EntryType::GNULongLink, 40 << 20),
        (EntryType::XHeader, 40 << 20),
    ] {
        let mut builder = Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
        let head = header(kind, length);
        builder.append(&head, io::repeat(b'a').take(length)).unwrap();
        builder.append(&header(EntryType::Regular, 1), &b"1"[..]).unwrap();
        let bytes = builder.into_inner().unwrap().finish().unwrap();
        let scratch = ScratchFolder::new();
        let done = unpack(Cursor::new(bytes), ArchiveForm::TarGz, &scratch.0.join("in"));
        assert!(matches!(done, Err(ArchiveRefusal::Unsafe(_))), "{kind:?} {done:?}");
    }
    let scratch = ScratchFolder::new();
    let mut out =
        ArchiveUnpacking { folder: &scratch.0, left: 1, entries: 0, names: 100, links: Vec::new() };
    out.inside(&"a".repeat(60)).unwrap();
    assert!(matches!(out.record_link("b", &"c".repeat(60)), Err(ArchiveRefusal::Unsafe(_))));
}

/// Checks that long names are read from GNU entries and from PAX records.
#[test]
fn long_names_are_read_in_both_forms() {
    let long = format!("{}/main.tf", ["a-rather-long-name"; 12].join("/"));
    let mut builder = Builder::new(Vec::new());
    let mut header = Header::new_gnu();
    header.set_size(1);
    header.set_mode(0o644);
    builder.append_data(&mut header, &long, &b"1"[..]).unwrap();
    let pax = [("path", "by/pax.tf".as_bytes())];
    builder.append_pax_extensions(pax).unwrap();
    let mut header = Header::new_ustar();
    header.set_path("short").unwrap();
    header.set_size(1);
    header.set_mode(0o644);
    header.set_cksum();
    builder.append(&header, &b"2"[..]).unwrap();
    let scratch = ScratchFolder::new();
    let folder = scratch.0.join("in");
    unpack(Cursor::new(builder.into_inner().unwrap()), ArchiveForm::Tar, &folder).unwrap();
    assert_eq!(fs::read_to_string(folder.join(long)).unwrap(), "1");
    assert_eq!(fs::read_to_string(folder.join("by/pax.tf")).unwrap(), "2");
}

/// Checks that a zip archive with the same name twice is refused.
#[test]
fn duplicate_names_in_zip_are_refused() {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    for (name, text) in [("main.tf", "one"), ("mail.tf", "two")] {
        zip.start_file(name, options).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    let mut bytes = zip.finish().unwrap().into_inner();
    for at in 0..bytes.len() - 7 {
        if &bytes[at..at + 7] == b"mail.tf" {
            bytes[at..at + 7].copy_from_slice(b"main.tf");
        }
    }
    let scratch = ScratchFolder::new();
    let done = unpack(Cursor::new(bytes), ArchiveForm::Zip, &scratch.0.join("in"));
    assert!(matches!(done, Err(ArchiveRefusal::Unsafe(_))), "{done:?}");
}

/// Checks that bytes that are no archive are an error in every format.
#[test]
fn corrupt_archives_are_errors() {
    for form in [
        ArchiveForm::Zip,
        ArchiveForm::Tar,
        ArchiveForm::TarGz,
        ArchiveForm::TarBz2,
        ArchiveForm::TarXz,
    ] {
        let scratch = ScratchFolder::new();
        let done = unpack(Cursor::new(b"no archive at all"), form, &scratch.0.join("in"));
        assert!(matches!(done, Err(ArchiveRefusal::Failed(_))), "{form:?} {done:?}");
    }
}

/// Checks which archive formats follow from a URL's path and from a format's name.
#[test]
fn endings() {
    assert_eq!(ArchiveForm::of("https://x/a.tar.gz?x=1"), Some(ArchiveForm::TarGz));
    assert_eq!(ArchiveForm::of("https://x/a.zip"), Some(ArchiveForm::Zip));
    assert_eq!(ArchiveForm::of("https://x/zip"), None);
    assert_eq!(ArchiveForm::named("tgz"), Some(ArchiveForm::TarGz));
    assert_eq!(ArchiveForm::named(""), None);
}

/// Checks that a zip archive whose central directory is too large for memory is refused before it is read.
#[test]
fn huge_central_directories_are_refused() {
    // Entries without names and files; a reader would hold some hundred bytes for each.
    let entry = [&LIST_SIGNATURE[..], &[0; LIST_HEAD - 4]].concat();
    let bound = |bytes: Vec<u8>| bound_zip(&mut Cursor::new(bytes));
    let many = bound(entry.repeat(MOST_ENTRIES + 1));
    assert!(
        matches!(&many, Err(ArchiveRefusal::Unsafe(said)) if said.contains("more than")),
        "{many:?}"
    );
    assert!(bound(entry.repeat(MOST_ENTRIES)).is_ok());
    // Few entries with very long names.
    let mut long = entry;
    long[28..34].fill(0xff);
    let one = length_after(&long);
    let enough = MOST_NAMES / one;
    assert!(bound(long.repeat(enough)).is_ok());
    let long = bound(long.repeat(enough + 1));
    assert!(
        matches!(&long, Err(ArchiveRefusal::Unsafe(said)) if said.contains("longer in total")),
        "{long:?}"
    );
}

/// Checks that entries of a central directory are counted once each, also across the borders of the read buffer.
#[test]
fn entries_are_counted_across_buffers() {
    let count = |bytes: &[u8]| listed_in_zip(bytes).unwrap();
    let mut entry = [&LIST_SIGNATURE[..], &[0; LIST_HEAD - 4]].concat();
    entry[28] = 3;
    entry.extend(b"abc");
    assert_eq!(count(&entry.repeat(5)), 5);
    assert_eq!(count(&[&entry.repeat(5)[..], b"PK\x05\x06"].concat()), 5);
    // Entries across the borders of the read buffer are counted once.
    for shift in 0..60 {
        let mut bytes = vec![0; (256 << 10) - shift];
        bytes.extend(entry.repeat(MOST_ENTRIES));
        assert!(bound_zip(&mut Cursor::new(&bytes)).is_ok());
        bytes.extend(&entry);
        assert!(bound_zip(&mut Cursor::new(&bytes)).is_err());
    }
}

/// Checks that an `xz` archive that demands more memory than allowed is refused.
#[test]
fn excessive_xz_memory_is_refused() {
    // A stream with a block that requires 4 GiB to decompress.
    let bytes = [
        0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00, 0x00, 0x04, 0xe6, 0xd6, 0xb4, 0x46, // the stream
        0x02, 0x00, 0x21, 0x01, 0x28, 0x00, 0x00, 0x00, 0xe6, 0xa0, 0x11, 0xb3, // the block
    ];
    let scratch = ScratchFolder::new();
    let done = unpack(Cursor::new(bytes), ArchiveForm::TarXz, &scratch.0.join("in"));
    assert!(matches!(&done, Err(ArchiveRefusal::Failed(said)) if said.contains("mem")), "{done:?}");
}

/// Checks that reasons are shortened and contain no control characters of the archive.
#[test]
fn reasons_are_short_and_printable() {
    let ArchiveRefusal::Failed(said) =
        broken("no number: \u{1b}[2J\u{0}... when getting cksum for ...")
    else {
        panic!("it is broken")
    };
    assert_eq!(said, "the archive cannot be read: no number: ?[2J?... when getting cksum for");
    assert!(matches!(broken("x".repeat(9_000)), ArchiveRefusal::Failed(said) if said.len() < 300));
}
