//! Packs of schemas, written by `groma schema pack` and read by `--schema`. Texts are in small pieces that are decompressed
//! separately on demand. A pack is untrusted input: every number in it is checked, and memory is reserved only for data that
//! exists.

use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::ops::{Deref, Range};
use std::sync::{Arc, Mutex, PoisonError};

use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};
use groma_value::Str;
use groma_value::codec::schema::{ProviderIndex, SchemaIndex};

use super::{PACK_MAGIC, SchemaError, SchemaVersion};

/// The version of the pack format that is written. Packs in earlier versions are read, too.
const VERSION: u32 = 3;

/// The first version of the pack format with provider versions.
const WITH_VERSIONS: u32 = 2;

/// The first version of the pack format with checksums of the index and of each piece.
const WITH_SUMS: u32 = 3;

/// Maximum size in bytes of text to which a piece of a pack grows before the next one begins.
const PIECE: usize = 32 << 10;

/// Maximum size in bytes of a pack's decompressed index; a larger one is refused.
const INDEX_LIMIT: usize = 64 << 20;

/// Maximum size in bytes of a decompressed piece of a pack; a larger one is refused as a decompression bomb.
const PIECE_LIMIT: usize = 16 << 20;

/// Maximum size in bytes of all decompressed pieces of a pack together; a larger pack is refused.
const TEXT_LIMIT: usize = 256 << 20;

/// Maximum ratio of decompressed to compressed size that deflate can reach, which bounds allocations.
const MAX_DEFLATE_RATIO: usize = 1032;

/// Maximum number of decompressed pieces of a pack that are kept in memory.
const MAX_KEPT_PIECES: usize = 8;

/// An open schema pack: compressed pieces of text, addressed as if their texts were one.
pub(super) struct SchemaPack {
    bytes: Vec<u8>,
    pieces: Vec<PackPiece>,
    unpacked: Mutex<BTreeMap<usize, Arc<String>>>,
}

/// A text from a pack, as a range of a decompressed piece.
pub(super) struct PackPassage {
    piece: Arc<String>,
    inside: Range<usize>,
}

impl Deref for PackPassage {
    type Target = str;

    fn deref(&self) -> &str {
        self.piece.get(self.inside.clone()).unwrap_or_default()
    }
}

/// The byte range of a compressed piece in the pack, and that of its text in the concatenation of the texts of all pieces.
struct PackPiece {
    packed: Range<usize>,
    text: Range<usize>,
    /// The checksum of its text, if the format has one.
    sum: Option<u32>,
}

/// Returns the error for a damaged pack; `why` says what is wrong.
fn broken(why: &str) -> SchemaError {
    SchemaError(format!(
        "this pack of schemas is damaged: {why}. Create it again with `groma schema pack`"
    ))
}

/// The content of an opened pack: the pack for its texts, the index of schemas, and the provider versions.
type Opened = (SchemaPack, SchemaIndex, BTreeMap<Str, SchemaVersion>);

impl SchemaPack {
    /// Opens the pack in a file's content and reads its index.
    pub(super) fn of(bytes: Vec<u8>) -> Result<Opened, SchemaError> {
        let mut head = IndexNumbers(&bytes[PACK_MAGIC.len().min(bytes.len())..]);
        let version = head.fixed()?;
        if !(1..=VERSION).contains(&version) {
            let why = format!(
                "this pack of schemas has format version {version}, but this version of Groma reads up to {VERSION}: create it again with `groma schema pack`"
            );
            return Err(SchemaError(why));
        }
        let (packed, length) = (head.fixed()? as usize, head.fixed()? as usize);
        let has_sums = version >= WITH_SUMS;
        let index_sum = if has_sums { Some(head.fixed()?) } else { None };
        let start = bytes.len() - head.0.len();
        let index = head.0.get(..packed).ok_or_else(|| broken("it is cut off"))?;
        if length > INDEX_LIMIT {
            return Err(broken("its index is larger than any"));
        }
        let index = unpack(index, length, index_sum)?;
        let mut numbers = IndexNumbers(&index);
        let (mut pieces, mut packed_at, mut text_at) = (Vec::new(), start + packed, 0_usize);
        for _ in 0..numbers.next()? {
            let (packed, text) = (numbers.next()?, numbers.next()?);
            let sum = if has_sums { Some(numbers.fixed()?) } else { None };
            let (packed_end, text_end) =
                (packed_at.saturating_add(packed), text_at.saturating_add(text));
            if packed_end > bytes.len() || text > PIECE_LIMIT || text_end > TEXT_LIMIT {
                return Err(broken("a piece of it reaches beyond its end"));
            }
            pieces.push(PackPiece { packed: packed_at..packed_end, text: text_at..text_end, sum });
            (packed_at, text_at) = (packed_end, text_end);
        }
        if packed_at != bytes.len() {
            return Err(broken("something stands behind its end"));
        }
        let (mut providers, mut versions) = (Vec::new(), BTreeMap::new());
        for _ in 0..numbers.next()? {
            let address = numbers.text()?;
            if version >= WITH_VERSIONS {
                let (version, date) = (numbers.text()?, numbers.text()?);
                let date = (!date.is_empty()).then_some(date);
                if !version.is_empty() {
                    versions.insert(address.clone(), SchemaVersion { version, date });
                }
            }
            let config = match numbers.next()? {
                0 => None,
                _ => Some(numbers.range(text_at)?),
            };
            let mut sections: [Vec<(Str, Range<usize>)>; ProviderIndex::SECTIONS] =
                Default::default();
            for section in &mut sections {
                for _ in 0..numbers.next()? {
                    section.push((numbers.text()?, numbers.range(text_at)?));
                }
            }
            providers.push(ProviderIndex::of_sections(address, config, sections));
        }
        if !numbers.0.is_empty() {
            return Err(broken("something stands behind its index"));
        }
        let pack = SchemaPack { bytes, pieces, unpacked: Mutex::default() };
        Ok((pack, SchemaIndex::of_providers(providers), versions))
    }

    /// Returns the text at a range of the pack's texts, decompressing the piece that contains it.
    pub(super) fn text(&self, range: Range<usize>) -> Result<PackPassage, SchemaError> {
        let at = self.pieces.partition_point(|piece| piece.text.end <= range.start);
        let piece = self.pieces.get(at).ok_or_else(|| broken("a schema stands nowhere"))?;
        let mut unpacked = self.unpacked.lock().unwrap_or_else(PoisonError::into_inner);
        let text = match unpacked.get(&at) {
            Some(text) => text.clone(),
            None => {
                let bytes = unpack(&self.bytes[piece.packed.clone()], piece.text.len(), piece.sum)?;
                let text =
                    String::from_utf8(bytes).map_err(|_| broken("a piece of it is no text"))?;
                if unpacked.len() >= MAX_KEPT_PIECES {
                    unpacked.pop_first();
                }
                let text = Arc::new(text);
                unpacked.insert(at, text.clone());
                text
            }
        };
        drop(unpacked);
        let inside = range.start - piece.text.start..range.end.saturating_sub(piece.text.start);
        if text.get(inside.clone()).is_none() {
            return Err(broken("a schema reaches beyond its piece"));
        }
        Ok(PackPassage { piece: text, inside })
    }
}

/// Returns the CRC-32 checksum of bytes.
fn sum(bytes: &[u8]) -> u32 {
    let mut sum = Crc::new();
    sum.update(bytes);
    sum.sum()
}

/// Decompresses bytes to a text of known length, and compares its checksum with `known`, if that is given.
fn unpack(bytes: &[u8], length: usize, known: Option<u32>) -> Result<Vec<u8>, SchemaError> {
    // The claimed length may be huge, but not beyond the maximum ratio.
    let mut out = Vec::with_capacity(length.min(bytes.len().saturating_mul(MAX_DEFLATE_RATIO)));
    let mut reader = DeflateDecoder::new(bytes).take(length as u64 + 1);
    match reader.read_to_end(&mut out) {
        Ok(read) if read == length && known.is_some_and(|known| known != sum(&out)) => {
            Err(broken("a piece of it is not what was packed"))
        }
        Ok(read) if read == length => Ok(out),
        Ok(_) => Err(broken("a piece of it has another length than it says")),
        Err(_) => Err(broken("a piece of it cannot be unpacked")),
    }
}

/// Compresses bytes with deflate; fails only if the encoder does, which is not expected when it writes to memory.
fn compress(bytes: &[u8]) -> Result<Vec<u8>, SchemaError> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    let written = encoder.write_all(bytes).and_then(|()| encoder.finish());
    written.map_err(|why| SchemaError(format!("they cannot be compressed: {why}")))
}

/// Reader of the numbers and strings in a pack's index.
struct IndexNumbers<'b>(&'b [u8]);

impl IndexNumbers<'_> {
    /// Reads a number of four bytes, in little-endian order.
    fn fixed(&mut self) -> Result<u32, SchemaError> {
        let (number, rest) = self.0.split_first_chunk().ok_or_else(|| broken("it is cut off"))?;
        self.0 = rest;
        Ok(u32::from_le_bytes(*number))
    }

    /// Reads a number of variable length from the index, seven bits in each byte.
    fn next(&mut self) -> Result<usize, SchemaError> {
        let mut number = 0_u64;
        for shift in (0..35).step_by(7) {
            let (byte, rest) =
                self.0.split_first().ok_or_else(|| broken("its index is cut off"))?;
            self.0 = rest;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return usize::try_from(number).map_err(|_| broken("a number in it is too large"));
            }
        }
        Err(broken("a number in it is too large"))
    }

    /// Reads a string from the index: its length, and then its text.
    fn text(&mut self) -> Result<Str, SchemaError> {
        let length = self.next()?;
        let (text, rest) =
            self.0.split_at_checked(length).ok_or_else(|| broken("its index is cut off"))?;
        self.0 = rest;
        let text = std::str::from_utf8(text).map_err(|_| broken("a name in it is no text"))?;
        Ok(Str::from(text))
    }

    /// Reads a range of the pack's texts from the index; it must not end after `end`.
    fn range(&mut self, end: usize) -> Result<Range<usize>, SchemaError> {
        let (start, length) = (self.next()?, self.next()?);
        let range = start..start.saturating_add(length);
        if range.end > end { Err(broken("a schema stands beyond its end")) } else { Ok(range) }
    }
}

/// Writer of a pack's pieces: compresses texts in pieces of about equal size.
#[derive(Default)]
struct PackWriter {
    /// The text of the open piece, and its start offset.
    open: String,
    begins: usize,
    /// The compressed and uncompressed length of each piece, and the checksum of its text.
    lengths: Vec<(usize, usize, u32)>,
    pieces: Vec<u8>,
}

impl PackWriter {
    /// Appends a text to the piece that is being filled, or to a new one; returns its byte range in the concatenation of all
    /// texts.
    fn add(&mut self, text: &str) -> Result<Range<usize>, SchemaError> {
        if !self.open.is_empty() && self.open.len() + text.len() > PIECE {
            self.close()?;
        }
        let start = self.begins + self.open.len();
        self.open.push_str(text);
        Ok(start..start + text.len())
    }

    /// Compresses the piece that is being filled, appends it to the pack and starts a new one.
    fn close(&mut self) -> Result<(), SchemaError> {
        let compressed = compress(self.open.as_bytes())?;
        self.lengths.push((compressed.len(), self.open.len(), sum(self.open.as_bytes())));
        self.pieces.extend(compressed);
        self.begins += self.open.len();
        self.open.clear();
        Ok(())
    }
}

/// Appends a number of variable length to a pack's index, seven bits in each byte.
fn number(number: usize, out: &mut Vec<u8>) {
    let mut rest = number;
    while rest >= 0x80 {
        out.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    out.push(rest as u8);
}

/// Appends a string to a pack's index, after its length.
fn name(name: &str, out: &mut Vec<u8>) {
    number(name.len(), out);
    out.extend(name.as_bytes());
}

/// Returns the pack of these providers, each with its version and a function that reads its texts. They must be sorted by
/// address.
pub(super) fn write<'p>(
    providers: impl Iterator<
        Item = (
            &'p ProviderIndex,
            Option<&'p SchemaVersion>,
            &'p dyn Fn(Range<usize>) -> Result<String, SchemaError>,
        ),
    >,
) -> Result<Vec<u8>, SchemaError> {
    let mut writer = PackWriter::default();
    let (mut index, mut count) = (Vec::new(), 0);
    for (provider, version, read) in providers {
        count += 1;
        name(&provider.address, &mut index);
        name(version.map_or("", |one| &*one.version), &mut index);
        name(version.and_then(|one| one.date.as_deref()).unwrap_or_default(), &mut index);
        let mut place = |range: Range<usize>, index: &mut Vec<u8>| {
            let range = writer.add(&read(range)?)?;
            number(range.start, index);
            number(range.len(), index);
            Ok::<(), SchemaError>(())
        };
        match provider.config() {
            None => number(0, &mut index),
            Some(range) => {
                number(1, &mut index);
                place(range, &mut index)?;
            }
        }
        for section in provider.sections() {
            number(section.len(), &mut index);
            for (kind, range) in section {
                name(kind, &mut index);
                place(range.clone(), &mut index)?;
            }
        }
    }
    writer.close()?;
    if writer.begins > TEXT_LIMIT || writer.lengths.iter().any(|(_, text, _)| *text > PIECE_LIMIT) {
        return Err(SchemaError(format!(
            "one has more than {PIECE_LIMIT} bytes, or all have more than {TEXT_LIMIT}, which is all that a pack may hold"
        )));
    }
    let mut whole = Vec::new();
    number(writer.lengths.len(), &mut whole);
    for (packed, text, sum) in &writer.lengths {
        number(*packed, &mut whole);
        number(*text, &mut whole);
        whole.extend(sum.to_le_bytes());
    }
    number(count, &mut whole);
    whole.extend(index);
    let compressed = compress(&whole)?;
    let mut out = PACK_MAGIC.to_vec();
    for number in [VERSION as usize, compressed.len(), whole.len()] {
        let number = u32::try_from(number)
            .map_err(|_| SchemaError("they are too large for a pack".to_owned()))?;
        out.extend(number.to_le_bytes());
    }
    out.extend(sum(&whole).to_le_bytes());
    out.extend(compressed);
    out.extend(writer.pieces);
    Ok(out)
}
