//! A reproducible `tar.gz`: its bytes depend on the contents alone, without owners and times.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest as _, Sha256};

/// The writer of a `.tar.gz` archive for distribution.
pub(super) struct Archive {
    folder: String,
    tar: tar::Builder<GzEncoder<Vec<u8>>>,
}

impl Archive {
    /// Begins an archive that unpacks into the directory `folder`.
    pub(super) fn new(folder: &str) -> Archive {
        let gzip = GzEncoder::new(Vec::new(), Compression::best());
        Archive { folder: folder.to_owned(), tar: tar::Builder::new(gzip) }
    }

    /// Adds a file to the archive; `path` is relative to its directory, and `is_program` makes the file executable.
    pub(super) fn add(&mut self, path: &str, bytes: &[u8], is_program: bool) -> Result<(), String> {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(if is_program { 0o755 } else { 0o644 });
        let path = format!("{}/{path}", self.folder);
        self.tar.append_data(&mut header, &path, bytes).map_err(|why| format!("{path}: {why}"))
    }

    /// Returns the bytes of the finished archive.
    pub(super) fn finish(self) -> Result<Vec<u8>, String> {
        let mut gzip = self.tar.into_inner().map_err(|why| why.to_string())?;
        gzip.flush().map_err(|why| why.to_string())?;
        gzip.finish().map_err(|why| why.to_string())
    }
}

/// Returns the SHA-256 checksum of some bytes in hexadecimal.
pub(super) fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::{Archive, sha256};

    /// Checks that archives are reproducible and have the right modes.
    #[test]
    fn the_same_files_are_the_same_bytes() {
        let made = |text: &[u8]| {
            let mut archive = Archive::new("a");
            archive.add("groma", text, true).unwrap();
            archive.add("man/groma.1", b"page", false).unwrap();
            archive.finish().unwrap()
        };
        assert_eq!(made(b"one"), made(b"one"));
        assert_ne!(made(b"one"), made(b"two"));
        let bytes = made(b"one");
        let mut tar = tar::Archive::new(flate2::read::GzDecoder::new(&*bytes));
        let entries: Vec<_> = tar
            .entries()
            .unwrap()
            .map(|entry| {
                let entry = entry.unwrap();
                let header = entry.header();
                let path = entry.path().unwrap().into_owned();
                (path, header.mode().unwrap(), header.mtime().unwrap())
            })
            .collect();
        assert_eq!(entries, [("a/groma".into(), 0o755, 0), ("a/man/groma.1".into(), 0o644, 0)]);
        assert!(sha256(b"").starts_with("e3b0c44298fc1c14"));
    }
}
