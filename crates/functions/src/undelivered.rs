//! Names that the references have and this engine does not do yet. A call of one is an error
//! that says so, never "unknown function"; a name leaves this list when its row comes.

use crate::Availability;

const ALL: Availability = Availability::ALL;
const NOT_PACKER: Availability = Availability::NOT_PACKER;
const PACKER: Availability = Availability::PACKER;

/// The names, sorted, and where they exist.
pub(crate) const UNDELIVERED: &[(&str, Availability)] = &[
    ("aws_secretsmanager", PACKER),
    ("aws_secretsmanager_raw", PACKER),
    ("consul_key", PACKER),
    ("env", PACKER),
    ("legacy_isotime", PACKER),
    ("legacy_strftime", PACKER),
    ("rfc3339_parse", PACKER),
    ("rsadecrypt", ALL),
    ("textdecodebase64", ALL),
    ("textencodebase64", ALL),
    ("unix_timestamp_parse", PACKER),
    ("uuid", NOT_PACKER),
    ("uuidv4", PACKER),
    ("vault", PACKER),
];
