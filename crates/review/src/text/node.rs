//! Differences as lines of text. Unchanged parts are counted and omitted, except those that identify the object.

use std::borrow::Cow;
use std::fmt;

use groma_syntax::{is_identifier, render::harmless};
use groma_value::{Str, Value, print, sentence::plural};

use super::writer::PlanWriter;
use crate::difference::{
    ChangeSign, ComparedForm, ComparedObject, ComparedValue, NestedDifference, VisibilityChange,
    single,
};
use crate::style::TextStyle;

/// Attributes by which people recognize an object; they are displayed even if unchanged.
const KNOWN_BY: [&str; 3] = ["id", "name", "tags"];

/// The options for displaying a compared value: with unchanged parts, with `-> null`, without signs.
#[derive(Clone, Copy, Default)]
pub(crate) struct ValueView {
    /// True if unchanged parts are displayed too.
    pub(crate) whole: bool,
    /// True if removed values are followed by `-> null`.
    pub(crate) says_null: bool,
    /// True if there are no symbols.
    pub(crate) is_bare: bool,
}

/// Returns an attribute name or key as written in code: in quotes if it is not an identifier.
pub(crate) fn name(text: &str) -> Cow<'_, str> {
    if is_identifier(text) { text.into() } else { print::quoted(text).into() }
}

/// Returns the number of characters of a text.
fn width(text: &str) -> usize {
    text.chars().count()
}

impl PlanWriter<'_> {
    /// Writes the body of an object with its attributes and blocks, in braces.
    pub(crate) fn body(
        &mut self,
        node: &ComparedValue,
        indent: usize,
        look: ValueView,
    ) -> fmt::Result {
        let ComparedForm::Block(body) = &node.form else {
            self.plain("{}")?;
            return self.tail(node, "");
        };
        if body.is_hidden {
            self.opening("{", node)?;
            self.remark(indent + 1, "(sensitive, so not shown)")?;
            return self.closing("}", indent);
        }
        if body.attributes.is_empty() && body.blocks.is_empty() && body.left + body.left_blocks == 0
        {
            self.plain("{}")?;
            return self.tail(node, "");
        }
        self.opening("{", node)?;
        let names: Vec<Cow<'_, str>> = body.attributes.iter().map(|(text, _)| name(text)).collect();
        let all = body.attributes.iter().map(|(text, node)| (&**text, node));
        let hidden = self.named(&names, all, indent + 1, look, true, false)?;
        self.hidden(indent + 1, hidden, "attribute")?;
        let left = [(body.left, "attribute"), (body.left_blocks, "block")];
        let left = left.into_iter().filter(|(count, _)| *count > 0);
        let left: Vec<String> = left.map(|(count, what)| plural(count, what)).collect();
        if !left.is_empty() {
            self.remark(indent + 1, &format!("({} left to the provider)", left.join(" and ")))?;
        }
        self.blocks(body, indent + 1, look)?;
        self.closing("}", indent)
    }

    /// Writes the nested blocks of an object's body.
    fn blocks(&mut self, body: &ComparedObject, indent: usize, look: ValueView) -> fmt::Result {
        let mut hidden = 0;
        let mut last: Option<&Str> = None;
        let mut is_first = body.attributes.is_empty();
        for NestedDifference { name: word, label, node } in &body.blocks {
            if node.sign == ChangeSign::Same && !look.whole {
                hidden += 1;
                continue;
            }
            if last != Some(word) && !std::mem::take(&mut is_first) {
                self.plain("\n")?;
            }
            last = Some(word);
            self.sign(indent, node.sign, look.is_bare)?;
            self.plain(&name(word))?;
            if let Some(label) = label {
                self.plain(" ")?;
                self.plain(&print::quoted(label))?;
            }
            self.plain(" ")?;
            match node.form {
                ComparedForm::Block(_) => self.body(node, indent, look)?,
                _ => self.value(node, indent, look, "")?,
            }
            self.plain("\n")?;
        }
        if hidden > 0 {
            self.plain("\n")?;
        }
        self.hidden(indent, hidden, "block")
    }

    /// Writes a line `name = value` for each changed entry in `all` of an object, or a map with `is_map`, and with `knows` for
    /// those that identify an object; `names` are their printed names; returns the number of unchanged entries that are omitted.
    fn named<'n>(
        &mut self,
        names: &[Cow<'_, str>],
        all: impl Iterator<Item = (&'n str, &'n ComparedValue)>,
        indent: usize,
        look: ValueView,
        knows: bool,
        is_map: bool,
    ) -> Result<usize, fmt::Error> {
        let widest = names.iter().map(|name| width(name)).max().unwrap_or_default();
        let mut hidden = 0;
        for (name, (text, node)) in names.iter().zip(all) {
            let is_known_by = knows && KNOWN_BY.contains(&text);
            if node.sign == ChangeSign::Same && !look.whole && !is_known_by {
                hidden += 1;
                continue;
            }
            self.visibility_warning(indent, node)?;
            self.sign(indent, node.sign, look.is_bare)?;
            self.plain(name)?;
            self.blanks(widest - width(name))?;
            self.plain(" = ")?;
            let is_object =
                is_map && matches!(node.form, ComparedForm::Fields { is_map: false, .. });
            let look = ValueView { whole: look.whole || is_known_by, ..look };
            self.value(node, indent, look, if is_object { "," } else { "" })?;
            self.plain("\n")?;
        }
        Ok(hidden)
    }

    /// Writes a compared value without its name, then `end`, such as a comma, and any comment, but not the end of the line.
    pub(super) fn value(
        &mut self,
        node: &ComparedValue,
        indent: usize,
        look: ValueView,
        end: &str,
    ) -> fmt::Result {
        match &node.form {
            ComparedForm::Kept { value, typed } => {
                let node = single(value, ChangeSign::Same, *typed);
                self.value(&node, indent, ValueView { whole: true, ..look }, end)
            }
            ComparedForm::Scalar(before, after) => {
                self.scalars([before.as_ref(), after.as_ref()])?;
                self.removal(node, look)?;
                self.tail(node, end)
            }
            ComparedForm::Lines { lines, is_blank } => {
                self.lines(node, lines, *is_blank, indent, look)?;
                self.plain(end)
            }
            ComparedForm::Coded { .. } => self.coded(node, indent, look, end),
            ComparedForm::Items { all, is_ordered: _ } if all.is_empty() => {
                self.plain("[]")?;
                self.removal(node, look)?;
                self.tail(node, end)
            }
            ComparedForm::Items { all, is_ordered } => {
                self.items(node, all, *is_ordered, indent, look)?;
                self.plain(end)
            }
            ComparedForm::Fields { all, is_map: _ } if all.is_empty() => {
                self.plain("{}")?;
                self.removal(node, look)?;
                self.tail(node, end)
            }
            ComparedForm::Fields { all, is_map } => {
                self.fields(node, all, *is_map, indent, look)?;
                self.plain(end)
            }
            ComparedForm::Unknown { before, causes } => {
                if let Some(before) = before {
                    self.value(before, indent, ValueView { says_null: false, ..look }, "")?;
                    self.arrow()?;
                }
                self.unknown(causes, false)?;
                self.tail(node, end)
            }
            ComparedForm::Known { causes, after } => {
                self.unknown(causes, true)?;
                match after {
                    Some(after) => {
                        self.arrow()?;
                        self.value(after, indent, look, "")?;
                    }
                    None => self.removal(node, look)?,
                }
                self.tail(node, end)
            }
            ComparedForm::Turned(before, after) => {
                let look = ValueView { says_null: false, ..look };
                self.value(before, indent, look, "")?;
                self.arrow()?;
                self.value(after, indent, look, "")?;
                self.tail(node, end)
            }
            ComparedForm::Hidden => {
                self.plain("(sensitive value)")?;
                self.removal(node, look)?;
                self.tail(node, end)
            }
            ComparedForm::WriteOnly => {
                self.plain("(write-only attribute)")?;
                self.tail(node, end)
            }
            ComparedForm::Block(_) => {
                self.body(node, indent, look)?;
                self.plain(end)
            }
        }
    }

    /// Writes one or two scalar values, with an arrow between them.
    fn scalars(&mut self, sides: [Option<&Value>; 2]) -> fmt::Result {
        match sides {
            [Some(before), Some(after)] => {
                self.scalar(before)?;
                self.arrow()?;
                self.scalar(after)
            }
            [Some(only), None] | [None, Some(only)] => self.scalar(only),
            [None, None] => self.put(TextStyle::Dim, "null"),
        }
    }

    /// Writes the attributes of an object or, if `is_map` is true, the elements of a map, named and compared in `all`, in braces.
    fn fields(
        &mut self,
        node: &ComparedValue,
        all: &[(Str, ComparedValue)],
        is_map: bool,
        indent: usize,
        look: ValueView,
    ) -> fmt::Result {
        self.opening("{", node)?;
        let names = all.iter().map(|(text, _)| match is_map {
            true => print::quoted(text).into(),
            false => name(text),
        });
        let names: Vec<Cow<'_, str>> = names.collect();
        let says_null = is_map && look.says_null && node.sign == ChangeSign::Change;
        let inner = ValueView { says_null, ..look };
        let parts = all.iter().map(|(text, node)| (&**text, node));
        let hidden = self.named(&names, parts, indent + 1, inner, !is_map, is_map)?;
        self.hidden(indent + 1, hidden, if is_map { "element" } else { "attribute" })?;
        self.closing("}", indent)?;
        self.removal(node, look)
    }

    /// Writes a null, boolean, number or string.
    fn scalar(&mut self, value: &Value) -> fmt::Result {
        match value.bare() {
            Value::Null(_) => self.put(TextStyle::Dim, "null"),
            Value::Bool(truth) => self.plain(if *truth { "true" } else { "false" }),
            known if let Some(number) = known.as_number() => self.plain(&print::number(&number)),
            Value::String(text) => self.plain(&print::quoted(text)),
            // Other values are not scalars.
            _ => Ok(()),
        }
    }

    /// Writes the elements of a list, tuple or set, in brackets; with `is_ordered`, also the neighbours of a changed one.
    fn items(
        &mut self,
        node: &ComparedValue,
        all: &[ComparedValue],
        is_ordered: bool,
        indent: usize,
        look: ValueView,
    ) -> fmt::Result {
        self.opening("[", node)?;
        let inner = ValueView { says_null: false, ..look };
        let is_shown = |at: usize| {
            let changes = |at: usize| all.get(at).is_some_and(|one| one.sign != ChangeSign::Same);
            // In an ordered collection the neighbours of a change show its position.
            look.whole
                || changes(at)
                || is_ordered && (changes(at + 1) || at > 0 && changes(at - 1))
        };
        let mut hidden = 0;
        for (at, one) in all.iter().enumerate() {
            if !is_shown(at) {
                hidden += 1;
                continue;
            }
            if is_ordered {
                self.hidden(indent + 1, std::mem::take(&mut hidden), "element")?;
            }
            self.visibility_warning(indent + 1, one)?;
            self.sign(indent + 1, one.sign, look.is_bare)?;
            self.value(one, indent + 1, inner, ",")?;
            self.plain("\n")?;
        }
        self.hidden(indent + 1, hidden, "element")?;
        self.closing("]", indent)?;
        self.removal(node, look)
    }

    /// Writes a multi-line string with the sign of each line; with `is_blank`, a comment says that only whitespace changes.
    fn lines(
        &mut self,
        node: &ComparedValue,
        lines: &[(ChangeSign, Str)],
        is_blank: bool,
        indent: usize,
        look: ValueView,
    ) -> fmt::Result {
        // No line may equal the end marker.
        let mut marker = "EOT".to_owned();
        while lines.iter().any(|(_, line)| line.trim() == marker) {
            marker.push('_');
        }
        self.plain("<<-")?;
        self.plain(&marker)?;
        if is_blank && node.sign == ChangeSign::Change {
            self.put(TextStyle::Dim, " # whitespace changes")?;
        }
        self.tail(node, "")?;
        self.plain("\n")?;
        for (sign, line) in lines {
            self.sign(indent + 1, *sign, look.is_bare)?;
            self.plain(&harmless(line))?;
            self.plain("\n")?;
        }
        self.closing(&marker, indent)?;
        self.removal(node, look)
    }

    /// Writes a string that encodes a value, as a call of the function that encodes it, then `end`, such as a comma.
    fn coded(
        &mut self,
        node: &ComparedValue,
        indent: usize,
        look: ValueView,
        end: &str,
    ) -> fmt::Result {
        let ComparedForm::Coded { word, inner, is_blank } = &node.form else { return Ok(()) };
        let is_blank = *is_blank;
        let remark = match (is_blank, node.forces) {
            (true, true) => " # whitespace changes force replacement",
            (true, false) => " # whitespace changes",
            _ => "",
        };
        let inside = ValueView { whole: look.whole || is_blank, says_null: false, ..look };
        self.plain(word)?;
        self.plain("(")?;
        if is_flat(inner) {
            self.value(inner, indent, inside, "")?;
            self.plain(")")?;
            self.removal(node, look)?;
            self.plain(end)?;
            self.put(TextStyle::Dim, remark)?;
        } else {
            self.put(TextStyle::Dim, remark)?;
            self.plain("\n")?;
            let sign = match node.sign {
                ChangeSign::Change if !is_blank => ChangeSign::Change,
                _ => ChangeSign::Same,
            };
            self.sign(indent + 1, sign, look.is_bare)?;
            self.value(inner, indent + 1, inside, "")?;
            self.plain("\n")?;
            self.closing(")", indent)?;
            self.removal(node, look)?;
            self.plain(end)?;
        }
        if is_blank { self.note(node) } else { self.tail(node, "") }
    }

    /// Writes the arrow ` -> ` between an old and a new value.
    fn arrow(&mut self) -> fmt::Result {
        self.put(TextStyle::Changed, " ->")?;
        self.plain(" ")
    }

    /// Writes ` -> null` after a removed value, if the display options require it.
    fn removal(&mut self, node: &ComparedValue, look: ValueView) -> fmt::Result {
        let is_null = matches!(&node.form, ComparedForm::Scalar(Some(Value::Null(_)), None));
        match look.says_null && node.sign == ChangeSign::Remove && !is_null {
            true => self.put(TextStyle::Dim, " -> null"),
            false => Ok(()),
        }
    }

    /// Writes the text that follows a compared value: `end`, and comments such as `# forces replacement`.
    fn tail(&mut self, node: &ComparedValue, end: &str) -> fmt::Result {
        self.plain(end)?;
        if node.forces {
            self.put(TextStyle::Alert, " # forces replacement")?;
        }
        if node.is_mocked {
            self.put(TextStyle::Dim, " # mocked")?;
        }
        self.note(node)
    }

    /// Writes the cause of a value's difference, if known, as a `#` comment behind the value.
    fn note(&mut self, node: &ComparedValue) -> fmt::Result {
        match &node.note {
            Some(note) => self.put(TextStyle::Dim, &format!(" # {}", harmless(note))),
            None => Ok(()),
        }
    }

    /// Writes an opening bracket, followed by the comments on the value, and ends the line.
    fn opening(&mut self, bracket: &str, node: &ComparedValue) -> fmt::Result {
        self.plain(bracket)?;
        self.tail(node, "")?;
        self.plain("\n")
    }

    /// Writes a closing bracket on a separate line.
    fn closing(&mut self, bracket: &str, indent: usize) -> fmt::Result {
        self.start(indent)?;
        self.plain(bracket)
    }

    /// Writes a `#` comment that counts the unchanged parts of an object or collection that are omitted; `what` names them,
    /// such as `attribute`.
    fn hidden(&mut self, indent: usize, count: usize, what: &str) -> fmt::Result {
        match count {
            0 => Ok(()),
            1 => self.remark(indent, &format!("(1 unchanged {what} hidden)")),
            count => self.remark(indent, &format!("({count} unchanged {what}s hidden)")),
        }
    }

    /// Writes a text as a `#` comment on a line of its own.
    pub(super) fn remark(&mut self, indent: usize, text: &str) -> fmt::Result {
        self.start(indent)?;
        self.put(TextStyle::Dim, &format!("# {text}"))?;
        self.plain("\n")
    }

    /// Writes the warning that a value becomes sensitive or no longer is, if that changes.
    fn visibility_warning(&mut self, indent: usize, node: &ComparedValue) -> fmt::Result {
        let (what, is_same) = match node.visibility {
            None => return Ok(()),
            Some(VisibilityChange::Hides { is_same }) => {
                ("becomes sensitive and will no longer be shown", is_same)
            }
            Some(VisibilityChange::Reveals { is_same }) => {
                ("is no longer sensitive and will be shown", is_same)
            }
        };
        let value = if is_same { "; the value stays the same" } else { "" };
        self.blanks(indent * 4 + 2)?;
        self.put(TextStyle::Alert, &format!("# Warning: this {what}{value}."))?;
        self.plain("\n")
    }
}

/// Returns true if a compared value fits on one line.
fn is_flat(node: &ComparedValue) -> bool {
    match &node.form {
        ComparedForm::Items { all, .. } => all.is_empty(),
        ComparedForm::Fields { all, .. } => all.is_empty(),
        ComparedForm::Kept { value, .. } => is_flat(&single(value, ChangeSign::Same, false)),
        ComparedForm::Turned(before, after) => is_flat(before) && is_flat(after),
        ComparedForm::Lines { .. } | ComparedForm::Coded { .. } | ComparedForm::Block(_) => false,
        _ => true,
    }
}
