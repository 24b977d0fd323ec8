//! Mock files: answers in place of what cannot be asked. A file is read before anything is evaluated, and an
//! answer is a constant; one that is wrong is reported and left out.

use groma_eval::{Context, Located, Mock, Mocks, evaluate};
use groma_functions::{Function, Library, Reads, TABLE, check_count};
use groma_runtime::{Dialect, Edition, Host};
use groma_syntax::{
    Block, Body, Diagnostic, Diagnostics, Expr, FileId, Item, Place, Sources, parse_file,
};
use groma_value::{Str, Value, convert};

use crate::codes;
use crate::reading::read_text;
use crate::sentence::{did_you_mean, sentence};

/// Blocks that other programs' mock files have.
const NOT_YET: [&str; 6] = [
    "mock_data",
    "mock_provider",
    "mock_resource",
    "override_data",
    "override_module",
    "override_resource",
];

/// Reads mock files; of several answers to a call the first counts.
pub fn read_mocks(
    paths: &[String],
    host: &dyn Host,
    edition: Edition,
    sources: &mut Sources,
    out: &mut Diagnostics,
) -> Mocks {
    let mut mocks = Mocks::default();
    for path in paths {
        let Some((file, text)) = read_text(host, sources, path, out) else { continue };
        let parse = parse_file(&text, file);
        out.extend(parse.diagnostics.iter().cloned());
        let mut reader = MockReader { edition, file, mocks: &mut mocks, out };
        for item in Body::of(&parse).items() {
            reader.item(&item);
        }
    }
    mocks
}

struct MockReader<'a> {
    edition: Edition,
    file: FileId,
    mocks: &'a mut Mocks,
    out: &'a mut Diagnostics,
}

impl MockReader<'_> {
    fn wrong(&mut self, detail: impl Into<String>, place: Place) {
        self.out.push(Diagnostic::error(&codes::MOCK, detail).at(place));
    }

    fn item(&mut self, item: &Item) {
        match item {
            Item::Argument(argument) => {
                let detail = format!(
                    "A mock file holds blocks only, such as mock_function \"vault\" {{ … }}; \"{}\" is set like an argument.",
                    argument.name.text.as_str()
                );
                self.wrong(detail, Place::new(self.file, argument.name.span));
            }
            Item::Block(block) => {
                let kind = block.kind.text.as_str();
                let place = Place::new(self.file, block.header);
                if kind == "mock_function" {
                    self.function(block, place);
                } else if kind == "mock_data" && self.edition.dialect == Dialect::Packer {
                    self.data(block, place);
                } else if NOT_YET.contains(&kind) {
                    let detail = format!(
                        "Blocks of type \"{kind}\" are not supported yet, so this one changes nothing. Only mock_function is."
                    );
                    self.out.push(Diagnostic::error(&codes::MOCK_NOT_SUPPORTED, detail).at(place));
                } else {
                    let near = did_you_mean(kind, ["mock_function"]);
                    let detail = format!("A mock file has no blocks of type \"{kind}\".{near}");
                    self.wrong(detail, place);
                }
            }
        }
    }

    fn function(&mut self, block: &Block, place: Place) {
        let [label] = block.labels.as_slice() else {
            let detail = "A mock_function block has one label, the name of the function.";
            return self.wrong(detail, place);
        };
        let name = label.text.as_str();
        let row = match mockable(name) {
            Ok(row) => row,
            Err(detail) => return self.wrong(detail, Place::new(self.file, label.span)),
        };
        let (mut when, mut returns) = (None, None);
        for item in block.body.items() {
            match item {
                Item::Argument(argument) => match argument.name.text.as_str() {
                    "when" => when = Some(argument.expr),
                    "returns" => returns = Some(argument.expr),
                    other => {
                        let near = did_you_mean(other, ["returns", "when"]);
                        let detail = format!(
                            "mock_function has no argument \"{other}\"; it has \"when\" and \"returns\".{near}"
                        );
                        self.wrong(detail, Place::new(self.file, argument.name.span));
                    }
                },
                Item::Block(inner) => {
                    let detail =
                        "mock_function holds no blocks: write when = [ … ] and returns = ….";
                    self.wrong(detail, Place::new(self.file, inner.header));
                }
            }
        }
        let Some(returns) = returns else {
            let detail = "This mock does not say what the function returns: add returns = ….";
            return self.wrong(detail, place);
        };
        let when = match when {
            None => None,
            Some(expr) => match self.arguments(&expr, row) {
                Some(arguments) => Some(arguments),
                None => return,
            },
        };
        let Some(value) = self.value(&returns) else { return };
        let value = match row.map(|row| convert(&value, &row.result_type())) {
            None => value,
            Some(Ok(value)) => value,
            Some(Err(why)) => {
                let detail = format!("`{name}` cannot return this: {}.", sentence(&why));
                return self.wrong(detail, returns.place());
            }
        };
        self.mocks.push(Str::from(name), Mock { when, returns: value, place });
    }

    /// What is taken for data of a type, or for one block of it.
    fn data(&mut self, block: &Block, place: Place) {
        let labels: Vec<&str> = block.labels.iter().map(|label| label.text.as_str()).collect();
        if !matches!(labels.len(), 1 | 2) {
            let detail = "A mock_data block has one or two labels: the type of the data, and the name of the block if it is about one.";
            return self.wrong(detail, place);
        }
        let mut defaults = None;
        for item in block.body.items() {
            match item {
                Item::Argument(argument) if argument.name.text.as_str() == "defaults" => {
                    defaults = Some(argument.expr);
                }
                Item::Argument(argument) => {
                    let name = argument.name.text.as_str();
                    let near = did_you_mean(name, ["defaults"]);
                    let detail =
                        format!("mock_data has no argument \"{name}\"; it has \"defaults\".{near}");
                    self.wrong(detail, Place::new(self.file, argument.name.span));
                }
                Item::Block(inner) => {
                    let detail = "mock_data holds no blocks: write defaults = { … }.";
                    self.wrong(detail, Place::new(self.file, inner.header));
                }
            }
        }
        let Some(defaults) = defaults else {
            let detail = "This mock does not say what the data is: add defaults = { … }.";
            return self.wrong(detail, place);
        };
        let Some(value) = self.value(&defaults) else { return };
        if !matches!(value.bare(), Value::Object(_)) {
            return self.wrong("Data is an object: write { … }.", defaults.place());
        }
        let name = Str::from(format!("data.{}", labels.join(".")));
        self.mocks.push(name, Mock { when: None, returns: value, place });
    }

    /// The arguments that a mock answers.
    fn arguments(&mut self, expr: &Expr, row: Option<&Function>) -> Option<Vec<Value>> {
        let value = self.value(expr)?;
        let Value::Tuple(tuple) = value.bare() else {
            let detail = "\"when\" lists the arguments that this mock answers, in square brackets.";
            self.wrong(detail, expr.place());
            return None;
        };
        let arguments = tuple.items().to_vec();
        if let Some(Err(why)) = row.map(|row| check_count(row, arguments.len())) {
            self.wrong(why.message.into_text(), expr.place());
            return None;
        }
        Some(arguments)
    }

    /// The value of a constant; functions may be used, names may not.
    fn value(&mut self, expr: &Expr) -> Option<Value> {
        let located = Located::of(expr, &Library::of(self.edition));
        let before = self.out.error_count();
        let value = evaluate(&located, &Context::bare(self.edition), self.out);
        if self.out.error_count() > before {
            return None;
        }
        if !value.is_wholly_known() {
            let detail = "A part of this is not known, so it cannot stand in a mock.";
            self.wrong(detail, expr.place());
            return None;
        }
        Some(value)
    }
}

/// The row of a function that can be mocked, where there is one; the sentence says why it cannot.
fn mockable(name: &str) -> Result<Option<&'static Function>, String> {
    if let Some(rest) = name.strip_prefix("provider::") {
        let parts = rest.split("::").filter(|part| !part.is_empty()).count();
        return match (2..=3).contains(&parts) && parts == rest.split("::").count() {
            true => Ok(None),
            false => Err(format!(
                "\"{name}\" names no function of a provider: write it as it is called, provider::NAME::FUNCTION."
            )),
        };
    }
    let rows = || TABLE.iter().flat_map(|family| family.functions);
    let Some(row) = rows().find(|row| row.name == name) else {
        let network = rows().filter(|row| row.reads == Reads::Network).map(|row| row.name);
        let near = did_you_mean(name, network);
        return Err(format!("There is no function \"{name}\" to mock.{near}"));
    };
    match row.reads {
        Reads::Network => Ok(Some(row)),
        Reads::Clock | Reads::PlanClock => {
            Err(format!("`{name}` reads the clock: pin it with --now instead of a mock."))
        }
        Reads::Random => {
            Err(format!("`{name}` draws by chance: pin it with --seed instead of a mock."))
        }
        Reads::Files | Reads::Environment | Reads::Nothing => {
            Err(format!("`{name}` is worked out here and needs no mock."))
        }
    }
}
