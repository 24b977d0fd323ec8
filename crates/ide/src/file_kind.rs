//! Kinds of files by name: which program reads a file, and for what. Any other file that ends in `.hcl` has a kind too, since
//! its syntax is known.

use groma::Dialect;
use groma::folders::FilePurpose;

/// The purpose of a file, according to its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileKind {
    /// Declarations of a module: `.tf`, `.tofu` and their JSON forms.
    Module,
    /// Values of a module's variables: `.tfvars`.
    Values,
    /// Test runs: `.tftest.hcl` and `.tofutest.hcl`.
    Test,
    /// Mocks: `.tfmock.hcl` and Groma's `.mock.hcl`.
    Mock,
    /// Queries: `.tfquery.hcl`.
    Query,
    /// A Packer template: `.pkr.hcl`.
    Packer,
    /// Values of a Packer template's variables: `.pkrvars.hcl`.
    PackerValues,
    /// A template file: `.tftpl`.
    Template,
    /// Any other file in HCL syntax: stacks, deployments, policies, `terragrunt.hcl`.
    Other,
}

impl FileKind {
    /// Returns the kind of a file; `None` if its name implies no supported syntax.
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

    /// Returns true if `groma fmt` formats files of this kind.
    pub fn is_formatted(self) -> bool {
        self != FileKind::Template
    }
}
