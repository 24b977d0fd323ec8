//! Evaluation of the expression of a query, in the scope of the template.

use groma_eval::{LocatedCode, evaluate};
use groma_syntax::{Diagnostics, Expr, FileId, Source, parse_expression};
use groma_value::{Type, Value};

use super::{SourceScope, TemplateEvaluation};

impl TemplateEvaluation {
    /// Evaluates an expression, given as text, in the scope of the template; `name` is the file name in its diagnostics.
    pub fn evaluate_text(&self, text: &str, name: &str, out: &mut Diagnostics) -> Value {
        let before = out.len();
        let file = self.world.sources().add(Source::new(name, text));
        let value = self.evaluate_file(file, out);
        // The text of a question is dropped if no diagnostic or cause refers to it: millions may be asked.
        if out.len() == before && value.is_wholly_known() {
            self.world.sources().forget_last(file);
        }
        value
    }

    /// Evaluates the expression in a source text that is already among this evaluation's [`sources`](Self::sources).
    fn evaluate_file(&self, file: FileId, out: &mut Diagnostics) -> Value {
        let world = &self.world;
        let text = world.sources().get(file).text().clone();
        let parse = parse_expression(&text, file);
        let broken = !parse.diagnostics.is_empty();
        out.extend(parse.diagnostics.iter().cloned());
        if broken && out.has_errors() {
            return Value::unknown(Type::Dynamic);
        }
        let located = LocatedCode::of(&Expr::of(&parse), &world.library.with_console());
        evaluate(&located, &world.context(world.scope(SourceScope::default(), true)), out)
    }

    /// Returns the names that complete an expression in a console, sorted.
    pub fn completions(&self) -> Vec<String> {
        let template = &self.world.template;
        let mut names: Vec<String> =
            ["path.cwd", "path.root", "packer.version", "source.name", "source.type"]
                .map(str::to_owned)
                .to_vec();
        names.extend(template.variables.iter().map(|variable| format!("var.{}", &*variable.name)));
        names.extend(template.locals.iter().map(|local| format!("local.{}", &*local.name)));
        names.extend(template.data.iter().map(|data| data.address()));
        names.sort();
        names
    }
}
