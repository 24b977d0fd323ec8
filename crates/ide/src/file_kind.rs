//! Kinds of files by their names. Two questions are asked of a name: which program reads it, and in which syntax; a file that no
//! program is known to read still has a syntax if it ends in `.hcl`.

use groma::Dialect;
use groma::folders::FilePurpose;

/// The use of a file, by its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileKind {
    /// Declarations of a module: `.tf`, `.tofu` and their JSON forms.
    Module,
    /// Values of a module's variables: `.tfvars`.
    Values,
    /// Test runs: `.tftest.hcl` and `.tofutest.hcl`.
    Test,
    /// Mocks of resources: `.tfmock.hcl` and groma's `.mock.hcl`.
    Mock,
    /// Queries: `.tfquery.hcl`.
    Query,
    /// A Packer template: `.pkr.hcl`.
    Packer,
    /// Values of a Packer template's variables: `.pkrvars.hcl`.
    PackerValues,
    /// The text of a template: `.tftpl`.
    Template,
    /// Any other file in the language: stacks, deployments, policies, `terragrunt.hcl`.
    Other,
}

impl FileKind {
    /// The kind of a file; nothing for a name that tells of no language of ours.
    pub fn of(name: &str) -> Option<FileKind> {
        let has = |ending: &str| name.strip_suffix(ending).is_some_and(|rest| !rest.ends_with('/'));
        let Some(kind) = groma::folders::FileKind::of(name).filter(|kind| has(kind.ending)) else {
            return match (has(".tftpl"), has(".hcl")) {
                (true, _) => Some(FileKind::Template),
                (_, true) => Some(FileKind::Other),
                _ => None,
            };
        };
        let is_packer = kind.owner == Some(Dialect::Packer);
        Some(match kind.purpose {
            FilePurpose::Code if is_packer => FileKind::Packer,
            FilePurpose::Code => FileKind::Module,
            FilePurpose::Values if is_packer => FileKind::PackerValues,
            FilePurpose::Values => FileKind::Values,
            FilePurpose::Query => FileKind::Query,
            FilePurpose::Test => FileKind::Test,
            FilePurpose::Mock => FileKind::Mock,
            FilePurpose::Stack => FileKind::Other,
        })
    }

    /// Returns true if files of the kind have the usual layout and `fmt` gives it to them.
    pub fn is_formatted(self) -> bool {
        self != FileKind::Template
    }
}
