//! Recorded facts about numbers, checked by a small calculator over `Number`: literals, texts that are numbers, operators, and
//! the functions that are a single call here. A fact counts only if the calculator understands its whole expression.

use groma_value::{Number, NumberError};
use testkit::vectors::{Subject, Vector};
use testkit::{Json, vectors};

/// A value of the calculator: a number, a bool, a text or a tuple.
#[derive(Clone, Debug)]
enum Held {
    Number(Number),
    Bool(bool),
    Text(String),
    Tuple(Vec<Held>),
}

/// The reason why an expression has no result here.
enum Stop {
    /// The calculator does not understand the expression.
    Beyond,
    /// The operation is not defined for these numbers.
    Undefined,
}

impl From<NumberError> for Stop {
    /// Returns the reason for an arithmetic error: the operation is not defined.
    fn from(_: NumberError) -> Stop {
        Stop::Undefined
    }
}

/// The result of a part of an expression: its value, or why it has none.
type Answer = Result<Held, Stop>;

/// A recursive-descent calculator with the text that it has not read yet.
struct Calculator<'t> {
    rest: &'t str,
}

/// The binary operators by precedence, the lowest first.
const LEVELS: &[&[&str]] = &[&["==", "!="], &["<=", ">=", "<", ">"], &["+", "-"], &["*", "/", "%"]];

/// The functions that the calculator can call.
const FUNCTIONS: &[&str] = &[
    "length", "abs", "ceil", "floor", "tonumber", "tostring", "signum", "pow", "parseint", "max",
    "min",
];

impl Calculator<'_> {
    /// Evaluates the expression `text`.
    fn answer(text: &str) -> Answer {
        let mut calculator = Calculator { rest: text };
        let held = calculator.level(0)?;
        if calculator.peek().is_empty() { Ok(held) } else { Err(Stop::Beyond) }
    }

    /// Skips spaces and line breaks and returns the unread text.
    fn peek(&mut self) -> &str {
        self.rest = self.rest.trim_start_matches([' ', '\n']);
        self.rest
    }

    /// Consumes `token` if it comes next; returns true if so.
    fn take(&mut self, token: &str) -> bool {
        match self.peek().strip_prefix(token) {
            Some(_) => {
                self.rest = &self.rest[token.len()..];
                true
            }
            None => false,
        }
    }

    /// Consumes `token`; fails if something else comes next.
    fn need(&mut self, token: &str) -> Result<(), Stop> {
        if self.take(token) { Ok(()) } else { Err(Stop::Beyond) }
    }

    /// Evaluates operands joined by the operators of a precedence level or higher ones.
    fn level(&mut self, level: usize) -> Answer {
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.level(level + 1)?;
        loop {
            if self.peek().starts_with("//") || self.rest.starts_with("/*") {
                return Err(Stop::Beyond);
            }
            let Some(operator) = operators.iter().find(|operator| self.take(operator)) else {
                return Ok(left);
            };
            let right = self.level(level + 1)?;
            left = apply(operator, &left, &right)?;
        }
    }

    /// Evaluates an operand that may have minus signs before it.
    fn unary(&mut self) -> Answer {
        if self.take("-") {
            return match self.unary()? {
                Held::Number(number) => Ok(Held::Number(number.negate())),
                Held::Text(text) => Ok(Held::Number(number_of(&text)?.negate())),
                _ => Err(Stop::Beyond),
            };
        }
        self.operand()
    }

    /// Evaluates a literal, a tuple, a call or an expression in parentheses.
    fn operand(&mut self) -> Answer {
        if self.take("(") {
            let held = self.level(0)?;
            self.need(")")?;
            return Ok(held);
        }
        if self.take("[") {
            return Ok(Held::Tuple(self.list("]")?));
        }
        if self.take("\"") {
            let (text, rest) = self.rest.split_once('"').ok_or(Stop::Beyond)?;
            if !text.is_ascii() || text.contains(['\\', '$', '%', '\r', '\n']) {
                return Err(Stop::Beyond);
            }
            let held = Held::Text(text.to_owned());
            self.rest = rest;
            return Ok(held);
        }
        let word = |c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '.';
        let rest = self.peek();
        let mut end = rest.find(word).unwrap_or(rest.len());
        if rest.starts_with(|c: char| c.is_ascii_digit()) {
            if rest[..end].ends_with(['e', 'E']) && rest[end..].starts_with(['+', '-']) {
                end += 1 + rest[end + 1..].find(word).unwrap_or(rest.len() - end - 1);
            }
            if rest[..end].ends_with('.') {
                return Err(Stop::Beyond);
            }
            let number = Number::parse_literal(&rest[..end]).ok_or(Stop::Beyond)?;
            self.rest = &self.rest[end..];
            return Ok(Held::Number(number));
        }
        let name = rest[..end].to_owned();
        self.rest = &self.rest[end..];
        match name.as_str() {
            "true" => return Ok(Held::Bool(true)),
            "false" => return Ok(Held::Bool(false)),
            name if FUNCTIONS.contains(&name) => self.need("(")?,
            _ => return Err(Stop::Beyond),
        }
        let args = self.list(")")?;
        call(&name, &args)
    }

    /// Evaluates expressions separated by commas up to the token `close`.
    fn list(&mut self, close: &str) -> Result<Vec<Held>, Stop> {
        let mut items = Vec::new();
        while !self.take(close) {
            items.push(self.level(0)?);
            if !self.take(",") {
                self.need(close)?;
                break;
            }
        }
        Ok(items)
    }
}

/// Parses a text as a number, as type conversion does.
fn number_of(text: &str) -> Result<Number, Stop> {
    Number::parse(text).ok_or(Stop::Undefined)
}

/// Returns a number or a text as a number; fails for other values.
fn number(held: &Held) -> Result<Number, Stop> {
    match held {
        Held::Number(number) => Ok(number.clone()),
        Held::Text(text) => number_of(text),
        _ => Err(Stop::Beyond),
    }
}

/// Returns the result of a binary operator for two values.
fn apply(operator: &str, left: &Held, right: &Held) -> Answer {
    if let "==" | "!=" = operator {
        let (Held::Number(left), Held::Number(right)) = (left, right) else {
            return Err(Stop::Beyond);
        };
        return Ok(Held::Bool(left.equals(right) == (operator == "==")));
    }
    let (left, right) = (number(left)?, number(right)?);
    let order = left.compare(&right);
    Ok(match operator {
        "<" => Held::Bool(order.is_lt()),
        "<=" => Held::Bool(order.is_le()),
        ">" => Held::Bool(order.is_gt()),
        ">=" => Held::Bool(order.is_ge()),
        "+" => Held::Number(left.add(&right)?),
        "-" => Held::Number(left.subtract(&right)?),
        "*" => Held::Number(left.multiply(&right)?),
        "/" => Held::Number(left.divide(&right)?),
        "%" => Held::Number(left.remainder(&right)?),
        _ => return Err(Stop::Beyond),
    })
}

/// Returns the result of a function for its arguments.
fn call(name: &str, args: &[Held]) -> Answer {
    let result = match (name, args) {
        ("length", [Held::Tuple(items)]) => Number::from_usize(items.len()),
        ("abs", [one]) => number(one)?.absolute(),
        ("ceil", [one]) => number(one)?.ceiling(),
        ("floor", [one]) => number(one)?.floor(),
        ("tonumber", [one]) => number(one)?,
        ("tostring", [Held::Number(one)]) => return Ok(Held::Text(one.to_text())),
        ("signum", [one]) => {
            let one = number(one)?;
            if one.to_exact_i64().is_none() {
                return Err(Stop::Undefined);
            }
            one.sign()
        }
        ("pow", [base, exponent]) => {
            // The language's `pow` has its own algorithm, which agrees with any other for small whole exponents.
            let exponent = number(exponent)?.to_exact_i64().filter(|e| e.abs() <= 64);
            let exponent = exponent.ok_or(Stop::Beyond)? as f64;
            let base = number(base)?.to_exact_f64().ok_or(Stop::Beyond)?;
            Number::from_f64(base.powf(exponent)).ok_or(Stop::Undefined)?
        }
        ("parseint", [Held::Text(text), Held::Number(radix)]) => {
            let radix = radix.to_exact_i64().and_then(|radix| u32::try_from(radix).ok());
            Number::parse_radix(text, radix.ok_or(Stop::Undefined)?).ok_or(Stop::Undefined)?
        }
        ("max" | "min", [first, others @ ..]) => {
            let mut best = number(first)?;
            for other in others {
                let other = number(other)?;
                let order = other.compare(&best);
                if (name == "max" && order.is_gt()) || (name == "min" && order.is_lt()) {
                    best = other;
                }
            }
            best
        }
        _ => return Err(Stop::Beyond),
    };
    Ok(Held::Number(result))
}

/// Returns a value as the JSON of a recorded result.
fn plain(held: &Held) -> Json {
    match held {
        Held::Number(number) if number.is_infinite() => {
            Json::Text(number.to_text().trim_start_matches('+').to_owned())
        }
        Held::Number(number) => Json::Number(number.to_text()),
        Held::Bool(flag) => Json::Bool(*flag),
        Held::Text(text) => Json::Text(text.clone()),
        Held::Tuple(items) => Json::List(items.iter().map(plain).collect()),
    }
}

/// Tests every recorded fact that the calculator understands.
#[test]
fn recorded_facts_about_numbers() {
    let (mut answered, mut wrong) = (0, Vec::new());
    for file in vectors::files() {
        let text = std::fs::read_to_string(&file).expect("a file of vectors");
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            let vector = Vector::read(line).expect("a recorded fact");
            let Subject::Expression(text) = &vector.subject else { continue };
            if !vector.given.is_empty() || vector.dialect.is_some() {
                continue;
            }
            let want = vector.want.get("value");
            let agrees = match Calculator::answer(text) {
                Err(Stop::Beyond) => continue,
                Err(Stop::Undefined) => want.is_none(),
                Ok(held) => want == Some(&plain(&held)),
            };
            answered += 1;
            if !agrees {
                wrong.push(format!("{}: {text}\n    want {want:?}", vector.id));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {answered} differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(answered > 200, "the calculator understood {answered} facts only");
}
