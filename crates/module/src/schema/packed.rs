//! Lists of schemas that are packed with xz. A little may unfold to very much, so both what is unpacked and what the
//! unpacking holds are bounded.

use super::SchemaError;

/// No list of schemas is larger than this once it is unpacked; a small file could be far larger.
#[cfg(feature = "xz")]
const SIZE_LIMIT: u64 = 256 << 20;

/// No packed file may ask for more memory than this to be unpacked, in KiB: twice what `xz -9` asks for.
#[cfg(feature = "xz")]
const DICTIONARY_LIMIT: u32 = 128 << 10;

/// The bytes of a packed list.
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

/// The bytes of a packed list.
#[cfg(not(feature = "xz"))]
pub(super) fn unpack(_: &[u8]) -> Result<Vec<u8>, SchemaError> {
    let why = "it is packed, and this build of Groma was built without \"xz\": unpack it first";
    Err(SchemaError(why.to_owned()))
}
