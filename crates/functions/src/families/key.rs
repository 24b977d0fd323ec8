//! `rsadecrypt`: RSA with PKCS #1 v1.5 padding. The key is in a PEM text, in one of three forms:
//! PKCS #1, PKCS #8 or OpenSSH's own, none of them encrypted. The key belongs to the user who runs
//! this, so the time it takes is no secret to keep.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use dashu_int::UBig;
use dashu_int::fast_div::ConstDivisor;
use groma_value::Value;

use crate::{CallArgs, Failure, ResultPromise};
use crate::{Function, FunctionBody, ParameterRow, ReturnType, RowType};

/// The row of `rsadecrypt`, the only function of this family.
pub(crate) const FUNCTIONS: &[Function] = &[Function {
    name: "rsadecrypt",
    params: &[
        ParameterRow::new("ciphertext", RowType::String),
        ParameterRow::new("privatekey", RowType::String),
    ],
    returns: ReturnType::Shape(RowType::String),
    promise: ResultPromise::NOT_NULL_BUT_IN_PACKER,
    doc: "Returns the text that a base64 string holds encrypted for an RSA key, given in PEM form.",
    body: FunctionBody::Plain(decrypt),
    ..Function::ROW
}];

/// Maximum size in bytes of the modulus of an RSA key.
const LONGEST: usize = 2048;

/// An RSA private key: its modulus, private exponent and size.
struct RsaKey {
    modulus: UBig,
    exponent: UBig,
    /// The size of the modulus in bytes.
    size: usize,
}

/// Implements `rsadecrypt`: returns the text that is encrypted for an RSA key in a base64 string.
fn decrypt(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let cipher =
        crate::families::encode::bytes(args, 0).map_err(|message| args.fail(0, message))?;
    let key = read(args.text(1)).map_err(|why| {
        let message = format!(
            "The private key cannot be used: {why}. An RSA key in PEM form is required, without a \
             passphrase."
        );
        args.fail(1, message)
    })?;
    let plain = key.decrypt(&cipher).ok_or_else(|| {
        Failure::whole("The text is not encrypted for this key, or not with PKCS #1 v1.5 padding.")
    })?;
    String::from_utf8(plain)
        .map(Value::from)
        .map_err(|_| Failure::whole("The decrypted content is not UTF-8 text."))
}

impl RsaKey {
    /// Creates a key from the big-endian bytes of its modulus and private exponent; the error is a phrase that says why its size
    /// is unsuitable.
    fn new(modulus: &[u8], exponent: &[u8]) -> Result<RsaKey, &'static str> {
        let (modulus, exponent) = (UBig::from_be_bytes(modulus), UBig::from_be_bytes(exponent));
        let size = modulus.to_be_bytes().len();
        if size > LONGEST || exponent.to_be_bytes().len() > size {
            return Err("it is longer than any key in use");
        }
        if modulus <= UBig::ONE {
            return Err("its modulus is too small");
        }
        Ok(RsaKey { modulus, exponent, size })
    }

    /// Decrypts a message with PKCS #1 v1.5 padding (`0 2`, at least eight non-zero bytes, a zero) and returns its text; `None`
    /// if the padding is wrong.
    fn decrypt(&self, cipher: &[u8]) -> Option<Vec<u8>> {
        let cipher = UBig::from_be_bytes(cipher);
        if cipher >= self.modulus {
            return None;
        }
        let ring = ConstDivisor::new(self.modulus.clone());
        let digits = ring.reduce(cipher).pow(&self.exponent).residue().to_be_bytes();
        // The message begins with a zero byte, which an integer does not keep.
        let (first, padded) = digits.split_first()?;
        if *first != 2 || digits.len() + 1 != self.size {
            return None;
        }
        let end = padded.iter().position(|byte| *byte == 0).filter(|end| *end >= 8)?;
        Some(padded[end + 1..].to_vec())
    }
}

/// Parses an RSA private key in PEM format; the error is a phrase that says what is wrong with the text.
fn read(pem: &str) -> Result<RsaKey, &'static str> {
    /// The error message for a text that is not in PEM format.
    const NO_PEM: &str = "there is no PEM block in it";
    let (_, rest) = pem.split_once("-----BEGIN ").ok_or(NO_PEM)?;
    let (label, rest) = rest.split_once("-----").ok_or(NO_PEM)?;
    let (body, _) = rest.split_once("-----END ").ok_or("its PEM block does not end")?;
    if body.contains(':') {
        return Err("it is encrypted");
    }
    let body: String = body.chars().filter(|c| !c.is_whitespace()).collect();
    let bytes = STANDARD.decode(body).map_err(|_| "its PEM block is not base64")?;
    let found = match label {
        "RSA PRIVATE KEY" => pkcs1(&bytes),
        "PRIVATE KEY" => pkcs8(&bytes),
        "OPENSSH PRIVATE KEY" => openssh(&bytes),
        "ENCRYPTED PRIVATE KEY" => return Err("it is encrypted"),
        _ => return Err("it is of another kind"),
    };
    let (modulus, exponent) = found.ok_or("it is encrypted, damaged or not an RSA key")?;
    RsaKey::new(modulus, exponent)
}

/// The modulus and the private exponent of an RSA key as big-endian bytes; `None` if the key is malformed.
type Parts<'b> = Option<(&'b [u8], &'b [u8])>;

/// Reads the next DER element if it has this tag, and returns its content; `None` for another tag.
fn der<'b>(bytes: &mut &'b [u8], tag: u8) -> Option<&'b [u8]> {
    let (&found, rest) = bytes.split_first()?;
    let (&length, mut rest) = rest.split_first()?;
    let length = match length {
        0..=0x7f => usize::from(length),
        0x81..=0x84 => {
            let (digits, after) = rest.split_at_checked(usize::from(length & 0x7f))?;
            rest = after;
            digits.iter().fold(0, |all, byte| (all << 8) | usize::from(*byte))
        }
        _ => return None,
    };
    let (inner, after) = rest.split_at_checked(length)?;
    *bytes = after;
    (found == tag).then_some(inner)
}

/// The DER tag of an integer element.
const INTEGER: u8 = 0x02;
/// The DER tag of an octet string element.
const OCTETS: u8 = 0x04;
/// The DER tag of an object identifier element.
const OBJECT_ID: u8 = 0x06;
/// The DER tag of a sequence element.
const SEQUENCE: u8 = 0x30;

/// Returns the modulus and the private exponent of a key in PKCS #1 format; `None` if it is malformed.
fn pkcs1(mut bytes: &[u8]) -> Parts<'_> {
    let mut key = der(&mut bytes, SEQUENCE)?;
    let _version = der(&mut key, INTEGER)?;
    let modulus = der(&mut key, INTEGER)?;
    let _public = der(&mut key, INTEGER)?;
    Some((modulus, der(&mut key, INTEGER)?))
}

/// Returns the modulus and the private exponent of a key in PKCS #8 format; `None` if it is malformed.
fn pkcs8(mut bytes: &[u8]) -> Parts<'_> {
    /// The object identifier of RSA keys, `rsaEncryption`, in DER.
    const RSA: [u8; 9] = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01];
    let mut key = der(&mut bytes, SEQUENCE)?;
    let _version = der(&mut key, INTEGER)?;
    let mut algorithm = der(&mut key, SEQUENCE)?;
    if der(&mut algorithm, OBJECT_ID)? != RSA {
        return None;
    }
    pkcs1(der(&mut key, OCTETS)?)
}

/// Reads the next field of an OpenSSH key, whose length precedes it in four bytes; `None` if the key ends before the field does.
fn field<'b>(bytes: &mut &'b [u8]) -> Option<&'b [u8]> {
    let (length, rest) = bytes.split_first_chunk::<4>()?;
    let length = usize::try_from(u32::from_be_bytes(*length)).ok()?;
    let (inner, after) = rest.split_at_checked(length)?;
    *bytes = after;
    Some(inner)
}

/// Returns the modulus and the private exponent of a key in OpenSSH format; `None` if it is malformed.
fn openssh(bytes: &[u8]) -> Parts<'_> {
    let mut rest = bytes.strip_prefix(b"openssh-key-v1\0")?;
    let (cipher, derivation) = (field(&mut rest)?, field(&mut rest)?);
    if cipher != b"none" || derivation != b"none" {
        return None;
    }
    let _options = field(&mut rest)?;
    // There must be one key: its public half, then the private half after eight check bytes.
    let mut rest = rest.strip_prefix(&[0, 0, 0, 1])?;
    let _public = field(&mut rest)?;
    let mut key = field(&mut rest)?.get(8..)?;
    if field(&mut key)? != b"ssh-rsa" {
        return None;
    }
    let modulus = field(&mut key)?;
    let _public = field(&mut key)?;
    Some((modulus, field(&mut key)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An RSA key made for this test, too short for any other use.
    const PEM: &str = "-----BEGIN RSA PRIVATE KEY-----
MIIBOQIBAAJBAM8kEBtEe56BmR4g1v+/g4oJfRz5qGbFnujI+UnmnWgyAp2gO+qW
SY72mXZNH77ya2qakI3elCJ7iUWcpXDOaP0CAwEAAQJAFegXd/rHJB1Kp0AL3OJR
NAEK5UyV/cB6rN3MV393ODSY8yF3Z/AbLSyZiJ67wVS91ooagjPp1yT8Xy1FUSoB
QQIhAPdYbXXDsF4g48vtxyIVxrm7Jy13NeYN88kJtfMIWWJRAiEA1mOBy9M4ZHUQ
Aa2YxvT7Hh4cljudonr1d5zevM7LJO0CIBOqwVFa1Pw3C0XcyzenmZyNCAlycCOx
uk+i6QfBAzJxAiBF77IQzrePtcxh78Jt7M7adVI4A/yZW2kl+uuCRidoxQIgK7Rv
rCvGZE7lCqdi0pzzi3ov+++CK6lKk9+/GFShoLs=
-----END RSA PRIVATE KEY-----\n";
    /// A message encrypted with the key, in base64.
    const CIPHER: &str =
        "RRZhF9n9J8IEgSF+hxGIp2aeCOBATcD4x7Tp7fFyRL0kUsJyZy/oDp58qDBwdGiJDpbmKhCfCiB4Ry6ETgkCTw==";

    /// Tests that a message is decrypted.
    #[test]
    fn a_message_comes_back() {
        let key = read(PEM).unwrap_or_else(|why| panic!("{why}"));
        let cipher = STANDARD.decode(CIPHER).unwrap();
        assert_eq!(key.decrypt(&cipher).as_deref(), Some(&b"depot 7"[..]));
        assert_eq!(key.decrypt(&cipher[1..]), None);
    }

    /// Tests that truncated keys do not cause a panic, and that a text without a key is an error.
    #[test]
    fn damaged_keys_are_refused() {
        for end in 0..PEM.len() {
            let _ = read(&PEM[..end]);
        }
        assert_eq!(read("no key").err(), Some("there is no PEM block in it"));
    }
}
