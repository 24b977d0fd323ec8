//! The backends of a root module: whether there is such a kind, and whether it takes what it is told. What a check finds
//! an init would refuse, so it is a warning there and an error for whoever is to carry something out.

use groma_folder::{ArgumentRow, BlockRow, RawArgument, RawBlock, did_you_mean};
use groma_runtime::Edition;
use groma_syntax::{Diagnostic, Diagnostics, Expr, Phase, Severity};
use groma_value::{Value, convert, print};

use crate::backend::{are_arguments_known, backend, kinds};
use crate::codes;
use crate::declare::{Expression, Gatherer, Settings};

/// Checks the backends of a root module against what is known of them, for whoever carries something out.
pub fn check(
    settings: &Settings,
    gatherer: &Gatherer<'_>,
    edition: Edition,
    out: &mut Diagnostics,
) {
    let judge = Judge { gatherer, edition, severity: Severity::Error, kinds: Severity::Error };
    judge.all(settings, out);
}

/// The same for whoever only looks at the code. `refuses` says whether the edition refuses an unknown kind even then.
pub fn look(
    settings: &Settings,
    gatherer: &Gatherer<'_>,
    edition: Edition,
    refuses: bool,
    out: &mut Diagnostics,
) {
    let kinds = if refuses { Severity::Error } else { Severity::Warning };
    let judge = Judge { gatherer, edition, severity: Severity::Warning, kinds };
    let mut found = Diagnostics::new();
    judge.all(settings, &mut found);
    out.extend(found.into_iter().map(|one| match one.severity {
        Severity::Warning => one.in_phase(Phase::Init),
        _ => one,
    }));
}

struct Judge<'g> {
    gatherer: &'g Gatherer<'g>,
    edition: Edition,
    /// How bad it is that a backend does not take something.
    severity: Severity,
    /// How bad it is that there is no such kind.
    kinds: Severity,
}

impl Judge<'_> {
    fn all(&self, settings: &Settings, out: &mut Diagnostics) {
        for raw in settings.blocks.iter().flat_map(|block| block.blocks_of("backend")) {
            let kind = raw.label(0);
            let Some(row) = backend(kind, self.edition) else {
                self.unknown(raw, out);
                continue;
            };
            if self.severity == Severity::Error && !self.gatherer.conventions.computed_sources {
                for argument in &raw.arguments {
                    let expression = Expression::new(&argument.expr, &self.gatherer.library);
                    crate::declare::expression::check_constant(
                        &expression,
                        "A backend's setting",
                        out,
                    );
                }
            }
            // Nobody knows what an edition takes that was not asked; the local one has always taken the same.
            if are_arguments_known(self.edition) || kind == "local" {
                self.body(raw, row, out);
            }
        }
    }

    fn unknown(&self, raw: &RawBlock, out: &mut Diagnostics) {
        if self.kinds != Severity::Error && !are_arguments_known(self.edition) {
            return;
        }
        let kind = raw.label(0);
        let names: Vec<&str> = kinds(self.edition).collect();
        let hint = did_you_mean(kind, names.iter().copied());
        let detail =
            format!("There is no backend \"{kind}\"; there are {}.{hint}", names.join(", "));
        let found = Diagnostic::error(&codes::UNKNOWN_BACKEND, detail).at(raw.header);
        out.push(Diagnostic { severity: self.kinds, ..found });
    }

    fn body(&self, raw: &RawBlock, row: &BlockRow, out: &mut Diagnostics) {
        let whose = format!("The backend \"{}\"", row.kind);
        for told in &raw.arguments {
            let name = &*told.name;
            let is_block = row.blocks.iter().any(|block| block.kind == name);
            match row.argument(name, self.edition) {
                Some(known) => self.value(&whose, known, told, out),
                // In JSON a block is a property like others.
                None if is_block && matches!(told.expr, Expr::Json(_)) => {}
                None if is_block => {
                    let detail = format!(
                        "{whose} has \"{name}\" as a block: write {name} {{ … }}, without an equals sign."
                    );
                    self.tell(told, detail, out);
                }
                None => self.stray(&whose, row.arguments, told, out),
            }
        }
        for block in &raw.blocks {
            match row.blocks.iter().find(|known| known.kind == &*block.kind) {
                Some(known) => {
                    let whose =
                        format!("The block \"{}\" of the backend \"{}\"", known.kind, row.kind);
                    for told in &block.arguments {
                        match known.argument(&told.name, self.edition) {
                            Some(known) => self.value(&whose, known, told, out),
                            None => self.stray(&whose, known.arguments, told, out),
                        }
                    }
                }
                None => {
                    let is_argument = row.argument(&block.kind, self.edition).is_some();
                    let hint = match is_argument {
                        true => format!(" \"{}\" is an argument: write {0} = ….", &*block.kind),
                        false => {
                            did_you_mean(&block.kind, row.blocks.iter().map(|known| known.kind))
                        }
                    };
                    let detail =
                        format!("{whose} has no blocks of type \"{}\".{hint}", &*block.kind);
                    let found =
                        Diagnostic::error(&codes::BACKEND_ARGUMENT, detail).at(block.header);
                    out.push(Diagnostic { severity: self.severity, ..found });
                }
            }
        }
    }

    /// Reports an argument that there is none of in this edition.
    fn stray(&self, whose: &str, rows: &[ArgumentRow], told: &RawArgument, out: &mut Diagnostics) {
        let name = &*told.name;
        let other = rows.iter().find(|row| row.name == name);
        let detail = match other {
            Some(row) => format!(
                "{whose} has no argument \"{name}\" in {}: it is one of {}.",
                self.edition,
                row.editions.homes()
            ),
            None => {
                let known = rows.iter().filter(|row| row.editions.includes(self.edition));
                let hint = did_you_mean(name, known.map(|row| row.name));
                format!("{whose} has no argument \"{name}\".{hint}")
            }
        };
        self.tell(told, detail, out);
    }

    /// Reports a value that is known and that an argument does not take.
    fn value(&self, whose: &str, row: &ArgumentRow, told: &RawArgument, out: &mut Diagnostics) {
        let expression = Expression::new(&told.expr, &self.gatherer.library);
        let Some(value) = expression.constant() else { return };
        if matches!(value.bare(), Value::Null(_)) || convert(&value, &row.takes.ty()).is_ok() {
            return;
        }
        let detail = format!(
            "{whose} takes {} for \"{}\", and this is of the type {}.",
            row.takes.name(),
            row.name,
            print::type_name(&value.ty())
        );
        let found = Diagnostic::error(&codes::BACKEND_ARGUMENT, detail).at(expression.place());
        out.push(Diagnostic { severity: self.severity, ..found });
    }

    fn tell(&self, told: &RawArgument, detail: String, out: &mut Diagnostics) {
        let found = Diagnostic::error(&codes::BACKEND_ARGUMENT, detail).at(told.name_place);
        out.push(Diagnostic { severity: self.severity, ..found });
    }
}
