//! Editions: a reference program in a version. Code does not branch on a dialect's name: the language core reads
//! [`crate::Semantics`], the stages above it their conventions, both made from an edition. Properties of a program as a
//! whole (its name, its registry, the existence of modules) are defined here.

use std::fmt;

/// The language of one reference program: OpenTofu, Terraform or Packer.
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
    /// Every dialect: OpenTofu, Terraform and Packer.
    pub const ALL: [Dialect; 3] = [Dialect::OpenTofu, Dialect::Terraform, Dialect::Packer];

    /// The dialects whose folders are modules: OpenTofu and Terraform.
    pub const OF_MODULES: [Dialect; 2] = [Dialect::OpenTofu, Dialect::Terraform];

    /// Returns true if the dialect's folders are modules, which call each other; Packer's templates do not.
    pub const fn has_modules(self) -> bool {
        !matches!(self, Dialect::Packer)
    }

    /// Returns the default registry host of the dialect.
    pub const fn registry(self) -> &'static str {
        match self {
            Dialect::OpenTofu => "registry.opentofu.org",
            Dialect::Terraform | Dialect::Packer => "registry.terraform.io",
        }
    }

    /// Returns the names of the CLI configuration files in the home directory, of which the first existing one is read.
    pub const fn settings_files(self) -> &'static [&'static str] {
        match self {
            Dialect::OpenTofu => &[".tofurc", ".terraformrc"],
            Dialect::Terraform | Dialect::Packer => &[".terraformrc"],
        }
    }

    /// Returns the key under which the program states its version in its JSON event lines.
    pub const fn event_key(self) -> &'static str {
        match self {
            Dialect::OpenTofu => "tofu",
            Dialect::Terraform | Dialect::Packer => "terraform",
        }
    }

    /// Returns the name on the command line: `opentofu`, `terraform`, `packer`.
    pub fn slug(self) -> &'static str {
        match self {
            Dialect::OpenTofu => "opentofu",
            Dialect::Terraform => "terraform",
            Dialect::Packer => "packer",
        }
    }

    /// Returns the newest released version whose behaviour is recorded: the default version.
    pub const fn newest(self) -> Version {
        match self {
            Dialect::OpenTofu => Version::new(1, 12, 6),
            Dialect::Terraform => Version::new(1, 16, 0),
            Dialect::Packer => Version::new(1, 16, 0),
        }
    }

    /// Returns the newest version whose behaviour is recorded, released or not.
    pub const fn newest_known(self) -> Version {
        match self.recordings().last() {
            Some(last) => last.version,
            None => self.newest(),
        }
    }

    /// Iterates over the versions whose behaviour is recorded, oldest first.
    pub fn recorded(self) -> impl DoubleEndedIterator<Item = Version> + Clone {
        self.recordings().iter().map(|recording| recording.version)
    }

    /// Returns the versions whose behaviour is recorded, each with the name of the build that was observed, oldest first.
    pub const fn recordings(self) -> &'static [EditionRecording] {
        match self {
            Dialect::OpenTofu => OPENTOFU_RECORDED,
            Dialect::Terraform => TERRAFORM_RECORDED,
            Dialect::Packer => PACKER_RECORDED,
        }
    }

    /// Returns the newest known patch release of each minor version.
    fn last_patches(self) -> &'static [Version] {
        match self {
            Dialect::OpenTofu => {
                const { &[Version::new(1, 6, 3), Version::new(1, 12, 6), Version::new(1, 13, 0)] }
            }
            Dialect::Terraform => TERRAFORM,
            Dialect::Packer => const { &[Version::new(1, 16, 0)] },
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

/// A version whose behaviour was recorded by running the program, with the name of the build that was run.
#[derive(Clone, Copy, Debug)]
pub struct EditionRecording {
    /// The version.
    pub version: Version,
    /// The name of the build that was run, such as `1.16.0-rc2`.
    pub asked: &'static str,
}

/// Builds the recording of version `1.minor.patch`; `asked` is the name of the build that was run, such as `1.16.0-rc2`.
const fn recording(minor: u32, patch: u32, asked: &'static str) -> EditionRecording {
    EditionRecording { version: Version::new(1, minor, patch), asked }
}

/// The versions of OpenTofu whose behaviour is recorded, oldest first.
const OPENTOFU_RECORDED: &[EditionRecording] =
    &[recording(12, 6, "1.12.6"), recording(13, 0, "1.13.0-dev of 2026-08-22")];
/// The versions of Terraform whose behaviour is recorded, oldest first.
const TERRAFORM_RECORDED: &[EditionRecording] =
    &[recording(11, 4, "1.11.4"), recording(15, 9, "1.15.9"), recording(16, 0, "1.16.0-rc2")];
/// The versions of Packer whose behaviour is recorded, oldest first.
const PACKER_RECORDED: &[EditionRecording] = &[recording(16, 0, "1.16.0")];

/// A version number of three parts, ordered by major, minor and patch number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Version {
    /// The major number.
    pub major: u32,
    /// The minor number.
    pub minor: u32,
    /// The patch number.
    pub patch: u32,
}

impl Version {
    /// Creates a version from its three numbers.
    pub const fn new(major: u32, minor: u32, patch: u32) -> Version {
        Version { major, minor, patch }
    }

    /// Returns true if the major and minor numbers are those of a later version than `other`.
    fn is_minor_above(self, other: Version) -> bool {
        (self.major, self.minor) > (other.major, other.minor)
    }

    /// Parses `1.12.6`, `1.12` or `1` (missing numbers are 0), with or without a leading `v`; `None` for other texts.
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

/// The newest patch release of each minor version of Terraform.
const TERRAFORM: &[Version] = &[
    Version::new(1, 0, 11),
    Version::new(1, 1, 9),
    Version::new(1, 2, 9),
    Version::new(1, 3, 10),
    Version::new(1, 4, 7),
    Version::new(1, 5, 7),
    Version::new(1, 6, 6),
    Version::new(1, 7, 5),
    Version::new(1, 8, 5),
    Version::new(1, 9, 8),
    Version::new(1, 10, 5),
    Version::new(1, 11, 4),
    Version::new(1, 12, 2),
    Version::new(1, 13, 5),
    Version::new(1, 14, 9),
    Version::new(1, 15, 9),
    Version::new(1, 16, 0),
];

/// An edition: a dialect at a version; a version newer than all known ones keeps its number, but behaves like [`Edition::known`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Edition {
    /// The program.
    pub dialect: Dialect,
    /// Its version, which may be newer than all known ones.
    pub version: Version,
    /// The version whose behaviour applies.
    known: Version,
}

impl Edition {
    /// The edition that applies where none is named or detected.
    pub const DEFAULT: Edition = Edition {
        dialect: Dialect::OpenTofu,
        version: Dialect::OpenTofu.newest(),
        known: Dialect::OpenTofu.newest(),
    };

    /// Creates the edition of a dialect at a version; one newer than all known ones behaves like the newest known one.
    pub fn new(dialect: Dialect, version: Version) -> Edition {
        let newest = dialect.newest_known();
        let known = if version.is_minor_above(newest) { newest } else { version };
        Edition { dialect, version, known }
    }

    /// Returns an edition that treats `version` as newer than known, with this edition as the newest known one; used to test
    /// the handling of future editions.
    pub fn unknown_after(self, version: Version) -> Edition {
        Edition { version, ..self }
    }

    /// Returns the newest released edition of a dialect.
    pub fn newest(dialect: Dialect) -> Edition {
        Edition::new(dialect, dialect.newest())
    }

    /// Returns the edition for files that only OpenTofu reads: this one if it is of OpenTofu, else OpenTofu's newest.
    pub fn of_own_files(self) -> Edition {
        match self.dialect {
            Dialect::OpenTofu => self,
            Dialect::Terraform | Dialect::Packer => Edition::newest(Dialect::OpenTofu),
        }
    }

    /// Parses the name of an edition: `opentofu`, `opentofu@1.12` or `opentofu@1.12.3`, of any version since 1.0; `None` for
    /// other texts. Without a patch number the newest known patch of that minor version is meant, without a version the newest
    /// released one.
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
            return Some(Edition::new(dialect, newest));
        };
        let mut parsed = Version::parse(version)?;
        if parsed.major == 0 {
            return None;
        }
        if version.matches('.').count() == 1 {
            let is_meant =
                |last: &&Version| (last.major, last.minor) == (parsed.major, parsed.minor);
            parsed = dialect.last_patches().iter().find(is_meant).copied().unwrap_or(parsed);
        }
        Some(Edition::new(dialect, parsed))
    }

    /// Returns true if the behaviour of this minor version was recorded, not only derived from its documentation.
    pub fn is_recorded(self) -> bool {
        let Version { major, minor, .. } = self.version;
        let same = |known: Version| (known.major, known.minor) == (major, minor);
        self.dialect.recorded().any(same)
    }

    /// Returns true if the edition is newer than all known ones.
    pub fn is_newer_than_known(self) -> bool {
        self.version.is_minor_above(self.known)
    }

    /// Returns the edition whose behaviour applies: this one, or the newest known one if this one is newer.
    pub fn known(self) -> Edition {
        Edition { version: self.known, ..self }
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

    /// Tests how names of editions are parsed.
    #[test]
    fn editions() {
        let text = |t| Edition::parse(t).map(|e| e.to_string());
        assert_eq!(text("opentofu@1.12").as_deref(), Some("OpenTofu 1.12.6"));
        assert_eq!(text("opentofu@1.12.3").as_deref(), Some("OpenTofu 1.12.3"));
        assert_eq!(text("terraform@1.11").as_deref(), Some("Terraform 1.11.4"));
        assert_eq!(text("terraform@1.9").as_deref(), Some("Terraform 1.9.8"));
        assert_eq!(text("terraform@1.9.0").as_deref(), Some("Terraform 1.9.0"));
        assert_eq!(text("terraform").as_deref(), Some("Terraform 1.16.0"));
        assert_eq!(text("opentofu@1.13").as_deref(), Some("OpenTofu 1.13.0"));
        assert_eq!(text("terraform@1.40").as_deref(), Some("Terraform 1.40.0"));
        assert_eq!(text("terraform@0.14"), None);
        assert_eq!(text("packer@1.16").as_deref(), Some("Packer 1.16.0"));
        assert_eq!(text("opentofu"), Some(Edition::DEFAULT.to_string()));
        assert_eq!(text("bicep"), None);
        assert_eq!(text("opentofu@"), None);
        assert_eq!(text("opentofu@1.x"), None);
    }

    /// Tests which editions are recorded, known, or newer than known.
    #[test]
    fn known_editions() {
        let edition = |t| Edition::parse(t).unwrap_or_default();
        assert!(edition("terraform@1.11").is_recorded() && edition("terraform").is_recorded());
        assert!(!edition("terraform@1.13").is_recorded());
        assert!(edition("terraform@1.99").is_newer_than_known());
        assert!(edition("opentofu@1.13").is_recorded());
        assert!(edition("opentofu@1.99").is_newer_than_known());
        assert!(!edition("terraform@1.15.30").is_newer_than_known());
        let newest = Edition::new(Dialect::Terraform, Dialect::Terraform.newest_known());
        assert_eq!(edition("terraform@1.99").known(), newest);
        assert_eq!(edition("terraform@1.15").known(), edition("terraform@1.15"));
        let hidden = edition("terraform@1.15").unknown_after(Version::new(1, 16, 0));
        assert!(hidden.is_newer_than_known() && hidden.known() == edition("terraform@1.15"));
        for dialect in Dialect::ALL {
            assert!(dialect.recorded().any(|one| one == dialect.newest()));
            assert!(dialect.recorded().is_sorted());
            assert!(dialect.last_patches().is_sorted());
        }
    }
}
