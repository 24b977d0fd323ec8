//! Placeholder values: of the right form and recognizably not real. Addresses and names are from the ranges reserved for
//! documentation and tests. If the type is unknown, the name and the use of the attribute determine the value.

use groma_value::{Str, Type, Value};

use super::demands::AccessPaths;

/// The number of elements in a placeholder list.
const ELEMENTS: usize = 3;

/// The form of a placeholder text: fixed, or with a number by which the elements of a list differ.
enum TextForm {
    /// The same text for every attribute.
    Fixed(&'static str),
    /// A text in which `#` is replaced by a number.
    Numbered(&'static str),
}

/// The form of placeholder texts by the suffix of the attribute name or, between stars, a substring; the first match applies.
const FORMS: &[(&str, TextForm)] = &[
    ("ipv6_cidr_block", TextForm::Numbered("2001:db8:#::/48")),
    ("*ipv6*", TextForm::Numbered("2001:db8::#")),
    ("cidr_block", TextForm::Numbered("198.18.#.0/24")),
    ("cidr", TextForm::Numbered("198.18.#.0/24")),
    ("cidr_range", TextForm::Numbered("198.18.#.0/24")),
    ("address_space", TextForm::Numbered("198.18.#.0/24")),
    ("address_prefix", TextForm::Numbered("198.18.#.0/24")),
    ("ip", TextForm::Numbered("192.0.2.#")),
    ("ip_address", TextForm::Numbered("192.0.2.#")),
    ("arn", TextForm::Numbered("arn:aws:todo:todo-region-1:000000000000:todo-#")),
    ("account_id", TextForm::Fixed("000000000000")),
    ("owner_id", TextForm::Fixed("000000000000")),
    ("partition", TextForm::Fixed("aws")),
    ("dns_suffix", TextForm::Fixed("todo.example")),
    ("json", TextForm::Fixed("{}")),
    ("policy", TextForm::Fixed("{}")),
    ("url", TextForm::Numbered("https://todo-#.example")),
    ("uri", TextForm::Numbered("https://todo-#.example")),
    ("endpoint", TextForm::Numbered("https://todo-#.example")),
    ("issuer", TextForm::Numbered("https://todo-#.example")),
    ("dns_name", TextForm::Numbered("todo-#.example")),
    ("domain_name", TextForm::Numbered("todo-#.example")),
    ("fqdn", TextForm::Numbered("todo-#.example")),
    ("hostname", TextForm::Numbered("todo-#.example")),
    ("host", TextForm::Numbered("todo-#.example")),
    ("base64", TextForm::Fixed("VE9ETw==")),
    ("*certificate*", TextForm::Fixed("VE9ETw==")),
    ("data", TextForm::Fixed("VE9ETw==")),
    ("timestamp", TextForm::Fixed("2000-01-01T00:00:00Z")),
    ("rfc3339", TextForm::Fixed("2000-01-01T00:00:00Z")),
    ("_at", TextForm::Fixed("2000-01-01T00:00:00Z")),
    ("version", TextForm::Fixed("0.0.0")),
];

/// Suffixes of the names of attributes that get a number as placeholder if their type is unknown.
const NUMBERS: [&str; 5] = ["port", "count", "size", "status_code", "number"];

/// Suffixes of names that end in `s` like plurals but are singular.
const SINGLE: [&str; 9] =
    ["status", "address", "alias", "class", "dns", "https", "tls", "access", "basis"];

/// A generator of placeholder values for the attributes of one resource or module.
pub(crate) struct PlaceholderContext<'a> {
    /// The name of the resource, which distinguishes its texts from those of others.
    pub(crate) owner: &'a str,
}

/// Returns true if an attribute name matches a pattern of [`FORMS`]: a suffix of whole words, or a substring between stars.
fn is_form(name: &str, pattern: &str) -> bool {
    match pattern.strip_prefix('*').and_then(|inner| inner.strip_suffix('*')) {
        Some(inner) => name.contains(inner),
        None => name
            .strip_suffix(pattern)
            .is_some_and(|rest| rest.is_empty() || rest.ends_with('_') || pattern.starts_with('_')),
    }
}

/// Returns the singular of a plural name: `subnet_id` for `subnet_ids`; `None` for other names.
fn singular(name: &str) -> Option<&str> {
    let is_one = SINGLE.iter().any(|word| is_form(name, word)) || name.ends_with("ss");
    name.strip_suffix('s').filter(|rest| !is_one && !rest.is_empty())
}

impl PlaceholderContext<'_> {
    /// Returns a placeholder text by an attribute's name; `at` is the position in a list.
    fn text(&self, name: &str, at: usize) -> String {
        let name = singular(name).unwrap_or(name);
        let known = FORMS.iter().find(|(pattern, _)| is_form(name, pattern));
        match known {
            Some((_, TextForm::Fixed(text))) => (*text).to_owned(),
            Some((_, TextForm::Numbered(form))) => form.replace('#', &(at + 1).to_string()),
            None => format!("TODO-{}-{name}-{}", self.owner, at + 1),
        }
    }

    /// Returns a placeholder value of a type for the attribute `name`; `ways` are the parts of the value that the code accesses,
    /// `at` is its position in a list.
    pub(crate) fn of(&self, name: &str, ty: &Type, ways: &AccessPaths, at: usize) -> Value {
        let none = AccessPaths::default();
        let inner = ways.element.as_deref().unwrap_or(&none);
        match ty {
            Type::String => Value::text(self.text(name, at)),
            Type::Number => Value::int(1),
            Type::Bool => Value::FALSE,
            Type::List(element) | Type::Set(element) => {
                let count = if matches!(**element, Type::Object(_)) { 1 } else { ELEMENTS };
                Value::tuple((0..count).map(|at| self.of(name, element, inner, at)).collect())
            }
            Type::Map(element) => {
                let names: Vec<Str> = match ways.named.is_empty() {
                    true => vec![Str::from("TODO")],
                    false => ways.named.keys().cloned().collect(),
                };
                let parts = names.into_iter().map(|key| {
                    let value = self.of(&key, element, ways.named.get(&key).unwrap_or(inner), at);
                    (key, value)
                });
                Value::object(parts.collect::<Vec<_>>())
            }
            Type::Object(object) => {
                let is_asked = |name: &Str| ways.named.is_empty() || ways.named.contains_key(name);
                let parts = object.attributes().iter().filter(|part| is_asked(&part.name));
                let parts = parts.map(|part| {
                    let inner = ways.named.get(&part.name).unwrap_or(&none);
                    (part.name.clone(), self.of(&part.name, &part.ty, inner, at))
                });
                Value::object(parts.collect::<Vec<_>>())
            }
            Type::Tuple(tuple) => {
                let items = tuple.elements().iter().map(|ty| self.of(name, ty, inner, at));
                Value::tuple(items.collect())
            }
            Type::Dynamic => self.untyped(name, ways, at),
        }
    }

    /// Returns a placeholder value for an attribute of unknown type, from its name and the parts of it that the code accesses;
    /// `at` is its position in a list.
    fn untyped(&self, name: &str, ways: &AccessPaths, at: usize) -> Value {
        if !ways.named.is_empty() {
            let parts = ways.named.iter();
            let parts = parts.map(|(name, inner)| (name.clone(), self.untyped(name, inner, at)));
            return Value::object(parts.collect::<Vec<_>>());
        }
        if let Some(inner) = &ways.element {
            let count = if inner.named.is_empty() { ELEMENTS } else { 1 };
            let name = singular(name).unwrap_or(name);
            return Value::tuple((0..count).map(|at| self.untyped(name, inner, at)).collect());
        }
        if ["tags", "labels", "annotations"].contains(&name) {
            return Value::object([(Str::from("TODO"), Value::text("TODO"))]);
        }
        if NUMBERS.iter().any(|word| is_form(name, word)) {
            return Value::int(1);
        }
        if name.ends_with("enabled") || name.starts_with("is_") {
            return Value::FALSE;
        }
        match singular(name) {
            Some(_) => {
                let items = (0..ELEMENTS).map(|at| Value::text(self.text(name, at)));
                Value::tuple(items.collect())
            }
            None => Value::text(self.text(name, at)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{AccessPaths, PlaceholderContext};
    use groma_value::{Type, print};

    /// Tests that placeholder texts have the form that the attribute names imply.
    #[test]
    fn names_tell_forms() {
        let example = PlaceholderContext { owner: "main" };
        let text =
            |name: &str| print::plain(&example.of(name, &Type::String, &AccessPaths::default(), 0));
        assert_eq!(text("vpc_cidr_block"), "\"198.18.1.0/24\"");
        assert_eq!(text("description"), "\"TODO-main-description-1\"");
        assert_eq!(text("zip"), "\"TODO-main-zip-1\"");
        assert_eq!(text("public_ip"), "\"192.0.2.1\"");
    }
}
