//! Functions of the provider that every program contains, `terraform.io/builtin/terraform`. A module that declares the provider
//! calls them by its local name; the evaluator checks both.

use groma_runtime::Availability;
use groma_value::{Str, Value, quoted_template};

use crate::{CallArgs, Failure};
use crate::{
    Function, FunctionBody, ParameterRow, ResultPromise, ReturnType, RowType, SpecialForm,
};

/// The common values of the rows of the built-in provider's functions.
const ROW: Function = Function {
    dialects: Availability::NOT_PACKER.opentofu_since(7).terraform_since(8),
    ..Function::ROW
};

/// The rows of the built-in provider's functions, such as `encode_tfvars`, sorted by name.
pub const FUNCTIONS: &[Function] = &[
    Function {
        name: "provider::terraform::decode_tfvars",
        params: &[ParameterRow::new("src", RowType::String)],
        promise: ResultPromise::Nothing,
        doc: "Returns the variables that the text of a `.tfvars` file sets, as an object.",
        body: FunctionBody::Form(SpecialForm::DecodeTfvars),
        ..ROW
    },
    Function {
        name: "provider::terraform::encode_expr",
        params: &[ParameterRow::new("value", RowType::Any)],
        returns: ReturnType::Shape(RowType::String),
        doc: "Returns the text of an expression whose value is the given one.",
        body: FunctionBody::Form(SpecialForm::EncodeExpression),
        ..ROW
    },
    Function {
        name: "provider::terraform::encode_tfvars",
        params: &[ParameterRow::new("value", RowType::Any)],
        returns: ReturnType::Shape(RowType::String),
        doc: "Returns the text of a `.tfvars` file that sets a variable for each attribute.",
        body: FunctionBody::Form(SpecialForm::EncodeTfvars),
        ..ROW
    },
];

/// The row used for a provider's function that is not available: it accepts any arguments.
pub static ABSENT: Function = Function {
    name: "provider",
    rest: Some(ParameterRow::new("arguments", RowType::Any).nullable().lazy().dynamic().marked()),
    promise: ResultPromise::Nothing,
    reads: crate::FunctionReads::Network,
    doc: "A provider's function.",
    ..ROW
};

/// A function that returns true if a name needs no quotes as an object key in code.
type IsName = fn(&str) -> bool;

/// Returns the code of an expression that evaluates to a value, laid out as the reference programs do; object keys for which
/// `is_name` is false are quoted.
pub fn encode_expression(value: &Value, is_name: IsName) -> String {
    let mut out = CodeLayout::default();
    out.value(value, is_name);
    out.finish()
}

/// Returns the text of a variables file with these names and values; the error is the first name for which `is_name` is false,
/// and object keys in the values for which it is false are quoted.
pub fn encode_variables<'v>(
    variables: impl Iterator<Item = (&'v Str, &'v Value)>,
    is_name: IsName,
) -> Result<String, &'v str> {
    let mut out = CodeLayout::default();
    for (name, value) in variables {
        if !is_name(name) {
            return Err(name);
        }
        out.pair(name, value, is_name);
    }
    Ok(out.finish())
}

/// A writer of expressions as code, which indents lines by their open brackets and aligns equals signs.
#[derive(Default)]
struct CodeLayout {
    done: String,
    line: CodeLine,
    /// The pending lines, whose equals signs will be aligned together.
    aligned: Vec<CodeLine>,
    /// For each line that indents the following ones, the number of brackets that it leaves open.
    open: Vec<usize>,
}

/// A line of code: its text, indentation, and the numbers of brackets that it opens and closes.
#[derive(Default)]
struct CodeLine {
    text: String,
    /// The number of bytes before the equals sign.
    name: usize,
    indent: usize,
    opened: usize,
    closed: usize,
}

impl CodeLayout {
    /// Appends a value to the current line as an expression, in which the object keys for which `is_name` is false are quoted.
    fn value(&mut self, value: &Value, is_name: IsName) {
        match value.bare() {
            Value::Null(_) | Value::Unknown(_) | Value::Marked(_) => self.text("null"),
            Value::Bool(true) => self.text("true"),
            Value::Bool(false) => self.text("false"),
            Value::Decimal(decimal) => self.text(&decimal.number().to_text()),
            Value::Real(real) => self.text(&real.number().to_text()),
            Value::String(text) => self.text(&quoted_template(text)),
            Value::List(list) => self.items(list.items(), is_name),
            Value::Set(set) => self.items(set.items(), is_name),
            Value::Tuple(tuple) => self.items(tuple.items(), is_name),
            Value::Map(map) => {
                self.pairs(map.entries().iter().map(|(key, value)| (key, value)), is_name);
            }
            Value::Object(object) => self.pairs(object.iter(), is_name),
        }
    }

    /// Appends a text to the current line of code.
    fn text(&mut self, text: &str) {
        self.line.text.push_str(text);
    }

    /// Appends an opening bracket to the current line and to the line's count of these, by which later lines are indented.
    fn open(&mut self, bracket: char) {
        self.line.text.push(bracket);
        self.line.opened += 1;
    }

    /// Appends a closing bracket to the current line and to the line's count of these, by which later lines are indented.
    fn close(&mut self, bracket: char) {
        self.line.text.push(bracket);
        self.line.closed += 1;
    }

    /// Appends the items of a list, set or tuple in brackets to the current line; object keys in them for which `is_name` is
    /// false are quoted.
    fn items(&mut self, items: &[Value], is_name: IsName) {
        self.open('[');
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.text(", ");
            }
            self.value(item, is_name);
        }
        self.close(']');
    }

    /// Appends a map or object in braces, each entry on a line of its own; object keys for which `is_name` is false are quoted.
    fn pairs<'v>(
        &mut self,
        pairs: impl ExactSizeIterator<Item = (&'v Str, &'v Value)>,
        is_name: IsName,
    ) {
        self.open('{');
        if pairs.len() > 0 {
            self.end_line();
            for (key, value) in pairs {
                match is_name(key) {
                    true => self.pair(key, value, is_name),
                    false => self.pair(&quoted_template(key), value, is_name),
                }
            }
        }
        self.close('}');
    }

    /// Appends an entry of a map or object as a line `name = value`; object keys in the value for which `is_name` is false are
    /// quoted.
    fn pair(&mut self, name: &str, value: &Value, is_name: IsName) {
        self.text(name);
        self.line.name = name.len();
        self.text(" = ");
        self.value(value, is_name);
        self.end_line();
    }

    /// Ends the current line: sets its indentation, and keeps it until the lines around it are aligned, or writes it.
    fn end_line(&mut self) {
        let mut line = std::mem::take(&mut self.line);
        line.indent = self.open.len();
        if line.opened > line.closed {
            self.open.push(line.opened - line.closed);
        } else {
            let mut closed = line.closed - line.opened;
            while closed > 0
                && let Some(last) = self.open.last_mut()
            {
                let now = closed.min(*last);
                *last -= now;
                closed -= now;
                if *last == 0 {
                    self.open.pop();
                }
            }
            line.indent = self.open.len();
        }
        // A value of several lines is not aligned, and separates the lines before and after it.
        if line.name > 0 && line.opened == line.closed {
            self.aligned.push(line);
            return;
        }
        self.align();
        self.write(&line, line.name);
    }

    /// Writes the lines `name = value` that were kept for alignment, with their equals signs in one column.
    fn align(&mut self) {
        let lines = std::mem::take(&mut self.aligned);
        let width =
            |line: &CodeLine| groma_value::grapheme::count(&line.text[..line.name], UNICODE);
        let widest = lines.iter().map(width).max().unwrap_or(0);
        for line in &lines {
            self.write(line, line.name + widest - width(line));
        }
    }

    /// Writes a line with the name before its equals sign padded to `name` bytes.
    fn write(&mut self, line: &CodeLine, name: usize) {
        self.done.extend(std::iter::repeat_n("  ", line.indent));
        self.done.push_str(&line.text[..line.name]);
        self.done.extend(std::iter::repeat_n(' ', name.saturating_sub(line.name)));
        self.done.push_str(&line.text[line.name..]);
        self.done.push('\n');
    }

    /// Ends the last line and returns all code written.
    fn finish(mut self) -> String {
        let open = !self.line.text.is_empty();
        if open {
            self.end_line();
        }
        self.align();
        if open {
            self.done.pop();
        }
        self.done
    }
}

/// The Unicode version by which the widths of names are measured to align equals signs.
const UNICODE: groma_value::grapheme::UnicodeVersion = groma_value::grapheme::UnicodeVersion::V15;

/// Returns the certain beginning of a partly unknown value's expression, such as `{` for an object.
pub fn certain_prefix(value: &Value) -> &'static str {
    match value.bare() {
        Value::List(_) | Value::Set(_) | Value::Tuple(_) => "[",
        Value::Map(_) | Value::Object(_) => "{",
        _ => "",
    }
}

/// Fails if the text of the first argument would exceed the maximum size of a value.
pub fn check_size(args: &CallArgs<'_>) -> Result<(), Failure> {
    args.check_weight(args.value(0))
}

/// Creates the failure of `encode_tfvars` for an argument that is neither an object nor a map.
pub fn not_variables(args: &CallArgs<'_>) -> Failure {
    let ty = groma_value::print::with_article(&args.value(0).ty());
    args.fail(0, format!("The variables are the attributes of an object, not {ty}."))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the code of a value.
    fn text(value: &Value) -> String {
        encode_expression(value, |name| name.bytes().all(|b| b.is_ascii_alphabetic()))
    }

    /// Tests the escapes in strings.
    #[test]
    fn text_is_escaped() {
        let odd = Value::text("a\n\t\"\\${b}$$ %{c\u{200b}\u{7f}é");
        assert_eq!(text(&odd), r#""a\n\t\"\\$${b}$$ %%{c\u200b\u007fé""#);
    }

    /// Tests the indentation and alignment of nested values.
    #[test]
    fn lines_are_laid_out_by_their_brackets() {
        let one = |name: &str| Value::object([(name.into(), Value::TRUE)]);
        let both = Value::tuple(vec![one("a"), Value::tuple(vec![one("b"), Value::tuple(vec![])])]);
        assert_eq!(text(&both), "[{\n  a = true\n  }, [{\n    b = true\n}, []]]");
    }
}
