//! Calls of functions, written out: those that only hand parts on do so here, too.

use std::collections::BTreeMap;

use groma::Value;

use crate::form::Form;

/// What a call gives of what it is given.
pub(crate) fn form(name: &str, args: Vec<Form>, expand: bool) -> Form {
    let made = if expand { None } else { handed_on(name, &args) };
    made.unwrap_or_else(|| {
        let all: Vec<String> = args.iter().map(Form::text).collect();
        let dots = if expand { "..." } else { "" };
        Form::open(format!("{name}({}{dots})", all.join(", ")))
    })
}

fn handed_on(name: &str, args: &[Form]) -> Option<Form> {
    let first = args.first()?;
    match name {
        "merge" => {
            let all: Option<Vec<BTreeMap<String, Form>>> = args.iter().map(Form::parts).collect();
            Some(Form::Object(all?.into_iter().flatten().collect(), None))
        }
        "concat" => {
            let all: Option<Vec<Vec<Form>>> = args.iter().map(Form::items).collect();
            Some(Form::Tuple(all?.into_iter().flatten().collect()))
        }
        "element" => {
            let items = first.items()?;
            let Some(Form::Known(at)) = args.get(1) else { return None };
            items.get(at.as_position()? % items.len().max(1)).cloned()
        }
        "lookup" => {
            let Some(Form::Known(Value::String(key))) = args.get(1) else { return None };
            first.parts()?.get(&**key).or(args.get(2)).cloned()
        }
        "values" => Some(Form::Tuple(first.parts()?.into_values().collect())),
        "one" => match first.items()?.as_slice() {
            [only] => Some(only.clone()),
            _ => None,
        },
        "flatten" => {
            let mut all = Vec::new();
            flatten(first.items()?, &mut all);
            Some(Form::Tuple(all))
        }
        "zipmap" => {
            let names = args.first()?.items()?.into_iter().map(|name| match name {
                Form::Known(Value::String(name)) => Some(name.to_string()),
                _ => None,
            });
            let names: Vec<String> = names.collect::<Option<_>>()?;
            Some(Form::Object(names.into_iter().zip(args.get(1)?.items()?).collect(), None))
        }
        "tostring" | "tonumber" | "tobool" | "tolist" | "toset" | "tomap" | "sensitive"
        | "nonsensitive" | "ephemeralasnull" => Some(first.clone()),
        _ => None,
    }
}

fn flatten(items: Vec<Form>, all: &mut Vec<Form>) {
    for item in items {
        match item.items() {
            Some(inner) => flatten(inner, all),
            None => all.push(item),
        }
    }
}
