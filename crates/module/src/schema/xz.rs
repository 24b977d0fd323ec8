//! Schema files compressed with xz. Small input may expand to a lot, so both the output and the memory of the decoder are
//! bounded.

use super::SchemaError;

/// Maximum size in bytes of a decompressed schema file.
#[cfg(feature = "xz")]
const SIZE_LIMIT: u64 = 256 << 20;

/// Maximum memory of the decoder in KiB: twice what `xz -9` needs.
#[cfg(feature = "xz")]
const DICTIONARY_LIMIT: u32 = 128 << 10;

/// Decompresses an `xz` schema file, up to [`SIZE_LIMIT`] bytes.
#[cfg(feature = "xz")]
pub(super) fn unpack(bytes: &[u8]) -> Result<Vec<u8>, SchemaError> {
    use std::io::Read as _;

    let mut out = Vec::new();
    let reader = lzma_rust2::XzReader::new_mem_limit(bytes, true, DICTIONARY_LIMIT);
    match reader.take(SIZE_LIMIT + 1).read_to_end(&mut out) {
        Ok(_) if out.len() as u64 > SIZE_LIMIT => Err(SchemaError(format!(
            "unpacked it has more than the {SIZE_LIMIT} bytes that are read of a list of schemas"
        ))),
        Ok(_) => Ok(out),
        Err(why) => Err(SchemaError(format!("it cannot be unpacked: {why}"))),
    }
}

/// Returns an error: this build does not support `xz`.
#[cfg(not(feature = "xz"))]
pub(super) fn unpack(_: &[u8]) -> Result<Vec<u8>, SchemaError> {
    let why = "it is packed, and this build of Groma was built without \"xz\": unpack it first";
    Err(SchemaError(why.to_owned()))
}
