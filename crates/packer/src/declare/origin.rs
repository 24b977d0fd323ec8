//! Declarations of locals, data sources and sources.

use groma_config::{DeclarationName, RawArgument, RawBlock, ReadSetting};
use groma_functions::FunctionLibrary;
use groma_syntax::{Diagnostics, Place};
use groma_value::Str;

use super::literal::DeclaredLiterals;
use crate::content::{BlockContent, TemplateExpression};

/// The declaration of a local value: its name, expression and sensitivity.
#[derive(Debug)]
pub struct Local {
    /// Its name.
    pub name: Str,
    /// The source range of the whole argument, or of the header of its block.
    pub place: Place,
    /// True if it is sensitive.
    pub sensitive: bool,
    /// Its value.
    pub(crate) value: TemplateExpression,
}

impl Local {
    /// Returns the local value declared in the short form, by an argument of a `locals` block.
    pub(super) fn short(argument: &RawArgument, library: &FunctionLibrary) -> Local {
        Local {
            name: argument.name.clone(),
            place: argument.place,
            sensitive: false,
            value: TemplateExpression::new(&argument.expr, library),
        }
    }

    /// Reads the declaration in a `local` block, whose constants `literals` evaluates; `None` without an expression, which has
    /// been reported before.
    pub(super) fn read(
        raw: &RawBlock,
        literals: &DeclaredLiterals,
        library: &FunctionLibrary,
        out: &mut Diagnostics,
    ) -> Option<Local> {
        let sensitive = literals.flag(raw, "sensitive", out).unwrap_or(false);
        let argument = raw.argument("expression")?;
        Some(Local {
            name: Str::from(raw.label(0)),
            place: raw.header,
            sensitive,
            value: TemplateExpression::new(&argument.expr, library),
        })
    }
}

/// The declaration of a `data` block: type, name, and the expressions and nested blocks of its body.
#[derive(Debug)]
pub struct DataBlock {
    /// Its type.
    pub kind: Str,
    /// Its name.
    pub name: Str,
    /// The source range of its header.
    pub place: Place,
    pub(crate) content: BlockContent,
}

impl DataBlock {
    /// Converts a raw `data` block to a declaration: its labels become type and name, and its expressions are lowered.
    pub(super) fn read(raw: &RawBlock, library: &FunctionLibrary) -> DataBlock {
        DataBlock {
            kind: Str::from(raw.label(0)),
            name: Str::from(raw.label(1)),
            place: raw.header,
            content: super::content(raw, library),
        }
    }

    /// Returns the data block's address in references, such as `data.amazon-ami.base`.
    pub fn address(&self) -> String {
        format!("data.{}.{}", &*self.kind, &*self.name)
    }
}

/// A `source` block outside of builds: its type, name and content.
#[derive(Debug)]
pub struct SourceBlock {
    /// The type of its builder.
    pub kind: Str,
    /// Its name.
    pub name: Str,
    /// The source range of its header.
    pub place: Place,
    pub(crate) content: BlockContent,
}

impl SourceBlock {
    /// Converts a raw `source` block to a declaration: its labels become type and name, and its expressions are lowered.
    pub(super) fn read(raw: &RawBlock, library: &FunctionLibrary) -> SourceBlock {
        SourceBlock {
            kind: Str::from(raw.label(0)),
            name: Str::from(raw.label(1)),
            place: raw.header,
            content: super::content(raw, library),
        }
    }

    /// Returns the source's name as a declaration of the template: type and name.
    pub(crate) fn own_name(&self) -> DeclarationName {
        DeclarationName::Source(self.kind.clone(), self.name.clone())
    }

    /// Returns the source's address in builds, such as `source.null.example`.
    pub fn address(&self) -> String {
        format!("source.{}.{}", &*self.kind, &*self.name)
    }
}
