//! Which reference program is meant, and in which version. The rest of the engine never asks for
//! a dialect's name: it reads [`crate::Semantics`], which an edition stands for.

use std::fmt;

/// A reference program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Dialect {
    /// OpenTofu.
    OpenTofu,
    /// Terraform.
    Terraform,
    /// Packer.
    Packer,
}

impl Dialect {
    /// Every dialect.
    pub const ALL: [Dialect; 3] = [Dialect::OpenTofu, Dialect::Terraform, Dialect::Packer];

    /// The name on the command line: `opentofu`, `terraform`, `packer`.
    pub fn slug(self) -> &'static str {
        match self {
            Dialect::OpenTofu => "opentofu",
            Dialect::Terraform => "terraform",
            Dialect::Packer => "packer",
        }
    }

    /// The newest version whose behaviour is recorded.
    pub fn newest(self) -> Version {
        match self {
            Dialect::OpenTofu => Version::new(1, 12, 6),
            Dialect::Terraform => Version::new(1, 11, 4),
            Dialect::Packer => Version::new(1, 16, 0),
        }
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Dialect::OpenTofu => "OpenTofu",
            Dialect::Terraform => "Terraform",
            Dialect::Packer => "Packer",
        })
    }
}

/// A released version; ordered as versions are.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Version {
    /// The first number.
    pub major: u32,
    /// The second number.
    pub minor: u32,
    /// The third number.
    pub patch: u32,
}

impl Version {
    /// A version from its three numbers.
    pub const fn new(major: u32, minor: u32, patch: u32) -> Version {
        Version { major, minor, patch }
    }

    /// Reads `1.12.6`, `1.12` or `1` (absent numbers are 0), with or without a leading `v`.
    pub fn parse(text: &str) -> Option<Version> {
        let mut numbers = [0; 3];
        for (at, part) in text.strip_prefix('v').unwrap_or(text).split('.').enumerate() {
            if part.is_empty() || !part.bytes().all(|b| b.is_ascii_digit()) {
                return None;
            }
            *numbers.get_mut(at)? = part.parse().ok()?;
        }
        Some(Version::new(numbers[0], numbers[1], numbers[2]))
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

/// A dialect in a version.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Edition {
    /// The program.
    pub dialect: Dialect,
    /// Its version.
    pub version: Version,
}

impl Edition {
    /// What is meant when nothing is said.
    pub const DEFAULT: Edition =
        Edition { dialect: Dialect::OpenTofu, version: Version::new(1, 12, 6) };

    /// The newest known edition of a dialect.
    pub fn newest(dialect: Dialect) -> Edition {
        Edition { dialect, version: dialect.newest() }
    }

    /// Reads `opentofu`, `opentofu@1.12` or `opentofu@1.12.3`. Without a patch number the newest
    /// known patch of that minor version is meant; without a version the newest version.
    pub fn parse(text: &str) -> Option<Edition> {
        let (name, version) = match text.split_once('@') {
            Some((name, version)) => (name, Some(version)),
            None => (text, None),
        };
        let dialect = match name {
            "opentofu" | "tofu" => Dialect::OpenTofu,
            "terraform" => Dialect::Terraform,
            "packer" => Dialect::Packer,
            _ => return None,
        };
        let newest = dialect.newest();
        let Some(version) = version else {
            return Some(Edition { dialect, version: newest });
        };
        let mut parsed = Version::parse(version)?;
        let minor_only = version.matches('.').count() == 1;
        if minor_only && (parsed.major, parsed.minor) == (newest.major, newest.minor) {
            parsed.patch = newest.patch;
        }
        Some(Edition { dialect, version: parsed })
    }

    /// Whether this is `dialect` in `major.minor` or later.
    pub fn is_at_least(self, dialect: Dialect, major: u32, minor: u32) -> bool {
        self.dialect == dialect && self.version >= Version::new(major, minor, 0)
    }
}

impl Default for Edition {
    fn default() -> Edition {
        Edition::DEFAULT
    }
}

impl fmt::Display for Edition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.dialect, self.version)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn editions() {
        let text = |t| Edition::parse(t).map(|e| e.to_string());
        assert_eq!(text("opentofu@1.12").as_deref(), Some("OpenTofu 1.12.6"));
        assert_eq!(text("opentofu@1.12.3").as_deref(), Some("OpenTofu 1.12.3"));
        assert_eq!(text("terraform@1.11").as_deref(), Some("Terraform 1.11.4"));
        assert_eq!(text("terraform@1.9").as_deref(), Some("Terraform 1.9.0"));
        assert_eq!(text("packer@1.16").as_deref(), Some("Packer 1.16.0"));
        assert_eq!(text("opentofu"), Some(Edition::DEFAULT.to_string()));
        assert_eq!(text("bicep"), None);
        assert_eq!(text("opentofu@"), None);
        assert_eq!(text("opentofu@1.x"), None);
    }
}
