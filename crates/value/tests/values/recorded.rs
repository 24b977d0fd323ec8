//! Tests that every recorded result, built from its type, its JSON and its path lists, prints as recorded and lists the same
//! paths. Nothing is evaluated: this compares printing, type JSON and listing with the reference programs.

use std::collections::BTreeSet;

use groma_value::codec::listing;
use groma_value::print::console;
use groma_value::{Marks, Number, Str, Type, Value, convert, json, json_type};
use testkit::{Json, vectors};

/// The paths of unknown and sensitive parts in a recorded result; `wild` has those of unknowns with repetitions.
struct Recorded {
    unknown: BTreeSet<String>,
    sensitive: BTreeSet<String>,
    wild: Vec<String>,
}

/// Returns the list of paths in the recorded property `name`.
fn paths(want: &Json, name: &str) -> Vec<String> {
    let list = want.get(name).and_then(Json::list).unwrap_or_default();
    list.iter().map(|path| path.text().expect("a path").to_owned()).collect()
}

/// Returns the value of recorded plain JSON, before its type is applied.
fn plain_value(json: &Json) -> Value {
    match json {
        Json::Null => Value::NULL,
        Json::Bool(b) => Value::Bool(*b),
        Json::Number(text) => Number::parse_literal(text).expect("a number").into(),
        Json::Text(text) => Value::text(text.as_str()),
        Json::List(items) => Value::tuple(items.iter().map(plain_value).collect()),
        Json::Object(items) => {
            Value::object(items.iter().map(|(k, v)| (Str::from(k.as_str()), plain_value(v))))
        }
    }
}

/// Returns true if an attribute name is an identifier, which paths write after a dot.
fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-')
}

/// Builds the value of type `ty` at the path `at` from plain JSON and the recorded paths.
fn build(ty: &Type, plain: &Value, at: &str, recorded: &Recorded) -> Value {
    let value = if recorded.unknown.contains(at) {
        Value::unknown(ty.clone())
    } else if plain.is_null() {
        Value::null(ty.clone())
    } else {
        match (ty, plain) {
            (Type::List(e), Value::Tuple(t)) => {
                let each = t.items().iter().enumerate();
                Value::list(
                    (**e).clone(),
                    each.map(|(i, item)| build(e, item, &format!("{at}[{i}]"), recorded)).collect(),
                )
            }
            (Type::Set(e), Value::Tuple(t)) => {
                let mut open = recorded.wild.iter().filter(|p| **p == format!("{at}[?]")).count();
                let item = |item: &Value| {
                    if item.is_null() && open > 0 {
                        open -= 1;
                        return Value::unknown((**e).clone());
                    }
                    build(e, item, "(in a set)", recorded)
                };
                Value::set((**e).clone(), t.items().iter().map(item).collect())
            }
            (Type::Map(e), Value::Object(o)) => Value::map(
                (**e).clone(),
                o.iter().map(|(key, item)| {
                    let at = format!("{at}[{}]", json::string(key));
                    (key.clone(), build(e, item, &at, recorded))
                }),
            ),
            (Type::Tuple(types), Value::Tuple(t)) => Value::tuple(
                types
                    .elements()
                    .iter()
                    .zip(t.items())
                    .enumerate()
                    .map(|(i, (ty, item))| build(ty, item, &format!("{at}[{i}]"), recorded))
                    .collect(),
            ),
            (Type::Object(types), Value::Object(o)) => {
                Value::object(types.attributes().iter().map(|a| {
                    let at = if is_name(&a.name) {
                        format!("{at}.{}", a.name)
                    } else {
                        format!("{at}[{}]", json::string(&a.name))
                    };
                    let item = o.get(&a.name).expect("an attribute of the type");
                    (a.name.clone(), build(&a.ty, item, &at, recorded))
                }))
            }
            (Type::Number, Value::String(_)) => convert(plain, ty).expect("an infinity"),
            _ => plain.clone(),
        }
    };
    if recorded.sensitive.contains(at) { value.mark(&Marks::sensitive()) } else { value }
}

/// Tests the printing and listing of all recorded results.
#[test]
fn recorded_results_print_and_list_as_recorded() {
    let (mut seen, mut wrong) = (0, Vec::new());
    for file in vectors::files() {
        for vectors::Vector { id, want, .. } in vectors::read(&file).expect("vectors") {
            let (Some(ty), Some(shown)) =
                (want.get("type"), want.get("console").and_then(Json::text))
            else {
                continue;
            };
            if ty.text() == Some("type") {
                continue;
            }
            let ty = json::plain(&plain_value(ty));
            let recorded_value = want.get("value").map_or(Value::NULL, plain_value);
            // Unknowns inside of set elements, and digits beyond the precision of literals, cannot be determined from the record.
            let deep = |ty: &str| ty.contains("[\"set\",[");
            let wide = json::plain(&recorded_value)
                .split(|c: char| !c.is_ascii_digit())
                .any(|d| d.len() > 155);
            if wide && id.contains("parseint") || (deep(&ty) && want.get("unknown").is_some()) {
                continue;
            }
            let parsed = json_type::read(&ty).expect("a type");
            assert_eq!(json_type::write(&parsed), ty, "{id}");
            let unknown = paths(&want, "unknown");
            let sensitive = paths(&want, "sensitive");
            let recorded = Recorded {
                unknown: unknown.iter().cloned().collect(),
                sensitive: sensitive.iter().cloned().collect(),
                wild: unknown.clone(),
            };
            let value = build(&parsed, &recorded_value, "", &recorded);
            seen += 1;
            if value.ty() != parsed {
                wrong.push(format!("{id}: type {:?}", value.ty()));
            }
            let text = console(&value);
            if text != shown {
                wrong.push(format!("{id}: printed {text:?}, recorded {shown:?}"));
            }
            let found = listing(&value);
            let found_unknown: Vec<String> = found.unknown.into_iter().map(|(p, _)| p).collect();
            if found_unknown != unknown || found.sensitive != sensitive {
                wrong.push(format!("{id}: listed {found_unknown:?} {:?}", found.sensitive));
            }
            let again = json::plain(&value);
            let recorded_plain = json::plain(&recorded_value);
            if again != recorded_plain {
                wrong.push(format!("{id}: plain {again}, recorded {recorded_plain}"));
            }
        }
    }
    assert!(seen > 3000, "only {seen} results were read");
    assert!(wrong.is_empty(), "{} of {seen} differ:\n{}", wrong.len(), wrong.join("\n"));
}
