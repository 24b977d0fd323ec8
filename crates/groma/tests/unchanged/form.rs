//! Something written out: parts by their names as far as they can be told apart, and else a text.

use std::collections::BTreeMap;
use std::rc::Rc;

use groma::Value;
use groma_value::{Type, ops, print};

/// Something written out: parts by their names as far as they can be told apart, and else a text.
#[derive(Clone, Debug)]
pub(crate) enum Form {
    /// A value that is known.
    Known(Value),
    /// Parts by name, with what stands for all others.
    Object(BTreeMap<String, Form>, Option<Rc<str>>),
    /// Parts by position.
    Tuple(Vec<Form>),
    /// Code that leads to what is not known.
    Open(Rc<str>),
}

impl Form {
    pub(crate) fn open(text: impl Into<Rc<str>>) -> Form {
        Form::Open(text.into())
    }

    /// The whole as text.
    pub(crate) fn text(&self) -> String {
        match self {
            Form::Known(value) => known_text(value),
            Form::Object(parts, rest) => {
                // What is null may as well be left out.
                let is_set = |part: &Form| !matches!(part, Form::Known(value) if value.is_null());
                let parts = parts.iter().filter(|(_, part)| is_set(part));
                let mut all: Vec<String> =
                    parts.map(|(name, part)| format!("{name:?}: {}", part.text())).collect();
                all.extend(rest.iter().map(|rest| format!("*: {rest}")));
                format!("{{{}}}", all.join(", "))
            }
            Form::Tuple(parts) => {
                let all: Vec<String> = parts.iter().map(Form::text).collect();
                format!("[{}]", all.join(", "))
            }
            Form::Open(text) => text.to_string(),
        }
    }

    /// The part of a name.
    pub(crate) fn get(&self, name: &str) -> Form {
        match self {
            Form::Known(value) => match ops::attribute(value, name) {
                Ok(part) => Form::Known(part),
                Err(_) => Form::open(format!("no {name:?}")),
            },
            Form::Object(parts, rest) => match (parts.get(name), rest) {
                (Some(part), _) => part.clone(),
                (None, Some(rest)) => Form::open(format!("{rest}.{name}")),
                (None, None) => Form::open(format!("no {name:?}")),
            },
            Form::Tuple(_) => Form::open(format!("{}.{name}", self.text())),
            Form::Open(text) => Form::open(format!("{text}.{name}")),
        }
    }

    /// The part under a key.
    pub(crate) fn index(&self, key: &Form) -> Form {
        let Form::Known(value) = key else {
            return Form::open(format!("{}[{}]", self.text(), key.text()));
        };
        match (self, value.as_position()) {
            (Form::Known(whole), _) => match ops::index(whole, value) {
                Ok(part) if part.is_wholly_known() => Form::Known(part),
                _ => Form::open(format!("no {}", key.text())),
            },
            (Form::Tuple(parts), Some(at)) => {
                parts.get(at).cloned().unwrap_or_else(|| Form::open(format!("no {at}")))
            }
            (Form::Open(text), Some(at)) => Form::open(format!("{text}[{at}]")),
            _ => match value {
                Value::String(name) => self.get(name),
                key => self.get(&known_text(key)),
            },
        }
    }

    /// The parts by position, where they can be told apart.
    pub(crate) fn items(&self) -> Option<Vec<Form>> {
        match self {
            Form::Tuple(parts) => Some(parts.clone()),
            Form::Known(value) => Some(elements(value)?.into_iter().map(|(_, one)| one).collect()),
            _ => None,
        }
    }

    /// The parts by name, where they can be told apart.
    pub(crate) fn parts(&self) -> Option<BTreeMap<String, Form>> {
        match self {
            Form::Object(parts, None) => Some(parts.clone()),
            Form::Known(Value::Object(object)) => Some(
                object
                    .iter()
                    .map(|(name, value)| (name.to_string(), Form::Known(value.clone())))
                    .collect(),
            ),
            Form::Known(Value::Map(map)) => Some(
                map.entries()
                    .iter()
                    .map(|(name, value)| (name.to_string(), Form::Known(value.clone())))
                    .collect(),
            ),
            _ => None,
        }
    }

    /// What a loop walks over: keys and elements, where they can be told apart.
    pub(crate) fn walked(&self) -> Option<Vec<(Form, Form)>> {
        let by_name = |(name, part): (String, Form)| (text_value(&name), part);
        match self {
            Form::Known(value) => elements(value),
            Form::Tuple(parts) => {
                let at =
                    |(at, part): (usize, &Form)| (Form::Known(Value::position(at)), part.clone());
                Some(parts.iter().enumerate().map(at).collect())
            }
            _ => Some(self.parts()?.into_iter().map(by_name).collect()),
        }
    }

    /// A value of the same shape, in which what is not known is of any type.
    pub(crate) fn value(&self) -> Value {
        match self {
            Form::Known(value) => value.clone(),
            Form::Tuple(parts) => Value::tuple(parts.iter().map(Form::value).collect()),
            Form::Object(parts, None) => Value::object(
                parts
                    .iter()
                    .map(|(name, part)| (name.as_str().into(), part.value()))
                    .collect::<Vec<_>>(),
            ),
            Form::Object(..) | Form::Open(_) => Value::unknown(Type::Dynamic),
        }
    }

    /// The form with what is known of the value that it comes to.
    pub(crate) fn settled(self, value: &Value) -> Form {
        let value = value.unmark_deep().0;
        if value.is_wholly_known() {
            return Form::Known(value);
        }
        let named = |parts: Vec<(&str, &Value)>| {
            let part =
                |(name, value): (&str, &Value)| (name.to_owned(), self.get(name).settled(value));
            Form::Object(parts.into_iter().map(part).collect(), None)
        };
        let placed = |items: &[Value]| {
            let part = |(at, value): (usize, &Value)| {
                self.index(&Form::Known(Value::position(at))).settled(value)
            };
            Form::Tuple(items.iter().enumerate().map(part).collect())
        };
        match &value {
            Value::Object(object) => {
                named(object.iter().map(|(name, one)| (&**name, one)).collect())
            }
            Value::Map(map) => {
                named(map.entries().iter().map(|(name, one)| (&**name, one)).collect())
            }
            Value::Tuple(tuple) => placed(tuple.items()),
            Value::List(list) => placed(list.items()),
            _ => self,
        }
    }
}

pub(crate) fn text_value(text: &str) -> Form {
    Form::Known(Value::String(text.into()))
}

fn elements(value: &Value) -> Option<Vec<(Form, Form)>> {
    let numbered = |items: &[Value]| {
        let one = |(at, one): (usize, &Value)| {
            (Form::Known(Value::position(at)), Form::Known(one.clone()))
        };
        items.iter().enumerate().map(one).collect()
    };
    match value {
        Value::Tuple(tuple) => Some(numbered(tuple.items())),
        Value::List(list) => Some(numbered(list.items())),
        Value::Set(set) => {
            let both = |one: &Value| (Form::Known(one.clone()), Form::Known(one.clone()));
            Some(set.items().iter().map(both).collect())
        }
        Value::Object(_) | Value::Map(_) => {
            let parts = Form::Known(value.clone()).parts()?;
            Some(parts.into_iter().map(|(name, part)| (text_value(&name), part)).collect())
        }
        _ => None,
    }
}

/// A known value as text: tuples and lists alike, objects and maps alike.
pub(crate) fn known_text(value: &Value) -> String {
    let all = |items: &[Value]| items.iter().map(known_text).collect::<Vec<_>>().join(", ");
    match value {
        Value::Null(_) => "null".to_owned(),
        Value::Tuple(tuple) => format!("[{}]", all(tuple.items())),
        Value::List(list) => format!("[{}]", all(list.items())),
        Value::Set(set) => format!("set [{}]", all(set.items())),
        Value::Object(_) | Value::Map(_) => {
            let parts = Form::Known(value.clone()).parts().unwrap_or_default();
            Form::Object(parts, None).text()
        }
        other => print::console(other),
    }
}
