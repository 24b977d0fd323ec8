//! Archives: whatever one holds, nothing is written outside of its folder, and no link in it leads out. An input that
//! begins with `NAME` of an archive in a line is its bytes; one that begins with `made` is a line for each entry,
//! `KIND NAME TEXT`, from which an archive is made.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use groma_install::unpack_archive;

use crate::scratch::Scratch;

/// Maximum number of bytes that an archive may unpack to.
const MOST_BYTES: u64 = 1 << 20;
/// The size of a block of a tar archive in bytes.
const BLOCK: usize = 512;

/// Appends a tar entry, header and padded content, for a line `KIND NAME TEXT`; the header may be invalid.
fn entry(line: &[u8], out: &mut Vec<u8>) {
    let mut words = line.splitn(3, |byte| *byte == b' ');
    let mut word = || words.next().unwrap_or_default();
    let (kind, name, text) = (word(), word(), word());
    let kind = kind.first().copied().unwrap_or(b'0');
    let mut head = [0_u8; BLOCK];
    let mut put = |at: usize, most: usize, bytes: &[u8]| {
        let length = bytes.len().min(most);
        head[at..at + length].copy_from_slice(&bytes[..length]);
    };
    let holds = matches!(kind, b'0' | 0 | b'7' | b'L' | b'K' | b'x' | b'g');
    let body = if holds { text } else { &[] };
    put(0, 100, name);
    put(100, 8, b"0000755");
    put(124, 12, format!("{:011o}", body.len()).as_bytes());
    put(156, 1, &[kind]);
    put(257, 8, b"ustar\x0000");
    if !holds {
        put(157, 100, text);
    }
    put(148, 8, b"        ");
    let sum: u32 = head.iter().map(|byte| u32::from(*byte)).sum();
    head[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
    out.extend(head);
    out.extend(body);
    out.resize(out.len().next_multiple_of(BLOCK), 0);
}

/// Returns a gzip-compressed tar archive with an entry for each of the first 40 lines `KIND NAME TEXT`.
fn made(lines: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    lines.split(|byte| *byte == b'\n').take(40).for_each(|line| entry(line, &mut out));
    out.resize(out.len() + 2 * BLOCK, 0);
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    let written = std::io::Write::write_all(&mut encoder, &out).and_then(|()| encoder.finish());
    written.expect("memory takes it")
}

/// Returns the absolute path that a symbolic link names, with `..` resolved by name; it need not exist.
fn leads_to(link: &Path) -> io::Result<PathBuf> {
    let folder = link.parent().map_or_else(|| Ok(PathBuf::new()), fs::canonicalize)?;
    let mut real = PathBuf::new();
    for part in folder.join(fs::read_link(link)?).components() {
        match part {
            Component::ParentDir => drop(real.pop()),
            Component::CurDir => {}
            other => real.push(other),
        }
    }
    Ok(real)
}

/// Checks that unpacking an archive writes nothing, and leaves no link, that leads out of the target folder.
pub(crate) fn archive(bytes: &[u8]) {
    let Some(end) = bytes.iter().position(|byte| *byte == b'\n') else { return };
    let (Ok(name), rest) = (std::str::from_utf8(&bytes[..end]), &bytes[end + 1..]) else { return };
    let (name, bytes) = match name {
        "made" => ("a.tar.gz", made(rest)),
        name => (name, rest.to_vec()),
    };
    let scratch = Scratch::new();
    scratch.write("beside", "x");
    let inside = scratch.0.join("in");
    fs::create_dir_all(&inside).expect("a folder can be made");
    let done = unpack_archive(name, bytes, &inside, MOST_BYTES);
    if let Err(why) = &done {
        assert!(why.len() > 5 && !why.ends_with('.'), "{why:?}");
    }
    let mut sum = 0;
    for (path, bytes) in scratch.contents() {
        sum += bytes.len() as u64;
        let is_beside = path == Path::new("beside") && bytes == b"x";
        assert!(is_beside || path.starts_with("in"), "{} lies outside", path.display());
        // What is refused is thrown away as a whole.
        if done.is_ok() {
            let own = scratch.0.join(&path);
            let real = fs::canonicalize(&own).or_else(|why| match why.kind() {
                // A link inside may lead to what is not there.
                ErrorKind::NotFound => leads_to(&own),
                _ => Err(why),
            });
            let is_inside = is_beside || real.as_ref().is_ok_and(|real| real.starts_with(&inside));
            assert!(is_inside, "{} leads to {real:?}", path.display());
        }
    }
    assert!(done.is_err() || sum <= MOST_BYTES + (1 << 16), "it unfolds to {sum} bytes");
}
