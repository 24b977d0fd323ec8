//! Variables passed to `groma render`: flags and variable files. A flag's value is text, unless it begins like a list, an object
//! or a quoted string.

use groma_config::{MemoryCharge, read_text};
use groma_eval::{Context, LocatedCode, NamedValues};
use groma_functions::FunctionLibrary;
use groma_inputs::{EnteredValue, InputAssignment, InputConventions, entries};
use groma_runtime::{Budget, Edition, Host};
use groma_syntax::{Diagnostics, Expr, FileId, Place, Source, Sources, Span, parse_expression};
use groma_value::{Type, Value};

/// Returns the names and values of the assignments; the last one of a name wins.
pub fn given_names(
    assignments: &[InputAssignment],
    edition: Edition,
    host: &dyn Host,
    budget: &Budget,
    sources: &mut Sources,
    out: &mut Diagnostics,
) -> NamedValues {
    let mut names = NamedValues::new();
    for assignment in assignments {
        match assignment {
            InputAssignment::Variable { name, text } => {
                let value = match text.trim_start().starts_with(['[', '{', '"']) {
                    true => {
                        let file = format!("<value for {name}>");
                        let file = sources.add(Source::new(file, text.as_str()));
                        // An argument may be a secret, so its text is withheld.
                        let span = Span::new(0, text.len() as u32);
                        sources.withhold(Place::new(file, span));
                        expression(file, edition, sources, out)
                    }
                    false => Value::text(text.as_str()),
                };
                names.insert(name.as_str(), value);
            }
            InputAssignment::Value { name, value } => names.insert(name.as_str(), value.clone()),
            InputAssignment::File(path) => {
                let Some((file, text)) = read_text(host, sources, path, out) else { continue };
                let room = MemoryCharge { budget, shown: path };
                let is_json = path.ends_with(".json");
                let home = InputConventions::MODULE.block_home;
                let (library, context) =
                    (FunctionLibrary::of(edition).closed(), Context::bare(edition));
                let constants = (&library, &context);
                let all = entries((file, &text), is_json, home, room, constants, out);
                for entry in all.unwrap_or_default() {
                    let value = match &entry.value {
                        EnteredValue::Expression(expr) => constant(expr, edition, out),
                        EnteredValue::Value(value) => value.clone(),
                        EnteredValue::Nothing => Value::unknown(Type::Dynamic),
                    };
                    names.insert(entry.name.as_str(), value);
                }
            }
        }
    }
    names
}

/// Parses and evaluates the constant expression of a flag; a dynamic unknown after a syntax error.
fn expression(file: FileId, edition: Edition, sources: &Sources, out: &mut Diagnostics) -> Value {
    let text = sources.get(file).text().clone();
    let parse = parse_expression(&text, file);
    let before = out.error_count();
    out.extend(parse.diagnostics.iter().cloned());
    match out.error_count() > before {
        true => Value::unknown(Type::Dynamic),
        false => constant(&Expr::of(&parse), edition, out),
    }
}

/// Evaluates a constant expression, in which neither names nor functions are allowed.
fn constant(expr: &Expr, edition: Edition, out: &mut Diagnostics) -> Value {
    let located = LocatedCode::of(expr, &FunctionLibrary::of(edition).closed());
    groma_eval::evaluate(&located, &Context::bare(edition), out)
}
