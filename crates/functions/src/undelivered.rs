//! Names that the references have and this engine does not do yet. A call of one is an error
//! that says so, never "unknown function"; a name leaves this list when its row comes.

use crate::Availability;

const ALL: Availability = Availability::ALL;
const NOT_PACKER: Availability = Availability::NOT_PACKER;
const OPENTOFU: Availability = Availability::OPENTOFU.opentofu_since(7);
const PACKER: Availability = Availability::PACKER;

/// The names, sorted, and where they exist.
pub(crate) const UNDELIVERED: &[(&str, Availability)] = &[
    ("abspath", ALL),
    ("aws_secretsmanager", PACKER),
    ("aws_secretsmanager_raw", PACKER),
    ("base64decode", ALL),
    ("base64encode", ALL),
    ("base64gunzip", OPENTOFU),
    ("base64gzip", NOT_PACKER),
    ("base64sha256", NOT_PACKER),
    ("base64sha512", NOT_PACKER),
    ("basename", ALL),
    ("bcrypt", ALL),
    ("consul_key", PACKER),
    ("csvdecode", ALL),
    ("dirname", ALL),
    ("env", PACKER),
    ("file", ALL),
    ("filebase64", ALL),
    ("filebase64sha256", NOT_PACKER),
    ("filebase64sha512", NOT_PACKER),
    ("fileexists", ALL),
    ("filemd5", NOT_PACKER),
    ("fileset", ALL),
    ("filesha1", NOT_PACKER),
    ("filesha256", NOT_PACKER),
    ("filesha512", NOT_PACKER),
    ("formatdate", ALL),
    ("legacy_isotime", PACKER),
    ("legacy_strftime", PACKER),
    ("md5", ALL),
    ("pathexpand", ALL),
    ("plantimestamp", NOT_PACKER),
    ("rfc3339_parse", PACKER),
    ("rsadecrypt", ALL),
    ("sha1", ALL),
    ("sha256", ALL),
    ("sha512", ALL),
    ("textdecodebase64", ALL),
    ("textencodebase64", ALL),
    ("timeadd", ALL),
    ("timecmp", NOT_PACKER),
    ("timestamp", ALL),
    ("unix_timestamp_parse", PACKER),
    ("urldecode", OPENTOFU),
    ("urlencode", ALL),
    ("uuid", NOT_PACKER),
    ("uuidv4", PACKER),
    ("uuidv5", ALL),
    ("vault", PACKER),
    ("yamldecode", ALL),
    ("yamlencode", ALL),
];
