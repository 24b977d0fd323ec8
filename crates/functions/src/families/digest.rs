//! Digests of texts and files, and the identifiers derived from them. Texts are hashed as their UTF-8 bytes in Normal Form C,
//! files as their bytes.

use base64::Engine as _;
#[cfg(feature = "bcrypt")]
use base64::alphabet::BCRYPT;
use base64::engine::general_purpose::STANDARD;
#[cfg(feature = "bcrypt")]
use base64::engine::general_purpose::{GeneralPurpose, NO_PAD};
use groma_runtime::Availability;
use groma_value::{Sentence, Str, Type, Value};
use md5::Md5;
use sha1::Sha1;
use sha2::{Digest, Sha256, Sha512};
use uuid::Uuid;

use crate::call::charge::WorkCharge;
use crate::{
    CallArgs, CallCost, Failure, Function, FunctionBody, FunctionReads, ParameterRow,
    ResultPromise, ReturnType, RowType,
};

/// The row of the parameter `string`, a string.
const STRING: ParameterRow = ParameterRow::new("string", RowType::String);
/// The row of the parameter `path`, a string.
const PATH: ParameterRow = ParameterRow::new("path", RowType::String);

/// Returns the row of a function that computes the digest of a string.
const fn of_text(
    name: &'static str,
    dialects: Availability,
    doc: &'static str,
    body: BodyFn,
) -> Function {
    Function {
        name,
        params: &[STRING],
        returns: ReturnType::Shape(RowType::String),
        promise: ResultPromise::NOT_NULL_BUT_IN_PACKER,
        cost: CallCost::Input,
        dialects,
        doc,
        body: FunctionBody::Plain(body),
        ..Function::ROW
    }
}

/// Returns the row of a function that computes the digest of a file.
const fn of_file(name: &'static str, doc: &'static str, body: BodyFn) -> Function {
    Function {
        name,
        params: &[PATH],
        returns: ReturnType::Shape(RowType::String),
        reads: FunctionReads::Files,
        dialects: Availability::NOT_PACKER,
        doc,
        body: FunctionBody::Plain(body),
        ..Function::ROW
    }
}

/// The type of function bodies: from the arguments of a call to its result.
type BodyFn = fn(&CallArgs<'_>) -> Result<Value, Failure>;

/// The availability of a function in all editions.
const ALL: Availability = Availability::ALL;
/// The availability of a function in all editions of OpenTofu and Terraform.
const NOT_PACKER: Availability = Availability::NOT_PACKER;

/// The rows of the functions of digests and UUIDs, such as `sha256`, sorted by name.
pub(crate) const FUNCTIONS: &[Function] = &[
    of_text(
        "base64sha256",
        NOT_PACKER,
        "Returns the SHA-256 digest of a string in base64.",
        text::<Sha256, true>,
    ),
    of_text(
        "base64sha512",
        NOT_PACKER,
        "Returns the SHA-512 digest of a string in base64.",
        text::<Sha512, true>,
    ),
    Function {
        name: "bcrypt",
        params: &[STRING],
        rest: Some(ParameterRow::new("cost", RowType::Number)),
        returns: ReturnType::Shape(RowType::String),
        promise: ResultPromise::NOT_NULL_BUT_IN_PACKER,
        reads: FunctionReads::Random,
        doc: "Returns the bcrypt digest of a string, with a random salt: unknown until it is applied.",
        body: FunctionBody::Plain(bcrypt),
        ..Function::ROW
    },
    of_file(
        "filebase64sha256",
        "Returns the SHA-256 digest of a file in base64.",
        file::<Sha256, true>,
    ),
    of_file(
        "filebase64sha512",
        "Returns the SHA-512 digest of a file in base64.",
        file::<Sha512, true>,
    ),
    of_file(
        "filemd5",
        "Returns the MD5 digest of a file in hexadecimal digits.",
        file::<Md5, false>,
    ),
    of_file(
        "filesha1",
        "Returns the SHA-1 digest of a file in hexadecimal digits.",
        file::<Sha1, false>,
    ),
    of_file(
        "filesha256",
        "Returns the SHA-256 digest of a file in hexadecimal digits.",
        file::<Sha256, false>,
    ),
    of_file(
        "filesha512",
        "Returns the SHA-512 digest of a file in hexadecimal digits.",
        file::<Sha512, false>,
    ),
    of_text(
        "md5",
        ALL,
        "Returns the MD5 digest of a string in hexadecimal digits.",
        text::<Md5, false>,
    ),
    of_text(
        "sha1",
        ALL,
        "Returns the SHA-1 digest of a string in hexadecimal digits.",
        text::<Sha1, false>,
    ),
    of_text(
        "sha256",
        ALL,
        "Returns the SHA-256 digest of a string in hexadecimal digits.",
        text::<Sha256, false>,
    ),
    of_text(
        "sha512",
        ALL,
        "Returns the SHA-512 digest of a string in hexadecimal digits.",
        text::<Sha512, false>,
    ),
    Function {
        name: "uuid",
        returns: ReturnType::Shape(RowType::String),
        reads: FunctionReads::Random,
        dialects: NOT_PACKER,
        doc: "Returns a random UUID: unknown until it is applied.",
        body: FunctionBody::Plain(|args| random_uuid(args, "uuid")),
        ..Function::ROW
    },
    Function {
        name: "uuidv4",
        returns: ReturnType::Shape(RowType::String),
        promise: ResultPromise::Nothing,
        reads: FunctionReads::Random,
        dialects: Availability::PACKER,
        doc: "Returns a random UUID: unknown until the build runs.",
        body: FunctionBody::Plain(|args| random_uuid(args, "uuidv4")),
        ..Function::ROW
    },
    Function {
        name: "uuidv5",
        params: &[
            ParameterRow::new("namespace", RowType::String),
            ParameterRow::new("name", RowType::String),
        ],
        returns: ReturnType::Shape(RowType::String),
        promise: ResultPromise::NOT_NULL_BUT_IN_PACKER,
        doc: "Returns the name-based UUID of a name in a namespace: `dns`, `url`, `oid`, `x500` or a UUID.",
        body: FunctionBody::Plain(named_uuid),
        ..Function::ROW
    },
];

/// Returns a digest as a string value, in base64 or in hexadecimal digits.
fn digest_text(digest: &[u8], base64: bool) -> Value {
    if base64 {
        return Value::from(STANDARD.encode(digest));
    }
    Value::from(digest.iter().map(|byte| format!("{byte:02x}")).collect::<String>())
}

/// Implements the functions that compute a digest of a string: `D` is the algorithm, `BASE64` the notation of the result.
fn text<D: Digest, const BASE64: bool>(args: &CallArgs<'_>) -> Result<Value, Failure> {
    Ok(digest_text(&D::digest(args.text(0).as_bytes()), BASE64))
}

/// Implements the functions that compute a digest of a file: `D` is the algorithm, `BASE64` the notation of the result.
fn file<D: Digest, const BASE64: bool>(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let mut digest = D::new();
    let mut work = WorkCharge::new(args);
    crate::families::file::stream_argument(args, 0, Failure::whole, |piece| {
        digest.update(piece);
        work.count(piece.len())
    })?;
    Ok(digest_text(&digest.finalize(), BASE64))
}

/// Implements `bcrypt`: returns the bcrypt digest of a string with a random salt, unknown unless the seed is fixed.
fn bcrypt(args: &CallArgs<'_>) -> Result<Value, Failure> {
    if args.len() > 2 {
        return Err(Failure::whole("`bcrypt` takes a string and perhaps a cost, nothing more."));
    }
    let cost = if args.len() == 2 { args.number(1).to_exact_i64() } else { Some(10) };
    if cost.is_none_or(|cost| cost > 31) {
        return Err(Failure::whole(Sentence::trusted(format!(
            "A cost is a whole number up to 31, not {}.",
            args.show(1)
        ))));
    }
    if args.text(0).len() > 72 {
        return Err(Failure::whole("bcrypt takes at most 72 bytes of text."));
    }
    // A cost below the minimum is replaced by the default.
    let cost =
        cost.and_then(|cost| u32::try_from(cost).ok()).filter(|cost| *cost >= 4).unwrap_or(10);
    let salt = if cost <= SLOWEST { random_bytes(args) } else { None };
    let Some(salt) = salt else {
        let causes = args.context.site.causes("bcrypt", FunctionReads::Random);
        return Ok(Value::unknown_because(Type::String, causes));
    };
    // Each unit of cost doubles the work.
    args.charge_steps(ROUND << cost)?;
    salted(args.text(0), cost, salt).map(Value::from)
}

/// Returns a password's bcrypt digest as text, with its cost and salt. The last byte is omitted, as in every implementation.
#[cfg(feature = "bcrypt")]
fn salted(password: &str, cost: u32, salt: [u8; 16]) -> Result<String, Failure> {
    let digest = bcrypt::bcrypt(cost, salt, &[password.as_bytes(), &[0]].concat());
    let base64 = GeneralPurpose::new(&BCRYPT, NO_PAD);
    let (salt, digest) = (base64.encode(salt), base64.encode(&digest[..23]));
    Ok(format!("$2a${cost:02}${salt}{digest}"))
}

/// The replacement of the bcrypt computation in a build without the feature `bcrypt`, which always fails.
#[cfg(not(feature = "bcrypt"))]
fn salted(_: &str, _: u32, _: [u8; 16]) -> Result<String, Failure> {
    Err(Failure::left_out("bcrypt"))
}

/// The number of steps charged for each of the `2^cost` rounds of bcrypt.
const ROUND: usize = 500;

/// Maximum cost for which bcrypt is computed with a fixed seed, about a second; beyond it the result is unknown.
const SLOWEST: u32 = 14;

/// Returns pseudo-random bytes for this call site from the fixed seed; `None` without a seed.
fn random_bytes(args: &CallArgs<'_>) -> Option<[u8; 16]> {
    let digest = Sha256::new()
        .chain_update(args.context.seed?.to_le_bytes())
        .chain_update(args.context.site.draw().to_le_bytes())
        .finalize();
    let mut bytes = [0; 16];
    bytes.iter_mut().zip(digest.iter()).for_each(|(byte, drawn)| *byte = *drawn);
    Some(bytes)
}

/// Implements the functions that return a random UUID; `name` is that of the function. The result is unknown unless the seed is
/// fixed.
fn random_uuid(args: &CallArgs<'_>, name: &'static str) -> Result<Value, Failure> {
    let Some(bytes) = random_bytes(args) else {
        let causes = args.context.site.causes(name, FunctionReads::Random);
        return Ok(Value::unknown_because(Type::String, causes));
    };
    let id = uuid::Builder::from_random_bytes(bytes).into_uuid();
    Ok(Value::from(id.to_string()))
}

/// Implements `uuidv5`: returns the UUID of a name in a namespace.
fn named_uuid(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let namespace = match &**args.text(0) {
        "dns" => Some(Uuid::NAMESPACE_DNS),
        "url" => Some(Uuid::NAMESPACE_URL),
        "oid" => Some(Uuid::NAMESPACE_OID),
        "x500" => Some(Uuid::NAMESPACE_X500),
        other => uuid(other),
    };
    let Some(namespace) = namespace else {
        let message = Sentence::trusted(format!(
            "{} is not a namespace: write \"dns\", \"url\", \"oid\", \"x500\" or a UUID.",
            args.show(0)
        ));
        return Err(Failure::whole(message));
    };
    let name: &Str = args.text(1);
    Ok(Value::from(Uuid::new_v5(&namespace, name.as_bytes()).to_string()))
}

/// Parses a UUID, plain, without dashes, in braces or as a URN; `None` for other texts. As in the reference programs, any two
/// characters are accepted as braces.
fn uuid(text: &str) -> Option<Uuid> {
    let bare = match text.len() {
        45 if text.is_char_boundary(9) && text[..9].eq_ignore_ascii_case("urn:uuid:") => &text[9..],
        38 => text.get(1..37)?,
        36 | 32 => text,
        _ => return None,
    };
    Uuid::try_parse(bare).ok()
}

#[cfg(all(test, feature = "bcrypt"))]
mod tests {
    use super::*;

    /// Tests that bcrypt digests equal those computed by other implementations.
    #[test]
    fn bcrypt_digests_are_those_of_others() {
        let salt = |text: &str| {
            let engine = GeneralPurpose::new(&BCRYPT, NO_PAD.with_decode_allow_trailing_bits(true));
            let bytes = engine.decode(text).expect("base64");
            <[u8; 16]>::try_from(bytes).expect("a salt")
        };
        for (password, known) in [
            ("", "$2a$06$DCq7YPn5Rq63x1Lad4cll.TV4S6ytwfsfvkgY8jIucDrjc8deX1s."),
            ("a", "$2a$06$m0CrhHm10qJ3lXRY.5zDGO3rS2KdeeWLuGmsfGlMfOxih58VYVfxe"),
        ] {
            let made = salted(password, 6, salt(&known[7..29])).expect("a digest");
            assert_eq!(made, known);
        }
    }
}
