//! The ends of the names of files in native syntax, and which programs look at such files. A file in JSON syntax is none
//! of them: it has no layout of its own.

use groma::{Dialect, Edition, editions::Version};

/// The end of a file's name, and which programs take it.
struct FileEnding {
    name: &'static str,
    opentofu: bool,
    /// From which version on.
    terraform: Option<Version>,
    packer: bool,
}

impl FileEnding {
    const fn of_both(name: &'static str) -> FileEnding {
        FileEnding { name, opentofu: true, terraform: Some(Version::new(0, 0, 0)), packer: false }
    }

    const fn of_opentofu(name: &'static str) -> FileEnding {
        FileEnding { name, opentofu: true, terraform: None, packer: false }
    }

    const fn of_terraform(name: &'static str, since: Version) -> FileEnding {
        FileEnding { name, opentofu: false, terraform: Some(since), packer: false }
    }

    const fn of_packer(name: &'static str) -> FileEnding {
        FileEnding { name, opentofu: false, terraform: None, packer: true }
    }

    fn is_taken_by(&self, edition: Edition) -> bool {
        match edition.dialect {
            Dialect::OpenTofu => self.opentofu,
            Dialect::Terraform => {
                self.terraform.is_some_and(|since| edition.known().version >= since)
            }
            Dialect::Packer => self.packer,
        }
    }
}

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

/// The endings that an edition takes; all of them where none is meant.
pub(crate) fn taken(edition: Option<Edition>) -> impl Iterator<Item = &'static str> {
    let taken =
        move |ending: &&FileEnding| edition.is_none_or(|edition| ending.is_taken_by(edition));
    ENDINGS.iter().filter(taken).map(|ending| ending.name)
}

/// Returns true if a file is one that an edition takes, by its name; or any of them, where none is meant.
pub(crate) fn is_taken(name: &str, edition: Option<Edition>) -> bool {
    taken(edition).any(|ending| name.ends_with(ending))
}

/// Returns true if a file is Packer's, by its name.
pub(crate) fn is_of_packer(name: &str) -> bool {
    ENDINGS.iter().any(|ending| ending.packer && name.ends_with(ending.name))
}
