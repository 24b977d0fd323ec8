//! Settings of a module: required versions, required providers, backends. Only the versions affect an evaluation.

use std::sync::Arc;

use groma_config::{RawArgument, RawBlock, ReleaseVersion, VersionConstraints, literal_text};
use groma_syntax::{Diagnostic, Diagnostics, Phase, Place, Severity};
use groma_value::{Type, Value, convert};

use crate::codes;
use crate::declare::{DeclarationReader, Expression, RequiredProvider};

/// The `terraform` and `language` blocks of a module, with their version requirements and required providers.
#[derive(Debug, Default)]
pub struct ModuleSettings {
    /// Every settings block, as written.
    pub blocks: Vec<Arc<RawBlock>>,
    /// Version requirements that the edition does not meet.
    pub unmet: Vec<UnmetVersion>,
    /// The required providers.
    pub providers: Vec<RequiredProvider>,
}

/// A version requirement that the edition does not meet: its place and its constraint as written.
#[derive(Debug)]
pub struct UnmetVersion {
    pub place: Place,
    pub constraint: String,
}

impl ModuleSettings {
    /// Adds a settings block, and records or reports what is wrong with its version requirements.
    pub fn read(
        &mut self,
        raw: Arc<RawBlock>,
        gatherer: &DeclarationReader<'_>,
        out: &mut Diagnostics,
    ) {
        let counts = raw.in_own_file || !gatherer.conventions.version_in_own_files_only;
        if counts && let Some(argument) = raw.argument("required_version") {
            self.check(argument, gatherer, out);
        }
        for block in raw.blocks_of("compatible_with") {
            let program = gatherer.conventions.program.to_lowercase();
            if let Some(argument) = block.argument(&program) {
                self.check(argument, gatherer, out);
            }
        }
        self.blocks.push(raw);
    }

    /// Records a version requirement that the edition does not meet; reports an invalid one.
    fn check(
        &mut self,
        argument: &RawArgument,
        gatherer: &DeclarationReader<'_>,
        out: &mut Diagnostics,
    ) {
        let constant = Expression::new(&argument.expr, &gatherer.library).constant();
        if constant.as_ref().is_some_and(Value::is_null) {
            return;
        }
        let plain = constant.and_then(|value| match convert(&value, &Type::String) {
            Ok(Value::String(text)) => Some(text.to_string()),
            _ => None,
        });
        let Some(text) = literal_text(&argument.expr).or(plain) else {
            let detail = "A version requirement has to be a literal string, such as \">= 1.5\".";
            out.push(
                Diagnostic::error(&codes::VERSION_CONSTRAINT, detail).at(argument.expr.place()),
            );
            return;
        };
        let constraints = match VersionConstraints::parse(&text) {
            Ok(constraints) => constraints,
            Err(part) => {
                let detail = format!(
                    "\"{part}\" is not a version constraint. Write an operator and a version, such as \">= 1.5\" or \"~> 1.5.0\"."
                );
                out.push(
                    Diagnostic::error(&codes::VERSION_CONSTRAINT, detail).at(argument.expr.place()),
                );
                return;
            }
        };
        let version = gatherer.library.edition.version;
        let running =
            ReleaseVersion::new(version.major.into(), version.minor.into(), version.patch.into());
        if !constraints.allow(&running) {
            self.unmet.push(UnmetVersion { place: argument.place, constraint: text });
        }
    }

    /// Reports each unmet version requirement with this severity.
    pub fn report(
        &self,
        edition: groma_runtime::Edition,
        severity: Severity,
        out: &mut Diagnostics,
    ) {
        for unmet in &self.unmet {
            let detail = format!(
                "The module requires version {}, but is read as {edition}. If the results look wrong, select another version with --dialect.",
                unmet.constraint
            );
            let diagnostic = match severity {
                Severity::Error => Diagnostic::error(&codes::REQUIRED_VERSION, detail),
                _ => Diagnostic::warning(&codes::REQUIRED_VERSION, detail),
            };
            out.push(diagnostic.at(unmet.place).in_phase(Phase::Require));
        }
    }
}
