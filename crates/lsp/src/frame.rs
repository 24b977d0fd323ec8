//! Message framing: a header with a length, then the message. A malformed, endless or oversized header costs only the bytes up
//! to the next header; the messages after it are read.

/// Maximum number of bytes in a message of the protocol, without its header; a longer message is skipped.
const MAX_MESSAGE: usize = 256 << 20;

/// Maximum number of bytes in the header before a message; a longer header is skipped.
const MAX_HEADER: usize = 8 << 10;

/// The header field with the length of the message, in lower case.
const LENGTH: &[u8] = b"content-length:";

/// The result of reading a frame: a message, or the reason why it is broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FrameContent {
    /// A message.
    Message(String),
    /// Bytes that are not a message, with the reason.
    Broken(&'static str),
}

/// A reader of framed messages, which accepts bytes in pieces of any size.
#[derive(Debug, Default)]
pub struct FrameReader {
    bytes: Vec<u8>,
    /// The number of bytes at the start that are consumed already.
    done: usize,
    /// The number of bytes still to be skipped.
    skipped: usize,
    /// True while bytes are skipped up to the next header.
    is_lost: bool,
    /// The number of bytes after `done` that were searched for the end of a header.
    looked_at: usize,
}

impl FrameReader {
    /// Appends the next bytes of the stream.
    pub fn push(&mut self, mut bytes: &[u8]) {
        if self.skipped > 0 {
            let skipped = self.skipped.min(bytes.len());
            self.skipped -= skipped;
            bytes = &bytes[skipped..];
        }
        if self.done > 0 {
            self.bytes.drain(..self.done);
            self.done = 0;
        }
        self.bytes.extend_from_slice(bytes);
    }

    /// Returns the next message or error; `None` if more bytes are needed.
    pub fn next_frame(&mut self) -> Option<FrameContent> {
        if self.is_lost && !self.find_header() {
            return None;
        }
        let left = &self.bytes[self.done..];
        let Some((header, start)) = header_end(left, self.looked_at) else {
            if left.len() > MAX_HEADER {
                return Some(self.skip_header("the header of a message does not end"));
            }
            self.looked_at = left.len().saturating_sub(3);
            return None;
        };
        if start > MAX_HEADER {
            return Some(self.skip_header("the header of a message is too long"));
        }
        let Some(length) = length_in(&left[..header]) else {
            return Some(self.skip_header("a header gives no length of its message"));
        };
        if length > MAX_MESSAGE {
            let there = left.len() - start;
            self.done += start + there.min(length);
            self.skipped = length.saturating_sub(there);
            self.looked_at = 0;
            return Some(FrameContent::Broken("a message is too long"));
        }
        let body = left.get(start..start + length)?.to_vec();
        self.done += start + length;
        self.looked_at = 0;
        Some(match String::from_utf8(body) {
            Ok(text) => FrameContent::Message(text),
            Err(_) => FrameContent::Broken("a message is not UTF-8"),
        })
    }

    /// Abandons the header at the start of the buffered bytes, and returns the reason as a broken frame.
    fn skip_header(&mut self, why: &'static str) -> FrameContent {
        self.is_lost = true;
        self.looked_at = 0;
        // Otherwise the same header would be found again.
        self.done += 1;
        FrameContent::Broken(why)
    }

    /// Discards the buffered bytes before the next possible header; returns false if there is none yet.
    fn find_header(&mut self) -> bool {
        let left = &self.bytes[self.done..];
        let is_header = |window: &[u8]| window.eq_ignore_ascii_case(LENGTH);
        match left.windows(LENGTH.len()).position(is_header) {
            Some(at) => {
                self.done += at;
                self.is_lost = false;
                true
            }
            None => {
                self.done += left.len().saturating_sub(LENGTH.len() - 1);
                false
            }
        }
    }
}

/// Returns the offsets of the end of a header, at or after `from`, and of the start of the message behind it; `None` if the
/// header has no end yet. Line ends may lack the carriage return.
fn header_end(bytes: &[u8], from: usize) -> Option<(usize, usize)> {
    for at in from..bytes.len().min(MAX_HEADER + 4) {
        let rest = &bytes[at..];
        if rest.starts_with(b"\r\n\r\n") {
            return Some((at, at + 4));
        }
        if rest.starts_with(b"\n\n") {
            return Some((at, at + 2));
        }
    }
    None
}

/// Returns the length of the message that a header gives; `None` if it gives no number.
fn length_in(header: &[u8]) -> Option<usize> {
    let lines = header.split(|byte| *byte == b'\n');
    let mut values = lines.filter_map(|line| {
        let name = line.get(..LENGTH.len())?;
        name.eq_ignore_ascii_case(LENGTH).then(|| &line[LENGTH.len()..])
    });
    let value = std::str::from_utf8(values.next_back()?).ok()?.trim();
    // `parse` would accept a sign, which a length must not have.
    let is_number = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| value.parse().unwrap_or(usize::MAX))
}

/// Returns a message preceded by the header that gives its length.
pub fn framed(message: &str) -> String {
    format!("Content-Length: {}\r\n\r\n{message}", message.len())
}
