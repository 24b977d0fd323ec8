//! Kinds of files by the suffixes of their names: the purpose of a file, its syntax and the programs that read it. Editor backups
//! and hidden files have kinds too; the file listing of a directory excludes them.

use groma_runtime::{Dialect, file_path};

/// The syntax of a file: native or JSON.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileSyntax {
    /// The native syntax.
    Native,
    /// JSON.
    Json,
}

/// The purpose of a file: code, query, test, mock, variable values or stack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FilePurpose {
    /// A part of a module or of a template.
    Code,
    /// Queries next to a module.
    Query,
    /// Test runs of a module.
    Test,
    /// Mocks of providers and functions.
    Mock,
    /// Values of variables.
    Values,
    /// A stack or its deployments, which Groma does not read.
    Stack,
}

/// A kind of file, determined by the ending of its name, with its purpose and syntax.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FileKind {
    /// The suffix, with its dot.
    pub ending: &'static str,
    /// The purpose.
    pub purpose: FilePurpose,
    /// The syntax.
    pub syntax: FileSyntax,
    /// The only program that reads such files; `None` if all programs that read the rest of the code do.
    pub owner: Option<Dialect>,
}

/// Builds the table entry of a kind of files, which only the dialect `owner` reads; `None` if every dialect that reads the rest
/// of the code does.
const fn kind(
    ending: &'static str,
    purpose: FilePurpose,
    syntax: FileSyntax,
    owner: Option<Dialect>,
) -> FileKind {
    FileKind { ending, purpose, syntax, owner }
}

/// The table of all kinds of files, by the endings of their names.
const KINDS: &[FileKind] = {
    use FilePurpose::{Code, Mock, Query, Stack, Test, Values};
    use FileSyntax::{Json, Native};
    /// The value of `FileKind::owner` for files that only OpenTofu reads.
    const TOFU: Option<Dialect> = Some(Dialect::OpenTofu);
    /// The value of `FileKind::owner` for files that only Terraform reads.
    const TERRAFORM: Option<Dialect> = Some(Dialect::Terraform);
    /// The value of `FileKind::owner` for files that only Packer reads.
    const PACKER: Option<Dialect> = Some(Dialect::Packer);
    &[
        kind(".tf", Code, Native, None),
        kind(".tf.json", Code, Json, None),
        kind(".tofu", Code, Native, TOFU),
        kind(".tofu.json", Code, Json, TOFU),
        kind(".pkr.hcl", Code, Native, PACKER),
        kind(".pkr.json", Code, Json, PACKER),
        kind(".tfquery.hcl", Query, Native, TERRAFORM),
        kind(".tfquery.json", Query, Json, TERRAFORM),
        kind(".tftest.hcl", Test, Native, None),
        kind(".tftest.json", Test, Json, None),
        kind(".tofutest.hcl", Test, Native, TOFU),
        kind(".tofutest.json", Test, Json, TOFU),
        kind(".mock.hcl", Mock, Native, None),
        kind(".tfmock.hcl", Mock, Native, None),
        kind(".tfmock.json", Mock, Json, None),
        kind(".tofumock.hcl", Mock, Native, None),
        kind(".tofumock.json", Mock, Json, None),
        kind(".tfvars", Values, Native, None),
        kind(".tfvars.json", Values, Json, None),
        kind(".pkrvars.hcl", Values, Native, PACKER),
        kind(".pkrvars.json", Values, Json, PACKER),
        kind(".tfcomponent.hcl", Stack, Native, TERRAFORM),
        kind(".tfdeploy.hcl", Stack, Native, TERRAFORM),
    ]
};

impl FileKind {
    /// Returns the kind of a file by its name or path; `None` for an unknown ending.
    pub fn of(name: &str) -> Option<FileKind> {
        KINDS.iter().find(|kind| name.ends_with(kind.ending)).copied()
    }

    /// Returns the file name endings for a purpose, such as `.tf`.
    pub fn endings(purpose: FilePurpose) -> Vec<&'static str> {
        KINDS.iter().filter(|kind| kind.purpose == purpose).map(|kind| kind.ending).collect()
    }

    /// Returns true if the ending of a file name has the given purpose.
    pub fn has_purpose(name: &str, purpose: FilePurpose) -> bool {
        FileKind::of(name).is_some_and(|kind| kind.purpose == purpose)
    }

    /// Returns true if a file name has an ending of module code, such as `.tf`.
    pub fn is_module(name: &str) -> bool {
        FileKind::of(name).is_some_and(|kind| {
            kind.purpose == FilePurpose::Code && kind.owner != Some(Dialect::Packer)
        })
    }

    /// Returns true if a file name has an ending of Packer templates, such as `.pkr.hcl`.
    pub fn is_template(name: &str) -> bool {
        FileKind::of(name).is_some_and(|kind| {
            kind.purpose == FilePurpose::Code && kind.owner == Some(Dialect::Packer)
        })
    }

    /// Returns true if a file name is that of a variable file next to the code that is read even if no flag names it.
    pub fn is_automatic(name: &str) -> bool {
        FileKind::of(name).filter(|kind| kind.purpose == FilePurpose::Values).is_some_and(|kind| {
            let stem = kind.stem(file_path::last(name));
            stem.ends_with(".auto") || stem == "terraform" && kind.owner.is_none()
        })
    }

    /// Returns true if only OpenTofu reads files of this kind.
    pub fn is_tofu(self) -> bool {
        self.owner == Some(Dialect::OpenTofu)
    }

    /// Returns true if files of this kind are JSON.
    pub fn is_json(self) -> bool {
        self.syntax == FileSyntax::Json
    }

    /// Returns a file name without the ending of this kind.
    pub fn stem(self, name: &str) -> &str {
        name.strip_suffix(self.ending).unwrap_or(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that no file name has two of the known endings.
    #[test]
    fn no_ending_ends_in_another() {
        for (at, one) in KINDS.iter().enumerate() {
            let others = KINDS.iter().enumerate().filter(|(other, _)| *other != at);
            assert!(others.into_iter().all(|(_, other)| !one.ending.ends_with(other.ending)));
        }
    }

    /// Checks which variable files are read without being named.
    #[test]
    fn some_value_files_count_by_their_names() {
        for (name, counts) in [
            ("terraform.tfvars", true),
            ("terraform.tfvars.json", true),
            ("a.auto.tfvars", true),
            ("live/a.auto.tfvars.json", true),
            ("a.auto.pkrvars.hcl", true),
            ("a.auto.b.tfvars", false),
            ("prod.tfvars", false),
            ("my.terraform.tfvars", false),
            ("terraform.pkrvars.hcl", false),
            ("auto.tfvars", false),
            ("a.auto.tf", false),
        ] {
            assert_eq!(FileKind::is_automatic(name), counts, "{name}");
        }
    }

    /// Checks the purpose and syntax that file names imply.
    #[test]
    fn names_have_kinds() {
        let purpose = |name: &str| FileKind::of(name).map(|kind| (kind.purpose, kind.is_json()));
        assert_eq!(purpose("main.tf"), Some((FilePurpose::Code, false)));
        assert_eq!(purpose("a/x.tofu.json"), Some((FilePurpose::Code, true)));
        assert_eq!(purpose("x.auto.tfvars.json"), Some((FilePurpose::Values, true)));
        assert_eq!(purpose("x.tftest.json"), Some((FilePurpose::Test, true)));
        assert_eq!(purpose("x.tf.bak"), None);
        assert_eq!(purpose("main.TF"), None);
        assert!(FileKind::is_template("x.pkr.hcl") && !FileKind::is_module("x.pkr.hcl"));
    }
}
