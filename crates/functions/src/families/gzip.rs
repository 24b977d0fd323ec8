//! Implementation of `base64gzip` and `base64gunzip`. The compressed bytes differ from those of the reference programs, but
//! decompress to the same text.

use std::io::{Read as _, Write as _};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use groma_value::Value;

use super::encode;
use crate::call::charge::WorkCharge;
use crate::{CallArgs, Failure};

/// The number of visited bytes as which the compression of one byte is charged.
const PACKING: usize = 16;

/// Implements `base64gzip`: returns a string compressed by gzip, in base64.
pub(super) fn pack(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    let mut work = WorkCharge::new(args);
    let mut packed = Ok(());
    for piece in args.text(0).as_bytes().chunks(1 << 16) {
        work.count(piece.len() * PACKING)?;
        packed = packed.and_then(|()| encoder.write_all(piece));
    }
    match packed.and_then(|()| encoder.finish()) {
        Ok(packed) => Ok(Value::from(STANDARD.encode(packed))),
        Err(error) => Err(Failure::whole(format!("The text cannot be packed: {error}."))),
    }
}

/// The number of decompressed bytes that `base64gunzip` produces before it checks the limits of the evaluation again.
const UNPACKED: usize = 1 << 16;

/// Implements `base64gunzip`: returns the text that a base64 string encodes compressed by gzip.
pub(super) fn unpack(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let packed = encode::bytes(args, 0).map_err(Failure::whole)?;
    let limit = args.context.limits.value_bytes;
    let mut unpacked = Vec::new();
    let mut work = WorkCharge::new(args);
    let mut reader = MultiGzDecoder::new(&packed[..]);
    // Few bytes may decompress to very many, so they are decompressed and checked in pieces.
    loop {
        args.charge_bytes(UNPACKED * 2)?;
        work.count(UNPACKED)?;
        let found = reader.by_ref().take(UNPACKED as u64).read_to_end(&mut unpacked);
        match found {
            Ok(0) => break,
            Ok(_) if unpacked.len() > limit => {
                return Err(Failure::whole(format!(
                    "The unpacked text would be longer than {limit} bytes."
                )));
            }
            Ok(_) => {}
            Err(error) => {
                let message = format!("{} is not gzip in base64: {error}.", args.show(0));
                return Err(Failure::whole(message));
            }
        }
    }
    Ok(Value::from(encode::lossy_text(&unpacked)))
}
