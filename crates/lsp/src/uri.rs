//! Conversion between file paths and URIs. A URI of another scheme, such as that of an unsaved document, is kept as a path below
//! a folder that does not exist on any disk.

use std::fmt::Write as _;

/// The folder for documents that are not on disk.
const ELSEWHERE: &str = "/<editor>/";

/// Returns the path of a document's URI, with `/` as the separator.
pub(crate) fn path_of(uri: &str) -> String {
    let Some(rest) = uri.strip_prefix("file:") else {
        return format!("{ELSEWHERE}{uri}");
    };
    // `file:/a`, `file:///a` and `file://localhost/a` are the same.
    let rest = match rest.strip_prefix("//") {
        Some(rest) => rest.find('/').map_or("/", |at| &rest[at..]),
        None => rest,
    };
    let rest = rest.split(['?', '#']).next().unwrap_or(rest);
    let path = decoded(rest);
    match drive(&path) {
        // Windows drives are `/c:/x`; clients differ in the case of the letter.
        Some(letter) => format!("{}{}", letter.to_ascii_uppercase(), &path[2..]),
        None => path,
    }
}

/// Returns the drive letter of a path such as `/c:/x`; `None` for a path without one.
fn drive(path: &str) -> Option<char> {
    let [b'/', letter, b':', ..] = path.as_bytes() else { return None };
    letter.is_ascii_alphabetic().then_some(*letter as char)
}

/// Returns the URI of a file path, percent-encoded.
pub(crate) fn uri_of(path: &str) -> String {
    if let Some(uri) = path.strip_prefix(ELSEWHERE) {
        return uri.to_owned();
    }
    let mut out = String::from(if path.starts_with('/') { "file://" } else { "file:///" });
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => out.push(byte as char),
            b'/' | b'-' | b'.' | b'_' | b'~' => out.push(byte as char),
            _ => {
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out
}

/// Returns a part of a URI with its percent-encoded bytes decoded.
fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let (mut out, mut at) = (Vec::with_capacity(bytes.len()), 0);
    while let Some(byte) = bytes.get(at) {
        let digit = |at: usize| bytes.get(at).and_then(|digit| (*digit as char).to_digit(16));
        match (byte, digit(at + 1), digit(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                out.push((high * 16 + low) as u8);
                at += 3;
            }
            _ => {
                out.push(*byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::{path_of, uri_of};

    #[test]
    fn paths_and_addresses_lead_to_each_other() {
        for path in
            ["/a/b.tf", "/with blank/é.tf", "/a%20b/c+d.tf", "C:/x/y.tf", "/<editor>/untitled:One"]
        {
            assert_eq!(path_of(&uri_of(path)), path);
        }
        assert_eq!(uri_of("/a b"), "file:///a%20b");
        assert_eq!(path_of("file:///c%3A/x"), "C:/x");
        assert_eq!(path_of("file://localhost/x"), "/x");
        assert_eq!(path_of("file:/x?y#z"), "/x");
        assert_eq!(path_of("file:///%zz%4"), "/%zz%4");
        assert_eq!(uri_of("/<editor>/untitled:One"), "untitled:One");
    }
}
