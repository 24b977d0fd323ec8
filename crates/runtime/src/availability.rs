//! The editions in which something exists: a function, a block, an argument or a behaviour.

use crate::{Dialect, Edition, Version};

/// The dialects in which a name or a behaviour exists, each with the first version; `None` for a dialect without it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Availability {
    /// The first version of OpenTofu.
    pub opentofu: Option<Version>,
    /// The first version of Terraform.
    pub terraform: Option<Version>,
    /// The first version of Packer.
    pub packer: Option<Version>,
}

/// Version 0.0.0, as the first version of something that every version of a dialect has.
const ANY: Option<Version> = Some(Version::new(0, 0, 0));

impl Availability {
    /// Availability in every version of every dialect.
    pub const ALL: Availability = Availability { opentofu: ANY, terraform: ANY, packer: ANY };
    /// Availability in no version of any dialect.
    pub const NEVER: Availability = Availability { opentofu: None, terraform: None, packer: None };
    /// Availability in every version of OpenTofu and Terraform.
    pub const NOT_PACKER: Availability = Availability { packer: None, ..Availability::ALL };
    /// Availability in every version of Packer only.
    pub const PACKER: Availability = Availability { opentofu: None, terraform: None, packer: ANY };
    /// Availability in every version of Terraform only.
    pub const TERRAFORM: Availability =
        Availability { opentofu: None, terraform: ANY, packer: None };
    /// Availability in every version of OpenTofu only.
    pub const OPENTOFU: Availability =
        Availability { opentofu: ANY, terraform: None, packer: None };

    /// Returns this availability with OpenTofu since version `1.minor` in addition.
    pub const fn opentofu_since(self, minor: u32) -> Availability {
        Availability { opentofu: Some(Version::new(1, minor, 0)), ..self }
    }
    /// Returns this availability with Terraform since version `1.minor` in addition.
    pub const fn terraform_since(self, minor: u32) -> Availability {
        Availability { terraform: Some(Version::new(1, minor, 0)), ..self }
    }

    /// Returns the dialects with their first versions as text: `OpenTofu 1.11 and later, Packer`.
    pub fn editions_text(self) -> String {
        let home = |dialect| match self.since(dialect)? {
            Version { major: 0, .. } => Some(format!("{dialect}")),
            Version { major, minor, .. } => Some(format!("{dialect} {major}.{minor} and later")),
        };
        Dialect::ALL.into_iter().filter_map(home).collect::<Vec<_>>().join(", ")
    }

    /// Returns the first version of a dialect that has the name or behaviour; `None` if no version has it.
    pub fn since(self, dialect: Dialect) -> Option<Version> {
        match dialect {
            Dialect::OpenTofu => self.opentofu,
            Dialect::Terraform => self.terraform,
            Dialect::Packer => self.packer,
        }
    }

    /// Returns true if the name or behaviour exists in an edition.
    pub fn includes(self, edition: Edition) -> bool {
        self.since(edition.dialect).is_some_and(|since| edition.known().version >= since)
    }
}
