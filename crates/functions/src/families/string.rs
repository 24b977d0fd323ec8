//! Functions from strings to strings. Case mapping is one character to one character, and every result is in Normal Form C
//! again, so a joined text can be shorter than its parts.

use groma_runtime::Availability;
use groma_value::{
    Refinement, Sentence, Type, Value, grapheme, simple_lower, simple_title, simple_upper,
};

use crate::call::charge::{ELEMENT, WorkCharge};
use crate::{CallArgs, Failure};
use crate::{CallCost, Function, FunctionBody, ParameterRow, ResultPromise, ReturnType, RowType};

/// Returns the row of a parameter of this name whose type is string.
const fn text(name: &'static str) -> ParameterRow {
    ParameterRow::new(name, RowType::String)
}

/// The result type of functions that return a string.
const TEXT: ReturnType = ReturnType::Shape(RowType::String);
/// The result type of functions that return a bool.
const BOOL: ReturnType = ReturnType::Shape(RowType::Bool);

/// The rows of the functions of strings, such as `upper`, sorted by name.
pub(crate) const FUNCTIONS: &[Function] = &[
    Function {
        name: "chomp",
        params: &[text("string")],
        returns: TEXT,
        doc: "Returns the text without the line ends (LF, CR, CRLF) at its end.",
        body: FunctionBody::Plain(chomp),
        ..Function::ROW
    },
    Function {
        name: "endswith",
        dialects: Availability::ALL.terraform_since(3),
        params: &[text("string"), text("suffix")],
        returns: BOOL,
        cost: CallCost::Constant,
        doc: "Returns whether the text ends with the suffix.",
        body: FunctionBody::Plain(endswith),
        ..Function::ROW
    },
    Function {
        name: "indent",
        params: &[ParameterRow::new("spaces", RowType::Number), text("string")],
        returns: TEXT,
        cost: CallCost::Input,
        doc: "Returns the text with so many spaces before every line but the first.",
        body: FunctionBody::Plain(indent),
        ..Function::ROW
    },
    Function {
        name: "join",
        params: &[text("separator")],
        rest: Some(ParameterRow::new("lists", RowType::List(&RowType::String))),
        returns: TEXT,
        cost: CallCost::Input,
        doc: "Returns the elements of all lists in one text, with the separator between them.",
        body: FunctionBody::Plain(join),
        ..Function::ROW
    },
    Function {
        name: "lower",
        params: &[text("string")],
        returns: TEXT,
        doc: "Returns the text with every letter in lower case, letter by letter.",
        body: FunctionBody::Plain(lower),
        ..Function::ROW
    },
    Function {
        name: "split",
        params: &[text("separator"), text("string")],
        returns: ReturnType::Shape(RowType::List(&RowType::String)),
        doc: "Returns the pieces of the text between the separators; an empty separator gives every \
              character.",
        body: FunctionBody::Plain(split),
        ..Function::ROW
    },
    Function {
        name: "startswith",
        dialects: Availability::ALL.terraform_since(3),
        params: &[text("string").lazy(), text("prefix")],
        returns: BOOL,
        cost: CallCost::Constant,
        doc: "Returns whether the text starts with the prefix.",
        body: FunctionBody::Plain(startswith),
        ..Function::ROW
    },
    Function {
        name: "strcontains",
        dialects: Availability::ALL.terraform_since(5),
        params: &[text("string"), text("substring")],
        returns: BOOL,
        promise: ResultPromise::Nothing,
        cost: CallCost::Input,
        doc: "Returns whether the substring stands anywhere in the text.",
        body: FunctionBody::Plain(strcontains),
        ..Function::ROW
    },
    Function {
        name: "strrev",
        params: &[text("string")],
        returns: TEXT,
        doc: "Returns the text backwards, character by character as a reader sees them.",
        body: FunctionBody::Plain(strrev),
        ..Function::ROW
    },
    Function {
        name: "substr",
        params: &[
            text("string"),
            ParameterRow::new("offset", RowType::Number),
            ParameterRow::new("length", RowType::Number),
        ],
        returns: TEXT,
        doc: "Returns so many characters from the offset on. A negative offset counts from the end, a \
              negative length takes the rest.",
        body: FunctionBody::Plain(substr),
        ..Function::ROW
    },
    Function {
        name: "title",
        params: &[text("string")],
        returns: TEXT,
        doc: "Returns the text with the first letter of every word in title case.",
        body: FunctionBody::Plain(title),
        ..Function::ROW
    },
    Function {
        name: "trim",
        params: &[text("string"), text("characters")],
        returns: TEXT,
        doc: "Returns the text without any of the given characters at its two ends.",
        body: FunctionBody::Plain(trim),
        ..Function::ROW
    },
    Function {
        name: "trimprefix",
        params: &[text("string"), text("prefix")],
        returns: TEXT,
        doc: "Returns the text without the prefix, if it starts with it.",
        body: FunctionBody::Plain(trimprefix),
        ..Function::ROW
    },
    Function {
        name: "trimspace",
        params: &[text("string")],
        returns: TEXT,
        doc: "Returns the text without white space at its two ends.",
        body: FunctionBody::Plain(trimspace),
        ..Function::ROW
    },
    Function {
        name: "trimsuffix",
        params: &[text("string"), text("suffix")],
        returns: TEXT,
        doc: "Returns the text without the suffix, if it ends with it.",
        body: FunctionBody::Plain(trimsuffix),
        ..Function::ROW
    },
    Function {
        name: "upper",
        params: &[text("string")],
        returns: TEXT,
        doc: "Returns the text with every letter in upper case, letter by letter: `ß` stays.",
        body: FunctionBody::Plain(upper),
        ..Function::ROW
    },
];

/// Implements `chomp`: returns a text without the line ends at its end.
fn chomp(args: &CallArgs<'_>) -> Result<Value, Failure> {
    Ok(Value::text(args.text(0).trim_end_matches(['\r', '\n'])))
}

/// Implements `endswith`: returns true if a text ends with a suffix.
fn endswith(args: &CallArgs<'_>) -> Result<Value, Failure> {
    Ok(Value::Bool(args.text(0).ends_with(&**args.text(1))))
}

/// Implements `indent`: returns a text with spaces added before every line but the first.
fn indent(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let Some(spaces) = args.number(0).to_exact_usize() else {
        let message = Sentence::trusted(format!(
            "The number of spaces must be a whole number that is not negative, this is {}.",
            args.show(0)
        ));
        return Err(Failure::whole(message));
    };
    let text = args.text(1);
    let lines = text.matches('\n').count();
    let bytes = spaces.saturating_mul(lines).saturating_add(text.len());
    args.check_bytes(bytes)?;
    args.charge_bytes(bytes.saturating_mul(2))?;
    args.charge_steps(bytes / 256)?;
    Ok(Value::text(
        text.replace('\n', &format!("\n{}", " ".repeat(if lines == 0 { 0 } else { spaces }))),
    ))
}

/// Implements `join`: returns the elements of lists of strings in one text, with a separator between them.
fn join(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let lists = args.from(1);
    if lists.is_empty() {
        return Err(Failure::whole("Give at least one list to join."));
    }
    if lists.iter().any(|list| !list.is_wholly_known()) {
        return Ok(args.unknown(Type::String));
    }
    let separator = args.text(0);
    let count: usize = (1..args.len()).map(|index| args.items(index).len()).sum();
    args.charge_bytes(count * size_of::<&str>())?;
    let mut pieces: Vec<&str> = Vec::with_capacity(count);
    let mut bytes = 0usize;
    for index in 1..args.len() {
        for (position, item) in args.items(index).iter().enumerate() {
            let Value::String(piece) = item.bare() else {
                let message = format!("Element {position} is null; only strings can be joined.");
                return Err(args.fail(index, message));
            };
            bytes = bytes.saturating_add(piece.len()).saturating_add(separator.len());
            pieces.push(piece);
        }
    }
    args.check_bytes(bytes)?;
    args.charge_bytes(bytes.saturating_mul(2))?;
    Ok(Value::text(pieces.join(separator)))
}

/// Implements `lower`: returns a text in lower case, mapped character by character.
fn lower(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let text = args.text(0);
    Ok(Value::String(match text.is_ascii() {
        true => text.to_ascii_lowercase(),
        false => text.chars().map(|c| simple_lower(c, args.context.semantics.characters)).collect(),
    }))
}

/// Implements `split`: returns the pieces of a text between separators.
fn split(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let (separator, text) = (args.text(0), args.text(1));
    let count = match separator.is_empty() {
        true => text.chars().count(),
        false => text.matches(&**separator).count().saturating_add(1),
    };
    args.check_elements(count)?;
    args.charge_steps(count / 16)?;
    args.charge_bytes(count.saturating_mul(ELEMENT))?;
    let mut pieces: Vec<Value> = Vec::with_capacity(count);
    if separator.is_empty() {
        let mut buffer = [0; 4];
        pieces.extend(text.chars().map(|c| Value::text(&*c.encode_utf8(&mut buffer))));
    } else {
        pieces.extend(text.split(&**separator).map(Value::text));
    }
    Ok(Value::list(Type::String, pieces))
}

/// Implements `startswith`: returns true if a text begins with a prefix.
fn startswith(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let prefix = args.text(1);
    let Value::Unknown(unknown) = args.value(0).bare() else {
        return Ok(Value::Bool(args.text(0).starts_with(&**prefix)));
    };
    // The known beginning of the text may decide, and the empty prefix always does.
    let Refinement { prefix: known, .. } = &unknown.refinement;
    if !args.context.semantics.known_starts {
        return Ok(args.unknown(Type::Bool));
    }
    if known.starts_with(&**prefix) {
        return Ok(Value::TRUE);
    }
    if !known.is_empty() && known.len() >= prefix.len() {
        return Ok(Value::FALSE);
    }
    Ok(args.unknown(Type::Bool))
}

/// Implements `strcontains`: returns true if a text contains a substring.
fn strcontains(args: &CallArgs<'_>) -> Result<Value, Failure> {
    Ok(Value::Bool(args.text(0).contains(&**args.text(1))))
}

/// Implements `strrev`: returns a text with its grapheme clusters in reverse order.
fn strrev(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let unicode = args.context.semantics.unicode;
    let text: &str = args.text(0);
    args.charge_bytes(text.len())?;
    let mut work = WorkCharge::new(args);
    // Filled from the end: the clusters are reversed, but not the bytes inside of them.
    let mut turned = vec![0; text.len()];
    let mut left = text.len();
    for cluster in grapheme::graphemes(text, unicode) {
        work.count(cluster.len() * GRAPHEME)?;
        let end = left;
        left -= cluster.len();
        turned[left..end].copy_from_slice(cluster.as_bytes());
    }
    let turned = String::from_utf8(turned);
    Ok(Value::text(turned.expect("whole characters give a text in any order")))
}

/// The number of visited bytes as which the search for grapheme clusters in one byte of text is charged.
const GRAPHEME: usize = 4;

/// Implements `substr`: returns a number of grapheme clusters of a text from an offset on.
fn substr(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let whole = |index: usize| {
        args.number(index).to_exact_i64().ok_or_else(|| {
            let name = args.param_name(index);
            let shown = args.show(index);
            Failure::whole(format!("The {name} must be a whole number, this is {shown}."))
        })
    };
    let (offset, length) = (whole(1)?, whole(2)?);
    if offset >= 0 && length == 0 {
        return Ok(Value::text(""));
    }
    let text: &str = args.text(0);
    let unicode = args.context.semantics.unicode;
    args.charge_steps(text.len() / 64)?;
    let skip = if offset < 0 {
        let total = i64::try_from(grapheme::count(text, unicode)).unwrap_or(i64::MAX);
        offset.saturating_add(total).max(0)
    } else {
        offset
    };
    // From a position counted from the end, a length of 0 takes the rest, like a negative one.
    let take = usize::try_from(length).ok().filter(|&take| take > 0).unwrap_or(usize::MAX);
    let skip = usize::try_from(skip).unwrap_or(usize::MAX);
    let clusters = grapheme::graphemes(text, unicode).skip(skip).take(take);
    Ok(Value::text(clusters.collect::<String>()))
}

/// Implements `title`: returns a text with the first letter of every word in title case.
fn title(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let mut starts = true;
    let mut titled = String::with_capacity(args.text(0).len());
    for c in args.text(0).chars() {
        titled.push(if starts { simple_title(c, args.context.semantics.characters) } else { c });
        starts = ends_word(c);
    }
    Ok(Value::text(titled))
}

/// Returns true if `title` capitalises the letter after `c`: in ASCII after anything but letters, digits and `_`, elsewhere only
/// after white space.
fn ends_word(c: char) -> bool {
    if c.is_ascii() { !(c.is_ascii_alphanumeric() || c == '_') } else { c.is_whitespace() }
}

/// Implements `trim`, whose second argument is a set of characters to remove at both ends.
fn trim(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let cut: rustc_hash::FxHashSet<char> = args.text(1).chars().collect();
    Ok(Value::text(args.text(0).trim_matches(|c| cut.contains(&c))))
}

/// Implements `trimprefix`, which removes a prefix once.
fn trimprefix(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let text: &str = args.text(0);
    Ok(Value::text(text.strip_prefix(&**args.text(1)).unwrap_or(text)))
}

/// Implements `trimspace`: returns a text without white space at both ends.
fn trimspace(args: &CallArgs<'_>) -> Result<Value, Failure> {
    Ok(Value::text(args.text(0).trim()))
}

/// Implements `trimsuffix`, which removes a suffix once.
fn trimsuffix(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let text: &str = args.text(0);
    Ok(Value::text(text.strip_suffix(&**args.text(1)).unwrap_or(text)))
}

/// Implements `upper`: returns a text in upper case, mapped character by character.
fn upper(args: &CallArgs<'_>) -> Result<Value, Failure> {
    let text = args.text(0);
    Ok(Value::String(match text.is_ascii() {
        true => text.to_ascii_uppercase(),
        false => text.chars().map(|c| simple_upper(c, args.context.semantics.characters)).collect(),
    }))
}
