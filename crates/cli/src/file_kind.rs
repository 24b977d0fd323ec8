//! File name endings in native syntax, and the programs that read each. Files in JSON syntax are not included, since they cannot
//! be formatted.

use groma::{Dialect, Edition, editions::Version};

/// The ending of a file name, and the programs that read such files.
struct FileEnding {
    /// The ending with its dot, such as `.tfvars`.
    name: &'static str,
    /// True if OpenTofu reads such files.
    opentofu: bool,
    /// The first version of Terraform that reads such files; `None` if none does.
    terraform: Option<Version>,
    /// True if Packer reads such files.
    packer: bool,
}

impl FileEnding {
    /// Returns an ending that OpenTofu and every Terraform read.
    const fn of_both(name: &'static str) -> FileEnding {
        FileEnding { name, opentofu: true, terraform: Some(Version::new(0, 0, 0)), packer: false }
    }

    /// Returns an ending that only OpenTofu reads.
    const fn of_opentofu(name: &'static str) -> FileEnding {
        FileEnding { name, opentofu: true, terraform: None, packer: false }
    }

    /// Returns an ending that only Terraform reads, since a version.
    const fn of_terraform(name: &'static str, since: Version) -> FileEnding {
        FileEnding { name, opentofu: false, terraform: Some(since), packer: false }
    }

    /// Returns an ending that only Packer reads.
    const fn of_packer(name: &'static str) -> FileEnding {
        FileEnding { name, opentofu: false, terraform: None, packer: true }
    }

    /// Returns true if the edition reads files with this ending.
    fn is_read_by(&self, edition: Edition) -> bool {
        match edition.dialect {
            Dialect::OpenTofu => self.opentofu,
            Dialect::Terraform => {
                self.terraform.is_some_and(|since| edition.known().version >= since)
            }
            Dialect::Packer => self.packer,
        }
    }
}

/// The endings of file names that a reference program reads, in the order in which messages list them.
const ENDINGS: &[FileEnding] = &[
    FileEnding::of_both(".tf"),
    FileEnding::of_both(".tfvars"),
    FileEnding::of_both(".tftest.hcl"),
    FileEnding::of_opentofu(".tofu"),
    FileEnding::of_opentofu(".tofutest.hcl"),
    FileEnding::of_terraform(".tfmock.hcl", Version::new(1, 7, 0)),
    FileEnding::of_terraform(".tfquery.hcl", Version::new(1, 14, 0)),
    FileEnding::of_packer(".pkr.hcl"),
    FileEnding::of_packer(".pkrvars.hcl"),
];

/// Yields the endings that an edition reads; all endings for `None`.
pub(crate) fn read_endings(edition: Option<Edition>) -> impl Iterator<Item = &'static str> {
    let taken =
        move |ending: &&FileEnding| edition.is_none_or(|edition| ending.is_read_by(edition));
    ENDINGS.iter().filter(taken).map(|ending| ending.name)
}

/// Returns true if an edition reads files of this name; for `None`, if any edition does.
pub(crate) fn is_read(name: &str, edition: Option<Edition>) -> bool {
    read_endings(edition).any(|ending| name.ends_with(ending))
}

/// Returns true if only Packer reads files of this name.
pub(crate) fn is_of_packer(name: &str) -> bool {
    ENDINGS.iter().any(|ending| ending.packer && name.ends_with(ending.name))
}
