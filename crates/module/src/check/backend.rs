//! Validation of the backends of a root module: the kind and the arguments. `init` would refuse a faulty backend, so a fault is a
//! warning for a check and an error for a command that applies something. A backend from which a state is only read is checked
//! by the same rows, and must have their required arguments.

use groma_config::{ArgumentRow, ArgumentType, BlockRow, RawArgument, RawBlock, did_you_mean};
use groma_eval::news;
use groma_runtime::Edition;
use groma_syntax::{Diagnostic, Diagnostics, Expr, Phase, Severity};
use groma_value::{Str, Type, Value, convert, print};

use crate::backend::{are_arguments_known, backend, kinds};
use crate::codes;
use crate::declare::{DeclarationReader, Expression, ModuleSettings};

/// Reports unknown backends of a root module and invalid arguments of known ones as errors, for commands that apply something.
pub fn check(
    settings: &ModuleSettings,
    gatherer: &DeclarationReader<'_>,
    edition: Edition,
    out: &mut Diagnostics,
) {
    let check =
        BackendCheck { gatherer, edition, severity: Severity::Error, kinds: Severity::Error };
    check.all(settings, out);
}

/// Reports unknown backends of a root module and invalid arguments of known ones as warnings, for commands that only inspect
/// code; if `refuses`, an unknown backend is an error all the same.
pub fn warn(
    settings: &ModuleSettings,
    gatherer: &DeclarationReader<'_>,
    edition: Edition,
    refuses: bool,
    out: &mut Diagnostics,
) {
    let kinds = if refuses { Severity::Error } else { Severity::Warning };
    let check = BackendCheck { gatherer, edition, severity: Severity::Warning, kinds };
    let mut found = Diagnostics::new();
    check.all(settings, &mut found);
    out.extend(found.into_iter().map(|one| match one.severity {
        Severity::Warning => one.in_phase(Phase::Init),
        _ => one,
    }));
}

/// The settings for checking a module's backends: the edition, and the severities of what is found.
struct BackendCheck<'g> {
    gatherer: &'g DeclarationReader<'g>,
    edition: Edition,
    /// The severity of an unsupported argument.
    severity: Severity,
    /// The severity of an unknown backend kind.
    kinds: Severity,
}

impl BackendCheck<'_> {
    /// Reports every unknown backend of the module, and the invalid arguments and blocks of each known one.
    fn all(&self, settings: &ModuleSettings, out: &mut Diagnostics) {
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
            // Arguments are unknown for an edition that was not recorded; those of the local backend never changed.
            if are_arguments_known(self.edition) || kind == "local" {
                self.body(raw, row, out);
            }
        }
    }

    /// Reports a backend of unknown kind, with the names of the known ones.
    fn unknown(&self, raw: &RawBlock, out: &mut Diagnostics) {
        if self.kinds != Severity::Error && !are_arguments_known(self.edition) {
            return;
        }
        let kind = raw.label(0);
        let names: Vec<&str> = kinds(self.edition).collect();
        let hint = did_you_mean(kind, names.iter().copied());
        let detail =
            format!("There is no backend \"{kind}\"; the backends are {}.{hint}", names.join(", "));
        let found = news::refuse(&codes::UNKNOWN_BACKEND, detail, self.gatherer.library.edition)
            .at(raw.header);
        out.push(Diagnostic { severity: self.kinds, ..found });
    }

    /// Reports the arguments and blocks of one backend that its row does not support, and constant values of wrong types.
    fn body(&self, raw: &RawBlock, row: &BlockRow, out: &mut Diagnostics) {
        let whose = format!("The backend \"{}\"", row.kind);
        for told in &raw.arguments {
            let name = &*told.name;
            let is_block = row.blocks.iter().any(|block| block.kind == name);
            match row.argument(name, self.edition) {
                Some(known) => self.value(&whose, known, told, out),
                // In JSON a block is a property like any other.
                None if is_block && matches!(told.expr, Expr::Json(_)) => {}
                None if is_block => {
                    let detail = format!(
                        "{whose} takes \"{name}\" as a block: write {name} {{ … }}, without an equals sign."
                    );
                    self.report(told, detail, out);
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

    /// Reports a backend argument that this edition does not support: `rows` are those that its block has in any edition, and
    /// `whose` names the block in the message.
    fn stray(&self, whose: &str, rows: &[ArgumentRow], told: &RawArgument, out: &mut Diagnostics) {
        self.report(told, stray(whose, rows, &told.name, self.edition), out);
    }

    /// Reports a backend argument with a constant value whose type its row does not accept; `whose` names its block in the
    /// message.
    fn value(&self, whose: &str, row: &ArgumentRow, told: &RawArgument, out: &mut Diagnostics) {
        let expression = Expression::new(&told.expr, &self.gatherer.library);
        let Some(value) = expression.constant() else { return };
        let Some(detail) = misfit(whose, row, &value) else { return };
        let found = Diagnostic::error(&codes::BACKEND_ARGUMENT, detail).at(expression.place());
        out.push(Diagnostic { severity: self.severity, ..found });
    }

    /// Reports a diagnostic with this message at the name of a backend argument.
    fn report(&self, told: &RawArgument, detail: String, out: &mut Diagnostics) {
        let found = Diagnostic::error(&codes::BACKEND_ARGUMENT, detail).at(told.name_place);
        out.push(Diagnostic { severity: self.severity, ..found });
    }
}

/// Returns the message for a backend argument that this edition does not support: `rows` are those that its block, named by
/// `whose`, has in any edition.
fn stray(whose: &str, rows: &[ArgumentRow], name: &str, edition: Edition) -> String {
    match rows.iter().find(|row| row.name == name) {
        Some(row) => format!(
            "{whose} has no argument \"{name}\" in {edition}; it exists in {}.",
            row.editions.editions_text()
        ),
        None => {
            let known = rows.iter().filter(|row| row.editions.includes(edition));
            let hint = did_you_mean(name, known.map(|row| row.name));
            format!("{whose} has no argument \"{name}\".{hint}")
        }
    }
}

/// Returns the message for a value of the wrong type for an argument of the block that `whose` names; `None` if the type
/// fits.
fn misfit(whose: &str, row: &ArgumentRow, value: &Value) -> Option<String> {
    let is_object = || matches!(value.ty(), Type::Object(_) | Type::Map(_));
    let fits = match row.takes {
        _ if matches!(value.bare(), Value::Null(_)) => true,
        ArgumentType::Object => is_object(),
        takes => convert(value, &takes.ty()).is_ok(),
    };
    let takes = row.takes.name();
    let ty = print::type_name(&value.ty());
    (!fits)
        .then(|| format!("{whose} takes {takes} for \"{}\", but this has the type {ty}.", row.name))
}

/// Returns the reason why a state cannot be read from a backend with this configuration, a wholly known object, map or null;
/// `None` if it can, or if the backend's arguments are unknown in this edition.
pub fn refusal(row: &BlockRow, config: &Value, edition: Edition) -> Option<String> {
    if !are_arguments_known(edition) && row.kind != "local" {
        return None;
    }
    body_refusal(&format!("The backend \"{}\"", row.kind), row, config, edition)
}

/// Returns the reason why a backend, or a block of one, does not accept the configuration `body`; `None` if it does; `whose`
/// names the backend or block in it.
fn body_refusal(whose: &str, row: &BlockRow, body: &Value, edition: Edition) -> Option<String> {
    let given: Vec<(&Str, &Value)> = match body.bare() {
        Value::Object(object) => object.iter().collect(),
        Value::Map(map) => map.entries().iter().map(|(name, value)| (name, value)).collect(),
        Value::Null(_) => Vec::new(),
        other => {
            let ty = print::type_name(&other.ty());
            return Some(format!("{whose} takes an object, but this has the type {ty}."));
        }
    };
    let is_given = |name: &str| given.iter().any(|(known, _)| &***known == name);
    let known = row.arguments.iter().filter(|row| row.editions.includes(edition));
    if let Some(missing) = known.clone().find(|row| row.is_required && !is_given(row.name)) {
        let name = missing.name;
        return Some(format!("{whose} needs the argument \"{name}\", and it is not set."));
    }
    given.iter().find_map(|(name, value)| {
        if let Some(known) = row.argument(name, edition) {
            return misfit(whose, known, value);
        }
        match row.blocks.iter().find(|block| block.kind == &***name) {
            Some(block) => block_refusal(whose, block, value, edition),
            None => Some(stray(whose, row.arguments, name, edition)),
        }
    })
}

/// Returns the reason why a value is not accepted for a nested block of the backend or block that `whose` names; `None` if it
/// is. The value is an object, or a list of objects if the block may be repeated.
fn block_refusal(whose: &str, row: &BlockRow, value: &Value, edition: Edition) -> Option<String> {
    let inner =
        format!("The block \"{}\" of {}{}", row.kind, whose[..1].to_lowercase(), &whose[1..]);
    let bodies: Vec<&Value> = match value.bare() {
        Value::List(list) if !row.is_single => list.items().iter().collect(),
        Value::Tuple(tuple) if !row.is_single => tuple.items().iter().collect(),
        Value::Set(set) if !row.is_single => set.items().iter().collect(),
        _ => vec![value],
    };
    bodies.into_iter().find_map(|body| body_refusal(&inner, row, body, edition))
}
