//! Placeholders: values that are of the right form and can be taken for nothing real. Addresses and names are of the ranges
//! that are kept free for documentation and tests. Where no type is known, the name and what is asked of it decide.

use groma_value::{Str, Type, Value};

use super::ask::Ways;

/// How many elements a list has.
const ELEMENTS: usize = 3;

/// What a text of a name looks like.
enum Form {
    /// The same for all.
    Fixed(&'static str),
    /// With a number in place of `#`.
    Numbered(&'static str),
}

/// By how a name ends or, between stars, what it holds. The first that fits counts.
const FORMS: &[(&str, Form)] = &[
    ("ipv6_cidr_block", Form::Numbered("2001:db8:#::/48")),
    ("*ipv6*", Form::Numbered("2001:db8::#")),
    ("cidr_block", Form::Numbered("198.18.#.0/24")),
    ("cidr", Form::Numbered("198.18.#.0/24")),
    ("cidr_range", Form::Numbered("198.18.#.0/24")),
    ("address_space", Form::Numbered("198.18.#.0/24")),
    ("address_prefix", Form::Numbered("198.18.#.0/24")),
    ("ip", Form::Numbered("192.0.2.#")),
    ("ip_address", Form::Numbered("192.0.2.#")),
    ("arn", Form::Numbered("arn:aws:todo:todo-region-1:000000000000:todo-#")),
    ("account_id", Form::Fixed("000000000000")),
    ("owner_id", Form::Fixed("000000000000")),
    ("partition", Form::Fixed("aws")),
    ("dns_suffix", Form::Fixed("todo.example")),
    ("json", Form::Fixed("{}")),
    ("policy", Form::Fixed("{}")),
    ("url", Form::Numbered("https://todo-#.example")),
    ("uri", Form::Numbered("https://todo-#.example")),
    ("endpoint", Form::Numbered("https://todo-#.example")),
    ("issuer", Form::Numbered("https://todo-#.example")),
    ("dns_name", Form::Numbered("todo-#.example")),
    ("domain_name", Form::Numbered("todo-#.example")),
    ("fqdn", Form::Numbered("todo-#.example")),
    ("hostname", Form::Numbered("todo-#.example")),
    ("host", Form::Numbered("todo-#.example")),
    ("base64", Form::Fixed("VE9ETw==")),
    ("*certificate*", Form::Fixed("VE9ETw==")),
    ("data", Form::Fixed("VE9ETw==")),
    ("timestamp", Form::Fixed("2000-01-01T00:00:00Z")),
    ("rfc3339", Form::Fixed("2000-01-01T00:00:00Z")),
    ("_at", Form::Fixed("2000-01-01T00:00:00Z")),
    ("version", Form::Fixed("0.0.0")),
];

/// Names that are numbers where no schema says otherwise.
const NUMBERS: [&str; 5] = ["port", "count", "size", "status_code", "number"];

/// Words that end like many things and are one.
const SINGLE: [&str; 9] =
    ["status", "address", "alias", "class", "dns", "https", "tls", "access", "basis"];

/// What a placeholder is for.
pub(crate) struct Example<'a> {
    /// The name of the resource, which makes its texts other than those of the next.
    pub(crate) owner: &'a str,
}

fn is_form(name: &str, pattern: &str) -> bool {
    match pattern.strip_prefix('*').and_then(|inner| inner.strip_suffix('*')) {
        Some(inner) => name.contains(inner),
        None => name
            .strip_suffix(pattern)
            .is_some_and(|rest| rest.is_empty() || rest.ends_with('_') || pattern.starts_with('_')),
    }
}

/// The name of one of many: `subnet_id` of `subnet_ids`.
fn singular(name: &str) -> Option<&str> {
    let is_one = SINGLE.iter().any(|word| is_form(name, word)) || name.ends_with("ss");
    name.strip_suffix('s').filter(|rest| !is_one && !rest.is_empty())
}

impl Example<'_> {
    fn text(&self, name: &str, at: usize) -> String {
        let name = singular(name).unwrap_or(name);
        let known = FORMS.iter().find(|(pattern, _)| is_form(name, pattern));
        match known {
            Some((_, Form::Fixed(text))) => (*text).to_owned(),
            Some((_, Form::Numbered(form))) => form.replace('#', &(at + 1).to_string()),
            None => format!("TODO-{}-{name}-{}", self.owner, at + 1),
        }
    }

    /// A placeholder of a type, for an attribute of that name of which so much is asked.
    pub(crate) fn of(&self, name: &str, ty: &Type, ways: &Ways, at: usize) -> Value {
        let none = Ways::default();
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

    /// A placeholder of no known type.
    fn untyped(&self, name: &str, ways: &Ways, at: usize) -> Value {
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
    use super::{Example, Ways};
    use groma_value::{Type, print};

    #[test]
    fn names_tell_forms() {
        let example = Example { owner: "main" };
        let text = |name: &str| print::plain(&example.of(name, &Type::String, &Ways::default(), 0));
        assert_eq!(text("vpc_cidr_block"), "\"198.18.1.0/24\"");
        assert_eq!(text("description"), "\"TODO-main-description-1\"");
        assert_eq!(text("zip"), "\"TODO-main-zip-1\"");
        assert_eq!(text("public_ip"), "\"192.0.2.1\"");
    }
}
