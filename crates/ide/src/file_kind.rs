//! Kinds of files by their names. Two questions are asked of a name: which program reads it, and in which syntax; a file that no
//! program is known to read still has a syntax if it ends in `.hcl`.

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

/// Endings of names, the longer one first where one ends in another.
const ENDINGS: &[(&str, FileKind)] = &[
    (".tftest.hcl", FileKind::Test),
    (".tofutest.hcl", FileKind::Test),
    (".tftest.json", FileKind::Test),
    (".tofutest.json", FileKind::Test),
    (".tfmock.hcl", FileKind::Mock),
    (".tofumock.hcl", FileKind::Mock),
    (".tfmock.json", FileKind::Mock),
    (".mock.hcl", FileKind::Mock),
    (".tfquery.hcl", FileKind::Query),
    (".tfquery.json", FileKind::Query),
    (".pkrvars.hcl", FileKind::PackerValues),
    (".pkrvars.json", FileKind::PackerValues),
    (".pkr.hcl", FileKind::Packer),
    (".pkr.json", FileKind::Packer),
    (".tfvars", FileKind::Values),
    (".tfvars.json", FileKind::Values),
    (".tftpl", FileKind::Template),
    (".tf", FileKind::Module),
    (".tf.json", FileKind::Module),
    (".tofu", FileKind::Module),
    (".tofu.json", FileKind::Module),
    (".hcl", FileKind::Other),
];

impl FileKind {
    /// The kind of a file; nothing for a name that tells of no language of ours.
    pub fn of(name: &str) -> Option<FileKind> {
        let is_it = |(ending, _): &&(&str, FileKind)| {
            name.ends_with(ending) && !name[..name.len() - ending.len()].ends_with('/')
        };
        ENDINGS.iter().find(is_it).map(|(_, kind)| *kind)
    }

    /// Returns true if files of the kind have the usual layout and `fmt` gives it to them.
    pub fn is_formatted(self) -> bool {
        self != FileKind::Template
    }
}
